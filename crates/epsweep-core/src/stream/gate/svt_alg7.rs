//! The standard sparse vector technique.

use super::{Answering, Calibrated, Gate, Privacy, Setting, Split};
use crate::about::About;
use crate::stream::StreamError;

const ABOUT: About = About {
    name: "svt-alg7",
    summary: "the standard sparse vector technique: ε split so that the noisy difference has the least variance, and numeric answers from a share of their own",
    formula: "qᵢ + Lap(2cΔ/ε₂) ≥ Tᵢ + Lap(Δ/ε₁), answered by qᵢ + Lap(cΔ/ε₃); ε₁ : ε₂ = 1 : (2c)^(2/3); monotone: cΔ/ε₂ and c^(2/3)",
    source: "Lyu, Su, Li (VLDB 2017), algorithm 7, sections 4.1 to 4.3",
};

/// The gate `svt-alg7`.
#[derive(Debug)]
pub(super) struct Alg7;

impl Gate for Alg7 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn calibrate(&self, setting: &Setting) -> Result<Calibrated, StreamError> {
        Ok(standard(&ABOUT, setting, Split::Optimal))
    }
}

/// Algorithms 1 and 7, which differ in how they divide ε unless told otherwise.
pub(super) fn standard(about: &'static About, setting: &Setting, usual: Split) -> Calibrated {
    let epsilons @ [threshold, queries, numeric] = setting.divide(usual);
    let (delta, c) = (setting.sensitivity(), setting.limit() as f64);
    let factor = if setting.is_monotone() { 1.0 } else { 2.0 };
    Calibrated {
        about,
        threshold_scale: delta / threshold,
        query_scale: factor * c * delta / queries,
        redrawn: false,
        limit: Some(setting.limit()),
        answering: if numeric > 0.0 {
            Answering::Fresh(c * delta / numeric)
        } else {
            Answering::Report
        },
        claimed: setting.epsilon(),
        privacy: Privacy::Pure(setting.epsilon()),
        epsilons,
        opening: threshold,
        positive: (queries + numeric) / c,
    }
}
