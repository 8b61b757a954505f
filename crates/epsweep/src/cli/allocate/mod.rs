//! `epsweep allocate`

mod problem;
mod show;

use super::arguments::{Format, whole_number};
use super::{Failure, exit, output};
use clap::{Args, ValueEnum};
use epsweep_core::allocation::solver::{self, Comparison, Objective, SolverError};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  epsweep allocate experiments/adaptive-allocation.toml
      what the experiment's first cell could do best, for every objective
  epsweep allocate --sensitivities 0.12,120,1 --epsilon 1 --objective expected-largest
  epsweep allocate --sensitivities 1,20,5 --weights 3,1,1 --rho 0.5 --objective weighted-mse
      Gaussian noise, shares of ρ
  epsweep allocate --sensitivities 0.12,120,1 --epsilon 1 --floors 0.05 --caps 0.9,0.8,1
      no query below a twentieth of the budget
  epsweep allocate --sensitivities 1,2 --numbers 1,16 --epsilon 1 --objective expected-largest
      a count, and a histogram of 16 bins
  epsweep allocate --sensitivities 1,100 --magnitudes 50,2000 --epsilon 1 --objective relative

A share is a part of ε (Laplace noise, basic composition) or of ρ (zCDP); regret is how much larger the objective is than at
its optimum. A query with many numbers counts once, but where the largest error does: there each of its numbers does. `epsweep list objectives --long` gives every formula.

Exit codes: 0 done, 2 a wrong command line or file, 5 the result could not be written.";

/// Arguments of `allocate`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Allocate {
    /// take the queries, weights and budget of an experiment's first cell
    #[arg(required_unless_present = "sensitivities", conflicts_with_all = ["sensitivities", "weights", "numbers", "names"])]
    pub file: Option<PathBuf>,
    /// set any value of the file by its dotted path, as for `run`
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = super::arguments::assignment, conflicts_with = "sensitivities")]
    pub set: Vec<(String, String)>,
    /// the sensitivity of every query, separated by commas
    #[arg(long, value_name = "Δ,…", value_delimiter = ',')]
    pub sensitivities: Vec<f64>,
    /// how much the error of every query counts [default: 1 each]
    #[arg(long, value_name = "W,…", value_delimiter = ',')]
    pub weights: Vec<f64>,
    /// how many numbers every query tells, such as the bins of a histogram, all with noise of its scale [default: 1 each]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = numbers)]
    pub numbers: Vec<usize>,
    /// what the queries are called [default: query 1, query 2, …]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub names: Vec<String>,
    /// the declared, public magnitude of every answer, for the objective `relative`
    #[arg(long, value_name = "A,…", value_delimiter = ',')]
    pub magnitudes: Vec<f64>,
    /// the least share of every query, or one number for all
    #[arg(long, value_name = "S,…", value_delimiter = ',')]
    pub floors: Vec<f64>,
    /// the largest share of every query, or one number for all
    #[arg(long, value_name = "S,…", value_delimiter = ',')]
    pub caps: Vec<f64>,
    /// the total ε that shares divide
    #[arg(long, value_name = "ε", conflicts_with = "rho")]
    pub epsilon: Option<f64>,
    /// the total ρ that shares divide
    #[arg(long, value_name = "ρ")]
    pub rho: Option<f64>,
    /// the noise [default: laplace with ε, gaussian with ρ]
    #[arg(long, value_enum)]
    pub noise: Option<NoiseName>,
    /// what is to be small; can be given several times [default: every objective that applies]
    #[arg(long, value_name = "NAME")]
    pub objective: Vec<String>,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

fn numbers(text: &str) -> Result<usize, String> {
    usize::try_from(whole_number(text)?).map_err(|error| error.to_string())
}

/// Noises that shares are solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NoiseName {
    /// Laplace noise
    Laplace,
    /// Gaussian noise
    Gaussian,
}

/// One objective solved.
struct Solved {
    objective: &'static dyn Objective,
    comparison: Comparison,
}

/// Solves for the best shares and says how far the named allocations are from them.
pub fn allocate(arguments: &Allocate) -> Result<u8, Failure> {
    let problem = problem::Problem::read(arguments)?;
    let mut solved = Vec::new();
    for objective in objectives(arguments, &problem)? {
        let comparison = solver::compare(
            objective,
            problem.setting,
            &problem.queries(),
            problem.total,
        )
        .map_err(|error| {
            let name = objective.about().name;
            let option = match error {
                SolverError::NoMagnitudes => ", with --magnitudes",
                _ => "",
            };
            Failure::Argument(format!("objective `{name}`: {error}{option}"))
        })?;
        solved.push(Solved {
            objective,
            comparison,
        });
    }
    output::result(&match arguments.format {
        Format::Text => show::text(&problem, &solved),
        Format::Markdown => show::markdown(&problem, &solved),
        Format::Json => output::document(show::json(&problem, &solved)),
        Format::Csv => show::csv(&problem, &solved),
    })?;
    Ok(exit::DONE)
}

/// The objectives asked for, or all that apply.
fn objectives(
    arguments: &Allocate,
    problem: &problem::Problem,
) -> Result<Vec<&'static dyn Objective>, Failure> {
    if arguments.objective.is_empty() {
        let applies = |objective: &&dyn Objective| {
            objective
                .form(problem.setting.law(), &problem.queries())
                .is_ok()
        };
        return Ok(solver::REGISTRY.iter().copied().filter(applies).collect());
    }
    let named = |name: &String| {
        solver::named(name).ok_or_else(|| {
            let names: Vec<&str> = (solver::REGISTRY.iter())
                .map(|objective| objective.about().name)
                .collect();
            super::unknown("objective", name, &names)
        })
    };
    arguments.objective.iter().map(named).collect()
}
