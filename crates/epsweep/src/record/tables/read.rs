//! Reading the files: row by row, without holding their text.

use super::{Axes, Table, names};
use crate::claim::Verdict;
use crate::record::{RecordError, Text};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The fields of a row that are still to be read.
pub(in crate::record) struct Fields<'a> {
    columns: Vec<&'static str>,
    values: Vec<&'a str>,
    next: usize,
    known: &'a mut Known,
}

/// What was read before: rows are many, and most of what they are called is what the row before is called.
#[derive(Default)]
struct Known {
    names: HashSet<Arc<str>>,
    labels: Option<Arc<[String]>>,
}

impl Known {
    /// The labels of a row, one for each axis.
    fn labels(&mut self, labels: &[&str]) -> Arc<[String]> {
        match &self.labels {
            Some(known) if known.iter().map(String::as_str).eq(labels.iter().copied()) => {
                Arc::clone(known)
            }
            _ => {
                let new: Arc<[String]> = labels.iter().map(|label| (*label).to_owned()).collect();
                Arc::clone(self.labels.insert(new))
            }
        }
    }
}

impl Fields<'_> {
    /// A text that other rows have, too.
    pub fn name(&mut self) -> Text {
        let value = self.values[self.next];
        self.next += 1;
        if let Some(known) = self.known.names.get(value) {
            return Arc::clone(known).into();
        }
        let name: Arc<str> = value.into();
        self.known.names.insert(Arc::clone(&name));
        name.into()
    }

    pub fn text(&mut self) -> String {
        let value = self.values[self.next].to_string();
        self.next += 1;
        value
    }

    fn parsed<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, String> {
        let (value, column) = (self.values[self.next], self.columns[self.next]);
        self.next += 1;
        value
            .parse()
            .map_err(|_| format!("`{value}` in column {column} is not {what}"))
    }

    pub fn real(&mut self) -> Result<f64, String> {
        self.parsed("a number")
    }

    pub fn optional(&mut self) -> Result<Option<f64>, String> {
        if self.values[self.next].is_empty() {
            self.next += 1;
            return Ok(None);
        }
        self.real().map(Some)
    }

    pub fn count(&mut self) -> Result<u64, String> {
        self.parsed("a whole number")
    }

    pub fn verdict(&mut self) -> Result<Verdict, String> {
        self.parsed("a verdict (holds, refuted, undecided)")
    }
}

/// The rows in the text of a file.
pub(in crate::record) fn parse<R: Table>(
    path: &Path,
    text: &str,
    axes: &[String],
) -> Result<Vec<R>, RecordError> {
    Ok(parse_hashed(path, text.as_bytes(), text.len() as u64, axes)?.0)
}

/// The rows of a file of `size` bytes, and the hash of those bytes, which are not held.
pub(in crate::record) fn parse_hashed<R: Table>(
    path: &Path,
    text: impl std::io::Read,
    size: u64,
    axes: &[String],
) -> Result<(Vec<R>, String), RecordError> {
    let mut text = Hashed::new(text);
    let mut lines = 1;
    let rows = read(path, &mut text, axes, Some(size), &mut lines, |_| true)?;
    // a file that was cut inside its last line can still have the right number of fields
    if text.last != b'\n' {
        return Err(RecordError::Corrupt {
            path: path.to_path_buf(),
            line: Some(lines),
            what: "the last line is cut off".into(),
        });
    }
    Ok((rows, text.hasher.finalize().to_hex().to_string()))
}

/// Bytes on their way to a reader.
struct Hashed<T> {
    inner: T,
    hasher: blake3::Hasher,
    last: u8,
}

impl<T> Hashed<T> {
    fn new(inner: T) -> Hashed<T> {
        Hashed {
            inner,
            hasher: blake3::Hasher::new(),
            last: 0,
        }
    }
}

impl<T: std::io::Read> std::io::Read for Hashed<T> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.hasher.update(&buffer[..length]);
        self.last = buffer[..length].last().copied().unwrap_or(self.last);
        Ok(length)
    }
}

/// The first rows of a file, as long as they are wanted.
pub(in crate::record) fn parse_while<R: Table>(
    path: &Path,
    text: impl std::io::Read,
    axes: &[String],
    wanted: impl Fn(&R) -> bool,
) -> Result<Vec<R>, RecordError> {
    read(path, text, axes, None, &mut 0, wanted)
}

/// The first rows of a text, as long as they are wanted. With its `size` in bytes, room is made for all rows at once, by the length of the first: a
/// list that grows is there twice while it does. `lines` is the number of the last line.
fn read<R: Table>(
    path: &Path,
    text: impl std::io::Read,
    axes: &[String],
    size: Option<u64>,
    lines: &mut u64,
    wanted: impl Fn(&R) -> bool,
) -> Result<Vec<R>, RecordError> {
    let corrupt = |line: u64, what: String| RecordError::Corrupt {
        path: path.to_path_buf(),
        line: Some(line),
        what: shown(&what),
    };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text);
    let mut records = reader.records();
    let damaged = |e: csv::Error| {
        let line = e.position().map_or(1, csv::Position::line);
        let what = e.to_string();
        match e.into_kind() {
            csv::ErrorKind::Io(error) => RecordError::io("read", path)(error),
            csv::ErrorKind::Utf8 { .. } => corrupt(line, "this is not UTF-8 text".into()),
            _ => corrupt(line, what),
        }
    };
    let header = match records.next() {
        Some(header) => header.map_err(damaged)?,
        None => return Err(corrupt(1, "the file is empty".into())),
    };
    let shown = shown_axes::<R>(&header, axes).ok_or_else(|| {
        let expected: Vec<&str> = (names(R::BEFORE))
            .chain(
                axes.iter()
                    .map(String::as_str)
                    .filter(|_| R::AXES != Axes::None),
            )
            .chain(names(R::AFTER))
            .collect();
        let found: Vec<&str> = header.iter().collect();
        let what = format!("the columns are {found:?} and should be {expected:?}");
        corrupt(1, what)
    })?;
    let (mut rows, mut known) = (Vec::new(), Known::default());
    let first = header.as_slice().len() as u64 + header.len() as u64;
    for record in records {
        let record = record.map_err(damaged)?;
        let line = record.position().map_or(0, csv::Position::line);
        *lines = line;
        if record.len() != header.len() {
            let what = format!("{} fields in place of {}", record.len(), header.len());
            return Err(corrupt(line, what));
        }
        if let (0, Some(size)) = (rows.len(), size) {
            let length = (record.as_slice().len() + record.len()) as u64;
            let others = size.saturating_sub(first) / length.max(1);
            // no more than the file can hold: every field takes a byte
            let _ = rows.try_reserve(others.min(size / record.len() as u64) as usize);
        }
        let mut labels = vec![""; axes.len()];
        for (column, axis) in shown.iter().enumerate() {
            labels[*axis] = &record[R::BEFORE.len() + column];
        }
        let labels = known.labels(&labels);
        let own = (0..record.len())
            .filter(|i| !(R::BEFORE.len()..R::BEFORE.len() + shown.len()).contains(i));
        let mut fields = Fields {
            columns: names(R::BEFORE).chain(names(R::AFTER)).collect(),
            values: own.map(|i| &record[i]).collect(),
            next: 0,
            known: &mut known,
        };
        let row = R::parse(&labels, &mut fields).map_err(|what| corrupt(line, what))?;
        if !wanted(&row) {
            break;
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Characters of what is wrong that an error shows.
const SHOWN: usize = 300;

/// What is wrong, as a terminal can show it: what is damaged may be of any length, and hold what is no text.
fn shown(what: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let length = what.chars().count();
    match length > SHOWN {
        false => what.chars().map(clean).collect(),
        true => {
            // the end says what is wrong with the value
            let ends = SHOWN / 2;
            let first = what.chars().take(ends);
            let last = what.chars().skip(length - ends);
            let (first, last): (String, String) =
                (first.map(clean).collect(), last.map(clean).collect());
            format!("{first} … {last} ({length} characters)")
        }
    }
}

/// Which axes the header shows, in order; `None` if it is not a header of such a file.
fn shown_axes<R: Table>(header: &csv::StringRecord, axes: &[String]) -> Option<Vec<usize>> {
    let found: Vec<&str> = header.iter().collect();
    let (before, after): (Vec<_>, Vec<_>) = (names(R::BEFORE).collect(), names(R::AFTER).collect());
    let middle = found
        .strip_prefix(before.as_slice())?
        .strip_suffix(after.as_slice())?
        .iter();
    let shown: Vec<usize> = middle
        .map(|name| axes.iter().position(|a| a == name))
        .collect::<Option<_>>()?;
    let right = match R::AXES {
        Axes::All => shown.len() == axes.len(),
        Axes::None => shown.is_empty(),
        Axes::ButCompared => true,
    };
    (right && shown.is_sorted_by(|a, b| a < b)).then_some(shown)
}
