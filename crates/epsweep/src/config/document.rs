//! From the text of a TOML file to a tree of values with positions, and changes to that tree: the overrides of the command line, the
//! values of a sweep.

use super::diagnostic::{Diagnostics, Sink};
use super::path::{Path, Segment};
use super::slips::{DUPLICATE, slip_of};
use super::source::{Sources, Span};
use super::value::{Entry, Kind, Table, Value, is_bare};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The tree of a text that has been added to `sources`.
///
/// # Errors
/// The first places at which the text is not TOML.
pub fn parse(sources: &Sources, source: usize) -> Result<Value, Diagnostics> {
    let sink = Sink::new(sources.clone());
    let text = &sources.get(source).text;
    let (tree, errors) = DeTable::parse_recoverable(text);
    let complaints = (errors.iter())
        .map(|error| {
            let range = error.span().unwrap_or(text.len()..text.len());
            (range, error.message())
        })
        .collect();
    let errors = causes(text, complaints);
    let others = errors.len().saturating_sub(MOST_ERRORS);
    let records = looks_like_records(text);
    for (place, (range, said)) in errors.iter().take(MOST_ERRORS).enumerate() {
        let span = Span {
            source,
            start: range.start,
            end: range.end,
        };
        let line = &text[line_of(text, range.start)];
        let fault = match slip_of(text, line, (range.start, range.end), said) {
            Some(slip) => sink
                .fault(span, format!("not TOML: {}", slip.message))
                .remedy(slip.remedy),
            None => sink.fault(span, format!("not TOML: {said}")),
        };
        match place {
            0 if records => fault.remedy("this looks like a CSV file: `epsweep new NAME --data FILE` writes an experiment about it"),
            _ if place + 1 == MOST_ERRORS && others > 0 => {
                fault.remedy(format!("{others} more like this are not shown"))
            }
            _ => fault,
        }
        .report();
    }
    let start = Span {
        source,
        start: 0,
        end: 0,
    };
    let root = table(tree.into_inner(), start, &sink);
    sink.finish()?;
    Ok(root)
}

/// Faults of a text that is no TOML that are shown: the first one is usually the cause of the others.
const MOST_ERRORS: usize = 8;

/// Whether the first two lines are those of a table of records.
fn looks_like_records(text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.matches(',').count());
    let commas = lines.next().unwrap_or(0);
    commas > 0
        && lines.next() == Some(commas)
        && !text.lines().take(2).any(|line| line.contains('='))
}

/// The line that holds a byte of a text.
fn line_of(text: &str, at: usize) -> Range<usize> {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    start..end
}

/// The parser's complaints without those that follow from others: the first of each line, and none about the keys of a table that is there a
/// second time.
fn causes<'e>(
    text: &str,
    mut complaints: Vec<(Range<usize>, &'e str)>,
) -> Vec<(Range<usize>, &'e str)> {
    complaints.sort_by_key(|(range, _)| range.start);
    let mut out: Vec<(Range<usize>, &str)> = Vec::new();
    // the end of what a table says that is there twice
    let mut until = 0;
    for (range, said) in complaints {
        let line = line_of(text, range.start);
        let again = (out.last()).is_some_and(|(last, _)| line_of(text, last.start) == line);
        if again || said == DUPLICATE && range.start < until {
            continue;
        }
        if said == DUPLICATE && text[line.clone()].trim_start().starts_with('[') {
            let next = text[line.end..].find("\n[");
            until = next.map_or(text.len(), |next| line.end + next + 1);
        }
        out.push((range, said));
    }
    out
}

/// The value of a command-line override, in TOML; a bare word or a bare path such as `data/ages.csv` is a text.
///
/// # Errors
/// Every place at which it is not TOML.
pub fn parse_value(sources: &Sources, source: usize) -> Result<Value, Diagnostics> {
    let sink = Sink::new(sources.clone());
    let text = &sources.get(source).text;
    let whole = Span {
        source,
        start: 0,
        end: text.len(),
    };
    let (tree, errors) = DeValue::parse_recoverable(text);
    if errors.is_empty() {
        let found = value(tree, source, &sink);
        sink.finish()?;
        return Ok(found);
    }
    // what has a point and begins like a number is a number that went wrong
    let bare = text.chars().all(is_bare);
    let path = text.chars().all(|c| is_bare(c) || "./".contains(c))
        && !text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if !text.is_empty() && (bare || path) {
        return Ok(Value {
            span: whole,
            kind: Kind::Text(text.clone()),
        });
    }
    let complaints = (errors.iter())
        .map(|error| (error.span().unwrap_or(0..text.len()), error.message()))
        .collect();
    for (range, said) in causes(text, complaints) {
        let span = Span {
            source,
            start: range.start,
            end: range.end,
        };
        let slip = slip_of(text, "", (range.start, range.end), said);
        let wrong = slip.as_ref().map_or(said, |slip| &slip.message);
        let fault = sink
            .fault(span, format!("not a TOML value: {wrong}"))
            .rule("a number, a \"text\", a [list] or a { table }; a bare word or path is a text");
        match slip {
            Some(slip) => fault.remedy(slip.remedy).report(),
            None => fault.report(),
        }
    }
    sink.finish()?;
    // not reached: there was an error; were there none, the value would be faulty
    Ok(Value {
        span: whole,
        kind: Kind::Faulty,
    })
}

fn table(tree: DeTable<'_>, span: Span, sink: &Sink) -> Value {
    let mut entries: Vec<Entry> = (tree.into_iter())
        .map(|(key, inner)| {
            let range = key.span();
            Entry {
                key_span: Span {
                    source: span.source,
                    start: range.start,
                    end: range.end,
                },
                key: key.into_inner().into_owned(),
                value: value(inner, span.source, sink),
            }
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_span);
    Value {
        span,
        kind: Kind::Table(Table::new(entries)),
    }
}

fn value(tree: Spanned<DeValue<'_>>, source: usize, sink: &Sink) -> Value {
    let range = tree.span();
    let span = Span {
        source,
        start: range.start,
        end: range.end,
    };
    let kind = match tree.into_inner() {
        DeValue::String(text) => Kind::Text(text.into_owned()),
        DeValue::Integer(whole) => match i128::from_str_radix(whole.as_str(), whole.radix()) {
            Ok(number) => Kind::Integer(number),
            Err(_) => {
                sink.fault(span, format!("the number {whole} is too large"))
                    .rule("whole numbers below 2^127")
                    .report();
                Kind::Faulty
            }
        },
        DeValue::Float(real) => {
            let text = real.as_str();
            let number: f64 = text.parse().unwrap_or(f64::NAN);
            if number.is_infinite() && !text.contains("inf") {
                sink.fault(span, format!("the number {text} is too large"))
                    .rule("numbers of size up to 1.797e308")
                    .report();
                Kind::Faulty
            } else {
                Kind::Real(number)
            }
        }
        DeValue::Boolean(flag) => Kind::Boolean(flag),
        DeValue::Datetime(date) => Kind::Date(date.to_string()),
        DeValue::Array(list) => Kind::List(
            (list.into_iter())
                .map(|inner| value(inner, source, sink))
                .collect(),
        ),
        DeValue::Table(inner) => return table(inner, span, sink),
    };
    Value { span, kind }
}

/// Why a path leads nowhere.
#[derive(Debug, PartialEq)]
pub struct NoSuchPlace {
    /// the segment that fails
    pub at: usize,
    /// what is wrong with it
    pub message: String,
    /// names that are there
    pub allowed: Vec<String>,
}

/// Looks a path up.
pub fn find<'a>(root: &'a Value, path: &Path) -> Option<&'a Value> {
    path.segments
        .iter()
        .try_fold(root, |at, segment| match &at.kind {
            Kind::Table(table) => table.get(&segment.name),
            Kind::List(list) => list.iter().find(|value| is_named(value, &segment.name)),
            _ => None,
        })
}

fn is_named(value: &Value, name: &str) -> bool {
    let own = value.as_table().and_then(|table| table.get("name"));
    own.and_then(Value::as_text) == Some(name)
}

/// Puts a value at a path, making the tables on the way that are not there. An entry of a list of tables is found by its `name`.
///
/// # Errors
/// If a list has no entry of that name, or the path leads into a value that holds nothing.
pub fn set(root: &mut Value, path: &Path, new: &Value) -> Result<(), NoSuchPlace> {
    let mut at = root;
    for (i, segment) in path.segments.iter().enumerate() {
        let holder = at.type_name();
        at = match &mut at.kind {
            Kind::Table(table) => {
                if table.get(&segment.name).is_none() {
                    table.entries.push(entry(segment, new));
                }
                match table.get_mut(&segment.name) {
                    Some(inner) => inner,
                    // just inserted
                    None => return Ok(()),
                }
            }
            Kind::List(list) => {
                let found = list.iter().position(|value| is_named(value, &segment.name));
                match found {
                    Some(found) => &mut list[found],
                    None => {
                        let names = list.iter().filter_map(|value| {
                            let name = value.as_table()?.get("name")?.as_text()?;
                            Some(name.to_owned())
                        });
                        return Err(NoSuchPlace {
                            at: i,
                            message: format!("there is no entry named `{}`", segment.name),
                            allowed: names.collect(),
                        });
                    }
                }
            }
            _ => {
                return Err(NoSuchPlace {
                    at: i,
                    message: format!(
                        "`{}` lies inside {holder}, which holds no keys",
                        segment.name
                    ),
                    allowed: Vec::new(),
                });
            }
        };
    }
    *at = new.clone();
    Ok(())
}

/// A new entry with an empty table, to be filled or replaced.
fn entry(segment: &Segment, new: &Value) -> Entry {
    let span = segment.span.unwrap_or(new.span);
    Entry {
        key: segment.name.clone(),
        key_span: span,
        value: Value {
            span,
            kind: Kind::Table(Table::default()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Value {
        let mut sources = Sources::default();
        sources.add("f.toml", text);
        parse(&sources, 0).unwrap()
    }

    fn path(text: &str) -> Path {
        Path::parse(text).unwrap()
    }

    #[test]
    fn bare_words_and_paths_of_a_command_line_are_texts() {
        let parsed = |text: &str| {
            let mut sources = Sources::default();
            sources.add("--set csv", text);
            parse_value(&sources, 0)
        };
        for text in [
            "even",
            "2nd",
            "ages.csv",
            "nl.csv",
            "../data/a-1.csv",
            "/a/b_c",
        ] {
            assert_eq!(parsed(text).unwrap().as_text(), Some(text));
        }
        for wrong in ["1.2.3", "-0.1.", "1/2", "a b", "a,b", ""] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn order_and_positions_of_the_file_are_kept() {
        let text =
            "z = 1_000\na = [1, 0.5]\n[m.x]\nb = 'q'\n[[l]]\nname = 'one'\n[[l]]\nname = 'two'\n";
        let root = tree(text);
        let keys: Vec<_> = (root.as_table().unwrap().entries.iter())
            .map(|e| e.key.as_str())
            .collect();
        assert_eq!(keys, ["z", "a", "m", "l"]);
        let span = find(&root, &path("a")).unwrap().as_list().unwrap()[1].span;
        assert_eq!(&text[span.start..span.end], "0.5");
        let header = find(&root, &path("m.x")).unwrap().span;
        assert_eq!(&text[header.start..header.end], "[m.x]");
        assert_eq!(
            find(&root, &path("l.two.name")).unwrap().as_text(),
            Some("two")
        );
        assert_eq!(find(&root, &path("z")).unwrap().as_number(), Some(1000.0));
    }

    #[test]
    fn every_syntax_error_is_reported_with_its_place() {
        let mut sources = Sources::default();
        sources.add("f.toml", "a = \nb = 2\nc = [1,\nd = 4\n");
        let errors = parse(&sources, 0).unwrap_err();
        assert!(errors.list().len() >= 2, "{errors}");
        assert_eq!(errors.list()[0].position.as_ref().unwrap().line, 1);
        sources.add("g.toml", "a = 1\na = 2\n");
        let errors = parse(&sources, 1).unwrap_err();
        assert!(errors.to_string().contains("is there twice"), "{errors}");
        assert_eq!(errors.list()[0].position.as_ref().unwrap().line, 2);
    }

    #[test]
    fn numbers_beyond_the_range_are_refused() {
        let mut sources = Sources::default();
        sources.add(
            "f.toml",
            "a = 1e400\nb = 999999999999999999999999999999999999999999\nc = inf",
        );
        let errors = parse(&sources, 0).unwrap_err();
        assert_eq!(errors.list().len(), 2, "{errors}");
    }

    #[test]
    fn lines_may_end_as_on_windows() {
        assert_eq!(
            find(&tree("a = 1\r\nb = 2\r\n"), &path("b"))
                .unwrap()
                .as_number(),
            Some(2.0)
        );
    }

    #[test]
    fn values_can_be_put_anywhere() {
        let mut root = tree("[[query]]\nname = 'a b'\nweight = 1\n[budget]\nepsilon = 1\n");
        let new = tree("x = [1, 2]");
        let new = find(&new, &path("x")).unwrap();
        for text in [
            "budget.epsilon",
            "data.columns.age.bounds",
            "query.'a b'.weight",
        ] {
            set(&mut root, &path(text), new).unwrap();
            assert_eq!(find(&root, &path(text)), Some(new));
        }
        let error = set(&mut root, &path("query.c.weight"), new).unwrap_err();
        assert_eq!((error.at, error.allowed), (1, vec!["a b".to_owned()]));
        assert!(set(&mut root, &path("query.'a b'.name.x"), new).is_err());
    }
}
