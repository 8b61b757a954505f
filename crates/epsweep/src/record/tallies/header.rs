//! Of what tallies are.

use crate::engine::Shard;
use crate::record::identity::{AxisValues, as_strict, hash_of_pairs};
use crate::record::settings::Settings;
use crate::record::version::known_schema;
use crate::record::{Identity, RecordError, SCHEMA, number};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Of which experiment tallies are, and of which part of its trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// version of the form
    pub schema: u32,
    /// all that decides the numbers, but for the number of trials
    identity: BTreeMap<String, String>,
    /// hash of the pairs of cells that are compared: tiles are made by them, and claims about wins, which decide no numbers, add some
    #[serde(default)]
    compared: String,
    /// cells that are resolved together, where that is not all of them: tiles end with a batch
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch: Option<usize>,
    /// trials of the whole run; of one that is no shard they can be raised
    pub trials: u64,
    /// the margins of its target, if it has one: they can be made stricter
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    margins: Vec<f64>,
    /// of a shard: which one, and of how many
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<[u64; 2]>,
    /// the axes, so that it can be said which of them differ; left out where they have many values
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    axes: Vec<AxisValues>,
    /// likewise what else is not short
    #[serde(default, skip_serializing_if = "Option::is_none")]
    settings: Option<Settings>,
}

impl Header {
    /// Of a run whose cells are compared in these pairs, or a shard of it.
    pub fn new(identity: &Identity, pairs: &[(usize, usize)], shard: Shard, trials: u64) -> Header {
        Header {
            schema: SCHEMA,
            identity: identity.of_numbers(),
            compared: hash_of_pairs(pairs),
            batch: None,
            trials,
            margins: identity.margins(),
            shard: (!shard.is_whole()).then_some([shard.index, shard.of]),
            axes: identity.few_axes(),
            settings: Some(identity.settings().clone()),
        }
    }

    /// The same of cells that come in batches of so many.
    #[must_use]
    pub fn in_batches(self, batch: Option<usize>) -> Header {
        Header { batch, ..self }
    }

    /// From its JSON.
    ///
    /// # Errors
    /// It is none, or of another version.
    pub fn parse(path: &Path, json: &str) -> Result<Header, RecordError> {
        let corrupt = |what: String| RecordError::Corrupt {
            path: path.to_path_buf(),
            line: None,
            what,
        };
        // the version is looked at before anything else: another has other fields
        let version = serde_json::from_str(json).map_err(|e| corrupt(e.to_string()))?;
        known_schema(path, &version)?;
        let header: Header = serde_json::from_str(json).map_err(|e| corrupt(e.to_string()))?;
        match header.shard {
            Some([index, of]) if index == 0 || index > of => {
                Err(corrupt(format!("there is no shard {index} of {of}")))
            }
            _ => Ok(header),
        }
    }

    /// As JSON on one line.
    ///
    /// # Errors
    /// It cannot be written, which is a bug.
    pub fn json(&self) -> Result<String, RecordError> {
        serde_json::to_string(self).map_err(|e| RecordError::Unwritable {
            what: "the identity of tallies",
            reason: e.to_string(),
        })
    }

    /// Which part of the run it is of.
    pub fn shard(&self) -> Shard {
        match self.shard {
            Some([index, of]) => Shard { index, of },
            None => Shard::WHOLE,
        }
    }

    /// Whether the tiles are the same: those of a run that compares other pairs of cells, or resolves other cells together, hold other cells, in
    /// another order.
    pub fn has_tiles_of(&self, found: &Header) -> bool {
        self.compared == found.compared && self.batch == found.batch
    }

    /// What differs between this and what was found, in words; empty if nothing does. The shards themselves are not compared, and
    /// neither are the [tiles](Header::has_tiles_of).
    pub fn differences(&self, found: &Header) -> String {
        self.differences_at(found, None)
    }

    /// As [`Header::differences`], of tallies of which at most so many trials were reached.
    pub fn differences_at(&self, found: &Header, reached: Option<u64>) -> String {
        let identity = |of: &Header| {
            Identity::from_parts(of.identity.clone())
                .with(&of.axes)
                .with_settings(of.settings.clone().unwrap_or_default())
        };
        let words = identity(self).differences(&identity(found));
        let mut all: Vec<String> = (!words.is_empty()).then_some(words).into_iter().collect();
        let (here, there) = (self.trials, found.trials);
        // more can be added, but what is there is not to be lost
        let fits = if self.shard.is_none() {
            here >= there
        } else {
            here == there
        };
        if !fits {
            // what is there is what was reached, not what was to be
            let reached = match reached.filter(|reached| *reached < there) {
                Some(reached) => format!("up to {reached} of {there}"),
                None => there.to_string(),
            };
            all.push(format!("trials: {reached} there, {here} here"));
        }
        if !as_strict(&self.margins, &found.margins) {
            let say = |margins: &[f64]| -> String {
                let margins: Vec<String> = margins.iter().copied().map(number).collect();
                margins.join(", ")
            };
            all.push(format!(
                "precision: {} there, {} here, which is less strict",
                say(&found.margins),
                say(&self.margins)
            ));
        }
        all.join("; ")
    }

    /// As [`Header::differences`], of tallies that must have the same tiles.
    pub fn differences_with_tiles(&self, found: &Header) -> String {
        let words = self.differences(found);
        match self.has_tiles_of(found) {
            false if words.is_empty() && self.compared == found.compared => {
                "another version of epsweep divided its cells otherwise".to_owned()
            }
            false if words.is_empty() => "other pairs of cells are compared".to_owned(),
            _ => words,
        }
    }

    /// Whether they are of one run, but for how many trials there are to be.
    pub fn is_but_for_amount(&self, found: &Header) -> bool {
        self.is_of_same_experiment(found) && self.shard == found.shard
    }

    /// Whether they are of one experiment, whatever part of it and however many trials.
    pub fn is_of_same_experiment(&self, found: &Header) -> bool {
        self.identity == found.identity
    }
}
