//! Grouped bars of means, with intervals and exact values.

mod groups;

use super::axis::{Axis, extent};
use super::canvas::{Anchor, Canvas, Rect};
use super::language::{Word, fill};
use super::legend::{self, Entry, Swatch};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel::{self, Frame, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::{FigureError, FigureKind, check_scale, named};
use crate::record::{ResolvedFigure, Run};
use crate::words::{grouped, significant};
use epsweep_core::about::About;
use groups::arrange;
pub use groups::{Bar, Groups, by_subject};

/// Bars in a picture; further ones are left to the tables.
const MOST_BARS: usize = 96;
/// Means that differ by more than this factor want a log axis.
const WIDE: f64 = 50.0;

/// See the module.
pub struct Bars;

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
        let title = figure.title.clone().unwrap_or_else(|| {
            rows.titled(fill(say.word(Word::MeanTitle), &[&say.measure(&measure)]))
        });
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
