//! AboveThreshold, started again after every positive answer.

use super::{Answering, Calibrated, Gate, Privacy, Setting};
use crate::about::About;
use crate::stream::StreamError;

const ABOUT: About = About {
    name: "sparse",
    summary: "above-threshold with ε/c, started again with a new noisy threshold after each of c positive answers",
    formula: "qᵢ + Lap(4cΔ/ε) ≥ Tᵢ + Lap(2cΔ/ε), redrawn after every positive answer; closes after c",
    source: "Dwork, Roth (2014), algorithm 2 with δ = 0, theorem 3.25; Lyu, Su, Li (VLDB 2017), algorithm 2",
};

/// The gate `sparse`.
#[derive(Debug)]
pub(super) struct Sparse;

impl Gate for Sparse {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn calibrate(&self, setting: &Setting) -> Result<Calibrated, StreamError> {
        setting.allow(ABOUT.name, [false; 3])?;
        Ok(redrawn(&ABOUT, setting))
    }
}

/// AboveThreshold with ε/c, c times: half of it for each threshold, half for each positive answer.
pub(super) fn redrawn(about: &'static About, setting: &Setting) -> Calibrated {
    let (epsilon, delta, c) = (
        setting.epsilon(),
        setting.sensitivity(),
        setting.limit() as f64,
    );
    let half = 0.5 * epsilon;
    Calibrated {
        about,
        threshold_scale: 2.0 * c * delta / epsilon,
        query_scale: 4.0 * c * delta / epsilon,
        redrawn: true,
        limit: Some(setting.limit()),
        answering: Answering::Report,
        claimed: epsilon,
        privacy: Privacy::Pure(epsilon),
        epsilons: [half, half, 0.0],
        opening: half / c,
        positive: half / c,
    }
}
