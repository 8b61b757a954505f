//! Finitely many values.

use super::Law;
use crate::population::error::{PopulationError, normalised};

/// Finitely many values with their probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// rising
    values: Vec<f64>,
    probabilities: Vec<f64>,
    /// of this value and those before it
    cumulated: Vec<f64>,
}

impl Points {
    /// The weights, one for each value, are divided by their sum.
    ///
    /// # Errors
    /// [`PopulationError`] unless the values are finite and rise, with as many weights, of which none is negative and one is above 0
    pub fn new(values: &[f64], weights: &[f64]) -> Result<Points, PopulationError> {
        let what = "the values of a law";
        if values.len() != weights.len() {
            return Err(PopulationError::List {
                what,
                found: format!("{} values, {} weights", values.len(), weights.len()),
                rule: "there must be as many",
            });
        }
        let rises = |pair: &[f64]| pair[0] < pair[1];
        let finite = values.iter().all(|value| value.is_finite());
        if !finite || !values.windows(2).all(rises) {
            return Err(PopulationError::List {
                what,
                found: "one that is not finite, or not above the one before it".to_owned(),
                rule: "they must be finite and rise",
            });
        }
        let probabilities = normalised(weights)?;
        let mut so_far = 0.0;
        let cumulated = (probabilities.iter())
            .map(|p| {
                so_far += p;
                so_far
            })
            .collect();
        Ok(Points {
            values: values.to_vec(),
            probabilities,
            cumulated,
        })
    }

    /// Whole numbers: of each group [from, to] of whole numbers all are equally likely.
    ///
    /// # Errors
    /// [`PopulationError`] if a group is empty or not behind the one before it, or the weights are not usable
    pub fn of_groups(groups: &[(u32, u32, f64)]) -> Result<Points, PopulationError> {
        let (mut values, mut weights) = (Vec::new(), Vec::new());
        for &(from, to, weight) in groups {
            if from > to {
                return Err(PopulationError::List {
                    what: "the groups of a law",
                    found: format!("a group from {from} to {to}"),
                    rule: "a group must not end before it begins",
                });
            }
            let size = f64::from(to - from) + 1.0;
            values.extend((from..=to).map(f64::from));
            weights.extend((from..=to).map(|_| weight / size));
        }
        Points::new(&values, &weights)
    }

    /// The values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Their probabilities.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Of the first values.
    fn of_first(&self, count: usize) -> f64 {
        match count {
            0 => 0.0,
            count if count == self.values.len() => 1.0,
            count => self.cumulated[count - 1].min(1.0),
        }
    }
}

impl Law for Points {
    fn cdf(&self, x: f64) -> f64 {
        self.of_first(self.values.partition_point(|value| *value <= x))
    }

    fn below(&self, x: f64) -> f64 {
        self.of_first(self.values.partition_point(|value| *value < x))
    }

    fn quantile(&self, p: f64) -> f64 {
        let place = self.cumulated.partition_point(|cumulated| *cumulated < p);
        let possible = |p: &f64| *p > 0.0;
        let last = self.probabilities.iter().rposition(possible).unwrap_or(0);
        self.values[place.min(last)]
    }

    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let mut moments = [0.0; 3];
        for (value, p) in self.values.iter().zip(&self.probabilities) {
            if low <= *value && *value <= high {
                let distance = value - from;
                moments[0] += p;
                moments[1] += p * distance;
                moments[2] += p * distance * distance;
            }
        }
        moments
    }
}

/// 1 to n with probabilities in proportion to 1/k^exponent (Zipf); an exponent of 0 makes all equally likely.
///
/// # Errors
/// [`PopulationError::Parameter`] unless n is from 1 to 2²⁰ and the exponent is finite and at least 0
pub fn zipf(n: usize, exponent: f64) -> Result<Points, PopulationError> {
    if !(1..=1 << 20).contains(&n) {
        return Err(PopulationError::Parameter {
            what: "the number of values of a Zipf law",
            value: n as f64,
            rule: "from 1 to 1048576",
        });
    }
    if !(exponent >= 0.0 && exponent.is_finite()) {
        return Err(PopulationError::Parameter {
            what: "the exponent of a Zipf law",
            value: exponent,
            rule: "finite and at least 0",
        });
    }
    let values: Vec<f64> = (1..=n).map(|k| k as f64).collect();
    let weights: Vec<f64> = values.iter().map(|k| libm::pow(*k, -exponent)).collect();
    Points::new(&values, &weights)
}

/// A shape cut into a domain of that many cells: the number of the cell, from 1, where `shape` falls among `cells` cells of equal width from
/// 0 to 1, given that it does. The same shape on a finer domain is the same data seen more closely.
///
/// # Errors
/// [`PopulationError`] unless there are from 1 to 2²⁰ cells, and the shape has some probability between 0 and 1
pub fn shaped(shape: &dyn Law, cells: usize) -> Result<Points, PopulationError> {
    if !(1..=1 << 20).contains(&cells) {
        return Err(PopulationError::Parameter {
            what: "the number of cells of a domain",
            value: cells as f64,
            rule: "from 1 to 1048576",
        });
    }
    let edge = |cell: usize| cell as f64 / cells as f64;
    let values: Vec<f64> = (1..=cells).map(|cell| cell as f64).collect();
    let weights: Vec<f64> = (0..cells)
        .map(|cell| {
            // each cell holds its lower end, the last one its upper end too
            let end = if cell + 1 == cells {
                shape.cdf(1.0)
            } else {
                shape.below(edge(cell + 1))
            };
            (end - shape.below(edge(cell))).max(0.0)
        })
        .collect();
    Points::new(&values, &weights)
}
