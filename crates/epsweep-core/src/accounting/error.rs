//! Why a question to an accountant has no answer.

/// A refusal: it names the value, the rule and the remedy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AccountingError {
    /// a number outside its domain
    #[error("{what} is {value:?}, but {rule}: {remedy}")]
    Parameter {
        /// the quantity
        what: &'static str,
        /// the value refused
        value: f64,
        /// what holds for it
        rule: &'static str,
        /// what to do
        remedy: &'static str,
    },
    /// beyond what the method can compute
    #[error("{method}: {what} is {value:?}, beyond its limit of {limit:?}: {remedy}")]
    Limit {
        /// the method
        method: &'static str,
        /// the quantity
        what: &'static str,
        /// its value
        value: f64,
        /// the last value that can be served
        limit: f64,
        /// what to do
        remedy: &'static str,
    },
    /// the method's theorem does not cover these releases
    #[error("{method} cannot serve {what}: {reason}; use {alternative}")]
    Unsupported {
        /// the method
        method: &'static str,
        /// which releases
        what: String,
        /// why not
        reason: &'static str,
        /// a method that can
        alternative: &'static str,
    },
    /// no finite ε has so small a δ
    #[error(
        "{method}: no finite ε has δ = {delta:?} with these releases: ask for a δ above {least:?}{}", example(*least)
    )]
    Infeasible {
        /// the method
        method: &'static str,
        /// the δ asked for
        delta: f64,
        /// the infimum of what can be asked for
        least: f64,
    },
    /// nothing to account for
    #[error("there is no release to account for: give at least one with a count of at least 1")]
    Empty,
}

/// A finite number above 0.
pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, AccountingError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(AccountingError::Parameter {
            what,
            value,
            rule: "must be finite and above 0",
            remedy: "give a positive number",
        })
    }
}

/// A finite number that is not negative.
pub(crate) fn non_negative(what: &'static str, value: f64) -> Result<f64, AccountingError> {
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(AccountingError::Parameter {
            what,
            value,
            rule: "must be finite and at least 0",
            remedy: "give 0 or a positive number",
        })
    }
}

/// A δ that may be asked for: in [0, 1).
pub(crate) fn delta(value: f64) -> Result<f64, AccountingError> {
    if (0.0..1.0).contains(&value) {
        Ok(value)
    } else {
        Err(AccountingError::Parameter {
            what: "δ",
            value,
            rule: "must be a probability, at least 0 and below 1",
            remedy: "it is usually far below 1/n, for example 1e-6",
        })
    }
}

/// A δ for a method whose ε is infinite at δ = 0.
pub(crate) fn positive_delta(value: f64) -> Result<f64, AccountingError> {
    if delta(value)? > 0.0 {
        Ok(value)
    } else {
        Err(AccountingError::Parameter {
            what: "δ",
            value,
            rule: "must be above 0 for a method that trades δ for ε",
            remedy: "give a small δ, or use basic composition, which needs none",
        })
    }
}

/// What to ask for where any δ will do.
fn example(least: f64) -> &'static str {
    match least == 0.0 {
        true => ", such as 1e-6",
        false => "",
    }
}
