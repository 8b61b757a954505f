//! What a run will cost, from what was measured per variate, per tallied value, per estimate, per figure. `scripts/bench-plan` compares
//! it with what the shipped experiments take.

use super::Plan;
use super::size::MANY_CELLS;
use crate::figure::FEW_CELLS;
use crate::measure::Rule;
use crate::procedure::Kind;
use crate::procedure::release::{Origin, ReleaseCell, Streams};
use crate::record;
use crate::summary::ALL_UP_TO;
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
/// Nanoseconds of reading or making a record of the data.
const RECORD: f64 = 2.5e3;
/// Nanoseconds of counting releases once.
const COUNTED: f64 = 2e6;
/// Nanoseconds of a noisy number that goes into others.
const PART: f64 = 3.0;
/// Nanoseconds of a number that is computed by a transform of a variate.
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
const DECIDED: f64 = 40.0;
/// Halvings that stay in a cache.
const NEAR: f64 = 13.0;

/// Bytes that the program needs before it simulates: code and tables.
const BASE: f64 = 24e6;
/// Bytes of the counts of a row in each session and in the tally.
const SESSION_ROW: f64 = 17e3;
const TALLY_ROW: f64 = 33e3;
/// Rows that are in memory at once: tiles are made no larger, and handed on when they are finished.
const ROWS: f64 = 1000.0;
/// Bytes of what is kept of a reported number until the record is written, where there are few cells; of its histogram, where that is
/// written; and of the laws of a pipeline's numbers, which are mixtures over the candidates for a bound.
const OUTCOME: f64 = 45e3;
const BINS: f64 = 2.5e5;
const MIXTURE: f64 = 2.5e5;
/// Bytes of a reported number while figures are drawn, and of a comparison, where there are more cells.
const READ_BACK: f64 = 6e3;
const COMPARED: f64 = 7e2;
/// Bytes of a cell that is planned, of a record of the data, and of a candidate.
const PLANNED: f64 = 4e3;
const RECORD_KEPT: f64 = 240.0;
const CANDIDATE: f64 = 95.0;

/// Nanoseconds of what is computed of noisy numbers in each trial of a cell.
fn computed(cell: &ReleaseCell) -> f64 {
    let derived = (cell.derivations.iter())
        .map(|derivation| derivation.parts.len() + derivation.targets.len());
    let processed = (cell.postprocessing.iter()).map(|step| step.members.len());
    let transformed = (cell.queries.iter())
        .filter(|query| matches!(query.origin, Origin::Noise(_)) && !query.is_scaled())
        .count();
    PART * derived.sum::<usize>() as f64
        + COMPUTED * (processed.sum::<usize>() + transformed) as f64
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
        let computed: f64 = self.cells().iter().map(computed).sum();
        let each = prices.draw * queries * sharing
            + prices.tally * rows
            + prices.pair * pairs
            + computed
            + choices
            + prices.tally * descents;
        let kind = self.study.kind();
        let reported = self.reported(of_all, of_query);
        let figures = match (self.resolved.figures.len(), cells) {
            (_, cells) if cells > record::MOST_CELLS as f64 => 0.0,
            (0, cells) if cells <= FEW_CELLS as f64 => 3.0,
            (0, _) => 1.0,
            (named, _) => named as f64,
        };
        let records: u64 = self.resolved.data.iter().map(|data| data.rows).sum();
        let counted = if kind == Kind::Compose { COUNTED } else { 0.0 };
        let shared = each * trials + counted * cells + reported.nanoseconds;
        let alone = PROCESS + FIGURE * figures + RECORD * records as f64;
        let own_rows = match kind {
            Kind::Release => rows,
            // of a choice there are counts, and few
            Kind::Select | Kind::Compose => of_all * cells,
            Kind::Stream | Kind::Train | Kind::ClipThenSum => reported.numbers,
        };
        let kept = if cells > MANY_CELLS as f64 {
            let read_back = match figures > 0.0 {
                true => READ_BACK * reported.numbers + COMPARED * pairs,
                false => 0.0,
            };
            PLANNED * cells + read_back
        } else {
            let laws = if kind == Kind::ClipThenSum {
                MIXTURE
            } else {
                0.0
            };
            (OUTCOME + laws) * reported.numbers + BINS * reported.histograms
        };
        let candidates = (self.resolved.cells.iter())
            .filter_map(|cell| cell.select.as_ref())
            .map(|select| select.candidates)
            .max()
            .unwrap_or(0);
        let held = RECORD_KEPT * records as f64 + CANDIDATE * candidates as f64;
        Cost {
            threads,
            seconds: (shared / threads as f64 + alone) * 1e-9,
            bytes: (BASE
                + own_rows.min(ROWS) * (TALLY_ROW + SESSION_ROW * threads as f64)
                + held
                + kept) as u64,
        }
    }

    /// What is said of all cells.
    fn reported(&self, of_all: f64, of_query: f64) -> Reported {
        let mut all = Reported::default();
        let answers = self.resolved.measures.iter().any(|name| name == "answer");
        for cell in &self.resolved.cells {
            let subjects = cell.subjects().len() as f64;
            let numbers = of_all + of_query * subjects;
            let each = match cell.noise.as_str() {
                "" | "laplace" => CLOSED,
                _ => INTEGRATED,
            };
            all.numbers += numbers;
            all.nanoseconds += each * numbers;
            if self.resolved.cells.len() <= ALL_UP_TO {
                all.histograms += of_all + if answers { subjects } else { 0.0 };
            }
        }
        all
    }
}

/// Numbers with estimates.
#[derive(Default)]
struct Reported {
    /// how many
    numbers: f64,
    /// of how many the histogram is written
    histograms: f64,
    /// what they take
    nanoseconds: f64,
}
