//! Lists of ranges of bins.

use crate::sensitivity::{Neighbours, Sensitivity};
use std::ops::Range;

/// Ranges of the bins 0 to `bins` − 1; as a matrix: a row for each, with ones in the range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    bins: usize,
    list: Vec<Range<usize>>,
}

/// Why a workload or a strategy is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WorkloadError {
    /// none, or too many
    #[error(
        "the number of bins is {bins}, but must be from 1 to {}",
        Ranges::MOST_BINS
    )]
    Count {
        /// the number given
        bins: usize,
    },
    /// a list that is empty or too long
    #[error(
        "there are {ranges} ranges, but there must be from 1 to {}: ask for fewer",
        Ranges::MOST_RANGES
    )]
    Length {
        /// the number given
        ranges: usize,
    },
    /// a range outside the bins
    #[error(
        "the range {start}..{end} is not one of {bins} bins: its start must be below its end, and its end at most {bins}"
    )]
    Range {
        /// the first bin
        start: usize,
        /// the bin behind the last
        end: usize,
        /// the number of bins
        bins: usize,
    },
    /// a workload and a strategy of different sizes
    #[error(
        "the workload is about {workload} bins, the strategy about {strategy}: use the same number"
    )]
    Bins {
        /// of the workload
        workload: usize,
        /// of the strategy
        strategy: usize,
    },
    /// a tree that does not branch
    #[error("the branching is {branching}, but a tree needs at least 2")]
    Branching {
        /// the number given
        branching: usize,
    },
}

impl Ranges {
    /// The largest number of bins.
    pub const MOST_BINS: usize = 1 << 14;

    /// The largest number of ranges.
    pub const MOST_RANGES: usize = 1 << 20;

    /// # Errors
    /// [`WorkloadError`] if there are no bins or too many, no ranges or too many, or a range is empty or outside
    pub fn new(bins: usize, list: Vec<Range<usize>>) -> Result<Ranges, WorkloadError> {
        if !(1..=Ranges::MOST_BINS).contains(&bins) {
            return Err(WorkloadError::Count { bins });
        }
        if !(1..=Ranges::MOST_RANGES).contains(&list.len()) {
            return Err(WorkloadError::Length { ranges: list.len() });
        }
        match list
            .iter()
            .find(|range| range.start >= range.end || range.end > bins)
        {
            None => Ok(Ranges { bins, list }),
            Some(&Range { start, end }) => Err(WorkloadError::Range { start, end, bins }),
        }
    }

    /// Every range: `bins`·(`bins` + 1)/2 of them, by their start, then by their end.
    ///
    /// # Errors
    /// [`WorkloadError`] if there are no bins, or more ranges than [`Ranges::MOST_RANGES`]
    pub fn all(bins: usize) -> Result<Ranges, WorkloadError> {
        let ranges = bins.saturating_mul(bins.saturating_add(1)) / 2;
        if ranges > Ranges::MOST_RANGES {
            return Err(WorkloadError::Length { ranges });
        }
        let list = (0..bins).flat_map(|start| (start + 1..=bins).map(move |end| start..end));
        Ranges::new(bins, list.collect())
    }

    /// Every range of that many bins.
    ///
    /// # Errors
    /// [`WorkloadError`] if there are no bins or too many, or no range is that long
    pub fn of_length(bins: usize, length: usize) -> Result<Ranges, WorkloadError> {
        if length == 0 || length > bins {
            return Err(WorkloadError::Range {
                start: 0,
                end: length,
                bins,
            });
        }
        Ranges::new(
            bins,
            (0..=bins - length)
                .map(|start| start..start + length)
                .collect(),
        )
    }

    /// The first bin, the first two, and so on to all of them.
    ///
    /// # Errors
    /// [`WorkloadError`] if there are no bins or too many
    pub fn prefixes(bins: usize) -> Result<Ranges, WorkloadError> {
        Ranges::new(bins, (1..=bins).map(|end| 0..end).collect())
    }

    /// Each bin by itself.
    ///
    /// # Errors
    /// [`WorkloadError`] if there are no bins or too many
    pub fn single(bins: usize) -> Result<Ranges, WorkloadError> {
        Ranges::new(bins, (0..bins).map(|bin| bin..bin + 1).collect())
    }

    /// The number of bins.
    pub fn bins(&self) -> usize {
        self.bins
    }

    /// The ranges.
    pub fn list(&self) -> &[Range<usize>] {
        &self.list
    }

    /// The sum of each range. `counts` has one number per bin.
    ///
    /// # Panics
    /// If there are fewer counts than bins.
    pub fn sums(&self, counts: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.list.len()];
        self.sums_of_rows(&mut counts[..self.bins].to_vec(), 1, &mut sums);
        sums
    }

    /// [`Ranges::sums`] for `trials` releases at once: a row of so many counts for each bin, and into `sums` one for each range.
    /// The counts are overwritten with the sums of the first bins.
    ///
    /// # Panics
    /// If `counts` or `sums` is shorter than that.
    pub fn sums_of_rows(&self, counts: &mut [f64], trials: usize, sums: &mut [f64]) {
        for bin in 1..self.bins {
            let (before, after) = counts.split_at_mut(bin * trials);
            let before = &before[(bin - 1) * trials..];
            for (count, before) in after[..trials].iter_mut().zip(before) {
                *count += before;
            }
        }
        for (range, sums) in self.list.iter().zip(sums.chunks_exact_mut(trials)) {
            let end = &counts[(range.end - 1) * trials..][..trials];
            match range.start {
                0 => sums.copy_from_slice(end),
                start => {
                    let start = &counts[(start - 1) * trials..][..trials];
                    for (sum, (end, start)) in sums.iter_mut().zip(end.iter().zip(start)) {
                        *sum = end - start;
                    }
                }
            }
        }
    }

    /// The sensitivity where one record counts in one bin: under add-remove the largest norm of a column of the matrix, under
    /// substitute that of a difference of two columns (Li and others, PODS 2010, §2).
    pub fn sensitivity(&self, neighbours: Neighbours) -> Sensitivity {
        let (l1, l2) = self.norms(neighbours, &vec![true; self.bins], false);
        Sensitivity { l1, l2 }
    }

    /// The L1 and L2 norms where records occur only in some of the bins, and perhaps outside all of them.
    pub(crate) fn norms(
        &self,
        neighbours: Neighbours,
        reachable: &[bool],
        outside: bool,
    ) -> (f64, f64) {
        let mut starting = vec![0_u64; self.bins + 1];
        let mut ending = vec![0_u64; self.bins + 1];
        for range in &self.list {
            starting[range.start] += 1;
            ending[range.end] += 1;
        }
        let mut covering = Vec::with_capacity(self.bins);
        let mut open = 0;
        for bin in 0..self.bins {
            open = open + starting[bin] - ending[bin];
            covering.push(open);
        }
        let most = (0..self.bins)
            .filter(|&bin| reachable[bin])
            .map(|bin| covering[bin])
            .max()
            .unwrap_or(0);
        let entries = match neighbours {
            Neighbours::AddRemove => most,
            Neighbours::Substitute => {
                let pair = self.largest_pair(reachable, &covering);
                if outside { pair.max(most) } else { pair }
            }
        };
        // the entries that change do so by 1
        (entries as f64, (entries as f64).sqrt())
    }

    /// The largest number of ranges that hold one of two bins but not both.
    fn largest_pair(&self, reachable: &[bool], covering: &[u64]) -> u64 {
        let mut by_start = self.list.clone();
        by_start.sort_unstable_by_key(|range| range.start);
        let mut pending = by_start.iter().peekable();
        // how many of the ranges that have begun end at each place
        let mut ends = vec![0_u64; self.bins + 1];
        let mut largest = 0;
        for bin in 0..self.bins {
            while let Some(range) = pending.next_if(|range| range.start <= bin) {
                ends[range.end] += 1;
            }
            if !reachable[bin] {
                continue;
            }
            // those that hold both: begun by now, and ending behind the other
            let mut both = 0;
            for other in (bin + 1..self.bins).rev() {
                both += ends[other + 1];
                if reachable[other] {
                    largest = largest.max(covering[bin] + covering[other] - 2 * both);
                }
            }
        }
        largest
    }
}
