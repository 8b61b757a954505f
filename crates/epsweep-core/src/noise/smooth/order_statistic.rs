//! The smooth sensitivity of order statistics.

use super::SmoothError;
use crate::data::Bounds;

/// The β-smooth sensitivity of the r-th smallest of the values, for data sets of the same size that differ in one record,
/// with values within public bounds.
///
/// With the sorted values x₁ ≤ … ≤ xₙ, padded by the bounds on either side, it is the largest (x_j − x_i)·e^{−β(j − i − 1)} over
/// i ≤ r ≤ j, i < j (Nissim, Raskhodnikova and Smith, STOC 2007, proposition 3.4 for the median; the
/// proof holds for every rank: replacing k = j − i − 1 records moves the statistic to within one step of both ends). For each i the
/// best j does not decrease with i, so that divide and conquer takes O(n log n) steps.
///
/// # Errors
/// [`SmoothError`] for no values, a rank outside 1 to n, values outside the bounds, or a β that is not finite and at least 0
pub fn order_statistic(
    values: &[f64],
    rank: usize,
    bounds: Bounds,
    beta: f64,
) -> Result<f64, SmoothError> {
    check_values(values, rank, bounds)?;
    if !(beta >= 0.0 && beta.is_finite()) {
        return Err(SmoothError::Beta {
            value: beta,
            rule: "finite and at least 0",
        });
    }
    let (low, high) = (bounds.low(), bounds.high());
    let mut padded = Vec::with_capacity(values.len() + 2);
    padded.push(low);
    padded.extend_from_slice(values);
    padded.push(high);
    padded.sort_by(f64::total_cmp);
    let search = Search {
        padded: &padded,
        beta,
    };
    Ok(search.largest(0, rank, rank, values.len() + 1))
}

/// That there is an r-th smallest of the values, and that all lie within the bounds.
pub(in crate::noise) fn check_values(
    values: &[f64],
    rank: usize,
    bounds: Bounds,
) -> Result<(), SmoothError> {
    if values.is_empty() {
        return Err(SmoothError::Empty);
    }
    if !(1..=values.len()).contains(&rank) {
        return Err(SmoothError::Rank {
            rank,
            count: values.len(),
        });
    }
    let (low, high) = (bounds.low(), bounds.high());
    match values.iter().position(|x| !(low..=high).contains(x)) {
        None => Ok(()),
        Some(index) => Err(SmoothError::Value {
            index,
            value: values[index],
            low,
            high,
        }),
    }
}

/// The β-smooth sensitivity of the median, the value of rank ⌈n/2⌉.
///
/// # Errors
/// as [`order_statistic`]
pub fn median(values: &[f64], bounds: Bounds, beta: f64) -> Result<f64, SmoothError> {
    order_statistic(values, values.len().div_ceil(2), bounds, beta)
}

/// The β-smooth sensitivity of the maximum.
///
/// # Errors
/// as [`order_statistic`]
pub fn maximum(values: &[f64], bounds: Bounds, beta: f64) -> Result<f64, SmoothError> {
    order_statistic(values, values.len(), bounds, beta)
}

struct Search<'a> {
    /// the sorted values between the bounds; x_i at index i
    padded: &'a [f64],
    beta: f64,
}

impl Search<'_> {
    /// The logarithm of (x_j − x_i)·e^{−β(j − i − 1)}, which does not underflow; −∞ for no difference and for i = j.
    fn log_value(&self, i: usize, j: usize) -> f64 {
        if i >= j {
            return f64::NEG_INFINITY;
        }
        libm::log(self.padded[j] - self.padded[i]) - self.beta * (j - i - 1) as f64
    }

    /// The largest value over i from `first` to `last` and j from `from` to `to`, if the best j of those i are there.
    fn largest(&self, first: usize, last: usize, from: usize, to: usize) -> f64 {
        let i = first + (last - first) / 2;
        let mut best = (f64::NEG_INFINITY, from);
        for j in from..=to {
            let value = self.log_value(i, j);
            // the last of equals, so that the best j are in order
            if value >= best.0 {
                best = (value, j);
            }
        }
        let j = best.1;
        // from the difference itself rather than its logarithm
        let mut largest = if i < j {
            (self.padded[j] - self.padded[i]) * libm::exp(-self.beta * (j - i - 1) as f64)
        } else {
            0.0
        };
        if i > first {
            largest = largest.max(self.largest(first, i - 1, from, j));
        }
        if i < last {
            largest = largest.max(self.largest(i + 1, last, j, to));
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bounds(low: f64, high: f64) -> Bounds {
        Bounds::new(low, high).unwrap()
    }

    fn statistic(values: &[u8], rank: usize) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        f64::from(sorted[rank - 1])
    }

    /// The definition: the largest local sensitivity of all data sets over the domain 0..=top, discounted by distance.
    fn by_definition(values: &[u8], rank: usize, top: u8, beta: f64) -> f64 {
        let (n, size) = (values.len(), usize::from(top) + 1);
        let mut largest = 0.0_f64;
        for code in 0..size.pow(n as u32) {
            let other: Vec<u8> = (0..n)
                .map(|k| (code / size.pow(k as u32) % size) as u8)
                .collect();
            let distance = values.iter().zip(&other).filter(|(a, b)| a != b).count();
            let here = statistic(&other, rank);
            let mut local = 0.0_f64;
            for place in 0..n {
                for value in 0..=top {
                    let mut neighbour = other.clone();
                    neighbour[place] = value;
                    local = local.max((statistic(&neighbour, rank) - here).abs());
                }
            }
            largest = largest.max(local * libm::exp(-beta * distance as f64));
        }
        largest
    }

    #[test]
    fn it_is_the_definition_on_all_small_data_sets() {
        for values in [
            [0, 0, 0],
            [0, 1, 3],
            [1, 1, 2],
            [3, 3, 3],
            [0, 3, 3],
            [2, 0, 1],
        ] {
            for rank in 1..=3 {
                for beta in [0.0, 0.1, 0.5, 2.0] {
                    let data = values.map(f64::from);
                    let got = order_statistic(&data, rank, bounds(0.0, 3.0), beta).unwrap();
                    let expected = by_definition(&values, rank, 3, beta);
                    assert!(
                        (got - expected).abs() < 1e-12,
                        "{values:?} {rank} {beta}: {got} {expected}"
                    );
                }
            }
        }
        for values in [[0, 1, 2, 2], [4, 0, 4, 1]] {
            for rank in 1..=4 {
                let data = values.map(f64::from);
                let got = order_statistic(&data, rank, bounds(0.0, 4.0), 0.3).unwrap();
                assert!((got - by_definition(&values, rank, 4, 0.3)).abs() < 1e-12);
            }
        }
    }

    proptest! {
        /// All pairs, without divide and conquer.
        #[test]
        fn it_is_the_largest_over_all_pairs(
            mut values in prop::collection::vec(prop_oneof![0.0..10.0f64, Just(3.0), Just(0.0), Just(10.0)], 1..60),
            part in 0.0..1.0f64, beta in prop_oneof![0.0..0.5f64, Just(0.0), Just(40.0)],
        ) {
            let rank = 1 + ((values.len() as f64) * part) as usize;
            let got = order_statistic(&values, rank, bounds(0.0, 10.0), beta).unwrap();
            values.sort_by(f64::total_cmp);
            values.insert(0, 0.0);
            values.push(10.0);
            let mut largest = 0.0_f64;
            for i in 0..=rank {
                for j in rank.max(i + 1)..values.len() {
                    let discount = libm::exp(-beta * (j - i - 1) as f64);
                    largest = largest.max((values[j] - values[i]) * discount);
                }
            }
            prop_assert!((got - largest).abs() <= 1e-12 * largest, "{} {}", got, largest);
        }

        /// Neighbours differ by a factor of at most e^β.
        #[test]
        fn it_is_smooth(
            values in prop::collection::vec(0.0..10.0f64, 1..30), place in 0usize..30, value in 0.0..10.0f64, beta in 0.01..1.0f64,
        ) {
            let mut neighbour = values.clone();
            let place = place % values.len();
            neighbour[place] = value;
            for of in [median, maximum] {
                let (one, two) = (of(&values, bounds(0.0, 10.0), beta).unwrap(), of(&neighbour, bounds(0.0, 10.0), beta).unwrap());
                prop_assert!((libm::log(one) - libm::log(two)).abs() <= beta * (1.0 + 1e-9));
            }
        }
    }

    #[test]
    fn it_is_far_below_the_range_for_well_behaved_data_and_scales_to_many_rows() {
        let values: Vec<f64> = (0..100_000).map(|i| f64::from(i) / 1000.0).collect();
        let smooth = median(&values, bounds(0.0, 100.0), 0.01).unwrap();
        // k + 1 steps of 1/1000 at e^{−k/100}: largest at k = 99
        let expected = 0.1 * libm::exp(-0.99);
        assert!(
            (smooth / expected - 1.0).abs() < 1e-6,
            "{smooth} {expected}"
        );
        assert_eq!(median(&values, bounds(0.0, 100.0), 0.0).unwrap(), 100.0);
    }

    #[test]
    fn what_has_no_smooth_sensitivity_is_refused() {
        let unit = bounds(0.0, 1.0);
        assert_eq!(median(&[], unit, 0.1), Err(SmoothError::Empty));
        for rank in [0, 3] {
            let text = order_statistic(&[0.1, 0.2], rank, unit, 0.1)
                .unwrap_err()
                .to_string();
            assert!(text.contains(&format!("rank is {rank}")), "{text}");
        }
        for bad in [1.5, -0.1, f64::NAN] {
            let text = maximum(&[0.1, bad], unit, 0.1).unwrap_err().to_string();
            assert!(text.contains(&format!("value 2 is {bad:?}")), "{text}");
        }
        for beta in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(maximum(&[0.1], unit, beta).is_err());
        }
    }
}
