//! Policies: how much each answer of a stream may cost, decided online under one total guarantee.
//!
//! At each position a policy says what it wants to pay for a look at the data (a test of how far the last release is from the truth) and for
//! releases. It knows what has been released and what is left ([`Seen`], [`Told`]), and nothing else: a look at the data is paid for. Only
//! an *oracle* peeks for free: it is a control that shows what knowing would be worth, and it is not private.
//!
//! Every amount goes through the filter of the guarantee ([`Guarantee::filter`]), trial by trial. **The rule of admission** is the filter's:
//! an amount is granted while the exact sum of the doubles stays within the budget. So ten times 0.1 do not fit 1, because the double 0.1 is
//! more than a tenth: the tenth is refused; an even division into ten parts takes the largest double that fits ten times, and all ten are
//! granted. When the filter refuses, the position is counted as refused, and what stands for its answer is the last release.
//!
//! What is guaranteed: under a total guarantee, all releases and tests of the stream together satisfy it, however the policy adapts (Rogers,
//! Roth, Ullman, Vadhan, NeurIPS 2016; Feldman, Zrnic, NeurIPS 2021; Whitehouse, Ramdas, Rogers, Wu, ICML 2023), where an individual may
//! be in all answers and change each by no more than the sensitivity. Under a window w, the same holds of any w positions in a row (w-event
//! privacy). An oracle guarantees nothing.
//!
//! To add a policy: one file here with a [`Family`], and one line in [`REGISTRY`].

mod absorption;
mod decay;
mod distribution;
mod even;
mod fixed;
mod fraction;
mod oracle;
mod purse;
mod refinement;
mod terms;
mod walk;

pub use terms::{Guarantee, Terms};
pub use walk::{Room, Rows, Seen, Told};

use super::parameter::{self, Parameter, ParameterError, Range};
use crate::about::About;
use crate::accounting::AccountingError;
use std::fmt::Debug;

/// What a policy's decisions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// nothing: they are known in advance
    Fixed,
    /// released values, and looks at the data that are paid for
    Adaptive,
    /// the data, for free: a control, not private
    Oracle,
}

/// Makes a policy of its parameters.
type Make = fn(&[f64], &Terms) -> Result<Box<dyn Policy>, PolicyError>;

/// A kind of policy.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// what it is
    pub about: About,
    /// what can be set of it
    pub parameters: &'static [Parameter],
    /// what its decisions depend on
    pub nature: Nature,
    /// the policy with these parameters, in their ranges
    make: Make,
}

impl Family {
    /// The policy with these parameters, one for each of `parameters`.
    ///
    /// # Errors
    /// [`PolicyError`] if a parameter is missing or out of its range, or the terms do not suit the policy
    pub fn policy(
        &self,
        parameters: &[f64],
        terms: &Terms,
    ) -> Result<Box<dyn Policy>, PolicyError> {
        parameter::check(self.about.name, self.parameters, parameters)?;
        (self.make)(parameters, terms)
    }
}

/// All policies, in the order in which they are listed.
pub const REGISTRY: &[&Family] = &[
    &even::FAMILY,
    &fixed::FAMILY,
    &fraction::FAMILY,
    &decay::FAMILY,
    &distribution::FAMILY,
    &absorption::FAMILY,
    &refinement::FAMILY,
    &oracle::FAMILY,
];

/// The policy of that name.
pub fn named(name: &str) -> Option<&'static Family> {
    (REGISTRY.iter().copied()).find(|family| family.about.name == name)
}

/// A policy with its parameters, for the terms it was made for.
pub trait Policy: Debug + Send + Sync {
    /// What its decisions depend on.
    fn nature(&self) -> Nature;

    /// Releases at a position, at most.
    fn rounds(&self) -> usize;

    /// Whether it pays for tests.
    fn tests(&self) -> bool;

    /// Walks `trials` trials through a stream with these true answers. The outcomes are in the room. What a trial yields depends on its own
    /// noise alone.
    fn walk(
        &self,
        terms: &Terms,
        answers: &[f64],
        noise: &dyn Rows,
        trials: usize,
        room: &mut Room,
    );
}

/// A policy's decisions in one trial.
trait Rule: Debug + Send + Sync {
    /// What they depend on.
    const NATURE: Nature;
    /// Whether it asks for tests.
    const TESTS: bool = false;

    /// Releases at a position, at most.
    fn rounds(&self) -> usize {
        1
    }

    /// What to pay for a test at a position; 0 for none.
    fn test(&self, seen: &Seen<'_>) -> f64 {
        let _ = seen;
        0.0
    }

    /// What to pay for a release in a round; 0 for none, which ends the position.
    fn release(&self, seen: &Seen<'_>, round: usize, told: &Told) -> f64;
}

impl<R: Rule> Policy for R {
    fn nature(&self) -> Nature {
        R::NATURE
    }

    fn rounds(&self) -> usize {
        Rule::rounds(self)
    }

    fn tests(&self) -> bool {
        R::TESTS
    }

    fn walk(
        &self,
        terms: &Terms,
        answers: &[f64],
        noise: &dyn Rows,
        trials: usize,
        room: &mut Room,
    ) {
        walk::walk(self, terms, answers, noise, trials, room);
    }
}

/// What a fixed policy does, known in advance.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// what it does at each position
    pub steps: Vec<Step>,
    /// requests that the filter refuses
    pub refused: f64,
}

/// What a fixed policy does at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// the scale of the release's noise; `None` where the filter refuses, or nothing is asked for
    pub scale: Option<f64>,
    /// what is taken up to here, with it, in the window that ends here
    pub taken: f64,
}

/// What a policy does, where it is known in advance; `None` for policies that adapt. It goes through the filter as any trial does.
pub fn schedule(policy: &dyn Policy, terms: &Terms) -> Option<Schedule> {
    struct Silence;
    impl Rows for Silence {
        fn release(&self, _position: usize, _round: usize) -> &[f64] {
            &[0.0]
        }
        fn test(&self, _position: usize) -> &[f64] {
            &[0.0]
        }
    }
    if policy.nature() != Nature::Fixed {
        return None;
    }
    let mut room = Room::new(1);
    let answers = vec![0.0; terms.horizon()];
    policy.walk(terms, &answers, &Silence, 1, &mut room);
    let step = |position: usize| {
        let amount = room.granted(position, 0)[0];
        Step {
            scale: (amount > 0.0).then(|| terms.scale(amount)),
            taken: room.taken(position)[0],
        }
    };
    Some(Schedule {
        steps: (0..terms.horizon()).map(step).collect(),
        refused: room.refused()[0],
    })
}

/// What part of the budget pays for tests.
const TESTS: Parameter = Parameter {
    name: "tests",
    summary: "the part of the budget that pays for tests",
    default: Some(0.5),
    range: Range::Open,
};

/// Why a policy cannot serve.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolicyError {
    /// a stream without positions
    #[error("a stream of 0 positions asks nothing: give at least one")]
    Horizon,
    /// a number out of its range
    #[error("{what} is {value:?}, but must be {rule}")]
    Number {
        /// which
        what: &'static str,
        /// the value refused
        value: f64,
        /// what holds for it
        rule: &'static str,
    },
    /// a window with another guarantee than ε
    #[error(
        "a window goes with a budget of ε alone: w-event privacy composes by sums of ε; leave the window out, or give the budget as ε"
    )]
    Window,
    /// a policy for a whole stream with a window
    #[error("`{policy}` divides the budget of a whole stream, and no window of it: {remedy}")]
    WholeStream {
        /// the policy
        policy: &'static str,
        /// what to do
        remedy: &'static str,
    },
    /// nothing to decide
    #[error("`{policy}` spends where a decision is near: declare the threshold of the decision")]
    NoThreshold {
        /// the policy
        policy: &'static str,
    },
    /// parameters that cannot serve
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// a budget that is none
    #[error(transparent)]
    Accounting(#[from] AccountingError),
}

#[cfg(test)]
mod tests;
