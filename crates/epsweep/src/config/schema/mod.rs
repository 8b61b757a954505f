//! What a file can say, as data: every table with its keys, what each takes, and one line about it.
//!
//! From this come the JSON Schema that editors complete and check with, and the tables of `epsweep list`. Names are those of the
//! registries. The readers of [`config`](super) say what is right in the end: a test puts an unknown key into every table and an unknown
//! name into every place of every shipped file, and compares what the readers would have allowed with what stands here.

mod ask;
mod budget;
mod data;
mod json;
mod names;
mod precision;
mod procedures;
mod query;
mod stream;
mod train;

pub use json::document;
pub(crate) use names::kinds;
pub use names::{members, parameters, settable};
pub use procedures::parameters_of_loss;

use super::settings;

/// A key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// its name
    pub name: String,
    /// one line in plain words, with the default
    pub about: String,
    /// what it takes
    pub shape: Shape,
    /// whether it must be there, wherever the sweep leads
    pub required: bool,
}

/// What can be said with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// the name
    pub name: String,
    /// one line in plain words
    pub about: String,
}

/// What a value can be.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// a text
    Text,
    /// a number, with limits by their keyword in JSON Schema
    Number(&'static [(&'static str, f64)]),
    /// a whole number, at least this, at most that
    Whole(u64, u64),
    /// true or false
    Flag,
    /// one of these texts
    Name(Vec<Word>),
    /// a list
    List(Box<Shape>),
    /// a list of exactly two numbers
    Pair,
    /// a table with these keys and no others
    Table(Table),
    /// a table with any keys
    Map(Box<Shape>),
    /// one of several
    Either(Vec<Shape>),
    /// whatever TOML can say
    Any,
}

/// A table with known keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// the keys, in the order in which they are explained
    pub keys: Vec<Key>,
    /// groups of keys of which exactly one must be there, wherever the sweep leads
    pub one_of: Vec<Vec<&'static str>>,
    /// what other keys take; `None` where there are no others
    pub rest: Option<Box<Shape>>,
}

impl Table {
    /// With these keys.
    pub fn new(keys: Vec<Key>) -> Table {
        Table {
            keys,
            ..Table::default()
        }
    }

    /// The key of that name.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Shape {
    /// In a few words: what the value of a key is.
    pub fn words(&self) -> String {
        match self {
            Shape::Text => "text".to_owned(),
            Shape::Number(_) => "number".to_owned(),
            Shape::Whole(..) => "whole number".to_owned(),
            Shape::Flag => "true or false".to_owned(),
            Shape::Name(words) => {
                let quoted = |word: &Word| format!("\"{}\"", word.name);
                words.iter().map(quoted).collect::<Vec<_>>().join(", ")
            }
            Shape::List(inner) => format!("[{}, …]", inner.words()),
            Shape::Pair => "[low, high]".to_owned(),
            Shape::Table(table) => {
                let names: Vec<&str> = table.keys.iter().map(|key| key.name.as_str()).collect();
                format!("{{ {} }}", names.join(", "))
            }
            Shape::Map(inner) => format!("{{ NAME = {}, … }}", inner.words()),
            Shape::Either(shapes) => {
                let words: Vec<String> = shapes.iter().map(Shape::words).collect();
                words.join(" or ")
            }
            Shape::Any => "any value".to_owned(),
        }
    }

    /// All tables with known keys that a value can be.
    pub fn tables(&self) -> Vec<&Table> {
        match self {
            Shape::Table(table) => vec![table],
            Shape::Either(shapes) => shapes.iter().flat_map(Shape::tables).collect(),
            _ => Vec::new(),
        }
    }
}

/// A key that may be left out.
pub(crate) fn key(name: &str, shape: Shape, about: &str) -> Key {
    Key {
        name: name.to_owned(),
        about: about.to_owned(),
        shape,
        required: false,
    }
}

/// A key that must be there.
pub(crate) fn need(name: &str, shape: Shape, about: &str) -> Key {
    Key {
        required: true,
        ..key(name, shape, about)
    }
}

pub(crate) fn table(keys: Vec<Key>) -> Shape {
    Shape::Table(Table::new(keys))
}

pub(crate) fn list(inner: Shape) -> Shape {
    Shape::List(Box::new(inner))
}

/// These texts, each with what it means.
pub(crate) fn words(words: &[(&str, &str)]) -> Shape {
    let word = |(name, about): &(&str, &str)| Word {
        name: (*name).to_owned(),
        about: (*about).to_owned(),
    };
    Shape::Name(words.iter().map(word).collect())
}

pub(crate) const ANY: Shape = Shape::Number(&[]);
const NOT_NEGATIVE: Shape = Shape::Number(&[("minimum", 0.0)]);
pub(crate) const POSITIVE: Shape = Shape::Number(&[("exclusiveMinimum", 0.0)]);
/// strictly between 0 and 1
pub(crate) const OPEN: Shape =
    Shape::Number(&[("exclusiveMinimum", 0.0), ("exclusiveMaximum", 1.0)]);
/// at least 0 and below 1
const PART: Shape = Shape::Number(&[("minimum", 0.0), ("exclusiveMaximum", 1.0)]);

/// A whole number, at least this.
pub(crate) const fn whole(least: u64) -> Shape {
    Shape::Whole(least, u64::MAX)
}

/// A section of an experiment file: its name in brackets, and the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// the name by which it is looked up
    pub name: &'static str,
    /// how the file writes it
    pub header: &'static str,
    /// one line in plain words
    pub about: &'static str,
    /// what it can hold
    pub shape: Shape,
}

/// The sections of an experiment file in which keys stand, in the order of the documentation.
pub fn sections() -> Vec<Section> {
    let section = |name, header, about, shape| Section {
        name,
        header,
        about,
        shape,
    };
    vec![
        section(
            "top",
            "(top of the file)",
            "what holds for the whole run",
            table(settings()),
        ),
        section(
            "data",
            "[data]",
            "where the records come from, and what is declared of them",
            data::data(),
        ),
        section(
            "query",
            "[[query]]",
            "what is asked, one table for each query",
            query::query(),
        ),
        section(
            "budget",
            "[budget]",
            "what may be spent in all, and how the parts add up",
            budget::budget(),
        ),
        section(
            "release",
            "[procedure.release]",
            "every query is answered once, with noise",
            procedures::release(),
        ),
        section(
            "select",
            "[procedure.select]",
            "one candidate, or several, chosen by their scores",
            procedures::select(),
        ),
        section(
            "stream",
            "[procedure.stream]",
            "queries answered one after another, under one guarantee",
            stream::stream(),
        ),
        section(
            "train",
            "[procedure.train]",
            "a model learnt by noisy gradients",
            train::train(),
        ),
        section(
            "clip-then-sum",
            "[procedure.clip-then-sum]",
            "a clipping bound chosen, then a sum and a count",
            procedures::clip_then_sum(),
        ),
        section(
            "compose",
            "[procedure.compose]",
            "releases that are counted, not simulated",
            procedures::compose(),
        ),
        section(
            "sweep",
            "[sweep]",
            "the axes: every key is one, and the cells are all combinations",
            ask::sweep(),
        ),
        section(
            "compare",
            "[compare]",
            "which cells are compared on paired trials",
            ask::compare(),
        ),
        section(
            "claim",
            "[[claim]]",
            "a statement of a source, checked against the run",
            ask::claim(),
        ),
        section(
            "figure",
            "[[figure]]",
            "what is drawn; without any, what suits the run",
            ask::figure(),
        ),
    ]
}

/// The keys at the top of an experiment file.
fn settings() -> Vec<Key> {
    let trials = Shape::Either(vec![
        Shape::Whole(1, settings::MOST_TRIALS),
        precision::target(),
    ]);
    vec![
        need(
            "name",
            Shape::Text,
            "names the run directory: letters, digits, `-` and `_`",
        ),
        key("title", Shape::Text, "headline; the name without it"),
        key("question", Shape::Text, "the question in a sentence"),
        key(
            "seed",
            whole(0),
            &format!("seed of all random streams; {} without it", settings::SEED),
        ),
        key(
            "trials",
            trials,
            &format!(
                "trials of every cell, or until they are precise enough; {} without it",
                settings::TRIALS
            ),
        ),
        key(
            "level",
            OPEN,
            &format!("level of the intervals; {} without it", settings::LEVEL),
        ),
        key(
            "streams",
            words(&[
                (
                    "common",
                    "all cells see the same noise draws, so that they are compared trial by trial (the default)",
                ),
                ("independent", "each cell has draws of its own"),
            ]),
            "whether cells share their noise; \"common\" without it",
        ),
        key(
            "quantiles",
            words(&[
                (
                    "histogram",
                    "from buckets of relative width 2⁻⁷, in the same pass (the default)",
                ),
                ("exact", "exact sample quantiles, by a second pass"),
            ]),
            "where quantiles come from; \"histogram\" without it",
        ),
        key(
            "on_error",
            words(&[
                (
                    "stop",
                    "the run ends and says which trial it was (the default)",
                ),
                (
                    "record",
                    "the run goes on; failed trials are counted and told, and the estimates are of the others",
                ),
            ]),
            "what becomes of a run in which a trial panics or yields no number; \"stop\" without it",
        ),
        key(
            "measures",
            list(names::measures()),
            "what is reported; all usual ones without it",
        ),
    ]
}

/// All that an experiment file can say.
pub fn experiment() -> Shape {
    let of = |name: &str| {
        let section = sections().into_iter().find(|section| section.name == name);
        section.map_or(Shape::Any, |section| section.shape)
    };
    let mut keys = settings();
    let mut procedures = Vec::new();
    for section in sections() {
        let (name, about) = (section.name, section.about);
        if section.header.starts_with("[procedure.") {
            procedures.push(key(name, section.shape, about));
        } else if section.header.starts_with("[[") {
            keys.push(key(name, list(of(name)), about));
        } else if section.header.starts_with('[') {
            keys.push(key(name, section.shape, about));
        }
    }
    keys.push(key(
        "procedure",
        table(procedures),
        "what one trial does with its budget: exactly one section; a release without it",
    ));
    table(keys)
}

/// What the value at a dotted path takes, in the sections that make a cell.
fn at(path: &str) -> Option<Shape> {
    let mut segments = path.split('.');
    let first = match (segments.next()?, path) {
        ("data", _) => data::data(),
        ("budget", _) => budget::budget(),
        ("procedure", _) => match segments.next()? {
            "release" => procedures::release(),
            "select" => procedures::select(),
            "stream" => stream::stream(),
            "train" => train::train(),
            _ => return None,
        },
        _ => return None,
    };
    segments.try_fold(first, |at, name| {
        let found = at.tables().into_iter().find_map(|table| table.key(name));
        Some(found?.shape.clone())
    })
}
