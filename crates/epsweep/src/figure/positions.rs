//! A measure along a stream: its mean against the position, one line for each value of the last axis, one panel for the others.

use super::axis::{Axis, extent};
use super::error_epsilon::{Spot, draw_line, ribbon};
use super::labels::axis_label;
use super::language::{Word, capital, fill};
use super::legend;
use super::page::{Drawing, Page, Plotted, most_panels, raw, raw_or_empty};
use super::panel::{self, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{SERIES, Style};
use super::ticks::Below;
use super::{Asked, FigureError, FigureKind, by_default, check_scale};
use crate::record::{ResolvedFigure, Run};
use crate::study::stream::positions_of;
use epsweep_core::about::About;

/// The measure that is drawn where the figure names none.
const ERROR: &str = "stream_error";

/// See the module.
pub struct Positions;

impl FigureKind for Positions {
    fn about(&self) -> &'static About {
        &About {
            name: "error-by-position",
            summary: "the mean of a measure along a stream, with bands of the middle half of the trials: one line for each value of the last axis",
            formula: "line: mean; band: q25 to q75 of the trials",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        are_measured(run, ERROR)
    }

    fn default_specs(&self, _run: &Run) -> Vec<ResolvedFigure> {
        vec![by_default(self)]
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        asked.without(
            &[ERROR],
            "shows errors along a stream, which are not reported",
            "a stream",
        )
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let measure = match &figure.measure {
            None if are_measured(run, ERROR) => ERROR.to_owned(),
            _ => rows::measure_of(run, figure)?,
        };
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let say = style.language;
        let title = (figure.title.clone())
            .unwrap_or_else(|| fill(say.word(Word::ByPosition), &[&capital(&say.mean(&measure))]));
        let log = check_scale(figure)? != Some("linear");
        let series = series_axis(run, &rows);
        let (panels, lines) = parts(run, &rows, series);
        let mut notes = Vec::new();
        let shown_lines = lines.len().min(SERIES);
        let shown_panels = panels.len().min(most_panels(style, 0));
        let left_out = [
            (lines.len() - shown_lines, Word::MoreLines),
            (panels.len() - shown_panels, Word::MorePanels),
        ];
        for (more, words) in left_out.into_iter().filter(|(more, _)| *more > 0) {
            notes.push(fill(say.word(words), &[&more.to_string(), "summary.csv"]));
        }
        let mut page = Page::new(style, &title);
        if shown_lines > 1 {
            page.legend(&legend::lines(
                lines[..shown_lines].iter().map(String::as_str),
            ));
        }
        let mut plotted = Plotted::new(&[
            "cell", "from", "to", "mean", "low", "high", "q25", "q75", "exact",
        ]);
        let mut by_theory = 0;
        let places = page.grid(shown_panels, 0, style.panel);
        let names: Vec<&str> = (panels[..shown_panels].iter())
            .map(String::as_str)
            .collect();
        let titles = panel::titles(&names, true, &places, style);
        for ((place, name), above) in places.into_iter().zip(&panels).zip(&titles) {
            let drawn: Vec<Vec<(Spot, Place)>> = (lines[..shown_lines].iter())
                .map(|line| along(run, &rows, series, name, line))
                .collect();
            let spots: Vec<Vec<Spot>> = (drawn.iter())
                .map(|line| line.iter().map(|(spot, _)| spot.clone()).collect())
                .collect();
            let means = || spots.iter().flatten().map(|s| s.mean);
            let all = || {
                let ends = |s: &Spot| [Some(s.mean), s.q05, s.q95];
                spots.iter().flatten().flat_map(ends).flatten()
            };
            let vertical = match extent(means().filter(|m| *m > 0.0)).filter(|_| log) {
                // a band that reaches down to zero must not stretch the axis
                Some((low, _)) => Axis::logarithmic(all().filter(|v| *v >= low / 10.0))
                    .unwrap_or_else(|| Axis::linear(all())),
                None => Axis::linear(all()),
            };
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: above,
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below::new(
                        Axis::of_places(spots.iter().flatten().map(|s| s.x)),
                        say.word(Word::PositionInStream),
                    )),
                    vertical,
                    vertical_title: &style.language.mean_axis(&measure),
                },
            );
            frame.if_empty(page.canvas(), style, spots.iter().all(Vec::is_empty));
            by_theory += (spots.iter().flatten())
                .filter(|spot| spot.is_exact(&vertical))
                .count();
            for (series, spots) in spots.iter().enumerate() {
                ribbon(page.canvas(), &frame, &vertical, series, 0.12, spots, |s| {
                    (s.q05, s.q95)
                });
            }
            for (series, spots) in spots.iter().enumerate() {
                draw_line(page.canvas(), style, &frame, &vertical, series, spots);
            }
            for (spot, place) in drawn.into_iter().flatten() {
                plotted.rows.push(vec![
                    spot.cell,
                    raw(place.first),
                    raw(place.last),
                    raw(spot.mean),
                    raw_or_empty(spot.low),
                    raw_or_empty(spot.high),
                    raw_or_empty(spot.q05),
                    raw_or_empty(spot.q95),
                    raw_or_empty(spot.exact),
                ]);
            }
        }
        let exact = (by_theory > 0).then(|| by_theory.to_string());
        notes.extend(rows::sentence(
            say,
            say.word(Word::ExactOnLog),
            exact.as_slice(),
        ));
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            say.word(Word::PositionsCaption),
            notes.join(" ")
        );
        let explanation = "All lines read the same noise draws unless streams are independent.";
        Ok(page.finish(title, &caption, explanation, plotted, Vec::new()))
    }
}

/// Where a group of positions lies, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub first: f64,
    pub last: f64,
}

/// The subjects that are positions, with their places; where none is, each subject with its own number.
pub(super) fn places<'a>(subjects: &[&'a str]) -> Vec<(&'a str, Place)> {
    let group = |subject: &&'a str| {
        let (first, last) = positions_of(subject)?;
        let (first, last) = (first as f64, last as f64);
        Some((*subject, Place { first, last }))
    };
    let mut found: Vec<(&str, Place)> = subjects.iter().filter_map(group).collect();
    if found.is_empty() {
        let own = |(i, subject): (usize, &&'a str)| {
            let number = i as f64 + 1.0;
            let place = Place {
                first: number,
                last: number,
            };
            (*subject, place)
        };
        found = subjects.iter().enumerate().map(own).collect();
    }
    found.sort_by(|a, b| a.1.first.total_cmp(&b.1.first));
    found
}

/// Whether the run has a measure of positions.
pub(super) fn are_measured(run: &Run, measure: &str) -> bool {
    (run.summary.iter()).any(|row| row.measure == measure && positions_of(&row.subject).is_some())
}

/// The last axis that varies with no more values than there are colours.
fn series_axis(run: &Run, rows: &Rows<'_>) -> Option<usize> {
    let values = |axis: &usize| rows::values(&rows.cells, *axis).len();
    (0..run.resolved.axes.len()).rfind(|axis| (2..=SERIES).contains(&values(axis)))
}

/// The label of a cell on one axis, or on all that vary but that one.
fn label(
    run: &Run,
    rows: &Rows<'_>,
    cell: usize,
    series: Option<usize>,
    of_series: bool,
) -> String {
    let labels = &rows.cells[cell].cell.labels;
    let parts: Vec<String> = (run.resolved.axes.iter().enumerate())
        .filter(|(i, _)| {
            (Some(*i) == series) == of_series && rows::values(&rows.cells, *i).len() > 1
        })
        .filter_map(|(i, axis)| Some(axis_label(axis, labels.get(i)?)))
        .collect();
    parts.join(", ")
}

/// The names of panels and lines, in the order of the cells.
fn parts(run: &Run, rows: &Rows<'_>, series: Option<usize>) -> (Vec<String>, Vec<String>) {
    let (mut panels, mut lines) = (Vec::new(), Vec::new());
    for cell in 0..rows.cells.len() {
        let (panel, line) = (
            label(run, rows, cell, series, false),
            label(run, rows, cell, series, true),
        );
        if !panels.contains(&panel) {
            panels.push(panel);
        }
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    (panels, lines)
}

/// A line of a panel.
fn along(
    run: &Run,
    rows: &Rows<'_>,
    series: Option<usize>,
    panel: &str,
    line: &str,
) -> Vec<(Spot, Place)> {
    let cell = (0..rows.cells.len()).find(|cell| {
        label(run, rows, *cell, series, false) == panel
            && label(run, rows, *cell, series, true) == line
    });
    let Some(cell) = cell else {
        return Vec::new();
    };
    let finite = |value: Option<f64>| value.filter(|v| v.is_finite());
    (places(&rows.subjects).into_iter())
        .filter_map(|(subject, place)| {
            let row = (rows.row(cell, subject, "mean")).filter(|row| row.value.is_finite())?;
            let spot = Spot {
                cell: row.cell.to_string(),
                x: 0.5 * (place.first + place.last),
                mean: row.value,
                low: finite(row.low),
                high: finite(row.high),
                q05: rows.value(cell, subject, "q25"),
                q95: rows.value(cell, subject, "q75"),
                exact: finite(row.exact),
            };
            Some((spot, place))
        })
        .collect()
}
