//! How the budget of a cell is divided among its queries, and what the ledger says of it.

use super::{Calibration, Noises};
use crate::config::noise::{AtHand, NoiseSpec};
use crate::config::release::AllocationSpec;
use crate::plan::answered::{Answered, AnsweredQuery};
use crate::record::{ResolvedJoint, number};
use crate::words::significant;
use epsweep_core::accounting::{Composition, Spender, gaussian};
use epsweep_core::allocation::{Allocation, AllocationError, Problem, Setting, where_needed};
use epsweep_core::budget::{Budget, BudgetError, Delta, Epsilon, Rho, Shares};
use epsweep_core::noise::Noise;
use epsweep_core::noise::smooth::SmoothNoise;
use epsweep_core::random::StandardLaw;
use epsweep_core::sensitivity::Sensitivity;
use std::sync::Arc;

impl Calibration<'_> {
    /// How the noise spends: found by what it can be calibrated to. Accounts that look at more of a law than its ε or ρ are those of
    /// Laplace and Gaussian noise alone.
    pub(super) fn spender(&self) -> Option<Spender> {
        let name = self.release.noise.about().name;
        let unit = Sensitivity { l1: 1.0, l2: 1.0 };
        let spender = match self.release.noise {
            // (ε, δ) in parts
            NoiseSpec::AtHand(_, AtHand::Smooth(SmoothNoise::Laplace)) => Spender::Gaussian,
            NoiseSpec::AtHand(..) => Spender::Pure,
            NoiseSpec::Global(kind) => {
                let takes = |budget: Budget| kind.calibrate(unit, Some(budget)).is_ok();
                if Epsilon::new(0.5).is_ok_and(|epsilon| takes(Budget::Pure(epsilon))) {
                    Spender::Pure
                } else if (kind.calibrate(unit, None))
                    .is_ok_and(|noise| noise.standard() == StandardLaw::Normal)
                {
                    Spender::Gaussian
                } else {
                    let message = format!("{name} noise has no budget that queries could share");
                    (self.sink.fault(self.release.noise_span, message))
                        .remedy("choose laplace or gaussian noise")
                        .report();
                    return None;
                }
            }
        };
        let composition = self.budget.composition;
        let sound = match (composition, spender) {
            (Composition::Basic, _) => true,
            // by ε alone
            (Composition::Zcdp | Composition::Optimal, Spender::Pure) => true,
            (Composition::Rdp | Composition::Pld, Spender::Pure) => name == "laplace",
            // by ρ alone
            (Composition::Zcdp | Composition::Rdp, Spender::Gaussian) => {
                !self.release.noise.is_smooth()
            }
            (Composition::Optimal | Composition::Pld, Spender::Gaussian) => {
                name.starts_with("gaussian")
            }
        };
        if !sound {
            let composition = composition.about().name;
            let message = format!("`{composition}` composition does not account for {name} noise");
            (self.sink.fault(self.budget.composition_span, message))
                .rule("rdp and pld are computed for Laplace and Gaussian noise; zcdp for noise that spends a pure ε or ρ")
                .remedy("compose by basic, or by zcdp where the noise spends a pure ε or ρ")
                .report();
            return None;
        }
        let delta =
            matches!(self.budget.budget, Budget::Approximate(_, delta) if delta.get() > 0.0);
        if self.release.noise.is_smooth() && spender == Spender::Gaussian && !delta {
            let message = format!("{name} noise spends parts of ε and of δ");
            (self.sink.fault(self.release.noise_span, message))
                .rule("it promises (ε, δ)-differential privacy with δ > 0")
                .remedy("give `delta` beside `epsilon`")
                .report();
            return None;
        }
        Some(spender)
    }

    /// Passes what is spent through the ledger; noise of smooth sensitivity spends what it is given by its theorem.
    pub(super) fn check(
        &self,
        answered: &Answered,
        spender: Spender,
        parts: &[Option<Budget>],
        noises: &[Noises],
    ) -> Option<()> {
        if self.release.noise.is_smooth() {
            return Some(());
        }
        let mut spent = Vec::new();
        for ((query, part), noises) in answered.queries.iter().zip(parts).zip(noises) {
            let Some(part) = part else {
                continue;
            };
            // the parts of a split spend one after another, of one budget
            let ratio = match query.spec.split {
                None => of_spender(spender, query.believed()) / noises.noises[0].scale(),
                Some(_) => {
                    let each = (query.separate.iter().zip(&noises.noises))
                        .filter(|(_, noise)| noise.scale() > 0.0)
                        .map(|(separate, noise)| of_spender(spender, *separate) / noise.scale());
                    match (spender, self.budget.composition) {
                        (Spender::Gaussian, _) | (_, Composition::Zcdp) => {
                            each.fold(0.0, libm::hypot)
                        }
                        (Spender::Pure, _) => each.sum(),
                    }
                }
            };
            // the law's own parameter may be other than Δ/ε
            let by_scale =
                is_laplace(self.release.noise.about().name) || spender == Spender::Gaussian;
            let ratio = match (by_scale, part) {
                (false, Budget::Pure(epsilon)) => epsilon.get(),
                (_, Budget::Approximate(epsilon, delta)) if spender == Spender::Gaussian => self
                    .as_gaussian((epsilon.get(), delta.get()), noises)
                    .unwrap_or(ratio),
                _ => ratio,
            };
            if ratio > 0.0 && ratio.is_finite() {
                spent.push((query.spec.name.clone(), *part, ratio));
            }
        }
        let budget = self.budget;
        let checked = (self.known).check(budget.composition, budget.budget, spender, &spent);
        if let Err(error) = checked {
            self.sink.fault(budget.span, error.to_string()).report();
            return None;
        }
        Some(())
    }

    /// Δ₂/σ of the Gaussian noise that costs as much as noise whose curve is another: at ε the δ of its own curve or, of a control and of the
    /// parts of a split, the δ that it was given. `None` for Gaussian noise.
    fn as_gaussian(&self, (epsilon, given): (f64, f64), noises: &Noises) -> Option<f64> {
        let NoiseSpec::Global(kind) = &self.release.noise else {
            return None;
        };
        let delta = match (kind.discrete(), kind.control(), &noises.noises[..]) {
            (false, None, _) => return None,
            (true, None, [noise]) => noise.delta(epsilon),
            _ => given,
        };
        // what is nothing at ε is booked as next to nothing
        let delta = delta.max(f64::MIN_POSITIVE);
        gaussian::sigma(epsilon, delta, 1.0)
            .ok()
            .map(|sigma| 1.0 / sigma)
    }

    pub(super) fn shares(&self, answered: &Answered, spender: Spender) -> Option<Shares> {
        let fault = |name: &str, message: String| {
            let message = format!("allocation `{name}`: {message}");
            self.sink.fault(self.release.allocation_span, message)
        };
        let weights = |power: i32| -> Vec<f64> {
            (answered.queries.iter())
                .map(|query| {
                    let size = query.targets[0].abs().max(query.spec.floor);
                    query.spec.weight / size.powi(power)
                })
                .collect()
        };
        match &self.release.allocation {
            AllocationSpec::Rule(rule) => {
                let weights = answered.queries.iter().map(|q| q.spec.weight).collect();
                self.by_rule(*rule, answered, spender, weights)
            }
            AllocationSpec::Oracle(oracle) => {
                if let Some(query) = answered.queries.iter().find(|query| query.is_vector()) {
                    let message = format!("query `{}` tells a vector", query.spec.name);
                    (fault(oracle.about.name, message))
                        .rule("relative errors are of queries with one number each")
                        .report();
                    return None;
                }
                let weights = weights(oracle.power);
                let lost = |(_, weight): &(&AnsweredQuery, &f64)| !weight.is_finite();
                if let Some((query, _)) = answered.queries.iter().zip(&weights).find(lost) {
                    let message = format!("the true answer of query `{}` is 0", query.spec.name);
                    (fault(oracle.about.name, message))
                        .rule("relative errors divide by the true answer, or by the query's floor if that is larger")
                        .remedy("give the query a `floor` above 0")
                        .report();
                    return None;
                }
                self.by_rule(oracle.rule, answered, spender, weights)
            }
            AllocationSpec::Given { shares, .. } => {
                let names: Vec<&str> = answered
                    .queries
                    .iter()
                    .map(|q| q.spec.name.as_str())
                    .collect();
                shares.in_order(&names, self.release.allocation_span, self.sink)
            }
        }
    }

    /// A rule's shares. What one record cannot change needs no budget: the rule is asked about the other queries.
    pub(super) fn by_rule(
        &self,
        rule: &'static dyn Allocation,
        answered: &Answered,
        spender: Spender,
        weights: Vec<f64>,
    ) -> Option<Shares> {
        let sensitivities: Vec<f64> = (answered.queries.iter())
            .map(|query| of_spender(spender, query.believed()))
            .collect();
        let name = self.release.allocation.name();
        let numbers: Vec<usize> = (answered.queries.iter())
            .map(|query| query.outputs.len())
            .collect();
        let problem = |setting| Problem {
            sensitivities: &sensitivities,
            weights: &weights,
            numbers: Some(&numbers),
            setting,
        };
        // noise of the data at hand is there whatever the global sensitivity
        let at_hand = self.release.noise.is_at_hand();
        let shares = |setting| match at_hand {
            true => rule.shares(&problem(setting)),
            false => where_needed(rule, &problem(setting)),
        };
        let refused = |error: AllocationError| {
            let message = format!("allocation `{name}`: {error}");
            (self.sink.fault(self.release.allocation_span, message)).report();
        };
        let noise = self.release.noise.about().name;
        if at_hand && rule.about().name != "even" {
            let message = format!(
                "allocation `{name}` has no formula for {noise} noise, whose error depends on the data"
            );
            (self.sink.fault(self.release.allocation_span, message))
                .remedy("allocation = \"even\", or shares of your own")
                .report();
            return None;
        }
        let setting = match self.budget.composition.setting(spender) {
            Some(setting) => setting,
            // shares that are named as such are the same whatever they divide
            None if !rule.depends_on_setting() => Setting::default(),
            None => {
                let message = format!(
                    "allocation `{name}` has no formula for Gaussian noise under basic composition"
                );
                (self.sink.fault(self.release.allocation_span, message))
                    .remedy("compose by zcdp, rdp or pld, whose shares divide ρ, or name the shares: even, proportional, …")
                    .report();
                return None;
            }
        };
        shares(setting).map_err(refused).ok()
    }

    /// A share of what a query may spend, in the unit that the composition adds up.
    pub(super) fn split(&self, part: Budget, share: f64) -> Result<Budget, BudgetError> {
        match (self.budget.composition, part) {
            // ρ = ε²/2 is what is split
            (Composition::Zcdp, Budget::Pure(_)) => times(part, share.sqrt()),
            _ => times(part, share),
        }
    }

    /// What the noise of all queries costs one by one and together, where a theorem says so: the L1 norm scaled by 1/b for Laplace
    /// noise, of reals or of integers, and half the squared L2 norm scaled by 1/σ for Gaussian noise.
    pub(super) fn joint_cost(
        &self,
        answered: &Answered,
        spender: Spender,
        total: f64,
        noises: &[Noises],
    ) -> Option<ResolvedJoint> {
        let joint = answered.joint.as_ref()?;
        if answered
            .queries
            .iter()
            .any(|query| query.spec.split.is_some() || query.spec.declared.is_some())
        {
            return None;
        }
        let laplace = is_laplace(self.release.noise.about().name);
        let weights: Vec<f64> = (noises.iter())
            .map(|noises| match noises.noises[0].scale() {
                0.0 => 0.0,
                scale => 1.0 / scale,
            })
            .collect();
        let size = joint.weighted(&weights).ok()?;
        let smooth = self.release.noise.is_smooth();
        let together = match (self.budget.composition, spender) {
            (Composition::Basic, Spender::Pure) if laplace => size.l1,
            (Composition::Zcdp, Spender::Gaussian) if !smooth => 0.5 * size.l2 * size.l2,
            _ => return None,
        };
        (together > 0.0 && together.is_finite()).then_some(ResolvedJoint {
            separate: total,
            together,
        })
    }

    pub(super) fn no_joint<T>(&self, answered: &Answered, spender: Spender) -> Option<T> {
        let noise = self.release.noise.about().name;
        let composition = self.budget.composition.about().name;
        let alone =
            |query: &&AnsweredQuery| query.spec.split.is_some() || query.spec.declared.is_some();
        let message = match (answered.queries.iter().find(alone), answered.queries.len()) {
            (Some(query), _) => format!(
                "the joint sensitivity is not used with a `split` or a declared sensitivity, as of query `{}`",
                query.spec.name
            ),
            (None, 1) => "the joint sensitivity of a single query is its own".to_owned(),
            (None, _) => format!(
                "the joint sensitivity is not used for {noise} noise under {composition} composition{}",
                match spender {
                    Spender::Pure => "",
                    Spender::Gaussian => " of (ε, δ)",
                }
            ),
        };
        (self.sink.fault(self.budget.span, message))
            .rule("joint = true goes with laplace and discrete-laplace noise under basic composition, and with Gaussian noise under zcdp")
            .remedy("leave `joint` out: every query is then paid for by itself")
            .report();
        None
    }
}

/// A part of a budget, or a multiple.
pub(super) fn times(budget: Budget, factor: f64) -> Result<Budget, BudgetError> {
    Ok(match budget {
        Budget::Pure(epsilon) => Budget::Pure(Epsilon::new(epsilon.get() * factor)?),
        Budget::Approximate(epsilon, delta) => Budget::Approximate(
            Epsilon::new(epsilon.get() * factor)?,
            Delta::new(delta.get() * factor)?,
        ),
        Budget::Zcdp(rho) => Budget::Zcdp(Rho::new(rho.get() * factor)?),
    })
}

/// Whether the ε that this noise spends is Δ₁ over its scale.
pub(super) fn is_laplace(noise: &str) -> bool {
    matches!(noise, "laplace" | "discrete-laplace")
}

/// Δ in the norm of the noise.
pub(super) fn of_spender(spender: Spender, sensitivity: Sensitivity) -> f64 {
    match spender {
        Spender::Pure => sensitivity.l1,
        Spender::Gaussian => sensitivity.l2,
    }
}

/// Slack of a comparison of two δ that are computed in two ways.
const ROUNDING: f64 = 1e-6;

/// What is to be known of noise that does not keep the (ε, δ) that it is given, by its own privacy curve, or is used outside the condition of
/// its proof: that of a control.
pub(super) fn unkept(
    kind: &NoiseSpec,
    part: Option<Budget>,
    query: &AnsweredQuery,
    noises: &[Arc<dyn Noise>],
) -> Option<String> {
    let Some(budget @ Budget::Approximate(epsilon, delta)) = part else {
        return None;
    };
    let noise = noises.first().filter(|noise| noise.scale() > 0.0)?;
    let has = noise.delta(epsilon.get());
    let place = format!(
        "query `{}`: {} noise at ε = {}",
        query.spec.name,
        noise.name(),
        number(epsilon.get())
    );
    let (has, claimed) = (has.is_finite().then_some(has)?, number(delta.get()));
    let broken = match kind {
        NoiseSpec::Global(kind) => kind.broken_condition(budget),
        NoiseSpec::AtHand(..) => None,
    };
    if delta.get() > 0.0 && has > delta.get() * (1.0 + ROUNDING) {
        let has = significant(has, 4);
        Some(format!(
            "{place} does not keep what it claims: its δ is {has}, not {claimed}"
        ))
    } else {
        let has = significant(has, 4);
        broken.map(|condition| {
            format!(
                "{place} is outside the condition of its proof, {condition}; its δ is {has}, within the {claimed} that it claims"
            )
        })
    }
}

/// What a declared sensitivity below the true one makes of the promise: the loss grows in proportion.
pub(super) fn broken(
    spender: Spender,
    query: &AnsweredQuery,
    declared: f64,
    noise: &dyn Noise,
) -> Option<String> {
    let scale = noise.scale();
    let truth = of_spender(spender, query.sensitivity);
    if truth <= declared * (1.0 + 1e-12) {
        return None;
    }
    let kept = match spender {
        Spender::Pure if !is_laplace(noise.name()) => {
            String::from("it is not as private as its budget says")
        }
        Spender::Pure => format!(
            "its ε is {}, not {}",
            number(truth / scale),
            number(declared / scale)
        ),
        Spender::Gaussian => {
            let rho =
                |sensitivity: f64| number(0.5 * (sensitivity / scale) * (sensitivity / scale));
            format!("its ρ is {}, not {}", rho(truth), rho(declared))
        }
    };
    Some(format!(
        "query `{}`: the declared sensitivity of {} is below the true one of {}: {kept}",
        query.spec.name,
        number(declared),
        number(truth)
    ))
}
