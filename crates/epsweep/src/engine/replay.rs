//! The second pass of exact quantiles: the noise is drawn again, and of the rows only the values near wanted ranks are kept.

use super::scheduler::{Schedule, ThreadsError, on_workers};
use super::tile::Work;
use crate::tally::{Brackets, Layout, OrderStatistics, SIFTED, Tally, sift};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Simulates chunks again, without tallying them.
pub trait Replay {
    /// Shows `visit` the blocks of trials `0..to` of a chunk: the row's number, its values.
    fn chunk(&mut self, chunk: u64, to: usize, visit: &mut dyn FnMut(usize, &[f64]));
}

/// Values of all rows of a tile that are kept at once: 32 MiB of them.
const MOST_KEPT: u64 = 1 << 22;
/// Chunks that a worker takes at once.
const SPAN: u64 = 4;

/// The order statistics that are wanted of the rows of a finished tile: `ranks` says which of a row of so many values. `None`
/// for rows that are not of reals, whose histogram is exact. Returns `None` altogether when `stop` becomes true.
///
/// Passes take turns until few enough values are left: each divides the stretches of values in which wanted ranks lie into 4096,
/// so that memory does not depend on the number of trials.
///
/// # Errors
/// If the threads cannot be started.
pub fn order_statistics(
    work: &dyn Work,
    tally: &Tally,
    ranks: &dyn Fn(u64) -> Vec<u64>,
    schedule: &Schedule,
    stop: &AtomicBool,
) -> Result<Option<Vec<Option<OrderStatistics>>>, ThreadsError> {
    order_statistics_within(MOST_KEPT, work, tally, ranks, schedule, stop)
}

/// As [`order_statistics`], with at most about `most` values kept at once. The result does not depend on it.
pub(crate) fn order_statistics_within(
    most: u64,
    work: &dyn Work,
    tally: &Tally,
    ranks: &dyn Fn(u64) -> Vec<u64>,
    schedule: &Schedule,
    stop: &AtomicBool,
) -> Result<Option<Vec<Option<OrderStatistics>>>, ThreadsError> {
    let layout = work.layout();
    let most = most / layout.kinds().len().max(1) as u64;
    let mut rows: Vec<Row> = Vec::new();
    // rows differ in their number of values only where some are undefined
    let mut known: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for (row, kind) in layout.kinds().iter().enumerate() {
        let counts = &tally.counts.bins[layout.range(row)];
        if kind.is_real() {
            let n: u64 = counts.iter().sum();
            let ranks = known.entry(n).or_insert_with(|| ranks(n)).clone();
            let brackets = Brackets::new(*kind, counts, ranks);
            rows.push(Row::new(row, counts.len(), brackets));
        }
    }
    let pass = Pass {
        work,
        schedule,
        stop,
        trials: tally.trials,
        layout: &layout,
    };
    // a bracket that cannot be narrowed is one value, and counts for nothing: this comes to an end
    while rows.iter().any(|row| row.brackets.count() > most) {
        for row in &mut rows {
            row.finer = row.brackets.count() > most;
        }
        let Some(found) = pass.run(&rows)? else {
            return Ok(None);
        };
        for (row, found) in rows.iter_mut().zip(found) {
            if row.finer {
                row.brackets = row.brackets.narrowed(&found.counts);
            }
        }
    }
    for row in &mut rows {
        row.finer = false;
    }
    let Some(found) = pass.run(&rows)? else {
        return Ok(None);
    };
    let mut order = vec![None; layout.kinds().len()];
    for (row, found) in rows.into_iter().zip(found) {
        order[row.row] = Some(row.brackets.select(found.kept));
    }
    Ok(Some(order))
}

/// What is looked for in a row.
struct Row {
    row: usize,
    brackets: Brackets,
    /// 1 for the histogram's bins that the brackets lie in, 0 for the others
    wanted: Vec<u8>,
    /// whether values are counted in finer bins, or kept
    finer: bool,
}

impl Row {
    fn new(row: usize, bins: usize, brackets: Brackets) -> Row {
        let mut wanted = vec![0; bins];
        for place in brackets.places() {
            wanted[*place] = 1;
        }
        Row {
            row,
            brackets,
            wanted,
            finer: false,
        }
    }
}

/// What was found in a row.
#[derive(Default)]
struct Found {
    kept: Vec<u64>,
    counts: Vec<u64>,
}

struct Pass<'a> {
    work: &'a dyn Work,
    schedule: &'a Schedule,
    stop: &'a AtomicBool,
    trials: u64,
    layout: &'a Layout,
}

impl Pass<'_> {
    /// One pass over all trials; `None` if it was stopped.
    fn run(&self, rows: &[Row]) -> Result<Option<Vec<Found>>, ThreadsError> {
        let len = self.work.chunk_len() as u64;
        let chunks = self.trials.div_ceil(len);
        let next = AtomicU64::new(0);
        let total = Mutex::new(rows.iter().map(Found::of).collect::<Vec<_>>());
        let worker = || {
            let mut found: Vec<Found> = rows.iter().map(Found::of).collect();
            let mut of_row = vec![None; self.layout.kinds().len()];
            rows.iter()
                .enumerate()
                .for_each(|(index, row)| of_row[row.row] = Some(index));
            let Schedule { seed, level, .. } = *self.schedule;
            let mut replay = self.work.replay(seed, level);
            let mut room = [0.0; SIFTED];
            let mut visit = |row: usize, values: &[f64]| {
                let Some(index) = of_row[row] else {
                    return;
                };
                let (row, found): (&Row, &mut Found) = (&rows[index], &mut found[index]);
                let kind = self.layout.kinds()[row.row];
                let kept = sift(level, kind, &row.wanted, values, &mut room);
                if row.finer {
                    row.brackets.count_values(&room[..kept], &mut found.counts);
                } else {
                    row.brackets.keep(&room[..kept], &mut found.kept);
                }
            };
            while !self.stop.load(Ordering::Relaxed) {
                let first = next.fetch_add(SPAN, Ordering::Relaxed);
                if first >= chunks {
                    break;
                }
                for chunk in first..(first + SPAN).min(chunks) {
                    let to = (self.trials - chunk * len).min(len);
                    replay.chunk(chunk, to as usize, &mut visit);
                }
            }
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            for (total, found) in total.iter_mut().zip(found) {
                total.absorb(found);
            }
        };
        let values = (self.trials).saturating_mul(self.layout.kinds().len() as u64);
        on_workers(self.schedule, values, &worker)?;
        let total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((!self.stop.load(Ordering::Relaxed)).then_some(total))
    }
}

impl Found {
    fn of(row: &Row) -> Found {
        Found {
            kept: Vec::new(),
            counts: match row.finer {
                true => vec![0; row.brackets.finer_bins()],
                false => Vec::new(),
            },
        }
    }

    fn absorb(&mut self, other: Found) {
        if self.kept.is_empty() {
            self.kept = other.kept;
        } else {
            self.kept.extend(other.kept);
        }
        for (total, part) in self.counts.iter_mut().zip(other.counts) {
            *total += part;
        }
    }
}
