//! The numbers of a picture, whatever they are.

use super::*;
use proptest::prelude::*;

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
    // where nothing is finite, every picture of it says so; shares and deviations are not of what was made to be none
    let (_, nothing) = cases
        .iter()
        .find(|(name, _)| *name == "nan")
        .expect("a run");
    let others = ["budget-shares", "z-scores"];
    let shown = variants().into_iter();
    for figure in shown.filter(|f| f.name.ends_with("abs_error")) {
        let drawing = draw(nothing, &figure).expect("a drawing");
        let texts: Vec<String> = drawing.canvas.texts().into_iter().map(|t| t.0).collect();
        let all = texts.join(" ");
        let words = [
            "nothing finite",
            "no data",
            "no comparison",
            "no histogram",
            "no errors",
        ];
        let missing = texts.iter().any(|text| text == "–");
        let says = missing || words.iter().any(|word| all.contains(word));
        let other = others.contains(&figure.kind.as_str());
        assert!(says || other, "{}", figure.name);
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

/// Of more lines than there are colours the best are drawn, wherever they stand in the file.
#[test]
fn of_too_many_lines_the_best_are_kept() {
    let names: Vec<String> = (0..9).map(|i| format!("even {i}")).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.push("optimal-mse");
    let run = sample::run(&[0.1, 1.0], &names, 60);
    let figure = named_figure("e", "error-epsilon", "max_abs_error");
    let drawing = draw(&run, &figure).expect("lines");
    let drawn = |name: &str| drawing.plotted.rows.iter().any(|row| row[2] == name);
    assert!(drawn("optimal-mse") && !drawn("even 8"));
    let caption = &drawing.caption;
    assert!(
        caption.contains("2 more lines") && caption.contains("the best means"),
        "{caption}"
    );
    // a measure without a better side has its first
    let figure = named_figure("e", "error-epsilon", "answer");
    let drawing = draw(&run, &figure).expect("lines");
    assert!(
        !drawing
            .plotted
            .rows
            .iter()
            .any(|row| row[2] == "optimal-mse")
    );
    assert!(
        !drawing.caption.contains("the best means"),
        "{}",
        drawing.caption
    );
}

/// A line goes on where no trial had anything but 0 and theory knows what the mean is, unless that is too far below.
#[test]
fn exact_values_stand_for_simulated_zeros_on_a_log_axis() {
    let mut run = sample::run(&[0.1, 1.0, 10.0], &["even", "proportional"], 60);
    let last = run.resolved.cells[4].id.clone();
    let mut set = |exact: f64| {
        for row in run.summary.iter_mut() {
            if row.cell == last && row.measure == "max_abs_error" && row.statistic == "mean" {
                (row.value, row.low, row.high, row.exact) = (0.0, None, None, Some(exact));
            }
        }
        run.clone()
    };
    for kind in ["error-epsilon", "nested-loop"] {
        let mut figure = named_figure("e", kind, "max_abs_error");
        figure.scale = Some("log".to_owned());
        let caption = |run: &Run| draw(run, &figure).expect("lines").caption;
        let near = caption(&set(1e-3));
        assert!(
            near.contains("exact values, where the simulated mean is 0"),
            "{near}"
        );
        assert!(!near.contains("lines break there"), "{near}");
        let far = caption(&set(1e-30));
        assert!(!far.contains("exact values, where"), "{far}");
        assert!(far.contains('1'), "{far}");
    }
}
