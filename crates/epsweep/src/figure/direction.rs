//! Which way a measure is better.

use crate::measure;

/// Which values of a measure are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// lower ones
    Lower,
    /// higher ones
    Higher,
    /// neither: a signed error, a coverage, an answer
    Neither,
}

/// Measures of which more is better.
const HIGHER: [&str; 6] = [
    "accuracy",
    "hit",
    "ndcg",
    "recall",
    "precision",
    "detection_rate",
];
/// Measures by which cells are compared though no direction is better.
const NEITHER: [&str; 6] = [
    "answer",
    "error",
    "error_post",
    "population_error",
    "covered",
    "interval_width",
];

/// Which values of a measure are better.
pub fn better(name: &str) -> Better {
    match measure::find(name) {
        _ if HIGHER.contains(&name) => Better::Higher,
        _ if NEITHER.contains(&name) => Better::Neither,
        Some(known) if known.compared() => Better::Lower,
        _ => Better::Neither,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_better_when_low_and_hits_when_high() {
        assert_eq!(better("max_abs_error"), Better::Lower);
        assert_eq!(better("accuracy"), Better::Higher);
        assert_eq!(better("error"), Better::Neither);
        assert_eq!(better("no such measure"), Better::Neither);
        // what is listed is there
        for name in HIGHER.iter().chain(&NEITHER) {
            assert!(measure::find(name).is_some(), "{name}");
        }
    }
}
