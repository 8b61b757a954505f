//! The lowest set bit of a double.

use super::{Context, Reduction, ReductionKind};
use crate::about::About;
use crate::audit::Outputs;

const ABOUT: About = About {
    name: "lowest-bit",
    summary: "the exponent of the lowest set bit of the double: adding noise to a number rounds to that number's grid; only for claims about deployment",
    formula: "the largest k with y/2ᵏ a whole number",
    source: "Mironov, CCS 2012, sections 4 and 5",
};

/// Most numbers that are looked at.
const MOST: usize = 16;
/// What stands for 0, infinities and NaN: above every exponent.
const NONE: f64 = 1024.0;

pub(super) struct LowestBitKind;

#[derive(Clone, Copy, Debug)]
struct LowestBit(usize);

impl ReductionKind for LowestBitKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn of(&self, context: &Context) -> Vec<Box<dyn Reduction>> {
        if !context.deployment {
            return Vec::new();
        }
        (0..context.columns.min(MOST))
            .map(|column| Box::new(LowestBit(column)) as Box<dyn Reduction>)
            .collect()
    }
}

impl Reduction for LowestBit {
    fn words(&self) -> String {
        format!("the exponent of the lowest bit of number {}", self.0 + 1)
    }

    fn apply(&self, outputs: &Outputs, out: &mut [f64]) {
        for (exponent, number) in out.iter_mut().zip(outputs.column(self.0)) {
            *exponent = lowest_bit(*number);
        }
    }
}

fn lowest_bit(number: f64) -> f64 {
    const FRACTION: u32 = 52;
    const BIAS: i32 = 1023;
    let bits = number.to_bits();
    let fraction = bits & ((1 << FRACTION) - 1);
    let exponent = ((bits >> FRACTION) & 0x7ff) as i32;
    match (exponent, fraction) {
        (0, 0) | (0x7ff, _) => NONE,
        (0, fraction) => f64::from(1 - BIAS - FRACTION as i32 + fraction.trailing_zeros() as i32),
        (exponent, 0) => f64::from(exponent - BIAS),
        (exponent, fraction) => {
            f64::from(exponent - BIAS - FRACTION as i32 + fraction.trailing_zeros() as i32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_those_of_the_number() {
        for (number, exponent) in [
            (1.0, 0.0),
            (-6.0, 1.0),
            (0.75, -2.0),
            (f64::EPSILON, -52.0),
            (1.0 + f64::EPSILON, -52.0),
            (5e-324, -1074.0),
            (f64::MIN_POSITIVE, -1022.0),
            (f64::MAX, 971.0),
            (0.0, NONE),
            (f64::INFINITY, NONE),
        ] {
            assert_eq!(lowest_bit(number), exponent, "{number}");
        }
    }
}
