//! `trials = { precision = … }`: trials until the numbers that matter are precise enough.

use super::diagnostic::Sink;
use super::reader::Reader;
use super::settings::MOST_TRIALS;
use super::value::{Kind, Value};
use super::vocabulary::Vocabulary;
use crate::record::{Margin, ResolvedGoal, ResolvedTarget};
use crate::summary::STATISTICS;
use std::collections::BTreeMap;

/// Trials before precision is looked at, where the file does not say: intervals of fewer can be too narrow to stop by.
pub const AT_LEAST: u64 = 10_000;

/// Most trials, where the file does not say.
pub const AT_MOST: u64 = 1_000_000_000;

/// Whether a value of `trials` is a target.
pub fn is_target(trials: &Value) -> bool {
    trials.as_table().is_some()
}

/// Reads a target. `cell` gives the number of a cell by its labels.
pub fn read(
    trials: &Value,
    words: &Vocabulary<'_>,
    cell: &dyn Fn(&BTreeMap<String, String>) -> usize,
    sink: &Sink,
) -> Option<ResolvedTarget> {
    let reader = trials.reader(sink, "`trials`")?;
    let whole = |key: &str, least: u64, default: u64| match reader.get(key) {
        None => Some(default),
        Some(given) => given.whole(sink, least, MOST_TRIALS),
    };
    let given = reader.need("precision");
    let (at_least, at_most) = (whole("at_least", 2, AT_LEAST), whole("at_most", 2, AT_MOST));
    let goals = given.and_then(|given| match &given.kind {
        Kind::List(list) if list.is_empty() => {
            (sink.fault(given.span, "the list of precisions is empty"))
                .remedy("give one, or a number of trials instead")
                .report();
            None
        }
        Kind::List(list) => {
            let goals: Vec<_> = (list.iter())
                .map(|given| goals(given, words, cell, sink))
                .collect();
            goals
                .into_iter()
                .collect::<Option<Vec<_>>>()
                .map(|g| g.concat())
        }
        _ => goals(given, words, cell, sink),
    });
    reader.finish();
    let (at_least, at_most) = (at_least?, at_most?);
    if at_least > at_most {
        let span = reader_span(trials, "at_most", "at_least");
        (sink.fault(
            span,
            format!("at least {at_least} trials and at most {at_most}"),
        ))
        .rule("at_least ≤ at_most")
        .report();
        return None;
    }
    Some(ResolvedTarget {
        at_least,
        at_most,
        // known when the claims are
        compared: String::new(),
        goals: goals?,
    })
}

fn reader_span(trials: &Value, one: &str, other: &str) -> super::source::Span {
    let table = trials.as_table();
    let found = table.and_then(|table| table.get(one).or_else(|| table.get(other)));
    found.map_or(trials.span, |value| value.span)
}

/// The goals of one table: one for each measure.
fn goals(
    value: &Value,
    words: &Vocabulary<'_>,
    cell: &dyn Fn(&BTreeMap<String, String>) -> usize,
    sink: &Sink,
) -> Option<Vec<ResolvedGoal>> {
    let reader = value.reader(sink, "the precision")?;
    let subject = reader.get("subject");
    let differences = match reader.get("differences") {
        None => Some(None),
        Some(given) => pairs(given, words, cell, sink).map(Some),
    };
    let margin = margin(&reader, &differences, sink);
    let measures = reader.need("measure").and_then(|given| match &given.kind {
        Kind::List(list) => {
            let read: Vec<_> = list
                .iter()
                .map(|given| measure(given, words, sink))
                .collect();
            if list.is_empty() {
                sink.fault(given.span, "the list of measures is empty")
                    .report();
            }
            (read.into_iter().collect::<Option<Vec<_>>>()).filter(|found| !found.is_empty())
        }
        _ => measure(given, words, sink).map(|found| vec![found]),
    });
    reader.finish();
    let (differences, margin) = (differences?, margin?);
    let mut goals = Vec::new();
    for (measure, statistic, at) in measures? {
        let subject = match subject {
            None => None,
            Some(_) => Some(words.subject(measure, subject, value, sink)?),
        };
        if differences.is_some() && (statistic != "mean" || !measure.compared) {
            let message = match measure.compared {
                true => format!(
                    "cells are not compared by the {statistic} of `{}`",
                    measure.name
                ),
                false => format!(
                    "cells are not compared by `{}`: lower is not better",
                    measure.name
                ),
            };
            (sink.fault(at.span, message))
                .rule("differences are of means over paired trials, of measures of which lower is better")
                .report();
            return None;
        }
        goals.push(ResolvedGoal {
            measure: measure.name.to_owned(),
            statistic: statistic.to_owned(),
            subject,
            margin,
            differences: differences.is_some(),
            pairs: differences.clone().unwrap_or_default(),
        });
    }
    Some(goals)
}

/// `MEASURE`, whose mean is meant, or `MEASURE.STATISTIC`.
fn measure<'v>(
    given: &'v Value,
    words: &Vocabulary<'_>,
    sink: &Sink,
) -> Option<(super::vocabulary::MeasureName, &'static str, &'v Value)> {
    let text = given.text(sink)?;
    let (name, statistic) = text.split_once('.').unwrap_or((text, "mean"));
    let measure = words.measure(name, given, sink);
    let statistics: Vec<&'static str> = (STATISTICS.iter().copied())
        .filter(|statistic| !["min", "max"].contains(statistic))
        .collect();
    let found = statistics.iter().copied().find(|known| *known == statistic);
    if found.is_none() {
        (sink.fault(
            given.span,
            format!("there is no interval of a statistic `{statistic}`"),
        ))
        .names(statistic, &statistics)
        .report();
    }
    Some((measure?, found?, given))
}

fn margin(
    reader: &Reader<'_>,
    differences: &Option<Option<Vec<[usize; 2]>>>,
    sink: &Sink,
) -> Option<Margin> {
    let (which, given) = reader.one_of("how precise", &["relative", "absolute"])?;
    let number = given.finite(sink)?;
    if number <= 0.0 {
        (sink.fault(
            given.span,
            format!("a half-width of {given} is never reached"),
        ))
        .rule("more than 0")
        .report();
        return None;
    }
    if which == 1 {
        return Some(Margin::Absolute(number));
    }
    // also where the differences themselves are faulty
    if !matches!(differences, Some(None)) {
        (sink.fault(given.span, "a relative precision of differences"))
            .rule("cells that are tied differ by 0, and no interval is narrower than a part of 0")
            .remedy("absolute = the difference that matters, in the measure's unit")
            .report();
        return None;
    }
    Some(Margin::Relative(number))
}

/// `true` for all pairs that are compared, which is an empty list, or a list of { a = cell, b = cell }.
fn pairs(
    given: &Value,
    words: &Vocabulary<'_>,
    cell: &dyn Fn(&BTreeMap<String, String>) -> usize,
    sink: &Sink,
) -> Option<Vec<[usize; 2]>> {
    let Kind::List(list) = &given.kind else {
        if given.flag(sink)? {
            return Some(Vec::new());
        }
        (sink.fault(given.span, "differences = false asks for nothing"))
            .remedy("leave it out")
            .report();
        return None;
    };
    if list.is_empty() {
        (sink.fault(given.span, "the list of differences is empty"))
            .rule("true, or a list of { a = { AXIS = value }, b = { AXIS = value } }")
            .report();
        return None;
    }
    let mut out: Option<Vec<[usize; 2]>> = Some(Vec::new());
    for pair in list {
        let read = |pair: &Value| -> Option<[usize; 2]> {
            let reader = pair.reader(sink, "the difference")?;
            let side = |key: &str| {
                let given = reader.need(key)?;
                words.cell(Some(given), None, true, pair, sink)
            };
            let (a, b) = (side("a"), side("b"));
            reader.finish();
            let (a, b) = (a?, b?);
            if a == b {
                sink.fault(pair.span, "`a` and `b` are the same cell")
                    .report();
                return None;
            }
            Some([cell(&a), cell(&b)])
        };
        match (read(pair), &mut out) {
            (Some(pair), Some(out)) => out.push(pair),
            _ => out = None,
        }
    }
    out
}
