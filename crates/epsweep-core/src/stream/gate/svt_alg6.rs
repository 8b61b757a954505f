//! A control: as many positive answers as there are.

use super::{Answering, Calibrated, Gate, Privacy, Setting, Standing};
use crate::about::About;
use crate::stream::StreamError;

const ABOUT: About = About {
    name: "svt-alg6",
    summary: "broken, a control: noise for one positive answer, and never closes",
    formula: "qᵢ + Lap(2Δ/ε) ≥ Tᵢ + Lap(2Δ/ε)",
    source: "Chen, Xiao, Zhang, Xu (KDD 2015), algorithm 2; Lyu, Su, Li (VLDB 2017), algorithm 6, section 3.3",
};

/// The gate `svt-alg6`.
#[derive(Debug)]
pub(super) struct Alg6;

impl Gate for Alg6 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn standing(&self) -> Standing {
        Standing::Broken("each of any number of positive answers costs as much as one: no finite ε")
    }

    fn calibrate(&self, setting: &Setting) -> Result<Calibrated, StreamError> {
        setting.allow(ABOUT.name, [false; 3])?;
        let (epsilon, delta) = (setting.epsilon(), setting.sensitivity());
        let threshold = 0.5 * epsilon;
        let queries = epsilon - threshold;
        Ok(Calibrated {
            about: &ABOUT,
            threshold_scale: delta / threshold,
            query_scale: delta / queries,
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
