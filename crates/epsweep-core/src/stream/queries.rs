//! The queries of a stream.

use super::StreamError;

/// True answers in the order in which they are asked, with their thresholds: at least one, all finite, and as far apart as a `f64` can say.
#[derive(Clone, Debug, PartialEq)]
pub struct Queries {
    answers: Vec<f64>,
    thresholds: Vec<f64>,
    gaps: Vec<f64>,
}

impl Queries {
    /// The stream; `thresholds` has one for all queries, or one for each.
    ///
    /// # Errors
    /// [`StreamError`] if there is no query, if the numbers of answers and thresholds do not match, or if one of them (or the difference of
    /// the two) is not finite
    pub fn new(answers: Vec<f64>, thresholds: &[f64]) -> Result<Queries, StreamError> {
        if answers.is_empty() {
            return Err(StreamError::Empty);
        }
        let thresholds = match thresholds {
            [one] => vec![*one; answers.len()],
            each if each.len() == answers.len() => each.to_vec(),
            other => {
                return Err(StreamError::Thresholds {
                    thresholds: other.len(),
                    queries: answers.len(),
                });
            }
        };
        let gaps: Vec<f64> = (answers.iter().zip(&thresholds))
            .map(|(answer, threshold)| answer - threshold)
            .collect();
        let parts = [
            ("the true answer", &answers),
            ("the threshold", &thresholds),
            ("the answer less the threshold", &gaps),
        ];
        for (what, values) in parts {
            if let Some(place) = values.iter().position(|value| !value.is_finite()) {
                return Err(StreamError::NotFinite {
                    place,
                    what,
                    value: values[place],
                });
            }
        }
        Ok(Queries {
            answers,
            thresholds,
            gaps,
        })
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// The true answers.
    pub fn answers(&self) -> &[f64] {
        &self.answers
    }

    /// The threshold of each.
    pub fn thresholds(&self) -> &[f64] {
        &self.thresholds
    }

    /// Answer less threshold.
    pub fn gaps(&self) -> &[f64] {
        &self.gaps
    }

    /// Whether the true answer at this place is at or above its threshold.
    pub fn is_above(&self, place: usize) -> bool {
        self.gaps[place] >= 0.0
    }

    /// How many are at or above their thresholds.
    pub fn positives(&self) -> usize {
        self.gaps.iter().filter(|gap| **gap >= 0.0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_threshold_is_for_all() {
        let queries = Queries::new(vec![1.0, 3.0, 5.0], &[3.0]).unwrap();
        assert_eq!(queries.gaps(), [-2.0, 0.0, 2.0]);
        assert_eq!(queries.positives(), 2);
        let each = Queries::new(vec![1.0, 3.0, 5.0], &[1.0, 4.0, 4.0]).unwrap();
        assert_eq!(each.gaps(), [0.0, -1.0, 1.0]);
    }

    #[test]
    fn what_is_no_stream_is_refused() {
        assert_eq!(Queries::new(vec![], &[1.0]), Err(StreamError::Empty));
        let text = |answers: Vec<f64>, thresholds: &[f64]| {
            Queries::new(answers, thresholds).unwrap_err().to_string()
        };
        assert!(text(vec![1.0; 3], &[1.0; 2]).contains("2 thresholds for 3 queries"));
        assert!(text(vec![1.0, f64::NAN], &[1.0]).contains("query 2: the true answer is NaN"));
        assert!(text(vec![1.0], &[f64::INFINITY]).contains("query 1: the threshold is inf"));
        assert!(text(vec![1e308], &[-1e308]).contains("less the threshold is inf"));
    }
}
