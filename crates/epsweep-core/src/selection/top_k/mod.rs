//! Several candidates, in order.
//!
//! A [`Problem`] says what the whole choice may spend; [`Slots`] say how many are chosen and how ε is shared among them. All
//! mechanisms here promise ε in all by basic composition over the slots, each of which has bounded range ([`guarantees`]), so that
//! better composition theorems apply (Durfee and Rogers, NeurIPS 2019).
//!
//! To add a mechanism: one file here, and one line in [`REGISTRY`].

mod law;
mod one_shot_gumbel;
mod peeling;

pub use law::OrderedLaw;

use super::{Calibration, Guarantee, Problem, SelectionError, Uniforms};
use crate::about::About;
use crate::budget::Shares;
use std::fmt::Debug;

/// How many candidates are chosen, and which share of ε each choice spends.
#[derive(Clone, Debug, PartialEq)]
pub struct Slots {
    shares: Vec<f64>,
    even: bool,
}

impl Slots {
    /// `count` slots with equal shares.
    ///
    /// # Errors
    /// [`SelectionError::Slots`] if the problem has fewer candidates that may be chosen, or if `count` is 0
    pub fn even(count: usize, problem: &Problem) -> Result<Slots, SelectionError> {
        check(count, problem)?;
        Ok(Slots {
            shares: vec![1.0 / count as f64; count],
            even: true,
        })
    }

    /// One slot per share. A share of 0 makes a uniform choice.
    ///
    /// # Errors
    /// [`SelectionError::Slots`] if the problem has fewer candidates that may be chosen
    pub fn shared(shares: &Shares, problem: &Problem) -> Result<Slots, SelectionError> {
        let shares = shares.split(1.0);
        check(shares.len(), problem)?;
        let even = shares.iter().all(|&share| share == shares[0]);
        Ok(Slots { shares, even })
    }

    /// How many there are, at least 1.
    pub fn count(&self) -> usize {
        self.shares.len()
    }

    /// The share of ε of each slot, in the order in which they are filled; they sum to 1.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// Whether all shares are equal.
    pub fn is_even(&self) -> bool {
        self.even
    }

    /// How far a candidate is behind the score `base` in a slot, in units of the slot's noise: shares of ε scale gaps, and "never" stays so.
    fn gap(&self, slot: usize, problem: &Problem, base: f64, index: usize) -> f64 {
        let gap = problem
            .calibration()
            .gap(base, problem.scores().as_slice()[index]);
        let share = self.shares[slot];
        // an infinite gap may be "never", or beyond the range of f64
        if share == 0.0 && problem.scores().as_slice()[index] > f64::NEG_INFINITY {
            0.0
        } else {
            gap * share
        }
    }
}

/// The best score among some candidates.
fn best_of(problem: &Problem, candidates: &[usize]) -> f64 {
    let scores = problem.scores().as_slice();
    let scores = candidates.iter().map(|&index| scores[index]);
    scores.fold(f64::NEG_INFINITY, f64::max)
}

/// A noisy score, as it enters a ranking.
pub(super) struct Noisy {
    /// gap − noise: the less the better
    pub key: f64,
    /// the score without noise
    pub score: f64,
    /// the noise
    pub noise: f64,
    /// whose it is
    pub index: usize,
}

impl Noisy {
    /// The better first. Where noise is lost in the rounding of keys (gaps beyond 1e16, or infinite), scores decide, then noise.
    pub fn order(&self, other: &Noisy) -> std::cmp::Ordering {
        self.key
            .total_cmp(&other.key)
            .then((other.score + 0.0).total_cmp(&(self.score + 0.0)))
            .then(other.noise.total_cmp(&self.noise))
    }

    /// The first k, in order.
    pub fn first(mut all: Vec<Noisy>, k: usize) -> Vec<usize> {
        if 0 < k && k < all.len() {
            all.select_nth_unstable_by(k - 1, Noisy::order);
        }
        all.truncate(k);
        all.sort_unstable_by(Noisy::order);
        all.into_iter().map(|noisy| noisy.index).collect()
    }
}

fn check(slots: usize, problem: &Problem) -> Result<(), SelectionError> {
    let candidates = problem.scores().permitted();
    if slots == 0 || slots > candidates {
        Err(SelectionError::Slots { slots, candidates })
    } else {
        Ok(())
    }
}

/// A mechanism that chooses several candidates.
pub trait TopK: Debug + Send + Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// One choice by the definition of the mechanism: distinct indices, one per slot, in order.
    ///
    /// # Errors
    /// [`SelectionError::UnevenSlots`] where the mechanism cannot share ε unevenly
    fn choose(
        &self,
        problem: &Problem,
        slots: &Slots,
        uniforms: &mut Uniforms,
    ) -> Result<Vec<usize>, SelectionError>;

    /// The exact law of the ordered choice.
    ///
    /// # Errors
    /// [`SelectionError::UnevenSlots`] where the mechanism cannot share ε unevenly
    fn law<'a>(
        &self,
        problem: &'a Problem,
        slots: &'a Slots,
    ) -> Result<OrderedLaw<'a>, SelectionError>;
}

/// All mechanisms that choose several candidates, in the order in which they are listed.
pub const REGISTRY: &[&dyn TopK] = &[&peeling::Peeling, &one_shot_gumbel::OneShotGumbel];

/// The mechanism of that name.
pub fn mechanism(name: &str) -> Option<&'static dyn TopK> {
    REGISTRY
        .iter()
        .copied()
        .find(|mechanism| mechanism.about().name == name)
}

/// What each slot promises: bounded range with its share of ε. Their composition is for the accountant.
pub fn guarantees(calibration: &Calibration, slots: &Slots) -> Vec<Guarantee> {
    slots
        .shares
        .iter()
        .map(|share| Guarantee::of_range(calibration.epsilon() * share))
        .collect()
}
