//! Numbers as people write them.

/// The shortest decimal that reads back as the same number; with an exponent where it would be long otherwise.
///
/// ```
/// use epsweep::config::number::label;
/// assert_eq!(label(1.0), "1");
/// assert_eq!(label(0.1), "0.1");
/// assert_eq!(label(1e-9), "1e-9");
/// assert_eq!(label(-0.0), "0");
/// ```
pub fn label(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        "0".to_owned()
    } else if !number.is_finite() {
        if number.is_nan() {
            "nan".to_owned()
        } else if number > 0.0 {
            "inf".to_owned()
        } else {
            "-inf".to_owned()
        }
    } else if (1e-5..1e15).contains(&size) {
        format!("{number}")
    } else {
        format!("{number:e}")
    }
}

/// Rounded to this many significant decimal digits.
fn rounded(number: f64, digits: usize) -> f64 {
    // printing and reading are correctly rounded on every machine; arithmetic with powers of ten would not be
    format!("{number:.*e}", digits - 1)
        .parse()
        .unwrap_or(number)
}

/// `points` numbers from `low` to `high`, evenly spaced in their logarithm up to rounding to six digits (twelve where they lie
/// closer than a thousandth); both ends are exact, and so is every whole power of ten among them.
pub fn log_points(low: f64, high: f64, points: usize) -> Vec<f64> {
    let (from, to) = (libm::log10(low), libm::log10(high));
    let step = (to - from).abs() / points.saturating_sub(1).max(1) as f64;
    let digits = if step * std::f64::consts::LN_10 > 1e-3 {
        6
    } else {
        12
    };
    between(low, high, points, digits, |part| {
        libm::pow(10.0, from + (to - from) * part)
    })
}

/// `points` numbers from `low` to `high`, evenly spaced; both ends are exact.
pub fn linear_points(low: f64, high: f64, points: usize) -> Vec<f64> {
    // a weighted mean, since high − low can overflow
    between(low, high, points, 12, |part| {
        low * (1.0 - part) + high * part
    })
}

fn between(low: f64, high: f64, points: usize, digits: usize, at: impl Fn(f64) -> f64) -> Vec<f64> {
    let last = points.saturating_sub(1);
    (0..points)
        .map(|i| match i {
            0 => low,
            i if i == last => high,
            i => rounded(at(i as f64 / last as f64), digits),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_exact_among_log_points() {
        let axis = log_points(0.01, 10.0, 13);
        assert_eq!(axis.len(), 13);
        for (at, exact) in [(0, 0.01), (4, 0.1), (8, 1.0), (12, 10.0)] {
            assert_eq!(axis[at].to_bits(), f64::to_bits(exact));
        }
        // 10^(-1.75) and 10^(0.5), from tables
        assert_eq!(axis[1], 0.0177828);
        assert_eq!(axis[10], 3.16228);
        // close points keep the digits that tell them apart
        assert!(
            log_points(1.0, 1.001, 1000)
                .windows(2)
                .all(|pair| pair[0] < pair[1])
        );
        for exponent in -12..12 {
            let low: f64 = format!("1e{exponent}").parse().unwrap();
            let high: f64 = format!("1e{}", exponent + 6).parse().unwrap();
            for (i, point) in log_points(low, high, 7).into_iter().enumerate() {
                let power: f64 = format!("1e{}", exponent + i as i32).parse().unwrap();
                assert_eq!(point, power);
            }
        }
    }

    #[test]
    fn linear_points_are_short_decimals() {
        let labels: Vec<String> = (linear_points(0.1, 0.7, 7).into_iter())
            .map(label)
            .collect();
        assert_eq!(labels, ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]);
        assert!(
            linear_points(-1e308, 1.7e308, 5)
                .iter()
                .all(|x| x.is_finite())
        );
    }

    #[test]
    fn labels_read_back() {
        for number in [
            1.0,
            0.1,
            1e-5,
            9.9e-6,
            1e15,
            123456.789,
            1e300,
            5e-324,
            -2.5,
            f64::MAX,
        ] {
            assert_eq!(label(number).parse::<f64>().unwrap(), number);
            assert!(label(number).len() < 25);
        }
        assert_eq!(label(f64::NAN), "nan");
        assert_eq!(label(f64::NEG_INFINITY), "-inf");
    }
}
