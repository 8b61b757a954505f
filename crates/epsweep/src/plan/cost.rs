//! What a run will cost, from what was measured per variate and per tallied value.

use super::Plan;
use crate::measure::Rule;
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

/// Nanoseconds of one thread: a Laplace variate, a tallied value, a tallied difference.
struct Prices {
    draw: f64,
    tally: f64,
    pair: f64,
}

/// Measured by the benches of this crate and the core.
fn prices(level: Level) -> Prices {
    match level.name() {
        "avx512" => Prices {
            draw: 0.45,
            tally: 0.65,
            pair: 0.9,
        },
        "avx2" => Prices {
            draw: 0.9,
            tally: 1.0,
            pair: 1.4,
        },
        _ => Prices {
            draw: 1.8,
            tally: 1.7,
            pair: 2.4,
        },
    }
}

/// What the program needs before it simulates: fonts, tables, code.
const BASE: f64 = 24e6;
/// A histogram of a row (counts of a session, and of the tally).
const ROW: f64 = 100e3;
/// What is kept of a reported number until the record is written.
const OUTCOME: f64 = 60e3;

/// Nanoseconds of a number that is computed from noisy ones, or by a transform of a variate.
const COMPUTED: f64 = 20.0;

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
        let computed: f64 = self
            .cells()
            .iter()
            .map(|cell| numbers(cell) * COMPUTED)
            .sum();
        let each =
            prices.draw * queries * sharing + prices.tally * rows + prices.pair * pairs + computed;
        let seconds = each * self.settings.trials as f64 * 1e-9 / threads as f64;
        let outcomes = cells * (of_all + of_query * queries);
        Cost {
            threads,
            seconds,
            bytes: (BASE + ROW * rows.min(2000.0) * (threads as f64 + 1.0) + OUTCOME * outcomes)
                as u64,
        }
    }
}
