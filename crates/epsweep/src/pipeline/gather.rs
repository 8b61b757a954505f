//! Runs of many cells: every cell is estimated and written as soon as its trials are in, and forgotten.
//!
//! What stays in memory until the end is, of a cell, its hash and the places of its rows; of the comparisons, those whose families (among
//! which p values are adjusted) are not complete; and the rows that claims are about.

use super::PipelineError;
use crate::plan::{Batch, Plan};
use crate::record::{ClaimRow, ComparisonRow, PairNames, Pieces, RunDir, Spools, SummaryRow};
use crate::summary::claims;
use crate::summary::{self, Estimator, Warnings};
use crate::tally::{CellTally, RunDigest};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Cells on their way to the files.
#[derive(Debug)]
pub struct Gathering<'a> {
    plan: &'a Plan,
    /// of each cell, whether a claim is about it
    claimed: Vec<bool>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    spools: Spools,
    digest: RunDigest,
    warnings: Warnings,
    /// of claimed cells
    rows: Vec<(usize, Vec<SummaryRow>)>,
    /// of claimed cells
    comparisons: Vec<(usize, Vec<ComparisonRow>)>,
    sets: Sets,
    /// why nothing more is gathered
    error: Option<PipelineError>,
}

/// What was gathered of a run.
#[derive(Debug)]
pub struct Gathered {
    /// the hash of all tallies
    pub digest: String,
    /// what a reader should know
    pub warnings: Vec<String>,
}

impl<'a> Gathering<'a> {
    /// Of the cells of a plan, in the directory of its run.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn new(plan: &'a Plan, dir: &RunDir) -> Result<Gathering<'a>, PipelineError> {
        let resolved = plan.resolved();
        let axes: Vec<String> = resolved.axes.iter().map(|a| a.name.clone()).collect();
        let sets = Sets::new(plan);
        let spools = dir.spools(axes, sets.shown.clone(), plan.len())?;
        Ok(Gathering {
            plan,
            claimed: claimed(plan),
            state: Mutex::new(State {
                spools,
                digest: RunDigest::default(),
                warnings: Warnings::default(),
                rows: Vec::new(),
                comparisons: Vec::new(),
                sets,
                error: None,
            }),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a finished cell of a batch, from any thread and in any order. `false` says that going on is of no use: [`Gathering::finish`] has the reason.
    pub fn take(&self, batch: &Batch<'_>, cell: CellTally) -> bool {
        let taken = self.try_take(batch, cell);
        let mut state = self.lock();
        if let Err(error) = taken {
            state.error.get_or_insert(error);
        }
        state.error.is_none()
    }

    /// Why cells could not be taken, if so.
    pub fn error(&self) -> Option<PipelineError> {
        self.lock().error.take()
    }

    fn try_take(&self, batch: &Batch<'_>, mut cell: CellTally) -> Result<(), PipelineError> {
        let (number, resolved) = (batch.number(cell.cell), batch.resolved());
        // all that takes time is done by the thread that brings the cell
        let (sheet, warnings) = Estimator::new(resolved)?.cell(&cell)?;
        let rows = sheet.rows;
        let histograms = summary::histogram_rows(
            std::slice::from_ref(&cell),
            resolved,
            &super::drawn(resolved),
        );
        let pieces = Pieces::new(&rows, &histograms, resolved.axes.len())?;
        // from here on by the numbers of the plan
        cell.cell = number;
        for pair in &mut cell.pairs {
            pair.against = batch.number(pair.against);
        }
        let hash = cell.digest();
        summary::keep_compared(&mut cell, resolved.level)?;
        let mut state = self.lock();
        state.digest.insert_hash(number, hash);
        state.warnings.merge(number, warnings);
        state.spools.put(number, &pieces)?;
        if self.claimed[number] {
            state.rows.push((number, rows));
        }
        let Some(mut set) = state.sets.put(cell) else {
            return Ok(());
        };
        drop(state);
        set.sort_by_key(|cell| cell.cell);
        let names = |a, b| {
            let axes = &self.plan.resolved().axes;
            PairNames::new(axes, self.plan.labels(a), self.plan.labels(b))
        };
        let rows = summary::comparisons_named(&set, resolved.level, &names)?;
        let mut rows = rows.into_iter();
        for cell in &set {
            let compared = (cell.pairs.iter()).filter(|pair| summary::is_compared(pair));
            let rows: Vec<ComparisonRow> = rows.by_ref().take(compared.count()).collect();
            let claimed = |other: usize| self.claimed[cell.cell] || self.claimed[other];
            let wanted = cell.pairs.iter().any(|pair| claimed(pair.against));
            let mut state = self.lock();
            state.spools.compare(cell.cell, &rows)?;
            if wanted {
                state.comparisons.push((cell.cell, rows));
            }
        }
        Ok(())
    }

    /// Judges the claims and writes all files but figures, reports and the manifest.
    ///
    /// # Errors
    /// A claim speaks of something that the run does not have, or a file cannot be written.
    pub fn finish(self, dir: &mut RunDir) -> Result<Gathered, PipelineError> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let State {
            mut spools,
            digest,
            warnings,
            rows,
            comparisons,
            ..
        } = state;
        let plan = self.plan;
        let about: Vec<usize> = (0..plan.len()).filter(|cell| self.claimed[*cell]).collect();
        let resolved = plan.resolved_with(&about)?;
        let (rows, comparisons) = (in_order(rows), in_order(comparisons));
        let claims: Vec<ClaimRow> =
            claims::evaluate(plan.claims(), &resolved, &rows, &comparisons)?;
        dir.write_spooled(plan.text(), &plan.to_write(), &claims, &mut spools)?;
        Ok(Gathered {
            digest: digest.finish(),
            warnings: warnings.sentences(),
        })
    }
}

/// The rows in the order of their cells.
fn in_order<R>(mut rows: Vec<(usize, Vec<R>)>) -> Vec<R> {
    rows.sort_by_key(|(cell, _)| *cell);
    rows.into_iter().flat_map(|(_, rows)| rows).collect()
}

/// Of each cell, whether a claim is about it.
fn claimed(plan: &Plan) -> Vec<bool> {
    let resolved = plan.resolved();
    let wanted: Vec<Vec<(usize, &String)>> = (plan.claims().iter())
        .flat_map(|claim| claim.kind.cells())
        .map(|labels| {
            let place = |name: &String| resolved.axes.iter().position(|axis| axis.name == *name);
            (labels.iter())
                .filter_map(|(name, label)| Some((place(name)?, label)))
                .collect()
        })
        .collect();
    let about = |labels: Vec<&str>| {
        (wanted.iter()).any(|of| of.iter().all(|(axis, label)| labels[*axis] == **label))
    };
    let cells = 0..plan.len();
    match wanted.is_empty() {
        true => vec![false; plan.len()],
        false => cells.map(|cell| about(plan.labels(cell))).collect(),
    }
}

/// Cells whose comparisons are adjusted together: all that have a family in common, directly or through others.
#[derive(Debug)]
struct Sets {
    /// of each cell, the set that it is in: that with the number of its first cell
    of: Vec<u32>,
    /// of each cell, whether it is compared with another
    compared: Vec<bool>,
    /// of each set, the cells that are still to come
    left: Vec<u32>,
    /// of each set that has begun, what is known of its cells
    open: HashMap<u32, Vec<CellTally>>,
    /// the axes in which the cells of some pair agree; all where there are no pairs
    shown: Vec<usize>,
}

impl Sets {
    fn new(plan: &Plan) -> Sets {
        let pairs = plan.pairs();
        let mut of: Vec<u32> = (0..plan.len() as u32).collect();
        let mut shown = vec![pairs.is_empty(); plan.resolved().axes.len()];
        let mut compared = vec![false; of.len()];
        let mut families: HashMap<u64, usize> = HashMap::new();
        for (a, b) in pairs {
            // a family is of the labels in which the two cells agree; two families with the same hash would wait for each other, no more
            let (left, right) = (plan.labels(*a), plan.labels(*b));
            let mut hasher = DefaultHasher::new();
            for (axis, (left, right)) in left.iter().zip(right).enumerate() {
                if *left == right {
                    shown[axis] = true;
                    (axis, left).hash(&mut hasher);
                }
            }
            compared[*a] = true;
            let first = *families.entry(hasher.finish()).or_insert(*a);
            let (first, second) = (root(&mut of, first), root(&mut of, *a));
            of[first.max(second)] = first.min(second) as u32;
        }
        let mut left = vec![0; of.len()];
        for cell in 0..of.len() {
            let root = root(&mut of, cell);
            of[cell] = root as u32;
            left[root] += u32::from(compared[cell]);
        }
        Sets {
            of,
            compared,
            left,
            open: HashMap::new(),
            shown: (0..shown.len()).filter(|axis| shown[*axis]).collect(),
        }
    }

    /// Takes a cell, and gives its whole set back if it was the last of it.
    fn put(&mut self, cell: CellTally) -> Option<Vec<CellTally>> {
        if !self.compared[cell.cell] {
            return None;
        }
        let set = self.of[cell.cell];
        self.open.entry(set).or_default().push(cell);
        let left = &mut self.left[set as usize];
        *left -= 1;
        if *left > 0 {
            return None;
        }
        self.open.remove(&set)
    }
}

/// The first cell of a cell's set. Paths are halved on the way, so that the next question is answered sooner.
fn root(of: &mut [u32], mut cell: usize) -> usize {
    while of[cell] as usize != cell {
        let next = of[of[cell] as usize];
        of[cell] = next;
        cell = next as usize;
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Kept, Progress};
    use crate::pipeline;
    use crate::plan::Overrides;
    use crate::record::State as Place;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    /// Two compared axes of three, a claim across sets, an undefined measure, a histogram that a figure draws.
    const EXPERIMENT: &str = r#"
name = "gathered"
trials = 600
[data]
normal = { column = "value", mean = 40, sd = 15, rows = 100, seed = 1 }
neighbours = "substitute"
[data.columns]
value = { bounds = [0, 120] }
[[query]]
name = "mean"
mean = { column = "value" }
[[query]]
name = "none"
count = { where = "value > 119" }
[budget]
epsilon = 1
composition = "basic"
[sweep]
epsilon = [0.5, 1, 2, 4]
allocation = ["even", "proportional", "optimal-mse"]
noise = ["laplace", "staircase"]
[compare]
baseline = { allocation = "even", noise = "laplace" }
[[claim]]
id = "less"
text = "more budget, less error"
verdict = "holds"
probability = { of = "win", measure = "rmse", subject = "all", a = { epsilon = 4, allocation = "even", noise = "laplace" }, b = { epsilon = 0.5, allocation = "even", noise = "laplace" }, at_least = 0.5 }
[[claim]]
id = "best"
text = "the optimum is best"
verdict = "holds"
best_on_axis = { of = "rmse.mean", cell = { epsilon = 1, noise = "laplace" }, axis = "allocation", claimed = "optimal-mse" }
[[figure]]
kind = "histogram"
measure = "rmse"
cells = { epsilon = 1, noise = "laplace" }
"#;

    fn plan(trials: u64) -> Plan {
        plan_in(None, trials)
    }

    fn plan_in(batch: Option<usize>, trials: u64) -> Plan {
        let overrides = Overrides::default().trials(trials);
        // a claim about pairs needs pairs: with one trial there are none
        let text = match trials {
            1 => EXPERIMENT.split("[[claim]]").next().unwrap(),
            _ => EXPERIMENT,
        };
        Plan::from_text_with(
            ("gathered.toml", text),
            Path::new(""),
            &overrides,
            (batch, &Default::default()),
        )
        .unwrap_or_else(|errors| panic!("{errors}"))
    }

    fn open(dir: &Path, plan: &Plan) -> RunDir {
        match RunDir::open(dir, &pipeline::identity(plan).unwrap(), false).unwrap() {
            Place::New(dir) => dir,
            _ => panic!("there is something already"),
        }
    }

    /// All files of numbers, and the digest and warnings.
    fn gathered(plan: &Plan, turned: bool) -> (Vec<Vec<u8>>, String, Vec<String>) {
        let place = tempfile::tempdir().unwrap();
        let mut dir = open(place.path(), plan);
        let gathering = Gathering::new(plan, &dir).unwrap();
        let (progress, stop) = (Progress::default(), AtomicBool::new(false));
        let mut cells = pipeline::simulate(plan, 1, Kept::default(), &progress, &stop)
            .unwrap()
            .cells;
        if turned {
            cells.reverse();
            cells.swap(3, 17);
        }
        let batch = plan.batches().next().unwrap().unwrap();
        for cell in cells {
            assert!(gathering.take(&batch, cell));
        }
        let Gathered { digest, warnings } = gathering.finish(&mut dir).unwrap();
        (files(place.path()), digest, warnings)
    }

    fn files(dir: &Path) -> Vec<Vec<u8>> {
        let names = [
            "experiment.toml",
            "resolved.json",
            "summary.csv",
            "comparisons.csv",
            "claims.csv",
            "histograms.csv",
        ];
        names
            .map(|name| std::fs::read(dir.join(name)).unwrap())
            .into()
    }

    #[test]
    fn what_is_gathered_is_what_a_run_in_memory_writes() {
        // with one trial nothing is compared, which shows other columns than the plan lets expect
        for trials in [1, 600] {
            let plan = plan(trials);
            let place = tempfile::tempdir().unwrap();
            let (progress, stop) = (Progress::default(), AtomicBool::new(false));
            let simulated =
                pipeline::simulate(&plan, 1, Kept::default(), &progress, &stop).unwrap();
            let rows = pipeline::rows(&plan, &simulated).unwrap();
            let dir = open(place.path(), &plan);
            let recorded = pipeline::record(dir, &plan, simulated, rows, 1, None).unwrap();
            let mut warnings = plan.warnings().to_vec();
            let wanted = files(place.path());
            for turned in [false, true] {
                let (files, digest, own) = gathered(&plan, turned);
                assert_eq!(files, wanted);
                assert_eq!(digest, recorded.run.manifest.digest);
                warnings.truncate(plan.warnings().len());
                warnings.extend(own);
                assert_eq!(warnings, recorded.run.manifest.warnings);
            }
        }
    }

    #[test]
    fn batches_make_the_run_that_a_whole_plan_makes() {
        for trials in [1, 600] {
            let whole = plan(trials);
            let wanted = gathered(&whole, false);
            // pairs across batches, an odd rest, a batch that is nearly all
            for size in [1, 5, 23] {
                let plan = plan_in(Some(size), trials);
                assert!(plan.is_batched() && plan.resolved().cells.is_empty());
                assert_eq!(plan.len(), 24);
                assert_eq!(
                    pipeline::identity(&plan).unwrap(),
                    pipeline::identity(&whole).unwrap()
                );
                assert_eq!(plan.warnings(), whole.warnings());
                let place = tempfile::tempdir().unwrap();
                let mut dir = open(place.path(), &plan);
                let gathering = Gathering::new(&plan, &dir).unwrap();
                let (progress, stop) = (Progress::default(), AtomicBool::new(false));
                let take = |batch: &Batch<'_>, cell| assert!(gathering.take(batch, cell));
                let simulated =
                    pipeline::simulate_each(&plan, 2, Kept::default(), &progress, &stop, &take)
                        .unwrap();
                assert!(!simulated.stopped);
                assert_eq!(progress.done(), progress.total());
                let Gathered { digest, warnings } = gathering.finish(&mut dir).unwrap();
                assert_eq!((files(place.path()), digest, warnings), wanted, "{size}");
            }
        }
    }

    #[test]
    fn what_needs_all_cells_at_once_says_so() {
        let plan = plan_in(Some(5), 2);
        let (progress, stop) = (Progress::default(), AtomicBool::new(false));
        let refused = [
            pipeline::simulate(&plan, 1, Kept::default(), &progress, &stop).map(|_| ()),
            pipeline::replay(&plan, 0, 0).map(|_| ()),
        ];
        for refused in refused {
            let error = refused.unwrap_err();
            assert!(matches!(error, PipelineError::Batched(24)), "{error}");
        }
    }

    #[test]
    fn a_set_is_complete_with_its_last_cell() {
        let plan = plan(2);
        let mut sets = Sets::new(&plan);
        let cell = |cell| CellTally {
            cell,
            trials: 2,
            outcomes: Vec::new(),
            pairs: Vec::new(),
            fit: None,
            exact: Vec::new(),
            failed: Default::default(),
        };
        // at each ε one cell differs from the baseline in its noise, two in their allocation, two in both: three families; the claim compares
        // baselines, in a family of its own
        let sizes: Vec<Option<usize>> = (0..24)
            .map(|i| sets.put(cell(i)).map(|set| set.len()))
            .collect();
        let full: Vec<usize> = (0..24).filter(|i| sizes[*i].is_some()).collect();
        assert_eq!(sizes.iter().flatten().sum::<usize>(), 21, "{sizes:?}");
        assert_eq!(full.len(), 3 * 4 + 1, "{sizes:?}");
        assert!(sets.open.is_empty());
    }
}
