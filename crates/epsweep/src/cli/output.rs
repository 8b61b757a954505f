//! The two streams. Nothing here panics when the other end has gone.

use super::Failure;
use crate::record;
use std::io::Write;

/// Writes the result to stdout.
pub fn result(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    (stdout.write_all(text.as_bytes()))
        .and_then(|()| stdout.flush())
        .map_err(Failure::Output)
}

/// Writes a file to stdout, whatever its length.
pub fn file(path: &std::path::Path) -> Result<(), Failure> {
    let mut file = record::open(path)?;
    let mut stdout = std::io::stdout().lock();
    std::io::copy(&mut file, &mut stdout)
        .and_then(|_| stdout.flush())
        .map_err(Failure::Output)
}

/// Writes a line to stderr, if anybody listens.
pub fn note(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Writes warnings to stderr, each once. They are no progress: quiet runs have them, too.
pub fn warn<'a>(warnings: impl IntoIterator<Item = &'a String>) {
    let mut said: Vec<&String> = Vec::new();
    for warning in warnings {
        if !said.contains(&warning) {
            note(&format!("warning: {warning}"));
            said.push(warning);
        }
    }
}

/// The version of the JSON that commands print: another one means that a key is gone or says something else. The page `results/json.md`
/// tells every key.
pub const SCHEMA: u32 = 1;

/// The JSON of a command: an object, with the version of its form.
pub fn document(mut value: serde_json::Value) -> String {
    value["schema"] = SCHEMA.into();
    json(&value)
}

/// A JSON document, with a final newline.
pub fn json(value: &serde_json::Value) -> String {
    // a value that is built in memory has nothing that could not be written
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text + "\n"
}
