//! The standard normal law.

use super::error::{StatisticsError, open_unit};

/// P(Z ≤ z)
pub fn normal_cdf(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// The density at z.
pub fn normal_density(z: f64) -> f64 {
    libm::exp(-z * z / 2.0) / (2.0 * std::f64::consts::PI).sqrt()
}

/// The z with P(Z ≤ z) = p, for 0 < p < 1; to about 1e-15 relative.
///
/// The start is Hastings' rational approximation (Abramowitz & Stegun 26.2.23, error below 4.5e-4); three Halley steps on the tail
/// probability each cube the error.
///
/// # Errors
/// [`StatisticsError::Probability`] unless 0 < p < 1
pub fn normal_quantile(p: f64) -> Result<f64, StatisticsError> {
    let p = open_unit("the probability", p)?;
    // solved in the smaller tail, where the probability keeps its digits; 1 − p is exact for p ≥ ½
    let (tail, sign) = if p < 0.5 { (p, -1.0) } else { (1.0 - p, 1.0) };
    Ok(sign * upper_quantile(tail))
}

/// The z ≥ 0 with P(Z > z) = tail, for 0 < tail ≤ ½.
fn upper_quantile(tail: f64) -> f64 {
    let t = (-2.0 * libm::log(tail)).sqrt();
    let mut z = t
        - (2.515517 + t * (0.802853 + t * 0.010328))
            / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for _ in 0..3 {
        let density = normal_density(z);
        if density == 0.0 {
            break; // beyond 38 standard deviations: subnormal tails keep the start's four digits
        }
        // f = P(Z > z) − tail; f' = −φ; f'' = zφ: Halley's step in u = f/φ
        let u = (normal_cdf(-z) - tail) / density;
        z += u / (1.0 + z * u / 2.0);
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Wichura, Applied Statistics 37 (1988), and mpmath at 30 digits
        for (p, z) in [
            (0.5, 0.0),
            (0.95, 1.6448536269514722),
            (0.975, 1.959963984540054),
            (0.995, 2.5758293035489004),
            (1e-10, -6.361340902404056),
            (1e-300, -37.0471),
        ] {
            let got = normal_quantile(p).unwrap();
            let tolerance = if p < 1e-200 { 1e-5 } else { 1e-14 };
            assert!((got - z).abs() <= tolerance * (1.0 + z.abs()), "{p}: {got}");
            assert!((normal_quantile(1.0 - p).map_or(0.0, |m| m + got)).abs() < 1e-6 || p < 1e-9);
        }
        assert!(normal_quantile(0.0).is_err() && normal_quantile(f64::NAN).is_err());
    }

    #[test]
    fn quantile_undoes_cdf() {
        for i in 1..2_000 {
            let p = i as f64 / 2_000.0;
            assert!((normal_cdf(normal_quantile(p).unwrap()) / p - 1.0).abs() < 1e-14);
        }
    }
}
