//! What is to be divided, from a file or from the command line.

use super::super::arguments::Experiment;
use super::super::{Failure, load, output};
use super::{Allocate, NoiseName};
use crate::record::number;
use crate::words::join;
use epsweep_core::accounting::{Composition, Spender};
use epsweep_core::allocation::Setting;
use epsweep_core::allocation::solver::{Bounds, Queries};
use std::ops::RangeInclusive;
use std::path::Path;

/// Noise scales of which the squares are ordinary numbers, as in a run.
const SCALES: RangeInclusive<f64> = 1e-30..=1e30;

/// Queries and a budget.
pub(super) struct Problem {
    pub names: Vec<String>,
    pub sensitivities: Vec<f64>,
    pub weights: Vec<f64>,
    /// how many numbers each query tells
    pub numbers: Vec<usize>,
    pub magnitudes: Option<Vec<f64>>,
    pub bounds: Option<Vec<Bounds>>,
    pub setting: Setting,
    pub total: f64,
}

impl Problem {
    /// From the command line and the file that it names.
    pub fn read(arguments: &Allocate) -> Result<Problem, Failure> {
        let mut problem = match &arguments.file {
            Some(file) => of_file(file, arguments)?,
            None => of_lists(arguments)?,
        };
        let count = problem.sensitivities.len();
        problem.magnitudes = match arguments.magnitudes.len() {
            0 => None,
            _ => Some(arguments.magnitudes.clone()),
        };
        problem.bounds = bounds(arguments, count)?;
        problem.scales_are_ordinary()?;
        Ok(problem)
    }

    /// Sees that the squares of errors are ordinary numbers, whatever the shares.
    fn scales_are_ordinary(&self) -> Result<(), Failure> {
        for (name, sensitivity) in self.names.iter().zip(&self.sensitivities) {
            let scale = sensitivity / self.total;
            // what is no sensitivity or no budget is for the solver to say
            let sound = *sensitivity > 0.0 && sensitivity.is_finite() && self.total > 0.0;
            if !sound || SCALES.contains(&scale) {
                continue;
            }
            return Err(Failure::Argument(format!(
                "{name}: a sensitivity of {} under a total of {} is a noise scale of {}; scales lie between 1e-30 and 1e30, beyond which squares of errors leave the range of a double: state the query in another unit",
                number(*sensitivity),
                number(self.total),
                number(scale)
            )));
        }
        Ok(())
    }

    /// As the solver wants them.
    pub fn queries(&self) -> Queries<'_> {
        Queries {
            sensitivities: &self.sensitivities,
            weights: &self.weights,
            numbers: Some(&self.numbers),
            magnitudes: self.magnitudes.as_deref(),
            bounds: self.bounds.as_deref(),
        }
    }
}

fn of_lists(arguments: &Allocate) -> Result<Problem, Failure> {
    let count = arguments.sensitivities.len();
    let (setting, total) = budget(arguments, None)?;
    let weights = match arguments.weights.len() {
        0 => vec![1.0; count],
        _ => arguments.weights.clone(),
    };
    let names = match arguments.names.len() {
        0 => (1..=count).map(|index| format!("query {index}")).collect(),
        found if found == count => arguments.names.clone(),
        found => {
            return Err(Failure::Argument(format!(
                "there are {found} names for {count} sensitivities: give one per query"
            )));
        }
    };
    Ok(Problem {
        names,
        sensitivities: arguments.sensitivities.clone(),
        weights,
        numbers: match arguments.numbers.as_slice() {
            [] => vec![1; count],
            given => given.to_vec(),
        },
        magnitudes: None,
        bounds: None,
        setting,
        total,
    })
}

/// The first cell of an experiment.
fn of_file(file: &Path, arguments: &Allocate) -> Result<Problem, Failure> {
    let plan = load(&Experiment {
        file: file.to_owned(),
        seed: None,
        trials: None,
        set: arguments.set.clone(),
    })?;
    let cells = &plan.resolved().cells;
    let Some(cell) = cells.first().filter(|cell| !cell.queries.is_empty()) else {
        return Err(Failure::Argument(format!(
            "{} has no queries that share a budget: give --sensitivities",
            file.display()
        )));
    };
    let spender = match cell.noise.as_str() {
        "laplace" => Some(Spender::Pure),
        "gaussian" => Some(Spender::Gaussian),
        _ => None,
    };
    let setting = (spender.zip(Composition::named(&cell.composition)))
        .and_then(|(spender, composition)| composition.setting(spender));
    let Some(setting) = setting else {
        return Err(Failure::Argument(format!(
            "{}: {} noise under {} composition has no shares to solve for: \
             give --sensitivities with --epsilon (Laplace noise) or --rho",
            file.display(),
            cell.noise,
            cell.composition
        )));
    };
    if !cell.divided.is_empty() {
        output::note(&format!("note: {}", cell.divided));
    }
    let derived: Vec<String> = (cell.queries.iter())
        .filter(|query| query.derived)
        .map(|query| format!("`{}`", query.name))
        .collect();
    if !derived.is_empty() {
        output::note(&format!(
            "note: what {} tells is computed from noisy numbers: objectives are of noise of its scale, not of its error",
            join(&derived, "and")
        ));
    }
    let given = (setting, cell.total);
    let (setting, total) = budget(arguments, Some(given))?;
    let sensitivity = |query: &crate::record::ResolvedQuery| match setting {
        Setting::LaplacePure | Setting::LaplaceZcdp => query.l1,
        Setting::GaussianZcdp => query.l2,
    };
    let described = |cell: &crate::record::ResolvedCell| -> Vec<(f64, f64)> {
        (cell.queries.iter())
            .map(|query| (sensitivity(query), query.weight))
            .collect()
    };
    let others = (cells.iter())
        .filter(|other| described(other) != described(cell) || other.total != cell.total)
        .count();
    if others > 0 {
        output::note(&format!(
            "note: this is cell {}; {others} other cells have another budget, weights or sensitivities (--epsilon, --rho and --set choose)",
            cell.id
        ));
    }
    Ok(Problem {
        names: cell
            .queries
            .iter()
            .map(|query| query.name.clone())
            .collect(),
        sensitivities: cell.queries.iter().map(sensitivity).collect(),
        weights: cell.queries.iter().map(|query| query.weight).collect(),
        numbers: (cell.queries.iter())
            .map(|query| usize::try_from(query.size).unwrap_or(usize::MAX).max(1))
            .collect(),
        magnitudes: None,
        bounds: None,
        setting,
        total,
    })
}

/// Noise and total: what the command line says goes before what the file says.
fn budget(arguments: &Allocate, file: Option<(Setting, f64)>) -> Result<(Setting, f64), Failure> {
    let (noise, total) = match (arguments.epsilon, arguments.rho) {
        (Some(epsilon), _) => {
            if arguments.noise == Some(NoiseName::Gaussian) {
                return Err(Failure::Argument(
                    "Gaussian noise has no pure ε to divide: give --rho, of which shares are parts"
                        .to_owned(),
                ));
            }
            (Setting::LaplacePure, epsilon)
        }
        (None, Some(rho)) => match arguments.noise {
            Some(NoiseName::Laplace) => (Setting::LaplaceZcdp, rho),
            _ => (Setting::GaussianZcdp, rho),
        },
        (None, None) => match (file, arguments.noise) {
            (Some(given), None) => given,
            (Some(_), Some(_)) => {
                return Err(Failure::Argument(
                    "--noise goes with --epsilon or --rho, which say what the shares divide"
                        .to_owned(),
                ));
            }
            (None, _) => {
                return Err(Failure::Argument(
                    "there is no budget: give --epsilon (Laplace noise) or --rho (Gaussian noise)"
                        .to_owned(),
                ));
            }
        },
    };
    if total > 0.0 && total.is_finite() {
        return Ok((noise, total));
    }
    Err(Failure::Argument(format!(
        "{} is {total:?}, but must be finite and above 0",
        noise.currency()
    )))
}

/// Floors and caps: none, one for all, or one per query.
fn bounds(arguments: &Allocate, count: usize) -> Result<Option<Vec<Bounds>>, Failure> {
    if arguments.floors.is_empty() && arguments.caps.is_empty() {
        return Ok(None);
    }
    let spread = |what: &str, given: &[f64], none: f64| match given {
        [] => Ok(vec![none; count]),
        [one] => Ok(vec![*one; count]),
        many if many.len() == count => Ok(many.to_vec()),
        many => Err(Failure::Argument(format!(
            "there are {} {what} for {count} queries: give one per query, or one for all",
            many.len()
        ))),
    };
    let floors = spread("floors", &arguments.floors, Bounds::NONE.floor)?;
    let caps = spread("caps", &arguments.caps, Bounds::NONE.cap)?;
    let pairs = floors.into_iter().zip(caps);
    Ok(Some(
        pairs.map(|(floor, cap)| Bounds { floor, cap }).collect(),
    ))
}
