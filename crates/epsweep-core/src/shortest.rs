//! Numbers in words.

use std::fmt;

/// The shortest decimals that read back as the same double, with an exponent where that is shorter to read.
pub(crate) struct Shortest(pub(crate) f64);

impl fmt::Display for Shortest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-4..1e15).contains(&size) || !size.is_finite() {
            write!(formatter, "{}", self.0)
        } else {
            write!(formatter, "{:e}", self.0)
        }
    }
}

/// The same of a number that is computed: true to twelve significant digits, so that 0.5000000000000001 is read as 0.5.
pub(crate) struct Rounded(pub(crate) f64);

impl fmt::Display for Rounded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = format!("{:.11e}", self.0).parse().unwrap_or(self.0);
        Shortest(rounded).fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::{Rounded, Shortest};

    #[test]
    fn what_is_computed_is_written_without_the_dust_of_rounding() {
        let written = |value: f64| Rounded(value).to_string();
        assert_eq!(
            [
                0.500_000_000_000_000_1,
                4.999_999_999_999_998_5e-8,
                0.1 + 0.2,
                1.0 / 3.0
            ]
            .map(written),
            ["0.5", "5e-8", "0.3", "0.333333333333"]
        );
        assert_eq!(
            [f64::INFINITY, 0.0, f64::MAX, 123_456_789_012.4].map(written),
            ["inf", "0", "1.79769313486e308", "123456789012"]
        );
    }

    #[test]
    fn numbers_are_written_the_short_way() {
        let written = |value: f64| Shortest(value).to_string();
        assert_eq!(
            [0.0, 60.0, -1.5, 0.0001, 1e14].map(written),
            ["0", "60", "-1.5", "0.0001", "100000000000000"]
        );
        assert_eq!([1e-9, -2.5e300].map(written), ["1e-9", "-2.5e300"]);
        assert_eq!(written(0.1 + 0.2).parse(), Ok(0.1 + 0.2));
    }
}
