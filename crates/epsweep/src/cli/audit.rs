//! `epsweep audit`

use super::arguments::{Format, assignment, seed, threads, whole_number};
use super::text::Align;
use super::{Failure, exit, interrupt, output, progress, text};
use crate::audit::{Audit, Report, end_all as end_programs};
use crate::config::diagnostic::Diagnostics;
use crate::engine::{Looker, Progress, beside};
use crate::figure::Formats;
use crate::pipeline;
use crate::record::{self, CsvText, number};
use crate::words::{about_percent, grouped, significant};
use clap::Args;
use epsweep_core::audit::Verdict;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  epsweep audit experiments/audits/laplace.toml
  epsweep audit mine.toml --trials 1e7 --format json

An audit file:
  name = \"mine\"
  trials = 1_000_000                  # runs on each input; half choose an event, half count it
  [mechanism.command]                 # or one of `epsweep list audits`
  run = [\"./mine.py\", \"{input}\", \"--runs\", \"{runs}\", \"--seed\", \"{seed}\"]
  [pair]                              # two data sets that differ in one record
  a = \"one.csv\"
  b = \"other.csv\"
  [claim]                             # or epsilon and delta, mu, rho, alpha and epsilon
  epsilon = 1

Without {input} the data set is on stdin; without {runs} every process gives one output.

Exit codes: 0 not violated, 2 a wrong command line, file or program, 4 violated (or not the verdict that a file expects), 5 the result could not be written.";

/// Arguments of `audit`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// audit files; several are answered one after the other
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// seed of all draws, in place of the file's
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,
    /// runs on each input, in place of the file's (`1000000` and `1e6` are the same)
    #[arg(long, value_name = "N", value_parser = whole_number)]
    pub trials: Option<u64>,
    /// set any value of the file by its dotted path; the value is TOML (bare words and paths are taken as text)
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// worker threads; 0 takes all processors. The results are the same bits for any number
    #[arg(short, long, default_value_t = 0, value_name = "N", value_parser = threads)]
    pub jobs: usize,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// put the results into the directory of a run, too, whose report then shows them
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
    /// no progress on stderr
    #[arg(short, long)]
    pub quiet: bool,
}

/// An audit and what it found.
type Audited = (Audit, Report);

/// Audits mechanisms and programs. Every file is read before anything is run.
pub fn audit(arguments: &Arguments) -> Result<u8, Failure> {
    super::instruction_set()?;
    let overrides = super::overrides(arguments.seed, arguments.trials, &arguments.set);
    let (audits, faults): (Vec<_>, Vec<_>) = (arguments.files.iter())
        .map(|file| Audit::load(file, &overrides))
        .partition(Result::is_ok);
    if let Some(faults) = Diagnostics::all(faults.into_iter().filter_map(Result::err).collect()) {
        return Err(or_experiment(&arguments.files, faults));
    }
    // a run that is not there is said before anything is audited
    let run_of = (arguments.into.as_deref()).map(record::read).transpose()?;
    let mut audited: Vec<Audited> = Vec::new();
    for audit in audits.into_iter().flatten() {
        let report = run(&audit, arguments)?;
        if arguments.format == Format::Text {
            // each as soon as it is there
            let gap = if audited.is_empty() { "" } else { "\n" };
            output::result(&format!("{gap}{}", words(&audit, &report)))?;
        }
        audited.push((audit, report));
    }
    output::result(&match arguments.format {
        Format::Text => String::new(),
        Format::Json => output::document(documents(&audited)),
        Format::Csv => csv(&audited),
        Format::Markdown => markdown(&audited),
    })?;
    if let Some(run) = run_of {
        let dir = run.dir;
        record::write_files(&dir, &[(record::names::AUDITS, csv(&audited).as_bytes())])?;
        pipeline::redraw(record::read(&dir)?, Formats::default())?;
    }
    let found = (audited.iter()).any(|(audit, report)| {
        let verdict = report.finding.verdict;
        verdict == Verdict::Violated || audit.expected.is_some_and(|expected| verdict != expected)
    });
    Ok(if found { exit::FOUND } else { exit::DONE })
}

/// Runs one, with progress on stderr.
fn run(audit: &Audit, arguments: &Arguments) -> Result<Report, Failure> {
    let (state, finished) = (Progress::default(), AtomicBool::new(false));
    let report = interrupt::heeding(|stop| {
        let lookers: Vec<Looker<'_>> = vec![
            Box::new(|| progress::watch(&state, &finished, arguments.quiet)),
            Box::new(|| end_when(stop, &finished)),
        ];
        beside(&finished, lookers, || audit.run(arguments.jobs, &state))
    })??;
    Ok(report)
}

/// What is wrong with files of audits, or that one of them is none but an experiment.
fn or_experiment(files: &[PathBuf], faults: Diagnostics) -> Failure {
    let experiment = ["query", "procedure", "budget", "sweep"];
    let mistaken = |file: &&PathBuf| {
        !super::has_key(file, &["mechanism"]) && super::has_key(file, &experiment)
    };
    match files.iter().find(mistaken) {
        Some(file) => Failure::Argument(format!(
            "{file} is an experiment and no audit: use `epsweep run {file}`",
            file = file.display()
        )),
        None => faults.into(),
    }
}

/// Ends this program, and those that it runs, when a signal comes: an audit keeps nothing.
fn end_when(stop: &AtomicBool, finished: &AtomicBool) {
    while !finished.load(Ordering::Acquire) {
        if stop.load(Ordering::Relaxed) {
            end_programs();
            interrupt::say();
            std::process::exit(interrupt::code().into());
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
}

/// Digits of a bound.
const DIGITS: i32 = 4;

fn words(audit: &Audit, report: &Report) -> String {
    let (finding, symbol) = (&report.finding, audit.reading().symbol());
    let short = |x: f64| significant(x, DIGITS);
    let expected = match audit.expected {
        Some(expected) if expected == finding.verdict => ", as expected".to_owned(),
        Some(expected) => format!(", where {} was expected", expected.name()),
        None => String::new(),
    };
    let [a, b] = &report.pair.inputs;
    let mut inputs = format!("{a} and {b}");
    if !report.pair.words.is_empty() {
        inputs += &format!(": {}", report.pair.words);
    }
    if report.pairs > 1 {
        inputs += &format!(", the worst of {} pairs", report.pairs);
    }
    let (likelier, other) = match report.likelier {
        0 => ("first", "second"),
        _ => ("second", "first"),
    };
    let lines = [
        ("verdict", format!("{}{expected}", finding.verdict.name())),
        (
            "certified",
            format!(
                "{symbol} ≥ {} with {} confidence{}",
                short(finding.bound),
                about_percent(audit.level),
                of_claim(finding.bound, audit.reading().claimed()),
            ),
        ),
        ("claimed", claim(audit)),
        (
            "at most",
            format!(
                "{symbol} ≥ {} could be certified with so many runs",
                short(finding.ceiling)
            ),
        ),
        ("inputs", inputs),
        ("event", report.event.clone()),
        (
            "happened",
            format!(
                "{} times in {} runs on the {likelier} input, {} times on the {other}",
                grouped(finding.hits[0]),
                grouped(finding.runs),
                grouped(finding.hits[1]),
            ),
        ),
        (
            "runs",
            format!(
                "{} on each input: half chose pair and event, half were counted; seed {}",
                grouped(audit.trials),
                audit.seed
            ),
        ),
    ];
    let mut out = format!("{}\n", audit.title);
    if !audit.question.is_empty() {
        out += &format!("{}\n", audit.question);
    }
    out.push('\n');
    for (name, text) in lines {
        out += &format!("{name:<9}  {text}\n");
    }
    out
}

/// The claim in words.
fn claim(audit: &Audit) -> String {
    let words = audit.reading().words();
    if audit.deployment {
        words + ", of the doubles that are released"
    } else {
        words
    }
}

/// How much of the claim the bound is, where that can be said.
fn of_claim(bound: f64, claimed: f64) -> String {
    if claimed == 0.0 {
        String::new()
    } else if bound > claimed {
        format!(", {} times the claim", significant(bound / claimed, 3))
    } else {
        format!(", {} of the claim", about_percent(bound / claimed))
    }
}

fn documents(audited: &[Audited]) -> serde_json::Value {
    let audits = (audited.iter()).map(|(audit, report)| document(audit, report));
    json!({ "audits": audits.collect::<Vec<_>>() })
}

fn document(audit: &Audit, report: &Report) -> serde_json::Value {
    let (finding, reading) = (&report.finding, audit.reading());
    json!({
        "name": audit.name,
        "title": audit.title,
        "question": audit.question,
        "mechanism": audit.mechanism,
        "seed": audit.seed,
        "trials": audit.trials,
        "confidence": audit.level,
        "claim": {
            "kind": reading.about().name,
            "words": reading.words(),
            "parameter": reading.symbol(),
            "value": reading.claimed(),
            "deployment": audit.deployment,
        },
        "verdict": finding.verdict.name(),
        "expected": audit.expected.map(Verdict::name),
        "certified": finding.bound,
        "certifiable": finding.ceiling,
        "pair": {
            "a": report.pair.inputs[0],
            "b": report.pair.inputs[1],
            "words": report.pair.words,
            "chosen_from": report.pairs,
        },
        "event": {
            "words": report.event,
            "likelier_on": if report.likelier == 0 { "a" } else { "b" },
            "hits": finding.hits,
            "runs": finding.runs,
            "probability_at_least": finding.p,
            "other_probability_at_most": finding.q,
        },
    })
}

const COLUMNS: [&str; 10] = [
    "audit",
    "title",
    "mechanism",
    "claim",
    "parameter",
    "claimed",
    "certified",
    "certifiable",
    "expected",
    "verdict",
];

fn row(audit: &Audit, report: &Report, digits: impl Fn(f64) -> String) -> Vec<String> {
    let (finding, reading) = (&report.finding, audit.reading());
    vec![
        audit.name.clone(),
        audit.title.clone(),
        audit.mechanism.clone(),
        claim(audit),
        reading.symbol().to_owned(),
        digits(reading.claimed()),
        digits(finding.bound),
        digits(finding.ceiling),
        audit.expected.map_or("", Verdict::name).to_owned(),
        finding.verdict.name().to_owned(),
    ]
}

fn csv(audited: &[Audited]) -> String {
    let mut table = CsvText::new(COLUMNS);
    for (audit, report) in audited {
        table.row(row(audit, report, number));
    }
    table.text()
}

fn markdown(audited: &[Audited]) -> String {
    let mut table = text::Table::new(&COLUMNS.map(|head| (head, Align::Left)));
    for (audit, report) in audited {
        table.row(row(audit, report, |x| significant(x, DIGITS)));
    }
    table.markdown()
}
