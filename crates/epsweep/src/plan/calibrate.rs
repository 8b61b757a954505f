//! The budget divided among the queries of a cell, and the noise calibrated.

use super::answered::{Answered, AnsweredQuery, EACH};
use crate::config::budget::BudgetSpec;
use crate::config::diagnostic::Sink;
use crate::config::noise::NoiseSpec;
use crate::config::release::{AllocationSpec, ReleaseSpec};
use crate::procedure::release::{
    Address, Derivation, DerivedError, Origin, Part, Postprocessing, ReleaseCell, ReleaseQuery,
    Vector,
};
use crate::record::{ResolvedJoint, ResolvedNumber, ResolvedQuery, number};
use epsweep_core::accounting::{Composition, Spender};
use epsweep_core::allocation::{Allocation, AllocationError, Problem, Setting};
use epsweep_core::budget::{Budget, BudgetError, Delta, Epsilon, Rho, Shares};
use epsweep_core::data::{Bounds, Column};
use epsweep_core::noise::{Noise, smooth};
use epsweep_core::random::StandardLaw;
use epsweep_core::sensitivity::{Neighbours, Sensitivity};
use std::sync::Arc;

/// Least and largest noise scale. Beyond them the fourth moment of a squared error, of the order of scale⁸, leaves the range of f64, and
/// with it the standard errors.
pub(super) const SCALES: [f64; 2] = [1e-30, 1e30];

/// What calibration needs besides the answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calibration<'a> {
    /// noise and allocation
    pub release: &'a ReleaseSpec,
    /// the guarantee, and how its parts add up
    pub budget: &'a BudgetSpec,
    /// where faults go
    pub sink: &'a Sink,
}

/// A cell ready to run.
#[derive(Debug)]
pub(super) struct Calibrated {
    /// for the engine
    pub cell: ReleaseCell,
    /// for the record
    pub queries: Vec<ResolvedQuery>,
    /// what the shares divide
    pub total: f64,
    /// that in words; empty where it is the guarantee's own ε
    pub divided: String,
    /// promises that are not kept, because a declared sensitivity is too small
    pub warnings: Vec<String>,
    /// what the queries cost together, where that is known to be less than one by one
    pub joint: Option<ResolvedJoint>,
}

/// The noise of a query's parts.
struct Noises {
    noises: Vec<Arc<dyn Noise>>,
    /// a smooth bound in place of the sensitivity
    smooth: Option<f64>,
}

impl Calibration<'_> {
    /// Divides the budget and calibrates the noise.
    pub fn cell(&self, id: String, answered: &Answered) -> Option<Calibrated> {
        if (answered.queries.iter()).all(|query| query.believed().l1 == 0.0) {
            (self.sink.fault(self.budget.span, "no query of the cell needs noise"))
                .rule("at least one query with a sensitivity above 0: exact answers have no errors to simulate, and no budget to divide")
                .remedy("ask something that one record can change, or take the other neighbouring relation")
                .report();
            return None;
        }
        let spender = self.spender()?;
        let shares = self.shares(answered, spender)?;
        let budget = self.budget;
        let division = (budget.composition.divide(budget.budget, spender, &shares))
            .map_err(|error| {
                (self.sink.fault(budget.composition_span, error.to_string())).report();
            })
            .ok()?;
        let noises = self.noises(answered, &division.parts)?;
        self.check(answered, spender, &division.parts, &noises)?;
        let joint = self.joint_cost(answered, spender, division.total, &noises);
        let raise = match (budget.joint, joint) {
            (false, _) => 1.0,
            (true, None) => return self.no_joint(answered, spender),
            (true, Some(cost)) => division.total / cost.together,
        };
        let noises = if raise == 1.0 {
            noises
        } else {
            let raised = (division.parts.iter())
                .map(|part| part.map(|part| times(part, raise)).transpose())
                .collect::<Result<Vec<_>, _>>()
                .map_err(|error| self.sink.fault(budget.span, error.to_string()).report())
                .ok()?;
            self.noises(answered, &raised)?
        };
        let mut cell = ReleaseCell {
            id,
            rows: answered.table.rows() as u64,
            ..ReleaseCell::default()
        };
        let mut resolved = Vec::new();
        let mut warnings = Vec::new();
        for (index, (query, noises)) in answered.queries.iter().zip(&noises).enumerate() {
            let share = shares.as_slice()[index];
            let amount = division.amounts[index] * raise;
            resolved.push(resolved_query(query, share, amount, noises));
            if let Some(declared) = query.spec.declared {
                let noise = &*noises.noises[0];
                warnings.extend(broken(spender, query, declared, noise));
            }
            add(&mut cell, query, &noises.noises);
        }
        if answered
            .queries
            .iter()
            .any(|query| !query.spec.steps.is_empty())
        {
            process(&mut cell, answered);
        }
        let saves = |cost: &ResolvedJoint| cost.together < cost.separate * (1.0 - 1e-9);
        let plain =
            matches!(budget.budget, Budget::Pure(_)) && budget.composition == Composition::Basic;
        Some(Calibrated {
            cell,
            queries: resolved,
            total: division.total,
            divided: match plain {
                true => String::new(),
                false => division.statement,
            },
            warnings,
            joint: joint.filter(saves),
        })
    }

    /// The noise of every query.
    fn noises(&self, answered: &Answered, parts: &[Option<Budget>]) -> Option<Vec<Noises>> {
        let all: Vec<Option<Noises>> = (answered.queries.iter().zip(parts))
            .map(|(query, part)| self.noise(answered, query, *part))
            .collect();
        all.into_iter().collect()
    }

    /// How the noise spends: found by what it can be calibrated to. Accounts that look at more of a law than its ε or ρ are those of
    /// Laplace and Gaussian noise alone.
    fn spender(&self) -> Option<Spender> {
        let name = self.release.noise.about().name;
        let unit = Sensitivity { l1: 1.0, l2: 1.0 };
        let spender = match self.release.noise {
            NoiseSpec::Smooth(_, smooth::SmoothNoise::StudentT { .. }) => Spender::Pure,
            // (ε, δ) in parts
            NoiseSpec::Smooth(..) => Spender::Gaussian,
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
                !matches!(self.release.noise, NoiseSpec::Smooth(..))
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
        if matches!(self.release.noise, NoiseSpec::Smooth(..))
            && spender == Spender::Gaussian
            && !delta
        {
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
    fn check(
        &self,
        answered: &Answered,
        spender: Spender,
        parts: &[Option<Budget>],
        noises: &[Noises],
    ) -> Option<()> {
        if matches!(self.release.noise, NoiseSpec::Smooth(..)) {
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
                _ => ratio,
            };
            if ratio > 0.0 && ratio.is_finite() {
                spent.push((query.spec.name.clone(), *part, ratio));
            }
        }
        let budget = self.budget;
        if let Err(error) = budget.composition.check(budget.budget, spender, &spent) {
            self.sink.fault(budget.span, error.to_string()).report();
            return None;
        }
        Some(())
    }

    fn shares(&self, answered: &Answered, spender: Spender) -> Option<Shares> {
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

    fn by_rule(
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
        let problem = |setting| Problem {
            sensitivities: &sensitivities,
            weights: &weights,
            setting,
        };
        let shares = |setting| rule.shares(&problem(setting));
        let refused = |error: AllocationError| {
            let message = format!("allocation `{name}`: {error}");
            (self.sink.fault(self.release.allocation_span, message)).report();
        };
        let noise = self.release.noise.about().name;
        if matches!(self.release.noise, NoiseSpec::Smooth(..)) && rule.about().name != "even" {
            let message = format!(
                "allocation `{name}` has no formula for {noise} noise, whose scale depends on the data"
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

    /// The noise of a query that is given a part of the budget.
    fn noise(
        &self,
        answered: &Answered,
        query: &AnsweredQuery,
        part: Option<Budget>,
    ) -> Option<Noises> {
        let name = &query.spec.name;
        let smooth = matches!(self.release.noise, NoiseSpec::Smooth(..));
        if part.is_none() && (query.believed().l1 > 0.0 || smooth) {
            let message = format!("query `{name}` gets no budget: its noise would be infinite");
            self.sink
                .fault(self.release.allocation_span, message)
                .rule("every query with a sensitivity above 0 needs a share above 0")
                .remedy("give it a share or a weight above 0, or leave the query out")
                .report();
            return None;
        }
        if query.spec.declared.is_some() && (smooth || query.parts.len() > 1) {
            let message = match smooth {
                true => format!(
                    "query `{name}`: the noise is scaled to the data, not to a declared sensitivity"
                ),
                false => format!("query `{name}`: a declared sensitivity is of a single number"),
            };
            (self.sink.fault(query.spec.definition.span, message))
                .rule("declared_sensitivity goes with queries of one part, and noise of the global sensitivity")
                .report();
            return None;
        }
        let kind = match self.release.noise {
            NoiseSpec::Smooth(_, noise) => return self.smooth(noise, answered, query, part?),
            NoiseSpec::Global(kind) => kind,
        };
        let parts = query.parts.len();
        let of_parts: Vec<(Sensitivity, Result<Option<Budget>, BudgetError>)> =
            match &query.spec.split {
                None => vec![(query.believed(), Ok(part))],
                Some((given, span)) => {
                    let names: Vec<&str> = query.parts.iter().map(String::as_str).collect();
                    let shares = given.in_order(&names, *span, self.sink)?;
                    let starved = (query.separate.iter().zip(shares.as_slice()))
                        .position(|(sensitivity, share)| sensitivity.l1 > 0.0 && *share == 0.0);
                    if let Some(starved) = starved {
                        let message = format!("`{}` gets no budget", query.parts[starved]);
                        (self.sink.fault(*span, message))
                            .rule("every part with a sensitivity above 0 needs a share above 0")
                            .report();
                        return None;
                    }
                    let of = |share: &f64| match part {
                        Some(part) if *share > 0.0 => self.split(part, *share).map(Some),
                        _ => Ok(None),
                    };
                    (query.separate.iter().copied())
                        .zip(shares.as_slice().iter().map(of))
                        .collect()
                }
            };
        let mut noises: Vec<Arc<dyn Noise>> = Vec::with_capacity(parts);
        for (sensitivity, part) in of_parts {
            // a part of sensitivity 0 needs no noise, whatever its share
            let calibrated = part.map_err(|error| error.to_string()).and_then(|part| {
                (kind.calibrate(sensitivity, part)).map_err(|error| error.to_string())
            });
            match calibrated {
                Ok(noise) => {
                    self.in_range(name, noise.scale())?;
                    noises.push(Arc::from(noise));
                }
                Err(error) => {
                    self.sink
                        .fault(self.budget.span, format!("query `{name}`: {error}"))
                        .report();
                    return None;
                }
            }
        }
        if query.spec.split.is_none() {
            noises = vec![noises[0].clone(); parts];
        }
        Some(Noises {
            noises,
            smooth: None,
        })
    }

    /// A share of what a query may spend, in the unit that the composition adds up.
    fn split(&self, part: Budget, share: f64) -> Result<Budget, BudgetError> {
        match (self.budget.composition, part) {
            // ρ = ε²/2 is what is split
            (Composition::Zcdp, Budget::Pure(_)) => times(part, share.sqrt()),
            _ => times(part, share),
        }
    }

    fn in_range(&self, query: &str, scale: f64) -> Option<()> {
        let [least, most] = SCALES;
        if scale == 0.0 || (least..=most).contains(&scale) {
            return Some(());
        }
        let message = format!("query `{query}` gets noise of scale {scale:e}");
        self.sink
            .fault(self.budget.span, message)
            .rule(format!(
                "scales from {least:e} to {most:e}, so that all moments stay within the range of f64"
            ))
            .remedy("choose another ε, or measure the answer in another unit")
            .report();
        None
    }

    /// Noise for the smooth sensitivity of an order statistic.
    fn smooth(
        &self,
        noise: smooth::SmoothNoise,
        answered: &Answered,
        query: &AnsweredQuery,
        part: Budget,
    ) -> Option<Noises> {
        let name = &query.spec.name;
        let noise_name = self.release.noise.about().name;
        let refuse = |message: String, rule: &str, remedy: &str| {
            (self.sink.fault(self.release.noise_span, message))
                .rule(rule)
                .remedy(remedy)
                .report();
        };
        let asked = &query.spec.definition.query;
        type Bound = fn(&[f64], Bounds, f64) -> Result<f64, smooth::SmoothError>;
        let bound: Bound = match asked.about().name {
            "max" => smooth::maximum,
            "min" => |values, bounds, beta| smooth::order_statistic(values, 1, bounds, beta),
            "median" => smooth::median,
            other => {
                refuse(
                    format!("query `{name}`: {noise_name} noise is not known for `{other}`"),
                    "the smooth sensitivity is computed for max, min and median",
                    "noise = \"laplace\" takes the global sensitivity of any query",
                );
                return None;
            }
        };
        if answered.neighbours != Neighbours::Substitute {
            refuse(
                format!("query `{name}`: {noise_name} noise needs the relation `substitute`"),
                "the smooth sensitivity is over data sets with the same number of records",
                "neighbours = \"substitute\"",
            );
            return None;
        }
        let columns = asked.columns();
        let column = columns.first().map(|column| answered.table.column(column));
        let Some(Ok(column)) = column else {
            return None;
        };
        let found = smooth_bound(column, bound).and_then(|bound| {
            let text = |error: smooth::SmoothError| error.to_string();
            let beta = noise.beta(part).map_err(text)?;
            let smooth = bound(beta)?;
            Ok((noise.calibrate(smooth, beta, part).map_err(text)?, smooth))
        });
        match found {
            Ok((noise, bound)) => {
                self.in_range(name, noise.scale())?;
                Some(Noises {
                    noises: vec![Arc::from(noise)],
                    smooth: Some(bound),
                })
            }
            Err(error) => {
                self.sink
                    .fault(self.budget.span, format!("query `{name}`: {error}"))
                    .report();
                None
            }
        }
    }

    /// What the noise of all queries costs one by one and together, where a theorem says so: the L1 norm scaled by 1/b for Laplace
    /// noise, of reals or of integers, and half the squared L2 norm scaled by 1/σ for Gaussian noise.
    fn joint_cost(
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
        let smooth = matches!(self.release.noise, NoiseSpec::Smooth(..));
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

    fn no_joint<T>(&self, answered: &Answered, spender: Spender) -> Option<T> {
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
fn times(budget: Budget, factor: f64) -> Result<Budget, BudgetError> {
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
fn is_laplace(noise: &str) -> bool {
    matches!(noise, "laplace" | "discrete-laplace")
}

/// Δ in the norm of the noise.
fn of_spender(spender: Spender, sensitivity: Sensitivity) -> f64 {
    match spender {
        Spender::Pure => sensitivity.l1,
        Spender::Gaussian => sensitivity.l2,
    }
}

/// What a declared sensitivity below the true one makes of the promise: the loss grows in proportion.
fn broken(
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

/// The bound on the smooth sensitivity for β, on the values of a column.
fn smooth_bound(
    column: &Column,
    bound: fn(&[f64], Bounds, f64) -> Result<f64, smooth::SmoothError>,
) -> Result<impl Fn(f64) -> Result<f64, String> + '_, String> {
    let numbers = column.numbers().map_err(|error| error.to_string())?;
    let bounds = column
        .bounds()
        .ok_or_else(|| format!("column `{}` has no declared bounds", column.name()))?;
    Ok(move |beta| bound(numbers, bounds, beta).map_err(|error| error.to_string()))
}

fn resolved_query(
    query: &AnsweredQuery,
    share: f64,
    budget: f64,
    noises: &Noises,
) -> ResolvedQuery {
    let spec = &query.spec;
    let vector = query.is_vector();
    let scale = noises.noises[0].scale();
    let same = noises.noises.iter().all(|noise| noise.scale() == scale);
    let numbers = match vector && query.outputs.len() <= EACH {
        false => Vec::new(),
        true => (query.names().into_iter().zip(&query.targets))
            .map(|(name, truth)| ResolvedNumber {
                name,
                truth: *truth,
            })
            .collect(),
    };
    ResolvedQuery {
        name: spec.name.clone(),
        definition: spec.definition.query.definition(),
        truth: (!vector).then_some(query.targets[0]),
        l1: noises.smooth.unwrap_or(query.sensitivity.l1),
        l2: noises.smooth.unwrap_or(query.sensitivity.l2),
        declared: spec.declared,
        weight: spec.weight,
        share,
        budget,
        scale: (scale.is_finite() && same).then_some(scale),
        derived: !query.is_direct(),
        size: match vector {
            true => query.outputs.len() as u64,
            false => 0,
        },
        numbers,
        floored: spec.floor > 0.0,
        steps: spec.steps.iter().map(|step| step.definition()).collect(),
    }
}

/// Adds a query's numbers to a cell.
fn add(cell: &mut ReleaseCell, query: &AnsweredQuery, noises: &[Arc<dyn Noise>]) {
    let spec = &query.spec;
    let members = query.members(cell.queries.len());
    let address = |row: usize| Address {
        query: spec.name.clone(),
        row,
        rows: query.parts.len(),
    };
    let direct = query.is_direct();
    let errors = match direct {
        true => Vec::new(),
        false => derived(query, noises),
    };
    let weight = spec.weight / query.outputs.len() as f64;
    for (output, name) in query.names().into_iter().enumerate() {
        let (noise, origin) = match direct {
            true => (noises[output].clone(), Origin::Noise(address(output))),
            false => {
                let noise: Arc<dyn Noise> = Arc::new(errors[output].clone());
                let derivation = cell.derivations.len();
                (noise, Origin::Derived { derivation, output })
            }
        };
        cell.queries.push(ReleaseQuery {
            name,
            truth: query.targets[output],
            floor: spec.floor,
            parameter: query.parameters.as_ref().map(|list| list[output]),
            weight,
            noise,
            origin,
        });
    }
    if !direct {
        cell.derivations.push(Derivation {
            parts: (query.answers.iter().zip(noises).enumerate())
                .map(|(row, (truth, noise))| Part {
                    truth: *truth,
                    noise: noise.clone(),
                    address: address(row),
                })
                .collect(),
            query: spec.definition.query.clone(),
            targets: query.targets.clone(),
        });
    }
    if query.is_vector() {
        cell.vectors.push(Vector {
            name: spec.name.clone(),
            each: query.outputs.len() <= EACH,
            members,
        });
    }
}

/// What is known of the errors of a query that computes its numbers from noisy parts.
fn derived(query: &AnsweredQuery, noises: &[Arc<dyn Noise>]) -> Vec<DerivedError> {
    let first = noises[0].variance();
    let same = noises.iter().all(|noise| noise.variance() == first);
    let normal = noises[0].name().starts_with("gaussian");
    let magnitude = typical(query, noises);
    (query.targets.iter().zip(&query.exact).enumerate())
        .map(|(output, (target, exact))| {
            let variance = (query.variances.as_ref())
                .filter(|_| same && first.is_finite())
                .map(|variances| variances[output] * first);
            // a bias of the order of rounding is none
            let bias = match exact - target {
                bias if bias.abs() <= 1e-9 * target.abs().max(first.sqrt()) => 0.0,
                bias => bias,
            };
            DerivedError::new(bias, variance, normal, magnitude[output])
        })
        .collect()
}

/// How far each output moves if every part moves by the standard deviation of its noise: where histograms are placed.
fn typical(query: &AnsweredQuery, noises: &[Arc<dyn Noise>]) -> Vec<f64> {
    let size = |noise: &Arc<dyn Noise>| match noise.variance() {
        variance if variance.is_finite() => variance.sqrt(),
        _ => noise.scale(),
    };
    let asked = &query.spec.definition.query;
    let mut size_of = vec![0.0_f64; query.targets.len()];
    for sign in [1.0, -1.0] {
        let moved: Vec<f64> = (query.answers.iter().zip(noises))
            .enumerate()
            .map(|(place, (answer, noise))| {
                // neighbours apart, so that moves do not cancel in quotients
                let way = if place % 2 == 0 { sign } else { -sign };
                answer + way * size(noise)
            })
            .collect();
        for ((size, moved), exact) in
            (size_of.iter_mut().zip(asked.derive(&moved))).zip(&query.exact)
        {
            let distance = (moved - exact).abs();
            if distance.is_finite() {
                *size = size.max(distance);
            }
        }
    }
    let any = noises.iter().map(size).fold(0.0, f64::max);
    // nothing seen to move, although there is noise: the noise's own size will do
    (size_of.into_iter())
        .map(|size| if size > 0.0 { size } else { any })
        .collect()
}

/// Adds what post-processing makes of the numbers.
fn process(cell: &mut ReleaseCell, answered: &Answered) {
    let mut first = 0;
    for query in &answered.queries {
        let members = query.members(first);
        first = members.end;
        if query.spec.steps.is_empty() {
            cell.after.extend_from_slice(&cell.queries[members]);
            continue;
        }
        let mut exact: Vec<f64> = query.exact.clone();
        query
            .spec
            .steps
            .iter()
            .for_each(|step| step.apply(&mut exact));
        let postprocessing = cell.postprocessing.len();
        for (output, place) in members.clone().enumerate() {
            let told = &cell.queries[place];
            let bias = (exact[output] - told.truth).abs();
            let magnitude = told.noise.scale().max(bias);
            cell.after.push(ReleaseQuery {
                noise: Arc::new(DerivedError::new(0.0, None, false, magnitude)),
                origin: Origin::Processed {
                    postprocessing,
                    output,
                },
                ..told.clone()
            });
        }
        cell.postprocessing.push(Postprocessing {
            members,
            steps: query.spec.steps.clone(),
        });
    }
}
