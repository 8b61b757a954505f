//! `[procedure.stream]`: the queries that come one after another, and what answers them.

use super::budget::COMPOSITIONS;
use super::diagnostic::Sink;
use super::policy::{self, PolicySpec};
use super::procedure::Chosen;
use super::queries::{self, Definition};
use super::reader::Reader;
use super::sequence::{self, SequenceSpec};
use super::source::Span;
use super::value::{Entry, Kind, Table, Value};
use crate::config::data::Used;
use epsweep_core::budget::Epsilon;
use epsweep_core::selection::{Form, Movement};
use epsweep_core::stream::gate;
use epsweep_core::stream::{Gate, Split, Standing};

/// Most queries of a stream.
const MOST_QUERIES: usize = 100_000;

/// What `[procedure.stream]` says.
#[derive(Clone, Debug)]
pub struct StreamSpec {
    /// where the section stands
    pub span: Span,
    /// where the queries come from
    pub source: Source,
    /// where that stands
    pub source_span: Span,
    /// Δ as declared
    pub sensitivity: Option<(f64, Span)>,
    /// how declared answers may move
    pub movement: Option<(Movement, Span)>,
    /// what answers
    pub method: MethodSpec,
    /// the text of all that the queries depend on: equal texts, equal queries on equal data
    pub key: String,
}

/// Where the true answers come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// the file itself
    Given(Vec<f64>),
    /// a column of the data, row after row
    Column(Used),
    /// counts of the rows that satisfy predicates
    Counts(Vec<Definition>),
    /// a sequence
    Generated(SequenceSpec),
}

impl Source {
    /// The keys, one of which must be there.
    pub const KEYS: &[&str] = &["answers", "counts", "sequence"];

    /// The columns of the data that it reads.
    pub fn used(&self) -> Vec<Used> {
        match self {
            Source::Given(_) | Source::Generated(_) => Vec::new(),
            Source::Column(used) => vec![used.clone()],
            Source::Counts(counts) => counts.iter().flat_map(|c| c.used.iter().cloned()).collect(),
        }
    }
}

/// What answers.
#[derive(Clone, Debug)]
pub enum MethodSpec {
    /// which queries are above their thresholds
    Gate(GateSpec),
    /// values, each for as much as a policy decides
    Policy(PolicySpec),
}

impl MethodSpec {
    /// The keys, one of which must be there.
    pub const KEYS: &[&str] = &["gate", "policy"];
}

/// `gate = { … }`.
#[derive(Clone, Debug)]
pub struct GateSpec {
    /// where it stands
    pub span: Span,
    /// the gate
    pub gate: &'static dyn Gate,
    /// where its name stands
    pub name_span: Span,
    /// positive answers after which it closes
    pub limit: usize,
    /// where that stands, or the gate
    pub limit_span: Span,
    /// one for all queries, or one for each
    pub thresholds: Vec<f64>,
    /// where these stand
    pub thresholds_span: Span,
    /// how ε is divided between threshold and queries, and where that stands
    pub split: Option<(Split, Span)>,
    /// the share of ε for numeric answers, and where that stands
    pub numeric: Option<(f64, Span)>,
    /// with or without the factor 2
    pub form: Form,
    /// where that stands, or the gate
    pub form_span: Span,
    /// true answers on a neighbouring data set, and where these stand
    pub neighbour: Option<(Vec<f64>, Span)>,
}

/// What `[budget]` says of a stream.
#[derive(Clone, Copy, Debug)]
pub struct StreamBudget {
    /// ε of everything together
    pub epsilon: Epsilon,
    /// how spends add up to it
    pub composition: &'static str,
}

/// Reads `[budget]` for a stream with a gate, which needs a pure ε.
pub fn read_budget(value: &Value, sink: &Sink) -> Option<StreamBudget> {
    let reader = value.reader(sink, "[budget]")?;
    let composition = match reader.get("composition") {
        None => Some("basic"),
        Some(given) => given.choice(sink, "composition", COMPOSITIONS),
    };
    for other in ["delta", "rho"] {
        if let Some(given) = reader.get(other) {
            sink.fault(given.span, format!("a gate cannot spend `{other}`"))
                .rule("a pure ε, above 0")
                .remedy("give `epsilon` alone")
                .report();
        }
    }
    let epsilon = reader.need("epsilon").and_then(|given| {
        Epsilon::new(given.real(sink)?)
            .map_err(|error| sink.fault(given.span, error.to_string()).report())
            .ok()
    });
    reader.finish();
    Some(StreamBudget {
        epsilon: epsilon?,
        composition: composition?,
    })
}

/// Reads `[procedure.stream]`.
pub fn read(chosen: &Chosen<'_>, sink: &Sink) -> Option<StreamSpec> {
    let reader = chosen.section?.reader(sink, "[procedure.stream]")?;
    let spec = section(&reader);
    reader.finish();
    spec
}

fn section(reader: &Reader<'_>) -> Option<StreamSpec> {
    let (sink, span) = (reader.sink(), reader.span());
    let which = reader.one_of("the queries", Source::KEYS);
    let (positions, seed) = (reader.get("positions"), reader.get("seed"));
    let source = which.and_then(|(which, given)| match Source::KEYS[which] {
        "answers" => answers(given, sink),
        "sequence" => sequence::read(given, (positions, seed), span, sink).map(Source::Generated),
        _ => counts(given, sink),
    });
    if which.is_some_and(|(which, _)| Source::KEYS[which] != "sequence") {
        for key in [positions, seed].into_iter().flatten() {
            (sink.fault(key.span, "this goes with a generated sequence"))
                .remedy("leave it out where the answers are given")
                .report();
        }
    }
    let sensitivity = match reader.get("sensitivity") {
        None => Some(None),
        Some(given) => given.finite(sink).and_then(|number| {
            if number >= 0.0 {
                return Some(Some((number, given.span)));
            }
            sink.fault(given.span, format!("`sensitivity` is {given}"))
                .rule("a finite number, at least 0")
                .report();
            None
        }),
    };
    let movement = match reader.get("movement") {
        None => Some(None),
        Some(given) => match given.choice(sink, "movement", &["any-way", "one-way"]) {
            Some("any-way") => Some(Some((Movement::AnyWay, given.span))),
            Some(_) => Some(Some((Movement::OneWay, given.span))),
            None => None,
        },
    };
    let method = reader.one_of("what answers", MethodSpec::KEYS);
    let method = method.and_then(|(which, given)| match MethodSpec::KEYS[which] {
        "gate" => gate_of(given, sink).map(MethodSpec::Gate),
        _ => policy::read(given, reader).map(MethodSpec::Policy),
    });
    let key = (reader.table().entries.iter())
        .filter(|entry| {
            let key = entry.key.as_str();
            Source::KEYS.contains(&key) || ["positions", "seed"].contains(&key)
        })
        .map(|entry| format!("{} = {}; ", entry.key, entry.value))
        .collect();
    Some(StreamSpec {
        span,
        source: source?,
        source_span: which.map_or(span, |(_, given)| given.span),
        sensitivity: sensitivity?,
        movement: movement?,
        method: method?,
        key,
    })
}

/// Numbers, all finite, of which there must be one at least.
fn numbers(value: &Value, sink: &Sink) -> Option<Vec<f64>> {
    let list = value.list(sink)?;
    if list.is_empty() || list.len() > MOST_QUERIES {
        sink.fault(value.span, format!("a list of {} numbers", list.len()))
            .rule(format!("from 1 to {MOST_QUERIES}"))
            .report();
        return None;
    }
    list.iter().map(|given| given.finite(sink)).collect()
}

fn answers(value: &Value, sink: &Sink) -> Option<Source> {
    if value.as_table().is_none() {
        return numbers(value, sink).map(Source::Given);
    }
    let reader = value.reader(sink, "the answers")?;
    let column = reader
        .need("column")
        .and_then(|given| Some(Used::new(given.text(sink)?, given.span)));
    reader.finish();
    column.map(Source::Column)
}

/// Counts are queries like any other: each predicate is read as `{ count = { where = … } }`.
fn counts(value: &Value, sink: &Sink) -> Option<Source> {
    let list = value.list(sink)?;
    if list.is_empty() {
        sink.fault(value.span, "the list of predicates is empty")
            .rule("at least one, for example \"age > 60\"")
            .report();
        return None;
    }
    let table = |span: Span, key: &str, value: Value| Value {
        span,
        kind: Kind::Table(Table::new(vec![Entry {
            key: key.to_owned(),
            key_span: span,
            value,
        }])),
    };
    let read = |given: &Value| {
        given.text(sink)?;
        let arguments = table(given.span, "where", given.clone());
        queries::inline(&table(given.span, "count", arguments), sink)
    };
    // every fault is said
    let read: Vec<Option<Definition>> = list.iter().map(read).collect();
    read.into_iter().collect::<Option<_>>().map(Source::Counts)
}

fn gate_of(value: &Value, sink: &Sink) -> Option<GateSpec> {
    let reader = value.reader(sink, "the gate")?;
    let at = |key: &str| reader.get(key).map_or(value.span, |given| given.span);
    let control = match reader.get("control") {
        None => Some(false),
        Some(given) => given.flag(sink),
    };
    let names: Vec<&str> = gate::REGISTRY.iter().map(|g| g.about().name).collect();
    let gate = (reader.need_choice("name", "gate", &names)).and_then(|name| gate::find(name));
    if let (Some(gate), Some(false)) = (gate, control)
        && let Standing::Broken(why) = gate.standing()
    {
        let message = format!(
            "the gate `{}` does not have the privacy that it claims: {why}",
            gate.about().name
        );
        sink.fault(at("name"), message)
            .rule("a broken gate is a control, and nothing else")
            .remedy("add control = true, or use `svt-alg7`")
            .report();
        return None;
    }
    let limit = match reader.get("c") {
        None => Some(1),
        Some(given) => given
            .whole(sink, 1, MOST_QUERIES as u64)
            .map(|limit| limit as usize),
    };
    let thresholds = reader
        .need("threshold")
        .and_then(|given| match given.as_list() {
            Some(_) => numbers(given, sink),
            None => given.finite(sink).map(|threshold| vec![threshold]),
        });
    let split = match reader.get("split") {
        None => Some(None),
        Some(given) => {
            let split = match given.as_text() {
                Some(_) => match given.choice(sink, "split", &["even", "optimal"]) {
                    Some("even") => Some(Split::Even),
                    Some(_) => Some(Split::Optimal),
                    None => None,
                },
                None => given.finite(sink).map(Split::Threshold),
            };
            split.map(|split| Some((split, given.span)))
        }
    };
    let numeric = match reader.get("numeric") {
        None => Some(None),
        Some(given) => given.finite(sink).map(|share| Some((share, given.span))),
    };
    let form = match reader.get("form") {
        None => Some(Form::General),
        Some(given) => match given.choice(sink, "form", &["general", "monotone"]) {
            Some("general") => Some(Form::General),
            Some(_) => Some(Form::Monotone),
            None => None,
        },
    };
    let neighbour = match reader.get("neighbour") {
        None => Some(None),
        Some(given) => numbers(given, sink).map(|list| Some((list, given.span))),
    };
    let spans = (at("name"), at("c"), at("threshold"), at("form"));
    reader.finish();
    control?;
    Some(GateSpec {
        span: value.span,
        gate: gate?,
        name_span: spans.0,
        limit: limit?,
        limit_span: spans.1,
        thresholds: thresholds?,
        thresholds_span: spans.2,
        split: split?,
        numeric: numeric?,
        form: form?,
        form_span: spans.3,
        neighbour: neighbour?,
    })
}
