//! Legends, and the marks that they explain.

use super::canvas::{Anchor, Canvas, Point, Rect};
use super::style::{self, Style};

/// What the legend shows beside a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swatch {
    /// a filled box of a series
    Box(usize),
    /// a translucent box of a series
    Shade(usize),
    /// a line with marker of a series
    Line(usize),
    /// a line of a series that has no markers
    Plain(usize),
    /// a band of a series, with its opacity in hundredths
    Band(usize, u16),
    /// a marker of a series
    Marker(usize),
    /// a long-dashed line, as for what is known without privacy
    Reference,
    /// the same thin and dark, as for a law beside data
    Law,
    /// a finely dashed line, as for what must not be exceeded
    Limit,
    /// a short bar, as for exact values
    Tick,
    /// a diamond, as for true values
    Truth,
    /// a white disc, as for means
    Mean,
    /// the marker of a series alone
    Point(usize),
    /// a number that stands beside a point
    Number(usize),
    /// a ring on a thin line, as for a front
    Front,
    /// a grey box, as for what has no colour of its own
    Rest,
}

/// An entry of the legend.
pub type Entry = (Swatch, String);

/// The lines of a figure by their names; one alone needs none.
pub fn lines<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Vec<Entry> {
    let needed = names.len() > 1;
    (short(names).into_iter().enumerate().filter(|_| needed))
        .map(|(i, name)| (Swatch::Line(i), name))
        .collect()
}

/// Names of a legend: short, and none like another.
pub fn short<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<String> = names.map(str::to_owned).collect();
    style::apart(&names, |name| style::shorten(name, 40))
}

/// Draws a legend in rows; returns its lower edge.
pub fn draw(canvas: &mut Canvas, style: &Style, place: Rect, entries: &[Entry]) -> f64 {
    let swatch = 2.6 * style.text;
    let line = style.line_height(style.text);
    let (mut x, mut y) = (place.left, place.top);
    for (kind, name) in entries {
        let name = style::fit(
            &style::shorten(name, 60),
            place.width() - swatch - 3.0,
            style.text,
            false,
        );
        let width = swatch + 3.0 + style::text_width(&name, style.text, false);
        if x > place.left && x + width > place.right {
            x = place.left;
            y += line;
        }
        draw_swatch(
            canvas,
            style,
            *kind,
            Rect {
                left: x,
                top: y,
                right: x + swatch,
                bottom: y + line,
            },
        );
        canvas.text(
            (x + swatch + 3.0, y + 0.5 * line + 0.36 * style.text),
            &name,
            style.letters(style.text, style::TEXT, Anchor::Start),
        );
        x += width + 1.6 * style.text;
    }
    y + line
}

fn draw_swatch(canvas: &mut Canvas, style: &Style, kind: Swatch, place: Rect) {
    let middle = (place.top + place.bottom) / 2.0;
    let (left, right) = (place.left, place.right);
    let half = 0.35 * style.text;
    let block = Rect {
        top: middle - half,
        bottom: middle + half,
        left: left + 2.0,
        right,
    };
    match kind {
        Swatch::Box(series) => style::hatched(canvas, series, block, 0.85),
        Swatch::Shade(series) => {
            canvas.fill(block, style::ink(series).with_alpha(0.35));
            style::marker(
                canvas,
                series,
                (block.middle(), middle),
                0.25 * style.text,
                style::ink(series).darker(),
            );
        }
        Swatch::Line(series) => {
            let ink = style::ink(series);
            canvas.dashed(
                &[(left, middle), (right, middle)],
                style::dashes(series),
                ink,
                style.line,
            );
            style::marker(
                canvas,
                series,
                (place.middle(), middle),
                0.25 * style.text,
                ink,
            );
        }
        Swatch::Plain(series) => canvas.dashed(
            &[(left, middle), (right, middle)],
            style::dashes(series),
            style::ink(series),
            style.line,
        ),
        Swatch::Band(series, hundredths) => {
            let opacity = f64::from(hundredths) / 100.0;
            canvas.fill(block, style::ink(series).with_alpha(opacity));
        }
        Swatch::Marker(series) => style::marker(
            canvas,
            series,
            (place.middle(), middle),
            0.3 * style.text,
            style::ink(series),
        ),
        Swatch::Reference => canvas.dashed(
            &[(left, middle), (right, middle)],
            super::panel::REFERENCE,
            style::QUIET,
            style.line,
        ),
        Swatch::Law => canvas.dashed(
            &[(left, middle), (right, middle)],
            super::panel::REFERENCE,
            style::TEXT,
            super::panel::LAW * style.line,
        ),
        Swatch::Limit => canvas.dashed(
            &[(left, middle), (right, middle)],
            super::panel::LIMIT,
            style::QUIET,
            0.8,
        ),
        Swatch::Tick => canvas.line(
            vec![(left + 3.0, middle), (right - 3.0, middle)],
            style::TEXT,
            0.8 * style.line,
        ),
        Swatch::Truth => truth_mark(canvas, style, (place.middle(), middle)),
        Swatch::Point(series) => style::marker(
            canvas,
            series,
            (place.middle(), middle),
            0.32 * style.text,
            style::ink(series),
        ),
        Swatch::Number(number) => canvas.text(
            (right, middle + 0.36 * style.text),
            &number.to_string(),
            style.letters(style.text, style::QUIET, Anchor::End),
        ),
        Swatch::Front => {
            canvas.line(
                vec![(left, middle), (right, middle)],
                style::QUIET,
                0.7 * style.line,
            );
            canvas.ring(
                (place.middle(), middle),
                0.42 * style.text,
                style::TEXT,
                0.8,
            );
        }
        Swatch::Rest => canvas.fill(block, style::GRID),
        Swatch::Mean => mean_mark(canvas, (place.middle(), middle), 0.27 * style.text),
    }
}

/// Dashes of a mean line.
pub const MEAN_DASHES: [f64; 2] = [4.0, 2.5];

/// The mark of a true value.
pub fn truth_mark(canvas: &mut Canvas, style: &Style, at: Point) {
    style::marker(canvas, 3, at, 0.36 * style.text, style::WHITE);
    style::marker(canvas, 3, at, 0.28 * style.text, style::TEXT);
}

/// The mark of a mean.
pub fn mean_mark(canvas: &mut Canvas, at: Point, radius: f64) {
    canvas.disc(at, radius, style::WHITE);
    canvas.ring(at, radius, style::TEXT, 0.7);
}
