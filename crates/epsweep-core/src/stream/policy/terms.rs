//! The total guarantee of a stream, and how spends count toward it.

use super::PolicyError;
use crate::accounting::AccountingError;
use crate::accounting::filter::{self, Filter, Spend};
use crate::random::StandardLaw;

/// What a stream promises in all: which filter its policy spends through, and with which noise it answers.
///
/// Policies divide a *capacity*, of which amounts are taken that add up: ε; ρ; the Rényi divergence; or Σεᵢ²/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guarantee {
    /// ε: amounts are εᵢ, Laplace noise
    Pure {
        /// ε
        epsilon: f64,
    },
    /// ρ: amounts are ρᵢ, Gaussian noise
    Zcdp {
        /// ρ
        rho: f64,
    },
    /// ε(α) at one order: amounts are divergences, Gaussian noise
    Renyi {
        /// α
        order: f64,
        /// ε(α)
        divergence: f64,
    },
    /// (ε, δ) by the filter of Whitehouse et al.: amounts are εᵢ²/2, Laplace noise
    Approximate {
        /// ε
        epsilon: f64,
        /// δ
        delta: f64,
    },
}

/// By how much the capacity of an (ε, δ) filter lies below the solution of its formula, which is rounded: what fits the capacity passes.
const HAIR: f64 = 1e-14;

impl Guarantee {
    /// A fresh filter.
    ///
    /// # Errors
    /// [`AccountingError`] if the numbers are no guarantee
    pub fn filter(&self) -> Result<Box<dyn Filter>, AccountingError> {
        Ok(match *self {
            Guarantee::Pure { epsilon } => Box::new(filter::Pure::new(epsilon)?),
            Guarantee::Zcdp { rho } => Box::new(filter::Concentrated::new(rho)?),
            Guarantee::Renyi { order, divergence } => {
                Box::new(filter::Renyi::new(order, divergence)?)
            }
            Guarantee::Approximate { epsilon, delta } => {
                Box::new(filter::Approximate::new(epsilon, delta, 0.0)?)
            }
        })
    }

    /// How much may be taken in all.
    pub fn capacity(&self) -> f64 {
        match *self {
            Guarantee::Pure { epsilon } => epsilon,
            Guarantee::Zcdp { rho } => rho,
            Guarantee::Renyi { divergence, .. } => divergence,
            Guarantee::Approximate { epsilon, delta } => {
                // 2√(L·h) + h = ε for L = ln(1/δ)
                let log = -libm::log(delta);
                let root = epsilon / ((log + epsilon).sqrt() + log.sqrt());
                root * root * (1.0 - HAIR)
            }
        }
    }

    /// What has been spent, in the unit of the guarantee, where amounts add up to `taken`: the filter's own formula.
    pub fn spent(&self, taken: f64) -> f64 {
        match *self {
            Guarantee::Approximate { delta, .. } => {
                2.0 * (-libm::log(delta) * taken).sqrt() + taken
            }
            _ => taken,
        }
    }

    /// An amount as a filter counts it.
    pub fn spend(&self, amount: f64) -> Spend {
        match self {
            Guarantee::Pure { .. } => Spend::Pure(amount),
            Guarantee::Zcdp { .. } => Spend::Concentrated(amount),
            Guarantee::Renyi { .. } => Spend::Renyi(amount),
            Guarantee::Approximate { .. } => Spend::Pure((2.0 * amount).sqrt()),
        }
    }

    /// The amount of a number that is declared for one release: its ε, ρ or divergence.
    pub fn amount(&self, declared: f64) -> f64 {
        match self {
            Guarantee::Approximate { .. } => 0.5 * declared * declared,
            _ => declared,
        }
    }

    /// What noise there is.
    pub fn standard(&self) -> StandardLaw {
        match self {
            Guarantee::Pure { .. } | Guarantee::Approximate { .. } => StandardLaw::Laplace,
            Guarantee::Zcdp { .. } | Guarantee::Renyi { .. } => StandardLaw::Normal,
        }
    }

    /// The scale of the noise of a release of that sensitivity for an amount: b = Δ/ε, or σ = Δ/√(2ρ) with a divergence of αρ (Bun and
    /// Steinke, TCC 2016, proposition 1.6; Mironov, CSF 2017, corollary 3).
    #[inline(always)]
    pub fn scale(&self, sensitivity: f64, amount: f64) -> f64 {
        match self {
            Guarantee::Pure { .. } => sensitivity / amount,
            Guarantee::Zcdp { .. } | Guarantee::Approximate { .. } => {
                sensitivity / (2.0 * amount).sqrt()
            }
            Guarantee::Renyi { order, .. } => sensitivity / (2.0 * amount / order).sqrt(),
        }
    }

    /// The mean absolute error of a release, in scales.
    #[inline(always)]
    fn mean_absolute(&self) -> f64 {
        match self {
            Guarantee::Pure { .. } | Guarantee::Approximate { .. } => 1.0,
            // √(2/π)
            Guarantee::Zcdp { .. } | Guarantee::Renyi { .. } => 0.797_884_560_802_865_4,
        }
    }
}

/// What a stream is answered under.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    guarantee: Guarantee,
    capacity: f64,
    sensitivity: f64,
    horizon: usize,
    window: Option<usize>,
    start: f64,
    threshold: Option<f64>,
}

impl Terms {
    /// A total guarantee over `horizon` positions, each with an answer of that sensitivity. What stands for an answer before the first
    /// release is 0.
    ///
    /// # Errors
    /// [`PolicyError`] if a number is out of its range
    pub fn new(
        guarantee: Guarantee,
        sensitivity: f64,
        horizon: usize,
    ) -> Result<Terms, PolicyError> {
        guarantee.filter()?;
        if horizon == 0 {
            return Err(PolicyError::Horizon);
        }
        if !(sensitivity > 0.0 && sensitivity.is_finite()) {
            return Err(PolicyError::Number {
                what: "the sensitivity",
                value: sensitivity,
                rule: "finite and above 0",
            });
        }
        Ok(Terms {
            guarantee,
            capacity: guarantee.capacity(),
            sensitivity,
            horizon,
            window: None,
            start: 0.0,
            threshold: None,
        })
    }

    /// The guarantee holds for any `window` positions in a row rather than for the whole stream: w-event privacy (Kellaris, Papadopoulos,
    /// Xiao, Papadias, PVLDB 7(12), 2014), which holds if the εᵢ of every window add up to no more than ε (their theorem on its composition).
    ///
    /// # Errors
    /// [`PolicyError`] if the window is empty or longer than the stream, or the guarantee is no pure ε, of which alone the theorem speaks
    pub fn with_window(self, window: usize) -> Result<Terms, PolicyError> {
        if window == 0 || window > self.horizon {
            return Err(PolicyError::Number {
                what: "the window",
                value: window as f64,
                rule: "at least 1 position and no longer than the stream",
            });
        }
        match self.guarantee {
            Guarantee::Pure { .. } => Ok(Terms {
                window: Some(window),
                ..self
            }),
            _ => Err(PolicyError::Window),
        }
    }

    /// What stands for an answer before the first release: public, chosen without looking at the data.
    ///
    /// # Errors
    /// [`PolicyError`] if it is not finite
    pub fn with_start(self, start: f64) -> Result<Terms, PolicyError> {
        if !start.is_finite() {
            return Err(PolicyError::Number {
                what: "the start",
                value: start,
                rule: "finite",
            });
        }
        Ok(Terms { start, ..self })
    }

    /// What is to be decided at each position: whether the answer is above this.
    ///
    /// # Errors
    /// [`PolicyError`] if it is not finite
    pub fn with_threshold(self, threshold: f64) -> Result<Terms, PolicyError> {
        if !threshold.is_finite() {
            return Err(PolicyError::Number {
                what: "the threshold",
                value: threshold,
                rule: "finite",
            });
        }
        Ok(Terms {
            threshold: Some(threshold),
            ..self
        })
    }

    /// What is promised.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }

    /// How much may be taken: in all, or in any window.
    pub fn capacity(&self) -> f64 {
        self.capacity
    }

    /// By how much one individual can change the answer at a position.
    pub fn sensitivity(&self) -> f64 {
        self.sensitivity
    }

    /// The number of positions.
    pub fn horizon(&self) -> usize {
        self.horizon
    }

    /// How many positions in a row the guarantee covers; `None` for the whole stream.
    pub fn window(&self) -> Option<usize> {
        self.window
    }

    /// The positions that share the capacity.
    pub fn span(&self) -> usize {
        self.window.unwrap_or(self.horizon)
    }

    /// What stands for an answer before the first release.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// What answers are compared with, if something is to be decided.
    pub fn threshold(&self) -> Option<f64> {
        self.threshold
    }

    /// The scale of the noise of a release for an amount.
    #[inline(always)]
    pub fn scale(&self, amount: f64) -> f64 {
        self.guarantee.scale(self.sensitivity, amount)
    }

    /// The mean absolute error of a release for an amount.
    #[inline(always)]
    pub fn expected_error(&self, amount: f64) -> f64 {
        self.guarantee.mean_absolute() * self.scale(amount)
    }

    /// The largest amount that fits `parts` times into the capacity.
    pub(super) fn even_part(&self, parts: usize) -> f64 {
        let parts = parts as f64;
        let mut part = self.capacity / parts;
        // the sign of parts·part − capacity is exact
        while libm::fma(parts, part, -self.capacity) > 0.0 {
            part = part.next_down();
        }
        part
    }

    /// What a policy divides when it takes parts that are computed: the capacity less a 10⁻¹² of it, so that no rounding of the parts
    /// brings their sum above it.
    pub(super) fn divisible(&self) -> f64 {
        self.capacity * (1.0 - 1e-12)
    }
}
