//! Neighbouring relations and sensitivities.
//!
//! The global sensitivity of a query f is Δ = max ‖f(D) − f(D′)‖ over all pairs of neighbouring data sets (Dwork, McSherry,
//! Nissim and Smith, TCC 2006, definition 1). It depends on which data sets count as neighbours.

use std::fmt;
use std::str::FromStr;

/// Which data sets count as neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Neighbours {
    /// one record is added or removed; the number of records is private ("unbounded")
    AddRemove,
    /// one record is replaced by another; the number of records is public ("bounded")
    Substitute,
}

impl Neighbours {
    /// Both relations.
    pub const ALL: [Neighbours; 2] = [Neighbours::AddRemove, Neighbours::Substitute];

    /// The names that a file uses, in the order of [`Neighbours::ALL`].
    pub const NAMES: [&'static str; 2] = ["add-remove", "substitute"];

    /// The name that a file uses.
    pub fn name(self) -> &'static str {
        match self {
            Neighbours::AddRemove => Neighbours::NAMES[0],
            Neighbours::Substitute => Neighbours::NAMES[1],
        }
    }

    /// Reads one of [`Neighbours::NAMES`]. There is one spelling of each.
    ///
    /// # Errors
    /// [`SensitivityError::UnknownNeighbours`] for any other text
    pub fn parse(name: &str) -> Result<Neighbours, SensitivityError> {
        Neighbours::ALL
            .into_iter()
            .find(|relation| relation.name() == name)
            .ok_or_else(|| SensitivityError::UnknownNeighbours {
                name: name.to_owned(),
            })
    }
}

impl fmt::Display for Neighbours {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Neighbours {
    type Err = SensitivityError;

    fn from_str(name: &str) -> Result<Neighbours, SensitivityError> {
        Neighbours::parse(name)
    }
}

/// The largest distance of a query's answers on neighbouring data sets, in the units of the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensitivity {
    /// in the L1 norm
    pub l1: f64,
    /// in the L2 norm
    pub l2: f64,
}

impl Sensitivity {
    /// A sensitivity of an answer with several parts. Zero is allowed: such an answer needs no noise.
    ///
    /// # Errors
    /// [`SensitivityError::Value`] if a norm is NaN, infinite or negative, [`SensitivityError::Norms`] if `l2` exceeds `l1`,
    /// which no vector allows
    pub fn new(l1: f64, l2: f64) -> Result<Sensitivity, SensitivityError> {
        for (norm, value) in [("L1", l1), ("L2", l2)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(SensitivityError::Value { norm, value });
            }
        }
        // some room for the rounding of two norms that are equal
        if l2 > l1 * (1.0 + 1e-12) {
            return Err(SensitivityError::Norms { l1, l2 });
        }
        Ok(Sensitivity { l1, l2 })
    }

    /// The sensitivity to a group of that many records, which come and go together: by the triangle inequality it is at most that many
    /// times that of one (Dwork and Roth, The Algorithmic Foundations of Differential Privacy, 2014, theorem 2.2); a sum reaches it.
    ///
    /// # Errors
    /// [`SensitivityError::Value`] if that is beyond the range of `f64`
    pub fn of_group(self, records: u32) -> Result<Sensitivity, SensitivityError> {
        let times = f64::from(records);
        Sensitivity::new(self.l1 * times, self.l2 * times)
    }

    /// The sensitivity of an answer that is one number, where all norms agree.
    ///
    /// # Errors
    /// [`SensitivityError::Value`] if it is NaN, infinite or negative
    pub fn scalar(value: f64) -> Result<Sensitivity, SensitivityError> {
        Sensitivity::new(value, value)
    }
}

/// Why a sensitivity or a neighbouring relation is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SensitivityError {
    /// not a distance, or not within the range of `f64`
    #[error(
        "the {norm} sensitivity is {value:?}, but must be a finite number of at least 0: declare finite bounds whose width is \
         within the range of a double"
    )]
    Value {
        /// `L1` or `L2`
        norm: &'static str,
        /// the value refused
        value: f64,
    },
    /// the norms contradict each other
    #[error(
        "the L2 sensitivity {l2:?} exceeds the L1 sensitivity {l1:?}, which no vector allows: check both"
    )]
    Norms {
        /// in the L1 norm
        l1: f64,
        /// in the L2 norm
        l2: f64,
    },
    /// not a relation
    #[error(
        "`{name}` is not a neighbouring relation: write \"add-remove\" (one record more or fewer) or \"substitute\" (one record \
         replaced)"
    )]
    UnknownNeighbours {
        /// the text refused
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_are_read_by_their_names_only() {
        for relation in Neighbours::ALL {
            assert_eq!(relation.name().parse(), Ok(relation));
        }
        let error = Neighbours::parse("add_remove").unwrap_err().to_string();
        assert!(
            error.contains("`add_remove`") && error.contains("\"add-remove\""),
            "{error}"
        );
    }

    #[test]
    fn a_group_moves_an_answer_as_often_as_it_has_records() {
        let one = Sensitivity::new(2.0, libm::sqrt(2.0)).unwrap();
        assert_eq!(
            one.of_group(3),
            Sensitivity::new(6.0, 3.0 * libm::sqrt(2.0))
        );
        assert_eq!(one.of_group(0), Sensitivity::scalar(0.0));
        assert!(Sensitivity::scalar(1e308).unwrap().of_group(2).is_err());
    }

    #[test]
    fn only_distances_are_sensitivities() {
        assert_eq!(
            Sensitivity::scalar(0.0),
            Ok(Sensitivity { l1: 0.0, l2: 0.0 })
        );
        assert!(Sensitivity::new(2.0, libm::sqrt(2.0)).is_ok());
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            let error = Sensitivity::scalar(value).unwrap_err().to_string();
            assert!(error.contains(&format!("{value:?}")), "{error}");
        }
        let error = Sensitivity::new(1.0, 2.0).unwrap_err().to_string();
        assert!(error.contains("no vector"), "{error}");
    }
}
