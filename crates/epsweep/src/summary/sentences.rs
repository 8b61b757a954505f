//! Sentences on one measure: who is best and by how much, in one setting or in many, or what its range is.

use super::answer::Headline;
use super::standing::{Setting, label, mean_of, names};
use crate::record::{Lookup, Run, SummaryRow};
use crate::words::{about_percent, grouped, join, plus_minus};

/// What tells more than the interval of each.
pub(super) const BY_PAIRS: &str =
    "; `pairs = \"all\"` in [compare] has them compared trial by trial, which tells more";

fn amount(row: &SummaryRow) -> String {
    let half = row.low.zip(row.high).map_or(0.0, |(l, h)| (h - l) / 2.0);
    plus_minus(row.value, half)
}

/// What is said of cells that are not compared: their range, or the only one.
pub(super) fn single(run: &Run, lookup: &Lookup, headline: &Headline, varied: &[usize]) -> String {
    let mut cells: Vec<(usize, &SummaryRow)> = (0..run.resolved.cells.len())
        .filter_map(|c| headline.row(lookup, c).map(|r| (c, r)))
        .collect();
    let level = about_percent(run.resolved.level);
    // what is computed has no interval
    let (interval, ends) = match run.resolved.trials {
        0 => Default::default(),
        _ => (
            format!(" ({level} interval)"),
            format!("; ± is the {level} interval"),
        ),
    };
    match cells.as_slice() {
        [] => "The run has no estimate of a mean.".into(),
        [(cell, row)] => format!(
            "At {}, the {} is {}{interval}.",
            run.resolved.cells[*cell].guarantee,
            headline.words,
            amount(row)
        ),
        _ => {
            cells.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
            let (first, last) = (&cells[0], &cells[cells.len() - 1]);
            let idle: Vec<String> = (varied.iter())
                .filter(|axis| changes_nothing(run, &cells, **axis))
                .map(|axis| run.resolved.axes[*axis].name.clone())
                .collect();
            let depends = match (idle.len() < varied.len(), join(&idle, "or")) {
                (true, idle) if !idle.is_empty() => format!(" It does not change with {idle}."),
                _ => String::new(),
            };
            // equal numbers have no range
            if mean_of(first.1) == mean_of(last.1) {
                return format!(
                    "The {} is {} in all {} cells{ends}.",
                    headline.words,
                    amount(first.1),
                    cells.len()
                );
            }
            format!(
                "The {} ranges from {} ({}) to {} ({}){ends}.{depends}",
                headline.words,
                amount(first.1),
                run.resolved.cells[first.0].id,
                amount(last.1),
                run.resolved.cells[last.0].id
            )
        }
    }
}

/// Whether cells that differ on this axis alone have the same mean, up to rounding: the exact one where it is known. Under common
/// random numbers estimates agree as well as exact values do.
fn changes_nothing(run: &Run, cells: &[(usize, &SummaryRow)], axis: usize) -> bool {
    let mean = mean_of;
    let others = |cell: usize| {
        let labels = run.resolved.cells[cell].labels.iter().enumerate();
        labels.filter(move |(other, _)| *other != axis)
    };
    cells.iter().all(|(cell, row)| {
        (cells.iter())
            .filter(|(other, _)| others(*cell).eq(others(*other)))
            .all(|(_, other)| (mean(row) - mean(other)).abs() <= 1e-9 * mean(row).abs())
    })
}

/// With what the best is compared: the baseline, or else the worst.
fn reference(lookup: &Lookup, setting: &Setting) -> Option<usize> {
    let best = setting.best();
    lookup
        .baseline(setting.cells[0])
        .filter(|b| setting.cells.contains(b))
        .or(setting.cells.last().copied())
        .filter(|r| !best.contains(r))
}

/// By which part of another mean this one is below it: of exact values where both are known, else of estimates, unless the other's interval reaches
/// so far that the part would say nothing.
fn part_below(best: &SummaryRow, other: &SummaryRow) -> Option<f64> {
    let (own, base) = match best.exact.zip(other.exact) {
        Some(exact) => exact,
        None => {
            let half = other
                .low
                .zip(other.high)
                .map_or(0.0, |(low, high)| (high - low) / 2.0);
            if half > VAGUE * other.value {
                return None;
            }
            (best.value, other.value)
        }
    };
    (base > 0.0).then(|| 1.0 - own / base)
}

/// Half-width of an interval, as a share of the mean, from which on a percentage of that mean says nothing.
const VAGUE: f64 = 0.5;

/// `64 % below even (360.0 ± 2.2)`
fn below(
    run: &Run,
    lookup: &Lookup,
    headline: &Headline,
    axes: &[usize],
    s: &Setting,
) -> Option<String> {
    let reference = reference(lookup, s)?;
    let best = headline.row(lookup, s.cells[0])?;
    let other = headline.row(lookup, reference)?;
    Some(format!(
        "{} below {} ({})",
        about_percent(part_below(best, other)?),
        label(run, reference, axes),
        amount(other)
    ))
}

/// What is said of the cells of one setting: which is best, of how many that are not told from it.
pub(super) fn one_setting(
    run: &Run,
    lookup: &Lookup,
    headline: &Headline,
    axes: &[usize],
    setting: &Setting,
) -> String {
    let best = setting.cells[0];
    let Some(row) = headline.row(lookup, best) else {
        return String::new();
    };
    let cell = &run.resolved.cells[best];
    // where the budget itself is compared, it is no part of the setting
    let budget = &run.resolved.cells[setting.cells[setting.cells.len() - 1]].guarantee;
    let place = match *budget == cell.guarantee {
        true => format!("At {}, ", cell.guarantee),
        false => String::new(),
    };
    let same = setting.best();
    let has = if same.len() > 1 { "have" } else { "has" };
    let mut text = format!(
        "{place}{} {has} the lowest {} ({})",
        names(run, same, axes),
        headline.words,
        amount(row)
    );
    if let Some(below) = below(run, lookup, headline, axes, setting) {
        text += &format!(", {below}");
    }
    let wins = reference(lookup, setting).and_then(|r| {
        let pair = lookup.paired(best, r, &headline.subject, &headline.measure)?;
        let share = pair.win as f64 / pair.trials as f64;
        Some(format!(
            "; it is lower than that of {} in {} of the paired trials",
            label(run, r, axes),
            about_percent(share)
        ))
    });
    text += &wins.unwrap_or_default();
    text.push('.');
    if setting.tied > setting.same {
        let others = names(run, &setting.cells[setting.same..setting.tied], axes);
        let evidence = match row.trials {
            1 => "one trial does not".into(),
            n => format!("{} trials do not", grouped(n)),
        };
        text += &match setting.unpaired {
            true => format!(" The interval of each does not tell it from {others}{BY_PAIRS}."),
            false => format!(" Statistically tied with {others}: {evidence} tell them apart."),
        };
    }
    text
}

/// What is said of several settings: which is best in each, and where that changes.
pub(super) fn many_settings(
    run: &Run,
    lookup: &Lookup,
    headline: &Headline,
    axes: &[usize],
    varied: &[usize],
    settings: &[Setting],
) -> String {
    let others: Vec<usize> = varied
        .iter()
        .copied()
        .filter(|i| !axes.contains(i))
        .collect();
    let winner = |s: &Setting| names(run, s.best(), axes);
    let names_of: Vec<&str> = others
        .iter()
        .map(|i| run.resolved.axes[*i].name.as_str())
        .collect();
    let over = join(&names_of, "and");
    let mut text = String::new();
    // runs of consecutive settings with the same winner
    let mut stretches: Vec<(String, usize, usize)> = Vec::new();
    for (i, s) in settings.iter().enumerate() {
        match stretches.last_mut() {
            Some((name, _, end)) if *name == winner(s) => *end = i,
            _ => stretches.push((winner(s), i, i)),
        }
    }
    if let [(name, _, _)] = stretches.as_slice() {
        let has = match settings.first().is_some_and(|s| s.same > 1) {
            true => "have",
            false => "has",
        };
        text += &format!(
            "{name} {has} the lowest {} at every value of {over} ({} settings)",
            headline.words,
            settings.len()
        );
    } else if let ([only], 2..=4) = (others.as_slice(), stretches.len()) {
        let spoken: Vec<String> = stretches
            .iter()
            .map(|(name, from, to)| {
                let (from, to) = (&settings[*from].labels[*only], &settings[*to].labels[*only]);
                match from == to {
                    true => format!("{name} at {over} = {from}"),
                    false => format!("{name} from {over} = {from} to {to}"),
                }
            })
            .collect();
        text += &format!(
            "Which has the lowest {} changes with {over}: {}",
            headline.words,
            join(&spoken, "and")
        );
    } else {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for s in settings {
            let name = winner(s);
            match counts.iter_mut().find(|(n, _)| *n == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let spoken: Vec<String> = counts
            .iter()
            .map(|(name, count)| format!("{name} in {count} of {}", settings.len()))
            .collect();
        text += &format!(
            "Which has the lowest {} depends on {over}: {} settings",
            headline.words,
            join(&spoken, "and")
        );
    }
    text += &range_below(run, lookup, headline, axes, settings).unwrap_or_default();
    text.push('.');
    let tied = settings.iter().filter(|s| s.tied > s.same).count();
    if tied > 0 {
        let unpaired = settings.iter().any(|s| s.unpaired);
        let (how, more) = match unpaired {
            true => (
                "so near another that their intervals do not tell them apart",
                BY_PAIRS,
            ),
            false => ("statistically tied with another", ""),
        };
        let all = settings.len();
        let settings = match tied == all {
            true => "every setting".to_owned(),
            false => format!("{tied} of {all} settings"),
        };
        text += &format!(
            " In {settings} the lowest {} is {how}{more}.",
            headline.words
        );
    }
    text
}

/// `, between 60 % and 64 % below even`
fn range_below(
    run: &Run,
    lookup: &Lookup,
    headline: &Headline,
    axes: &[usize],
    settings: &[Setting],
) -> Option<String> {
    let mut low = f64::INFINITY;
    let mut high = f64::NEG_INFINITY;
    let mut name = None;
    for s in settings {
        // where the reference itself is the best there is nothing to be below of
        let reference = lookup
            .baseline(s.cells[0])
            .filter(|b| s.cells.contains(b) && !s.best().contains(b))?;
        let best = headline.row(lookup, s.cells[0])?;
        let part = part_below(best, headline.row(lookup, reference)?)?;
        (low, high) = (low.min(part), high.max(part));
        name = Some(label(run, reference, axes));
    }
    let (low, high, name) = (about_percent(low), about_percent(high), name?);
    Some(if low == high {
        format!(", {low} below {name}")
    } else {
        format!(", between {low} and {high} below {name}")
    })
}
