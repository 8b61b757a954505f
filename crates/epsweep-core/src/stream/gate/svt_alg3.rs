//! A control: the noisy answer that passed is given away.

use super::{Answering, Calibrated, Gate, Privacy, Setting, Standing};
use crate::about::About;
use crate::stream::StreamError;

const ABOUT: About = About {
    name: "svt-alg3",
    summary: "broken, a control: gives away the noisy answer that was compared with the threshold",
    formula: "qᵢ + Lap(2cΔ/ε) ≥ Tᵢ + Lap(2Δ/ε), answered by that very qᵢ + Lap(2cΔ/ε)",
    source: "Roth, lecture notes 'The sparse vector technique' (2011); Lyu, Su, Li (VLDB 2017), algorithm 3",
};

/// The gate `svt-alg3`.
#[derive(Debug)]
pub(super) struct Alg3;

impl Gate for Alg3 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn standing(&self) -> Standing {
        Standing::Broken(
            "the noisy answer that it gives bounds the noisy threshold, so that negative answers cost too: no finite ε",
        )
    }

    fn calibrate(&self, setting: &Setting) -> Result<Calibrated, StreamError> {
        setting.allow(ABOUT.name, [false; 3])?;
        let (epsilon, delta, c) = (
            setting.epsilon(),
            setting.sensitivity(),
            setting.limit() as f64,
        );
        let threshold = 0.5 * epsilon;
        let queries = epsilon - threshold;
        Ok(Calibrated {
            about: &ABOUT,
            threshold_scale: delta / threshold,
            query_scale: c * delta / queries,
            redrawn: false,
            limit: Some(setting.limit()),
            answering: Answering::Revealed,
            claimed: epsilon,
            privacy: Privacy::Unbounded,
            epsilons: [threshold, queries, 0.0],
            opening: epsilon,
            positive: 0.0,
        })
    }
}
