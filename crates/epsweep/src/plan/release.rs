//! Cells of releases: their queries answered, their budgets divided, their noise calibrated.

use super::answered::{Answered, AnsweredQuery, EACH};
use super::calibrate::{Calibrated, Calibration};
use super::cells::{Cells, Known, Place, Resolver, resolved_data};
use super::shifts;
use crate::config::data::{self, Used};
use crate::config::release::AllocationSpec;
use crate::config::value::Value;
use crate::config::{budget, procedure, queries, release};
use crate::record::ResolvedCell;
use crate::study::StudyCell;
use crate::words::{grouped, join, several, significant};
use epsweep_core::accounting::Composition;
use epsweep_core::query::{Query, joint};
use epsweep_core::sensitivity::Neighbours;
use std::collections::{HashMap, HashSet};

impl Resolver<'_> {
    /// A cell of a release.
    pub(super) fn release(
        &self,
        place: Place<'_>,
        chosen: Option<&procedure::Chosen<'_>>,
        out: &mut Cells,
        known: &mut Known,
    ) -> Option<(StudyCell, ResolvedCell)> {
        let tree = place.tree;
        let (data, queries) = (self.section(tree, "data"), self.section(tree, "query"));
        let budget = self.section(tree, "budget");
        let key = format!(
            "{:?} {:?}",
            data.map(Value::to_string),
            queries.map(Value::to_string)
        );
        let places = &mut known.data;
        let answered = (known.answered).get(key, || self.answered(data, queries, out, places));
        let release = chosen.and_then(|chosen| release::read(chosen, self.sink));
        let budget = budget.and_then(|given| budget::read(given, self.sink));
        let (release, budget, answered) = (release?, budget?, answered?);
        let calibration = Calibration {
            release: &release,
            budget: &budget,
            known: &known.divisions,
            sink: self.sink,
        };
        let Calibrated {
            cell,
            queries,
            total,
            divided,
            warnings,
            spare_delta,
            joint,
        } = calibration.cell(place.id, &answered)?;
        if let (false, Some(joint)) = (budget.joint, joint) {
            let letter = match budget.composition {
                Composition::Basic => "ε",
                _ => "ρ",
            };
            out.note(format!(
                "cell {}: together the queries cost {letter} = {} rather than {}, by their joint sensitivity; `joint = true` in [budget] uses it",
                cell.id,
                significant(joint.together, 6),
                significant(joint.separate, 6)
            ));
        }
        if spare_delta {
            let note = format!(
                "noise `{}` spends a pure ε, and basic composition adds up nothing else: the δ of [budget] goes unspent; several queries can use it by another `composition` (`epsweep list compositions`)",
                release.noise.about().name
            );
            if !out.notes.contains(&note) {
                out.note(note);
            }
        }
        let oracle = matches!(release.allocation, AllocationSpec::Oracle(_));
        let marked = oracle.then(|| {
            format!(
                "allocation `{}` is an oracle: its shares come from the true answers, so no private analysis can use them",
                release.allocation.name()
            )
        });
        let computed: Vec<String> = (queries.iter())
            .filter(|query| query.derived)
            .map(|query| format!("`{}`", query.name))
            .collect();
        // a single query gets all, whatever is best
        let optimal = release.allocation.name().starts_with("optimal-");
        let of_noise = (optimal && queries.len() > 1 && !computed.is_empty()).then(|| {
            format!(
                "allocation `{}`: what {} tells is computed from noisy numbers, so that the shares are best for noise of its scale, which need not be best for its error",
                release.allocation.name(),
                join(&computed, "and")
            )
        });
        for warning in warnings.into_iter().chain(marked).chain(of_noise) {
            if !out.warnings.contains(&warning) {
                out.warnings.push(warning);
            }
        }
        out.shifted(&answered.moved, &queries);
        let resolved = ResolvedCell {
            id: cell.id.clone(),
            labels: place.labels,
            data: answered.data,
            guarantee: out.guarantee(&budget.budget, answered.data),
            total,
            composition: budget.composition.about().name.to_owned(),
            divided,
            noise: release.noise.about().name.to_owned(),
            allocation: release.allocation.name().to_owned(),
            joint: joint.filter(|_| budget.joint),
            oracle,
            queries,
            ..ResolvedCell::default()
        };
        Some((StudyCell::Release(Box::new(cell)), resolved))
    }

    /// Reads data and queries, and answers the queries.
    fn answered(
        &self,
        data: Option<&Value>,
        queries: Option<&Value>,
        out: &mut Cells,
        places: &mut HashMap<String, usize>,
    ) -> Option<Answered> {
        let (queries, queries_complete) =
            queries.map_or_else(Default::default, |given| queries::read(given, self.sink));
        let (spec, data_complete) =
            data.map_or_else(Default::default, |given| data::read(given, self.sink));
        for query in &queries {
            if !out.subjects.contains(&query.name) {
                out.subjects.push(query.name.clone());
            }
        }
        let spec = spec?;
        let used: Vec<Used> = (queries.iter())
            .flat_map(|query| query.definition.used.iter().cloned())
            .collect();
        // loaded even where something is wrong already: the file may have faults of its own
        let loaded = self.load(&spec, &used)?;
        if !queries_complete || !data_complete {
            return None;
        }
        let name = spec.neighbours.name().to_owned();
        if !out.neighbours.contains(&name) {
            out.neighbours.push(name);
        }
        let mut answered: Vec<AnsweredQuery> = Vec::new();
        let mut good = true;
        for spec_of in queries {
            let span = spec_of.definition.span;
            let parameter = |of: &queries::QuerySpec| loaded.parameter(&*of.definition.query);
            match AnsweredQuery::new(spec_of, &loaded.table, spec.neighbours, parameter) {
                Ok(query) => answered.push(query),
                Err(messages) => {
                    good = false;
                    for message in messages {
                        self.sink.fault(span, message).report();
                    }
                }
            }
        }
        good &= self.names_differ(&answered);
        if !good {
            return None;
        }
        for query in answered.iter().filter(|query| query.is_vector()) {
            let name = &query.spec.name;
            out.subjects.retain(|subject| subject != name);
            if !out.vectors.contains(name) {
                out.vectors.push(name.clone());
            }
            if query.outputs.len() <= EACH {
                for name in query.names() {
                    if !out.subjects.contains(&name) {
                        out.subjects.push(name);
                    }
                }
            }
        }
        for query in &answered {
            if let Some(lost) = query.uncounted.filter(|lost| *lost > 0) {
                let warning = format!(
                    "query `{}`: {} of {} lie in none of its cells and are counted nowhere",
                    query.spec.name,
                    grouped(lost as u64),
                    several(loaded.table.rows() as u64, "record")
                );
                if !out.warnings.contains(&warning) {
                    out.warnings.push(warning);
                }
            }
        }
        for query in answered.iter().filter(|query| !query.spec.steps.is_empty()) {
            for name in query.names() {
                if !out.processed.contains(&name) {
                    out.processed.push(name);
                }
            }
        }
        let data = out.data_set(&resolved_data(&loaded), &loaded.warnings, places);
        let asked: Vec<&dyn Query> = (answered.iter())
            .map(|query| &*query.spec.definition.query)
            .collect();
        if spec.neighbours == Neighbours::Substitute {
            for [mean, sum] in same_twice(&answered) {
                out.note(format!(
                    "queries `{mean}` and `{sum}` are the mean and the sum of one column, and how many records there are is public ({}): one of them is the other times a known number, and asked for alone it can have the budget of both",
                    grouped(loaded.table.rows() as u64)
                ));
            }
        }
        // one query by itself has its own joint sensitivity already
        let joint = match asked.len() {
            0 | 1 => None,
            _ => joint(&asked, &loaded.table, spec.neighbours).ok(),
        };
        let moved = shifts::moved(&answered, &loaded.table);
        Some(Answered {
            data,
            moved,
            table: loaded.table.clone(),
            neighbours: spec.neighbours,
            queries: answered,
            joint,
        })
    }

    /// Sees that no number of a vector is called like another subject.
    fn names_differ(&self, answered: &[AnsweredQuery]) -> bool {
        let mut seen: HashSet<String> = HashSet::new();
        let mut good = true;
        for query in answered {
            let mut names = query.names();
            if query.is_vector() {
                names.push(query.spec.name.clone());
            }
            for name in names {
                if seen.contains(&name) {
                    let message = format!("two numbers are called `{name}`");
                    (self.sink.fault(query.spec.definition.span, message))
                        .rule("queries and the numbers of vectors, `query[part]`, have names of their own")
                        .report();
                    good = false;
                }
                seen.insert(name);
            }
        }
        good
    }
}

/// Names of queries of which one is a mean and the other the sum of the same column.
fn same_twice(answered: &[AnsweredQuery]) -> Vec<[&str; 2]> {
    let of = |kind: &'static str| {
        (answered.iter())
            .filter(move |query| query.spec.definition.query.about().name == kind)
            .map(|query| {
                let columns = query.spec.definition.query.columns();
                (columns, query.spec.name.as_str())
            })
    };
    of("mean")
        .flat_map(|(column, mean)| {
            of("sum")
                .filter(move |(other, _)| *other == column)
                .map(move |(_, sum)| [mean, sum])
        })
        .collect()
}
