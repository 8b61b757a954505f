//! What the long parts of an identity say, in few words: so that it can be said what differs, where their hashes say only that something
//! does.

use super::{Resolved, ResolvedCell, number};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Cells that are looked at: what is the same in all of them is in these.
const CELLS: usize = 16;
/// Settings of one part up to which they are kept.
const FEW: usize = 200;
/// Bytes of the values of one setting from which on no more are added.
const LONG: usize = 300;
/// Settings that differ that an error names.
const NAMED: usize = 4;
/// Characters of a digest that tell contents apart to the eye.
const SHORT: usize = 12;

/// By part of the identity, settings by their keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Settings(BTreeMap<String, BTreeMap<String, String>>);

impl Settings {
    /// Of an experiment, but for its cells.
    pub(super) fn of<C>(resolved: &Resolved<C>) -> Settings {
        let mut settings = Settings::default();
        settings.put("measures", "measures", resolved.measures.join(", "));
        let compared = match &resolved.compare {
            None => "nothing".to_owned(),
            Some(compare) => {
                let mut words: Vec<String> = (compare.baseline.iter())
                    .map(|(axis, label)| format!("{axis} = {label}"))
                    .collect();
                if compare.all_pairs {
                    words.push("all pairs".to_owned());
                }
                words.join(", ")
            }
        };
        settings.put("compare", "compare", compared);
        for data in &resolved.data {
            let digest = data.digest.get(..SHORT).unwrap_or(&data.digest);
            let content = format!("{} rows with digest {digest}", data.rows);
            settings.put("data", &format!("data {}", data.source), content);
            for column in &data.columns {
                let bounds = column.bounds.map_or("none".to_owned(), |[low, high]| {
                    format!("[{}, {}]", number(low), number(high))
                });
                settings.put("data", &format!("bounds of {}", column.name), bounds);
            }
        }
        settings.0.retain(|_, settings| settings.len() <= FEW);
        settings
    }

    /// What the first cells say. A setting that is not the same in all of them has all its values.
    pub(super) fn add_cells(&mut self, cells: &[ResolvedCell]) {
        for cell in cells.iter().take(CELLS) {
            let mut put = |key: &str, value: String| self.put("cells", key, value);
            put("guarantee", cell.guarantee.clone());
            put("composition", cell.composition.clone());
            put("noise", cell.noise.clone());
            put("allocation", cell.allocation.clone());
            for query in &cell.queries {
                let name = &query.name;
                put(&format!("query {name}"), query.definition.clone());
                put(&format!("weight of {name}"), number(query.weight));
                if let Some(declared) = query.declared {
                    put(&format!("declared sensitivity of {name}"), number(declared));
                }
                if !query.steps.is_empty() {
                    put(&format!("steps of {name}"), query.steps.join(", "));
                }
            }
            self.add_procedure("select", &cell.select);
            self.add_procedure("stream", &cell.stream);
            self.add_procedure("train", &cell.train);
            self.add_procedure("pipeline", &cell.staged);
            self.add_procedure("compose", &cell.compose);
        }
        self.0.retain(|_, settings| settings.len() <= FEW);
    }

    /// What a procedure is set to: its words and numbers, without its lists.
    fn add_procedure(&mut self, name: &str, procedure: &Option<Box<impl Serialize>>) {
        let json = (procedure.as_ref()).and_then(|of| serde_json::to_value(of).ok());
        let Some(serde_json::Value::Object(fields)) = json else {
            return;
        };
        for (key, value) in fields {
            let value = match value {
                serde_json::Value::String(text) => text,
                serde_json::Value::Number(number) => number.to_string(),
                serde_json::Value::Bool(flag) => flag.to_string(),
                _ => continue,
            };
            self.put("cells", &format!("{name}.{key}"), value);
        }
    }

    fn put(&mut self, part: &str, key: &str, value: String) {
        let settings = self.0.entry(part.to_owned()).or_default();
        match settings.get_mut(key) {
            None => {
                settings.insert(key.to_owned(), value);
            }
            Some(values) if values.len() > LONG => {}
            Some(values) if values.split(" | ").any(|known| known == value) => {}
            Some(values) => {
                values.push_str(" | ");
                values.push_str(&value);
            }
        }
    }

    /// What of a part is not the same in `self` (here) and `found` (there), in words; empty if nothing is, or nothing is known.
    pub(super) fn differences(&self, found: &Settings, part: &str) -> String {
        let (Some(here), Some(there)) = (self.0.get(part), found.0.get(part)) else {
            return String::new();
        };
        let mut words: Vec<String> = Vec::new();
        for (key, value) in there {
            match here.get(key) {
                None => words.push(format!("{key} ({value}) only there")),
                Some(other) if other != value => {
                    words.push(format!("{key}: {value} there, {other} here"));
                }
                Some(_) => {}
            }
        }
        let new = here.iter().filter(|(key, _)| !there.contains_key(*key));
        words.extend(new.map(|(key, value)| format!("{key} ({value}) only here")));
        let more = words.len().saturating_sub(NAMED);
        words.truncate(NAMED);
        match more {
            0 => words.join("; "),
            _ => format!("{}; and {more} more", words.join("; ")),
        }
    }
}
