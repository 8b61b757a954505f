//! Report-noisy-max with exponential noise.

use super::permute_and_flip::flip_law;
use super::{
    Calibration, ChoiceLaw, Guarantee, Mechanism, Problem, SelectionError, Uniforms,
    exponential_variate, noisy_max,
};
use crate::about::About;
use crate::random::StandardLaw;

const ABOUT: About = About {
    name: "exponential-noisy-max",
    summary: "adds exponential noise to every score and reports the largest; the same law as permute-and-flip",
    formula: "arg max u(r) + Exponential(2Δ/ε)",
    source: "Dwork and Roth (2014), §3.3; Ding, Kifer, Steinke, Wang, Xiao and Zhang (arXiv:2105.07260, 2021)",
};

/// The mechanism `exponential-noisy-max`.
#[derive(Debug)]
pub(super) struct ExponentialNoise;

impl Mechanism for ExponentialNoise {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn guarantee(&self, calibration: &Calibration) -> Guarantee {
        Guarantee::pure(calibration.epsilon())
    }

    fn law(&self, problem: &Problem) -> Result<ChoiceLaw, SelectionError> {
        Ok(flip_law(problem))
    }

    fn choose(&self, problem: &Problem, uniforms: &mut Uniforms) -> usize {
        noisy_max(problem, uniforms, exponential_variate)
    }

    fn noise(&self) -> Option<StandardLaw> {
        Some(StandardLaw::Exponential)
    }
}
