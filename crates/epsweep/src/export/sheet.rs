//! Rows with what their columns mean, batch by batch: what formats for programs are made from.

use super::{ExportError, Selection, Table};
use crate::figure::measure_words;
use crate::record::{self, Kind, RecordError, Resolved, Run, Text};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Rows of a batch: all are in memory at once.
pub(super) const BATCH: usize = 1 << 18;

/// A table. Its rows are made when they are asked for, and never all in memory.
pub struct Sheet<'a> {
    /// its name
    pub table: &'static str,
    /// its columns
    pub columns: Vec<Column>,
    /// where it comes from, by name
    pub facts: Vec<(&'static str, String)>,
    pub(super) rows: Box<Rows<'a>>,
}

/// Hands over rows, batch by batch; of each column, its values.
pub(super) type Rows<'a> = dyn Fn(&mut Take<'_>) -> Result<(), ExportError> + 'a;

/// Takes a batch of rows: of each column, its values.
pub type Take<'a> = dyn FnMut(&[Values]) -> Result<(), ExportError> + Send + 'a;

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// its name
    pub name: String,
    /// what it holds
    pub kind: Kind,
    /// what it says
    pub about: String,
}

/// The values of a column in a batch. An empty field is `None`.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// words
    Text(Vec<Option<Text>>),
    /// whole numbers
    Count(Vec<u64>),
    /// doubles; NaN where a number is undefined
    Real(Vec<Option<f64>>),
}

impl Sheet<'_> {
    /// Hands over the rows, batch by batch.
    ///
    /// # Errors
    /// What `take` says, or why the rows cannot be made.
    pub fn each(&self, take: &mut Take<'_>) -> Result<(), ExportError> {
        (self.rows)(take)
    }
}

impl std::fmt::Debug for Sheet<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sheet")
            .field("table", &self.table)
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}

impl Values {
    /// An empty column.
    pub(super) fn new(kind: Kind) -> Values {
        match kind {
            Kind::Text => Values::Text(Vec::new()),
            Kind::Count => Values::Count(Vec::new()),
            Kind::Real => Values::Real(Vec::new()),
        }
    }

    /// How many rows it has values of.
    pub(super) fn len(&self) -> usize {
        match self {
            Values::Text(values) => values.len(),
            Values::Count(values) => values.len(),
            Values::Real(values) => values.len(),
        }
    }

    fn clear(&mut self) {
        match self {
            Values::Text(values) => values.clear(),
            Values::Count(values) => values.clear(),
            Values::Real(values) => values.clear(),
        }
    }
}

/// Where a table comes from: what a file carries with it.
pub(super) fn facts(run: &Run, table: &'static str) -> Vec<(&'static str, String)> {
    let (resolved, manifest) = (&run.resolved, &run.manifest);
    let mut measures: BTreeMap<&str, serde_json::Value> = BTreeMap::new();
    for measure in &resolved.measures {
        let (about, unit) = measure_words(measure);
        measures.insert(measure, serde_json::json!({ "about": about, "unit": unit }));
    }
    vec![
        ("schema", record::SCHEMA.to_string()),
        ("table", table.to_owned()),
        ("experiment", resolved.name.clone()),
        ("title", resolved.title.clone()),
        ("question", resolved.question.clone()),
        ("experiment_digest", manifest.experiment_digest.clone()),
        ("digest", manifest.digest.clone()),
        ("seed", resolved.seed.to_string()),
        ("level", record::number(resolved.level)),
        ("trials", resolved.trials.to_string()),
        ("version", manifest.epsweep.clone()),
        ("measures", serde_json::json!(measures).to_string()),
    ]
}

/// The columns of the axes. They are of numbers where all labels are.
pub(super) fn axes(resolved: &Resolved) -> impl Iterator<Item = Column> {
    resolved.axes.iter().map(|axis| Column {
        name: axis.name.clone(),
        kind: match axis.numbers {
            Some(_) => Kind::Real,
            None => Kind::Text,
        },
        about: format!("axis of the sweep: {}", axis.path),
    })
}

/// The numbers that the labels of an axis stand for.
pub(super) fn numbers<'a>(resolved: &'a Resolved, axis: &str) -> HashMap<&'a str, f64> {
    let Some(axis) = resolved.axes.iter().find(|known| known.name == axis) else {
        return HashMap::new();
    };
    let numbers = axis.numbers.iter().flatten().copied();
    (axis.labels.iter().map(String::as_str))
        .zip(numbers)
        .collect()
}

/// The rows of a file of a run that are chosen, read from the file while they are asked for: a run may have any number of cells.
///
/// # Errors
/// The run does not have the file.
pub fn of_file<'a>(
    run: &'a Run,
    file: &'static str,
    selection: &'a Selection,
) -> Result<Sheet<'a>, ExportError> {
    let table = Table::File(file);
    selection.asked().suits(table)?;
    let path = run.dir.join(file);
    if !path.exists() {
        return Err(ExportError::NoTable {
            table: table.name(),
            reason: "only runs with a figure of the kind `convergence` have it",
        });
    }
    let header = reader(&path)?
        .headers()
        .map_err(|e| damaged(&path, &e))?
        .clone();
    let known: HashMap<&str, &record::Column> = (record::columns(file).into_iter().flatten())
        .map(|column| (column.name, column))
        .collect();
    let axes: HashMap<String, Column> = axes(&run.resolved)
        .map(|column| (column.name.clone(), column))
        .collect();
    let column = |name: &str| match (known.get(name), axes.get(name)) {
        (Some(known), _) => Some(Column {
            name: name.to_owned(),
            kind: known.kind,
            about: known.about.to_owned(),
        }),
        (None, axis) => axis.cloned(),
    };
    let columns: Option<Vec<Column>> = header.iter().map(column).collect();
    let columns = columns.ok_or_else(|| RecordError::Corrupt {
        path: path.clone(),
        line: Some(1),
        what: "there are columns that such a file does not have".into(),
    })?;
    let readings: Vec<Reading<'a>> = (columns.iter())
        .map(|column| Reading::new(column, &run.resolved, known.contains_key(&*column.name)))
        .collect();
    let places: HashMap<String, usize> = (columns.iter().enumerate())
        .map(|(place, column)| (column.name.clone(), place))
        .collect();
    let kinds: Vec<Kind> = columns.iter().map(|column| column.kind).collect();
    let keeps =
        move |record: &csv::StringRecord| selection.keeps(&|name| record.get(*places.get(name)?));
    // a table may be empty, a choice must not be: that is said before anything is written
    if !selection.options().is_empty() {
        let mut records = reader(&path)?.into_records();
        if !records.any(|record| record.is_ok_and(|record| keeps(&record))) {
            return Err(ExportError::Nothing {
                table: table.name(),
                options: selection.options(),
            });
        }
    }
    let rows = move |take: &mut Take<'_>| {
        let mut batch: Vec<Values> = kinds.iter().copied().map(Values::new).collect();
        let mut names = Names::default();
        let mut held = 0;
        for record in reader(&path)?.records() {
            let record = record.map_err(|e| damaged(&path, &e))?;
            if !keeps(&record) {
                continue;
            }
            for ((values, field), reading) in batch.iter_mut().zip(&record).zip(&readings) {
                reading.add(field, values, &mut names).map_err(|what| {
                    let line = record.position().map(csv::Position::line);
                    let path = path.clone();
                    RecordError::Corrupt { path, line, what }
                })?;
            }
            held += 1;
            if held == BATCH {
                take(&batch)?;
                batch.iter_mut().for_each(Values::clear);
                held = 0;
            }
        }
        match held {
            0 => Ok(()),
            _ => take(&batch),
        }
    };
    Ok(Sheet {
        table: table.name(),
        columns,
        facts: facts(run, table.name()),
        rows: Box::new(rows),
    })
}

fn reader(path: &Path) -> Result<csv::Reader<std::io::BufReader<std::fs::File>>, RecordError> {
    let file = record::open(path)?;
    Ok(csv::Reader::from_reader(std::io::BufReader::new(file)))
}

fn damaged(path: &Path, error: &csv::Error) -> RecordError {
    RecordError::Corrupt {
        path: path.to_owned(),
        line: error.position().map(csv::Position::line),
        what: error.to_string(),
    }
}

/// Texts that were met: rows are many and names few.
#[derive(Default)]
struct Names(HashMap<String, Text>);

impl Names {
    fn of(&mut self, text: &str) -> Text {
        match self.0.get(text) {
            Some(known) => known.clone(),
            None => {
                let new = Text::from(text.to_owned());
                self.0.insert(text.to_owned(), new.clone());
                new
            }
        }
    }
}

/// How the fields of a column are read.
enum Reading<'a> {
    /// as the column's kind says
    Plain,
    /// as the number that the label stands for
    Label(HashMap<&'a str, f64>),
}

impl<'a> Reading<'a> {
    fn new(column: &Column, resolved: &'a Resolved, known: bool) -> Reading<'a> {
        match (known, column.kind) {
            (false, Kind::Real) => Reading::Label(numbers(resolved, &column.name)),
            _ => Reading::Plain,
        }
    }

    fn add(&self, field: &str, values: &mut Values, names: &mut Names) -> Result<(), String> {
        match values {
            Values::Text(values) => {
                values.push((!field.is_empty()).then(|| names.of(field)));
            }
            Values::Count(values) => values
                .push((field.parse()).map_err(|_| format!("`{field}` is not a whole number"))?),
            Values::Real(values) if field.is_empty() => values.push(None),
            Values::Real(values) => {
                let number = match self {
                    Reading::Plain => field.parse().ok(),
                    Reading::Label(numbers) => numbers.get(field).copied(),
                };
                let number: f64 = number.ok_or_else(|| format!("`{field}` is not a number"))?;
                values.push(Some(number));
            }
        }
        Ok(())
    }
}
