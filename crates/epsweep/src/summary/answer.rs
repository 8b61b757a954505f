//! The answer of a run in a sentence or two.

use super::standing::{
    Setting, compared_axis, is_control, is_control_noise, label, mean_of, mean_row, names,
    settings, varied,
};
use super::units::{mixed, one_by_one, side_by_side};
use crate::record::{Lookup, ResolvedQuery, Run, SummaryRow};
use crate::words::{about_percent, grouped, join, plus_minus};

/// Measures that an answer speaks of, the first that the run has.
const HEADLINES: [(&str, &str); 9] = [
    ("max_abs_error", "mean largest error"),
    ("rmse", "mean root mean square error"),
    ("mean_abs_error", "mean absolute error over queries"),
    (WEIGHTED, "mean weighted squared error"),
    ("utility_loss", "mean utility loss"),
    ("loss", "mean loss on the training records"),
    ("stream_error", "mean error along the stream"),
    ("total_epsilon", "total ε"),
    ("wrong_answers", "mean number of wrong answers"),
];

/// Measures of which lower is not better: answers, signed errors, and whether an interval covers.
const UNRANKED: [&str; 5] = [
    "answer",
    "error",
    "error_post",
    "population_error",
    "covered",
];

/// What tells more than the interval of each.
const BY_PAIRS: &str =
    "; `pairs = \"all\"` in [compare] has them compared trial by trial, which tells more";

/// The measure that takes weights into account.
const WEIGHTED: &str = "weighted_mse";

/// What the run says about its question: which value of the compared axis has the lowest mean of the headline measure (the largest error,
/// if the run has it; the weighted one where weights differ), by how much, and where that changes along the other axes. ± is the
/// run's interval. Cells that the run cannot tell apart are called tied. Where answers are post-processed, the same is said of what is
/// left.
pub fn answer(run: &Run) -> String {
    if run.left_out() > 0 {
        let shown = run.resolved.cells.len() as u64;
        return format!(
            "The run has {} cells: too many to be drawn, or answered in a sentence. summary.csv and comparisons.csv have all of them; here are the first {shown}.",
            grouped(run.left_out() + shown)
        );
    }
    let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
    let Some(headline) = Headline::of(run) else {
        return "The run has no estimate of a mean.".into();
    };
    let mut text = told(run, &lookup, &headline);
    // what qualifies a sentence follows it at once
    text += &mixed(run, &lookup, &headline.measure).unwrap_or_default();
    text += &headline.of_others(run, &lookup).unwrap_or_default();
    if let Some(after) = headline.processed(run) {
        text += &format!(" {}", told(run, &lookup, &after));
    }
    text
}

/// What is said of one measure.
fn told(run: &Run, lookup: &Lookup, headline: &Headline) -> String {
    let varied = varied(run);
    let Some(axis) = compared_axis(run).filter(|_| headline.ranks) else {
        return single(run, lookup, headline, &varied);
    };
    let settings = settings(run, lookup, &headline.subject, &headline.measure, axis);
    let text = match settings.as_slice() {
        [] => "The run has no estimate of a mean.".into(),
        [one] => one_setting(run, lookup, headline, axis, one),
        many => many_settings(run, lookup, headline, axis, &varied, many),
    };
    text + &controls(run)
}

/// Which gates are left out, and what their outputs show.
fn controls(run: &Run) -> String {
    let gates = (run.resolved.cells.iter())
        .filter(|cell| is_control(cell))
        .filter_map(|cell| cell.stream.as_ref()?.gate.as_ref());
    let (mut names, mut compared, mut beyond) = (Vec::new(), 0, 0);
    for gate in gates {
        if !names.contains(&gate.name) {
            names.push(gate.name.clone());
        }
        if let Some(neighbour) = &gate.neighbour {
            compared += 1;
            beyond += u32::from(neighbour.leak > 0.0);
        }
    }
    let mut noises: Vec<&str> = (run.resolved.cells.iter())
        .map(|cell| cell.noise.as_str())
        .filter(|name| is_control_noise(name))
        .collect();
    noises.dedup();
    let noises = match noises.as_slice() {
        [] => String::new(),
        some => format!(
            " Left out of this, as a control: {} noise.",
            join(some, "and")
        ),
    };
    if names.is_empty() {
        return noises;
    }
    let mut text = format!(
        " Broken gates are controls and left out of this: {}",
        join(&names, "and")
    );
    if compared > 0 {
        text += &format!(
            "; in {beyond} of {compared} settings they tell the stream from its neighbour by more than the ε that they claim"
        );
    }
    text + "." + &noises
}

/// The measure that is spoken of.
struct Headline {
    subject: String,
    measure: String,
    words: String,
    /// whether lower is better
    ranks: bool,
}

impl Headline {
    fn of(run: &Run) -> Option<Self> {
        let has = |measure: &str| {
            (run.summary.iter()).any(|r| r.subject == "all" && r.measure == measure)
        };
        // where queries count differently, only this measure knows
        let weighed = (run.resolved.cells.iter()).any(|cell| {
            cell.queries
                .windows(2)
                .any(|two| two[0].weight != two[1].weight)
        });
        let order = HEADLINES.iter().filter(|(m, _)| weighed && *m == WEIGHTED);
        if let Some((measure, words)) = order.chain(&HEADLINES).find(|(m, _)| has(m)) {
            return Some(Headline {
                subject: "all".into(),
                measure: (*measure).into(),
                words: (*words).into(),
                ranks: true,
            });
        }
        let known = |r: &&SummaryRow| r.statistic == "mean" && r.value.is_finite();
        let ranks = |r: &SummaryRow| !UNRANKED.contains(&r.measure.as_str());
        let row = (run.summary.iter())
            .find(|r| known(r) && ranks(r))
            .or_else(|| run.summary.iter().find(known))?;
        Some(Headline {
            ranks: ranks(row),
            subject: row.subject.to_string(),
            measure: row.measure.to_string(),
            words: format!("mean {} of {}", row.measure.replace('_', " "), row.subject),
        })
    }

    /// The row of its mean in a cell, if it is finite.
    fn row<'a>(&self, lookup: &Lookup<'a>, cell: usize) -> Option<&'a SummaryRow> {
        mean_row(lookup, &self.subject, &self.measure, cell)
    }

    /// The same after post-processing, if the run has it.
    fn processed(&self, run: &Run) -> Option<Self> {
        let measure = format!("{}_post", self.measure);
        let found = (run.summary.iter())
            .any(|row| row.subject == self.subject.as_str() && row.measure == measure.as_str());
        found.then(|| Headline {
            subject: self.subject.clone(),
            measure,
            words: format!("{} after post-processing", self.words),
            ranks: self.ranks,
        })
    }

    /// What is to be said of the other queries where the measure is of one.
    fn of_others(&self, run: &Run, lookup: &Lookup) -> Option<String> {
        if self.subject == "all" || !self.ranks {
            return None;
        }
        let (_, queries) = side_by_side(run)?;
        let is_own = |query: &&&ResolvedQuery| query.name == self.subject;
        queries.iter().find(is_own)?;
        Some(match one_by_one(run, lookup, |_| &self.measure) {
            Some(winners) => format!(" Query by query, it is lowest {winners}."),
            None => format!(
                " That is of `{}` alone: the tables have the other queries, which can differ.",
                self.subject
            ),
        })
    }
}

fn amount(row: &SummaryRow) -> String {
    let half = row.low.zip(row.high).map_or(0.0, |(l, h)| (h - l) / 2.0);
    plus_minus(row.value, half)
}

fn single(run: &Run, lookup: &Lookup, headline: &Headline, varied: &[usize]) -> String {
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

/// `64 % below even (360.0 ± 2.2)`
fn below(
    run: &Run,
    lookup: &Lookup,
    headline: &Headline,
    axis: usize,
    s: &Setting,
) -> Option<String> {
    let reference = reference(lookup, s)?;
    let best = headline.row(lookup, s.cells[0])?;
    let other = headline.row(lookup, reference)?;
    if !(mean_of(other) > 0.0) {
        return None;
    }
    Some(format!(
        "{} below {} ({})",
        about_percent(1.0 - mean_of(best) / mean_of(other)),
        label(run, reference, axis),
        amount(other)
    ))
}

fn one_setting(
    run: &Run,
    lookup: &Lookup,
    headline: &Headline,
    axis: usize,
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
        names(run, same, axis),
        headline.words,
        amount(row)
    );
    if let Some(below) = below(run, lookup, headline, axis, setting) {
        text += &format!(", {below}");
    }
    let wins = reference(lookup, setting).and_then(|r| {
        let pair = lookup.paired(best, r, &headline.subject, &headline.measure)?;
        let share = pair.win as f64 / pair.trials as f64;
        Some(format!(
            "; it is lower than that of {} in {} of the paired trials",
            label(run, r, axis),
            about_percent(share)
        ))
    });
    text += &wins.unwrap_or_default();
    text.push('.');
    if setting.tied > setting.same {
        let others = names(run, &setting.cells[setting.same..setting.tied], axis);
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

fn many_settings(
    run: &Run,
    lookup: &Lookup,
    headline: &Headline,
    axis: usize,
    varied: &[usize],
    settings: &[Setting],
) -> String {
    let others: Vec<usize> = varied.iter().copied().filter(|i| *i != axis).collect();
    let winner = |s: &Setting| names(run, s.best(), axis);
    let axes: Vec<&str> = others
        .iter()
        .map(|i| run.resolved.axes[*i].name.as_str())
        .collect();
    let over = join(&axes, "and");
    let mut text = String::new();
    // runs of consecutive settings with the same winner
    let mut stretches: Vec<(String, usize, usize)> = Vec::new();
    for (i, s) in settings.iter().enumerate() {
        match stretches.last_mut() {
            Some((name, _, end)) if *name == winner(s) => *end = i,
            _ => stretches.push((winner(s), i, i)),
        }
    }
    let has = |name: &str| {
        if name.contains(" and ") {
            "have"
        } else {
            "has"
        }
    };
    if let [(name, _, _)] = stretches.as_slice() {
        text += &format!(
            "{name} {} the lowest {} at every value of {over} ({} settings)",
            has(name),
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
    text += &range_below(run, lookup, headline, axis, settings).unwrap_or_default();
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
    axis: usize,
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
        let best = mean_of(headline.row(lookup, s.cells[0])?);
        let other = mean_of(headline.row(lookup, reference)?);
        if !(other > 0.0) {
            return None;
        }
        low = low.min(1.0 - best / other);
        high = high.max(1.0 - best / other);
        name = Some(label(run, reference, axis));
    }
    let (low, high, name) = (about_percent(low), about_percent(high), name?);
    Some(if low == high {
        format!(", {low} below {name}")
    } else {
        format!(", between {low} and {high} below {name}")
    })
}
