//! Zero-concentrated differential privacy.

use super::divergence::{kullback_leibler, renyi};
use super::{Reading, ReadingKind, non_negative};
use crate::about::About;
use crate::audit::AuditError;
use crate::shortest::Shortest;

const ABOUT: About = About {
    name: "zcdp",
    summary: "ρ-zero-concentrated differential privacy, through the divergence of one event; Gaussian noise itself shows up to two thirds of its ρ so",
    formula: "ρ ≥ sup over α > 1 of D_α(p‖q)/α, and ρ ≥ KL(p‖q)",
    source: "Bun and Steinke, TCC 2016, definition 1.1, and the data processing inequality (van Erven and Harremoës 2014, theorem 9)",
};

/// α − 1 runs over 2^−8, …, 2^12, in half powers: any α gives a valid bound, so that the grid costs sharpness and no truth.
const FIRST: i32 = -16;
const LAST: i32 = 24;

pub(super) struct ConcentratedKind;

#[derive(Clone, Copy, Debug)]
struct Concentrated(f64);

impl ReadingKind for ConcentratedKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn keys(&self) -> &'static [&'static str] {
        &["rho"]
    }

    fn of(&self, values: &[f64]) -> Result<Box<dyn Reading>, AuditError> {
        Ok(Box::new(Concentrated(non_negative("rho", values[0])?)))
    }
}

impl Reading for Concentrated {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn symbol(&self) -> &'static str {
        "ρ"
    }

    fn claimed(&self) -> f64 {
        self.0
    }

    fn words(&self) -> String {
        format!("ρ = {} (zCDP)", Shortest(self.0))
    }

    fn least(&self, p: f64, q: f64) -> f64 {
        if p <= q {
            return 0.0;
        }
        // D_α rises with α, so that its limit at 1 binds ρ, too
        (FIRST..=LAST)
            .map(|half| {
                let alpha = 1.0 + libm::exp(0.5 * std::f64::consts::LN_2 * f64::from(half));
                renyi(alpha, p, q) / alpha
            })
            .fold(kullback_leibler(p, q), f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::normal_cdf;

    #[test]
    fn gaussian_noise_shows_less_than_its_rho_and_most_of_it() {
        // σ = 1 and a distance of 1: ρ = 1/2
        let reading = Concentrated(0.5);
        let found = (-40..40)
            .map(|i| f64::from(i) / 10.0)
            .map(|t| reading.least(normal_cdf(t), normal_cdf(t - 1.0)))
            .fold(0.0, f64::max);
        assert!(found < 0.5 && found > 0.3, "{found}");
    }

    #[test]
    fn permute_and_flip_breaks_an_eighth_of_epsilon_squared() {
        // [0, −2] against [0, 0] at ε = 1: P(second) = e⁻¹/2 and 1/2
        let p = 0.5 * libm::exp(-1.0);
        let found = Concentrated(0.125).least(1.0 - p, 0.5);
        assert!(found > 0.2 && found < 0.5, "{found}");
    }
}
