//! A control: no noise on the queries, and no limit.

use super::{Answering, Calibrated, Gate, Privacy, Setting, Standing};
use crate::about::About;
use crate::stream::StreamError;

const ABOUT: About = About {
    name: "svt-alg5",
    summary: "broken, a control: adds no noise to the queries and never closes",
    formula: "qᵢ ≥ Tᵢ + Lap(2Δ/ε)",
    source: "Stoddard, Chen, Machanavajjhala (2014), algorithm 1; Lyu, Su, Li (VLDB 2017), algorithm 5, section 3.3",
};

/// The gate `svt-alg5`.
#[derive(Debug)]
pub(super) struct Alg5;

impl Gate for Alg5 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn standing(&self) -> Standing {
        Standing::Broken(
            "it compares true answers with one noisy threshold, so that their order shows: no finite ε",
        )
    }

    fn calibrate(&self, setting: &Setting) -> Result<Calibrated, StreamError> {
        setting.allow(ABOUT.name, [false; 3])?;
        let (epsilon, delta) = (setting.epsilon(), setting.sensitivity());
        let threshold = 0.5 * epsilon;
        let queries = epsilon - threshold;
        Ok(Calibrated {
            about: &ABOUT,
            threshold_scale: delta / threshold,
            query_scale: 0.0,
            redrawn: false,
            limit: None,
            answering: Answering::Report,
            claimed: epsilon,
            privacy: Privacy::Unbounded,
            epsilons: [threshold, queries, 0.0],
            opening: epsilon,
            positive: 0.0,
        })
    }
}
