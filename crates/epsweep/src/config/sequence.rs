//! `sequence = …`: a generated stream.

use super::diagnostic::Sink;
use super::member;
use super::source::Span;
use super::value::Value;
use epsweep_core::stream::parameter::Parameter;
use epsweep_core::stream::sequence::{self, Sequence};

/// Most positions of a generated stream.
const MOST_POSITIONS: usize = 100_000;

/// A generated stream.
#[derive(Clone, Debug)]
pub struct SequenceSpec {
    /// which
    pub sequence: &'static dyn Sequence,
    /// its parameters
    pub parameters: Vec<f64>,
    /// its own seed
    pub seed: u64,
    /// how many positions
    pub positions: usize,
}

/// Reads it, with `positions` and `seed` beside it; `span` is where these would stand.
pub fn read(
    given: &Value,
    (positions, seed): (Option<&Value>, Option<&Value>),
    span: Span,
    sink: &Sink,
) -> Option<SequenceSpec> {
    let known: Vec<(&str, &[Parameter])> = (sequence::REGISTRY.iter())
        .map(|sequence| (sequence.about().name, sequence.parameters()))
        .collect();
    let chosen = member::read(given, sink, "sequence", &known);
    let positions = match positions {
        Some(given) => given.whole(sink, 1, MOST_POSITIONS as u64),
        None => {
            (sink.fault(span, "[procedure.stream] lacks the key `positions`"))
                .rule("how many answers the sequence has")
                .report();
            None
        }
    };
    let seed = match seed {
        None => Some(1),
        Some(given) => given.whole(sink, 0, 1 << 53),
    };
    let (which, parameters) = chosen?;
    Some(SequenceSpec {
        sequence: sequence::REGISTRY[which],
        parameters,
        seed: seed?,
        positions: positions? as usize,
    })
}
