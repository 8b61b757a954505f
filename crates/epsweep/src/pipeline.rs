//! A run from plan to record, step by step. Nothing here prints; the command line and the tests call it.

use crate::claim::{self, ClaimError};
use crate::engine::{Kept, Progress, RunError};
use crate::figure::{self, Drawn, FigureError, Formats};
use crate::plan::Plan;
use crate::procedure::Task;
use crate::record::{
    ClaimRow, ComparisonRow, Contents, HistogramRow, Identity, Machine, Manifest, RecordError, Run,
    RunDir, SummaryRow, Times, utc,
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
    let (started, clock) = (SystemTime::now(), Instant::now());
    let (cells, stopped) = tallies(plan, plan.settings().trials, jobs, kept, progress, stop)?;
    Ok(Simulated {
        cells,
        stopped,
        started,
        finished: SystemTime::now(),
        seconds: clock.elapsed().as_secs_f64(),
    })
}

/// The tallies of all cells after so many trials, in the plan's order, and whether it was stopped before.
fn tallies(
    plan: &Plan,
    trials: u64,
    jobs: usize,
    kept: Kept<'_>,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<(Vec<CellTally>, bool), RunError> {
    let measures = plan.measures();
    let settings = plan.settings();
    let task = Task {
        seed: settings.seed,
        trials,
        jobs,
        pairs: plan.pairs(),
        measures: &measures,
        streams: settings.streams,
        level: settings.level,
        quantiles: settings.quantiles,
        kept,
    };
    let cells = Mutex::new(Vec::with_capacity(plan.study().len()));
    let take = |cell: CellTally| {
        let mut cells = cells.lock().unwrap_or_else(PoisonError::into_inner);
        cells.push(cell);
    };
    let outcome = (plan.study()).simulate(&task, progress, stop, &take)?;
    let mut cells = cells.into_inner().unwrap_or_else(PoisonError::into_inner);
    cells.sort_by_key(|cell| cell.cell);
    Ok((cells, outcome.stopped))
}

/// Means after the first trials, where a figure draws them. Those trials are simulated once more: a prefix of the run has an address like
/// any other, so the rows are those of a run with so many trials, however this one was made (in parts, or resumed).
fn settling(
    plan: &Plan,
    simulated: &Simulated,
    rows: &Rows,
    jobs: usize,
) -> Result<Vec<SummaryRow>, PipelineError> {
    let resolved = plan.resolved();
    let most = simulated.cells.iter().map(|cell| cell.trials).max();
    let (progress, stop) = (Progress::default(), AtomicBool::new(false));
    let mut earlier = Vec::new();
    for trials in summary::settling_trials(resolved, most.unwrap_or(0)) {
        earlier.push(tallies(plan, trials, jobs, Kept::default(), &progress, &stop)?.0);
    }
    Ok(summary::settling_rows(
        &earlier,
        &rows.summary.rows,
        resolved,
    )?)
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
    let convergence = settling(plan, simulated, rows, jobs)?;
    dir.write(&Contents {
        experiment: plan.text(),
        resolved: plan.resolved(),
        summary: &rows.summary.rows,
        comparisons: &rows.comparisons,
        claims: &rows.claims,
        histograms: &rows.histograms,
        convergence: &convergence,
    })?;
    let fonts: Vec<(&str, &[u8])> = (plan.fonts().iter())
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    dir.put_all(&fonts)?;
    let settings = plan.settings();
    let mut warnings = plan.warnings().to_vec();
    warnings.extend(rows.summary.warnings.iter().cloned());
    let mut manifest = Manifest::new(
        &identity(plan)?,
        settings.seed,
        settings.trials,
        simulated.digest(),
        warnings,
    );
    manifest.machine = Some(Machine::here(jobs, level().name()));
    manifest.times = Some(Times {
        started: utc(simulated.started),
        finished: utc(simulated.finished),
        simulate: simulated.seconds,
        summarise: rows.seconds,
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
    let drawn = figure::render_all(run, formats)?;
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
mod tests {
    use super::*;
    use crate::plan::Overrides;
    use std::path::Path;

    fn plan(trials: u64, figure: &str) -> Plan {
        let text = format!(
            "name = \"settling\"\ntrials = {trials}\n[data]\n\
             normal = {{ column = \"age\", mean = 40, sd = 15, rows = 50, seed = 1 }}\nneighbours = \"substitute\"\n\
             [data.columns]\nage = {{ bounds = [0, 120] }}\n[[query]]\nname = \"mean age\"\nmean = {{ column = \"age\" }}\n\
             [budget]\nepsilon = 1\n[procedure.release]\nnoise = \"laplace\"\n[sweep]\nepsilon = [1, 2]\n{figure}"
        );
        Plan::from_text("settling.toml", &text, Path::new(""), &Overrides::default())
            .unwrap_or_else(|errors| panic!("{errors}"))
    }

    fn made(plan: &Plan) -> (Simulated, Rows) {
        let (progress, stop) = (Progress::default(), AtomicBool::new(false));
        let simulated = simulate(plan, 1, Kept::default(), &progress, &stop).expect("tallies");
        let rows = rows(plan, &simulated).expect("rows");
        (simulated, rows)
    }

    #[test]
    fn means_after_fewer_trials_are_those_of_a_shorter_run() {
        let figure = "[[figure]]\nkind = \"convergence\"\nmeasure = \"abs_error\"\ncells = { epsilon = 2 }\n";
        let long = plan(1000, figure);
        let (simulated, of_all) = made(&long);
        let rows = settling(&long, &simulated, &of_all, 1).expect("rows");
        let trials: Vec<u64> = rows.iter().map(|row| row.trials).collect();
        assert_eq!(trials, [64, 128, 1000]);
        for row in &rows {
            assert_eq!((&*row.measure, &*row.statistic), ("abs_error", "mean"));
            assert!(
                row.cell.contains('2'),
                "only the cells of the figure: {}",
                row.cell
            );
            let (_, short) = made(&plan(row.trials, ""));
            let same = short.summary.rows.iter().find(|other| {
                other.cell == row.cell
                    && &*other.measure == "abs_error"
                    && &*other.statistic == "mean"
            });
            assert_eq!(same, Some(row));
        }
        let (simulated, of_all) = made(&plan(1000, ""));
        assert!(
            settling(&plan(1000, ""), &simulated, &of_all, 1)
                .expect("rows")
                .is_empty()
        );
    }
}
