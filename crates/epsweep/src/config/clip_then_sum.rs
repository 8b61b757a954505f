//! `[procedure.clip-then-sum]`: the column, its bound, and how the three stages share the budget.

use super::diagnostic::Sink;
use super::procedure::Chosen;
use super::source::Span;
use super::value::Value;
use crate::config::data::Used;
use epsweep_core::budget::Shares;
use epsweep_core::pipeline::Bound;

/// Most candidates for the bound.
const MOST_POINTS: u64 = 100_000;

/// What `[procedure.clip-then-sum]` says.
#[derive(Clone, Debug)]
pub struct StagedSpec {
    /// where the section stands
    pub span: Span,
    /// the column
    pub column: Used,
    /// where the bound comes from
    pub bound: Bound,
    /// of choosing, summing and counting
    pub shares: Shares,
    /// where they stand, or the section
    pub shares_span: Span,
}

/// Reads `[procedure.clip-then-sum]`.
pub fn read(chosen: &Chosen<'_>, sink: &Sink) -> Option<StagedSpec> {
    let reader = chosen.section?.reader(sink, "[procedure.clip-then-sum]")?;
    let column = reader
        .need("column")
        .and_then(|given| Some(Used::new(given.text(sink)?, given.span)));
    let bound = reader.need("bound").and_then(|given| bound(given, sink));
    let given = reader.need("shares");
    let shares = given.and_then(|given| shares(given, sink));
    let span = reader.span();
    reader.finish();
    Some(StagedSpec {
        span,
        column: column?,
        bound: bound?,
        shares: shares?,
        shares_span: given.map_or(span, |given| given.span),
    })
}

/// A number, or `{ quantile = …, points = … }`, which may have a `name` that labels an axis.
fn bound(value: &Value, sink: &Sink) -> Option<Bound> {
    if value.as_table().is_none() {
        return value.finite(sink).map(Bound::Declared);
    }
    let reader = value.reader(sink, "`bound`")?;
    if let Some(name) = reader.get("name") {
        name.text(sink);
    }
    let order = reader.need("quantile").and_then(|given| {
        let order = given.finite(sink)?;
        if order > 0.0 && order < 1.0 {
            return Some(order);
        }
        sink.fault(given.span, format!("`quantile` is {given}"))
            .rule("between 0 and 1")
            .report();
        None
    });
    let points = reader
        .need("points")
        .and_then(|given| given.whole(sink, 2, MOST_POINTS));
    reader.finish();
    Some(Bound::Quantile {
        order: order?,
        points: points? as usize,
    })
}

/// Three numbers that sum to 1, or `{ name = "…", shares = [ … ] }`, whose name labels an axis.
fn shares(value: &Value, sink: &Sink) -> Option<Shares> {
    let list = match value.as_table() {
        None => value,
        Some(_) => {
            let reader = value.reader(sink, "the shares")?;
            reader.need("name").and_then(|name| name.text(sink));
            let list = reader.need("shares");
            reader.finish();
            list?
        }
    };
    let numbers: Option<Vec<f64>> = (list.list(sink)?.iter())
        .map(|share| share.real(sink))
        .collect();
    match Shares::new(numbers?) {
        Ok(shares) => Some(shares),
        Err(error) => {
            sink.fault(list.span, error.to_string()).report();
            None
        }
    }
}
