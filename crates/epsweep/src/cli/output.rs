//! The two streams. Nothing here panics when the other end has gone.

use super::Failure;
use crate::record;
use crate::words::several;
use std::collections::{HashMap, HashSet};
use std::io::Write;

/// Writes the result to stdout. Whoever reads may have closed the pipe: nothing is wrong then, and what is left to do and the verdict do not
/// depend on it.
pub fn result(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let written = (stdout.write_all(text.as_bytes())).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
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

/// Alike warnings that are written one by one; of more, the first alone.
const ALIKE: usize = 3;

/// Writes warnings to stderr, each once, and of many that differ in names and numbers alone the first, with how many they are: the record has
/// all. They are no progress: quiet runs have them, too.
pub fn warn<'a>(warnings: impl IntoIterator<Item = &'a String>) {
    for line in gathered(warnings) {
        note(&format!("warning: {line}"));
    }
}

/// Writes what is worth knowing and nothing to be warned of, as [`warn`] does.
pub fn remark<'a>(notes: impl IntoIterator<Item = &'a String>) {
    for line in gathered(notes) {
        note(&format!("note: {line}"));
    }
}

/// Warnings as they are written.
fn gathered<'a>(warnings: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&String>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut said: HashSet<&String> = HashSet::new();
    for warning in warnings {
        if !said.insert(warning) {
            continue;
        }
        let cause = cause(warning);
        let place = *places.entry(cause.clone()).or_insert_with(|| {
            groups.push((cause, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(warning);
    }
    let mut lines = Vec::new();
    for (_, alike) in groups {
        match alike.as_slice() {
            [first, others @ ..] if others.len() >= ALIKE => lines.push(format!(
                "{first} (and {} that differ from this in names and numbers alone)",
                several(others.len() as u64, "more line")
            )),
            few => lines.extend(few.iter().map(|warning| (*warning).clone())),
        }
    }
    lines
}

/// A warning without what differs between cells: names in quotes, and words with a digit.
fn cause(warning: &str) -> String {
    let parts = warning.split('`').enumerate();
    let outside = parts.map(|(place, part)| match place % 2 {
        0 => part,
        _ => "#",
    });
    let text = outside.collect::<Vec<_>>().join("`");
    let words = text
        .split(' ')
        .map(|word| match word.contains(char::is_numeric) {
            true => "#",
            false => word,
        });
    words.collect::<Vec<_>>().join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_alike_warnings_the_first_is_written_with_their_number() {
        let alike = |value: usize| {
            format!("query `q{value}`: ε = {value} promises next to nothing (10⁻{value})")
        };
        let mut warnings: Vec<String> = (1..=40).map(alike).collect();
        warnings.insert(1, "another cause".to_owned());
        warnings.push(alike(7));
        assert_eq!(
            gathered(&warnings),
            [
                format!(
                    "{} (and 39 more lines that differ from this in names and numbers alone)",
                    alike(1)
                ),
                "another cause".to_owned()
            ]
        );
        // a few are written out, each once
        let few: Vec<String> = [1, 2, 2, 3].map(alike).to_vec();
        assert_eq!(gathered(&few), [alike(1), alike(2), alike(3)]);
    }
}
