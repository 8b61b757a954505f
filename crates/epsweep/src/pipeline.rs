//! A run from plan to record, step by step. Nothing here prints; the command line and the tests call it.

use crate::claim::{self, ClaimError};
use crate::engine::{Kept, Progress, RunError};
use crate::figure::{self, Drawn, FigureError, Formats};
use crate::gather::{Gathered, Gathering};
use crate::plan::Plan;
use crate::procedure::Task;
use crate::record::{
    ClaimRow, ComparisonRow, Contents, HistogramRow, Identity, Machine, Manifest, RecordError, Run,
    RunDir, Times, utc,
};
use crate::report;
use crate::summary::{self, Summary};
use crate::tally::{CellTally, RunDigest};
use epsweep_core::random::level;
use epsweep_core::statistics::StatisticsError;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

/// Why a run did not come to its record.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// the simulation could not be run
    #[error(transparent)]
    Run(#[from] RunError),
    /// estimates could not be made
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// a claim speaks of something that the run does not have
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// a figure could not be drawn
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// the record could not be written or read
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Finished tallies of all cells.
#[derive(Debug)]
pub struct Simulated {
    /// the cells, in the plan's order
    pub cells: Vec<CellTally>,
    /// whether it was stopped before all cells were finished
    pub stopped: bool,
    started: SystemTime,
    finished: SystemTime,
    seconds: f64,
}

impl Simulated {
    /// Hash over all tallies: equal digests mean equal numbers.
    pub fn digest(&self) -> String {
        let mut digest = RunDigest::default();
        self.cells.iter().for_each(|cell| digest.insert(cell));
        digest.finish()
    }

    /// Seconds that the simulation took.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }
}

/// Simulates every cell of a plan on `jobs` threads (0: as many as there are processors), or what is left of them after what `kept` knows;
/// of a shard, no cell comes out. The bits depend on none of it.
///
/// # Errors
/// Threads cannot be started.
pub fn simulate(
    plan: &Plan,
    jobs: usize,
    kept: Kept<'_>,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<Simulated, RunError> {
    let cells = Mutex::new(Vec::with_capacity(plan.study().len()));
    let take = |cell: CellTally| {
        let mut cells = cells.lock().unwrap_or_else(PoisonError::into_inner);
        cells.push(cell);
    };
    let simulated = simulate_each(plan, jobs, kept, progress, stop, &take)?;
    let mut cells = cells.into_inner().unwrap_or_else(PoisonError::into_inner);
    cells.sort_by_key(|cell| cell.cell);
    Ok(Simulated { cells, ..simulated })
}

/// As [`simulate`]; cells are handed to `take` as they are finished, from any thread and in any order, and not kept.
///
/// # Errors
/// Threads cannot be started.
pub fn simulate_each(
    plan: &Plan,
    jobs: usize,
    kept: Kept<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    take: &(dyn Fn(CellTally) + Sync),
) -> Result<Simulated, RunError> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let measures = plan.measures();
    let settings = plan.settings();
    let task = Task {
        seed: settings.seed,
        trials: settings.trials,
        jobs,
        pairs: plan.pairs(),
        measures: &measures,
        streams: settings.streams,
        level: settings.level,
        quantiles: settings.quantiles,
        kept,
    };
    let outcome = (plan.study()).simulate(&task, progress, stop, take)?;
    Ok(Simulated {
        cells: Vec::new(),
        stopped: outcome.stopped,
        started,
        finished: SystemTime::now(),
        seconds: clock.elapsed().as_secs_f64(),
    })
}

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
    seconds: f64,
}

/// Estimates, comparisons, verdicts and histograms of finished tallies.
///
/// # Errors
/// A claim that the run cannot answer.
pub fn rows(plan: &Plan, simulated: &Simulated) -> Result<Rows, PipelineError> {
    let clock = Instant::now();
    let resolved = plan.resolved();
    let summary = summary::summarise(&simulated.cells, resolved)?;
    let comparisons = summary::comparisons(&simulated.cells, resolved)?;
    let claims = claim::evaluate(plan.claims(), resolved, &summary.rows, &comparisons)?;
    let histograms = summary::histogram_rows(&simulated.cells, resolved);
    Ok(Rows {
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
    Identity::of(plan.resolved(), plan.claims())
}

/// Writes the record of a run, with figures in `formats` and reports unless it is `None`, and reads it back.
///
/// # Errors
/// A file cannot be written, or a figure cannot be drawn.
pub fn record(
    mut dir: RunDir,
    plan: &Plan,
    simulated: &Simulated,
    rows: &Rows,
    jobs: usize,
    formats: Option<Formats>,
) -> Result<Recorded, PipelineError> {
    dir.write(&Contents {
        experiment: plan.text(),
        resolved: plan.resolved(),
        summary: &rows.summary.rows,
        comparisons: &rows.comparisons,
        claims: &rows.claims,
        histograms: &rows.histograms,
    })?;
    let made = Made {
        digest: simulated.digest(),
        warnings: rows.summary.warnings.clone(),
        summarise: rows.seconds,
    };
    seal(dir, plan, simulated, made, jobs, formats)
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
        summarise: clock.elapsed().as_secs_f64(),
    };
    seal(dir, plan, simulated, made, jobs, formats)
}

/// What the manifest says of the rows.
struct Made {
    digest: String,
    warnings: Vec<String>,
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
    let mut manifest = Manifest::new(
        &identity(plan)?,
        settings.seed,
        settings.trials,
        made.digest,
        warnings,
    );
    manifest.machine = Some(Machine::here(jobs, level().name()));
    manifest.times = Some(Times {
        started: utc(simulated.started),
        finished: utc(simulated.finished),
        simulate: simulated.seconds,
        summarise: made.summarise,
    });
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
