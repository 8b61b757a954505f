//! A fraction of what is left.

use super::{Family, Nature, Rule, Seen, Told};
use crate::about::About;
use crate::stream::parameter::{Parameter, Range};

pub(super) const FAMILY: Family = Family {
    about: About {
        name: "fraction",
        summary: "a fraction of what is left: no horizon need be known, and nothing ever runs out",
        formula: "cᵢ = f·(C − Σ_{j<i} cⱼ); over a whole stream C·f·(1 − f)ⁱ, i from 0",
        source: "definition; the naive method before budget distribution in Kellaris, Papadopoulos, Xiao, Papadias, PVLDB 7(12), 2014",
    },
    parameters: &[Parameter {
        name: "part",
        summary: "the part of what is left that a position takes",
        default: Some(0.1),
        range: Range::Open,
    }],
    nature: Nature::Fixed,
    make: |parameters, _| {
        Ok(Box::new(Fraction {
            part: parameters[0],
        }))
    },
};

#[derive(Debug)]
struct Fraction {
    part: f64,
}

impl Rule for Fraction {
    const NATURE: Nature = Nature::Fixed;

    #[inline(always)]
    fn release(&self, seen: &Seen<'_>, _round: usize, _told: &Told) -> f64 {
        self.part * seen.left
    }
}
