//! From a tile's tally to those of its cells.

use super::layout::{CellPlan, Plan};
use crate::engine::Work;
use crate::measure::{Measure, StreamMeasure};
use crate::procedure::drive::Order;
use crate::tally::{
    CellTally, Histogram, Layout, Leaf, Nature, OutcomeTally, PairTally, RowKind, Tally,
};
use epsweep_core::statistics::Moments;

/// A tile's finished tally.
pub(super) struct Finished<'a> {
    plan: &'a Plan,
    layout: Layout,
    tally: &'a Tally,
    moments: Leaf,
    order: Order,
    first_row: Vec<usize>,
}

impl<'a> Finished<'a> {
    pub fn new(plan: &'a Plan, tally: &'a Tally, order: Order) -> Finished<'a> {
        let layout = plan.tile.layout();
        let rows = layout.kinds().len() + layout.pairs();
        Finished {
            first_row: plan.tile.first_rows(),
            moments: tally
                .moments()
                .unwrap_or_else(|| vec![Moments::default(); rows].into()),
            plan,
            layout,
            tally,
            order,
        }
    }

    /// Reads off the cells one after another.
    pub fn cells(&self) -> impl Iterator<Item = CellTally> {
        self.plan.cells.iter().map(|cell| self.cell(cell))
    }

    fn cell(&self, plan: &CellPlan) -> CellTally {
        let outcomes = (plan.measures.iter().enumerate())
            .map(|(row, (measure, rule))| self.measured(plan, row, *measure, rule));
        let pairs = plan.pairs.iter().map(|pair| {
            let wins = self.tally.counts.wins[pair.row];
            PairTally {
                against: pair.against,
                subject: "all".to_owned(),
                measure: pair.measure.about().name,
                moments: self.moments[self.layout.kinds().len() + pair.row],
                win: wins.win,
                tie: wins.tie,
                loss: wins.loss,
            }
        });
        CellTally {
            cell: plan.index,
            trials: self.tally.trials,
            outcomes: outcomes.collect(),
            pairs: pairs.collect(),
            fit: None,
            exact: Vec::new(),
        }
    }

    fn measured(
        &self,
        plan: &CellPlan,
        row: usize,
        measure: &'static dyn Measure,
        rule: &StreamMeasure,
    ) -> OutcomeTally {
        let row = self.first_row[plan.place] + row;
        let counts = &self.tally.counts;
        let (min, max) = (counts.min[row], counts.max[row]);
        let kind = self.layout.kinds()[row];
        let moments = self.moments[row];
        let bins = &counts.bins[self.layout.range(row)];
        let defined = min <= max;
        OutcomeTally {
            subject: "all".to_owned(),
            measure: measure.about().name,
            undefined: self.tally.trials - moments.n,
            moments,
            histogram: Histogram::from_counts(kind, bins, min, max),
            order: self.order.get(row).cloned().flatten(),
            min: if defined { min } else { f64::NAN },
            max: if defined { max } else { f64::NAN },
            nature: match kind {
                RowKind::Flag => Nature::Flag,
                _ => Nature::Number,
            },
            law: (rule.law)(&plan.cell),
            evidence: format!("{}, {}", measure.about().name, plan.evidence),
        }
    }
}
