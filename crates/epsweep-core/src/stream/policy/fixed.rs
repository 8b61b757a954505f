//! A declared amount at each position, until the filter refuses.

use super::terms::Terms;
use super::{Family, Nature, Rule, Seen, Told};
use crate::about::About;
use crate::stream::parameter::{Parameter, Range};

pub(super) const FAMILY: Family = Family {
    about: About {
        name: "fixed",
        summary: "a declared amount at each position, until the filter refuses; one that is a whole part of the budget but for rounding is that part",
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
            amount: as_meant(terms.guarantee().amount(parameters[0]), terms),
        }))
    },
};

/// Share by which a declared amount may miss a whole part of the budget to be meant for it.
const ROUNDING: f64 = 1e-12;

/// The amount, or the largest that fits as often as it says: the double 0.1 is more than a tenth, so that ten of them would not fit into 1.
fn as_meant(amount: f64, terms: &Terms) -> f64 {
    let parts = (terms.capacity() / amount).round();
    // beyond so many the rounding of a part is no longer that of a decimal
    if !(1.0..=1e9).contains(&parts) {
        return amount;
    }
    let part = terms.even_part(parts as usize);
    match (amount - part).abs() <= ROUNDING * amount {
        true => part,
        false => amount,
    }
}

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
