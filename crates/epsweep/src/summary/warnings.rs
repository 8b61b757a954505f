//! Warnings, gathered over cells so that a sweep of many cells says each thing once.

use crate::record::ResolvedCell;
use crate::words::{grouped, join, significant};
use std::collections::BTreeMap;

/// What is to be known about an outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// trials without a value
    Undefined { undefined: u64, trials: u64 },
    /// the t interval of the mean errs
    Skew { skewness: f64, trials: u64 },
    /// the interval of the standard deviation errs: the skewness is that of squared deviations
    Heavy { skewness: f64, trials: u64 },
    /// a quantile sits on an atom
    Atom,
    /// all values are the same, and might have been others
    Alike { trials: u64 },
    /// the t interval of a paired difference errs
    Difference { skewness: f64, trials: u64 },
    /// an order-statistic interval has no end
    Unbounded { trials: u64 },
}

/// Warnings by kind and measure.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    found: BTreeMap<(u8, String), Found>,
    /// why theory has no value, with the cells concerned
    refused: Vec<(String, Vec<String>)>,
}

#[derive(Debug)]
struct Found {
    /// the worst case
    kind: Kind,
    /// subjects, in order of appearance
    subjects: Vec<String>,
    /// cells, in order of appearance
    cells: Vec<String>,
}

impl Kind {
    fn order(&self) -> u8 {
        match self {
            Kind::Undefined { .. } => 0,
            Kind::Skew { .. } => 1,
            Kind::Heavy { .. } => 2,
            Kind::Atom => 3,
            Kind::Alike { .. } => 4,
            Kind::Difference { .. } => 5,
            Kind::Unbounded { .. } => 6,
        }
    }

    fn worse_than(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Undefined { undefined: a, .. }, Kind::Undefined { undefined: b, .. }) => a > b,
            (Kind::Skew { skewness: a, .. }, Kind::Skew { skewness: b, .. })
            | (Kind::Heavy { skewness: a, .. }, Kind::Heavy { skewness: b, .. })
            | (Kind::Difference { skewness: a, .. }, Kind::Difference { skewness: b, .. }) => {
                a.abs() > b.abs()
            }
            _ => false,
        }
    }
}

impl Warnings {
    /// What is to be known about a measure of a subject.
    pub fn add(&mut self, kind: Kind, cell: &ResolvedCell, subject: &str, measure: &str) {
        // that there are few trials is no matter of the measure
        let measure = match kind {
            Kind::Unbounded { .. } => String::new(),
            _ => measure.to_owned(),
        };
        let found = Found {
            kind,
            subjects: vec![subject.to_owned()],
            cells: vec![cell.id.clone()],
        };
        self.take(kind.order(), measure, found);
    }

    /// A number that theory does not give in a cell.
    pub fn refused(&mut self, why: &str, cell: &ResolvedCell) {
        self.refuse(why.to_owned(), vec![cell.id.clone()]);
    }

    fn refuse(&mut self, why: String, cells: Vec<String>) {
        let Some((_, old)) = self.refused.iter_mut().find(|(known, _)| *known == why) else {
            self.refused.push((why, cells));
            return;
        };
        for cell in cells {
            if old.last() != Some(&cell) {
                old.push(cell);
            }
        }
    }

    pub fn merge(&mut self, later: Warnings) {
        for (why, cells) in later.refused {
            self.refuse(why, cells);
        }
        for ((order, measure), found) in later.found {
            self.take(order, measure, found);
        }
    }

    fn take(&mut self, order: u8, measure: String, new: Found) {
        let Some(old) = self.found.get_mut(&(order, measure.clone())) else {
            self.found.insert((order, measure), new);
            return;
        };
        if new.kind.worse_than(&old.kind) {
            old.kind = new.kind;
        }
        for subject in new.subjects {
            if !old.subjects.contains(&subject) {
                old.subjects.push(subject);
            }
        }
        for cell in new.cells {
            if old.cells.last() != Some(&cell) {
                old.cells.push(cell);
            }
        }
    }

    pub fn sentences(self) -> Vec<String> {
        let sentence = |((_, measure), found): ((u8, String), Found)| {
            let place = place(&found.cells);
            let what = format!("{measure} of {}{place}", join(&found.subjects, "and"));
            match found.kind {
                Kind::Undefined { undefined, trials } => format!(
                    "{what}: undefined in up to {undefined} of {trials} trials, which are counted and left out ({} of {trials} used)",
                    trials - undefined
                ),
                Kind::Skew { skewness, trials } => format!(
                    "{what}: {trials} trials are few for a skewness of {}: the interval of the mean is reliable from {} trials on (Cochran's rule, 25·skewness²)",
                    significant(skewness, 2),
                    (25.0 * skewness * skewness).ceil(),
                ),
                Kind::Heavy { skewness, trials } => format!(
                    "{what}: {trials} trials are few for tails as heavy as these: the interval of the sd is reliable from {} trials on (Cochran's rule for squared deviations, whose skewness is {})",
                    grouped((25.0 * skewness * skewness).ceil() as u64),
                    significant(skewness, 2),
                ),
                Kind::Atom => format!(
                    "{what}: some quantiles sit on a value that many trials share, so that their intervals cover more often than they say, and they have no z"
                ),
                Kind::Alike { trials } => format!(
                    "{what}: all {trials} trials have the same value, so that nothing is known of its error; values that come up in fewer than 1 of {} trials may not have been seen (rule of three, 95 %)",
                    trials / 3
                ),
                Kind::Difference { skewness, trials } => format!(
                    "difference in {what}: {trials} trials are few for a skewness of {}: the interval is reliable from {} trials on (Cochran's rule, 25·skewness²)",
                    significant(skewness, 2),
                    grouped((25.0 * skewness * skewness).ceil() as u64),
                ),
                Kind::Unbounded { trials: 1 } => {
                    "one trial gives no intervals; they are left empty".to_owned()
                }
                Kind::Unbounded { trials } => format!(
                    "{trials} trials are too few for both ends of the intervals of some quantiles; the missing ends are left empty"
                ),
            }
        };
        let refused = (self.refused.into_iter())
            .map(|(why, cells)| format!("no value{}: {why}", place(&cells)));
        (self.found.into_iter().map(sentence))
            .chain(refused)
            .collect()
    }
}

/// ` in the cell epsilon=1`, ` in 12 cells`, or nothing where there is but one.
fn place(cells: &[String]) -> String {
    match cells {
        [one] if one == "-" => String::new(),
        [one] => format!(" in the cell {one}"),
        many => format!(" in {} cells", many.len()),
    }
}
