//! From runs to a finding.

use super::file::Audit;
use super::process::ProcessError;
use super::report::{Report, describe};
use super::sample::{Block, Part, Sampler};
use crate::engine::{Progress, ThreadsError, pool};
use epsweep_core::audit::event::{Counts, Event, best};
use epsweep_core::audit::reduction::{self, Context, Reduction};
use epsweep_core::audit::{Outputs, Partition, Reading, certify};
use epsweep_core::statistics::{StatisticsError, quantile_sorted};
use rayon::prelude::*;

/// Runs on each input from which cells are learnt.
const PILOT: u64 = 1 << 16;
/// A number whose median moves by less than this share of its interquartile range between the inputs is taken not to move.
const UNMOVED: f64 = 0.05;

/// Why an audit has no result.
#[derive(Debug, thiserror::Error)]
pub enum AuditFailure {
    /// a program failed
    #[error("{error}\n  command: {ran}\n  input:   {input}")]
    Process {
        /// what happened
        error: ProcessError,
        /// the command line that was run
        ran: String,
        /// the data set that it was given
        input: String,
    },
    /// a program printed what is no output
    #[error("the output of `{program}`: {what}")]
    Output {
        /// its name
        program: String,
        /// what is wrong
        what: String,
    },
    /// the threads could not be started
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// a bound could not be computed
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}

impl Audit {
    /// Runs the audit on so many threads (0 takes all processors). The report is the same for any number.
    ///
    /// # Errors
    /// [`AuditFailure`] if a run of a program fails, or the threads cannot be started
    pub fn run(&self, threads: usize, progress: &Progress) -> Result<Report, AuditFailure> {
        let pool = pool(threads)?;
        pool.install(|| Search::new(self, progress).report())
    }
}

/// How the runs on each input are divided.
struct Parts {
    order: u64,
    choose: u64,
    certify: u64,
}

/// One reduction of the outputs on one pair, with the cells of its numbers.
struct View {
    reduction: Box<dyn Reduction>,
    partition: Partition,
}

struct Search<'a> {
    audit: &'a Audit,
    sampler: &'a dyn Sampler,
    reading: &'a dyn Reading,
    parts: Parts,
    progress: &'a Progress,
}

/// Hits of the cells of each view, on both inputs.
type Tallies = Vec<[Vec<u64>; 2]>;

impl<'a> Search<'a> {
    fn new(audit: &'a Audit, progress: &'a Progress) -> Search<'a> {
        let certify = audit.trials - audit.trials / 2;
        let order = (audit.trials - certify).div_ceil(2);
        Search {
            audit,
            sampler: audit.sampler(),
            reading: audit.reading(),
            parts: Parts {
                order,
                choose: audit.trials - certify - order,
                certify,
            },
            progress,
        }
    }

    fn report(&self) -> Result<Report, AuditFailure> {
        let pairs = self.sampler.pairs().len();
        // the search among pairs costs as much again as the choice of the event
        let screened = (self.parts.choose / pairs as u64).max(1);
        let searching = if pairs > 1 {
            4 * screened * pairs as u64
        } else {
            0
        };
        (self.progress).begin(2 * self.audit.trials + searching);
        let mut pair = 0;
        if pairs > 1 {
            let mut most = f64::NEG_INFINITY;
            for candidate in 0..pairs {
                let (.., event) = self.choose(candidate, screened, screened)?;
                if event.promise > most {
                    (pair, most) = (candidate, event.promise);
                }
            }
        }
        let (mut views, chosen, event) = self.choose(pair, self.parts.order, self.parts.choose)?;
        let view = [views.swap_remove(chosen)];
        let runs = self.parts.certify;
        let tally = self.count(&view, pair, Part::Certify, 0, runs)?;
        let hits = event.hits([&tally[0][0], &tally[0][1]]);
        let finding = certify(self.reading, hits, runs, self.audit.level)?;
        let [view] = view;
        Ok(Report {
            pair: self.sampler.pairs()[pair].clone(),
            pairs,
            likelier: event.likelier,
            event: describe(
                &view.partition,
                &event,
                view.reduction.as_ref(),
                self.sampler,
            ),
            finding,
        })
    }

    /// The views of a pair's outputs, and the best event of them: which view it is of, and its cells.
    fn choose(
        &self,
        pair: usize,
        order: u64,
        choose: u64,
    ) -> Result<(Vec<View>, usize, Event), AuditFailure> {
        // the order's first runs are kept: cells are learnt from them, and they are counted
        let chunk = self.sampler.chunk() as u64;
        let kept = order.min(PILOT.next_multiple_of(chunk));
        let mut pilot = Vec::new();
        // the very first block alone: what it holds says what outputs are
        pilot.push(self.sample(pair, Part::Order, 0, kept.min(chunk))?);
        let rest: Vec<[Outputs; 2]> = (1..kept.div_ceil(chunk))
            .into_par_iter()
            .map(|block| self.sample(pair, Part::Order, block, (kept - block * chunk).min(chunk)))
            .collect::<Result<_, _>>()?;
        pilot.extend(rest);
        let views = self.views(pair, &pilot, order);
        let mut ordered = self.count(&views, pair, Part::Order, kept.div_ceil(chunk), order)?;
        for outputs in &pilot {
            count_block(&views, outputs, &mut ordered);
        }
        let chosen = self.count(&views, pair, Part::Choose, 0, choose)?;
        let mut found: Option<(usize, Event)> = None;
        for (view, (ordered, chosen)) in ordered.iter().zip(&chosen).enumerate() {
            let order = Counts {
                hits: [&ordered[0], &ordered[1]],
                runs: order,
            };
            let choose = Counts {
                hits: [&chosen[0], &chosen[1]],
                runs: choose,
            };
            let event = best(self.reading, order, choose, self.audit.level)?;
            let better = |(_, known): &(usize, Event)| event.promise > known.promise;
            if found.as_ref().is_none_or(better) {
                found = Some((view, event));
            }
        }
        let nothing = || Event {
            cells: Vec::new(),
            likelier: 0,
            promise: 0.0,
        };
        let (view, event) = found.unwrap_or_else(|| (0, nothing()));
        Ok((views, view, event))
    }

    /// A block on both inputs.
    fn sample(
        &self,
        pair: usize,
        part: Part,
        chunk: u64,
        runs: u64,
    ) -> Result<[Outputs; 2], AuditFailure> {
        let of = |side| {
            self.sampler.sample(&Block {
                pair,
                side,
                part,
                chunk,
                runs: runs as usize,
            })
        };
        let outputs = [of(0)?, of(1)?];
        self.progress.advance(2 * runs);
        Ok(outputs)
    }

    /// Every reduction that makes sense, with cells learnt from the pilot.
    fn views(&self, pair: usize, pilot: &[[Outputs; 2]], runs: u64) -> Vec<View> {
        let columns = pilot.first().map_or(0, |outputs| outputs[0].columns());
        let centres = (self.sampler.centres(pair)).unwrap_or_else(|| medians(pilot, columns));
        let context = Context {
            columns,
            centres: [&centres[0], &centres[1]],
            deployment: self.audit.deployment,
        };
        // the cube root, as for a histogram: more cells cut finer, and are each ordered worse
        let cells = libm::cbrt(2.0 * runs as f64) as usize;
        let outcomes: Vec<u32> = (pilot.iter().flatten())
            .flat_map(|outputs| outputs.outcomes().iter().copied())
            .collect();
        (reduction::all(&context).into_iter())
            .map(|reduction| {
                let numbers: Vec<f64> = (pilot.iter().flatten())
                    .flat_map(|outputs| reduced(reduction.as_ref(), outputs))
                    .collect();
                let partition = Partition::learn(&outcomes, &numbers, cells.clamp(16, 512));
                View {
                    reduction,
                    partition,
                }
            })
            .collect()
    }

    /// Counts the cells of all views in the blocks from `first` on, up to so many runs.
    fn count(
        &self,
        views: &[View],
        pair: usize,
        part: Part,
        first: u64,
        runs: u64,
    ) -> Result<Tallies, AuditFailure> {
        let chunk = self.sampler.chunk() as u64;
        let none = || -> Tallies {
            (views.iter())
                .map(|view| [0, 1].map(|_| vec![0; view.partition.cells()]))
                .collect()
        };
        (first..runs.div_ceil(chunk))
            .into_par_iter()
            .try_fold(none, |mut tallies, block| {
                let outputs = self.sample(pair, part, block, (runs - block * chunk).min(chunk))?;
                count_block(views, &outputs, &mut tallies);
                Ok(tallies)
            })
            .try_reduce(none, |mut a, b| {
                let cells = |tallies: Tallies| tallies.into_iter().flatten().flatten();
                for (a, b) in a.iter_mut().flatten().flatten().zip(cells(b)) {
                    *a += b;
                }
                Ok(a)
            })
    }
}

fn reduced(reduction: &dyn Reduction, outputs: &Outputs) -> Vec<f64> {
    let mut out = vec![0.0; outputs.runs()];
    reduction.apply(outputs, &mut out);
    out
}

fn count_block(views: &[View], outputs: &[Outputs; 2], tallies: &mut Tallies) {
    for (view, tally) in views.iter().zip(tallies) {
        for (outputs, counts) in outputs.iter().zip(tally) {
            let numbers = reduced(view.reduction.as_ref(), outputs);
            (view.partition).count(outputs.outcomes(), &numbers, counts);
        }
    }
}

/// The median of each number on both inputs; the same on both where it does not move.
fn medians(pilot: &[[Outputs; 2]], columns: usize) -> [Vec<f64>; 2] {
    let mut centres = [Vec::new(), Vec::new()];
    for column in 0..columns {
        let [a, b] = [0, 1].map(|side: usize| {
            let mut numbers: Vec<f64> = (pilot.iter())
                .flat_map(|outputs| outputs[side].column(column).iter().copied())
                .collect();
            numbers.sort_by(f64::total_cmp);
            // a pilot has a run at least
            [0.25, 0.5, 0.75].map(|p| quantile_sorted(&numbers, p).unwrap_or(0.0))
        });
        let unmoved = (b[1] - a[1]).abs() <= UNMOVED * (a[2] - a[0]);
        centres[0].push(a[1]);
        centres[1].push(if unmoved { a[1] } else { b[1] });
    }
    centres
}
