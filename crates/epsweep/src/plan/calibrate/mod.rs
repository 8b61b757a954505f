//! The budget divided among the queries of a cell, and the noise calibrated.

mod assemble;
mod at_hand;
mod divide;
mod known;

pub(super) use known::Divisions;

use assemble::{add, process, resolved_query};
use divide::{broken, times, unkept};

use super::answered::{Answered, AnsweredQuery};
use crate::config::budget::BudgetSpec;
use crate::config::diagnostic::Sink;
use crate::config::noise::NoiseSpec;
use crate::config::release::ReleaseSpec;
use crate::plan::scales::in_range;
use crate::record::{ResolvedJoint, ResolvedQuery, number};
use crate::study::release::ReleaseCell;
use epsweep_core::accounting::{Composition, Spender};
use epsweep_core::budget::{Budget, BudgetError};
use epsweep_core::noise::Noise;
use epsweep_core::sensitivity::Sensitivity;
use std::sync::Arc;

/// What calibration needs besides the answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calibration<'a> {
    /// noise and allocation
    pub release: &'a ReleaseSpec,
    /// the guarantee, and how its parts add up
    pub budget: &'a BudgetSpec,
    /// what was divided before
    pub known: &'a Divisions,
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
    /// promises that are not kept, because a declared sensitivity is too small, or because a control is used outside its condition
    pub warnings: Vec<String>,
    /// whether the guarantee has a δ of which nothing is spent
    pub spare_delta: bool,
    /// what the queries cost together, where that is known to be less than one by one
    pub joint: Option<ResolvedJoint>,
}

/// The noise of a query's parts.
struct Noises {
    noises: Vec<Arc<dyn Noise>>,
    /// what it is scaled to in place of the global sensitivity: a smooth bound, or the sensitivity of the rank utility
    at_hand: Option<f64>,
}

impl Calibration<'_> {
    /// Divides the budget and calibrates the noise.
    pub fn cell(&self, id: String, answered: &Answered) -> Option<Calibrated> {
        if (answered.queries.iter()).all(|query| query.believed().l1 == 0.0) {
            (self.sink.fault(self.budget.span, "no query of the cell needs noise"))
                .rule("at least one query with a sensitivity above 0: exact answers have no errors to simulate, and no budget to divide")
                .remedy("ask something that one record can change, or take the other neighbouring relation")
                .report();
            return None;
        }
        let spender = self.spender()?;
        let shares = self.shares(answered, spender)?;
        let budget = self.budget;
        let division = (self.known)
            .divide(budget.composition, budget.budget, spender, &shares)
            .map_err(|error| {
                let basic = budget.composition == Composition::Basic;
                let span = (budget.no_delta.filter(|_| basic)).unwrap_or(budget.composition_span);
                self.sink.fault(span, error.to_string()).report();
            })
            .ok()?;
        let noises = self.noises(answered, &division.parts)?;
        self.check(answered, spender, &division.parts, &noises)?;
        let joint = self.joint_cost(answered, spender, division.total, &noises);
        let raise = match (budget.joint, joint) {
            (false, _) => 1.0,
            (true, None) => return self.no_joint(answered, spender),
            (true, Some(cost)) => division.total / cost.together,
        };
        let noises = if raise == 1.0 {
            noises
        } else {
            let raised = (division.parts.iter())
                .map(|part| part.map(|part| times(part, raise)).transpose())
                .collect::<Result<Vec<_>, _>>()
                .map_err(|error| self.sink.fault(budget.span, error.to_string()).report())
                .ok()?;
            self.noises(answered, &raised)?
        };
        let mut cell = ReleaseCell {
            id,
            rows: answered.table.rows() as u64,
            ..ReleaseCell::default()
        };
        let mut resolved = Vec::new();
        let mut warnings = Vec::new();
        for (index, (query, noises)) in answered.queries.iter().zip(&noises).enumerate() {
            let share = shares.as_slice()[index];
            let amount = division.amounts[index] * raise;
            resolved.push(resolved_query(query, share, amount, noises));
            if let Some(declared) = query.spec.declared {
                let noise = &*noises.noises[0];
                warnings.extend(broken(spender, query, declared, noise));
            }
            let whole = query.spec.split.is_none() && raise == 1.0;
            let part = division.parts[index].filter(|_| whole);
            warnings.extend(unkept(&self.release.noise, part, query, &noises.noises));
            add(&mut cell, query, &noises.noises);
        }
        if answered
            .queries
            .iter()
            .any(|query| !query.spec.steps.is_empty())
        {
            process(&mut cell, answered);
        }
        let saves = |cost: &ResolvedJoint| cost.together < cost.separate * (1.0 - 1e-9);
        let plain =
            matches!(budget.budget, Budget::Pure(_)) && budget.composition == Composition::Basic;
        Some(Calibrated {
            cell,
            queries: resolved,
            total: division.total,
            divided: match plain {
                true => String::new(),
                false => division.statement,
            },
            warnings,
            spare_delta: budget.composition == Composition::Basic
                && spender == Spender::Pure
                && matches!(budget.budget, Budget::Approximate(_, delta) if delta.get() > 0.0),
            joint: joint.filter(saves),
        })
    }

    /// The noise of every query.
    fn noises(&self, answered: &Answered, parts: &[Option<Budget>]) -> Option<Vec<Noises>> {
        let all: Vec<Option<Noises>> = (answered.queries.iter().zip(parts))
            .map(|(query, part)| self.noise(answered, query, *part))
            .collect();
        all.into_iter().collect()
    }

    /// The noise of a query that is given a part of the budget.
    fn noise(
        &self,
        answered: &Answered,
        query: &AnsweredQuery,
        part: Option<Budget>,
    ) -> Option<Noises> {
        let name = &query.spec.name;
        let at_hand = self.release.noise.is_at_hand();
        if part.is_none() && (query.believed().l1 > 0.0 || at_hand) {
            let message = format!("query `{name}` gets no budget: its noise would be infinite");
            self.sink
                .fault(self.release.allocation_span, message)
                .rule("every query with a sensitivity above 0 needs a share above 0")
                .remedy("give it a share or a weight above 0, or leave the query out")
                .report();
            return None;
        }
        if query.spec.declared.is_some() && (at_hand || query.parts.len() > 1) {
            let message = match at_hand {
                true => format!(
                    "query `{name}`: the noise is scaled to the data, not to a declared sensitivity"
                ),
                false => format!("query `{name}`: a declared sensitivity is of a single number"),
            };
            (self.sink.fault(query.spec.definition.span, message))
                .rule("declared_sensitivity goes with queries of one part, and noise of the global sensitivity")
                .report();
            return None;
        }
        let kind = match self.release.noise {
            NoiseSpec::AtHand(_, mechanism) => {
                return self.at_hand(mechanism, answered, query, part?);
            }
            NoiseSpec::Global(kind) => kind,
        };
        let whole = || query.fraction(&answered.table, answered.neighbours);
        if let Some(fraction) = kind.discrete().then(whole).flatten() {
            let message = format!(
                "query `{name}`: {} noise is of whole numbers, and {} is none",
                kind.about().name,
                number(fraction)
            );
            (self.sink.fault(query.spec.definition.span, message))
                .rule("answers, what a record adds to them, and the bounds of columns are whole: noise of whole numbers shows what is behind the point")
                .remedy("count in smaller units (cents, months), or take noise of real numbers: laplace, staircase, gaussian")
                .report();
            return None;
        }
        let parts = query.parts.len();
        let of_parts: Vec<(Sensitivity, Result<Option<Budget>, BudgetError>)> =
            match &query.spec.split {
                None => vec![(query.believed(), Ok(part))],
                Some((given, span)) => {
                    let names: Vec<&str> = query.parts.iter().map(String::as_str).collect();
                    let shares = given.in_order(&names, *span, self.sink)?;
                    let starved = (query.separate.iter().zip(shares.as_slice()))
                        .position(|(sensitivity, share)| sensitivity.l1 > 0.0 && *share == 0.0);
                    if let Some(starved) = starved {
                        let message = format!("`{}` gets no budget", query.parts[starved]);
                        (self.sink.fault(*span, message))
                            .rule("every part with a sensitivity above 0 needs a share above 0")
                            .report();
                        return None;
                    }
                    let of = |share: &f64| match part {
                        Some(part) if *share > 0.0 => self.split(part, *share).map(Some),
                        _ => Ok(None),
                    };
                    (query.separate.iter().copied())
                        .zip(shares.as_slice().iter().map(of))
                        .collect()
                }
            };
        let mut noises: Vec<Arc<dyn Noise>> = Vec::with_capacity(parts);
        for (sensitivity, part) in of_parts {
            // a part of sensitivity 0 needs no noise, whatever its share
            let calibrated = part.map_err(|error| error.to_string()).and_then(|part| {
                (kind.calibrate(sensitivity, part)).map_err(|error| error.to_string())
            });
            match calibrated {
                Ok(noise) => {
                    self.in_range(name, noise.scale())?;
                    noises.push(Arc::from(noise));
                }
                Err(error) => {
                    self.sink
                        .fault(self.budget.span, format!("query `{name}`: {error}"))
                        .report();
                    return None;
                }
            }
        }
        if query.spec.split.is_none() {
            noises = vec![noises[0].clone(); parts];
        }
        Some(Noises {
            noises,
            at_hand: None,
        })
    }

    fn in_range(&self, query: &str, scale: f64) -> Option<()> {
        in_range(
            self.sink,
            self.budget.span,
            &format!("query `{query}`"),
            scale,
        )
    }
}
