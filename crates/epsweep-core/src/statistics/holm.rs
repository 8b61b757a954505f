//! Adjusting p values for the number of comparisons.

/// Holm's step-down adjustment ("A simple sequentially rejective multiple test procedure", 1979): with the p values in ascending order,
/// p̃₍ᵢ₎ = max over j ≤ i of min(1, (m−j+1)·p₍ⱼ₎). The probability of any false rejection stays below the level, however the tests
/// depend on each other. Same order as the input; a NaN counts as 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let sound = |i: usize| {
        if p_values[i].is_nan() {
            1.0
        } else {
            p_values[i]
        }
    };
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| sound(*a).total_cmp(&sound(*b)));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (position, index) in order.into_iter().enumerate() {
        let left = (p_values.len() - position) as f64;
        largest = largest.max((left * sound(index)).min(1.0));
        adjusted[index] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::holm;

    #[test]
    fn adjustment_is_that_of_r() {
        // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") = 0.03 0.06 0.06 0.02
        let got = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (g, e) in got.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((g - e).abs() < 1e-15);
        }
        assert_eq!(holm(&[0.6, 0.7, f64::NAN]), [1.0, 1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
