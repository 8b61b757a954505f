//! What a field says: a number, a sign that there is no value, or neither.

/// A field read as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// a finite number
    Number(f64),
    /// a sign that there is no usable value: which
    Missing(&'static str),
    /// anything else, with what to do
    Wrong(&'static str),
}

/// Texts that stand for "no value", in lower case, with what they are called.
const MARKS: &[(&str, &str)] = &[
    ("", "blank"),
    ("na", "NA"),
    ("n/a", "NA"),
    ("nan", "NaN"),
    ("null", "null"),
    ("none", "none"),
    ("?", "?"),
    ("-", "-"),
    (".", "."),
];

/// What a field is called that stands for "no value", in a column of numbers or of texts.
pub fn missing(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let found = (MARKS.iter()).find(|(mark, _)| text.eq_ignore_ascii_case(mark));
    found.map(|(_, name)| *name)
}

/// Reads a field. What Rust takes for a number but no analysis can use (NaN, infinities, `1e400`) counts as missing.
pub fn read(text: &str) -> Reading {
    if let Some(name) = missing(text) {
        return Reading::Missing(name);
    }
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Reading::Number(number),
        Ok(number) if number.is_nan() => Reading::Missing("NaN"),
        Ok(_) => Reading::Missing("infinite"),
        Err(_) => Reading::Wrong(hint(text)),
    }
}

fn hint(text: &str) -> &'static str {
    let numeric = |c: char| c.is_ascii_digit() || ",.'_ +-\u{a0}\u{202f}".contains(c);
    if text.chars().all(numeric) && text.chars().any(|c| c.is_ascii_digit()) {
        "write it without thousands separators and with a decimal point: 1234.5"
    } else {
        "a numeric column holds decimal numbers; if the column is text, declare it in [data.columns] as { text = true }"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_marks_and_neither() {
        for (text, number) in [
            (" +1 ", 1.0),
            ("2", 2.0),
            ("-0.5e3", -500.0),
            (".5", 0.5),
            ("5.", 5.0),
        ] {
            assert_eq!(read(text), Reading::Number(number));
        }
        for text in [
            "", " ", "NA", "n/a", "NaN", "-nan", "null", "NULL", "?", "inf", "-inf", "Infinity",
            "1e400", "-1e400",
        ] {
            assert!(matches!(read(text), Reading::Missing(_)), "{text}");
        }
        for text in ["1,234", "1'234", "1 234", "3,14", "1_000"] {
            assert!(
                matches!(read(text), Reading::Wrong(hint) if hint.contains("thousands")),
                "{text}"
            );
        }
        for text in ["abc", "12abc", "0x10", "１２", "+-1", "--"] {
            assert!(matches!(read(text), Reading::Wrong(_)), "{text}");
        }
    }
}
