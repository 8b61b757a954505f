//! A box with whiskers: its numbers, from quantiles and recorded bins, and its marks.

use super::axis::{Axis, extent};
use super::canvas::{Canvas, Rect};
use super::language::Word;
use super::legend;
use super::page::{Plotted, raw, raw_or_empty};
use super::panel::{self, Frame};
use super::rows::Rows;
use super::style::{self, Style};

/// Whiskers reach the furthest value within this many box lengths of the box (Tukey, "Exploratory Data Analysis", 1977).
const WHISKER: f64 = 1.5;
/// A linear axis goes at most this many times the span of the whiskers beyond them; further values are counted.
const FURTHEST: f64 = 6.0;
/// A log axis goes at most this many decades beyond the whiskers.
const DECADES: f64 = 1.0;

/// The numbers of a box.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// lower quartile
    pub q25: f64,
    /// median
    pub median: f64,
    /// upper quartile
    pub q75: f64,
    /// mean
    pub mean: Option<f64>,
    /// end of the lower whisker, inside the data
    pub low: f64,
    /// end of the upper whisker, inside the data
    pub high: f64,
    /// values beyond the whiskers, one per recorded bin, with the trials in it
    pub outliers: Vec<(f64, u64)>,
    /// trials with a value ≤ 0
    pub not_positive: u64,
}

/// A box in a panel.
#[derive(Clone, Debug)]
pub struct Boxed {
    /// below it
    pub label: String,
    /// its colour
    pub series: usize,
    /// `None` where there is nothing to draw
    pub shape: Option<Shape>,
    /// the true value, where the box shows answers
    pub truth: Option<f64>,
}

impl Shape {
    /// From the rows of a cell. On a log axis, whiskers are found on the logarithms, so that the picture is a box plot of
    /// what the axis shows.
    pub fn new(rows: &Rows<'_>, cell: usize, subject: &str, log: bool) -> Option<Shape> {
        let value = |statistic| rows.value(cell, subject, statistic);
        let (q25, median, q75) = (value("q25")?, value("median")?, value("q75")?);
        let bins = rows.bins(cell, subject);
        let inner = |v: f64| {
            if log && v > 0.0 {
                libm::log10(v)
            } else if log {
                f64::NEG_INFINITY
            } else {
                v
            }
        };
        let outer = |v: f64| if log { libm::pow(10.0, v) } else { v };
        let length = inner(q75) - inner(q25);
        let reach = if length.is_finite() {
            WHISKER * length
        } else {
            f64::INFINITY
        };
        let (fence_low, fence_high) = (inner(q25) - reach, inner(q75) + reach);
        let least = value("min").or(bins.first().map(|b| b.low)).unwrap_or(q25);
        let most = value("max").or(bins.last().map(|b| b.high)).unwrap_or(q75);

        // a bin that the fence cuts is full of values, so the whisker ends at the fence
        let above = bins
            .iter()
            .rev()
            .find(|b| inner(b.low) <= fence_high)
            .map_or(most, |b| b.high);
        let high = if inner(above) > fence_high {
            outer(fence_high)
        } else {
            above
        };
        let below = bins
            .iter()
            .find(|b| inner(b.high) >= fence_low)
            .map_or(least, |b| b.low);
        let low = if inner(below) < fence_low {
            outer(fence_low)
        } else {
            below
        };

        let middle =
            |low: f64, high: f64| (low / 2.0 + high / 2.0).clamp(least.min(most), most.max(least));
        let mut outliers: Vec<(f64, u64)> = bins
            .iter()
            .filter(|b| inner(b.low) > fence_high || inner(b.high) < fence_low)
            .map(|b| (middle(b.low, b.high), b.count))
            .collect();
        // of a bin that the fence cuts, a part lies beyond, as if its values were spread evenly; without bins the extreme alone is known to
        let part = |fence: f64, extreme: f64| -> (f64, u64) {
            let cut = bins.iter().find(|b| b.low < fence && fence < b.high);
            cut.map_or((extreme, 1), |b| {
                let end = if extreme < fence { b.low } else { b.high };
                let count = b.count as f64 * ((end - fence) / (b.high - b.low)).abs();
                (middle(fence, extreme), (count.round() as u64).max(1))
            })
        };
        if inner(most) > fence_high && !outliers.iter().any(|(v, _)| inner(*v) > fence_high) {
            outliers.push(part(outer(fence_high), most));
        }
        if inner(least) < fence_low && !outliers.iter().any(|(v, _)| inner(*v) < fence_low) {
            outliers.push(part(outer(fence_low), least));
        }
        Some(Shape {
            q25,
            median,
            q75,
            mean: value("mean"),
            low: low.max(least).min(q25),
            high: high.min(most).max(q75),
            outliers,
            not_positive: bins
                .iter()
                .filter(|b| b.high <= 0.0 || (b.low < 0.0 && b.high > 0.0))
                .map(|b| b.count)
                .sum(),
        })
    }
}

/// An axis for boxes, and what lies outside it.
pub struct BoxAxis {
    /// the axis
    pub axis: Axis,
    /// trials outside
    pub outside: u64,
    /// a log axis was asked for, but nothing is positive
    pub not_log: bool,
}

/// Finds the axis: whiskers, means and true values always fit, outliers up to a limit.
pub fn axis(boxes: &[Boxed], log: bool) -> BoxAxis {
    let shapes = || boxes.iter().filter_map(|b| b.shape.as_ref());
    let frame = || {
        shapes()
            .flat_map(|s| {
                [
                    Some(s.low),
                    Some(s.q25),
                    Some(s.median),
                    Some(s.q75),
                    Some(s.high),
                    s.mean,
                ]
            })
            .chain(boxes.iter().map(|b| b.truth))
            .flatten()
    };
    let outliers = || shapes().flat_map(|s| s.outliers.iter().copied());
    let range = if log {
        extent(frame().filter(|v| *v > 0.0))
    } else {
        extent(frame())
    };
    let (axis, not_log) = match (range, log) {
        (Some((low, high)), true) => {
            let factor = libm::pow(10.0, DECADES);
            let shown = outliers()
                .map(|o| o.0)
                .filter(|v| *v >= low / factor && *v <= high * factor);
            (Axis::logarithmic(shown.chain([low, high])), false)
        }
        (Some((low, high)), false) => {
            let span = FURTHEST * (high - low);
            let shown = outliers()
                .map(|o| o.0)
                .filter(|v| *v >= low - span && *v <= high + span);
            (Some(Axis::linear(shown.chain([low, high]))), false)
        }
        (None, _) => (None, log && shapes().next().is_some()),
    };
    let axis = axis.unwrap_or_else(|| Axis::linear(frame()));
    // what is not positive is counted by itself on a log axis
    let outside = outliers()
        .filter(|(v, _)| !axis.holds(*v) && (*v > 0.0 || !axis.is_log()))
        .map(|o| o.1)
        .sum();
    BoxAxis {
        axis,
        outside,
        not_log,
    }
}

/// Draws the boxes into their categories.
pub fn draw(canvas: &mut Canvas, style: &Style, frame: &Frame, axis: &Axis, boxes: &[Boxed]) {
    let half = (0.3 * frame.band()).min(4.0 * style.text);
    for (index, boxed) in boxes.iter().enumerate() {
        let x = frame.category(index);
        let Some(shape) = &boxed.shape else {
            let place = Rect {
                left: x - frame.band() / 2.0,
                right: x + frame.band() / 2.0,
                ..frame.plot
            };
            panel::notice(canvas, style, place, style.language.word(Word::NoData));
            continue;
        };
        let ink = style::TEXT;
        let (top, bottom) = (frame.y(shape.q75), frame.y(shape.q25));
        let body = Rect {
            left: x - half,
            right: x + half,
            top,
            bottom,
        };

        let mut last = f64::INFINITY;
        for (value, count) in shape.outliers.iter().filter(|(v, _)| axis.holds(*v)) {
            let y = frame.y(*value);
            // marks that would fall on each other are one mark
            if (y - last).abs() >= 0.25 * style.text {
                let alpha = if *count > 1 { 0.75 } else { 0.45 };
                canvas.ring(
                    (x, y),
                    (0.18 * style.text).min(0.35 * half),
                    ink.with_alpha(alpha),
                    0.5,
                );
                last = y;
            }
        }
        if shape
            .outliers
            .iter()
            .any(|(v, _)| !axis.holds(*v) && *v > shape.high)
        {
            let y = frame.plot.top + 0.3 * style.text;
            style::marker(canvas, 2, (x, y), 0.22 * style.text, ink);
        }
        let hidden_below = shape
            .outliers
            .iter()
            .any(|(v, _)| !axis.holds(*v) && *v < shape.low);
        if hidden_below || (axis.is_log() && shape.not_positive > 0) {
            let y = frame.plot.bottom - 0.3 * style.text;
            style::marker(canvas, 4, (x, y), 0.22 * style.text, ink);
        }
        for (from, to) in [(shape.q75, shape.high), (shape.q25, shape.low)] {
            canvas.line(vec![(x, frame.y(from)), (x, frame.y(to))], ink, 0.8);
            canvas.line(
                vec![(x - 0.5 * half, frame.y(to)), (x + 0.5 * half, frame.y(to))],
                ink,
                0.8,
            );
        }
        style::hatched(canvas, boxed.series, body, 0.7);
        canvas.outline(body, ink, 0.8);
        let median = frame.y(shape.median);
        // the halo sets the median off from the hatch, where the box is high enough to have both
        if body.height() > 6.0 * style.line {
            canvas.line(
                vec![(body.left, median), (body.right, median)],
                style::WHITE,
                2.2 * style.line,
            );
        }
        canvas.line(
            vec![(body.left, median), (body.right, median)],
            ink,
            1.2 * style.line,
        );
        if let Some(mean) = shape.mean.filter(|m| axis.holds(*m)) {
            legend::mean_mark(
                canvas,
                (x, frame.y(mean)),
                (0.27 * style.text).min(0.4 * half),
            );
        }
        if let Some(truth) = boxed.truth {
            legend::truth_mark(canvas, style, (x + half + 0.6 * style.text, frame.y(truth)));
        }
    }
}

/// Columns of the plotted numbers.
pub const COLUMNS: [&str; 5] = ["cell", "subject", "part", "value", "trials"];

/// Notes the numbers of a box.
pub fn note(plotted: &mut Plotted, cell: &str, subject: &str, boxed: &Boxed) {
    let mut push = |part: &str, value: String, trials: String| {
        plotted.rows.push(vec![
            cell.to_owned(),
            subject.to_owned(),
            part.to_owned(),
            value,
            trials,
        ]);
    };
    if let Some(shape) = &boxed.shape {
        push("whisker_low", raw(shape.low), String::new());
        push("q25", raw(shape.q25), String::new());
        push("median", raw(shape.median), String::new());
        push("q75", raw(shape.q75), String::new());
        push("whisker_high", raw(shape.high), String::new());
        push("mean", raw_or_empty(shape.mean), String::new());
    }
    if let Some(truth) = boxed.truth {
        push("true_value", raw(truth), String::new());
    }
    for (value, count) in boxed.shape.iter().flat_map(|s| &s.outliers) {
        push("outlier", raw(*value), count.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_positive_is_counted_once_on_a_log_axis() {
        let shape = Shape {
            q25: 1.0,
            median: 2.0,
            q75: 4.0,
            mean: None,
            low: 0.5,
            high: 8.0,
            outliers: vec![(0.0, 200), (1e-9, 3), (-1.0, 8)],
            not_positive: 208,
        };
        let boxed = [Boxed {
            label: String::new(),
            series: 0,
            shape: Some(shape),
            truth: None,
        }];
        let log = axis(&boxed, true);
        assert!(log.axis.is_log());
        assert_eq!(log.outside, 3);
        assert_eq!(axis(&boxed, false).outside, 0);
    }
}
