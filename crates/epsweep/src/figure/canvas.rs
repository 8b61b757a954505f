//! A page in points, on which figures put marks; plotters turns the marks into SVG (see [`super::svg`]).
//!
//! The marks are kept as a list until the picture is finished. So a figure may set its height last, and tests can ask
//! whether two texts overlap. Only the elementary operations of plotters' SVG backend are used: its charts place ticks on
//! whole pixels, pin the legend onto the data and panic on limits that are not numbers.

#[cfg(test)]
use super::style;
use super::style::Ink;

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

/// What is put on the page.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    Line {
        points: Vec<Point>,
        ink: Ink,
        width: f64,
    },
    Area {
        points: Vec<Point>,
        ink: Ink,
    },
    Ring {
        centre: Point,
        radius: f64,
        ink: Ink,
        width: f64,
    },
    Disc {
        centre: Point,
        radius: f64,
        ink: Ink,
    },
    Text {
        at: Point,
        text: String,
        lettering: Lettering,
    },
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

    /// Height in points.
    pub(super) fn height(&self) -> f64 {
        self.height
    }

    /// What is on the page, from the bottom up.
    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
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
        if dashes.is_empty()
            || dashes.iter().any(|d| d.is_nan() || *d <= 0.0)
            || !Self::sound(points)
        {
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
                if length <= left {
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
        let Rect {
            left,
            top,
            right,
            bottom,
        } = rect;
        self.area(
            vec![(left, top), (right, top), (right, bottom), (left, bottom)],
            ink,
        );
    }

    /// The outline of a rectangle.
    pub fn outline(&mut self, rect: Rect, ink: Ink, width: f64) {
        let Rect {
            left,
            top,
            right,
            bottom,
        } = rect;
        self.line(
            vec![
                (left, top),
                (right, top),
                (right, bottom),
                (left, bottom),
                (left, top),
            ],
            ink,
            width,
        );
    }

    /// A circle.
    pub fn ring(&mut self, centre: Point, radius: f64, ink: Ink, width: f64) {
        if Self::sound(&[centre]) {
            self.marks.push(Mark::Ring {
                centre,
                radius,
                ink,
                width,
            });
        }
    }

    /// A filled circle.
    pub fn disc(&mut self, centre: Point, radius: f64, ink: Ink) {
        if Self::sound(&[centre]) {
            self.marks.push(Mark::Disc {
                centre,
                radius,
                ink,
            });
        }
    }

    /// A text on one line; `at` lies on its baseline. Characters that XML forbids become spaces.
    pub fn text(&mut self, at: Point, text: &str, lettering: Lettering) {
        let text: String = text
            .chars()
            .map(|c| {
                if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') {
                    ' '
                } else {
                    c
                }
            })
            .collect();
        if !text.trim().is_empty() && Self::sound(&[at]) {
            self.marks.push(Mark::Text {
                at,
                text,
                lettering,
            });
        }
    }

    /// The texts with the rectangles that they cover.
    #[cfg(test)]
    pub fn texts(&self) -> Vec<(String, Rect)> {
        self.marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Text {
                    at,
                    text,
                    lettering,
                } => {
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
            if rect.left < -0.5
                || rect.top < -0.5
                || rect.right > self.width + 0.5
                || rect.bottom > self.height + 0.5
            {
                faults.push(format!(
                    "{text:?} leaves the page: {rect:?} of {} × {}",
                    self.width, self.height
                ));
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
