//! The two models: how a prediction is judged, and how it should move.

use crate::random::exp::exp;
use crate::random::isa::Isa;
use crate::random::log::minus_ln;

/// A generalised linear model: the loss of a record is a function of its label y and of p = x·w alone, so that its gradient is
/// (dℓ/dp)·x, of norm |dℓ/dp|·‖x‖.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// squared loss ½(p − y)², labels any number
    Linear,
    /// logistic loss ln(1 + eᵖ) − yp, labels 0 and 1
    Logistic,
}

impl Model {
    /// Both.
    pub const ALL: &[Model] = &[Model::Linear, Model::Logistic];

    /// The name in an experiment file.
    pub fn name(self) -> &'static str {
        match self {
            Model::Linear => "linear",
            Model::Logistic => "logistic",
        }
    }

    /// Whether labels are classes.
    pub fn classifies(self) -> bool {
        self == Model::Logistic
    }

    /// ℓ(p, y).
    pub fn loss(self, prediction: f64, label: f64) -> f64 {
        match self {
            Model::Linear => 0.5 * (prediction - label) * (prediction - label),
            Model::Logistic => {
                prediction.max(0.0) - label * prediction + libm::log1p(libm::exp(-prediction.abs()))
            }
        }
    }

    /// dℓ/dp.
    pub fn residual(self, prediction: f64, label: f64) -> f64 {
        match self {
            Model::Linear => prediction - label,
            Model::Logistic => sigmoid(prediction) - label,
        }
    }

    /// d²ℓ/dp².
    pub fn curvature(self, prediction: f64) -> f64 {
        match self {
            Model::Linear => 1.0,
            Model::Logistic => {
                let small = libm::exp(-prediction.abs());
                small / ((1.0 + small) * (1.0 + small))
            }
        }
    }
}

/// 1/(1 + e⁻ᵖ).
pub(super) fn sigmoid(p: f64) -> f64 {
    let small = libm::exp(-p.abs());
    if p < 0.0 {
        small / (1.0 + small)
    } else {
        1.0 / (1.0 + small)
    }
}

/// The same functions for eight predictions at once, with the same bits on every instruction set.
pub(super) trait Link {
    /// Whether labels are classes.
    const CLASSIFIES: bool;
    /// dℓ/dp.
    fn residual<I: Isa>(isa: I, prediction: I::F, label: I::F) -> I::F;
    /// ℓ.
    fn loss<I: Isa>(isa: I, prediction: I::F, label: I::F) -> I::F;
}

pub(super) struct Linear;

impl Link for Linear {
    const CLASSIFIES: bool = false;

    #[inline(always)]
    fn residual<I: Isa>(isa: I, prediction: I::F, label: I::F) -> I::F {
        isa.sub(prediction, label)
    }

    #[inline(always)]
    fn loss<I: Isa>(isa: I, prediction: I::F, label: I::F) -> I::F {
        let residual = isa.sub(prediction, label);
        isa.mul(isa.splat(0.5), isa.mul(residual, residual))
    }
}

pub(super) struct Logistic;

impl Link for Logistic {
    const CLASSIFIES: bool = true;

    #[inline(always)]
    fn residual<I: Isa>(isa: I, prediction: I::F, label: I::F) -> I::F {
        let one = isa.splat(1.0);
        let small = exp(isa, isa.sub(isa.splat(0.0), isa.abs(prediction)));
        let negative = isa.less(prediction, isa.splat(0.0));
        let upper = isa.select(negative, small, one);
        isa.sub(isa.div(upper, isa.add(one, small)), label)
    }

    #[inline(always)]
    fn loss<I: Isa>(isa: I, prediction: I::F, label: I::F) -> I::F {
        let small = exp(isa, isa.sub(isa.splat(0.0), isa.abs(prediction)));
        let tail = minus_ln(isa, isa.add(isa.splat(1.0), small));
        let line = isa.sub(
            isa.max(prediction, isa.splat(0.0)),
            isa.mul(label, prediction),
        );
        isa.sub(line, tail)
    }
}
