//! Gaussian noise: Mironov, CSF 2017, proposition 7; also the curve of what is ρ-zCDP (Bun and Steinke, TCC 2016, definition 1.1).

use super::{Curve, order};
use crate::about::About;
use crate::accounting::error::{self, AccountingError};

/// Gaussian noise with ρ = Δ₂²/(2σ²).
#[derive(Clone, Copy, Debug)]
pub struct Gaussian {
    rho: f64,
}

pub(super) const ABOUT: About = About {
    name: "gaussian",
    summary: "Gaussian noise, or anything that is ρ-zCDP",
    formula: "ε(α) = αΔ²/(2σ²) = αρ",
    source: "Mironov, CSF 2017, proposition 7",
};

impl Gaussian {
    /// # Errors
    /// [`AccountingError::Parameter`] if ρ is not finite and positive
    pub fn new(rho: f64) -> Result<Gaussian, AccountingError> {
        error::positive("ρ", rho).map(|rho| Gaussian { rho })
    }
}

impl Curve for Gaussian {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn rdp(&self, alpha: f64) -> Result<f64, AccountingError> {
        Ok(order(alpha)? * self.rho)
    }
}
