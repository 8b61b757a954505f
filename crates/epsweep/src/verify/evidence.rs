//! Which estimates are one piece of evidence.

use super::test::{FREQUENT, Judged, Subject, Unjudged, is_fit};
use crate::measure;
use crate::record::SummaryRow;
use crate::summary::CHOSEN;
use epsweep_core::statistics::ChiSquare;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Deviations of the same noise, rescaled, agree to about this: they count once.
const SAME: f64 = 1e-6;

/// All that a run says of one statistic of a measure of a subject, whatever the cell.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Piece {
    /// a query's name, a candidate's, or `all`
    pub subject: String,
    /// the measure
    pub measure: String,
    /// the statistic
    pub statistic: String,
    /// estimates, one of each cell that was judged
    pub estimates: u64,
    /// distinct deviations among them: cells that rescale the same noise deviate alike
    pub distinct: u64,
    /// p value of the first estimate in the order of the cells: one that was not picked for its size
    pub p_first: f64,
    /// the estimate with the least p value
    pub worst: Worst,
    /// p value of the piece: the least of its deviations', times their number (Bonferroni), at most 1
    pub p: f64,
    /// adjusted for the number of pieces in the run (Holm)
    pub p_adjusted: f64,
    /// the distinct deviations in standard errors, ascending
    #[serde(skip)]
    pub deviations: Vec<f64>,
}

/// An estimate that deviates.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Worst {
    /// its cell
    pub cell: String,
    /// the estimate
    pub value: f64,
    /// the exact value
    pub exact: f64,
    /// how far it is off, in standard errors
    pub z: f64,
    /// p value by itself
    pub p: f64,
    /// trials
    pub trials: u64,
}

/// The evidence of a run.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub pieces: Vec<Piece>,
    pub judged: u64,
    pub unjudged: Unjudged,
}

/// Tests every estimate of a run and gathers what is one piece of evidence.
pub(super) fn gather(rows: &[SummaryRow]) -> Gathered {
    let outcome = |row: &SummaryRow| {
        (
            row.cell.to_string(),
            row.subject.to_string(),
            row.measure.to_string(),
        )
    };
    let deviations: HashMap<_, &SummaryRow> = (rows.iter())
        .filter(|row| row.statistic == "sd")
        .map(|row| (outcome(row), row))
        .collect();
    // an outcome that is 0 or 1 by its nature or, having no extremes, by what was seen
    let flag = |row: &SummaryRow, spread: bool| {
        measure::find(&row.measure).is_some_and(|measure| measure.flag())
            || !spread && row.value > 0.0 && row.value < 1.0
    };
    let spread: HashSet<_> = (rows.iter())
        .filter(|row| row.statistic == "min")
        .map(outcome)
        .collect();
    let mut quantiles: HashMap<_, f64> = HashMap::new();
    for row in rows
        .iter()
        .filter(|row| row.statistic.starts_with('q') || row.statistic == "median")
    {
        if let Some(z) = row.z {
            let most = quantiles.entry(outcome(row)).or_default();
            *most = most.max(z.abs());
        }
    }
    let choices = frequencies(rows);
    let mut gathered = Gathered::default();
    let mut pieces: BTreeMap<(String, String, String), (Piece, Vec<f64>)> = BTreeMap::new();
    // what is computed is no estimate: there is nothing to test
    for row in rows.iter().filter(|row| row.trials > 0) {
        let key = outcome(row);
        let refitted;
        let row = match is_fit(row) {
            false => row,
            true => {
                let Some(found) = choices.get(&*row.cell).and_then(|all| refit(row, all)) else {
                    // each frequency is judged by itself
                    continue;
                };
                refitted = found;
                &refitted
            }
        };
        let subject = Subject {
            row,
            sd: deviations.get(&key).copied(),
            flag: flag(row, spread.contains(&key)),
            quantiles: quantiles.get(&key).copied().unwrap_or(0.0),
        };
        let (z, p) = match subject.judge() {
            Judged::Tested { z, p } => (z, p),
            Judged::Skewed => {
                gathered.unjudged.skewed += 1;
                continue;
            }
            Judged::Few => {
                gathered.unjudged.few += 1;
                continue;
            }
            Judged::Nothing => continue,
        };
        gathered.judged += 1;
        let worst = Worst {
            cell: row.cell.to_string(),
            value: row.value,
            exact: row.exact.unwrap_or(f64::NAN),
            z,
            p,
            trials: row.trials,
        };
        let name = (key.1, key.2, row.statistic.to_string());
        let (piece, seen) = pieces.entry(name.clone()).or_insert_with(|| {
            let piece = Piece {
                subject: name.0,
                measure: name.1,
                statistic: name.2,
                estimates: 0,
                distinct: 0,
                p_first: p,
                worst: worst.clone(),
                p: 1.0,
                p_adjusted: 1.0,
                deviations: Vec::new(),
            };
            (piece, Vec::new())
        });
        piece.estimates += 1;
        seen.push(z);
        if p < piece.worst.p {
            piece.worst = worst;
        }
    }
    gathered.pieces = pieces
        .into_values()
        .map(|(piece, seen)| finish(piece, seen))
        .collect();
    gathered
}

/// How often each candidate of a choice was chosen, and how probable it is, by the cell.
type Choices<'a> = HashMap<&'a str, Vec<(u64, f64)>>;

/// The frequencies of cells that test all of theirs together.
fn frequencies(rows: &[SummaryRow]) -> Choices<'_> {
    let fits = rows.iter().filter(|row| is_fit(row));
    let mut all: Choices<'_> = fits.map(|row| (&*row.cell, Vec::new())).collect();
    let chosen = |row: &&SummaryRow| (&*row.measure, &*row.statistic) == (CHOSEN, "mean");
    for row in rows.iter().filter(chosen) {
        if let (Some(found), Some(exact)) = (all.get_mut(&*row.cell), row.exact) {
            found.push(((row.value * row.trials as f64).round() as u64, exact));
        }
    }
    all
}

/// The test of all frequencies once more, of cells that are frequent enough for far tails.
fn refit(row: &SummaryRow, choices: &[(u64, f64)]) -> Option<SummaryRow> {
    let (counts, probabilities): (Vec<u64>, Vec<f64>) = choices.iter().copied().unzip();
    let fit = ChiSquare::pooled(&counts, &probabilities, FREQUENT)?;
    let degrees = fit.degrees as f64;
    Some(SummaryRow {
        value: fit.statistic,
        exact: Some(degrees),
        z: Some((fit.statistic - degrees) / (2.0 * degrees).sqrt()),
        ..row.clone()
    })
}

fn finish(mut piece: Piece, deviations: Vec<f64>) -> Piece {
    piece.deviations = distinct(deviations);
    piece.distinct = piece.deviations.len() as u64;
    piece.p = (piece.worst.p * piece.distinct as f64).min(1.0);
    piece
}

/// Deviations in ascending order, those of the same noise once.
pub(crate) fn distinct(mut deviations: Vec<f64>) -> Vec<f64> {
    deviations.sort_by(f64::total_cmp);
    let close = |a: f64, b: f64| a == b || (b - a).abs() <= SAME * (1.0 + a.abs());
    let mut last = None;
    deviations.retain(|z| {
        let new = last.is_none_or(|last| !close(last, *z));
        // what is left out is no neighbour: of a million deviations each is near the next
        if new {
            last = Some(*z);
        }
        new
    });
    deviations
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A million deviations lie nearer to one another than [`SAME`], and are not one for all that.
    #[test]
    fn what_is_left_out_as_the_same_links_no_others() {
        let near: Vec<f64> = (0..2001).map(|i| f64::from(i) * 0.5e-6).collect();
        let kept = distinct(near).len();
        assert!((600..=1001).contains(&kept), "{kept}");
        assert_eq!(distinct(vec![3.4, 3.4, 3.4 + 1e-9, 0.25]).len(), 2);
    }
}
