//! Quantiles of samples and their order-statistic intervals.

use super::error::{StatisticsError, open_unit, sound};
use super::{Interval, beta, normal};
use std::cell::Cell;

/// The `p`-quantile of ascending values by Hyndman & Fan's type 7 ("Sample quantiles in statistical packages", 1996; the default of
/// R and NumPy): with h = (n−1)p, x₍⌊h⌋₎ + (h−⌊h⌋)(x₍⌊h⌋₊₁₎ − x₍⌊h⌋₎), counted from 0. `p` in [0, 1].
///
/// # Errors
/// [`StatisticsError`] if there is no value, or a NaN, or if `p` is not in [0, 1]
pub fn quantile_sorted(sorted: &[f64], p: f64) -> Result<f64, StatisticsError> {
    // where doubles are in order NaN stands at the ends
    for index in [0, sorted.len().saturating_sub(1)] {
        sound(
            "a quantile",
            &sorted[index.min(sorted.len())..(index + 1).min(sorted.len())],
            1,
        )
        .map_err(|error| match error {
            StatisticsError::NotANumber { .. } => StatisticsError::NotANumber { index },
            other => other,
        })?;
    }
    if !(0.0..=1.0).contains(&p) {
        return Err(StatisticsError::Probability {
            what: "p",
            value: p,
        });
    }
    let h = (sorted.len() - 1) as f64 * p;
    let below = h.floor();
    let low = sorted[below as usize];
    let high = sorted[(below as usize + 1).min(sorted.len() - 1)];
    let part = h - below;
    // equal neighbours first: they may both be infinite
    Ok(if part == 0.0 || low == high {
        low
    } else {
        low + part * (high - low)
    })
}

/// As [`quantile_sorted`], for values in any order; NaN is refused.
///
/// # Errors
/// [`StatisticsError`] if there is no value, or a NaN, or if `p` is not in [0, 1]
pub fn quantile(data: &[f64], p: f64) -> Result<f64, StatisticsError> {
    sound("a quantile", data, 1)?;
    let mut sorted = data.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile_sorted(&sorted, p)
}

/// Ranks of the order statistics that bound a quantile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderRanks {
    /// 1-based rank of the lower end; 0 stands for −∞
    pub lower: u64,
    /// 1-based rank of the upper end; n+1 stands for ∞
    pub upper: u64,
    /// probability that the interval holds the quantile; at least the level
    pub coverage: f64,
}

/// The distribution-free interval of the `p`-quantile of a continuous law from `n` values (Thompson 1936; David & Nagaraja, "Order
/// Statistics", 3rd ed., §7.1). With B ~ Bin(n, p) and α = 1 − level: lower = max{r : P(B ≤ r−1) ≤ α/2} and
/// upper = min{s : P(B ≤ s−1) ≥ 1 − α/2}. Exact up to n = 10¹².
///
/// # Errors
/// [`StatisticsError`] if there is no value, or if `p` or `level` is not strictly between 0 and 1
pub fn order_ranks(n: u64, p: f64, level: f64) -> Result<OrderRanks, StatisticsError> {
    let p = open_unit("p", p)?;
    let tail = (1.0 - open_unit("the level", level)?) / 2.0;
    if n == 0 {
        return Err(StatisticsError::TooFew {
            what: "an interval of a quantile",
            needed: 1,
            got: 0,
        });
    }
    // The terms that matter are within some nine standard deviations: up to a thousand of them are quicker than an integral. For
    // the smallest samples a continued fraction is quicker still.
    let few = n >= 1000 && n as f64 * p * (1.0 - p) < 1e4;
    // Both are asked for at neighbouring ranks, one after another: a step costs much less than a tail.
    let (last_below, last_beyond) = (Cell::new(None), Cell::new(None));
    let below = |r: u64| {
        let value = match last_below.get() {
            Some((at, value)) if at == r => value,
            Some((at, value)) if at + 1 == r => value + exactly(n, p, at),
            Some((at, value)) if r > 0 && r + 1 == at => value - exactly(n, p, r),
            _ if r == 0 => 0.0,
            _ if few => terms_down(n, p, r - 1),
            _ => at_most(n, p, r - 1),
        };
        last_below.set(Some((r, value)));
        value
    };
    let beyond = |s: u64| {
        let value = match last_beyond.get() {
            Some((at, value)) if at == s => value,
            Some((at, value)) if s + 1 == at => value + exactly(n, p, s),
            Some((at, value)) if s <= n && at + 1 == s => value - exactly(n, p, at),
            _ if s > n => 0.0,
            _ if few => terms_up(n, p, s),
            _ => at_least(n, p, s),
        };
        last_beyond.set(Some((s, value)));
        value
    };
    // Start from the normal law with the first term of Cornish and Fisher, and half a rank for what is discrete: off by one or two,
    // and galloping mends it where n is small.
    let (mean, sd) = (n as f64 * p, (n as f64 * p * (1.0 - p)).sqrt());
    let z = normal::normal_quantile(1.0 - tail)?;
    let skew = (1.0 - 2.0 * p) * (z * z - 1.0) / 6.0;
    let guess = |x: f64| (x.max(0.0) as u64).min(n);
    let lower = last_true(guess(mean - z * sd + skew + 0.5), n, |r| below(r) <= tail);
    let highest = guess((mean + z * sd + skew + 0.5).ceil());
    let upper = n + 1 - last_true(n + 1 - highest.max(1), n, |r| beyond(n + 1 - r) <= tail);
    Ok(OrderRanks {
        lower,
        upper,
        coverage: (1.0 - below(lower) - beyond(upper)).clamp(0.0, 1.0),
    })
}

/// The largest r in 0..=n for which a condition holds that holds up to some r ≥ 0 and never again: gallops from `guess`.
fn last_true(guess: u64, n: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut good, mut bad); // holds(good), !holds(bad)
    let mut step = 1;
    if guess == 0 || holds(guess) {
        good = guess;
        loop {
            if good >= n {
                return n;
            }
            let next = good.saturating_add(step).min(n);
            if !holds(next) {
                bad = next;
                break;
            }
            good = next;
            step *= 2;
        }
    } else {
        bad = guess;
        loop {
            let next = bad.saturating_sub(step);
            if next == 0 || holds(next) {
                good = next;
                break;
            }
            bad = next;
            step *= 2;
        }
    }
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if holds(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

/// The order-statistic interval of the `p`-quantile of ascending values: see [`order_ranks`].
///
/// # Errors
/// [`StatisticsError`] if there is no value, or a NaN, or if `p` or `level` is not strictly between 0 and 1
pub fn quantile_interval(sorted: &[f64], p: f64, level: f64) -> Result<Interval, StatisticsError> {
    sound("an interval of a quantile", sorted, 1)?;
    let ranks = order_ranks(sorted.len() as u64, p, level)?;
    let at = |rank: u64| sorted.get((rank as usize).wrapping_sub(1)).copied();
    Ok(Interval {
        low: at(ranks.lower).unwrap_or(f64::NEG_INFINITY),
        high: at(ranks.upper).unwrap_or(f64::INFINITY),
    })
}

/// P(B ≤ k), k ≤ n, term by term.
fn terms_down(n: u64, p: f64, k: u64) -> f64 {
    let odds = (1.0 - p) / p;
    let (mut sum, mut term) = (0.0, exactly(n, p, k));
    for j in (0..=k).rev() {
        sum += term;
        if term <= 1e-18 * sum && (j as f64) < n as f64 * p {
            break;
        }
        term *= j as f64 / (n - j + 1) as f64 * odds;
    }
    sum
}

/// P(B ≥ k), k ≤ n, term by term.
fn terms_up(n: u64, p: f64, k: u64) -> f64 {
    let odds = p / (1.0 - p);
    let (mut sum, mut term) = (0.0, exactly(n, p, k));
    for j in k..=n {
        sum += term;
        if term <= 1e-18 * sum && (j as f64) > n as f64 * p {
            break;
        }
        term *= (n - j) as f64 / (j + 1) as f64 * odds;
    }
    sum
}

/// P(B = k) for B ~ Bin(n, p), k ≤ n.
fn exactly(n: u64, p: f64, k: u64) -> f64 {
    if k == n {
        return libm::pow(p, n as f64);
    }
    // C(n, k)·(n − k) = 1/B(k + 1, n − k)
    let rest = (n - k) as f64;
    beta::power_term(k as f64 + 1.0, rest, p, 1.0 - p) / (p * rest)
}

/// P(B ≤ k) for B ~ Bin(n, p): the upper tail of Beta(k+1, n−k) at p (DLMF 8.17.5).
pub(super) fn at_most(n: u64, p: f64, k: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    beta::tails(k as f64 + 1.0, (n - k) as f64, p, 1.0 - p).upper
}

/// P(B ≥ k) for B ~ Bin(n, p).
pub(super) fn at_least(n: u64, p: f64, k: u64) -> f64 {
    if k == 0 {
        return 1.0;
    }
    beta::tails(k as f64, (n - k) as f64 + 1.0, p, 1.0 - p).lower
}

/// The standard error of a sample quantile of `n` values: √(p(1−p)/n) / density (David & Nagaraja, §10.2).
pub fn quantile_mcse(n: u64, p: f64, density: f64) -> f64 {
    (p * (1.0 - p) / n as f64).sqrt() / density
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_differ_by_a_single_probability() {
        for (n, p) in [(7, 0.3), (60, 0.01), (5_000, 0.25), (100_000_000, 0.99)] {
            let middle = (n as f64 * p) as u64;
            for k in [1, middle.max(1), middle + 1] {
                let (step, exact) = (at_most(n, p, k) - at_most(n, p, k - 1), exactly(n, p, k));
                assert!((step - exact).abs() < 1e-13, "{n} {p} {k}: {step} {exact}");
            }
            assert!((exactly(n, p, n) - at_least(n, p, n)).abs() < 1e-15);
        }
        for (n, p, k) in [
            (7, 0.3, 3),
            (60, 0.01, 0),
            (5_000, 0.25, 1_190),
            (30_000, 0.5, 15_100),
        ] {
            assert!((terms_down(n, p, k) / at_most(n, p, k) - 1.0).abs() < 1e-12);
            assert!((terms_up(n, p, k) / at_least(n, p, k) - 1.0).abs() < 1e-12);
        }
        let all: f64 = (0..=60).map(|k| exactly(60, 0.3, k)).sum();
        assert!((all - 1.0).abs() < 1e-14);
    }

    #[test]
    fn ranks_are_exact_up_to_a_trillion() {
        for n in [
            1_u64,
            2,
            5,
            20,
            99,
            1_000,
            4_321,
            100_000,
            10_000_000,
            1_000_000_000_000,
        ] {
            for p in [0.01, 0.05, 0.25, 0.5, 0.95, 0.99] {
                for level in [0.9, 0.95, 0.99] {
                    let tail = (1.0 - level) / 2.0;
                    let r = order_ranks(n, p, level).unwrap();
                    assert!(r.lower < r.upper && r.upper <= n + 1);
                    // the definition, at the rank and one beyond it
                    assert!(r.lower == 0 || at_most(n, p, r.lower - 1) <= tail);
                    assert!(at_most(n, p, r.lower) > tail, "{n} {p} {level} {r:?}");
                    assert!(r.upper == n + 1 || at_least(n, p, r.upper) <= tail);
                    assert!(at_least(n, p, r.upper - 1) > tail, "{n} {p} {level} {r:?}");
                    assert!(r.coverage >= level);
                }
            }
        }
        // n = 10¹²: the normal law puts the lower rank of the median at n/2 − 979981.99 + …
        let r = order_ranks(1_000_000_000_000, 0.5, 0.95).unwrap();
        assert!(r.lower.abs_diff(500_000_000_000 - 979_982) <= 1, "{r:?}");
        assert!((r.coverage - 0.95).abs() < 1e-6);
    }

    #[test]
    fn ranks_of_mirrored_quantiles_mirror() {
        for n in [1, 2, 10, 99, 5_000, 100_001, 10_000_000] {
            for (p, mirrored) in [(0.01, 0.99), (0.05, 0.95), (0.25, 0.75), (0.5, 0.5)] {
                let a = order_ranks(n, p, 0.95).unwrap();
                let b = order_ranks(n, mirrored, 0.95).unwrap();
                assert_eq!((n + 1 - a.upper, n + 1 - a.lower), (b.lower, b.upper));
            }
        }
    }

    #[test]
    fn binomial_tails_are_sums_of_their_terms() {
        let (n, p) = (40_u64, 0.3_f64);
        let mut term = libm::pow(1.0 - p, n as f64);
        let mut sum = 0.0;
        for k in 0..=n {
            sum += term;
            assert!((at_most(n, p, k) - sum).abs() < 1e-13);
            assert!((at_least(n, p, k) - (1.0 - sum + term)).abs() < 1e-13);
            term *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
        }
    }

    #[test]
    fn nan_and_empty_are_refused() {
        assert_eq!(
            quantile(&[1.0, f64::NAN, 3.0], 0.5),
            Err(StatisticsError::NotANumber { index: 1 })
        );
        assert!(quantile(&[], 0.5).is_err() && quantile(&[1.0], 1.5).is_err());
        assert!(order_ranks(0, 0.5, 0.95).is_err() && order_ranks(3, f64::NAN, 0.95).is_err());
        assert_eq!(
            quantile(&[f64::INFINITY, f64::INFINITY], 0.5),
            Ok(f64::INFINITY)
        );
        assert_eq!(quantile(&[-5.0, -1.0, -10.0, -2.0], 0.5), Ok(-3.5));
    }
}
