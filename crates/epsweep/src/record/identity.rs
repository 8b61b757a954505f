//! What makes a run this run and no other.

use super::{RecordError, Resolved};
use crate::claim::Claim;
use serde::Serialize;
use std::collections::BTreeMap;

/// Raised whenever the same experiment would yield other numbers than before: a change of the random streams, of the order of
/// sums, or of an estimator.
pub const VALUES_VERSION: u32 = 1;

/// The parts that say how the numbers are shown and judged, not what they are. They may change without `--force`.
const PRESENTATION: [&str; 3] = ["claims", "figures", "text"];

/// The part that a run can be extended in.
const TRIALS: &str = "trials";

/// What makes a run this run, part by part: short parts in plain text, long ones by their blake3 hash. Comments and the order of
/// keys of the experiment file are no part of it; the content of the data is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    parts: BTreeMap<String, String>,
}

impl Identity {
    /// Of a resolved experiment and its claims.
    pub fn of(resolved: &Resolved, claims: &[Claim]) -> Result<Identity, RecordError> {
        let mut identity = Identity::of_resolved(resolved)?;
        let hash = blake3::hash(format!("{claims:?}").as_bytes());
        identity
            .parts
            .insert("claims".into(), hash.to_hex().to_string());
        Ok(identity)
    }

    /// Of a resolved experiment whose claims are not known (those of a run that was not finished).
    pub(super) fn of_resolved(resolved: &Resolved) -> Result<Identity, RecordError> {
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
            ("axes", hash(&resolved.axes)?),
            ("measures", hash(&resolved.measures)?),
            ("data", hash(&resolved.data)?),
            ("cells", hash(&resolved.cells)?),
            ("compare", hash(&resolved.compare)?),
            ("figures", hash(&resolved.figures)?),
            (
                "text",
                hash(&(&resolved.title, &resolved.question, &resolved.warnings))?,
            ),
        ];
        Ok(Identity {
            parts: parts.map(|(k, v)| (k.to_string(), v)).into(),
        })
    }

    /// From the parts in a manifest.
    pub(super) fn from_parts(parts: BTreeMap<String, String>) -> Identity {
        Identity { parts }
    }

    /// The parts, by name.
    pub fn parts(&self) -> &BTreeMap<String, String> {
        &self.parts
    }

    /// The parts that decide the numbers, but for the number of trials.
    pub(super) fn of_numbers(&self) -> BTreeMap<String, String> {
        let decides = |name: &&String| *name != TRIALS && !PRESENTATION.contains(&name.as_str());
        (self.parts.iter())
            .filter(|(name, _)| decides(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Whether this run is that one with more trials, and nothing else differs that decides the numbers.
    pub(super) fn extends(&self, found: &Identity) -> bool {
        let trials = |of: &Identity| of.parts.get(TRIALS).and_then(|n| n.parse::<u64>().ok());
        self.of_numbers() == found.of_numbers()
            && trials(self)
                .zip(trials(found))
                .is_some_and(|(here, there)| here > there)
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

    /// What decides the numbers and is not the same in `self` (here) and `found` (there), in words; empty if all is.
    pub(super) fn differences(&self, found: &Identity) -> String {
        let names: std::collections::BTreeSet<&String> =
            self.parts.keys().chain(found.parts.keys()).collect();
        let mut words = Vec::new();
        for name in names {
            let (here, there) = (self.parts.get(name), found.parts.get(name));
            if here == there || PRESENTATION.contains(&name.as_str()) {
                continue;
            }
            let short = |x: Option<&String>| x.is_none_or(|x| x.len() < 64);
            words.push(if short(here) && short(there) {
                let say = |x: Option<&String>| x.map_or("nothing".to_string(), |x| x.clone());
                format!("{name}: {} there, {} here", say(there), say(here))
            } else {
                format!("other {name}")
            });
        }
        words.join("; ")
    }
}

fn hash(part: &impl Serialize) -> Result<String, RecordError> {
    let json = serde_json::to_vec(part).map_err(|e| RecordError::Unwritable {
        what: "the resolved experiment",
        reason: e.to_string(),
    })?;
    Ok(blake3::hash(&json).to_hex().to_string())
}
