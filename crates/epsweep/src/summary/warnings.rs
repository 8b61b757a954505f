//! Warnings, gathered over cells so that a sweep of many cells says each thing once. In whatever order the cells come, the sentences
//! are the same, and what is kept does not grow with the number of cells.

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
pub struct Warnings {
    found: BTreeMap<(u8, String), Found>,
    /// why theory has no value
    refused: Vec<(String, Seen)>,
}

#[derive(Debug)]
struct Found {
    /// the worst case, of several that are as bad that of the first cell
    kind: Kind,
    /// the cell that it is of
    worst: usize,
    /// subjects, with the first appearance of each
    subjects: Vec<(Place, String)>,
    seen: Seen,
}

/// A cell, and the how manieth of its warnings.
type Place = (usize, usize);

/// In which cells something was found.
#[derive(Clone, Debug)]
struct Seen {
    /// where for the first time
    first: Place,
    /// how many there are
    cells: u64,
    /// canonical text of one of them
    cell: String,
}

impl Seen {
    fn here(cell: &ResolvedCell, place: usize) -> Seen {
        Seen {
            first: (0, place),
            cells: 1,
            cell: cell.id.clone(),
        }
    }

    /// Takes in what was seen in other cells.
    fn merge(&mut self, other: Seen) {
        self.cells += other.cells;
        self.first = self.first.min(other.first);
    }

    /// ` in the cell epsilon=1`, ` in 12 cells`, or nothing where there is but one.
    fn place(&self) -> String {
        match self.cells {
            1 if self.cell == "-" => String::new(),
            1 => format!(" in the cell {}", self.cell),
            many => format!(" in {many} cells"),
        }
    }
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
    /// What is to be known about a measure of a subject in the one cell that these warnings are of.
    pub(super) fn add(&mut self, kind: Kind, cell: &ResolvedCell, subject: &str, measure: &str) {
        // that there are few trials is no matter of the measure
        let measure = match kind {
            Kind::Unbounded { .. } => String::new(),
            _ => measure.to_owned(),
        };
        let seen = Seen::here(cell, self.found.len() + self.refused.len());
        let Some(old) = self.found.get_mut(&(kind.order(), measure.clone())) else {
            let found = Found {
                kind,
                worst: 0,
                subjects: vec![((0, 0), subject.to_owned())],
                seen,
            };
            self.found.insert((kind.order(), measure), found);
            return;
        };
        if kind.worse_than(&old.kind) {
            old.kind = kind;
        }
        if !old.subjects.iter().any(|(_, known)| *known == subject) {
            let place = (0, old.subjects.len());
            old.subjects.push((place, subject.to_owned()));
        }
    }

    /// A number that theory does not give in the one cell that these warnings are of.
    pub(super) fn refused(&mut self, why: &str, cell: &ResolvedCell) {
        if !self.refused.iter().any(|(known, _)| known == why) {
            let seen = Seen::here(cell, self.refused.len());
            self.refused.push((why.to_owned(), seen));
        }
    }

    /// Takes in the warnings of cell number `cell`, which is not in yet.
    pub fn merge(&mut self, cell: usize, own: Warnings) {
        for (why, mut seen) in own.refused {
            seen.first.0 = cell;
            match self.refused.iter_mut().find(|(known, _)| *known == why) {
                Some((_, old)) => old.merge(seen),
                None => self.refused.push((why, seen)),
            }
        }
        for (key, mut found) in own.found {
            found.worst = cell;
            found.seen.first.0 = cell;
            for (place, _) in &mut found.subjects {
                place.0 = cell;
            }
            let Some(old) = self.found.get_mut(&key) else {
                self.found.insert(key, found);
                continue;
            };
            let as_bad = !old.kind.worse_than(&found.kind) && found.worst < old.worst;
            if found.kind.worse_than(&old.kind) || as_bad {
                (old.kind, old.worst) = (found.kind, found.worst);
            }
            for (place, subject) in found.subjects {
                match old.subjects.iter_mut().find(|(_, known)| *known == subject) {
                    Some((first, _)) => *first = place.min(*first),
                    None => old.subjects.push((place, subject)),
                }
            }
            old.seen.merge(found.seen);
        }
    }

    /// What is to be said: a sentence for each measure, or one for all where several have the same cause.
    pub fn sentences(mut self) -> Vec<String> {
        let mut causes: BTreeMap<u8, Vec<(String, Found)>> = BTreeMap::new();
        for ((order, measure), found) in self.found {
            causes.entry(order).or_default().push((measure, found));
        }
        self.refused.sort_by_key(|(_, seen)| seen.first);
        let refused = (self.refused.into_iter())
            .map(|(why, seen)| format!("no value{}: {why}", seen.place()));
        (causes.into_values())
            .flat_map(|found| match found.len() < TOGETHER {
                true => found.into_iter().map(one).collect(),
                false => vec![together(found)],
            })
            .chain(refused)
            .collect()
    }
}

/// What is said of one measure.
fn one((measure, mut found): (String, Found)) -> String {
    found.subjects.sort();
    let subjects: Vec<String> = found.subjects.into_iter().map(|(_, name)| name).collect();
    let place = found.seen.place();
    let what = format!("{measure} of {}{place}", first_of(&subjects));
    sentence(&found.kind, &what, "")
}

/// What is said of several measures with one cause: of the worst of them, how bad it is.
fn together(found: Vec<(String, Found)>) -> String {
    let measures: Vec<&str> = found.iter().map(|(measure, _)| measure.as_str()).collect();
    let seen = (found.iter().map(|(_, found)| &found.seen))
        .reduce(|a, b| if b.cells > a.cells { b } else { a });
    let alike = found
        .iter()
        .all(|(_, f)| f.seen.cells == found[0].1.seen.cells);
    let place = match seen {
        Some(seen) if seen.cells > 1 && !alike => format!(" in up to {} cells", seen.cells),
        Some(seen) => seen.place(),
        None => String::new(),
    };
    let what = join(&measures, "and") + &place;
    let worst = (found.iter()).reduce(|a, b| if b.1.kind.worse_than(&a.1.kind) { b } else { a });
    match worst {
        Some((measure, worst)) => sentence(&worst.kind, &what, &format!(" of {measure}")),
        None => what,
    }
}

/// The sentence on `what`; `of` names the measure that the numbers are of, where there are several.
fn sentence(kind: &Kind, what: &str, of: &str) -> String {
    let enough = |skewness: f64| grouped((25.0 * skewness * skewness).ceil() as u64);
    match kind {
        Kind::Undefined { undefined, trials } => format!(
            "{what}: undefined in up to {} of {} trials{of}, which are counted and left out ({} used)",
            grouped(*undefined),
            grouped(*trials),
            grouped(trials - undefined)
        ),
        Kind::Skew { skewness, trials } => format!(
            "{what}: {} trials are few for a skewness of {}: the interval of the mean{of} is reliable from {} trials on (Cochran's rule, 25·skewness²)",
            grouped(*trials),
            significant(*skewness, 2),
            enough(*skewness),
        ),
        Kind::Heavy { skewness, trials } => format!(
            "{what}: {} trials are few for tails as heavy as these: the interval of the sd{of} is reliable from {} trials on (Cochran's rule for squared deviations, whose skewness is {})",
            grouped(*trials),
            enough(*skewness),
            significant(*skewness, 2),
        ),
        Kind::Atom => format!(
            "{what}: some quantiles sit where many trials have the same value, or nearly the same, so that their intervals cover more often than they say, and they have no z"
        ),
        Kind::Alike { trials } => {
            let rare = match trials / 3 {
                0..2 => String::from("other values may not have been seen"),
                often => format!(
                    "values that come up in fewer than 1 of {} trials may not have been seen (rule of three, 95 %)",
                    grouped(often)
                ),
            };
            format!(
                "{what}: all {} trials have the same value, so that nothing is known of its error; {rare}",
                grouped(*trials)
            )
        }
        Kind::Difference { skewness, trials } => format!(
            "difference in {what}: {} trials are few for a skewness of {}: the interval{} is reliable from {} trials on (Cochran's rule, 25·skewness²)",
            grouped(*trials),
            significant(*skewness, 2),
            match of {
                "" => String::new(),
                of => format!(" of the difference{}", of.replace(" of ", " in ")),
            },
            enough(*skewness),
        ),
        Kind::Unbounded { trials: 1 } => {
            "one trial gives no intervals; they are left empty".to_owned()
        }
        Kind::Unbounded { trials } => format!(
            "{trials} trials are too few for both ends of the intervals of some quantiles; the missing ends are left empty"
        ),
    }
}

/// Measures with one cause from which on they share a sentence.
const TOGETHER: usize = 3;

/// Subjects by name; of many, the first and how many more there are.
fn first_of(subjects: &[String]) -> String {
    let others = subjects.len().saturating_sub(MOST_NAMES - 1);
    if others < 2 {
        return join(subjects, "and");
    }
    let mut named = subjects[..MOST_NAMES - 1].to_vec();
    named.push(format!("{} others", grouped(others as u64)));
    join(&named, "and")
}

/// Subjects that a warning names, with what stands for the others.
const MOST_NAMES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cell: usize) -> Warnings {
        let here = ResolvedCell {
            id: format!("epsilon={cell}"),
            ..ResolvedCell::default()
        };
        let mut own = Warnings::default();
        let kind = |skewness| Kind::Skew {
            skewness,
            trials: 10,
        };
        // the same skewness, up to its sign, in all; another subject in each, and one that all have
        own.add(
            kind(if cell == 1 { 3.0 } else { -3.0 }),
            &here,
            &format!("q{cell}"),
            "rmse",
        );
        own.add(kind(1.0), &here, "all", "rmse");
        own.refused("a reason that all have", &here);
        own.refused(&format!("a reason of {cell}"), &here);
        own
    }

    #[test]
    fn measures_with_one_cause_share_a_sentence() {
        let cell = |id: &str| ResolvedCell {
            id: id.to_owned(),
            ..ResolvedCell::default()
        };
        let heavy = |skewness| Kind::Heavy {
            skewness,
            trials: 100,
        };
        let said = |measures: &[&str]| {
            let mut all = Warnings::default();
            for (number, id) in ["a=1", "a=2"].iter().enumerate() {
                let mut own = Warnings::default();
                for (place, measure) in measures.iter().enumerate() {
                    // the first has its fault in one of the cells only
                    if place > 0 || number == 0 {
                        own.add(heavy(3.0 + place as f64), &cell(id), "all", measure);
                    }
                }
                all.merge(number, own);
            }
            all.sentences()
        };
        assert_eq!(said(&["error", "loss"]).len(), 2);
        let [together] = &said(&["error", "loss", "rmse"])[..] else {
            panic!("not one sentence");
        };
        assert!(
            together.starts_with(
                "error, loss and rmse in up to 2 cells: 100 trials are few for tails as heavy as these: the interval of the sd of rmse is reliable from 625 trials on"
            ),
            "{together}"
        );
    }

    #[test]
    fn the_order_of_the_cells_does_not_matter() {
        let said = |order: &[usize]| {
            let mut all = Warnings::default();
            for cell in order {
                all.merge(*cell, of(*cell));
            }
            all.sentences()
        };
        let straight = said(&[1, 2, 3]);
        assert!(
            straight[0].starts_with(
                "rmse of q1, all, q2 and q3 in 3 cells: 10 trials are few for a skewness of 3:"
            ),
            "{straight:?}"
        );
        assert!(straight[1].starts_with("no value in 3 cells: a reason that all have"));
        assert!(straight[2].starts_with("no value in the cell epsilon=1: a reason of 1"));
        for order in [[3, 2, 1], [2, 3, 1], [2, 1, 3]] {
            assert_eq!(straight, said(&order));
        }
    }
}
