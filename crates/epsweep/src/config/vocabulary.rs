//! The names that claims, figures and comparisons of an experiment can use: its axes with their labels, its queries, the measures and
//! statistics.

use super::diagnostic::Sink;
use super::sweep::Axis;
use super::value::{Kind, Value};
use std::collections::BTreeMap;

/// All queries together, where the subject of a measure is named.
const ALL: &str = "all";

/// A measure that the run reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasureName {
    /// its name
    pub name: &'static str,
    /// whether it is of all queries together rather than of each
    pub of_all: bool,
    /// whether cells are compared by it
    pub compared: bool,
    /// whether the weights of queries enter, so that it is of no vector by itself
    pub weighted: bool,
    /// whether it is of what post-processing makes of answers
    pub processed: bool,
}

/// The names of an experiment.
#[derive(Clone, Debug)]
pub struct Vocabulary<'a> {
    /// the axes
    pub axes: &'a [Axis],
    /// what measures can be of, besides `all`: "query" or "candidate"
    pub noun: &'static str,
    /// names of the queries with a number and of the numbers of vectors, or of candidates, of all cells together
    pub queries: Vec<String>,
    /// names of the queries with vectors
    pub vectors: Vec<String>,
    /// those of both whose answers are post-processed in some cell
    pub processed: Vec<String>,
    /// the measures that are reported
    pub measures: Vec<MeasureName>,
}

impl Vocabulary<'_> {
    /// The axis of that name; an unknown one is a fault.
    pub fn axis(&self, name: &str, at: &Value, sink: &Sink) -> Option<&Axis> {
        let found = self.axes.iter().find(|axis| axis.name == name);
        if found.is_none() {
            self.no_axis(name, at.span, sink);
        }
        found
    }

    fn no_axis(&self, name: &str, span: super::source::Span, sink: &Sink) {
        let names: Vec<&str> = self.axes.iter().map(|axis| axis.name.as_str()).collect();
        sink.fault(span, format!("the sweep has no axis `{name}`"))
            .names(name, &names)
            .report();
    }

    /// A label of an axis, given as the value itself or as its label.
    pub fn label(&self, axis: &Axis, given: &Value, sink: &Sink) -> Option<String> {
        if given.kind == Kind::Faulty {
            return None;
        }
        let label = given.label();
        if axis.values.iter().any(|value| value.label == label) {
            return Some(label);
        }
        // an axis that is faulty itself has no labels to compare with
        let faulty = |value: &Value| match value.as_number() {
            // what is no number to the axis has been refused by whatever reads it
            Some(number) => !number.is_finite() && !sink.is_empty(),
            None => value.kind == Kind::Faulty,
        };
        if axis.values.iter().any(|value| faulty(&value.value)) {
            return None;
        }
        let message = format!("the axis `{}` has no value `{label}`", axis.name);
        sink.fault(given.span, message)
            .names(&label, &axis.labels())
            .report();
        None
    }

    /// A table of axis → label. Axes of one value are filled in; `free` is left out; where `whole`, every other axis must be there.
    pub fn cell(
        &self,
        given: Option<&Value>,
        free: Option<&str>,
        whole: bool,
        owner: &Value,
        sink: &Sink,
    ) -> Option<BTreeMap<String, String>> {
        let mut out = BTreeMap::new();
        let mut good = true;
        if let Some(given) = given {
            let reader = given.reader(sink, "the cell")?;
            for entry in &reader.table().entries {
                let Some(axis) = self.axes.iter().find(|axis| axis.name == entry.key) else {
                    self.no_axis(&entry.key, entry.key_span, sink);
                    good = false;
                    continue;
                };
                if free == Some(entry.key.as_str()) {
                    sink.fault(
                        entry.key_span,
                        format!("the axis `{}` is the one compared along", entry.key),
                    )
                    .remedy("leave it out of the cell")
                    .report();
                    good = false;
                    continue;
                }
                match self.label(axis, &entry.value, sink) {
                    Some(label) => {
                        out.insert(axis.name.clone(), label);
                    }
                    None => good = false,
                }
            }
        }
        for axis in self.axes {
            if out.contains_key(&axis.name) || free == Some(axis.name.as_str()) || !good {
                continue;
            }
            if axis.values.len() == 1 {
                out.insert(axis.name.clone(), axis.values[0].label.clone());
            } else if whole {
                let span = given.unwrap_or(owner).span;
                sink.fault(span, format!("which value of the axis `{}`?", axis.name))
                    .rule(format!(
                        "a cell gives every axis that has more than one value; `{}` has {}",
                        axis.name,
                        axis.labels().join(", ")
                    ))
                    .report();
                good = false;
            }
        }
        good.then_some(out)
    }

    /// The name of a query with a number, or of a number of a vector.
    pub fn query(&self, given: &Value, sink: &Sink) -> Option<String> {
        self.named(given, &[&self.queries], sink)
    }

    /// The name of a query, whether it has a number or a vector, or of a number of a vector.
    pub fn any_query(&self, given: &Value, sink: &Sink) -> Option<String> {
        self.named(given, &[&self.queries, &self.vectors], sink)
    }

    /// The same, or `all` of them together.
    pub fn any_subject(&self, given: &Value, sink: &Sink) -> Option<String> {
        self.named(
            given,
            &[&self.queries, &self.vectors, &[ALL.to_owned()]],
            sink,
        )
    }

    /// Whether a measure is of what post-processing makes of answers, and nothing is done to those of this query.
    pub fn lacks_steps(&self, measure: MeasureName, subject: &str) -> bool {
        measure.processed && !self.processed.iter().any(|name| name == subject)
    }

    /// Why a measure has no rows of a subject: what it is of, and what would have some. `None` where it has.
    pub fn unmeasured(
        &self,
        measure: MeasureName,
        subject: &str,
    ) -> Option<(&'static str, &'static str)> {
        let vector = self.vectors.iter().any(|name| name == subject);
        if measure.of_all {
            let fits = subject == ALL || vector && !measure.weighted;
            return (!fits).then_some(match measure.weighted {
                true => (
                    "of all queries together",
                    "\"all\", or a `measure` of the figure that is of vectors as well, such as \"mean_abs_error\"",
                ),
                false => (
                    "of all queries together, and of each that has many numbers",
                    "a `measure` of the figure that is of each query, such as \"abs_error\"",
                ),
            });
        }
        if self.lacks_steps(measure, subject) {
            return Some((
                "of answers that are post-processed",
                "names of queries with `postprocess`, or a `measure` of the figure that is of every query, such as \"abs_error\"",
            ));
        }
        (subject == ALL || vector).then_some((
            "of single numbers",
            "names of queries with one number, or of single numbers of the others; or a `measure` of the figure that is of all together, such as \"mean_abs_error\"",
        ))
    }

    fn named(&self, given: &Value, lists: &[&[String]], sink: &Sink) -> Option<String> {
        let name = given.text(sink)?;
        let names = lists.concat();
        if names.iter().any(|query| query == name) {
            return Some(name.to_owned());
        }
        sink.fault(given.span, format!("there is no {} `{name}`", self.noun))
            .names(name, &names)
            .report();
        None
    }

    /// The measure of that name.
    pub fn measure(&self, name: &str, given: &Value, sink: &Sink) -> Option<MeasureName> {
        let found = self
            .measures
            .iter()
            .find(|measure| measure.name == name)
            .copied();
        if found.is_none() {
            let names: Vec<&str> = self.measures.iter().map(|m| m.name).collect();
            sink.fault(given.span, format!("the run reports no measure `{name}`"))
                .names(name, &names)
                .report();
        }
        found
    }

    /// The subject of a measure: `all`, or a query that must be named.
    pub fn subject(
        &self,
        measure: MeasureName,
        given: Option<&Value>,
        owner: &Value,
        sink: &Sink,
    ) -> Option<String> {
        match given {
            None if measure.of_all => Some(ALL.to_owned()),
            None => {
                sink.fault(
                    owner.span,
                    format!("`{}` of which {}?", measure.name, self.noun),
                )
                .rule(format!("subject = one of: {}", self.queries.join(", ")))
                .report();
                None
            }
            Some(given) if measure.of_all => {
                let text = given.text(sink)?;
                if self.vectors.iter().any(|vector| vector == text) {
                    return Some(text.to_owned());
                }
                if text != ALL {
                    sink.fault(
                        given.span,
                        format!(
                            "`{}` is of all queries together, not of `{text}`",
                            measure.name
                        ),
                    )
                    .rule("subject = \"all\", which can be left out")
                    .report();
                    return None;
                }
                Some(ALL.to_owned())
            }
            Some(given) => {
                let name = self.query(given, sink)?;
                if self.lacks_steps(measure, &name) {
                    let message = format!(
                        "`{}` is of answers that are post-processed, and those of `{name}` are not",
                        measure.name
                    );
                    (sink.fault(given.span, message))
                        .remedy("give the query a `postprocess`, or name a measure without `_post`")
                        .report();
                    return None;
                }
                Some(name)
            }
        }
    }
}
