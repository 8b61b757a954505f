//! The shapes as JSON Schema (draft 2020-12).
//!
//! Only keywords that every editor's checker knows are used. What `x-taplo` says of single names is shown by taplo and Even Better TOML,
//! and ignored by others.

use super::{Key, Shape, Table, Word};
use serde_json::{Map, Value, json};

/// The whole schema of a kind of file.
pub fn document(title: &str, about: &str, shape: &Shape) -> Value {
    let mut out = Map::new();
    out.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    out.insert("title".to_owned(), json!(title));
    out.insert("description".to_owned(), json!(about));
    out.extend(of(shape));
    out.into()
}

fn of(shape: &Shape) -> Map<String, Value> {
    let value = match shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Number(limits) => {
            let mut out = object(json!({ "type": "number" }));
            for (keyword, limit) in *limits {
                out.insert((*keyword).to_owned(), json!(limit));
            }
            return out;
        }
        Shape::Whole(least, u64::MAX) => json!({ "type": "integer", "minimum": least }),
        Shape::Whole(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Name(words) => return name(words),
        Shape::List(inner) => json!({ "type": "array", "items": of(inner) }),
        Shape::Pair => {
            json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 })
        }
        Shape::Table(inner) => return table(inner),
        Shape::Map(inner) => json!({ "type": "object", "additionalProperties": of(inner) }),
        Shape::Either(shapes) => {
            json!({ "anyOf": shapes.iter().map(of).collect::<Vec<_>>() })
        }
        Shape::Any => json!({}),
    };
    object(value)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn name(words: &[Word]) -> Map<String, Value> {
    let names: Vec<&str> = words.iter().map(|word| word.name.as_str()).collect();
    let mut out = object(json!({ "type": "string", "enum": names }));
    if words.iter().any(|word| !word.about.is_empty()) {
        let about: Vec<&str> = words.iter().map(|word| word.about.as_str()).collect();
        out.insert(
            "x-taplo".to_owned(),
            json!({ "docs": { "enumValues": about } }),
        );
    }
    out
}

fn table(table: &Table) -> Map<String, Value> {
    let property = |key: &Key| {
        let mut inner = of(&key.shape);
        inner.insert("description".to_owned(), json!(key.about));
        (key.name.clone(), Value::Object(inner))
    };
    let properties: Map<String, Value> = table.keys.iter().map(property).collect();
    let mut out = object(json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": table.rest.as_ref().map_or(json!(false), |rest| of(rest).into()),
    }));
    let required: Vec<&str> = (table.keys.iter())
        .filter(|key| key.required)
        .map(|key| key.name.as_str())
        .collect();
    if !required.is_empty() {
        out.insert("required".to_owned(), json!(required));
    }
    if !table.one_of.is_empty() {
        let group = |keys: &Vec<&str>| {
            let each: Vec<Value> = keys
                .iter()
                .map(|key| json!({ "required": [key] }))
                .collect();
            json!({ "oneOf": each })
        };
        let groups: Vec<Value> = table.one_of.iter().map(group).collect();
        out.insert("allOf".to_owned(), groups.into());
    }
    out
}
