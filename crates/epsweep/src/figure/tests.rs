//! What every figure must keep to, whatever the numbers.

use super::*;
use crate::record::{ResolvedFigure, Run};

const ALLOCATIONS: [&str; 4] = ["even", "proportional", "optimal-mse", "optimal-mae"];

fn spec(kind: &str) -> ResolvedFigure {
    ResolvedFigure {
        kind: kind.to_owned(),
        name: kind.to_owned(),
        measure: None,
        cells: BTreeMap::new(),
        size: None,
        scale: None,
        title: None,
    }
}

fn article() -> Run {
    sample::run(&[1.0], &ALLOCATIONS, 5000)
}

/// Every kind in every size and scale, for the measures that it can show.
fn variants() -> Vec<ResolvedFigure> {
    let mut all = Vec::new();
    for kind in REGISTRY {
        for size in ["one-column", "two-columns", "slide"] {
            for (scale, measure) in [(None, None), (Some("log"), Some("abs_error")), (Some("linear"), Some("rmse")), (None, Some("answer"))] {
                let mut figure = spec(kind.about().name);
                figure.name = format!("{}-{size}-{}", figure.kind, measure.unwrap_or("usual"));
                figure.size = Some(size.to_owned());
                figure.scale = scale.map(str::to_owned);
                figure.measure = measure.map(str::to_owned);
                all.push(figure);
            }
        }
    }
    all
}

/// Writes pictures to look at, where the environment asks for them.
fn look(run: &Run, figures: &[ResolvedFigure], folder: &str) {
    if let Ok(place) = std::env::var("EPSWEEP_LOOK") {
        let mut run = run.clone();
        run.resolved.figures = figures.to_vec();
        draw_all(&run, &Path::new(&place).join(folder), Formats::default()).expect("figures are written");
    }
}

#[test]
fn nothing_overlaps_or_leaves_the_page() {
    for (folder, run) in [("article", article()), ("sweep", sample::run(&[0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0], &ALLOCATIONS, 2000))] {
        let figures: Vec<ResolvedFigure> = variants();
        let mut shown = Vec::new();
        let mut faults = Vec::new();
        for figure in figures {
            match draw(&run, &figure) {
                Ok(drawing) => {
                    faults.extend(drawing.canvas.faults().into_iter().map(|f| format!("{} of {folder}: {f}", figure.name)));
                    shown.push(figure);
                }
                Err(FigureError::NoNumericAxis(_)) => assert_eq!(folder, "article"),
                Err(other) => panic!("{}: {other}", figure.name),
            }
        }
        assert!(shown.len() >= 4 * 12);
        look(&run, &shown, folder);
        assert_eq!(faults, Vec::<String>::new());
    }
}
