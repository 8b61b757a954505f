//! Bias² and variance of a measure against a numeric axis, their sum, and where it is least.

mod points;

use super::along::{horizontal, horizontal_title, numeric_axes, series_names, swept};
use super::axis::{Axis, extent};
use super::language::{Language, Word, fill, with_unit};
use super::legend::{Entry, Swatch};
use super::page::{Drawing, Page, Plotted, most_panels, raw, raw_or_empty};
use super::panel::{self, Frame, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, Style};
use super::ticks::Below;
use super::{FigureError, FigureKind, check_scale};
use crate::figure::labels::axis_name;
use crate::record::{ResolvedAxis, ResolvedFigure, Run};
use epsweep_core::about::About;
use points::{Part, Spot, least, spots};
use std::collections::BTreeMap;

/// Measures whose mean is a bias.
const SIGNED: [&str; 3] = ["error", "population_error", "error_post"];

/// See the module.
pub struct BiasVariance;

impl FigureKind for BiasVariance {
    fn about(&self) -> &'static About {
        &About {
            name: "bias-variance",
            summary: "bias² and variance of a signed error against a numeric axis, the mean squared error, and where that is least",
            formula: "E e² = (E e)² + Var e",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        axis_of(run, &BTreeMap::new()).is_some() && rows::usual_measure(run).is_some()
    }

    /// Only where an experiment asks for it: without a bias there is little to see.
    fn default_specs(&self, _: &Run) -> Vec<ResolvedFigure> {
        Vec::new()
    }

    fn needs_numbers(&self) -> bool {
        true
    }

    fn draws(&self, measure: Option<&str>, reported: &[&str]) -> Vec<String> {
        let signed = || SIGNED.into_iter().find(|name| reported.contains(name));
        let drawn = (measure.or_else(signed)).or_else(|| super::usual_measure(reported));
        drawn.map(str::to_owned).into_iter().collect()
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let measure = measure_of(run, figure)?;
        let signed = SIGNED.contains(&measure.as_str());
        let (index, axis) = axis_of(run, &figure.cells)
            .ok_or_else(|| FigureError::NoNumericAxis(figure.name.clone()))?;
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let say = style.language;
        let along = axis_name(&axis.name);
        // what it is called in the file of plotted numbers, and in the picture
        let (first, first_word) = match signed {
            true => ("bias²", Word::BiasSquared),
            false => ("squared mean", Word::SquaredMean),
        };
        let title = figure.title.clone().unwrap_or_else(|| {
            let of = match signed {
                true => Word::BiasTitle,
                false => Word::SquaredMeanTitle,
            };
            fill(say.word(of), &[&say.measure(&measure), along])
        });
        let log_y = check_scale(figure)? != Some("linear");

        let names = series_names(run, &rows, index);
        let panels: Vec<(&str, &String)> = (rows.subjects.iter())
            .flat_map(|subject| names.iter().map(move |name| (*subject, name)))
            .collect();
        let shown = &panels[..panels.len().min(most_panels(style, 0))];
        let curves: Vec<Vec<Spot>> = shown
            .iter()
            .map(|(subject, name)| spots(run, &rows, index, axis, name, subject))
            .collect();
        let exact =
            (curves.iter().flatten().flat_map(|spot| &spot.parts)).any(|part| part.exact.is_some());
        let mut notes = Vec::new();
        let mut warnings = Vec::new();
        let mut page = Page::new(style, &title);
        let mut legend: Vec<Entry> = vec![
            (Swatch::Line(0), say.word(first_word).to_owned()),
            (Swatch::Line(1), say.word(Word::Variance).to_owned()),
            (Swatch::Line(2), say.word(Word::SumOfBoth).to_owned()),
        ];
        if exact {
            legend.push((Swatch::Tick, say.word(Word::Exact).to_owned()));
        }
        page.legend(&legend);
        let mut plotted = Plotted::new(&[
            "cell", "subject", "series", "part", "x", "value", "low", "high", "exact", "least",
        ]);
        // all panels have the same axis
        let swept = swept(&rows, index, axis);
        let places = page.grid(shown.len(), 0, style.panel);
        let mut hidden = 0;
        let headings: Vec<String> = (shown.iter())
            .map(|(subject, name)| {
                let own = (rows.subjects.len() > 1 || rows.lone().is_some()).then_some(*subject);
                let parts: Vec<&str> = (own.into_iter())
                    .chain((names.len() > 1).then_some(name.as_str()))
                    .collect();
                parts.join(", ")
            })
            .collect();
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let headings = panel::titles(&headings, true, &places, style);
        let panels_shown = places.into_iter().zip(shown).zip(&curves).zip(&headings);
        for (((place, (subject, name)), spots), heading) in panels_shown {
            let least = least(spots);
            let best: Vec<Entry> = (least.into_iter())
                .map(|least| {
                    let parts = [along, &spots[least].label];
                    (Swatch::Truth, fill(say.word(Word::LeastAt), &parts))
                })
                .collect();
            let sums = || spots.iter().map(|spot| spot.parts[2].value);
            let all = || {
                (spots.iter().flat_map(|spot| &spot.parts))
                    .flat_map(|part| [Some(part.value), part.exact])
                    .flatten()
            };
            let vertical = match extent(sums().filter(|v| *v > 0.0)).filter(|_| log_y) {
                // a bias that is hardly one must not stretch the axis
                Some((low, _)) => Axis::logarithmic(all().filter(|v| *v >= low / 1000.0))
                    .unwrap_or_else(|| Axis::linear(all())),
                None => Axis::linear(all()),
            };
            if log_y && !vertical.is_log() && !spots.is_empty() {
                warnings.push(format!(
                    "no mean square of {measure} for “{subject}” is positive, so the axis is linear"
                ));
            }
            let below = |part: &Part| !vertical.holds(part.value);
            hidden += (spots.iter().flat_map(|spot| &spot.parts))
                .filter(|part| below(part))
                .count();
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: heading,
                    legend: &best,
                    horizontal: Horizontal::Numbers(Below {
                        at: &swept,
                        ..Below::new(
                            horizontal(swept.iter().copied()),
                            &horizontal_title(style.language, axis),
                        )
                    }),
                    vertical,
                    vertical_title: &squared_axis(say, &measure),
                },
            );
            frame.if_empty(page.canvas(), style, spots.is_empty());
            for series in 0..3 {
                curve(page.canvas(), style, &frame, &vertical, series, spots);
            }
            if let Some(least) = least {
                mark(page.canvas(), style, &frame, &vertical, &spots[least]);
            }
            for (place, spot) in spots.iter().enumerate() {
                for (part, what) in spot.parts.iter().zip([first, "variance", "sum"]) {
                    plotted.rows.push(vec![
                        spot.cell.clone(),
                        (*subject).to_owned(),
                        (*name).clone(),
                        what.to_owned(),
                        raw(spot.x),
                        raw(part.value),
                        raw_or_empty(part.interval.map(|ends| ends.0)),
                        raw_or_empty(part.interval.map(|ends| ends.1)),
                        raw_or_empty(part.exact),
                        String::from(if least == Some(place) { "yes" } else { "" }),
                    ]);
                }
            }
        }
        if hidden > 0 {
            notes.push(fill(say.word(Word::BelowAxes), &[&hidden.to_string()]));
        }
        if panels.len() > shown.len() {
            let more = (panels.len() - shown.len()).to_string();
            notes.push(fill(say.word(Word::MorePanels), &[&more, "summary.csv"]));
        }
        let ticks = match exact {
            true => say.word(Word::ExactTicks),
            false => "",
        };
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            fill(say.word(Word::EstimatesCaption), &[&say.level(run), ticks]),
            notes.join(" ")
        );
        let explanation = "The least sum is that of the exact values where all are known, else of the estimates, among the values of the axis that were simulated.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

/// The numeric axis along which a bias can be expected to change: one that is no budget, if there is such.
fn axis_of<'a>(
    run: &'a Run,
    cells: &BTreeMap<String, Vec<String>>,
) -> Option<(usize, &'a ResolvedAxis)> {
    let numeric = numeric_axes(&run.resolved.axes, cells);
    let budget = |axis: &ResolvedAxis| axis.path.starts_with("budget.") || axis.name == "epsilon";
    let found = numeric.iter().find(|(_, axis)| !budget(axis));
    found.or(numeric.first()).copied()
}

/// The measure asked for; else the first signed one, else the usual one.
fn measure_of(run: &Run, figure: &ResolvedFigure) -> Result<String, FigureError> {
    let has = |measure: &&&str| run.resolved.measures.iter().any(|m| m == **measure);
    match (&figure.measure, SIGNED.iter().find(has)) {
        (None, Some(signed)) => Ok((*signed).to_owned()),
        _ => rows::measure_of(run, figure),
    }
}

/// Title of an axis that shows squares of a measure.
fn squared_axis(say: Language, measure: &str) -> String {
    let unit = match say.unit(measure) {
        "" => String::new(),
        unit => format!("{unit}²"),
    };
    with_unit(
        &fill(say.word(Word::MeanSquareOf), &[&say.measure(measure)]),
        &unit,
    )
}

/// A line with its ribbon, and the exact values on it.
fn curve(
    canvas: &mut super::canvas::Canvas,
    style: &Style,
    frame: &Frame,
    vertical: &Axis,
    series: usize,
    spots: &[Spot],
) {
    let ink = style::ink(series);
    let part = |spot: &Spot| spot.parts[series];
    for run in spots.split(|spot| !vertical.holds(part(spot).value)) {
        for known in run.split(|spot| part(spot).interval.is_none()) {
            let side = |spot: &Spot, end: fn((f64, f64)) -> f64| {
                part(spot)
                    .interval
                    .map(|ends| frame.point(spot.x, end(ends)))
            };
            let lower = known.iter().filter_map(|spot| side(spot, |ends| ends.0));
            let upper = (known.iter().rev()).filter_map(|spot| side(spot, |ends| ends.1));
            canvas.area(lower.chain(upper).collect(), ink.with_alpha(0.3));
        }
        let points: Vec<(f64, f64)> = run
            .iter()
            .map(|spot| frame.point(spot.x, part(spot).value))
            .collect();
        canvas.dashed(&points, style::dashes(series), ink, style.line);
        for point in points {
            style::marker(canvas, series, point, 0.25 * style.text, ink);
        }
    }
    for spot in spots {
        if let Some(exact) = part(spot).exact.filter(|exact| vertical.holds(*exact)) {
            let (x, y) = frame.point(spot.x, exact);
            let half = 0.6 * style.text;
            let from = (x - half).max(frame.plot.left);
            let to = (x + half).min(frame.plot.right);
            canvas.line(vec![(from, y), (to, y)], style::TEXT, 0.8);
        }
    }
}

/// Marks the least sum: a line down to the axis, and the mark itself.
fn mark(
    canvas: &mut super::canvas::Canvas,
    style: &Style,
    frame: &Frame,
    vertical: &Axis,
    spot: &Spot,
) {
    if !vertical.holds(spot.parts[2].value) {
        return;
    }
    let at = frame.point(spot.x, spot.parts[2].value);
    let foot = (at.0, frame.plot.bottom);
    canvas.dashed(&[at, foot], &super::legend::MEAN_DASHES, style::QUIET, 0.7);
    super::legend::truth_mark(canvas, style, at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{draw, sample};
    use crate::measure;

    fn figure() -> ResolvedFigure {
        ResolvedFigure {
            kind: "bias-variance".to_owned(),
            name: "b".to_owned(),
            measure: Some("answer".to_owned()),
            ..ResolvedFigure::default()
        }
    }

    #[test]
    fn signed_measures_are_there() {
        for name in SIGNED {
            assert!(measure::find(name).is_some(), "{name}");
        }
    }

    /// Means 3, 2, 1 and deviations 1, 2, 5 along the axis: sums 10, 8, 26.
    #[test]
    fn the_least_sum_is_marked_and_parts_are_squares() {
        let mut run = sample::run(&[0.1, 1.0, 10.0], &["even"], 50);
        let numbers = [("0.1", -3.0, 1.0), ("1", 2.0, 2.0), ("10", 1.0, 5.0)];
        for row in &mut run.summary {
            let cell = row.cell.to_string();
            let (_, mean, sd) = numbers
                .iter()
                .find(|(label, ..)| cell.split([' ', '=']).any(|word| word == *label))
                .expect("a cell of the sample");
            (row.low, row.high, row.exact) = (None, None, None);
            match row.statistic.as_ref() {
                "mean" => {
                    row.value = *mean;
                    (row.low, row.high) = (Some(mean - 2.5), Some(mean + 2.5));
                }
                "sd" => row.value = *sd,
                _ => {}
            }
        }
        let parts = |run: &Run| -> Vec<(String, f64, String)> {
            let drawing = draw(run, &figure()).expect("a drawing");
            assert_eq!(drawing.canvas.faults(), Vec::<String>::new());
            let of_first = |row: &&Vec<String>| row[1] == "mean age";
            (drawing.plotted.rows.iter().filter(of_first))
                .map(|row| {
                    (
                        row[3].clone(),
                        row[5].parse().expect("a number"),
                        row[9].clone(),
                    )
                })
                .collect()
        };
        let found = parts(&run);
        let value = |what: &str| -> Vec<f64> {
            found
                .iter()
                .filter(|row| row.0 == what)
                .map(|row| row.1)
                .collect()
        };
        assert_eq!(value("squared mean"), [9.0, 4.0, 1.0]);
        assert_eq!(value("variance"), [1.0, 4.0, 25.0]);
        assert_eq!(value("sum"), [10.0, 8.0, 26.0]);
        let least = |found: &[(String, f64, String)]| -> Vec<f64> {
            let marked = found.iter().filter(|row| row.0 == "sum" && row.2 == "yes");
            marked.map(|row| row.1).collect()
        };
        assert_eq!(least(&found), [8.0]);
        // an interval over zero begins at zero when it is squared
        let drawing = draw(&run, &figure()).expect("a drawing");
        let row = (drawing.plotted.rows.iter()).find(|row| row[1] == "mean age" && row[4] == "1");
        assert_eq!(
            row.map(|row| (row[6].as_str(), row[7].as_str())),
            Some(("0", "20.25"))
        );
        // exact values have the last word, if all are known
        for row in &mut run.summary {
            row.exact = match row.statistic.as_ref() {
                "mean" => Some(0.0),
                "sd" => Some(row.value),
                _ => None,
            };
        }
        assert_eq!(least(&parts(&run)), [10.0]);
    }
}
