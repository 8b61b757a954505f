//! Generated records: normal features, a linear predictor, and labels by the model.

use super::error::{TrainingError, positive};
use super::examples::{Examples, dot};
use super::model::{Model, sigmoid};
use crate::random::{Draws, Source, StandardLaw};

/// Draws are made this many records at a time.
const CHUNK: usize = 4096;

/// What generated records are drawn from. With d features, x ~ N(0, I/d), so that E‖x‖² = 1; the weights have the length signal·√d in a random
/// direction, so that x·w has the standard deviation `signal`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generator {
    /// the model that makes the labels: y ~ N(x·w, noise²), or y = 1 with probability 1/(1 + e^(−x·w))
    pub model: Model,
    /// number of features
    pub features: usize,
    /// standard deviation of x·w
    pub signal: f64,
    /// standard deviation of a linear model's labels about x·w; unused by a logistic model
    pub noise: f64,
    /// the seed of the data: independent of the run's
    pub seed: u64,
}

impl Generator {
    /// The true weights.
    pub fn weights(&self) -> Vec<f64> {
        let source = Source::new("examples/weights", StandardLaw::Normal, self.features);
        let draws = Draws::new(self.seed, 1, &[source]);
        let direction: Vec<f64> = (0..self.features).map(|j| draws.row(0, j)[0]).collect();
        let length = dot(&direction, &direction).sqrt();
        let scale = self.signal * (self.features as f64).sqrt() / length;
        direction.iter().map(|x| x * scale).collect()
    }

    /// The first `records` records. More of them begin with the same.
    ///
    /// # Errors
    /// [`TrainingError`] if there are no features or records, the signal is not positive, or the noise is negative
    pub fn examples(&self, records: usize) -> Result<Examples, TrainingError> {
        positive(
            "the signal",
            self.signal,
            "2 makes labels that can be learnt",
        )?;
        if !(self.noise >= 0.0 && self.noise.is_finite()) {
            return Err(TrainingError::Parameter {
                what: "the noise of the labels",
                value: self.noise,
                rule: "must be finite and at least 0",
                remedy: "give the standard deviation of the labels about their mean",
            });
        }
        if records == 0 {
            return Err(TrainingError::Empty);
        }
        if self.features == 0 {
            return Err(TrainingError::Featureless);
        }
        let sources = [
            Source::new("examples/features", StandardLaw::Normal, self.features),
            Source::new("examples/labels", StandardLaw::Uniform, 1),
            Source::new("examples/labels", StandardLaw::Normal, 1),
        ];
        let weights = self.weights();
        let scale = 1.0 / (self.features as f64).sqrt();
        let mut draws = Draws::new(self.seed, CHUNK, &sources);
        let mut values = Vec::with_capacity(records * self.features);
        let mut labels = Vec::with_capacity(records);
        for chunk in 0.. {
            if labels.len() == records {
                break;
            }
            draws.go_to(chunk);
            for place in 0..CHUNK.min(records - labels.len()) {
                let first = values.len();
                values.extend((0..self.features).map(|j| draws.row(0, j)[place] * scale));
                let mean = dot(&values[first..], &weights);
                labels.push(match self.model {
                    Model::Linear => mean + self.noise * draws.row(2, 0)[place],
                    Model::Logistic => f64::from(u8::from(draws.row(1, 0)[place] < sigmoid(mean))),
                });
            }
        }
        Examples::new(self.features, values, labels)
    }
}
