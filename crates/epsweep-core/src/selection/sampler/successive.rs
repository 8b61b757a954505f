//! The inverse distribution function, several times without putting back.

use crate::selection::top_k::Slots;
use crate::selection::{Calibration, Problem};

/// Draws what peeling draws (and with even shares the one-shot Gumbel mechanism): slot after slot the exponential mechanism among the
/// candidates that are left, each by one uniform variate, the candidates being sorted from the best to the worst.
///
/// Candidates of equal scores form a group; a draw costs a binary search over the groups for each slot, whatever the number of candidates.
/// As with [`InverseCdf`](super::InverseCdf), the same variates give choices that are as alike as can be under different ε.
#[derive(Clone, Debug)]
pub struct Successive {
    calibration: Calibration,
    /// score of each group, descending
    scores: Vec<f64>,
    /// rank of the first candidate of each group, and behind the last
    first: Vec<usize>,
    /// candidates from the best to the worst, equal scores by index
    order: Vec<u32>,
    /// which table each slot uses
    tables: Vec<usize>,
    /// for each distinct share
    shares: Vec<Share>,
}

#[derive(Clone, Debug)]
struct Share {
    share: f64,
    /// weight of each group and all behind it, relative to that of one of its own candidates
    tails: Vec<f64>,
}

impl Successive {
    /// For slots of that problem.
    pub fn new(problem: &Problem, slots: &Slots) -> Successive {
        let scores = problem.scores().as_slice();
        let mut order: Vec<u32> = (0..scores.len() as u32)
            .filter(|&index| scores[index as usize] > f64::NEG_INFINITY)
            .collect();
        // adding 0 makes zeros of both signs equal
        let score = |index: u32| scores[index as usize] + 0.0;
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        let mut groups: Vec<f64> = Vec::new();
        let mut first = Vec::new();
        for (rank, &index) in order.iter().enumerate() {
            if groups.last() != Some(&score(index)) {
                groups.push(score(index));
                first.push(rank);
            }
        }
        first.push(order.len());
        let mut sampler = Successive {
            calibration: *problem.calibration(),
            scores: groups,
            first,
            order,
            tables: Vec::new(),
            shares: Vec::new(),
        };
        for &share in slots.shares() {
            let known = sampler.shares.iter().position(|s| s.share == share);
            let table = known.unwrap_or_else(|| {
                let tails = sampler.tails(share);
                sampler.shares.push(Share { share, tails });
                sampler.shares.len() - 1
            });
            sampler.tables.push(table);
        }
        sampler
    }

    /// How many candidates are drawn.
    pub fn slots(&self) -> usize {
        self.tables.len()
    }

    /// The weight of a candidate of group `behind`, relative to one of group `ahead`.
    fn ratio(&self, share: f64, ahead: usize, behind: usize) -> f64 {
        if share == 0.0 || ahead == behind {
            return 1.0;
        }
        libm::exp(
            -self
                .calibration
                .gap(self.scores[ahead], self.scores[behind])
                * share,
        )
    }

    fn tails(&self, share: f64) -> Vec<f64> {
        let groups = self.scores.len();
        let mut tails = vec![0.0; groups];
        let mut behind = 0.0;
        for group in (0..groups).rev() {
            let count = (self.first[group + 1] - self.first[group]) as f64;
            tails[group] = count + behind;
            if group > 0 {
                behind = tails[group] * self.ratio(share, group - 1, group);
            }
        }
        tails
    }

    fn group(&self, rank: usize) -> usize {
        self.first.partition_point(|&first| first <= rank) - 1
    }

    /// Fills the slots: `uniforms[s]`, in (0, 1), draws slot s. `chosen` gets the indices of the candidates, one for each slot.
    ///
    /// # Panics
    /// If there are not as many variates and places as slots.
    pub fn draw(&self, uniforms: impl Fn(usize) -> f64, chosen: &mut [u32]) {
        assert_eq!(chosen.len(), self.slots(), "one place for each slot");
        // ranks so far, ascending
        let mut taken: Vec<usize> = Vec::with_capacity(chosen.len());
        for (slot, place) in chosen.iter_mut().enumerate() {
            let rank = self.rank(slot, uniforms(slot), &taken);
            let at = taken.partition_point(|&other| other < rank);
            taken.insert(at, rank);
            *place = self.order[rank];
        }
    }

    /// The rank that a variate chooses among those not taken.
    fn rank(&self, slot: usize, uniform: f64, taken: &[usize]) -> usize {
        let table = &self.shares[self.tables[slot]];
        let end = self.order.len();
        // the best that is left: its weight is the unit, so that the total is at least 1
        let best = (taken.iter().enumerate())
            .find(|&(place, &rank)| place != rank)
            .map_or(taken.len(), |(place, _)| place);
        let base = self.group(best);
        // weight of all ranks from `rank` on
        let mass = |rank: usize| {
            if rank == end {
                return 0.0;
            }
            let group = self.group(rank);
            let within = (rank - self.first[group]) as f64;
            self.ratio(table.share, base, group) * (table.tails[group] - within)
        };
        // stretches between those taken: each holds untaken ranks only
        let starts =
            std::iter::once(best).chain((taken.iter()).filter(|rank| **rank > best).map(|r| r + 1));
        let ends = (taken.iter().copied())
            .filter(|rank| *rank > best)
            .chain([end]);
        let stretches = || (starts.clone().zip(ends.clone())).filter(|(from, to)| from < to);
        let total: f64 = stretches().map(|(from, to)| mass(from) - mass(to)).sum();
        let mut left = uniform * total;
        let mut found = best;
        for (from, to) in stretches() {
            let here = mass(from) - mass(to);
            found = to - 1;
            if left < here {
                return self.within(table.share, base, from, to, left, &mass);
            }
            left -= here;
        }
        // rounding has left nothing: the last of all
        found
    }

    /// The rank of [from, to) at which the weight from `from` on passes `left`.
    fn within(
        &self,
        share: f64,
        base: usize,
        from: usize,
        to: usize,
        left: f64,
        mass: &impl Fn(usize) -> f64,
    ) -> usize {
        let all = mass(from);
        let (low, high) = (self.group(from), self.group(to - 1));
        // the last group of the stretch that begins at or before the place
        let (mut group, mut beyond) = (low, high + 1);
        while beyond - group > 1 {
            let middle = group + (beyond - group) / 2;
            if all - mass(self.first[middle]) <= left {
                group = middle;
            } else {
                beyond = middle;
            }
        }
        let start = from.max(self.first[group]);
        let last = to.min(self.first[group + 1]) - 1;
        let weight = self.ratio(share, base, group);
        let rest = left - (all - mass(start));
        let steps = if weight > 0.0 { rest / weight } else { 0.0 };
        (start + steps as usize).min(last)
    }
}
