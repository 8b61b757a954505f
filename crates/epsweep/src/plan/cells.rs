//! One cell after the other: the values of the sweep put into the file, the sections read, the queries answered, the noise calibrated.

use super::answered::{Answered, AnsweredQuery, EACH};
use super::calibrate::{Calibrated, Calibration, Divisions};
use super::pairs::places;
use super::select::Scored;
use super::stream::Asked;
use super::train::Records;
use crate::config::data::Used;
use crate::config::data::{self, DataSpec};
use crate::config::diagnostic::Sink;
use crate::config::queries;
use crate::config::release::AllocationSpec;
use crate::config::sweep::{Axis, cell_id};
use crate::config::value::{Entry, Kind, Table, Value};
use crate::config::{budget, document, procedure, release, sweep};
use crate::load::{self, Loaded};
use crate::procedure::compose::Within;
use crate::procedure::{self as procedures, Study, StudyCell};
use crate::record::{ResolvedCell, ResolvedColumn, ResolvedData};
use crate::words::{grouped, several, significant};
use epsweep_core::accounting::Composition;
use epsweep_core::query::{Query, joint};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
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
    /// whether some query is post-processed
    pub processed: bool,
    /// what only a plan shows
    pub notes: Vec<String>,
    /// what the user should know
    pub warnings: Vec<String>,
    /// how many cells are to come at most, or to be held at once
    room: usize,
    /// whether there was a cell
    begun: bool,
}

impl Cells {
    /// None yet, with room for so many.
    pub fn with_room(room: usize) -> Cells {
        Cells {
            study: Study::new(procedures::Kind::default(), 0),
            resolved: Vec::with_capacity(room),
            room,
            begun: false,
            data: Vec::new(),
            neighbours: Vec::new(),
            subjects: Vec::new(),
            vectors: Vec::new(),
            processed: false,
            notes: Vec::new(),
            warnings: Vec::new(),
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
    fn data_set(
        &mut self,
        resolved: ResolvedData,
        warnings: &[String],
        known: &mut HashMap<String, usize>,
    ) -> usize {
        for warning in warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
        *known.entry(format!("{resolved:?}")).or_insert_with(|| {
            self.data.push(resolved);
            self.data.len() - 1
        })
    }

    /// As [`Cells::data_set`], of a stream.
    pub fn data_of_stream(&mut self, asked: &Asked, known: &mut Known) -> usize {
        self.data_set(asked.data.clone(), &asked.warnings, &mut known.data)
    }

    /// As [`Cells::data_set`], of a selection.
    pub fn data_of(&mut self, scored: &Scored, known: &mut Known) -> usize {
        self.data_set(scored.data.clone(), &scored.warnings, &mut known.data)
    }

    /// As [`Cells::data_set`], of any procedure.
    pub fn known_data(
        &mut self,
        data: &ResolvedData,
        warnings: &[String],
        known: &mut Known,
    ) -> usize {
        self.data_set(data.clone(), warnings, &mut known.data)
    }
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
    answered: HashMap<String, Option<Arc<Answered>>>,
    /// candidates of selections, by the text that makes them
    pub candidates: HashMap<String, Option<Arc<Scored>>>,
    /// queries of streams, by the text that makes them
    pub streams: HashMap<String, Option<Arc<Asked>>>,
    /// records of trainings with their optima, by the text that makes them
    pub trainings: HashMap<String, Option<Arc<Records>>>,
    /// how often releases run within a guarantee, by the text of the question
    pub within: HashMap<String, Arc<Within>>,
    /// budgets that were divided
    divisions: Divisions,
    /// places of data sets in the record
    data: HashMap<String, usize>,
}

/// Things of one kind that are remembered while there are not too many cells to hold.
const FEW: usize = 256;

impl Known {
    /// Forgets what can be made again in no time where it is much: an axis can have another table for every value.
    pub fn trim(&mut self) {
        trim(&mut self.answered);
        trim(&mut self.candidates);
        trim(&mut self.streams);
        trim(&mut self.trainings);
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
                kind: Kind::Table(Table { entries: sections }),
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
    fn tree(&self, places: &[usize], axes: &[Axis]) -> Value {
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
                .map_or(procedures::Kind::default(), |chosen| chosen.kind);
            // the first that is read decides what all are
            if !out.begun {
                out.study = Study::new(kind, out.room);
            }
            let planned = match kind {
                procedures::Kind::Release => self.release(place, chosen.as_ref(), out, known),
                procedures::Kind::Select => self.select(place, chosen.as_ref(), out, known),
                procedures::Kind::Stream => self.stream(place, chosen.as_ref(), out, known),
                procedures::Kind::Train => self.train(place, chosen.as_ref(), out, known),
                procedures::Kind::ClipThenSum => {
                    self.clip_then_sum(place, chosen.as_ref(), out, known)
                }
                procedures::Kind::Compose => self.compose(place, chosen.as_ref(), known),
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

    /// A cell of a release.
    fn release(
        &self,
        place: Place<'_>,
        chosen: Option<&procedure::Chosen<'_>>,
        out: &mut Cells,
        known: &mut Known,
    ) -> Option<(StudyCell, ResolvedCell)> {
        let tree = place.tree;
        let (data, queries) = (self.section(tree, "data"), self.section(tree, "query"));
        let budget = self.section(tree, "budget");
        let key = format!(
            "{:?} {:?}",
            data.map(Value::to_string),
            queries.map(Value::to_string)
        );
        let answered = match known.answered.get(&key) {
            Some(answered) => answered.clone(),
            None => {
                let answered = self.answered(data, queries, out, &mut known.data);
                let answered = answered.map(Arc::new);
                known.answered.insert(key, answered.clone());
                answered
            }
        };
        let release = chosen.and_then(|chosen| release::read(chosen, self.sink));
        let budget = budget.and_then(|given| budget::read(given, self.sink));
        let (release, budget, answered) = (release?, budget?, answered?);
        let calibration = Calibration {
            release: &release,
            budget: &budget,
            known: &known.divisions,
            sink: self.sink,
        };
        let Calibrated {
            cell,
            queries,
            total,
            divided,
            warnings,
            joint,
        } = calibration.cell(place.id, &answered)?;
        if let (false, Some(joint)) = (budget.joint, joint) {
            let letter = match budget.composition {
                Composition::Basic => "ε",
                _ => "ρ",
            };
            out.note(format!(
                "cell {}: together the queries cost {letter} = {} rather than {}, by their joint sensitivity; `joint = true` in [budget] uses it",
                cell.id,
                significant(joint.together, 6),
                significant(joint.separate, 6)
            ));
        }
        let oracle = matches!(release.allocation, AllocationSpec::Oracle(_));
        let marked = oracle.then(|| {
            format!(
                "allocation `{}` is an oracle: its shares come from the true answers, so no private analysis can use them",
                release.allocation.name()
            )
        });
        for warning in warnings.into_iter().chain(marked) {
            if !out.warnings.contains(&warning) {
                out.warnings.push(warning);
            }
        }
        let resolved = ResolvedCell {
            id: cell.id.clone(),
            labels: place.labels,
            data: answered.data,
            guarantee: out.guarantee(&budget.budget, answered.data),
            total,
            composition: budget.composition.about().name.to_owned(),
            divided,
            noise: release.noise.about().name.to_owned(),
            allocation: release.allocation.name().to_owned(),
            joint: joint.filter(|_| budget.joint),
            oracle,
            queries,
            ..ResolvedCell::default()
        };
        Some((StudyCell::Release(Box::new(cell)), resolved))
    }

    /// Reads data and queries, and answers the queries.
    fn answered(
        &self,
        data: Option<&Value>,
        queries: Option<&Value>,
        out: &mut Cells,
        data_known: &mut HashMap<String, usize>,
    ) -> Option<Answered> {
        let (queries, queries_complete) =
            queries.map_or_else(Default::default, |given| queries::read(given, self.sink));
        let (spec, data_complete) =
            data.map_or_else(Default::default, |given| data::read(given, self.sink));
        for query in &queries {
            if !out.subjects.contains(&query.name) {
                out.subjects.push(query.name.clone());
            }
        }
        let spec = spec?;
        let used: Vec<Used> = (queries.iter())
            .flat_map(|query| query.definition.used.iter().cloned())
            .collect();
        // loaded even where something is wrong already: the file may have faults of its own
        let loaded = self.load(&spec, &used)?;
        if !queries_complete || !data_complete {
            return None;
        }
        let name = spec.neighbours.name().to_owned();
        if !out.neighbours.contains(&name) {
            out.neighbours.push(name);
        }
        let mut answered: Vec<AnsweredQuery> = Vec::new();
        let mut good = true;
        for spec_of in queries {
            let span = spec_of.definition.span;
            let parameter = |of: &queries::QuerySpec| loaded.parameter(&*of.definition.query);
            match AnsweredQuery::new(spec_of, &loaded.table, spec.neighbours, parameter) {
                Ok(query) => answered.push(query),
                Err(messages) => {
                    good = false;
                    for message in messages {
                        self.sink.fault(span, message).report();
                    }
                }
            }
        }
        good &= self.names_differ(&answered);
        if !good {
            return None;
        }
        for query in answered.iter().filter(|query| query.is_vector()) {
            let name = &query.spec.name;
            out.subjects.retain(|subject| subject != name);
            if !out.vectors.contains(name) {
                out.vectors.push(name.clone());
            }
            if query.outputs.len() <= EACH {
                for name in query.names() {
                    if !out.subjects.contains(&name) {
                        out.subjects.push(name);
                    }
                }
            }
        }
        for query in &answered {
            if let Some(lost) = query.uncounted.filter(|lost| *lost > 0) {
                let warning = format!(
                    "query `{}`: {} of {} lie in none of its cells and are counted nowhere",
                    query.spec.name,
                    grouped(lost as u64),
                    several(loaded.table.rows() as u64, "record")
                );
                if !out.warnings.contains(&warning) {
                    out.warnings.push(warning);
                }
            }
        }
        out.processed |= answered.iter().any(|query| !query.spec.steps.is_empty());
        let data = out.data_set(resolved_data(&loaded), &loaded.warnings, data_known);
        let asked: Vec<&dyn Query> = (answered.iter())
            .map(|query| &*query.spec.definition.query)
            .collect();
        // one query by itself has its own joint sensitivity already
        let joint = match asked.len() {
            0 | 1 => None,
            _ => joint(&asked, &loaded.table, spec.neighbours).ok(),
        };
        Some(Answered {
            data,
            table: loaded.table.clone(),
            neighbours: spec.neighbours,
            queries: answered,
            joint,
        })
    }

    /// Sees that no number of a vector is called like another subject.
    fn names_differ(&self, answered: &[AnsweredQuery]) -> bool {
        let mut seen: HashSet<String> = HashSet::new();
        let mut good = true;
        for query in answered {
            let mut names = query.names();
            if query.is_vector() {
                names.push(query.spec.name.clone());
            }
            for name in names {
                if seen.contains(&name) {
                    let message = format!("two numbers are called `{name}`");
                    (self.sink.fault(query.spec.definition.span, message))
                        .rule("queries and the numbers of vectors, `query[part]`, have names of their own")
                        .report();
                    good = false;
                }
                seen.insert(name);
            }
        }
        good
    }

    /// The columns that are used, loaded once for every set of them.
    pub(super) fn load(&self, spec: &DataSpec, used: &[Used]) -> Option<Arc<Loaded>> {
        let mut names: Vec<&str> = used.iter().map(|used| used.name.as_str()).collect();
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
