//! The gate that closes at its first positive answer.

use super::{Calibrated, Gate, Setting};
use crate::about::About;
use crate::stream::StreamError;

const ABOUT: About = About {
    name: "above-threshold",
    summary: "finds the first query above its threshold, and closes",
    formula: "qᵢ + Lap(4Δ/ε) ≥ Tᵢ + Lap(2Δ/ε)",
    source: "Dwork, Roth (2014), algorithm 1, theorem 3.23",
};

/// The gate `above-threshold`.
#[derive(Debug)]
pub(super) struct AboveThreshold;

impl Gate for AboveThreshold {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn calibrate(&self, setting: &Setting) -> Result<Calibrated, StreamError> {
        setting.allow(ABOUT.name, [false; 3])?;
        if setting.limit() != 1 {
            return Err(StreamError::Parameter {
                what: "the number c of positive answers",
                value: setting.limit() as f64,
                rule: "must be 1 for `above-threshold`, which closes at the first",
                remedy: "use `sparse` or `svt-alg7` for more",
            });
        }
        Ok(super::sparse::redrawn(&ABOUT, setting))
    }
}
