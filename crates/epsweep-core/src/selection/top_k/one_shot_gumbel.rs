//! The k largest of one set of noisy scores.

use super::{Noisy, OrderedLaw, Slots, TopK};
use crate::about::About;
use crate::selection::{Problem, SelectionError, Uniforms, gumbel_variate};

const ABOUT: About = About {
    name: "one-shot-gumbel",
    summary: "adds Gumbel noise to every score once and reports the k largest in order; the same law as peeling with even shares",
    formula: "the k largest of u(r) + Gumbel(2kΔ/ε)",
    source: "Durfee and Rogers (NeurIPS 2019), lemma 4.2",
};

/// The mechanism `one-shot-gumbel`.
#[derive(Debug)]
pub(super) struct OneShotGumbel;

impl TopK for OneShotGumbel {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn choose(
        &self,
        problem: &Problem,
        slots: &Slots,
        uniforms: &mut Uniforms,
    ) -> Result<Vec<usize>, SelectionError> {
        even(slots)?;
        let scores = problem.scores();
        let noisy = (0..scores.len())
            .filter(|&index| scores.as_slice()[index] > f64::NEG_INFINITY)
            .map(|index| {
                let noise = gumbel_variate(uniforms);
                Noisy {
                    key: slots.gap(0, problem, scores.best(), index) - noise,
                    score: scores.as_slice()[index],
                    noise,
                    index,
                }
            });
        Ok(Noisy::first(noisy.collect(), slots.count()))
    }

    fn law<'a>(
        &self,
        problem: &'a Problem,
        slots: &'a Slots,
    ) -> Result<OrderedLaw<'a>, SelectionError> {
        even(slots)?;
        Ok(OrderedLaw::new(problem, slots))
    }
}

fn even(slots: &Slots) -> Result<(), SelectionError> {
    if slots.is_even() {
        Ok(())
    } else {
        Err(SelectionError::UnevenSlots {
            mechanism: ABOUT.name,
        })
    }
}
