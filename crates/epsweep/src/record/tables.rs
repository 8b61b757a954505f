//! The CSV files: one description per kind of row serves writing and reading.

use super::columns::{Column, count, real, text};
use super::{
    ClaimRow, ComparisonRow, HistogramRow, RecordError, SummaryRow, Text, number, optional,
};
use crate::claim::Verdict;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// A kind of row and its columns.
pub(super) trait Table: Sized {
    /// Columns before those of the axes.
    const BEFORE: &'static [Column];
    /// Columns after those of the axes.
    const AFTER: &'static [Column];
    /// How the axes appear.
    const AXES: Axes;
    /// One label per axis of the experiment, empty for an axis that is compared.
    fn axes(&self) -> &[String];
    /// The other fields, in the order of the columns.
    fn fields(&self) -> Vec<String>;
    /// The row of these labels and fields.
    fn parse(axes: &Arc<[String]>, fields: &mut Fields) -> Result<Self, String>;
}

fn names<'a>(columns: &'static [Column]) -> impl Iterator<Item = &'a str> {
    columns.iter().map(|column| column.name)
}

/// How the axes of the experiment appear in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Axes {
    /// one column each
    All,
    /// one column each, but none for an axis along which every row compares
    ButCompared,
    /// not at all
    None,
}

/// The fields of a row that are still to be read.
pub(super) struct Fields<'a> {
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
    fn name(&mut self) -> Text {
        let value = self.values[self.next];
        self.next += 1;
        if let Some(known) = self.known.names.get(value) {
            return Arc::clone(known).into();
        }
        let name: Arc<str> = value.into();
        self.known.names.insert(Arc::clone(&name));
        name.into()
    }

    fn text(&mut self) -> String {
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

    fn real(&mut self) -> Result<f64, String> {
        self.parsed("a number")
    }

    fn optional(&mut self) -> Result<Option<f64>, String> {
        if self.values[self.next].is_empty() {
            self.next += 1;
            return Ok(None);
        }
        self.real().map(Some)
    }

    fn count(&mut self) -> Result<u64, String> {
        self.parsed("a whole number")
    }

    fn verdict(&mut self) -> Result<Verdict, String> {
        self.parsed("a verdict (holds, refuted, undecided)")
    }
}

/// The text of a file with these rows.
pub(super) fn write<R: Table>(rows: &[R], axes: &[String]) -> Result<Vec<u8>, csv::Error> {
    let shown: Vec<usize> = match R::AXES {
        Axes::All => (0..axes.len()).collect(),
        Axes::None => Vec::new(),
        Axes::ButCompared => (0..axes.len())
            .filter(|i| rows.is_empty() || rows.iter().any(|r| !r.axes()[*i].is_empty()))
            .collect(),
    };
    let mut text = header::<R>(axes, &shown)?;
    text.extend(body(rows, &shown)?);
    Ok(text)
}

/// The first line of a file that shows these axes.
pub(super) fn header<R: Table>(axes: &[String], shown: &[usize]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let shown_axes = shown.iter().map(|i| axes[*i].as_str());
    writer.write_record((names(R::BEFORE)).chain(shown_axes).chain(names(R::AFTER)))?;
    inner(writer)
}

/// The lines of these rows in a file that shows these axes.
pub(super) fn body<R: Table>(rows: &[R], shown: &[usize]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let fields = row.fields();
        let (before, after) = fields.split_at(R::BEFORE.len());
        let labels = shown.iter().map(|i| &row.axes()[*i]);
        writer.write_record(before.iter().chain(labels).chain(after))?;
    }
    inner(writer)
}

fn inner(writer: csv::Writer<Vec<u8>>) -> Result<Vec<u8>, csv::Error> {
    writer
        .into_inner()
        .map_err(|e| csv::Error::from(e.into_error()))
}

/// The rows in the text of a file.
pub(super) fn parse<R: Table>(
    path: &Path,
    text: &str,
    axes: &[String],
) -> Result<Vec<R>, RecordError> {
    Ok(parse_hashed(path, text.as_bytes(), text.len() as u64, axes)?.0)
}

/// The rows of a file of `size` bytes, and the hash of those bytes, which are not held.
pub(super) fn parse_hashed<R: Table>(
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
pub(super) fn parse_while<R: Table>(
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
        what,
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

impl Table for SummaryRow {
    const BEFORE: &'static [Column] = &[text(
        "cell",
        "canonical text of the cell, `-` where there is no axis",
    )];
    const AFTER: &'static [Column] = &[
        text(
            "subject",
            "what the measure is of: a query, a candidate, or `all`",
        ),
        text("measure", "the measure"),
        text(
            "statistic",
            "statistic over trials: mean, sd, min, q01, q05, q25, median, q75, q95, q99, max",
        ),
        real("value", "the estimate, in the unit of the measure"),
        real(
            "mcse",
            "its Monte Carlo standard error; none of min and max",
        ),
        real("low", "lower end of its interval"),
        real("high", "upper end of its interval"),
        real("exact", "the same statistic from theory, where known"),
        real("z", "(value − exact) / mcse"),
        count("trials", "trials that entered"),
        text(
            "method",
            "how the estimate was made: moments, histogram, exact, observed, constant, theory",
        ),
    ];
    const AXES: Axes = Axes::All;

    fn axes(&self) -> &[String] {
        &self.axes
    }

    fn fields(&self) -> Vec<String> {
        vec![
            self.cell.to_string(),
            self.subject.to_string(),
            self.measure.to_string(),
            self.statistic.to_string(),
            number(self.value),
            optional(self.mcse),
            optional(self.low),
            optional(self.high),
            optional(self.exact),
            optional(self.z),
            self.trials.to_string(),
            self.method.to_string(),
        ]
    }

    fn parse(axes: &Arc<[String]>, f: &mut Fields) -> Result<Self, String> {
        Ok(SummaryRow {
            axes: Arc::clone(axes),
            cell: f.name(),
            subject: f.name(),
            measure: f.name(),
            statistic: f.name(),
            value: f.real()?,
            mcse: f.optional()?,
            low: f.optional()?,
            high: f.optional()?,
            exact: f.optional()?,
            z: f.optional()?,
            trials: f.count()?,
            method: f.name(),
        })
    }
}

impl Table for ComparisonRow {
    const BEFORE: &'static [Column] = &[];
    const AFTER: &'static [Column] = &[
        text(
            "subject",
            "what the measure is of: a query, a candidate, or `all`",
        ),
        text("measure", "the measure"),
        text(
            "a",
            "the first cell: its label on the compared axis, or `axis=label` of each axis that differs",
        ),
        text("b", "the second, the baseline"),
        real(
            "difference",
            "mean over the paired trials of a − b, in the unit of the measure",
        ),
        real("mcse", "its Monte Carlo standard error"),
        real("low", "lower end of its interval"),
        real("high", "upper end of its interval"),
        real(
            "p_adjusted",
            "p value of “no difference”, adjusted by Holm's rule",
        ),
        count("win", "trials in which a is lower"),
        count("tie", "trials in which they are equal"),
        count("loss", "trials in which a is higher"),
        count("trials", "trials that entered"),
    ];
    const AXES: Axes = Axes::ButCompared;

    fn axes(&self) -> &[String] {
        &self.axes
    }

    fn fields(&self) -> Vec<String> {
        vec![
            self.subject.clone(),
            self.measure.clone(),
            self.a.clone(),
            self.b.clone(),
            number(self.difference),
            number(self.mcse),
            number(self.low),
            number(self.high),
            number(self.p_adjusted),
            self.win.to_string(),
            self.tie.to_string(),
            self.loss.to_string(),
            self.trials.to_string(),
        ]
    }

    fn parse(axes: &Arc<[String]>, f: &mut Fields) -> Result<Self, String> {
        Ok(ComparisonRow {
            axes: axes.to_vec(),
            subject: f.text(),
            measure: f.text(),
            a: f.text(),
            b: f.text(),
            difference: f.real()?,
            mcse: f.real()?,
            low: f.real()?,
            high: f.real()?,
            p_adjusted: f.real()?,
            win: f.count()?,
            tie: f.count()?,
            loss: f.count()?,
            trials: f.count()?,
        })
    }
}

impl Table for ClaimRow {
    const BEFORE: &'static [Column] = &[];
    const AFTER: &'static [Column] = &[
        text("claim", "the statement's number in its source"),
        text(
            "kind",
            "value, exact, ratio, order, best_on_axis, equal_across, win, probability",
        ),
        text("statistic", "what was compared, in words"),
        text("claimed", "what the source says"),
        text("value", "what the run says: a number, or a name"),
        real("low", "lower end of its interval"),
        real("high", "upper end of its interval"),
        real("exact", "what theory says"),
        text("verdict", "the run's verdict: holds, refuted, undecided"),
        text("expected", "the established verdict"),
        text("text", "the statement in plain words"),
        text(
            "note",
            "where undecided: about how many trials would decide",
        ),
    ];
    const AXES: Axes = Axes::None;

    fn axes(&self) -> &[String] {
        &[]
    }

    fn fields(&self) -> Vec<String> {
        vec![
            self.claim.clone(),
            self.kind.clone(),
            self.statistic.clone(),
            self.claimed.clone(),
            self.value.clone(),
            optional(self.low),
            optional(self.high),
            optional(self.exact),
            self.verdict.to_string(),
            self.expected.to_string(),
            self.text.clone(),
            self.note.clone(),
        ]
    }

    fn parse(_: &Arc<[String]>, f: &mut Fields) -> Result<Self, String> {
        Ok(ClaimRow {
            claim: f.text(),
            kind: f.text(),
            statistic: f.text(),
            claimed: f.text(),
            value: f.text(),
            low: f.optional()?,
            high: f.optional()?,
            exact: f.optional()?,
            verdict: f.verdict()?,
            expected: f.verdict()?,
            text: f.text(),
            note: f.text(),
        })
    }
}

impl Table for HistogramRow {
    const BEFORE: &'static [Column] = &[text(
        "cell",
        "canonical text of the cell, `-` where there is no axis",
    )];
    const AFTER: &'static [Column] = &[
        text(
            "subject",
            "what the measure is of: a query, a candidate, or `all`",
        ),
        text("measure", "the measure"),
        real(
            "low",
            "lower edge, which belongs to the bin, in the unit of the measure",
        ),
        real(
            "high",
            "upper edge, which belongs to the next bin; equal to `low` for an atom",
        ),
        count("count", "trials in the bin"),
        real("exact", "exact probability of the bin, where known"),
    ];
    const AXES: Axes = Axes::All;

    fn axes(&self) -> &[String] {
        &self.axes
    }

    fn fields(&self) -> Vec<String> {
        vec![
            self.cell.clone(),
            self.subject.clone(),
            self.measure.clone(),
            number(self.low),
            number(self.high),
            self.count.to_string(),
            optional(self.exact),
        ]
    }

    fn parse(axes: &Arc<[String]>, f: &mut Fields) -> Result<Self, String> {
        Ok(HistogramRow {
            axes: axes.to_vec(),
            cell: f.text(),
            subject: f.text(),
            measure: f.text(),
            low: f.real()?,
            high: f.real()?,
            count: f.count()?,
            exact: f.optional()?,
        })
    }
}
