//! Cells and labels as people call them: axes in any order, numbers however they are written.

use super::{Resolved, ResolvedAxis};

impl ResolvedAxis {
    /// The label that somebody means: the same text or, of none, the same number.
    pub fn label_called(&self, given: &str) -> Option<&str> {
        let same = |label: &&String| match (number(label), number(given)) {
            (Some(label), Some(given)) => label == given,
            _ => false,
        };
        let exact = self.labels.iter().find(|label| *label == given);
        exact
            .or_else(|| self.labels.iter().find(same))
            .map(String::as_str)
    }
}

fn number(text: &str) -> Option<f64> {
    let number: f64 = text.trim().replace('_', "").parse().ok()?;
    number.is_finite().then_some(number)
}

/// The cells that a text means, as results call them (`epsilon=1 allocation=even`), with axes in any order and numbers however they are
/// written. An axis that is left out is any.
pub fn cells_called(resolved: &Resolved, text: &str) -> Vec<usize> {
    if let Some(cell) = resolved.cells.iter().position(|cell| cell.id == text) {
        return vec![cell];
    }
    let Some(wanted) = assignments(&resolved.axes, text) else {
        return Vec::new();
    };
    let means = |labels: &[String]| {
        (wanted.iter()).all(|(axis, label)| labels.get(*axis).is_some_and(|of| of == label))
    };
    (resolved.cells.iter().enumerate())
        .filter(|(_, cell)| means(&cell.labels))
        .map(|(index, _)| index)
        .collect()
}

/// The labels that a text gives to axes, by their places; `None` where it does something else.
fn assignments<'a>(axes: &'a [ResolvedAxis], text: &str) -> Option<Vec<(usize, &'a str)>> {
    // where an axis begins: a label may hold spaces
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for (place, axis) in axes.iter().enumerate() {
        let head = format!("{}=", axis.name);
        let begins = |at: &usize| *at == 0 || text[..*at].ends_with([' ', ',']);
        let mut found = (text.match_indices(&head)).map(|(at, _)| at).filter(begins);
        if let Some(at) = found.next() {
            starts.push((at, place));
        }
    }
    starts.sort_unstable();
    if starts.first().is_none_or(|(at, _)| *at != 0) {
        return None;
    }
    let ends = (starts.iter().skip(1).map(|(at, _)| *at)).chain([text.len()]);
    (starts.iter().zip(ends))
        .map(|((at, place), end)| {
            let axis = &axes[*place];
            let value = text[at + axis.name.len() + 1..end].trim_end_matches([' ', ',']);
            Some((*place, axis.label_called(value)?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(name: &str, labels: &[&str]) -> ResolvedAxis {
        ResolvedAxis {
            name: name.to_owned(),
            path: name.to_owned(),
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            numbers: None,
        }
    }

    #[test]
    fn labels_are_found_as_text_and_as_numbers() {
        let of = axis("epsilon", &["0.5", "3", "1e-06", "none"]);
        for (given, label) in [
            ("3", "3"),
            ("3.0", "3"),
            ("3e0", "3"),
            (".5", "0.5"),
            ("0.000001", "1e-06"),
            ("none", "none"),
        ] {
            assert_eq!(of.label_called(given), Some(label), "{given}");
        }
        for none in ["4", "", "None", "nan", "3 "] {
            let found = of.label_called(none);
            assert!(found.is_none() || none.trim() == "3", "{none}");
        }
        // what is the same text comes before what is the same number
        let of = axis("tag", &["1.0", "1"]);
        assert_eq!(of.label_called("1"), Some("1"));
    }

    #[test]
    fn axes_come_in_any_order_and_labels_may_hold_spaces() {
        let axes = [axis("epsilon", &["1", "3"]), axis("k", &["a b", "c"])];
        let found = |text: &str| assignments(&axes, text);
        assert_eq!(found("epsilon=3.0 k=a b"), Some(vec![(0, "3"), (1, "a b")]));
        assert_eq!(found("k=a b epsilon=3"), Some(vec![(1, "a b"), (0, "3")]));
        assert_eq!(found("k=c, epsilon=1"), Some(vec![(1, "c"), (0, "1")]));
        assert_eq!(found("k=c"), Some(vec![(1, "c")]));
        for none in ["", "3", "x k=c", "k=d", "epsilon=2 k=c"] {
            assert_eq!(found(none), None, "{none}");
        }
    }
}
