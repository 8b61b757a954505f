//! A declared amount at each position, until the filter refuses.

use super::{Family, Nature, Rule, Seen, Told};
use crate::about::About;
use crate::stream::parameter::{Parameter, Range};

pub(super) const FAMILY: Family = Family {
    about: About {
        name: "fixed",
        summary: "a declared amount at each position, until the filter refuses",
        formula: "cᵢ = c",
        source: "the use of a filter in Rogers, Roth, Ullman, Vadhan, NeurIPS 2016",
    },
    parameters: &[Parameter {
        name: "amount",
        summary: "the ε of a release (its ρ or divergence, where these are the budget)",
        default: None,
        range: Range::Positive,
    }],
    nature: Nature::Fixed,
    make: |parameters, terms| {
        Ok(Box::new(Fixed {
            amount: terms.guarantee().amount(parameters[0]),
        }))
    },
};

#[derive(Debug)]
struct Fixed {
    amount: f64,
}

impl Rule for Fixed {
    const NATURE: Nature = Nature::Fixed;

    #[inline(always)]
    fn release(&self, _seen: &Seen<'_>, _round: usize, _told: &Told) -> f64 {
        self.amount
    }
}
