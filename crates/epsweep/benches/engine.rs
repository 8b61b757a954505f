//! The original experiment's inner loop: two ways of splitting ε = 1 among three queries. Divide the median by the number of
//! items for the time per trial.

use divan::counter::ItemsCount;
use epsweep::engine::{Kept, Progress};
use epsweep::measure::{self, Measure};
use epsweep::procedure::release::{Request, run};
use epsweep::procedure::{Quantiles, Streams};
use epsweep::study::release::{Address, Origin, ReleaseCell, ReleaseQuery};
use epsweep_core::budget::{Budget, Epsilon};
use epsweep_core::noise::{Laplace, Noise};
use epsweep_core::sensitivity::Sensitivity;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() {
    divan::main();
}

fn cell(id: &str, scales: [f64; 3]) -> ReleaseCell {
    let names = ["mean age", "max age", "over 60"];
    let query = |i: usize| {
        let sensitivity = Sensitivity {
            l1: scales[i],
            l2: scales[i],
        };
        let one = Budget::Pure(Epsilon::new(1.0).expect("1 is positive"));
        let noise = Laplace::calibrate(sensitivity, Some(one)).expect("a normal scale");
        let noise: Arc<dyn Noise> = Arc::new(noise);
        ReleaseQuery {
            name: String::from(names[i]),
            truth: 50.0,
            floor: 0.0,
            parameter: None,
            weight: 1.0,
            noise,
            origin: Origin::Noise(Address::single(names[i])),
        }
    };
    ReleaseCell {
        id: String::from(id),
        queries: (0..3).map(query).collect(),
        rows: 1000,
        ..ReleaseCell::default()
    }
}

fn article() -> Vec<ReleaseCell> {
    vec![
        cell("even", [0.36, 360.0, 3.0]),
        cell("proportional", [121.12; 3]),
    ]
}

/// 13 ε × 7 allocations.
fn grid() -> Vec<ReleaseCell> {
    let scale = |i: usize| f64::from(i as u32 + 1);
    (0..91)
        .map(|i| {
            cell(
                &format!("{i}"),
                [scale(i), 30.0 * scale(i % 7), scale(i / 7)],
            )
        })
        .collect()
}

fn simulate(
    bencher: divan::Bencher<'_, '_>,
    cells: Vec<ReleaseCell>,
    measures: &[&str],
    pairs: &[(usize, usize)],
    trials: u64,
) {
    let measures: Vec<&'static dyn Measure> = measure::REGISTRY
        .iter()
        .copied()
        .filter(|m| match measures {
            [] => measure::USUAL.iter().any(|u| u.about() == m.about()),
            chosen => chosen.contains(&m.about().name),
        })
        .collect();
    let request = Request {
        seed: 42,
        trials,
        jobs: 1,
        cells: &cells,
        pairs,
        measures: &measures,
        streams: Streams::Common,
        level: 0.95,
        quantiles: Quantiles::Histogram,
        until: None,
        kept: Kept::default(),
        on_error: Default::default(),
    };
    bencher.counter(ItemsCount::new(trials)).bench(|| {
        let sink = |cell| {
            divan::black_box(cell);
        };
        run(
            &request,
            &Progress::default(),
            &AtomicBool::new(false),
            &sink,
        )
    });
}

const ORIGINAL: &[&str] = &["abs_error", "max_abs_error", "rmse"];

#[divan::bench(args = [5_000, 1 << 20], sample_count = 15)]
fn original_measures(bencher: divan::Bencher<'_, '_>, trials: u64) {
    simulate(bencher, article(), ORIGINAL, &[], trials);
}

#[divan::bench(args = [1 << 20], sample_count = 9)]
fn original_measures_compared(bencher: divan::Bencher<'_, '_>, trials: u64) {
    simulate(bencher, article(), ORIGINAL, &[(1, 0)], trials);
}

#[divan::bench(args = [1 << 20], sample_count = 9)]
fn all_measures(bencher: divan::Bencher<'_, '_>, trials: u64) {
    simulate(bencher, article(), &[], &[], trials);
}

#[divan::bench(args = [1 << 20], sample_count = 9)]
fn one_cell(bencher: divan::Bencher<'_, '_>, trials: u64) {
    simulate(bencher, article()[..1].to_vec(), ORIGINAL, &[], trials);
}

#[divan::bench(args = [1 << 17], sample_count = 9)]
fn grid_of_91_cells(bencher: divan::Bencher<'_, '_>, trials: u64) {
    simulate(bencher, grid(), ORIGINAL, &[], trials);
}
