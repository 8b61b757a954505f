//! `[[claim]]`: statements of a source, with what has been established about them.

use super::diagnostic::Sink;
use super::reader::Reader;
use super::value::Value;
use super::vocabulary::{STATISTICS, Vocabulary};
use crate::claim::{Band, Claim, ClaimKind, Fact, Of, Part, Quantity, Verdict};
use std::collections::BTreeMap;

/// Kinds of claims, each a key of `[[claim]]`.
pub const KINDS: &[&str] = &[
    "value",
    "exact",
    "ratio",
    "order",
    "best_on_axis",
    "equal_across",
    "probability",
];

/// How far an exact value may lie from the number claimed where the file does not say, relative to it: rounding alone.
const ROUNDING: f64 = 1e-9;

/// Facts that need no simulation.
const FACTS: &[(&str, Fact)] = &[
    ("truth", Fact::Truth),
    ("sensitivity", Fact::Sensitivity),
    ("budget", Fact::Budget),
    ("share", Fact::Share),
    ("scale", Fact::Scale),
];

/// Gives the sensitivity of a query that is not released, for the data of a cell; its faults go to the sink.
pub type Inline<'a> = dyn Fn(&Value, &BTreeMap<String, String>) -> Option<f64> + 'a;

/// What claims are read with.
pub struct Context<'a> {
    /// the names of the experiment
    pub words: &'a Vocabulary<'a>,
    /// sensitivities of queries that are not released
    pub inline: &'a Inline<'a>,
    /// where faults go
    pub sink: &'a Sink,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("words", self.words)
            .finish_non_exhaustive()
    }
}

/// Reads every `[[claim]]`.
pub fn read(value: &Value, context: &Context<'_>) -> Option<Vec<Claim>> {
    let mut out: Vec<Claim> = Vec::new();
    let mut good = true;
    for given in value.list(context.sink)? {
        match claim(given, &out, context) {
            Some(claim) => out.push(claim),
            None => good = false,
        }
    }
    good.then_some(out)
}

fn claim(value: &Value, before: &[Claim], context: &Context<'_>) -> Option<Claim> {
    let sink = context.sink;
    let reader = value.reader(sink, "[[claim]]")?;
    let id = reader.need("id").and_then(|given| {
        let id = given.text(sink)?;
        let twice = before.iter().any(|claim| claim.id == id);
        if id.trim().is_empty() || twice {
            let what = if twice { "is there twice" } else { "is blank" };
            sink.fault(given.span, format!("the claim's id {given} {what}"))
                .rule("each claim has an id of its own; a second part of B3 can be B3b")
                .report();
            return None;
        }
        Some(id.to_owned())
    });
    let text = reader.need("text").and_then(|given| given.text(sink));
    let expected = reader.need("verdict").and_then(|given| {
        Some(
            match given.choice(sink, "verdict", &["holds", "refuted", "undecided"])? {
                "holds" => Verdict::Holds,
                "refuted" => Verdict::Refuted,
                _ => Verdict::Undecided,
            },
        )
    });
    let kind = (reader.one_of("a kind", KINDS))
        .and_then(|(kind, given)| self::kind(KINDS[kind], given, context));
    reader.finish();
    Some(Claim {
        id: id?,
        text: text?.to_owned(),
        kind: kind?,
        expected: expected?,
    })
}

fn kind(name: &str, value: &Value, context: &Context<'_>) -> Option<ClaimKind> {
    let sink = context.sink;
    let reader = value.reader(sink, format!("`{name}`"))?;
    let kind = match name {
        "value" => {
            let quantity = quantity(&reader, value, Free::No, Part::Value, context);
            let band = band(&reader, None, sink);
            quantity.and_then(|quantity| Some(ClaimKind::Value(quantity, band?)))
        }
        "exact" => {
            let quantity = quantity(&reader, value, Free::No, Part::Exact, context);
            let band = band(&reader, Some(ROUNDING), sink);
            quantity.and_then(|quantity| Some(ClaimKind::Exact(quantity, band?)))
        }
        "ratio" => {
            let above = quantity(&reader, value, Free::No, Part::Value, context);
            let below = reader
                .need("over")
                .and_then(|given| nested(given, "`over`", context));
            let band = band(&reader, None, sink);
            above.and_then(|above| Some(ClaimKind::Ratio(above, below?, band?)))
        }
        "order" => {
            let lower = reader
                .need("lower")
                .and_then(|given| nested(given, "`lower`", context));
            let higher = reader
                .need("higher")
                .and_then(|given| nested(given, "`higher`", context));
            lower.and_then(|lower| Some(ClaimKind::Order(lower, higher?)))
        }
        "best_on_axis" => best_on_axis(&reader, value, context),
        "equal_across" => equal_across(&reader, value, context),
        _ => probability(&reader, value, context),
    };
    reader.finish();
    kind
}

fn nested(value: &Value, what: &str, context: &Context<'_>) -> Option<Quantity> {
    let reader = value.reader(context.sink, what)?;
    let quantity = quantity(&reader, value, Free::No, Part::Value, context);
    reader.finish();
    quantity
}

fn best_on_axis(reader: &Reader<'_>, value: &Value, context: &Context<'_>) -> Option<ClaimKind> {
    let sink = context.sink;
    let axis = reader
        .need("axis")
        .and_then(|given| context.words.axis(given.text(sink)?, given, sink));
    let highest = match reader.get("highest") {
        None => Some(false),
        Some(given) => given.flag(sink),
    };
    let claimed = (reader.need("claimed"), axis);
    let claimed = match claimed {
        (Some(given), Some(axis)) => context.words.label(axis, given, sink),
        _ => None,
    };
    let free = axis.map_or(Free::No, |axis| Free::Axis(&axis.name));
    let of = quantity(reader, value, free, Part::Value, context);
    Some(ClaimKind::BestOnAxis {
        of: of?,
        axis: axis?.name.clone(),
        claimed: claimed?,
        highest: highest?,
    })
}

fn equal_across(reader: &Reader<'_>, value: &Value, context: &Context<'_>) -> Option<ClaimKind> {
    let sink = context.sink;
    let axis = reader
        .need("axis")
        .and_then(|given| match given.text(sink)? {
            "subject" => Some("subject".to_owned()),
            name => context
                .words
                .axis(name, given, sink)
                .map(|axis| axis.name.clone()),
        });
    let free = match axis.as_deref() {
        None => Free::No,
        Some("subject") => Free::Subject,
        Some(axis) => Free::Axis(axis),
    };
    let of = quantity(reader, value, free, Part::Value, context);
    let tolerance = match reader.get("tolerance") {
        None => Some(ROUNDING),
        Some(given) => {
            let inner = given.reader(sink, "`tolerance`")?;
            let relative = inner
                .need("relative")
                .and_then(|given| not_negative(given, sink));
            inner.finish();
            relative
        }
    };
    Some(ClaimKind::EqualAcross {
        of: of?,
        axis: axis?,
        tolerance: tolerance?,
    })
}

fn probability(reader: &Reader<'_>, value: &Value, context: &Context<'_>) -> Option<ClaimKind> {
    let sink = context.sink;
    let band = band(reader, None, sink);
    let win = reader.get("of").and_then(Value::as_text) == Some("win");
    if !win {
        let quantity = quantity(reader, value, Free::No, Part::Value, context);
        return Some(ClaimKind::Probability(quantity?, band?));
    }
    let measure = reader
        .need("measure")
        .and_then(|given| context.words.measure(given.text(sink)?, given, sink));
    if let (Some(measure), Some(given)) = (measure, reader.get("measure"))
        && !measure.compared
    {
        let message = format!(
            "cells are not compared by `{}`: lower is not better",
            measure.name
        );
        sink.fault(given.span, message).report();
        return None;
    }
    let subject = reader.get("subject");
    let subject = measure.and_then(|measure| context.words.subject(measure, subject, value, sink));
    let cell = |key: &str| {
        let given = reader.need(key)?;
        context.words.cell(Some(given), None, true, value, sink)
    };
    let (a, b) = (cell("a"), cell("b"));
    if a.is_some() && a == b {
        sink.fault(value.span, "`a` and `b` are the same cell")
            .report();
        return None;
    }
    Some(ClaimKind::Win {
        measure: measure?.name.to_owned(),
        subject: subject?,
        a: a?,
        b: b?,
        band: band?,
    })
}

/// What a quantity leaves open.
#[derive(Clone, Copy)]
enum Free<'a> {
    /// nothing
    No,
    /// the value of an axis
    Axis(&'a str),
    /// the query
    Subject,
}

/// The keys `of`, `subject`, `cell` and `query` of a table.
fn quantity(
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
                (_, Some(given)) => words.query(given, sink),
                (_, None) => {
                    sink.fault(owner.span, format!("the `{text}` of which query?"))
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
) -> Option<(Of, super::vocabulary::MeasureName)> {
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
            .names(statistic, STATISTICS)
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

fn not_negative(given: &Value, sink: &Sink) -> Option<f64> {
    let number = given.finite(sink)?;
    if number >= 0.0 {
        return Some(number);
    }
    sink.fault(given.span, format!("the tolerance {given} is negative"))
        .report();
    None
}

/// The keys `claimed` with `tolerance`, `at_most`, `at_least` or `between`.
fn band(reader: &Reader<'_>, default: Option<f64>, sink: &Sink) -> Option<Band> {
    let tolerance = reader.get("tolerance");
    let (form, given) = reader.one_of(
        "a number that is claimed",
        &["claimed", "at_most", "at_least", "between"],
    )?;
    if form != 0
        && let Some(tolerance) = tolerance
    {
        sink.fault(tolerance.span, "a tolerance goes with `claimed` only")
            .remedy("move the bound itself")
            .report();
        return None;
    }
    let band = match form {
        0 => {
            let claimed = given.finite(sink)?;
            let half = match (tolerance, default) {
                (Some(tolerance), _) => half_width(tolerance, claimed, sink)?,
                (None, Some(relative)) => relative * claimed.abs(),
                (None, None) => {
                    sink.fault(
                        given.span,
                        "how near must a number be to agree with the one claimed?",
                    )
                    .rule("tolerance = { relative = 0.05 } or { absolute = 2 }")
                    .report();
                    return None;
                }
            };
            Band {
                low: claimed - half,
                high: claimed + half,
                claimed,
            }
        }
        1 => {
            let claimed = given.finite(sink)?;
            Band {
                low: f64::NEG_INFINITY,
                high: claimed,
                claimed,
            }
        }
        2 => {
            let claimed = given.finite(sink)?;
            Band {
                low: claimed,
                high: f64::INFINITY,
                claimed,
            }
        }
        _ => {
            let [low, high] = given.pair(sink)?;
            if low > high {
                sink.fault(given.span, format!("the band {given} is reversed"))
                    .rule("low ≤ high")
                    .report();
                return None;
            }
            Band {
                low,
                high,
                claimed: low / 2.0 + high / 2.0,
            }
        }
    };
    Some(band)
}

fn half_width(value: &Value, claimed: f64, sink: &Sink) -> Option<f64> {
    let reader = value.reader(sink, "`tolerance`")?;
    let form = reader.one_of("its size", &["relative", "absolute"]);
    reader.finish();
    let (form, given) = form?;
    let size = not_negative(given, sink)?;
    Some(if form == 0 {
        size * claimed.abs()
    } else {
        size
    })
}
