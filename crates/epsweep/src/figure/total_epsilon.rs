//! A computed number against a numeric axis on log axes, usually what k releases cost together: one line for each method, named at its end.

use super::along::numeric_axis;
use super::axis::{Axis, extent};
use super::canvas::{Anchor, Canvas, Rect};
use super::labels::axis_name;
use super::language::{Word, capital, fill};
use super::page::{Drawing, Page, Plotted, most_panels, raw, raw_or_empty};
use super::panel::{self, Frame, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::ticks::Below;
use super::{Asked, FigureError, FigureKind, by_default, check_scale};
use crate::record::{ResolvedFigure, Run};
use crate::study::Kind;
use epsweep_core::about::About;
use std::collections::BTreeMap;

/// The measure where the figure names none.
const TOTAL: &str = "total_epsilon";
/// The axes that are drawn against, and whose values are lines, where the run has them.
const TIMES: &str = "procedure.compose.k";
const ACCOUNTANT: &str = "procedure.compose.accountant";
/// Part of a panel's width that names may take.
const NAMES: f64 = 0.36;

/// See the module.
pub struct TotalEpsilon;

/// A point of a line.
#[derive(Clone, Debug)]
struct Spot {
    cell: usize,
    x: f64,
    value: f64,
}

/// What a panel shows: a subject, and values of the axes that are neither drawn against nor lines.
#[derive(Clone, Debug, PartialEq)]
struct Setting<'a> {
    subject: &'a str,
    labels: Vec<&'a str>,
}

impl FigureKind for TotalEpsilon {
    fn about(&self) -> &'static About {
        &About {
            name: "total-epsilon",
            summary: "what releases cost together against their number, on log axes: one line for each accountant, named at its end",
            formula: "ε(δ) of k releases against k",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        run.resolved.procedure == Kind::Compose.name()
            && run.resolved.measures.iter().any(|measure| measure == TOTAL)
            && numeric_axis(&run.resolved.axes, &BTreeMap::new()).is_some()
    }

    fn default_specs(&self, _: &Run) -> Vec<ResolvedFigure> {
        vec![by_default(self)]
    }

    fn needs_numbers(&self) -> bool {
        true
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        asked.without(
            &[TOTAL],
            "shows what releases cost together, which is not reported",
            "a composition",
        )
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let has_total = run.resolved.measures.iter().any(|name| name == TOTAL);
        let measure = match &figure.measure {
            None if has_total => TOTAL.to_owned(),
            _ => rows::measure_of(run, figure)?,
        };
        let axes = &run.resolved.axes;
        let by_path = |path: &str| axes.iter().position(|axis| axis.path == path);
        let (index, axis) = by_path(TIMES)
            .map(|i| (i, &axes[i]))
            .filter(|(_, axis)| axis.numbers.as_ref().is_some_and(|n| n.len() > 1))
            .or_else(|| numeric_axis(axes, &figure.cells))
            .ok_or_else(|| FigureError::NoNumericAxis(figure.name.clone()))?;
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let say = style.language;
        let varies = |i: &usize| *i != index && rows::values(&rows.cells, *i).len() > 1;
        let series = (by_path(ACCOUNTANT).filter(|i| varies(i)))
            .or_else(|| rows::series_axis(run, &rows.cells).filter(varies))
            .or_else(|| (0..axes.len()).rev().find(varies));
        let others: Vec<usize> = (0..axes.len())
            .filter(|i| varies(i) && Some(*i) != series)
            .collect();
        let names: Vec<&str> = series.map_or_else(
            || vec![rows.measure],
            |axis| rows::values(&rows.cells, axis),
        );
        let mut notes = Vec::new();
        if names.len() > SERIES {
            let more = (names.len() - SERIES).to_string();
            notes.push(fill(say.word(Word::MoreLines), &[&more, "summary.csv"]));
        }
        let names = &names[..names.len().min(SERIES)];
        let settings = settings(&rows, &others);
        let shown = &settings[..settings.len().min(most_panels(style, 0))];
        if settings.len() > shown.len() {
            let more = (settings.len() - shown.len()).to_string();
            notes.push(fill(say.word(Word::MorePanels), &[&more, "summary.csv"]));
        }

        let along = axis_name(&axis.name);
        let along = match axis.path == TIMES {
            true => format!("{} {along}", say.word(Word::NumberOfReleases)),
            false => along.to_owned(),
        };
        let title = (figure.title.clone()).unwrap_or_else(|| {
            fill(
                say.word(Word::Against),
                &[&capital(&say.measure(&measure)), &along],
            )
        });
        let log_y = check_scale(figure)? != Some("linear");
        let mut page = Page::new(style, &title);
        let mut plotted = Plotted::new(&[
            "cell", "subject", "series", "x", "value", "low", "high", "exact",
        ]);
        let mut within = false;
        let places = page.grid(shown.len(), 0, 1.25 * style.panel);
        let above: Vec<String> = (shown.iter())
            .map(|setting| setting_title(&rows, setting))
            .collect();
        let above: Vec<&str> = above.iter().map(String::as_str).collect();
        let above = panel::titles(&above, true, &places, style);
        for ((place, setting), above) in places.into_iter().zip(shown).zip(&above) {
            let lines: Vec<Vec<Spot>> = (names.iter())
                .map(|name| {
                    let of = |labels: &[String]| {
                        series.is_none_or(|axis| labels[axis] == *name)
                            && (others.iter().zip(&setting.labels))
                                .all(|(i, label)| labels[*i] == *label)
                    };
                    line(&rows, index, axis, setting.subject, of)
                })
                .collect();
            let spots = || lines.iter().flatten();
            // the ε within which runs are counted, if all cells have the same
            let guarantee =
                common_guarantee(&rows, spots().map(|spot| spot.cell)).filter(|_| measure == TOTAL);
            let values = || spots().map(|spot| spot.value).chain(guarantee);
            let vertical = (Axis::logarithmic(values()).filter(|_| log_y))
                .unwrap_or_else(|| Axis::linear(values()));
            let xs = || spots().map(|spot| spot.x);
            let positive = extent(xs()).is_some_and(|(low, _)| low > 0.0);
            let horizontal = (Axis::logarithmic(xs()).filter(|_| positive))
                .unwrap_or_else(|| Axis::linear(xs()));
            let widest = (names.iter())
                .map(|name| style::text_width(name, style.text, false))
                .fold(0.0, f64::max);
            let column = (widest + 2.4 * style.text).min(NAMES * place.width());
            let swept: Vec<f64> = xs().collect();
            let frame = panel::draw(
                page.canvas(),
                style,
                Rect {
                    right: place.right - column,
                    ..place
                },
                &Panel {
                    title: above,
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below {
                        at: &swept,
                        ..Below::new(horizontal, &along)
                    }),
                    vertical,
                    vertical_title: &style.language.mean_axis(&measure),
                },
            );
            frame.if_empty(page.canvas(), style, spots().next().is_none());
            if let Some(epsilon) = guarantee.filter(|epsilon| vertical.holds(*epsilon)) {
                within = true;
                frame.limit(page.canvas(), epsilon);
            }
            for (series, spots) in lines.iter().enumerate() {
                for run in spots.split(|spot| !vertical.holds(spot.value)) {
                    let points = run.iter().map(|spot| frame.point(spot.x, spot.value));
                    let points: Vec<_> = points.collect();
                    let (ink, dashes) = (style::ink(series), style::dashes(series));
                    page.canvas().dashed(&points, dashes, ink, style.line);
                    if let [only] = points.as_slice() {
                        page.canvas().disc(*only, 0.25 * style.text, ink);
                    }
                }
                for spot in spots {
                    let row = rows.row(spot.cell, setting.subject, "mean");
                    plotted.rows.push(vec![
                        rows.cells[spot.cell].cell.id.clone(),
                        setting.subject.to_owned(),
                        names[series].to_owned(),
                        raw(spot.x),
                        raw(spot.value),
                        raw_or_empty(row.and_then(|row| row.low)),
                        raw_or_empty(row.and_then(|row| row.high)),
                        raw_or_empty(row.and_then(|row| row.exact)),
                    ]);
                }
            }
            name_lines(
                page.canvas(),
                style,
                &frame,
                &vertical,
                names,
                &lines,
                column,
            );
        }
        if within {
            notes.insert(0, say.word(Word::GuaranteeDashed).to_owned());
        }
        let caption = format!(
            "{} {}",
            style.language.provenance(run, figure),
            notes.join(" ")
        );
        let explanation = "Each line stands beside its name; where two lines cannot be told apart, their names stand in the order of their last values.";
        Ok(page.finish(title, &caption, explanation, plotted, Vec::new()))
    }
}

/// What the panels show, in the order of the cells.
fn settings<'a>(rows: &Rows<'a>, others: &[usize]) -> Vec<Setting<'a>> {
    let mut found: Vec<Setting<'a>> = Vec::new();
    for subject in &rows.subjects {
        for shown in &rows.cells {
            let labels = others.iter().map(|i| shown.cell.labels[*i].as_str());
            let setting = Setting {
                subject,
                labels: labels.collect(),
            };
            if !found.contains(&setting) {
                found.push(setting);
            }
        }
    }
    found
}

/// What stands above a panel: what tells it apart from the others.
fn setting_title(rows: &Rows<'_>, setting: &Setting<'_>) -> String {
    let subject = (rows.subjects.len() > 1).then_some(setting.subject);
    let parts: Vec<&str> = subject
        .into_iter()
        .chain(setting.labels.iter().copied())
        .collect();
    parts.join(", ")
}

/// The points of the cells with these labels, from left to right.
fn line(
    rows: &Rows<'_>,
    index: usize,
    axis: &crate::record::ResolvedAxis,
    subject: &str,
    of: impl Fn(&[String]) -> bool,
) -> Vec<Spot> {
    let numbers = axis.numbers.as_deref().unwrap_or(&[]);
    let mut spots: Vec<Spot> = (rows.cells.iter().enumerate())
        .filter(|(_, shown)| of(&shown.cell.labels))
        .filter_map(|(cell, shown)| {
            let label = &shown.cell.labels[index];
            let x = *numbers.get(axis.labels.iter().position(|known| known == label)?)?;
            let value = rows.value(cell, subject, "mean")?;
            x.is_finite().then_some(Spot { cell, x, value })
        })
        .collect();
    spots.sort_by(|a, b| a.x.total_cmp(&b.x));
    spots
}

fn common_guarantee(rows: &Rows<'_>, cells: impl Iterator<Item = usize>) -> Option<f64> {
    let mut found = None;
    for cell in cells {
        let within = rows.cells[cell].cell.compose.as_ref()?.within?;
        if *found.get_or_insert(within) != within {
            return None;
        }
    }
    found
}

/// Puts each line's name beside its end, with a stroke that leads there; names give way to each other.
fn name_lines(
    canvas: &mut Canvas,
    style: &Style,
    frame: &Frame,
    vertical: &Axis,
    names: &[&str],
    lines: &[Vec<Spot>],
    column: f64,
) {
    let mut ends: Vec<(usize, f64, f64)> = (lines.iter().enumerate())
        .filter_map(|(series, spots)| {
            let last = spots.iter().rfind(|spot| vertical.holds(spot.value))?;
            let (x, y) = frame.point(last.x, last.value);
            Some((series, x, y))
        })
        .collect();
    ends.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.0.cmp(&b.0)));
    let heights: Vec<f64> = ends.iter().map(|end| end.2).collect();
    let half = 0.6 * style.text;
    let places = spread(
        &heights,
        style.line_height(style.text),
        frame.plot.top + half,
        frame.plot.bottom - half,
    );
    let left = frame.plot.right + 1.8 * style.text;
    for ((series, x, y), place) in ends.into_iter().zip(places) {
        let ink = style::ink(series);
        let elbow = frame.plot.right + 0.4 * style.text;
        let lead = vec![(x, y), (elbow, y), (left - 0.3 * style.text, place)];
        canvas.line(lead, ink.with_alpha(0.6), 0.5);
        let name = style::fit(names[series], column - 1.8 * style.text, style.text, false);
        let letters = style.letters(style.text, ink.letters(), Anchor::Start);
        canvas.text((left, place + 0.36 * style.text), &name, letters);
    }
}

/// Ascending places as near to those wanted as a least distance and the ends allow.
fn spread(wanted: &[f64], distance: f64, top: f64, bottom: f64) -> Vec<f64> {
    let mut places: Vec<f64> = Vec::with_capacity(wanted.len());
    for want in wanted {
        let least = places.last().map_or(top, |last| last + distance);
        places.push(want.max(least));
    }
    // what was pushed beyond the end is pushed back
    let mut most = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - distance;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_distance_and_stay_inside() {
        for wanted in [
            vec![],
            vec![50.0],
            vec![10.0, 10.0, 10.0],
            vec![98.0, 99.0, 99.5, 100.0],
            vec![0.0, 1.0, 50.0, 99.0, 100.0],
        ] {
            let places = spread(&wanted, 8.0, 5.0, 95.0);
            assert_eq!(places.len(), wanted.len());
            for pair in places.windows(2) {
                assert!(pair[1] - pair[0] >= 8.0 - 1e-9, "{places:?}");
            }
            assert!(
                places.iter().all(|place| (5.0..=95.0).contains(place)),
                "{places:?}"
            );
        }
        assert_eq!(spread(&[20.0, 60.0], 8.0, 0.0, 100.0), [20.0, 60.0]);
    }
}
