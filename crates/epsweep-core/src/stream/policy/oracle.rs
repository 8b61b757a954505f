//! Absorption that knows the truth: what a free test that never errs would be worth.

use super::absorption::Units;
use super::{Family, Nature, Rule, Seen, Told};
use crate::about::About;

pub(super) const FAMILY: Family = Family {
    about: About {
        name: "oracle",
        summary: "control, not private: absorption that sees for free how far the last release is from the truth",
        formula: "cᵢ = C/w·(positions since the last release, less those nullified) if |truth − last| > the error expected of cᵢ",
        source: "control",
    },
    parameters: &[],
    nature: Nature::Oracle,
    make: |_, terms| {
        Ok(Box::new(Oracle {
            units: Units {
                unit: terms.divisible() / terms.span() as f64,
            },
        }))
    },
};

#[derive(Debug)]
struct Oracle {
    units: Units,
}

impl Rule for Oracle {
    const NATURE: Nature = Nature::Oracle;

    #[inline(always)]
    fn release(&self, seen: &Seen<'_>, _round: usize, _told: &Told) -> f64 {
        let amount = self.units.unit * self.units.available(seen);
        if seen.peeked > seen.terms.expected_error(amount) {
            amount
        } else {
            0.0
        }
    }
}
