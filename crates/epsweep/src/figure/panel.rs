//! The frame around data: title, legend, axes and grid of one panel, laid out so that nothing covers anything.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Point, Rect};
use super::language::Word;
use super::legend::{self, Entry};
use super::style::{self, Style};
use super::ticks::{self, Below};

/// Labels of categories are shortened to this many characters.
const LABEL_CHARACTERS: usize = 40;

/// Room that a label needs that is read upwards, in letters.
pub(crate) const UPRIGHT: f64 = 1.15;

/// Dashes of a line for what is known without privacy.
pub(crate) const REFERENCE: &[f64] = &[7.0, 3.0];

/// Width of a line for a law beside data, in lines that carry data.
pub(crate) const LAW: f64 = 0.55;

/// Dashes of a line for what must not be exceeded.
pub(crate) const LIMIT: &[f64] = &[3.0, 2.0];

/// What the horizontal axis shows.
pub enum Horizontal<'a> {
    /// numbers
    Numbers(Below<'a>),
    /// names, each in the middle of an equal part
    Names(&'a [String]),
}

/// The parts of a panel.
pub struct Panel<'a> {
    /// above the data
    pub title: &'a str,
    /// between title and data
    pub legend: &'a [Entry],
    /// below the data
    pub horizontal: Horizontal<'a>,
    /// left of the data
    pub vertical: Axis,
    /// what the vertical axis shows
    pub vertical_title: &'a str,
}

/// Where data go.
pub struct Frame {
    /// the rectangle of the data
    pub plot: Rect,
    vertical: Axis,
    horizontal: Option<Axis>,
    names: usize,
}

impl Frame {
    /// Height of a value on the page; values outside the axis lie on its edge.
    pub fn y(&self, value: f64) -> f64 {
        self.plot.bottom - self.vertical.position(value) * self.plot.height()
    }

    /// Place of a value on the page; 0 where the axis has names.
    pub fn x(&self, value: f64) -> f64 {
        self.plot.left
            + self.horizontal.map_or(0.0, |axis| axis.position(value)) * self.plot.width()
    }

    /// Middle of a category.
    pub fn category(&self, index: usize) -> f64 {
        self.plot.left + (index as f64 + 0.5) * self.band()
    }

    /// Width of a category.
    pub fn band(&self) -> f64 {
        self.plot.width() / self.names.max(1) as f64
    }

    /// Says that there is nothing finite to see, where that is so.
    pub fn if_empty(&self, canvas: &mut Canvas, style: &Style, empty: bool) {
        if empty {
            let text = style.language.word(Word::NothingFinite);
            notice(canvas, style, self.plot, text);
        }
    }

    /// A dashed line across the plot at a value.
    pub fn reference(&self, canvas: &mut Canvas, style: &Style, value: f64) {
        let y = self.y(value);
        canvas.dashed(
            &[(self.plot.left, y), (self.plot.right, y)],
            REFERENCE,
            style::QUIET,
            style.line,
        );
    }

    /// A line across the plot at a value that must not be exceeded.
    pub fn limit(&self, canvas: &mut Canvas, value: f64) {
        let y = self.y(value);
        let ends = [(self.plot.left, y), (self.plot.right, y)];
        canvas.dashed(&ends, LIMIT, style::QUIET, 0.8);
    }

    /// A point of two numeric axes.
    pub fn point(&self, x: f64, y: f64) -> Point {
        (self.x(x), self.y(y))
    }
}

/// The title of a vertical axis in up to three lines: if it has to be broken, before its unit rather than within it.
fn upright(style: &Style, title: &str, height: f64) -> Vec<String> {
    const MOST: usize = 3;
    let broken = |text: &str| style::wrap(text, height, style.label, false);
    let fits = |text: &str| style::text_width(text, style.label, false) <= height;
    if !fits(title)
        && let Some((words, unit)) = title.rsplit_once(" (")
        && fits(&format!("({unit}"))
    {
        let mut lines = broken(words);
        lines.push(format!("({unit}"));
        if lines.len() <= MOST {
            return lines;
        }
    }
    style::wrap_within(title, MOST, height, (style.label, false))
}

/// The title of a panel in at most two lines. One that is longer loses its middle: names mostly differ at their ends.
fn title_lines(title: &str, width: f64, style: &Style) -> Vec<String> {
    style::wrap_within(title, 2, width, (style.label, true))
}

/// Titles of the panels at some places, so short that each fits above its own and is not another's. One panel alone needs none, unless it is of one
/// query, of which nothing else says the name.
pub fn titles(names: &[&str], several: bool, places: &[Rect], style: &Style) -> Vec<String> {
    let width = places.first().map_or(0.0, Rect::width);
    let names: Vec<String> = (names.iter())
        .map(|name| if several || *name != "all" { *name } else { "" }.to_owned())
        .collect();
    style::apart(&names, |name| title_lines(name, width, style).join(" "))
}

/// Draws everything of a panel but its data into a rectangle.
pub fn draw(canvas: &mut Canvas, style: &Style, place: Rect, panel: &Panel<'_>) -> Frame {
    let mut top = place.top;
    let title_line = style.line_height(style.label);
    for line in title_lines(panel.title, place.width(), style) {
        let mut letters = style.letters(style.label, style::TEXT, Anchor::Start);
        letters.bold = true;
        canvas.text((place.left, top + 0.85 * style.label), &line, letters);
        top += title_line;
    }
    if !panel.legend.is_empty() {
        top = legend::draw(canvas, style, Rect { top, ..place }, panel.legend);
    }
    top += 0.6 * style.text;

    // the height of what lies below the axis depends on its width, which depends on the labels of the vertical axis
    let height = match panel.horizontal {
        Horizontal::Numbers(_) => place.bottom - top - 3.0 * style.text,
        Horizontal::Names(_) => 0.8 * (place.bottom - top),
    };
    let vertical_ticks = ticks::upright(&panel.vertical, style, height);
    let widest = (vertical_ticks.iter())
        .map(|t| style::text_width(&t.label, style.text, false))
        .fold(0.0, f64::max);
    let along = upright(style, panel.vertical_title, (place.bottom - top).max(20.0));
    let vertical_title = along.len() as f64 * style.line_height(style.label);
    let left = (place.left + vertical_title + widest + 5.0).min(place.left + 0.5 * place.width());
    let right = place.right - 2.0;
    let (below, names) = match &panel.horizontal {
        Horizontal::Numbers(_) => (
            4.0 + 1.5 * style.text + style.line_height(style.label),
            Vec::new(),
        ),
        Horizontal::Names(names) => {
            let labels = name_labels(
                style,
                names,
                (right - left) / names.len().max(1) as f64,
                0.45 * (place.bottom - top),
            );
            let height = labels.iter().map(|l| l.height).fold(0.0, f64::max);
            (height + 4.0 + 0.25 * style.text, labels)
        }
    };
    let bottom = (place.bottom - below).max(top + 10.0);
    let plot = Rect {
        left,
        top,
        right,
        bottom,
    };
    let frame = Frame {
        plot,
        vertical: panel.vertical,
        horizontal: match &panel.horizontal {
            Horizontal::Numbers(below) => Some(below.axis),
            Horizontal::Names(_) => None,
        },
        names: names.len(),
    };

    let tick_letters = |anchor| style.letters(style.text, style::TEXT, anchor);
    let mut free = f64::INFINITY;
    for tick in &vertical_ticks {
        let y = frame.y(tick.value);
        if tick.label.is_empty() {
            canvas.line(vec![(left - 1.5, y), (left, y)], style::TEXT, 0.5);
            continue;
        }
        canvas.line(vec![(left, y), (right, y)], style::GRID, 0.5);
        canvas.line(vec![(left - 3.0, y), (left, y)], style::TEXT, 0.6);
        // labels of a dense log axis give way to each other
        if y < free {
            let label = style::fit(
                &tick.label,
                left - place.left - vertical_title - 4.0,
                style.text,
                false,
            );
            canvas.text(
                (left - 4.0, y + 0.36 * style.text),
                &label,
                tick_letters(Anchor::End),
            );
            free = y - 1.1 * style.text;
        }
    }
    let mut upwards = style.letters(style.label, style::TEXT, Anchor::Middle);
    upwards.upwards = true;
    for (row, line) in along.iter().enumerate() {
        let half = style::text_width(line, style.label, false) / 2.0;
        let middle = ((plot.top + plot.bottom) / 2.0)
            .clamp(top + half, (place.bottom - half).max(top + half));
        let baseline =
            place.left + 0.85 * style.label + row as f64 * style.line_height(style.label);
        canvas.text((baseline, middle), line, upwards);
    }

    match &panel.horizontal {
        Horizontal::Numbers(below) => below.draw(canvas, style, plot, place),
        Horizontal::Names(_) => {
            for (index, label) in names.iter().enumerate() {
                let x = frame.category(index);
                canvas.line(vec![(x, bottom), (x, bottom + 2.5)], style::TEXT, 0.6);
                if label.upwards {
                    let mut letters = tick_letters(Anchor::End);
                    letters.upwards = true;
                    if let Some(line) = label.lines.first() {
                        canvas.text((x + 0.36 * style.text, bottom + 4.0), line, letters);
                    }
                } else {
                    for (row, line) in label.lines.iter().enumerate() {
                        let y = bottom
                            + 3.0
                            + 1.1 * style.text
                            + row as f64 * style.line_height(style.text);
                        canvas.text((x, y), line, tick_letters(Anchor::Middle));
                    }
                }
            }
        }
    }
    canvas.line(
        vec![(left, top), (left, bottom), (right, bottom)],
        style::TEXT,
        0.7,
    );
    frame
}

/// The label of a category, ready to be put down.
pub struct NameLabel {
    /// from top to bottom; one if it is upright
    pub lines: Vec<String>,
    /// whether it is read upwards
    pub upwards: bool,
    /// how much of the page it takes
    pub height: f64,
}

/// Labels side by side in up to three lines if they fit, else upright; where there are very many, only some are shown.
pub fn name_labels(style: &Style, names: &[String], band: f64, most: f64) -> Vec<NameLabel> {
    let line = style.line_height(style.text);
    let room = band - 0.6 * style.text;
    let short = style::apart(names, |n| style::shorten(n, LABEL_CHARACTERS));
    let wrapped: Vec<Vec<String>> = short
        .iter()
        .map(|n| style::wrap(n, room, style.text, false))
        .collect();
    let whole = |lines: &[String], name: &str| {
        let letters = |text: &str| text.replace(' ', "");
        lines.len() <= 3 && letters(&lines.concat()) == letters(name)
    };
    if wrapped
        .iter()
        .zip(&short)
        .all(|(lines, name)| whole(lines, name))
    {
        return wrapped
            .into_iter()
            .map(|lines| NameLabel {
                height: lines.len() as f64 * line,
                lines,
                upwards: false,
            })
            .collect();
    }
    let every = (UPRIGHT * style.text / band).ceil().max(1.0) as usize;
    let fitted = style::apart(names, |n| {
        style::fit(
            &style::shorten(n, LABEL_CHARACTERS),
            most,
            style.text,
            false,
        )
    });
    (fitted.into_iter().enumerate())
        .map(|(i, name)| {
            if i % every != 0 {
                return NameLabel {
                    lines: Vec::new(),
                    upwards: true,
                    height: 0.0,
                };
            }
            NameLabel {
                height: style::text_width(&name, style.text, false),
                lines: vec![name],
                upwards: true,
            }
        })
        .collect()
}

/// Puts the names of columns above them, each in the middle of a column of a width.
pub fn names_above(
    canvas: &mut Canvas,
    style: &Style,
    labels: &[NameLabel],
    left: f64,
    width: f64,
    top: f64,
) {
    for (column, label) in labels.iter().enumerate() {
        let x = left + (column as f64 + 0.5) * width;
        if label.upwards {
            let mut letters = style.letters(style.text, style::TEXT, Anchor::Start);
            letters.upwards = true;
            if let Some(line) = label.lines.first() {
                canvas.text(
                    (x + 0.36 * style.text, top - 0.5 * style.text),
                    line,
                    letters,
                );
            }
            continue;
        }
        for (up, line) in label.lines.iter().rev().enumerate() {
            let y = top - 0.6 * style.text - up as f64 * style.line_height(style.text);
            let letters = style.letters(style.text, style::TEXT, Anchor::Middle);
            canvas.text((x, y), line, letters);
        }
    }
}

/// A line that says why there is nothing to see.
pub fn notice(canvas: &mut Canvas, style: &Style, place: Rect, text: &str) {
    let lines = style::wrap(text, 0.9 * place.width(), style.label, false);
    let middle = (place.top + place.bottom) / 2.0;
    for (row, line) in lines.iter().take(4).enumerate() {
        canvas.text(
            (
                place.middle(),
                middle + row as f64 * style.line_height(style.label),
            ),
            line,
            style.letters(style.label, style::QUIET, Anchor::Middle),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_are_too_long_keep_their_ends() {
        let style = Style::named(None).expect("the usual one");
        let name = |end: &str| format!("{} {end}", "a question that goes on and on".repeat(9));
        let [one, other] =
            [name("of men"), name("of women")].map(|title| title_lines(&title, 300.0, &style));
        assert!(one.len() <= 2 && other.len() <= 2);
        assert_ne!(one, other);
        assert!(one.concat().contains('…') && other.concat().ends_with("women"));
        assert_eq!(title_lines("a short one", 300.0, &style), ["a short one"]);
    }

    #[test]
    fn a_title_is_broken_before_its_unit() {
        let style = Style::named(None).expect("the usual one");
        let title = "mean squared error (answers' units²)";
        let whole = style::text_width(title, style.label, false);
        assert_eq!(upright(&style, title, whole + 1.0), [title]);
        assert_eq!(
            upright(&style, title, whole - 5.0),
            ["mean squared error", "(answers' units²)"]
        );
        let title = "mean |error| along the stream (answers' units)";
        assert_eq!(
            upright(
                &style,
                title,
                0.45 * style::text_width(title, style.label, false)
            ),
            ["mean |error| along", "the stream", "(answers' units)"]
        );
        // where even that has no room, it is shortened, and that is seen
        let short = upright(&style, title, 0.2 * whole);
        assert!(
            short.len() <= 3 && short.concat().contains('…'),
            "{short:?}"
        );
        assert_eq!(upright(&style, "words without a unit", 60.0).len(), 2);
    }
}
