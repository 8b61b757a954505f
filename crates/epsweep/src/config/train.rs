//! `[procedure.train]`: the records, the model, and how to descend.

use super::diagnostic::Sink;
use super::procedure::Chosen;
use super::reader::Reader;
use super::source::Span;
use super::value::Value;
use crate::config::data::Used;
use epsweep_core::accounting::SamplingProbability;
use epsweep_core::training::schedule::{self, Schedule};
use epsweep_core::training::{Average, Generator, Model};

/// Most records that are generated, and most features.
const MOST_RECORDS: u64 = 10_000_000;
const MOST_FEATURES: u64 = 10_000;
/// Most steps.
const MOST_STEPS: u64 = 1_000_000;
/// Recorded steps where a file does not say.
const RECORDED: u64 = 10;
/// Most steps that are recorded: each is a row of the results.
const MOST_RECORDED: u64 = 1000;

/// What `[procedure.train]` says.
#[derive(Clone, Debug)]
pub struct TrainSpec {
    /// where the section stands
    pub span: Span,
    /// the model
    pub model: Model,
    /// the records
    pub records: Records,
    /// where they stand
    pub records_span: Span,
    /// number of steps
    pub steps: usize,
    /// learning rate
    pub rate: f64,
    /// clipping norm
    pub clip: f64,
    /// momentum
    pub momentum: f64,
    /// weight of ½‖w‖²
    pub ridge: f64,
    /// sampling probability
    pub sampling: SamplingProbability,
    /// what the result is
    pub average: Average,
    /// how the steps share the budget
    pub schedule: &'static dyn Schedule,
    /// its parameter
    pub ratio: f64,
    /// every how many steps the loss is recorded; 0 for never
    pub record: usize,
    /// the text of all that data and optimum depend on
    pub key: String,
}

/// Where the records come from.
#[derive(Clone, Debug)]
pub enum Records {
    /// generated
    Generated {
        /// from what
        generator: Generator,
        /// how many are learnt from
        records: usize,
        /// how many judge
        test: usize,
    },
    /// rows of the data
    Columns {
        /// the labels
        label: Used,
        /// the features, each mapped from its declared bounds to [−1, 1]
        features: Vec<Used>,
        /// whether a constant feature is added
        intercept: bool,
        /// the part of the rows that judge
        test: f64,
        /// seed of the draws that choose them
        seed: u64,
    },
}

/// Reads `[procedure.train]`.
pub fn read(chosen: &Chosen<'_>, sink: &Sink) -> Option<TrainSpec> {
    let reader = chosen.section?.reader(sink, "[procedure.train]")?;
    let spec = section(&reader);
    reader.finish();
    spec
}

fn section(reader: &Reader<'_>) -> Option<TrainSpec> {
    let sink = reader.sink();
    let names: Vec<&str> = Model::ALL.iter().map(|model| model.name()).collect();
    let model = (reader.need_choice("model", "model", &names)).and_then(|name| {
        Model::ALL
            .iter()
            .find(|model| model.name() == name)
            .copied()
    });
    let which = reader.one_of("the records", &["generated", "columns"]);
    let records = which.and_then(|(which, given)| match which {
        0 => generated(given, model.unwrap_or(Model::Linear), sink),
        _ => columns(given, sink),
    });
    let steps = (reader.need("steps")).and_then(|given| given.whole(sink, 1, MOST_STEPS));
    let positive = |given: &Value| {
        let number = given.finite(sink)?;
        if (1e-30..=1e30).contains(&number) {
            return Some(number);
        }
        sink.fault(given.span, format!("{given} cannot be used here"))
            .rule("from 1e-30 to 1e30, so that all moments stay within the range of f64")
            .report();
        None
    };
    let rate = reader.need("rate").and_then(positive);
    let clip = reader.need("clip").and_then(positive);
    let within = |key: &str, most: f64, rule: &str| match reader.get(key) {
        None => Some(0.0),
        Some(given) => given.finite(sink).and_then(|number| {
            if number >= 0.0 && number < most {
                return Some(number);
            }
            sink.fault(given.span, format!("`{key}` is {given}"))
                .rule(rule)
                .report();
            None
        }),
    };
    let momentum = within("momentum", 1.0, "at least 0 and below 1");
    let ridge = within("ridge", 1e30, "at least 0 and below 1e30");
    let sampling = match reader.get("sampling") {
        None => SamplingProbability::new(1.0).ok(),
        Some(given) => given.real(sink).and_then(|number| {
            SamplingProbability::new(number)
                .map_err(|error| sink.fault(given.span, error.to_string()).report())
                .ok()
        }),
    };
    let names: Vec<&str> = Average::ALL.iter().map(|average| average.name()).collect();
    let average = match reader.get("average") {
        None => Some(Average::default()),
        Some(given) => given.choice(sink, "average", &names).and_then(|name| {
            let found = Average::ALL.iter().find(|average| average.name() == name);
            found.copied()
        }),
    };
    let schedule = match reader.get("schedule") {
        None => Some((schedule::REGISTRY[0], 1.0)),
        Some(given) => schedule_of(given, sink),
    };
    let every = match (reader.get("record"), steps) {
        (None, steps) => Some(steps.map_or(0, |steps| steps.div_ceil(RECORDED))),
        (Some(given), steps) => given.whole(sink, 0, MOST_STEPS).filter(|every| {
            let recorded = match (every, steps) {
                (0, _) | (_, None) => 0,
                (every, Some(steps)) => steps / every,
            };
            if recorded > MOST_RECORDED {
                let message = format!("the loss would be recorded at {recorded} steps");
                sink.fault(given.span, message)
                    .rule(format!("at most {MOST_RECORDED} steps"))
                    .remedy("record it every so many steps")
                    .report();
            }
            recorded <= MOST_RECORDED
        }),
    };
    let key = (reader.table().entries.iter())
        .filter(|entry| ["model", "generated", "columns", "ridge"].contains(&entry.key.as_str()))
        .map(|entry| format!("{} = {}; ", entry.key, entry.value))
        .collect();
    let (schedule, ratio) = schedule?;
    Some(TrainSpec {
        span: reader.span(),
        model: model?,
        records: records?,
        records_span: which.map_or(reader.span(), |(_, given)| given.span),
        steps: steps? as usize,
        rate: rate?,
        clip: clip?,
        momentum: momentum?,
        ridge: ridge?,
        sampling: sampling?,
        average: average?,
        schedule,
        ratio,
        record: every? as usize,
        key,
    })
}

/// A name, or `{ name = "…", ratio = … }`.
fn schedule_of(value: &Value, sink: &Sink) -> Option<(&'static dyn Schedule, f64)> {
    let names: Vec<&str> = (schedule::REGISTRY.iter())
        .map(|s| s.about().name)
        .collect();
    let found = |given: &Value| {
        let name = given.choice(sink, "schedule", &names)?;
        schedule::schedule(name)
    };
    if value.as_table().is_none() {
        let schedule = found(value)?;
        return Some((schedule, schedule.ratio().unwrap_or(1.0)));
    }
    let reader = value.reader(sink, "`schedule`")?;
    let schedule = reader.need("name").and_then(found);
    let ratio = reader.get("ratio");
    reader.finish();
    let schedule = schedule?;
    let Some(given) = ratio else {
        return Some((schedule, schedule.ratio().unwrap_or(1.0)));
    };
    let number = given.finite(sink)?;
    let fault = |message: String, rule: &str| {
        sink.fault(given.span, message).rule(rule).report();
        None
    };
    match schedule.ratio() {
        None => fault(
            format!("the schedule `{}` has no `ratio`", schedule.about().name),
            "leave `ratio` out",
        ),
        Some(_) if !(1.001..=1e6).contains(&number) => {
            fault(format!("`ratio` is {given}"), "from 1.001 to 1000000")
        }
        Some(_) => Some((schedule, number)),
    }
}

fn generated(value: &Value, model: Model, sink: &Sink) -> Option<Records> {
    let reader = value.reader(sink, "`generated`")?;
    let records = (reader.need("records")).and_then(|given| given.whole(sink, 1, MOST_RECORDS));
    let features = (reader.need("features")).and_then(|given| given.whole(sink, 1, MOST_FEATURES));
    let test = match reader.get("test") {
        None => Some(0),
        Some(given) => given.whole(sink, 0, MOST_RECORDS),
    };
    let number = |key: &str, zero: bool| match reader.get(key) {
        None => Some(1.0),
        Some(given) => given.finite(sink).and_then(|number| {
            if number > 0.0 || (zero && number == 0.0) {
                return Some(number);
            }
            sink.fault(given.span, format!("`{key}` is {given}"))
                .rule(if zero { "at least 0" } else { "above 0" })
                .report();
            None
        }),
    };
    let signal = number("signal", false);
    let noise = number("noise", true);
    if let (Model::Logistic, Some(given)) = (model, reader.get("noise")) {
        sink.fault(given.span, "`noise` is of the labels of a linear model")
            .remedy("leave it out: a logistic model's labels are random by themselves")
            .report();
        reader.finish();
        return None;
    }
    let seed = match reader.get("seed") {
        None => Some(0),
        Some(given) => given.whole(sink, 0, u64::MAX),
    };
    reader.finish();
    Some(Records::Generated {
        generator: Generator {
            model,
            features: features? as usize,
            signal: signal?,
            noise: noise?,
            seed: seed?,
        },
        records: records? as usize,
        test: test? as usize,
    })
}

fn columns(value: &Value, sink: &Sink) -> Option<Records> {
    let used = |given: &Value| Some(Used::new(given.text(sink)?, given.span));
    let reader = value.reader(sink, "`columns`")?;
    let label = reader.need("label").and_then(used);
    let features = reader.need("features").and_then(|given| {
        let list: Option<Vec<Used>> = given.list(sink)?.iter().map(used).collect();
        if list.as_ref().is_some_and(Vec::is_empty) {
            sink.fault(given.span, "there is no feature")
                .rule("at least one column")
                .report();
            return None;
        }
        list
    });
    // a feature that is there twice has no weight of its own
    let features = features.filter(|features| {
        let twice = (features.iter().enumerate()).find(|(i, feature)| {
            features[..*i]
                .iter()
                .any(|other| other.name == feature.name)
        });
        if let Some((_, feature)) = twice {
            (sink.fault(
                feature.span,
                format!("the feature `{}` is there twice", feature.name),
            ))
            .rule("every feature has a weight of its own")
            .remedy("leave it out once")
            .report();
        }
        twice.is_none()
    });
    let intercept = match reader.get("intercept") {
        None => Some(true),
        Some(given) => given.flag(sink),
    };
    let test = match reader.get("test") {
        None => Some(0.0),
        Some(given) => given.finite(sink).and_then(|part| {
            if (0.0..1.0).contains(&part) {
                return Some(part);
            }
            sink.fault(given.span, format!("`test` is {given}"))
                .rule("the part of the rows that judge: at least 0 and below 1")
                .report();
            None
        }),
    };
    let seed = match reader.get("seed") {
        None => Some(0),
        Some(given) => given.whole(sink, 0, u64::MAX),
    };
    reader.finish();
    Some(Records::Columns {
        label: label?,
        features: features?,
        intercept: intercept?,
        test: test?,
        seed: seed?,
    })
}
