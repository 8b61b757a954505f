//! `epsweep account`

mod delta;
mod releases;
mod show;

use super::arguments::Format;
use super::{Failure, exit, output};
use clap::Args;
use epsweep_core::accounting::{self, Answer, Release};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  epsweep account laplace:0.1x100 --delta 1e-6
      a hundred releases with Laplace noise and ε = 0.1 each
  epsweep account gaussian:2.5x20 laplace:0.1 --delta 1e-6
      σ/Δ = 2.5, twenty times, and one with Laplace noise
  epsweep account subsampled-gaussian:0.01,1.1x1000 --delta 1e-5
      on Poisson samples of 1 % of the records
  epsweep account gaussian:0.025 --epsilon 800
      the other way round: δ at a given ε
  epsweep account --file releases.toml

A release is NAME:PARAMETERS, and xCOUNT if it runs several times. Names and parameters:
  pure:ε  approximate:ε,δ  zcdp:ρ  laplace:ε  gaussian:σ/Δ  subsampled-gaussian:PROBABILITY,σ/Δ
  randomised-response:ε  exponential-mechanism:ε  permute-and-flip:ε

In a file:
  delta = 1e-6
  [[release]]
  laplace = 0.1
  count = 100
  [[release]]
  subsampled-gaussian = { probability = 0.01, noise = 1.1 }

Every method of `epsweep list accountants` is asked. All totals hold for adaptively chosen queries whose budgets are fixed in advance.
A method that cannot serve says why; the smallest total is the one to report.

Exit codes: 0 done, 2 a wrong command line or file, or releases that no method can serve, 5 the result could not be written.";

/// Arguments of `account`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Account {
    /// releases, such as laplace:0.1x100
    #[arg(required_unless_present = "file", value_name = "RELEASE")]
    pub releases: Vec<String>,
    /// a TOML file with more releases, and with δ unless --delta gives it
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// the δ at which ε is asked for [default: the file's, else 0]
    #[arg(long, value_name = "δ")]
    pub delta: Option<f64>,
    /// ask for δ at this ε, in place of ε at a δ
    #[arg(long, value_name = "ε", conflicts_with = "delta")]
    pub epsilon: Option<f64>,
    /// ask only this method; can be given several times
    #[arg(long, value_name = "NAME")]
    pub method: Vec<String>,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// What was asked and what every method says.
struct Accounted {
    releases: Vec<Release>,
    delta: f64,
    plain_sum: Option<f64>,
    smallest: (f64, &'static str),
    answers: Vec<Answer>,
}

/// Counts what releases cost together.
pub fn account(arguments: &Account) -> Result<u8, Failure> {
    let given = releases::read(arguments)?;
    let names: Vec<&str> = (accounting::REGISTRY.iter())
        .map(|accountant| accountant.about().name)
        .collect();
    if let Some(name) = (arguments.method.iter()).find(|name| !names.contains(&name.as_str())) {
        return Err(super::unknown("method", name, &names));
    }
    let refused = |error: accounting::AccountingError| Failure::Argument(error.to_string());
    let releases = accounting::grouped(&given.releases).map_err(refused)?;
    let wanted = |name: &str| {
        arguments.method.is_empty() || arguments.method.iter().any(|method| method == name)
    };
    if let Some(epsilon) = arguments.epsilon {
        if given.delta > 0.0 {
            output::note("note: the file's δ is left aside: δ is what --epsilon asks for");
        }
        let found = accounting::smallest_delta_of(&releases, epsilon, wanted).map_err(refused)?;
        let asked = delta::Asked {
            releases,
            epsilon,
            found,
        };
        output::result(&match arguments.format {
            Format::Text => delta::text(&asked),
            Format::Markdown => delta::markdown(&asked),
            Format::Csv => delta::csv(&asked),
            Format::Json => output::document(delta::json(&asked)),
        })?;
        return Ok(exit::DONE);
    }
    let found = accounting::smallest_of(&releases, given.delta, wanted).map_err(refused)?;
    let accounted = Accounted {
        releases,
        delta: found.delta,
        plain_sum: found.plain_sum,
        smallest: (found.epsilon, found.method),
        answers: found.answers,
    };
    output::result(&match arguments.format {
        Format::Text => show::text(&accounted),
        Format::Markdown => show::markdown(&accounted),
        Format::Csv => show::csv(&accounted),
        Format::Json => output::document(show::json(&accounted)),
    })?;
    Ok(exit::DONE)
}
