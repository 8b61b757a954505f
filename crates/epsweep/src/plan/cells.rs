//! One cell after the other: the values of the sweep put into the file, the sections read, the queries answered, the noise calibrated.

use super::answered::Answered;
use super::calibrate::Divisions;
use super::pairs::places;
use super::select::Scored;
use super::shifts::Shifts;
use super::stream::Asked;
use super::train::Records;
use crate::config::data::Used;
use crate::config::data::{self, DataSpec};
use crate::config::diagnostic::Sink;
use crate::config::queries;
use crate::config::sweep::{Axis, cell_id};
use crate::config::value::{Entry, Kind, Table, Value};
use crate::config::{document, procedure, sweep};
use crate::load::{self, Loaded};
use crate::record::{ResolvedCell, ResolvedColumn, ResolvedData};
use crate::study::compose::Within;
use crate::study::{Kind as Procedure, Study};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

/// With so many faults, further cells would say nothing new.
const ENOUGH_FAULTS: usize = 100;

/// Most notes on cells.
const MOST_NOTES: usize = 100;

/// All cells of an experiment, or a batch of them with what is known of those before.
#[derive(Debug)]
pub(super) struct Cells {
    /// for the engine
    pub study: Study,
    /// for the record
    pub resolved: Vec<ResolvedCell>,
    /// the data sets that they use
    pub data: Vec<ResolvedData>,
    /// names of the neighbouring relations that they use
    pub neighbours: Vec<String>,
    /// what measures of single numbers can be of: names of queries, and of the numbers of vectors
    pub subjects: Vec<String>,
    /// names of queries with vectors
    pub vectors: Vec<String>,
    /// those of the subjects whose answers are post-processed
    pub processed: Vec<String>,
    /// what only a plan shows
    pub notes: Vec<String>,
    /// what the user should know
    pub warnings: Vec<String>,
    /// answers that clipping moves
    pub shifts: Shifts,
    /// how many cells are to come at most, or to be held at once
    room: usize,
    /// whether there was a cell
    begun: bool,
}

impl Cells {
    /// None yet, with room for so many.
    pub fn with_room(room: usize) -> Cells {
        Cells {
            study: Study::new(Procedure::default(), 0),
            resolved: Vec::with_capacity(room),
            room,
            begun: false,
            data: Vec::new(),
            neighbours: Vec::new(),
            subjects: Vec::new(),
            vectors: Vec::new(),
            processed: Vec::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
            shifts: Shifts::default(),
        }
    }

    /// Adds a note, while they can still be read by somebody.
    pub fn note(&mut self, note: String) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(note);
        }
    }

    /// Forgets the cells, and nothing else.
    pub fn forget(&mut self) {
        self.study = Study::new(self.study.kind(), self.room);
        self.resolved.clear();
    }

    /// The place of a data set in the record, where it is put if it is new, with its warnings.
    pub fn data_set(
        &mut self,
        data: &ResolvedData,
        warnings: &[String],
        places: &mut HashMap<String, usize>,
    ) -> usize {
        for warning in warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
        if let Some(&place) = places.get(&format!("{data:?}")) {
            return place;
        }
        // of bounds that differ from each other some differ from the first
        let first = self.data.iter().find(|other| other.source == data.source);
        for warning in (first.into_iter()).flat_map(|first| clipped_otherwise(first, data)) {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        self.data.push(data.clone());
        places.insert(format!("{data:?}"), self.data.len() - 1);
        self.data.len() - 1
    }
}

/// What is to be known of the errors of cells whose records are those of others, clipped to other bounds.
fn clipped_otherwise(a: &ResolvedData, b: &ResolvedData) -> Vec<String> {
    let pairs = (a.columns.iter())
        .filter_map(|column| Some((column, b.columns.iter().find(|c| c.name == column.name)?)));
    pairs
        .filter(|(x, y)| x.bounds != y.bounds && x.clipped != y.clipped)
        .map(|(x, _)| {
            format!(
                "column `{}` is clipped to other bounds in other cells: the error of each is from the answer on its own clipped values, so that what clipping does to the answer is no part of it; the queries `clipped-mean` and `clipped-sum` count that, too",
                x.name
            )
        })
        .collect()
}

/// A point of the sweep.
pub(super) struct Place<'t> {
    /// canonical text
    pub id: String,
    /// one label per axis
    pub labels: Vec<String>,
    /// the sections that make the cell, with its values in them
    pub tree: &'t Value,
}

/// What many cells share.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// answered queries, by the text that makes them
    pub answered: Remembered<Answered>,
    /// candidates of selections, by the text that makes them
    pub candidates: Remembered<Scored>,
    /// queries of streams, by the text that makes them
    pub streams: Remembered<Asked>,
    /// records of trainings with their optima, by the text that makes them
    pub trainings: Remembered<Records>,
    /// how often releases run within a guarantee, by the text of the question
    pub within: HashMap<String, Arc<Within>>,
    /// budgets that were divided
    pub divisions: Divisions,
    /// places of data sets in the record
    pub data: HashMap<String, usize>,
}

/// Things of one kind that are remembered while there are not too many cells to hold.
const FEW: usize = 256;

impl Known {
    /// Forgets what can be made again in no time where it is much: an axis can have another table for every value.
    pub fn trim(&mut self) {
        trim(&mut self.answered.0);
        trim(&mut self.candidates.0);
        trim(&mut self.streams.0);
        trim(&mut self.trainings.0);
    }
}

/// What is made once of each text, with what could not be made.
#[derive(Debug)]
pub(super) struct Remembered<T>(HashMap<String, Option<Arc<T>>>);

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Remembered(HashMap::new())
    }
}

impl<T> Remembered<T> {
    /// What this text makes; `None` where its faults have been told.
    pub fn get(&mut self, text: String, make: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        let made = self.0.entry(text).or_insert_with(|| make().map(Arc::new));
        made.clone()
    }
}

fn trim<V>(known: &mut HashMap<String, V>) {
    if known.len() > FEW {
        known.clear();
    }
}

/// Tables of data by what they were loaded for; none where that failed.
pub(super) type Tables = HashMap<String, Option<Arc<Loaded>>>;

/// Reads cells, and remembers what many cells share.
#[derive(Debug)]
pub(super) struct Resolver<'a> {
    /// the sections that make a cell
    sections: Cow<'a, Value>,
    base: &'a Path,
    pub(super) sink: &'a Sink,
    loaded: RefCell<Tables>,
}

impl<'a> Resolver<'a> {
    pub fn new(root: &Value, base: &'a Path, sink: &'a Sink) -> Self {
        let entries = root.as_table().map_or(&[][..], |table| &table.entries);
        let sections = (entries.iter())
            .filter(|entry| sweep::SWEPT_SECTIONS.contains(&entry.key.as_str()))
            .cloned()
            .collect::<Vec<Entry>>();
        Resolver {
            sections: Cow::Owned(Value {
                span: root.span,
                kind: Kind::Table(Table::new(sections)),
            }),
            base,
            sink,
            loaded: RefCell::default(),
        }
    }

    /// Of sections that were read before, with the tables that were loaded for them.
    pub fn again(sections: &'a Value, base: &'a Path, sink: &'a Sink, loaded: Tables) -> Self {
        Resolver {
            sections: Cow::Borrowed(sections),
            base,
            sink,
            loaded: RefCell::new(loaded),
        }
    }

    /// The sections that make a cell, as the file has them.
    pub(super) fn sections(&self) -> &Value {
        &self.sections
    }

    /// The sections that make a cell, and the tables that were loaded.
    pub fn into_parts(self) -> (Value, Tables) {
        let mut loaded = self.loaded.into_inner();
        trim(&mut loaded);
        (self.sections.into_owned(), loaded)
    }

    /// The tables that were loaded.
    pub fn into_tables(self) -> Tables {
        let mut loaded = self.loaded.into_inner();
        trim(&mut loaded);
        loaded
    }

    /// The tree of a cell.
    pub(super) fn tree(&self, places: &[usize], axes: &[Axis]) -> Value {
        let mut tree = Value::clone(&self.sections);
        for (place, axis) in places.iter().zip(axes) {
            if let Err(error) = document::set(&mut tree, &axis.path, &axis.values[*place].value) {
                let segment = &axis.path.segments[error.at];
                let span = segment.span.unwrap_or(axis.span);
                let fault = self.sink.fault(span, error.message);
                match error.allowed.is_empty() {
                    true => fault.report(),
                    false => fault.names(&segment.name, &error.allowed).report(),
                }
            }
        }
        tree
    }

    pub(super) fn section<'t>(&self, tree: &'t Value, name: &str) -> Option<&'t Value> {
        let found = tree.as_table().and_then(|table| table.get(name));
        if found.is_none() {
            self.sink
                .fault(
                    tree.span,
                    format!("the experiment lacks the section `{name}`"),
                )
                .rule("[budget] must be there, and for a release [data] and [[query]]")
                .report();
        }
        found
    }

    /// The cells of these numbers, as far as the file allows, put behind those that are there; `false` if further ones would say nothing new.
    pub fn put(
        &self,
        numbers: &mut dyn Iterator<Item = usize>,
        axes: &[Axis],
        out: &mut Cells,
        known: &mut Known,
    ) -> bool {
        for cell in numbers {
            if self.sink.len() >= ENOUGH_FAULTS {
                return false;
            }
            let places = places(cell, axes);
            let tree = self.tree(&places, axes);
            let given = tree.as_table().and_then(|table| table.get("procedure"));
            let chosen = procedure::read(given, tree.span, self.sink);
            let labels: Vec<String> = (places.iter().zip(axes))
                .map(|(place, axis)| axis.values[*place].label.clone())
                .collect();
            let names = axes.iter().map(|axis| axis.name.as_str());
            let place = Place {
                id: cell_id(names.zip(labels.iter().map(String::as_str))),
                labels,
                tree: &tree,
            };
            // data and queries are read even where the procedure is faulty
            let kind = chosen
                .as_ref()
                .map_or(Procedure::default(), |chosen| chosen.kind);
            // the first that is read decides what all are
            if !out.begun {
                out.study = Study::new(kind, out.room);
            }
            let planned = match kind {
                Procedure::Release => self.release(place, chosen.as_ref(), out, known),
                Procedure::Select => self.select(place, chosen.as_ref(), out, known),
                Procedure::Stream => self.stream(place, chosen.as_ref(), out, known),
                Procedure::Train => self.train(place, chosen.as_ref(), out, known),
                Procedure::ClipThenSum => self.clip_then_sum(place, chosen.as_ref(), out, known),
                Procedure::Compose => self.compose(place, chosen.as_ref(), known),
            };
            let Some((cell, resolved)) = planned else {
                continue;
            };
            out.begun = true;
            if out.study.push(cell).is_err() {
                let span = chosen.map_or(tree.span, |chosen| chosen.span);
                (self.sink.fault(span, "the cells have different procedures"))
                    .rule("one procedure for all cells of an experiment")
                    .remedy("make an experiment of each")
                    .report();
                return false;
            }
            out.resolved.push(resolved);
        }
        true
    }

    /// The columns that are used, loaded once for every set of them.
    pub(super) fn load(&self, spec: &DataSpec, used: &[Used]) -> Option<Arc<Loaded>> {
        // with the marks that are categories, and no missing values
        let mut names: Vec<(&str, Option<&str>)> = (used.iter())
            .flat_map(|used| {
                let marks = (used.texts.iter())
                    .filter(|text| load::cell::missing(text).is_some())
                    .map(|text| Some(text.as_str()));
                let all = std::iter::once(None).chain(marks);
                all.map(|text| (used.name.as_str(), text))
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        let columns: Vec<_> = (spec.columns.iter())
            .map(|c| (&c.name, c.bounds, c.text))
            .collect();
        let key = format!("{:?} {:?} {columns:?} {names:?}", spec.source, spec.missing);
        if let Some(known) = self.loaded.borrow().get(&key) {
            return known.clone();
        }
        let loaded = load::load(spec, used, self.base, self.sink).map(Arc::new);
        self.loaded.borrow_mut().insert(key, loaded.clone());
        loaded
    }

    /// The sensitivity of a query that is not released, on the data of a cell.
    pub fn sensitivity(
        &self,
        query: &Value,
        labels: &BTreeMap<String, String>,
        axes: &[Axis],
    ) -> Option<f64> {
        let definition = queries::inline(query, self.sink)?;
        let tree = self.tree(&places(super::pairs::index(labels, axes), axes), axes);
        let (spec, complete) = data::read(tree.as_table()?.get("data")?, self.sink);
        let spec = spec.filter(|_| complete)?;
        let loaded = self.load(&spec, &definition.used)?;
        match definition.query.sensitivity(&loaded.table, spec.neighbours) {
            Ok(sensitivity) => Some(sensitivity.l1),
            Err(error) => {
                self.sink.fault(definition.span, error.to_string()).report();
                None
            }
        }
    }
}

pub(super) fn resolved_data(loaded: &Loaded) -> ResolvedData {
    ResolvedData {
        source: loaded.source.clone(),
        digest: loaded.digest.clone(),
        rows: loaded.table.rows() as u64,
        columns: (loaded.table.columns().iter())
            .map(|column| ResolvedColumn {
                name: column.name().to_owned(),
                bounds: column.bounds().map(|bounds| [bounds.low(), bounds.high()]),
                clipped: column.clipped(),
            })
            .collect(),
    }
}
