//! A finished picture: title on top, panels, caption at the foot; and the numbers that it shows.

use super::canvas::{Anchor, Canvas, Rect};
use super::panel::UPRIGHT;
use super::style::{self, Style};

/// Panels with more names below them get a row of their own.
const MOST_NAMES: usize = 8;

/// Panels of a picture; more are too small to be read, and lists of them too long.
pub const MOST_PANELS: usize = 12;

/// The least height of a panel where several rows have to share a page: names below it take some of it.
fn least_panel(style: &Style, names: usize) -> f64 {
    match names > MOST_NAMES {
        true => 0.9 * style.panel,
        false => 13.5 * style.text,
    }
}

/// Panels side by side, of a number of panels with a number of names below each.
fn columns(style: &Style, panels: usize, names: usize) -> usize {
    match style.width < 300.0 || names > MOST_NAMES {
        true => 1,
        false => panels.clamp(1, if panels == 3 || panels > 4 { 3 } else { 2 }),
    }
}

/// How many names below a panel of a width each have their own line, when they are read upwards.
pub fn most_names(style: &Style, width: f64) -> usize {
    // titles and labels of the vertical axis take some room, too
    ((width - 8.0 * style.text) / (UPRIGHT * style.text)) as usize
}

/// How many panels have room on a page, where each has a number of names below it.
pub fn most_panels(style: &Style, names: usize) -> usize {
    let rows = (style.page / (least_panel(style, names) + 2.0 * style.gap)) as usize;
    (rows.max(1) * columns(style, MOST_PANELS, names)).min(MOST_PANELS)
}

/// The numbers that a picture shows, to be written beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plotted {
    /// names of the columns
    pub header: Vec<&'static str>,
    /// one entry per column
    pub rows: Vec<Vec<String>>,
}

impl Plotted {
    /// An empty table.
    pub fn new(header: &[&'static str]) -> Self {
        Plotted {
            header: header.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Comma-separated text; the caption precedes it in lines that begin with `#`.
    pub fn csv(&self, caption: &str) -> String {
        let mut text = String::new();
        for line in caption.lines() {
            text.push_str("# ");
            text.push_str(line);
            text.push('\n');
        }
        let mut row = |cells: &mut dyn Iterator<Item = &str>| {
            let quoted: Vec<String> = cells.map(quoted).collect();
            text.push_str(&quoted.join(","));
            text.push('\n');
        };
        row(&mut self.header.iter().copied());
        for cells in &self.rows {
            row(&mut cells.iter().map(String::as_str));
        }
        text
    }
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) || cell.starts_with(['#', ' ']) || cell.ends_with(' ')
    {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// A number in its shortest form that reads back as the same; empty if it is none.
pub fn raw(value: f64) -> String {
    if value.is_finite() {
        crate::record::number(value)
    } else {
        String::new()
    }
}

/// A number that may be absent.
pub fn raw_or_empty(value: Option<f64>) -> String {
    value.map_or_else(String::new, raw)
}

/// A picture without its file formats.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// what stands above it
    pub title: String,
    /// what is shown, how many trials, which seed, what intervals mean: it stands in the picture
    pub caption: String,
    /// what is said beside the picture only
    pub explanation: String,
    /// the marks
    pub canvas: Canvas,
    /// the numbers
    pub plotted: Plotted,
    /// what could not be shown
    pub warnings: Vec<String>,
}

impl Drawing {
    /// All that is said of it but its title.
    pub fn words(&self) -> String {
        format!("{} {}", self.caption, self.explanation)
    }
}

/// A page with its title, onto which panels are put in rows.
pub struct Page {
    canvas: Canvas,
    style: Style,
    next: f64,
}

impl Page {
    /// Begins a page with its title.
    pub fn new(style: &Style, title: &str) -> Page {
        let mut canvas = Canvas::new(style.width);
        let mut next = 1.2 * style.gap;
        let room = style.width - 4.0 * style.gap;
        for line in &style::wrap_within(title, 3, room, (style.title, true)) {
            let mut letters = style.letters(style.title, style::TEXT, Anchor::Middle);
            letters.bold = true;
            canvas.text(
                (style.width / 2.0, next + 0.85 * style.title),
                line,
                letters,
            );
            next += style.line_height(style.title);
        }
        Page {
            canvas,
            style: *style,
            next: next + 0.5 * style.gap,
        }
    }

    /// The marks.
    pub fn canvas(&mut self) -> &mut Canvas {
        &mut self.canvas
    }

    /// A row of panels of equal width.
    pub fn row(&mut self, panels: usize, height: f64) -> Vec<Rect> {
        let panels = panels.max(1);
        let gap = 3.0 * self.style.gap;
        let margin = 1.6 * self.style.gap;
        let width = (self.style.width - 2.0 * margin - gap * (panels - 1) as f64) / panels as f64;
        let top = self.next;
        self.next += height + 2.0 * self.style.gap;
        (0..panels)
            .map(|i| {
                let left = margin + i as f64 * (width + gap);
                Rect {
                    left,
                    top,
                    right: left + width,
                    bottom: top + height,
                }
            })
            .collect()
    }

    /// A legend for all panels that follow.
    pub fn legend(&mut self, entries: &[super::legend::Entry]) {
        let margin = 1.6 * self.style.gap;
        let place = Rect {
            left: margin,
            right: self.style.width - margin,
            top: self.next,
            bottom: self.next,
        };
        self.next =
            super::legend::draw(&mut self.canvas, &self.style, place, entries) + self.style.gap;
    }

    /// Rows for a number of panels with a number of names each: side by side where the page is wide enough, and no higher than all of
    /// them have room for.
    pub fn grid(&mut self, panels: usize, names: usize, height: f64) -> Vec<Rect> {
        let style = self.style;
        let columns = columns(&style, panels, names);
        let rows = panels.div_ceil(columns.max(1)).max(1) as f64;
        let room = style.page / rows - 2.0 * style.gap;
        // narrow panels need not be as high
        let narrow = if columns > 2 && rows > 1.0 { 0.85 } else { 1.0 };
        let height = (narrow * height).min(room.max(least_panel(&style, names)));
        let mut places = Vec::new();
        while places.len() < panels {
            let row = self.row(columns, height);
            places.extend(row.into_iter().take(panels - places.len()));
        }
        places
    }

    /// Ends the page with its caption. The caption for text beside the picture is longer: it also explains.
    pub fn finish(
        mut self,
        title: String,
        caption: &str,
        explanation: &str,
        plotted: Plotted,
        warnings: Vec<String>,
    ) -> Drawing {
        let caption = caption.trim_end();
        let style = self.style;
        let margin = 1.6 * style.gap;
        for line in style::wrap(caption, style.width - 2.0 * margin, style.caption, false) {
            let letters = style.letters(style.caption, style::QUIET, Anchor::Start);
            self.canvas
                .text((margin, self.next + 0.85 * style.caption), &line, letters);
            self.next += style.line_height(style.caption);
        }
        self.canvas.set_height(self.next + style.gap);
        Drawing {
            title,
            caption: caption.to_owned(),
            explanation: explanation.to_owned(),
            canvas: self.canvas,
            plotted,
            warnings,
        }
    }
}
