//! How precise a run became that was to be precise.

use super::{MOST_ROWS, percent_of_level};
use crate::figure::measure_words;
use crate::record::{Lookup, Margin, Reached, ResolvedGoal, ResolvedTarget, Run};
use crate::report::document::{Block, Cell, Table, Tone};
use crate::summary::difference;
use crate::words::{grouped, join, significant};
use std::collections::BTreeMap;

/// The section; empty for a run whose trials were given.
pub fn blocks(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let Some(target) = &run.resolved.target else {
        return Vec::new();
    };
    let mut blocks = vec![Block::Paragraph(lead(run, target))];
    let (differences, estimates): (Vec<&Reached>, Vec<&Reached>) =
        (run.manifest.precision.iter()).partition(|reached| reached.against.is_some());
    if !estimates.is_empty() {
        blocks.push(table(run, labels, &estimates));
    }
    if !differences.is_empty() {
        blocks.push(table(run, labels, &differences));
    }
    let ties = ties(run, target, labels);
    if !ties.is_empty() {
        blocks.push(Block::List(ties));
    }
    blocks
}

fn lead(run: &Run, target: &ResolvedTarget) -> String {
    let goals: Vec<String> = target.goals.iter().map(words).collect();
    let open = (run.manifest.precision.iter()).filter(|reached| !reached.met);
    let ending = match open.count() {
        0 => "Every goal is met.".to_owned(),
        open => format!(
            "{open} of {} goals are not met.",
            run.manifest.precision.len()
        ),
    };
    format!(
        "Trials were added until the half-width of the {} interval was at most {}: at least {} a cell, at most {}. Cells that are compared stop together. {ending}",
        percent_of_level(run),
        join(&goals, "and"),
        grouped(target.at_least),
        grouped(target.at_most),
    )
}

/// `0.2 %`
fn part_of(part: f64) -> String {
    significant(100.0 * part, 6) + " %"
}

fn words(goal: &ResolvedGoal) -> String {
    let what = measure_words(&goal.measure).0;
    let of = match &goal.subject {
        Some(subject) if subject != "all" => format!(" of {subject}"),
        _ => String::new(),
    };
    let of_what = match (goal.differences, goal.statistic.as_str()) {
        (true, _) => format!("the differences in {what}{of}"),
        (false, statistic) => format!("the {statistic} of {what}{of}"),
    };
    match goal.margin {
        Margin::Relative(part) => format!("{} of {of_what}", part_of(part)),
        Margin::Absolute(number) => format!("{} for {of_what}", significant(number, 6)),
    }
}

fn table(run: &Run, labels: &BTreeMap<&str, String>, rows: &[&Reached]) -> Block {
    let paired = rows.iter().any(|reached| reached.against.is_some());
    let mut header = vec!["cell"];
    if paired {
        header.push("minus");
    }
    header.extend([
        "measure",
        "of",
        "#estimate",
        "#half-width",
        "#goal",
        "#trials",
        "",
    ]);
    let mut table = Table::new("", &header);
    for reached in rows {
        let name = |cell: usize| -> Cell {
            let id = run.resolved.cells[cell].id.as_str();
            labels.get(id).map_or(id, String::as_str).into()
        };
        let number = |number: Option<f64>| number.map_or("–".to_owned(), |x| significant(x, 4));
        let mut entries = vec![name(reached.cell)];
        entries.extend(reached.against.map(name));
        let measure = match reached.statistic.as_str() {
            "mean" => measure_words(&reached.measure).0.to_owned(),
            other => format!("{}, {other}", measure_words(&reached.measure).0),
        };
        let goal = match reached.margin {
            Margin::Relative(part) => part_of(part),
            Margin::Absolute(number) => significant(number, 6),
        };
        let (verdict, tone) = verdict(reached);
        let mut last = Cell::from(verdict);
        last.tone = tone;
        entries.extend([
            measure.into(),
            reached.subject.as_str().into(),
            number(reached.value).into(),
            number(reached.half_width).into(),
            goal.into(),
            grouped(reached.trials).into(),
            last,
        ]);
        table.rows.push(entries);
    }
    table.limit(MOST_ROWS, "manifest.json");
    Block::Table(table)
}

/// Whether a goal was met, and what follows of a difference.
fn verdict(reached: &Reached) -> (&'static str, Tone) {
    let tied = || {
        let (value, half) = reached.value.zip(reached.half_width)?;
        Some(value.abs() <= half)
    };
    match (reached.met, reached.against, tied()) {
        (false, _, _) => ("not met", Tone::Undecided),
        (true, Some(_), Some(true)) => ("statistically tied", Tone::Holds),
        (true, Some(_), _) => ("told apart", Tone::Holds),
        (true, None, _) => ("met", Tone::Holds),
    }
}

/// Among cells whose differences are known precisely: which is best, and which cannot be told from it.
fn ties(run: &Run, target: &ResolvedTarget, labels: &BTreeMap<&str, String>) -> Vec<String> {
    let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
    let mut out = Vec::new();
    for goal in target.goals.iter().filter(|goal| goal.differences) {
        let of_goal = |reached: &&Reached| {
            reached.measure == goal.measure
                && (goal.subject.as_ref()).is_none_or(|subject| *subject == reached.subject)
        };
        // the cells that are compared, by subject, in sets that differences connect
        let mut sets: Vec<(&str, Vec<usize>)> = Vec::new();
        for reached in run.manifest.precision.iter().filter(of_goal) {
            let Some(against) = reached.against else {
                continue;
            };
            let mut set = vec![reached.cell, against];
            sets.retain(|(subject, cells)| {
                let joins = *subject == reached.subject
                    && cells.iter().any(|c| *c == reached.cell || *c == against);
                if joins {
                    set.extend(cells);
                }
                !joins
            });
            set.sort_unstable();
            set.dedup();
            sets.push((&reached.subject, set));
        }
        for (subject, cells) in sets {
            let mean = |cell: usize| {
                let row = lookup.row(cell, subject, &goal.measure, "mean")?;
                Some(row.value).filter(|value| value.is_finite())
            };
            let best = (cells.iter().copied())
                .filter_map(|cell| Some((cell, mean(cell)?)))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((best, lowest)) = best else { continue };
            let name = |cell: usize| {
                let id = run.resolved.cells[cell].id.as_str();
                labels.get(id).cloned().unwrap_or_else(|| id.to_owned())
            };
            let (mut tied, mut apart) = (Vec::new(), 0.0_f64);
            for cell in cells.iter().copied().filter(|cell| *cell != best) {
                let found = difference(&lookup, cell, best, subject, &goal.measure, "mean");
                if let Some(found) = found.filter(|found| found.low <= 0.0 && 0.0 <= found.high) {
                    tied.push(name(cell));
                    apart = apart.max(found.high.abs()).max(found.low.abs());
                }
            }
            let of = match subject {
                "all" => String::new(),
                subject => format!(" of {subject}"),
            };
            let what = format!(
                "{} has the lowest {}{of} ({})",
                name(best),
                measure_words(&goal.measure).0,
                significant(lowest, 5)
            );
            out.push(match tied.as_slice() {
                [] => format!("{what}, and every other of its {} cells is told from it.", cells.len()),
                some => format!(
                    "{what}. Statistically tied with the best, from which they differ by at most {}: {}.",
                    significant(apart, 2),
                    join(some, "and")
                ),
            });
        }
    }
    out.truncate(MOST_ROWS);
    out
}
