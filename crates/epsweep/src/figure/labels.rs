//! Short names, for readers, of axes, their values and subjects.

use crate::record::ResolvedAxis;
use crate::words::superscript;
use std::collections::{BTreeMap, BTreeSet};

/// The name of an axis as a reader says it.
pub fn axis_name(name: &str) -> &str {
    match name {
        "epsilon" | "budget.epsilon" => "ε",
        "delta" | "budget.delta" => "δ",
        "rho" | "budget.rho" => "ρ",
        other => other,
    }
}

/// A value of an axis: numbers and lists of numbers need the axis's name, words do not.
pub fn axis_label(axis: &ResolvedAxis, label: &str) -> String {
    let name = axis_name(&axis.name);
    if axis.numbers.is_some() {
        let short = short_number(axis, label);
        format!(
            "{name} = {}",
            number_label(short.as_deref().unwrap_or(label))
        )
    } else if label.starts_with('[') {
        format!("{name} = {label}")
    } else {
        label.to_owned()
    }
}

/// Values of an axis up to which they are told apart by fewer digits: each is held against all.
const MOST_SHORTENED: usize = 64;

/// A number with fewer digits after the point, where it has many and they still tell it from all others of its axis: those of a
/// logarithmic grid mean nothing.
fn short_number(axis: &ResolvedAxis, label: &str) -> Option<String> {
    const MOST: usize = 4;
    let (whole, decimals) = label.split_once('.')?;
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    let significant = |text: &str| digits(text.trim_start_matches(['-', '+', '0', '.']));
    let plain = (label.chars()).all(|c| c.is_ascii_digit() || ['.', '-'].contains(&c));
    if !plain || significant(label) <= MOST || axis.labels.len() > MOST_SHORTENED {
        return None;
    }
    let numbers = axis.numbers.as_deref()?;
    let rounded = |number: f64, count: usize| {
        let text = format!("{number:.*e}", count - 1);
        text.parse::<f64>()
            .map_or(text, |number| number.to_string())
    };
    // the digits before the point all count
    let fewest = (MOST - 1).max(significant(whole));
    let apart = |count: &usize| {
        let all: BTreeSet<String> = numbers.iter().map(|n| rounded(*n, *count)).collect();
        all.len() == numbers.len()
    };
    let count = (fewest..fewest + digits(decimals)).find(apart)?;
    Some(rounded(label.parse().ok()?, count))
}

/// A number of a file as a reader writes it: `-1` with a sign of minus, `1e-6` as a power of ten.
fn number_label(label: &str) -> String {
    let power = label.split_once(['e', 'E']);
    let written = match power.and_then(|(mantissa, power)| Some((mantissa, power.parse().ok()?))) {
        Some(("1", power)) => format!("10{}", superscript(power)),
        Some((mantissa, power)) => format!("{mantissa}×10{}", superscript(power)),
        None => label.to_owned(),
    };
    written.replace('-', "−")
}

/// Short names of subjects: the numbers of a vector lose what all of them begin with, up to a word's end. `ages[age in [0, 10)]`
/// becomes `ages: [0, 10)` beside others of its kind.
pub fn subject_labels(subjects: &[&str]) -> Vec<String> {
    let parts = |subject: &str| -> Option<(String, String)> {
        let (query, part) = subject.split_once('[')?;
        Some((query.to_owned(), part.strip_suffix(']')?.to_owned()))
    };
    let mut common: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for (query, part) in subjects.iter().filter_map(|subject| parts(subject)) {
        let (prefix, members) = common.entry(query).or_insert((part.clone(), 0));
        let same = (prefix.char_indices().zip(part.chars()))
            .find(|((_, one), other)| one != other)
            .map_or(prefix.len().min(part.len()), |((place, _), _)| place);
        prefix.truncate(same);
        *members += 1;
    }
    let label = |subject: &&str| -> Option<String> {
        let (query, part) = parts(subject)?;
        let (prefix, members) = common.get(&query)?;
        let end = prefix.rfind(' ').map_or(0, |place| place + 1);
        (*members > 1 && end > 0).then(|| format!("{query}: {}", &part[end..]))
    };
    (subjects.iter())
        .map(|subject| label(subject).unwrap_or_else(|| (*subject).to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_an_axis_are_written_for_readers() {
        let axis = |name: &str, labels: &[&str]| ResolvedAxis {
            name: name.to_owned(),
            path: name.to_owned(),
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            numbers: (labels.iter()).map(|label| label.parse().ok()).collect(),
        };
        let label = |text| axis_label(&axis("epsilon", &[text]), text);
        assert_eq!(label("0.1"), "ε = 0.1");
        assert_eq!(label("-1"), "ε = −1");
        assert_eq!(label("1e-6"), "ε = 10⁻⁶");
        assert_eq!(label("-2.5e10"), "ε = −2.5×10¹⁰");
        let words = axis("allocation", &["even", "optimal-mse"]);
        assert_eq!(axis_label(&words, "optimal-mse"), "optimal-mse");
        // digits of a grid that tell nothing apart
        let all = |labels: &[&str]| -> Vec<String> {
            let axis = axis("x", labels);
            let label = |text: &&str| axis_label(&axis, text).split_off("x = ".len());
            labels.iter().map(label).collect()
        };
        let grid = ["0.1", "0.176273", "0.999999", "1.7019", "-17.7828", "3"];
        let short = ["0.1", "0.176", "1", "1.7", "−17.8", "3"];
        assert_eq!(all(&grid), short);
        assert_eq!(all(&["0.12345", "0.12346"]), ["0.12345", "0.12346"]);
        assert_eq!(all(&["0.12361", "0.12443"]), ["0.1236", "0.1244"]);
        assert_eq!(all(&["0.99999", "1"]), ["0.99999", "1"]);
        // whole numbers are said whole, and so are four digits
        assert_eq!(all(&["12345", "99999"]), ["12345", "99999"]);
        assert_eq!(all(&["12345.75", "0.1234"]), ["12346", "0.1234"]);
        let many: Vec<String> = (0..100).map(|i| format!("0.{}", 10_000 + i)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(all(&many), many);
    }

    #[test]
    fn numbers_of_a_vector_lose_what_they_share() {
        assert_eq!(
            subject_labels(&[
                "max age",
                "ages[age in [0, 10)]",
                "ages[age in [10, 20]]",
                "one[age in [0, 10)]"
            ]),
            [
                "max age",
                "ages: [0, 10)",
                "ages: [10, 20]",
                "one[age in [0, 10)]"
            ]
        );
        assert_eq!(
            subject_labels(&["q[drama]", "q[drawn é]"]),
            ["q[drama]", "q[drawn é]"]
        );
        assert_eq!(
            subject_labels(&["q[cell 1]", "q[cells 1 to 2]"]),
            ["q[cell 1]", "q[cells 1 to 2]"]
        );
        // the same twice leaves something
        assert_eq!(subject_labels(&["q[a b]", "q[a b]"]), ["q: b", "q: b"]);
    }
}
