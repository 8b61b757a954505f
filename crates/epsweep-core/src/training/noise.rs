//! How much noise each step needs, so that all of them together meet the guarantee.
//!
//! A step releases Σ of the clipped gradients of a Poisson sample, with Gaussian noise of standard deviation (noise multiplier)·C. Adding or
//! removing one record changes the sum over the sampled records by at most C in the L2 norm, so that the step is a Poisson-subsampled
//! Gaussian mechanism (Abadi et al., CCS 2016; Bassily, Smith and Thakurta, FOCS 2014, without clipping, since the losses there are Lipschitz).
//!
//! - Without sampling (q = 1) a step costs ρ = 1/(2·multiplier²), and ρ adds up.
//! - With sampling it costs its Rényi divergence at one order α, and these add up: the order is the best one of the steps as planned, the budget the
//!   largest divergence at α that still converts to (ε, δ).
//!
//! Both sums hold for steps whose budgets depend on what was released before, if a filter stops them (Feldman and Zrnic, NeurIPS 2021, section 4),
//! and every trial spends through one.

use super::error::TrainingError;
use super::schedule::{Progress, Schedule};
use crate::accounting::division::scale::{largest, largest_rho};
use crate::accounting::filter::{Concentrated, Filter, Renyi, Spend};
use crate::accounting::rdp::{self, Curve, SubsampledGaussian};
use crate::accounting::{AccountingError, NoiseMultiplier, SamplingProbability};
use crate::budget::Budget;

/// The order at a place of those that the accountant tries. The ε of a total is quasi-convex in α, since (α − 1)·divergence is convex, and so is
/// (α − 1)·ε.
fn order_at(place: usize) -> f64 {
    1.0 + rdp::BETAS[place]
}

/// In what steps are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Currency {
    /// ρ of zero-concentrated privacy
    Concentrated,
    /// Rényi divergence at this order
    Renyi {
        /// α
        order: f64,
    },
}

/// The noise of a descent.
#[derive(Clone, Debug)]
pub struct NoisePlan {
    currency: Currency,
    budget: f64,
    multipliers: Vec<f64>,
    costs: Vec<f64>,
    raises: Option<fn(&Progress) -> bool>,
    steps: usize,
}

impl NoisePlan {
    /// The plan of `steps` steps under a schedule, with its parameter; each record is in a step's sample with probability `sampling`.
    ///
    /// # Errors
    /// [`TrainingError`] if there are no steps, the guarantee is pure ε (Gaussian noise has none) or ρ with sampling (which does not amplify it), or no
    /// noise meets it
    pub fn new(
        schedule: &dyn Schedule,
        ratio: f64,
        steps: usize,
        sampling: SamplingProbability,
        guarantee: Budget,
    ) -> Result<NoisePlan, TrainingError> {
        if steps == 0 {
            return Err(TrainingError::Parameter {
                what: "the number of steps",
                value: 0.0,
                rule: "must be at least 1",
                remedy: "100 serve most purposes",
            });
        }
        let total = match guarantee {
            Budget::Pure(_) => {
                return Err(unsupported(
                    "a pure ε",
                    "Gaussian noise is not purely private",
                    "ε with δ, or ρ",
                ));
            }
            Budget::Zcdp(_) if sampling.get() < 1.0 => {
                return Err(unsupported(
                    "ρ of steps on samples",
                    "zCDP is not amplified by sampling",
                    "ε with δ",
                ));
            }
            Budget::Zcdp(rho) => Total::Rho(rho.get()),
            Budget::Approximate(epsilon, delta) if sampling.get() == 1.0 => {
                Total::Rho(largest_rho(epsilon.get(), delta.get())?)
            }
            Budget::Approximate(epsilon, delta) => Total::Both(epsilon.get(), delta.get()),
        };
        let raises = schedule.raises();
        let budgets = schedule.budgets(steps, ratio);
        let mean = crate::summation::sum(&budgets) / steps as f64;
        // noise of each step, or rung, relative to an even one
        let relative: Vec<f64> = match raises {
            None => budgets.iter().map(|b| (mean / b).sqrt()).collect(),
            Some(_) => budgets.iter().map(|b| 1.0 / b.sqrt()).collect(),
        };
        // what is calibrated: the steps as planned, or even ones
        let even = vec![1.0; steps];
        let planned = match raises {
            None => &relative,
            Some(_) => &even,
        };
        let (currency, budget, mut scale) = match total {
            Total::Rho(rho) => {
                let scale = (0.5 * steps as f64 / rho).sqrt();
                (Currency::Concentrated, rho, scale)
            }
            Total::Both(epsilon, delta) => sampled(planned, sampling, epsilon, delta)?,
        };
        let cost_of = |multiplier: f64| match currency {
            Currency::Concentrated => Ok(0.5 / multiplier / multiplier),
            Currency::Renyi { order } => {
                SubsampledGaussian::new(sampling.get(), multiplier)?.rdp(order)
            }
        };
        // rounding may leave the sum a hair above the budget: the noise is raised by a hair until the filter takes all steps
        let mut hair = f64::EPSILON;
        let fits = |scale: f64| -> Result<bool, AccountingError> {
            let mut filter = filter(currency, budget)?;
            let mut known = (f64::NAN, f64::NAN);
            for relative in planned {
                if known.0 != *relative {
                    known = (*relative, cost_of(scale * relative)?);
                }
                if !filter.offer(spend(currency, known.1))? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        while !fits(scale)? {
            scale *= 1.0 + hair;
            hair *= 2.0;
        }
        let multipliers: Vec<f64> = relative.iter().map(|r| r * scale).collect();
        let costs: Result<Vec<f64>, _> = multipliers.iter().map(|m| cost_of(*m)).collect();
        let (mut multipliers, mut costs) = (multipliers, costs?);
        if raises.is_some() {
            // rungs that cost more than everything are never reached
            let useful = costs.partition_point(|cost| *cost <= budget).max(1);
            multipliers.truncate(useful);
            costs.truncate(useful);
        }
        Ok(NoisePlan {
            currency,
            budget,
            multipliers,
            costs,
            raises,
            steps,
        })
    }

    /// Number of steps, at most.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// In what it is counted.
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// What may be spent.
    pub fn budget(&self) -> f64 {
        self.budget
    }

    /// σ/C of each step, or of each rung of the ladder of a plan that adapts.
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// What each of them costs.
    pub fn costs(&self) -> &[f64] {
        &self.costs
    }

    /// Whether the noise depends on what is released.
    pub fn adapts(&self) -> bool {
        self.raises.is_some()
    }

    /// The spending of a trial, from the beginning.
    pub fn spender(&self) -> Spender<'_> {
        Spender {
            plan: self,
            filter: filter(self.currency, self.budget).ok(),
            step: 0,
            rung: 0,
        }
    }
}

enum Total {
    Rho(f64),
    Both(f64, f64),
}

fn unsupported(what: &str, reason: &'static str, alternative: &'static str) -> TrainingError {
    TrainingError::Accounting(AccountingError::Unsupported {
        method: "training",
        what: what.to_owned(),
        reason,
        alternative,
    })
}

fn filter(currency: Currency, budget: f64) -> Result<Either, AccountingError> {
    Ok(match currency {
        Currency::Concentrated => Either::Concentrated(Concentrated::new(budget)?),
        Currency::Renyi { order } => Either::Renyi(Renyi::new(order, budget)?),
    })
}

fn spend(currency: Currency, cost: f64) -> Spend {
    match currency {
        Currency::Concentrated => Spend::Concentrated(cost),
        Currency::Renyi { .. } => Spend::Renyi(cost),
    }
}

/// One of the two filters.
#[derive(Clone, Debug)]
enum Either {
    Concentrated(Concentrated),
    Renyi(Renyi),
}

impl Either {
    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError> {
        match self {
            Either::Concentrated(filter) => filter.offer(spend),
            Either::Renyi(filter) => filter.offer(spend),
        }
    }

    fn spent(&self) -> f64 {
        match self {
            Either::Concentrated(filter) => filter.spent(),
            Either::Renyi(filter) => filter.spent(),
        }
    }
}

/// What a trial has spent, and what its next step may.
#[derive(Clone, Debug)]
pub struct Spender<'a> {
    plan: &'a NoisePlan,
    /// none only if the plan's budget were no budget, and then nothing is admitted
    filter: Option<Either>,
    step: usize,
    rung: usize,
}

impl Spender<'_> {
    /// The noise multiplier of the next step, for which is paid; `None` where the filter refuses it, or the plan has ended.
    pub fn pay(&mut self) -> Option<f64> {
        let plan = self.plan;
        if self.step == plan.steps {
            return None;
        }
        let last = self.step + 1 == plan.steps;
        let mut rung = match (plan.adapts(), last) {
            (false, _) => self.step,
            (true, false) => self.rung,
            // what is left would be lost
            (true, true) => plan.costs.len() - 1,
        };
        let admitted = loop {
            let cost = spend(plan.currency, plan.costs[rung]);
            if self.filter.as_mut()?.offer(cost).unwrap_or(false) {
                break true;
            }
            if !plan.adapts() || rung == 0 {
                break false;
            }
            rung -= 1;
        };
        if !admitted {
            self.step = plan.steps;
            return None;
        }
        self.step += 1;
        Some(plan.multipliers[rung])
    }

    /// What the step has released: an adaptive plan goes on from there.
    pub fn released(&mut self, progress: &Progress) {
        if let Some(raises) = self.plan.raises
            && raises(progress)
        {
            self.rung = (self.rung + 1).min(self.plan.costs.len() - 1);
        }
    }

    /// What is spent, in parts of the budget.
    pub fn spent(&self) -> f64 {
        self.filter.as_ref().map_or(0.0, Either::spent) / self.plan.budget
    }
}

/// Currency, budget, and the noise multiplier of a step of relative noise 1, with sampling: the smallest at which the divergences at the best order convert to (ε, δ).
fn sampled(
    relative: &[f64],
    sampling: SamplingProbability,
    epsilon: f64,
    delta: f64,
) -> Result<(Currency, f64, f64), AccountingError> {
    let q = sampling.get();
    // equal steps are computed once
    let mut groups: Vec<(f64, f64)> = Vec::new();
    for noise in relative {
        match groups.iter_mut().find(|(known, _)| known == noise) {
            Some((_, count)) => *count += 1.0,
            None => groups.push((*noise, 1.0)),
        }
    }
    let divergence = |scale: f64, order: f64| -> f64 {
        let mut sum = 0.0;
        for (noise, count) in &groups {
            let curve = SubsampledGaussian::new(q, scale * noise);
            // beyond what can be computed, the order is of no use
            let Ok(divergence) = curve.and_then(|curve| curve.rdp(order)) else {
                return f64::INFINITY;
            };
            sum += count * divergence;
        }
        sum
    };
    let mut found = None;
    let mut at = |scale: f64| -> f64 {
        let value = |place: usize| {
            let order = order_at(place);
            rdp::improved(order, divergence(scale, order), delta)
        };
        let last = rdp::BETAS.len() - 1;
        // the first time by halving, then from where it was
        let mut place = found.unwrap_or_else(|| {
            let (mut low, mut high) = (0, last);
            while low < high {
                let middle = (low + high) / 2;
                let here = value(middle);
                // what cannot be computed lies beyond what can
                match here == f64::INFINITY || value(middle + 1) >= here {
                    true => high = middle,
                    false => low = middle + 1,
                }
            }
            low
        });
        let mut best = value(place);
        loop {
            let lower = (place > 0).then(|| value(place - 1));
            if let Some(lower) = lower.filter(|lower| *lower < best || best == f64::INFINITY) {
                (best, place) = (lower, place - 1);
                continue;
            }
            let upper = (place < last).then(|| value(place + 1));
            match upper.filter(|upper| *upper < best) {
                Some(upper) => (best, place) = (upper, place + 1),
                None => break,
            }
        }
        found = Some(place);
        best
    };
    // without sampling σ = √(T/2ρ); with it about q times that, though not much below 1/2
    let rho = largest_rho(epsilon, delta)?;
    let start = (q * (0.5 * relative.len() as f64 / rho).sqrt()).max(0.3);
    // the inverse of the noise is what the total grows with
    let inverse = largest(1.0 / start, epsilon, |inverse| Ok(at(1.0 / inverse)))?;
    at(1.0 / inverse);
    let order = found.map_or(2.0, order_at);
    let beta = order - 1.0;
    // what `improved` converts to ε
    let budget = epsilon + libm::log1p(1.0 / beta) + (libm::log(delta) + libm::log1p(beta)) / beta;
    Ok((Currency::Renyi { order }, budget, 1.0 / inverse))
}

/// The noise multipliers as releases, for the accountants.
///
/// # Errors
/// [`TrainingError`] if one is no multiplier
pub fn releases(
    multipliers: &[f64],
    sampling: SamplingProbability,
) -> Result<Vec<crate::accounting::Release>, TrainingError> {
    use crate::accounting::{Mechanism, Release};
    (multipliers.iter())
        .map(|multiplier| {
            let noise = NoiseMultiplier::new(*multiplier)?;
            Ok(Release::once(Mechanism::SubsampledGaussian(
                sampling, noise,
            )))
        })
        .collect()
}
