//! What a gate is asked for.

use super::super::StreamError;
use crate::selection::{Form, Movement};

/// How ε is divided between threshold and queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Split {
    /// one half each
    Even,
    /// 1 : (2c)^(2/3), or 1 : c^(2/3) in the monotone form, which has the least variance of the noisy difference (Lyu, Su and Li, VLDB 2017,
    /// section 4.2)
    Optimal,
    /// the threshold gets this share, strictly between 0 and 1
    Threshold(f64),
}

/// ε, Δ, how many positive answers are wanted, and what a gate may offer besides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    epsilon: f64,
    sensitivity: f64,
    limit: usize,
    form: Form,
    split: Option<Split>,
    numeric: f64,
}

impl Setting {
    /// For queries of sensitivity Δ (the largest change of any answer between neighbouring data sets), under ε in all, with at most `limit` (c)
    /// positive answers. Without numeric answers, in the general form, with the gate's own split.
    ///
    /// # Errors
    /// [`StreamError::Parameter`] if ε is not finite and positive, Δ not finite and at least 0, or the limit 0
    pub fn new(epsilon: f64, sensitivity: f64, limit: usize) -> Result<Setting, StreamError> {
        if !(epsilon > 0.0 && epsilon.is_finite()) {
            return Err(StreamError::Parameter {
                what: "ε",
                value: epsilon,
                rule: "must be finite and above 0",
                remedy: "usual values lie between 0.1 and 10",
            });
        }
        if !(sensitivity >= 0.0 && sensitivity.is_finite()) {
            return Err(StreamError::Parameter {
                what: "the sensitivity of the queries",
                value: sensitivity,
                rule: "must be finite and at least 0",
                remedy: "it is the largest change of any answer between neighbouring data sets",
            });
        }
        if limit == 0 {
            return Err(StreamError::Parameter {
                what: "the number c of positive answers",
                value: 0.0,
                rule: "must be at least 1",
                remedy: "a gate that opens for nothing answers nothing",
            });
        }
        Ok(Setting {
            epsilon,
            // adding 0 turns −0 into 0
            sensitivity: sensitivity + 0.0,
            limit,
            form: Form::General,
            split: None,
            numeric: 0.0,
        })
    }

    /// In this form, for answers that move like this.
    ///
    /// # Errors
    /// [`StreamError::NotMonotone`] if the monotone form is asked for where answers may move both ways (Lyu, Su and Li, VLDB 2017, section 4.3)
    pub fn form(self, form: Form, movement: Movement) -> Result<Setting, StreamError> {
        if (form, movement) == (Form::Monotone, Movement::AnyWay) {
            return Err(StreamError::NotMonotone);
        }
        Ok(Setting { form, ..self })
    }

    /// With this division of ε.
    ///
    /// # Errors
    /// [`StreamError::Parameter`] if the threshold's share is not strictly between 0 and 1
    pub fn split(self, split: Split) -> Result<Setting, StreamError> {
        if let Split::Threshold(share) = split
            && !(share > 0.0 && share < 1.0)
        {
            return Err(StreamError::Parameter {
                what: "the threshold's share of ε",
                value: share,
                rule: "must lie strictly between 0 and 1",
                remedy: "leave it out for the gate's own split",
            });
        }
        Ok(Setting {
            split: Some(split),
            ..self
        })
    }

    /// With numeric answers beside the positive ones, which get this share ε₃/ε of the whole; 0 for none.
    ///
    /// # Errors
    /// [`StreamError::Parameter`] if the share is negative, or 1 and more
    pub fn numeric(self, share: f64) -> Result<Setting, StreamError> {
        if !(0.0..1.0).contains(&share) {
            return Err(StreamError::Parameter {
                what: "the numeric answers' share of ε",
                value: share,
                rule: "must be at least 0 and below 1",
                remedy: "threshold and queries need the rest",
            });
        }
        Ok(Setting {
            numeric: share + 0.0,
            ..self
        })
    }

    /// ε of everything together.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// Δ, in the units of the answers.
    pub fn sensitivity(&self) -> f64 {
        self.sensitivity
    }

    /// c.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Whether the monotone form is asked for.
    pub fn is_monotone(&self) -> bool {
        self.form == Form::Monotone
    }

    /// ε₁ of the threshold, ε₂ of the queries and ε₃ of the numeric answers, where the gate's own split is `usual`.
    pub(super) fn divide(&self, usual: Split) -> [f64; 3] {
        let numeric = self.numeric * self.epsilon;
        let rest = self.epsilon - numeric;
        let c = self.limit as f64;
        let factor = if self.is_monotone() { 1.0 } else { 2.0 };
        let threshold = match self.split.unwrap_or(usual) {
            Split::Even => 0.5 * rest,
            Split::Optimal => {
                let root = libm::cbrt(factor * c);
                rest / (1.0 + root * root)
            }
            Split::Threshold(share) => share * rest,
        };
        [threshold, rest - threshold, numeric]
    }

    /// Refuses what the gate named does not have.
    pub(super) fn allow(
        &self,
        gate: &'static str,
        [split, monotone, numeric]: [bool; 3],
    ) -> Result<(), StreamError> {
        let refuse = |what, remedy| Err(StreamError::Unsupported { gate, what, remedy });
        if self.split.is_some() && !split {
            return refuse(
                "choice of the split between threshold and queries",
                "leave the split out, or use `svt-alg7`",
            );
        }
        if self.is_monotone() && !monotone {
            return refuse("monotone form", "use the general form, or `svt-alg7`");
        }
        if self.numeric > 0.0 && !numeric {
            return refuse(
                "budget for numeric answers",
                "leave the share for numeric answers out, or use `svt-alg7`",
            );
        }
        Ok(())
    }
}
