//! The budget divided among the queries of a cell, and the noise calibrated.

use super::cells::{Answered, AnsweredQuery};
use crate::config::budget::BudgetSpec;
use crate::config::diagnostic::Sink;
use crate::config::release::{AllocationSpec, ReleaseSpec};
use crate::procedure::release::{ReleaseCell, ReleaseQuery};
use crate::record::ResolvedQuery;
use epsweep_core::accounting::{Composition, Spender};
use epsweep_core::allocation::{Problem, Setting};
use epsweep_core::budget::{Budget, Epsilon, Shares};
use epsweep_core::noise::Noise;
use epsweep_core::random::StandardLaw;
use epsweep_core::sensitivity::Sensitivity;
use std::sync::Arc;

/// Least and largest noise scale. Beyond them the fourth moment of a squared error, of the order of scale⁸, leaves the range of f64, and
/// with it the standard errors.
pub(super) const SCALES: [f64; 2] = [1e-30, 1e30];

/// What calibration needs besides the answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calibration<'a> {
    /// noise and allocation
    pub release: &'a ReleaseSpec,
    /// the guarantee, and how its parts add up
    pub budget: &'a BudgetSpec,
    /// where faults go
    pub sink: &'a Sink,
}

/// A cell ready to run.
#[derive(Debug)]
pub(super) struct Calibrated {
    /// for the engine
    pub cell: ReleaseCell,
    /// for the record
    pub queries: Vec<ResolvedQuery>,
    /// what the shares divide
    pub total: f64,
    /// that in words; empty where it is the guarantee's own ε
    pub divided: String,
}

impl Calibration<'_> {
    /// Divides the budget, calibrates the noise, and passes what is spent through the ledger.
    pub fn cell(&self, id: String, answered: &Answered) -> Option<Calibrated> {
        let spender = self.spender()?;
        let shares = self.shares(answered, spender)?;
        let budget = self.budget;
        let division = (budget.composition.divide(budget.budget, spender, &shares))
            .map_err(|error| {
                self.sink
                    .fault(budget.composition_span, error.to_string())
                    .report();
            })
            .ok()?;
        let mut queries = Vec::new();
        let mut resolved = Vec::new();
        let mut spent = Vec::new();
        let mut good = true;
        for (index, query) in answered.queries.iter().enumerate() {
            let part = division.parts[index];
            let Some(noise) = self.noise(query, part) else {
                good = false;
                continue;
            };
            let scale = noise.scale();
            let spec = &query.spec;
            let sensitivity = of_spender(spender, query.sensitivity);
            if let (Some(part), true) = (part, sensitivity > 0.0) {
                spent.push((spec.name.clone(), part, sensitivity / scale));
            }
            resolved.push(ResolvedQuery {
                name: spec.name.clone(),
                definition: spec.definition.query.definition(),
                truth: query.truth,
                l1: query.sensitivity.l1,
                l2: query.sensitivity.l2,
                weight: spec.weight,
                share: shares.as_slice()[index],
                budget: division.amounts[index],
                scale: scale.is_finite().then_some(scale),
            });
            queries.push(ReleaseQuery {
                name: spec.name.clone(),
                truth: query.truth,
                weight: spec.weight,
                noise,
            });
        }
        if !good {
            return None;
        }
        if let Err(error) = (budget.composition).check(budget.budget, spender, &spent) {
            self.sink.fault(budget.span, error.to_string()).report();
            return None;
        }
        let plain =
            matches!(budget.budget, Budget::Pure(_)) && budget.composition == Composition::Basic;
        Some(Calibrated {
            cell: ReleaseCell { id, queries },
            queries: resolved,
            total: division.total,
            divided: if plain {
                String::new()
            } else {
                division.statement
            },
        })
    }

    /// How the noise spends: found by what it can be calibrated to.
    fn spender(&self) -> Option<Spender> {
        let kind = self.release.noise.0;
        let unit = Sensitivity { l1: 1.0, l2: 1.0 };
        let takes = |budget: Budget| kind.calibrate(unit, Some(budget)).is_ok();
        if Epsilon::new(0.5).is_ok_and(|epsilon| takes(Budget::Pure(epsilon))) {
            return Some(Spender::Pure);
        }
        if kind
            .calibrate(unit, None)
            .is_ok_and(|noise| noise.standard() == StandardLaw::Normal)
        {
            return Some(Spender::Gaussian);
        }
        let message = format!(
            "{} noise has no budget that queries could share",
            kind.about().name
        );
        self.sink
            .fault(self.release.noise_span, message)
            .remedy("choose laplace or gaussian noise")
            .report();
        None
    }

    fn shares(&self, answered: &Answered, spender: Spender) -> Option<Shares> {
        match &self.release.allocation {
            AllocationSpec::Rule(rule) => {
                let setting = match self.budget.composition.setting(spender) {
                    Some(setting) => setting,
                    // shares that are named as such are the same whatever they divide
                    None if !rule.depends_on_setting() => Setting::default(),
                    None => {
                        let message = format!(
                            "allocation `{}` has no formula for Gaussian noise under basic composition",
                            rule.about().name
                        );
                        self.sink
                            .fault(self.release.allocation_span, message)
                            .remedy("compose by zcdp, rdp or pld, whose shares divide ρ, or name the shares: even, proportional, …")
                            .report();
                        return None;
                    }
                };
                let sensitivities: Vec<f64> = answered
                    .queries
                    .iter()
                    .map(|query| of_spender(spender, query.sensitivity))
                    .collect();
                let weights: Vec<f64> = answered
                    .queries
                    .iter()
                    .map(|query| query.spec.weight)
                    .collect();
                let problem = Problem {
                    sensitivities: &sensitivities,
                    weights: &weights,
                    setting,
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
    fn noise(&self, query: &AnsweredQuery, part: Option<Budget>) -> Option<Arc<dyn Noise>> {
        let name = &query.spec.name;
        let exact = query.sensitivity.l1 == 0.0;
        if part.is_none() && !exact {
            let message = format!("query `{name}` gets no budget: its noise would be infinite");
            self.sink
                .fault(self.release.allocation_span, message)
                .rule("every query with a sensitivity above 0 needs a share above 0")
                .remedy("give it a share or a weight above 0, or leave the query out")
                .report();
            return None;
        }
        // a query of sensitivity 0 needs no noise, and is given none where its share is 0
        let kind = self.release.noise.0;
        let noise = (kind.calibrate(query.sensitivity, part)).map_err(|error| error.to_string());
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
                    .fault(self.budget.span, message)
                    .rule(format!("scales from {least:e} to {most:e}, so that all moments stay within the range of f64"))
                    .remedy("choose another ε, or measure the answer in another unit")
                    .report();
                None
            }
            Err(error) => {
                self.sink
                    .fault(self.budget.span, format!("query `{name}`: {error}"))
                    .report();
                None
            }
        }
    }
}

/// Δ in the norm of the noise.
fn of_spender(spender: Spender, sensitivity: Sensitivity) -> f64 {
    match spender {
        Spender::Pure => sensitivity.l1,
        Spender::Gaussian => sensitivity.l2,
    }
}
