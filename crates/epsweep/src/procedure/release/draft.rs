//! A cell while its tile is laid out.

use super::compute::{Computation, Input, Place};
use super::layout::{OutcomePlan, Question, RowRef, View};
use super::{AllRow, Group, NoiseRow, Prepared, Release, Streams};
use crate::measure::{AllRule, Measure, Rule, Stage, Standard, Value};
use crate::study::release::ReleaseCell;
use crate::study::release::{Address, Origin, ReleaseQuery};
use epsweep_core::noise::Noise;
use epsweep_core::random::{Source, StandardLaw};
use std::ops::Range;

/// A cell, its outcomes, and the rows that it needs: those of numbers together first, then those of single numbers, of which
/// comparisons may add more.
pub(super) struct Draft {
    /// index of the cell in the request
    pub cell: usize,
    own: Vec<NoiseRow>,
    all: Vec<(usize, AllRule)>,
    numbers: Vec<Number>,
    groups: Vec<Members>,
    computations: Vec<Computation>,
    slots: usize,
    pub outcomes: Vec<OutcomePlan>,
}

/// Where a number's variates or errors are, and the words that name them as evidence.
#[derive(Clone)]
struct Number {
    place: Place,
    evidence: String,
}

/// Numbers that are measured together.
struct Members {
    subject: String,
    range: Range<usize>,
    /// whether these are all numbers of the cell
    whole: bool,
    stage: Stage,
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
        let count = cell.queries.len();
        let mut groups = Vec::new();
        for (stage, list) in [
            (Stage::Told, &cell.queries),
            (Stage::Processed, &cell.after),
        ] {
            // the numbers after post-processing stand behind those before
            let first = match stage {
                Stage::Told => 0,
                Stage::Processed => count,
            };
            if first > 0 && list.is_empty() {
                continue;
            }
            groups.push(Members {
                subject: String::from("all"),
                range: first..first + list.len(),
                whole: true,
                stage,
            });
            groups.extend(cell.vectors.iter().map(|vector| Members {
                subject: vector.name.clone(),
                range: first + vector.members.start..first + vector.members.end,
                whole: false,
                stage,
            }));
        }
        let mut draft = Draft {
            cell: index,
            own: Vec::new(),
            all: Vec::new(),
            numbers: Vec::new(),
            groups,
            computations: Vec::new(),
            slots: 0,
            outcomes: Vec::new(),
        };
        draft.find_numbers(question, release);
        let all = draft.all_outcomes(question, place);
        draft.query_outcomes(question, place, release);
        draft.outcomes.extend(all);
        draft
    }

    /// Finds where the errors of every number come from.
    fn find_numbers(&mut self, question: &Question<'_>, release: &mut Release) {
        let cell = &question.cells[self.cell];
        let mut firsts = Vec::with_capacity(cell.derivations.len());
        for derivation in &cell.derivations {
            let inputs = (derivation.parts.iter())
                .map(|part| {
                    let (place, factor, _) =
                        self.noise(question, release, &*part.noise, &part.address, || {
                            std::sync::Arc::clone(&part.noise)
                        });
                    Input { place, factor }
                })
                .collect();
            let into = self.slots;
            self.slots += derivation.targets.len();
            firsts.push(into);
            self.computations.push(Computation::Derive {
                inputs,
                truths: derivation.parts.iter().map(|part| part.truth).collect(),
                query: derivation.query.clone(),
                targets: derivation.targets.clone(),
                into,
            });
        }
        for query in &cell.queries {
            let number = match &query.origin {
                Origin::Noise(address) => {
                    let (place, _, evidence) =
                        self.noise(question, release, &*query.noise, address, || {
                            std::sync::Arc::clone(&query.noise)
                        });
                    Number { place, evidence }
                }
                Origin::Derived { derivation, output } => {
                    let first = firsts.get(*derivation).copied().unwrap_or(0);
                    computed(cell, query, first + output)
                }
                // only numbers after it are of post-processing
                Origin::Processed { output, .. } => computed(cell, query, *output),
            };
            self.numbers.push(number);
        }
        let mut firsts = Vec::with_capacity(cell.postprocessing.len());
        for processing in &cell.postprocessing {
            let queries = &cell.queries[processing.members.clone()];
            let inputs = (queries.iter())
                .zip(&self.numbers[processing.members.clone()])
                .map(|(query, number)| Input {
                    place: number.place,
                    factor: query.unit(),
                })
                .collect();
            firsts.push(self.slots);
            self.computations.push(Computation::Process {
                inputs,
                truths: queries.iter().map(|query| query.truth).collect(),
                steps: processing.steps.clone(),
                into: self.slots,
            });
            self.slots += queries.len();
        }
        for (index, query) in cell.after.iter().enumerate() {
            let number = match &query.origin {
                Origin::Processed {
                    postprocessing,
                    output,
                } => {
                    let first = firsts.get(*postprocessing).copied().unwrap_or(0);
                    computed(cell, query, first + output)
                }
                // untouched by any step
                Origin::Noise(_) | Origin::Derived { .. } => self.numbers[index].clone(),
            };
            self.numbers.push(number);
        }
    }

    /// Where the variates or errors of some noise are, by what they are multiplied, and how they are called as evidence.
    fn noise(
        &mut self,
        question: &Question<'_>,
        release: &mut Release,
        noise: &dyn Noise,
        address: &Address,
        shared: impl FnOnce() -> std::sync::Arc<dyn Noise>,
    ) -> (Place, f64, String) {
        let mut purpose = format!("{}/{}", noise.name(), address.query);
        if question.streams == Streams::Independent {
            // a character that no name has, so that no query's name can imitate a cell's
            purpose = format!("{purpose}\u{1f}{}", question.cells[self.cell].id);
        }
        let mut evidence = purpose.clone();
        if address.rows > 1 {
            evidence = format!("{evidence}[{}]", address.row);
        }
        let mut source = |law| (source_of(release, &purpose, law, address.rows), address.row);
        let Some(transform) = noise.transform() else {
            let (source, row) = source(noise.standard());
            return (Place::Source(source, row), noise.scale(), evidence);
        };
        let from = transform.sources().iter().map(|law| source(*law)).collect();
        let into = self.slots;
        self.slots += 1;
        self.computations.push(Computation::Transform {
            noise: shared(),
            from,
            into,
        });
        let evidence = format!("{evidence} at {:.9e}", noise.scale());
        (Place::Slot(into), 1.0, evidence)
    }

    fn query_outcomes(&mut self, question: &Question<'_>, place: usize, release: &mut Release) {
        let cell = &question.cells[self.cell];
        for (q, told) in cell.queries.iter().enumerate() {
            if hidden(cell, q) {
                continue;
            }
            for measure in question.measures {
                let Rule::Query(rule) = measure.rule() else {
                    continue;
                };
                let (query, number) = match measure.stage() {
                    Stage::Told => (told, q),
                    Stage::Processed => match cell.after.get(q) {
                        // there is nothing after for a number that no step touches
                        Some(after) if matches!(after.origin, Origin::Processed { .. }) => {
                            (after, cell.queries.len() + q)
                        }
                        _ => continue,
                    },
                };
                let Number {
                    place: at,
                    evidence: of_number,
                } = self.numbers[number].clone();
                let value = (rule.value)(query, question.level);
                let law = (rule.law)(query, question.level);
                let (view, evidence) = match value {
                    // nobody can tell the interval of a number whose law is not known
                    Value::Undefined if !query.is_scaled() && law.is_none() && rule.interval => {
                        continue;
                    }
                    Value::Undefined => (View::Undefined, String::from("undefined")),
                    Value::Constant(value) => (View::Constant(value), String::from("constant")),
                    Value::Affine { of, scale, shift } => {
                        let evidence = format!("{of_number} {}", of.name());
                        let mut row = NoiseRow {
                            place: at,
                            of,
                            scale: 1.0,
                            magnitude: 1.0,
                        };
                        let view = match (question.streams, at) {
                            (Streams::Common, Place::Source(..)) => View::Row {
                                row: RowRef::Shared(place_of(&mut release.shared, row)),
                                scale,
                                shift,
                            },
                            (Streams::Independent, Place::Source(..)) => {
                                (row.scale, row.magnitude) = (scale, scale);
                                View::Row {
                                    row: RowRef::Own(place, self.own_row(row)),
                                    scale: 1.0,
                                    shift,
                                }
                            }
                            (_, Place::Slot(_)) => {
                                // the row holds errors, or their squares
                                let size = query.noise.scale();
                                row.magnitude = match of {
                                    Standard::Squared => size * size,
                                    _ => size,
                                };
                                View::Row {
                                    row: RowRef::Own(place, self.own_row(row)),
                                    scale,
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
                    law,
                    evidence,
                });
            }
        }
    }

    fn all_outcomes(&mut self, question: &Question<'_>, place: usize) -> Vec<OutcomePlan> {
        let mut outcomes = Vec::new();
        let cell = &question.cells[self.cell];
        for group in 0..self.groups.len() {
            let whole = self.groups[group].whole;
            let queries = numbers_of(cell, &self.groups[group]);
            let largest = largest_scale(queries);
            for measure in question.measures {
                let Rule::All(rule) = measure.rule() else {
                    continue;
                };
                // the numbers of a vector weigh the same
                let stage = self.groups[group].stage;
                if measure.stage() != stage || (rule.weighted && !whole) {
                    continue;
                }
                let weightless = rule.weighted && weights(queries).is_none();
                let view = if queries.is_empty() || !largest.is_finite() || weightless {
                    View::Undefined
                } else if largest == 0.0 {
                    View::Constant(0.0)
                } else {
                    self.all.push((group, rule));
                    View::Row {
                        row: RowRef::Own(place, self.all.len() - 1),
                        scale: 1.0,
                        shift: 0.0,
                    }
                };
                outcomes.push(OutcomePlan {
                    subject: self.groups[group].subject.clone(),
                    measure: *measure,
                    view,
                    law: (rule.law)(queries, cell.rows as f64),
                    evidence: self.all_evidence(cell, group, &rule, *measure, largest),
                });
            }
        }
        outcomes
    }

    /// Cells whose scales are the same up to a common factor carry the same evidence: their outcomes are those of one
    /// another, rescaled.
    fn all_evidence(
        &self,
        cell: &ReleaseCell,
        group: usize,
        rule: &AllRule,
        measure: &'static dyn Measure,
        largest: f64,
    ) -> String {
        let range = &self.groups[group].range;
        let queries = numbers_of(cell, &self.groups[group]);
        let mut text = String::from(measure.about().name);
        let weights = weights(queries).filter(|_| rule.weighted);
        for (i, (query, number)) in queries.iter().zip(&self.numbers[range.clone()]).enumerate() {
            // nine digits: factors that should be equal differ by their rounding
            let ratio = query.noise.scale() / largest;
            text.push_str(&format!(", {} × {ratio:.9e}", number.evidence));
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
            // a row of errors, to be measured on another scale
            View::Row {
                row: RowRef::Own(_, row),
                scale,
                shift,
            } if (scale, shift) != (1.0, 0.0) => match row.checked_sub(self.all.len()) {
                Some(own) => NoiseRow {
                    scale,
                    magnitude: scale * self.own[own].magnitude,
                    ..self.own[own]
                },
                None => return Some(row),
            },
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
                magnitude: scale,
                ..release.shared[shared]
            },
            View::Constant(value) => NoiseRow {
                place: Place::Slot(0),
                of: Standard::One,
                scale: value,
                magnitude: value,
            },
            View::Undefined => return None,
        };
        Some(self.own_row(row))
    }

    /// The place of a row of a single number among the cell's rows.
    fn own_row(&mut self, row: NoiseRow) -> usize {
        self.all.len() + place_of(&mut self.own, row)
    }

    /// What the procedure is told.
    pub fn prepare(&self, question: &Question<'_>) -> Prepared {
        let cell = &question.cells[self.cell];
        let groups = (self.groups.iter())
            .map(|members| {
                let queries = numbers_of(cell, members);
                let unit = power_of_two(largest_scale(queries));
                Group {
                    places: (self.numbers[members.range.clone()].iter())
                        .map(|number| number.place)
                        .collect(),
                    scales: queries.iter().map(|query| query.unit() / unit).collect(),
                    weights: weights(queries).unwrap_or_else(|| vec![0.0; queries.len()]),
                    unit,
                }
            })
            .collect();
        let all = (self.all.iter())
            .map(|(group, rule)| {
                let largest = largest_scale(numbers_of(cell, &self.groups[*group]));
                let magnitude = match rule.degree {
                    // squares of large variates reach further up
                    2 => 4.0 * largest * largest,
                    _ => largest,
                };
                let rows = if rule.per_record {
                    cell.rows as f64
                } else {
                    1.0
                };
                AllRow {
                    group: *group,
                    kernel: rule.kernel,
                    magnitude: magnitude / rows.max(1.0),
                }
            })
            .collect();
        Prepared {
            computations: self.computations.clone(),
            slots: self.slots,
            groups,
            all,
            own: self.own.clone(),
            per_record: 1.0 / cell.rows as f64,
        }
    }
}

/// The numbers of a group.
fn numbers_of<'a>(cell: &'a ReleaseCell, members: &Members) -> &'a [ReleaseQuery] {
    match members.stage {
        Stage::Told => &cell.queries[members.range.clone()],
        Stage::Processed => {
            let first = cell.queries.len();
            &cell.after[members.range.start - first..members.range.end - first]
        }
    }
}

/// A number in a slot.
fn computed(cell: &ReleaseCell, query: &ReleaseQuery, slot: usize) -> Number {
    Number {
        place: Place::Slot(slot),
        // what is computed of several noises is like no other cell's
        evidence: format!("{} of {}", query.name, cell.id),
    }
}

/// Whether a number is told of only together with others.
fn hidden(cell: &ReleaseCell, number: usize) -> bool {
    (cell.vectors.iter()).any(|vector| !vector.each && vector.members.contains(&number))
}

/// The source of that purpose and law, with at least so many rows.
fn source_of(release: &mut Release, purpose: &str, law: StandardLaw, rows: usize) -> usize {
    let known = (release.sources.iter())
        .position(|source| source.purpose() == purpose && source.law() == law);
    match known {
        Some(place) => {
            if release.sources[place].rows() < rows {
                release.sources[place] = Source::new(purpose, law, rows);
            }
            place
        }
        None => {
            release.sources.push(Source::new(purpose, law, rows));
            release.sources.len() - 1
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

/// The largest scale; NaN if one of them is.
fn largest_scale(queries: &[ReleaseQuery]) -> f64 {
    queries.iter().map(|q| q.noise.scale()).fold(
        0.0,
        |m, s| {
            if s.is_nan() || s > m { s } else { m }
        },
    )
}

/// The weights, as parts of 1; `None` where they have no finite positive sum.
fn weights(queries: &[ReleaseQuery]) -> Option<Vec<f64>> {
    let largest = queries.iter().map(|q| q.weight).fold(0.0, f64::max);
    let relative: Vec<f64> = queries.iter().map(|q| q.weight / largest).collect();
    let sum: f64 = relative.iter().sum();
    (sum > 0.0 && sum.is_finite()).then(|| relative.iter().map(|w| w / sum).collect())
}

/// The power of two at or below a positive number; 1 for what has none among the normal floats.
fn power_of_two(x: f64) -> f64 {
    let power = f64::from_bits(x.to_bits() & f64::INFINITY.to_bits());
    if power.is_normal() { power } else { 1.0 }
}
