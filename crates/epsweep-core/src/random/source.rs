//! What noise is for, and its law.

use super::law::StandardLaw;

/// A family of rows of standard variates with one purpose: one variate per trial in each row.
///
/// The purpose is the address: sources of equal purpose and law give the same draws under the same seed,
/// whoever asks and whatever other sources there are; any other purpose gives independent ones. It names what
/// the noise is for ("laplace/mean age", "threshold"), never a position. The number of rows only says how many
/// can be asked for: it changes no draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    purpose: String,
    law: StandardLaw,
    rows: usize,
}

impl Source {
    /// `rows` rows of variates of `law` for `purpose`.
    pub fn new(purpose: &str, law: StandardLaw, rows: usize) -> Self {
        Source {
            purpose: purpose.to_owned(),
            law,
            rows,
        }
    }

    /// What the noise is for.
    pub fn purpose(&self) -> &str {
        &self.purpose
    }

    /// The law of the variates.
    pub fn law(&self) -> StandardLaw {
        self.law
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }
}
