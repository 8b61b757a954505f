//! Sums of doubles without any rounding, and their comparison.

use std::cmp::Ordering;

/// The exact sum of any doubles as an expansion of non-overlapping parts (Shewchuk, Discrete & Computational Geometry 18, 1997,
/// theorem 10). Sums must stay below the largest double.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactSum {
    /// increasing in magnitude, not overlapping, without zeros
    parts: Vec<f64>,
}

impl ExactSum {
    /// Zero.
    pub fn new() -> ExactSum {
        ExactSum::default()
    }

    /// Adds a finite number.
    pub fn add(&mut self, value: f64) {
        let mut carried = value;
        let mut kept = 0;
        for index in 0..self.parts.len() {
            let part = self.parts[index];
            let sum = carried + part;
            // Knuth's error of a sum, which needs no order of the two
            let shadow = sum - carried;
            let lost = (carried - (sum - shadow)) + (part - shadow);
            if lost != 0.0 {
                self.parts[kept] = lost;
                kept += 1;
            }
            carried = sum;
        }
        self.parts.truncate(kept);
        if carried != 0.0 {
            self.parts.push(carried);
        }
    }

    /// Adds the exact square of a number, halved. Where the square's low part would be below the smallest double the sum is rounded up.
    pub fn add_half_square(&mut self, value: f64) {
        let high = value * value;
        if high < 1e-280 {
            self.add((high * 0.5).next_up());
            return;
        }
        // Dekker's product: split into halves of 26 bits, whose products are exact
        let wide = value * 134_217_729.0;
        let upper = wide - (wide - value);
        let lower = value - upper;
        let low = ((upper * upper - high) + 2.0 * upper * lower) + lower * lower;
        self.add(high * 0.5);
        self.add(low * 0.5);
    }

    /// The sum against a number, exactly.
    pub fn compare(&self, value: f64) -> Ordering {
        let mut difference = self.clone();
        difference.add(-value);
        match difference.parts.last() {
            None => Ordering::Equal,
            Some(leading) => leading.total_cmp(&0.0),
        }
    }

    /// The nearest double, up to one unit in the last place.
    pub fn value(&self) -> f64 {
        self.parts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ten_tenths_exceed_one_and_nine_do_not() {
        let mut sum = ExactSum::new();
        for _ in 0..9 {
            sum.add(0.1);
        }
        assert_eq!(sum.compare(1.0), Ordering::Less);
        sum.add(0.1);
        assert_eq!(sum.compare(1.0), Ordering::Greater);
        assert_eq!(sum.value(), 1.0);
    }

    #[test]
    fn what_is_lost_in_a_double_is_kept_here() {
        let mut sum = ExactSum::new();
        sum.add(1.0);
        sum.add(5e-324);
        assert_eq!(sum.compare(1.0), Ordering::Greater);
        sum.add(-1.0);
        assert_eq!(sum.value(), 5e-324);
    }

    proptest! {
        #[test]
        fn adding_and_taking_away_leaves_nothing(values in prop::collection::vec(-1e12..1e12f64, 0..40)) {
            let mut sum = ExactSum::new();
            values.iter().for_each(|&value| sum.add(value));
            values.iter().rev().for_each(|&value| sum.add(-value));
            prop_assert_eq!(sum, ExactSum::new());
        }

        #[test]
        fn half_squares_are_exact(whole in 1u64..(1 << 31)) {
            // the square of a 31-bit integer times 2^20 + 1 needs more than 53 bits
            let value = (whole * ((1 << 20) + 1)) as f64;
            let exact = u128::from(whole * ((1 << 20) + 1)).pow(2);
            let mut sum = ExactSum::new();
            sum.add_half_square(value);
            sum.add_half_square(value);
            sum.add(-(value * value));
            let low = exact as i128 - (value * value) as i128;
            prop_assert_eq!(sum.value(), low as f64);
        }
    }
}
