//! From the bytes of a TOML file to a tree of values with positions, and changes to that tree: the overrides of the command line, the
//! values of a sweep.

use super::diagnostic::{Diagnostic, Diagnostics, Position, Sink};
use super::file;
use super::path::{Path, Segment};
use super::slips::{DUPLICATE, slip_of};
use super::source::{Sources, Span};
use super::value::{Entry, Kind, Table, Value, is_bare};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name and the text of a TOML file; `what` says in messages what it is.
///
/// # Errors
/// Says why it cannot be read, or where it stops being UTF-8.
pub fn read(path: &std::path::Path, what: &str) -> Result<(String, String), Diagnostics> {
    let name = path.display().to_string();
    let bytes = file::read(path, file::MOST_SETTINGS).map_err(|error| {
        let fault = Diagnostic::of_file(&name, format!("cannot read {what}: {error}"));
        Diagnostics::one(fault.rule("the path of a TOML file"))
    })?;
    let text = decode(&name, &bytes).map_err(|fault| Diagnostics::one(*fault))?;
    let text = text.to_owned();
    Ok((name, text))
}

/// Text of a file: UTF-8 without its byte order mark.
///
/// # Errors
/// Where the text stops being UTF-8, with the line as far as it can be read.
pub fn decode<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Box<Diagnostic>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => Err(Box::new(not_utf8(name, bytes, error.valid_up_to()))),
    }
}

/// Every line of a text that is not UTF-8, up to a number of them; empty where all of it is.
pub fn undecodable(name: &str, bytes: &[u8], most: usize) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut from = 0;
    while faults.len() < most
        && let Err(error) = std::str::from_utf8(&bytes[from..])
    {
        let at = from + error.valid_up_to();
        faults.push(not_utf8(name, bytes, at));
        if is_utf16(bytes) {
            break;
        }
        // one fault a line
        match bytes[at..].iter().position(|byte| *byte == b'\n') {
            Some(end) => from = at + end + 1,
            None => break,
        }
    }
    faults
}

/// Whether a text begins with the byte order mark of UTF-16, in either order.
fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

fn not_utf8(name: &str, bytes: &[u8], at: usize) -> Diagnostic {
    let start = bytes[..at]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |found| found + 1);
    let end = bytes[at..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(bytes.len(), |length| at + length);
    let rule = "the file must be UTF-8 text";
    if is_utf16(bytes) {
        return Diagnostic::of_file(name, "the file is UTF-16 text")
            .rule(rule)
            .remedy("save it again as UTF-8, for example with `iconv -f UTF-16 -t UTF-8`");
    }
    let before = String::from_utf8_lossy(&bytes[start..at]);
    let line = String::from_utf8_lossy(&bytes[start..end]);
    let mut fault = Diagnostic::of_file(
        name,
        format!("byte {at} (0x{:02X}) is not UTF-8", bytes[at]),
    );
    fault.position = Some(Position {
        line: 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count(),
        column: 1 + before.trim_start_matches('\u{feff}').chars().count(),
        length: 1,
        text: (line.trim_start_matches('\u{feff}'))
            .trim_end_matches('\r')
            .to_owned(),
    });
    fault
        .rule(rule)
        .remedy("save it again as UTF-8, for example with `iconv -f LATIN1 -t UTF-8`")
}

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

    #[test]
    fn every_line_that_is_not_utf_8_is_shown_with_a_mark() {
        let bytes = b"\xef\xbb\xbfa,b\r\n1,caf\xe9,\xe9\r\n2,x\n\xff,3";
        let faults = undecodable("d.csv", bytes, 10);
        let places: Vec<(usize, usize)> = (faults.iter())
            .map(|fault| {
                fault
                    .position
                    .as_ref()
                    .map_or((0, 0), |p| (p.line, p.column))
            })
            .collect();
        assert_eq!(places, [(2, 6), (4, 1)]);
        assert!(
            faults[0]
                .to_string()
                .contains("2 | 1,caf\u{fffd},\u{fffd}\n"),
            "{}",
            faults[0]
        );
        assert_eq!(undecodable("d.csv", bytes, 1).len(), 1);
        assert!(undecodable("d.csv", "é,中\n".as_bytes(), 10).is_empty());
        // of UTF-16 every line would be one
        let wide = undecodable("d.csv", b"\xff\xfea\0\n\0b\0\n\0", 10);
        assert_eq!(wide.len(), 1);
        assert!(
            wide[0].to_string().contains("iconv -f UTF-16"),
            "{}",
            wide[0]
        );
    }

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
    fn bytes_that_are_not_text_are_named() {
        let error = decode("f.toml", b"a = 1\nb = '\xff'\n").unwrap_err();
        assert!(
            error
                .to_string()
                .contains("byte 11 (0xFF) is not UTF-8\n --> f.toml:2:6"),
            "{error}"
        );
        assert_eq!(
            decode("f", "\u{feff}a = 1\r\n".as_bytes()).unwrap(),
            "a = 1\r\n"
        );
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
