//! A run from plan to record, step by step. Nothing here prints; the command line and the tests call it.

use crate::claim::{self, ClaimError};
use crate::engine::{Kept, Progress, RunError, TrialDraws};
use crate::figure::{self, Drawn, FigureError, Formats};
use crate::gather::{Gathered, Gathering};
use crate::measure::{self, Measure};
use crate::plan::Plan;
use crate::procedure::{Judge, Quantiles, Single, Task, Until};
use crate::record::{
    ClaimRow, ComparisonRow, Contents, FailedCell, FailedOne, HistogramRow, Identity, Machine,
    Manifest, Reached, RecordError, Run, RunDir, SummaryRow, Times, utc,
};
use crate::report;
use crate::summary::{self, Precision, Summary};
use crate::tally::{CellTally, Failed, FailedTrial, RunDigest};
use crate::words::{grouped, several};
use epsweep_core::random::level;
use epsweep_core::statistics::StatisticsError;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

/// Why a run did not come to its record.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// the simulation could not be run
    #[error(transparent)]
    Run(RunError),
    /// a trial failed, and ends the run
    #[error(
        "a trial failed: cell {cell}, chunk {}, trial {}, seed {seed}: {}\nto see it alone: epsweep replay FILE '{cell}' {} --seed {seed}\nto go on without such trials, and have them counted: on_error = \"record\" at the top of the file",
        failed.chunk, failed.trial, failed.why, failed.trial
    )]
    Failed {
        /// canonical text of the cell
        cell: String,
        /// seed of all streams
        seed: u64,
        /// the trial
        failed: FailedTrial,
    },
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
    /// the cells in which trials failed
    pub failed: BTreeMap<usize, Failed>,
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
/// Threads cannot be started, or a trial failed.
pub fn simulate(
    plan: &Plan,
    jobs: usize,
    kept: Kept<'_>,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<Simulated, PipelineError> {
    let (cells, simulated) =
        collected(|take| simulate_each(plan, jobs, kept, progress, stop, take))?;
    Ok(Simulated { cells, ..simulated })
}

/// The cells that a simulation takes, in the plan's order, and what it gives besides.
fn collected<T, E>(
    simulate: impl FnOnce(&(dyn Fn(CellTally) + Sync)) -> Result<T, E>,
) -> Result<(Vec<CellTally>, T), E> {
    let cells = Mutex::new(Vec::new());
    let given = simulate(&|cell| {
        let mut cells = cells.lock().unwrap_or_else(PoisonError::into_inner);
        cells.push(cell);
    })?;
    let mut cells = cells.into_inner().unwrap_or_else(PoisonError::into_inner);
    cells.sort_by_key(|cell: &CellTally| cell.cell);
    Ok((cells, given))
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
) -> Result<Simulated, PipelineError> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let measures = plan.measures();
    let precision = Precision::new(plan.resolved())?;
    let until = (plan.resolved().target.as_ref())
        .zip(precision.as_ref())
        .map(|(target, judge)| Until {
            at_least: target.at_least,
            judge,
        });
    let task = Task {
        until,
        kept,
        ..task(plan, jobs, &measures)
    };
    let failed = Mutex::new(BTreeMap::new());
    let note = |mut cell: CellTally| {
        if cell.failed.trials > 0 {
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            failed.insert(cell.cell, std::mem::take(&mut cell.failed));
        }
        take(cell);
    };
    let outcome = (plan.study())
        .simulate(&task, progress, stop, &note)
        .map_err(|error| of_plan(plan, error))?;
    Ok(Simulated {
        cells: Vec::new(),
        failed: failed.into_inner().unwrap_or_else(PoisonError::into_inner),
        stopped: outcome.stopped,
        started,
        finished: SystemTime::now(),
        seconds: clock.elapsed().as_secs_f64(),
    })
}

/// An error of a simulation, with the name of the cell.
fn of_plan(plan: &Plan, error: RunError) -> PipelineError {
    match error {
        RunError::Failed { cell, seed, failed } => PipelineError::Failed {
            cell: plan.resolved().cells[cell].id.clone(),
            seed,
            failed,
        },
        other => PipelineError::Run(other),
    }
}

/// One trial of one cell.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// its draws
    pub drawn: Vec<TrialDraws>,
    /// subject, measure and value of every number that came of it; NaN where it is undefined
    pub values: Vec<(String, &'static str, f64)>,
    /// why it failed, if so
    pub failed: Option<String>,
}

/// Simulates one trial of one cell again. The numbers are those that entered the run, of the measures that it reports, and of the answers
/// and their errors besides.
///
/// # Errors
/// The experiment has no trials that could be simulated.
pub fn replay(plan: &Plan, cell: usize, trial: u64) -> Result<Replayed, PipelineError> {
    let chosen = plan.measures();
    let wanted = |measure: &&'static dyn Measure| {
        let name = measure.about().name;
        let usual = ["answer", "error"].contains(&name) && measure::suits(*measure, plan.study());
        usual || chosen.iter().any(|known| known.about().name == name)
    };
    let measures: Vec<&'static dyn Measure> =
        measure::REGISTRY.iter().copied().filter(wanted).collect();
    let drawn = Mutex::default();
    let task = Task {
        pairs: &[],
        quantiles: Quantiles::Histogram,
        kept: Kept {
            single: Some(Single {
                cell,
                trial,
                drawn: &drawn,
            }),
            ..Kept::default()
        },
        ..task(plan, 1, &measures)
    };
    let (values, failed) = (Mutex::new(Vec::new()), Mutex::new(None));
    let take = |cell: CellTally| {
        let first = cell.failed.first.into_iter().next();
        *failed.lock().unwrap_or_else(PoisonError::into_inner) = first.map(|failed| failed.why);
        let mut values = values.lock().unwrap_or_else(PoisonError::into_inner);
        for outcome in cell.outcomes {
            let value = match outcome.moments.n {
                0 => f64::NAN,
                _ => outcome.moments.mean,
            };
            values.push((outcome.subject, outcome.measure, value));
        }
    };
    let never = AtomicBool::new(false);
    (plan.study())
        .simulate(&task, &Progress::default(), &never, &take)
        .map_err(|error| of_plan(plan, error))?;
    Ok(Replayed {
        failed: failed.into_inner().unwrap_or_else(PoisonError::into_inner),
        drawn: drawn.into_inner().unwrap_or_else(PoisonError::into_inner),
        values: values.into_inner().unwrap_or_else(PoisonError::into_inner),
    })
}

/// The task of a plan with a fixed number of trials, of which nothing is kept.
fn task<'a>(plan: &'a Plan, jobs: usize, measures: &'a [&'static dyn Measure]) -> Task<'a> {
    let settings = plan.settings();
    Task {
        seed: settings.seed,
        trials: settings.trials,
        jobs,
        pairs: plan.pairs(),
        measures,
        streams: settings.streams,
        level: settings.level,
        quantiles: settings.quantiles,
        until: None,
        kept: Kept::default(),
        on_error: settings.on_error,
    }
}

/// About how many trials a target takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// trials of the cells that need fewest
    pub least: u64,
    /// trials of those that need most
    pub most: u64,
    /// trials of a cell in the mean
    pub mean: f64,
    /// trials of each cell that this was found from
    pub pilot: u64,
}

/// Trials of a pilot.
const PILOT: u64 = 4096;

/// Cells beyond which a pilot would take longer than whoever plans a run waits.
const MOST_PILOTS: usize = 1000;

/// How many trials the target of a plan will take, from a few trials of every cell; `None` without a target, and where the cells are too many.
///
/// # Errors
/// As of [`simulate`].
pub fn expected(plan: &Plan, jobs: usize) -> Result<Option<Expected>, PipelineError> {
    let resolved = plan.resolved();
    let (Some(target), Some(precision)) = (&resolved.target, Precision::new(resolved)?) else {
        return Ok(None);
    };
    if plan.study().len() > MOST_PILOTS {
        return Ok(None);
    }
    let pilot = Pilot {
        precision,
        found: Mutex::default(),
    };
    let trials = PILOT.min(target.at_least);
    let measures = plan.measures();
    let task = Task {
        trials,
        until: Some(Until {
            at_least: trials,
            judge: &pilot,
        }),
        quantiles: Quantiles::Histogram,
        kept: Kept::default(),
        ..task(plan, jobs, &measures)
    };
    let never = AtomicBool::new(false);
    (plan.study())
        .simulate(&task, &Progress::default(), &never, &|_| ())
        .map_err(|error| of_plan(plan, error))?;
    let found = (pilot.found.into_inner()).unwrap_or_else(PoisonError::into_inner);
    let mut expected = Expected {
        least: target.at_most,
        most: target.at_least,
        mean: 0.0,
        pilot: trials,
    };
    let cells: usize = found.iter().map(|(_, cells)| cells).sum();
    for (needed, of) in found {
        // a float beyond the range becomes the largest whole number
        let trials = (trials as f64 * needed).ceil() as u64;
        let trials = trials.clamp(target.at_least, target.at_most);
        expected.least = expected.least.min(trials);
        expected.most = expected.most.max(trials);
        expected.mean += trials as f64 * of as f64 / cells as f64;
    }
    Ok(Some(expected))
}

/// Judges as a target does, and notes what it found.
#[derive(Debug)]
struct Pilot<'a> {
    precision: Precision<'a>,
    /// how many times as many trials a team needs, and its cells
    found: Mutex<Vec<(f64, usize)>>,
}

impl Judge for Pilot<'_> {
    fn needed(&self, cells: &[CellTally]) -> f64 {
        let needed = self.precision.needed(cells);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.push((needed, cells.len()));
        needed
    }
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
    /// how precise the numbers became that had goals
    pub precision: Vec<Reached>,
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

/// Means after the first trials, where a figure draws them. Those trials are simulated once more: a prefix of the run has an address like
/// any other, so the rows are those of a run with so many trials, however this one was made (in parts, resumed, or until it was precise).
fn settling(
    plan: &Plan,
    simulated: &Simulated,
    rows: &Rows,
    jobs: usize,
) -> Result<Vec<SummaryRow>, PipelineError> {
    let resolved = plan.resolved();
    let most = simulated.cells.iter().map(|cell| cell.trials).max();
    let measures = plan.measures();
    let (progress, stop) = (Progress::default(), AtomicBool::new(false));
    let mut earlier = Vec::new();
    for trials in summary::settling_trials(resolved, most.unwrap_or(0)) {
        // means alone are wanted
        let task = Task {
            trials,
            pairs: &[],
            quantiles: Quantiles::Histogram,
            ..task(plan, jobs, &measures)
        };
        let (cells, _) = collected(|take| (plan.study()).simulate(&task, &progress, &stop, take))
            .map_err(|error| of_plan(plan, error))?;
        earlier.extend(summary::settling_means(&cells, resolved)?);
    }
    Ok(summary::settling_rows(
        earlier,
        &rows.summary.rows,
        resolved,
    ))
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
    // of cells that are gathered there is none: a plan of them has no figure that draws it
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
    let made = Made {
        digest: simulated.digest(),
        warnings: rows.summary.warnings.clone(),
        precision: rows.precision.clone(),
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

/// The trials of a run that failed, by cell.
fn failed(plan: &Plan, simulated: &Simulated) -> Vec<FailedCell> {
    let of_cell = |(cell, failed): (&usize, &Failed)| FailedCell {
        cell: plan.resolved().cells[*cell].id.clone(),
        trials: failed.trials,
        first: (failed.first.iter())
            .map(|failed| FailedOne {
                chunk: failed.chunk,
                trial: failed.trial,
                why: failed.why.clone(),
            })
            .collect(),
    };
    simulated.failed.iter().map(of_cell).collect()
}

/// What a reader should know of failed trials: how many there are, and the first of the cell that has most.
fn words_of_failed(failed: &[FailedCell]) -> Option<String> {
    let worst = failed.iter().rev().max_by_key(|cell| cell.trials)?;
    let first = worst.first.first()?;
    let all = failed.iter().map(|cell| cell.trials).sum();
    let cells = match failed.len() {
        1 => String::new(),
        many => format!(
            ", most ({}) in this one of {many} cells",
            grouped(worst.trials)
        ),
    };
    Some(format!(
        "{} failed and {} left out of what has no number in {}{cells}: the first of cell {} is trial {} (chunk {}): {}",
        several(all, "trial"),
        if all == 1 { "is" } else { "are" },
        if all == 1 { "it" } else { "them" },
        worst.cell,
        first.trial,
        first.chunk,
        first.why
    ))
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
mod tests {
    use super::*;
    use crate::plan::Overrides;
    use std::path::Path;

    fn plan(trials: impl std::fmt::Display, figure: &str) -> Plan {
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

    #[test]
    fn cells_that_stop_by_a_target_settle_as_far_as_they_come() {
        let figure = "[[figure]]\nkind = \"convergence\"\nmeasure = \"abs_error\"\n";
        let target = "{ precision = { absolute = 0.02, measure = \"abs_error\" }, at_least = 256, at_most = 100_000 }";
        let plan_of_target = plan(target, figure);
        let (simulated, of_all) = made(&plan_of_target);
        let [one, two] = [0, 1].map(|cell| simulated.cells[cell].trials);
        assert!(one > two, "the noise at ε = 2 is half of that at ε = 1");
        let rows = settling(&plan_of_target, &simulated, &of_all, 1).expect("rows");
        for (cell, trials) in plan_of_target.resolved().cells.iter().zip([one, two]) {
            let own: Vec<&SummaryRow> = rows.iter().filter(|row| row.cell == cell.id).collect();
            assert!(own.len() > 2 && own.is_sorted_by(|a, b| a.trials < b.trials));
            assert_eq!(own[own.len() - 1].trials, trials);
            let (_, short) = made(&plan(own[1].trials, ""));
            assert!(short.summary.rows.contains(own[1]));
        }
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
        let recorded = record(dir, &plan, &simulated, &rows, 1, Some(formats)).expect("a run");
        let named = &recorded.run.resolved.figures[0].fonts[0];
        let copied = std::fs::read(recorded.run.dir.join(named)).expect("the copy");
        assert!(copied == font);
        let files = recorded.run.manifest.files.clone();
        assert!(files.contains_key(named));
        let again = redraw(recorded.run, formats).expect("the run");
        assert_eq!(again.run.manifest.files, files);
    }
}
