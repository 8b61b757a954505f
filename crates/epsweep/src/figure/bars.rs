//! Grouped bars of means, with intervals and exact values.

use super::axis::{Axis, extent};
use super::canvas::{Anchor, Canvas, Rect};
use super::language::{Word, fill};
use super::legend::{self, Entry, Swatch};
use super::page::{Drawing, Page, Plotted, most_names, raw, raw_or_empty};
use super::panel::{self, Frame, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::{FigureError, FigureKind, check_scale, named};
use crate::record::{ResolvedFigure, Run};
use crate::words::{grouped, significant};
use epsweep_core::about::About;

/// Bars in a picture; further ones are left to the tables.
const MOST_BARS: usize = 96;
/// Means that differ by more than this factor want a log axis.
const WIDE: f64 = 50.0;

/// See the module.
pub struct Bars;

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// canonical text of its cell
    pub cell: String,
    /// query, or `all`
    pub subject: String,
    /// the mean
    pub value: f64,
    /// lower end of its interval
    pub low: Option<f64>,
    /// upper end of its interval
    pub high: Option<f64>,
    /// what theory says
    pub exact: Option<f64>,
}

/// Bars in groups: `bars[group][series]`.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// below the groups
    pub groups: Vec<String>,
    /// in the legend; a single series has no legend
    pub series: Vec<String>,
    /// `None` where there is nothing to draw
    pub bars: Vec<Vec<Option<Bar>>>,
}

impl FigureKind for Bars {
    fn about(&self) -> &'static About {
        &About {
            name: "bars",
            summary: "grouped bars of the means of a measure, with intervals and exact values",
            formula: "mean ± t · sd / √n",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        rows::usual_measure(run).is_some() && !run.resolved.cells.is_empty()
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        if super::few_cells(run) {
            named(run, "bars").into_iter().collect()
        } else {
            Vec::new()
        }
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let measure = rows::measure_of(run, figure)?;
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let say = style.language;
        let title = figure
            .title
            .clone()
            .unwrap_or_else(|| fill(say.word(Word::MeanTitle), &[&say.measure(&measure)]));
        let (groups, left_out) = arrange(run, &rows, style);

        let mut page = Page::new(style, &title);
        let mut plotted = Plotted::new(&COLUMNS);
        let asked = match check_scale(figure)? {
            Some("log") => Some(true),
            Some(_) => Some(false),
            None => None,
        };
        let place = page.row(1, style.panel)[0];
        let outcome = draw(
            page.canvas(),
            style,
            place,
            &groups,
            "",
            &style.language.mean_axis(&measure),
            asked,
        );
        note(&mut plotted, &groups);
        let mut notes = outcome.notes;
        if left_out > 0 {
            notes.push(fill(
                say.word(Word::MoreBars),
                &[&left_out.to_string(), "summary.csv"],
            ));
        }
        let exact = match outcome.exact {
            true => say.word(Word::ExactTicks),
            false => "",
        };
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            fill(say.word(Word::BarsCaption), &[&say.level(run), exact]),
            notes.join(" ")
        );
        let explanation = "An interval says how well the mean is known after so many trials; single trials spread much wider.";
        Ok(page.finish(title, &caption, explanation, plotted, outcome.warnings))
    }
}

fn bar(rows: &Rows<'_>, cell: usize, subject: &str) -> Option<Bar> {
    let row = rows
        .row(cell, subject, "mean")
        .filter(|r| r.value.is_finite())?;
    Some(Bar {
        cell: row.cell.to_string(),
        subject: subject.to_owned(),
        value: row.value,
        low: row.low.filter(|v| v.is_finite()),
        high: row.high.filter(|v| v.is_finite()),
        exact: row.exact.filter(|v| v.is_finite()),
    })
}

/// Bars per subject, grouped by subject: one series per cell.
pub fn by_subject(rows: &Rows<'_>) -> Groups {
    Groups {
        groups: rows::subject_labels(&rows.subjects),
        series: rows.cells.iter().map(|c| c.label.clone()).collect(),
        bars: (rows.subjects.iter())
            .map(|subject| {
                (0..rows.cells.len())
                    .map(|cell| bar(rows, cell, subject))
                    .collect()
            })
            .collect(),
    }
}

/// Chooses groups and series: several subjects are groups of cells; otherwise the values of the axis with the fewest
/// values (at most as many as there are colours) are the series and the others the groups.
fn arrange(run: &Run, rows: &Rows<'_>, style: &Style) -> (Groups, usize) {
    let count = rows.cells.len() * rows.subjects.len();
    let mut groups = if rows.subjects.len() > 1 && rows.cells.len() <= SERIES {
        by_subject(rows)
    } else {
        along_axes(run, rows)
    };
    let per_group = groups.bars.first().map_or(1, Vec::len).max(1);
    // a group whose name has no room says nothing
    let most = (MOST_BARS / per_group).clamp(1, most_names(style));
    groups.groups.truncate(most);
    groups.bars.truncate(most);
    let shown = groups.bars.len() * per_group;
    (groups, count.saturating_sub(shown))
}

fn along_axes(run: &Run, rows: &Rows<'_>) -> Groups {
    let axes = &run.resolved.axes;
    let values = |axis: usize| rows::values(&rows.cells, axis);
    let varying: Vec<usize> = (0..axes.len()).filter(|i| values(*i).len() > 1).collect();
    let series_axis = rows::series_axis(run, &rows.cells);
    let several = rows.subjects.len() > 1;
    let mut groups = Groups::default();
    if let Some(axis) = series_axis {
        groups.series = values(axis)
            .iter()
            .map(|label| rows::axis_label(&axes[axis].name, label, axes[axis].numbers.is_some()))
            .collect();
    } else {
        groups.series = vec![String::new()];
    }
    let mut index = std::collections::BTreeMap::new();
    let names = rows::subject_labels(&rows.subjects);
    for (subject, name) in rows.subjects.iter().zip(&names) {
        for (i, shown) in rows.cells.iter().enumerate() {
            let others: Vec<String> = (varying.iter().copied())
                .filter(|axis| Some(*axis) != series_axis)
                .map(|axis| {
                    let label = shown.cell.labels.get(axis).map_or("", String::as_str);
                    rows::axis_label(&axes[axis].name, label, axes[axis].numbers.is_some())
                })
                .collect();
            let mut label = if varying.is_empty() {
                shown.label.clone()
            } else {
                others.join(", ")
            };
            if several {
                label = if label.is_empty() {
                    name.clone()
                } else {
                    format!("{name}: {label}")
                };
            }
            let group = *index.entry(label.clone()).or_insert_with(|| {
                groups.groups.push(label);
                groups.bars.push(vec![None; groups.series.len()]);
                groups.bars.len() - 1
            });
            let series = series_axis
                .and_then(|axis| {
                    values(axis)
                        .iter()
                        .position(|v| shown.cell.labels.get(axis).is_some_and(|l| l == v))
                })
                .unwrap_or(0);
            groups.bars[group][series] = bar(rows, i, subject);
        }
    }
    groups
}

/// What a reader should know of a panel.
pub struct Outcome {
    /// for the caption
    pub notes: Vec<String>,
    /// what could not be done as asked
    pub warnings: Vec<String>,
    /// exact values are shown
    pub exact: bool,
}

/// Draws a panel of bars; `log` is what was asked for, if anything.
pub fn draw(
    canvas: &mut Canvas,
    style: &Style,
    place: Rect,
    groups: &Groups,
    title: &str,
    vertical_title: &str,
    log: Option<bool>,
) -> Outcome {
    let mut outcome = Outcome {
        notes: Vec::new(),
        warnings: Vec::new(),
        exact: false,
    };
    let say = style.language;
    let bars = || groups.bars.iter().flatten().flatten();
    let positive = extent(bars().map(|b| b.value).filter(|v| *v > 0.0));
    let negative = bars().any(|b| b.value < 0.0);
    let wide = !negative && positive.is_some_and(|(low, high)| high / low > WIDE);
    let ends = || {
        bars()
            .flat_map(|b| [Some(b.value), b.low, b.high, b.exact])
            .flatten()
    };
    let wanted = log.unwrap_or(wide);
    let axis = match (wanted, positive) {
        (true, Some((low, _))) => {
            // intervals that reach down to zero must not stretch the axis; bars begin well below the lowest mean
            Axis::logarithmic(ends().filter(|v| *v >= low / 3.0).chain([low / 3.0]))
                .unwrap_or_else(|| Axis::from_zero(ends()))
        }
        _ => Axis::from_zero(ends()),
    };
    if wanted && !axis.is_log() {
        outcome
            .warnings
            .push("no mean is positive, so the axis is linear".to_owned());
    }
    let hidden = bars().filter(|b| axis.is_log() && b.value <= 0.0).count();
    if hidden > 0 {
        let counts = [grouped(hidden as u64), bars().count().to_string()];
        let note = fill(say.word(Word::NoBar), &[&counts[0], &counts[1]]);
        outcome.notes.push(note);
    }
    if axis.is_log() {
        outcome.notes.push(say.word(Word::CompareTops).to_owned());
    }
    if groups.bars.iter().flatten().any(Option::is_none) {
        outcome.notes.push(say.word(Word::MissingDash).to_owned());
    }
    outcome.exact = bars().any(|b| b.exact.is_some());

    let mut entries: Vec<Entry> = Vec::new();
    if groups.series.len() > 1 {
        let names = legend::short(groups.series.iter().map(String::as_str));
        let boxes = names.into_iter().enumerate();
        entries.extend(boxes.map(|(i, name)| (Swatch::Box(i % SERIES), name)));
    }
    if outcome.exact {
        entries.push((Swatch::Tick, style.language.word(Word::Exact).to_owned()));
    }
    let frame = panel::draw(
        canvas,
        style,
        place,
        &Panel {
            title,
            legend: &entries,
            horizontal: Horizontal::Names(&groups.groups),
            vertical: axis,
            vertical_title,
        },
    );
    let per_group = groups.series.len().max(1) as f64;
    let width = (0.8 * frame.band() / per_group).min(6.0 * style.text);
    // the numbers themselves, where there is room for all of them
    let size = 0.92 * style.text;
    let labelled = bars()
        .all(|b| style::text_width(&significant(b.value, 3), size, false) < 1.06 * 0.92 * width);
    for (group, row) in groups.bars.iter().enumerate() {
        for (series, bar) in row.iter().enumerate() {
            let middle = frame.category(group) + (series as f64 - (per_group - 1.0) / 2.0) * width;
            let place = (middle - 0.46 * width, middle + 0.46 * width);
            match bar {
                Some(bar) => {
                    let top = draw_bar(canvas, style, &frame, &axis, place, series, bar);
                    let baseline = top - 0.35 * style.text;
                    if labelled && bar.value >= 0.0 && baseline - size > frame.plot.top - style.text
                    {
                        let letters = style.letters(size, style::QUIET, Anchor::Middle);
                        canvas.text((middle, baseline), &significant(bar.value, 3), letters);
                    }
                }
                None => {
                    let at = (middle, frame.plot.bottom - 0.5 * style.text);
                    canvas.text(
                        at,
                        "–",
                        style.letters(style.text, style::QUIET, Anchor::Middle),
                    );
                }
            }
        }
    }
    if axis.holds(0.0) && negative {
        canvas.line(
            vec![
                (frame.plot.left, frame.y(0.0)),
                (frame.plot.right, frame.y(0.0)),
            ],
            style::TEXT,
            0.6,
        );
    }
    outcome
}

/// Returns the upper edge of bar, interval and exact value.
fn draw_bar(
    canvas: &mut Canvas,
    style: &Style,
    frame: &Frame,
    axis: &Axis,
    (left, right): (f64, f64),
    series: usize,
    bar: &Bar,
) -> f64 {
    let middle = (left + right) / 2.0;
    if axis.is_log() && bar.value <= 0.0 {
        style::marker(
            canvas,
            4,
            (middle, frame.plot.bottom - 0.4 * style.text),
            0.25 * style.text,
            style::ink(series),
        );
        return frame.plot.top;
    }
    let base = if axis.is_log() {
        frame.plot.bottom
    } else {
        frame.y(0.0)
    };
    let end = frame.y(bar.value);
    style::hatched(
        canvas,
        series,
        Rect {
            left,
            right,
            top: end.min(base),
            bottom: end.max(base),
        },
        0.85,
    );
    let mut top = end.min(base);
    if let Some(exact) = bar.exact.filter(|e| axis.holds(*e)) {
        let beyond = 0.06 * (right - left);
        canvas.line(
            vec![
                (left - beyond, frame.y(exact)),
                (right + beyond, frame.y(exact)),
            ],
            style::TEXT,
            0.8 * style.line,
        );
        top = top.min(frame.y(exact));
    }
    if let (Some(low), Some(high)) = (bar.low, bar.high) {
        let cap = (0.25 * (right - left)).min(0.5 * style.text);
        let (from, to) = (frame.y(low), frame.y(high));
        top = top.min(to);
        // the halo sets the interval off from the bar; around a very short one it would only cut the exact value
        let halo = (from - to > 3.0).then_some((style::WHITE, 1.0));
        for (ink, extra) in halo.into_iter().chain([(style::TEXT, 0.0)]) {
            canvas.line(vec![(middle, from), (middle, to)], ink, 0.8 + extra);
            for y in [from, to] {
                canvas.line(vec![(middle - cap, y), (middle + cap, y)], ink, 0.8 + extra);
            }
        }
    }
    top
}

/// Columns of the plotted numbers.
pub const COLUMNS: [&str; 8] = [
    "cell", "subject", "group", "series", "mean", "low", "high", "exact",
];

/// Notes the numbers of the bars.
pub fn note(plotted: &mut Plotted, groups: &Groups) {
    for (group, row) in groups.groups.iter().zip(&groups.bars) {
        for (series, bar) in groups.series.iter().zip(row) {
            if let Some(bar) = bar {
                plotted.rows.push(vec![
                    bar.cell.clone(),
                    bar.subject.clone(),
                    group.clone(),
                    series.clone(),
                    raw(bar.value),
                    raw_or_empty(bar.low),
                    raw_or_empty(bar.high),
                    raw_or_empty(bar.exact),
                ]);
            }
        }
    }
}
