//! Which measures of an experiment are reported.

use super::batches::Gist;
use crate::config::diagnostic::Sink;
use crate::config::value::Value;
use crate::config::vocabulary::MeasureName;
use crate::measure::{self, Measure, Rule, Stage};

/// The measures that are reported without choosing.
pub(super) fn usual_measures(gist: &Gist, processed: bool) -> Vec<MeasureName> {
    all_measures(gist, processed, |measure| measure.by_default())
}

/// The measures that say something of these cells and are wanted; those of post-processed answers only where there is
/// post-processing.
fn all_measures(
    gist: &Gist,
    processed: bool,
    wanted: impl Fn(&dyn Measure) -> bool,
) -> Vec<MeasureName> {
    (measure::REGISTRY.iter())
        .filter(|measure| gist.suits(**measure))
        .filter(|measure| processed || measure.stage() == Stage::Told)
        .filter(|measure| wanted(**measure))
        .map(|measure| MeasureName {
            name: measure.about().name,
            of_all: measure.rule().of_all(),
            compared: measure.compared(),
            weighted: matches!(measure.rule(), Rule::All(rule) if rule.weighted),
            processed: measure.stage() == Stage::Processed,
        })
        .collect()
}

/// The measures that a list names, in the registry's order.
pub(super) fn selected_measures(
    value: &Value,
    gist: &Gist,
    processed: bool,
    sink: &Sink,
) -> Option<Vec<MeasureName>> {
    let all = all_measures(gist, processed, |_| true);
    let names: Vec<&str> = all.iter().map(|measure| measure.name).collect();
    let list = value.list(sink)?;
    if list.is_empty() {
        sink.fault(value.span, "the list of measures is empty")
            .remedy("leave `measures` out for all of them")
            .report();
        return None;
    }
    let mut chosen: Vec<&str> = Vec::new();
    let mut good = true;
    for given in list {
        match given.choice(sink, "measure", &names) {
            Some(name) if chosen.contains(&name) => {
                sink.fault(given.span, format!("the measure `{name}` is there twice"))
                    .report();
                good = false;
            }
            Some(name) => chosen.push(name),
            None => good = false,
        }
    }
    good.then(|| {
        (all.into_iter())
            .filter(|m| chosen.contains(&m.name))
            .collect()
    })
}

/// What is to be said of queries that have no relative error.
pub(super) fn undefined_relative_errors(measures: &[String], queries: &[String]) -> Vec<String> {
    if !measures.iter().any(|measure| measure == "relative_error") {
        return Vec::new();
    }
    (queries.iter())
        .map(|name| format!("query `{name}`: its true answer is 0, so it has no relative error"))
        .collect()
}
