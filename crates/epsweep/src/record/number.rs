//! Numbers in files.

/// The shortest decimal that reads back as the same double: `120`, `0.1`, `1e-12`, `inf`, `NaN`. The same form in every file.
pub fn number(x: f64) -> String {
    let mut text = format!("{x:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

/// As [`number`]; empty for `None`.
pub fn optional(x: Option<f64>) -> String {
    x.map_or(String::new(), number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back() {
        for (x, text) in [
            (120.0, "120"),
            (0.1, "0.1"),
            (1e-12, "1e-12"),
            (-0.0, "-0"),
            (1e16, "1e16"),
            (360.0249, "360.0249"),
            (f64::INFINITY, "inf"),
            (5e-324, "5e-324"),
        ] {
            assert_eq!(number(x), text);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
        assert_eq!(optional(None), "");
    }
}
