//! How much memory a run takes at its peak: that of planning, simulating or drawing, whichever needs most. What one of them gives back is
//! taken by the next.

use super::{Reported, Sums};
use crate::engine::{Instead, Kept, Part, Progress, Scale, Weight};
use crate::figure;
use crate::plan::size::{BATCH, gathers};
use crate::plan::{Batch, Plan};
use crate::procedure::{self, Task};
use crate::record::{self, ComparisonRow, HistogramRow, ResolvedCell, ResolvedQuery, SummaryRow};
use crate::study::Study;
use crate::study::release::{ReleaseCell, ReleaseQuery};
use crate::study::select::ExactLaw;
use crate::summary::{ALL_UP_TO, STATISTICS};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Bytes of a process that has read its arguments and a small file: code, tables, vocabulary. Measured.
const PROCESS: f64 = 14.3e6;
/// Bytes of what a simulation has besides its tiles: threads, compiled paths that were not touched before, buffers of files. Measured.
const ENGINE: f64 = 1.5e6;
/// Bytes of drawing: fonts, the tree of a picture, its pixels, the compressors of PNG and PDF, the texts of figures and report. One figure is
/// drawn after another, so that their number matters little. Measured.
const DRAWING: f64 = 8e6;
/// Lists grow by doubling: a half more than they hold in the mean, and while they are copied.
const GROWN: f64 = 1.5;
/// Bins of a histogram that is written: 128 where most values are, sixteen an octave in the tails.
const WRITTEN_BINS: f64 = 150.0;
/// Bytes of a short text on the heap, with what the allocator adds.
const TEXT: f64 = 32.0;
/// Bytes of a law that is a mixture, for each of its parts: the part, its weight, and a share of the table of the distribution function.
const MIXED: f64 = 2e3;
/// Texts of a cell that are its own, besides its labels: its name, guarantee, composition, noise, allocation, and what its study says again.
const CELL_TEXTS: f64 = 7.0;
/// Lists and texts of a number that is released: its name, where its noise comes from, and what it goes into.
const QUERY_TEXTS: f64 = 5.0;
/// Bytes of what is planned for a number that is reported: what it is read off, its law, its evidence, its kernel. Measured.
const PLANNED: f64 = 700.0;
/// Bytes of a cell that was written and forgotten: the places of its rows in three files, its hash, its set, what it is compared with.
const NOTED: f64 = 200.0;
/// Doubles of a candidate: score, probability, distribution function, and what sorts them by rank; twice where they are made from data.
const CANDIDATE_NUMBERS: f64 = 13.0;

impl Plan {
    /// Bytes at the peak.
    pub(super) fn memory(&self, threads: usize, sums: &Sums, draws: bool) -> f64 {
        let cells = self.len();
        let many = gathers(cells, self.resolved.target.is_some());
        let noted = if many { NOTED * cells as f64 } else { 0.0 };
        let held = sums.held + noted;
        let (weight, reported) = (&sums.weight, &sums.reported);
        let (outcomes, rows) = match many {
            // cells are written as they are finished, and a run that is drawn is read back
            true if draws => (0.0, self.rows(reported)),
            true => (0.0, 0.0),
            // histograms are held until everything is said of them
            false => (weight.histograms + sums.mixtures, self.rows(reported)),
        };
        let planning = held + self.tables();
        // where a figure shows how means settle, the first trials are simulated once more while the tallies of all are there
        let times = match figure::draws_settling(&self.resolved) {
            true => 2.0,
            false => 1.0,
        };
        // of many cells, so many are laid out at once
        let laid_out = (BATCH as f64 / cells.max(1) as f64).min(1.0);
        let planned = PLANNED * weight.outcomes * laid_out;
        let simulating =
            held + ENGINE + planned + self.tiles(weight, threads) + times * outcomes + rows;
        // what was said was written and given up, and is read back
        let drawing = match draws {
            true => held + ENGINE + rows + DRAWING,
            false => 0.0,
        };
        PROCESS + planning.max(simulating).max(drawing)
    }

    /// The tiles of a batch, from their layouts.
    pub(super) fn weighed(&self, batch: &Batch<'_>, trials: f64) -> Weight {
        let settings = &self.settings;
        let scale = Scale::new(trials);
        let measures = self.measures();
        let task = Task {
            seed: settings.seed,
            trials: settings.trials,
            jobs: 1,
            pairs: batch.pairs(),
            measures: &measures,
            streams: settings.streams,
            level: settings.level,
            quantiles: settings.quantiles,
            until: None,
            kept: Kept {
                part: Some(Part {
                    own: batch.own(),
                    of: self.len(),
                    tile: 0,
                }),
                instead: Some(Instead::Scale(&scale)),
                ..Kept::default()
            },
            on_error: settings.on_error,
        };
        if self.study.kind().simulates() {
            let (progress, stop) = (Progress::default(), AtomicBool::new(false));
            // a study that could not be simulated was not planned
            let _ = procedure::simulate(batch.study(), &task, &progress, &stop, &|_| {});
        }
        scale.weight()
    }

    /// Bytes of the tiles that are in memory at once: one for each thread, or all where their cells are looked at again and again.
    fn tiles(&self, weight: &Weight, threads: usize) -> f64 {
        let open = threads.min(weight.tiles) as f64;
        let tallies = match self.resolved.target {
            Some(_) => weight.tallies,
            None => weight.tally * open,
        };
        weight.session * threads as f64 + tallies
    }

    /// Bytes of what is said of all cells, be it as it is made or as it is read back.
    fn rows(&self, reported: &Reported) -> f64 {
        let cells = self.len();
        let summary = STATISTICS.len() as f64 * reported.numbers * size_of::<SummaryRow>() as f64;
        let compared = self.pairs.len() as f64 * reported.of_all / cells.max(1) as f64
            * (size_of::<ComparisonRow>() as f64 + 5.0 * TEXT);
        let histograms = match cells <= ALL_UP_TO {
            true => reported.of_all + reported.answers,
            false => 0.0,
        };
        let binned = histograms * WRITTEN_BINS * (size_of::<HistogramRow>() as f64 + 5.0 * TEXT);
        // of too many cells the first are read
        if cells > record::MOST_CELLS {
            return 0.0;
        }
        GROWN * summary + compared + binned
    }

    /// Bytes of the tables of data while queries are answered: doubles, or texts with what they take on the heap.
    fn tables(&self) -> f64 {
        let text = size_of::<String>() as f64 + TEXT;
        // read, and then put in columns
        let number = 2.0 * size_of::<f64>() as f64;
        let of = |data: &record::ResolvedData| {
            let row: f64 = (data.columns.iter())
                .map(|column| {
                    if column.bounds.is_some() {
                        number
                    } else {
                        text
                    }
                })
                .sum();
            row * data.rows as f64
        };
        self.resolved.data.iter().map(of).sum()
    }
}

/// Bytes of the cells of a batch, of those that they are compared with, and of what they share.
pub(super) fn held(batch: &Batch<'_>) -> f64 {
    cells_held(batch) + candidates(batch) + laws(batch) + examples(batch)
}

/// Bytes of the laws of a batch that are mixtures.
pub(super) fn mixtures(batch: &Batch<'_>, reported: &Reported) -> f64 {
    let mixed = |cell: &ResolvedCell| {
        let staged = cell.staged.as_ref()?;
        Some(MIXED * staged.candidates as f64)
    };
    let parts: f64 = batch.own_cells().iter().filter_map(mixed).sum();
    let of_cell = reported.numbers / batch.own().max(1) as f64;
    // one of the numbers of a stream, its error, has a law made of those of all positions
    let positions = |cell: &ResolvedCell| {
        let stream = cell.stream.as_ref()?;
        let policy = stream.policy.as_ref()?;
        (policy.known_in_advance).then_some(MIXED * stream.queries as f64)
    };
    let positions: f64 = batch.own_cells().iter().filter_map(positions).sum();
    parts * of_cell + positions
}

/// Bytes of the cells as they are planned: for the engine, and for the record.
fn cells_held(batch: &Batch<'_>) -> f64 {
    let cells = batch.study().len() as f64;
    let queries: f64 = (batch.resolved().cells.iter())
        .map(|cell| cell.queries.len() as f64)
        .sum();
    let releases = match batch.study() {
        Study::Release(cells) => cells.as_slice(),
        _ => &[],
    };
    let numbers: f64 = (releases.iter())
        .map(|cell| (cell.queries.len() + cell.after.len()) as f64)
        .sum();
    let axes = batch.resolved().axes.len() as f64;
    let of_cell = size_of::<ResolvedCell>() + size_of::<ReleaseCell>();
    cells * (of_cell as f64 + (CELL_TEXTS + axes) * TEXT)
        + queries * (size_of::<ResolvedQuery>() as f64 + 2.0 * TEXT)
        + numbers * (size_of::<ReleaseQuery>() as f64 + QUERY_TEXTS * TEXT)
}

/// Bytes of the candidates of choices, each list once.
fn candidates(batch: &Batch<'_>) -> f64 {
    let mut lists: Vec<(&str, u64)> = (batch.resolved().cells.iter())
        .filter_map(|cell| cell.select.as_ref())
        .map(|select| (select.digest.as_str(), select.candidates))
        .collect();
    lists.sort_unstable();
    lists.dedup();
    let all: u64 = lists.iter().map(|(_, candidates)| candidates).sum();
    all as f64 * CANDIDATE_NUMBERS * size_of::<f64>() as f64
}

/// Bytes of the exact laws of choices, each once: a probability for each candidate, or for each order of several.
fn laws(batch: &Batch<'_>) -> f64 {
    let Study::Select(cells) = batch.study() else {
        return 0.0;
    };
    let mut laws: Vec<&Arc<ExactLaw>> = cells.iter().map(|cell| &cell.law).collect();
    laws.sort_unstable_by_key(|law| Arc::as_ptr(law));
    laws.dedup_by_key(|law| Arc::as_ptr(law));
    let bytes = |law: &Arc<ExactLaw>| match &**law {
        ExactLaw::One(probabilities) => size_of_val(probabilities.as_slice()),
        ExactLaw::Several {
            orders,
            probabilities,
        } => size_of_val(orders.as_slice()) + size_of_val(probabilities.as_slice()),
        ExactLaw::Unknown => 0,
    };
    laws.into_iter().map(bytes).sum::<usize>() as f64
}

/// Bytes of the examples that models are trained on and tested with: as they are made, and as they are held.
fn examples(batch: &Batch<'_>) -> f64 {
    let of = |cell: &ResolvedCell| {
        let train = cell.train.as_ref()?;
        Some(((train.records + train.test) * (train.features + 1)) as f64)
    };
    let most = (batch.resolved().cells.iter().filter_map(of)).fold(0.0, f64::max);
    2.0 * most * size_of::<f64>() as f64
}
