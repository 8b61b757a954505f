//! The picture: lines with their intervals, and what stands around them.

use super::super::axis::{Axis, extent};
use super::super::canvas::{Anchor, Canvas, Rect};
use super::super::direction::Better;
use super::super::language::Word;
use super::super::page::Page;
use super::super::panel;
use super::super::style::{self, Style};
use super::super::ticks::Below;
use super::blocks::Block;
use super::{BEYOND, HEAD, Line, OUTLYING, ROW, Shown};

/// Draws the forest; returns how many intervals are cut.
#[allow(clippy::too_many_arguments)]
pub(super) fn forest(
    page: &mut Page,
    style: &Style,
    blocks: &[Block<'_>],
    axis_title: &str,
    percent: bool,
    better: Better,
    level: f64,
) -> usize {
    let row = ROW * style.text;
    let head = HEAD * style.text;
    let lines: Vec<&Line> = blocks.iter().flat_map(|block| block.lines).collect();
    let groups = (blocks.iter())
        .filter(|block| !block.heading.is_empty())
        .count();
    let body = (lines.len() as f64 * row + groups as f64 * head).max(4.0 * row);
    let above = 2.4 * style.text;
    let below = 4.0 + 1.5 * style.text + style.line_height(style.label);
    let place = page.row(1, above + body + below)[0];
    let canvas = page.canvas();

    let numbers: Vec<String> = lines.iter().map(|line| number(line, percent)).collect();
    let widest = |texts: &mut dyn Iterator<Item = &str>| {
        texts
            .map(|text| style::text_width(text, style.text, false))
            .fold(0.0, f64::max)
    };
    let beside = (widest(&mut lines.iter().map(|l| l.label.as_str())) + 2.2 * style.text)
        .min(0.38 * place.width());
    let written = widest(&mut numbers.iter().map(String::as_str)) + 1.2 * style.text;
    let written = if written <= 0.3 * place.width() {
        written
    } else {
        0.0
    };
    let plot = Rect {
        left: place.left + beside,
        right: place.right - written - 2.0,
        top: place.top + above,
        bottom: place.top + above + body,
    };
    // what is cut at the edge needs its number beside it
    let on_axis: Vec<&Line> = (lines.iter().copied())
        .filter(|line| line.shown != Shown::Units)
        .collect();
    let axis = axis(&on_axis, written > 0.0);
    let x = |value: f64| plot.left + axis.position(value) * plot.width();

    let below = Below {
        grid: true,
        ..Below::new(axis, axis_title)
    };
    below.draw(canvas, style, plot, place);
    canvas.line(
        vec![(plot.left, plot.bottom), (plot.right, plot.bottom)],
        style::TEXT,
        0.7,
    );
    if lines.is_empty() {
        panel::notice(canvas, style, plot, style.language.word(Word::NoComparison));
        return 0;
    }
    if axis.holds(0.0) {
        canvas.line(
            vec![(x(0.0), plot.top - 0.4 * style.text), (x(0.0), plot.bottom)],
            style::TEXT,
            0.8,
        );
    }
    sides(canvas, style, plot, place, x(0.0), better);
    let (mut top, mut cut) = (plot.top, 0);
    let labels: Vec<String> = lines.iter().map(|line| line.label.clone()).collect();
    let room = beside - 1.4 * style.text;
    let labels = style::apart(&labels, |label| style::fit(label, room, style.text, false));
    let across = plot.right - place.left;
    let headings: Vec<String> = blocks.iter().map(|block| block.heading.clone()).collect();
    let headings = style::apart(&headings, |text| style::fit(text, across, style.text, true));
    let mut headings = blocks.iter().zip(&headings).flat_map(|(block, heading)| {
        let rest = block.lines.iter().skip(1).map(|_| "");
        std::iter::once(heading.as_str()).chain(rest)
    });
    for (index, line) in lines.iter().enumerate() {
        let heading = headings.next().unwrap_or("");
        if !heading.is_empty() {
            let mut letters = style.letters(style.text, style::TEXT, Anchor::Start);
            letters.bold = true;
            let width = style::text_width(heading, style.text, true);
            // a long one lies over the lines of the axis
            let ground = Rect {
                left: place.left,
                right: place.left + width + 0.4 * style.text,
                top: top + 0.45 * style.text,
                bottom: top + 1.65 * style.text,
            };
            canvas.fill(ground, style::WHITE);
            canvas.text((place.left, top + 1.35 * style.text), heading, letters);
            top += head;
        }
        let middle = top + 0.5 * row;
        let baseline = middle + 0.36 * style.text;
        let letters = style.letters(style.text, style::TEXT, Anchor::End);
        canvas.text(
            (plot.left - 0.8 * style.text, baseline),
            &labels[index],
            letters,
        );
        if written > 0.0 {
            let letters = style.letters(style.text, style::QUIET, Anchor::End);
            canvas.text((place.right - 2.0, baseline), &numbers[index], letters);
        }
        top += row;
        if line.shown == Shown::Units {
            // its number is in other units than the axis
            continue;
        }
        let ink = style::ink(0);
        let ends = [line.low, line.high];
        canvas.line(
            vec![(x(ends[0]), middle), (x(ends[1]), middle)],
            ink,
            style.line,
        );
        for end in ends {
            let at = x(end);
            let sign = if axis.position(end) < 0.5 { -1.0 } else { 1.0 };
            let size = 0.4 * style.text;
            if axis.holds(end) {
                canvas.line(
                    vec![(at, middle - 0.5 * size), (at, middle + 0.5 * size)],
                    ink,
                    0.8 * style.line,
                );
            } else {
                cut += 1;
                canvas.area(
                    vec![
                        (at + sign * 2.0, middle),
                        (at - sign * size, middle - 0.6 * size),
                        (at - sign * size, middle + 0.6 * size),
                    ],
                    ink,
                );
            }
        }
        let at = (x(line.value), middle);
        let radius = 0.3 * style.text;
        if !axis.holds(line.value) {
            // its arrow says where it lies, and its number how far
        } else if line.told(level) {
            canvas.disc(at, radius, ink);
        } else {
            canvas.disc(at, radius, style::WHITE);
            canvas.ring(at, radius, ink, 0.8 * style.line);
        }
    }
    cut
}

/// A difference as a reader says it.
fn number(line: &Line, percent: bool) -> String {
    if line.shown == Shown::Units {
        let half = (line.pair.high - line.pair.low) / 2.0;
        return crate::words::plus_minus(line.pair.difference, half);
    }
    let half = (line.high - line.low) / 2.0;
    let text = crate::words::plus_minus(line.value, half);
    match percent {
        // the error of a difference that is zero by construction says nothing
        true if half > 0.0 => format!("({text}) %"),
        true => format!("{text} %"),
        false => text,
    }
}

/// From the least to the largest difference, and zero; intervals widen it by no more than they should. Where a few differences are so large that all
/// others would lie on the line of zero, these are cut at its edge.
fn axis(lines: &[&Line], may_cut: bool) -> Axis {
    let mut sizes: Vec<f64> = lines.iter().map(|l| l.value.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    // of two none is unlike the others
    let place = sizes.len().saturating_sub(1) * 2 / 3;
    let usual = sizes
        .get(place)
        .filter(|_| sizes.len() > 2)
        .copied()
        .unwrap_or(0.0);
    let largest = sizes.last().copied().unwrap_or(0.0);
    let most = match may_cut && usual > 0.0 && largest > OUTLYING * usual {
        true => {
            let held = sizes
                .iter()
                .copied()
                .filter(|size| *size <= OUTLYING * usual);
            held.fold(usual, f64::max)
        }
        false => f64::INFINITY,
    };
    let values: Vec<f64> = (lines.iter().map(|l| l.value))
        .filter(|value| value.abs() <= most)
        .chain([0.0])
        .collect();
    let (low, high) = extent(values.iter().copied()).unwrap_or((0.0, 1.0));
    let range = high - low;
    let shown = lines.iter().filter(|l| l.value.abs() <= most);
    let ends = shown.flat_map(|l| [l.low, l.high]).map(|end| {
        if range > 0.0 {
            end.clamp(low - BEYOND * range, high + BEYOND * range)
        } else {
            end
        }
    });
    Axis::linear(values.iter().copied().chain(ends))
}

/// Says on both sides of zero what lies there, as far as there is room.
fn sides(canvas: &mut Canvas, style: &Style, plot: Rect, place: Rect, zero: f64, better: Better) {
    let say = style.language;
    let (left, right) = match better {
        Better::Lower => (Word::Better, Word::Worse),
        Better::Higher => (Word::Worse, Word::Better),
        Better::Neither => (Word::Lower, Word::Higher),
    };
    let baseline = plot.top - 1.1 * style.text;
    let texts = [
        (
            format!("← {}", say.word(left)),
            Anchor::End,
            zero - 0.8 * style.text,
        ),
        (
            format!("{} →", say.word(right)),
            Anchor::Start,
            zero + 0.8 * style.text,
        ),
    ];
    for (text, anchor, at) in texts {
        let width = style::text_width(&text, style.text, false);
        let fits = match anchor {
            Anchor::End => at - width >= place.left,
            _ => at + width <= place.right,
        };
        if fits {
            canvas.text(
                (at, baseline),
                &text,
                style.letters(style.text, style::QUIET, anchor),
            );
        }
    }
}
