//! The budget divided among the queries of a cell, and the noise calibrated.

use super::cells::{Answered, AnsweredQuery};
use crate::config::diagnostic::Sink;
use crate::config::release::{AllocationSpec, ReleaseSpec};
use crate::config::source::Span;
use crate::procedure::release::{ReleaseCell, ReleaseQuery};
use crate::record::ResolvedQuery;
use epsweep_core::allocation::{Problem, Setting};
use epsweep_core::budget::{Budget, Epsilon, Shares};
use epsweep_core::noise::Noise;
use std::sync::Arc;

/// Least and largest noise scale. Beyond them the fourth moment of a squared error, of the order of scale⁸, leaves the range of f64, and
/// with it the standard errors.
pub(super) const SCALES: [f64; 2] = [1e-30, 1e30];

/// What calibration needs besides the answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calibration<'a> {
    /// noise and allocation
    pub release: &'a ReleaseSpec,
    /// the total
    pub total: Epsilon,
    /// where the total stands
    pub budget_span: Span,
    /// where faults go
    pub sink: &'a Sink,
}

impl Calibration<'_> {
    /// Divides the budget and calibrates the noise.
    pub fn cell(
        &self,
        id: String,
        answered: &Answered,
    ) -> Option<(ReleaseCell, Vec<ResolvedQuery>)> {
        let shares = self.shares(answered)?;
        let parts = shares.split(self.total.get());
        let mut queries = Vec::new();
        let mut resolved = Vec::new();
        let mut good = true;
        for ((query, share), part) in answered.queries.iter().zip(shares.as_slice()).zip(parts) {
            let Some(noise) = self.noise(query, part) else {
                good = false;
                continue;
            };
            let scale = noise.scale();
            let spec = &query.spec;
            resolved.push(ResolvedQuery {
                name: spec.name.clone(),
                definition: spec.definition.query.definition(),
                truth: query.truth,
                l1: query.sensitivity.l1,
                l2: query.sensitivity.l2,
                weight: spec.weight,
                share: *share,
                budget: part,
                scale: scale.is_finite().then_some(scale),
            });
            queries.push(ReleaseQuery {
                name: spec.name.clone(),
                truth: query.truth,
                weight: spec.weight,
                noise,
            });
        }
        good.then_some((ReleaseCell { id, queries }, resolved))
    }

    fn shares(&self, answered: &Answered) -> Option<Shares> {
        match &self.release.allocation {
            AllocationSpec::Rule(rule) => {
                let sensitivities: Vec<f64> = answered
                    .queries
                    .iter()
                    .map(|query| query.sensitivity.l1)
                    .collect();
                let weights: Vec<f64> = answered
                    .queries
                    .iter()
                    .map(|query| query.spec.weight)
                    .collect();
                let problem = Problem {
                    sensitivities: &sensitivities,
                    weights: &weights,
                    setting: Setting::LaplacePure,
                };
                rule.shares(&problem)
                    .map_err(|error| {
                        let name = rule.about().name;
                        let message = format!("allocation `{name}`: {error}");
                        self.sink
                            .fault(self.release.allocation_span, message)
                            .report();
                    })
                    .ok()
            }
            AllocationSpec::Given { shares, .. } => {
                let names: Vec<&str> = answered
                    .queries
                    .iter()
                    .map(|q| q.spec.name.as_str())
                    .collect();
                shares.in_order(&names, self.release.allocation_span, self.sink)
            }
        }
    }

    /// The noise of a query that is given a part of the budget.
    fn noise(&self, query: &AnsweredQuery, part: f64) -> Option<Arc<dyn Noise>> {
        let name = &query.spec.name;
        let exact = query.sensitivity.l1 == 0.0;
        if part == 0.0 && !exact {
            let message = format!("query `{name}` gets no budget: its noise would be infinite");
            self.sink
                .fault(self.release.allocation_span, message)
                .rule("every query with a sensitivity above 0 needs a share above 0")
                .remedy("give it a share or a weight above 0, or leave the query out")
                .report();
            return None;
        }
        // a query of sensitivity 0 needs no noise, and is given none where its share is 0
        let spent = match part == 0.0 {
            true => Ok(None),
            false => Epsilon::new(part).map(|part| Some(Budget::Pure(part))),
        };
        let noise = spent.map_err(|error| error.to_string()).and_then(|spent| {
            let kind = self.release.noise.0;
            (kind.calibrate(query.sensitivity, spent)).map_err(|error| error.to_string())
        });
        match noise {
            Ok(noise) => {
                let noise: Arc<dyn Noise> = Arc::from(noise);
                let scale = noise.scale();
                let [least, most] = SCALES;
                if exact || (least..=most).contains(&scale) {
                    return Some(noise);
                }
                let message = format!("query `{name}` gets noise of scale {scale:e}");
                self.sink
                    .fault(self.budget_span, message)
                    .rule(format!("scales from {least:e} to {most:e}, so that all moments stay within the range of f64"))
                    .remedy("choose another ε, or measure the answer in another unit")
                    .report();
                None
            }
            Err(error) => {
                self.sink
                    .fault(self.budget_span, format!("query `{name}`: {error}"))
                    .report();
                None
            }
        }
    }
}
