//! Peeling: one exponential mechanism after another.

use super::{OrderedLaw, Slots, TopK, best_of};
use crate::about::About;
use crate::selection::{Problem, SelectionError, Uniforms, gumbel_variate};

const ABOUT: About = About {
    name: "peeling",
    summary: "fills the slots one by one with the exponential mechanism, each with its share of ε, among the candidates that are left",
    formula: "P(r in slot s) ∝ exp(εₛ·u(r)/(2Δ)) over what is left, Σεₛ = ε",
    source: "Bhaskar, Laxman, Smith and Thakurta (KDD 2010); Durfee and Rogers (NeurIPS 2019), §4",
};

/// The mechanism `peeling`.
#[derive(Debug)]
pub(super) struct Peeling;

impl TopK for Peeling {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn choose(
        &self,
        problem: &Problem,
        slots: &Slots,
        uniforms: &mut Uniforms,
    ) -> Result<Vec<usize>, SelectionError> {
        let mut left: Vec<usize> = (0..problem.gaps().len())
            .filter(|&index| problem.scores().as_slice()[index] > f64::NEG_INFINITY)
            .collect();
        let mut chosen = Vec::with_capacity(slots.count());
        for slot in 0..slots.count() {
            // relative to the best that is left, however far behind the chosen ones it is
            let base = best_of(problem, &left);
            let mut best = f64::NEG_INFINITY;
            let mut place = 0;
            for (candidate, &index) in left.iter().enumerate() {
                let noisy = gumbel_variate(uniforms) - slots.gap(slot, problem, base, index);
                if noisy > best {
                    best = noisy;
                    place = candidate;
                }
            }
            chosen.push(left.swap_remove(place));
        }
        Ok(chosen)
    }

    fn law<'a>(
        &self,
        problem: &'a Problem,
        slots: &'a Slots,
    ) -> Result<OrderedLaw<'a>, SelectionError> {
        Ok(OrderedLaw::new(problem, slots))
    }
}
