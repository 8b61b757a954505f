//! `[budget]`: what may be spent in all, and how the parts add up.

use super::diagnostic::Sink;
use super::source::Span;
use super::value::Value;
use epsweep_core::accounting::Composition;
use epsweep_core::budget::{Budget, Delta, Epsilon, Rho};

/// How the losses add up where nothing is known of them but ε.
pub const COMPOSITIONS: &[&str] = &["basic"];

/// The names of how the losses of a release's queries add up to the total.
pub fn release_compositions() -> Vec<&'static str> {
    Composition::ALL
        .iter()
        .map(|composition| composition.about().name)
        .collect()
}

/// What `[budget]` says.
#[derive(Clone, Copy, Debug)]
pub struct BudgetSpec {
    /// the total
    pub budget: Budget,
    /// how it is divided
    pub composition: Composition,
    /// whether the joint sensitivity of the queries is used: what one record cannot do to all of them at once is not paid for
    pub joint: bool,
    /// where the total stands
    pub span: Span,
    /// where the composition stands, or the total
    pub composition_span: Span,
    /// where a δ of 0 stands, which is as good as none
    pub no_delta: Option<Span>,
}

/// What `[budget]` says of a selection.
#[derive(Clone, Copy, Debug)]
pub struct SelectBudget {
    /// the total ε: finite, at least 0
    pub epsilon: f64,
    /// how slots add up to it: a name of [`COMPOSITIONS`]
    pub composition: &'static str,
    /// where the total stands
    pub span: Span,
}

/// Reads `[budget]` for a selection, which needs a pure ε and may spend nothing: at ε = 0 the choice is uniform.
pub fn read_select(value: &Value, sink: &Sink) -> Option<SelectBudget> {
    let reader = value.reader(sink, "[budget]")?;
    let composition = match reader.get("composition") {
        None => Some("basic"),
        Some(given) => given.choice(sink, "composition", COMPOSITIONS),
    };
    let given = reader.need("epsilon");
    for other in ["delta", "rho"] {
        if let Some(other_given) = reader.get(other) {
            sink.fault(
                other_given.span,
                format!("a selection cannot spend `{other}`"),
            )
            .rule("a pure ε, at least 0")
            .remedy("give `epsilon` alone")
            .report();
        }
    }
    reader.finish();
    let given = given?;
    let epsilon = given.real(sink)?;
    if !(epsilon >= 0.0 && epsilon.is_finite()) {
        sink.fault(given.span, format!("ε is {given}"))
            .rule("a selection takes a finite ε, at least 0 (at 0 the choice is uniform)")
            .report();
        return None;
    }
    Some(SelectBudget {
        // adding 0 turns −0 into 0
        epsilon: epsilon + 0.0,
        composition: composition?,
        span: given.span,
    })
}

/// An ε that can be spent.
pub(super) fn epsilon(number: f64, span: Span, sink: &Sink) -> Option<f64> {
    (Epsilon::new(number))
        .map(Epsilon::get)
        .map_err(|error| sink.fault(span, error.to_string()).report())
        .ok()
}

/// A δ that can be asked for.
pub(super) fn delta(number: f64, span: Span, sink: &Sink) -> Option<f64> {
    (Delta::new(number))
        .map(Delta::get)
        .map_err(|error| sink.fault(span, error.to_string()).report())
        .ok()
}

fn is_zero(budget: Budget) -> bool {
    matches!(budget, Budget::Approximate(_, delta) if delta.get() == 0.0)
}

/// Reads `[budget]`.
pub fn read(value: &Value, sink: &Sink) -> Option<BudgetSpec> {
    let reader = value.reader(sink, "[budget]")?;
    let given_composition = reader.get("composition");
    let composition = match given_composition {
        // ρ adds up by itself
        None if reader.get("rho").is_some() => Some(Composition::Zcdp),
        None => Some(Composition::Basic),
        Some(given) => (given.choice(sink, "composition", &release_compositions()))
            .and_then(Composition::named),
    };
    let joint = reader
        .get("joint")
        .map_or(Some(false), |given| given.flag(sink));
    let delta = reader.get("delta");
    let total = reader.one_of("a total", &["epsilon", "rho"]);
    reader.finish();
    let (form, given) = total?;
    let refused =
        |error: &dyn std::fmt::Display, span| sink.fault(span, error.to_string()).report();
    let number = given.real(sink)?;
    let budget = if form == 0 {
        let epsilon = Epsilon::new(number)
            .map_err(|error| refused(&error, given.span))
            .ok();
        match delta {
            None => Budget::Pure(epsilon?),
            Some(delta) => {
                let value = Delta::new(delta.real(sink)?);
                let value = value.map_err(|error| refused(&error, delta.span)).ok();
                Budget::Approximate(epsilon?, value?)
            }
        }
    } else {
        if let Some(delta) = delta {
            sink.fault(delta.span, "`delta` does not go with `rho`")
                .rule("epsilon, epsilon with delta, or rho")
                .report();
            return None;
        }
        Budget::Zcdp(
            Rho::new(number)
                .map_err(|error| refused(&error, given.span))
                .ok()?,
        )
    };
    Some(BudgetSpec {
        budget,
        composition: composition?,
        joint: joint?,
        span: given.span,
        composition_span: given_composition.map_or(given.span, |value| value.span),
        no_delta: (delta.filter(|_| is_zero(budget))).map(|delta| delta.span),
    })
}
