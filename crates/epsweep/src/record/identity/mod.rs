//! What makes a run this run and no other.

mod differences;

pub(super) use differences::AxisValues;

use super::settings::Settings;
use super::{
    Margin, RecordError, Resolved, ResolvedAxis, ResolvedCell, ResolvedData, ResolvedTarget,
};
use crate::claim::Claim;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::BufWriter;

/// Raised whenever the same experiment would yield other numbers than before: a change of the random streams, of the order of
/// sums, or of an estimator.
pub const VALUES_VERSION: u32 = 2;

/// The parts that say how the numbers are shown and judged, not what they are. They may change without `--force`.
const PRESENTATION: [&str; 3] = ["claims", "figures", "text"];

/// The part that holds the axes.
const AXES: &str = "axes";

/// The part that holds the content of the data.
const DATA: &str = "data";

/// The part that holds the cells, which follow from axes, data and all else.
const CELLS: &str = "cells";

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

/// Values of all axes up to which they are kept beside tallies.
const FEW: usize = 1000;

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
            (DATA, hash(&contents(&resolved.data))?),
            (CELLS, cells),
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
