//! Student's t law.

use super::beta;
use super::error::{StatisticsError, open_unit};
use super::normal::normal_quantile;
use super::tail;

/// Above this the law is close enough to normal for integrating its density.
const LARGE: f64 = 3_000.0;

/// P(T > t) with `df` > 0 degrees of freedom; to about 1e-13 relative, however small.
pub fn t_tail(t: f64, df: f64) -> f64 {
    if t.is_nan() || !(df > 0.0) {
        return f64::NAN;
    }
    if t < 0.0 {
        return 1.0 - t_tail(-t, df);
    }
    if t.is_infinite() {
        return 0.0;
    }
    if df > LARGE {
        let scale = density_at_zero(df);
        let density = |u: f64| scale * libm::exp(-(df + 1.0) / 2.0 * libm::log1p(u * (u / df)));
        // decays at the rate t or faster: panels no wider than that rate can resolve
        return tail::outward(density, t, 1.0 / t.max(1.0), f64::INFINITY).min(0.5);
    }
    // P(|T| > t) = I_{df/(df+t²)}(df/2, ½) (DLMF 8.17, Abramowitz & Stegun 26.7.1)
    let square = t * t;
    if square.is_infinite() {
        return 0.0;
    }
    beta::tails(df / 2.0, 0.5, df / (df + square), square / (df + square)).lower / 2.0
}

/// Two-sided p value of a t statistic.
pub fn t_two_sided(t: f64, df: f64) -> f64 {
    (2.0 * t_tail(t.abs(), df)).min(1.0)
}

/// The t with P(T ≤ t) = p, for 0 < p < 1 and `df` > 0; to about 1e-13 relative.
///
/// A safeguarded Newton iteration on the tail: the sign is that of p − ½ by construction, and q(1−p) = −q(p).
///
/// # Errors
/// [`StatisticsError`] unless 0 < p < 1 and `df` > 0
pub fn t_quantile(p: f64, df: f64) -> Result<f64, StatisticsError> {
    let p = open_unit("the probability", p)?;
    if !(df > 0.0) {
        return Err(StatisticsError::TooFew {
            what: "a t quantile (degrees of freedom)",
            needed: 1,
            got: 0,
        });
    }
    if p == 0.5 {
        return Ok(0.0);
    }
    let (wanted, sign) = if p < 0.5 { (p, -1.0) } else { (1.0 - p, 1.0) };
    let scale = density_at_zero(df);
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut t = normal_quantile(1.0 - wanted).unwrap_or(8.0).max(1e-300);
    for _ in 0..400 {
        let miss = t_tail(t, df) - wanted;
        if miss > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let density = scale * libm::exp(-(df + 1.0) / 2.0 * libm::log1p(t * (t / df)));
        let mut next = t + miss / density;
        if !(next > low && next < high) {
            next = if high.is_finite() {
                low + (high - low) / 2.0
            } else {
                t * 4.0
            };
        }
        if (next - t).abs() <= 1e-15 * t || next <= low || next >= high {
            t = next;
            break;
        }
        t = next;
    }
    Ok(sign * t)
}

/// Γ((ν+1)/2) / (√(νπ)·Γ(ν/2))
fn density_at_zero(df: f64) -> f64 {
    if df > 200.0 {
        // the ratio of gamma functions by its expansion (DLMF 5.11.13): relative error below 1e-15 from 200 on
        let w = 1.0 / df;
        let ratio = 1.0
            - w * (0.25
                - w * (0.03125 + w * (0.0390625 - w * (0.01025390625 + w * 0.0487060546875))));
        return ratio / (2.0 * std::f64::consts::PI).sqrt();
    }
    libm::exp(libm::lgamma((df + 1.0) / 2.0) - libm::lgamma(df / 2.0))
        / (df * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (df, t) in [
            (1.0, 12.706204736174692),
            (2.0, 4.302652729911275),
            (4.0, 2.7764451051977987),
            (9.0, 2.2621571628540993),
            (29.0, 2.045229642132703),
            (99.0, 1.9842169515086827),
            (999.0, 1.9623414611334487),
            (99_999.0, 1.959987707771845),
            (1e12, 1.9599639845424264),
        ] {
            let got = t_quantile(0.975, df).unwrap();
            assert!((got / t - 1.0).abs() < 1e-10, "{df}: {got}");
        }
        assert!((t_quantile(0.4, 2.74).unwrap() + 0.278940).abs() < 1e-6);
        assert!(t_quantile(0.975, 0.0).is_err() && t_quantile(1.0, 3.0).is_err());
    }

    #[test]
    fn the_sign_and_the_symmetry_are_right() {
        for df in [1.0, 2.74, 5.0, 250.0, 2_999.0, 3_001.0, 1e9] {
            for i in 1..64 {
                let p = f64::from(i) / 64.0;
                let t = t_quantile(p, df).unwrap();
                assert_eq!(t, -t_quantile(1.0 - p, df).unwrap());
                assert_eq!(t > 0.0, p > 0.5);
                assert!((1.0 - t_tail(t, df) - p).abs() < 1e-13, "{df} {p}");
            }
        }
    }

    #[test]
    fn the_two_ways_of_a_tail_agree_where_they_meet() {
        for t in [0.1, 1.0, 3.0, 10.0, 30.0] {
            let (below, above) = (t_tail(t, 2_999.999_999), t_tail(t, 3_000.000_001));
            assert!((below / above - 1.0).abs() < 1e-7, "{t}: {below} {above}");
        }
        // Cauchy: closed form
        let exact = 0.5 - libm::atan(1e6) / std::f64::consts::PI;
        assert!((t_tail(1e6, 1.0) / exact - 1.0).abs() < 1e-9);
    }
}
