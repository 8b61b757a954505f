//! Any mechanism that chooses one candidate.

use super::{
    EPSILON, Pair, SENSITIVITY, Subject, SubjectKind, count, epsilon, parameter, positive, refuse,
    same_length,
};
use crate::about::About;
use crate::audit::{AuditError, Outputs};
use crate::query::{Arguments, Parameter, ParameterKind};
use crate::random::{Draws, Source, StandardLaw};
use crate::selection::{self, Calibration, Form, Mechanism, Movement, Problem, Scores, uniforms};
use std::sync::LazyLock;

const ABOUT: About = About {
    name: "selection",
    summary: "a mechanism that chooses one of several candidates, by its definition; an input is the list of scores",
    formula: "the choice has the law of the mechanism at ε, form and Δ = 1",
    source: "that of the mechanism",
};

static MECHANISMS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    (selection::REGISTRY.iter())
        .map(|mechanism| mechanism.about().name)
        .collect()
});

static PARAMETERS: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    vec![
        parameter(
            "kind",
            ParameterKind::Choice(MECHANISMS.as_slice()),
            true,
            "the mechanism, by its name",
        ),
        EPSILON,
        SENSITIVITY,
        parameter(
            "form",
            ParameterKind::Choice(&["general", "monotone"]),
            false,
            "general for ε/(2Δ), or monotone for ε/Δ",
        ),
        parameter(
            "scores",
            ParameterKind::Choice(&["any-way", "one-way"]),
            false,
            "how the scores of the searched pairs move: any-way, or one-way as counts do when a record is added",
        ),
        parameter(
            "candidates",
            ParameterKind::Number,
            false,
            "candidates of a searched pair; 8 without it",
        ),
    ]
});

pub(super) struct SelectionSubject;

#[derive(Clone, Debug)]
struct Selection {
    mechanism: &'static dyn Mechanism,
    calibration: Calibration,
    any_way: bool,
    candidates: usize,
}

impl SubjectKind for SelectionSubject {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS.as_slice()
    }

    fn example(&self) -> &'static str {
        r#"{ kind = "exponential", epsilon = 1, candidates = 32 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Subject>, AuditError> {
        arguments.check(ABOUT.name, self.parameters())?;
        let name = arguments.text("kind").unwrap_or_default();
        // a name that is known: `check` has seen to it
        let Some(mechanism) = selection::mechanism(name) else {
            let rule = "its kind must be a mechanism";
            return Err(AuditError::Scale {
                mechanism: ABOUT.name,
                rule,
            });
        };
        let form = match arguments.text("form") {
            Some("monotone") => Form::Monotone,
            _ => Form::General,
        };
        let epsilon = epsilon(ABOUT.name, arguments)?;
        let delta = positive(ABOUT.name, arguments, "sensitivity", 1.0)?;
        Ok(Box::new(Selection {
            mechanism,
            // the form is what is audited: it is allowed where the scores do not move one way
            calibration: Calibration::new(epsilon, delta, Movement::OneWay, form)?,
            any_way: arguments.text("scores") != Some("one-way"),
            candidates: count(ABOUT.name, arguments, "candidates", 8)?,
        }))
    }
}

impl Selection {
    fn problem(&self, scores: &[f64]) -> Result<Problem, AuditError> {
        Ok(Problem::new(
            Scores::new(scores.to_vec())?,
            self.calibration,
        )?)
    }
}

/// Pairs of scores that are all 0 on one side, and move by Δ (the first candidate one way, the others another, or not at all).
pub(super) fn pairs(candidates: usize, delta: f64, any_way: bool) -> Vec<Pair> {
    let from_zero = |words: &str, first: f64, others: f64| {
        let mut b = vec![others; candidates];
        b[0] = first;
        Pair {
            a: vec![0.0; candidates],
            b,
            words: words.to_owned(),
        }
    };
    let mut pairs = vec![
        from_zero("one score rises by Δ", delta, 0.0),
        from_zero("all scores but one rise by Δ", 0.0, delta),
        from_zero("all scores rise by Δ", delta, delta),
    ];
    if any_way {
        pairs.push(from_zero(
            "one score falls by Δ, the others rise",
            -delta,
            delta,
        ));
        pairs.push(from_zero(
            "one score rises by Δ, the others fall",
            delta,
            -delta,
        ));
    }
    pairs
}

impl Subject for Selection {
    fn pairs(&self) -> Vec<Pair> {
        pairs(
            self.candidates,
            self.calibration.sensitivity(),
            self.any_way,
        )
    }

    fn check(&self, pair: &Pair) -> Result<(), AuditError> {
        same_length(ABOUT.name, pair)?;
        for scores in [&pair.a, &pair.b] {
            if let Err(error) = self.problem(scores) {
                return refuse(ABOUT.name, error.to_string(), "a list of scores");
            }
        }
        Ok(())
    }

    fn centre(&self, _: &[f64]) -> Vec<f64> {
        Vec::new()
    }

    fn sources(&self, _: &[f64]) -> Vec<Source> {
        vec![Source::new("choice", StandardLaw::Uniform, 0)]
    }

    fn run(&self, input: &[f64], draws: &Draws, out: &mut Outputs) {
        // scores that `check` has taken make a problem
        let Ok(problem) = self.problem(input) else {
            return;
        };
        for (run, outcome) in out.outcomes_mut().iter_mut().enumerate() {
            let mut uniforms = uniforms(draws.trial(0, run));
            *outcome = self.mechanism.choose(&problem, &mut uniforms) as u32;
        }
    }

    fn outcome(&self, outcome: u32) -> Option<String> {
        Some(format!("candidate {}", outcome + 1))
    }
}
