//! The numbers of a box plot.

use super::error::{StatisticsError, sound};
use super::quantile::quantile_sorted;

/// The numbers of a box plot (Tukey, "Exploratory Data Analysis", 1977, chapter 2), in the units of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlot {
    /// lower quartile, type 7
    pub q1: f64,
    /// median
    pub median: f64,
    /// upper quartile, type 7
    pub q3: f64,
    /// q1 − 1.5·(q3 − q1)
    pub lower_fence: f64,
    /// q3 + 1.5·(q3 − q1)
    pub upper_fence: f64,
    /// the least value that is not below the lower fence
    pub lower_whisker: f64,
    /// the largest value that is not above the upper fence
    pub upper_whisker: f64,
    /// values beyond the fences, ascending
    pub outliers: Vec<f64>,
}

/// The fences of a box with these quartiles.
pub fn fences(q1: f64, q3: f64) -> (f64, f64) {
    let reach = 1.5 * (q3 - q1);
    (q1 - reach, q3 + reach)
}

/// The box plot of some values; NaN is refused.
///
/// # Errors
/// [`StatisticsError`] if there is no value, or a NaN
pub fn box_plot(data: &[f64]) -> Result<BoxPlot, StatisticsError> {
    sound("a box plot", data, 1)?;
    let mut sorted = data.to_vec();
    sorted.sort_by(f64::total_cmp);
    let q1 = quantile_sorted(&sorted, 0.25)?;
    let q3 = quantile_sorted(&sorted, 0.75)?;
    let (lower_fence, upper_fence) = fences(q1, q3);
    let inside = |x: &&f64| lower_fence <= **x && **x <= upper_fence;
    // there is always a value inside: the fences enclose the quartiles
    let lower_whisker = sorted.iter().find(inside).copied().unwrap_or(q1);
    let upper_whisker = sorted.iter().rev().find(inside).copied().unwrap_or(q3);
    Ok(BoxPlot {
        q1,
        median: quantile_sorted(&sorted, 0.5)?,
        q3,
        lower_fence,
        upper_fence,
        lower_whisker,
        upper_whisker,
        outliers: sorted.iter().filter(|x| !inside(x)).copied().collect(),
    })
}

/// Tukey's five numbers: least, lower hinge, median, upper hinge, largest; the hinges are the medians of the halves, both of which
/// hold the median of an odd number of values (R's `fivenum`).
///
/// # Errors
/// [`StatisticsError`] if there is no value, or a NaN
pub fn five_numbers(data: &[f64]) -> Result<[f64; 5], StatisticsError> {
    sound("five numbers", data, 1)?;
    let mut sorted = data.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let middle = |part: &[f64]| quantile_sorted(part, 0.5);
    let half = n.div_ceil(2);
    Ok([
        sorted[0],
        middle(&sorted[..half])?,
        middle(&sorted)?,
        middle(&sorted[n - half..])?,
        sorted[n - 1],
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_and_equal_values_are_boxes() {
        for data in [&[2.5][..], &[2.5; 7]] {
            let b = box_plot(data).unwrap();
            assert_eq!((b.q1, b.lower_whisker, b.upper_whisker), (2.5, 2.5, 2.5));
            assert!(b.outliers.is_empty());
            assert_eq!(five_numbers(data).unwrap(), [2.5; 5]);
        }
        assert!(box_plot(&[]).is_err() && box_plot(&[f64::NAN]).is_err());
    }
}
