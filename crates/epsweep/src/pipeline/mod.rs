//! A run from plan to record, step by step. Nothing here prints; the command line and the tests call it.

mod error;
mod expected;
mod failed;
mod gather;
mod replay;
mod settling;
mod simulate;

pub use error::PipelineError;
pub use expected::{Expected, expected};
pub use gather::{Gathered, Gathering};
pub use replay::{Replayed, list_trials, replay, trial_measures};
pub use simulate::{Simulated, simulate, simulate_each};
pub(crate) use simulate::{collected, task};

use crate::figure::{self, Drawn, Formats};
use crate::plan::Plan;
use crate::record::{
    ClaimRow, ComparisonRow, Contents, HistogramRow, Identity, Machine, Manifest, Reached,
    RecordError, Resolved, Run, RunDir, Times, utc,
};
use crate::report;
use crate::summary::claims;
use crate::summary::{self, Precision, Summary};
use epsweep_core::random::level;
use error::whole;
use failed::{failed, words_of_failed};
use settling::settling;
use std::time::Instant;

/// The rows of all files.
#[derive(Debug)]
pub struct Rows {
    /// estimates and warnings
    pub summary: Summary,
    /// paired comparisons
    pub comparisons: Vec<ComparisonRow>,
    /// statements and verdicts
    pub claims: Vec<ClaimRow>,
    /// counts by value
    pub histograms: Vec<HistogramRow>,
    /// how precise the numbers became that had goals
    pub precision: Vec<Reached>,
    seconds: f64,
}

/// Which histograms the figures of an experiment draw.
fn drawn(resolved: &Resolved) -> impl Fn(usize, &str) -> bool + Sync + '_ {
    |cell, measure| figure::draws_histogram(resolved, cell, measure)
}

/// Estimates, comparisons, verdicts and histograms of finished tallies.
///
/// # Errors
/// A claim that the run cannot answer, or a plan that does not hold its cells.
pub fn rows(plan: &Plan, simulated: &Simulated) -> Result<Rows, PipelineError> {
    let clock = Instant::now();
    let resolved = whole(plan)?.resolved();
    let summary = summary::summarise(&simulated.cells, resolved)?;
    let comparisons = summary::comparisons(&simulated.cells, resolved)?;
    let claims = claims::evaluate(plan.claims(), resolved, &summary.rows, &comparisons)?;
    let histograms = summary::histogram_rows(&simulated.cells, resolved, &drawn(resolved));
    let mut precision = match Precision::new(resolved)? {
        Some(precision) => precision.reached(&simulated.cells),
        None => Vec::new(),
    };
    for reached in &mut precision {
        // what has fewer trials than it may have was found precise enough, if by quantiles from histograms
        reached.met |= reached.trials < resolved.trials;
    }
    Ok(Rows {
        precision,
        summary,
        comparisons,
        claims,
        histograms,
        seconds: clock.elapsed().as_secs_f64(),
    })
}

/// What makes the run of a plan this run and no other.
///
/// # Errors
/// The resolved experiment cannot be written as JSON.
pub fn identity(plan: &Plan) -> Result<Identity, RecordError> {
    match plan.hash_of_cells() {
        None => Identity::of(plan.resolved(), plan.claims()),
        Some(hash) => Identity::of_hashed(plan.resolved(), hash.to_owned(), plan.claims()),
    }
}

/// Writes the record of a run, with figures in `formats` and reports unless it is `None`, and reads it back. Tallies and rows are given up
/// before anything is drawn, which needs their memory.
///
/// # Errors
/// A file cannot be written, or a figure cannot be drawn.
pub fn record(
    mut dir: RunDir,
    plan: &Plan,
    mut simulated: Simulated,
    rows: Rows,
    jobs: usize,
    formats: Option<Formats>,
) -> Result<Recorded, PipelineError> {
    // of cells that are gathered there is none: a plan of them has no figure that draws it
    let convergence = settling(plan, &simulated, &rows, jobs)?;
    dir.write(&Contents {
        experiment: plan.text(),
        resolved: plan.resolved(),
        summary: &rows.summary.rows,
        comparisons: &rows.comparisons,
        claims: &rows.claims,
        histograms: &rows.histograms,
        convergence: &convergence,
    })?;
    let made = Made {
        digest: simulated.digest(),
        warnings: rows.summary.warnings,
        precision: rows.precision,
        summarise: rows.seconds,
    };
    drop((rows.summary.rows, rows.comparisons, rows.histograms));
    simulated.cells = Vec::new();
    seal(dir, plan, &simulated, made, jobs, formats)
}

/// As [`record`], of a run whose cells were gathered while they were simulated.
///
/// # Errors
/// A cell could not be gathered, a file cannot be written, or a figure cannot be drawn.
pub fn record_gathered(
    mut dir: RunDir,
    plan: &Plan,
    simulated: &Simulated,
    gathering: Gathering<'_>,
    jobs: usize,
    formats: Option<Formats>,
) -> Result<Recorded, PipelineError> {
    let clock = Instant::now();
    let Gathered { digest, warnings } = gathering.finish(&mut dir)?;
    let made = Made {
        digest,
        warnings,
        precision: Vec::new(),
        summarise: clock.elapsed().as_secs_f64(),
    };
    seal(dir, plan, simulated, made, jobs, formats)
}

/// What the manifest says of the rows.
struct Made {
    digest: String,
    warnings: Vec<String>,
    precision: Vec<Reached>,
    summarise: f64,
}

/// Reads the numbers of a run back, draws its figures and writes its manifest.
fn seal(
    mut dir: RunDir,
    plan: &Plan,
    simulated: &Simulated,
    made: Made,
    jobs: usize,
    formats: Option<Formats>,
) -> Result<Recorded, PipelineError> {
    let settings = plan.settings();
    let mut warnings = plan.warnings().to_vec();
    warnings.extend(made.warnings);
    let failed = failed(plan, simulated);
    warnings.extend(words_of_failed(&failed));
    let mut manifest = Manifest::new(
        &identity(plan)?,
        settings.seed,
        settings.trials,
        made.digest,
        warnings,
    );
    manifest.file = plan.file().map(str::to_owned);
    manifest.notes = plan.notes().to_vec();
    manifest.precision = made.precision;
    manifest.failed = failed;
    manifest.machine = Some(Machine::here(jobs, level().name()));
    manifest.times = Some(Times {
        started: utc(simulated.started),
        finished: utc(simulated.finished),
        simulate: simulated.seconds,
        summarise: made.summarise,
    });
    let fonts: Vec<(&str, &[u8])> = (plan.fonts().iter())
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    dir.put_all(&fonts)?;
    let run = dir.read_back(&manifest)?;
    let drawn = match formats {
        None => Vec::new(),
        Some(formats) => draw(&run, &mut dir, formats)?,
    };
    let manifest = dir.finish(&manifest)?;
    Ok(Recorded {
        run: Run { manifest, ..run },
        drawn,
    })
}

/// A run with its record.
#[derive(Debug)]
pub struct Recorded {
    /// what the directory says
    pub run: Run,
    /// its figures
    pub drawn: Vec<Drawn>,
}

/// Draws the figures of a finished run and writes its reports again.
///
/// # Errors
/// A figure cannot be drawn, or a file cannot be written.
pub fn redraw(run: Run, formats: Formats) -> Result<Recorded, PipelineError> {
    let mut dir = RunDir::reopen(&run)?;
    let drawn = draw(&run, &mut dir, formats)?;
    let manifest = dir.finish(&run.manifest)?;
    Ok(Recorded {
        run: Run { manifest, ..run },
        drawn,
    })
}

fn draw(run: &Run, dir: &mut RunDir, formats: Formats) -> Result<Vec<Drawn>, PipelineError> {
    // of a run that was not read whole there is a report alone
    let drawn = match run.left_out() {
        0 => figure::render_all(run, formats)?,
        _ => Vec::new(),
    };
    let files: Vec<(&str, &[u8])> = (drawn.iter().flat_map(|figure| &figure.files))
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    dir.put_all(&files)?;
    let reports = report::files(run, &summary::answer(run), &drawn);
    let files: Vec<(&str, &[u8])> = (reports.iter())
        .map(|(name, text)| (&**name, text.as_bytes()))
        .collect();
    dir.put_all(&files)?;
    Ok(drawn)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::engine::{Kept, Progress};
    use crate::plan::Overrides;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    pub fn plan(trials: impl std::fmt::Display, figure: &str) -> Plan {
        plan_at(Path::new(""), trials, figure)
    }

    fn plan_at(base: &Path, trials: impl std::fmt::Display, figure: &str) -> Plan {
        let text = format!(
            "name = \"settling\"\ntrials = {trials}\n[data]\n\
             normal = {{ column = \"age\", mean = 40, sd = 15, rows = 50, seed = 1 }}\nneighbours = \"substitute\"\n\
             [data.columns]\nage = {{ bounds = [0, 120] }}\n[[query]]\nname = \"mean age\"\nmean = {{ column = \"age\" }}\n\
             [budget]\nepsilon = 1\n[procedure.release]\nnoise = \"laplace\"\n[sweep]\nepsilon = [1, 2]\n{figure}"
        );
        Plan::from_text("settling.toml", &text, base, &Overrides::default())
            .unwrap_or_else(|errors| panic!("{errors}"))
    }

    pub fn made(plan: &Plan) -> (Simulated, Rows) {
        let (progress, stop) = (Progress::default(), AtomicBool::new(false));
        let simulated = simulate(plan, 1, Kept::default(), &progress, &stop).expect("tallies");
        let rows = rows(plan, &simulated).expect("rows");
        (simulated, rows)
    }

    #[test]
    fn fonts_are_files_of_the_run_also_after_it_is_drawn_again() {
        let place = tempfile::tempdir().expect("a folder");
        let font = dejavu::serif::regular();
        std::fs::write(place.path().join("serif.ttf"), font).expect("a font");
        let figure = "[[figure]]\nkind = \"bars\"\nfonts = [\"serif.ttf\"]\n";
        let plan = plan_at(place.path(), 100, figure);
        let (simulated, rows) = made(&plan);
        let id = identity(&plan).expect("an identity");
        let state = RunDir::open(&place.path().join("run"), &id, false).expect("a place");
        let crate::record::State::New(dir) = state else {
            panic!("there is something already");
        };
        let formats = Formats {
            pdf: false,
            ..Formats::default()
        };
        let recorded = record(dir, &plan, simulated, rows, 1, Some(formats)).expect("a run");
        let named = &recorded.run.resolved.figures[0].fonts[0];
        let copied = std::fs::read(recorded.run.dir.join(named)).expect("the copy");
        assert!(copied == font);
        let files = recorded.run.manifest.files.clone();
        assert!(files.contains_key(named));
        let again = redraw(recorded.run, formats).expect("the run");
        assert_eq!(again.run.manifest.files, files);
    }
}
