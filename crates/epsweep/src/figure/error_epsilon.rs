//! The mean of a measure against a numeric axis, usually ε: one line per value of the other axes.

use super::along::{
    best_lines, horizontal, horizontal_title, numeric_axis, series_name, series_names, swept,
};
use super::axis::{Axis, extent};
use super::direction::{Better, better};
use super::labels::axis_name;
use super::language::{Word, fill};
use super::legend::{self, Swatch};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel::{self, Frame, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::ticks::Below;
use super::{FigureError, FigureKind, check_scale, named};
use crate::record::{ResolvedAxis, ResolvedFigure, Run};
use crate::summary::{own_error, units};
use epsweep_core::about::About;
use std::collections::BTreeMap;

/// See the module.
pub struct ErrorEpsilon;

/// Figures of the error of each query in its own unit, where the usual one takes different units together.
fn each_query(run: &Run, usual: Option<&ResolvedFigure>) -> Vec<ResolvedFigure> {
    let Some(usual) = usual.filter(|_| units(run).len() > 1) else {
        return Vec::new();
    };
    let mut measures: Vec<(&str, Vec<String>)> = Vec::new();
    for query in run.resolved.cells.iter().flat_map(|cell| &cell.queries) {
        let own = own_error(query);
        let reported = run.resolved.measures.iter().any(|measure| measure == own);
        if !reported || usual.measure.as_deref() == Some(own) {
            continue;
        }
        match measures.iter_mut().find(|(measure, _)| *measure == own) {
            Some((_, names)) if names.contains(&query.name) => {}
            Some((_, names)) => names.push(query.name.clone()),
            None => measures.push((own, vec![query.name.clone()])),
        }
    }
    (measures.into_iter())
        .map(|(measure, subjects)| ResolvedFigure {
            name: format!("error-epsilon-{}", measure.replace('_', "-")),
            measure: Some(measure.to_owned()),
            subjects,
            ..usual.clone()
        })
        .collect()
}

/// A point of a line.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub cell: String,
    pub x: f64,
    pub mean: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub q05: Option<f64>,
    pub q95: Option<f64>,
    pub exact: Option<f64>,
}

/// So many times as far down as the least simulated mean a log axis reaches for exact values.
pub(super) const FURTHER: f64 = 1e6;

impl Spot {
    /// Where it is drawn, if the axis holds it: at the mean, or where no trial had anything but 0, which a log axis has no place for, at the exact
    /// value.
    fn height(&self, vertical: &Axis) -> Option<f64> {
        match self.by_theory() {
            Some(exact) if vertical.is_log() => Some(exact),
            _ => Some(self.mean),
        }
        .filter(|value| vertical.holds(*value))
    }

    /// Whether it is drawn at its exact value.
    pub(super) fn is_exact(&self, vertical: &Axis) -> bool {
        vertical.is_log() && self.by_theory().is_some_and(|exact| vertical.holds(exact))
    }

    /// The exact value, where the mean is not positive and theory says that it should be.
    fn by_theory(&self) -> Option<f64> {
        self.exact.filter(|exact| self.mean <= 0.0 && *exact > 0.0)
    }
}

impl FigureKind for ErrorEpsilon {
    fn about(&self) -> &'static About {
        &About {
            name: "error-epsilon",
            summary: "the mean of a measure against a numeric axis such as ε, with ribbons of its interval and of 5–95 % of the trials",
            formula: "line: mean; ribbons: its interval, and q05 to q95 of the trials",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        // what is counted without trials has a figure of its own
        run.resolved.trials > 0
            && numeric_axis(&run.resolved.axes, &BTreeMap::new()).is_some()
            && rows::usual_measure(run).is_some()
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        let usual = named(run, "error-epsilon");
        let each = each_query(run, usual.as_ref());
        usual.into_iter().chain(each).collect()
    }

    fn needs_numbers(&self) -> bool {
        true
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let measure = rows::measure_of(run, figure)?;
        let (index, axis) = numeric_axis(&run.resolved.axes, &figure.cells)
            .ok_or_else(|| FigureError::NoNumericAxis(figure.name.clone()))?;
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let say = style.language;
        let along = axis_name(&axis.name);
        let title = figure.title.clone().unwrap_or_else(|| {
            fill(
                say.word(Word::MeanAgainstAxis),
                &[&say.measure(&measure), along],
            )
        });
        // a share has a natural scale
        let log_y = match check_scale(figure)? {
            None => measure != "accuracy",
            Some(scale) => scale == "log",
        };
        // a distance is 0 without privacy, which a log axis cannot show
        let reference = reference(&rows, &measure).filter(|value| *value > 0.0 || !log_y);

        let names = series_names(run, &rows, index);
        let mut notes = Vec::new();
        let mut warnings = Vec::new();
        let shown = &best_lines(run, &rows, index, &names, SERIES);
        if names.len() > shown.len() {
            let more = (names.len() - shown.len()).to_string();
            notes.push(fill(say.word(Word::MoreLines), &[&more, "summary.csv"]));
            if better(&measure) != Better::Neither {
                notes.push(say.word(Word::BestShown).to_owned());
            }
        }
        let mut page = Page::new(style, &title);
        let mut legend = legend::lines(shown.iter().map(String::as_str));
        if reference.is_some() {
            legend.push((Swatch::Reference, say.word(Word::WithoutPrivacy).to_owned()));
        }
        if !legend.is_empty() {
            page.legend(&legend);
        }
        let mut plotted = Plotted::new(&[
            "cell", "subject", "series", "x", "mean", "low", "high", "q05", "q95", "exact",
        ]);
        let many = rows.subjects.len() > 1;
        let (mut not_on_log, mut cut_at_log, mut off) = (Vec::new(), Vec::new(), 0);
        let mut by_theory = Vec::new();
        let (subjects, more) = rows.panels(style, 0);
        // all panels have the same axis
        let swept = swept(&rows, index, axis);
        let horizontal = horizontal(swept.iter().copied());
        let places = page.grid(subjects.len(), 0, style.panel);
        let titles = panel::titles(&subjects, many, &places, style);
        for ((place, subject), above) in places.into_iter().zip(&subjects).zip(&titles) {
            let lines: Vec<Vec<Spot>> = shown
                .iter()
                .map(|name| line(run, &rows, index, axis, name, subject))
                .collect();
            let spots = || lines.iter().flatten();
            let means = || spots().map(|s| s.mean);
            let all = || {
                spots()
                    .flat_map(|s| [Some(s.mean), s.low, s.high, s.q05, s.q95])
                    .chain([reference])
                    .flatten()
            };
            let exact = || spots().filter_map(Spot::by_theory);
            let positive = extent(means().filter(|m| *m > 0.0)).or_else(|| extent(exact()));
            let vertical = match positive.filter(|_| log_y) {
                // a ribbon that reaches down to zero must not stretch the axis
                Some((low, _)) => Axis::logarithmic(
                    (all().filter(|v| *v >= low / 100.0))
                        .chain(exact().filter(|v| *v >= low / FURTHER)),
                )
                .unwrap_or_else(|| Axis::linear(all())),
                None => Axis::linear(all()),
            };
            if log_y && !vertical.is_log() && spots().next().is_some() {
                warnings.push(format!(
                    "no mean of {measure} for “{subject}” is positive, so the axis is linear"
                ));
            }
            let of = |count: usize| match many {
                true => fill(say.word(Word::OfSubject), &[&count.to_string(), above]),
                false => count.to_string(),
            };
            let hidden = spots().filter(|s| s.height(&vertical).is_none()).count();
            if hidden > 0 {
                not_on_log.push(of(hidden));
            }
            let known = spots().filter(|s| s.is_exact(&vertical)).count();
            if known > 0 {
                by_theory.push(of(known));
            }
            let reaches = |s: &&Spot| s.low.is_some_and(|low| low <= 0.0);
            let cut = spots().filter(reaches).count();
            if cut > 0 && vertical.is_log() {
                cut_at_log.push(of(cut));
            }
            if names.len() <= SERIES {
                off += rows.cells.len().saturating_sub(spots().count());
            }
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: above,
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below {
                        at: &swept,
                        ..Below::new(horizontal, &horizontal_title(say, axis))
                    }),
                    vertical,
                    vertical_title: &style.language.mean_axis(&measure),
                },
            );
            frame.if_empty(page.canvas(), style, spots().next().is_none());
            if let Some(value) = reference.filter(|value| vertical.holds(*value)) {
                frame.reference(page.canvas(), style, value);
                plotted.rows.push(vec![
                    String::new(),
                    (*subject).to_owned(),
                    "without privacy".to_owned(),
                    String::new(),
                    raw(value),
                    String::new(),
                    String::new(),
                    String::new(),
                    String::new(),
                    String::new(),
                ]);
            }
            for (series, spots) in lines.iter().enumerate() {
                ribbon(page.canvas(), &frame, &vertical, series, 0.10, spots, |s| {
                    (s.q05, s.q95)
                });
            }
            for (series, spots) in lines.iter().enumerate() {
                ribbon(page.canvas(), &frame, &vertical, series, 0.40, spots, |s| {
                    (s.low, s.high)
                });
                draw_line(page.canvas(), style, &frame, &vertical, series, spots);
                for spot in spots {
                    plotted.rows.push(vec![
                        spot.cell.clone(),
                        (*subject).to_owned(),
                        shown[series].clone(),
                        raw(spot.x),
                        raw(spot.mean),
                        raw_or_empty(spot.low),
                        raw_or_empty(spot.high),
                        raw_or_empty(spot.q05),
                        raw_or_empty(spot.q95),
                        raw_or_empty(spot.exact),
                    ]);
                }
            }
        }
        notes.extend(rows::sentence(say, say.word(Word::ExactOnLog), &by_theory));
        notes.extend(rows::sentence(say, say.word(Word::NotOnLog), &not_on_log));
        notes.extend(rows::sentence(say, say.word(Word::CutAtLog), &cut_at_log));
        if off > 0 {
            notes.push(fill(say.word(Word::OffAxis), &[&off.to_string(), along]));
        }
        notes.extend(rows::more(say, 0, more, "summary.csv"));
        let lines = match rows::has_spread(run) {
            true => Word::LinesCaption,
            false => Word::MeansCaption,
        };
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            fill(say.word(lines), &[&say.level(run)]),
            notes.join(" ")
        );
        let explanation = match rows::has_spread(run) {
            true => {
                "The narrow ribbon says how well the mean is known, the wide one where single trials lie. All points of a line read the same noise draws unless streams are independent, so their deviations go together."
            }
            false => {
                "The ribbon says how well the mean is known; a single choice is right or wrong. All points of a line read the same random draws unless streams are independent, so their deviations go together."
            }
        };
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

/// What the measure is without privacy, where that is the same for all cells.
pub(super) fn reference(rows: &Rows<'_>, measure: &str) -> Option<f64> {
    let of = |cell: &rows::Shown<'_>| cell.cell.train.as_ref()?.reference(measure);
    let first = of(rows.cells.first()?)?;
    (rows.cells.iter().all(|cell| of(cell) == Some(first))).then_some(first)
}

pub(super) fn line(
    run: &Run,
    rows: &Rows<'_>,
    index: usize,
    axis: &ResolvedAxis,
    name: &str,
    subject: &str,
) -> Vec<Spot> {
    let numbers = axis.numbers.as_deref().unwrap_or(&[]);
    let spread = rows::has_spread(run);
    let mut spots: Vec<Spot> = (0..rows.cells.len())
        .filter(|cell| series_name(run, rows, *cell, index) == name)
        .filter_map(|cell| {
            let label = rows.cells[cell].cell.labels.get(index)?;
            let x = *numbers.get(axis.labels.iter().position(|l| l == label)?)?;
            let row = rows
                .row(cell, subject, "mean")
                .filter(|r| r.value.is_finite() && x.is_finite())?;
            Some(Spot {
                cell: row.cell.to_string(),
                x,
                mean: row.value,
                low: row.low.filter(|v| v.is_finite()),
                high: row.high.filter(|v| v.is_finite()),
                q05: rows.value(cell, subject, "q05").filter(|_| spread),
                q95: rows.value(cell, subject, "q95").filter(|_| spread),
                exact: row.exact.filter(|v| v.is_finite()),
            })
        })
        .collect();
    spots.sort_by(|a, b| a.x.total_cmp(&b.x));
    spots
}

pub(super) fn ribbon(
    canvas: &mut super::canvas::Canvas,
    frame: &Frame,
    vertical: &Axis,
    series: usize,
    alpha: f64,
    spots: &[Spot],
    ends: impl Fn(&Spot) -> (Option<f64>, Option<f64>),
) {
    // a ribbon breaks where an end is unknown; an end below the axis is cut at its edge
    for run in
        spots.split(|s| !vertical.holds(s.mean) || ends(s).0.is_none() || ends(s).1.is_none())
    {
        let side = |end: Option<f64>, spot: &Spot| end.map(|end| frame.point(spot.x, end));
        let lower = run.iter().filter_map(|s| side(ends(s).0, s));
        let upper = run.iter().rev().filter_map(|s| side(ends(s).1, s));
        let outline = lower.chain(upper).collect();
        canvas.area(outline, style::ink(series).with_alpha(alpha));
    }
}

pub(super) fn draw_line(
    canvas: &mut super::canvas::Canvas,
    style: &Style,
    frame: &Frame,
    vertical: &Axis,
    series: usize,
    spots: &[Spot],
) {
    let ink = style::ink(series);
    for run in spots.split(|s| s.height(vertical).is_none()) {
        let points: Vec<(f64, f64)> = (run.iter())
            .filter_map(|s| Some(frame.point(s.x, s.height(vertical)?)))
            .collect();
        canvas.dashed(&points, style::dashes(series), ink, style.line);
        for (spot, point) in run.iter().zip(points) {
            match spot.is_exact(vertical) {
                false => style::marker(canvas, series, point, 0.25 * style.text, ink),
                true => {
                    canvas.disc(point, 0.25 * style.text, style::WHITE);
                    canvas.ring(point, 0.25 * style.text, ink, 0.6 * style.line);
                }
            }
        }
    }
}
