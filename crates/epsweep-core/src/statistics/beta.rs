//! The regularised incomplete beta function, right in both tails and up to parameters of 1e12.

use super::tail;
use crate::numeric;

/// Above this, the continued fraction needs too many steps and the density is integrated instead.
const LARGE: f64 = 3_000.0;

/// Both tails of a beta law.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tails {
    /// P(X ≤ x)
    pub lower: f64,
    /// P(X > x)
    pub upper: f64,
}

/// The tails of Beta(a, b) at x, where y = 1 − x is given too so that neither loses digits. a, b > 0; where one of them is above
/// 3000 both must be at least 1.
pub(super) fn tails(a: f64, b: f64, x: f64, y: f64) -> Tails {
    if x <= 0.0 {
        return Tails {
            lower: 0.0,
            upper: 1.0,
        };
    }
    if y <= 0.0 {
        return Tails {
            lower: 1.0,
            upper: 0.0,
        };
    }
    if a.max(b) > LARGE && a.min(b) >= 1.0 {
        return by_density(a, b, x, y);
    }
    if x < (a + 1.0) / (a + b + 2.0) {
        let lower = power_term(a, b, x, y) * fraction(a, b, x) / a;
        Tails {
            lower,
            upper: 1.0 - lower,
        }
    } else {
        let upper = power_term(a, b, x, y) * fraction(b, a, y) / b;
        Tails {
            lower: 1.0 - upper,
            upper,
        }
    }
}

/// Integrates the density from x away from the mean; in the smaller of x and y, which keeps its digits.
fn by_density(a: f64, b: f64, x: f64, y: f64) -> Tails {
    if x > y {
        let mirrored = by_density(b, a, y, x);
        return Tails {
            lower: mirrored.upper,
            upper: mirrored.lower,
        };
    }
    let total = a + b;
    let mean = a / total;
    let sd = (a / total * (b / total) / (total + 1.0)).sqrt();
    // one evaluation of the density at x, then only its ratio to that: far cheaper than the density itself
    let at_x = power_term(a, b, x, y) / (x * y);
    if at_x == 0.0 {
        let below = x < mean;
        return Tails {
            lower: if below { 0.0 } else { 1.0 },
            upper: if below { 1.0 } else { 0.0 },
        };
    }
    let density = |t: f64| {
        let d = t - x;
        at_x * libm::exp((a - 1.0) * libm::log1p(d / x) + (b - 1.0) * libm::log1p(-d / y))
    };
    if x < mean {
        let lower = tail::outward(density, x, -sd, 0.0).min(1.0);
        Tails {
            lower,
            upper: 1.0 - lower,
        }
    } else {
        let upper = tail::outward(density, x, sd, 1.0).min(1.0);
        Tails {
            lower: 1.0 - upper,
            upper,
        }
    }
}

/// xᵃ·yᵇ/B(a, b) by Loader's saddle-point form ("Fast and accurate computation of binomial probabilities", 2000): no difference of
/// large logarithms.
pub(super) fn power_term(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let exponent = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x)
        - deviance(b, n * y);
    libm::exp(exponent) * (a / n * b / (2.0 * std::f64::consts::PI)).sqrt()
}

/// ln Γ(z+1) − [(z+½) ln z − z + ½ ln 2π]
fn stirling_error(z: f64) -> f64 {
    if z < 16.0 {
        return libm::lgamma(z + 1.0) - (z + 0.5) * libm::log(z) + z
            - 0.5 * libm::log(2.0 * std::f64::consts::PI);
    }
    numeric::stirling_series(z)
}

/// k ln(k/m) + m − k ≥ 0, without cancellation where k is near m (Loader's bd0).
fn deviance(k: f64, m: f64) -> f64 {
    let v = (k - m) / (k + m);
    if v.abs() < 0.1 {
        let mut sum = (k - m) * v;
        let mut term = 2.0 * k * v;
        for j in 1..100 {
            term *= v * v;
            let next = sum + term / (2.0 * f64::from(j) + 1.0);
            if next == sum {
                break;
            }
            sum = next;
        }
        return sum;
    }
    k * libm::log(k / m) + m - k
}

/// The continued fraction of I_x(a, b)·a·B(a, b)/(xᵃ(1−x)ᵇ) (DLMF 8.17.22) by the modified Lentz method; converges in about
/// √max(a, b) steps for x < (a+1)/(a+b+2).
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let guard = |v: f64| if v.abs() < 1e-290 { 1e-290 } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..10_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        let step = d * c;
        value *= step;
        if (step - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

/// The x with P(X ≤ x) = lower under Beta(a, b), for a, b ≥ 1 and a probability strictly between 0 and 1; to about 1e-13 relative.
/// Newton steps on log x, kept inside a bracket.
pub(super) fn quantile(a: f64, b: f64, lower: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let mut x = (a / (a + b)).clamp(1e-300, 1.0 - 1e-16);
    for _ in 0..200 {
        let y = 1.0 - x;
        let found = tails(a, b, x, y);
        let miss = if lower <= 0.5 {
            found.lower - lower
        } else {
            (1.0 - lower) - found.upper
        };
        if miss > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let slope = power_term(a, b, x, y) / (x * y);
        // on log x: the tail of a small x is close to a power of it
        let mut next = x * libm::exp((-miss / (slope * x)).clamp(-30.0, 30.0));
        if !(next > low && next < high) {
            next = if low > 0.0 {
                (low * high).sqrt()
            } else {
                high / 16.0
            };
            if !(next > low && next < high) {
                next = low + (high - low) / 2.0;
            }
        }
        if (next - x).abs() <= 1e-15 * x || next <= low || next >= high {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_agree_with_closed_forms() {
        for x in [1e-9, 0.2, 0.5, 0.77, 0.999] {
            // Beta(a, 1): xᵃ; Beta(1, b): 1 − (1−x)ᵇ
            for a in [0.5, 1.0, 7.0, 250.0, 5_000.0] {
                if a >= 1.0 {
                    let got = tails(a, 1.0, x, 1.0 - x).lower;
                    let exact = libm::pow(x, a);
                    assert!(
                        (got - exact).abs() <= 1e-12 * exact + 1e-300,
                        "{a} {x}: {got} {exact}"
                    );
                    let got = tails(1.0, a, x, 1.0 - x).upper;
                    let exact = libm::exp(a * libm::log1p(-x));
                    assert!(
                        (got - exact).abs() <= 1e-12 * exact + 1e-300,
                        "{a} {x}: {got} {exact}"
                    );
                }
                // symmetry
                let (l, r) = (tails(a, 2.0, x, 1.0 - x), tails(2.0, a, 1.0 - x, x));
                assert!((l.lower - r.upper).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn the_two_ways_agree_where_they_meet() {
        for (a, b) in [
            (3_000.5, 900.0),
            (2_990.0, 40.0),
            (1_500.0, 3_010.0),
            (1.0, 3_100.0),
        ] {
            let sd: f64 = f64::sqrt(a * b / (a + b + 1.0)) / (a + b);
            for k in [-4.0, -1.0, 0.1, 2.0, 6.0] {
                let x: f64 = a / (a + b) + k * sd;
                if x <= 0.0 {
                    continue;
                }
                let y = 1.0 - x;
                let by_density = by_density(a, b, x, y);
                let lower = if x < (a + 1.0) / (a + b + 2.0) {
                    power_term(a, b, x, y) * fraction(a, b, x) / a
                } else {
                    1.0 - power_term(a, b, x, y) * fraction(b, a, y) / b
                };
                assert!(
                    (by_density.lower - lower).abs() < 2e-13,
                    "{a} {b} {k}: {by_density:?} {lower}"
                );
            }
        }
    }

    #[test]
    fn quantile_undoes_tails() {
        for (a, b) in [
            (1.0, 1.0),
            (1.0, 1e6),
            (8.0, 13.0),
            (4_000.0, 2.0),
            (1e9, 3e9),
            (5e11, 5e11),
        ] {
            for p in [1e-9, 0.005, 0.025, 0.5, 0.975, 0.999999] {
                let x = quantile(a, b, p);
                let got = tails(a, b, x, 1.0 - x);
                // x is a double: an ulp of it moves the probability by density · ulp
                let ulp = power_term(a, b, x, 1.0 - x) / (1.0 - x) * f64::EPSILON;
                assert!(
                    (got.lower - p).abs() <= 1e-12 * p + 4.0 * ulp,
                    "{a} {b} {p}: {x} {got:?}"
                );
            }
        }
    }
}
