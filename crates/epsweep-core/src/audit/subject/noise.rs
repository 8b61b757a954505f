//! Any noise of the registry, on one or several queries.

use super::additive::Additive;
use super::{Pair, SENSITIVITY, Subject, SubjectKind, budget, count, parameter, positive};
use crate::about::About;
use crate::audit::AuditError;
use crate::noise;
use crate::query::{Arguments, Parameter, ParameterKind};
use crate::sensitivity::Sensitivity;
use std::sync::LazyLock;

const ABOUT: About = About {
    name: "noise",
    summary: "additive noise of any kind, on one or several queries under one budget; an input is the list of true answers",
    formula: "y = f + noise, calibrated to Δ₁ = kΔ and Δ₂ = √k·Δ",
    source: "that of the noise",
};

static KINDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| noise::kinds().map(|kind| kind.about().name).collect());

static PARAMETERS: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let number = ParameterKind::Number;
    vec![
        parameter(
            "kind",
            ParameterKind::Choice(KINDS.as_slice()),
            true,
            "the noise, by its name",
        ),
        parameter(
            "epsilon",
            number,
            false,
            "ε that the noise is calibrated to",
        ),
        parameter("delta", number, false, "δ that the noise is calibrated to"),
        parameter("rho", number, false, "ρ that the noise is calibrated to"),
        SENSITIVITY,
        parameter(
            "queries",
            number,
            false,
            "how many queries there are; 1 without it",
        ),
        parameter(
            "draws",
            ParameterKind::Choice(&["independent", "shared"]),
            false,
            "whether every query has a draw of its own, as it must, or all share one",
        ),
    ]
});

pub(super) struct NoiseSubject;

impl SubjectKind for NoiseSubject {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS.as_slice()
    }

    fn example(&self) -> &'static str {
        r#"{ kind = "laplace", epsilon = 1 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Subject>, AuditError> {
        arguments.check(ABOUT.name, self.parameters())?;
        let name = arguments.text("kind").unwrap_or_default();
        // a name that is known: `check` has seen to it
        let Some(kind) = noise::kind(name) else {
            let rule = "its kind must be a noise";
            return Err(AuditError::Scale {
                mechanism: ABOUT.name,
                rule,
            });
        };
        let delta = positive(ABOUT.name, arguments, "sensitivity", 1.0)?;
        let queries = count(ABOUT.name, arguments, "queries", 1)?;
        let k = queries as f64;
        let sensitivity = Sensitivity {
            l1: k * delta,
            l2: k.sqrt() * delta,
        };
        let noise = kind.calibrate(sensitivity, Some(budget(ABOUT.name, arguments)?))?;
        let shared = arguments.text("draws") == Some("shared");
        let subject = Additive::new(ABOUT.name, noise, shared, pairs(queries, delta))?;
        Ok(Box::new(subject))
    }
}

/// Every answer moves by Δ: all up, every other one down, or the first alone.
fn pairs(queries: usize, delta: f64) -> Vec<Pair> {
    let from_zero = |words: &str, moves: &dyn Fn(usize) -> f64| Pair {
        a: vec![0.0; queries],
        b: (0..queries).map(moves).collect(),
        words: words.to_owned(),
    };
    let mut pairs = vec![from_zero("every answer rises by Δ", &|_| delta)];
    if queries > 1 {
        pairs.push(from_zero(
            "every other answer falls by Δ, the rest rise",
            &|query| {
                if query % 2 == 0 { delta } else { -delta }
            },
        ));
        pairs.push(from_zero("one answer rises by Δ", &|query| {
            if query == 0 { delta } else { 0.0 }
        }));
    }
    pairs
}
