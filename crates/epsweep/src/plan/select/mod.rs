//! The cells of a selection: candidates scored, the choice calibrated, its exact law computed, its sampler built.

mod candidates;

pub(super) use candidates::Scored;

use super::cells::{Cells, Known, Place, Resolver};
use super::promise::Promise;
use crate::config::budget::{self, SelectBudget};
use crate::config::procedure::Chosen;
use crate::config::select::{self, SelectSpec};
use crate::config::source::Span;
use crate::config::value::Value;
use crate::record::{ResolvedCandidate, ResolvedCell, ResolvedSelect, ResolvedTail, number};
use crate::study::StudyCell;
use crate::study::select::{Chooser, ExactLaw, OTHERS, Path, Sampler, SelectCell};
use epsweep_core::selection::top_k::{self, Slots};
use epsweep_core::selection::{
    Calibration, Form, Guarantee, LossTail, Movement, Problem, SelectionError,
};
use std::sync::Arc;

/// t of the bound on the loss: it is exceeded with a probability of at most 1/20.
const TAIL: f64 = 2.995_732_273_553_991;

impl Resolver<'_> {
    /// A cell of a selection.
    pub(super) fn select(
        &self,
        place: Place<'_>,
        chosen: Option<&Chosen<'_>>,
        out: &mut Cells,
        known: &mut Known,
    ) -> Option<(StudyCell, ResolvedCell)> {
        let spec = chosen.and_then(|chosen| select::read(chosen, self.sink));
        let budget = self.section(place.tree, "budget");
        let budget = budget.and_then(|given| budget::read_select(given, self.sink));
        self.no_queries(&place, "a selection answers no queries");
        let spec = spec?;
        let data = place.tree.as_table().and_then(|table| table.get("data"));
        let key = format!("{} {:?}", spec.key, data.map(Value::to_string));
        let scored = known.candidates.get(key, || self.scored(&spec, data));
        let (scored, budget) = (scored?, budget?);
        for name in scored.ranking.names() {
            if !out.subjects.contains(name) {
                out.subjects.push(name.clone());
            }
        }
        let others = OTHERS.to_owned();
        if scored.ranking.others() > 0 && !out.subjects.contains(&others) {
            out.subjects.push(others);
        }
        if !out.neighbours.contains(&scored.neighbours) {
            out.neighbours.push(scored.neighbours.clone());
        }
        let made = self.chosen_cell(&spec, &budget, &scored, place.id)?;
        let resolved = ResolvedCell {
            id: made.0.id.clone(),
            labels: place.labels,
            data: out.data_set(&scored.data, &scored.warnings, &mut known.data),
            guarantee: format!("ε = {}", number(budget.epsilon)),
            total: budget.epsilon,
            composition: budget.composition.to_owned(),
            divided: String::new(),
            noise: String::new(),
            allocation: String::new(),
            joint: None,
            oracle: false,
            queries: Vec::new(),
            select: Some(Box::new(made.1)),
            ..ResolvedCell::default()
        };
        Some((StudyCell::Select(made.0), resolved))
    }

    fn chosen_cell(
        &self,
        spec: &SelectSpec,
        budget: &SelectBudget,
        scored: &Scored,
        id: String,
    ) -> Option<(SelectCell, ResolvedSelect)> {
        let (sensitivity, movement) = self.promise(spec, scored)?;
        let calibration = Calibration::new(budget.epsilon, sensitivity, movement, spec.form)
            .map_err(|error| self.refuse(spec.form_span, &error))
            .ok()?;
        let ranking = scored.ranking.clone();
        let problem = Problem::new(ranking.scores().clone(), calibration)
            .map_err(|error| self.refuse(spec.candidates_span, &error))
            .ok()?;
        let drawn = match spec.chooser {
            Chooser::One(mechanism) => {
                let guarantee = mechanism.guarantee(&calibration);
                let law = mechanism.law(&problem);
                let law = match (law, spec.path) {
                    (Ok(law), _) => Some(law),
                    // these paths do without it
                    (Err(_), Path::NoisyMax | Path::Literal) => None,
                    (Err(error), _) => {
                        (self.sink.fault(spec.chooser_span, error.to_string()))
                            .remedy("draw by noise for every candidate (path = \"noisy-max\"), or by the definition (path = \"literal\")")
                            .report();
                        return None;
                    }
                };
                let tail = law.as_ref().map(|law| law.loss_tail(&problem, TAIL));
                let sampler = match &law {
                    Some(law) => Sampler::one(spec.path, mechanism, problem, law),
                    None => Sampler::one_without_law(spec.path, mechanism, problem),
                };
                let exact = law.map_or(ExactLaw::Unknown, |law| {
                    ExactLaw::One(law.probabilities()[..ranking.scores().permitted()].to_vec())
                });
                Drawn {
                    sampler,
                    exact,
                    tail,
                    shares: vec![1.0],
                    guarantee,
                    rho: guarantee.zcdp(),
                }
            }
            Chooser::Several(mechanism) => {
                let slots = match &spec.shares {
                    None => Slots::even(spec.slots, &problem),
                    Some((shares, _)) => Slots::shared(shares, &problem),
                };
                let span = spec
                    .shares
                    .as_ref()
                    .map_or(spec.chooser_span, |(_, span)| *span);
                let place = |error: &SelectionError| match error {
                    SelectionError::Slots { .. } => spec.slots_span,
                    _ => span,
                };
                let slots = (slots.map_err(|error| self.refuse(place(&error), &error))).ok()?;
                let exact = match mechanism.law(&problem, &slots) {
                    Ok(law) => ExactLaw::several(&law, spec.slots, ranking.scores().permitted()),
                    Err(error) => {
                        self.refuse(span, &error);
                        return None;
                    }
                };
                Drawn {
                    exact,
                    tail: None,
                    shares: slots.shares().to_vec(),
                    // basic composition: the shares of ε sum to 1
                    guarantee: Guarantee::pure(budget.epsilon),
                    rho: rho(&calibration, &slots),
                    sampler: Sampler::several(spec.path, mechanism, problem, slots),
                }
            }
        };
        let Some(sampler) = drawn.sampler else {
            let message = format!(
                "`{}` has no path `{}`",
                spec.chooser.name(),
                spec.path.name()
            );
            (self.sink.fault(spec.path_span, message))
                .rule("alias tables hold one choice; noisy-max is for mechanisms that add noise to every score, and for even shares")
                .remedy("path = \"inverse-cdf\" or \"literal\" suits all")
                .report();
            return None;
        };
        let shown = ranking.names().len();
        let inclusion = drawn.exact.inclusion(shown);
        let candidates =
            (ranking.names().iter().enumerate()).map(|(rank, name)| ResolvedCandidate {
                name: name.clone(),
                score: ranking.score(rank as u32),
                probability: inclusion.as_ref().map(|p| p[rank]),
            });
        let scores = ranking.scores();
        let resolved = ResolvedSelect {
            mechanism: spec.chooser.name().to_owned(),
            slots: spec.slots as u64,
            shares: drawn.shares,
            form: match spec.form {
                Form::General => "general",
                Form::Monotone => "monotone",
            }
            .to_owned(),
            path: spec.path.name().to_owned(),
            candidates: scores.len() as u64,
            permitted: scores.permitted() as u64,
            optimal: scores.optimal() as u64,
            digest: scored.digest.clone(),
            best: scores.best(),
            sensitivity,
            movement: match movement {
                Movement::AnyWay => "any-way",
                Movement::OneWay => "one-way",
            }
            .to_owned(),
            noise_scale: finite(calibration.noise_scale()),
            epsilon: drawn.guarantee.epsilon,
            bounded_range: drawn.guarantee.bounded_range,
            rho: drawn.rho,
            tail: drawn.tail.map(|tail| ResolvedTail {
                loss: finite(tail.loss),
                bound: tail.bound,
                probability: tail.probability,
            }),
            shown: candidates.collect(),
        };
        let cell = SelectCell {
            id,
            ranking: ranking.clone(),
            slots: spec.slots,
            chooser: spec.chooser,
            path: spec.path,
            sampler: Arc::new(sampler),
            law: Arc::new(drawn.exact),
        };
        Some((cell, resolved))
    }

    /// Δ and how scores move.
    fn promise(&self, spec: &SelectSpec, scored: &Scored) -> Option<(f64, Movement)> {
        let declared = (spec.sensitivity).map(|(declared, span)| (declared * spec.scale, span));
        Promise {
            noun: "scores",
            sensitivity: (scored.sensitivity, declared),
            movement: (scored.movement, spec.movement),
            lacks: (
                spec.span,
                "[procedure.select] lacks the key `sensitivity`",
                "how much a neighbour can change any score; or range = [low, high], from which it follows",
            ),
        }
        .settle(self.sink)
    }

    fn refuse(&self, span: Span, error: &SelectionError) {
        self.sink.fault(span, error.to_string()).report();
    }
}

/// What is made of a calibration and a mechanism.
struct Drawn {
    sampler: Option<Sampler>,
    exact: ExactLaw,
    tail: Option<LossTail>,
    shares: Vec<f64>,
    guarantee: Guarantee,
    rho: Option<f64>,
}

/// ρ of zero-concentrated differential privacy of all slots: it adds up.
fn rho(calibration: &Calibration, slots: &Slots) -> Option<f64> {
    let each = top_k::guarantees(calibration, slots);
    each.iter().map(Guarantee::zcdp).sum()
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
