//! Where candidates and their scores come from: the file, columns of the data, or a made-up law.

use crate::config::data::Used;
use crate::config::diagnostic::Sink;
use crate::config::value::{Kind, Value};
use crate::study::select::OTHERS;

/// Most candidates that the project makes itself.
const MOST_CANDIDATES: u64 = 100_000_000;

/// Where candidates and their scores come from.
#[derive(Clone, Debug)]
pub enum Candidates {
    /// the file itself
    Given {
        /// the scores
        scores: Vec<f64>,
        /// the names, as many
        names: Option<Vec<String>>,
    },
    /// each row of the data is a candidate
    Column {
        /// the column of scores
        scores: Used,
        /// the column of names
        names: Option<Used>,
    },
    /// values of a column, scored by how often they occur
    Counts {
        /// the column
        column: Used,
        /// the values, if not those that occur
        candidates: Option<Vec<String>>,
    },
    /// numbers on a grid over the bounds of a column, scored by how near they are to a quantile in rank
    Rank {
        /// the column
        column: Used,
        /// the quantile
        quantile: f64,
        /// how many numbers
        points: usize,
    },
    /// columns of predictions, scored by how often they are right
    Accuracy {
        /// the column of true labels
        labels: Used,
        /// the columns of predictions
        models: Vec<Used>,
    },
    /// made-up counts that fall like a power of the rank
    Zipf {
        /// how many candidates
        candidates: usize,
        /// the power
        exponent: f64,
        /// the count of the first
        top: f64,
    },
    /// made-up scores: one leads, the others are equal
    Leader {
        /// how many candidates
        candidates: usize,
        /// by how much it leads
        lead: f64,
    },
}

impl Candidates {
    /// The keys, one of which must be there.
    pub const KEYS: &[&str] = &["scores", "counts", "rank", "accuracy", "zipf", "leader"];

    /// Reads what stands under the key of that place among [`Candidates::KEYS`]; `names` go with a list of scores.
    pub(super) fn read(
        which: usize,
        given: &Value,
        names: Option<&Value>,
        sink: &Sink,
    ) -> Option<Candidates> {
        match Candidates::KEYS[which] {
            "scores" => scores(given, names, sink),
            "counts" => counts(given, sink),
            "rank" => rank(given, sink),
            "accuracy" => accuracy(given, sink),
            "zipf" => zipf(given, sink),
            _ => leader(given, sink),
        }
    }

    /// The columns of the data that it reads, and which of them are text whatever the file declares.
    pub fn used(&self) -> Vec<(Used, bool)> {
        let plain = |used: &Used| (used.clone(), false);
        match self {
            Candidates::Given { .. } | Candidates::Zipf { .. } | Candidates::Leader { .. } => {
                Vec::new()
            }
            Candidates::Column { scores, names } => (std::iter::once(plain(scores)))
                .chain(names.iter().map(|names| (names.clone(), true)))
                .collect(),
            Candidates::Counts { column, candidates } => {
                let named = Used {
                    texts: candidates.clone().unwrap_or_default(),
                    ..column.clone()
                };
                vec![(named, false)]
            }
            Candidates::Rank { column, .. } => vec![plain(column)],
            Candidates::Accuracy { labels, models } => {
                (std::iter::once(labels).chain(models)).map(plain).collect()
            }
        }
    }
}

fn used(value: &Value, sink: &Sink) -> Option<Used> {
    Some(Used::new(value.text(sink)?, value.span))
}

/// Names of candidates: different, and none that the results use for something else.
fn names(value: &Value, sink: &Sink) -> Option<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for given in value.list(sink)? {
        let name = given.text(sink)?;
        let fault = if name.trim().is_empty() || name.trim() != name {
            "is blank or has blanks at its ends"
        } else if name.chars().any(char::is_control) {
            "has a line end or another control character"
        } else if ["all", OTHERS].contains(&name) {
            "means something else in the results"
        } else if !seen.insert(name.to_owned()) {
            "is there twice"
        } else {
            out.push(name.to_owned());
            continue;
        };
        sink.fault(given.span, format!("the candidate {given} {fault}"))
            .rule("each candidate has a name of its own")
            .report();
        return None;
    }
    Some(out)
}

fn scores(value: &Value, given: Option<&Value>, sink: &Sink) -> Option<Candidates> {
    if value.as_table().is_some() {
        let reader = value.reader(sink, "the scores")?;
        let scores = reader.need("column").and_then(|given| used(given, sink));
        let names = match reader.get("names") {
            None => Some(None),
            Some(given) => used(given, sink).map(Some),
        };
        reader.finish();
        return Some(Candidates::Column {
            scores: scores?,
            names: names?,
        });
    }
    let list = value.list(sink)?;
    if list.is_empty() {
        sink.fault(value.span, "there is no candidate")
            .rule("at least one score")
            .report();
        return None;
    }
    let names = match given.filter(|names| names.kind != Kind::Faulty) {
        None => None,
        Some(given) => {
            let names = names(given, sink)?;
            if names.len() != list.len() {
                let message = format!("{} names for {} scores", names.len(), list.len());
                sink.fault(given.span, message)
                    .rule("one name for each score")
                    .report();
                return None;
            }
            Some(names)
        }
    };
    let mut scores = Vec::with_capacity(list.len());
    for (place, given) in list.iter().enumerate() {
        let score = given.real(sink)?;
        if score.is_nan() || score == f64::INFINITY {
            let name = names
                .as_ref()
                .map_or_else(|| place_name(place), |names| names[place].clone());
            sink.fault(
                given.span,
                format!("the score of candidate `{name}` is {given}"),
            )
            .rule("a finite number, or -inf for a candidate that is never chosen")
            .report();
            return None;
        }
        scores.push(score);
    }
    Some(Candidates::Given { scores, names })
}

/// What a candidate without a name is called, by its place.
pub fn place_name(place: usize) -> String {
    format!("candidate {}", place + 1)
}

fn counts(value: &Value, sink: &Sink) -> Option<Candidates> {
    let reader = value.reader(sink, "`counts`")?;
    let column = reader.need("column").and_then(|given| used(given, sink));
    let candidates = match reader.get("candidates") {
        None => Some(None),
        Some(given) => names(given, sink).map(Some),
    };
    reader.finish();
    Some(Candidates::Counts {
        column: column?,
        candidates: candidates?,
    })
}

fn rank(value: &Value, sink: &Sink) -> Option<Candidates> {
    let reader = value.reader(sink, "`rank`")?;
    let column = reader.need("column").and_then(|given| used(given, sink));
    let quantile = match reader.get("quantile") {
        None => Some(0.5),
        Some(given) => given.finite(sink),
    };
    let points = reader
        .need("points")
        .and_then(|given| given.whole(sink, 1, MOST_CANDIDATES));
    reader.finish();
    Some(Candidates::Rank {
        column: column?,
        quantile: quantile?,
        points: points? as usize,
    })
}

fn accuracy(value: &Value, sink: &Sink) -> Option<Candidates> {
    let reader = value.reader(sink, "`accuracy`")?;
    let labels = reader.need("labels").and_then(|given| used(given, sink));
    let models = reader.need("models").and_then(|given| {
        let list = given.list(sink)?;
        let models: Option<Vec<Used>> = list.iter().map(|model| used(model, sink)).collect();
        names(given, sink)?;
        models
    });
    reader.finish();
    Some(Candidates::Accuracy {
        labels: labels?,
        models: models?,
    })
}

fn zipf(value: &Value, sink: &Sink) -> Option<Candidates> {
    let reader = value.reader(sink, "`zipf`")?;
    let candidates = reader
        .need("candidates")
        .and_then(|given| given.whole(sink, 1, MOST_CANDIDATES));
    let number = |key: &str, default: Option<f64>| match (reader.get(key), default) {
        (None, Some(default)) => Some(default),
        _ => reader.need(key).and_then(|given| {
            let number = given.finite(sink)?;
            if number >= 0.0 {
                return Some(number);
            }
            sink.fault(given.span, format!("`{key}` is {given}"))
                .rule("at least 0")
                .report();
            None
        }),
    };
    let (exponent, top) = (number("exponent", Some(1.0)), number("top", None));
    reader.finish();
    Some(Candidates::Zipf {
        candidates: candidates? as usize,
        exponent: exponent?,
        top: top?,
    })
}

fn leader(value: &Value, sink: &Sink) -> Option<Candidates> {
    let reader = value.reader(sink, "`leader`")?;
    let candidates = reader
        .need("candidates")
        .and_then(|given| given.whole(sink, 1, MOST_CANDIDATES));
    let lead = reader.need("lead").and_then(|given| given.finite(sink));
    reader.finish();
    Some(Candidates::Leader {
        candidates: candidates? as usize,
        lead: lead?,
    })
}
