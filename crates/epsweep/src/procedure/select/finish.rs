//! From a tile's tally to those of its cells.

use super::ChosenRows;
use super::layout::{CellPlan, Plan, law_of};
use crate::engine::Work;
use crate::measure::{ChoiceMeasure, ChoiceRule, Measure, Rule};
use crate::procedure::drive::Order;
use crate::procedure::reading::Reading;
use crate::study::select::OTHERS;
use crate::tally::{Bin, CellTally, Histogram, Nature, OutcomeTally, RowKind, Tally};
use epsweep_core::statistics::{ChiSquare, Moments};
use epsweep_core::theory::{Bernoulli, Law};
use std::sync::Arc;

/// A tile's finished tally.
pub(super) struct Finished<'a> {
    plan: &'a Plan,
    reading: Reading<'a>,
    first_row: Vec<usize>,
}

impl<'a> Finished<'a> {
    pub fn new(plan: &'a Plan, tally: &'a Tally, order: Order) -> Finished<'a> {
        Finished {
            first_row: plan.tile.first_rows(),
            reading: Reading::new(plan.tile.layout(), tally, order),
            plan,
        }
    }

    /// Reads off the cells one after another.
    pub fn cells(&self) -> impl Iterator<Item = CellTally> {
        let cells = self.plan.cells.iter().enumerate();
        cells.map(|(number, cell)| self.cell(number, cell))
    }

    fn counts(&self, row: usize) -> &[u64] {
        self.reading.counts(row)
    }

    /// Cell `number` of those that are tallied.
    fn cell(&self, number: usize, plan: &CellPlan) -> CellTally {
        let mut outcomes = Vec::new();
        if let Some(measure) = plan.reports_chosen {
            outcomes.extend(self.chosen(plan, measure));
        }
        for (i, measure) in plan.measures.iter().enumerate() {
            if let Rule::Choice(ChoiceRule::All(rule)) = measure.rule() {
                outcomes.push(self.measured(plan, i, *measure, &rule));
            }
        }
        let pairs = plan.pairs.iter().map(|pair| self.reading.pair(pair));
        CellTally {
            cell: plan.index,
            trials: self.reading.trials(),
            outcomes,
            pairs: pairs.collect(),
            fit: self.fit(plan),
            exact: Vec::new(),
            failed: self.reading.failed(number, |row| {
                let measure = match row.checked_sub(plan.chosen.rows()) {
                    None => return Some("the choice".to_owned()),
                    Some(place) => plan.measures.get(place)?,
                };
                Some(format!("{} of all", measure.about().name))
            }),
        }
    }

    /// Who is chosen, and how often: the best candidates, and the others together.
    fn chosen(&self, plan: &CellPlan, measure: &'static dyn Measure) -> Vec<OutcomeTally> {
        let first = self.first_row[plan.place];
        let ranking = &plan.cell.ranking;
        // a trial that failed chose nobody: every choice is in one of the counts of its row
        let trials = match plan.chosen.rows() {
            0 => self.reading.trials(),
            _ => self.counts(first).iter().sum(),
        };
        let undefined = self.reading.trials() - trials;
        let shown = ranking.names().len();
        let exact = plan.cell.law.inclusion(shown);
        let outcome = |subject: &str, count: u64, exact: Option<f64>| {
            let law = exact.map(|p| Arc::new(Bernoulli::new(p)) as Arc<dyn Law>);
            OutcomeTally {
                undefined,
                ..flag(measure, subject, count, trials, law, &plan.evidence)
            }
        };
        let mut outcomes: Vec<OutcomeTally> = (ranking.names().iter().enumerate())
            .map(|(rank, name)| {
                let count = match plan.chosen {
                    ChosenRows::Rank { .. } => self.counts(first)[rank],
                    ChosenRows::Flags { .. } => self.counts(first + rank)[1],
                };
                outcome(name, count, exact.as_ref().map(|p| p[rank]))
            })
            .collect();
        if plan.has_others() {
            let named: u64 = self.counts(first)[..shown].iter().sum();
            let exact = exact.map(|p| (1.0 - p.iter().sum::<f64>()).max(0.0));
            outcomes.push(outcome(OTHERS, trials - named, exact));
        }
        outcomes
    }

    fn measured(
        &self,
        plan: &CellPlan,
        i: usize,
        measure: &'static dyn Measure,
        rule: &ChoiceMeasure,
    ) -> OutcomeTally {
        let row = self.first_row[plan.place] + plan.chosen.rows() + i;
        let law = law_of(&plan.cell, rule);
        let outcome = self
            .reading
            .outcome(row, measure, "all", law, &plan.evidence);
        match (self.reading.kind(row), self.atoms(plan, rule)) {
            (RowKind::Real { .. }, Some(atoms)) if outcome.undefined == 0 => OutcomeTally {
                histogram: atoms,
                ..outcome
            },
            _ => outcome,
        }
    }

    /// The values of a measure of a single choice with the counts of the ranks that have them, where every rank has a count of its own.
    fn atoms(&self, plan: &CellPlan, rule: &ChoiceMeasure) -> Option<Histogram> {
        let permitted = plan.cell.ranking.scores().permitted();
        if plan.chosen != (ChosenRows::Rank { counts: permitted }) {
            return None;
        }
        let counts = self.counts(self.first_row[plan.place]);
        let mut bins: Vec<Bin> = (counts.iter().enumerate())
            .filter(|(_, count)| **count > 0)
            .map(|(rank, count)| {
                let mut value = [0.0];
                (rule.kernel)(&plan.cell.ranking, 1, &[rank as u32], &mut value);
                Bin {
                    low: value[0],
                    high: value[0],
                    count: *count,
                }
            })
            .collect();
        bins.sort_by(|a, b| a.low.total_cmp(&b.low));
        let merged = bins.chunk_by(|a, b| a.low == b.low).map(|same| Bin {
            count: same.iter().map(|bin| bin.count).sum(),
            ..same[0]
        });
        Some(Histogram::new(merged.collect()))
    }

    /// All frequencies of a single choice together against the exact law.
    fn fit(&self, plan: &CellPlan) -> Option<ChiSquare> {
        plan.reports_chosen?;
        let ChosenRows::Rank { counts } = plan.chosen else {
            return None;
        };
        let exact = plan
            .cell
            .law
            .inclusion(plan.cell.ranking.scores().permitted())?;
        let mut probabilities = exact[..counts].to_vec();
        probabilities[counts - 1] = exact[counts - 1..].iter().sum();
        ChiSquare::new(self.counts(self.first_row[plan.place]), &probabilities)
    }
}

/// The tally of something that happened `count` times.
fn flag(
    measure: &'static dyn Measure,
    subject: &str,
    count: u64,
    trials: u64,
    law: Option<Arc<dyn Law>>,
    evidence: &str,
) -> OutcomeTally {
    let n = trials as f64;
    let p = if trials == 0 { 0.0 } else { count as f64 / n };
    let q = 1.0 - p;
    let spread = n * p * q;
    let zeros = trials - count;
    let (min, max) = match (zeros, count) {
        (0, 0) => (f64::NAN, f64::NAN),
        (0, _) => (1.0, 1.0),
        (_, 0) => (0.0, 0.0),
        _ => (0.0, 1.0),
    };
    let bin = |value: f64, count: u64| Bin {
        low: value,
        high: value,
        count,
    };
    OutcomeTally {
        subject: subject.to_owned(),
        measure: measure.about().name,
        undefined: 0,
        // the central moments of a share p: npq, npq(q − p), npq(p³ + q³)
        moments: Moments {
            n: trials,
            mean: p,
            m2: spread,
            m3: spread * (q - p),
            m4: spread * (p * p * p + q * q * q),
        },
        histogram: Histogram::new(vec![bin(0.0, zeros), bin(1.0, count)]),
        // zeros and ones are counted one by one
        order: None,
        min,
        max,
        nature: Nature::Flag,
        law,
        evidence: format!("chosen {subject}, {evidence}"),
    }
}
