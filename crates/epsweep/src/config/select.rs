//! `[procedure.select]`: the candidates, their scores, and the mechanism that chooses.

use super::diagnostic::Sink;
use super::procedure::Chosen;
use super::reader::Reader;
use super::source::Span;
use super::value::{Kind, Value};
use crate::load::Used;
use crate::procedure::select::{Chooser, MOST_SLOTS, OTHERS, Path};
use epsweep_core::budget::Shares;
use epsweep_core::selection::{self, Form, Movement, top_k};

/// Candidates that results name where the file does not say.
pub const SHOWN: usize = 20;

/// Most candidates that results can name.
const MOST_SHOWN: u64 = 1024;

/// Most candidates that the project makes itself.
const MOST_CANDIDATES: u64 = 100_000_000;

/// What `[procedure.select]` says.
#[derive(Clone, Debug)]
pub struct SelectSpec {
    /// where the section stands
    pub span: Span,
    /// the mechanism
    pub chooser: Chooser,
    /// where it stands, or the section
    pub chooser_span: Span,
    /// how many are chosen, and where that stands
    pub slots: usize,
    /// how slots share ε; `None` for evenly
    pub shares: Option<(Shares, Span)>,
    /// with or without the factor 2
    pub form: Form,
    /// where that stands, or the section
    pub form_span: Span,
    /// how choices are drawn
    pub path: Path,
    /// where that stands, or the section
    pub path_span: Span,
    /// candidates that results name
    pub shown: usize,
    /// where candidates and scores come from
    pub candidates: Candidates,
    /// where that stands
    pub candidates_span: Span,
    /// what the scores are clipped to, and where that stands
    pub range: Option<([f64; 2], Span)>,
    /// what scores and their sensitivity are multiplied by, after clipping
    pub scale: f64,
    /// Δ as declared, before scaling
    pub sensitivity: Option<(f64, Span)>,
    /// how declared scores may move
    pub movement: Option<(Movement, Span)>,
    /// the text of all that the candidates depend on: equal texts, equal candidates on equal data
    pub key: String,
}

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
            Candidates::Counts { column, .. } | Candidates::Rank { column, .. } => {
                vec![plain(column)]
            }
            Candidates::Accuracy { labels, models } => {
                (std::iter::once(labels).chain(models)).map(plain).collect()
            }
        }
    }
}

/// Reads `[procedure.select]`.
pub fn read(chosen: &Chosen<'_>, sink: &Sink) -> Option<SelectSpec> {
    let reader = chosen.section?.reader(sink, "[procedure.select]")?;
    let spec = section(&reader);
    reader.finish();
    spec
}

fn section(reader: &Reader<'_>) -> Option<SelectSpec> {
    let (sink, span) = (reader.sink(), reader.span());
    let place = |key: &str| reader.get(key).map_or(span, |given| given.span);
    let chooser = chooser(reader);
    let slots = match reader.get("k") {
        None => Some(1),
        Some(given) => given
            .whole(sink, 1, MOST_SLOTS as u64)
            .map(|slots| slots as usize),
    };
    let shares = match reader.get("shares") {
        None => Some(None),
        Some(given) => shares(given, slots, sink),
    };
    let form = match reader.get("form") {
        None => Some(Form::General),
        Some(given) => match given.choice(sink, "form", &["general", "monotone"]) {
            Some("general") => Some(Form::General),
            Some(_) => Some(Form::Monotone),
            None => None,
        },
    };
    let path = match reader.get("path") {
        None => Some(Path::default()),
        Some(given) => {
            let names: Vec<&str> = Path::ALL.iter().map(|path| path.name()).collect();
            let name = given.choice(sink, "path", &names);
            name.and_then(|name| Path::ALL.iter().find(|p| p.name() == name).copied())
        }
    };
    let shown = match reader.get("show") {
        None => Some(SHOWN),
        Some(given) => given.whole(sink, 1, MOST_SHOWN).map(|shown| shown as usize),
    };
    let which = reader.one_of("the candidates", Candidates::KEYS);
    let names = reader.get("names");
    let candidates = which.and_then(|(which, given)| match Candidates::KEYS[which] {
        "scores" => scores(given, names, sink),
        "counts" => counts(given, sink),
        "rank" => rank(given, sink),
        "accuracy" => accuracy(given, sink),
        "zipf" => zipf(given, sink),
        _ => leader(given, sink),
    });
    if let (Some(names), Some((which, given))) = (names, which)
        && (Candidates::KEYS[which] != "scores" || given.as_list().is_none())
    {
        sink.fault(names.span, "`names` go with a list of scores")
            .rule("scores = [ … ] and names = [ … ], of the same length")
            .report();
    }
    let range = match reader.get("range") {
        None => Some(None),
        Some(given) => given.pair(sink).and_then(|[low, high]| {
            if low < high {
                return Some(Some(([low, high], given.span)));
            }
            sink.fault(given.span, format!("{given} is no range"))
                .rule("range = [low, high] with low < high")
                .report();
            None
        }),
    };
    let positive = |key: &str, zero: bool| match reader.get(key) {
        None => Some(None),
        Some(given) => given.finite(sink).and_then(|number| {
            if number > 0.0 || (zero && number == 0.0) {
                return Some(Some((number, given.span)));
            }
            sink.fault(given.span, format!("`{key}` is {given}"))
                .rule(if zero {
                    "a finite number, at least 0"
                } else {
                    "a finite number above 0"
                })
                .report();
            None
        }),
    };
    let scale = positive("scale", false);
    let sensitivity = positive("sensitivity", true);
    let movement = match reader.get("movement") {
        None => Some(None),
        Some(given) => match given.choice(sink, "movement", &["any-way", "one-way"]) {
            Some("any-way") => Some(Some((Movement::AnyWay, given.span))),
            Some(_) => Some(Some((Movement::OneWay, given.span))),
            None => None,
        },
    };
    let (chooser, slots, shares) = (chooser?, slots?, shares?);
    if matches!(chooser, Chooser::One(_)) && reader.get("k").is_some() {
        sink.fault(
            place("k"),
            format!("`{}` chooses one candidate", chooser.name()),
        )
        .rule("k goes with a mechanism for several slots: peeling, one-shot-gumbel")
        .report();
        return None;
    }
    let key = (reader.table().entries.iter())
        .filter(|entry| {
            let key = entry.key.as_str();
            Candidates::KEYS.contains(&key) || ["names", "range", "scale", "show"].contains(&key)
        })
        .map(|entry| format!("{} = {}; ", entry.key, entry.value))
        .collect();
    Some(SelectSpec {
        span,
        chooser,
        chooser_span: place("mechanism"),
        slots,
        shares,
        form: form?,
        form_span: place("form"),
        path: path?,
        path_span: place("path"),
        shown: shown?,
        candidates: candidates?,
        candidates_span: which.map_or(span, |(_, given)| given.span),
        range: range?,
        scale: scale?.map_or(1.0, |(scale, _)| scale),
        sensitivity: sensitivity?,
        movement: movement?,
        key,
    })
}

fn chooser(reader: &Reader<'_>) -> Option<Chooser> {
    let Some(given) = reader.get("mechanism") else {
        return Some(match reader.get("k") {
            None => Chooser::One(selection::REGISTRY[0]),
            Some(_) => Chooser::Several(top_k::REGISTRY[0]),
        });
    };
    let one = selection::REGISTRY.iter().map(|m| m.about().name);
    let several = top_k::REGISTRY.iter().map(|m| m.about().name);
    let names: Vec<&str> = one.chain(several).collect();
    let name = given.choice(reader.sink(), "mechanism", &names)?;
    match selection::mechanism(name) {
        Some(mechanism) => Some(Chooser::One(mechanism)),
        None => {
            reader.need("k");
            top_k::mechanism(name).map(Chooser::Several)
        }
    }
}

/// `"even"`, a list of shares, or `{ name = "…", shares = [ … ] }`, whose name labels an axis.
fn shares(value: &Value, slots: Option<usize>, sink: &Sink) -> Option<Option<(Shares, Span)>> {
    if value.as_text().is_some() {
        return value.choice(sink, "division", &["even"]).map(|_| None);
    }
    let list = match value.as_table() {
        None => value,
        Some(_) => {
            let reader = value.reader(sink, "the shares")?;
            reader.need("name").and_then(|name| name.text(sink));
            let list = reader.need("shares");
            reader.finish();
            list?
        }
    };
    let numbers: Option<Vec<f64>> = list
        .list(sink)?
        .iter()
        .map(|share| share.real(sink))
        .collect();
    let numbers = numbers?;
    if let Some(slots) = slots.filter(|slots| *slots != numbers.len()) {
        sink.fault(
            list.span,
            format!("{} shares for {slots} slots", numbers.len()),
        )
        .rule("one share for each slot, in the order in which they are filled")
        .report();
        return None;
    }
    match Shares::new(numbers) {
        Ok(shares) => Some(Some((shares, list.span))),
        Err(error) => {
            sink.fault(list.span, error.to_string()).report();
            None
        }
    }
}

fn used(value: &Value, sink: &Sink) -> Option<Used> {
    Some(Used {
        name: value.text(sink)?.to_owned(),
        span: value.span,
    })
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
