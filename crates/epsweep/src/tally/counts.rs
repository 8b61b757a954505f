//! The half of a tally that consists of integers and extremes: any order of merging gives the same bits.

use super::kind::RowKind;
use super::lanes::Wins;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Where the bins of each row lie in one long buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    kinds: Vec<RowKind>,
    first: Vec<usize>,
    pairs: usize,
}

impl Layout {
    /// Of these rows, and of `pairs` paired rows, which have no bins.
    pub fn new(kinds: Vec<RowKind>, pairs: usize) -> Layout {
        let mut first = Vec::with_capacity(kinds.len() + 1);
        let mut next = 0;
        for kind in &kinds {
            first.push(next);
            next += kind.bins();
        }
        first.push(next);
        Layout {
            kinds,
            first,
            pairs,
        }
    }

    /// Kinds of the rows.
    pub fn kinds(&self) -> &[RowKind] {
        &self.kinds
    }

    /// Number of paired rows.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// Bins of all rows together.
    pub fn bins(&self) -> usize {
        self.first[self.kinds.len()]
    }

    /// Where the bins of row `row` lie.
    pub fn range(&self, row: usize) -> Range<usize> {
        self.first[row]..self.first[row + 1]
    }
}

/// Counts of what a session has simulated. Its bins are 32 bits wide, to keep more of them in the cache; the scheduler closes a
/// session before they can overflow.
#[derive(Debug)]
pub struct SessionCounts {
    /// the bins of all rows
    pub bins: Vec<u32>,
    /// least value of each row
    pub min: Vec<f64>,
    /// largest value of each row
    pub max: Vec<f64>,
    /// win, tie and loss of each paired row
    pub wins: Vec<Wins>,
}

/// Counts of a tile: totals, 64 bits wide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// the bins of all rows
    pub bins: Vec<u64>,
    /// least value of each row, ∞ where there is none
    pub min: Vec<f64>,
    /// largest value of each row, −∞ where there is none
    pub max: Vec<f64>,
    /// win, tie and loss of each paired row
    pub wins: Vec<Wins>,
}

impl SessionCounts {
    /// Nothing counted yet.
    pub fn new(layout: &Layout, pool: &Pool) -> SessionCounts {
        let rows = layout.kinds().len();
        SessionCounts {
            bins: pool.take(layout.bins()),
            min: vec![f64::INFINITY; rows],
            max: vec![f64::NEG_INFINITY; rows],
            wins: vec![Wins::default(); layout.pairs()],
        }
    }

    /// Widens the extremes of row `row`.
    pub fn extend(&mut self, row: usize, min: f64, max: f64) {
        widen(&mut self.min[row], &mut self.max[row], min, max);
    }
}

impl Counts {
    /// Nothing counted yet.
    pub fn new(layout: &Layout) -> Counts {
        let rows = layout.kinds().len();
        Counts {
            bins: vec![0; layout.bins()],
            min: vec![f64::INFINITY; rows],
            max: vec![f64::NEG_INFINITY; rows],
            wins: vec![Wins::default(); layout.pairs()],
        }
    }

    /// Adds what a session has counted under this layout, and gives its buffer back.
    pub fn absorb_session(&mut self, mut session: SessionCounts, layout: &Layout, pool: &Pool) {
        for (row, kind) in layout.kinds().iter().enumerate() {
            let (min, max) = (session.min[row], session.max[row]);
            if !(min <= max) {
                continue;
            }
            // no value lies outside of the bins of these two
            let first = layout.range(row).start;
            let used = first + kind.place(min)..=first + kind.place(max);
            let parts = &mut session.bins[used.clone()];
            for (total, part) in self.bins[used].iter_mut().zip(parts) {
                *total += u64::from(*part);
                *part = 0;
            }
        }
        self.absorb_rest(&session.min, &session.max, &session.wins);
        pool.give(session.bins);
    }

    /// Widens the extremes of row `row`.
    pub fn extend(&mut self, row: usize, min: f64, max: f64) {
        widen(&mut self.min[row], &mut self.max[row], min, max);
    }

    /// Adds what was counted elsewhere.
    pub fn absorb(&mut self, other: &Counts) {
        for (total, part) in self.bins.iter_mut().zip(&other.bins) {
            *total += part;
        }
        self.absorb_rest(&other.min, &other.max, &other.wins);
    }

    fn absorb_rest(&mut self, min: &[f64], max: &[f64], wins: &[Wins]) {
        for (row, (min, max)) in min.iter().zip(max).enumerate() {
            self.extend(row, *min, *max);
        }
        for (total, part) in self.wins.iter_mut().zip(wins) {
            total.absorb(part);
        }
    }
}

fn widen(min: &mut f64, max: &mut f64, low: f64, high: f64) {
    if low < *min {
        *min = low;
    }
    if high > *max {
        *max = high;
    }
}

/// Buffers of zeros that go from tile to tile: giving megabytes back to the system after each tile costs more than simulating it.
#[derive(Debug, Default)]
pub struct Pool {
    free: Mutex<Vec<Vec<u32>>>,
}

impl Pool {
    /// A buffer of `len` zeros.
    fn take(&self, len: usize) -> Vec<u32> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let buffer = free.pop();
        drop(free);
        match buffer {
            Some(mut buffer) => {
                buffer.resize(len, 0);
                buffer
            }
            // memory that the system has just cleared is not cleared again
            None => vec![0; len],
        }
    }

    /// Takes a buffer back that holds nothing but zeros.
    fn give(&self, buffer: Vec<u32>) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_order_gives_the_same_totals() {
        let layout = Layout::new(vec![RowKind::real(1.0), RowKind::Index { n: 3 }], 1);
        let pool = Pool::default();
        let one = RowKind::real(1.0).place(1.0);
        let part = |i: usize| {
            let mut s = SessionCounts::new(&layout, &pool);
            assert!(s.bins.iter().all(|bin| *bin == 0), "used buffers are clean");
            s.bins[layout.range(0).start + RowKind::real(1.0).place(i as f64)] = u32::MAX;
            s.bins[layout.range(1).start + 1] = 7;
            s.extend(0, i as f64, 10.0 * i as f64);
            s.extend(1, 1.0, 1.0);
            s.wins[0].win = i as u64;
            s
        };
        let total = |order: [usize; 3]| {
            let mut c = Counts::new(&layout);
            for i in order {
                let mut one = Counts::new(&layout);
                one.absorb_session(part(i), &layout, &pool);
                c.absorb(&one);
            }
            c
        };
        let c = total([1, 1, 2]);
        assert_eq!(c, total([2, 1, 1]));
        assert_eq!(
            c.bins[one],
            2 * u64::from(u32::MAX),
            "wider than a session's"
        );
        assert_eq!(c.bins[layout.range(1)], [0, 21, 0]);
        assert_eq!((c.min[0], c.max[0], c.wins[0].win), (1.0, 20.0, 4));
        assert_eq!((c.min[1], c.max[1]), (1.0, 1.0));
    }
}
