//! The command line.

use super::help;
use crate::engine::Shard;
use clap::{
    Args, Command as Program, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
};
use std::path::PathBuf;

/// Monte Carlo experiments on differentially private releases.
///
/// One TOML file states one question; `run` answers it with tables, intervals, paired comparisons, figures and a report,
/// and prints beside every simulated number that theory knows the exact one.
#[derive(Debug, Parser)]
#[command(name = "epsweep", version, about, long_about, after_help = help::PROGRAM, max_term_width = 100)]
pub struct Arguments {
    /// what to do
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// The command line of this process.
    ///
    /// # Errors
    /// It is wrong, or asks for help or the version.
    pub fn read() -> Result<Arguments, clap::Error> {
        let mut program = taking_negative_numbers(Arguments::command());
        let matches = program.try_get_matches_from_mut(std::env::args_os())?;
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut program))
    }
}

/// Wherever a value is expected, a negative number is one, so that who gives it hears what is wrong with it and not that there is no such
/// option: no option is called by a digit.
fn taking_negative_numbers(program: Program) -> Program {
    program
        .mut_args(|arg| {
            let takes = arg.get_action().takes_values();
            arg.allow_negative_numbers(takes)
        })
        .mut_subcommands(taking_negative_numbers)
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate an experiment and write its record, figures and report
    Run(Run),
    /// Merge the shards of a run; the record is the same bytes as that of the run in one piece
    Merge(Merge),
    /// Show cells, trials, expected time and memory; simulate nothing
    Plan(Plan),
    /// Check an experiment file and its data; report every error at once
    Check(Check),
    /// Draw the figures and write the report of a finished run again
    Report(Report),
    /// Write the tables of a finished run for other programs: Parquet, CSV, LaTeX, Markdown
    Export(super::export::Export),
    /// Show one trial of a cell again: its draws, answers and errors
    Replay(Replay),
    /// Solve for the best division of a budget, and say how far the named ones are from it
    Allocate(super::allocate::Allocate),
    /// Count what releases cost together, by every method
    Account(super::account::Account),
    /// Judge runs by what theory says of every estimate and by the established verdicts of their claims
    Verify(Verify),
    /// Put two runs beside each other: which numbers moved by more than their errors explain
    Compare(Compare),
    /// Bound from below, by many runs, how private a mechanism or a program really is
    Audit(super::audit::Arguments),
    /// Repeat a small run many times and count how often its intervals hold the truth
    Calibrate(super::calibrate::Arguments),
    /// Write a commented file to start from
    New(super::new::New),
    /// Explain every name that a file can use: formula, source, keys, an example
    List(super::list::List),
    /// Print the JSON Schema by which editors complete and check files
    Schema(super::schema::Schema),
    /// Print a script by which a shell completes commands
    Completions(super::completions::Completions),
    /// Print the man page, or write one for every command
    Man(super::man::Man),
}

/// An experiment file and what is changed of it on the command line.
#[derive(Args, Debug)]
pub struct Experiment {
    /// the experiment file
    pub file: PathBuf,
    /// seed of all random streams, in place of the file's
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,
    /// trials of every cell, in place of the file's (`1000000` and `1e6` are the same)
    #[arg(long, value_name = "N", value_parser = whole_number)]
    pub trials: Option<u64>,
    /// set any value of the file by its dotted path; the value is TOML (bare words and paths are taken as text)
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
}

/// Arguments of `run`.
#[derive(Args, Debug)]
#[command(after_help = help::RUN)]
pub struct Run {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub experiment: Experiment,
    /// worker threads; 0 takes all processors. The results are the same bits for any number
    #[arg(short, long, default_value_t = 0, value_name = "N", value_parser = threads)]
    pub jobs: usize,
    /// directory of the run [default: results/NAME]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// replace the record of another experiment or seed, or of more trials (fewer are added to)
    #[arg(long)]
    pub force: bool,
    /// simulate only part I of N of the trials (I from 1 to N) and leave one file for `merge`
    /// [default directory: results/NAME-shard-I-of-N]
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// stop after so long (`90`, `45s`, `30m`, `2h`) with exit code 3; the same command goes on from there. What a run does again when it
    /// goes on, such as resolving its cells, is not counted
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_hyphen_values = true)]
    pub max_time: Option<f64>,
    /// seconds between checkpoints: what a run may lose that is killed
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, allow_hyphen_values = true)]
    pub checkpoint: f64,
    /// draw no figures and write no report
    #[arg(long)]
    pub no_figures: bool,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// no progress on stderr
    #[arg(short, long)]
    pub quiet: bool,
}

/// Arguments of `merge`.
#[derive(Args, Debug)]
#[command(after_help = help::MERGE)]
pub struct Merge {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub experiment: Experiment,
    /// the shards that `run --shard` left, as files, directories, or directories of such, in any order; together all trials, each once
    #[arg(required = true, value_name = "SHARD")]
    pub shards: Vec<PathBuf>,
    /// worker threads; 0 takes all processors
    #[arg(short, long, default_value_t = 0, value_name = "N", value_parser = threads)]
    pub jobs: usize,
    /// directory of the run [default: results/NAME]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// replace the record of another run
    #[arg(long)]
    pub force: bool,
    /// draw no figures and write no report
    #[arg(long)]
    pub no_figures: bool,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// no progress on stderr
    #[arg(short, long)]
    pub quiet: bool,
}

/// Arguments of `plan`.
#[derive(Args, Debug)]
#[command(after_help = help::PLAN)]
pub struct Plan {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub experiment: Experiment,
    /// worker threads that the time is predicted for; 0 takes all processors
    #[arg(short, long, default_value_t = 0, value_name = "N", value_parser = threads)]
    pub jobs: usize,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Arguments of `check`.
#[derive(Args, Debug)]
#[command(after_help = help::CHECK)]
pub struct Check {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub experiment: Experiment,
}

/// Arguments of `report`.
#[derive(Args, Debug)]
#[command(after_help = help::REPORT)]
pub struct Report {
    /// directory of a finished run
    pub dir: PathBuf,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Arguments of `replay`.
#[derive(Args, Debug)]
#[command(after_help = help::REPLAY)]
pub struct Replay {
    /// directory of a finished run, or an experiment file
    #[arg(value_name = "DIR|FILE")]
    pub of: PathBuf,
    /// the cell, as results call it (`epsilon=1 allocation=even`), or its number from 1
    pub cell: String,
    /// the trial, from 0
    #[arg(value_parser = whole_number)]
    pub trial: u64,
    /// where the files of data lie that a run names: the folder of its experiment file [default: looked for in the run's directory,
    /// here, and in `experiments`]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// seed of all random streams, in place of the run's
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,
    /// values that the run was given on the command line
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Arguments of `verify`.
#[derive(Args, Debug)]
#[command(after_help = help::VERIFY)]
pub struct Verify {
    /// directories of finished runs, or experiment files, which are run without leaving a record
    #[arg(required_unless_present = "controls", value_name = "DIR|FILE")]
    pub paths: Vec<PathBuf>,
    /// judge outcomes with known faults, which must be found, and the same without, which must pass
    #[arg(long, conflicts_with_all = ["paths", "seeds", "seed", "trials", "set"])]
    pub controls: bool,
    /// probability with which a run that is true in everything fails, at most (Holm's rule within a run)
    #[arg(long, default_value_t = crate::verify::LEVEL, value_name = "P")]
    pub level: f64,
    /// run experiment files with so many seeds, one after another, and test whether p values are uniform across them: for each statistic
    /// Kolmogorov and Smirnov's one-sided test of too many small ones, adjusted by Holm's rule
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=100_000))]
    pub seeds: Option<u64>,
    /// seed of the runs of experiment files (with --seeds: the first), in place of the files' own
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,
    /// trials of every cell in the runs of experiment files, in place of the files' own
    #[arg(long, value_name = "N", value_parser = whole_number)]
    pub trials: Option<u64>,
    /// set any value of the experiment files by its dotted path
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// worker threads; 0 takes all processors
    #[arg(short, long, default_value_t = 0, value_name = "N", value_parser = threads)]
    pub jobs: usize,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// no progress on stderr
    #[arg(short, long)]
    pub quiet: bool,
}

/// Arguments of `compare`.
#[derive(Args, Debug)]
#[command(after_help = help::COMPARE)]
pub struct Compare {
    /// directory of a run; the committed results of an experiment will do
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// directory of the run that is put beside it
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// probability of calling anything moved in two runs of one truth, at most (Holm's rule over all numbers); with a margin, of calling a single
    /// number equivalent that is not
    #[arg(long, default_value_t = crate::verify::LEVEL, value_name = "P")]
    pub level: f64,
    /// differences that do not matter, as a share of A's number: 0.01 is one per cent
    #[arg(long, value_name = "SHARE", conflicts_with = "absolute_margin")]
    pub relative_margin: Option<f64>,
    /// differences that do not matter, in the number's own unit
    #[arg(long, value_name = "VALUE")]
    pub absolute_margin: Option<f64>,
    /// look only at the rows with this value of an axis
    #[arg(long = "where", value_name = "AXIS=VALUE", value_parser = assignment)]
    pub only: Vec<(String, String)>,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Forms of the result on stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// for reading on a terminal
    Text,
    /// one JSON document
    Json,
    /// comma-separated values, raw numbers
    Csv,
    /// tables for a README or an issue
    Markdown,
}

pub(super) fn whole_number(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    if let Ok(n) = plain.parse::<u64>() {
        return Ok(n);
    }
    match plain.parse::<f64>() {
        // beyond 2^53 it stands for several, but what counts trials has a lower limit, and says so
        Ok(x) if (0.0..=1e19).contains(&x) && x.fract() == 0.0 => Ok(x as u64),
        _ => Err(format!(
            "`{text}` is not a whole number from 0 on; write it as 1000000 or 1e6"
        )),
    }
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    let seed = text.replace('_', "").parse();
    seed.map_err(|_| format!("`{text}` is not a whole number from 0 to {}", u64::MAX))
}

/// More threads cost more than any machine gives back.
const MOST_THREADS: usize = 1024;

pub(super) fn threads(text: &str) -> Result<usize, String> {
    (text.parse().ok())
        .filter(|threads| *threads <= MOST_THREADS)
        .ok_or_else(|| format!("`{text}` is not a number of threads from 0 to {MOST_THREADS}"))
}

fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((index, of)) if 1 <= index && index <= of => Ok(Shard { index, of }),
        _ => Err(format!(
            "`{text}` is not of the form I/N with I from 1 to N, as in 3/8"
        )),
    }
}

/// Seconds of ten thousand days.
const LONGEST: f64 = 864e6;

fn seconds(text: &str) -> Result<f64, String> {
    let units = [
        ("s", 1.0),
        ("m", 60.0),
        ("min", 60.0),
        ("h", 3600.0),
        ("d", 86_400.0),
        ("", 1.0),
    ];
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = units
        .iter()
        .find(|(unit, _)| *unit == &text[number.len()..]);
    match (number.trim().parse::<f64>(), unit) {
        (Ok(number), Some((_, unit))) if number > 0.0 && number * unit <= LONGEST => {
            Ok(number * unit)
        }
        (Ok(number), Some(_)) if number > 0.0 => Err(format!(
            "`{text}` is longer than can be waited for: at most 10000d (27 years)"
        )),
        _ => Err(format!(
            "`{text}` is not a time above 0, such as 90, 45s, 30m, 2h or 1d"
        )),
    }
}

pub(super) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => {
            Ok((path.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!(
            "`{text}` is not of the form PATH=VALUE, as in budget.epsilon=0.5"
        )),
    }
}
