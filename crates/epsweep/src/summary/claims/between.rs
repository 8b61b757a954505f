//! Claims about more than one cell or query.

use super::ClaimError;
use super::evaluate::{Found, claimed, undecided_note, verdict};
use super::quantity::{Context, Number, place_words, words};
use crate::claim::{Band, Fact, Of, Part, Quantity, Verdict};
use crate::record::{ResolvedCell, number};
use crate::summary::{How, difference};
use epsweep_core::statistics::proportion_interval;
use epsweep_core::theory::comparison;
use std::collections::BTreeMap;

/// What an order claims of the difference.
pub(super) const BELOW: &str = "below 0";

pub(super) fn order_words(a: &Quantity, b: &Quantity) -> String {
    format!("{} − {}", words(a), words(b))
}

pub(super) fn best_words(of: &Quantity, axis: &str, highest: bool) -> String {
    let superlative = if highest { "highest" } else { "lowest" };
    format!("{axis} with the {superlative} {}", words(of))
}

pub(super) fn equal_words(of: &Quantity, axis: &str) -> String {
    format!("relative spread over {axis} of {}", words(of))
}

pub(super) fn win_words(
    measure: &str,
    a: &BTreeMap<String, String>,
    b: &BTreeMap<String, String>,
) -> String {
    let (a, b) = (place_words(a), place_words(b));
    format!("share of paired trials with a lower {measure} in{a} than in{b}")
}

/// Numbers up to one.
pub(super) fn at_most(high: f64) -> Band {
    Band {
        low: f64::NEG_INFINITY,
        high,
        claimed: high,
    }
}

/// Measure and statistic, if both are estimates of the same for the same subject.
pub(super) fn same_statistic<'a>(a: &'a Quantity, b: &Quantity) -> Option<(&'a str, &'a str)> {
    match &a.of {
        Of::Statistic {
            measure,
            statistic,
            part: Part::Value,
        } if a.of == b.of && a.subject == b.subject => Some((measure, statistic)),
        _ => None,
    }
}

/// Said where a number that was the same in every trial is taken for certain.
const ALIKE: &str = "what was the same in every trial is taken for certain";

/// The difference a − b of two quantities in two cells.
fn apart(
    context: &Context,
    (a, i): (&Quantity, usize),
    (b, j): (&Quantity, usize),
) -> Result<(Number, &'static str), ClaimError> {
    let (x, y) = (context.number_in(a, i)?, context.number_in(b, j)?);
    let mut n = Number {
        value: x.value - y.value,
        // not known to be independent: both errors at their worst
        low: x.low - y.high,
        high: x.high - y.low,
        mcse: x.mcse + y.mcse,
        exact: x.exact.zip(y.exact).map(|(x, y)| x - y),
        trials: x.trials.max(y.trials),
        observed: x.observed || y.observed,
        strays: x.strays || y.strays,
    };
    let mut how = match (x.mcse > 0.0, y.mcse > 0.0) {
        (true, true) => "from the intervals of both",
        _ => "",
    };
    if !n.strays && x.value == y.value && x.low == x.high && y.low == y.high {
        // equal infinities too, whose difference is not a number
        n.value = 0.0;
        n.low = 0.0;
        n.high = 0.0;
    } else if let Some((measure, statistic)) = same_statistic(a, b)
        && let Some(d) = difference(context.lookup, i, j, &a.subject, measure, statistic)
    {
        (n.value, n.low, n.high) = (d.value, d.low, d.high);
        how = match d.how {
            How::Same => "both carry the same numbers",
            How::Paired => "from paired trials",
            How::ThroughBaseline => "from the pairs of both with the baseline",
            How::Separate => how,
        };
        // the pairs tell apart what by itself has no interval
        n.observed &= !matches!(d.how, How::Paired | How::ThroughBaseline);
    }
    if n.strays {
        (n.low, n.high, how) = (f64::NEG_INFINITY, f64::INFINITY, "");
    } else if n.observed && how.is_empty() {
        how = ALIKE;
    }
    Ok((n, how))
}

pub(super) fn order(context: &Context, a: &Quantity, b: &Quantity) -> Result<Found, ClaimError> {
    let cell = |q: &Quantity| match q.of {
        Of::Sensitivity(_) => Ok(0),
        _ => context.cell(&q.cell),
    };
    let (n, how) = apart(context, (a, cell(a)?), (b, cell(b)?))?;
    let verdict = below(&n);
    let note = undecided_note(verdict, n, [0.0, 0.0]);
    let note: Vec<&str> = [note.as_str(), how]
        .into_iter()
        .filter(|s| !s.is_empty())
        .collect();
    Ok(Found {
        statistic: order_words(a, b),
        claimed: BELOW.into(),
        value: number(n.value),
        low: Some(n.low),
        high: Some(n.high),
        exact: n.exact,
        verdict,
        note: note.join("; "),
    })
}

/// Whether a difference is below 0; exactly 0 is not.
fn below(n: &Number) -> Verdict {
    if n.high < 0.0 {
        Verdict::Holds
    } else if n.low > 0.0 || (n.low == 0.0 && n.high == 0.0) {
        Verdict::Refuted
    } else {
        Verdict::Undecided
    }
}

/// The cells that an axis leads through, with their labels, in order.
fn along(context: &Context, of: &Quantity, axis: &str) -> Result<Vec<(String, usize)>, ClaimError> {
    let place = context.axis(axis)?;
    let labels = &context.lookup.resolved().axes[place].labels;
    let mut cell = of.cell.clone();
    let one = |label: &String| {
        cell.insert(axis.to_string(), label.clone());
        Ok((label.clone(), context.cell(&cell)?))
    };
    labels.iter().map(one).collect()
}

pub(super) fn best(
    context: &Context,
    of: &Quantity,
    axis: &str,
    claimed: &str,
    highest: bool,
) -> Result<Found, ClaimError> {
    let cells = along(context, of, axis)?;
    let Some((_, own)) = cells.iter().find(|(label, _)| label == claimed) else {
        return Err(ClaimError::UnknownLabel {
            claim: context.claim.into(),
            axis: axis.into(),
            label: claimed.into(),
            known: cells
                .iter()
                .map(|(l, _)| l.as_str())
                .collect::<Vec<_>>()
                .join(", "),
        });
    };
    let sign = if highest { -1.0 } else { 1.0 };
    let mut lowest = f64::INFINITY;
    let mut winner = claimed;
    let mut verdict = Verdict::Holds;
    let mut ties: Vec<&str> = Vec::new();
    let mut note = String::new();
    // the rival that is hardest to tell apart decides what is still needed
    let mut open: Option<Number> = None;
    for (label, cell) in &cells {
        let n = context.number_in(of, *cell)?;
        if sign * n.value < lowest {
            lowest = sign * n.value;
            winner = label;
        }
        if cell == own {
            continue;
        }
        let (d, _) = match highest {
            false => apart(context, (of, *own), (of, *cell))?,
            true => apart(context, (of, *cell), (of, *own))?,
        };
        if d.low == 0.0 && d.high == 0.0 {
            ties.push(label);
        } else if d.low > 0.0 {
            verdict = Verdict::Refuted;
        } else if !(d.high < 0.0) {
            let margin = |n: &Number| n.exact.unwrap_or(n.value).abs() / (n.high - n.low);
            if open.is_none_or(|o| margin(&d) < margin(&o)) {
                open = Some(d);
            }
        }
    }
    if let (Verdict::Holds, Some(rival)) = (verdict, open) {
        verdict = Verdict::Undecided;
        note = undecided_note(verdict, rival, [0.0, 0.0]);
    } else if verdict == Verdict::Holds && !ties.is_empty() {
        note = format!("shared with {}, which come to the same", ties.join(", "));
        winner = claimed;
    }
    Ok(Found {
        statistic: best_words(of, axis, highest),
        claimed: claimed.into(),
        value: winner.into(),
        low: None,
        high: None,
        exact: None,
        verdict,
        note,
    })
}

pub(super) fn equal(
    context: &Context,
    of: &Quantity,
    axis: &str,
    tolerance: f64,
) -> Result<Found, ClaimError> {
    let mut numbers: Vec<Number> = if axis == "subject" {
        let cell = context.cell(&of.cell)?;
        let subjects = context.lookup.resolved().cells[cell].subjects();
        let one = |name: &&str| {
            let of = Quantity {
                subject: (*name).to_owned(),
                ..of.clone()
            };
            context.number_in(&of, cell)
        };
        // facts of a vector but its true numbers are those of the query
        let queries = &context.lookup.resolved().cells[cell].queries;
        let of_numbers = matches!(of.of, Of::Statistic { .. } | Of::Fact(Fact::Truth));
        (subjects.iter())
            .flat_map(
                |name| match queries.iter().find(|q| q.name == *name && q.size > 0) {
                    Some(vector) if of_numbers => vector
                        .numbers
                        .iter()
                        .map(|number| number.name.as_str())
                        .collect(),
                    _ => vec![*name],
                },
            )
            .map(|name| one(&name))
            .collect::<Result<_, _>>()?
    } else {
        (along(context, of, axis)?.iter())
            .map(|(_, cell)| context.number_in(of, *cell))
            .collect::<Result<_, _>>()?
    };
    for n in numbers.iter_mut().filter(|n| n.strays) {
        (n.low, n.high) = (f64::NEG_INFINITY, f64::INFINITY);
    }
    // the largest distance of two of them: at least what the farthest intervals leave between them, at most what they span
    let spread = |low: &dyn Fn(&Number) -> f64, high: &dyn Fn(&Number) -> f64| {
        let top = numbers.iter().map(high).fold(f64::NEG_INFINITY, f64::max);
        let bottom = numbers.iter().map(low).fold(f64::INFINITY, f64::min);
        // equal infinities are equal
        if top == bottom { 0.0 } else { top - bottom }
    };
    let size = numbers.iter().map(|n| n.value.abs()).fold(0.0, f64::max);
    let relative = |x: f64| if size > 0.0 && x != 0.0 { x / size } else { x };
    let value = relative(spread(&|n| n.value, &|n| n.value));
    let widest = relative(spread(&|n| n.low, &|n| n.high));
    let least = relative(spread(&|n| n.high, &|n| n.low).max(0.0));
    let exact = (numbers
        .iter()
        .map(|n| n.exact)
        .collect::<Option<Vec<f64>>>())
    .map(|all| {
        let top = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let bottom = all.iter().copied().fold(f64::INFINITY, f64::min);
        relative(if top == bottom { 0.0 } else { top - bottom })
    });
    let band = at_most(tolerance);
    let verdict = verdict(least, widest, &band);
    let n = Number {
        value,
        low: least,
        high: widest,
        mcse: 0.0,
        exact,
        trials: numbers.iter().map(|n| n.trials).max().unwrap_or(0),
        observed: numbers.iter().any(|n| n.observed),
        strays: numbers.iter().any(|n| n.strays),
    };
    Ok(Found {
        statistic: equal_words(of, axis),
        claimed: claimed(&band),
        value: number(value),
        low: Some(least),
        high: Some(widest),
        exact,
        verdict,
        note: undecided_note(verdict, n, [f64::NEG_INFINITY, tolerance]),
    })
}

pub(super) fn win(
    context: &Context,
    measure: &str,
    subject: &str,
    a: &BTreeMap<String, String>,
    b: &BTreeMap<String, String>,
    band: &Band,
) -> Result<Found, ClaimError> {
    let (i, j) = (context.cell(a)?, context.cell(b)?);
    let pair =
        (context.lookup.paired(i, j, subject, measure)).ok_or_else(|| ClaimError::NotCompared {
            claim: context.claim.into(),
            what: format!("{measure} of{} and{}", place_words(a), place_words(b)),
        })?;
    let interval = proportion_interval(pair.win, pair.trials, context.lookup.resolved().level)?;
    let share = pair.win as f64 / pair.trials as f64;
    let exact = exact_win(context, measure, i, j);
    let verdict = verdict(interval.low, interval.high, band);
    let n = Number {
        value: share,
        low: interval.low,
        high: interval.high,
        mcse: 0.0,
        exact,
        trials: pair.trials,
        observed: false,
        strays: false,
    };
    let mut note = undecided_note(verdict, n, [band.low, band.high]);
    if pair.tie > 0 && note.is_empty() {
        note = format!("{} of {} trials are ties", pair.tie, pair.trials);
    }
    Ok(Found {
        statistic: win_words(measure, a, b),
        claimed: claimed(band),
        value: number(share),
        low: Some(interval.low),
        high: Some(interval.high),
        exact,
        verdict,
        note,
    })
}

/// The probability that the largest error is lower in cell i than in j, where theory knows it: Laplace noise on the same queries.
fn exact_win(context: &Context, measure: &str, i: usize, j: usize) -> Option<f64> {
    let resolved = context.lookup.resolved();
    let (a, b) = (&resolved.cells[i], &resolved.cells[j]);
    let names = |cell: &ResolvedCell| -> Vec<String> {
        cell.queries.iter().map(|q| q.name.clone()).collect()
    };
    let laplace = a.noise == "laplace" && b.noise == "laplace";
    // errors that are no scaled variates have another law
    let scaled = |cell: &ResolvedCell| cell.queries.iter().all(|q| !q.derived && q.size == 0);
    let known = laplace && scaled(a) && scaled(b);
    if measure != "max_abs_error" || !known || names(a) != names(b) {
        return None;
    }
    let scales = |cell: &ResolvedCell| -> Option<Vec<f64>> {
        cell.queries.iter().map(|q| q.scale).collect()
    };
    let (a, b) = (scales(a)?, scales(b)?);
    let compared = match resolved.streams.as_str() {
        "common" => comparison::common(&a, &b),
        _ => comparison::independent(&a, &b),
    };
    Some(compared?.wins?.a_lower)
}
