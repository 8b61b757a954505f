//! Where everything goes.

use super::depths::{Depths, FACTORS, colour, regret_words};
use super::{Field, Line, words};
use crate::figure::canvas::{Anchor, Canvas, Rect};
use crate::figure::labels::{axis_label, subject_labels};
use crate::figure::page::Page;
use crate::figure::panel::{name_labels, names_above};
use crate::figure::style::{self, Style};
use crate::record::ResolvedAxis;
use crate::words::significant;
use std::collections::BTreeSet;

/// Heights of a row and of a heading, and the most width of a column, in letters.
pub(super) const ROW: f64 = 2.1;
pub(super) const HEAD: f64 = 1.9;
const COLUMN: f64 = 20.0;

/// Where everything goes.
pub(super) struct Layout<'a> {
    pub(super) style: &'a Style,
    pub(super) columns: &'a [&'a str],
    pub(super) lines: &'a [Line<'a>],
    /// the axes that go down
    pub(super) axes: Vec<&'a ResolvedAxis>,
    /// whether the rows of a setting have several subjects or statistics
    pub(super) many: bool,
    pub(super) regret: bool,
}

impl Layout<'_> {
    /// The labels of a setting.
    fn setting(&self, line: &Line<'_>) -> String {
        let labels: Vec<String> = (self.axes.iter().zip(&line.labels))
            .map(|(axis, label)| axis_label(axis, label))
            .collect();
        labels.join(", ")
    }

    /// What stands beside a row.
    fn labels(&self) -> Vec<String> {
        let subjects: Vec<&str> = (self.lines.iter().map(|line| line.subject))
            .collect::<BTreeSet<&str>>()
            .into_iter()
            .collect();
        let names = subject_labels(&subjects);
        let label = |line: &Line<'_>| {
            if !self.many {
                return self.setting(line);
            }
            let what = words(self.style.language, line.measure, line.statistic);
            match subjects.iter().position(|subject| *subject == line.subject) {
                Some(place) if line.subject != "all" => format!("{}: {what}", names[place]),
                _ => what,
            }
        };
        self.lines.iter().map(label).collect()
    }

    pub(super) fn draw(&self, page: &mut Page, depths: &Depths) {
        let style = self.style;
        let headed = self.many && !self.axes.is_empty();
        let row = ROW * style.text;
        let head = HEAD * style.text;
        let starts = |i: usize| i == 0 || self.lines[i].labels != self.lines[i - 1].labels;
        let groups = (0..self.lines.len())
            .filter(|i| headed && starts(*i))
            .count();
        // widths first: they say how high the names of the columns are
        let margin = 1.6 * style.gap;
        let whole = style.width - 2.0 * margin;
        let rows = self.labels();
        let widest = (rows.iter())
            .map(|label| style::text_width(label, style.text, false))
            .fold(0.0, f64::max);
        let beside = (widest + style.text).min(0.42 * whole);
        // few columns need not fill the page
        let width = ((whole - beside) / self.columns.len() as f64).min(COLUMN * style.text);
        let names: Vec<String> = self.columns.iter().map(|name| (*name).to_owned()).collect();
        let labels = name_labels(style, &names, width, 16.0 * style.text);
        let above = labels.iter().map(|label| label.height).fold(0.0, f64::max) + 0.6 * style.text;
        let key = if self.regret { 2.2 * style.text } else { 0.0 };
        let height = above + self.lines.len() as f64 * row + groups as f64 * head + key;
        let mut place = page.row(1, height)[0];
        // few columns stand in the middle
        place.left += 0.5 * (whole - beside - width * self.columns.len() as f64).max(0.0);
        let (left, mut top) = (place.left + beside, place.top + above);
        let room = beside - 0.6 * style.text;
        let beside_rows = style::apart(&rows, |row| style::fit(row, room, style.text, false));
        let settings: Vec<String> = self.lines.iter().map(|line| self.setting(line)).collect();
        let settings = style::apart(&settings, |text| style::fit(text, whole, style.text, true));
        let canvas = page.canvas();
        names_above(canvas, style, &labels, left, width, top);
        for (index, line) in self.lines.iter().enumerate() {
            if headed && starts(index) {
                let mut letters = style.letters(style.text, style::TEXT, Anchor::Start);
                letters.bold = true;
                let heading = (place.left, top + 1.35 * style.text);
                canvas.text(heading, &settings[index], letters);
                top += head;
            }
            let letters = style.letters(style.text, style::TEXT, Anchor::End);
            canvas.text(
                (left - 0.6 * style.text, top + 0.5 * row + 0.36 * style.text),
                &beside_rows[index],
                letters,
            );
            for (column, field) in line.fields.iter().enumerate() {
                let cell = Rect {
                    left: left + column as f64 * width,
                    right: left + (column + 1) as f64 * width,
                    top,
                    bottom: top + row,
                };
                self.field(canvas, cell, depths, (line, field));
            }
            // frames last, so that no neighbour covers them
            for (column, field) in line.fields.iter().enumerate() {
                if self.columns.len() < 2 || !(field.best || field.tied) {
                    continue;
                }
                let inset = 0.9;
                let frame = Rect {
                    left: left + column as f64 * width + inset,
                    right: left + (column + 1) as f64 * width - inset,
                    top: top + inset,
                    bottom: top + row - inset,
                };
                canvas.outline(frame, style::TEXT, if field.best { 1.4 } else { 0.6 });
            }
            top += row;
        }
        if self.regret {
            let ends = (place.left, left);
            self.key(canvas, depths, ends, top + 0.6 * style.text, place.right);
        }
    }

    /// A cell: its colour, and its number as long as it fits.
    fn field(
        &self,
        canvas: &mut Canvas,
        cell: Rect,
        depths: &Depths,
        (line, field): (&Line<'_>, &Field),
    ) {
        let style = self.style;
        let ground = depths.of(line, field).map_or(style::GRID, colour);
        canvas.fill(cell, ground);
        canvas.outline(cell, style::GRID, 0.6);
        let forms = match (self.regret, field.regret, field.value) {
            (true, Some(regret), _) => regret_words(regret, depths.factors),
            (false, _, Some(value)) => vec![
                significant(value, 4),
                significant(value, 3),
                significant(value, 2),
            ],
            _ => vec!["–".to_owned()],
        };
        let bold = field.best && self.columns.len() > 1;
        let room = cell.width() - 3.0;
        let fits = |text: &&String| style::text_width(text, style.text, bold) <= room;
        let Some(text) = forms.iter().find(fits) else {
            return;
        };
        let mut letters = style.letters(style.text, ground.letters_on(), Anchor::Middle);
        letters.bold = bold;
        let baseline = (cell.top + cell.bottom) / 2.0 + 0.36 * style.text;
        canvas.text((cell.middle(), baseline), text, letters);
    }

    /// What the colours stand for, the darkest in any case; where there is no room for all below the columns, further to the left, and then with fewer.
    fn key(
        &self,
        canvas: &mut Canvas,
        depths: &Depths,
        (first, left): (f64, f64),
        top: f64,
        right: f64,
    ) {
        let style = self.style;
        let side = style.text;
        let entry = |regret: f64| {
            // these are exact
            let text = match depths.factors {
                // from there on all is as dark
                true if regret >= FACTORS => format!("≥ ×{}", 1.0 + regret),
                true => format!("×{}", 1.0 + regret),
                false => format!("{} %", 100.0 * regret),
            };
            let width = side + 3.0 + style::text_width(&text, style.text, false);
            (regret, text, width)
        };
        let shown = |regret: &f64| *regret <= depths.most || *regret == 0.0;
        let known = [0.0, 0.01, 0.1, 1.0, FACTORS].into_iter().filter(shown);
        let mut entries: Vec<(f64, String, f64)> = known.map(entry).collect();
        let gap = 1.5 * style.text;
        let all = |entries: &[(f64, String, f64)]| {
            entries.iter().map(|entry| entry.2 + gap).sum::<f64>() - gap
        };
        while entries.len() > 2 && all(&entries) > right - first {
            entries.remove(1);
        }
        let mut x = left.min(right - all(&entries)).max(first);
        for (regret, text, width) in &entries {
            let swatch = Rect {
                left: x,
                right: x + side,
                top,
                bottom: top + side,
            };
            canvas.fill(swatch, colour(depths.of_regret(*regret)));
            canvas.outline(swatch, style::QUIET, 0.4);
            let letters = style.letters(style.text, style::QUIET, Anchor::Start);
            canvas.text((x + side + 3.0, top + 0.86 * style.text), text, letters);
            x += width + gap;
        }
    }
}
