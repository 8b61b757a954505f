//! Constant density in steps.

use super::{Law, place};
use crate::population::error::{PopulationError, normalised};

/// Constant density between rising edges: a histogram as a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    edges: Vec<f64>,
    probabilities: Vec<f64>,
}

/// The uniform law is one step.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl Uniform {
    /// The uniform law from low to high.
    ///
    /// # Errors
    /// [`PopulationError::List`] unless both are finite and low < high
    pub fn between(low: f64, high: f64) -> Result<Steps, PopulationError> {
        Steps::new(&[low, high], &[1.0])
    }
}

impl Steps {
    /// The weights, one for each step, are divided by their sum.
    ///
    /// # Errors
    /// [`PopulationError`] unless the edges are finite and rise, with one more than there are weights, of which none is negative and one
    /// is above 0
    pub fn new(edges: &[f64], weights: &[f64]) -> Result<Steps, PopulationError> {
        let what = "the steps of a law";
        if edges.len() != weights.len() + 1 {
            return Err(PopulationError::List {
                what,
                found: format!("{} edges for {} weights", edges.len(), weights.len()),
                rule: "there must be one edge more than weights",
            });
        }
        let rises = |pair: &[f64]| pair[0] < pair[1] && (pair[1] - pair[0]).is_finite();
        if let Some(pair) = edges.windows(2).find(|pair| !rises(pair)) {
            return Err(PopulationError::List {
                what,
                found: format!("{:?} before {:?}", pair[0], pair[1]),
                rule: "edges must be finite and rise, by no more than the largest double",
            });
        }
        Ok(Steps {
            edges: edges.to_vec(),
            probabilities: normalised(weights)?,
        })
    }

    /// Each step: its ends and its probability.
    fn steps(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        (self.edges.windows(2).zip(&self.probabilities)).map(|(ends, &p)| (ends[0], ends[1], p))
    }
}

impl Law for Steps {
    fn cdf(&self, x: f64) -> f64 {
        let of_step =
            |(low, high, p): (f64, f64, f64)| p * ((x - low) / (high - low)).clamp(0.0, 1.0);
        if x.is_nan() {
            return f64::NAN;
        }
        self.steps().map(of_step).sum::<f64>().min(1.0)
    }

    fn below(&self, x: f64) -> f64 {
        self.cdf(x)
    }

    fn quantile(&self, p: f64) -> f64 {
        let step = place(&self.probabilities, p);
        let before: f64 = self.probabilities[..step].iter().sum();
        let part = ((p - before) / self.probabilities[step]).clamp(0.0, 1.0);
        let (low, high) = (self.edges[step], self.edges[step + 1]);
        (low + part * (high - low)).clamp(low, high)
    }

    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let mut moments = [0.0; 3];
        for (start, end, p) in self.steps() {
            let (a, b) = (start.max(low), end.min(high));
            if !(a < b) {
                continue;
            }
            let p = p * (b - a) / (end - start);
            // of the uniform law on [a, b]: around its middle, the mean is 0 and the variance width²/12
            let shift = 0.5 * a + 0.5 * b - from;
            moments[0] += p;
            moments[1] += p * shift;
            moments[2] += p * (shift * shift + (b - a) * (b - a) / 12.0);
        }
        moments
    }
}
