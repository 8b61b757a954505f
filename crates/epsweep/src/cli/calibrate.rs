//! `epsweep calibrate`

use super::arguments::{Experiment, Format, threads, whole_number};
use super::text::{Align, Table};
use super::{Failure, exit, interrupt, load, output, progress};
use crate::calibrate::{self, CalibrateError, Calibration, FILES, Judgement, Settings, TOLERANCE};
use crate::engine::{Looker, Progress, beside};
use crate::pipeline::PipelineError;
use crate::record;
use crate::words::{grouped, percent, several};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

const EXAMPLES: &str = "\
Examples:
  epsweep calibrate experiments/calibration/intervals.toml
  epsweep calibrate question.toml --trials 1000 --repeats 2000

Runs the experiment many times with few trials and counts how often each interval holds the value that theory knows (or, where it knows none,
that of a run of --reference trials), and how often adjusted p values call a difference where there is none.

Exit codes: 0 every interval covers as it says or a warning was given, 2 a wrong command line or file, 4 an interval covers less often and
nothing said so, 5 the record could not be written, 130 interrupted.";

/// Arguments of `calibrate`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub experiment: Experiment,
    /// number of runs, each with the trials of the file
    #[arg(long, default_value = "20000", value_name = "N", value_parser = whole_number)]
    pub repeats: u64,
    /// trials of the one long run that stands in where theory is silent [default: 1000 times those of the file]
    #[arg(long, value_name = "N", value_parser = whole_number)]
    pub reference: Option<u64>,
    /// worker threads; 0 takes all processors. The results are the same bits for any number
    #[arg(short, long, default_value_t = 0, value_name = "N", value_parser = threads)]
    pub jobs: usize,
    /// directory of the record [default: results/NAME-calibration]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// no progress on stderr
    #[arg(short, long)]
    pub quiet: bool,
}

/// Repeats beyond this would take days, and say no more.
const MOST_REPEATS: u64 = 10_000_000;

/// Repeats an experiment, and writes tables, figures and a report.
pub fn calibrate(arguments: &Arguments) -> Result<u8, Failure> {
    if !(1..=MOST_REPEATS).contains(&arguments.repeats) {
        return Err(Failure::Argument(format!(
            "--repeats {} is not between 1 and {MOST_REPEATS}: 20000 tell coverages to 0.3 points in a hundred",
            arguments.repeats
        )));
    }
    let plan = load(&arguments.experiment)?;
    let out = (arguments.out.clone()).unwrap_or_else(|| {
        PathBuf::from("results").join(format!("{}-calibration", plan.settings().name))
    });
    calibrate::place_is_free(&out)?;
    std::fs::create_dir_all(&out)
        .map_err(crate::record::RecordError::io("create the directory", &out))?;
    let trials = plan.settings().trials;
    let settings = Settings {
        repeats: arguments.repeats,
        reference: arguments
            .reference
            .unwrap_or(trials.saturating_mul(1000))
            .max(2),
        jobs: arguments.jobs,
    };
    if !arguments.quiet {
        output::note(&format!(
            "{} of {} × {}, and a run of {}, to {}; --repeats and --trials make it shorter, --out puts it elsewhere",
            several(settings.repeats, "run"),
            several(plan.resolved().cells.len() as u64, "cell"),
            several(trials, "trial"),
            several(settings.reference, "trial"),
            out.display(),
        ));
    }
    let (state, finished) = (Progress::default(), AtomicBool::new(false));
    let found = interrupt::heeding(|stop| {
        let watcher: Looker<'_> = Box::new(|| progress::watch(&state, &finished, arguments.quiet));
        beside(&finished, vec![watcher], || {
            calibrate::calibrate(&plan, &settings, &state, stop)
        })
    })?
    .map_err(failure)?;
    let Some(found) = found else {
        interrupt::say();
        return Ok(interrupt::code());
    };
    if found.stopped {
        output::note(&format!(
            "interrupted after {} of {}: what was counted so far is shown, and no record of it is written; run it again for all",
            grouped(found.repeats),
            several(found.asked, "repeat")
        ));
        output::result(&match arguments.format {
            Format::Text => format!(
                "{} of {}\n{}",
                grouped(found.repeats),
                several(found.asked, "repeat"),
                kinds(&found).text()
            ),
            Format::Markdown => kinds(&found).markdown(),
            Format::Csv => calibrate::coverages(&found),
            Format::Json => output::document(document(&found)),
        })?;
        return Ok(interrupt::code());
    }
    let files = calibrate::files(&plan, &found).map_err(PipelineError::from)?;
    let files: Vec<(&str, &[u8])> = (files.iter())
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    record::write_files(&out, &files)?;
    output::result(&match arguments.format {
        Format::Text => format!(
            "{}\n\n{}\ntable      {}\nreport     {}\n",
            calibrate::answer(&found),
            kinds(&found).text(),
            out.join(FILES[0]).display(),
            out.join(record::names::REPORT_HTML).display(),
        ),
        Format::Markdown => kinds(&found).markdown(),
        Format::Csv => calibrate::coverages(&found),
        Format::Json => output::document(document(&found)),
    })?;
    Ok(if found.passed() {
        exit::DONE
    } else {
        exit::FOUND
    })
}

fn failure(error: CalibrateError) -> Failure {
    match error {
        CalibrateError::Run(error) => PipelineError::Run(error).into(),
        CalibrateError::Statistics(error) => PipelineError::Statistics(error).into(),
        CalibrateError::Threads(_) | CalibrateError::NoTrials => {
            Failure::Argument(error.to_string())
        }
    }
}

fn kinds(of: &Calibration) -> Table {
    let mut table = Table::new(&[
        ("interval of", Align::Left),
        ("statistics", Align::Right),
        ("least", Align::Right),
        ("most", Align::Right),
        ("nominal", Align::Right),
        ("as computed", Align::Right),
        ("warned", Align::Right),
        ("wide", Align::Right),
        ("short", Align::Right),
    ]);
    for group in of.groups() {
        let shares = || of.group(group).map(calibrate::Coverage::share);
        let mut row = vec![
            group.name(),
            of.group(group).count().to_string(),
            percent(shares().fold(1.0, f64::min)),
            percent(shares().fold(0.0, f64::max)),
        ];
        row.extend(
            [
                Judgement::Nominal,
                Judgement::AsComputed,
                Judgement::Warned,
                Judgement::Wide,
                Judgement::Short,
            ]
            .map(|wanted| {
                (of.group(group))
                    .filter(|of| of.judgement == wanted)
                    .count()
                    .to_string()
            }),
        );
        table.row(row);
    }
    table
}

fn document(of: &Calibration) -> serde_json::Value {
    json!({
        "passed": of.passed(),
        "trials": of.trials,
        "repeats": of.repeats,
        "asked": of.asked,
        "reference": of.reference,
        "level": of.level,
        "tolerance": TOLERANCE,
        "coverages": of.coverages.iter().map(|of| json!({
            "cell": of.name.cell,
            "subject": of.name.subject,
            "measure": of.name.measure,
            "statistic": of.name.statistic,
            "truth": of.truth,
            "exact": of.exact,
            "repeats": of.repeats,
            "without": of.without,
            "covered": of.covered,
            "below": of.below,
            "above": of.above,
            "coverage": of.share(),
            "expected": of.expected,
            "warned": of.warned_share(),
            "judgement": of.judgement.name(),
        })).collect::<Vec<_>>(),
        "families": of.families.iter().map(|of| json!({
            "axes": of.axes,
            "subject": of.subject,
            "measure": of.measure,
            "nulls": of.nulls,
            "comparisons": of.comparisons,
            "repeats": of.repeats,
            "errors": of.errors,
            "share": of.share(),
            "too_many": of.too_many,
        })).collect::<Vec<_>>(),
    })
}
