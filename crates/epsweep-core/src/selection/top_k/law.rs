//! The exact law of an ordered choice of several candidates.

use super::{Slots, best_of};
use crate::selection::{Problem, SelectionError};
use crate::summation::sum;

/// Most steps that an enumeration of all ordered choices may take.
const MOST_STEPS: f64 = 2e7;

/// P(r₁, …, r_k) = Πₛ e^(−gapₛ(rₛ)) / Σ over the candidates left in slot s: the law of peeling, and with even shares of the one-shot
/// Gumbel mechanism (Plackett and Luce).
#[derive(Clone, Debug)]
pub struct OrderedLaw<'a> {
    problem: &'a Problem,
    slots: &'a Slots,
}

impl<'a> OrderedLaw<'a> {
    pub(super) fn new(problem: &'a Problem, slots: &'a Slots) -> OrderedLaw<'a> {
        OrderedLaw { problem, slots }
    }

    /// ln P that the first slots are filled with these candidates in this order, for up to as many as there are slots. −∞ for what cannot
    /// happen: a candidate twice, one that is never chosen or does not exist, or too many.
    pub fn log_probability(&self, order: &[usize]) -> f64 {
        let mut left = self.all();
        let mut total = 0.0;
        if order.len() > self.slots.count() {
            return f64::NEG_INFINITY;
        }
        for (slot, wanted) in order.iter().enumerate() {
            let logs = self.log_choice(slot, &left);
            let Some(place) = left.iter().position(|index| index == wanted) else {
                return f64::NEG_INFINITY;
            };
            total += logs[place];
            left.swap_remove(place);
        }
        total
    }

    /// P of [`OrderedLaw::log_probability`].
    pub fn probability(&self, order: &[usize]) -> f64 {
        libm::exp(self.log_probability(order))
    }

    /// Calls `visit` with every ordered choice that can happen, and its probability.
    ///
    /// # Errors
    /// [`SelectionError::LawTooDear`] where there are too many
    pub fn for_each(&self, mut visit: impl FnMut(&[usize], f64)) -> Result<(), SelectionError> {
        let n = self.problem.scores().permitted();
        let choices: f64 = (0..self.slots.count())
            .map(|slot| (n - slot) as f64)
            .product();
        let steps = choices * n as f64;
        if steps > MOST_STEPS {
            return Err(SelectionError::LawTooDear {
                mechanism: "top-k",
                steps,
                limit: MOST_STEPS,
            });
        }
        self.descend(&mut Vec::new(), &self.all(), 0.0, &mut visit);
        Ok(())
    }

    /// The probability of each candidate to be among those chosen, whatever its place.
    ///
    /// # Errors
    /// [`SelectionError::LawTooDear`] where there are too many ordered choices
    pub fn inclusion(&self) -> Result<Vec<f64>, SelectionError> {
        let mut included = vec![0.0; self.problem.scores().len()];
        self.for_each(|order, probability| {
            for &index in order {
                included[index] += probability;
            }
        })?;
        Ok(included)
    }

    fn all(&self) -> Vec<usize> {
        let scores = self.problem.scores().as_slice();
        (0..scores.len())
            .filter(|&index| scores[index] > f64::NEG_INFINITY)
            .collect()
    }

    /// ln P for each of those left to fill the slot.
    fn log_choice(&self, slot: usize, left: &[usize]) -> Vec<f64> {
        let base = best_of(self.problem, left);
        let logs: Vec<f64> = left
            .iter()
            .map(|&index| -self.slots.gap(slot, self.problem, base, index))
            .collect();
        let weights: Vec<f64> = logs.iter().map(|&log| libm::exp(log)).collect();
        let total = libm::log(sum(&weights));
        logs.into_iter().map(|log| log - total).collect()
    }

    fn descend(
        &self,
        order: &mut Vec<usize>,
        left: &[usize],
        log: f64,
        visit: &mut impl FnMut(&[usize], f64),
    ) {
        if order.len() == self.slots.count() {
            visit(order, libm::exp(log));
            return;
        }
        let logs = self.log_choice(order.len(), left);
        for (place, &index) in left.iter().enumerate() {
            let mut rest = left.to_vec();
            rest.remove(place);
            order.push(index);
            self.descend(order, &rest, log + logs[place], visit);
            order.pop();
        }
    }
}
