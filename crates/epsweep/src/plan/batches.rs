//! The cells of a plan, batch by batch: those of a large grid are resolved when they are wanted, and forgotten.

use super::Plan;
use super::cells::{Cells, Known, Resolver, Tables};
use super::pairs::places_of;
use crate::config::diagnostic::{Diagnostic, Diagnostics, Sink};
use crate::config::source::Sources;
use crate::config::sweep::{Axis, cell_id};
use crate::config::value::Value;
use crate::measure::{self, Measure};
use crate::record::{Resolved, ResolvedCell, ResolvedData};
use crate::study::Study;
use serde::ser::{Error, Serialize, SerializeSeq, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Where the cells of a plan come from that does not hold them.
pub(super) struct Origin {
    /// the sections that make a cell
    pub sections: Value,
    /// what paths of data are relative to
    pub base: PathBuf,
    /// the texts that the sections come from
    pub sources: Sources,
    /// the axes of the sweep
    pub axes: Vec<Axis>,
    /// the data sets, as they were when the file was read
    pub data: Vec<ResolvedData>,
    /// what cells share
    pub memory: Mutex<(Known, Tables)>,
    /// cells of a batch
    pub size: usize,
    /// hash of all cells in their order
    pub hash: String,
}

/// What is to be known of all cells of a plan when it has forgotten them.
#[derive(Default)]
pub(super) struct Gist {
    cells: usize,
    hasher: blake3::Hasher,
    /// of each measure of the registry, whether some batch had a use for it
    suits: Vec<bool>,
    /// queries whose relative error is undefined
    zero: Vec<String>,
}

impl Gist {
    /// Takes down what is to be known of these cells.
    pub fn take(&mut self, cells: &Cells) {
        self.suits.resize(measure::REGISTRY.len(), false);
        for (suits, measure) in self.suits.iter_mut().zip(measure::REGISTRY) {
            *suits |= measure::suits(*measure, &cells.study);
        }
        undefined_relative(&cells.resolved, &mut self.zero);
    }

    /// As [`Gist::take`], of cells that will be forgotten: their JSON is hashed as that of a list.
    pub fn take_for_good(&mut self, cells: &Cells) {
        self.take(cells);
        for cell in &cells.resolved {
            let between: &[u8] = if self.cells == 0 { b"[" } else { b"," };
            self.hasher.update(between);
            // neither a hasher nor the JSON of a cell fails
            let _ = serde_json::to_writer(&mut self.hasher, cell);
            self.cells += 1;
        }
    }

    /// Whether a measure says something of some cell.
    pub fn suits(&self, measure: &dyn Measure) -> bool {
        let name = measure.about().name;
        let place = (measure::REGISTRY.iter()).position(|known| known.about().name == name);
        place.is_some_and(|place| self.suits.get(place) == Some(&true))
    }

    /// Queries whose relative error is undefined in every trial, since their true answer is 0.
    pub fn zero(&self) -> &[String] {
        &self.zero
    }

    /// The hash of the cells that were taken for good.
    pub fn hash(mut self) -> String {
        self.hasher.update(b"]");
        self.hasher.finalize().to_hex().to_string()
    }
}

fn undefined_relative(cells: &[ResolvedCell], names: &mut Vec<String>) {
    for query in cells.iter().flat_map(|cell| &cell.queries) {
        if query.truth == Some(0.0) && !query.floored && !names.contains(&query.name) {
            names.push(query.name.clone());
        }
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Origin").finish_non_exhaustive()
    }
}

impl Origin {
    /// The cells of these numbers, in this order.
    ///
    /// # Errors
    /// The data are no longer what they were, or cannot be read any more.
    fn cells(&self, numbers: &[usize]) -> Result<Cells, Diagnostics> {
        let sink = Sink::new(self.sources.clone());
        // a panic of another thread leaves both as useful as they were
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, loaded) = &mut *memory;
        let resolver = Resolver::again(&self.sections, &self.base, &sink, std::mem::take(loaded));
        let mut out = Cells::with_room(numbers.len());
        out.data.clone_from(&self.data);
        resolver.put(&mut numbers.iter().copied(), &self.axes, &mut out, known);
        *loaded = resolver.into_tables();
        known.trim();
        sink.finish()?;
        if out.data.len() > self.data.len() {
            let of = self.sources.get(0).name.clone();
            return Err(Diagnostics::one(
                Diagnostic::of_file(of, "the data changed since the experiment was read")
                    .rule("all cells of a run are of the same data")
                    .remedy("run it again"),
            ));
        }
        Ok(out)
    }
}

/// Some cells of a plan with all that is needed to simulate and to estimate them. Within a batch cells are numbered from 0.
#[derive(Debug)]
pub struct Batch<'a> {
    resolved: Cow<'a, Resolved>,
    study: Cow<'a, Study>,
    pairs: Cow<'a, [(usize, usize)]>,
    /// number in the plan of each cell; `None` where it is the same
    numbers: Option<Vec<usize>>,
    own: usize,
}

impl Batch<'_> {
    /// The resolved experiment with the cells of the batch.
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// The cells, ready to be simulated: first its [own](Batch::own), then those that they are compared with.
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// The pairs whose first cell is one of its own.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// The resolved cells that are its own.
    pub fn own_cells(&self) -> &[ResolvedCell] {
        &self.resolved.cells[..self.own]
    }

    /// How many of the cells are its own. Each cell is of one batch.
    pub fn own(&self) -> usize {
        self.own
    }

    /// The number in the plan of a cell of the batch.
    pub fn number(&self, cell: usize) -> usize {
        (self.numbers.as_ref()).map_or(cell, |numbers| numbers[cell])
    }
}

impl Plan {
    /// Whether the cells are not held, but come in [batches](Plan::batches).
    pub fn is_batched(&self) -> bool {
        self.origin.is_some()
    }

    /// Cells of a batch, if the plan [is batched](Plan::is_batched).
    pub fn batch_size(&self) -> Option<usize> {
        self.origin.as_ref().map(|origin| origin.size)
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.cells
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.cells == 0
    }

    /// All cells: in one batch where they are held, else resolved anew for every batch. A batch holds its cells until it is dropped.
    pub fn batches(&self) -> impl Iterator<Item = Result<Batch<'_>, Diagnostics>> {
        let origin = self.origin.as_ref();
        let size = origin.map_or(self.cells, |origin| origin.size).max(1);
        let starts = (0..self.cells.max(1)).step_by(size);
        starts.map(move |start| self.batch(start..(start + size).min(self.cells)))
    }

    fn batch(&self, range: Range<usize>) -> Result<Batch<'_>, Diagnostics> {
        let Some(origin) = &self.origin else {
            return Ok(Batch {
                resolved: Cow::Borrowed(&self.resolved),
                study: Cow::Borrowed(&self.study),
                pairs: Cow::Borrowed(&self.pairs),
                numbers: None,
                own: self.cells,
            });
        };
        let mut pairs: Vec<(usize, usize)> = (self.pairs.iter().copied())
            .filter(|(a, _)| range.contains(a))
            .collect();
        let mut others: Vec<usize> = (pairs.iter().map(|(_, b)| *b))
            .filter(|b| !range.contains(b))
            .collect();
        others.sort_unstable();
        others.dedup();
        let place = |cell: usize| match others.binary_search(&cell) {
            Ok(at) => range.len() + at,
            Err(_) => cell - range.start,
        };
        for (a, b) in &mut pairs {
            (*a, *b) = (place(*a), place(*b));
        }
        let own = range.len();
        let numbers: Vec<usize> = range.chain(others).collect();
        let cells = origin.cells(&numbers)?;
        Ok(Batch {
            resolved: Cow::Owned(self.resolved.with_cells(cells.resolved)),
            study: Cow::Owned(cells.study),
            pairs: Cow::Owned(pairs),
            numbers: Some(numbers),
            own,
        })
    }

    /// The resolved experiment with these cells alone, in this order. Of a plan that holds them it has all cells.
    ///
    /// # Errors
    /// The data are no longer what they were.
    pub fn resolved_with(&self, numbers: &[usize]) -> Result<Cow<'_, Resolved>, Diagnostics> {
        Ok(match &self.origin {
            None => Cow::Borrowed(&self.resolved),
            Some(origin) => Cow::Owned(self.resolved.with_cells(origin.cells(numbers)?.resolved)),
        })
    }

    /// The labels of a cell, one for each axis.
    pub fn labels(&self, cell: usize) -> Vec<&str> {
        let axes = &self.resolved.axes;
        let lengths = axes.iter().map(|axis| axis.labels.len());
        (axes.iter().zip(places_of(cell, lengths)))
            .map(|(axis, place)| axis.labels[place].as_str())
            .collect()
    }

    /// Canonical text of a cell.
    pub fn cell_id(&self, cell: usize) -> String {
        let names = self.resolved.axes.iter().map(|axis| axis.name.as_str());
        cell_id(names.zip(self.labels(cell)))
    }

    /// The hash of all cells, where they are not held.
    pub(crate) fn hash_of_cells(&self) -> Option<&str> {
        self.origin.as_ref().map(|origin| origin.hash.as_str())
    }

    /// The resolved experiment with all its cells, to be written: where they are not held, they are resolved while they are written.
    pub fn to_write(&self) -> Resolved<Written<'_>> {
        self.resolved.with_cells(Written(self))
    }
}

/// The cells of a plan, one after another.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a>(&'a Plan);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Written(plan) = self;
        let Some(origin) = &plan.origin else {
            return plan.resolved.cells.serialize(serializer);
        };
        let mut seq = serializer.serialize_seq(Some(plan.cells))?;
        for start in (0..plan.cells).step_by(origin.size) {
            let numbers: Vec<usize> = (start..(start + origin.size).min(plan.cells)).collect();
            let cells = origin.cells(&numbers).map_err(S::Error::custom)?;
            for cell in &cells.resolved {
                seq.serialize_element(cell)?;
            }
        }
        seq.end()
    }
}
