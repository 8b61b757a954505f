//! A policy on a stream: the guarantee, the terms, and what it does where that is known in advance.

use super::cells::Resolver;
use super::scales::in_range;
use crate::config::policy::{Advance, PolicyBudget, PolicySpec};
use crate::config::source::Span;
use crate::record::{ResolvedParameter, ResolvedPolicy, number};
use crate::study::stream::{Group, PolicyCell};
use epsweep_core::about::About;
use epsweep_core::accounting::filter::{self, Filter, Spend};
use epsweep_core::accounting::{AccountingError, Mechanism, Release};
use epsweep_core::budget::Epsilon;
use epsweep_core::random::StandardLaw;
use epsweep_core::stream::parameter::Parameter;
use epsweep_core::stream::policy::{self, Guarantee, Nature, PolicyError, Terms};
use std::sync::Arc;

/// Halvings of the search for the largest amounts: to the last digits.
const BISECTIONS: usize = 50;

/// A policy with what a cell says of it.
pub(super) struct Planned {
    pub cell: PolicyCell,
    pub resolved: ResolvedPolicy,
    /// what is promised, in words
    pub guarantee: String,
    /// in the unit of the guarantee
    pub total: f64,
    /// how spends add up to it
    pub composition: String,
    /// the noise's name
    pub noise: &'static str,
}

/// Answers may be so many times the noise: then the rounding of their difference, 2⁻⁵² of an answer, is a ten-thousandth of the noise.
const MOST_ABOVE_NOISE: f64 = 4e11;

impl Resolver<'_> {
    /// A policy on these answers.
    pub(super) fn policy(
        &self,
        spec: &PolicySpec,
        budget: &PolicyBudget,
        answers: &Arc<Vec<f64>>,
        (sensitivity, span): (f64, Span),
    ) -> Option<Planned> {
        let positions = answers.len();
        let counted = match budget.advance {
            None => budget.guarantee,
            Some(advance) => self.advance(spec, budget, advance, positions)?,
        };
        let terms = self.terms(spec, counted, positions, (sensitivity, span))?;
        let policy = (spec.family.policy(&spec.parameters, &terms))
            .map_err(|error| self.refused(spec.span, &error))
            .ok()?;
        let schedule = policy::schedule(policy.as_ref(), &terms).map(Arc::new);
        // what is decided on the way asks for parts of what there is
        in_range(
            self.sink,
            budget.span,
            "a release that takes all",
            terms.scale(terms.capacity()),
        )?;
        let planned = schedule.iter().flat_map(|schedule| &schedule.steps);
        for scale in planned.filter_map(|step| step.scale) {
            in_range(self.sink, spec.span, "a position", scale)?;
        }
        let largest =
            (answers.iter()).fold(terms.start().abs(), |most, answer| most.max(answer.abs()));
        let finest = terms.scale(terms.capacity());
        if largest > MOST_ABOVE_NOISE * finest {
            let message = format!(
                "answers of up to {} leave no digits for noise of scale {}",
                number(largest),
                number(finest)
            );
            (self.sink.fault(spec.span, message))
                .rule(format!(
                    "answers, and `start`, of at most {MOST_ABOVE_NOISE:e} times the noise of a release that takes all: an error is the difference of two doubles"
                ))
                .remedy("take the same constant off all answers: their errors stay what they are")
                .report();
            return None;
        }
        let groups = Group::divide(positions, spec.groups);
        let guarantee = budget.guarantee;
        let oracle = spec.family.nature == Nature::Oracle;
        Some(Planned {
            guarantee: words(&guarantee, terms.window(), oracle),
            total: match guarantee {
                Guarantee::Pure { epsilon } | Guarantee::Approximate { epsilon, .. } => epsilon,
                Guarantee::Zcdp { rho } => rho,
                Guarantee::Renyi { divergence, .. } => divergence,
            },
            composition: match budget.advance {
                None => filter_of(&guarantee).name.to_owned(),
                Some((advance, _)) => format!("{}, known in advance", advance.name()),
            },
            noise: match guarantee.standard() {
                StandardLaw::Normal => "gaussian",
                _ => "laplace",
            },
            resolved: ResolvedPolicy {
                name: spec.family.about.name.to_owned(),
                parameters: parameters(spec.family.parameters, &spec.parameters),
                oracle,
                known_in_advance: schedule.is_some(),
                window: terms.window().map(|window| window as u64),
                start: terms.start(),
                threshold: terms.threshold(),
                groups: groups.iter().map(|group| group.name()).collect(),
            },
            cell: PolicyCell {
                terms,
                answers: answers.clone(),
                policy: Arc::from(policy),
                schedule,
                groups,
            },
        })
    }

    /// The plain sum of the largest equal amounts that meet (ε, δ) when they are known in advance: a guarantee that an even division spends to the
    /// last bit, counted as that plan is.
    fn advance(
        &self,
        spec: &PolicySpec,
        budget: &PolicyBudget,
        (advance, span): (Advance, Span),
        positions: usize,
    ) -> Option<Guarantee> {
        if spec.family.about.name != "even" || spec.window.is_some() {
            let message = format!(
                "`{}` counts equal amounts that are known in advance, over the whole stream",
                advance.name()
            );
            (self.sink.fault(span, message))
                .rule("amounts chosen on the way are counted by a filter")
                .remedy("take policy = \"even\" without a window, or leave `composition` out")
                .report();
            return None;
        }
        let Guarantee::Approximate { epsilon, delta } = budget.guarantee else {
            return None;
        };
        let fits = |each: f64| -> Result<bool, AccountingError> {
            match advance {
                Advance::Accountant(accountant) => {
                    let each = Epsilon::new(each).map_err(|_| AccountingError::Empty)?;
                    let plan = Release::repeated(Mechanism::Laplace(each), positions as u64)?;
                    Ok(accountant.total(&[plan], delta)?.epsilon <= epsilon)
                }
                Advance::Rogers => {
                    let mut filter = filter::Rogers::new(epsilon, delta)?;
                    for _ in 0..positions {
                        if !filter.offer(Spend::Pure(each))? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }
            }
        };
        let (mut low, mut high) = (0.0, epsilon);
        // a single release may take all
        let bisected = (|| {
            if fits(high)? {
                return Ok(high);
            }
            for _ in 0..BISECTIONS {
                let middle = 0.5 * (low + high);
                match fits(middle)? {
                    true => low = middle,
                    false => high = middle,
                }
            }
            Ok(low)
        })();
        let each: f64 = bisected
            .map_err(|error: AccountingError| self.sink.fault(span, error.to_string()).report())
            .ok()?;
        if !(each > 0.0) {
            let message = format!("no equal amounts at {positions} positions meet this budget");
            (self.sink.fault(budget.span, message))
                .remedy("raise the budget, or ask fewer questions")
                .report();
            return None;
        }
        Some(Guarantee::Pure {
            epsilon: each * positions as f64,
        })
    }

    fn terms(
        &self,
        spec: &PolicySpec,
        guarantee: Guarantee,
        positions: usize,
        (sensitivity, span): (f64, Span),
    ) -> Option<Terms> {
        let refused = |span| move |error: PolicyError| self.refused(span, &error);
        let mut terms = Terms::new(guarantee, sensitivity, positions)
            .map_err(refused(span))
            .ok()?;
        if let Some((start, span)) = spec.start {
            terms = terms.with_start(start).map_err(refused(span)).ok()?;
        }
        if let Some((window, span)) = spec.window {
            terms = terms.with_window(window).map_err(refused(span)).ok()?;
        }
        if let Some((threshold, span)) = spec.threshold {
            terms = terms
                .with_threshold(threshold)
                .map_err(refused(span))
                .ok()?;
        }
        Some(terms)
    }
}

fn parameters(known: &[Parameter], values: &[f64]) -> Vec<ResolvedParameter> {
    (known.iter().zip(values))
        .map(|(parameter, value)| ResolvedParameter {
            name: parameter.name.to_owned(),
            value: *value,
        })
        .collect()
}

/// The filter that everything goes through.
fn filter_of(guarantee: &Guarantee) -> &'static About {
    // numbers that are no guarantee were refused before
    guarantee.filter().map_or(
        &About {
            name: "",
            summary: "",
            formula: "",
            source: "",
        },
        |filter| filter.about(),
    )
}

/// What is promised, in words.
fn words(guarantee: &Guarantee, window: Option<usize>, oracle: bool) -> String {
    if oracle {
        return "nothing (control)".to_owned();
    }
    let total = match *guarantee {
        Guarantee::Pure { epsilon } => format!("ε = {}", number(epsilon)),
        Guarantee::Zcdp { rho } => format!("ρ = {}", number(rho)),
        Guarantee::Renyi { order, divergence } => {
            format!("ε(α) = {} at α = {}", number(divergence), number(order))
        }
        Guarantee::Approximate { epsilon, delta } => {
            format!("ε = {}, δ = {}", number(epsilon), number(delta))
        }
    };
    match window {
        None => total,
        Some(window) => format!("{total} in any {window} positions"),
    }
}
