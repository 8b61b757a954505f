//! What is wrong with an experiment, said like a compiler says it: the file, the line and column, the offending text, the
//! rule, the nearest valid name, the remedy; every fault of a file at once.

use super::source::{Sources, Span};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// line, from 1
    pub line: usize,
    /// column in characters, from 1
    pub column: usize,
    /// number of characters to underline, at least 1
    pub length: usize,
    /// the whole line
    pub text: String,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// what is wrong, with the offending value
    pub message: String,
    /// the file (or command-line argument) that it is in
    pub file: String,
    /// where in the file; `None` if it concerns the whole file
    pub position: Option<Position>,
    /// what would be right
    pub rule: Option<String>,
    /// the valid name that is nearest to the one given
    pub nearest: Option<String>,
    /// what to do
    pub remedy: Option<String>,
}

impl Diagnostic {
    /// A fault of a whole file.
    pub fn of_file(file: impl Into<String>, message: impl Into<String>) -> Self {
        Diagnostic {
            message: message.into(),
            file: file.into(),
            position: None,
            rule: None,
            nearest: None,
            remedy: None,
        }
    }

    /// The same with what would be right.
    pub fn rule(mut self, rule: impl Into<String>) -> Self {
        self.rule = Some(rule.into());
        self
    }

    /// The same with what to do.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// The same with the names that are allowed, as rule, and the nearest of them to the one given.
    pub fn names<S: AsRef<str>>(mut self, given: &str, allowed: &[S]) -> Self {
        let listed: Vec<&str> = allowed.iter().map(AsRef::as_ref).collect();
        self.nearest = nearest(given, &listed).map(str::to_owned);
        self.rule = Some(if listed.is_empty() {
            "there is none to name".to_owned()
        } else {
            format!("allowed: {}", listed.join(", "))
        });
        self
    }
}

/// The name that is nearest to the given one, if any is near: equal but for case and for the way in which words are joined, or not more
/// than a third of the letters away.
pub fn nearest<'a>(given: &str, allowed: &[&'a str]) -> Option<&'a str> {
    let plain = |text: &str| {
        text.trim()
            .to_lowercase()
            .replace(['_', ' '], "-")
            .trim_matches('-')
            .to_owned()
    };
    let wanted = plain(given);
    allowed
        .iter()
        .map(|name| (strsim::damerau_levenshtein(&wanted, &plain(name)), *name))
        .filter(|(distance, name)| *distance <= (name.chars().count().max(3)) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Characters of a line that are shown before the place of a fault, and of those that are marked.
const MOST_BEFORE: usize = 400;
const MOST_MARKED: usize = 400;
/// Characters of a message, and how many of them stand before what is left out: what it quotes can be of any length.
const MOST: usize = 2000;
const HEAD: usize = 200;

/// A message of ordinary length: of a longer one, the beginning and the end.
fn cut(message: &str) -> std::borrow::Cow<'_, str> {
    let count = message.chars().count();
    if count <= MOST {
        return message.into();
    }
    let head: String = message.chars().take(HEAD).collect();
    let tail: String = message.chars().skip(count - HEAD).collect();
    format!("{head} … ({} characters) … {tail}", count - 2 * HEAD).into()
}

/// Columns that a terminal gives to a character: two for the wide scripts of East Asia.
fn columns(character: char) -> usize {
    match character as u32 {
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => {
            2
        }
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", cut(&self.message))?;
        let mut margin = String::from(" ");
        match &self.position {
            None => writeln!(f, " --> {}", self.file)?,
            Some(at) => {
                let number = at.line.to_string();
                margin = " ".repeat(number.len());
                writeln!(f, "{margin}--> {}:{}:{}", self.file, at.line, at.column)?;
                writeln!(f, "{margin} |")?;
                // a line of a data file can be of any length: what is far from the place is left out
                let column = at.column - 1;
                let before = column.saturating_sub(MOST_BEFORE);
                let length = at.length.min(MOST_MARKED);
                let (mark, column) = match before {
                    0 => ("", column),
                    _ => ("…", column - before + 1),
                };
                let window = at.text.chars().skip(before);
                let text: String = mark
                    .chars()
                    .chain(window)
                    .take(column + length + 81)
                    .collect();
                writeln!(f, "{number} | {}", text.trim_end())?;
                // tabs stay tabs, so that the mark stands below what it marks
                let indent: String = (text.chars().take(column))
                    .map(|c| {
                        if c == '\t' {
                            "\t".to_owned()
                        } else {
                            " ".repeat(columns(c))
                        }
                    })
                    .collect();
                let marked = text.chars().skip(column).take(length);
                let width: usize = marked.map(columns).sum();
                writeln!(f, "{margin} | {indent}{}", "^".repeat(width.max(1)))?;
            }
        }
        if let Some(rule) = &self.rule {
            writeln!(f, "{margin} = {rule}")?;
        }
        if let Some(name) = &self.nearest {
            writeln!(f, "{margin} = did you mean `{name}`?")?;
        }
        if let Some(remedy) = &self.remedy {
            writeln!(f, "{margin} = help: {remedy}")?;
        }
        Ok(())
    }
}

/// Every fault that was found, in the order of the text, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// From one fault.
    pub fn one(diagnostic: Diagnostic) -> Self {
        Diagnostics {
            list: vec![diagnostic],
        }
    }

    /// All of several lots, if there is any.
    pub fn all(lots: Vec<Diagnostics>) -> Option<Self> {
        let list: Vec<Diagnostic> = lots.into_iter().flat_map(|lot| lot.list).collect();
        (!list.is_empty()).then_some(Diagnostics { list })
    }

    /// The faults; never empty.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }
}

/// Diagnostics that are written out: a file of another format has a fault in every line.
const MOST_SHOWN: usize = 50;

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in self.list.iter().take(MOST_SHOWN) {
            writeln!(f, "{diagnostic}")?;
        }
        if self.list.len() > MOST_SHOWN {
            writeln!(f, "only the first {MOST_SHOWN} are shown\n")?;
        }
        match self.list.len() {
            1 => write!(f, "1 error; nothing was run"),
            n => write!(f, "{n} errors; nothing was run"),
        }
    }
}

impl std::error::Error for Diagnostics {}

/// A fault at a place, on its way into a [`Sink`].
#[must_use]
#[derive(Debug)]
pub struct Fault<'a> {
    sink: &'a Sink,
    span: Option<Span>,
    by_itself: bool,
    diagnostic: Diagnostic,
}

impl Fault<'_> {
    /// With what would be right.
    pub fn rule(mut self, rule: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.rule(rule);
        self
    }

    /// With what to do.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.remedy(remedy);
        self
    }

    /// With the names that are allowed, and the nearest of them.
    pub fn names<S: AsRef<str>>(mut self, given: &str, allowed: &[S]) -> Self {
        self.diagnostic = self.diagnostic.names(given, allowed);
        self
    }

    /// A fault of the value alone, whatever else the file says: another type than wanted, or an unknown name.
    pub fn by_itself(mut self) -> Self {
        self.by_itself = true;
        self
    }

    /// Puts it on record.
    pub fn report(self) {
        self.sink.put(Found {
            span: self.span,
            by_itself: self.by_itself,
            diagnostic: self.diagnostic,
        });
    }
}

/// Collects faults while a file is read, so that none hides another.
#[derive(Debug, Default)]
pub struct Sink {
    sources: Sources,
    faults: RefCell<Vec<Found>>,
    said: RefCell<HashSet<Diagnostic>>,
    reported: Cell<usize>,
}

/// A fault that is on record.
#[derive(Clone, Debug)]
struct Found {
    span: Option<Span>,
    by_itself: bool,
    diagnostic: Diagnostic,
}

impl Sink {
    /// For values of those texts.
    pub fn new(sources: Sources) -> Self {
        Sink {
            sources,
            said: RefCell::default(),
            faults: RefCell::default(),
            reported: Cell::new(0),
        }
    }

    /// The texts.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Starts a fault at a place.
    pub fn fault(&self, span: Span, message: impl Into<String>) -> Fault<'_> {
        let mut diagnostic =
            Diagnostic::of_file(self.sources.get(span.source).name.clone(), message);
        diagnostic.position = Some(self.sources.position(span));
        Fault {
            sink: self,
            span: Some(span),
            by_itself: false,
            diagnostic,
        }
    }

    /// Puts a fault of another file on record, sorted to the place in the experiment that names the file.
    pub fn foreign(&self, named_at: Span, diagnostic: Diagnostic) {
        self.put(Found {
            span: Some(named_at),
            by_itself: false,
            diagnostic,
        });
    }

    /// Takes over from another sink what is wrong with a stretch of the text by itself.
    pub fn take_from(&self, other: &Sink, stretch: Span) {
        let inside = |span: Span| {
            span.source == stretch.source && stretch.start <= span.start && span.end <= stretch.end
        };
        for found in other.faults.borrow().iter() {
            if found.by_itself && found.span.is_some_and(inside) {
                self.put(found.clone());
            }
        }
    }

    fn put(&self, found: Found) {
        self.reported.set(self.reported.get() + 1);
        // a value is read once per cell of the sweep: its fault is one fault
        if self.said.borrow_mut().insert(found.diagnostic.clone()) {
            self.faults.borrow_mut().push(found);
        }
    }

    /// Number of faults so far.
    pub fn len(&self) -> usize {
        self.faults.borrow().len()
    }

    /// How often a fault was reported, the same one anew each time: whether it grows says whether a reader found something wrong, also where
    /// it reads a second time.
    pub fn reported(&self) -> usize {
        self.reported.get()
    }

    /// Whether there is no fault so far.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The faults in the order of the text.
    ///
    /// # Errors
    /// All of them, if there is one.
    pub fn finish(&self) -> Result<(), Diagnostics> {
        let mut faults = self.faults.borrow().clone();
        if faults.is_empty() {
            return Ok(());
        }
        // a stable sort: faults at one place, and lines of a data file, stay in the order in which they were found
        faults.sort_by_key(|found| found.span);
        Err(Diagnostics {
            list: faults.into_iter().map(|found| found.diagnostic).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_below_the_text() {
        let mut sources = Sources::default();
        let text = "a = 1\n\t年龄 = \"x\" # y\r\nb = 2";
        sources.add("f.toml", text);
        let start = text.find("\"x\"").unwrap();
        let sink = Sink::new(sources);
        let span = Span {
            source: 0,
            start,
            end: start + 3,
        };
        sink.fault(span, "no").rule("r").remedy("h").report();
        sink.fault(span, "no").rule("r").remedy("h").report();
        let found = sink.finish().unwrap_err();
        assert_eq!(found.list().len(), 1);
        assert_eq!(
            found.list()[0].to_string(),
            "error: no\n --> f.toml:2:7\n  |\n2 | \t年龄 = \"x\" # y\n  | \t       ^^^\n  = r\n  = help: h\n"
        );
    }

    /// A cell of ten million characters, or a value of as many: what is shown is the place.
    #[test]
    fn what_is_quoted_is_cut() {
        let mut sources = Sources::default();
        let text = format!("{}!{}", "a".repeat(100_000), "b".repeat(100_000));
        sources.add("f.toml", &text);
        let span = Span {
            source: 0,
            start: 100_000,
            end: 100_001,
        };
        let sink = Sink::new(sources);
        (sink.fault(span, format!("no `{text}` here"))).report();
        let whole = Span {
            start: 0,
            end: 200_001,
            ..span
        };
        sink.fault(whole, "all of it").report();
        let found = sink.finish().unwrap_err();
        // in the order of the text
        let [all, one] = found.list() else {
            panic!("two faults");
        };
        let (all, one) = (all.to_string(), one.to_string());
        assert!(all.len() < 2000 && one.len() < 2000, "{all}\n{one}");
        let lines: Vec<&str> = one.lines().collect();
        assert!(lines[0].starts_with("error: no `aaa") && lines[0].ends_with("bb` here"));
        assert_eq!(lines[1], " --> f.toml:1:100001");
        let place = |line: &str, mark: char| line.chars().position(|c| c == mark);
        assert!(place(lines[3], '!').is_some() && place(lines[3], '!') == place(lines[4], '^'));
    }

    #[test]
    fn a_file_of_another_format_does_not_flood_the_terminal() {
        let mut sources = Sources::default();
        sources.add("f.toml", "x\n".repeat(1000));
        let sink = Sink::new(sources);
        for line in 0..1000 {
            let span = Span {
                source: 0,
                start: 2 * line,
                end: 2 * line + 1,
            };
            sink.fault(span, "no").report();
        }
        let found = sink.finish().unwrap_err();
        assert_eq!(found.list().len(), 1000);
        let text = found.to_string();
        assert_eq!(text.matches("error: no").count(), 50);
        assert!(
            text.ends_with("only the first 50 are shown\n\n1000 errors; nothing was run"),
            "{text}"
        );
    }

    #[test]
    fn near_names_are_offered_and_far_ones_are_not() {
        let names = ["even", "proportional", "sqrt-weighted", "max_abs_error"];
        assert_eq!(nearest("proportinal", &names), Some("proportional"));
        assert_eq!(nearest("Sqrt_Weighted ", &names), Some("sqrt-weighted"));
        assert_eq!(nearest("max-abs-eror", &names), Some("max_abs_error"));
        assert_eq!(nearest("EVEN", &names), Some("even"));
        assert_eq!(nearest("banana", &names), None);
    }

    #[test]
    fn faults_come_in_the_order_of_the_text() {
        let mut sources = Sources::default();
        sources.add("f.toml", "a\nb\nc");
        let sink = Sink::new(sources);
        for start in [4, 0, 2] {
            let span = Span {
                source: 0,
                start,
                end: start + 1,
            };
            sink.fault(span, format!("at {start}")).report();
        }
        let lines: Vec<usize> = (sink.finish().unwrap_err().list().iter())
            .map(|d| d.position.as_ref().unwrap().line)
            .collect();
        assert_eq!(lines, [1, 2, 3]);
    }
}
