//! What every figure must keep to, whatever the numbers.

mod numbers;
mod words;

use super::*;
use crate::record::{ResolvedFigure, Run};
use std::path::Path;

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
        ..ResolvedFigure::default()
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
            for (scale, measure) in [
                (None, None),
                (Some("log"), Some("abs_error")),
                (Some("linear"), Some("rmse")),
                (None, Some("answer")),
            ] {
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

/// Writes files of figures under a folder.
pub(crate) fn save(folder: &Path, drawn: &[Drawn]) {
    std::fs::create_dir_all(folder.join("figures")).expect("a folder");
    for (name, bytes) in drawn.iter().flat_map(|d| &d.files) {
        std::fs::write(folder.join(name), bytes).expect("a file");
    }
}

/// Writes pictures to look at, where the environment asks for them.
fn look(run: &Run, figures: &[ResolvedFigure], folder: &str) {
    if let Ok(place) = std::env::var("EPSWEEP_LOOK") {
        let mut run = run.clone();
        run.resolved.figures = figures.to_vec();
        save(
            &Path::new(&place).join(folder),
            &render_all(&run, Formats::default()).expect("figures"),
        );
    }
}

#[test]
fn nothing_overlaps_or_leaves_the_page() {
    for (folder, run) in [
        ("article", article()),
        (
            "sweep",
            sample::run(&[0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0], &ALLOCATIONS, 2000),
        ),
    ] {
        let figures: Vec<ResolvedFigure> = variants();
        let mut shown = Vec::new();
        let mut faults = Vec::new();
        for figure in figures {
            match draw(&run, &figure) {
                Ok(drawing) => {
                    faults.extend(
                        drawing
                            .canvas
                            .faults()
                            .into_iter()
                            .map(|f| format!("{} of {folder}: {f}", figure.name)),
                    );
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

fn named_figure(name: &str, kind: &str, measure: &str) -> ResolvedFigure {
    ResolvedFigure {
        name: name.to_owned(),
        measure: Some(measure.to_owned()),
        ..spec(kind)
    }
}

fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number =
        |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    (number(16), number(20))
}

#[test]
fn bytes_repeat() {
    let run = article();
    let formats = Formats {
        pdf: false,
        ..Formats::default()
    };
    let first = render_all(&run, formats).expect("figures");
    let again = render_all(&run, formats).expect("figures");
    assert!(!first.is_empty());
    for (a, b) in first.iter().zip(&again) {
        assert_eq!(a.files, b.files, "{}", a.name);
        assert_eq!(a.warnings, Vec::<String>::new());
    }
}

#[test]
fn files_have_the_size_of_the_page() {
    let mut run = article();
    let mut figure = spec("bars");
    figure.size = Some("one-column".to_owned());
    run.resolved.figures = vec![figure];
    let drawn = render_all(&run, Formats::default())
        .expect("figures")
        .remove(0);
    let file = |ending: &str| {
        &drawn
            .files
            .iter()
            .find(|f| f.0 == format!("figures/bars.{ending}"))
            .expect(ending)
            .1
    };
    // 85 mm at 192 dots per inch
    assert!((f64::from(png_size(file("png")).0) - 85.0 / 25.4 * 192.0).abs() < 2.0);
    let pdf = String::from_utf8_lossy(file("pdf"));
    let page = pdf
        .split("/MediaBox")
        .nth(1)
        .and_then(|rest| rest.split(']').next())
        .expect("a page");
    let width: f64 = page
        .split_whitespace()
        .filter_map(|w| w.trim_matches('[').parse().ok())
        .nth(2)
        .expect("a width");
    assert!((width - 85.0 / 25.4 * 72.0).abs() < 1.0, "{page}");
}

#[test]
fn without_figures_in_the_file_the_usual_ones_are_drawn() {
    let names = |run: &Run| specs(run).into_iter().map(|f| f.name).collect::<Vec<_>>();
    assert_eq!(
        names(&article()),
        [
            "differences-max-abs-error",
            "bars-max-abs-error",
            "budget-shares",
            "box-max-abs-error",
            "histogram-max-abs-error",
            "z-scores"
        ]
    );
    let sweep = sample::run(&[0.1, 0.2, 0.5, 1.0], &ALLOCATIONS, 50);
    assert_eq!(
        names(&sweep),
        [
            "error-epsilon-max-abs-error",
            // the queries have two units
            "error-epsilon-abs-error",
            "differences-max-abs-error",
            "budget-shares"
        ]
    );
}

#[test]
fn names_of_files_are_safe_and_distinct() {
    let mut run = sample::run(&[1.0], &["even"], 20);
    run.resolved.figures = vec![
        named_figure("../a b", "bars", "rmse"),
        named_figure("../a b", "box", "rmse"),
    ];
    let names: Vec<String> = render_all(&run, Formats::default())
        .expect("figures")
        .into_iter()
        .map(|d| d.name)
        .collect();
    assert_eq!(names, ["---a-b", "---a-b-2"]);
}

#[test]
fn the_edges_of_a_png_are_white() {
    let mut run = article();
    run.resolved.figures = ["one-column", "two-columns", "slide"]
        .map(|size| ResolvedFigure {
            size: Some(size.to_owned()),
            ..spec("bars")
        })
        .to_vec();
    for drawn in render_all(&run, Formats::default()).expect("figures") {
        let bytes = &drawn
            .files
            .iter()
            .find(|f| f.0.ends_with(".png"))
            .expect("a PNG")
            .1;
        let mut reader = png::Decoder::new(bytes.as_slice())
            .read_info()
            .expect("a header");
        let mut pixels = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        let (width, height) = (info.width as usize, info.height as usize);
        let white = |x: usize, y: usize| pixels[3 * (y * width + x)..][..3] == [255, 255, 255];
        assert!((0..height).all(|y| white(0, y) && white(width - 1, y)));
        assert!((0..width).all(|x| white(x, 0) && white(x, height - 1)));
    }
}
