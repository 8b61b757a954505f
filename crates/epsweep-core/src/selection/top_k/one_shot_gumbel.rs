//! The k largest of one set of noisy scores.

use super::{OrderedLaw, Slots, TopK};
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
        let mut noisy: Vec<(f64, f64, usize)> = (0..problem.gaps().len())
            .filter(|&index| problem.scores().as_slice()[index] > f64::NEG_INFINITY)
            .map(|index| {
                let noise = gumbel_variate(uniforms);
                (slots.gap(0, problem, index) - noise, -noise, index)
            })
            .collect();
        // where noise is lost in rounding (gaps beyond 1e16, or infinite), scores decide, then noise
        let order = |a: &(f64, f64, usize), b: &(f64, f64, usize)| {
            let scores = problem.scores().as_slice();
            a.0.total_cmp(&b.0)
                .then(scores[b.2].total_cmp(&scores[a.2]))
                .then(a.1.total_cmp(&b.1))
        };
        let k = slots.count();
        if k < noisy.len() {
            noisy.select_nth_unstable_by(k - 1, order);
            noisy.truncate(k);
        }
        noisy.sort_unstable_by(order);
        Ok(noisy.into_iter().map(|(_, _, index)| index).collect())
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
