//! The marks: the line along the front, the intervals and the numbers of points.

use super::front::Spot;
use crate::figure::axis::Axis;
use crate::figure::canvas::{Anchor, Canvas, Point, Rect};
use crate::figure::panel;
use crate::figure::style::{self, Style};

/// The line along the front: steps, because nothing is known between its points.
pub(super) fn staircase(
    canvas: &mut Canvas,
    style: &Style,
    frame: &panel::Frame,
    spots: &[&Spot],
    higher: bool,
) {
    let mut front: Vec<[f64; 2]> = spots.iter().filter(|s| s.front).map(|s| s.at).collect();
    front.sort_by(|a, b| a[0].total_cmp(&b[0]).then(b[1].total_cmp(&a[1])));
    let mut points: Vec<Point> = Vec::new();
    for pair in front.windows(2) {
        points.push(frame.point(pair[0][0], pair[0][1]));
        // the corner that both points beat
        points.push(match higher {
            false => frame.point(pair[1][0], pair[0][1]),
            true => frame.point(pair[0][0], pair[1][1]),
        });
        points.push(frame.point(pair[1][0], pair[1][1]));
    }
    canvas.line(points, style::QUIET, 0.7 * style.line);
}

/// The intervals of both means, as far as they lie on the axes.
pub(super) fn crosses(
    canvas: &mut Canvas,
    style: &Style,
    frame: &panel::Frame,
    axes: &[Axis; 2],
    spot: &Spot,
    numbered: bool,
) {
    let ink = style::ink(if numbered { 0 } else { spot.series }).with_alpha(0.7);
    let end = |side: usize, end: Option<f64>| {
        end.filter(|v| axes[side].holds(*v))
            .unwrap_or(spot.at[side])
    };
    let x = spot.ends[0];
    canvas.line(
        vec![
            frame.point(end(0, x.0), spot.at[1]),
            frame.point(end(0, x.1), spot.at[1]),
        ],
        ink,
        0.7 * style.line,
    );
    let y = spot.ends[1];
    canvas.line(
        vec![
            frame.point(spot.at[0], end(1, y.0)),
            frame.point(spot.at[0], end(1, y.1)),
        ],
        ink,
        0.7 * style.line,
    );
}

/// Numbers beside points, each at the first place around its point where it covers no other number; those on the front first. What has
/// no place is counted.
pub(super) fn numbers(
    canvas: &mut Canvas,
    style: &Style,
    plot: Rect,
    spots: &[&Spot],
    place: impl Fn(&Spot) -> Point,
) -> usize {
    let size = 0.95 * style.text;
    let reach = 0.75 * style.text;
    // numbers cover no point either
    let radius = 0.62 * style.text;
    let mut taken: Vec<Rect> = (spots.iter().map(|spot| place(spot)))
        .map(|(x, y)| Rect {
            left: x - radius,
            right: x + radius,
            top: y - radius,
            bottom: y + radius,
        })
        .collect();
    let mut left_out = 0;
    let mut order: Vec<&&Spot> = spots.iter().collect();
    order.sort_by_key(|s| !s.front);
    for spot in order {
        let text = (spot.series + 1).to_string();
        let width = style::text_width(&text, size, false);
        let (x, y) = place(spot);
        let around = [
            (x + reach, y + 0.36 * size),
            (x - reach - width, y + 0.36 * size),
            (x - width / 2.0, y - reach - 0.1 * size),
            (x - width / 2.0, y + reach + 0.8 * size),
            (x + reach, y - 0.7 * reach),
            (x - reach - width, y - 0.7 * reach),
            (x + reach, y + 0.7 * reach + 0.74 * size),
            (x - reach - width, y + 0.7 * reach + 0.74 * size),
        ];
        let rect = |(left, baseline): Point| Rect {
            left,
            right: left + width,
            top: baseline - 0.8 * size,
            bottom: baseline + 0.25 * size,
        };
        let free = around.into_iter().find(|at| {
            let own = rect(*at);
            let inside = own.left >= plot.left
                && own.right <= plot.right
                && own.top >= plot.top
                && own.bottom <= plot.bottom;
            inside
                && !taken.iter().any(|other| {
                    own.left < other.right
                        && other.left < own.right
                        && own.top < other.bottom
                        && other.top < own.bottom
                })
        });
        let Some(at) = free else {
            left_out += 1;
            continue;
        };
        taken.push(rect(at));
        let ink = if spot.front {
            style::TEXT
        } else {
            style::QUIET
        };
        canvas.text(at, &text, style.letters(size, ink, Anchor::Start));
    }
    left_out
}
