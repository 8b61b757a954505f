//! How figures look: sizes of a paper's columns, letters that stay readable, and colours that colour-blind readers can
//! tell apart, each with its own marker, dash and hatch.

mod text;

pub use text::{apart, fit, shorten, text_width, wrap, wrap_within};

use super::FigureError;
use super::canvas::{Anchor, Canvas, Lettering, Point, Rect};
use super::language::Language;

/// Families in the SVG, the first of which is embedded in this program; Verdana has the same widths.
pub const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    /// red, green, blue
    pub rgb: (u8, u8, u8),
    /// 0 is invisible, 1 covers
    pub alpha: f64,
}

impl Ink {
    const fn new(red: u8, green: u8, blue: u8) -> Self {
        Ink {
            rgb: (red, green, blue),
            alpha: 1.0,
        }
    }

    /// The same colour with another opacity.
    pub fn with_alpha(self, alpha: f64) -> Self {
        Ink { alpha, ..self }
    }

    /// A tone of the same colour in which letters on white can be read: darker, until its contrast suffices.
    pub fn letters(self) -> Self {
        let mut ink = self.darker();
        while ink.contrast(WHITE) < READABLE {
            ink = ink.darker();
        }
        ink
    }

    /// The ink of letters on a ground of this colour. Where neither the usual one nor white can be read, black can.
    pub fn letters_on(self) -> Ink {
        const BLACK: Ink = Ink::new(0, 0, 0);
        let can_be_read = |ink: &Ink| ink.contrast(self) >= READABLE;
        [TEXT, WHITE].into_iter().find(can_be_read).unwrap_or(BLACK)
    }

    /// Contrast with another colour, from 1 to 21 (WCAG 2).
    fn contrast(self, other: Ink) -> f64 {
        let (here, there) = (luminance(self.rgb) + 0.05, luminance(other.rgb) + 0.05);
        here.max(there) / here.min(there)
    }

    /// A darker tone of the same colour, for lines on top of areas.
    pub fn darker(self) -> Self {
        let dark = |tone: u8| (u16::from(tone) * 65 / 100) as u8;
        let (red, green, blue) = self.rgb;
        Ink {
            rgb: (dark(red), dark(green), dark(blue)),
            ..self
        }
    }
}

/// The least contrast of letters with what is behind them (WCAG 2, level AA).
pub(crate) const READABLE: f64 = 4.5;

/// Relative luminance of a colour, from 0 to 1 (WCAG 2).
pub(crate) fn luminance((red, green, blue): (u8, u8, u8)) -> f64 {
    let linear = |tone: u8| {
        let share = f64::from(tone) / 255.0;
        match share <= 0.040_45 {
            true => share / 12.92,
            false => libm::pow((share + 0.055) / 1.055, 2.4),
        }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// Nearly black, for text and axes.
pub const TEXT: Ink = Ink::new(0x22, 0x22, 0x22);
/// Grey, for captions.
pub const QUIET: Ink = Ink::new(0x55, 0x55, 0x55);
/// Light grey, for grids.
pub const GRID: Ink = Ink::new(0xDD, 0xDD, 0xDD);
/// White.
pub const WHITE: Ink = Ink::new(0xFF, 0xFF, 0xFF);

/// Okabe and Ito, "Color Universal Design" (2008), with grey for their black, and a dark brown for their yellow, which is too faint on white.
const PALETTE: [Ink; 8] = [
    Ink::new(0x00, 0x72, 0xB2),
    Ink::new(0xD5, 0x5E, 0x00),
    Ink::new(0x00, 0x9E, 0x73),
    Ink::new(0xCC, 0x79, 0xA7),
    Ink::new(0xE6, 0x9F, 0x00),
    Ink::new(0x56, 0xB4, 0xE9),
    Ink::new(0x55, 0x55, 0x55),
    Ink::new(0x66, 0x11, 0x00),
];

const DASHES: [&[f64]; 8] = [
    &[],
    &[5.0, 2.0],
    &[1.5, 1.5],
    &[6.0, 2.0, 1.5, 2.0],
    &[9.0, 3.0],
    &[3.0, 1.5],
    &[6.0, 2.0, 1.5, 2.0, 1.5, 2.0],
    &[1.0, 3.0],
];

/// Number of series that can be told apart in one picture.
pub const SERIES: usize = PALETTE.len();

/// Sizes in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// width of the page
    pub width: f64,
    /// height of a panel
    pub panel: f64,
    /// most height of all that lies between title and caption: a column of A4, or a slide
    pub page: f64,
    /// letters of ticks, legends
    pub text: f64,
    /// letters of axis titles
    pub label: f64,
    /// letters of the title
    pub title: f64,
    /// letters of the caption
    pub caption: f64,
    /// width of a line that carries data
    pub line: f64,
    /// distance between things
    pub gap: f64,
    /// of the words
    pub language: Language,
}

impl Style {
    /// `one-column` (85 mm), `two-columns` (180 mm, the default) or `slide` (16 : 9, 254 mm).
    ///
    /// # Errors
    /// [`FigureError`] on another name
    pub fn named(size: Option<&str>) -> Result<Style, FigureError> {
        match size {
            Some("one-column") => Ok(Style {
                width: 240.94,
                panel: 170.0,
                page: 660.0,
                text: 6.5,
                label: 7.0,
                title: 8.0,
                caption: 6.0,
                line: 1.1,
                gap: 4.0,
                language: Language::English,
            }),
            None | Some("two-columns") => Ok(Style {
                width: 510.24,
                panel: 215.0,
                page: 660.0,
                text: 7.5,
                label: 8.0,
                title: 10.0,
                caption: 7.0,
                line: 1.3,
                gap: 5.0,
                language: Language::English,
            }),
            Some("slide") => Ok(Style {
                width: 720.0,
                panel: 320.0,
                page: 360.0,
                text: 12.0,
                label: 13.0,
                title: 17.0,
                caption: 10.0,
                line: 2.2,
                gap: 8.0,
                language: Language::English,
            }),
            Some(other) => Err(FigureError::Size(other.to_owned())),
        }
    }

    /// Letters of a size in a colour.
    pub fn letters(&self, size: f64, ink: Ink, anchor: Anchor) -> Lettering {
        Lettering {
            size,
            bold: false,
            ink,
            anchor,
            upwards: false,
        }
    }

    /// Height of a line of letters.
    pub fn line_height(&self, size: f64) -> f64 {
        size * 1.25
    }
}

/// The colour of a series.
pub fn ink(series: usize) -> Ink {
    PALETTE[series % PALETTE.len()]
}

/// The dashes of a series.
pub fn dashes(series: usize) -> &'static [f64] {
    DASHES[series % DASHES.len()]
}

/// Puts the marker of a series at a point.
pub fn marker(canvas: &mut Canvas, series: usize, at: Point, size: f64, ink: Ink) {
    let (x, y) = at;
    let r = size;
    match series % 8 {
        0 => canvas.disc(at, r, ink),
        1 => canvas.area(
            vec![
                (x - r, y - r),
                (x + r, y - r),
                (x + r, y + r),
                (x - r, y + r),
            ],
            ink,
        ),
        2 => canvas.area(
            vec![(x, y - 1.3 * r), (x + 1.2 * r, y + r), (x - 1.2 * r, y + r)],
            ink,
        ),
        3 => canvas.area(
            vec![
                (x, y - 1.4 * r),
                (x + 1.4 * r, y),
                (x, y + 1.4 * r),
                (x - 1.4 * r, y),
            ],
            ink,
        ),
        4 => canvas.area(
            vec![(x, y + 1.3 * r), (x + 1.2 * r, y - r), (x - 1.2 * r, y - r)],
            ink,
        ),
        5 => canvas.ring(at, r, ink, r * 0.6),
        6 => {
            canvas.line(vec![(x - r, y - r), (x + r, y + r)], ink, r * 0.6);
            canvas.line(vec![(x - r, y + r), (x + r, y - r)], ink, r * 0.6);
        }
        _ => {
            canvas.line(vec![(x - 1.3 * r, y), (x + 1.3 * r, y)], ink, r * 0.6);
            canvas.line(vec![(x, y - 1.3 * r), (x, y + 1.3 * r)], ink, r * 0.6);
        }
    }
}

/// Fills a rectangle with the colour of a series and, from the second on, a hatch that stays visible in grey.
pub fn hatched(canvas: &mut Canvas, series: usize, rect: Rect, alpha: f64) {
    canvas.fill(rect, ink(series).with_alpha(alpha));
    let strokes = WHITE.with_alpha(0.75);
    let step = 4.0;
    // directions (dx, dy) of the lines of the hatch; y grows downwards
    let directions: &[(f64, f64)] = match series % 8 {
        0 => &[],
        1 => &[(1.0, -1.0)],
        2 => &[(1.0, 1.0)],
        3 => &[(1.0, 0.0)],
        4 => &[(0.0, 1.0)],
        5 => &[(1.0, -1.0), (1.0, 1.0)],
        6 => &[(1.0, 0.0), (0.0, 1.0)],
        _ => &[(1.0, -1.0), (0.0, 1.0)],
    };
    for &(dx, dy) in directions {
        // the lines are the points with dy·x − dx·y = level
        let level = |x: f64, y: f64| dy * x - dx * y;
        let corners = [
            level(rect.left, rect.top),
            level(rect.right, rect.top),
            level(rect.left, rect.bottom),
            level(rect.right, rect.bottom),
        ];
        let least = corners.iter().copied().fold(f64::INFINITY, f64::min);
        let most = corners.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lines = ((most - least) / step).clamp(0.0, 1000.0) as usize;
        for k in 0..=lines {
            let c = least + (k as f64 + 0.5) * step;
            let ends = if dx == 0.0 {
                Some(((c / dy, rect.top), (c / dy, rect.bottom)))
            } else if dy == 0.0 {
                Some(((rect.left, -c / dx), (rect.right, -c / dx)))
            } else {
                // clip: x between the edges, and y = (dy·x − c)/dx between the edges
                let at_top = (c + dx * rect.top) / dy;
                let at_bottom = (c + dx * rect.bottom) / dy;
                let from = rect.left.max(at_top.min(at_bottom));
                let to = rect.right.min(at_top.max(at_bottom));
                (from < to).then(|| ((from, (dy * from - c) / dx), (to, (dy * to - c) / dx)))
            };
            if let Some((a, b)) = ends {
                let inside = |p: Point| {
                    p.0 >= rect.left - 0.01
                        && p.0 <= rect.right + 0.01
                        && p.1 >= rect.top - 0.01
                        && p.1 <= rect.bottom + 0.01
                };
                if inside(a) && inside(b) {
                    canvas.line(vec![a, b], strokes, 0.7);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_every_colour_can_be_read() {
        assert!((Ink::new(0, 0, 0).contrast(WHITE) - 21.0).abs() < 1e-9);
        let coloured = (0..SERIES).map(|series| ink(series).letters());
        for ink in coloured.chain([TEXT, QUIET]) {
            assert!(ink.contrast(WHITE) >= READABLE, "{ink:?}");
        }
        for tone in 0..=255 {
            let ground = Ink::new(tone, tone, tone);
            let contrast = ground.letters_on().contrast(ground);
            assert!(contrast >= READABLE, "{tone}: {contrast:.2}");
        }
        // what was dark enough is as it was
        assert_eq!(ink(0).letters(), ink(0).darker());
    }

    /// As seen by people who lack a kind of cone (Machado, Oliveira and Fernandes, *IEEE Trans. Vis. Comput. Graph.* 15, 2009).
    #[test]
    fn series_are_told_apart_by_all_readers() {
        const SEEN: [[[f64; 3]; 3]; 4] = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.152, 1.053, -0.205],
                [0.115, 0.786, 0.099],
                [-0.004, -0.048, 1.052],
            ],
            [
                [0.367, 0.861, -0.228],
                [0.280, 0.673, 0.047],
                [-0.012, 0.043, 0.969],
            ],
            [
                [1.256, -0.077, -0.179],
                [-0.078, 0.931, 0.148],
                [0.005, 0.691, 0.304],
            ],
        ];
        // coordinates in which equal distances look equal (CIE 1976 L*a*b*)
        let lab = |ink: Ink, seen: &[[f64; 3]; 3]| {
            let (red, green, blue) = ink.rgb;
            let [red, green, blue] = [red, green, blue].map(|tone| luminance((tone, tone, tone)));
            let tone =
                |row: &[f64; 3]| (row[0] * red + row[1] * green + row[2] * blue).clamp(0.0, 1.0);
            let [r, g, b] = [tone(&seen[0]), tone(&seen[1]), tone(&seen[2])];
            let root = |part: f64| match part > 0.008_856 {
                true => libm::cbrt(part),
                false => 7.787 * part + 16.0 / 116.0,
            };
            let x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
            let y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
            let z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0888);
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
        };
        for series in 0..SERIES {
            assert!(ink(series).contrast(WHITE) >= 2.2, "{series} is faint");
            for (other, seen) in (0..series).flat_map(|other| SEEN.map(|seen| (other, seen))) {
                let (a, b) = (lab(ink(series), &seen), lab(ink(other), &seen));
                let apart = (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
                assert!(apart > 15.0, "{series} and {other}: {apart:.1}");
            }
        }
        assert!(ink(SERIES - 1).contrast(WHITE) >= 3.0);
    }

    #[test]
    fn hatches_stay_inside_their_bar() {
        let rect = Rect {
            left: 10.0,
            top: 20.0,
            right: 17.0,
            bottom: 60.0,
        };
        for series in 0..SERIES {
            let mut canvas = Canvas::new(100.0);
            hatched(&mut canvas, series, rect, 1.0);
            assert_eq!(canvas.faults(), Vec::<String>::new());
        }
    }

    #[test]
    fn sizes_are_those_of_paper_columns() {
        let width = |name| Style::named(Some(name)).map(|s| (s.width * 25.4 / 72.0).round());
        assert_eq!(width("one-column").ok(), Some(85.0));
        assert_eq!(width("two-columns").ok(), Some(180.0));
        assert!(width("poster").is_err());
    }
}
