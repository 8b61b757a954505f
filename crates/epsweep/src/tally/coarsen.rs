//! Fewer and wider bins, for files and figures.

use super::histogram::{Bin, Histogram};

/// Bins that the bulk of a histogram, between its 0.1 % and 99.9 % quantiles, is divided into at most.
pub const BULK_BINS: u32 = 128;
/// Bins per octave outside the bulk.
const TAIL_BINS_PER_OCTAVE: f64 = 16.0;

impl Histogram {
    /// Merges neighbouring bins until each, with the empty stretch that may follow it, is at least a `bulk`-th of the distance of
    /// the 0.1 % and the 99.9 % quantile wide, and outside of these two at least a sixteenth of its octave. Counts are kept. Atoms stay what they are, and no bin spans an empty
    /// stretch that is as wide as a bin.
    #[must_use]
    pub fn coarsen(&self, bulk: u32) -> Histogram {
        let (low, high) = (self.quantile(0.001), self.quantile(0.999));
        let least = (high - low) / f64::from(bulk.max(1));
        let wanted = |edge: f64| {
            if (low..=high).contains(&edge) {
                least
            } else {
                least.max(octave(edge) / TAIL_BINS_PER_OCTAVE)
            }
        };
        let mut merged: Vec<Bin> = Vec::new();
        for bin in self.bins() {
            match merged.last_mut() {
                Some(open)
                    if open.low < open.high
                        && bin.low < bin.high
                        // a hair of slack: edges that should be equal differ by their rounding
                        && bin.low - open.low < wanted(open.low) * (1.0 - 1e-9)
                        && bin.low - open.high < wanted(open.low) =>
                {
                    open.high = bin.high;
                    open.count += bin.count;
                }
                _ => merged.push(*bin),
            }
        }
        Histogram::new(merged)
    }
}

/// The power of two at or below the magnitude.
fn octave(x: f64) -> f64 {
    f64::from_bits(x.abs().to_bits() & f64::INFINITY.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_range_are_kept_with_few_bins() {
        let n = 100_000;
        for shift in [0.0, -1.0, -5.0, 1e6] {
            let x: Vec<f64> = (0..n)
                .map(|i| shift - libm::log1p(-((i as f64 + 0.5) / n as f64)))
                .collect();
            let fine = Histogram::from_values(&x);
            let h = fine.coarsen(BULK_BINS);
            assert_eq!(h.total(), fine.total());
            assert_eq!((h.min(), h.max()), (fine.min(), fine.max()));
            assert!(h.bins().len() <= 128 + 64, "{} at {shift}", h.bins().len());
            assert!(h.bins().is_sorted_by(|a, b| a.high <= b.low));
            let least = (fine.quantile(0.999) - fine.quantile(0.001)) / 128.0;
            for pair in h
                .bins()
                .windows(2)
                .filter(|w| w[1].low < fine.quantile(0.999))
            {
                // an empty stretch may follow a bin
                assert!(
                    pair[1].low - pair[0].low >= 0.99 * least,
                    "{pair:?} {least}"
                );
            }
            // no wider than needed: the fine bins there are much narrower
            if shift == -1.0 {
                assert!(h.bins().len() > 100);
            }
        }
    }

    #[test]
    fn atoms_stay() {
        let mut x = vec![0.0; 50];
        x.extend((1..1000).map(f64::from));
        let h = Histogram::from_values(&x).coarsen(10);
        assert_eq!(
            h.bins()[0],
            Bin {
                low: 0.0,
                high: 0.0,
                count: 50
            }
        );
        assert_eq!(h.total(), 1049);
        let c = Histogram::constant(3.0, 7);
        assert_eq!(c.coarsen(128), c);
        assert_eq!(Histogram::default().coarsen(128), Histogram::default());
    }
}
