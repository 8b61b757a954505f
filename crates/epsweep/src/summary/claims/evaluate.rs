//! Verdicts.
//!
//! | kind | what is compared |
//! |---|---|
//! | value, probability | the estimate's interval with the band |
//! | exact | the exact value, or a fact, with the band |
//! | ratio | the interval of the ratio with the band |
//! | order, best_on_axis | the interval of the difference with 0 |
//! | equal_across | the interval of the relative spread with the tolerance |
//! | win | the interval of the share of paired trials with the band |
//!
//! Numbers as observed have no interval. Held against a band they are themselves, and the note says so. Between cells extremes and standard
//! errors decide nothing, since what they differ by may be chance; values that were the same in every trial are taken for certain, and the note
//! says that.
//!
//! A claim holds where the interval lies inside the band, is refuted where it lies outside, and is undecided otherwise; then a note says
//! about how many trials would decide. It is undecided, too, where the run has not the number: a changed experiment leaves some statements
//! without an answer, and is no worse for it.

use super::ClaimError;
use super::between::{
    BELOW, at_most, best, best_words, equal, equal_words, order, order_words, win, win_words,
};
use super::quantity::{Context, Number, words};
use super::ratio::{ratio, ratio_words};
use crate::claim::{Band, Claim, ClaimKind, Of, Part, Quantity, Verdict};
use crate::record::{ClaimRow, ComparisonRow, Lookup, Resolved, SummaryRow, number};
use crate::words::{GAP, significant};

/// Checks statements against the rows of a run, in their order.
///
/// # Errors
/// The first statement that names an axis or a value that the experiment does not have. A number that the run lacks makes a statement
/// undecided.
pub fn evaluate(
    claims: &[Claim],
    resolved: &Resolved,
    summary: &[SummaryRow],
    comparisons: &[ComparisonRow],
) -> Result<Vec<ClaimRow>, ClaimError> {
    let lookup = Lookup::new(resolved, summary, comparisons);
    let one = |claim: &Claim| {
        let context = Context {
            claim: &claim.id,
            lookup: &lookup,
        };
        let (kind, found) = match judge(&context, &claim.kind) {
            Err(error) if error.is_of_the_run() => unanswered(&claim.kind, &error),
            judged => judged?,
        };
        Ok(ClaimRow {
            claim: claim.id.clone(),
            kind: kind.into(),
            statistic: found.statistic,
            claimed: found.claimed,
            value: found.value,
            low: found.low.filter(|x| x.is_finite()),
            high: found.high.filter(|x| x.is_finite()),
            exact: found.exact,
            verdict: found.verdict,
            expected: claim.expected,
            text: claim.text.clone(),
            note: found.note,
        })
    };
    claims.iter().map(one).collect()
}

/// What is known of a claim after looking.
pub(super) struct Found {
    pub statistic: String,
    pub claimed: String,
    pub value: String,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub exact: Option<f64>,
    pub verdict: Verdict,
    pub note: String,
}

fn judge(context: &Context, kind: &ClaimKind) -> Result<(&'static str, Found), ClaimError> {
    Ok(match kind {
        ClaimKind::Value(quantity, band) => ("value", value(context, quantity, band)?),
        ClaimKind::Probability(quantity, band) => ("probability", value(context, quantity, band)?),
        ClaimKind::Exact(quantity, band) => ("exact", exact(context, quantity, band)?),
        ClaimKind::Ratio(a, b, band) => ("ratio", ratio(context, a, b, band)?),
        ClaimKind::Order(a, b) => ("order", order(context, a, b)?),
        ClaimKind::BestOnAxis {
            of,
            axis,
            claimed,
            highest,
        } => ("best_on_axis", best(context, of, axis, claimed, *highest)?),
        ClaimKind::EqualAcross {
            of,
            axis,
            tolerance,
        } => ("equal_across", equal(context, of, axis, *tolerance)?),
        ClaimKind::Win {
            measure,
            subject,
            a,
            b,
            band,
        } => ("win", win(context, measure, subject, a, b, band)?),
    })
}

/// What is said of a claim whose number the run does not have.
fn unanswered(kind: &ClaimKind, error: &ClaimError) -> (&'static str, Found) {
    let (name, statistic, claimed) = match kind {
        ClaimKind::Value(quantity, band) => ("value", words(quantity), claimed(band)),
        ClaimKind::Probability(quantity, band) => ("probability", words(quantity), claimed(band)),
        ClaimKind::Exact(quantity, band) => ("exact", words(quantity), claimed(band)),
        ClaimKind::Ratio(a, b, band) => ("ratio", ratio_words(a, b), claimed(band)),
        ClaimKind::Order(a, b) => ("order", order_words(a, b), BELOW.into()),
        ClaimKind::BestOnAxis {
            of,
            axis,
            claimed,
            highest,
        } => (
            "best_on_axis",
            best_words(of, axis, *highest),
            claimed.clone(),
        ),
        ClaimKind::EqualAcross {
            of,
            axis,
            tolerance,
        } => (
            "equal_across",
            equal_words(of, axis),
            claimed(&at_most(*tolerance)),
        ),
        ClaimKind::Win {
            measure,
            a,
            b,
            band,
            ..
        } => ("win", win_words(measure, a, b), claimed(band)),
    };
    let found = Found {
        statistic,
        claimed,
        value: String::new(),
        low: None,
        high: None,
        exact: None,
        verdict: Verdict::Undecided,
        note: error.without_claim(),
    };
    (name, found)
}

pub(super) fn verdict(low: f64, high: f64, band: &Band) -> Verdict {
    if low >= band.low && high <= band.high {
        Verdict::Holds
    } else if low > band.high || high < band.low {
        Verdict::Refuted
    } else {
        // also where an end is NaN
        Verdict::Undecided
    }
}

/// `120 (between 108 and 132)`, `at least 0.5`, `at most 2`
pub(super) fn claimed(band: &Band) -> String {
    match (band.low > f64::NEG_INFINITY, band.high < f64::INFINITY) {
        (true, true) => {
            // a field of a table, as `number` is
            let edge = |x: f64| significant(x, 6).replace(GAP, "");
            let (low, high) = (edge(band.low), edge(band.high));
            // a band for rounding only is none to speak of
            if low == high {
                return number(band.claimed);
            }
            format!("{} (between {low} and {high})", number(band.claimed))
        }
        (true, false) => format!("at least {}", number(band.low)),
        (false, true) => format!("at most {}", number(band.high)),
        (false, false) => number(band.claimed),
    }
}

/// About how many trials would decide: an interval's width falls like 1/√n, and it must end between the value and the nearest edge.
fn trials_needed(n: Number, edges: [f64; 2]) -> String {
    let value = n.exact.unwrap_or(n.value);
    let distance = edges
        .into_iter()
        .filter(|e| e.is_finite())
        .map(|e| (value - e).abs())
        .fold(f64::INFINITY, f64::min);
    let half = (n.high - n.low) / 2.0;
    if n.trials == 0 || !half.is_finite() || !distance.is_finite() {
        return "the interval is unbounded: more trials are needed to say how many".into();
    }
    // with the same number of trials again as a margin: the estimate itself moves by about half an interval
    let needed = 2.0 * n.trials as f64 * (half / distance) * (half / distance);
    if distance == 0.0 || !(needed < 1e15) {
        return "the value lies on the edge of what is claimed: no number of trials decides".into();
    }
    let needed = needed.max(n.trials as f64 * 1.1);
    format!("about {} trials would decide", significant(needed, 2))
}

/// Why extremes and standard errors decide nothing between cells.
const OBSERVED: &str = "numbers as observed, without an interval: what they differ by may be chance; claim a mean or a quantile instead";

pub(super) fn undecided_note(verdict: Verdict, n: Number, edges: [f64; 2]) -> String {
    match verdict {
        Verdict::Undecided if n.strays => OBSERVED.into(),
        Verdict::Undecided => trials_needed(n, edges),
        _ => String::new(),
    }
}

fn value(context: &Context, quantity: &Quantity, band: &Band) -> Result<Found, ClaimError> {
    let n = context.number(quantity)?;
    let verdict = verdict(n.low, n.high, band);
    let mut note = undecided_note(verdict, n, [band.low, band.high]);
    if n.observed {
        note = "a number as observed, without an interval".into();
    }
    let ends = !n.observed;
    Ok(Found {
        statistic: words(quantity),
        claimed: claimed(band),
        value: number(n.value),
        low: ends.then_some(n.low),
        high: ends.then_some(n.high),
        exact: n.exact,
        verdict,
        note,
    })
}

fn exact(context: &Context, quantity: &Quantity, band: &Band) -> Result<Found, ClaimError> {
    let mut quantity = quantity.clone();
    if let Of::Statistic { part, .. } = &mut quantity.of {
        *part = Part::Exact;
    }
    let value = context.number(&quantity)?.value;
    Ok(Found {
        statistic: words(&quantity),
        claimed: claimed(band),
        value: number(value),
        low: None,
        high: None,
        exact: Some(value),
        verdict: verdict(value, value, band),
        note: String::new(),
    })
}
