//! What a run will cost: its time, from what was measured per variate, per tallied value, per estimate, per figure, and from how fast this
//! machine computes; its [memory], from the sizes of what it holds. `scripts/bench-plan` compares both with what the shipped experiments take.

mod memory;
mod pace;

use super::{Batch, Plan};
use crate::engine::Weight;
use crate::figure::FEW_CELLS;
use crate::measure::Rule;
use crate::procedure::release::Streams;
use crate::record::{self, ResolvedCell};
use crate::study::release::{Origin, ReleaseCell};
use crate::study::{Kind, Study};
use epsweep_core::random::{Level, level};

/// A prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// threads that it is made for
    pub threads: usize,
    /// seconds of the run, figures and report included
    pub seconds: f64,
    /// bytes of memory at the peak
    pub bytes: u64,
}

/// Nanoseconds of one thread.
struct Prices {
    /// a standard variate
    draw: f64,
    /// a value computed and tallied
    tally: f64,
    /// a paired difference tallied
    pair: f64,
}

/// Measured with the benches of this crate and the core on a machine that did other work beside.
fn prices(level: Level) -> Prices {
    match level.name() {
        "avx512" => Prices {
            draw: 0.6,
            tally: 1.0,
            pair: 1.4,
        },
        "avx2" => Prices {
            draw: 1.4,
            tally: 1.5,
            pair: 2.0,
        },
        _ => Prices {
            draw: 2.6,
            tally: 2.6,
            pair: 3.4,
        },
    }
}

/// Nanoseconds of a process, of its record, and of drawing a figure in three formats.
const PROCESS: f64 = 4e7;
const FIGURE: f64 = 8e7;
/// Nanoseconds of what is said of a number that is reported: its exact law, twelve estimates with their errors, their lines in the files.
/// Laws of Laplace noise are mostly closed, others are integrated.
const CLOSED: f64 = 2e5;
const INTEGRATED: f64 = 6.5e5;
/// Nanoseconds of the same of a choice, whose values are few and whose law is a list.
const LISTED: f64 = 5e4;
/// Nanoseconds of the exact law of a gate, for each query that comes to it: quadratures of the noise of the threshold.
const GATED: f64 = 1.7e6;
/// Nanoseconds of reading or making a record of the data.
const RECORD: f64 = 2.5e3;
/// Nanoseconds of counting releases once.
const COUNTED: f64 = 2e6;
/// Nanoseconds of a noisy number that goes into others.
const PART: f64 = 3.0;
/// Nanoseconds of a number that is computed by a transform of a variate.
const COMPUTED: f64 = 20.0;
/// Nanoseconds of a number that is processed after release.
const PROCESSED: f64 = 10.0;
/// Nanoseconds of halving the candidates once, for each slot: among those that a cache holds, and beyond.
const HALVING: f64 = 4.0;
const HALVING_FAR: f64 = 115.0;
/// Nanoseconds of a slot where there are several: what was chosen before is left out, and who is chosen is put in order.
const SLOT: f64 = 200.0;
/// Nanoseconds of a query of a stream.
const ASKED: f64 = 4.0;
/// A feature of a record in a step of a descent, relative to a tallied value; and how much more of one that is gathered for a sample.
const GRADIENT: f64 = 0.25;
const GATHERED: f64 = 4.0;
/// Nanoseconds of a position whose value a policy decides about.
const DECIDED: f64 = 40.0;
/// Halvings that stay in a cache.
const NEAR: f64 = 13.0;

/// Nanoseconds of what is computed of noisy numbers in each trial of a cell.
fn computed(cell: &ReleaseCell) -> f64 {
    let derived = (cell.derivations.iter())
        .map(|derivation| derivation.parts.len() + derivation.targets.len());
    let processed = (cell.postprocessing.iter()).map(|step| step.members.len());
    let transformed = (cell.queries.iter())
        .filter(|query| matches!(query.origin, Origin::Noise(_)) && !query.is_scaled())
        .count();
    PART * derived.sum::<usize>() as f64
        + PROCESSED * processed.sum::<usize>() as f64
        + COMPUTED * transformed as f64
}

impl Plan {
    /// What simulating will cost on `jobs` threads (0: as many as there are processors). Takes some milliseconds, in which the machine's pace
    /// is measured, so that seconds differ a little from call to call.
    pub fn cost(&self, jobs: usize) -> Cost {
        self.cost_of(self.settings.trials as f64, jobs)
    }

    /// As [`Plan::cost`], with so many trials of a cell in the mean.
    pub fn cost_of(&self, trials: f64, jobs: usize) -> Cost {
        let threads = match jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        };
        let mut sums = Sums::default();
        // cells that cannot be resolved again are no part of a run
        for batch in self.batches().map_while(Result::ok) {
            sums.add(self, &batch, trials);
        }
        let cells = self.len() as f64;
        let kind = self.study.kind();
        let queries = sums.queries.unwrap_or(0) as f64;
        let sharing = match self.settings.streams {
            Streams::Common => 1.0,
            Streams::Independent => cells,
        };
        let pairs = self.pairs.len() as f64 * sums.of_all;
        let prices = prices(level());
        let each = prices.draw * queries * sharing
            + prices.tally * (sums.weight.rows + sums.gradients)
            + prices.pair * pairs
            + sums.nanoseconds;
        let figures = match (self.resolved.figures.len(), cells) {
            (_, cells) if cells > record::MOST_CELLS as f64 => 0.0,
            (0, cells) if cells <= FEW_CELLS as f64 => 3.0,
            (0, _) => 1.0,
            (named, _) => named as f64,
        };
        let records: u64 = self.resolved.data.iter().map(|data| data.rows).sum();
        let counted = if kind == Kind::Compose { COUNTED } else { 0.0 };
        let shared = each * trials + counted * cells + sums.reported.nanoseconds;
        let alone = PROCESS + FIGURE * figures + RECORD * records as f64;
        Cost {
            threads,
            seconds: (shared / threads as f64 + alone) * 1e-9 * pace::pace(),
            bytes: self.memory(threads, &sums, figures > 0.0) as u64,
        }
    }
}

/// What is added up over all cells.
#[derive(Default)]
struct Sums {
    weight: Weight,
    reported: Reported,
    /// measures of all queries together
    of_all: f64,
    /// queries of the first cell
    queries: Option<usize>,
    /// of a trial of every cell, besides what is drawn and tallied
    nanoseconds: f64,
    /// numbers of records that the gradients of such a trial read
    gradients: f64,
    /// bytes of the batch that holds most
    held: f64,
    /// bytes of laws that are mixtures
    mixtures: f64,
}

impl Sums {
    /// Adds the cells of a batch.
    fn add(&mut self, plan: &Plan, batch: &Batch<'_>, trials: f64) {
        let measures = plan.measures();
        let of_all = (measures.iter())
            .filter(|measure| matches!(measure.rule(), Rule::All(_)))
            .count() as f64;
        let of_query = measures.len() as f64 - of_all;
        let weight = plan.weighed(batch, trials);
        let reported = reported(batch, of_all, of_query, &weight);
        let releases = releases(batch);
        self.of_all = of_all;
        (self.queries).get_or_insert(releases.first().map_or(0, |cell| cell.queries.len()));
        let own = batch.own_cells().iter();
        self.nanoseconds += own.map(|cell| searched(cell) + asked(cell)).sum::<f64>();
        self.nanoseconds += releases.iter().map(computed).sum::<f64>();
        self.gradients += batch.own_cells().iter().map(descent).sum::<f64>();
        self.held = self.held.max(memory::held(batch));
        self.mixtures += memory::mixtures(batch, &reported);
        self.weight.add(&weight);
        self.reported.add(&reported);
    }
}

/// The cells of a release that are a batch's own; none of another procedure.
fn releases<'a>(batch: &'a Batch<'_>) -> &'a [ReleaseCell] {
    match batch.study() {
        Study::Release(cells) => &cells[..batch.own()],
        _ => &[],
    }
}

/// Nanoseconds of choices in a trial, among candidates or of a bound: a search for each slot.
fn searched(cell: &ResolvedCell) -> f64 {
    let search = |candidates: u64, slots: u64| {
        let halvings = libm::log2(candidates as f64 + 1.0);
        let far = (halvings - NEAR).max(0.0);
        let slot = if slots > 1 { SLOT } else { 0.0 };
        slots as f64 * (slot + HALVING * (halvings - far) + HALVING_FAR * far)
    };
    let chosen = (cell.select.as_ref()).map(|select| search(select.candidates, select.slots));
    let bound = (cell.staged.as_ref()).map(|staged| search(staged.candidates, 1));
    chosen.unwrap_or(0.0) + bound.unwrap_or(0.0)
}

/// Nanoseconds of a stream in a trial: a comparison for each query that comes to it, or what a policy decides.
fn asked(cell: &ResolvedCell) -> f64 {
    cell.stream.as_ref().map_or(0.0, |stream| {
        let queries = stream.queries as f64;
        match &stream.gate {
            Some(gate) => ASKED * gate.expected_answered.unwrap_or(queries),
            None => DECIDED * queries,
        }
    })
}

/// A descent reads its sample, or all records, in every step: how many numbers in a trial.
fn descent(cell: &ResolvedCell) -> f64 {
    cell.train.as_ref().map_or(0.0, |train| {
        let gathered = if train.sampling < 1.0 { GATHERED } else { 1.0 };
        let read = train.records as f64 * train.sampling * gathered;
        GRADIENT * read * train.features as f64 * train.steps as f64
    })
}

/// What is said of the cells of a batch.
fn reported(batch: &Batch<'_>, of_all: f64, of_query: f64, weight: &Weight) -> Reported {
    let mut all = Reported::default();
    let (kind, cells) = (batch.study().kind(), batch.own() as f64);
    let answers = (batch.resolved().measures.iter()).any(|name| name == "answer");
    for cell in batch.own_cells() {
        let subjects = cell.subjects().len() as f64;
        let numbers = match kind {
            // numbers of vectors, what is told before and after processing: the tiles know
            Kind::Release => weight.outcomes / cells,
            _ => of_all + of_query * subjects,
        };
        let each = match (kind, cell.noise.as_str()) {
            (Kind::Select, _) => LISTED,
            (_, "" | "laplace") => CLOSED,
            _ => INTEGRATED,
        };
        let gate = cell.stream.as_ref().and_then(|stream| {
            stream.gate.as_ref()?.expected_answered?;
            Some(GATED * stream.queries as f64)
        });
        all.nanoseconds += gate.unwrap_or(0.0);
        all.numbers += numbers;
        all.of_all += of_all;
        all.answers += if answers { subjects } else { 0.0 };
        all.nanoseconds += each * numbers;
    }
    all
}

/// Numbers with estimates.
#[derive(Default)]
struct Reported {
    /// how many
    numbers: f64,
    /// those that are of all queries together
    of_all: f64,
    /// those that are answers of queries
    answers: f64,
    /// what they take
    nanoseconds: f64,
}

impl Reported {
    fn add(&mut self, more: &Reported) {
        self.numbers += more.numbers;
        self.of_all += more.of_all;
        self.answers += more.answers;
        self.nanoseconds += more.nanoseconds;
    }
}
