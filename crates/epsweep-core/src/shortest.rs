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

#[cfg(test)]
mod tests {
    use super::Shortest;

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
