//! Finding rows.

use super::{ComparisonRow, Resolved, ResolvedAxis, SummaryRow};
use std::collections::HashMap;

/// The rows of a run by what they are of. Cells are named by their index in the resolved experiment.
#[derive(Debug)]
pub struct Lookup<'a> {
    resolved: &'a Resolved,
    summary: HashMap<[&'a str; 4], &'a SummaryRow>,
    comparisons: HashMap<(&'a [String], [&'a str; 4]), &'a ComparisonRow>,
}

/// A comparison of two cells a and b, whichever way round it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// mean over the paired trials of a − b
    pub difference: f64,
    /// its Monte Carlo standard error
    pub mcse: f64,
    /// lower end of its interval
    pub low: f64,
    /// upper end of its interval
    pub high: f64,
    /// Holm-adjusted p value
    pub p_adjusted: f64,
    /// trials in which a is lower
    pub win: u64,
    /// trials in which they are equal
    pub tie: u64,
    /// trials in which b is lower
    pub loss: u64,
    /// trials that entered
    pub trials: u64,
}

/// What two cells are called in a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairNames {
    /// labels of the axes in which they agree; empty for the others
    pub axes: Vec<String>,
    /// the first: its label if they differ in one axis only, else `axis=label` for each axis in which they differ
    pub a: String,
    /// the second
    pub b: String,
}

/// What these two cells are called in a comparison.
pub fn pair_names(resolved: &Resolved, a: usize, b: usize) -> PairNames {
    let labels = |cell: usize| resolved.cells[cell].labels.iter().map(String::as_str);
    PairNames::new(&resolved.axes, labels(a).collect(), labels(b).collect())
}

impl PairNames {
    /// Of cells with these labels on these axes.
    pub fn new(axes: &[ResolvedAxis], a: Vec<&str>, b: Vec<&str>) -> PairNames {
        let differing: Vec<usize> = (0..a.len()).filter(|i| a[*i] != b[*i]).collect();
        let name = |labels: &[&str]| match differing.as_slice() {
            [one] => labels[*one].to_owned(),
            many => {
                let words: Vec<String> = many
                    .iter()
                    .map(|i| format!("{}={}", axes[*i].name, labels[*i]))
                    .collect();
                words.join(" ")
            }
        };
        let shared = |(label, other): (&&str, &&str)| match label == other {
            true => (*label).to_owned(),
            false => String::new(),
        };
        PairNames {
            axes: a.iter().zip(&b).map(shared).collect(),
            a: name(&a),
            b: name(&b),
        }
    }
}

impl<'a> Lookup<'a> {
    /// Of these rows.
    pub fn new(
        resolved: &'a Resolved,
        summary: &'a [SummaryRow],
        comparisons: &'a [ComparisonRow],
    ) -> Self {
        Lookup {
            resolved,
            summary: summary
                .iter()
                .map(|r| ([&*r.cell, &*r.subject, &*r.measure, &*r.statistic], r))
                .collect(),
            comparisons: comparisons
                .iter()
                .map(|r| {
                    let key = (r.axes.as_slice(), [&*r.subject, &*r.measure, &*r.a, &*r.b]);
                    (key, r)
                })
                .collect(),
        }
    }

    /// The resolved experiment.
    pub fn resolved(&self) -> &'a Resolved {
        self.resolved
    }

    /// A row of the summary.
    pub fn row(
        &self,
        cell: usize,
        subject: &str,
        measure: &str,
        statistic: &str,
    ) -> Option<&'a SummaryRow> {
        let id = self.resolved.cells.get(cell)?.id.as_str();
        self.summary
            .get(&[id, subject, measure, statistic])
            .copied()
    }

    /// The comparison of two cells, turned round if it was made as b − a.
    pub fn paired(&self, a: usize, b: usize, subject: &str, measure: &str) -> Option<Paired> {
        let names = pair_names(self.resolved, a, b);
        let get = |a: &str, b: &str| {
            let key = (names.axes.as_slice(), [subject, measure, a, b]);
            self.comparisons.get(&key).copied()
        };
        if let Some(r) = get(&names.a, &names.b) {
            return Some(Paired {
                difference: r.difference,
                mcse: r.mcse,
                low: r.low,
                high: r.high,
                p_adjusted: r.p_adjusted,
                win: r.win,
                tie: r.tie,
                loss: r.loss,
                trials: r.trials,
            });
        }
        get(&names.b, &names.a).map(|r| Paired {
            difference: -r.difference,
            mcse: r.mcse,
            low: -r.high,
            high: -r.low,
            p_adjusted: r.p_adjusted,
            win: r.loss,
            tie: r.tie,
            loss: r.win,
            trials: r.trials,
        })
    }

    /// The baseline of a cell: the cell with the baseline's labels on its axes and this cell's on the others.
    pub fn baseline(&self, cell: usize) -> Option<usize> {
        let compare = self.resolved.compare.as_ref()?;
        let mut labels = self.resolved.cells.get(cell)?.labels.clone();
        for (axis, label) in &compare.baseline {
            let place = self.resolved.axes.iter().position(|a| a.name == *axis)?;
            labels[place].clone_from(label);
        }
        self.resolved.cells.iter().position(|c| c.labels == labels)
    }
}
