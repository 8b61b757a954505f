//! Reading rows and comparisons off a tile's finished tally.

use super::drive::Order;
use super::pairing::PairPlan;
use crate::measure::Measure;
use crate::tally::{
    Failed, Histogram, Layout, Leaf, Nature, OutcomeTally, PairTally, RowKind, Tally,
};
use epsweep_core::statistics::Moments;
use epsweep_core::theory::Law;
use std::sync::Arc;

/// A tile's finished tally, whose rows are outcomes as they stand.
pub(super) struct Reading<'a> {
    layout: Layout,
    tally: &'a Tally,
    moments: Leaf,
    order: Order,
}

impl<'a> Reading<'a> {
    /// Under the layout that it was made by; without order statistics, `order` is empty.
    pub fn new(layout: Layout, tally: &'a Tally, order: Order) -> Reading<'a> {
        let rows = layout.kinds().len() + layout.pairs();
        Reading {
            moments: tally
                .moments()
                .unwrap_or_else(|| vec![Moments::default(); rows].into()),
            layout,
            tally,
            order,
        }
    }

    /// Trials that were simulated.
    pub fn trials(&self) -> u64 {
        self.tally.trials
    }

    /// The failed trials of a cell, by its number among those that are tallied; `name` says what its rows are.
    pub fn failed(&self, cell: usize, name: impl Fn(usize) -> Option<String>) -> Failed {
        self.tally.faults.of(cell, name)
    }

    /// The counts of a row.
    pub fn counts(&self, row: usize) -> &[u64] {
        &self.tally.counts.bins[self.layout.range(row)]
    }

    /// What its values are.
    pub fn kind(&self, row: usize) -> RowKind {
        self.layout.kinds()[row]
    }

    /// A row as an outcome.
    pub fn outcome(
        &self,
        row: usize,
        measure: &'static dyn Measure,
        subject: &str,
        law: Option<Arc<dyn Law>>,
        evidence: &str,
    ) -> OutcomeTally {
        let (min, max) = (self.tally.counts.min[row], self.tally.counts.max[row]);
        let kind = self.kind(row);
        let moments = self.moments[row];
        let defined = min <= max;
        let name = measure.about().name;
        OutcomeTally {
            subject: subject.to_owned(),
            measure: name,
            undefined: self.tally.trials - moments.n,
            moments,
            histogram: Histogram::from_counts(kind, self.counts(row), min, max),
            order: self.order.get(row).cloned().flatten(),
            min: if defined { min } else { f64::NAN },
            max: if defined { max } else { f64::NAN },
            nature: match kind {
                // a number out of two is a flag, too
                RowKind::Flag | RowKind::Index { n: 0..=2 } => Nature::Flag,
                _ => Nature::Number,
            },
            law,
            evidence: match subject {
                "all" => format!("{name}, {evidence}"),
                subject => format!("{name} of {subject}, {evidence}"),
            },
        }
    }

    /// A comparison.
    pub fn pair(&self, pair: &PairPlan) -> PairTally {
        let wins = self.tally.counts.wins[pair.row];
        PairTally {
            against: pair.against,
            subject: pair.subject.clone(),
            measure: pair.measure.about().name,
            moments: self.moments[self.layout.kinds().len() + pair.row],
            win: wins.win,
            tie: wins.tie,
            loss: wins.loss,
        }
    }
}
