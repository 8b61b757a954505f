//! What all noise with a symmetric law shares: no noise where there is no sensitivity, no release where there is no budget, and
//! the laws that follow from that of the error.

use super::{Noise, NoiseError, Transform};
use crate::budget::Budget;
use crate::random::StandardLaw;
use crate::theory::{Absolute, Answer, Constant, Law, Squared, Symmetric};
use std::fmt::Debug;
use std::sync::Arc;

/// A mechanism whose noise has a positive and finite scale.
pub(super) trait Mechanism: Debug + Send + Sync {
    /// the standard variate that is scaled, or of which the transform's first row consists
    const STANDARD: StandardLaw;

    /// as [`Noise::scale`]
    fn scale(&self) -> f64;

    /// the law of the error
    fn error(&self) -> Arc<dyn Symmetric>;

    /// as [`Noise::delta`]
    fn delta(&self, epsilon: f64) -> f64;

    /// as [`Noise::transform`]
    fn transform(&self) -> Option<&dyn Transform>;
}

/// Noise of a mechanism, or of none.
#[derive(Clone, Debug)]
pub(super) struct Calibrated<M> {
    name: &'static str,
    state: State<M>,
}

#[derive(Clone, Debug)]
enum State<M> {
    /// a sensitivity of 0: no noise
    Exact,
    /// a sensitivity without a budget: no release
    Unbounded,
    Noise(M),
}

impl<M: Mechanism> Calibrated<M> {
    /// The noise for a sensitivity Δ, in the norm of the mechanism, and what is spent; `mechanism` is asked where both are positive.
    pub(super) fn new<B>(
        name: &'static str,
        sensitivity: f64,
        spent: Option<B>,
        mechanism: impl FnOnce(B) -> Result<M, NoiseError>,
    ) -> Result<Self, NoiseError> {
        if !(0.0..f64::INFINITY).contains(&sensitivity) {
            return Err(NoiseError::Sensitivity { value: sensitivity });
        }
        let state = match spent {
            _ if sensitivity == 0.0 => State::Exact,
            None => State::Unbounded,
            Some(budget) => State::Noise(mechanism(budget)?),
        };
        Ok(Self { name, state })
    }

    /// As a trait object.
    pub(super) fn boxed(self) -> Box<dyn Noise>
    where
        M: 'static,
    {
        Box::new(self)
    }

    /// A law made of the error's, or the point mass at `exact` without noise, or one that knows nothing.
    fn law<L: Law + 'static>(
        &self,
        exact: f64,
        of: impl FnOnce(Arc<dyn Symmetric>) -> L,
    ) -> Arc<dyn Law> {
        match &self.state {
            State::Exact => Arc::new(Constant::new(exact)),
            State::Unbounded => Arc::new(Constant::new(f64::NAN)),
            State::Noise(mechanism) => Arc::new(of(mechanism.error())),
        }
    }
}

impl<M: Mechanism> Noise for Calibrated<M> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn scale(&self) -> f64 {
        match &self.state {
            State::Exact => 0.0,
            State::Unbounded => f64::INFINITY,
            State::Noise(mechanism) => mechanism.scale(),
        }
    }

    fn standard(&self) -> StandardLaw {
        M::STANDARD
    }

    fn transform(&self) -> Option<&dyn Transform> {
        match &self.state {
            State::Noise(mechanism) => mechanism.transform(),
            State::Exact | State::Unbounded => None,
        }
    }

    fn variance(&self) -> f64 {
        match &self.state {
            State::Exact => 0.0,
            State::Unbounded => f64::INFINITY,
            State::Noise(mechanism) => mechanism.error().second_moment().unwrap_or(f64::INFINITY),
        }
    }

    fn half_width(&self, level: f64) -> f64 {
        if !(level > 0.0 && level < 1.0) {
            return f64::NAN;
        }
        match &self.state {
            State::Exact => 0.0,
            State::Unbounded => f64::INFINITY,
            State::Noise(mechanism) => mechanism
                .error()
                .above_quantile(0.5 * (1.0 - level))
                .unwrap_or(f64::NAN),
        }
    }

    fn delta(&self, epsilon: f64) -> f64 {
        match &self.state {
            State::Exact | State::Unbounded => 0.0,
            State::Noise(mechanism) => mechanism.delta(epsilon),
        }
    }

    fn answer_law(&self, truth: f64) -> Arc<dyn Law> {
        self.law(truth, |error| Answer::new(error, truth))
    }

    fn abs_error_law(&self) -> Arc<dyn Law> {
        self.law(0.0, Absolute::new)
    }

    fn squared_error_law(&self) -> Arc<dyn Law> {
        self.law(0.0, Squared::new)
    }
}

/// The ε of a budget for noise that is calibrated to pure differential privacy alone.
pub(super) fn pure(noise: &'static str, spent: Option<Budget>) -> Result<Option<f64>, NoiseError> {
    match spent {
        None => Ok(None),
        Some(Budget::Pure(epsilon)) => Ok(Some(epsilon.get())),
        Some(other) => Err(NoiseError::Budget {
            noise,
            wanted: "pure ε",
            budget: other.to_string(),
        }),
    }
}

/// The scale, if it is a normal double.
pub(super) fn normal(
    scale: f64,
    rule: &'static str,
    sensitivity: f64,
    budget: impl ToString,
) -> Result<f64, NoiseError> {
    if scale.is_normal() && scale > 0.0 {
        Ok(scale)
    } else {
        Err(NoiseError::Range {
            rule,
            sensitivity,
            budget: budget.to_string(),
            scale,
            least: f64::MIN_POSITIVE,
            most: f64::MAX,
        })
    }
}

/// The sensitivity of an integer-valued query, which is an integer itself.
pub(super) fn integer(noise: &'static str, sensitivity: f64) -> Result<(), NoiseError> {
    if sensitivity.is_finite() && sensitivity.fract() != 0.0 {
        return Err(NoiseError::Fraction {
            noise,
            value: sensitivity,
        });
    }
    Ok(())
}
