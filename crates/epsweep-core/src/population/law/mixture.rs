//! One of several laws.

use super::{Law, place};
use crate::population::error::{PopulationError, normalised};
use std::sync::Arc;

/// One of several laws, chosen at random.
#[derive(Clone, Debug)]
pub struct Mixture {
    probabilities: Vec<f64>,
    laws: Vec<Arc<dyn Law>>,
}

impl Mixture {
    /// The weights, one for each law, are divided by their sum.
    ///
    /// # Errors
    /// [`PopulationError`] unless no weight is negative and one is above 0
    pub fn new(weighted: Vec<(f64, Arc<dyn Law>)>) -> Result<Mixture, PopulationError> {
        let weights: Vec<f64> = weighted.iter().map(|(weight, _)| *weight).collect();
        Ok(Mixture {
            probabilities: normalised(&weights)?,
            laws: weighted.into_iter().map(|(_, law)| law).collect(),
        })
    }

    fn parts(&self) -> impl Iterator<Item = (f64, &Arc<dyn Law>)> {
        let possible = |(p, _): &(f64, &Arc<dyn Law>)| *p > 0.0;
        self.probabilities
            .iter()
            .copied()
            .zip(&self.laws)
            .filter(possible)
    }
}

impl Law for Mixture {
    fn cdf(&self, x: f64) -> f64 {
        self.parts()
            .map(|(p, law)| p * law.cdf(x))
            .sum::<f64>()
            .min(1.0)
    }

    fn below(&self, x: f64) -> f64 {
        self.parts()
            .map(|(p, law)| p * law.below(x))
            .sum::<f64>()
            .min(1.0)
    }

    /// By bisection between the quantiles of the parts.
    fn quantile(&self, p: f64) -> f64 {
        let of_parts = || self.parts().map(|(_, law)| law.quantile(p));
        let mut low = of_parts().fold(f64::INFINITY, f64::min);
        let mut high = of_parts().fold(f64::NEG_INFINITY, f64::max);
        if self.cdf(low) >= p {
            return low;
        }
        loop {
            let middle = 0.5 * low + 0.5 * high;
            if !(low < middle && middle < high) {
                return high;
            }
            if self.cdf(middle) >= p {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    /// u chooses the part, and its place within the part's probability becomes the part's own number.
    fn draw(&self, u: f64) -> f64 {
        let part = place(&self.probabilities, u);
        let before: f64 = self.probabilities[..part].iter().sum();
        let within = (u - before) / self.probabilities[part];
        // never 0 or 1
        let least = f64::EPSILON / 2.0;
        self.laws[part].draw(within.clamp(least, 1.0 - least))
    }

    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let mut moments = [0.0; 3];
        for (p, law) in self.parts() {
            for (sum, one) in moments.iter_mut().zip(law.inside(low, high, from)) {
                *sum += p * one;
            }
        }
        moments
    }
}
