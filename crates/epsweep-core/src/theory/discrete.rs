//! A law with finitely many values.

use super::{Law, open_probability};
use crate::summation::sum;

/// How far the probabilities may be from 1 in sum, by rounding.
const SLACK: f64 = 1e-6;

/// The law of a variable with finitely many values.
#[derive(Clone, Debug, PartialEq)]
pub struct Discrete {
    /// values in ascending order, all different, each with a positive probability
    atoms: Vec<(f64, f64)>,
    /// P(X ≤ value)
    cumulative: Vec<f64>,
}

impl Discrete {
    /// From values with their probabilities, in any order; equal values are added up. A law whose values are not finite, or whose probabilities
    /// are negative or do not sum to 1 within 1e-6, answers `None` to everything.
    pub fn new(mut atoms: Vec<(f64, f64)>) -> Self {
        let valid = atoms.iter().all(|&(x, p)| x.is_finite() && p >= 0.0);
        let weights: Vec<f64> = atoms.iter().map(|&(_, p)| p).collect();
        if !valid || !((sum(&weights) - 1.0).abs() <= SLACK) {
            return Discrete {
                atoms: Vec::new(),
                cumulative: Vec::new(),
            };
        }
        atoms.retain(|&(_, p)| p > 0.0);
        atoms.sort_by(|a, b| a.0.total_cmp(&b.0));
        let atoms: Vec<(f64, f64)> = atoms
            .chunk_by(|a, b| a.0 == b.0)
            .map(|same| {
                let parts: Vec<f64> = same.iter().map(|&(_, p)| p).collect();
                (same[0].0, sum(&parts))
            })
            .collect();
        let mut total = 0.0;
        let cumulative = (atoms.iter())
            .map(|&(_, p)| {
                total += p;
                total
            })
            .collect();
        Discrete { atoms, cumulative }
    }

    /// E f(X).
    fn expect(&self, f: impl Fn(f64) -> f64) -> Option<f64> {
        if self.atoms.is_empty() {
            return None;
        }
        let parts: Vec<f64> = self.atoms.iter().map(|&(x, p)| p * f(x)).collect();
        Some(sum(&parts))
    }
}

impl Law for Discrete {
    fn mean(&self) -> Option<f64> {
        self.expect(|x| x).and_then(super::finite)
    }

    fn sd(&self) -> Option<f64> {
        if let [_] = self.atoms[..] {
            return Some(0.0);
        }
        let mean = self.mean()?;
        let variance = self.expect(|x| (x - mean) * (x - mean))?;
        super::finite(variance.sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let p = open_probability(p)?;
        let place = self.cumulative.partition_point(|&below| below < p);
        // rounding may leave the last sum below 1
        let place = place.min(self.atoms.len().checked_sub(1)?);
        Some(self.atoms[place].0)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        if self.atoms.is_empty() || x.is_nan() {
            return None;
        }
        let place = self.atoms.partition_point(|&(value, _)| value <= x);
        Some(match place {
            0 => 0.0,
            place if place == self.atoms.len() => 1.0,
            place => self.cumulative[place - 1].min(1.0),
        })
    }

    fn density(&self, _x: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_with_a_side_that_is_there_twice() {
        let die = Discrete::new(vec![
            (3.0, 0.25),
            (1.0, 0.25),
            (7.0, 0.0),
            (1.0, 0.25),
            (2.0, 0.25),
        ]);
        assert_eq!(die.mean(), Some(1.75));
        assert!((die.sd().unwrap() - 0.6875_f64.sqrt()).abs() < 1e-15);
        assert_eq!(die.cdf(0.9), Some(0.0));
        assert_eq!((die.cdf(1.0), die.cdf(1.5)), (Some(0.5), Some(0.5)));
        assert_eq!((die.cdf(3.0), die.cdf(9.0)), (Some(1.0), Some(1.0)));
        assert_eq!(die.quantile(0.5), Some(1.0));
        assert_eq!(die.quantile(0.51), Some(2.0));
        assert_eq!(die.quantile(0.999), Some(3.0));
        assert_eq!((die.quantile(0.0), die.quantile(1.0)), (None, None));
        assert_eq!(Discrete::new(vec![(2.0, 1.0)]).sd(), Some(0.0));
    }

    #[test]
    fn what_is_no_law_says_nothing() {
        for atoms in [
            vec![],
            vec![(1.0, 0.5)],
            vec![(1.0, 1.5), (2.0, -0.5)],
            vec![(f64::NAN, 1.0)],
            vec![(f64::INFINITY, 1.0)],
            vec![(1.0, f64::NAN)],
        ] {
            let law = Discrete::new(atoms);
            assert_eq!((law.mean(), law.sd()), (None, None));
            assert_eq!((law.quantile(0.5), law.cdf(1.0)), (None, None));
        }
    }
}
