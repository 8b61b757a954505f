//! What the noise of a cell spends: the guarantee divided among its releases, and what they really cost passed through the ledger.

use super::answered::{Answered, AnsweredQuery};
use super::calibrate::{Calibration, Noises};
use crate::config::noise::NoiseSpec;
use crate::record::number;
use epsweep_core::accounting::{Composition, Spender};
use epsweep_core::budget::{Budget, Epsilon, Shares};
use epsweep_core::noise::Noise;
use epsweep_core::random::StandardLaw;
use epsweep_core::sensitivity::Sensitivity;

/// The guarantee, divided.
pub(super) struct Divided {
    /// what shares divide
    pub total: f64,
    /// that in words
    pub statement: String,
    /// what each query gets: ε or ρ
    pub amounts: Vec<f64>,
    /// what each release of each query may spend: one for all its parts, or one for each where its budget is split among them
    pub parts: Vec<Vec<Option<Budget>>>,
}

impl Calibration<'_> {
    /// How the noise spends: found by what it can be calibrated to. What a composition knows nothing of is a fault.
    pub fn spender(&self) -> Option<Spender> {
        let noise = self.release.noise;
        let unit = Sensitivity { l1: 1.0, l2: 1.0 };
        let half = Budget::Pure(Epsilon::new(0.5).ok()?);
        let (pure, normal) = match noise {
            NoiseSpec::Global(kind) => (
                kind.calibrate(unit, Some(half)).is_ok(),
                kind.calibrate(unit, None)
                    .is_ok_and(|noise| noise.standard() == StandardLaw::Normal),
            ),
            NoiseSpec::Smooth(_, noise) => (noise.beta(half).is_ok(), false),
        };
        let name = noise.about().name;
        let composition = self.budget.composition;
        let refuse = |what: &str, remedy: &str| {
            let message = format!("{name} noise {what}");
            self.sink
                .fault(self.release.noise_span, message)
                .remedy(remedy)
                .report();
            None
        };
        let by_its_law = matches!(composition, Composition::Rdp | Composition::Pld);
        if pure {
            if by_its_law && name != "laplace" {
                return refuse(
                    &format!(
                        "has no composition by {}, which is known for Laplace and Gaussian noise",
                        composition.about().name
                    ),
                    "compose by basic, optimal or zcdp, which take every purely private noise",
                );
            }
            return Some(Spender::Pure);
        }
        if normal {
            if composition == Composition::Pld && !name.starts_with("gaussian") {
                return refuse(
                    "has no composition by pld, which is known for Laplace and Gaussian noise",
                    "compose by zcdp or rdp",
                );
            }
            return Some(Spender::Gaussian);
        }
        let approximate =
            matches!(self.budget.budget, Budget::Approximate(_, delta) if delta.get() > 0.0);
        if matches!(noise, NoiseSpec::Smooth(..)) {
            if composition != Composition::Basic || !approximate {
                return refuse(
                    "spends parts of ε and δ",
                    "give `epsilon` and `delta`, and compose by basic",
                );
            }
            // as Gaussian noise under basic composition: shares divide ε and δ
            return Some(Spender::Gaussian);
        }
        refuse(
            "has no budget that queries could share",
            "choose laplace or gaussian noise",
        )
    }

    /// Divides a guarantee among the queries, and among the parts of those that split theirs.
    pub fn divide(
        &self,
        budget: Budget,
        spender: Spender,
        shares: &Shares,
        answered: &Answered,
    ) -> Option<Divided> {
        let mut sizes = Vec::with_capacity(answered.queries.len());
        let mut each: Vec<f64> = Vec::with_capacity(answered.queries.len());
        for (query, share) in answered.queries.iter().zip(shares.as_slice()) {
            match &query.spec.split {
                None => {
                    sizes.push(1);
                    each.push(*share);
                }
                Some((given, span)) => {
                    let names: Vec<&str> = query.parts.iter().map(String::as_str).collect();
                    let split = given.in_order(&names, *span, self.sink)?;
                    sizes.push(names.len());
                    each.extend(split.split(*share));
                }
            }
        }
        let refused = |error: &dyn std::fmt::Display| {
            (self
                .sink
                .fault(self.budget.composition_span, error.to_string()))
            .report();
        };
        let each = match sizes.iter().all(|size| *size == 1) {
            // the shares as they are, and not rounded once more
            true => shares.clone(),
            false => Shares::new(each).map_err(|error| refused(&error)).ok()?,
        };
        let division = (self.budget.composition.divide(budget, spender, &each))
            .map_err(|error| refused(&error))
            .ok()?;
        let (mut parts, mut amounts) = (division.parts.into_iter(), division.amounts.iter());
        Some(Divided {
            total: division.total,
            statement: division.statement,
            amounts: (sizes.iter())
                .map(|size| amounts.by_ref().take(*size).sum())
                .collect(),
            parts: (sizes.iter())
                .map(|size| parts.by_ref().take(*size).collect())
                .collect(),
        })
    }

    /// Passes what is really spent through the ledger; `together` is the joint cost of all queries, where budgets were raised by it.
    pub fn check(
        &self,
        spender: Spender,
        divided: &Divided,
        answered: &Answered,
        noises: &[Noises],
        together: Option<f64>,
    ) -> Option<()> {
        let mut spent = Vec::new();
        for ((query, parts), noises) in (answered.queries.iter().zip(&divided.parts)).zip(noises) {
            for (place, (part, noise)) in parts.iter().zip(&noises.noises).enumerate() {
                let (label, sensitivity) = match query.spec.split {
                    None => (query.spec.name.clone(), query.believed()),
                    Some(_) => (
                        format!("{}[{}]", query.spec.name, query.parts[place]),
                        query.separate[place],
                    ),
                };
                let sensitivity = of_spender(spender, sensitivity);
                if let (Some(part), true) = (part, sensitivity > 0.0) {
                    spent.push((label, *part, ratio(&**noise, *part, sensitivity)));
                }
            }
        }
        if let (Some(cost), Some((_, part, _))) = (together, spent.first()) {
            let ratio = match spender {
                Spender::Pure => cost,
                Spender::Gaussian => (2.0 * cost).sqrt(),
            };
            spent = vec![(String::from("all queries together"), *part, ratio)];
        }
        let budget = self.budget;
        (budget.composition.check(budget.budget, spender, &spent))
            .map_err(|error| self.sink.fault(budget.span, error.to_string()).report())
            .ok()
    }
}

/// What noise costs by its own scale, in units of its sensitivity; where the loss is no quotient, by what it was calibrated to.
fn ratio(noise: &dyn Noise, part: Budget, sensitivity: f64) -> f64 {
    match part {
        Budget::Pure(epsilon) if !is_laplace(noise.name()) => epsilon.get(),
        _ => sensitivity / noise.scale(),
    }
}

/// Whether ε of this noise is Δ₁ over its scale.
pub(super) fn is_laplace(name: &str) -> bool {
    matches!(name, "laplace" | "discrete-laplace")
}

/// Δ in the norm of the noise.
pub(super) fn of_spender(spender: Spender, sensitivity: Sensitivity) -> f64 {
    match spender {
        Spender::Pure => sensitivity.l1,
        Spender::Gaussian => sensitivity.l2,
    }
}

/// What a declared sensitivity below the true one makes of the promise: the loss of Laplace and Gaussian noise grows in proportion.
pub(super) fn broken(spender: Spender, query: &AnsweredQuery, noise: &dyn Noise) -> Option<String> {
    let declared = query.spec.declared?;
    let truth = of_spender(spender, query.sensitivity);
    if truth <= declared * (1.0 + 1e-12) {
        return None;
    }
    let scale = noise.scale();
    let kept = match spender {
        Spender::Pure if is_laplace(noise.name()) => format!(
            "its ε is {}, not {}",
            number(truth / scale),
            number(declared / scale)
        ),
        Spender::Pure => String::from("it is not as private as its budget says"),
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
