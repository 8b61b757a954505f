//! The picture: tables in colour, and what the colours stand for.

use super::{COLUMN, ROW, Table};
use crate::figure::canvas::{Anchor, Canvas, Rect};
use crate::figure::language::Word;
use crate::figure::page::Page;
use crate::figure::panel::{self, name_labels};
use crate::figure::style::{self, Ink, Style};

/// Blue where wins outweigh losses, orange where losses do, white where neither.
fn colour(balance: f64) -> Ink {
    let end = style::ink(if balance >= 0.0 { 0 } else { 1 });
    let depth = 0.62 * libm::sqrt(balance.abs().min(1.0));
    let mix = |tone: u8| (255.0 - depth * (255.0 - f64::from(tone))).round() as u8;
    let (red, green, blue) = end.rgb;
    Ink {
        rgb: (mix(red), mix(green), mix(blue)),
        alpha: 1.0,
    }
}

/// Returns whether each field shows wins, ties and losses.
pub(super) fn draw_table(page: &mut Page, style: &Style, table: &Table) -> bool {
    let margin = 1.6 * style.gap;
    let whole = style.width - 2.0 * margin;
    let row = ROW * style.text;
    let widest = (table.rows.iter())
        .map(|name| style::text_width(&style::shorten(name, 60), style.text, false))
        .fold(0.0, f64::max);
    let beside = (widest + style.text).min(0.4 * whole);
    let width = ((whole - beside) / table.columns.len().max(1) as f64).min(COLUMN * style.text);
    let labels = name_labels(style, &table.columns, width, 16.0 * style.text);
    let head = if table.title.is_empty() {
        0.0
    } else {
        1.6 * style.label
    };
    let above = labels.iter().map(|label| label.height).fold(0.0, f64::max) + 0.8 * style.text;
    let mut place = page.row(1, head + above + table.rows.len() as f64 * row)[0];
    // few columns stand in the middle
    place.left += 0.5 * (whole - beside - width * table.columns.len() as f64).max(0.0);
    let canvas = page.canvas();
    if head > 0.0 {
        let mut letters = style.letters(style.label, style::TEXT, Anchor::Start);
        letters.bold = true;
        let text = style::fit(&table.title, whole, style.label, true);
        canvas.text((place.left, place.top + style.label), &text, letters);
    }
    let (left, mut top) = (place.left + beside, place.top + head + above);
    panel::names_above(canvas, style, &labels, left, width, top);
    let records = || table.fields.iter().flatten().flatten();
    let room = width - 3.0;
    let fits = |form: usize| {
        records().all(|r| style::text_width(&r.forms()[form], style.text, false) <= room)
    };
    let form = (0..3).find(|form| fits(*form));
    let beside_rows = beside - 0.6 * style.text;
    let names = style::apart(&table.rows, |name| {
        style::fit(name, beside_rows, style.text, false)
    });
    for (name, fields) in names.iter().zip(&table.fields) {
        let letters = style.letters(style.text, style::TEXT, Anchor::End);
        let baseline = top + 0.5 * row + 0.36 * style.text;
        canvas.text((left - 0.6 * style.text, baseline), name, letters);
        for (column, field) in fields.iter().enumerate() {
            let cell = Rect {
                left: left + column as f64 * width,
                right: left + (column + 1) as f64 * width,
                top,
                bottom: top + row,
            };
            canvas.fill(
                cell,
                field.map_or(style::GRID, |record| colour(record.balance())),
            );
            canvas.outline(cell, style::GRID, 0.6);
            if let Some((record, form)) = field.zip(form) {
                let letters = style.letters(style.text, style::TEXT, Anchor::Middle);
                canvas.text((cell.middle(), baseline), &record.forms()[form], letters);
            }
        }
        top += row;
    }
    form.is_some_and(|form| form < 2)
}

/// What the colours stand for.
pub(super) fn key(page: &mut Page, style: &Style) {
    let say = style.language;
    let place = page.row(1, 1.2 * style.text)[0];
    let canvas: &mut Canvas = page.canvas();
    let side = style.text;
    let entries = [
        (1.0, Word::AlwaysWins),
        (0.0, Word::EvenlyMatched),
        (-1.0, Word::AlwaysLoses),
    ]
    .map(|(balance, word)| {
        let text = say.word(word);
        let width = side + 3.0 + style::text_width(text, style.text, false);
        (balance, text, width + 1.5 * style.text)
    });
    let all: f64 = entries.iter().map(|entry| entry.2).sum();
    let mut x = place.left + 0.5 * (place.width() - all).max(0.0);
    for (balance, text, width) in entries {
        if x + width - 1.5 * style.text > place.right {
            break;
        }
        let swatch = Rect {
            left: x,
            right: x + side,
            top: place.top,
            bottom: place.top + side,
        };
        canvas.fill(swatch, colour(balance));
        canvas.outline(swatch, style::QUIET, 0.4);
        let letters = style.letters(style.text, style::QUIET, Anchor::Start);
        let baseline = place.top + 0.86 * style.text;
        canvas.text((x + side + 3.0, baseline), text, letters);
        x += width;
    }
}
