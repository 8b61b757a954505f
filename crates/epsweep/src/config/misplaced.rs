//! Where a key belongs that stands at the top of an experiment, and is none of it.

use super::diagnostic::nearest;
use super::path::SHORT_NAMES;
use super::schema;
use super::value::{Entry, Kind};
use crate::words::join;

/// What to do with an unknown key at the top, where that is known; `known` are the keys that may stand there.
pub(super) fn remedy(entry: &Entry, known: &[String]) -> Option<String> {
    let key = entry.key.as_str();
    let is_table = matches!(entry.value.kind, Kind::Table(_));
    if is_table && let Some(path) = nested(key) {
        return Some(format!("did you mean `[{path}]`?"));
    }
    if let Some(section) = section_of(key) {
        return Some(format!("`{key}` belongs into [{section}]"));
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    if nearest(key, &known).is_some() {
        return None;
    }
    // a short name that is nearly given
    let names: Vec<&str> = SHORT_NAMES.iter().map(|(short, _)| *short).collect();
    if let Some(short) = nearest(key, &names) {
        return Some(format!(
            "did you mean `{short}`, of [{}]?",
            section_of(short)?
        ));
    }
    let headers = with_key(key);
    (!headers.is_empty()).then(|| format!("`{key}` belongs into {}", join(&headers, "or")))
}

/// The section that the key with that short name stands in.
fn section_of(short: &str) -> Option<&'static str> {
    let (_, path) = SHORT_NAMES.iter().find(|(known, _)| *known == short)?;
    path.rsplit_once('.').map(|(section, _)| section)
}

/// The section whose last name this is: `release` is that of `procedure.release`, `columns` that of `data.columns`.
fn nested(key: &str) -> Option<String> {
    let bare = |header: &str| header.trim_matches(['[', ']']).to_owned();
    let headers = || schema::sections().into_iter().map(|section| section.header);
    let own = headers()
        .map(bare)
        .find(|path| path.rsplit_once('.').is_some_and(|(_, name)| name == key));
    own.or_else(|| {
        let holder = schema::sections().into_iter().find(|section| {
            let single = !section.header.starts_with("[[") && section.header.starts_with('[');
            single && takes_table(&section.shape, key)
        })?;
        Some(format!("{}.{key}", bare(holder.header)))
    })
}

/// Whether a key of a section takes a table.
fn takes_table(shape: &schema::Shape, key: &str) -> bool {
    (shape.tables().iter().filter_map(|table| table.key(key)))
        .any(|key| !key.shape.tables().is_empty() || matches!(key.shape, schema::Shape::Map(_)))
}

/// The headers of the sections that have such a key.
fn with_key(key: &str) -> Vec<String> {
    let has = |section: &schema::Section| {
        let tables = section.shape.tables();
        tables.iter().any(|table| table.key(key).is_some())
    };
    (schema::sections().iter())
        .filter(|section| section.header.starts_with('[') && has(section))
        .map(|section| section.header.to_owned())
        .collect()
}
