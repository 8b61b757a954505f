//! The original experiment beside what its users could write instead: prints one line per figure, to be read by
//! `scripts/bench-peers` and the like. `cargo bench -p epsweep --bench peers`.
//!
//! ```text
//! sample <TAB> NAME <TAB> ns/sample <TAB> X
//! seed <TAB> NAME <TAB> threads=T <TAB> N=n <TAB> ns/trial <TAB> X <TAB> trials/s <TAB> Y
//! ```
//!
//! A trial answers three queries under two allocations. A run is simulation and estimates: of ten rows the mean, the standard
//! deviation and seven quantiles with their errors and intervals. One thread is measured in process CPU time, which a busy
//! neighbour does not change, two in wall time. Medians. Pass `long` for a hundred million trials, `once` for nothing but two
//! runs of 5000 trials for a profiler (`once laws` with exact values).

mod clock;

use clock::{cpu, median, wall};
use epsweep::engine::{Kept, Progress};
use epsweep::plan::{Overrides, Plan};
use epsweep::procedure::release::{Request, run};
use epsweep::procedure::{Quantiles, Streams};
use epsweep::summary::{quantile_ranks, summarise};
use epsweep_core::random::{Draws, Level, Source, StandardLaw, level};
use std::hint::black_box;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

const EXPERIMENT: &str = r#"
name = "peers"
measures = ["abs_error", "max_abs_error", "rmse"]
[data]
csv = "data/ages.csv"
neighbours = "substitute"
[data.columns]
age = { bounds = [0, 120] }
[[query]]
name = "mean age"
mean = { column = "age" }
[[query]]
name = "max age"
max = { column = "age" }
[[query]]
name = "over 60"
count = { where = "age > 60" }
[budget]
epsilon = 1
[procedure.release]
noise = "laplace"
[sweep]
allocation = ["even", "proportional"]
"#;

/// Simulates and estimates. `exact` asks for the exact values that the estimates stand beside.
#[inline(never)]
fn experiment(plan: &Plan, trials: u64, jobs: usize, quantiles: Quantiles, exact: bool) {
    let measures = plan.measures();
    let request = Request {
        seed: 42,
        trials,
        jobs,
        cells: plan.cells(),
        pairs: &[],
        measures: &measures,
        streams: Streams::Common,
        level: 0.95,
        quantiles,
        until: None,
        kept: Kept::default(),
        on_error: Default::default(),
    };
    let cells = Mutex::new(Vec::new());
    let sink = |mut cell: epsweep::tally::CellTally| {
        if !exact {
            cell.outcomes.iter_mut().for_each(|o| o.law = None);
        }
        cells.lock().expect("no panic before").push(cell);
    };
    let (progress, stop) = (Progress::default(), AtomicBool::new(false));
    run(&request, &progress, &stop, &sink).expect("a sound request");
    let cells = cells.into_inner().expect("no panic before");
    black_box(summarise(&cells, plan.resolved()).expect("a sound level"));
}

fn sample(law: StandardLaw, at: Level) {
    const CHUNK: usize = 4096;
    const CHUNKS: u64 = 256;
    let mut draws = Draws::with_level(at, 1, CHUNK, &[Source::new("bench", law, 1)]);
    let mut next = 0;
    let seconds = median(cpu, 15, || {
        for _ in 0..CHUNKS {
            next += 1;
            draws.go_to(next);
            black_box(draws.row(0, 0));
        }
    });
    let variates = (CHUNKS * CHUNK as u64) as f64;
    println!(
        "sample\tepsweep {} [{}]\tns/sample\t{:.4}",
        law.name(),
        at.name(),
        seconds / variates * 1e9
    );
}

fn seed(name: &str, threads: usize, trials: u64, seconds: f64) {
    let n = trials as f64;
    println!(
        "seed\tepsweep {name} [{}]\tthreads={threads}\tN={trials}\tns/trial\t{:.3}\ttrials/s\t{:.4e}",
        level().name(),
        seconds / n * 1e9,
        n / seconds
    );
}

fn main() {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let plan = Plan::from_text("peers.toml", EXPERIMENT, &base, &Overrides::default())
        .expect("a sound experiment");
    let asked = |word: &str| std::env::args().any(|argument| argument == word);
    if asked("once") {
        for _ in 0..2 {
            experiment(&plan, 5000, 1, Quantiles::Histogram, asked("laws"));
        }
        return;
    }
    for law in [
        StandardLaw::Laplace,
        StandardLaw::Exponential,
        StandardLaw::Normal,
        StandardLaw::Gumbel,
    ] {
        Level::available()
            .into_iter()
            .for_each(|at| sample(law, at));
    }
    let exact = Quantiles::Exact {
        ranks: quantile_ranks,
    };
    for (trials, calls) in [(5000, 301), (1 << 20, 11)] {
        for (name, quantiles, laws) in [
            ("log-hist", Quantiles::Histogram, false),
            ("exact quantiles", exact, false),
            ("log-hist, beside exact values", Quantiles::Histogram, true),
        ] {
            let run = || experiment(&plan, trials, 1, quantiles, laws);
            let calls = if laws { 11 } else { calls };
            seed(name, 1, trials, median(cpu, calls, run));
        }
    }
    let (trials, calls) = match asked("long") {
        true => (100_000_000, 3),
        false => (1 << 20, 11),
    };
    for threads in [1, 2] {
        let run = || experiment(&plan, trials, threads, Quantiles::Histogram, false);
        seed(
            "log-hist, wall time",
            threads,
            trials,
            median(wall, calls, run),
        );
    }
}
