//! By how much a neighbour can change what is asked, and which way: what follows from the data, and what a file declares.

use crate::config::diagnostic::Sink;
use crate::config::source::Span;
use crate::record::number;
use epsweep_core::selection::Movement;

/// What is known of the sensitivity of scores or answers.
pub(super) struct Promise {
    /// `scores`, `answers`
    pub noun: &'static str,
    /// Δ that follows from the data, and that is declared
    pub sensitivity: (Option<f64>, Option<(f64, Span)>),
    /// how they move, as it follows from the data, and as it is declared
    pub movement: (Option<Movement>, Option<(Movement, Span)>),
    /// where Δ would stand, that it is missing, and what it is
    pub lacks: (Span, &'static str, &'static str),
}

impl Promise {
    /// Δ and the movement: as declared, as far as that is no less than what follows from the data.
    pub fn settle(self, sink: &Sink) -> Option<(f64, Movement)> {
        let movement = match self.movement {
            (Some(_), Some((_, span))) => {
                let message = format!("how these {} move follows from the data", self.noun);
                (sink.fault(span, message))
                    .remedy("leave `movement` out")
                    .report();
                return None;
            }
            (Some(movement), None) => movement,
            (None, declared) => declared.map_or(Movement::AnyWay, |(movement, _)| movement),
        };
        match self.sensitivity {
            (Some(derived), Some((declared, span))) if declared < derived => {
                let message = format!(
                    "the sensitivity {} is less than that of the {}, {}",
                    number(declared),
                    self.noun,
                    number(derived)
                );
                (sink.fault(span, message))
                    .rule("at least what a neighbour can change: with less, nothing is promised")
                    .report();
                None
            }
            (_, Some((declared, _))) => Some((declared, movement)),
            (Some(derived), None) => Some((derived, movement)),
            (None, None) => {
                let (span, message, rule) = self.lacks;
                sink.fault(span, message).rule(rule).report();
                None
            }
        }
    }
}
