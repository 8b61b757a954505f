//! Two strategies in four panels: their answers, the mean error of each query, and the distribution of the largest error.

use super::bars;
use super::box_shape::{self, Boxed, Shape};
use super::language::{Word, fill};
use super::legend::Swatch;
use super::page::{Drawing, Page, Plotted, most_names};
use super::panel::{self, Horizontal, Panel};
use super::rows::{self, Rows, Shown};
use super::style::{self, Style};
use super::{FigureError, FigureKind, check_scale, histogram};
use crate::record::{ResolvedFigure, Run};
use crate::words::grouped;
use epsweep_core::about::About;

/// Strategies in the panels (c) and (d).
const MOST_CELLS: usize = 4;

/// What it draws.
pub const MEASURES: [&str; 3] = ["answer", "abs_error", "max_abs_error"];

/// See the module.
pub struct ArticlePanel;

impl FigureKind for ArticlePanel {
    fn about(&self) -> &'static About {
        &About {
            name: "article-panel",
            summary: "2 × 2: answers of two strategies as box plots, mean |error| of each query, histograms of the largest |error|",
            formula: "the figures `box`, `bars` and `histogram` of two cells",
            source: "the tutorial that results/adaptive-allocation checks",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        let has = |measure: &str| run.resolved.measures.iter().any(|m| m == measure);
        run.resolved.cells.len() > 1 && has("answer") && has("abs_error") && has("max_abs_error")
    }

    fn default_specs(&self, _run: &Run) -> Vec<ResolvedFigure> {
        Vec::new()
    }

    fn draws_histograms(&self) -> bool {
        true
    }

    fn draws(&self, _measure: Option<&str>, _reported: &[&str]) -> Vec<String> {
        MEASURES.iter().map(|name| (*name).to_owned()).collect()
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let chosen = rows::cells(run, figure)?;
        let (first, second) = pair(run, figure, &chosen)?;
        let two = vec![chosen[first].cell, chosen[second].cell];
        // an explicit choice of cells is drawn as a whole; otherwise the two that are compared
        let mut several = two.clone();
        if !figure.cells.is_empty() {
            let others = (0..chosen.len()).filter(|i| *i != first && *i != second);
            several.extend(others.map(|i| chosen[i].cell));
        }
        several.truncate(MOST_CELLS);
        // where the two cells are out of many, the caption says which
        let mut shown = figure.clone();
        if figure.cells.is_empty() {
            let [one, other] = [0, 1].map(|i| &two[i].labels);
            let shared = run.resolved.axes.iter().zip(one.iter().zip(other));
            for (axis, (label, _)) in shared.filter(|(_, (label, other))| label == other) {
                shown.cells.insert(axis.name.clone(), vec![label.clone()]);
            }
        }
        let two = rows::labelled(run, two);
        let several = rows::labelled(run, several);
        let title = figure
            .title
            .clone()
            .unwrap_or_else(|| run.resolved.title.clone());

        let say = style.language;
        let mut page = Page::new(style, &title);
        let mut plotted = Plotted::new(&[
            "panel", "cell", "subject", "part", "low", "high", "value", "trials",
        ]);
        // of the boxes, the bars, the histogram
        let mut notes: [Vec<String>; 3] = Default::default();
        let mut warnings = Vec::new();
        let columns = if style.width < 300.0 { 1 } else { 2 };
        let height = if columns == 1 {
            style.panel
        } else {
            0.92 * style.panel
        };
        let mut places = Vec::new();
        while places.len() < 4 {
            places.extend(page.row(columns, height));
        }

        let answers = Rows::new(run, figure, two, "answer")?;
        let panels: Vec<Vec<Boxed>> = (0..2)
            .map(|cell| answer_boxes(&answers, cell, most_names(style, places[cell].width())))
            .collect();
        for (cell, boxes) in panels.iter().enumerate() {
            // each strategy has its own axis, as their noise may differ by orders of magnitude
            let found = box_shape::axis(boxes, false);
            let letter = ["a", "b"][cell];
            if found.outside > 0 {
                notes[0].push(fill(
                    say.word(Word::PanelOutside),
                    &[letter, &grouped(found.outside)],
                ));
            }
            let names: Vec<String> = boxes.iter().map(|b| b.label.clone()).collect();
            let frame = panel::draw(
                page.canvas(),
                style,
                places[cell],
                &Panel {
                    title: &format!(
                        "({letter}) {}",
                        fill(
                            say.word(Word::NoisyAnswers),
                            &[&style::shorten(&answers.cells[cell].label, 40)]
                        )
                    ),
                    legend: &[
                        (Swatch::Mean, say.word(Word::Mean).to_owned()),
                        (Swatch::Truth, say.word(Word::TrueValue).to_owned()),
                    ],
                    horizontal: Horizontal::Names(&names),
                    vertical: found.axis,
                    vertical_title: &say.measure_axis("answer"),
                },
            );
            box_shape::draw(page.canvas(), style, &frame, &found.axis, boxes);
            let mut numbers = Plotted::new(&box_shape::COLUMNS);
            for boxed in boxes {
                box_shape::note(
                    &mut numbers,
                    &answers.cells[cell].cell.id,
                    &boxed.label,
                    boxed,
                );
            }
            for row in numbers.rows {
                if let [cell, subject, part, value, trials] = row.as_slice() {
                    let empty = String::new();
                    plotted.rows.push(
                        [letter, cell, subject, part, &empty, &empty, value, trials]
                            .map(str::to_owned)
                            .to_vec(),
                    );
                }
            }
        }

        let errors = Rows::new(run, figure, several.clone(), "abs_error")?;
        let mut groups = bars::by_subject(&errors);
        let most = most_names(style, places[2].width());
        if groups.groups.len() > most {
            notes[1].extend(rows::more(
                say,
                0,
                groups.groups.len() - most,
                "summary.csv",
            ));
            groups.groups.truncate(most);
            groups.bars.truncate(most);
        }
        let log = check_scale(figure)?.map(|scale| scale == "log");
        let outcome = bars::draw(
            page.canvas(),
            style,
            places[2],
            &groups,
            &format!("(c) {}", say.word(Word::ErrorOfQueries)),
            &say.mean_axis("abs_error"),
            log,
        );
        notes[1].extend(outcome.notes);
        warnings.extend(outcome.warnings);
        for bar in groups.bars.iter().flatten().flatten() {
            let number = |v: Option<f64>| super::page::raw_or_empty(v);
            for (part, low, high, value) in [
                ("mean", bar.low, bar.high, Some(bar.value)),
                ("exact_mean", None, None, bar.exact),
            ] {
                if value.is_some() {
                    let row = [
                        "c",
                        bar.cell.as_str(),
                        bar.subject.as_str(),
                        part,
                        &number(low),
                        &number(high),
                        &number(value),
                        "",
                    ];
                    plotted.rows.push(row.map(str::to_owned).to_vec());
                }
            }
        }

        let largest = Rows::new(run, figure, several, "max_abs_error")?;
        let mut numbers = Plotted::new(&histogram::COLUMNS);
        let subject = largest.subjects.first().copied().unwrap_or("all");
        let outcome = histogram::draw(
            page.canvas(),
            style,
            places[3],
            &largest,
            subject,
            &format!("(d) {}", say.word(Word::LargestOfTrials)),
            true,
            false,
            &mut numbers,
        );
        notes[2].extend(rows::sentence(
            say,
            say.word(Word::BeyondAxis),
            &outcome.outside,
        ));
        notes[2].extend(histogram::cut_words(say, outcome.cut));
        warnings.extend(outcome.warnings);
        plotted.rows.extend(numbers.rows.into_iter().map(|mut row| {
            row.insert(0, "d".to_owned());
            row
        }));

        let [boxes, bars, histogram] = notes.map(|notes| notes.join(" "));
        let parts = [
            say.provenance(run, &shown),
            say.word(Word::PanelBoxes).to_owned(),
            boxes,
            fill(say.word(Word::PanelBars), &[&say.level(run)]),
            bars,
            say.word(Word::PanelHistogram).to_owned(),
            histogram,
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let caption = parts.join(" ");
        let explanation = "An interval says how well a mean is known after so many trials; boxes and histograms show single trials.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

fn answer_boxes(answers: &Rows<'_>, cell: usize, most: usize) -> Vec<Boxed> {
    (answers.subjects.iter().take(most))
        .map(|subject| Boxed {
            label: (*subject).to_owned(),
            series: cell,
            shape: Shape::new(answers, cell, subject, false),
            truth: answers.truth(cell, subject),
        })
        .collect()
}

/// The baseline, and the strategy beside it: `proportional` if it is there, else the next one. Both agree in all axes
/// that are not compared.
fn pair(
    run: &Run,
    figure: &ResolvedFigure,
    cells: &[Shown<'_>],
) -> Result<(usize, usize), FigureError> {
    let axes = &run.resolved.axes;
    let empty = std::collections::BTreeMap::new();
    let baseline = run
        .resolved
        .compare
        .as_ref()
        .map_or(&empty, |c| &c.baseline);
    let compared: Vec<bool> = axes
        .iter()
        .map(|axis| {
            if baseline.is_empty() {
                axis.name == "allocation"
            } else {
                baseline.contains_key(&axis.name)
            }
        })
        .collect();
    let is_baseline = |shown: &Shown<'_>| {
        axes.iter().zip(&shown.cell.labels).all(|(axis, label)| {
            baseline
                .get(&axis.name)
                .is_none_or(|wanted| wanted == label)
        })
    };
    let first = cells.iter().position(is_baseline).unwrap_or(0);
    let beside = |i: &usize| {
        let same = |((a, b), compared): ((&String, &String), &bool)| *compared || a == b;
        *i != first
            && cells[*i]
                .cell
                .labels
                .iter()
                .zip(&cells[first].cell.labels)
                .zip(&compared)
                .all(same)
    };
    (0..cells.len())
        .filter(beside)
        .find(|i| cells[*i].cell.allocation == "proportional")
        .or_else(|| (0..cells.len()).find(beside))
        .or_else(|| (0..cells.len()).find(|i| *i != first))
        .map(|second| (first, second))
        .ok_or_else(|| FigureError::Cells {
            figure: figure.name.clone(),
            reason: "this kind compares two cells, and there is only one: sweep over allocations, or choose another kind".to_owned(),
        })
}
