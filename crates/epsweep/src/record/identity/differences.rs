//! What of two identities is not the same, in words.

use super::{AXES, CELLS, DATA, Identity, MARGINS, PRESENTATION, TRIALS, as_strict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An axis and its values, as results call them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AxisValues {
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

/// Values of an axis that an error names.
const NAMED: usize = 8;

/// Letters of a part that is a hash.
const HASH: usize = 64;

impl Identity {
    /// What decides the numbers and is not the same in `self` (here) and `found` (there), in words; empty if all is. More trials and a stricter target
    /// are no difference: they are added to what is there.
    pub(in crate::record) fn differences(&self, found: &Identity) -> String {
        let names: BTreeSet<&String> = self.parts.keys().chain(found.parts.keys()).collect();
        let differs = |name: &&&String| {
            let more = match name.as_str() {
                TRIALS => self.trials() > found.trials(),
                MARGINS => as_strict(&self.margins(), &found.margins()),
                _ => false,
            };
            let same = self.parts.get(**name) == found.parts.get(**name);
            !(same || more || PRESENTATION.contains(&name.as_str()))
        };
        let words: Vec<String> = (names.iter().filter(differs))
            .filter_map(|name| self.of_part(found, name))
            .collect();
        words.join("; ")
    }

    /// What is to be said of a part that differs; `None` where it follows from others.
    fn of_part(&self, found: &Identity, name: &str) -> Option<String> {
        let differs = |part: &str| self.parts.get(part) != found.parts.get(part);
        let axes = match self.axes.is_empty() || found.axes.is_empty() {
            true => String::new(),
            false => of_axes(&self.axes, &found.axes),
        };
        if !axes.is_empty() && name == AXES {
            return Some(axes);
        }
        // cells are made of the axes: that they are others, too, says nothing more
        if !axes.is_empty() && name == CELLS && differs(AXES) {
            return None;
        }
        let settings = self.settings.differences(&found.settings, name);
        if !settings.is_empty() {
            return Some(settings);
        }
        // the answers follow from the data, of which it is said
        if name == CELLS && differs(DATA) {
            return None;
        }
        let (here, there) = (self.parts.get(name), found.parts.get(name));
        let short = |x: Option<&String>| x.is_none_or(|x| x.len() < HASH);
        if !(short(here) && short(there)) {
            return Some(format!("other {name}"));
        }
        let say = |x: Option<&String>| x.map_or("nothing".to_string(), Clone::clone);
        let (name, lax) = match name {
            MARGINS => ("precision", ", which is less strict"),
            "values" => ("the version of the numbers of epsweep", ""),
            name => (name, ""),
        };
        Some(format!(
            "{name}: {} there, {} here{lax}",
            say(there),
            say(here)
        ))
    }
}

/// What is not the same in these axes, in words: which axis, and which values.
fn of_axes(here: &[AxisValues], there: &[AxisValues]) -> String {
    let names = |axes: &[AxisValues]| -> Vec<String> {
        axes.iter().map(|axis| axis.name.clone()).collect()
    };
    let only = |axes: &[AxisValues], others: &[AxisValues], place: &str| -> Vec<String> {
        let others = names(others);
        (axes.iter().filter(|axis| !others.contains(&axis.name)))
            .map(|axis| format!("axis {} ({}) only {place}", axis.name, listed(&axis.values)))
            .collect()
    };
    let mut words = only(there, here, "there");
    words.extend(only(here, there, "here"));
    for axis in here {
        let Some(other) = there.iter().find(|other| other.name == axis.name) else {
            continue;
        };
        let besides = |values: &[String], others: &[String]| -> Vec<String> {
            let others: std::collections::HashSet<&String> = others.iter().collect();
            (values.iter().filter(|value| !others.contains(value)))
                .cloned()
                .collect()
        };
        let (gone, new) = (
            besides(&other.values, &axis.values),
            besides(&axis.values, &other.values),
        );
        let parts: Vec<String> = [(gone, "there"), (new, "here")]
            .into_iter()
            .filter(|(values, _)| !values.is_empty())
            .map(|(values, place)| format!("{} only {place}", listed(&values)))
            .collect();
        if !parts.is_empty() {
            words.push(format!("axis {}: {}", axis.name, parts.join(", ")));
        } else if axis.values != other.values {
            words.push(format!(
                "axis {}: {} there, {} here (another order)",
                axis.name,
                listed(&other.values),
                listed(&axis.values)
            ));
        }
    }
    if words.is_empty() && names(here) != names(there) {
        words.push(format!(
            "axes in another order: {} there, {} here",
            names(there).join(", "),
            names(here).join(", ")
        ));
    }
    words.join("; ")
}

/// Values, of many the first.
fn listed(values: &[String]) -> String {
    let more = values.len().saturating_sub(NAMED);
    let first = values[..values.len() - more].join(", ");
    match more {
        0 => first,
        _ => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(of: &[(&str, &[&str])]) -> Vec<AxisValues> {
        (of.iter())
            .map(|(name, values)| AxisValues {
                name: (*name).to_owned(),
                values: values.iter().map(|value| (*value).to_owned()).collect(),
            })
            .collect()
    }

    #[test]
    fn the_axis_and_the_values_that_differ_are_named() {
        let there = axes(&[("epsilon", &["0.5", "1"]), ("noise", &["laplace"])]);
        for (here, words) in [
            (
                axes(&[("epsilon", &["1", "2"]), ("noise", &["laplace"])]),
                "axis epsilon: 0.5 only there, 2 only here",
            ),
            (
                axes(&[("epsilon", &["0.5", "1"]), ("k", &["3"])]),
                "axis noise (laplace) only there; axis k (3) only here",
            ),
            (
                axes(&[("epsilon", &["1", "0.5"]), ("noise", &["laplace"])]),
                "axis epsilon: 0.5, 1 there, 1, 0.5 here (another order)",
            ),
            (
                axes(&[("noise", &["laplace"]), ("epsilon", &["0.5", "1"])]),
                "axes in another order: epsilon, noise there, noise, epsilon here",
            ),
        ] {
            assert_eq!(of_axes(&here, &there), words);
        }
        let many: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        assert_eq!(listed(&many), "0, 1, 2, 3, 4, 5, 6, 7 and 12 more");
    }

    #[test]
    fn of_other_axes_that_are_known_the_cells_say_nothing_more() {
        let identity = |hash: &str| {
            let parts = ["axes", "cells"].map(|name| (name.to_owned(), hash.repeat(64)));
            Identity::from_parts(parts.into())
        };
        let (here, there) = (identity("a"), identity("b"));
        assert_eq!(here.differences(&there), "other axes; other cells");
        let here = here.with(&axes(&[("k", &["1"])]));
        assert_eq!(here.differences(&there), "other axes; other cells");
        let there = there.with(&axes(&[("k", &["2"])]));
        assert_eq!(
            here.differences(&there),
            "axis k: 2 only there, 1 only here"
        );
        // the parts alone decide
        assert_eq!(here, identity("a"));
    }
}
