//! The same experiment with many independent seeds: are the p values of its estimates uniform, as those of a true program are?

use super::Verification;
use epsweep_core::statistics::{holm, proportion_p_value};
use std::collections::BTreeMap;

/// What many seeds say together.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Seeds {
    /// number of seeds
    pub seeds: u64,
    /// runs that failed by themselves: of true ones at most the level's share
    pub failed: u64,
    /// the level that adjusted p values are compared with
    pub level: f64,
    /// the statistics, from the worst
    pub statistics: Vec<Uniformity>,
}

/// The p values of one statistic over the seeds. Of each seed it is that of the first estimate in the order of the cells, which was not picked
/// for its size: over independent seeds these are independent.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Uniformity {
    /// a query's name, a candidate's, or `all`
    pub subject: String,
    /// the measure
    pub measure: String,
    /// the statistic
    pub statistic: String,
    /// seeds in which it was judged
    pub seeds: u64,
    /// D⁺ = max over x of (share of p ≤ x) − x: by how much small p values are too many
    pub excess: f64,
    /// bound on P(D⁺ ≥ excess) for uniform p values: exp(−2·seeds·excess²)
    pub p: f64,
    /// adjusted for the number of statistics (Holm)
    pub p_adjusted: f64,
}

impl Seeds {
    /// Whether no statistic has too many small p values, and no more runs failed by themselves than chance explains.
    pub fn passed(&self) -> bool {
        let uniform = self.statistics.iter().all(|of| of.p_adjusted >= self.level);
        let expected = self.level * self.seeds as f64;
        let p = proportion_p_value(self.failed, self.seeds, self.level).unwrap_or(1.0);
        uniform && (self.failed as f64 <= expected || p >= self.level)
    }
}

/// Judges the p values of runs of one experiment, which differ in the seed only.
///
/// The test is the one-sided one of Kolmogorov and Smirnov with the bound P(D⁺ ≥ d) ≤ exp(−2nd²) for every n (Massart, "The tight constant in
/// the Dvoretzky–Kiefer–Wolfowitz inequality", 1990; at the levels used here it holds without his factor 2). One-sided, since p values of
/// frequencies are discrete and larger than uniform ones, which is no fault.
pub fn across_seeds(runs: &[Verification], level: f64) -> Seeds {
    let mut found: BTreeMap<[&str; 3], Vec<f64>> = BTreeMap::new();
    for piece in runs.iter().flat_map(|run| &run.pieces) {
        let name = [&*piece.subject, &*piece.measure, &*piece.statistic];
        found.entry(name).or_default().push(piece.p_first);
    }
    let mut statistics: Vec<Uniformity> = (found.into_iter())
        .map(|([subject, measure, statistic], p_values)| {
            let seeds = p_values.len() as u64;
            let excess = excess(p_values);
            Uniformity {
                subject: subject.to_owned(),
                measure: measure.to_owned(),
                statistic: statistic.to_owned(),
                seeds,
                excess,
                p: libm::exp(-2.0 * seeds as f64 * excess * excess),
                p_adjusted: 1.0,
            }
        })
        .collect();
    let p_values: Vec<f64> = statistics.iter().map(|of| of.p).collect();
    for (of, adjusted) in statistics.iter_mut().zip(holm(&p_values)) {
        of.p_adjusted = adjusted;
    }
    statistics.sort_by(|a, b| a.p.total_cmp(&b.p));
    Seeds {
        seeds: runs.len() as u64,
        failed: runs.iter().filter(|run| !run.passed()).count() as u64,
        level,
        statistics,
    }
}

/// D⁺ of the values against the uniform law on [0, 1]; 0 where small values are nowhere too many.
fn excess(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    (values.iter().enumerate())
        .map(|(place, p)| (place + 1) as f64 / n - p)
        .fold(0.0, f64::max)
}
