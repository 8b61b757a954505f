//! From a tile's tally to those of its cells.

use super::layout::{CellPlan, OutcomePlan, PairPlan, PairView, Plan, RowRef, View};
use crate::engine::Work;
use crate::tally::{
    CellTally, Histogram, Layout, Leaf, Nature, OrderStatistics, OutcomeTally, PairTally, RowKind,
    Tally, Wins,
};
use epsweep_core::statistics::Moments;
use std::borrow::Cow;
use std::cell::OnceCell;

/// A tile's finished tally.
pub(super) struct Finished<'a> {
    plan: &'a Plan,
    layout: Layout,
    tally: &'a Tally,
    moments: Leaf,
    /// order statistics of each row, where they are wanted
    order: Vec<Option<OrderStatistics>>,
    /// first row in the tally of each cell, by its place in the tile
    first_row: Vec<usize>,
    /// rows that cells share, read when they are first asked for
    shared: Vec<OnceCell<Row>>,
}

/// A row of a tally, read.
#[derive(Clone, Debug)]
struct Row {
    moments: Moments,
    histogram: Histogram,
    order: Option<OrderStatistics>,
    min: f64,
    max: f64,
}

impl<'a> Finished<'a> {
    /// Without order statistics, `order` is empty.
    pub fn new(
        plan: &'a Plan,
        tally: &'a Tally,
        order: Vec<Option<OrderStatistics>>,
    ) -> Finished<'a> {
        let layout = plan.tile.layout();
        let rows = layout.kinds().len() + layout.pairs();
        Finished {
            first_row: plan.tile.first_rows(),
            shared: vec![OnceCell::new(); plan.tile.shared_rows()],
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
        let cells = self.plan.cells.iter().enumerate();
        cells.map(|(number, cell)| self.cell(number, cell))
    }

    /// Cell `number` of those that are tallied.
    fn cell(&self, number: usize, cell: &CellPlan) -> CellTally {
        CellTally {
            cell: cell.cell,
            trials: self.tally.trials,
            outcomes: cell.outcomes.iter().map(|o| self.outcome(o)).collect(),
            pairs: cell.pairs.iter().map(|p| self.pair(p)).collect(),
            fit: None,
            exact: Vec::new(),
            failed: self.tally.faults.of(number, |row| cell.name_of(row)),
        }
    }

    fn outcome(&self, outcome: &OutcomePlan) -> OutcomeTally {
        let trials = self.tally.trials;
        let row = match outcome.view {
            // the cell's own rows are in its units already
            View::Row { row, scale, shift } => match self.row(row) {
                Cow::Owned(row) if scale == 1.0 && shift == 0.0 => row,
                row => row.affine(scale, shift),
            },
            View::Constant(value) => Row::constant(value, trials),
            View::Undefined => Row::constant(f64::NAN, 0),
        };
        OutcomeTally {
            subject: outcome.subject.clone(),
            measure: outcome.measure.about().name,
            undefined: trials - row.moments.n,
            moments: row.moments,
            histogram: row.histogram,
            order: row.order,
            min: row.min,
            max: row.max,
            nature: match outcome.view {
                View::Row { row, .. } => self.nature(row),
                View::Constant(_) | View::Undefined => Nature::Fixed,
            },
            law: outcome.law.clone(),
            evidence: outcome.evidence.clone(),
        }
    }

    fn pair(&self, pair: &PairPlan) -> PairTally {
        let trials = self.tally.trials;
        let (moments, wins) = match pair.view {
            PairView::Rows(row) => (
                self.moments[self.layout.kinds().len() + row],
                self.tally.counts.wins[row],
            ),
            PairView::Constant(difference) => (
                Moments::constant(trials, difference),
                wins(&Histogram::constant(difference, trials), 1.0, 0.0),
            ),
            PairView::Affine { row, scale, shift } => {
                let row = self.row(row);
                (
                    row.moments.affine(scale, shift),
                    wins(&row.histogram, scale, shift),
                )
            }
        };
        PairTally {
            against: pair.against,
            subject: pair.subject.clone(),
            measure: pair.measure.about().name,
            moments,
            win: wins.win,
            tie: wins.tie,
            loss: wins.loss,
        }
    }

    fn row(&self, row: RowRef) -> Cow<'_, Row> {
        match row {
            RowRef::Shared(row) => Cow::Borrowed(self.shared[row].get_or_init(|| self.read(row))),
            RowRef::Own(place, row) => Cow::Owned(self.read(self.first_row[place] + row)),
        }
    }

    fn nature(&self, row: RowRef) -> Nature {
        let row = match row {
            RowRef::Shared(row) => row,
            RowRef::Own(place, row) => self.first_row[place] + row,
        };
        match self.layout.kinds()[row] {
            RowKind::Flag => Nature::Flag,
            _ => Nature::Number,
        }
    }

    /// Row `row` of the layout.
    fn read(&self, row: usize) -> Row {
        let counts = &self.tally.counts;
        let (min, max) = (counts.min[row], counts.max[row]);
        let bins = &counts.bins[self.layout.range(row)];
        let mut moments = self.moments[row];
        if min < max && moments.m2 == 0.0 {
            // values of less than about 1e-154: the squares have left the floats, the spread is unknown and not zero
            moments = Moments {
                m2: f64::NAN,
                m3: f64::NAN,
                m4: f64::NAN,
                ..moments
            };
        }
        Row {
            moments,
            histogram: Histogram::from_counts(self.layout.kinds()[row], bins, min, max),
            order: self.order.get(row).cloned().flatten(),
            // where no trial is defined there is no least value either
            min: if min <= max { min } else { f64::NAN },
            max: if min <= max { max } else { f64::NAN },
        }
    }
}

impl Row {
    fn constant(value: f64, n: u64) -> Row {
        Row {
            moments: Moments::constant(n, value),
            histogram: Histogram::constant(value, n),
            order: None,
            min: if n > 0 { value } else { f64::NAN },
            max: if n > 0 { value } else { f64::NAN },
        }
    }

    /// Scales of outcomes are not negative.
    fn affine(&self, scale: f64, shift: f64) -> Row {
        Row {
            moments: self.moments.affine(scale, shift),
            histogram: self.histogram.affine(scale, shift),
            order: self.order.as_ref().map(|o| o.affine(scale, shift)),
            min: scale * self.min + shift,
            max: scale * self.max + shift,
        }
    }
}

/// In how many trials `scale`·x + `shift` is below, at, above zero. Exact where bins lie on one side of zero: atoms, and any bins
/// where there is no shift. Differences of two rescaled errors are so decided by comparing the scales; that two scales that
/// differ may round to the same error in a trial is neglected.
fn wins(histogram: &Histogram, scale: f64, shift: f64) -> Wins {
    let mut wins = Wins::default();
    for bin in histogram.bins() {
        let middle = bin.low + 0.5 * (bin.high - bin.low);
        let difference = scale * middle + shift;
        if difference < 0.0 {
            wins.win += bin.count;
        } else if difference > 0.0 {
            wins.loss += bin.count;
        } else {
            wins.tie += bin.count;
        }
    }
    wins
}
