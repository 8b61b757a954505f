//! The root mean square of errors, and its Monte Carlo error.

use super::error::{StatisticsError, sound};

/// The root mean square error of a sample of errors, in their units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rmse {
    /// √(Σe²/n)
    pub rmse: f64,
    /// sd(e²)/(2·rmse·√n), by the delta method
    pub mcse_delta: f64,
    /// √((n−1)/n · Σ(θ₍ᵢ₎ − θ̄)²), θ₍ᵢ₎ the value without error i
    pub mcse_jackknife: f64,
    /// n·θ − (n−1)·θ̄
    pub bias_corrected: f64,
}

/// The root mean square error with its Monte Carlo errors (Morris, White & Crowther, "Using simulation studies to evaluate statistical
/// methods", 2019; the jackknife after Efron, 1982). Errors of any size: the squares are taken in units of the largest.
///
/// # Errors
/// [`StatisticsError`] if there are fewer than two errors, or a NaN
pub fn rmse(errors: &[f64]) -> Result<Rmse, StatisticsError> {
    sound("an RMSE", errors, 2)?;
    let unit = errors.iter().fold(0.0_f64, |m, e| m.max(e.abs()));
    if unit == 0.0 {
        return Ok(Rmse {
            rmse: 0.0,
            mcse_delta: 0.0,
            mcse_jackknife: 0.0,
            bias_corrected: 0.0,
        });
    }
    let n = errors.len() as f64;
    let squares: Vec<f64> = errors.iter().map(|e| (e / unit) * (e / unit)).collect();
    let mean = squares.iter().sum::<f64>() / n;
    let root = mean.sqrt();
    let spread: f64 = squares.iter().map(|s| (s - mean) * (s - mean)).sum();
    let mcse_delta = (spread / (n - 1.0)).sqrt() / (2.0 * root * n.sqrt());

    // sums of all before and all after: the sum without one, free of cancellation
    let mut after = vec![0.0; squares.len() + 1];
    for i in (0..squares.len()).rev() {
        after[i] = after[i + 1] + squares[i];
    }
    let mut before = 0.0;
    let mut without = Vec::with_capacity(squares.len());
    for (i, s) in squares.iter().enumerate() {
        without.push(((before + after[i + 1]) / (n - 1.0)).sqrt());
        before += s;
    }
    let centre = without.iter().sum::<f64>() / n;
    let scatter: f64 = without.iter().map(|t| (t - centre) * (t - centre)).sum();
    Ok(Rmse {
        rmse: unit * root,
        mcse_delta: unit * mcse_delta,
        mcse_jackknife: unit * ((n - 1.0) / n * scatter).sqrt(),
        bias_corrected: unit * (n * root - (n - 1.0) * centre),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_any_size_are_right() {
        let small = [1.0, -2.0, 0.5, 3.0];
        let base = rmse(&small).unwrap();
        for unit in [1e-200, 1e200] {
            let scaled: Vec<f64> = small.iter().map(|e| e * unit).collect();
            let got = rmse(&scaled).unwrap();
            assert!((got.rmse / unit / base.rmse - 1.0).abs() < 1e-14);
            assert!((got.mcse_jackknife / unit / base.mcse_jackknife - 1.0).abs() < 1e-13);
        }
        assert_eq!(rmse(&[0.0, 0.0]).unwrap().rmse, 0.0);
        assert!(rmse(&[1.0]).is_err() && rmse(&[1.0, f64::NAN]).is_err());
    }
}
