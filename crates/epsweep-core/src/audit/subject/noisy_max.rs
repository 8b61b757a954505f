//! Report-noisy-max that gives the noisy score of its winner away.

use super::{
    EPSILON, Pair, SENSITIVITY, Subject, SubjectKind, count, epsilon, parameter, positive,
    same_length, selection,
};
use crate::about::About;
use crate::audit::{AuditError, Outputs};
use crate::query::{Arguments, Parameter, ParameterKind};
use crate::random::{Draws, Source, StandardLaw};

const ABOUT: About = About {
    name: "noisy-max",
    summary: "report-noisy-max with Laplace noise, with or without the noisy score of the winner; an input is the list of scores",
    formula: "arg max (uᵢ + Lap(2Δ/ε))",
    source: "Dwork and Roth 2014, claim 3.9; Ding et al., CCS 2018, section 6.2, for the score that must not be released",
};

const PARAMETERS: &[Parameter] = &[
    EPSILON,
    SENSITIVITY,
    parameter(
        "release",
        ParameterKind::Choice(&["winner", "winner-and-score"]),
        true,
        "winner, or winner-and-score, which costs more than is booked",
    ),
    parameter(
        "candidates",
        ParameterKind::Number,
        false,
        "candidates of a searched pair; 4 without it",
    ),
];

pub(super) struct NoisyMaxSubject;

#[derive(Clone, Debug)]
struct NoisyMax {
    sensitivity: f64,
    scale: f64,
    score: bool,
    candidates: usize,
}

impl SubjectKind for NoisyMaxSubject {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ epsilon = 1, release = "winner", candidates = 4 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Subject>, AuditError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let sensitivity = positive(ABOUT.name, arguments, "sensitivity", 1.0)?;
        Ok(Box::new(NoisyMax {
            sensitivity,
            scale: 2.0 * sensitivity / epsilon(ABOUT.name, arguments)?,
            score: arguments.text("release") == Some("winner-and-score"),
            candidates: count(ABOUT.name, arguments, "candidates", 4)?,
        }))
    }
}

impl Subject for NoisyMax {
    fn pairs(&self) -> Vec<Pair> {
        selection::pairs(self.candidates, self.sensitivity, true)
    }

    fn check(&self, pair: &Pair) -> Result<(), AuditError> {
        same_length(ABOUT.name, pair)
    }

    fn centre(&self, input: &[f64]) -> Vec<f64> {
        let largest = input.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if self.score {
            vec![largest]
        } else {
            Vec::new()
        }
    }

    fn sources(&self, input: &[f64]) -> Vec<Source> {
        vec![Source::new("noise", StandardLaw::Laplace, input.len())]
    }

    fn run(&self, input: &[f64], draws: &Draws, out: &mut Outputs) {
        let mut largest = vec![f64::NEG_INFINITY; out.runs()];
        let (outcomes, columns) = out.parts_mut();
        for (candidate, score) in input.iter().enumerate() {
            let noise = draws.row(0, candidate);
            for ((outcome, largest), variate) in outcomes.iter_mut().zip(&mut largest).zip(noise) {
                let noisy = score + self.scale * variate;
                if noisy > *largest {
                    (*outcome, *largest) = (candidate as u32, noisy);
                }
            }
        }
        if let Some(column) = columns.first_mut() {
            column.copy_from_slice(&largest);
        }
    }

    fn outcome(&self, outcome: u32) -> Option<String> {
        Some(format!("candidate {}", outcome + 1))
    }
}
