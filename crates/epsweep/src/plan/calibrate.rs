//! The budget divided among the queries of a cell, and the noise calibrated.

use super::answered::{Answered, AnsweredQuery, EACH};
use super::spending::{Divided, broken, is_laplace, of_spender};
use crate::config::budget::BudgetSpec;
use crate::config::diagnostic::Sink;
use crate::config::noise::NoiseSpec;
use crate::config::release::{AllocationSpec, ReleaseSpec};
use crate::procedure::release::{
    Address, Derivation, DerivedError, Origin, Part, Postprocessing, ReleaseCell, ReleaseQuery,
    Vector,
};
use crate::record::{ResolvedJoint, ResolvedNumber, ResolvedQuery};
use epsweep_core::accounting::{Composition, Spender};
use epsweep_core::allocation::{Allocation, Problem, Setting};
use epsweep_core::budget::{Budget, Epsilon, Rho, Shares};
use epsweep_core::data::{Bounds, Column};
use epsweep_core::noise::{Noise, smooth};
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
    /// its letter
    pub currency: &'static str,
    /// what the queries cost together, where that is known to be less than one by one
    pub joint: Option<ResolvedJoint>,
    /// promises that are not kept, because a declared sensitivity is too small
    pub warnings: Vec<String>,
}

/// The noise of a query's parts.
pub(super) struct Noises {
    /// of each part
    pub noises: Vec<Arc<dyn Noise>>,
    /// a smooth bound in place of the sensitivity
    smooth: Option<f64>,
}

impl Calibration<'_> {
    /// Divides the budget, calibrates the noise, and passes what is spent through the ledger.
    pub fn cell(&self, id: String, answered: &Answered) -> Option<Calibrated> {
        let budget = self.budget;
        if (answered.queries.iter()).all(|query| query.believed().l1 == 0.0) {
            (self.sink.fault(budget.span, "no query of the cell needs noise"))
                .rule("at least one query with a sensitivity above 0: exact answers have no errors to simulate, and no budget to divide")
                .remedy("ask something that one record can change, or take the other neighbouring relation")
                .report();
            return None;
        }
        let spender = self.spender()?;
        let shares = self.shares(answered, spender)?;
        let mut divided = self.divide(budget.budget, spender, &shares, answered)?;
        let total = divided.total;
        let mut noises = self.noises(answered, &divided.parts)?;
        let joint = (self.joint_cost(spender, answered, &noises)).map(|together| ResolvedJoint {
            separate: total,
            together,
        });
        let mut together = None;
        if budget.joint {
            let Some(cost) = joint else {
                return self.no_joint(answered);
            };
            let raised = total * (total / cost.together);
            let raised = match spender {
                Spender::Pure => Epsilon::new(raised).map(Budget::Pure),
                Spender::Gaussian => Rho::new(raised).map(Budget::Zcdp),
            };
            let raised = raised
                .map_err(|error| self.sink.fault(budget.span, error.to_string()).report())
                .ok()?;
            divided = Divided {
                total,
                statement: divided.statement,
                ..self.divide(raised, spender, &shares, answered)?
            };
            noises = self.noises(answered, &divided.parts)?;
            together = self.joint_cost(spender, answered, &noises);
        }
        self.check(spender, &divided, answered, &noises, together)?;

        let mut cell = ReleaseCell {
            id,
            rows: answered.table.rows() as u64,
            ..ReleaseCell::default()
        };
        let mut resolved = Vec::new();
        let mut warnings = Vec::new();
        for (((query, share), amount), noises) in (answered.queries.iter().zip(shares.as_slice()))
            .zip(&divided.amounts)
            .zip(&noises)
        {
            warnings.extend(broken(spender, query, &*noises.noises[0]));
            resolved.push(resolved_query(query, *share, *amount, noises));
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
            total,
            divided: match plain {
                true => String::new(),
                false => divided.statement,
            },
            currency: match (spender, budget.composition) {
                (_, Composition::Zcdp) => "ρ",
                _ => "ε",
            },
            joint: joint.filter(saves),
            warnings,
        })
    }

    /// The noise of every query, from what its releases may spend.
    fn noises(&self, answered: &Answered, parts: &[Vec<Option<Budget>>]) -> Option<Vec<Noises>> {
        let all: Vec<Option<Noises>> = (answered.queries.iter().zip(parts))
            .map(|(query, parts)| self.noise(answered, query, parts))
            .collect();
        all.into_iter().collect()
    }

    fn shares(&self, answered: &Answered, spender: Spender) -> Option<Shares> {
        let fault = |name: &str, message: String| {
            let message = format!("allocation `{name}`: {message}");
            self.sink.fault(self.release.allocation_span, message)
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
                let weights: Vec<f64> = (answered.queries.iter())
                    .map(|query| {
                        let size = query.targets[0].abs().max(query.spec.floor);
                        query.spec.weight / size.powi(oracle.power)
                    })
                    .collect();
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
        let name = self.release.allocation.name();
        let noise = self.release.noise;
        if matches!(noise, NoiseSpec::Smooth(..)) && rule.about().name != "even" {
            let message = format!(
                "allocation `{name}` is not known for {} noise, whose scale depends on the data",
                noise.about().name
            );
            (self.sink.fault(self.release.allocation_span, message))
                .rule("the best shares are known for noise that is scaled to a global sensitivity")
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
        let sensitivities: Vec<f64> = (answered.queries.iter())
            .map(|query| of_spender(spender, query.believed()))
            .collect();
        let problem = Problem {
            sensitivities: &sensitivities,
            weights: &weights,
            setting,
        };
        (rule.shares(&problem))
            .map_err(|error| {
                let message = format!("allocation `{name}`: {error}");
                (self.sink.fault(self.release.allocation_span, message)).report();
            })
            .ok()
    }

    /// The noise of a query, from what its releases may spend.
    fn noise(
        &self,
        answered: &Answered,
        query: &AnsweredQuery,
        parts: &[Option<Budget>],
    ) -> Option<Noises> {
        let name = &query.spec.name;
        let believed = query.believed();
        if parts.iter().all(Option::is_none) && believed.l1 > 0.0 {
            let message = format!("query `{name}` gets no budget: its noise would be infinite");
            self.sink
                .fault(self.release.allocation_span, message)
                .rule("every query with a sensitivity above 0 needs a share above 0")
                .remedy("give it a share or a weight above 0, or leave the query out")
                .report();
            return None;
        }
        let smooth = matches!(self.release.noise, NoiseSpec::Smooth(..));
        if query.spec.declared.is_some() && (smooth || query.parts.len() > 1) {
            let message = match smooth {
                true => format!(
                    "query `{name}`: the noise is scaled to the data, not to a declared sensitivity"
                ),
                false => format!("query `{name}`: a declared sensitivity is of a single number"),
            };
            (self.sink.fault(query.spec.definition.span, message))
                .rule("declared_sensitivity goes with queries of one part and noise of the global sensitivity")
                .report();
            return None;
        }
        let kind = match self.release.noise {
            NoiseSpec::Global(kind) => kind,
            NoiseSpec::Smooth(_, noise) => {
                return self.smooth(noise, answered, query, parts[0]);
            }
        };
        let of_parts: Vec<(Sensitivity, Option<Budget>)> = match &query.spec.split {
            None => vec![(believed, parts[0])],
            Some((_, span)) => {
                let starved = (query.separate.iter().zip(parts))
                    .position(|(sensitivity, part)| sensitivity.l1 > 0.0 && part.is_none());
                if let Some(starved) = starved {
                    let message = format!("`{}` gets no budget", query.parts[starved]);
                    (self.sink.fault(*span, message))
                        .rule("every part with a sensitivity above 0 needs a share above 0")
                        .report();
                    return None;
                }
                (query.separate.iter().copied())
                    .zip(parts.iter().copied())
                    .collect()
            }
        };
        let mut noises: Vec<Arc<dyn Noise>> = Vec::with_capacity(query.parts.len());
        for (sensitivity, part) in of_parts {
            // a part of sensitivity 0 needs no noise, whatever its share
            match kind.calibrate(sensitivity, part) {
                Ok(noise) => {
                    if sensitivity.l1 > 0.0 {
                        self.in_range(name, noise.scale())?;
                    }
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
            noises = vec![noises[0].clone(); query.parts.len()];
        }
        Some(Noises {
            noises,
            smooth: None,
        })
    }

    fn in_range(&self, query: &str, scale: f64) -> Option<()> {
        let [least, most] = SCALES;
        if (least..=most).contains(&scale) {
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
        part: Option<Budget>,
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
        let Some(part) = part else {
            return None;
        };
        let found = smooth_bound(column, bound).and_then(|bound| {
            let text = |error: smooth::SmoothError| error.to_string();
            let beta = noise.beta(part).map_err(text)?;
            let bound = bound(beta)?;
            let noise = noise.calibrate(bound, beta, part).map_err(text)?;
            Ok((noise, bound))
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

    /// What the noise of all queries costs together, where a theorem says so: the L1 norm scaled by 1/b for Laplace noise, of reals or
    /// of integers, that divides ε, and half the squared L2 norm scaled by 1/σ for Gaussian noise that divides ρ.
    fn joint_cost(&self, spender: Spender, answered: &Answered, noises: &[Noises]) -> Option<f64> {
        let joint = answered.joint.as_ref()?;
        let alone =
            |query: &AnsweredQuery| query.spec.split.is_some() || query.spec.declared.is_some();
        if answered.queries.iter().any(alone) {
            return None;
        }
        let weights: Vec<f64> = (noises.iter())
            .map(|noises| match noises.noises[0].scale() {
                0.0 => 0.0,
                scale => 1.0 / scale,
            })
            .collect();
        let size = joint.weighted(&weights).ok()?;
        let together = match (spender, self.budget.composition) {
            (Spender::Pure, Composition::Basic) if is_laplace(self.release.noise.about().name) => {
                size.l1
            }
            (Spender::Gaussian, Composition::Zcdp) => 0.5 * size.l2 * size.l2,
            _ => return None,
        };
        (together > 0.0 && together.is_finite()).then_some(together)
    }

    fn no_joint<T>(&self, answered: &Answered) -> Option<T> {
        let of_its_own = (answered.queries.iter()).find_map(|query| match &query.spec {
            spec if spec.split.is_some() => Some((&spec.name, "split")),
            spec if spec.declared.is_some() => Some((&spec.name, "declared_sensitivity")),
            _ => None,
        });
        let message = match of_its_own {
            Some((name, key)) => {
                format!("the joint sensitivity is not used with the `{key}` of query `{name}`")
            }
            None => format!(
                "the joint sensitivity is not used for {} noise under {} composition",
                self.release.noise.about().name,
                self.budget.composition.about().name
            ),
        };
        (self.sink.fault(self.budget.span, message))
            .rule("joint = true goes with laplace and discrete-laplace noise that divide ε, and with Gaussian noise that divides ρ")
            .remedy("leave `joint` out: every query is then paid for by itself")
            .report();
        None
    }
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
