//! Generated populations: documented laws from which samples are drawn, and whose parameters are known exactly.
//!
//! Shape (the law), domain (how many cells it is cut into), scale (the number of records: DPBench's word, Hay, Machanavajjhala,
//! Miklau, Chen and Zhang, SIGMOD 2016, §4) and the bounds vary independently.
//!
//! An answer is wrong in two ways: the noise takes it away from the answer on the records at hand (*sample error*), and those records
//! are themselves a sample from a population (*population error*: to the population's parameter). [`Population::table`] gives the records,
//! [`Population::parameter`] what the same query is in the population.
//!
//! Draws are addressed: the value of a column in a row depends on the seed, the column's name and the row alone. A larger sample begins
//! with the smaller one, and adding a column changes no other.

mod census;
mod error;
mod law;
mod parameter;

pub use census::census;
pub use error::PopulationError;
pub use law::{Law, LogNormal, Mixture, Normal, Points, Steps, Uniform, shaped, zipf};

use crate::data::{Bounds, Column, Table};
use crate::random::{Draws, Source, StandardLaw};
use std::collections::HashMap;
use std::sync::Arc;

/// How a column comes about.
#[derive(Clone, Debug)]
pub enum Distribution {
    /// numbers of one law
    Number(Arc<dyn Law>),
    /// texts with their probabilities
    Text(Categories),
    /// numbers whose law depends on the text in another column, which comes before this one
    Given {
        /// the other column
        on: String,
        /// the law for each of its texts
        laws: Vec<(String, Arc<dyn Law>)>,
    },
}

/// Texts with their probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Categories {
    texts: Vec<String>,
    probabilities: Vec<f64>,
}

impl Categories {
    /// Weights are divided by their sum.
    ///
    /// # Errors
    /// [`PopulationError`] if there is no text, a text is there twice, or the weights are not finite, negative, or all 0
    pub fn new(weighted: &[(&str, f64)]) -> Result<Categories, PopulationError> {
        let texts: Vec<String> = weighted
            .iter()
            .map(|(text, _)| (*text).to_owned())
            .collect();
        if let Some(twice) = (1..texts.len()).find(|&at| texts[..at].contains(&texts[at])) {
            return Err(PopulationError::Twice {
                name: texts[twice].clone(),
            });
        }
        let weights: Vec<f64> = weighted.iter().map(|(_, weight)| *weight).collect();
        Ok(Categories {
            texts,
            probabilities: error::normalised(&weights)?,
        })
    }

    /// The texts.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The probability of each text.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    fn draw(&self, u: f64) -> usize {
        law::place(&self.probabilities, u)
    }
}

/// A column of a population.
#[derive(Clone, Debug)]
struct Feature {
    name: String,
    distribution: Distribution,
    bounds: Option<Bounds>,
}

/// Columns with their laws. Different columns are independent, but for those that are given another one.
#[derive(Clone, Debug, Default)]
pub struct Population {
    features: Vec<Feature>,
}

/// Rows whose uniform numbers are drawn at once.
const CHUNK: usize = 4096;

impl Population {
    /// No column yet.
    pub fn new() -> Population {
        Population::default()
    }

    /// Adds a column; numbers are clipped to the bounds, if there are some.
    ///
    /// # Errors
    /// [`PopulationError`] if there is a column of that name, or if the column is given one that is not before it, is no column of texts,
    /// or has a text without a law
    pub fn with(
        mut self,
        name: &str,
        distribution: Distribution,
        bounds: Option<Bounds>,
    ) -> Result<Population, PopulationError> {
        if self.features.iter().any(|feature| feature.name == name) {
            return Err(PopulationError::Twice {
                name: name.to_owned(),
            });
        }
        if let Distribution::Given { on, laws } = &distribution {
            let Some(categories) = self.categories(on) else {
                return Err(PopulationError::NotGiven {
                    column: name.to_owned(),
                    on: on.clone(),
                });
            };
            let lacks = |text: &&String| !laws.iter().any(|(known, _)| known == *text);
            if let Some(text) = categories.texts().iter().find(lacks) {
                return Err(PopulationError::NoLaw {
                    column: name.to_owned(),
                    text: text.clone(),
                });
            }
        }
        self.features.push(Feature {
            name: name.to_owned(),
            distribution,
            bounds,
        });
        Ok(self)
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.features.iter().map(|feature| feature.name.as_str())
    }

    fn feature(&self, name: &str) -> Option<&Feature> {
        self.features.iter().find(|feature| feature.name == name)
    }

    fn categories(&self, name: &str) -> Option<&Categories> {
        match &self.feature(name)?.distribution {
            Distribution::Text(categories) => Some(categories),
            _ => None,
        }
    }

    /// A sample of that many records.
    ///
    /// # Errors
    /// [`PopulationError::Data`] if there is no column, or a law gives a number that is not finite
    pub fn table(&self, rows: usize, seed: u64) -> Result<Table, PopulationError> {
        let sources: Vec<Source> = (self.features.iter())
            .map(|feature| {
                let purpose = format!("population/{}", feature.name);
                Source::new(&purpose, StandardLaw::Uniform, 1)
            })
            .collect();
        let mut uniforms = vec![Vec::with_capacity(rows); sources.len()];
        let mut draws = Draws::new(seed, CHUNK, &sources);
        for chunk in 0..rows.div_ceil(CHUNK) {
            draws.go_to(chunk as u64);
            let wanted = CHUNK.min(rows - chunk * CHUNK);
            for (source, uniforms) in uniforms.iter_mut().enumerate() {
                uniforms.extend_from_slice(&draws.row(source, 0)[..wanted]);
            }
        }
        let mut chosen: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut columns = Vec::with_capacity(self.features.len());
        for (feature, uniforms) in self.features.iter().zip(uniforms) {
            let name = feature.name.as_str();
            columns.push(match &feature.distribution {
                Distribution::Number(law) => {
                    let values = uniforms.iter().map(|&u| law.draw(u)).collect();
                    Column::number(name, values, feature.bounds)?
                }
                Distribution::Text(categories) => {
                    let places: Vec<usize> = uniforms.iter().map(|&u| categories.draw(u)).collect();
                    let texts = places
                        .iter()
                        .map(|&at| categories.texts[at].clone())
                        .collect();
                    chosen.insert(name, places);
                    Column::text(name, texts)
                }
                Distribution::Given { on, laws } => {
                    let by_place: Vec<&Arc<dyn Law>> = (self.categories(on).into_iter())
                        .flat_map(Categories::texts)
                        .filter_map(|text| laws.iter().find(|(known, _)| known == text))
                        .map(|(_, law)| law)
                        .collect();
                    let places = chosen.get(on.as_str()).map_or(&[][..], Vec::as_slice);
                    let values = (uniforms.iter().zip(places))
                        .map(|(&u, &place)| by_place[place].draw(u))
                        .collect();
                    Column::number(name, values, feature.bounds)?
                }
            });
        }
        Ok(Table::new(columns)?)
    }
}

#[cfg(test)]
mod tests;
