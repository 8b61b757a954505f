//! What the intervals of a run should cover.

use super::{Group, Name, Small};
use crate::record::{ComparisonRow, SummaryRow};
use crate::summary::compared;
use epsweep_core::theory::Law;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A statistic and its true value.
pub(super) struct Truth {
    pub name: Name,
    pub group: Group,
    pub value: f64,
    pub exact: bool,
    /// the law of a single value, where theory knows it
    pub law: Option<Arc<dyn Law>>,
    /// of flags, how probable they are, where theory knows it
    pub flag: Option<f64>,
}

/// A family of comparisons.
pub(super) struct TrueFamily {
    pub axes: String,
    pub subject: String,
    pub measure: String,
    pub comparisons: u64,
}

/// What the comparison is called: axes in common, cells, subject, measure.
type Compared<'a> = (&'a [String], [&'a str; 4]);

/// What all intervals should cover.
pub(super) struct Truths {
    pub statistics: Vec<Truth>,
    pub families: Vec<TrueFamily>,
    /// of each comparison: its place among the statistics, its family, whether the true difference is 0
    pub pairs: Vec<(usize, usize, bool)>,
    summary: HashMap<[String; 4], usize>,
    comparisons: HashMap<(Vec<String>, [String; 4]), usize>,
}

/// Differences of exact values below this part of them are the rounding of what is computed.
const SAME: f64 = 1e-12;

impl Truths {
    /// From exact values and, where there are none, the estimates of a long run.
    pub fn new(long: &Small) -> Truths {
        let mut truths = Truths {
            statistics: Vec::new(),
            families: Vec::new(),
            pairs: Vec::new(),
            summary: HashMap::new(),
            comparisons: HashMap::new(),
        };
        let laws: HashMap<(usize, &str, &str), &Arc<dyn Law>> = (long.cells.iter())
            .flat_map(|cell| cell.outcomes.iter().map(move |of| (cell.cell, of)))
            .filter_map(|(cell, of)| Some(((cell, &*of.subject, of.measure), of.law.as_ref()?)))
            .collect();
        let mut cells: Vec<&str> = Vec::new();
        let mut means: HashMap<(usize, &str, &str), f64> = HashMap::new();
        let mut flags: HashMap<(usize, &str, &str), f64> = HashMap::new();
        for row in &long.summary.rows {
            if cells.last() != Some(&&*row.cell) {
                cells.push(&row.cell);
            }
            // the cells of a run are in order, each with its rows together
            let cell = long.cells.get(cells.len() - 1).map_or(0, |cell| cell.cell);
            let place = (cell, &*row.subject, &*row.measure);
            if let (Some(exact), "mean") = (row.exact, &*row.statistic) {
                means.insert(place, exact);
            }
            let Some(group) = group(row) else { continue };
            if let (Some(exact), Group::Proportion) = (row.exact, group) {
                flags.insert(place, exact);
            }
            let name = named(row);
            truths.summary.insert(name.clone(), truths.statistics.len());
            let [cell, subject, measure, statistic] = name;
            truths.statistics.push(Truth {
                name: Name {
                    cell,
                    subject,
                    measure,
                    statistic,
                },
                group,
                value: row.exact.unwrap_or(row.value),
                exact: row.exact.is_some(),
                law: laws.get(&place).map(|law| Arc::clone(law)),
                flag: flags.get(&place).copied(),
            });
        }
        let mut families: BTreeMap<(String, String, String), usize> = BTreeMap::new();
        for (row, (cell, pair)) in long.comparisons.iter().zip(compared(&long.cells)) {
            let mean = |cell: usize| means.get(&(cell, &*pair.subject, pair.measure)).copied();
            let exact = mean(cell.cell).zip(mean(pair.against));
            let null = exact.is_some_and(|(a, b)| (a - b).abs() <= SAME * a.abs().max(b.abs()));
            let value = match exact {
                Some(_) if null => 0.0,
                Some((a, b)) => a - b,
                None => row.difference,
            };
            let axes: Vec<&str> = (row.axes.iter().map(String::as_str))
                .filter(|label| !label.is_empty())
                .collect();
            let axes = axes.join(" ");
            let key = (axes.clone(), row.subject.clone(), row.measure.clone());
            let family = *families.entry(key).or_insert_with(|| {
                truths.families.push(TrueFamily {
                    axes: axes.clone(),
                    subject: row.subject.clone(),
                    measure: row.measure.clone(),
                    comparisons: 0,
                });
                truths.families.len() - 1
            });
            truths.families[family].comparisons += 1;
            let (axes_of, rest) = compared_name(row);
            let key = (axes_of.to_vec(), rest.map(str::to_owned));
            truths.comparisons.insert(key, truths.pairs.len());
            truths.pairs.push((truths.statistics.len(), family, null));
            let gap = if axes.is_empty() { "" } else { " " };
            truths.statistics.push(Truth {
                name: Name {
                    cell: format!("{axes}{gap}{} − {}", row.a, row.b),
                    subject: row.subject.clone(),
                    measure: row.measure.clone(),
                    statistic: "difference".to_owned(),
                },
                group: Group::Difference,
                value,
                exact: exact.is_some(),
                law: None,
                flag: None,
            });
        }
        truths
    }

    /// The place of a row's statistic.
    pub fn of_row(&self, row: &SummaryRow) -> Option<usize> {
        self.summary.get(&named(row)).copied()
    }

    /// Place among the pairs of a comparison.
    pub fn of_comparison(&self, row: &ComparisonRow) -> Option<usize> {
        let (axes, rest) = compared_name(row);
        let key = (axes.to_vec(), rest.map(str::to_owned));
        self.comparisons.get(&key).copied()
    }

    /// Estimates and intervals of some statistics in a run, in their order.
    pub fn intervals(&self, small: &Small, names: &[&Name]) -> Vec<Option<[f64; 3]>> {
        let mut found = vec![None; names.len()];
        let mut note = |at: usize, interval: Option<[f64; 3]>| {
            let name = &self.statistics[at].name;
            if let Some(place) = names.iter().position(|wanted| *wanted == name) {
                found[place] = interval;
            }
        };
        for row in &small.summary.rows {
            if let Some(at) = self.of_row(row) {
                let ends = row.low.zip(row.high);
                note(at, ends.map(|(low, high)| [row.value, low, high]));
            }
        }
        for row in &small.comparisons {
            if let Some(pair) = self.of_comparison(row) {
                note(
                    self.pairs[pair].0,
                    Some([row.difference, row.low, row.high]),
                );
            }
        }
        found
    }
}

fn named(row: &SummaryRow) -> [String; 4] {
    [&row.cell, &row.subject, &row.measure, &row.statistic].map(|text| text.to_string())
}

fn compared_name(row: &ComparisonRow) -> Compared<'_> {
    (&row.axes, [&row.a, &row.b, &row.subject, &row.measure])
}

/// How the interval of a row is made; `None` where there is none, or where it is no estimate.
fn group(row: &SummaryRow) -> Option<Group> {
    if row.trials == 0 || !row.value.is_finite() || matches!(&*row.method, "constant" | "theory") {
        return None;
    }
    // a frequency has no quantiles beside it, and an error that its value tells
    let n = row.trials as f64;
    let binomial = |error: f64| {
        let of = (row.value * (1.0 - row.value) / n).sqrt();
        (0.0..=1.0).contains(&row.value) && (error - of).abs() <= 1e-12 * of
    };
    match &*row.statistic {
        "mean" if row.mcse.is_some_and(binomial) => Some(Group::Proportion),
        "mean" => Some(Group::Mean),
        "sd" => Some(Group::Sd),
        "median" => Some(Group::Quantile(50)),
        other => other.strip_prefix('q')?.parse().ok().map(Group::Quantile),
    }
}
