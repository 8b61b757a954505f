//! `[[figure]]`: what is drawn. Without any, the kinds of figures themselves say which of them suit the run.

use super::diagnostic::Sink;
use super::settings::is_file_name;
use super::sweep::Axis;
use super::value::Value;
use super::vocabulary::Vocabulary;
use crate::figure;
use crate::record::ResolvedFigure;
use crate::summary::STATISTICS;
use std::collections::BTreeMap;

/// What the article's panel draws.
const PANEL_MEASURES: &[&str] = &["answer", "abs_error", "max_abs_error"];

/// The kind of figure with keys of its own.
const HEAT_MAP: &str = "heat-map";

/// Sizes of figures.
pub const SIZES: &[&str] = &["one-column", "two-columns", "slide"];

/// Reads every `[[figure]]`.
pub fn read(value: &Value, words: &Vocabulary<'_>, sink: &Sink) -> Option<Vec<ResolvedFigure>> {
    let mut out: Vec<ResolvedFigure> = Vec::new();
    let mut good = true;
    for given in value.list(sink)? {
        match figure(given, words, &out, sink) {
            Some(figure) => out.push(figure),
            None => good = false,
        }
    }
    good.then_some(out)
}

fn figure(
    value: &Value,
    words: &Vocabulary<'_>,
    before: &[ResolvedFigure],
    sink: &Sink,
) -> Option<ResolvedFigure> {
    let reader = value.reader(sink, "[[figure]]")?;
    let kinds: Vec<&str> = (figure::REGISTRY.iter())
        .map(|kind| kind.about().name)
        .collect();
    let kind = reader
        .need("kind")
        .and_then(|given| given.choice(sink, "kind of figure", &kinds));
    let taken = |name: &str| before.iter().any(|figure| figure.name == name);
    let name = match reader.get("name") {
        Some(given) => given.text(sink).and_then(|name| {
            let message = match name {
                name if !is_file_name(name) => format!("the name {given} cannot name a file"),
                name if taken(name) => format!("the figure `{name}` is there twice"),
                name => return Some(name.to_owned()),
            };
            sink.fault(given.span, message)
                .rule("letters, digits, `-` and `_`, and each name once")
                .report();
            None
        }),
        None => kind.map(|kind| {
            let mut name = kind.to_owned();
            let mut number = 2;
            while taken(&name) {
                name = format!("{kind}-{number}");
                number += 1;
            }
            name
        }),
    };
    let measure = match reader.get("measure") {
        None => Some(None),
        Some(given) => (given.text(sink))
            .and_then(|name| words.measure(name, given, sink))
            .map(|measure| Some(measure.name.to_owned())),
    };
    let cells = match reader.get("cells") {
        None => Some(BTreeMap::new()),
        Some(given) => cells(given, words, sink),
    };
    let choice = |key: &str, what: &str, names: &[&'static str]| match reader.get(key) {
        None => Some(None),
        Some(given) => given
            .choice(sink, what, names)
            .map(|name| Some(name.to_owned())),
    };
    let size = choice("size", "size", SIZES);
    let scale = choice("scale", "scale", &["linear", "log"]);
    let title = match reader.get("title") {
        None => Some(None),
        Some(given) => given.text(sink).map(|text| Some(text.to_owned())),
    };
    let columns = match reader.get("columns") {
        None => Some(None),
        Some(given) => (given.text(sink))
            .and_then(|name| words.axis(name, given, sink))
            .map(|axis| Some(axis.name.clone())),
    };
    let statistics = match reader.get("statistics") {
        None => Some(Vec::new()),
        Some(given) => statistics(given, words, sink),
    };
    let show = choice("show", "number to show", &["value", "regret"]);
    for key in ["columns", "statistics", "show"] {
        if let (Some(given), Some(kind)) = (reader.get(key), kind)
            && kind != HEAT_MAP
        {
            sink.fault(
                given.span,
                format!("`{key}` is nothing that the figure `{kind}` has"),
            )
            .rule(format!("`{key}` goes with kind = \"{HEAT_MAP}\""))
            .report();
            return None;
        }
    }
    reader.finish();
    if let Some(kind) = kind {
        suits(kind, value, words, sink)?;
    }
    Some(ResolvedFigure {
        kind: kind?.to_owned(),
        name: name?,
        measure: measure?,
        cells: cells?,
        size: size?,
        scale: scale?,
        title: title?,
        columns: columns?,
        statistics: statistics?,
        show: show?,
    })
}

/// A list of MEASURE.STATISTIC.
fn statistics(value: &Value, words: &Vocabulary<'_>, sink: &Sink) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut good = true;
    for given in value.list(sink)? {
        let Some(text) = given.text(sink) else {
            good = false;
            continue;
        };
        let Some((measure, statistic)) = text.split_once('.') else {
            sink.fault(given.span, format!("{given} is no statistic of a measure"))
                .rule("MEASURE.STATISTIC, as in \"max_abs_error.mean\"")
                .report();
            good = false;
            continue;
        };
        good &= words.measure(measure, given, sink).is_some();
        if !STATISTICS.contains(&statistic) {
            sink.fault(given.span, format!("there is no statistic `{statistic}`"))
                .names(statistic, &STATISTICS)
                .report();
            good = false;
        }
        out.push(text.to_owned());
    }
    good.then_some(out)
}

/// axis = value, or a list of values
fn cells(
    value: &Value,
    words: &Vocabulary<'_>,
    sink: &Sink,
) -> Option<BTreeMap<String, Vec<String>>> {
    let reader = value.reader(sink, "the cells of a figure")?;
    let mut out = BTreeMap::new();
    let mut good = true;
    for entry in &reader.table().entries {
        let key = Value {
            span: entry.key_span,
            kind: entry.value.kind.clone(),
        };
        let Some(axis) = words.axis(&entry.key, &key, sink) else {
            good = false;
            continue;
        };
        // a list is a list of values, unless the axis has lists as values
        let lists = axis.values.iter().any(|v| v.value.as_list().is_some());
        let given = match entry.value.as_list() {
            Some(list) if !lists => list,
            _ => std::slice::from_ref(&entry.value),
        };
        let labels: Vec<Option<String>> = (given.iter())
            .map(|value| words.label(axis, value, sink))
            .collect();
        match labels.into_iter().collect::<Option<Vec<String>>>() {
            Some(labels) if !labels.is_empty() => {
                out.insert(axis.name.clone(), labels);
            }
            Some(_) => {
                sink.fault(entry.value.span, "no value is chosen").report();
                good = false;
            }
            None => good = false,
        }
    }
    good.then_some(out)
}

/// Whether the experiment has what a kind of figure needs, so that it cannot fail after the run.
fn suits(kind: &str, value: &Value, words: &Vocabulary<'_>, sink: &Sink) -> Option<()> {
    let numeric = |axis: &Axis| axis.values.len() > 1 && axis.numbers().is_some();
    let cells: usize = words.axes.iter().map(|axis| axis.values.len()).product();
    let lacks = |name: &&&str| !words.measures.iter().any(|measure| measure.name == **name);
    let against =
        (figure::REGISTRY.iter()).any(|known| known.about().name == kind && known.needs_numbers());
    let (message, rule) = if against && !words.axes.iter().any(numeric) {
        (
            "needs an axis to draw against",
            "an axis such as `epsilon` with at least two numbers".to_owned(),
        )
    } else if kind == "loss-steps" && !words.measures.iter().any(|m| m.name == "step_loss") {
        (
            "needs the loss along the way, which is not reported",
            "a training, with `step_loss` among its measures".to_owned(),
        )
    } else if kind == "article-panel" && cells < 2 {
        (
            "compares two cells, and there is one",
            "a sweep, for example over allocations".to_owned(),
        )
    } else if kind == "article-panel"
        && let Some(missing) = PANEL_MEASURES.iter().find(lacks)
    {
        (
            "needs a measure that is not reported",
            format!("measures with `{missing}`"),
        )
    } else {
        return Some(());
    };
    sink.fault(value.span, format!("the figure `{kind}` {message}"))
        .rule(rule)
        .report();
    None
}
