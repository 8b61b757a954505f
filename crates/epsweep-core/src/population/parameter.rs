//! What a query is in the population rather than in a sample.

use super::{Distribution, Feature, Law, Mixture, Population, PopulationError};
use crate::data::{Bounds, Cuts, Piece, Predicate, Region, Table};
use crate::query::{Amount, Contribution, Estimand, Query};
use crate::sensitivity::Neighbours;
use std::sync::Arc;

/// Kinds of records beyond which a probability is not computed.
const MOST_RECORDS: usize = 1 << 20;

impl Population {
    /// Mean and variance of a column of numbers, after clipping to its bounds. `None` for other columns.
    pub fn moments(&self, column: &str) -> Option<(f64, f64)> {
        let feature = self.feature(column)?;
        Some(self.marginal(feature)?.moments(feature.bounds))
    }

    /// The p-quantile of a column of numbers, after clipping to its bounds, for p in (0, 1): the least x with P(X ≤ x) ≥ p. `None`
    /// for other columns and other p.
    pub fn quantile(&self, column: &str, p: f64) -> Option<f64> {
        let feature = self.feature(column)?;
        let law = self.marginal(feature)?;
        let within = p > 0.0 && p < 1.0;
        let clip = |x| feature.bounds.map_or(x, |bounds| bounds.clip(x));
        within.then(|| clip(law.quantile(p)))
    }

    /// The covariance of two columns of numbers, after clipping: they are independent unless they are given the same column of texts.
    pub fn covariance(&self, one: &str, other: &str) -> Option<f64> {
        if one == other {
            return Some(self.moments(one)?.1);
        }
        let (one, other) = (self.feature(one)?, self.feature(other)?);
        let (means, others) = (self.moments(&one.name)?.0, self.moments(&other.name)?.0);
        let (
            Distribution::Given { on, laws },
            Distribution::Given {
                on: same,
                laws: with,
            },
        ) = (&one.distribution, &other.distribution)
        else {
            return Some(0.0);
        };
        if on != same {
            return Some(0.0);
        }
        let categories = self.categories(on)?;
        let mean_of = |feature: &Feature, laws: &[(String, Arc<dyn Law>)], text: &str| {
            let (_, law) = laws.iter().find(|(known, _)| known == text)?;
            Some(law.moments(feature.bounds).0)
        };
        let mut covariance = 0.0;
        for (text, p) in categories.texts().iter().zip(categories.probabilities()) {
            let distance = mean_of(one, laws, text)? - means;
            covariance += p * distance * (mean_of(other, with, text)? - others);
        }
        Some(covariance)
    }

    /// The law of a column of numbers by itself, before clipping.
    fn marginal(&self, feature: &Feature) -> Option<Arc<dyn Law>> {
        match &feature.distribution {
            Distribution::Number(law) => Some(Arc::clone(law)),
            Distribution::Text(_) => None,
            Distribution::Given { on, laws } => {
                let categories = self.categories(on)?;
                let weighted = (categories.texts().iter().zip(categories.probabilities()))
                    .map(|(text, &p)| {
                        let (_, law) = laws.iter().find(|(known, _)| known == text)?;
                        Some((p, Arc::clone(law)))
                    })
                    .collect::<Option<Vec<_>>>()?;
                Some(Arc::new(Mixture::new(weighted).ok()?))
            }
        }
    }

    /// The probability that a record satisfies the predicate. `table` is any sample of the population. `None` if the predicate tells
    /// too many kinds of records apart.
    ///
    /// # Errors
    /// [`PopulationError`] if the table lacks a column or has it with values of another type
    pub fn probability(
        &self,
        predicate: &Predicate,
        table: &Table,
    ) -> Result<Option<f64>, PopulationError> {
        predicate.check(table)?;
        let mut columns = predicate.columns();
        if columns.iter().any(|name| self.feature(name).is_none()) {
            return Ok(None);
        }
        // columns of texts on which others depend must be told apart to their texts
        let parents: Vec<&String> = (self.features.iter())
            .filter(|feature| columns.contains(&feature.name))
            .filter_map(|feature| match &feature.distribution {
                Distribution::Given { on, .. } => Some(on),
                _ => None,
            })
            .collect();
        let mut texts: Vec<Predicate> = Vec::new();
        for on in parents {
            if !columns.contains(on) {
                columns.push(on.clone());
            }
            let known = self.categories(on).into_iter().flat_map(|one| one.texts());
            texts.extend(known.map(|text| Predicate::is_text(on, text)));
        }
        let predicates: Vec<&Predicate> = std::iter::once(predicate).chain(&texts).collect();
        let cuts = Cuts::default();
        let region = Region::new(table, &columns, &predicates, &cuts, MOST_RECORDS)?;
        let Some(region) = region else {
            return Ok(None);
        };
        let inside = predicate.select(region.records())?;
        let mut of_record: Vec<f64> = inside.into_iter().map(f64::from).collect();
        for name in &columns {
            self.multiply(name, &region, &mut of_record);
        }
        Ok(Some(crate::summation::sum(&of_record).clamp(0.0, 1.0)))
    }

    /// Multiplies by the probability of each record's piece of the column, given its other columns.
    fn multiply(&self, name: &str, region: &Region, products: &mut [f64]) {
        let Some(feature) = self.feature(name) else {
            return;
        };
        let pieces = region.pieces(name).unwrap_or_default();
        // the texts that predicates name
        let named: Vec<&String> = (pieces.iter())
            .filter_map(|piece| match piece {
                Piece::Text(text) => Some(text),
                _ => None,
            })
            .collect();
        for (row, (product, piece)) in products.iter_mut().zip(pieces).enumerate() {
            *product *= match &feature.distribution {
                Distribution::Text(categories) => {
                    let of_texts = |wanted: &dyn Fn(&String) -> bool| {
                        let all = categories.texts().iter().zip(categories.probabilities());
                        all.filter(|(text, _)| wanted(text))
                            .map(|(_, p)| p)
                            .sum::<f64>()
                    };
                    match piece {
                        Piece::Text(text) => of_texts(&|one| one == text),
                        _ => of_texts(&|one| !named.contains(&one)),
                    }
                }
                Distribution::Number(law) => of_piece(law.as_ref(), feature.bounds, piece),
                Distribution::Given { on, laws } => {
                    let given = match &region.pieces(on).unwrap_or_default()[row] {
                        Piece::Text(text) => laws.iter().find(|(known, _)| known == text),
                        _ => None,
                    };
                    // another text than those that have a law does not occur
                    given.map_or(0.0, |(_, law)| {
                        of_piece(law.as_ref(), feature.bounds, piece)
                    })
                }
            };
        }
    }

    /// What the outputs of the query are in the population, for data sets of the size of the table (any sample of the population).
    /// `None` where that is not known exactly: for extremes, joins, and what is no sum over the records and has no parameter of its own.
    ///
    /// # Errors
    /// [`PopulationError`] if the table lacks what the query needs
    pub fn parameter(
        &self,
        query: &dyn Query,
        table: &Table,
    ) -> Result<Option<Vec<f64>>, PopulationError> {
        if let Some(estimand) = query.estimand() {
            let rows = table.rows() as f64;
            let parameter = match estimand {
                Estimand::Mean(column) => self.moments(&column).map(|(mean, _)| mean),
                Estimand::Sum(column) => self.moments(&column).map(|(mean, _)| rows * mean),
                Estimand::Variance(column) => self.moments(&column).map(|moments| moments.1),
                Estimand::StandardDeviation(column) => self
                    .moments(&column)
                    .map(|moments| moments.1.max(0.0).sqrt()),
                Estimand::Quantile(column, p) => self.quantile(&column, p),
                Estimand::Covariance(one, other) => self.covariance(&one, &other),
            };
            return Ok(parameter.map(|value| vec![value]));
        }
        let Some(contributions) = query.contributions(table, Neighbours::Substitute)? else {
            return Ok(None);
        };
        let mut parts = vec![0.0; query.parts().len()];
        for contribution in &contributions {
            if !self.expect(contribution, table, &mut parts)? {
                return Ok(None);
            }
        }
        for part in &mut parts {
            *part *= table.rows() as f64;
        }
        Ok(Some(query.derive(&parts)))
    }

    /// Adds what a record adds on average; whether that is known.
    fn expect(
        &self,
        contribution: &Contribution,
        table: &Table,
        parts: &mut [f64],
    ) -> Result<bool, PopulationError> {
        let probability = match &contribution.region {
            None => 1.0,
            Some(region) => match self.probability(region, table)? {
                Some(probability) => probability,
                None => return Ok(false),
            },
        };
        for (part, amount) in &contribution.adds {
            parts[*part] += match amount {
                Amount::Constant(value) => value * probability,
                Amount::Column {
                    column,
                    clip,
                    centre,
                    factor,
                } => {
                    let known = self.feature(column).and_then(|feature| {
                        // clipped to the bounds of the column, then again
                        let ends = feature.bounds.map_or((clip.low(), clip.high()), |bounds| {
                            (clip.clip(bounds.low()), clip.clip(bounds.high()))
                        });
                        let bounds = Bounds::new(ends.0, ends.1).ok()?;
                        Some(self.marginal(feature)?.moments(Some(bounds)).0)
                    });
                    match (known, &contribution.region) {
                        (Some(mean), None) => factor * (mean - centre),
                        _ => return Ok(false),
                    }
                }
            };
        }
        Ok(true)
    }
}

/// The probability of a piece of a column of that law, clipped to the bounds.
fn of_piece(law: &dyn Law, bounds: Option<Bounds>, piece: &Piece) -> f64 {
    let below = |x: f64| match bounds {
        Some(bounds) if x <= bounds.low() => 0.0,
        _ => law.below(x),
    };
    let up_to = |x: f64| match bounds {
        Some(bounds) if x >= bounds.high() => 1.0,
        _ => law.cdf(x),
    };
    match *piece {
        Piece::Point(value) => up_to(value) - below(value),
        Piece::Between { low, high, .. } => (below(high) - up_to(low)).max(0.0),
        Piece::Below(high) => below(high),
        Piece::Above(low) => 1.0 - up_to(low),
        Piece::AnyNumber => 1.0,
        Piece::Text(_) | Piece::OtherText => 0.0,
    }
}
