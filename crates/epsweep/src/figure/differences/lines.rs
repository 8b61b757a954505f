//! Comparisons as lines: what is shown of each, and when a percentage says nothing.

use crate::figure::compared::Compared;
use crate::figure::labels::subject_labels;
use crate::record::{Paired, SummaryRow};

/// Half-width of an interval, as a share of the baseline's mean, from which on a percentage says nothing: the difference may then well be as large
/// as the mean itself, of which a difference between means that are never negative takes away no more than all.
const VAGUE: f64 = 0.5;
/// Numbers that differ by less than this part are the same.
const SAME: f64 = 1e-9;

/// A comparison that is drawn.
pub(super) struct Line {
    pub heading: String,
    pub label: String,
    pub cell: String,
    pub against: String,
    pub subject: String,
    pub pair: Paired,
    /// the baseline's mean, by which a relative difference is divided
    pub base: Option<f64>,
    /// the exact means of both cells, where theory knows them
    pub known: Option<[f64; 2]>,
    /// what is shown of it
    pub shown: Shown,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// What is shown of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// the estimate, with its interval
    Estimate,
    /// the exact difference, where the estimate's percentage would say nothing
    Exact,
    /// its number alone and in the measure's own units, where a percentage would say nothing and no exact one is known
    Units,
}

impl Line {
    /// Whether it is told from zero.
    pub fn told(&self, level: f64) -> bool {
        match self.shown {
            Shown::Exact => self.value != 0.0,
            _ => self.pair.p_adjusted < 1.0 - level,
        }
    }

    /// Whether trials tell too little for a percentage of the baseline's mean.
    pub fn is_vague(&self) -> bool {
        let half = (self.pair.high - self.pair.low) / 2.0;
        self.base
            .is_some_and(|base| half > VAGUE * base || self.pair.difference < -base)
    }

    /// Makes percentages of the difference, as far as they mean something.
    pub fn in_per_cent(&mut self) {
        // trials that never differ tell nothing of a difference either
        let silent = self.pair.low == self.pair.high;
        let known = self.known.filter(|_| silent || self.is_vague());
        if let Some([own, base]) = known {
            self.shown = Shown::Exact;
            self.value = match (own - base).abs() <= SAME * base.abs() {
                true => 0.0,
                false => 100.0 * (own / base - 1.0),
            };
            (self.low, self.high) = (self.value, self.value);
            return;
        }
        let base = self.base.unwrap_or(1.0) / 100.0;
        for end in [&mut self.value, &mut self.low, &mut self.high] {
            *end /= base;
        }
        if self.is_vague() {
            self.shown = Shown::Units;
        }
    }

    /// Whether another line looks the same.
    pub fn same(&self, other: &Line, level: f64) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() <= SAME * a.abs().max(b.abs());
        self.label == other.label
            && self.shown == other.shown
            && near(self.value, other.value)
            && near(self.low, other.low)
            && near(self.high, other.high)
            && self.told(level) == other.told(level)
    }
}

/// The comparisons, grouped by setting and subject.
pub(super) fn lines(compared: &Compared<'_>) -> Vec<Line> {
    let (run, rows, pairs) = (compared.run, &compared.rows, &compared.pairs);
    let lookup = &compared.lookup;
    let names = subject_labels(&rows.subjects);
    let several = rows.subjects.len() > 1 || rows.lone().is_some();
    let mut settings: Vec<String> = Vec::new();
    for (cell, _) in &pairs.cells {
        let setting = pairs.label(run, rows, *cell, false);
        if !settings.contains(&setting) {
            settings.push(setting);
        }
    }
    let mut lines = Vec::new();
    for (subject, name) in rows.subjects.iter().zip(&names) {
        for setting in &settings {
            for (cell, base) in &pairs.cells {
                if pairs.label(run, rows, *cell, false) != *setting {
                    continue;
                }
                let Some(pair) = lookup.paired(*cell, *base, subject, rows.measure) else {
                    continue;
                };
                let mut heading: Vec<&str> = Vec::new();
                if several {
                    heading.push(name);
                }
                if !setting.is_empty() {
                    heading.push(setting);
                }
                let mean = lookup.row(*base, subject, rows.measure, "mean");
                let own = lookup.row(*cell, subject, rows.measure, "mean");
                let exact = |row: Option<&SummaryRow>| row?.exact.filter(|v| v.is_finite());
                let mut label = pairs.label(run, rows, *cell, true);
                if pairs.baseline.is_none() {
                    label = format!("{label} − {}", pairs.label(run, rows, *base, true));
                }
                lines.push(Line {
                    heading: heading.join(", "),
                    label,
                    cell: run.resolved.cells[*cell].id.clone(),
                    against: run.resolved.cells[*base].id.clone(),
                    subject: (*subject).to_owned(),
                    pair,
                    base: mean
                        .and_then(|row| row.exact.or(Some(row.value)))
                        .filter(|v| v.is_finite()),
                    known: exact(own).zip(exact(mean)).map(|(own, base)| [own, base]),
                    shown: Shown::Estimate,
                    value: pair.difference,
                    low: pair.low,
                    high: pair.high,
                });
            }
        }
    }
    lines
}
