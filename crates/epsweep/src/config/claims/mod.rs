//! `[[claim]]`: statements of a source, with what has been established about them.

mod band;
mod quantity;

use super::diagnostic::Sink;
use super::reader::Reader;
use super::value::Value;
use super::vocabulary::Vocabulary;
use crate::claim::{Claim, ClaimKind, Part, Quantity, Verdict};
use band::{band, not_negative};
pub use quantity::FACTS;
use quantity::{Free, quantity};
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
