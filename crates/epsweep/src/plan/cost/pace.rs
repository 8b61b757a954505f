//! How fast this machine computes beside the one that the prices were measured on: processors differ several times over, and a neighbour's work
//! slows them too.

use std::hint::black_box;
use std::time::Instant;

/// Rounds of which the fastest counts, so that an interruption does not.
const ROUNDS: u32 = 9;
/// Steps of a round: half a millisecond.
const STEPS: u32 = 10_000;
/// Nanoseconds of a step where prices are what they are said to be. A machine with other work slows vectors more than it slows this chain of steps, so
/// that this is between what an idle machine and a busy one would say.
const NOMINAL: f64 = 42.0;

/// How many times as long as on the machine of the prices a computation takes here: 1 means as long, 2 twice as long. Takes some milliseconds.
///
/// A step is a logarithm and an exponential function, each of which waits for the one before: what a run computes where it is not bound by
/// the width of vectors, for which prices are told apart by themselves.
pub(super) fn pace() -> f64 {
    let round = || {
        let start = Instant::now();
        let mut value = black_box(1.5);
        for _ in 0..STEPS {
            value = 1.5 + libm::exp(-libm::log(value)) * 1e-3;
        }
        black_box(value);
        start.elapsed().as_nanos() as f64 / f64::from(STEPS)
    };
    let fastest = (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min);
    fastest / NOMINAL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_that_of_some_machine() {
        // tests are compiled to be slower, and run beside one another
        let pace = pace();
        assert!(pace > 1e-3 && pace < 1e4, "{pace}");
    }
}
