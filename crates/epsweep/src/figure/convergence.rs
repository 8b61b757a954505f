//! How estimates settle: the Monte Carlo standard error of a mean against the number of trials, beside the law 1/√n.

use super::axis::{Axis, extent};
use super::language::{Word, fill};
use super::legend::{self, Swatch};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel::{self, Horizontal, Panel, REFERENCE};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::ticks::Below;
use super::{Asked, FigureError, FigureKind};
use crate::record::{ResolvedFigure, Run, SummaryRow};
use epsweep_core::about::About;

/// See the module.
pub struct Convergence;

impl FigureKind for Convergence {
    fn about(&self) -> &'static About {
        &About {
            name: "convergence",
            summary: "the Monte Carlo standard error of a mean against the number of trials, on log axes, beside the line of 1/√n",
            formula: "MCSE(n) = sd(n)/√n, of the first n trials",
            source: "Morris, White, Crowther, Statistics in Medicine 38 (2019), section 5.2",
        }
    }

    fn applies(&self, _: &Run) -> bool {
        // what it shows is recorded only for it
        false
    }

    fn default_specs(&self, _: &Run) -> Vec<ResolvedFigure> {
        Vec::new()
    }

    fn draws_convergence(&self) -> bool {
        true
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        if !asked.simulates {
            return Some((
                "shows errors of simulation, and nothing is simulated",
                "a procedure with trials".to_owned(),
            ));
        }
        let most = asked.kept_up_to?;
        Some((
            "shows how cells settle, and these are so many that each is forgotten as soon as it is estimated",
            format!("at most {most} cells, or trials that end by a target of precision"),
        ))
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let say = style.language;
        let measure = rows::measure_of(run, figure)?;
        let (rows, left_out) = Rows::of_first(run, figure, &measure, SERIES)?;
        let title = (figure.title.clone())
            .unwrap_or_else(|| fill(say.word(Word::ErrorAgainstTrials), &[&say.mean(&measure)]));
        let mut page = Page::new(style, &title);
        let mut plotted =
            Plotted::new(&["cell", "subject", "trials", "mean", "mcse", "low", "high"]);
        let mut notes = Vec::new();
        let mut warnings = Vec::new();
        let mut legend = legend::lines(rows.cells.iter().map(|shown| shown.label.as_str()));
        legend.push((Swatch::Law, "∝ 1/√n".to_owned()));
        page.legend(&legend);
        let many = rows.subjects.len() > 1;
        let (subjects, more) = rows.panels(style, 0);
        let places = page.grid(subjects.len(), 0, style.panel);
        let titles = panel::titles(&subjects, many, &places, style);
        for ((place, subject), above) in places.into_iter().zip(&subjects).zip(&titles) {
            let lines: Vec<Vec<&SummaryRow>> = (rows.cells.iter())
                .map(|shown| settling(run, &shown.cell.id, subject, &measure))
                .collect();
            let error = |row: &SummaryRow| row.mcse.filter(|e| e.is_finite() && *e > 0.0);
            let errors = || lines.iter().flatten().filter_map(|row| error(row));
            let trials = lines.iter().flatten().map(|row| row.trials as f64);
            let horizontal = Axis::logarithmic(trials).unwrap_or_else(|| Axis::exactly(0.0, 1.0));
            let known = Axis::logarithmic(errors());
            let vertical = known.unwrap_or_else(|| Axis::exactly(0.0, 1.0));
            let swept: Vec<f64> = lines
                .iter()
                .flatten()
                .map(|row| row.trials as f64)
                .collect();
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: above,
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below {
                        at: &swept,
                        ..Below::new(horizontal, say.word(Word::Trials))
                    }),
                    vertical,
                    vertical_title: &fill(say.word(Word::McseOf), &[&say.mean_axis(&measure)]),
                },
            );
            let canvas = page.canvas();
            if known.is_none() {
                let text = say.word(Word::NoConvergence);
                panel::notice(canvas, style, frame.plot, text);
                warnings.push(format!(
                    "no errors after fewer trials were recorded of {measure} for “{subject}”"
                ));
            }
            for (i, line) in lines.iter().enumerate() {
                let ink = style::ink(i);
                let points: Vec<(f64, f64)> = (line.iter())
                    .filter_map(|row| Some((row.trials as f64, error(row)?)))
                    .collect();
                let drawn: Vec<(f64, f64)> =
                    points.iter().map(|(n, e)| frame.point(*n, *e)).collect();
                canvas.dashed(&drawn, style::dashes(i), ink, style.line);
                for at in drawn {
                    style::marker(canvas, i, at, 0.27 * style.text, ink);
                }
                // through the last point, whose error is known best
                if let (Some((first, _)), Some((last, end))) = (points.first(), points.last()) {
                    let law = |n: f64| end * libm::sqrt(last / n);
                    // on log axes the law is straight: it is cut where it leaves the axis
                    let ends = [*first, *last].map(|n| (n, law(n)));
                    if ends.iter().all(|(_, e)| vertical.holds(*e)) {
                        let ends = ends.map(|(n, e)| frame.point(n, e));
                        canvas.dashed(&ends, REFERENCE, style::TEXT, panel::LAW * style.line);
                    }
                }
                for row in line {
                    plotted.rows.push(vec![
                        row.cell.to_string(),
                        (*subject).to_owned(),
                        row.trials.to_string(),
                        raw(row.value),
                        raw_or_empty(row.mcse),
                        raw_or_empty(row.low),
                        raw_or_empty(row.high),
                    ]);
                }
            }
        }
        if let Some((low, high)) = extent(run.convergence.iter().map(|row| row.trials as f64)) {
            notes.push(fill(
                say.word(Word::ConvergenceCaption),
                &[
                    &crate::words::grouped(low as u64),
                    &crate::words::grouped(high as u64),
                ],
            ));
        }
        notes.extend(rows::more(say, left_out, more, "convergence.csv"));
        let caption = format!("{} {}", say.provenance(run, figure), notes.join(" "));
        let explanation = "Each point is of the first n trials of the same run, so points of a line go together. An error that does not fall like 1/√n comes from rare large values: the moments of the measure are then hardly known, or infinite.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

/// The means of a measure after fewer trials and after all, by the number of trials.
fn settling<'a>(run: &'a Run, cell: &str, subject: &str, measure: &str) -> Vec<&'a SummaryRow> {
    let mut rows: Vec<&SummaryRow> = (run.convergence.iter())
        .filter(|row| {
            &*row.cell == cell
                && &*row.subject == subject
                && &*row.measure == measure
                && &*row.statistic == "mean"
        })
        .collect();
    rows.sort_by_key(|row| row.trials);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{draw, sample};

    #[test]
    fn each_recorded_number_of_trials_is_a_point() {
        let run = sample::run(&[1.0], &["even", "proportional"], 4000);
        let figure = ResolvedFigure {
            kind: "convergence".to_owned(),
            name: "c".to_owned(),
            ..ResolvedFigure::default()
        };
        let drawing = draw(&run, &figure).expect("a picture");
        let trials: Vec<&str> = (drawing.plotted.rows.iter())
            .filter(|row| row[0].ends_with("even"))
            .map(|row| row[2].as_str())
            .collect();
        assert_eq!(trials, ["62", "250", "1000", "4000"]);
        assert!(drawing.warnings.is_empty(), "{:?}", drawing.warnings);
        let mut without = run.clone();
        without.convergence.clear();
        let drawing = draw(&without, &figure).expect("a picture that says so");
        assert_eq!(drawing.warnings.len(), 1);
    }
}
