//! The numbers that claims are about: statistics of measures, and facts of queries.

use super::Context;
use crate::claim::{Fact, Of, Part, Quantity};
use crate::config::reader::Reader;
use crate::config::value::Value;
use crate::config::vocabulary::MeasureName;
use crate::summary::STATISTICS;

/// Facts that need no simulation.
pub const FACTS: &[(&str, Fact)] = &[
    ("truth", Fact::Truth),
    ("sensitivity", Fact::Sensitivity),
    ("budget", Fact::Budget),
    ("share", Fact::Share),
    ("scale", Fact::Scale),
    ("loss", Fact::Loss),
];

/// What a quantity leaves open.
#[derive(Clone, Copy)]
pub(super) enum Free<'a> {
    /// nothing
    No,
    /// the value of an axis
    Axis(&'a str),
    /// the query
    Subject,
}

/// The keys `of`, `subject`, `cell` and `query` of a table.
pub(super) fn quantity(
    reader: &Reader<'_>,
    owner: &Value,
    free: Free<'_>,
    part: Part,
    context: &Context<'_>,
) -> Option<Quantity> {
    let (sink, words) = (context.sink, context.words);
    let axis = match free {
        Free::Axis(axis) => Some(axis),
        _ => None,
    };
    // asked for first, so that they are known keys whatever else is wrong
    let (subject, query) = (reader.get("subject"), reader.get("query"));
    let cell = words.cell(reader.get("cell"), axis, true, owner, sink);
    let given = reader.need("of")?;
    let text = given.text(sink)?;
    if let (Free::Subject, Some(subject)) = (free, subject) {
        sink.fault(subject.span, "the claim is about every query")
            .remedy("leave `subject` out")
            .report();
        return None;
    }
    let (of, subject) = match FACTS.iter().find(|(name, _)| *name == text) {
        Some((_, Fact::Sensitivity)) if query.is_some() => {
            let number = (context.inline)(query?, cell.as_ref()?)?;
            (Of::Sensitivity(number), String::new())
        }
        Some((_, fact)) => {
            let subject = match (free, subject) {
                (Free::Subject, _) => Some("all".to_owned()),
                (_, Some(given)) => words.any_query(given, sink),
                (_, None) => {
                    sink.fault(owner.span, format!("the `{text}` of which {}?", words.noun))
                        .rule(format!("subject = one of: {}", words.queries.join(", ")))
                        .report();
                    None
                }
            };
            (Of::Fact(*fact), subject?)
        }
        None => {
            let (of, measure) = statistic(text, given, part, context)?;
            let subject = match free {
                Free::Subject if measure.of_all => {
                    sink.fault(
                        given.span,
                        format!("`{}` is of all queries together", measure.name),
                    )
                    .report();
                    None
                }
                Free::Subject => Some("all".to_owned()),
                _ => words.subject(measure, subject, owner, sink),
            };
            (of, subject?)
        }
    };
    if let (Some(query), false) = (query, matches!(of, Of::Sensitivity(_))) {
        sink.fault(
            query.span,
            format!("`query` goes with of = \"sensitivity\", not with \"{text}\""),
        )
        .report();
        return None;
    }
    Some(Quantity {
        of,
        subject,
        cell: cell?,
    })
}

/// `MEASURE.STATISTIC`, or with `.mcse` or `.exact` behind it.
fn statistic(
    text: &str,
    given: &Value,
    part: Part,
    context: &Context<'_>,
) -> Option<(Of, MeasureName)> {
    let sink = context.sink;
    let words: Vec<&str> = text.split('.').collect();
    let (measure, statistic, part) = match words.as_slice() {
        [measure, statistic] => (*measure, *statistic, part),
        [measure, statistic, "mcse"] => (*measure, *statistic, Part::Mcse),
        [measure, statistic, "exact"] => (*measure, *statistic, Part::Exact),
        _ => {
            let names: Vec<&str> = FACTS.iter().map(|(name, _)| *name).collect();
            sink.fault(given.span, format!("{given} is neither a statistic of a measure nor a fact"))
                .names(text, &names)
                .remedy("a statistic is written MEASURE.STATISTIC, as in \"max_abs_error.mean\"; its Monte Carlo standard error with .mcse behind it")
                .report();
            return None;
        }
    };
    let measure = context.words.measure(measure, given, sink);
    if !STATISTICS.contains(&statistic) {
        sink.fault(given.span, format!("there is no statistic `{statistic}`"))
            .names(statistic, &STATISTICS)
            .report();
        return None;
    }
    let measure = measure?;
    let of = Of::Statistic {
        measure: measure.name.to_owned(),
        statistic: statistic.to_owned(),
        part,
    };
    Some((of, measure))
}
