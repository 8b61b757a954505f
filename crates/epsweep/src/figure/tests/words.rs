//! Names, labels and languages: whatever they are, they are shown, and have room.

use super::*;

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

/// Nothing that is said in the picture of any kind is left in English where another language is asked for.
#[test]
fn captions_legends_and_axes_are_in_the_language_of_the_figure() {
    let mut sparse = sample::run(&[0.1, 1.0, 10.0], &ALLOCATIONS, 400);
    // what is missing or not positive has its notes, too
    for (i, row) in sparse.summary.iter_mut().enumerate() {
        match i % 7 {
            0 => row.value = 0.0,
            1 => row.value = f64::NAN,
            _ => {}
        }
    }
    let factorial = sample::factorial();
    let english = [
        "the",
        "of",
        "are",
        "is",
        "with",
        "more",
        "means",
        "trials",
        "values",
        "lines",
        "exact",
        "least",
        "variance",
        "from",
        "simulated",
        "intervals",
    ];
    // words that the languages share; "mean" is half of the name of a query, which may be broken
    let shared = ["variance", "exact"];
    for run in [&article(), &sparse, &factorial] {
        for language in ["de", "fr", "zh"] {
            for mut figure in each_kind() {
                figure.language = Some(language.to_owned());
                figure.title = Some("T".to_owned());
                let Ok(drawing) = draw(run, &figure) else {
                    continue; // of a kind that this run has nothing for
                };
                // what the experiment names itself stays as it is: queries, and cells by their labels
                let named = ["mean age", "max age", "over 60"];
                let mut texts: Vec<String> =
                    drawing.canvas.texts().into_iter().map(|t| t.0).collect();
                texts.push(drawing.caption.clone());
                for text in texts {
                    let text = named.iter().fold(text, |text, name| text.replace(name, ""));
                    let left = text.split(|c: char| !c.is_alphabetic()).find(|word| {
                        english.contains(word) && !(language == "fr" && shared.contains(word))
                    });
                    assert_eq!(left, None, "{} in {language}: {text}", figure.name);
                }
            }
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

#[test]
fn a_figure_that_cannot_be_drawn_is_a_warning_and_no_end() {
    let mut run = sample::run(&[0.1, 1.0], &ALLOCATIONS, 300);
    run.resolved.figures = vec![
        ResolvedFigure {
            cells: BTreeMap::from([("epsilon".to_owned(), vec!["1".to_owned()])]),
            ..spec("error-epsilon")
        },
        spec("bars"),
    ];
    let drawn = render_all(&run, Formats::default()).expect("pictures");
    assert!(
        drawn
            .iter()
            .any(|figure| figure.kind == "bars" && figure.warnings.is_empty())
    );
    let failed = &drawn[0];
    assert_eq!(failed.files.len(), 4);
    assert_eq!(
        failed.title,
        "The mean of a measure against a numeric axis such as ε"
    );
    assert!(
        failed.warnings[0].contains("it could not be drawn: it is drawn against an axis"),
        "{:?}",
        failed.warnings
    );
    assert!(
        failed.caption.contains("at least two numbers"),
        "{}",
        failed.caption
    );
}

#[test]
fn a_lone_query_is_named() {
    let run = sample::run(&[0.1, 1.0], &ALLOCATIONS, 300);
    let query = run.resolved.cells[0].queries[0].name.clone();
    for kind in [
        "error-epsilon",
        "bias-variance",
        "box",
        "histogram",
        "ecdf",
        "bars",
        "heat-map",
        "nested-loop",
    ] {
        let figure = ResolvedFigure {
            measure: Some("abs_error".to_owned()),
            subjects: vec![query.clone()],
            ..spec(kind)
        };
        let drawing = draw(&run, &figure).expect(kind);
        let texts = drawing.canvas.texts();
        assert!(
            texts.iter().any(|text| text.0.contains(&query)),
            "{kind}: {texts:?}"
        );
    }
}
