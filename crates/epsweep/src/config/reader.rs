//! Typed reading of tables: every fault goes to the sink, nothing stops at the first, and keys that nobody asked for are faults.

use super::diagnostic::{Sink, nearest};
use super::misplaced;
use super::number::label;
use super::source::Span;
use super::value::{Entry, Kind, Table, Value};
use std::cell::RefCell;

/// What faults call the file as a whole.
pub const EXPERIMENT: &str = "the experiment";

/// The largest whole number below which a real number names exactly one: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Typed views of a value. Each says what is wrong and gives `None` if the value is of another type.
impl Value {
    /// A text.
    pub fn text(&self, sink: &Sink) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => self.mismatch(sink, "a text in quotes"),
        }
    }

    /// A real number; whole numbers are real ones.
    pub fn real(&self, sink: &Sink) -> Option<f64> {
        match self.as_number() {
            Some(number) => Some(number),
            None => self.mismatch(sink, "a number"),
        }
    }

    /// A real number that is neither NaN nor infinite.
    pub fn finite(&self, sink: &Sink) -> Option<f64> {
        let number = self.real(sink)?;
        if number.is_finite() {
            return Some(number);
        }
        let message = format!("{} is not a finite number", label(number));
        sink.fault(self.span, message).report();
        None
    }

    /// A whole number from `least` to `most`, also as `1e5` or `1000.0`.
    pub fn whole(&self, sink: &Sink, least: u64, most: u64) -> Option<u64> {
        let rule = format!("a whole number from {least} to {most}");
        let exact = match self.kind {
            Kind::Integer(number) => u64::try_from(number).ok(),
            // beyond 2^53 a number with a point names several whole numbers
            Kind::Real(real) if (0.0..=EXACT).contains(&real) && real.fract() == 0.0 => {
                Some(real as u64)
            }
            Kind::Real(_) => None,
            _ => return self.mismatch(sink, &rule),
        };
        match exact {
            Some(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                let inside = |real: f64| real >= least as f64 && real <= most as f64;
                let (what, remedy) = match self.kind {
                    Kind::Real(real) if real.fract() != 0.0 => ("not a whole number", None),
                    Kind::Real(real) if real > EXACT && inside(real) => (
                        "beyond 2^53, where a number with a point or an exponent stands for several whole ones",
                        Some("write all of its digits"),
                    ),
                    _ => ("out of range", None),
                };
                let fault = sink
                    .fault(self.span, format!("{self} is {what}"))
                    .rule(rule);
                match remedy {
                    Some(remedy) => fault.remedy(remedy).report(),
                    None => fault.report(),
                }
                None
            }
        }
    }

    /// True or false.
    pub fn flag(&self, sink: &Sink) -> Option<bool> {
        match self.kind {
            Kind::Boolean(flag) => Some(flag),
            _ => self.mismatch(sink, "true or false"),
        }
    }

    /// A list.
    pub fn list(&self, sink: &Sink) -> Option<&[Value]> {
        match &self.kind {
            Kind::List(list) => Some(list),
            Kind::Table(_) if let Some(name) = header(self, sink) => {
                sink.fault(self.span, format!("`[{name}]` is a single table"))
                    .rule("a list of tables: there can be several")
                    .remedy(format!("write `[[{name}]]`"))
                    .by_itself()
                    .report();
                None
            }
            _ => self.mismatch(sink, "a [list]"),
        }
    }

    /// A table, under a reader. `what` names it in messages.
    pub fn reader<'a>(&'a self, sink: &'a Sink, what: impl Into<String>) -> Option<Reader<'a>> {
        match &self.kind {
            Kind::Table(table) => Some(Reader {
                table,
                span: self.span,
                what: what.into(),
                sink,
                known: RefCell::default(),
                lacking: RefCell::default(),
            }),
            Kind::List(list)
                if let Some(name) = list.first().and_then(|first| header(first, sink)) =>
            {
                sink.fault(self.span, format!("`[[{name}]]` is a list of tables"))
                    .rule("a single table")
                    .remedy(format!("write `[{name}]`, once"))
                    .by_itself()
                    .report();
                None
            }
            _ => self.mismatch(sink, "a { table } of keys"),
        }
    }

    /// One of the names of a list.
    pub fn choice<'n>(&self, sink: &Sink, what: &str, names: &[&'n str]) -> Option<&'n str> {
        let given = self.text(sink)?;
        let found = names.iter().find(|name| **name == given).copied();
        if found.is_none() {
            sink.fault(self.span, format!("unknown {what} `{given}`"))
                .names(given, names)
                .by_itself()
                .report();
        }
        found
    }

    /// A pair of finite numbers.
    pub fn pair(&self, sink: &Sink) -> Option<[f64; 2]> {
        let list = self.list(sink)?;
        if list.len() != 2 {
            let message = format!("a list of {} where two numbers belong", list.len());
            sink.fault(self.span, message).rule("[low, high]").report();
            return None;
        }
        let (low, high) = (list[0].finite(sink), list[1].finite(sink));
        Some([low?, high?])
    }

    fn mismatch<T>(&self, sink: &Sink, wanted: &str) -> Option<T> {
        if self.kind != Kind::Faulty {
            let message = format!("{self} is {}", self.type_name());
            sink.fault(self.span, message)
                .rule(format!("wanted: {wanted}"))
                .by_itself()
                .report();
        }
        None
    }
}

/// The name in the header of a table that has one, `[name]` or `[[name]]`.
fn header<'a>(table: &Value, sink: &'a Sink) -> Option<&'a str> {
    let name = sink.sources().text(table.span).strip_prefix('[')?;
    table.as_table()?;
    Some(name.trim_matches(['[', ']', ' ']))
}

/// Reads the keys of a table; [`Reader::finish`] reports those that nobody asked for.
#[derive(Debug)]
pub struct Reader<'a> {
    table: &'a Table,
    span: Span,
    what: String,
    sink: &'a Sink,
    known: RefCell<Vec<String>>,
    lacking: RefCell<Vec<Lack>>,
}

/// A key, or one of several, that must be there and is not.
#[derive(Debug)]
struct Lack {
    keys: Vec<String>,
    message: String,
    rule: Option<String>,
}

impl<'a> Reader<'a> {
    /// Where the table stands (its header).
    pub fn span(&self) -> Span {
        self.span
    }

    /// Where faults go.
    pub fn sink(&self) -> &'a Sink {
        self.sink
    }

    /// The table.
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// The entries of the table, without the label of a value of an axis.
    pub fn entries(&self) -> impl Iterator<Item = &'a Entry> {
        let table = self.table;
        (table.entries.iter()).filter(|entry| !table.is_label(entry))
    }

    /// The value of a key that may be absent.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        let mut known = self.known.borrow_mut();
        if !known.iter().any(|name| name == key) {
            known.push(key.to_owned());
        }
        self.table.get(key)
    }

    /// The value of a key that must be there.
    pub fn need(&self, key: &str) -> Option<&'a Value> {
        let value = self.get(key);
        if value.is_none() {
            let message = format!("{} lacks the key `{key}`", self.what);
            self.lacks(&[key], message, None);
        }
        value
    }

    /// One of the names of a list, under a key that must be there: `what` says what is named.
    pub fn need_choice<'n>(&self, key: &str, what: &str, names: &[&'n str]) -> Option<&'n str> {
        match self.get(key) {
            Some(given) => given.choice(self.sink, what, names),
            None => {
                let message = format!("{} lacks the key `{key}`", self.what);
                let rule = format!("allowed: {}", names.join(", "));
                self.lacks(&[key], message, Some(rule));
                None
            }
        }
    }

    /// The one key of several that must be there, with its value: `what` says what the keys are.
    pub fn one_of(&self, what: &str, keys: &[&str]) -> Option<(usize, &'a Value)> {
        for key in keys {
            self.get(key);
        }
        // in the order of the file
        let given: Vec<(usize, &'a Entry)> = (self.table.entries.iter())
            .filter_map(|entry| Some((keys.iter().position(|key| *key == entry.key)?, entry)))
            .collect();
        let rule = format!("one of: {}", keys.join(", "));
        match given.as_slice() {
            [(which, entry)] => Some((*which, &entry.value)),
            [] => {
                self.lacks(keys, format!("{} lacks {what}", self.what), Some(rule));
                None
            }
            [(_, first), (_, second), ..] => {
                let message = format!(
                    "{} has both `{}` and `{}`",
                    self.what, first.key, second.key
                );
                self.sink
                    .fault(second.key_span, message)
                    .rule(rule)
                    .report();
                None
            }
        }
    }

    /// Reports every key that was never asked for. One that is nearly a key that must be there and is not is one fault, and not two.
    pub fn finish(self) {
        let known = self.known.take();
        let lacking = self.lacking.take();
        let mut meant: Vec<&str> = Vec::new();
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        for entry in self.entries().filter(|entry| !known.contains(&entry.key)) {
            meant.extend(nearest(&entry.key, &names));
            let fault = self.sink.fault(
                entry.key_span,
                format!("unknown key `{}` in {}", entry.key, self.what),
            );
            let fault = fault.names(&entry.key, &known).by_itself();
            let remedy = match self.what == EXPERIMENT {
                true => misplaced::remedy(entry, &known),
                false => None,
            };
            match remedy {
                Some(remedy) => fault.remedy(remedy).report(),
                None => fault.report(),
            }
        }
        for lack in lacking {
            if !lack.keys.iter().any(|key| meant.contains(&key.as_str())) {
                self.report(lack);
            }
        }
    }

    /// Reports that a key is not there.
    fn report(&self, lack: Lack) {
        let fault = self.sink.fault(self.span, lack.message);
        match lack.rule {
            Some(rule) => fault.rule(rule).report(),
            None => fault.report(),
        }
    }

    /// Takes down that a key is not there: a key that is nearly it may turn out to be unknown.
    fn lacks(&self, keys: &[&str], message: String, rule: Option<String>) {
        let lack = Lack {
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            message,
            rule,
        };
        self.lacking.borrow_mut().push(lack);
    }
}

/// A reader that is given up on before its end says what is not there all the same.
impl Drop for Reader<'_> {
    fn drop(&mut self) {
        for lack in self.lacking.take() {
            self.report(lack);
        }
    }
}
