//! Choosing privately: one candidate (or several, [`top_k`]) by its score.
//!
//! A [`Problem`] is a list of [`Scores`] under a [`Calibration`] (ε, Δ and the form). A [`Mechanism`] gives the exact law of its
//! choice, and makes a choice by its definition, step by step. The [`sampler`]s draw many choices fast, by other ways to the
//! same law. [`utility`] makes scores, with their sensitivity, from data.
//!
//! Everything is computed from gaps, (best − score)·ε/(2Δ), which are the logarithms of the weights relative to the largest:
//! nothing overflows, and scores of ±1e308 are as good as others. A score of −∞ means "never" and must not depend on private
//! data. At ε = 0 all candidates that are permitted are equally likely. Ties are fair.
//!
//! To add a mechanism: one file here, and one line in [`REGISTRY`].
//!
//! ```
//! use epsweep_core::selection::{Calibration, Problem, Scores, mechanism};
//!
//! let problem = Problem::new(Scores::new(vec![9.0, 4.0, 7.0])?, Calibration::general(1.0, 1.0)?)?;
//! let law = mechanism("exponential").expect("it is listed").law(&problem)?;
//! let [best, _, second] = law.probabilities() else { unreachable!() };
//! assert!((best / second - f64::exp(1.0)).abs() < 1e-12); // e^(ε·(9 − 7)/(2Δ))
//! # Ok::<(), epsweep_core::selection::SelectionError>(())
//! ```

mod calibration;
mod error;
mod exponential;
mod exponential_noise;
mod gumbel_noise;
mod laplace_noise;
mod law;
mod naive;
mod permute_and_flip;
mod problem;
mod product;
pub mod sampler;
mod scores;
#[cfg(test)]
mod tests;
pub mod top_k;
#[cfg(test)]
mod trial;
pub mod utility;

pub use calibration::{Calibration, Form, Movement};
pub use error::SelectionError;
pub use law::{ChoiceLaw, LossTail};
pub use problem::Problem;
pub use scores::Scores;

use crate::about::About;
use crate::random::{StandardLaw, TrialStream};
use std::fmt::Debug;

/// Uniform variates on (0, 1), one after another: what a mechanism's definition draws from.
pub type Uniforms<'a> = dyn FnMut() -> f64 + 'a;

/// The variates of a stream of [`StandardLaw::Uniform`], one after another.
pub fn uniforms(mut stream: TrialStream) -> impl FnMut() -> f64 {
    let mut block = [0.0; 64];
    let mut used = block.len();
    move || {
        if used == block.len() {
            stream.fill(&mut block);
            used = 0;
        }
        used += 1;
        block[used - 1]
    }
}

/// A mechanism that chooses one candidate.
pub trait Mechanism: Debug + Send + Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// What it promises under this calibration.
    fn guarantee(&self, calibration: &Calibration) -> Guarantee;

    /// The exact law of the choice.
    ///
    /// # Errors
    /// [`SelectionError::LawTooDear`] or [`SelectionError::LawTooLarge`] where it cannot be computed at a reasonable cost
    fn law(&self, problem: &Problem) -> Result<ChoiceLaw, SelectionError>;

    /// One choice by the definition of the mechanism: the index of a candidate whose score is not −∞.
    fn choose(&self, problem: &Problem, uniforms: &mut Uniforms) -> usize;

    /// The noise, of scale [`Calibration::noise_scale`], that report-noisy-max adds to every score; `None` for mechanisms of
    /// another kind.
    fn noise(&self) -> Option<StandardLaw> {
        None
    }
}

/// What a selection promises. `None` where nothing is promised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guarantee {
    /// ε of pure differential privacy
    pub epsilon: Option<f64>,
    /// η of bounded range: between neighbours, the log-ratios of all outcomes lie within an interval of length η (Durfee and Rogers, NeurIPS
    /// 2019, definition 4.1). It implies η-differential privacy, and composes better than that does
    pub bounded_range: Option<f64>,
}

impl Guarantee {
    /// Bounded range η, which implies pure differential privacy with ε = η.
    pub fn of_range(eta: f64) -> Guarantee {
        Guarantee {
            epsilon: Some(eta),
            bounded_range: Some(eta),
        }
    }

    /// Pure differential privacy and no bounded range below what it implies.
    pub fn pure(epsilon: f64) -> Guarantee {
        Guarantee {
            epsilon: Some(epsilon),
            bounded_range: None,
        }
    }

    /// Nothing.
    pub const NONE: Guarantee = Guarantee {
        epsilon: None,
        bounded_range: None,
    };

    /// ρ of zero-concentrated differential privacy: η²/8 from bounded range (Cesar and Rogers, ALT 2021, lemma 3.4), ε²/2 from pure
    /// differential privacy (Bun and Steinke, TCC 2016, proposition 1.4); the smaller of the two.
    pub fn zcdp(&self) -> Option<f64> {
        let range = self.bounded_range.map(|eta| eta * eta / 8.0);
        let pure = self.epsilon.map(|epsilon| epsilon * epsilon / 2.0);
        match (range, pure) {
            (Some(range), Some(pure)) => Some(range.min(pure)),
            (range, pure) => range.or(pure),
        }
    }
}

/// All mechanisms that choose one candidate, in the order in which they are listed.
pub const REGISTRY: &[&dyn Mechanism] = &[
    &exponential::Exponential,
    &gumbel_noise::GumbelNoise,
    &laplace_noise::LaplaceNoise,
    &exponential_noise::ExponentialNoise,
    &permute_and_flip::PermuteAndFlip,
    &naive::Naive,
];

/// The mechanism of that name.
pub fn mechanism(name: &str) -> Option<&'static dyn Mechanism> {
    REGISTRY
        .iter()
        .copied()
        .find(|mechanism| mechanism.about().name == name)
}

/// The index of the largest value, ties being fair: one uniform variate is drawn where several are largest. NaN loses to everything.
///
/// The values come with the indices of their candidates; there must be one at least.
fn fair_arg_max(values: impl Iterator<Item = (usize, f64)>, uniforms: &mut Uniforms) -> usize {
    let mut largest = f64::NEG_INFINITY;
    let mut tied: Vec<usize> = Vec::new();
    for (index, value) in values {
        if value > largest {
            largest = value;
            tied.clear();
        }
        if value == largest {
            tied.push(index);
        }
    }
    match tied[..] {
        [only] => only,
        _ => tied[pick(tied.len(), uniforms)],
    }
}

/// One of 0, …, count − 1 with equal probabilities, up to 2⁻⁵².
fn pick(count: usize, uniforms: &mut Uniforms) -> usize {
    ((uniforms() * count as f64) as usize).min(count - 1)
}

/// Report-noisy-max by its definition: the largest of −gap + noise, where `draw` makes standard noise.
fn noisy_max(
    problem: &Problem,
    uniforms: &mut Uniforms,
    draw: impl Fn(&mut Uniforms) -> f64,
) -> usize {
    let noisy: Vec<(usize, f64)> = problem
        .gaps()
        .iter()
        .enumerate()
        .filter(|(_, gap)| **gap < f64::INFINITY)
        .map(|(index, gap)| (index, draw(uniforms) - gap))
        .collect();
    fair_arg_max(noisy.into_iter(), uniforms)
}

/// Standard exponential noise by inversion.
fn exponential_variate(uniforms: &mut Uniforms) -> f64 {
    -libm::log(uniforms())
}

/// Standard Laplace noise by inversion: a fair sign and an exponential size.
fn laplace_variate(uniforms: &mut Uniforms) -> f64 {
    let u = uniforms();
    if u < 0.5 {
        libm::log(2.0 * u)
    } else {
        -libm::log(2.0 * (1.0 - u))
    }
}

/// Standard Gumbel noise by inversion.
fn gumbel_variate(uniforms: &mut Uniforms) -> f64 {
    -libm::log(exponential_variate(uniforms))
}
