//! Each bin is measured by itself.

use super::{Ranges, Strategy, StrategyKind, WorkloadError};
use crate::about::About;

const ABOUT: About = About {
    name: "identity",
    summary: "measures every bin; a range adds the noise of all its bins",
    formula: "variance of a range = σ²·(number of its bins); Δ₁ = 1 under add-remove, 2 under substitute",
    source: "Dwork, McSherry, Nissim and Smith (TCC 2006), §3 (histograms)",
};

/// The kind `identity`.
pub(super) struct IdentityKind;

impl StrategyKind for IdentityKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn build(&self, bins: usize, _: usize) -> Result<Box<dyn Strategy>, WorkloadError> {
        Ok(Box::new(Identity::new(bins)?))
    }
}

/// Each bin by itself.
#[derive(Clone, Debug)]
pub struct Identity {
    ranges: Ranges,
}

impl Identity {
    /// # Errors
    /// [`WorkloadError`] if there are no bins or too many
    pub fn new(bins: usize) -> Result<Identity, WorkloadError> {
        let ranges = Ranges::single(bins)?;
        Ok(Identity { ranges })
    }
}

impl Strategy for Identity {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn ranges(&self) -> &Ranges {
        &self.ranges
    }

    fn reconstruct_rows(
        &self,
        measured: &[f64],
        trials: usize,
        _: &mut Vec<f64>,
        counts: &mut [f64],
    ) {
        let numbers = self.ranges.bins() * trials;
        counts[..numbers].copy_from_slice(&measured[..numbers]);
    }

    fn variance(&self, coefficients: &[f64]) -> f64 {
        coefficients.iter().map(|q| q * q).sum()
    }
}
