//! The version of a file, which is looked at before anything else.

use super::{RecordError, SCHEMA};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::path::Path;

/// What a file says of its version; of what is no JSON object, nothing.
#[derive(Default)]
pub(super) struct Version {
    schema: serde_json::Value,
    epsweep: serde_json::Value,
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Version, D::Error> {
        deserializer.deserialize_any(VersionVisitor)
    }
}

struct VersionVisitor;

/// Any JSON is read to its end, so that what is wrong with it is said before what it lacks.
impl<'de> Visitor<'de> for VersionVisitor {
    type Value = Version;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Version, A::Error> {
        let mut version = Version::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "schema" => version.schema = map.next_value()?,
                "epsweep" => version.epsweep = map.next_value()?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(version)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Version, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Version::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Version, E> {
        Ok(Version::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Version, E> {
        Ok(Version::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Version, E> {
        Ok(Version::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Version, E> {
        Ok(Version::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Version, E> {
        Ok(Version::default())
    }

    fn visit_unit<E>(self) -> Result<Version, E> {
        Ok(Version::default())
    }
}

/// Sees that a file has the version that this program reads.
///
/// # Errors
/// It has another, or none.
pub(super) fn known_schema(path: &Path, version: &Version) -> Result<(), RecordError> {
    match version.schema.as_u64() {
        Some(found) if found == u64::from(SCHEMA) => Ok(()),
        Some(found) => Err(RecordError::Version {
            path: path.to_path_buf(),
            found,
            by: version.epsweep.as_str().map(str::to_owned),
        }),
        None => Err(RecordError::Corrupt {
            path: path.to_path_buf(),
            line: None,
            what: format!(
                "there is no number `schema`, which says the version of the format (this program reads {SCHEMA}), so epsweep did not write this file"
            ),
        }),
    }
}
