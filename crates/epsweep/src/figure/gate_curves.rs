//! What a gate finds against a numeric axis such as ε or c: recall, precision and how many answers are positive, a panel each.

use super::along::{horizontal, horizontal_title, numeric_axis, series_names, swept};
use super::axis::Axis;
use super::error_epsilon::{Spot, draw_line, line, ribbon};
use super::labels::axis_name;
use super::language::{Word, fill};
use super::legend::{Entry, Swatch};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel::{self, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::ticks::Below;
use super::{Asked, FigureError, FigureKind, by_default};
use crate::record::{ResolvedFigure, Run};
use crate::study::Kind;
use epsweep_core::about::About;
use std::collections::BTreeMap;

/// The measures of the panels, as far as the run has them.
const PANELS: [&str; 4] = ["detection_rate", "precision", "above", "answered"];
/// Of these three panels are drawn at most.
const MOST_PANELS: usize = 3;

/// See the module.
pub struct GateCurves;

impl FigureKind for GateCurves {
    fn about(&self) -> &'static About {
        &About {
            name: "gate-curves",
            summary: "recall, precision and positive answers of gates against a numeric axis such as ε or c (or the mean of one measure)",
            formula: "recall = found/above, precision = found/said to be above",
            source: "Lyu, Su and Li, VLDB 2017, §6",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        run.resolved.procedure == Kind::Stream.name()
            && (run.resolved.cells.iter()).any(|cell| {
                cell.stream
                    .as_ref()
                    .is_some_and(|stream| stream.gate.is_some())
            })
            && !measures(run).is_empty()
            && numeric_axis(&run.resolved.axes, &BTreeMap::new()).is_some()
    }

    fn default_specs(&self, _run: &Run) -> Vec<ResolvedFigure> {
        vec![by_default(self)]
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        const WHAT: &str = "shows what gates find along a stream, which is not reported";
        let lacking = asked.without(&PANELS, WHAT, "a stream with a gate");
        // of a stream any measure can be drawn that is named
        lacking.filter(|_| asked.measure.is_none() || asked.procedure != Kind::Stream.name())
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let known = measures(run);
        let measures: Vec<String> = match (&figure.measure, known.is_empty()) {
            (None, false) => known.into_iter().map(str::to_owned).collect(),
            _ => vec![rows::measure_of(run, figure)?],
        };
        let (index, axis) = numeric_axis(&run.resolved.axes, &figure.cells)
            .ok_or_else(|| FigureError::NoNumericAxis(figure.name.clone()))?;
        let rows: Vec<Rows<'_>> = (measures.iter())
            .map(|measure| Rows::new(run, figure, rows::cells(run, figure)?, measure))
            .collect::<Result<_, FigureError>>()?;
        let say = style.language;
        let along = axis_name(&axis.name);
        let title =
            (figure.title.clone()).unwrap_or_else(|| fill(say.word(Word::WhatGatesFind), &[along]));
        let names = series_names(run, &rows[0], index);
        let shown = &names[..names.len().min(SERIES)];
        let mut notes = Vec::new();
        if names.len() > shown.len() {
            let more = (names.len() - shown.len()).to_string();
            notes.push(fill(say.word(Word::MoreLines), &[&more, "summary.csv"]));
        }
        let mut page = Page::new(style, &title);
        if shown.len() > 1 {
            let entry = |(i, name): (usize, &String)| {
                let short = style::shorten(name, 40);
                let entry = match is_broken(run, name) {
                    true => fill(say.word(Word::BrokenGate), &[&short]),
                    false => short,
                };
                (Swatch::Line(i), entry)
            };
            page.legend(&shown.iter().enumerate().map(entry).collect::<Vec<Entry>>());
        }
        let mut plotted = Plotted::new(&[
            "cell", "measure", "series", "x", "mean", "low", "high", "exact",
        ]);
        let places = page.grid(rows.len(), 0, style.panel);
        for (place, rows) in places.into_iter().zip(&rows) {
            let subject = match rows.subjects.iter().find(|subject| **subject == "all") {
                Some(all) => *all,
                None => rows.subjects.first().copied().unwrap_or("all"),
            };
            let lines: Vec<Vec<Spot>> = (shown.iter())
                .map(|name| line(run, rows, index, axis, name, subject))
                .collect();
            let values = || {
                (lines.iter().flatten())
                    .flat_map(|spot| [Some(spot.mean), spot.low, spot.high])
                    .flatten()
            };
            let share = ["detection_rate", "precision"].contains(&rows.measure);
            let vertical = match share {
                true => Axis::exactly(0.0, 1.0),
                false => Axis::from_zero(values()),
            };
            let swept = swept(rows, index, axis);
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: "",
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below {
                        at: &swept,
                        ..Below::new(
                            horizontal(swept.iter().copied()),
                            &horizontal_title(style.language, axis),
                        )
                    }),
                    vertical,
                    vertical_title: &style.language.mean_axis(rows.measure),
                },
            );
            frame.if_empty(page.canvas(), style, lines.iter().all(Vec::is_empty));
            for (series, spots) in lines.iter().enumerate() {
                ribbon(page.canvas(), &frame, &vertical, series, 0.40, spots, |s| {
                    (s.low, s.high)
                });
                draw_line(page.canvas(), style, &frame, &vertical, series, spots);
                for spot in spots {
                    plotted.rows.push(vec![
                        spot.cell.clone(),
                        rows.measure.to_owned(),
                        shown[series].clone(),
                        raw(spot.x),
                        raw(spot.mean),
                        raw_or_empty(spot.low),
                        raw_or_empty(spot.high),
                        raw_or_empty(spot.exact),
                    ]);
                }
            }
        }
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            fill(say.word(Word::MeansCaption), &[&say.level(run)]),
            notes.join(" ")
        );
        let explanation = "Precision is the mean over trials with a positive answer. All points of a line read the same noise draws unless streams are independent, so their deviations go together.";
        Ok(page.finish(title, &caption, explanation, plotted, Vec::new()))
    }
}

/// The measures of the panels that the run has.
fn measures(run: &Run) -> Vec<&'static str> {
    let has = |measure: &&str| run.resolved.measures.iter().any(|known| known == measure);
    (PANELS.into_iter().filter(has)).take(MOST_PANELS).collect()
}

/// Whether a series is of a gate that is a control.
fn is_broken(run: &Run, series: &str) -> bool {
    let gates = (run.resolved.cells.iter()).filter_map(|cell| cell.stream.as_ref()?.gate.as_ref());
    let broken = gates.filter(|gate| gate.broken.is_some());
    let mut names = broken.map(|gate| gate.name.as_str());
    names.any(|name| series.split(", ").any(|label| label == name))
}
