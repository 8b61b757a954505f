//! Answers with additive noise.

use super::{Pair, Subject, refuse, same_length};
use crate::audit::{AuditError, Outputs};
use crate::noise::Noise;
use crate::random::{Draws, Source, StandardLaw};

/// True answers to which noise of one law is added. An input is the list of true answers.
#[derive(Debug)]
pub(super) struct Additive {
    pub mechanism: &'static str,
    pub noise: Box<dyn Noise>,
    /// whether all answers of a run get the same draw
    pub shared: bool,
    pub pairs: Vec<Pair>,
}

impl Additive {
    /// With these pairs to be searched, all of which are of its form.
    pub fn new(
        mechanism: &'static str,
        noise: Box<dyn Noise>,
        shared: bool,
        pairs: Vec<Pair>,
    ) -> Result<Additive, AuditError> {
        let scale = noise.scale();
        if !(scale > 0.0 && scale < f64::INFINITY) {
            let rule = "the sensitivity and the budget must be above 0";
            return Err(AuditError::Scale { mechanism, rule });
        }
        Ok(Additive {
            mechanism,
            noise,
            shared,
            pairs,
        })
    }

    fn laws(&self) -> Vec<StandardLaw> {
        match self.noise.transform() {
            Some(transform) => transform.sources().to_vec(),
            None => vec![self.noise.standard()],
        }
    }
}

impl Subject for Additive {
    fn pairs(&self) -> Vec<Pair> {
        self.pairs.clone()
    }

    fn check(&self, pair: &Pair) -> Result<(), AuditError> {
        same_length(self.mechanism, pair)?;
        let fractions = [&pair.a, &pair.b].into_iter().flatten();
        // noise without a density is noise for integers
        let whole = self.noise.error_law().density(0.5).is_none();
        if let Some(value) = fractions
            .copied()
            .find(|value| whole && value.fract() != 0.0)
        {
            return refuse(
                self.mechanism,
                format!("{value:?}"),
                format!(
                    "a whole number, as {} noise is for integers",
                    self.noise.name()
                ),
            );
        }
        Ok(())
    }

    fn centre(&self, input: &[f64]) -> Vec<f64> {
        input.to_vec()
    }

    fn sources(&self, input: &[f64]) -> Vec<Source> {
        let rows = if self.shared { 1 } else { input.len() };
        (self.laws().into_iter())
            .map(|law| Source::new("noise", law, rows))
            .collect()
    }

    fn run(&self, input: &[f64], draws: &Draws, out: &mut Outputs) {
        let sources = self.laws().len();
        let scale = self.noise.scale();
        for (column, &truth) in input.iter().enumerate() {
            let row = if self.shared { 0 } else { column };
            let values = out.column_mut(column);
            match self.noise.transform() {
                None => {
                    for (value, variate) in values.iter_mut().zip(draws.row(0, row)) {
                        *value = truth + scale * variate;
                    }
                }
                Some(transform) => {
                    let rows: Vec<&[f64]> =
                        (0..sources).map(|source| draws.row(source, row)).collect();
                    transform.apply(&rows, values);
                    for value in values {
                        *value += truth;
                    }
                }
            }
        }
    }
}
