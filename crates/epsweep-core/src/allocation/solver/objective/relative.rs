//! The error relative to what the answer is expected to be.

use super::{Form, Objective};
use crate::about::About;
use crate::allocation::ErrorLaw;
use crate::allocation::solver::{Queries, SolverError};

/// Σ wᵢ·E|eᵢ|/aᵢ with the declared magnitudes aᵢ of the answers: as the weighted absolute error with the weights wᵢ/aᵢ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relative;

const ABOUT: About = About {
    name: "relative",
    summary: "the weighted sum of the mean absolute errors relative to declared public magnitudes of the answers",
    formula: "Σ wᵢ·E|eᵢ|/aᵢ",
    source: "aᵢ is declared, since the answer itself is private",
};

impl Objective for Relative {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn form(&self, law: ErrorLaw, queries: &Queries<'_>) -> Result<Form, SolverError> {
        let magnitudes = queries.magnitudes.ok_or(SolverError::NoMagnitudes)?;
        let absolute = law.mean_absolute();
        Ok(Form::Sum {
            power: 1.0,
            coefficients: (queries.weights.iter().zip(magnitudes))
                .map(|(weight, magnitude)| weight * absolute / magnitude)
                .collect(),
        })
    }
}
