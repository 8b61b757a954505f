//! The loss along a descent: one line per cell, with a band of the trials.

use super::axis::{Axis, extent};
use super::error_epsilon::{Spot, draw_line, reference, ribbon};
use super::language::{Word, fill};
use super::legend::{self, Swatch};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel::{self, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{SERIES, Style};
use super::ticks::Below;
use super::{Asked, FigureError, FigureKind, by_default, check_scale};
use crate::record::{ResolvedFigure, Run};
use epsweep_core::about::About;

/// What is drawn.
const MEASURE: &str = "step_loss";

/// See the module.
pub struct LossSteps;

impl FigureKind for LossSteps {
    fn about(&self) -> &'static About {
        &About {
            name: "loss-steps",
            summary: "the mean loss after each recorded step of a training, with bands of 5–95 % of the trials",
            formula: "line: mean; band: q05 to q95 of the trials",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        let has = |measure: &String| measure == MEASURE;
        let recorded = |train: &crate::record::ResolvedTrain| train.recorded.len() > 1;
        run.resolved.measures.iter().any(has)
            && (run.resolved.cells.iter()).any(|cell| cell.train.as_deref().is_some_and(recorded))
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        if run.resolved.cells.len() > SERIES {
            return Vec::new();
        }
        vec![by_default(self)]
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        asked.without(
            &[MEASURE],
            "needs the loss along the way, which is not reported",
            "a training",
        )
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let has = |measure: &&String| *measure == MEASURE;
        // of another run there is nothing to draw, and that is said
        let measure = match run.resolved.measures.iter().find(has) {
            Some(measure) => measure.clone(),
            None => rows::measure_of(run, figure)?,
        };
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let say = style.language;
        let title = figure
            .title
            .clone()
            .unwrap_or_else(|| say.word(Word::DescentTitle).to_owned());
        let log = check_scale(figure)? == Some("log");
        let shown = rows.cells.len().min(SERIES);
        let mut notes = Vec::new();
        if rows.cells.len() > shown {
            let left_out = (rows.cells.len() - shown).to_string();
            notes.push(fill(say.word(Word::MoreCells), &[&left_out, "summary.csv"]));
        }
        let lines: Vec<Vec<Spot>> = (0..shown).map(|cell| line(&rows, cell)).collect();
        let reference = reference(&rows, MEASURE);
        let mut page = Page::new(style, &title);
        let mut legend = legend::lines(rows.cells[..shown].iter().map(|cell| cell.label.as_str()));
        if reference.is_some() {
            legend.push((Swatch::Reference, say.word(Word::WithoutPrivacy).to_owned()));
        }
        if !legend.is_empty() {
            page.legend(&legend);
        }
        let mut plotted = Plotted::new(&[
            "cell", "series", "step", "mean", "low", "high", "q05", "q95",
        ]);
        let values = || {
            (lines.iter().flatten())
                .flat_map(|s| [Some(s.mean), s.q05, s.q95])
                .chain([reference])
                .flatten()
        };
        let steps = || lines.iter().flatten().map(|s| s.x);
        let vertical = match extent(values().filter(|v| *v > 0.0)).filter(|_| log) {
            Some(_) => Axis::logarithmic(values()).unwrap_or_else(|| Axis::linear(values())),
            None => Axis::linear(values()),
        };
        let mut warnings = Vec::new();
        if steps().next().is_none() {
            warnings.push("no loss along the way is finite".to_owned());
        }
        for place in page.grid(1, 0, style.panel) {
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: "",
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below::new(
                        Axis::of_places(steps()),
                        say.word(Word::Step),
                    )),
                    vertical,
                    vertical_title: &say.mean_axis("loss"),
                },
            );
            frame.if_empty(page.canvas(), style, steps().next().is_none());
            if let Some(value) = reference.filter(|value| vertical.holds(*value)) {
                frame.reference(page.canvas(), style, value);
            }
            for (series, spots) in lines.iter().enumerate() {
                ribbon(page.canvas(), &frame, &vertical, series, 0.12, spots, |s| {
                    (s.q05, s.q95)
                });
            }
            for (series, spots) in lines.iter().enumerate() {
                draw_line(page.canvas(), style, &frame, &vertical, series, spots);
                for spot in spots {
                    plotted.rows.push(vec![
                        spot.cell.clone(),
                        rows.cells[series].label.clone(),
                        raw(spot.x),
                        raw(spot.mean),
                        raw_or_empty(spot.low),
                        raw_or_empty(spot.high),
                        raw_or_empty(spot.q05),
                        raw_or_empty(spot.q95),
                    ]);
                }
            }
        }
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            say.word(Word::LossCaption),
            notes.join(" ")
        );
        let explanation = "Step 0 is before the first step. The loss is that of the iterate, whatever the result is made of. A descent with noise does not settle: where it levels off, the noise of a step undoes what the step gains.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

fn line(rows: &Rows<'_>, cell: usize) -> Vec<Spot> {
    let recorded = rows.cells[cell]
        .cell
        .train
        .iter()
        .flat_map(|train| &train.recorded);
    let spots = recorded.filter_map(|step| {
        let row = rows
            .row(cell, &step.name, "mean")
            .filter(|row| row.value.is_finite())?;
        Some(Spot {
            cell: row.cell.to_string(),
            x: step.step as f64,
            mean: row.value,
            low: row.low,
            high: row.high,
            q05: rows.value(cell, &step.name, "q05"),
            q95: rows.value(cell, &step.name, "q95"),
            exact: None,
        })
    });
    spots.collect()
}
