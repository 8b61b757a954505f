//! Labelled records, and how long each is.

use super::error::TrainingError;
use super::model::Model;

/// Records with features and a label, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Examples {
    features: usize,
    /// `features` numbers for each record
    values: Vec<f64>,
    labels: Vec<f64>,
    /// an upper bound on ‖x‖₂ of each record, which exceeds it by rounding alone
    norms: Vec<f64>,
}

impl Examples {
    /// Records from their numbers, row by row, and their labels.
    ///
    /// # Errors
    /// [`TrainingError`] if the numbers do not make up the records, there is no record or no feature, or one is not finite
    pub fn new(
        features: usize,
        values: Vec<f64>,
        labels: Vec<f64>,
    ) -> Result<Examples, TrainingError> {
        if labels.is_empty() {
            return Err(TrainingError::Empty);
        }
        if features == 0 {
            return Err(TrainingError::Featureless);
        }
        if values.len() != features * labels.len() {
            return Err(TrainingError::Shape {
                numbers: values.len(),
                records: labels.len(),
                features,
            });
        }
        let rows = values.chunks_exact(features);
        let bad = (rows.clone().zip(&labels))
            .position(|(row, label)| !label.is_finite() || row.iter().any(|x| !x.is_finite()));
        if let Some(record) = bad {
            return Err(TrainingError::NotFinite { record });
        }
        // rounded up by more than squares, sums and root can lose
        let slack = 1.0 + (features as f64 + 4.0) * f64::EPSILON;
        let norms = rows
            .map(|row| row.iter().map(|x| x * x).sum::<f64>().sqrt() * slack)
            .collect();
        Ok(Examples {
            features,
            values,
            labels,
            norms,
        })
    }

    /// Sees that the labels suit a model.
    ///
    /// # Errors
    /// [`TrainingError::Label`] if a class is neither 0 nor 1
    pub fn suit(&self, model: Model) -> Result<(), TrainingError> {
        let bad = (self.labels.iter()).position(|label| ![0.0, 1.0].contains(label));
        match bad {
            Some(record) if model.classifies() => Err(TrainingError::Label {
                record,
                label: self.labels[record],
            }),
            _ => Ok(()),
        }
    }

    /// Number of records, at least 1.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Always false: there is a record.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Number of features, at least 1.
    pub fn features(&self) -> usize {
        self.features
    }

    /// All features, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The labels.
    pub fn labels(&self) -> &[f64] {
        &self.labels
    }

    /// ‖x‖₂ of each record, or a hair more.
    pub fn norms(&self) -> &[f64] {
        &self.norms
    }

    /// The features of a record.
    pub fn row(&self, record: usize) -> &[f64] {
        &self.values[record * self.features..][..self.features]
    }

    /// (features, label) of every record.
    pub fn records(&self) -> impl Iterator<Item = (&[f64], f64)> {
        let rows = self.values.chunks_exact(self.features);
        rows.zip(self.labels.iter().copied())
    }

    /// The mean loss of a model with these parameters, and the share of records whose class is predicted right (by x·w > 0; of no
    /// meaning for a linear model).
    pub fn judge(&self, model: Model, parameters: &[f64]) -> (f64, f64) {
        let mut losses = Vec::with_capacity(self.len());
        let mut right = 0usize;
        for (row, label) in self.records() {
            let prediction = dot(row, parameters);
            losses.push(model.loss(prediction, label));
            right += usize::from((prediction > 0.0) == (label > 0.5));
        }
        let count = self.len() as f64;
        (crate::summation::sum(&losses) / count, right as f64 / count)
    }
}

/// x·w.
pub(super) fn dot(x: &[f64], w: &[f64]) -> f64 {
    x.iter().zip(w).map(|(x, w)| x * w).sum()
}
