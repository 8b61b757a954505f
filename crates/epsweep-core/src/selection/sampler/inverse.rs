//! The inverse distribution function.

use crate::selection::{ChoiceLaw, Problem};

/// Draws the candidate at which the distribution function passes a uniform variate, the candidates being sorted from the best to
/// the worst (equal scores by index).
///
/// The order depends on the scores alone. So the same variate gives choices that are as alike as can be under different ε and
/// mechanisms: the utility of the choice is a monotone function of the variate, and paired differences have a small variance.
#[derive(Clone, Debug)]
pub struct InverseCdf {
    order: Vec<u32>,
    /// P(rank ≤ place), for those with a positive probability
    cumulative: Vec<f64>,
}

impl InverseCdf {
    /// For a law of that problem.
    ///
    /// # Panics
    /// If the law has another number of candidates.
    pub fn new(problem: &Problem, law: &ChoiceLaw) -> InverseCdf {
        let scores = problem.scores().as_slice();
        let probabilities = law.probabilities();
        assert_eq!(scores.len(), probabilities.len(), "a law of this problem");
        let mut order: Vec<u32> = (0..scores.len() as u32)
            .filter(|&index| probabilities[index as usize] > 0.0)
            .collect();
        // adding 0 makes zeros of both signs equal
        order.sort_by(|&a, &b| (scores[b as usize] + 0.0).total_cmp(&(scores[a as usize] + 0.0)));
        let mut total = 0.0_f64;
        let mut lost = 0.0_f64;
        let cumulative = order
            .iter()
            .map(|&index| {
                // Neumaier's sum, as it grows
                let value = probabilities[index as usize];
                let next = total + value;
                lost += if total >= value {
                    (total - next) + value
                } else {
                    (value - next) + total
                };
                total = next;
                total + lost
            })
            .collect();
        InverseCdf { order, cumulative }
    }

    /// The index of the candidate for a variate in (0, 1).
    #[inline]
    pub fn draw(&self, uniform: f64) -> usize {
        let place = self.cumulative.partition_point(|&below| below <= uniform);
        // rounding may leave the last sum below 1
        self.order[place.min(self.order.len() - 1)] as usize
    }

    /// One draw per variate of a row of [`StandardLaw::Uniform`](crate::random::StandardLaw::Uniform).
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn draw_row(&self, uniforms: &[f64], chosen: &mut [u32]) {
        assert_eq!(uniforms.len(), chosen.len(), "one variate for each draw");
        for (chosen, &uniform) in chosen.iter_mut().zip(uniforms) {
            *chosen = self.draw(uniform) as u32;
        }
    }
}
