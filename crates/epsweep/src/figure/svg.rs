//! From marks on a page to SVG, by plotters' SVG backend.

use super::FigureError;
use super::canvas::{Anchor, Canvas, Mark, Point};
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

/// The picture as an SVG document of the page's size, with a title for those who cannot see it.
///
/// # Errors
/// [`FigureError`] if the backend refuses what is drawn
pub fn svg(canvas: &Canvas, title: &str, description: &str) -> Result<String, FigureError> {
    let size = (pixel(canvas.width()) as u32, pixel(canvas.height()) as u32);
    let mut drawn = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut drawn, size);
        for mark in canvas.marks() {
            put(&mut backend, mark)?;
        }
        backend
            .present()
            .map_err(|e| FigureError::Draw(e.to_string()))?;
    }
    // the backend's own root element gives the page in pixels; ours gives it in millimetres
    let body = drawn.find('>').map_or("", |end| &drawn[end + 1..]);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{:.2}mm\" height=\"{:.2}mm\" viewBox=\"0 0 {} {}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n\
         <rect x=\"0\" y=\"0\" width=\"{2}\" height=\"{3}\" fill=\"#FFFFFF\"/>{body}",
        canvas.width() / POINTS_PER_MILLIMETRE,
        canvas.height() / POINTS_PER_MILLIMETRE,
        size.0,
        size.1,
        escape(title),
        escape(description),
    ))
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
        Mark::Line { points, ink, width } => {
            backend.draw_path(points.iter().map(|p| place(*p)), &shape(*ink, *width))
        }
        Mark::Area { points, ink } => {
            backend.fill_polygon(points.iter().map(|p| place(*p)), &colour(*ink))
        }
        Mark::Ring {
            centre,
            radius,
            ink,
            width,
        } => backend.draw_circle(
            place(*centre),
            pixel(*radius).max(1) as u32,
            &shape(*ink, *width),
            false,
        ),
        Mark::Disc {
            centre,
            radius,
            ink,
        } => backend.draw_circle(
            place(*centre),
            pixel(*radius).max(1) as u32,
            &colour(*ink),
            true,
        ),
        Mark::Text {
            at,
            text,
            lettering,
        } => {
            let lift = TOP_TO_BASELINE * lettering.size;
            let anchor = match lettering.anchor {
                Anchor::Start => HPos::Left,
                Anchor::Middle => HPos::Center,
                Anchor::End => HPos::Right,
            };
            let face = if lettering.bold {
                FontStyle::Bold
            } else {
                FontStyle::Normal
            };
            let size = lettering.size * PIXELS_PER_POINT * BACKEND_FONT_FACTOR;
            let mut font = FontDesc::new(FontFamily::Name(style::FAMILY), size, face);
            let at = if lettering.upwards {
                font = font.transform(FontTransform::Rotate270);
                (at.0 - lift, at.1)
            } else {
                (at.0, at.1 - lift)
            };
            let ink = colour(lettering.ink);
            let style = TextStyle::from(font)
                .color(&ink)
                .pos(Pos::new(anchor, VPos::Top));
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
