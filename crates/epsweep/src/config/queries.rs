//! `[[query]]`: what is released. The kinds and their parameters are those of the core's registry.

use super::diagnostic::Sink;
use super::reader::Reader;
use super::release::{self, GivenShares};
use super::source::Span;
use super::value::Value;
use crate::config::data::Used;
use epsweep_core::postprocess::{self, Step};
use epsweep_core::query::{
    Argument, Arguments, Parameter, ParameterKind, Query, QueryError, QueryKind, REGISTRY, kind,
};
use std::sync::Arc;

/// A query of the experiment.
#[derive(Clone, Debug)]
pub struct QuerySpec {
    /// its name, unique
    pub name: String,
    /// its weight in the objectives: finite, not negative
    pub weight: f64,
    /// the least magnitude by which `relative_error` divides: at least 0, finite
    pub floor: f64,
    /// how its budget is divided among its parts, each with noise of its own scale; without it all parts share one scale
    pub split: Option<(GivenShares, Span)>,
    /// steps taken on its released answer
    pub steps: Vec<Arc<dyn Step>>,
    /// the sensitivity that the noise is calibrated to in place of the true one: finite, above 0
    pub declared: Option<f64>,
    /// what is asked
    pub definition: Definition,
}

/// What a query asks.
#[derive(Clone, Debug)]
pub struct Definition {
    /// the query
    pub query: Arc<dyn Query>,
    /// where it stands
    pub span: Span,
    /// the columns that it reads
    pub used: Vec<Used>,
}

/// Names that the results use for something else.
const RESERVED: &[&str] = &["all", "subject"];

/// Reads every `[[query]]`; whether nothing is wrong with any. The good ones are given even so, so that their columns can be checked.
pub fn read(value: &Value, sink: &Sink) -> (Vec<QuerySpec>, bool) {
    let Some(list) = value.list(sink) else {
        return (Vec::new(), false);
    };
    if list.is_empty() {
        sink.fault(value.span, "the list of queries is empty")
            .rule("at least one [[query]]")
            .report();
    }
    let mut names: Vec<String> = Vec::new();
    let good: Vec<QuerySpec> = (list.iter())
        .filter_map(|given| query(given, &mut names, sink))
        .collect();
    let complete = !list.is_empty() && good.len() == list.len();
    (good, complete)
}

fn query(value: &Value, names: &mut Vec<String>, sink: &Sink) -> Option<QuerySpec> {
    let reader = value.reader(sink, "[[query]]")?;
    let name = reader.need("name").and_then(|given| {
        let name = given.text(sink)?;
        let fault = if name.trim().is_empty() || name.trim() != name {
            "is blank or has blanks at its ends"
        } else if name.chars().any(char::is_control) {
            "has a line end or another control character"
        } else if RESERVED.contains(&name) {
            "means something else in the results"
        } else if names.iter().any(|known| known == name) {
            "is there twice"
        } else {
            names.push(name.to_owned());
            return Some(name.to_owned());
        };
        sink.fault(given.span, format!("the query name {given} {fault}"))
            .rule("each query has a name of its own")
            .report();
        None
    });
    let at_least_zero = |key: &str, default: f64| match reader.get(key) {
        None => Some(default),
        Some(given) => given.finite(sink).and_then(|number| {
            if number >= 0.0 {
                return Some(number);
            }
            sink.fault(given.span, format!("the {key} {given} is negative"))
                .rule(format!("{key} ≥ 0"))
                .report();
            None
        }),
    };
    let weight = at_least_zero("weight", 1.0);
    let floor = at_least_zero("floor", 0.0);
    let split = match reader.get("split") {
        None => Some(None),
        Some(given) => release::shares(given, sink).map(|shares| Some((shares, given.span))),
    };
    let steps = match reader.get("postprocess") {
        None => Some(Vec::new()),
        Some(given) => all(given, sink, step),
    };
    let declared = match reader.get("declared_sensitivity") {
        None => Some(None),
        Some(given) => given.finite(sink).and_then(|declared| {
            if declared > 0.0 {
                return Some(Some(declared));
            }
            sink.fault(given.span, format!("the declared sensitivity is {given}"))
                .rule("declared_sensitivity > 0")
                .report();
            None
        }),
    };
    let definition = definition(&reader, sink);
    reader.finish();
    Some(QuerySpec {
        name: name?,
        weight: weight?,
        floor: floor?,
        split: split?,
        steps: steps?,
        declared: declared?,
        definition: definition?,
    })
}

/// A query that is only asked about, `{ sum = { column = "age" } }`.
pub fn inline(value: &Value, sink: &Sink) -> Option<Definition> {
    let reader = value.reader(sink, "the query")?;
    let definition = definition(&reader, sink);
    reader.finish();
    definition
}

fn definition(reader: &Reader<'_>, sink: &Sink) -> Option<Definition> {
    let kinds: Vec<&str> = REGISTRY.iter().map(|kind| kind.about().name).collect();
    let (which, given) = reader.one_of("a kind", &kinds)?;
    build(kind(kinds[which])?, given, sink)
}

/// A step on the released answer: a name, or `{ name = { parameters } }`.
fn step(value: &Value, sink: &Sink) -> Option<Arc<dyn Step>> {
    let names: Vec<&str> = (postprocess::REGISTRY.iter())
        .map(|kind| kind.about().name)
        .collect();
    let (kind, arguments, at) = if value.as_table().is_some() {
        let reader = value.reader(sink, "the step")?;
        let chosen = reader.one_of("a step", &names);
        reader.finish();
        let (which, given) = chosen?;
        let kind = postprocess::REGISTRY[which];
        (
            kind,
            arguments(names[which], kind.parameters(), given, sink)?.arguments,
            given,
        )
    } else {
        let name = value.choice(sink, "step", &names)?;
        (postprocess::kind(name)?, Arguments::new(), value)
    };
    kind.build(&arguments)
        .map(Arc::from)
        .map_err(|error| refused(&error, at, sink))
        .ok()
}

/// What a table says of a query, a step or an audited mechanism.
pub(crate) struct Given {
    /// the values of its parameters
    pub arguments: Arguments,
    columns: Vec<Used>,
    predicate: Option<Span>,
}

/// Reads the parameters of a query, a step or an audited mechanism.
pub(crate) fn arguments(
    name: &str,
    parameters: &[Parameter],
    value: &Value,
    sink: &Sink,
) -> Option<Given> {
    let reader = value.reader(sink, format!("`{name}`"))?;
    let mut arguments = Arguments::new();
    let mut columns: Vec<Used> = Vec::new();
    let mut predicate = None;
    let mut good = true;
    for parameter in parameters {
        let given = match parameter.required {
            true => reader.need(parameter.name),
            false => reader.get(parameter.name),
        };
        let Some(given) = given else {
            good &= !parameter.required;
            continue;
        };
        match parameter.kind {
            ParameterKind::Number => match given.finite(sink) {
                Some(number) => arguments = arguments.with_number(parameter.name, number),
                None => good = false,
            },
            ParameterKind::Numbers => match numbers(given, sink) {
                Some(list) => arguments = arguments.with(parameter.name, Argument::Numbers(list)),
                None => good = false,
            },
            ParameterKind::Matrix => match all(given, sink, numbers) {
                Some(rows) => arguments = arguments.with(parameter.name, Argument::Matrix(rows)),
                None => good = false,
            },
            ParameterKind::Texts => {
                let text = |value: &Value, sink: &Sink| value.text(sink).map(str::to_owned);
                match all(given, sink, text) {
                    Some(list) => arguments = arguments.with(parameter.name, Argument::Texts(list)),
                    None => good = false,
                }
            }
            ParameterKind::Choice(_) => match given.text(sink) {
                Some(text) => arguments = arguments.with_text(parameter.name, text),
                None => good = false,
            },
            ParameterKind::Column | ParameterKind::Predicate => match given.text(sink) {
                Some(text) => {
                    arguments = arguments.with_text(parameter.name, text);
                    if parameter.kind == ParameterKind::Predicate {
                        predicate = Some(given.span);
                    } else {
                        columns.push(Used::new(text, given.span));
                    }
                }
                None => good = false,
            },
        }
    }
    reader.finish();
    good.then_some(Given {
        arguments,
        columns,
        predicate,
    })
}

fn build(kind: &dyn QueryKind, value: &Value, sink: &Sink) -> Option<Definition> {
    let Given {
        arguments,
        columns,
        predicate,
    } = arguments(kind.about().name, kind.parameters(), value, sink)?;
    let table = value.as_table()?;
    match kind.build(&arguments) {
        Ok(query) => {
            let texts = query.texts();
            let used = (query.columns().into_iter())
                .map(|name| Used {
                    span: (columns.iter().find(|column| column.name == name))
                        .map(|column| column.span)
                        .or(predicate)
                        .unwrap_or(value.span),
                    texts: (texts.iter().filter(|(column, _)| *column == name))
                        .map(|(_, text)| text.clone())
                        .collect(),
                    name,
                })
                .collect();
            Some(Definition {
                query: Arc::from(query),
                span: value.span,
                used,
            })
        }
        Err(QueryError::Predicate {
            argument, error, ..
        }) => {
            let at = table.get(argument).unwrap_or(value);
            let fault = sink.fault(within(at, error.span.clone(), sink), error.message.clone());
            match error.help {
                None => fault.report(),
                Some(help) => fault.remedy(help).report(),
            }
            None
        }
        Err(error) => {
            refused(&error, value, sink);
            None
        }
    }
}

/// Says why a table of parameters is refused, at the parameter that the error is about.
pub(crate) fn refused(error: &QueryError, value: &Value, sink: &Sink) {
    let argument = match error {
        QueryError::Range { argument, .. }
        | QueryError::Choice { argument, .. }
        | QueryError::List { argument, .. } => Some(*argument),
        QueryError::Exclusive { second, .. } => Some(*second),
        _ => None,
    };
    let table = value.as_table();
    let at = argument.and_then(|name| table?.get(name)).unwrap_or(value);
    let fault = sink.fault(at.span, error.to_string());
    match error {
        QueryError::Choice {
            value, available, ..
        } => fault.names(value, available).report(),
        _ => fault.report(),
    }
}

/// A list of finite numbers.
pub(crate) fn numbers(value: &Value, sink: &Sink) -> Option<Vec<f64>> {
    all(value, sink, |item, sink| item.finite(sink))
}

/// Every value of a list; the faults of all are said.
pub(crate) fn all<T>(
    value: &Value,
    sink: &Sink,
    read: impl Fn(&Value, &Sink) -> Option<T>,
) -> Option<Vec<T>> {
    let read_all: Vec<Option<T>> = (value.list(sink)?.iter())
        .map(|item| read(item, sink))
        .collect();
    read_all.into_iter().collect()
}

/// The stretch of the file that holds a stretch of a text's content, where the text stands in the file as it is; else the whole text.
fn within(value: &Value, part: std::ops::Range<usize>, sink: &Sink) -> Span {
    let written = sink.sources().text(value.span);
    let content = value.as_text().unwrap_or("");
    match written.get(1..written.len().saturating_sub(1)) {
        Some(inner) if inner == content => Span {
            source: value.span.source,
            start: value.span.start + 1 + part.start,
            end: value.span.start + 1 + part.end,
        },
        _ => value.span,
    }
}
