//! Gates of the sparse vector technique, private and broken ones.

use super::{
    EPSILON, Pair, SENSITIVITY, Subject, SubjectKind, count, epsilon, parameter, positive, refuse,
    same_length,
};
use crate::about::About;
use crate::audit::{AuditError, Outputs};
use crate::query::{Arguments, Parameter, ParameterKind};
use crate::random::{Draws, Source, StandardLaw};
use crate::stream::{Answering, Calibrated, Lockstep, Played, Queries, Rows, Setting, gate};
use std::sync::LazyLock;

const ABOUT: About = About {
    name: "sparse-vector",
    summary: "a gate of the sparse vector technique on a stream; an input is the list of true answers, each less its threshold",
    formula: "one bit for each query asked: aᵢ = [qᵢ + νᵢ ≥ T + ρ]; νᵢ and ρ as the gate says",
    source: "that of the gate; Lyu, Su and Li, VLDB 2017, for the broken ones and the pairs that show it",
};

static GATES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    gate::REGISTRY
        .iter()
        .map(|gate| gate.about().name)
        .collect()
});

static PARAMETERS: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let number = ParameterKind::Number;
    vec![
        parameter(
            "gate",
            ParameterKind::Choice(GATES.as_slice()),
            true,
            "the gate, by its name",
        ),
        EPSILON,
        SENSITIVITY,
        parameter(
            "limit",
            number,
            false,
            "c, positive answers after which a gate that closes does; 1 without it",
        ),
        parameter(
            "queries",
            number,
            false,
            "queries of a searched pair, at most 64; 8 without it",
        ),
    ]
});

pub(super) struct SparseVectorSubject;

/// Most queries of a stream: their answers are kept as bits.
const MOST: usize = 64;
/// Most queries of a gate that never closes whose answers are one outcome; those of longer streams are numbers.
const OUTCOME: usize = 8;

#[derive(Clone, Debug)]
struct SparseVector {
    gate: Calibrated,
    sensitivity: f64,
    queries: usize,
}

impl SubjectKind for SparseVectorSubject {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS.as_slice()
    }

    fn example(&self) -> &'static str {
        r#"{ gate = "svt-alg7", epsilon = 1, queries = 8 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Subject>, AuditError> {
        arguments.check(ABOUT.name, self.parameters())?;
        let name = arguments.text("gate").unwrap_or_default();
        // a name that is known: `check` has seen to it
        let Some(gate) = gate::find(name) else {
            let rule = "its gate must be known";
            return Err(AuditError::Scale {
                mechanism: ABOUT.name,
                rule,
            });
        };
        let epsilon = epsilon(ABOUT.name, arguments)?;
        let sensitivity = positive(ABOUT.name, arguments, "sensitivity", 1.0)?;
        let limit = count(ABOUT.name, arguments, "limit", 1)?;
        let queries = count(ABOUT.name, arguments, "queries", 8)?;
        if !(2..=MOST).contains(&queries) {
            let what = format!("{queries} queries long");
            return refuse(ABOUT.name, what, format!("of 2 to {MOST} queries"));
        }
        let setting = Setting::new(epsilon, sensitivity, limit)?;
        Ok(Box::new(SparseVector {
            gate: gate.calibrate(&setting)?,
            sensitivity,
            queries,
        }))
    }
}

impl SparseVector {
    /// Whether the answers are numbers, one for each query, rather than an outcome.
    fn spelt(&self, queries: usize) -> bool {
        self.gate.limit.is_none() && queries > OUTCOME
    }

    /// Whether the noisy answer that passed is given away.
    fn revealing(&self) -> bool {
        self.gate.answering != Answering::Report
    }
}

struct Addressed<'a> {
    draws: &'a Draws,
}

const THRESHOLD: usize = 0;
const QUERY: usize = 1;
const ANSWER: usize = 2;

impl Rows for Addressed<'_> {
    fn threshold(&self, above: usize) -> &[f64] {
        self.draws.row(THRESHOLD, above)
    }

    fn query(&self, place: usize) -> &[f64] {
        self.draws.row(QUERY, place)
    }

    fn answer(&self, place: usize) -> &[f64] {
        self.draws.row(ANSWER, place)
    }
}

impl Subject for SparseVector {
    /// The first queries rise by Δ, the others, which are a little above or below them, fall by Δ: so the threshold's noise cannot make up for
    /// both (Lyu, Su and Li, section 3.3 and the proofs of theorems 5 to 7).
    fn pairs(&self) -> Vec<Pair> {
        let (delta, queries) = (self.sensitivity, self.queries);
        let mut pairs = vec![Pair {
            a: vec![0.0; queries],
            b: vec![delta; queries],
            words: "all answers rise by Δ".to_owned(),
        }];
        for (rising, which) in [
            (queries - 1, "all answers but the last"),
            (queries / 2, "the first half"),
        ] {
            for height in [-2.0, 0.0, 2.0] {
                let of = |first: f64, last: f64| {
                    (0..queries)
                        .map(|query| if query < rising { first } else { last })
                        .collect()
                };
                pairs.push(Pair {
                    a: of(0.0, (height + 1.0) * delta),
                    b: of(delta, height * delta),
                    words: format!("{which} rise by Δ, the rest fall"),
                });
            }
        }
        pairs
    }

    fn check(&self, pair: &Pair) -> Result<(), AuditError> {
        same_length(ABOUT.name, pair)?;
        if pair.a.len() > MOST {
            let what = format!("{} numbers long", pair.a.len());
            return refuse(ABOUT.name, what, format!("of at most {MOST} numbers"));
        }
        for answers in [&pair.a, &pair.b] {
            if let Err(error) = Queries::new(answers.clone(), &[0.0]) {
                return refuse(ABOUT.name, error.to_string(), "a list of finite answers");
            }
        }
        Ok(())
    }

    fn centre(&self, input: &[f64]) -> Vec<f64> {
        let mut centre = if self.spelt(input.len()) {
            input.to_vec()
        } else {
            Vec::new()
        };
        if self.revealing() {
            centre.push(0.0);
        }
        centre
    }

    fn sources(&self, input: &[f64]) -> Vec<Source> {
        let rows = input.len();
        ["threshold", "query", "answer"]
            .map(|purpose| Source::new(purpose, StandardLaw::Laplace, rows + 1))
            .into()
    }

    fn run(&self, input: &[f64], draws: &Draws, out: &mut Outputs) {
        // answers that `check` has taken make a stream
        let Ok(queries) = Queries::new(input.to_vec(), &[0.0]) else {
            return;
        };
        let rows = Addressed { draws };
        let mut played = Played::default();
        Lockstep::new(self.gate, queries).play(out.runs(), &rows, &mut played);
        let spelt = self.spelt(input.len());
        let (outcomes, columns) = out.parts_mut();
        if spelt {
            for (place, column) in columns.iter_mut().take(input.len()).enumerate() {
                for (value, bits) in column.iter_mut().zip(&played.bits) {
                    *value = f64::from((bits >> place & 1) as u8);
                }
            }
        } else {
            for (outcome, &bits) in outcomes.iter_mut().zip(&played.bits) {
                // the places of the positive answers: for a gate that closes at the first there are as many outcomes as queries
                *outcome = fold(bits);
            }
        }
        if let (true, Some(values)) = (self.revealing(), columns.last_mut()) {
            for (run, (value, bits)) in values.iter_mut().zip(&played.bits).enumerate() {
                let first = bits.trailing_zeros() as usize;
                if first >= input.len() {
                    continue;
                }
                let noise = match self.gate.answering {
                    Answering::Fresh(scale) => scale * rows.answer(first)[run],
                    _ if self.gate.query_scale > 0.0 => {
                        self.gate.query_scale * rows.query(first)[run]
                    }
                    _ => 0.0,
                };
                *value = input[first] + noise;
            }
        }
    }

    fn outcome(&self, outcome: u32) -> Option<String> {
        if self.spelt(self.queries) {
            return None;
        }
        match outcome {
            0 => Some("no query above".to_owned()),
            bits if bits.count_ones() == 1 && bits >> 31 == 0 => {
                Some(format!("query {} above", bits.trailing_zeros() + 1))
            }
            bits if bits >> 31 == 0 => {
                let above: Vec<String> = (0..31)
                    .filter(|place| bits >> place & 1 == 1)
                    .map(|place| (place + 1).to_string())
                    .collect();
                Some(format!("queries {} above", above.join(", ")))
            }
            other => Some(format!("answers number {other}")),
        }
    }
}

/// The answers as an outcome: themselves where they fit into 31 bits, else a hash with the highest bit set.
fn fold(bits: u64) -> u32 {
    if bits >> 31 == 0 {
        return bits as u32;
    }
    // Knuth's multiplicative hash; a collision merges two outcomes, which is post-processing
    ((bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) as u32) | 1 << 31
}
