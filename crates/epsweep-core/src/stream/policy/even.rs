//! The same for each position.

use super::{Family, Nature, Rule, Seen, Told};
use crate::about::About;

pub(super) const FAMILY: Family = Family {
    about: About {
        name: "even",
        summary: "the same for each position of the declared horizon (or of the window)",
        formula: "cᵢ = C/T",
        source: "the uniform method of Kellaris, Papadopoulos, Xiao, Papadias, PVLDB 7(12), 2014",
    },
    parameters: &[],
    nature: Nature::Fixed,
    make: |_, terms| {
        Ok(Box::new(Even {
            part: terms.even_part(terms.span()),
        }))
    },
};

#[derive(Debug)]
struct Even {
    part: f64,
}

impl Rule for Even {
    const NATURE: Nature = Nature::Fixed;

    #[inline(always)]
    fn release(&self, _seen: &Seen<'_>, _round: usize, _told: &Told) -> f64 {
        self.part
    }
}
