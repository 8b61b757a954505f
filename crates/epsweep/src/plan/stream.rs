//! The cells of a stream: queries answered truly, the gate calibrated, its exact law computed.

use super::cells::{Cells, Known, Place, Resolver, resolved_data};
use super::promise::Promise;
use super::scales::in_range;
use crate::config::data;
use crate::config::policy::{self as config_policy, PolicyBudget};
use crate::config::procedure::Chosen;
use crate::config::sequence::SequenceSpec;
use crate::config::source::Span;
use crate::config::stream::{self, GateSpec, MethodSpec, Source, StreamBudget, StreamSpec};
use crate::config::value::Value;
use crate::load::Loaded;
use crate::record::{
    ResolvedCell, ResolvedData, ResolvedGate, ResolvedNeighbour, ResolvedStream, number,
};
use crate::study::StudyCell;
use crate::study::stream::{GateCell, LossTable, MOST_QUERIES, Method, StreamCell};
use epsweep_core::selection::{Form, Movement};
use epsweep_core::sensitivity::Neighbours;
use epsweep_core::stream::{Calibrated, Lockstep, Queries, Setting, Standing, StreamError};
use std::fmt::Display;
use std::sync::Arc;

/// By how much answers of a neighbouring stream may differ beyond Δ, relative to it: room for rounding.
const SLACK: f64 = 1e-9;

/// The queries of a stream, answered truly.
#[derive(Debug)]
pub(super) struct Asked {
    answers: Arc<Vec<f64>>,
    digest: String,
    /// Δ that follows from data and queries; `None` where it must be declared
    sensitivity: Option<f64>,
    /// how answers move, where that follows
    movement: Option<Movement>,
    /// name of the neighbouring relation
    neighbours: String,
    /// for the record
    pub data: ResolvedData,
    /// what the user should know
    pub warnings: Vec<String>,
}

impl Asked {
    fn new(answers: Vec<f64>, promise: Option<(f64, Movement)>, neighbours: &str) -> Asked {
        let mut hasher = blake3::Hasher::new();
        for answer in &answers {
            hasher.update(&answer.to_le_bytes());
        }
        let digest = hasher.finalize().to_hex().to_string();
        Asked {
            data: ResolvedData {
                source: "answers in the experiment file".to_owned(),
                digest: digest.clone(),
                rows: answers.len() as u64,
                columns: Vec::new(),
            },
            answers: Arc::new(answers),
            digest,
            sensitivity: promise.map(|(sensitivity, _)| sensitivity),
            movement: promise.map(|(_, movement)| movement),
            neighbours: neighbours.to_owned(),
            warnings: Vec::new(),
        }
    }

    fn of(self, loaded: &Loaded) -> Asked {
        Asked {
            data: resolved_data(loaded),
            warnings: loaded.warnings.clone(),
            ..self
        }
    }
}

/// What may be spent, as what answers counts it.
enum Budget {
    Gate(StreamBudget),
    Policy(PolicyBudget),
}

impl Resolver<'_> {
    /// A cell of a stream.
    pub(super) fn stream(
        &self,
        place: Place<'_>,
        chosen: Option<&Chosen<'_>>,
        out: &mut Cells,
        known: &mut Known,
    ) -> Option<(StudyCell, ResolvedCell)> {
        let spec = chosen.and_then(|chosen| stream::read(chosen, self.sink));
        let budget = self.section(place.tree, "budget");
        let section = |name: &str| place.tree.as_table().and_then(|table| table.get(name));
        if let Some(queries) = section("query") {
            (self.sink.fault(
                queries.span,
                "the queries of a stream stand in [procedure.stream]",
            ))
            .remedy("give `counts` or `answers` there, or use [procedure.release]")
            .report();
        }
        let spec = spec?;
        let data = section("data");
        let key = format!("{} {:?}", spec.key, data.map(Value::to_string));
        let asked = known.streams.get(key, || self.asked(&spec, data));
        let budget = match &spec.method {
            MethodSpec::Gate(_) => {
                let read = budget.and_then(|given| stream::read_budget(given, self.sink));
                read.map(Budget::Gate)
            }
            MethodSpec::Policy(_) => {
                let read = budget.and_then(|given| config_policy::read_budget(given, self.sink));
                read.map(Budget::Policy)
            }
        };
        let (asked, budget) = (asked?, budget?);
        if !out.neighbours.contains(&asked.neighbours) {
            out.neighbours.push(asked.neighbours.clone());
        }
        let (sensitivity, movement) = self.stream_promise(&spec, &asked)?;
        let mut resolved = ResolvedCell {
            id: place.id.clone(),
            labels: place.labels,
            data: out.data_set(&asked.data, &asked.warnings, &mut known.data),
            guarantee: String::new(),
            total: 0.0,
            composition: String::new(),
            divided: String::new(),
            noise: String::new(),
            allocation: String::new(),
            joint: None,
            oracle: false,
            queries: Vec::new(),
            ..ResolvedCell::default()
        };
        let mut stream = ResolvedStream {
            queries: asked.answers.len() as u64,
            sensitivity,
            movement: match movement {
                Movement::AnyWay => "any-way",
                Movement::OneWay => "one-way",
            }
            .to_owned(),
            digest: asked.digest.clone(),
            gate: None,
            policy: None,
        };
        let mut warn = |warning: String| {
            if !out.warnings.contains(&warning) {
                out.warnings.push(warning);
            }
        };
        let method = match (&spec.method, &budget) {
            (MethodSpec::Gate(gate), Budget::Gate(budget)) => {
                let (cell, gate) = self.gate(gate, budget, &asked, sensitivity, movement)?;
                if let Some(why) = &gate.broken {
                    warn(format!(
                        "gate `{}` is a control: it does not have the privacy that it claims ({why})",
                        gate.name
                    ));
                }
                resolved.total = budget.epsilon.get();
                resolved.guarantee = format!("ε = {}", number(resolved.total));
                resolved.composition = budget.composition.to_owned();
                stream.gate = Some(gate);
                Method::Gate(Arc::new(cell))
            }
            (MethodSpec::Policy(policy), Budget::Policy(budget)) => {
                if asked.answers.len() > config_policy::MOST_POSITIONS {
                    let message = format!("a policy for {} positions", asked.answers.len());
                    (self.sink.fault(policy.span, message))
                        .rule(format!("at most {}", config_policy::MOST_POSITIONS))
                        .report();
                    return None;
                }
                let span = spec.sensitivity.map_or(spec.span, |(_, span)| span);
                let planned = self.policy(policy, budget, &asked.answers, (sensitivity, span))?;
                if planned.resolved.oracle {
                    warn(format!(
                        "policy `{}` is an oracle: it sees the true answers for free, so no private analysis can use it",
                        planned.resolved.name
                    ));
                }
                for group in &planned.resolved.groups {
                    if !out.vectors.contains(group) {
                        out.vectors.push(group.clone());
                    }
                }
                resolved.total = planned.total;
                resolved.guarantee = planned.guarantee;
                resolved.composition = planned.composition;
                resolved.noise = planned.noise.to_owned();
                resolved.oracle = planned.resolved.oracle;
                stream.policy = Some(planned.resolved);
                Method::Policy(Arc::new(planned.cell))
            }
            // a budget is read as its method wants it
            _ => return None,
        };
        let cell = StreamCell {
            id: place.id,
            guarantee: match &method {
                Method::Gate(_) => resolved.total,
                Method::Policy(policy) => {
                    let terms = &policy.terms;
                    terms.guarantee().spent(terms.capacity())
                }
            },
            method,
        };
        resolved.stream = Some(Box::new(stream));
        Some((StudyCell::Stream(cell), resolved))
    }

    /// A gate on the queries.
    fn gate(
        &self,
        spec: &GateSpec,
        budget: &StreamBudget,
        asked: &Asked,
        sensitivity: f64,
        movement: Movement,
    ) -> Option<(GateCell, ResolvedGate)> {
        let refuse = |span: Span| move |error: StreamError| self.refused(span, &error);
        let setting = Setting::new(budget.epsilon.get(), sensitivity, spec.limit);
        let setting = setting.map_err(refuse(spec.limit_span)).ok();
        let setting = setting.and_then(|setting| {
            (setting.form(spec.form, movement))
                .map_err(refuse(spec.form_span))
                .ok()
        });
        let setting = setting.and_then(|setting| match spec.split {
            None => Some(setting),
            Some((split, span)) => setting.split(split).map_err(refuse(span)).ok(),
        });
        let setting = setting.and_then(|setting| match spec.numeric {
            None => Some(setting),
            Some((share, span)) => setting.numeric(share).map_err(refuse(span)).ok(),
        });
        let queries = Queries::new(asked.answers.to_vec(), &spec.thresholds)
            .map_err(refuse(spec.thresholds_span))
            .ok();
        let (setting, queries) = (setting?, queries?);
        let gate = (spec.gate.calibrate(&setting))
            .map_err(refuse(spec.name_span))
            .ok()?;
        for (whose, scale) in [
            ("the threshold", gate.threshold_scale),
            ("every query", gate.query_scale),
        ] {
            in_range(self.sink, spec.name_span, whose, scale)?;
        }
        let loss = match &spec.neighbour {
            None => None,
            Some((answers, span)) => {
                Some(self.loss(&gate, &queries, answers, *span, sensitivity, spec)?)
            }
        };
        let neighbour = loss.as_ref().map(|loss| ResolvedNeighbour {
            worst: finite(loss.worst),
            leak: loss.leak,
        });
        let cell = GateCell::new(Lockstep::new(gate, queries), loss)
            .map_err(refuse(spec.span))
            .ok()?;
        let resolved = ResolvedGate {
            name: gate.about.name.to_owned(),
            broken: match spec.gate.standing() {
                Standing::Private => None,
                Standing::Broken(why) => Some(why.to_owned()),
            },
            limit: gate.limit.map(|limit| limit as u64),
            positives: cell.lockstep.queries().positives() as u64,
            form: match spec.form {
                Form::General => "general",
                Form::Monotone => "monotone",
            }
            .to_owned(),
            epsilons: gate.epsilons,
            threshold_scale: gate.threshold_scale,
            redrawn: gate.redrawn,
            query_scale: gate.query_scale,
            answer_scale: cell.answer_scale(),
            claimed: gate.claimed,
            epsilon: finite(gate.privacy.epsilon()),
            expected_above: cell.law.as_ref().map(|law| law.expected_above()),
            expected_answered: cell.law.as_ref().map(|law| law.expected_answered()),
            neighbour,
        };
        Some((cell, resolved))
    }

    /// What outputs tell of a neighbouring stream.
    fn loss(
        &self,
        gate: &Calibrated,
        queries: &Queries,
        answers: &[f64],
        span: Span,
        sensitivity: f64,
        spec: &GateSpec,
    ) -> Option<LossTable> {
        if queries.len() > MOST_QUERIES || answers.len() != queries.len() {
            let message = format!(
                "a neighbour with {} answers of a stream of {} queries",
                answers.len(),
                queries.len()
            );
            (self.sink.fault(span, message))
                .rule(format!("one answer for each query, of which there are at most {MOST_QUERIES}, so that all outputs can be listed"))
                .report();
            return None;
        }
        let most = sensitivity * (1.0 + SLACK);
        let apart = (answers.iter().zip(queries.answers())).position(|(a, b)| (a - b).abs() > most);
        if let Some(place) = apart {
            let message = format!(
                "answer {} of the neighbour differs by {} from {}",
                place + 1,
                number((answers[place] - queries.answers()[place]).abs()),
                number(queries.answers()[place])
            );
            (self.sink.fault(span, message))
                .rule(format!(
                    "by the sensitivity {} at most",
                    number(sensitivity)
                ))
                .report();
            return None;
        }
        let neighbour = Queries::new(answers.to_vec(), &spec.thresholds);
        (neighbour.and_then(|neighbour| LossTable::new(gate, queries, &neighbour)))
            .map_err(|error| self.refused(span, &error))
            .ok()
    }

    pub(super) fn refused(&self, span: Span, error: &dyn Display) {
        self.sink.fault(span, error.to_string()).report();
    }

    /// Δ and how answers move.
    fn stream_promise(&self, spec: &StreamSpec, asked: &Asked) -> Option<(f64, Movement)> {
        Promise {
            noun: "answers",
            sensitivity: (asked.sensitivity, spec.sensitivity),
            movement: (asked.movement, spec.movement),
            lacks: (
                spec.span,
                "[procedure.stream] lacks the key `sensitivity`",
                "how much a neighbour can change any answer",
            ),
        }
        .settle(self.sink)
    }

    /// Answers of a sequence.
    fn generated(&self, spec: &SequenceSpec, span: Span, section: Option<&Value>) -> Option<Asked> {
        if let Some(section) = section {
            (self.sink.fault(
                section.span,
                "nothing uses [data]: the answers are generated",
            ))
            .remedy("leave [data] out, or take the answers from it")
            .report();
            return None;
        }
        let answers = (spec
            .sequence
            .generate(&spec.parameters, spec.seed, spec.positions))
        .map_err(|error| self.refused(span, &error))
        .ok()?;
        if let Some(answer) = answers.iter().find(|answer| !answer.is_finite()) {
            (self
                .sink
                .fault(span, format!("the sequence has an answer of {answer}")))
            .rule("every answer is finite")
            .report();
            return None;
        }
        let mut asked = Asked::new(answers, None, "declared by the sensitivity");
        asked.data.source = describe(spec);
        Some(asked)
    }

    /// The true answers.
    fn asked(&self, spec: &StreamSpec, section: Option<&Value>) -> Option<Asked> {
        let used = spec.source.used();
        if let Source::Generated(sequence) = &spec.source {
            return self.generated(sequence, spec.source_span, section);
        }
        let section = match (&spec.source, section) {
            (Source::Given(answers), None) => {
                return Some(Asked::new(
                    answers.clone(),
                    None,
                    "declared by the sensitivity",
                ));
            }
            (Source::Given(_), Some(section)) => {
                (self.sink.fault(
                    section.span,
                    "nothing uses [data]: the answers come from the file itself",
                ))
                .remedy("leave [data] out, or ask for counts of its rows")
                .report();
                return None;
            }
            (_, None) => {
                (self.sink.fault(
                    spec.source_span,
                    "these queries are about data, and there is none",
                ))
                .remedy("add [data]")
                .report();
                return None;
            }
            (_, Some(section)) => section,
        };
        let (data, complete) = data::read(section, self.sink);
        let data = data?;
        let loaded = self.load(&data, &used)?;
        if !complete {
            return None;
        }
        let name = data.neighbours.name();
        match &spec.source {
            Source::Column(column) => {
                let values = (loaded.table.column(&column.name)).and_then(|c| c.numbers());
                let answers = values.map_err(|error| self.refused(column.span, &error));
                Some(Asked::new(answers.ok()?.to_vec(), None, name).of(&loaded))
            }
            Source::Counts(counts) => {
                let (mut answers, mut sensitivity) = (Vec::new(), 0.0_f64);
                for count in counts {
                    let answer = count.query.answers(&loaded.table);
                    let moved = count.query.sensitivity(&loaded.table, data.neighbours);
                    match (answer, moved) {
                        (Ok(answer), Ok(moved)) => {
                            answers.extend(answer);
                            sensitivity = sensitivity.max(moved.l1);
                        }
                        (Err(error), _) | (_, Err(error)) => self.refused(count.span, &error),
                    }
                }
                if answers.len() != counts.len() {
                    return None;
                }
                let movement = match data.neighbours {
                    Neighbours::AddRemove => Movement::OneWay,
                    Neighbours::Substitute => Movement::AnyWay,
                };
                Some(Asked::new(answers, Some((sensitivity, movement)), name).of(&loaded))
            }
            // without data
            Source::Given(_) | Source::Generated(_) => None,
        }
    }
}

/// The generated answers, in words.
fn describe(spec: &SequenceSpec) -> String {
    let set = (spec.sequence.parameters().iter().zip(&spec.parameters))
        .map(|(parameter, value)| format!("{} {}", parameter.name, number(*value)));
    format!(
        "{} answers, {} ({}), seed {}",
        spec.positions,
        spec.sequence.about().name,
        set.collect::<Vec<_>>().join(", "),
        spec.seed
    )
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
