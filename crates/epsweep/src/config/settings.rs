//! What holds for the whole run: the name, the question, the seed, the number of trials, how they share noise.

use super::diagnostic::Sink;
use super::precision;
use super::reader::Reader;
use crate::procedure::{OnError, Quantiles, Streams};
use crate::summary::quantile_ranks;

/// Trials of every cell where the file does not say.
pub const TRIALS: u64 = 100_000;

/// Most trials of a cell.
pub const MOST_TRIALS: u64 = 1_000_000_000_000;

/// Seed where the file does not say.
pub const SEED: u64 = 42;

/// Level of intervals where the file does not say.
pub const LEVEL: f64 = 0.95;

/// What holds for the whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// short name: the run directory's
    pub name: String,
    /// headline; the name where the file does not say
    pub title: String,
    /// the question in a sentence; empty where the file does not say
    pub question: String,
    /// seed of all streams
    pub seed: u64,
    /// trials of every cell, at least 1; the most of a cell where precision decides; 0 where nothing is simulated
    pub trials: u64,
    /// level of the intervals, inside (0, 1)
    pub level: f64,
    /// how the cells draw their noise
    pub streams: Streams,
    /// where quantiles come from
    pub quantiles: Quantiles,
    /// what becomes of the run if a trial fails
    pub on_error: OnError,
}

/// Reads the keys at the top of the file.
pub fn read(root: &Reader<'_>) -> Option<Settings> {
    let sink = root.sink();
    let name = name(root);
    let text = |key: &str| match root.get(key) {
        None => Some(None),
        Some(given) => given.text(sink).map(|text| Some(text.to_owned())),
    };
    let (title, question) = (text("title"), text("question"));
    let whole = |key: &str, least: u64, most: u64, default: u64| match root.get(key) {
        None => Some(default),
        Some(given) => given.whole(sink, least, most),
    };
    let seed = whole("seed", 0, u64::MAX, SEED);
    let trials = match root.get("trials") {
        // read with the measures that it is about
        Some(given) if precision::is_target(given) => Some(precision::AT_MOST),
        _ => whole("trials", 1, MOST_TRIALS, TRIALS),
    };
    let level = level(root, sink);
    let streams = match root.get("streams") {
        None => Some(Streams::Common),
        Some(given) => match given.choice(sink, "kind of streams", &["common", "independent"]) {
            Some("common") => Some(Streams::Common),
            Some(_) => Some(Streams::Independent),
            None => None,
        },
    };
    let quantiles = match root.get("quantiles") {
        None => Some(Quantiles::Histogram),
        Some(given) => match given.choice(sink, "source of quantiles", &["histogram", "exact"]) {
            Some("histogram") => Some(Quantiles::Histogram),
            Some(_) => Some(Quantiles::Exact {
                ranks: quantile_ranks,
            }),
            None => None,
        },
    };
    let on_error = match root.get("on_error") {
        None => Some(OnError::Stop),
        Some(given) => match given.choice(sink, "way with failed trials", &["stop", "record"]) {
            Some("stop") => Some(OnError::Stop),
            Some(_) => Some(OnError::Record),
            None => None,
        },
    };
    let name = name?;
    Some(Settings {
        title: title?.unwrap_or_else(|| name.clone()),
        name,
        question: question?.unwrap_or_default(),
        seed: seed?,
        trials: trials?,
        level: level?,
        streams: streams?,
        quantiles: quantiles?,
        on_error: on_error?,
    })
}

/// Reads the name, which can name a directory.
pub fn name(root: &Reader<'_>) -> Option<String> {
    let sink = root.sink();
    let given = root.need("name")?;
    let name = given.text(sink)?;
    if is_file_name(name) {
        return Some(name.to_owned());
    }
    sink.fault(
        given.span,
        format!("the name {given} cannot name a directory"),
    )
    .rule("letters, digits, `-` and `_`, at most 100")
    .report();
    None
}

/// Reads the level, a probability strictly between 0 and 1.
pub fn level(root: &Reader<'_>, sink: &Sink) -> Option<f64> {
    let Some(given) = root.get("level") else {
        return Some(LEVEL);
    };
    let level = given.real(sink)?;
    if level > 0.0 && level < 1.0 {
        return Some(level);
    }
    sink.fault(
        given.span,
        format!("the level {given} is no probability of an interval"),
    )
    .rule("0 < level < 1, usually 0.95")
    .report();
    None
}

/// Whether a text can name a file or directory everywhere.
pub fn is_file_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=100).contains(&name.len()) && name.chars().all(plain)
}
