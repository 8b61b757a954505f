//! Geometric decay over the horizon.

use super::{Family, Nature, PolicyError, Rule, Seen, Told};
use crate::about::About;
use crate::stream::parameter::{Parameter, Range};

pub(super) const FAMILY: Family = Family {
    about: About {
        name: "decay",
        summary: "each position takes so many times what the one before took, and the horizon takes all",
        formula: "cᵢ = C·(1 − q)·qⁱ/(1 − q^T), i from 0",
        source: "definition",
    },
    parameters: &[Parameter {
        name: "ratio",
        summary: "what a position takes, in units of the one before; above 1 it grows",
        default: Some(0.95),
        range: Range::Positive,
    }],
    nature: Nature::Fixed,
    make: |parameters, terms| {
        if terms.window().is_some() {
            return Err(PolicyError::WholeStream {
                policy: "decay",
                remedy: "take `even` or `fraction`, or leave the window out",
            });
        }
        // powers relative to the largest, so that none is beyond the range of a double
        let ratio = parameters[0];
        let last = terms.horizon() as f64 - 1.0;
        let power = |position: usize| {
            let exponent = position as f64 - if ratio > 1.0 { last } else { 0.0 };
            libm::pow(ratio, exponent)
        };
        let powers: Vec<f64> = (0..terms.horizon()).map(power).collect();
        let unit = terms.divisible() / powers.iter().sum::<f64>();
        let amounts = powers.into_iter().map(|power| unit * power).collect();
        Ok(Box::new(Decay { amounts }))
    },
};

#[derive(Debug)]
struct Decay {
    amounts: Vec<f64>,
}

impl Rule for Decay {
    const NATURE: Nature = Nature::Fixed;

    #[inline(always)]
    fn release(&self, seen: &Seen<'_>, _round: usize, _told: &Told) -> f64 {
        self.amounts[seen.position]
    }
}
