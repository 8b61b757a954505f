//! Pearson's chi-square test of counts against probabilities.

/// Least expected count of a cell; rarer ones are pooled (Cochran, Ann. Math. Statist. 23, 1952).
const LEAST_EXPECTED: f64 = 5.0;

/// The statistic of counts under probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// Σ (observed − expected)²/expected; infinite where something happened that has probability 0
    pub statistic: f64,
    /// cells that were compared, less one; at least 1
    pub degrees: u64,
}

impl ChiSquare {
    /// Compares counts with their probabilities, which sum to 1. What is expected fewer than 5 times is pooled: enough for p values near 5 %.
    /// `None` where fewer than two cells are left, or where the lengths differ.
    pub fn new(counts: &[u64], probabilities: &[f64]) -> Option<ChiSquare> {
        ChiSquare::pooled(counts, probabilities, LEAST_EXPECTED)
    }

    /// Likewise, and pools what is expected fewer than `least` times: the smaller the p values that are wanted, the more must be expected.
    pub fn pooled(counts: &[u64], probabilities: &[f64], least: f64) -> Option<ChiSquare> {
        if counts.len() != probabilities.len() {
            return None;
        }
        let total: u64 = counts.iter().sum();
        let (mut cells, mut pool) = (Vec::new(), (0.0, 0.0));
        for (&count, &p) in counts.iter().zip(probabilities) {
            if p == 0.0 && count > 0 {
                return Some(ChiSquare {
                    statistic: f64::INFINITY,
                    degrees: 1,
                });
            }
            let (observed, expected) = (count as f64, p * total as f64);
            if expected < least {
                pool = (pool.0 + observed, pool.1 + expected);
            } else {
                cells.push((observed, expected));
            }
        }
        if pool.1 >= least {
            cells.push(pool);
        } else if let Some(last) = cells.last_mut() {
            *last = (last.0 + pool.0, last.1 + pool.1);
        }
        let degrees = (cells.len() as u64).checked_sub(1).filter(|n| *n > 0)?;
        let statistic = (cells.iter())
            .map(|(observed, expected)| (observed - expected) * (observed - expected) / expected)
            .sum();
        Some(ChiSquare { statistic, degrees })
    }

    /// P(χ² ≥ statistic) under the probabilities: the incomplete gamma function Q(k/2, x/2), by its series or its continued fraction
    /// (Abramowitz and Stegun, 6.5.29 and 6.5.31).
    pub fn p_value(&self) -> f64 {
        upper_gamma(0.5 * self.degrees as f64, 0.5 * self.statistic)
    }
}

/// Q(a, x) = Γ(a, x)/Γ(a) for a > 0.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if !(x > 0.0) {
        return 1.0;
    }
    if x == f64::INFINITY {
        return 0.0;
    }
    let factor = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    // both converge geometrically where they are used, at the latest after some multiples of √a steps
    let most = 1000 + (40.0 * a.sqrt()) as usize;
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for n in 1..most {
            term *= x / (a + n as f64);
            sum += term;
            if term < 1e-17 * sum {
                break;
            }
        }
        return (1.0 - factor * sum).clamp(0.0, 1.0);
    }
    // Lentz's evaluation
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut value = d;
    for n in 1..most {
        let n = n as f64;
        let an = -n * (n - a);
        b += 2.0;
        let down = an * d + b;
        d = 1.0 / if down.abs() < tiny { tiny } else { down };
        let up = b + an / c;
        c = if up.abs() < tiny { tiny } else { up };
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    (factor * value).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ChiSquared, ContinuousCDF};

    #[test]
    fn tails_are_those_of_the_law() {
        for degrees in [1, 2, 3, 7, 30, 400, 5000] {
            let law = ChiSquared::new(degrees as f64).unwrap();
            let sd = (2.0 * degrees as f64).sqrt();
            for steps in -3..=6 {
                let statistic = degrees as f64 + f64::from(steps) * sd;
                if statistic <= 0.0 {
                    continue;
                }
                let p = ChiSquare { statistic, degrees }.p_value();
                let expected = law.sf(statistic);
                assert!(
                    (p - expected).abs() <= 1e-9 * expected + 1e-14,
                    "{degrees} {statistic}: {p} {expected}"
                );
            }
        }
        // two degrees: e^(−x/2)
        let two = |statistic| ChiSquare {
            statistic,
            degrees: 2,
        };
        assert!((two(3.0).p_value() - libm::exp(-1.5)).abs() < 1e-15);
        assert_eq!(
            (two(0.0).p_value(), two(f64::INFINITY).p_value()),
            (1.0, 0.0)
        );
    }

    #[test]
    fn rare_cells_are_pooled_and_the_impossible_is_noticed() {
        let test = ChiSquare::new(&[60, 30, 10], &[0.5, 0.4, 0.1]).unwrap();
        assert!((test.statistic - (2.0 + 2.5)).abs() < 1e-12);
        assert_eq!(test.degrees, 2);
        let pooled = ChiSquare::new(&[50, 44, 3, 3], &[0.5, 0.44, 0.03, 0.03]).unwrap();
        assert_eq!((pooled.statistic, pooled.degrees), (0.0, 2));
        let swallowed = ChiSquare::new(&[50, 47, 3], &[0.5, 0.47, 0.03]).unwrap();
        assert_eq!(swallowed.degrees, 1);
        let impossible = ChiSquare::new(&[99, 1], &[1.0, 0.0]).unwrap();
        assert_eq!(impossible.p_value(), 0.0);
        assert_eq!(ChiSquare::new(&[100], &[1.0]), None);
        assert_eq!(ChiSquare::new(&[1, 2], &[1.0]), None);
    }
}
