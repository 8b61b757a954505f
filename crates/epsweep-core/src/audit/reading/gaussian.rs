//! Gaussian differential privacy.

use super::{Reading, ReadingKind, non_negative};
use crate::about::About;
use crate::audit::AuditError;
use crate::shortest::Shortest;
use crate::statistics::normal_quantile;

const ABOUT: About = About {
    name: "gaussian",
    summary: "μ-Gaussian differential privacy",
    formula: "μ ≥ Φ⁻¹(p) − Φ⁻¹(q)",
    source: "Dong, Roth and Su, JRSS B 84, 2022, definition 2.6; Nasr, Hayes, Steinke, Balle, Tramèr, Jagielski, Carlini and Terzis, USENIX Security 2023",
};

pub(super) struct GaussianKind;

#[derive(Clone, Copy, Debug)]
struct Gaussian(f64);

impl ReadingKind for GaussianKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn keys(&self) -> &'static [&'static str] {
        &["mu"]
    }

    fn of(&self, values: &[f64]) -> Result<Box<dyn Reading>, AuditError> {
        Ok(Box::new(Gaussian(non_negative("mu", values[0])?)))
    }
}

impl Reading for Gaussian {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn symbol(&self) -> &'static str {
        "μ"
    }

    fn claimed(&self) -> f64 {
        self.0
    }

    fn words(&self) -> String {
        format!("μ = {} (Gaussian)", Shortest(self.0))
    }

    fn least(&self, p: f64, q: f64) -> f64 {
        if p <= q {
            return 0.0;
        }
        let quantile = |x: f64| match x {
            x if x <= 0.0 => f64::NEG_INFINITY,
            x if x >= 1.0 => f64::INFINITY,
            // in (0, 1), where there always is one
            x => normal_quantile(x).unwrap_or(0.0),
        };
        (quantile(p) - quantile(q)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::normal_cdf;

    #[test]
    fn every_threshold_of_gaussian_noise_gives_its_mu() {
        let reading = Gaussian(1.3);
        for threshold in [-2.0, 0.0, 0.4, 3.0] {
            let (p, q) = (normal_cdf(threshold), normal_cdf(threshold - 1.3));
            assert!((reading.least(p, q) - 1.3).abs() < 1e-9);
        }
    }
}
