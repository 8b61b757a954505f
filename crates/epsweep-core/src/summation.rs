//! Sums of many doubles without loss.

/// Σ `values`, by Neumaier's compensated summation (Z. Angew. Math. Mech. 54, 1974): the error is about one rounding of the
/// result plus n²u²·Σ|x|, whatever the order and the cancellation. Infinite only if the sum itself leaves the range of `f64`.
pub(crate) fn sum(values: &[f64]) -> f64 {
    let total = compensated(values.iter().copied());
    if total.is_finite() {
        return total;
    }
    // a partial sum may overflow though the whole does not: 2⁻⁶⁴ leaves room for every length of slice
    let down = libm::scalbn(1.0, -64);
    let up = libm::scalbn(1.0, 64);
    compensated(values.iter().map(|value| value * down)) * up
}

fn compensated(values: impl Iterator<Item = f64>) -> f64 {
    let mut total = 0.0_f64;
    let mut lost = 0.0_f64;
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() {
            (total - next) + value
        } else {
            (value - next) + total
        };
        total = next;
    }
    total + lost
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn cancellation_loses_nothing() {
        assert_eq!(sum(&[1.0, 1e100, 1.0, -1e100]), 2.0);
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(sum(&[]), 0.0);
    }

    #[test]
    fn only_a_sum_out_of_range_is_infinite() {
        assert_eq!(sum(&[1e308, 1e308, -1e308]), 1e308);
        assert_eq!(sum(&[1e308, 1e308]), f64::INFINITY);
        assert_eq!(sum(&[-1e308, -1e308]), f64::NEG_INFINITY);
    }
}
