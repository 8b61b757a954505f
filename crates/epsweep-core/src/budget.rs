//! Privacy parameters, valid by construction, and the shares by which a budget is divided.

use crate::shortest::Shortest;
use crate::summation::sum;
use std::fmt;

/// ε of pure or approximate differential privacy: finite and above 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Epsilon(f64);

impl Epsilon {
    /// # Errors
    /// [`BudgetError::Parameter`] if the value is NaN, infinite, zero or negative
    pub fn new(value: f64) -> Result<Epsilon, BudgetError> {
        positive("ε", value).map(Epsilon)
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// δ of approximate differential privacy: a probability below 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Delta(f64);

impl Delta {
    /// # Errors
    /// [`BudgetError::Parameter`] if the value is NaN, negative, or 1 and more
    pub fn new(value: f64) -> Result<Delta, BudgetError> {
        if (0.0..1.0).contains(&value) {
            // adding 0 turns −0 into 0
            Ok(Delta(value + 0.0))
        } else {
            Err(BudgetError::Parameter {
                what: "δ",
                value,
                rule: "must be a probability, at least 0 and below 1",
                remedy: "it is usually far below 1/n, for example 1e-6",
            })
        }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// ρ of zero-concentrated differential privacy (Bun and Steinke, TCC 2016, definition 1.1): finite and above 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rho(f64);

impl Rho {
    /// # Errors
    /// [`BudgetError::Parameter`] if the value is NaN, infinite, zero or negative
    pub fn new(value: f64) -> Result<Rho, BudgetError> {
        positive("ρ", value).map(Rho)
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

fn positive(what: &'static str, value: f64) -> Result<f64, BudgetError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(BudgetError::Parameter {
            what,
            value,
            rule: "must be finite and above 0",
            remedy: "usual values lie between 0.01 and 10",
        })
    }
}

/// What an analysis may spend in all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// ε-differential privacy
    Pure(Epsilon),
    /// (ε, δ)-differential privacy
    Approximate(Epsilon, Delta),
    /// ρ-zero-concentrated differential privacy
    Zcdp(Rho),
}

impl fmt::Display for Budget {
    /// `ε = 1`, `ε = 1, δ = 0.000001` or `ρ = 0.5`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Budget::Pure(epsilon) => format!("ε = {}", Shortest(epsilon.0)),
            Budget::Approximate(epsilon, delta) => {
                format!("ε = {}, δ = {}", Shortest(epsilon.0), Shortest(delta.0))
            }
            Budget::Zcdp(rho) => format!("ρ = {}", Shortest(rho.0)),
        };
        formatter.pad(&text)
    }
}

/// Parts of a whole: non-negative and summing to 1. A share of 0 is allowed (its query gets no budget).
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    parts: Vec<f64>,
    /// what the parts sum to: 1 up to rounding or to the digits they were written with
    sum: f64,
}

impl Shares {
    /// How far from 1 the sum of given shares may lie, so that 0.333333333 may be written for a third.
    pub const SUM_TOLERANCE: f64 = 1e-9;

    /// Shares as given.
    ///
    /// # Errors
    /// [`BudgetError`] if there is none, if one is NaN, infinite or negative, or if the sum is not 1 within
    /// [`Shares::SUM_TOLERANCE`]
    pub fn new(parts: Vec<f64>) -> Result<Shares, BudgetError> {
        let parts = each_non_negative("share", &parts)?;
        let sum = sum(&parts);
        if (sum - 1.0).abs() <= Shares::SUM_TOLERANCE {
            Ok(Shares { parts, sum })
        } else {
            Err(BudgetError::Sum { sum })
        }
    }

    /// Shares in proportion to the weights: wᵢ/Σw, whatever the size of the weights. A weight of 0 gets a share of 0.
    ///
    /// # Errors
    /// [`BudgetError`] if there is none, if one is NaN, infinite or negative, if all are 0, or if a positive weight is so small
    /// beside the others that its share is no normal double (it would silently get no budget at all)
    pub fn from_weights(weights: &[f64]) -> Result<Shares, BudgetError> {
        let weights = each_non_negative("weight", weights)?;
        let largest = weights.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return Err(BudgetError::AllZero {
                count: weights.len(),
            });
        }
        // a power of two near the largest: exact to divide by, and then the sum neither overflows nor underflows
        let (_, exponent) = libm::frexp(largest);
        let scaled: Vec<f64> = weights
            .iter()
            .map(|&weight| libm::scalbn(weight, -exponent))
            .collect();
        let total = sum(&scaled);
        let parts: Vec<f64> = scaled.iter().map(|weight| weight / total).collect();
        for (index, (&weight, &part)) in weights.iter().zip(&parts).enumerate() {
            if weight > 0.0 && part < f64::MIN_POSITIVE {
                return Err(BudgetError::Vanishes {
                    index,
                    weight,
                    largest,
                });
            }
        }
        let sum = sum(&parts);
        Ok(Shares { parts, sum })
    }

    /// The shares, in order.
    pub fn as_slice(&self) -> &[f64] {
        &self.parts
    }

    /// Divides `total` (in its own unit) by the shares: the parts sum to `total` within a relative 1e-12, so that shares written
    /// with few digits neither overspend nor waste. Shares that sum to 1 up to rounding are used as they are.
    pub fn split(&self, total: f64) -> Vec<f64> {
        let exact = (self.sum - 1.0).abs() <= 5e-13;
        let divisor = if exact { 1.0 } else { self.sum };
        self.parts
            .iter()
            .map(|part| total * (part / divisor))
            .collect()
    }
}

/// The values, if there are any and all are finite and not negative. −0 becomes 0, lest a scale becomes −∞.
fn each_non_negative(what: &'static str, values: &[f64]) -> Result<Vec<f64>, BudgetError> {
    if values.is_empty() {
        return Err(BudgetError::Empty { what });
    }
    let checked = values.iter().enumerate().map(|(index, &value)| {
        if value >= 0.0 && value.is_finite() {
            Ok(value + 0.0)
        } else {
            Err(BudgetError::Part { what, index, value })
        }
    });
    checked.collect()
}

/// Why a privacy parameter or a set of shares is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BudgetError {
    /// a parameter outside its range
    #[error("{what} is {value:?}, but {rule}: {remedy}")]
    Parameter {
        /// `ε`, `δ` or `ρ`
        what: &'static str,
        /// the value refused
        value: f64,
        /// what holds for it
        rule: &'static str,
        /// what to do
        remedy: &'static str,
    },
    /// no share or weight at all
    #[error("there is no {what}, but every query needs one: give one {what} per query")]
    Empty {
        /// `share` or `weight`
        what: &'static str,
    },
    /// a share or weight that is not a non-negative number
    #[error("{what} {} is {value:?}, but must be finite and at least 0: use 0 for a query that is to get no budget", index + 1)]
    Part {
        /// `share` or `weight`
        what: &'static str,
        /// its place, from 0
        index: usize,
        /// the value refused
        value: f64,
    },
    /// shares that are not parts of a whole
    #[error("the shares sum to {sum:?}, but must sum to 1 (within 1e-9): divide each by their sum")]
    Sum {
        /// what they sum to
        sum: f64,
    },
    /// nothing to divide by
    #[error(
        "all {count} weights are 0, so that no query would get any budget: make at least one of them positive"
    )]
    AllZero {
        /// how many there are
        count: usize,
    },
    /// a share below the smallest normal double
    #[error(
        "weight {} is {weight:?} beside {largest:?}: its share is too small for a double, so that its query would get no budget; \
         use 0 if that is meant, or weights of a narrower range",
        index + 1
    )]
    Vanishes {
        /// its place, from 0
        index: usize,
        /// the weight
        weight: f64,
        /// the largest weight
        largest: f64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parameters_outside_their_range_are_refused_by_value_and_rule() {
        for value in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for error in [
                Epsilon::new(value).unwrap_err(),
                Rho::new(value).unwrap_err(),
            ] {
                let text = error.to_string();
                assert!(
                    text.contains(&format!("is {value:?}, but must be finite and above 0")),
                    "{text}"
                );
            }
        }
        for value in [-1e-9, 1.0, f64::NAN, f64::INFINITY] {
            let text = Delta::new(value).unwrap_err().to_string();
            assert!(
                text.contains(&format!("δ is {value:?}")) && text.contains("1e-6"),
                "{text}"
            );
        }
        assert_eq!(Epsilon::new(1e-9).unwrap().get(), 1e-9);
        assert_eq!(Rho::new(1e9).unwrap().get(), 1e9);
        assert_eq!(Delta::new(0.0).unwrap().get(), 0.0);
    }

    #[test]
    fn budgets_read_as_formulas() {
        let epsilon = Epsilon::new(1.0).unwrap();
        assert_eq!(Budget::Pure(epsilon).to_string(), "ε = 1");
        let delta = Delta::new(1e-6).unwrap();
        assert_eq!(
            Budget::Approximate(epsilon, delta).to_string(),
            "ε = 1, δ = 1e-6"
        );
        assert_eq!(Budget::Zcdp(Rho::new(0.5).unwrap()).to_string(), "ρ = 0.5");
        assert_eq!(
            Budget::Pure(Epsilon::new(1e-9).unwrap()).to_string(),
            "ε = 1e-9"
        );
    }

    #[test]
    fn shares_that_are_no_parts_of_a_whole_are_refused() {
        let refused = |parts: &[f64]| Shares::new(parts.to_vec()).unwrap_err().to_string();
        assert!(refused(&[]).contains("no share"));
        assert!(refused(&[1.5, -0.5]).contains("share 2 is -0.5"));
        assert!(refused(&[f64::NAN, 1.0]).contains("share 1 is NaN"));
        assert!(refused(&[0.5, 0.6]).contains("sum to 1.1"));
        assert!(refused(&[f64::MAX, f64::MAX]).contains("sum to inf"));
        for shares in [
            Shares::new(vec![-0.0, 1.0]),
            Shares::from_weights(&[-0.0, 3.0]),
        ] {
            let parts = shares.unwrap().split(2.0);
            assert!(parts == [0.0, 2.0] && parts[0].is_sign_positive());
        }
    }

    #[test]
    fn weights_of_any_size_are_normalised() {
        for weight in [f64::MAX, 1e300, 1.0, 1e-300, f64::MIN_POSITIVE / 1024.0] {
            assert_eq!(
                Shares::from_weights(&[weight; 4]).unwrap().as_slice(),
                [0.25; 4]
            );
        }
        assert_eq!(
            Shares::from_weights(&[3e300, 0.0, 1e300])
                .unwrap()
                .as_slice(),
            [0.75, 0.0, 0.25]
        );
        let far = Shares::from_weights(&[1e150, 1e-150]).unwrap();
        assert_eq!(far.as_slice()[0], 1.0);
        assert!((far.as_slice()[1] / 1e-300 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn weights_that_leave_no_budget_are_refused() {
        let refused = |weights: &[f64]| Shares::from_weights(weights).unwrap_err().to_string();
        assert!(refused(&[]).contains("no weight"));
        assert!(refused(&[0.0, 0.0]).contains("all 2 weights are 0"));
        assert!(refused(&[1.0, f64::INFINITY]).contains("weight 2 is inf"));
        assert!(refused(&[1e300, 1e-300]).contains("weight 2 is 1e-300 beside 1e300"));
    }

    #[test]
    fn shares_written_with_few_digits_neither_overspend_nor_waste() {
        for part in [0.3333333333, 0.3333333336] {
            let shares = Shares::new(vec![part; 3]).unwrap();
            assert_eq!(shares.as_slice(), [part; 3]);
            assert!((sum(&shares.split(2.0)) / 2.0 - 1.0).abs() < 1e-15);
        }
    }

    proptest! {
        #[test]
        fn a_split_sums_to_its_total(
            weights in prop::collection::vec(prop_oneof![Just(0.0), 1e-100..1e100f64, 0.1..10.0f64], 1..50),
            total in prop_oneof![1e-12..1e12f64, 0.1..10.0f64],
        ) {
            prop_assume!(weights.iter().any(|&weight| weight > 0.0));
            let shares = Shares::from_weights(&weights).unwrap();
            let parts = shares.split(total);
            prop_assert!((sum(&parts) / total - 1.0).abs() <= 1e-12);
            for (weight, part) in weights.iter().zip(&parts) {
                prop_assert_eq!(*weight == 0.0, *part == 0.0);
            }
            prop_assert!(Shares::new(shares.as_slice().to_vec()).is_ok());
        }
    }
}
