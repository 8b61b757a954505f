//! A control: the noise of the queries does not grow with c.

use super::{Answering, Calibrated, Gate, Privacy, Setting, Standing};
use crate::about::About;
use crate::stream::StreamError;

const ABOUT: About = About {
    name: "svt-alg4",
    summary: "broken, a control: the noise of the queries is that of a single positive answer, however many are given",
    formula: "qᵢ + Lap(4Δ/(3ε)) ≥ Tᵢ + Lap(4Δ/ε); closes after c; costs (1 + 6c)/4·ε",
    source: "Lee, Clifton (KDD 2014), algorithm 1; Lyu, Su, Li (VLDB 2017), algorithm 4, figure 2",
};

/// The gate `svt-alg4`.
#[derive(Debug)]
pub(super) struct Alg4;

impl Gate for Alg4 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn standing(&self) -> Standing {
        Standing::Broken("each positive answer costs 3/2 of ε: (1 + 6c)/4·ε in all")
    }

    fn calibrate(&self, setting: &Setting) -> Result<Calibrated, StreamError> {
        setting.allow(ABOUT.name, [false; 3])?;
        let (epsilon, delta, c) = (
            setting.epsilon(),
            setting.sensitivity(),
            setting.limit() as f64,
        );
        let threshold = 0.25 * epsilon;
        let queries = epsilon - threshold;
        Ok(Calibrated {
            about: &ABOUT,
            threshold_scale: delta / threshold,
            query_scale: delta / queries,
            redrawn: false,
            limit: Some(setting.limit()),
            answering: Answering::Report,
            claimed: epsilon,
            privacy: Privacy::Pure(0.25 * (1.0 + 6.0 * c) * epsilon),
            epsilons: [threshold, queries, 0.0],
            opening: epsilon,
            positive: 0.0,
        })
    }
}
