//! A page in points, on which figures put marks; plotters turns the marks into SVG.
//!
//! The marks are kept as a list until the picture is finished. So a figure may set its height last, and tests can ask
//! whether two texts overlap. Only the elementary operations of plotters' SVG backend are used: its charts place ticks on
//! whole pixels, pin the legend onto the data and panic on limits that are not numbers.

use super::FigureError;
use super::style::{self, Ink};
use plotters::prelude::{DrawingBackend, RGBAColor, SVGBackend, ShapeStyle, TextStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform};

/// The backend knows whole pixels only: everything is drawn ten times too large, and the view box shrinks it.
const PIXELS_PER_POINT: f64 = 10.0;
/// The SVG backend divides the size of a font by this.
const BACKEND_FONT_FACTOR: f64 = 1.24;
/// Where the backend puts the baseline below the anchor of a text that is anchored at its top, in em.
const TOP_TO_BASELINE: f64 = 0.76;
/// Points in a millimetre.
const POINTS_PER_MILLIMETRE: f64 = 72.0 / 25.4;

/// A place on the page: points to the right of and below its upper left corner.
pub type Point = (f64, f64);

/// A rectangle on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// left edge
    pub left: f64,
    /// upper edge
    pub top: f64,
    /// right edge
    pub right: f64,
    /// lower edge
    pub bottom: f64,
}

impl Rect {
    /// Width in points.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Height in points.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Middle of left and right edge.
    pub fn middle(&self) -> f64 {
        (self.left + self.right) / 2.0
    }

    #[cfg(test)]
    fn overlaps(&self, other: &Rect) -> bool {
        let slack = 0.2;
        self.left + slack < other.right
            && other.left + slack < self.right
            && self.top + slack < other.bottom
            && other.top + slack < self.bottom
    }
}

/// Which point of a text is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// its start
    Start,
    /// its middle
    Middle,
    /// its end
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lettering {
    /// height of the em in points
    pub size: f64,
    /// bold face
    pub bold: bool,
    /// colour
    pub ink: Ink,
    /// given point
    pub anchor: Anchor,
    /// read upwards, turned a quarter to the left
    pub upwards: bool,
}

#[derive(Clone, Debug)]
enum Mark {
    Line { points: Vec<Point>, ink: Ink, width: f64 },
    Area { points: Vec<Point>, ink: Ink },
    Ring { centre: Point, radius: f64, ink: Ink, width: f64 },
    Disc { centre: Point, radius: f64, ink: Ink },
    Text { at: Point, text: String, lettering: Lettering },
}

/// The page.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: f64,
    height: f64,
    marks: Vec<Mark>,
}

impl Canvas {
    /// An empty page of a width in points; its height grows by [`Canvas::set_height`].
    pub fn new(width: f64) -> Self {
        Canvas {
            width,
            height: 10.0,
            marks: Vec::new(),
        }
    }

    /// Width in points.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Sets the height in points.
    pub fn set_height(&mut self, height: f64) {
        self.height = height.clamp(10.0, 5000.0);
    }

    fn sound(points: &[Point]) -> bool {
        points.iter().all(|p| p.0.is_finite() && p.1.is_finite())
    }

    /// A line through points. Marks with a coordinate that is not a number are left out.
    pub fn line(&mut self, points: Vec<Point>, ink: Ink, width: f64) {
        if points.len() > 1 && Self::sound(&points) {
            self.marks.push(Mark::Line { points, ink, width });
        }
    }

    /// A line through points, broken into dashes: lengths of ink and gap in turn, in points; solid if there are none.
    pub fn dashed(&mut self, points: &[Point], dashes: &[f64], ink: Ink, width: f64) {
        if dashes.is_empty() || dashes.iter().any(|d| !(*d > 0.0)) || !Self::sound(points) {
            return self.line(points.to_vec(), ink, width);
        }
        let (mut which, mut left) = (0, dashes[0]);
        let mut dash: Vec<Point> = points.first().copied().into_iter().collect();
        for pair in points.windows(2) {
            let (mut from, to) = (pair[0], pair[1]);
            loop {
                let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                let length = (dx * dx + dy * dy).sqrt();
                let inked = which % 2 == 0;
                if !(length > left) {
                    left -= length;
                    if inked {
                        dash.push(to);
                    }
                    break;
                }
                from = (from.0 + dx * left / length, from.1 + dy * left / length);
                if inked {
                    dash.push(from);
                    self.line(std::mem::take(&mut dash), ink, width);
                } else {
                    dash = vec![from];
                }
                which += 1;
                left = dashes[which % dashes.len()];
            }
        }
        self.line(dash, ink, width);
    }

    /// A filled polygon.
    pub fn area(&mut self, points: Vec<Point>, ink: Ink) {
        if points.len() > 2 && Self::sound(&points) {
            self.marks.push(Mark::Area { points, ink });
        }
    }

    /// A filled rectangle.
    pub fn fill(&mut self, rect: Rect, ink: Ink) {
        let Rect { left, top, right, bottom } = rect;
        self.area(vec![(left, top), (right, top), (right, bottom), (left, bottom)], ink);
    }

    /// The outline of a rectangle.
    pub fn outline(&mut self, rect: Rect, ink: Ink, width: f64) {
        let Rect { left, top, right, bottom } = rect;
        self.line(
            vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)],
            ink,
            width,
        );
    }

    /// A circle.
    pub fn ring(&mut self, centre: Point, radius: f64, ink: Ink, width: f64) {
        if Self::sound(&[centre]) {
            self.marks.push(Mark::Ring { centre, radius, ink, width });
        }
    }

    /// A filled circle.
    pub fn disc(&mut self, centre: Point, radius: f64, ink: Ink) {
        if Self::sound(&[centre]) {
            self.marks.push(Mark::Disc { centre, radius, ink });
        }
    }

    /// A text on one line; `at` lies on its baseline. Characters that XML forbids become spaces.
    pub fn text(&mut self, at: Point, text: &str, lettering: Lettering) {
        let text: String = text
            .chars()
            .map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c })
            .collect();
        if !text.trim().is_empty() && Self::sound(&[at]) {
            self.marks.push(Mark::Text { at, text, lettering });
        }
    }

    /// The picture as an SVG document of the page's size, with a title for those who cannot see it.
    pub fn svg(&self, title: &str, description: &str) -> Result<String, FigureError> {
        let size = (pixel(self.width) as u32, pixel(self.height) as u32);
        let mut drawn = String::new();
        {
            let mut backend = SVGBackend::with_string(&mut drawn, size);
            for mark in &self.marks {
                put(&mut backend, mark)?;
            }
            backend.present().map_err(|e| FigureError::Draw(e.to_string()))?;
        }
        // the backend's own root element gives the page in pixels; ours gives it in millimetres
        let body = drawn.find('>').map_or("", |end| &drawn[end + 1..]);
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{:.2}mm\" height=\"{:.2}mm\" viewBox=\"0 0 {} {}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect x=\"0\" y=\"0\" width=\"{2}\" height=\"{3}\" fill=\"#FFFFFF\"/>{body}",
            self.width / POINTS_PER_MILLIMETRE,
            self.height / POINTS_PER_MILLIMETRE,
            size.0,
            size.1,
            escape(title),
            escape(description),
        ))
    }

    /// The texts with the rectangles that they cover.
    #[cfg(test)]
    pub fn texts(&self) -> Vec<(String, Rect)> {
        self.marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Text { at, text, lettering } => {
                    let width = style::text_width(text, lettering.size, lettering.bold);
                    let before = match lettering.anchor {
                        Anchor::Start => 0.0,
                        Anchor::Middle => width / 2.0,
                        Anchor::End => width,
                    };
                    let (above, below) = (0.74 * lettering.size, 0.22 * lettering.size);
                    let rect = if lettering.upwards {
                        Rect {
                            left: at.0 - above,
                            right: at.0 + below,
                            top: at.1 - width + before,
                            bottom: at.1 + before,
                        }
                    } else {
                        Rect {
                            left: at.0 - before,
                            right: at.0 - before + width,
                            top: at.1 - above,
                            bottom: at.1 + below,
                        }
                    };
                    Some((text.clone(), rect))
                }
                _ => None,
            })
            .collect()
    }

    /// What is wrong with the layout: texts that overlap each other or leave the page.
    #[cfg(test)]
    pub fn faults(&self) -> Vec<String> {
        let texts = self.texts();
        let mut faults = Vec::new();
        for (i, (text, rect)) in texts.iter().enumerate() {
            if rect.left < -0.5 || rect.top < -0.5 || rect.right > self.width + 0.5 || rect.bottom > self.height + 0.5 {
                faults.push(format!("{text:?} leaves the page: {rect:?} of {} × {}", self.width, self.height));
            }
            for (other, place) in &texts[..i] {
                if rect.overlaps(place) {
                    faults.push(format!("{text:?} covers {other:?}"));
                }
            }
        }
        faults
    }
}

fn pixel(points: f64) -> i32 {
    // as-casts of floats saturate, so the clamp is only for sums inside the backend
    (points * PIXELS_PER_POINT).round().clamp(-1e6, 1e6) as i32
}

fn place(point: Point) -> (i32, i32) {
    (pixel(point.0), pixel(point.1))
}

fn colour(ink: Ink) -> RGBAColor {
    let (red, green, blue) = ink.rgb;
    RGBAColor(red, green, blue, ink.alpha)
}

fn shape(ink: Ink, width: f64) -> ShapeStyle {
    ShapeStyle {
        color: colour(ink),
        filled: false,
        stroke_width: pixel(width).max(1) as u32,
    }
}

fn put(backend: &mut SVGBackend<'_>, mark: &Mark) -> Result<(), FigureError> {
    let outcome = match mark {
        Mark::Line { points, ink, width } => backend.draw_path(points.iter().map(|p| place(*p)), &shape(*ink, *width)),
        Mark::Area { points, ink } => backend.fill_polygon(points.iter().map(|p| place(*p)), &colour(*ink)),
        Mark::Ring { centre, radius, ink, width } => {
            backend.draw_circle(place(*centre), pixel(*radius).max(1) as u32, &shape(*ink, *width), false)
        }
        Mark::Disc { centre, radius, ink } => {
            backend.draw_circle(place(*centre), pixel(*radius).max(1) as u32, &colour(*ink), true)
        }
        Mark::Text { at, text, lettering } => {
            let lift = TOP_TO_BASELINE * lettering.size;
            let anchor = match lettering.anchor {
                Anchor::Start => HPos::Left,
                Anchor::Middle => HPos::Center,
                Anchor::End => HPos::Right,
            };
            let face = if lettering.bold { FontStyle::Bold } else { FontStyle::Normal };
            let size = lettering.size * PIXELS_PER_POINT * BACKEND_FONT_FACTOR;
            let mut font = FontDesc::new(FontFamily::Name(style::FAMILY), size, face);
            let at = if lettering.upwards {
                font = font.transform(FontTransform::Rotate270);
                (at.0 - lift, at.1)
            } else {
                (at.0, at.1 - lift)
            };
            let ink = colour(lettering.ink);
            let style = TextStyle::from(font).color(&ink).pos(Pos::new(anchor, VPos::Top));
            backend.draw_text(text, &style, place(at))
        }
    };
    outcome.map_err(|e| FigureError::Draw(e.to_string()))
}

/// Escapes what XML and HTML give a meaning to, and replaces characters that XML forbids by spaces.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push('\n'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
