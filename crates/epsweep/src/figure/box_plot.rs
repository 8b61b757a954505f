//! Box plots of a measure, one box per cell.

use super::box_shape::{self, Boxed, Shape};
use super::language::{Word, fill};
use super::legend::Swatch;
use super::page::{Drawing, Page, Plotted, most_names};
use super::panel::{self, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{SERIES, Style};
use super::{Asked, FigureError, FigureKind, few_cells, named, usual_measure, wants_log};
use crate::measure::REGISTRY;
use crate::record::{ResolvedFigure, Run};
use crate::words::grouped;
use epsweep_core::about::About;

/// Boxes in a panel; further cells are left to the tables.
const MOST_BOXES: usize = 40;

/// See the module.
pub struct BoxPlot;

impl FigureKind for BoxPlot {
    fn about(&self) -> &'static About {
        &About {
            name: "box",
            summary: "box plots of a measure, one box per cell, with Tukey's whiskers, outliers, mean and true value",
            formula: "whiskers reach the furthest value within 1.5 × (q75 − q25) of the box",
            source: "Tukey, Exploratory Data Analysis (1977)",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        rows::draws_spread(run) && !run.resolved.cells.is_empty()
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        if few_cells(run) {
            named(run, "box").into_iter().collect()
        } else {
            Vec::new()
        }
    }

    fn draws_histograms(&self) -> bool {
        true
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        let drawn = asked.measure.or_else(|| usual_measure(asked.measures))?;
        let known = (REGISTRY.iter()).find(|measure| measure.about().name == drawn)?;
        known.flag().then(|| {
            (
                "shows how values spread, and its measure is 0 or 1 in every trial",
                format!(
                    "a `measure` that varies, or another kind for `{drawn}`, such as \"bars\" or \"histogram\""
                ),
            )
        })
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let measure = rows::measure_of(run, figure)?;
        let (rows, left_out) = Rows::of_first(
            run,
            figure,
            &measure,
            most_names(style, 0.97 * style.width).min(MOST_BOXES),
        )?;
        let answers = measure == "answer";
        let say = style.language;
        let title = figure
            .title
            .clone()
            .unwrap_or_else(|| fill(say.word(Word::DistributionOf), &[&say.measure(&measure)]));

        let mut page = Page::new(style, &title);
        let mut plotted = Plotted::new(&box_shape::COLUMNS);
        let mut notes = Vec::new();
        let mut warnings = Vec::new();
        let mut legend = vec![(Swatch::Mean, say.word(Word::Mean).to_owned())];
        if answers {
            legend.push((Swatch::Truth, say.word(Word::TrueValue).to_owned()));
        }
        page.legend(&legend);
        let many = rows.subjects.len() > 1;
        let (subjects, more) = rows.panels(style, rows.cells.len());
        let mut logarithmic = false;
        let (mut outside, mut not_positive) = (Vec::new(), Vec::new());
        let coloured = rows::series_axis(run, &rows.cells);
        let colours = coloured.map(|axis| rows::values(&rows.cells, axis));
        let series = |i: usize| match (coloured, &colours) {
            (Some(axis), Some(labels)) => labels
                .iter()
                .position(|l| {
                    rows.cells[i]
                        .cell
                        .labels
                        .get(axis)
                        .is_some_and(|own| own == l)
                })
                .unwrap_or(0),
            _ => i % SERIES,
        };
        let log = wants_log(figure, &rows, &subjects, answers || measure == "error")?;
        let places = page.grid(subjects.len(), rows.cells.len(), style.panel);
        let titles = panel::titles(&subjects, many, &places, style);
        for ((place, subject), above) in places.into_iter().zip(&subjects).zip(&titles) {
            let boxes: Vec<Boxed> = (rows.cells.iter().enumerate())
                .map(|(i, shown)| Boxed {
                    label: shown.label.clone(),
                    series: series(i),
                    shape: Shape::new(&rows, i, subject, log),
                    truth: answers.then(|| rows.truth(i, subject)).flatten(),
                })
                .collect();
            let found = box_shape::axis(&boxes, log);
            logarithmic |= found.axis.is_log();
            let of = if many {
                format!(" of “{subject}”")
            } else {
                String::new()
            };
            let counted = |count: u64| match many {
                true => fill(say.word(Word::OfSubject), &[&grouped(count), above]),
                false => grouped(count),
            };
            if found.not_log {
                warnings.push(format!("no value{of} is positive, so the axis is linear"));
            }
            if found.outside > 0 {
                outside.push(counted(found.outside));
            }
            let below: u64 = boxes
                .iter()
                .filter_map(|b| b.shape.as_ref())
                .map(|s| s.not_positive)
                .sum();
            if found.axis.is_log() && below > 0 {
                not_positive.push(counted(below));
            }
            let names: Vec<String> = boxes.iter().map(|b| b.label.clone()).collect();
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: above,
                    legend: &[],
                    horizontal: Horizontal::Names(&names),
                    vertical: found.axis,
                    vertical_title: &style.language.measure_axis(&measure),
                },
            );
            box_shape::draw(page.canvas(), style, &frame, &found.axis, &boxes);
            for (shown, boxed) in rows.cells.iter().zip(&boxes) {
                box_shape::note(&mut plotted, &shown.cell.id, subject, boxed);
            }
        }
        notes.extend(rows::sentence(
            say,
            say.word(Word::OutlyingBeyond),
            &outside,
        ));
        notes.extend(rows::sentence(say, say.word(Word::BelowLog), &not_positive));
        notes.extend(rows::more(say, left_out, more, "summary.csv"));
        let scale = if logarithmic {
            say.word(Word::OnLogScale)
        } else {
            ""
        };
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            fill(say.word(Word::BoxCaption), &[scale]),
            notes.join(" ")
        );
        let explanation = "Half of the trials lie in the box. A whisker ends at a trial, or where the bin that holds it is cut by the limit of 1.5 box lengths.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}
