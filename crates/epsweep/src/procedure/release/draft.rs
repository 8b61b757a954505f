//! A cell while its tile is laid out.

use super::layout::{OutcomePlan, Question, RowRef, View};
use super::{NoiseRow, Prepared, Release, ReleaseCell, Streams};
use crate::measure::{AllRule, Measure, Rule, Standard, Value};
use epsweep_core::random::Source;

/// A cell, its outcomes, and the rows that it needs: those of all queries together first, then those of single queries, of which
/// comparisons may add more.
pub(super) struct Draft {
    /// index of the cell in the request
    pub cell: usize,
    own: Vec<NoiseRow>,
    all: Vec<&'static dyn Measure>,
    sources: Vec<usize>,
    pub outcomes: Vec<OutcomePlan>,
}

impl Draft {
    /// The draft of cell `index` of the request, at place `place` of the tile.
    pub fn new(
        question: &Question<'_>,
        index: usize,
        place: usize,
        release: &mut Release,
    ) -> Draft {
        let cell = &question.cells[index];
        let sources = cell
            .queries
            .iter()
            .map(|query| {
                let mut purpose = format!("{}/{}", query.noise.name(), query.name);
                if question.streams == Streams::Independent {
                    // a character that no name has, so that no query's name can imitate a cell's
                    purpose = format!("{purpose}\u{1f}{}", cell.id);
                }
                let source = Source::new(&purpose, query.noise.standard(), 1);
                place_of(&mut release.sources, source)
            })
            .collect();
        let mut draft = Draft {
            cell: index,
            own: Vec::new(),
            all: Vec::new(),
            sources,
            outcomes: Vec::new(),
        };
        let all = draft.all_outcomes(question, place, release);
        draft.query_outcomes(question, place, release);
        draft.outcomes.extend(all);
        draft
    }

    fn query_outcomes(&mut self, question: &Question<'_>, place: usize, release: &mut Release) {
        for (q, query) in question.cells[self.cell].queries.iter().enumerate() {
            let source = self.sources[q];
            for measure in question.measures {
                let Rule::Query(rule) = measure.rule() else {
                    continue;
                };
                let (view, evidence) = match (rule.value)(query, question.level) {
                    Value::Undefined => (View::Undefined, String::from("undefined")),
                    Value::Constant(value) => (View::Constant(value), String::from("constant")),
                    Value::Affine { of, scale, shift } => {
                        let purpose = release.sources[source].purpose();
                        let evidence = format!("{purpose} {}", of.name());
                        let mut row = NoiseRow {
                            source,
                            of,
                            scale: 1.0,
                        };
                        let view = match question.streams {
                            Streams::Common => View::Row {
                                row: RowRef::Shared(place_of(&mut release.shared, row)),
                                scale,
                                shift,
                            },
                            Streams::Independent => {
                                row.scale = scale;
                                View::Row {
                                    row: RowRef::Own(place, self.own_row(row)),
                                    scale: 1.0,
                                    shift,
                                }
                            }
                        };
                        (view, evidence)
                    }
                };
                self.outcomes.push(OutcomePlan {
                    subject: query.name.clone(),
                    measure: *measure,
                    view,
                    law: (rule.law)(query, question.level),
                    evidence,
                });
            }
        }
    }

    fn all_outcomes(
        &mut self,
        question: &Question<'_>,
        place: usize,
        release: &Release,
    ) -> Vec<OutcomePlan> {
        let mut outcomes = Vec::new();
        let queries = &question.cells[self.cell].queries;
        let largest = largest_scale(&question.cells[self.cell]);
        for measure in question.measures {
            let Rule::All(rule) = measure.rule() else {
                continue;
            };
            let weightless = rule.weighted && weights(&question.cells[self.cell]).is_none();
            let view = if queries.is_empty() || !largest.is_finite() || weightless {
                View::Undefined
            } else if largest == 0.0 {
                View::Constant(0.0)
            } else {
                self.all.push(*measure);
                View::Row {
                    row: RowRef::Own(place, self.all.len() - 1),
                    scale: 1.0,
                    shift: 0.0,
                }
            };
            outcomes.push(OutcomePlan {
                subject: String::from("all"),
                measure: *measure,
                view,
                law: (rule.law)(queries),
                evidence: self.all_evidence(question, &rule, *measure, largest, release),
            });
        }
        outcomes
    }

    /// Cells whose scales are the same up to a common factor carry the same evidence: their outcomes are those of one
    /// another, rescaled.
    fn all_evidence(
        &self,
        question: &Question<'_>,
        rule: &AllRule,
        measure: &'static dyn Measure,
        largest: f64,
        release: &Release,
    ) -> String {
        let cell = &question.cells[self.cell];
        let mut text = String::from(measure.about().name);
        let weights = weights(cell).filter(|_| rule.weighted);
        for (i, (query, source)) in cell.queries.iter().zip(&self.sources).enumerate() {
            // nine digits: factors that should be equal differ by their rounding
            let ratio = query.noise.scale() / largest;
            text.push_str(&format!(
                ", {} × {ratio:.9e}",
                release.sources[*source].purpose()
            ));
            if let Some(weights) = &weights {
                text.push_str(&format!(" weighted {:.9e}", weights[i]));
            }
        }
        text
    }

    /// The cell's own row of what `view` shows, made if need be; `None` where it is undefined. Only outcomes that cells are
    /// compared by have need of it, and these add nothing to the noise.
    pub fn row_of(&mut self, view: View, release: &Release) -> Option<usize> {
        let row = match view {
            View::Row {
                row: RowRef::Own(_, row),
                ..
            } => return Some(row),
            View::Row {
                row: RowRef::Shared(shared),
                scale,
                ..
            } => NoiseRow {
                scale,
                ..release.shared[shared]
            },
            View::Constant(value) => NoiseRow {
                source: 0,
                of: Standard::One,
                scale: value,
            },
            View::Undefined => return None,
        };
        Some(self.own_row(row))
    }

    /// The place of a row of a single query among the cell's rows.
    fn own_row(&mut self, row: NoiseRow) -> usize {
        self.all.len() + place_of(&mut self.own, row)
    }

    /// What the procedure is told.
    pub fn prepare(&self, question: &Question<'_>) -> Prepared {
        let cell = &question.cells[self.cell];
        let largest = largest_scale(cell);
        let unit = power_of_two(largest);
        let magnitude = |rule: AllRule| match rule.degree {
            // squares of large variates reach further up
            2 => 4.0 * largest * largest,
            _ => largest,
        };
        let all = self.all.iter().filter_map(|measure| match measure.rule() {
            Rule::All(rule) => Some((rule.kernel, magnitude(rule))),
            Rule::Query(_) | Rule::Choice(_) => None,
        });
        Prepared {
            own: self.own.clone(),
            all: all.collect(),
            sources: self.sources.clone(),
            scales: cell
                .queries
                .iter()
                .map(|q| q.noise.scale() / unit)
                .collect(),
            weights: weights(cell).unwrap_or_else(|| vec![0.0; cell.queries.len()]),
            unit,
        }
    }
}

/// The place of an item in a list, to which it is added if it is not there.
fn place_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    match list.iter().position(|x| *x == item) {
        Some(place) => place,
        None => {
            list.push(item);
            list.len() - 1
        }
    }
}

/// The largest scale of a cell; NaN if one of them is.
fn largest_scale(cell: &ReleaseCell) -> f64 {
    cell.queries.iter().map(|q| q.noise.scale()).fold(
        0.0,
        |m, s| {
            if s.is_nan() || s > m { s } else { m }
        },
    )
}

/// The weights, as parts of 1; `None` where they have no finite positive sum.
fn weights(cell: &ReleaseCell) -> Option<Vec<f64>> {
    let largest = cell.queries.iter().map(|q| q.weight).fold(0.0, f64::max);
    let relative: Vec<f64> = cell.queries.iter().map(|q| q.weight / largest).collect();
    let sum: f64 = relative.iter().sum();
    (sum > 0.0 && sum.is_finite()).then(|| relative.iter().map(|w| w / sum).collect())
}

/// The power of two at or below a positive number; 1 for what has none among the normal floats.
fn power_of_two(x: f64) -> f64 {
    let power = f64::from_bits(x.to_bits() & f64::INFINITY.to_bits());
    if power.is_normal() { power } else { 1.0 }
}
