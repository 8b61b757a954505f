//! Numbers and lists in sentences.

/// A number rounded to `digits` significant digits, without an exponent where it is short that way.
pub fn significant(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return crate::record::number(x);
    }
    let exponent = exponent_of(x, digits);
    if !(-4..6.max(digits as i32)).contains(&exponent) {
        return format!("{x:.*e}", digits.saturating_sub(1));
    }
    decimals(x, digits as i32 - 1 - exponent)
}

/// `131.06 ± 0.76`: the half width with two significant digits, the value with as many decimals.
pub fn plus_minus(value: f64, half_width: f64) -> String {
    if !(half_width > 0.0) || !half_width.is_finite() || !value.is_finite() {
        return significant(value, 4);
    }
    let size = value.abs().max(half_width);
    if !(1e-4..1e6).contains(&size) {
        let digits = exponent_of(size, 2) - exponent_of(half_width, 2) + 2;
        let digits = digits.clamp(2, 15) as usize;
        return format!("{value:.*e} ± {half_width:.1e}", digits - 1);
    }
    let places = 1 - exponent_of(half_width, 2);
    format!(
        "{} ± {}",
        decimals(value, places),
        decimals(half_width, places)
    )
}

/// A part of one as a percentage: `64 %`, and with a decimal below 1 % and above 99 %.
pub fn percent(part: f64) -> String {
    let whole = 100.0 * part;
    if whole.abs() < 1.0 || (99.0..100.0).contains(&whole.abs()) {
        format!("{} %", decimals(whole, 1))
    } else {
        format!("{} %", decimals(whole, 0))
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn join<S: AsRef<str>>(words: &[S], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [head @ .., last] => {
            let head: Vec<&str> = head.iter().map(AsRef::as_ref).collect();
            format!("{} {conjunction} {}", head.join(", "), last.as_ref())
        }
    }
}

/// The power of ten of the first of `digits` significant digits, after rounding to them: 0 for 9.4 and 1 for 9.96 with two.
fn exponent_of(x: f64, digits: usize) -> i32 {
    let text = format!("{:.*e}", digits.saturating_sub(1), x.abs());
    text.split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0)
}

/// Rounded to this many decimals; to tens, hundreds, … where it is negative.
fn decimals(x: f64, places: i32) -> String {
    if places >= 0 {
        return format!("{x:.*}", places as usize);
    }
    let unit = 10_f64.powi(-places);
    format!("{:.0}", (x / unit).round() * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_as_they_are_read() {
        assert_eq!(significant(131.0595, 4), "131.1");
        assert_eq!(significant(0.0009996, 3), "0.00100");
        assert_eq!(significant(123_456.0, 2), "120000");
        assert_eq!(significant(1e-9, 2), "1.0e-9");
        assert_eq!(significant(0.0, 3), "0");
        assert_eq!(plus_minus(131.0595, 0.7612), "131.06 ± 0.76");
        assert_eq!(plus_minus(360.0249, 2.231), "360.0 ± 2.2");
        assert_eq!(plus_minus(360.0249, 22.31), "360 ± 22");
        assert_eq!(plus_minus(36_002.49, 223.1), "36000 ± 220");
        assert_eq!(plus_minus(5.0, 0.0), "5.000");
        assert_eq!(plus_minus(2e-9, 1e-11), "2.000e-9 ± 1.0e-11");
        assert_eq!(percent(0.6395), "64 %");
        assert_eq!(percent(0.004), "0.4 %");
        assert_eq!(percent(0.9996), "100.0 %");
        assert_eq!(join(&["a", "b", "c"], "and"), "a, b and c");
        assert_eq!(join::<&str>(&[], "and"), "");
    }
}
