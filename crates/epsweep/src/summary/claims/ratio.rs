//! Claims about a ratio, and its interval, which may not exist.

use super::ClaimError;
use super::between::same_statistic;
use super::evaluate::{Found, claimed, undecided_note, verdict};
use super::quantity::{Context, Number, words};
use crate::claim::{Band, Quantity};
use crate::record::number;
use epsweep_core::statistics::normal_quantile;

pub(super) fn ratio_words(a: &Quantity, b: &Quantity) -> String {
    format!("{} / {}", words(a), words(b))
}

/// A ratio a/b, with the interval of [`quotient`]. The covariance is known for means of the same measure in two cells with paired trials:
/// Var(a−b) = Var a + Var b − 2·cov. Otherwise the errors are taken to depend in the worst way: right whatever the dependence, and wide.
pub(super) fn ratio(
    context: &Context,
    a: &Quantity,
    b: &Quantity,
    band: &Band,
) -> Result<Found, ClaimError> {
    let (x, y) = (context.number(a)?, context.number(b)?);
    let value = x.value / y.value;
    let covariance = paired_error(context, a, b)?
        .map(|mcse| (x.mcse * x.mcse + y.mcse * y.mcse - mcse * mcse) / 2.0);
    let how = match covariance {
        Some(_) => "error from the paired trials",
        None if x.mcse == 0.0 || y.mcse == 0.0 => "",
        None => "error for the worst dependence of both",
    };
    let z = normal_quantile(0.5 + context.lookup.resolved().level / 2.0)?;
    let (low, high) = quotient(&x, &y, covariance, z);
    let exact = x.exact.zip(y.exact).map(|(x, y)| x / y);
    let verdict = verdict(low, high, band);
    let trials = match (x.trials, y.trials) {
        (0, n) | (n, 0) => n,
        (n, m) => n.min(m),
    };
    let of_ratio = Number {
        value,
        low,
        high,
        mcse: 0.0,
        exact,
        trials,
        observed: false,
        strays: false,
    };
    let mut note = undecided_note(verdict, of_ratio, [band.low, band.high]);
    if !how.is_empty() {
        note = [note.as_str(), how]
            .into_iter()
            .filter(|s| !s.is_empty())
            .collect::<Vec<_>>()
            .join("; ");
    }
    if x.observed || y.observed {
        note = "numbers as observed, without an interval".into();
    }
    Ok(Found {
        statistic: ratio_words(a, b),
        claimed: claimed(band),
        value: number(value),
        low: Some(low),
        high: Some(high),
        exact,
        verdict,
        note,
    })
}

/// Standard errors from 0 from which on the logarithm of a number is as good a scale as the number. Numbers about so far away have now one interval
/// and now the other, which costs a point of coverage at most, and more where the two differ more: 1.5 points at eight.
const FAR: f64 = 20.0;

/// The interval of x/y.
///
/// Where both are [`FAR`] from 0 it is on the log scale, with the relative error √(rₓ² + r_y² − 2·cov/(x·y)) of the delta method, r the
/// relative errors of both, or rₓ + r_y where the covariance is not known. The log scale keeps a sign, so that it is no scale for an x that may
/// be 0, or nearly so: there the interval is Fieller's (J. R. Statist. Soc. B 16, 1954), all r with |x − r·y| ≤ z·sd(x − r·y). Without the covariance, whose
/// worst makes that sd(x) + |r|·sd(y), these are all quotients of a number in the interval of x and one in that of y. A y that may be 0, or a
/// number whose error is not known, bounds nothing.
fn quotient(x: &Number, y: &Number, covariance: Option<f64>, z: f64) -> (f64, f64) {
    let unbounded = (f64::NEG_INFINITY, f64::INFINITY);
    let one_sign = |n: &Number| n.low > 0.0 || n.high < 0.0;
    if !(one_sign(y) && x.low.is_finite() && x.high.is_finite()) {
        return unbounded;
    }
    let (rx, ry) = (x.mcse / x.value.abs(), y.mcse / y.value.abs());
    if one_sign(x) && rx * FAR <= 1.0 && ry * FAR <= 1.0 {
        let value = x.value / y.value;
        let relative = match covariance {
            Some(covariance) => {
                let square = rx * rx + ry * ry - 2.0 * covariance / (x.value * y.value);
                square.max(0.0).sqrt()
            }
            None => rx + ry,
        };
        let factor = libm::exp(z * relative);
        let (one, other) = (value / factor, value * factor);
        return (one.min(other), one.max(other));
    }
    let Some(covariance) = covariance else {
        let ends = [x.low, x.high].map(|x| [x / y.low, x / y.high]);
        let ends = ends.as_flattened();
        return (
            ends.iter().copied().fold(f64::INFINITY, f64::min),
            ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
    };
    // in units of y: (1 − z²·s_y²)·r² − 2·(v − z²·c)·r + v² − z²·sₓ² ≤ 0
    let value = x.value / y.value;
    let [xx, yy, xy] = [
        (x.mcse / y.value) * (x.mcse / y.value),
        (y.mcse / y.value) * (y.mcse / y.value),
        covariance / y.value / y.value,
    ]
    .map(|square| z * z * square);
    let lead = 1.0 - yy;
    if !(lead > 0.0) {
        return unbounded;
    }
    let half = value - xy;
    let root = (half * half - lead * (value * value - xx)).max(0.0).sqrt();
    ((half - root) / lead, (half + root) / lead)
}

/// The standard error of a − b where a and b are estimated means of the same measure in two cells that were paired.
fn paired_error(context: &Context, a: &Quantity, b: &Quantity) -> Result<Option<f64>, ClaimError> {
    let Some((measure, statistic)) = same_statistic(a, b) else {
        return Ok(None);
    };
    let (i, j) = (context.cell(&a.cell)?, context.cell(&b.cell)?);
    if statistic != "mean" || i == j {
        return Ok(None);
    }
    let pair = context.lookup.paired(i, j, &a.subject, measure);
    Ok(pair.map(|p| p.mcse))
}

#[cfg(test)]
mod tests {
    use super::*;
    use epsweep_core::random::{Draws, Source, StandardLaw};

    fn normal(value: f64, mcse: f64, z: f64) -> Number {
        Number {
            low: value - z * mcse,
            high: value + z * mcse,
            mcse,
            exact: None,
            trials: 1000,
            ..Number::certain(value)
        }
    }

    /// How many of 4096 intervals hold the ratio of two normal estimates with errors 1 that are correlated.
    fn covered(means: [f64; 2], correlation: f64, known: bool) -> usize {
        let z = normal_quantile(0.975).unwrap();
        let sources = ["x", "y"].map(|name| Source::new(name, StandardLaw::Normal, 1));
        let mut draws = Draws::new(7, 4096, &sources);
        draws.go_to(0);
        let rows = [0, 1].map(|source| draws.row(source, 0).to_vec());
        (rows[0].iter().zip(&rows[1]))
            .filter(|(e, other)| {
                let x = normal(means[0] + *e, 1.0, z);
                let mixed = correlation * *e + (1.0 - correlation * correlation).sqrt() * *other;
                let y = normal(means[1] + mixed, 1.0, z);
                let (low, high) = quotient(&x, &y, known.then_some(correlation), z);
                (low..=high).contains(&(means[0] / means[1]))
            })
            .count()
    }

    /// Of 4096 intervals at 95 % 3891 hold the ratio, with a standard deviation of 14: fewer than 3820, or more than 3962, have a probability
    /// of 10⁻⁶ in each of the thirty cases; as have fewer than 3776 of 94 %, where the scale changes. Where the covariance is not known they may be
    /// wider. The log scale alone holds 0 never.
    #[test]
    fn intervals_of_ratios_hold_the_ratio_wherever_the_numerator_is() {
        for correlation in [-0.9, 0.0, 0.9] {
            for denominator in [12.0, -50.0] {
                for numerator in [0.0, 0.3, 3.0, FAR, 60.0] {
                    let means = [numerator, denominator];
                    let known = covered(means, correlation, true);
                    let least = if numerator == FAR { 3776 } else { 3820 };
                    let fit = (least..=3962).contains(&known);
                    assert!(fit, "{means:?} {correlation}: {known}");
                    let worst = covered(means, correlation, false);
                    assert!(worst >= 3820, "{means:?} {correlation}: {worst}");
                }
            }
        }
    }

    #[test]
    fn tiny_denominators_have_a_sign_too() {
        let z = normal_quantile(0.975).unwrap();
        let x = normal(3e-170, 1e-172, z);
        let y = normal(2e-170, 1e-172, z);
        let (low, high) = quotient(&x, &y, None, z);
        assert!(
            low > 1.4 && low < 1.5 && high > 1.5 && high < 1.6,
            "{low} {high}"
        );
        let open = quotient(&x, &normal(1e-173, 1e-172, z), None, z);
        assert_eq!(open, (f64::NEG_INFINITY, f64::INFINITY));
    }
}
