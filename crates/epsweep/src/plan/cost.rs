//! What a run will cost, from what was measured per variate and per tallied value.

use super::Plan;
use crate::measure::Rule;
use crate::procedure::Kind;
use crate::procedure::release::{Origin, ReleaseCell, Streams};
use epsweep_core::random::{Level, level};

/// A prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// threads that it is made for
    pub threads: usize,
    /// seconds of simulation
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

/// Nanoseconds of a cell, however few its trials: its exact laws, and its estimates.
const CELL: f64 = 3e5;
/// Nanoseconds of counting releases once, by the dearest method.
const COUNTED: f64 = 5e7;
/// Nanoseconds of a number that is computed from noisy ones, or by a transform of a variate.
const COMPUTED: f64 = 20.0;
/// Nanoseconds of halving the candidates once, for each slot: among those that a cache holds, and beyond.
const HALVING: f64 = 4.0;
const HALVING_FAR: f64 = 115.0;
/// Nanoseconds of a query of a stream.
const ASKED: f64 = 4.0;
/// A feature of a record in a step of a descent, relative to a tallied value; and how much more of one that is gathered for a sample.
const GRADIENT: f64 = 0.25;
const GATHERED: f64 = 4.0;
/// Nanoseconds of a position whose value a policy decides about.
const DECIDED: f64 = 20.0;
/// Halvings that stay in a cache.
const NEAR: f64 = 13.0;

/// Bytes that the program needs before it simulates: code and tables.
const BASE: f64 = 22e6;
/// Bytes of the counts of a row in each session and in the tally.
const SESSION_ROW: f64 = 17e3;
const TALLY_ROW: f64 = 33e3;
/// Rows that are in memory at once: tiles are made no larger, and handed on when they are finished.
const ROWS: f64 = 1000.0;
/// Bytes of what is kept of a reported number until the record is written.
const OUTCOME: f64 = 16e3;

/// How many numbers of a cell are computed in each trial.
fn numbers(cell: &ReleaseCell) -> f64 {
    let derived = (cell.derivations.iter())
        .map(|derivation| derivation.parts.len() + derivation.targets.len());
    let processed = (cell.postprocessing.iter()).map(|step| step.members.len());
    let transformed = (cell.queries.iter())
        .filter(|query| matches!(query.origin, Origin::Noise(_)) && !query.is_scaled())
        .count();
    (derived.sum::<usize>() + processed.sum::<usize>() + transformed) as f64
}

impl Plan {
    /// What simulating will cost on `jobs` threads (0: as many as there are processors).
    pub fn cost(&self, jobs: usize) -> Cost {
        self.cost_of(self.settings.trials as f64, jobs)
    }

    /// As [`Plan::cost`], with so many trials of a cell in the mean.
    pub fn cost_of(&self, trials: f64, jobs: usize) -> Cost {
        let threads = match jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        };
        let measures = self.measures();
        let of_all = measures
            .iter()
            .filter(|measure| matches!(measure.rule(), Rule::All(_)))
            .count() as f64;
        let of_query = measures.len() as f64 - of_all;
        let cells = self.study.len() as f64;
        let queries = self.cells().first().map_or(0, |cell| cell.queries.len()) as f64;
        // rows of single queries are tallied once where the noise is shared
        let sharing = match self.settings.streams {
            Streams::Common => 1.0,
            Streams::Independent => cells,
        };
        let rows = of_all * cells + of_query.min(4.0) * queries * sharing;
        let pairs = self.pairs.len() as f64 * of_all;
        let prices = prices(level());
        // choices among candidates: a search for each slot
        let search = |cell: &crate::record::ResolvedCell| {
            cell.select.as_ref().map_or(0.0, |select| {
                let halvings = libm::log2(select.candidates as f64 + 1.0);
                let far = (halvings - NEAR).max(0.0);
                select.slots as f64 * (HALVING * (halvings - far) + HALVING_FAR * far)
            })
        };
        let choices: f64 = self.resolved.cells.iter().map(search).sum();
        // streams: a comparison for each query and trial that comes to it
        let asked = |cell: &crate::record::ResolvedCell| {
            let stream = cell.stream.as_ref()?;
            let queries = stream.queries as f64;
            match &stream.gate {
                Some(gate) => Some(ASKED * gate.expected_answered.unwrap_or(queries)),
                None => Some(DECIDED * queries),
            }
        };
        let cells_asked = self.resolved.cells.iter();
        let choices = choices + cells_asked.filter_map(asked).sum::<f64>();
        // a descent reads its sample, or all records, in every step
        let descent = |cell: &crate::record::ResolvedCell| {
            cell.train.as_ref().map_or(0.0, |train| {
                let gathered = if train.sampling < 1.0 { GATHERED } else { 1.0 };
                let read = train.records as f64 * train.sampling * gathered;
                GRADIENT * read * train.features as f64 * train.steps as f64
            })
        };
        let descents: f64 = self.resolved.cells.iter().map(descent).sum();
        let computed: f64 = (self.cells().iter())
            .map(|cell| numbers(cell) * COMPUTED)
            .sum();
        let each = prices.draw * queries * sharing
            + prices.tally * rows
            + prices.pair * pairs
            + computed
            + choices
            + prices.tally * descents;
        let cell = match self.study.kind() {
            Kind::Compose => COUNTED,
            Kind::Release | Kind::Select | Kind::Stream | Kind::Train | Kind::ClipThenSum => CELL,
        };
        let seconds = (each * trials + cell * cells) * 1e-9 / threads as f64;
        let outcomes = cells * (of_all + of_query * queries);
        Cost {
            threads,
            seconds,
            bytes: (BASE
                + rows.min(ROWS) * (TALLY_ROW + SESSION_ROW * threads as f64)
                + OUTCOME * outcomes) as u64,
        }
    }
}
