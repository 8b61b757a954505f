//! What every figure must keep to, whatever the numbers.

use super::*;
use crate::record::{ResolvedFigure, Run};
use proptest::prelude::*;
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
fn the_csv_holds_the_plotted_numbers() {
    let run = article();
    let drawing = draw(&run, &named_figure("b", "bars", "max_abs_error")).expect("bars");
    for row in run
        .summary
        .iter()
        .filter(|r| r.measure == "max_abs_error" && r.statistic == "mean")
    {
        let found = drawing
            .plotted
            .rows
            .iter()
            .find(|r| r[0] == row.cell)
            .expect("a row");
        assert_eq!(found[4].parse::<f64>().ok(), Some(row.value));
        assert_eq!(found[5].parse::<f64>().ok(), row.low);
        assert_eq!(found[7].parse::<f64>().ok(), row.exact);
    }
    let text = drawing.plotted.csv(&drawing.words());
    assert!(text.starts_with("# 5000 trials per cell, seed 42."));
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    assert_eq!(reader.headers().expect("a header").len(), 8);
    assert_eq!(reader.records().filter_map(Result::ok).count(), 4);

    let drawing = draw(&run, &named_figure("x", "box", "max_abs_error")).expect("box");
    let part = |part: &str| -> f64 {
        drawing
            .plotted
            .rows
            .iter()
            .find(|r| r[2] == part)
            .expect(part)[3]
            .parse()
            .expect("a number")
    };
    let value = |statistic: &str| {
        run.summary
            .iter()
            .find(|r| r.measure == "max_abs_error" && r.statistic == statistic)
            .expect(statistic)
            .value
    };
    assert_eq!(part("median"), value("median"));
    // Tukey: inside the data, and within 1.5 box lengths
    assert!(part("whisker_high") <= value("q75") + 1.5 * (value("q75") - value("q25")) + 1e-9);
    assert!(part("whisker_high") > value("q75") && part("whisker_high") <= value("max"));
    assert!(part("whisker_low") >= value("min"));
    let outliers: u64 = drawing
        .plotted
        .rows
        .iter()
        .filter(|r| r[0].contains("even") && r[2] == "outlier")
        .map(|r| r[4].parse::<u64>().expect("a count"))
        .sum();
    let beyond: u64 = run
        .histograms
        .iter()
        .filter(|h| {
            h.cell.contains("even") && h.measure == "max_abs_error" && h.low > part("whisker_high")
        })
        .map(|h| h.count)
        .sum();
    assert_eq!(outliers, beyond);
    assert!(outliers > 0);

    let drawing = draw(&run, &named_figure("h", "histogram", "max_abs_error")).expect("histogram");
    let area: f64 = drawing
        .plotted
        .rows
        .iter()
        .filter(|r| r[0].contains("proportional") && r[2] == "density")
        .map(|r| r[6].parse::<f64>().expect("trials"))
        .sum();
    assert!((area - 5000.0).abs() < 1.0, "{area}");
}

#[test]
fn labels_are_escaped_shortened_and_shown() {
    let long = "a very long name of a strategy that nobody would write ".repeat(6);
    let names = ["ε=0.1, Δ₁≤2 <A&B> \"q\"", long.as_str(), "tab\tand\u{0}nul"];
    let mut run = sample::run(&[0.5, 1.0], &ALLOCATIONS, 200);
    let pairs: Vec<(&str, &str)> =
        (ALLOCATIONS.iter().copied().zip(names.iter().copied())).collect();
    run = sample::renamed(run, &pairs);
    run.resolved.title = "Title with <tags> & \"quotes\"".to_owned();
    for kind in REGISTRY {
        for size in ["one-column", "two-columns", "slide"] {
            let mut figure = spec(kind.about().name);
            figure.size = Some(size.to_owned());
            let drawing = draw(&run, &figure).expect("a drawing");
            assert_eq!(
                drawing.canvas.faults(),
                Vec::<String>::new(),
                "{} {size}",
                figure.kind
            );
            let svg = svg::svg(&drawing.canvas, &drawing.title, &drawing.words()).expect("svg");
            let picture = render::Picture::new(&svg, &[]).expect("well-formed");
            assert!(picture.missing.is_empty(), "{:?}", picture.missing);
            picture.png().expect("png");
        }
    }
    let drawing = draw(&run, &spec("error-epsilon")).expect("a drawing");
    let shown: Vec<String> = drawing.canvas.texts().into_iter().map(|t| t.0).collect();
    assert!(shown.iter().any(|t| t == names[0]), "{shown:?}");
    assert!(
        shown.iter().any(|t| t.starts_with("a very long name")
            && t.contains('…')
            && t.chars().count() <= 40)
    );
    look(
        &run,
        &REGISTRY
            .iter()
            .map(|k| spec(k.about().name))
            .collect::<Vec<_>>(),
        "labels",
    );
}

#[test]
fn chinese_is_drawn_or_named_in_one_warning() {
    let mut run = sample::run(&[1.0], &["even", "proportional"], 200);
    run.resolved.axes[1].labels[1] = "隐私预算 中文".to_owned();
    run.resolved.cells[1].labels[1] = "隐私预算 中文".to_owned();
    run.resolved.figures = vec![named_figure("c", "bars", "rmse")];
    let drawn = render_all(&run, Formats::default())
        .expect("figures")
        .remove(0);
    assert!(drawn.svg.contains("中文"));
    // whether this machine has a Chinese font is not ours to say: all characters are drawn, or one warning names them
    assert!(drawn.warnings.len() <= 1, "{:?}", drawn.warnings);
    if let Some(warning) = drawn.warnings.first() {
        assert!(
            warning.contains('隐') && warning.contains("install"),
            "{warning}"
        );
    }
    // no font has this character of the private area
    run.resolved.axes[1].labels[1] = "x\u{10FFFD}y".to_owned();
    run.resolved.cells[1].labels[1] = "x\u{10FFFD}y".to_owned();
    let drawn = render_all(&run, Formats::default())
        .expect("figures")
        .remove(0);
    assert_eq!(drawn.warnings.len(), 1);
    assert!(
        drawn.warnings[0].contains('\u{10FFFD}'),
        "{:?}",
        drawn.warnings
    );
}

/// A run whose rows are all replaced by the values of `change`.
fn changed(mut run: Run, change: impl Fn(usize, f64) -> f64) -> Run {
    for (i, row) in run.summary.iter_mut().enumerate() {
        row.value = change(i, row.value);
        row.low = row.low.map(|v| change(i + 1, v));
        row.high = row.high.map(|v| change(i + 2, v));
        row.exact = row.exact.map(|v| change(i + 3, v));
    }
    for (i, row) in run.convergence.iter_mut().enumerate() {
        row.value = change(i, row.value);
        row.mcse = row.mcse.map(|v| change(i + 1, v));
    }
    for (i, row) in run.comparisons.iter_mut().enumerate() {
        row.difference = change(i, row.difference);
        row.low = change(i + 1, row.low);
        row.high = change(i + 2, row.high);
    }
    for (i, row) in run.histograms.iter_mut().enumerate() {
        row.low = change(i, row.low);
        row.high = change(i + 1, row.high).max(row.low);
        row.exact = row.exact.map(|v| change(i, v));
    }
    run
}

#[test]
fn equal_values_zeros_and_missing_values_have_a_picture() {
    let small = || sample::run(&[0.1, 1.0], &["even", "proportional"], 60);
    let cases = [
        ("equal", changed(small(), |_, _| 3.0)),
        ("zero", changed(small(), |_, _| 0.0)),
        ("negative", changed(small(), |_, v| -v.abs() - 1.0)),
        ("nan", changed(small(), |_, _| f64::NAN)),
        ("minute", changed(small(), |_, v| 1e-18 * v)),
        (
            "huge",
            changed(small(), |i, v| if i % 50 == 7 { 1e308 } else { v }),
        ),
        (
            "half-nan",
            changed(small(), |i, v| if i % 120 < 60 { f64::NAN } else { v }),
        ),
        ("one", sample::run(&[1.0], &["even"], 1)),
    ];
    for (name, run) in &cases {
        for figure in variants() {
            match draw(run, &figure) {
                Ok(drawing) => {
                    assert_eq!(
                        drawing.canvas.faults(),
                        Vec::<String>::new(),
                        "{name} {}",
                        figure.name
                    );
                    let svg =
                        svg::svg(&drawing.canvas, &drawing.title, &drawing.words()).expect("svg");
                    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{name}");
                    render::Picture::new(&svg, &[]).expect("well-formed");
                }
                Err(FigureError::NoNumericAxis(_) | FigureError::Cells { .. })
                    if *name == "one" => {}
                Err(other) => panic!("{name} {}: {other}", figure.name),
            }
        }
        let shown: Vec<ResolvedFigure> = variants()
            .into_iter()
            .filter(|f| f.name.contains("two-columns-abs") && draw(run, f).is_ok())
            .collect();
        look(run, &shown, name);
    }
    // zeros on a log axis are counted (a cell has 8 measures of 11 statistics), and nothing positive makes it linear, with a warning
    let half_zero = changed(
        small(),
        |i, v| if (i / 88) % 2 == 0 { 0.0 } else { v.abs() },
    );
    let mut figure = named_figure("z", "error-epsilon", "rmse");
    let drawing = draw(&half_zero, &figure).expect("lines");
    assert!(drawing.caption.contains("≤ 0"), "{}", drawing.caption);
    let drawing = draw(&cases[1].1, &figure).expect("lines");
    assert!(
        drawing.warnings.iter().any(|w| w.contains("linear")),
        "{:?}",
        drawing.warnings
    );
    figure.kind = "bars".to_owned();
    figure.scale = Some("log".to_owned());
    assert!(
        draw(&half_zero, &figure)
            .expect("bars")
            .caption
            .contains("no bar on the log axis")
    );
}

#[test]
fn what_cannot_be_drawn_says_why() {
    let run = article();
    let says = |figure: &ResolvedFigure, parts: &[&str]| {
        let message = draw(&run, figure).expect_err("an error").to_string();
        assert!(parts.iter().all(|p| message.contains(p)), "{message}");
    };
    says(&spec("pie"), &["`pie`", "article-panel", "box"]);
    says(&named_figure("m", "bars", "rmsse"), &["`rmsse`", "rmse"]);
    let mut figure = spec("bars");
    figure.size = Some("poster".to_owned());
    says(&figure, &["poster", "one-column"]);
    figure.size = None;
    figure.scale = Some("cubic".to_owned());
    says(&figure, &["cubic", "log"]);
    figure.scale = None;
    figure.cells = BTreeMap::from([("allocation".to_owned(), vec!["evn".to_owned()])]);
    says(&figure, &["evn", "even"]);
    figure.cells = BTreeMap::from([("epsilom".to_owned(), vec!["1".to_owned()])]);
    says(&figure, &["epsilom", "epsilon, allocation"]);
    says(&spec("error-epsilon"), &["at least two numbers"]);
}

/// Numbers that have broken pictures before.
fn awkward() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(f64::MAX),
        Just(f64::MIN_POSITIVE),
        Just(5e-324),
        -1e3..1e3f64,
        proptest::num::f64::ANY,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_rows_make_a_figure_panic(
        values in proptest::collection::vec(awkward(), 1..40),
        kind in 0..REGISTRY.len(),
        measure in prop_oneof![Just(None), Just(Some("abs_error")), Just(Some("answer"))],
        scale in prop_oneof![Just(None), Just(Some("log")), Just(Some("linear"))],
        size in prop_oneof![Just(None), Just(Some("one-column")), Just(Some("slide"))],
    ) {
        let run = changed(sample::run(&[0.5, 1.0], &["even", "proportional"], 12), |i, _| values[i % values.len()]);
        let mut figure = spec(REGISTRY[kind].about().name);
        figure.measure = measure.map(str::to_owned);
        figure.scale = scale.map(str::to_owned);
        figure.size = size.map(str::to_owned);
        let drawing = draw(&run, &figure).expect("rows that are no numbers are left out");
        let faults = drawing.canvas.faults();
        prop_assert!(faults.is_empty(), "{faults:?}");
        let svg = svg::svg(&drawing.canvas, &drawing.title, &drawing.words()).expect("svg");
        prop_assert!(render::Picture::new(&svg, &[]).is_ok());
    }
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

/// All kinds in all sizes, of the usual measure and of that of each query.
fn each_kind() -> Vec<ResolvedFigure> {
    let mut all = Vec::new();
    for kind in REGISTRY {
        for size in ["one-column", "two-columns", "slide"] {
            for measure in [None, Some("abs_error")] {
                let mut figure = spec(kind.about().name);
                figure.name = format!("{}-{size}-{}", figure.kind, measure.unwrap_or("usual"));
                figure.size = Some(size.to_owned());
                figure.measure = measure.map(str::to_owned);
                all.push(figure);
            }
        }
    }
    all
}

#[test]
fn forty_long_names_have_room() {
    let names: Vec<String> = (0..40)
        .map(|i| format!("a strategy with quite a long name that ends in number {i}"))
        .collect();
    let short: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut crowded = sample::run(&[1.0], &short, 60);
    if let Some(compare) = &mut crowded.resolved.compare {
        compare
            .baseline
            .insert("allocation".to_owned(), names[0].clone());
        compare.all_pairs = true;
    }
    // the sample compares with `even` alone: here every name is compared with the first
    let like = sample::run(&[1.0], &["even", "proportional"], 60).comparisons[0].clone();
    crowded.comparisons = (names[1..].iter().enumerate())
        .map(|(i, name)| crate::record::ComparisonRow {
            a: name.clone(),
            b: names[0].clone(),
            difference: like.difference * (1.0 + i as f64),
            low: like.difference * (1.0 + i as f64) - 40.0,
            high: like.difference * (1.0 + i as f64) + 40.0,
            ..like.clone()
        })
        .collect();
    // forty queries with long names, too
    let mut queries = sample::run(&[1.0], &["even", "proportional"], 60);
    for cell in &mut queries.resolved.cells {
        let query = cell.queries[0].clone();
        cell.queries = (0..40)
            .map(|i| crate::record::ResolvedQuery {
                name: format!("a query with quite a long name that ends in number {i}"),
                share: 1.0 / 40.0,
                ..query.clone()
            })
            .collect();
    }
    let rows: Vec<_> = (queries.summary.iter())
        .filter(|row| row.subject == "mean age")
        .cloned()
        .collect();
    for i in 0..40 {
        let name = format!("a query with quite a long name that ends in number {i}");
        queries.summary.extend(rows.iter().cloned().map(|mut row| {
            row.subject = crate::record::Text::from(&name);
            row
        }));
    }
    for (folder, run) in [("crowded", &crowded), ("queries", &queries)] {
        let mut shown = Vec::new();
        for figure in each_kind() {
            match draw(run, &figure) {
                Ok(drawing) => {
                    let faults = drawing.canvas.faults();
                    assert_eq!(faults, Vec::<String>::new(), "{} of {folder}", figure.name);
                    shown.push(figure);
                }
                Err(FigureError::NoNumericAxis(_)) => {}
                Err(other) => panic!("{}: {other}", figure.name),
            }
        }
        assert!(shown.len() > 40);
        look(run, &shown, folder);
    }
}

/// What stands above a figure of any kind is in the language that it asks for, unless the title is the run's own.
#[test]
fn default_titles_are_in_the_language_of_the_figure() {
    let run = sample::run(&[0.5, 1.0], &ALLOCATIONS, 500);
    for kind in (REGISTRY.iter()).filter(|kind| kind.about().name != "article-panel") {
        let titles = language::Language::NAMES.map(|language| {
            let figure = ResolvedFigure {
                language: Some(language.to_owned()),
                ..spec(kind.about().name)
            };
            draw(&run, &figure).map(|drawing| drawing.title).ok()
        });
        let [Some(english), others @ ..] = titles else {
            continue; // of a kind that this run has nothing for
        };
        for other in others {
            assert_ne!(other, Some(english.clone()), "{}", kind.about().name);
        }
    }
}

#[test]
fn a_factorial_and_all_languages_have_room() {
    let factorial = sample::factorial();
    let mut shown = Vec::new();
    for figure in each_kind() {
        let drawing = draw(&factorial, &figure).expect("a picture");
        let faults = drawing.canvas.faults();
        assert_eq!(faults, Vec::<String>::new(), "{}", figure.name);
        shown.push(figure);
    }
    look(&factorial, &shown, "factorial");
    let run = sample::run(&[0.1, 1.0], &ALLOCATIONS, 400);
    for language in language::Language::NAMES {
        let mut shown = Vec::new();
        for mut figure in each_kind() {
            figure.language = Some(language.to_owned());
            figure.name = format!("{}-{language}", figure.name);
            let drawing = draw(&run, &figure).expect("a picture");
            let faults = drawing.canvas.faults();
            assert_eq!(faults, Vec::<String>::new(), "{}", figure.name);
            shown.push(figure);
        }
        look(&run, &shown, language);
    }
}
