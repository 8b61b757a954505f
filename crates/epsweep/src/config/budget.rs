//! `[budget]`: what may be spent in all, and how the parts add up.

use super::diagnostic::Sink;
use super::source::Span;
use super::value::Value;
use epsweep_core::budget::{Budget, Delta, Epsilon, Rho};

/// How the losses of the queries add up to the total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composition {
    /// ε (and δ) of the queries add up (Dwork and Roth 2014, theorem 3.16)
    Basic,
    /// ρ of the queries add up (Bun and Steinke, TCC 2016, lemma 1.7)
    Zcdp,
}

impl Composition {
    /// The names in a file, in order.
    pub const NAMES: [&str; 2] = ["basic", "zcdp"];

    /// The name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Composition::Basic => "basic",
            Composition::Zcdp => "zcdp",
        }
    }
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
}

/// Reads `[budget]`.
pub fn read(value: &Value, sink: &Sink) -> Option<BudgetSpec> {
    let reader = value.reader(sink, "[budget]")?;
    let composition = match reader.get("composition") {
        None => Some(None),
        Some(given) => given
            .choice(sink, "composition", &Composition::NAMES)
            .map(|name| {
                Some(match name {
                    "zcdp" => (Composition::Zcdp, given.span),
                    _ => (Composition::Basic, given.span),
                })
            }),
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
    let composition = match (composition?, budget) {
        // ρ adds up by itself
        (None, Budget::Zcdp(_)) => Composition::Zcdp,
        (None, _) => Composition::Basic,
        (Some((Composition::Basic, span)), Budget::Zcdp(_)) => {
            sink.fault(span, "basic composition does not divide ρ")
                .rule("basic composition divides ε, or ε and δ; zcdp divides ρ")
                .remedy("composition = \"zcdp\", or leave it out")
                .report();
            return None;
        }
        (Some((Composition::Zcdp, span)), Budget::Pure(_)) => {
            sink.fault(span, "zcdp composition needs a δ to promise an ε")
                .rule("zcdp divides rho, or the ρ that epsilon and delta allow")
                .remedy("give `rho`, or `delta` beside `epsilon`")
                .report();
            return None;
        }
        (Some((Composition::Zcdp, span)), Budget::Approximate(_, delta)) if delta.get() == 0.0 => {
            sink.fault(span, "zcdp composition promises an ε at no δ of 0")
                .rule("0 < delta < 1")
                .report();
            return None;
        }
        (Some((composition, _)), _) => composition,
    };
    Some(BudgetSpec {
        budget,
        composition,
        joint: joint?,
        span: given.span,
    })
}
