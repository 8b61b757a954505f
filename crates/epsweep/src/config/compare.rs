//! `[compare]`: which cells are compared on paired trials.

use super::diagnostic::Sink;
use super::value::Value;
use super::vocabulary::Vocabulary;
use crate::record::ResolvedCompare;

/// Reads `[compare]`.
pub fn read(value: &Value, words: &Vocabulary<'_>, sink: &Sink) -> Option<ResolvedCompare> {
    let reader = value.reader(sink, "[compare]")?;
    let baseline = reader.get("baseline");
    let all_pairs = match reader.get("pairs") {
        None => Some(false),
        Some(given) => given
            .choice(sink, "set of pairs", &["baseline", "all"])
            .map(|name| name == "all"),
    };
    reader.finish();
    let all_pairs = all_pairs?;
    match baseline {
        Some(given) => {
            // axes of one value are no part of it: a comparison along them compares nothing
            let mut cell = words.cell(Some(given), None, false, value, sink)?;
            let named = given.as_table()?;
            cell.retain(|axis, _| named.get(axis).is_some());
            if cell.is_empty() {
                sink.fault(given.span, "the baseline names no axis")
                    .rule("baseline = { AXIS = value }")
                    .report();
                return None;
            }
            Some(ResolvedCompare {
                baseline: cell,
                all_pairs,
            })
        }
        None if all_pairs => Some(ResolvedCompare {
            baseline: Default::default(),
            all_pairs,
        }),
        None => {
            sink.fault(value.span, "[compare] says nothing to compare with")
                .rule("baseline = { AXIS = value }, or pairs = \"all\"")
                .report();
            None
        }
    }
}
