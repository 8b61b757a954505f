//! The cells of a pipeline: the data loaded, the bound's law computed, the noise calibrated.

use super::cells::{Cells, Known, Place, Resolver, resolved_data};
use super::scales::in_range;
use crate::config::procedure::Chosen;
use crate::config::{budget, clip_then_sum, data};
use crate::record::{ResolvedAnswer, ResolvedCell, ResolvedStaged, number};
use crate::study::StudyCell;
use crate::study::clip_then_sum::StagedCell;
use epsweep_core::accounting::Composition;
use epsweep_core::budget::Budget;
use epsweep_core::pipeline::{Answer, Bound, PipelineError, Stages};
use epsweep_core::sensitivity::Neighbours;
use std::sync::Arc;

impl Resolver<'_> {
    /// A cell of a pipeline.
    pub(super) fn clip_then_sum(
        &self,
        place: Place<'_>,
        chosen: Option<&Chosen<'_>>,
        out: &mut Cells,
        known: &mut Known,
    ) -> Option<(StudyCell, ResolvedCell)> {
        let sink = self.sink;
        let spec = chosen.and_then(|chosen| clip_then_sum::read(chosen, sink));
        let budget = self.section(place.tree, "budget");
        let budget = budget.and_then(|given| budget::read(given, sink));
        self.no_queries(&place, "a pipeline answers a sum and a count of its own");
        let data = self.section(place.tree, "data");
        let (data, complete) = data.map_or_else(Default::default, |given| data::read(given, sink));
        let (spec, budget, data) = (spec?, budget?, data?);
        let loaded = self.load(&data, std::slice::from_ref(&spec.column))?;
        if !complete {
            return None;
        }
        let (Budget::Pure(epsilon), Composition::Basic) = (budget.budget, budget.composition)
        else {
            (sink.fault(budget.span, "the stages compose by adding up their ε"))
                .rule("a pure ε and basic composition: sum and count have Laplace noise")
                .remedy("give `epsilon` alone")
                .report();
            return None;
        };
        if data.neighbours != Neighbours::AddRemove {
            (sink.fault(
                data.span,
                "under substitution the number of records is public",
            ))
            .rule("neighbours = \"add-remove\": counting then costs something")
            .report();
            return None;
        }
        let stages = Stages::new(
            &loaded.table,
            &spec.column.name,
            spec.bound,
            epsilon,
            &spec.shares,
        );
        let stages = match stages {
            Ok(stages) => stages,
            Err(error) => {
                let span = match error {
                    PipelineError::Shares { .. } => spec.shares_span,
                    PipelineError::Data(_) => spec.column.span,
                    _ => spec.span,
                };
                sink.fault(span, error.to_string()).report();
                return None;
            }
        };
        let sums = stages.scales().iter().map(|scale| ("the sum", *scale));
        for (whose, scale) in sums.chain([("the count", stages.count_scale())]) {
            in_range(sink, budget.span, whose, scale)?;
        }
        for answer in Answer::ALL {
            let name = answer.name().to_owned();
            if !out.subjects.contains(&name) {
                out.subjects.push(name);
            }
        }
        let neighbours = data.neighbours.name().to_owned();
        if !out.neighbours.contains(&neighbours) {
            out.neighbours.push(neighbours);
        }
        let &[choosing, summing, counting] = spec.shares.as_slice() else {
            return None;
        };
        let expected = |of: &[f64]| -> f64 {
            let parts = of.iter().zip(stages.probabilities());
            parts.map(|(value, p)| value * p).sum()
        };
        let mean = expected(stages.bounds());
        let squares: Vec<f64> = (stages.bounds().iter())
            .map(|b| (b - mean) * (b - mean))
            .collect();
        let staged = ResolvedStaged {
            column: spec.column.name.clone(),
            bound: match spec.bound {
                Bound::Declared(bound) => format!("declared: {}", number(bound)),
                Bound::Quantile { order, points } => format!(
                    "chosen by the exponential mechanism, near the {}-quantile of {points} candidates",
                    number(order)
                ),
            },
            shares: [choosing, summing, counting],
            candidates: stages.bounds().len() as u64,
            chosen: [mean, expected(&squares).sqrt()],
            bias: expected(stages.biases()),
            sum_scale: expected(stages.scales()),
            count_scale: stages.count_scale(),
            answers: (Answer::ALL.iter())
                .map(|answer| ResolvedAnswer {
                    name: answer.name().to_owned(),
                    truth: stages.truth(*answer),
                })
                .collect(),
        };
        let data = out.data_set(&resolved_data(&loaded), &loaded.warnings, &mut known.data);
        let resolved = ResolvedCell {
            id: place.id.clone(),
            labels: place.labels,
            data,
            guarantee: out.guarantee(&budget.budget, data),
            total: epsilon.get(),
            composition: budget.composition.about().name.to_owned(),
            divided: String::new(),
            noise: "laplace".to_owned(),
            allocation: String::new(),
            joint: None,
            oracle: false,
            queries: Vec::new(),
            staged: Some(Box::new(staged)),
            ..ResolvedCell::default()
        };
        let cell = StagedCell {
            id: place.id,
            stages: Arc::new(stages),
        };
        Some((StudyCell::ClipThenSum(cell), resolved))
    }

    /// Reports queries where a procedure has none.
    pub(super) fn no_queries(&self, place: &Place<'_>, message: &str) {
        let queries = place.tree.as_table().and_then(|table| table.get("query"));
        if let Some(queries) = queries {
            (self.sink.fault(queries.span, message))
                .remedy("leave [[query]] out, or use [procedure.release]")
                .report();
        }
    }
}
