//! Report-noisy-max with Gumbel noise.

use super::exponential::softmax;
use super::{
    Calibration, ChoiceLaw, Guarantee, Mechanism, Problem, SelectionError, Uniforms,
    gumbel_variate, noisy_max,
};
use crate::about::About;
use crate::random::StandardLaw;

const ABOUT: About = About {
    name: "gumbel-noisy-max",
    summary: "adds Gumbel noise to every score and reports the largest; the same law as the exponential mechanism",
    formula: "arg max u(r) + Gumbel(2Δ/ε)",
    source: "Durfee and Rogers (NeurIPS 2019), lemma 4.2; Yellott (J. Math. Psychology 15, 1977)",
};

/// The mechanism `gumbel-noisy-max`.
#[derive(Debug)]
pub(super) struct GumbelNoise;

impl Mechanism for GumbelNoise {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    /// That of the exponential mechanism, whose law it has.
    fn guarantee(&self, calibration: &Calibration) -> Guarantee {
        Guarantee::of_range(calibration.epsilon())
    }

    fn law(&self, problem: &Problem) -> Result<ChoiceLaw, SelectionError> {
        Ok(softmax(problem))
    }

    fn choose(&self, problem: &Problem, uniforms: &mut Uniforms) -> usize {
        noisy_max(problem, uniforms, gumbel_variate)
    }

    fn noise(&self) -> Option<StandardLaw> {
        Some(StandardLaw::Gumbel)
    }
}
