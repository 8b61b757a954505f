//! The lines below the picture that say which values a setting has.

use super::Design;
use crate::figure::canvas::{Anchor, Canvas, Rect};
use crate::figure::labels::axis_name;
use crate::figure::panel;
use crate::figure::style::{self, Style};
use crate::record::Run;

/// Values of a factor that are written on its line.
const MOST_LEVELS: usize = 12;

/// A step line for each factor, with its name and, while there is room, its values. Of few values not all of which have room anywhere the numbers
/// stand in their place; returns these factors.
pub(super) fn factor_lines(
    canvas: &mut Canvas,
    style: &Style,
    run: &Run,
    design: &Design<'_>,
    frame: &panel::Frame,
    place: Rect,
    track: f64,
) -> Vec<usize> {
    let band = frame.band();
    let mut unnamed = Vec::new();
    for (level, (axis, labels)) in design.factors.iter().enumerate() {
        let top = place.bottom - (design.factors.len() - level) as f64 * track;
        let name = axis_name(&run.resolved.axes[*axis].name);
        let text = style::fit(name, frame.plot.left - place.left - 5.0, style.text, false);
        let letters = style.letters(style.text, style::TEXT, Anchor::End);
        canvas.text(
            (frame.plot.left - 4.0, top + 0.5 * track + 0.36 * style.text),
            &text,
            letters,
        );
        let rise = |value: usize| {
            let share = value as f64 / (labels.len().max(2) - 1) as f64;
            top + track - 0.35 * style.text - share * 0.45 * style.text
        };
        let mut points = Vec::new();
        for (index, setting) in design.settings.iter().enumerate() {
            let left = frame.plot.left + index as f64 * band;
            points.push((left, rise(setting[level])));
            points.push((left + band, rise(setting[level])));
        }
        canvas.line(points, style::QUIET, 0.7 * style.line);
        // a value is written above the stretch where it stands, from left to right as long as it fits
        if labels.len() > MOST_LEVELS {
            continue;
        }
        let mut stretches: Vec<(usize, f64, f64)> = Vec::new();
        let mut index = 0;
        while index < design.settings.len() {
            let value = design.settings[index][level];
            let mut end = index + 1;
            while end < design.settings.len()
                && design.settings[end][level] == value
                && design.settings[end][..level] == design.settings[index][..level]
            {
                end += 1;
            }
            let at = |index: usize| frame.plot.left + index as f64 * band;
            stretches.push((value, at(index), at(end)));
            index = end;
        }
        let words = |value: usize| style::shorten(labels[value], 24);
        let number = |value: usize| (value + 1).to_string();
        let size = 0.9 * style.text;
        // the labels that fit, each with the middle of its stretch
        let placed = |label: &dyn Fn(usize) -> String| {
            let mut free = frame.plot.left;
            let mut placed: Vec<(usize, f64, String)> = Vec::new();
            for &(value, left, right) in &stretches {
                let text = label(value);
                let width = style::text_width(&text, size, false);
                let middle = (left + right) / 2.0;
                if width <= right - left - 1.0 && middle - width / 2.0 >= free {
                    free = middle + width / 2.0 + 1.5;
                    placed.push((value, middle, text));
                }
            }
            placed
        };
        let mut written = placed(&words);
        let all = |written: &[(usize, f64, String)]| {
            (0..labels.len()).all(|value| written.iter().any(|(own, ..)| *own == value))
        };
        if !all(&written) {
            unnamed.push(level);
            written = placed(&number);
        }
        for (_, middle, text) in written {
            let letters = style.letters(size, style::QUIET, Anchor::Middle);
            canvas.text((middle, top + 0.95 * style.text), &text, letters);
        }
    }
    unnamed
}
