//! Numbers and lists as readers want them: no more digits than the Monte Carlo error supports.

/// An integer in superscript digits.
pub fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number
        .to_string()
        .chars()
        .map(|c| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]))
        .collect()
}

/// What stands between groups of three digits: a thin gap at which no line is broken.
pub const GAP: char = '\u{202f}';

/// An integer with thin gaps between groups of three digits: 100 000.
pub fn grouped(number: u64) -> String {
    with_gaps(&number.to_string())
}

/// Digits, of which those before a decimal point are put into groups of three where there are five or more.
fn with_gaps(number: &str) -> String {
    let whole = number.find('.').unwrap_or(number.len());
    if whole < 5 {
        return number.to_owned();
    }
    let mut text = String::new();
    for (i, digit) in number[..whole].chars().enumerate() {
        if i > 0 && (whole - i).is_multiple_of(3) {
            text.push(GAP);
        }
        text.push(digit);
    }
    text + &number[whole..]
}

/// `100 000`, or `12 288 to 1 572 864`.
pub fn grouped_range(numbers: &std::ops::RangeInclusive<u64>) -> String {
    let (low, high) = (*numbers.start(), *numbers.end());
    match low < high {
        true => format!("{} to {}", grouped(low), grouped(high)),
        false => grouped(high),
    }
}

/// `1 trial`, `100 000 trials`, or `12 288 to 1 572 864 trials`.
pub fn of_trials(numbers: &std::ops::RangeInclusive<u64>) -> String {
    match numbers.end() {
        1 => several(1, "trial"),
        _ => format!("{} trials", grouped_range(numbers)),
    }
}

/// The power of ten of the first digit: 2 for 360, −1 for 0.36.
fn order(value: f64) -> i32 {
    // formatting rounds correctly, the logarithm may not at powers of ten
    format!("{:e}", value.abs())
        .split('e')
        .nth(1)
        .and_then(|e| e.parse().ok())
        .unwrap_or(0)
}

/// A number rounded at a power of ten; very large and very small ones with a power of ten.
fn rounded(value: f64, last: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = order(value);
    if !(size >= 7 || (size < -4 && last < -5)) {
        return plain(value, last);
    }
    let decimals = (size - last).clamp(0, 16) as usize;
    let text = format!("{value:.decimals$e}");
    typographic(match text.split_once('e') {
        Some((mantissa, power)) => {
            format!("{mantissa}×10{}", superscript(power.parse().unwrap_or(0)))
        }
        None => text,
    })
}

/// A number rounded at a power of ten, without a power of ten.
fn plain(value: f64, last: i32) -> String {
    let text = format!("{value:.0$}", (-last).clamp(0, 16) as usize);
    typographic(match text.strip_prefix('-') {
        Some(digits) => format!("-{}", with_gaps(digits)),
        None => with_gaps(&text),
    })
}

fn typographic(text: String) -> String {
    // a typographic minus, also where rounding left −0.0
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// A number with significant digits.
pub fn significant(value: f64, digits: i32) -> String {
    if value.is_nan() {
        return "undefined".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "∞".to_owned()
        } else {
            "−∞".to_owned()
        };
    }
    let text = rounded(value, order(value) - digits + 1);
    // 3.0000 says no more than 3 where the number is 3 but for rounding
    match text.replace('−', "-").replace(GAP, "").parse::<f64>() {
        Ok(short) if text.contains('.') && (short - value).abs() <= 1e-9 * value.abs() => {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => text,
    }
}

/// A number whose uncertainty is known: rounded to the second digit of its error.
pub fn measured(value: f64, error: Option<f64>) -> String {
    match error {
        Some(error) if error > 0.0 && error.is_finite() && value.is_finite() => {
            rounded(value, (order(error) - 1).max(order(value) - 9))
        }
        _ => significant(value, 6),
    }
}

/// A number that stands without its interval: with no more digits than this supports, down to the first one of the half-width. Where the interval is
/// no wider than the standard error it is that of a bin, in which the number may lie anywhere: then the last digit is one that the half-width does
/// not reach. Whole numbers stay whole, and where the interval has no width, as where a quantile sits on an atom, the number is written out; without an
/// interval the error counts.
pub fn supported(value: f64, error: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    let Some((low, high)) = low.zip(high) else {
        return measured(value, error);
    };
    let half = (high - low) / 2.0;
    if !half.is_finite() || !value.is_finite() {
        return measured(value, error);
    }
    if !(half > 0.0) {
        return significant(value, 6);
    }
    let of_a_bin = error.is_some_and(|error| half <= WITHIN_A_BIN * error);
    let mut last = (order(half) + i32::from(of_a_bin)).min(order(value));
    if value.fract() == 0.0 {
        last = last.max(0);
    }
    match last > 0 {
        true => {
            let unit = libm::pow(10.0, f64::from(last));
            rounded((value / unit).round() * unit, last)
        }
        false => rounded(value, last),
    }
}

/// Half-width over standard error up to which an interval comes from the width of a bin: those of a normal law at usual levels are wider.
const WITHIN_A_BIN: f64 = 1.2;

/// A number with the half-width of its interval: `360.0 ± 2.2`.
pub fn with_interval(value: f64, low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) if high > low && (high - low).is_finite() && value.is_finite() => {
            let half = (high - low) / 2.0;
            let last = order(half) - 1;
            // an interval that is far from symmetric is written out
            if ((high - value) - (value - low)).abs() > 0.2 * (high - low) {
                return format!(
                    "{} ({} to {})",
                    rounded(value, last),
                    rounded(low, last),
                    rounded(high, last)
                );
            }
            plus_minus(value, half)
        }
        _ => significant(value, 6),
    }
}

/// A number with an error or the half-width of an interval, which has two significant digits: `131.06 ± 0.76`.
pub fn plus_minus(value: f64, half: f64) -> String {
    if !(half > 0.0) || !half.is_finite() || !value.is_finite() {
        return significant(value, 4);
    }
    let last = order(half) - 1;
    let size = order(value.abs().max(half));
    let scale = libm::pow(10.0, f64::from(size));
    if !(-4..7).contains(&size) && scale > 0.0 && scale.is_finite() {
        return format!(
            "({} ± {})×10{}",
            rounded(value / scale, last - size),
            rounded(half / scale, last - size),
            superscript(size)
        );
    }
    // both in one style, unless that is a row of zeros
    let half = match last < -8 {
        true => rounded(half, last),
        false => plain(half, last),
    };
    format!("{} ± {half}", rounded(value, last))
}

/// A share as a percentage in a sentence: `64 %`, with a decimal below 1 % and above 99 %.
pub fn about_percent(share: f64) -> String {
    let whole = 100.0 * share;
    let fine = whole.abs() < 1.0 || (99.0..100.0).contains(&whole.abs());
    format!("{whole:.*} %", usize::from(fine))
}

/// `1 cell`, `2 cells`, `3 queries`, `100 000 trials`.
pub fn several(number: u64, noun: &str) -> String {
    let number_words = grouped(number);
    match noun.strip_suffix('y') {
        _ if number == 1 => format!("{number_words} {noun}"),
        Some(stem) => format!("{number_words} {stem}ies"),
        None => format!("{number_words} {noun}s"),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn join(words: &[impl AsRef<str>], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [head @ .., last] => {
            let head: Vec<&str> = head.iter().map(AsRef::as_ref).collect();
            format!("{} {conjunction} {}", head.join(", "), last.as_ref())
        }
    }
}

/// Whether all of these names of columns are numbers: then the line that should hold names is a record.
pub fn are_all_numbers<'a>(names: impl IntoIterator<Item = &'a str>) -> bool {
    (names.into_iter()).all(|name| name.parse::<f64>().is_ok())
}

/// A share as a percentage with two decimals.
pub fn percent(share: f64) -> String {
    if share.is_finite() {
        format!("{:.2} %", 100.0 * share)
    } else {
        "undefined".to_owned()
    }
}

/// A difference of shares: `1 percentage point`, `0.5 percentage points`.
pub fn points(difference: f64) -> String {
    let points = significant(100.0 * difference, 2);
    let plural = if points == "1" { "" } else { "s" };
    format!("{points} percentage point{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_error() {
        assert_eq!(
            with_interval(360.0249, Some(357.79), Some(362.25)),
            "360.0 ± 2.2"
        );
        assert_eq!(
            with_interval(0.64050712, Some(0.6375), Some(0.6435)),
            "0.6405 ± 0.0030"
        );
        assert_eq!(
            with_interval(12345.678, Some(12000.0), Some(12700.0)),
            "12\u{202f}346 ± 350"
        );
        assert_eq!(
            with_interval(1.2345e12, Some(1.2245e12), Some(1.2445e12)),
            "(1.234 ± 0.010)×10¹²"
        );
        assert_eq!(with_interval(3.0, None, None), "3");
        assert_eq!(
            with_interval(1.0, Some(0.9), Some(2.0)),
            "1.00 (0.90 to 2.00)"
        );
        assert_eq!(
            with_interval(-0.00001, Some(-0.5), Some(0.5)),
            "0.00 ± 0.50"
        );
    }

    #[test]
    fn numbers_without_an_interval_have_the_digits_that_it_supports() {
        let of = |value, error, low, high| supported(value, Some(error), Some(low), Some(high));
        // shares and spends that were read from a bin
        assert_eq!(of(0.049_874_6, 1.95e-4, 0.049_677_5, 0.050_071_6), "0.050");
        assert_eq!(of(0.502_675_9, 0.0039, 0.498_711_6, 0.506_640_2), "0.50");
        // atoms
        assert_eq!(of(5.0, 0.05, 5.0, 5.0), "5");
        assert_eq!(of(0.25, 0.0, 0.25, 0.25), "0.25");
        assert_eq!(of(14.0, 0.5, 13.0, 15.0), "14");
        assert_eq!(of(8.0, 0.2, 7.0, 8.0), "8");
        // as many as the interval tells apart
        assert_eq!(of(161.98, 1.2, 159.6, 164.4), "162");
        assert_eq!(of(8.271, 0.18, 7.9, 8.6), "8.3");
        assert_eq!(of(13_385_000.0, 6e5, 12.1e6, 14.5e6), "1.3×10⁷");
        assert_eq!(of(213_811.0, 9e3, 197e3, 231e3), "210\u{202f}000");
        // one digit at least, and zero as it is
        assert_eq!(of(0.3, 1.0, -2.0, 2.0), "0.3");
        assert_eq!(of(0.0, 0.1, 0.0, 0.2), "0");
        assert_eq!(supported(1.234_56, Some(0.01), None, Some(2.0)), "1.235");
    }

    #[test]
    fn errors_have_two_digits() {
        assert_eq!(plus_minus(131.0595, 0.7612), "131.06 ± 0.76");
        assert_eq!(plus_minus(360.0249, 22.31), "360 ± 22");
        assert_eq!(plus_minus(8.711e8, 6.29e6), "(8.711 ± 0.063)×10⁸");
        assert_eq!(plus_minus(0.464_459, 1.3e-5), "0.464459 ± 0.000013");
        assert_eq!(plus_minus(0.464_459, 1.3e-9), "0.4644590000 ± 1.3×10⁻⁹");
        assert_eq!(plus_minus(2e-9, 1e-11), "(2.000 ± 0.010)×10⁻⁹");
        assert_eq!(plus_minus(5.0, 0.0), "5");
    }

    #[test]
    fn sentences_read_well() {
        assert_eq!(several(1, "cell"), "1 cell");
        assert_eq!(several(1000, "trial"), "1000 trials");
        assert_eq!(several(3, "query"), "3 queries");
        assert_eq!(about_percent(0.6395), "64 %");
        assert_eq!(about_percent(0.004), "0.4 %");
        assert_eq!(about_percent(0.9996), "100.0 %");
        assert_eq!(join(&["a", "b", "c"], "and"), "a, b and c");
        assert_eq!(join(&[""; 0], "and"), "");
    }

    #[test]
    fn headers_that_are_records_are_told_from_names() {
        assert!(are_all_numbers(["37", "-1.5e3"]));
        assert!(!are_all_numbers(["37", "age"]));
        assert!(!are_all_numbers(["37", ""]));
    }

    #[test]
    fn significant_digits() {
        assert_eq!(significant(121.12, 6), "121.12");
        assert_eq!(significant(360.024_937, 6), "360.025");
        assert_eq!(significant(0.12, 4), "0.12");
        assert_eq!(significant(-2.5e-7, 3), "−2.50×10⁻⁷");
        assert_eq!(significant(f64::NAN, 3), "undefined");
        assert_eq!(significant(f64::NEG_INFINITY, 3), "−∞");
        assert_eq!(significant(0.0, 3), "0");
        assert_eq!(measured(360.024_937, Some(1.14)), "360.0");
    }

    #[test]
    fn groups_of_digits() {
        assert_eq!(grouped(5000), "5000");
        assert_eq!(grouped(100_000), "100\u{202f}000");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(significant(-123_456.78, 8), "−123\u{202f}456.78");
        assert_eq!(significant(123_456.0, 8), "123\u{202f}456");
        assert_eq!(significant(1234.5, 6), "1234.5");
        assert_eq!(
            plus_minus(-4_980_801.0, 31_075.0),
            "−4\u{202f}980\u{202f}801 ± 31\u{202f}075"
        );
        assert_eq!(superscript(-12), "⁻¹²");
    }
}
