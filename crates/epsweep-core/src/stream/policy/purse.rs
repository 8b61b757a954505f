//! A filter for each trial of a block, in lock-step.
//!
//! What [`Filter`](crate::accounting::filter::Filter) decides is decided here, for hundreds of trials at once: sums are kept to twice the
//! digits of a double, which settles all but sums that meet the capacity to 26 digits; those are offered to a real filter, spend by spend.

use super::terms::{Guarantee, Terms};
use std::cell::RefCell;

/// Sums of the amounts that were granted, and each of them.
#[derive(Clone, Debug)]
pub(super) struct Purse {
    guarantee: Guarantee,
    capacity: f64,
    /// how near to the capacity a sum must come for a filter to be asked
    doubt: f64,
    /// positions that share the capacity, and requests at each
    span: usize,
    parts: usize,
    block: usize,
    trials: usize,
    high: Vec<f64>,
    low: Vec<f64>,
    /// what was granted: for each request of each position, one amount for each trial of a block
    granted: Vec<f64>,
    /// what a filter was asked last: trials of a policy that does not adapt ask the same
    last: RefCell<Asked>,
}

/// Amounts that were offered to a filter, one after another, and whether it admitted all.
#[derive(Clone, Debug, Default)]
struct Asked {
    amounts: Vec<f64>,
    admitted: Option<bool>,
}

impl Purse {
    /// For blocks of at most `block` trials.
    pub fn new(block: usize) -> Purse {
        Purse {
            guarantee: Guarantee::Pure { epsilon: 0.0 },
            capacity: 0.0,
            doubt: 0.0,
            span: 1,
            parts: 1,
            block,
            trials: 0,
            high: vec![0.0; block],
            low: vec![0.0; block],
            granted: Vec::new(),
            last: RefCell::default(),
        }
    }

    /// Nothing taken yet, in so many trials with so many requests at a position.
    pub fn begin(&mut self, terms: &Terms, trials: usize, parts: usize) {
        self.guarantee = *terms.guarantee();
        self.last.get_mut().admitted = None;
        self.capacity = terms.capacity();
        self.doubt = self.capacity
            * match self.guarantee {
                // the filter rounds its formula
                Guarantee::Approximate { .. } => 1e-12,
                _ => 1e-26,
            };
        (self.span, self.parts, self.trials) = (terms.span(), parts, trials);
        self.high[..trials].fill(0.0);
        self.low[..trials].fill(0.0);
        let slots = terms.horizon() * parts;
        if self.granted.len() < slots * self.block {
            self.granted.resize(slots * self.block, 0.0);
        }
    }

    /// What was granted for a request of a position.
    #[inline(always)]
    pub fn row(&self, position: usize, part: usize) -> &[f64] {
        let slot = position * self.parts + part;
        &self.granted[slot * self.block..][..self.trials]
    }

    /// Requests at each position.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Turns to a position: nothing has been asked there, and what lies before its window no longer counts.
    pub fn turn_to(&mut self, position: usize) {
        let first = position * self.parts * self.block;
        self.granted[first..first + self.parts * self.block].fill(0.0);
        let Some(gone) = position.checked_sub(self.span) else {
            return;
        };
        for part in 0..self.parts {
            let slot = gone * self.parts + part;
            let row = &self.granted[slot * self.block..][..self.trials];
            for ((high, low), amount) in self.high.iter_mut().zip(&mut self.low).zip(row) {
                (*high, *low) = added(*high, *low, -amount);
            }
        }
    }

    /// What is taken, within the window that ends here.
    #[inline(always)]
    pub fn taken(&self, trial: usize) -> f64 {
        self.high[trial]
    }

    /// Takes an amount, or refuses it. What is not above 0 is not asked for.
    #[inline(always)]
    pub fn take(&mut self, position: usize, part: usize, trial: usize, amount: f64) -> bool {
        let (high, low) = added(self.high[trial], self.low[trial], amount);
        let left = (self.capacity - high) - low;
        let fits = if left.abs() > self.doubt {
            left > 0.0
        } else {
            self.filter_admits(position, trial, amount)
        };
        if fits {
            (self.high[trial], self.low[trial]) = (high, low);
            let slot = position * self.parts + part;
            self.granted[slot * self.block + trial] = amount;
        }
        fits
    }

    /// Asks a filter that has admitted all that counts so far.
    #[cold]
    #[inline(never)]
    fn filter_admits(&self, position: usize, trial: usize, amount: f64) -> bool {
        let first = (position + 1).saturating_sub(self.span);
        self.admits(first..position + 1, trial, Some(amount))
    }

    /// Whether a filter admits what was granted at these positions, and then one more amount.
    fn admits(&self, positions: std::ops::Range<usize>, trial: usize, more: Option<f64>) -> bool {
        let slots = positions.start * self.parts..positions.end * self.parts;
        let amounts = || {
            (slots
                .clone()
                .map(|slot| self.granted[slot * self.block + trial]))
            .chain(more)
            .filter(|amount| *amount != 0.0)
        };
        let mut last = self.last.borrow_mut();
        if let Some(admitted) = last.admitted
            && last.amounts.iter().copied().eq(amounts())
        {
            return admitted;
        }
        let admitted = self.guarantee.filter().is_ok_and(|mut filter| {
            amounts().all(|amount| matches!(filter.offer(self.guarantee.spend(amount)), Ok(true)))
        });
        last.amounts.clear();
        last.amounts.extend(amounts());
        last.admitted = Some(admitted);
        admitted
    }

    /// Marks the trials (with 1) in which more was granted than the guarantee allows: summed anew from what was granted, window by window,
    /// and where plain sums leave a doubt, by a filter.
    pub fn audit(&self, horizon: usize, sums: &mut [f64], over: &mut [f64]) {
        over[..self.trials].fill(0.0);
        let sums = &mut sums[..self.trials];
        for end in self.span..=horizon {
            let slots = (end - self.span) * self.parts..end * self.parts;
            let rounding = 1.0 + slots.len() as f64 * f64::EPSILON;
            sums.fill(0.0);
            for slot in slots {
                let row = &self.granted[slot * self.block..][..self.trials];
                for (sum, amount) in sums.iter_mut().zip(row) {
                    *sum += amount;
                }
            }
            for (trial, sum) in sums.iter().enumerate() {
                let within = sum * rounding <= self.capacity;
                if !within && !self.admits(end - self.span..end, trial, None) {
                    over[trial] = 1.0;
                }
            }
        }
    }
}

/// high + low + value, as a sum of two parts again (Dekker, Numerische Mathematik 18, 1971, with Knuth's error of a sum).
#[inline(always)]
fn added(high: f64, low: f64, value: f64) -> (f64, f64) {
    let sum = high + value;
    let shadow = sum - high;
    let lost = (high - (sum - shadow)) + (value - shadow);
    let low = low + lost;
    let head = sum + low;
    (head, low - (head - sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GUARANTEES: [Guarantee; 4] = [
        Guarantee::Pure { epsilon: 1.0 },
        Guarantee::Zcdp { rho: 1.0 },
        Guarantee::Renyi {
            order: 4.0,
            divergence: 1.0,
        },
        Guarantee::Approximate {
            epsilon: 1.0,
            delta: 1e-6,
        },
    ];

    /// Which of the amounts a purse grants, one at each position.
    fn granted(terms: &Terms, amounts: &[f64]) -> Vec<bool> {
        let mut purse = Purse::new(3);
        purse.begin(terms, 3, 1);
        let grants = (amounts.iter().enumerate()).map(|(position, amount)| {
            purse.turn_to(position);
            purse.take(position, 0, 1, *amount)
        });
        let grants: Vec<bool> = grants.collect();
        let (mut sums, mut over) = ([0.0; 3], [0.0; 3]);
        purse.audit(amounts.len(), &mut sums, &mut over);
        assert_eq!(over, [0.0; 3]);
        grants
    }

    #[test]
    fn ten_tenths_are_one_too_many_and_ten_parts_of_one_are_not() {
        let terms = Terms::new(GUARANTEES[0], 1.0, 12).unwrap();
        let tenths = granted(&terms, &[0.1; 12]);
        assert_eq!(tenths.iter().filter(|granted| **granted).count(), 9);
        let parts = granted(&terms, &[terms.even_part(10); 12]);
        assert_eq!(parts.iter().filter(|granted| **granted).count(), 10);
        // a quarter is a double: four make one exactly
        let quarters = granted(&terms, &[0.25; 12]);
        assert_eq!(quarters.iter().filter(|granted| **granted).count(), 4);
    }

    #[test]
    fn a_purse_that_is_overdrawn_is_found_out() {
        for guarantee in GUARANTEES {
            let terms = Terms::new(guarantee, 1.0, 8).unwrap();
            let mut purse = Purse::new(4);
            purse.begin(&terms, 4, 2);
            for position in 0..8 {
                purse.turn_to(position);
                for trial in 0..4 {
                    assert!(purse.take(position, 1, trial, terms.even_part(8)));
                }
            }
            let (mut sums, mut over) = ([0.0; 4], [1.0; 4]);
            purse.audit(8, &mut sums, &mut over);
            assert_eq!(over, [0.0; 4]);
            purse.granted[3 * 2 * 4 + 2] = terms.capacity() * 1e-11;
            purse.audit(8, &mut sums, &mut over);
            assert_eq!(over, [0.0, 0.0, 1.0, 0.0], "{guarantee:?}");
        }
    }

    proptest! {
        #[test]
        fn a_purse_decides_as_a_filter_does(
            // multiples of 2⁻⁴ and of a tenth meet the capacity often
            amounts in prop::collection::vec(prop_oneof![
                (0u32..8).prop_map(|k| f64::from(k) / 16.0),
                (0u32..5).prop_map(|k| f64::from(k) * 0.1),
                0.0..0.4f64,
                Just(1e-30),
            ], 1..40),
            which in 0usize..4,
        ) {
            let guarantee = GUARANTEES[which];
            let factor = guarantee.capacity();
            let amounts: Vec<f64> = amounts.iter().map(|amount| amount * factor).collect();
            let terms = Terms::new(guarantee, 1.0, amounts.len()).unwrap();
            let mut filter = guarantee.filter().unwrap();
            let expected: Vec<bool> = amounts
                .iter()
                .map(|amount| filter.offer(guarantee.spend(*amount)).unwrap())
                .collect();
            prop_assert_eq!(granted(&terms, &amounts), expected);
        }

        #[test]
        fn in_a_window_only_what_lies_in_it_counts(
            amounts in prop::collection::vec(prop_oneof![
                (0u32..8).prop_map(|k| f64::from(k) * 0.1),
                0.0..1.0f64,
            ], 5..40),
            window in 1usize..5,
        ) {
            let terms = Terms::new(GUARANTEES[0], 1.0, amounts.len()).unwrap();
            let terms = terms.with_window(window).unwrap();
            let granted = granted(&terms, &amounts);
            for (position, amount) in amounts.iter().enumerate() {
                let mut filter = GUARANTEES[0].filter().unwrap();
                for earlier in (position + 1).saturating_sub(window)..position {
                    if granted[earlier] {
                        prop_assert!(filter.offer(GUARANTEES[0].spend(amounts[earlier])).unwrap());
                    }
                }
                let fits = filter.offer(GUARANTEES[0].spend(*amount)).unwrap();
                prop_assert_eq!(granted[position], fits);
            }
        }
    }
}
