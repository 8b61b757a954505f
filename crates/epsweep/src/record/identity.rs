//! What makes a run this run and no other.

use super::settings::Settings;
use super::{
    Margin, RecordError, Resolved, ResolvedAxis, ResolvedCell, ResolvedData, ResolvedTarget,
};
use crate::claim::Claim;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::BufWriter;

/// Raised whenever the same experiment would yield other numbers than before: a change of the random streams, of the order of
/// sums, or of an estimator.
pub const VALUES_VERSION: u32 = 2;

/// The parts that say how the numbers are shown and judged, not what they are. They may change without `--force`.
const PRESENTATION: [&str; 3] = ["claims", "figures", "text"];

/// The part that holds the axes.
const AXES: &str = "axes";

/// The part that a run can be extended in.
const TRIALS: &str = "trials";

/// The most half-widths of a target, in the order of its goals: a run can be made more precise.
const MARGINS: &str = "margins";

/// What makes a run this run, part by part: short parts in plain text, long ones by their blake3 hash. Comments and the order of
/// keys of the experiment file are no part of it; the content of the data is.
#[derive(Clone, Debug)]
pub struct Identity {
    parts: BTreeMap<String, String>,
    /// the axes, where they are known, so that it can be said which of them differ: what decides is their hash among the parts
    axes: Vec<AxisValues>,
    /// likewise what other long parts say
    settings: Settings,
}

impl PartialEq for Identity {
    fn eq(&self, other: &Identity) -> bool {
        self.parts == other.parts
    }
}

impl Eq for Identity {}

/// An axis and its values, as results call them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AxisValues {
    name: String,
    values: Vec<String>,
}

/// Values of all axes up to which they are kept beside tallies.
const FEW: usize = 1000;

/// Values of an axis that an error names.
const NAMED: usize = 8;

impl Identity {
    /// Of a resolved experiment and its claims.
    ///
    /// # Errors
    /// [`RecordError`] if it cannot be written as JSON
    pub fn of(resolved: &Resolved, claims: &[Claim]) -> Result<Identity, RecordError> {
        let identity = Identity::of_hashed(resolved, hash(&resolved.cells)?, claims)?;
        Ok(identity.with_cells(&resolved.cells))
    }

    /// As [`Identity::of`], of cells that are not at hand, by the blake3 hash of their JSON.
    ///
    /// # Errors
    /// [`RecordError`] if it cannot be written as JSON
    pub fn of_hashed<C>(
        resolved: &Resolved<C>,
        cells: String,
        claims: &[Claim],
    ) -> Result<Identity, RecordError> {
        let mut identity = Identity::of_parts(resolved, cells)?;
        let hash = blake3::hash(format!("{claims:?}").as_bytes());
        identity
            .parts
            .insert("claims".into(), hash.to_hex().to_string());
        Ok(identity)
    }

    /// Of a resolved experiment whose claims are not known (those of a run that was not finished).
    pub(super) fn of_resolved(resolved: &Resolved) -> Result<Identity, RecordError> {
        let identity = Identity::of_parts(resolved, hash(&resolved.cells)?)?;
        Ok(identity.with_cells(&resolved.cells))
    }

    /// The same with what is said of these cells at hand.
    fn with_cells(mut self, cells: &[ResolvedCell]) -> Identity {
        self.settings.add_cells(cells);
        self
    }

    /// The same with all at hand that this experiment says of what differs.
    pub(super) fn described_by(self, resolved: &Resolved) -> Identity {
        let mut settings = Settings::of(resolved);
        settings.add_cells(&resolved.cells);
        self.with_axes(&resolved.axes).with_settings(settings)
    }

    /// The same with settings that were kept.
    pub(super) fn with_settings(self, settings: Settings) -> Identity {
        Identity { settings, ..self }
    }

    /// What long parts say.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    fn of_parts<C>(resolved: &Resolved<C>, cells: String) -> Result<Identity, RecordError> {
        let sources: Vec<&str> = (resolved.data.iter())
            .map(|data| data.source.as_str())
            .collect();
        let parts = [
            ("schema", resolved.schema.to_string()),
            ("values", VALUES_VERSION.to_string()),
            ("name", resolved.name.clone()),
            ("seed", resolved.seed.to_string()),
            (TRIALS, resolved.trials.to_string()),
            ("level", super::number(resolved.level)),
            ("streams", resolved.streams.clone()),
            ("quantiles", resolved.quantiles.clone()),
            ("procedure", resolved.procedure.clone()),
            ("neighbours", resolved.neighbours.clone()),
            (AXES, hash(&resolved.axes)?),
            ("measures", hash(&resolved.measures)?),
            ("data", hash(&contents(&resolved.data))?),
            ("cells", cells),
            ("compare", hash(&resolved.compare)?),
            ("figures", hash(&resolved.figures)?),
            (
                "text",
                hash(&(
                    &resolved.title,
                    &resolved.question,
                    &resolved.warnings,
                    sources,
                ))?,
            ),
        ];
        let mut identity = Identity {
            parts: parts.map(|(k, v)| (k.to_string(), v)).into(),
            axes: Vec::new(),
            settings: Settings::default(),
        }
        .with_axes(&resolved.axes);
        identity.settings = Settings::of(resolved);
        if let Some(target) = &resolved.target {
            identity.add_target(target)?;
        }
        Ok(identity)
    }

    /// What decides when there are enough trials. The margins are a part of their own, since they can be made stricter.
    fn add_target(&mut self, target: &ResolvedTarget) -> Result<(), RecordError> {
        let mut goals = target.goals.clone();
        let mut margins = Vec::new();
        for goal in &mut goals {
            margins.push(super::number(goal.margin.number()));
            goal.margin = match goal.margin {
                Margin::Relative(_) => Margin::Relative(0.0),
                Margin::Absolute(_) => Margin::Absolute(0.0),
            };
        }
        let parts = [
            ("at least", target.at_least.to_string()),
            ("compared", target.compared.clone()),
            ("goals", hash(&goals)?),
            (MARGINS, margins.join(", ")),
        ];
        (self.parts).extend(parts.map(|(k, v)| (k.to_string(), v)));
        Ok(())
    }

    /// The margins of its target, if it has one.
    pub(super) fn margins(&self) -> Vec<f64> {
        let listed = self.parts.get(MARGINS).map_or("", String::as_str);
        listed.split(", ").filter_map(|n| n.parse().ok()).collect()
    }

    /// From the parts in a manifest.
    pub(super) fn from_parts(parts: BTreeMap<String, String>) -> Identity {
        Identity {
            parts,
            axes: Vec::new(),
            settings: Settings::default(),
        }
    }

    /// The same with its axes at hand.
    pub(super) fn with_axes(self, axes: &[ResolvedAxis]) -> Identity {
        let axes: Vec<AxisValues> = (axes.iter())
            .map(|axis| AxisValues {
                name: axis.name.clone(),
                values: axis.labels.clone(),
            })
            .collect();
        self.with(&axes)
    }

    /// As [`Identity::with_axes`], of axes that were kept.
    pub(super) fn with(self, axes: &[AxisValues]) -> Identity {
        Identity {
            axes: axes.to_vec(),
            ..self
        }
    }

    /// The axes, unless they have many values.
    pub(super) fn few_axes(&self) -> Vec<AxisValues> {
        let values: usize = self.axes.iter().map(|axis| axis.values.len()).sum();
        match values <= FEW {
            true => self.axes.clone(),
            false => Vec::new(),
        }
    }

    /// The parts, by name.
    pub fn parts(&self) -> &BTreeMap<String, String> {
        &self.parts
    }

    /// The parts that decide the numbers, but for the number of trials.
    pub(super) fn of_numbers(&self) -> BTreeMap<String, String> {
        let decides = |name: &&String| {
            let name = name.as_str();
            name != TRIALS && name != MARGINS && !PRESENTATION.contains(&name)
        };
        (self.parts.iter())
            .filter(|(name, _)| decides(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Whether this run is that one with more trials, or a stricter target, and nothing else differs that decides the numbers.
    pub(super) fn extends(&self, found: &Identity) -> bool {
        self.is_but_for_amount(found)
            && as_strict(&self.margins(), &found.margins())
            && self.trials() >= found.trials()
    }

    /// Whether nothing that decides the numbers differs but how many trials there are to be.
    pub(super) fn is_but_for_amount(&self, found: &Identity) -> bool {
        self.of_numbers() == found.of_numbers()
    }

    fn trials(&self) -> u64 {
        let trials = self.parts.get(TRIALS).and_then(|n| n.parse().ok());
        trials.unwrap_or(0)
    }

    /// One hash of all parts.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (name, value) in &self.parts {
            // lengths first: no two lists of parts have the same text
            hasher.update(format!("{}:{name}{}:{value}", name.len(), value.len()).as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// What decides the numbers and is not the same in `self` (here) and `found` (there), in words; empty if all is. More trials and a stricter target
    /// are no difference: they are added to what is there.
    pub(super) fn differences(&self, found: &Identity) -> String {
        let names: std::collections::BTreeSet<&String> =
            self.parts.keys().chain(found.parts.keys()).collect();
        let found_data = found.parts.get("data");
        let mut words = Vec::new();
        for name in names {
            let (here, there) = (self.parts.get(name), found.parts.get(name));
            let more = match name.as_str() {
                TRIALS => self.trials() > found.trials(),
                MARGINS => as_strict(&self.margins(), &found.margins()),
                _ => false,
            };
            if here == there || more || PRESENTATION.contains(&name.as_str()) {
                continue;
            }
            // cells are made of the axes: that they are others, too, says nothing more
            let axes = || match self.axes.is_empty() || found.axes.is_empty() {
                true => String::new(),
                false => of_axes(&self.axes, &found.axes),
            };
            let others = self.parts.get(AXES) != found.parts.get(AXES);
            match name.as_str() {
                AXES if !axes().is_empty() => {
                    words.push(axes());
                    continue;
                }
                "cells" if others && !axes().is_empty() => continue,
                "values" => {
                    let say = |x: Option<&String>| x.map_or("none".to_owned(), Clone::clone);
                    words.push(format!(
                        "the version of the numbers of epsweep: {} there, {} here",
                        say(there),
                        say(here)
                    ));
                    continue;
                }
                part => {
                    let found = self.settings.differences(&found.settings, part);
                    if !found.is_empty() {
                        words.push(found);
                        continue;
                    }
                    // the answers follow from the data, of which it is said
                    if part == "cells" && self.parts.get("data") != found_data {
                        continue;
                    }
                }
            }
            let short = |x: Option<&String>| x.is_none_or(|x| x.len() < 64);
            words.push(if short(here) && short(there) {
                let say = |x: Option<&String>| x.map_or("nothing".to_string(), |x| x.clone());
                let name = if name == MARGINS { "precision" } else { name };
                let lax = if name == "precision" {
                    ", which is less strict"
                } else {
                    ""
                };
                format!("{name}: {} there, {} here{lax}", say(there), say(here))
            } else {
                format!("other {name}")
            });
        }
        words.join("; ")
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

/// Whether each of these margins is no more than its counterpart: then what the other run has is the beginning of what this one needs.
pub(super) fn as_strict(here: &[f64], there: &[f64]) -> bool {
    here.len() == there.len() && here.iter().zip(there).all(|(here, there)| here <= there)
}

/// Hash of pairs of cells, in their order.
pub fn hash_of_pairs(pairs: &[(usize, usize)]) -> String {
    let text = format!("{pairs:?}");
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// What data are, wherever they come from and whatever their files are called.
fn contents(data: &[ResolvedData]) -> Vec<ResolvedData> {
    let anonymous = |data: &ResolvedData| ResolvedData {
        source: String::new(),
        ..data.clone()
    };
    data.iter().map(anonymous).collect()
}

/// Hash of its JSON, which is not held in memory: that of a hundred thousand cells is larger than the cells.
fn hash(part: &impl Serialize) -> Result<String, RecordError> {
    let unwritable = |reason: String| RecordError::Unwritable {
        what: "the resolved experiment",
        reason,
    };
    let mut out = BufWriter::with_capacity(1 << 16, blake3::Hasher::new());
    serde_json::to_writer(&mut out, part).map_err(|e| unwritable(e.to_string()))?;
    let hasher = (out.into_inner()).map_err(|e| unwritable(e.to_string()))?;
    Ok(hasher.finalize().to_hex().to_string())
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
