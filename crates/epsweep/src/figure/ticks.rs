//! Which ticks of an axis get labels, and what stands below a plot: as many as have room, at the values that were chosen where these do.

use super::axis::{Axis, Tick, short_label};
use super::canvas::{Anchor, Canvas, Rect};
use super::style::{self, Style};

/// Most labels of a log axis.
const MOST: usize = 10;

/// Labels of a linear axis that are too few if more have room.
const FEW: usize = 3;

/// An axis of numbers below a plot.
pub struct Below<'a> {
    /// their range
    pub axis: Axis,
    /// values that were chosen, which are shown where they have room; none where nothing was
    pub at: &'a [f64],
    /// what they are
    pub title: &'a str,
    /// whether lines go up from the labels
    pub grid: bool,
}

/// The ticks of a vertical axis of a height.
pub fn upright(axis: &Axis, style: &Style, height: f64) -> Vec<Tick> {
    let usual = ((height / (style.text * 3.2)) as usize).clamp(2, 7);
    if !axis.is_log() {
        return axis.ticks(usual);
    }
    let apart = |ticks: &Vec<Tick>| {
        let places: Vec<f64> = (ticks.iter())
            .filter(|tick| !tick.label.is_empty())
            .map(|tick| axis.position(tick.value) * height)
            .collect();
        (places.windows(2)).all(|two| (two[1] - two[0]).abs() >= 1.7 * style.text)
    };
    (usual..=MOST)
        .rev()
        .map(|count| axis.ticks(count))
        .find(apart)
        .unwrap_or_else(|| axis.ticks(usual))
}

impl<'a> Below<'a> {
    /// Numbers of which none was chosen, and no lines.
    pub fn new(axis: Axis, title: &'a str) -> Below<'a> {
        Below {
            axis,
            at: &[],
            title,
            grid: false,
        }
    }

    /// Its ticks over a width.
    fn ticks(&self, style: &Style, width: f64) -> Vec<Tick> {
        let axis = &self.axis;
        let fit = |ticks: &Vec<Tick>| {
            let mut free = f64::NEG_INFINITY;
            (ticks.iter().filter(|tick| !tick.label.is_empty())).all(|tick| {
                let half = style::text_width(&tick.label, style.text, false) / 2.0;
                let at = axis.position(tick.value) * width;
                let fits = at - half > free;
                free = at + half + 0.9 * style.text;
                fits
            })
        };
        let mut chosen: Vec<f64> = (self.at.iter().copied())
            .filter(|value| axis.holds(*value))
            .collect();
        chosen.sort_by(f64::total_cmp);
        chosen.dedup();
        let own: Option<Vec<Tick>> = (chosen.into_iter())
            .map(|value| short_label(value).map(|label| Tick { value, label }))
            .collect();
        if let Some(own) = own.filter(|ticks| ticks.len() > 1 && fit(ticks)) {
            return own;
        }
        let usual = ((width / (style.text * 6.0)) as usize).clamp(3, 9);
        let wanted = |count: usize| Some(axis.ticks(count)).filter(|ticks| fit(ticks));
        if axis.is_log() {
            return (2..=MOST)
                .rev()
                .find_map(wanted)
                .unwrap_or_else(|| axis.ticks(2));
        }
        // where the usual step leaves few, a finer one may have room
        let finer = (usual..usual + 4).find_map(|count| wanted(count).filter(|t| t.len() > FEW));
        let coarser = || (2..=usual).rev().find_map(wanted);
        finer.or_else(coarser).unwrap_or_else(|| axis.ticks(2))
    }

    /// Draws it below a plot, within the place of the panel.
    pub fn draw(&self, canvas: &mut Canvas, style: &Style, plot: Rect, place: Rect) {
        let bottom = plot.bottom;
        let mut free = f64::NEG_INFINITY;
        for tick in self.ticks(style, plot.width()) {
            let x = plot.left + self.axis.position(tick.value) * plot.width();
            let length = if tick.label.is_empty() { 1.5 } else { 3.0 };
            if self.grid && !tick.label.is_empty() {
                canvas.line(vec![(x, plot.top), (x, bottom)], style::GRID, 0.5);
            }
            canvas.line(vec![(x, bottom), (x, bottom + length)], style::TEXT, 0.6);
            let half = style::text_width(&tick.label, style.text, false) / 2.0;
            let at = x.clamp(
                place.left + half,
                (place.right - half).max(place.left + half),
            );
            if !tick.label.is_empty() && at - half > free {
                let letters = style.letters(style.text, style::TEXT, Anchor::Middle);
                canvas.text((at, bottom + 3.0 + 1.1 * style.text), &tick.label, letters);
                free = at + half + 0.5 * style.text;
            }
        }
        let title = style::fit(self.title, place.width(), style.label, false);
        let half = style::text_width(&title, style.label, false) / 2.0;
        let middle = (plot.middle()).clamp(
            place.left + half,
            (place.right - half).max(place.left + half),
        );
        let baseline = bottom + 4.0 + 1.45 * style.text + 0.85 * style.label;
        let letters = style.letters(style.label, style::TEXT, Anchor::Middle);
        canvas.text((middle, baseline), &title, letters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: Axis, at: &[f64], width: f64) -> Vec<String> {
        let style = Style::named(None).expect("the usual one");
        let below = Below {
            at,
            ..Below::new(axis, "ε")
        };
        let ticks = below.ticks(&style, width).into_iter();
        ticks
            .map(|tick| tick.label)
            .filter(|l| !l.is_empty())
            .collect()
    }

    #[test]
    fn values_that_were_swept_are_labelled_where_they_have_room() {
        let swept = [0.1, 0.3, 1.0, 3.0];
        let axis = Axis::logarithmic(swept).expect("positive");
        assert_eq!(labels(axis, &swept, 400.0), ["0.1", "0.3", "1", "3"]);
        // in no order, and twice
        let again = [3.0, 0.1, 1.0, 0.3, 0.1];
        assert_eq!(labels(axis, &again, 400.0), ["0.1", "0.3", "1", "3"]);
        // without room, round numbers; and so where a value needs many digits
        let dense: Vec<f64> = (1..60).map(f64::from).collect();
        let axis = Axis::linear(dense.iter().copied());
        assert_eq!(labels(axis, &dense, 200.0), ["0", "20", "40", "60"]);
        let odd = [0.1, 0.316_227_766_016_837_94, 1.0];
        let axis = Axis::logarithmic(odd).expect("positive");
        assert_eq!(labels(axis, &odd, 300.0), ["0.1", "0.2", "0.5", "1"]);
    }

    #[test]
    fn three_decades_on_a_narrow_panel_have_each_their_label() {
        let axis = Axis::logarithmic([1.0, 1000.0]).expect("positive");
        assert_eq!(labels(axis, &[], 120.0), ["1", "10", "100", "1000"]);
    }
}
