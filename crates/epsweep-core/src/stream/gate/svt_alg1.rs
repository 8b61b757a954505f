//! Sparse vector with half of ε for the threshold.

use super::{Calibrated, Gate, Setting, Split};
use crate::about::About;
use crate::stream::StreamError;

const ABOUT: About = About {
    name: "svt-alg1",
    summary: "sparse vector with one noisy threshold for the whole stream; half of ε is for the threshold unless the split is given",
    formula: "qᵢ + Lap(2cΔ/ε₂) ≥ Tᵢ + Lap(Δ/ε₁), ε₁ = ε₂ = ε/2; closes after c",
    source: "Lyu, Su, Li (VLDB 2017), algorithm 1, section 3.1",
};

/// The gate `svt-alg1`.
#[derive(Debug)]
pub(super) struct Alg1;

impl Gate for Alg1 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn calibrate(&self, setting: &Setting) -> Result<Calibrated, StreamError> {
        setting.allow(ABOUT.name, [true, true, false])?;
        Ok(super::svt_alg7::standard(&ABOUT, setting, Split::Even))
    }
}
