//! Empirical distribution functions with a band that holds for all values at once, and the exact quantiles where theory knows them.

use super::axis::Axis;
use super::histogram::horizontal;
use super::language::{Word, fill};
use super::legend::{self, Swatch, mean_mark};
use super::page::{Drawing, Page, Plotted, raw};
use super::panel::{self, Frame, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::ticks::Below;
use super::{FigureError, FigureKind, wants_log};
use crate::record::{HistogramRow, ResolvedFigure, Run};
use epsweep_core::about::About;

/// Statistics that are quantiles, with their probabilities.
const QUANTILES: [(&str, f64); 7] = [
    ("q01", 0.01),
    ("q05", 0.05),
    ("q25", 0.25),
    ("median", 0.5),
    ("q75", 0.75),
    ("q95", 0.95),
    ("q99", 0.99),
];

/// See the module.
pub struct Ecdf;

/// The distribution function of a cell at the edges of its bins.
struct Steps {
    /// an edge, and the share of trials below it before and behind a jump there
    edges: Vec<(f64, f64, f64)>,
    /// bins: edges, and the share of trials below each
    bins: Vec<(f64, f64, f64, f64)>,
    /// half the width of the band
    half: f64,
    trials: u64,
}

/// Half the width of the band that holds the whole distribution function with probability at least `level`:
/// √(ln(2/α)/(2n)) (Massart 1990, corollary 1 with the sharp constant in the inequality of Dvoretzky, Kiefer and Wolfowitz).
pub(super) fn half_width(trials: u64, level: f64) -> f64 {
    libm::sqrt(libm::log(2.0 / (1.0 - level)) / (2.0 * trials.max(1) as f64))
}

/// Some places between two positive ones, evenly on a log axis; none where they are near each other.
fn between(from: f64, to: f64) -> impl Iterator<Item = f64> {
    const MOST: u32 = 24;
    let ratio = libm::log(to / from);
    // a quarter of a power of e is straight to the eye
    let steps = if ratio.is_finite() {
        ((4.0 * ratio) as u32).min(MOST)
    } else {
        0
    };
    (1..steps).map(move |step| from * libm::exp(ratio * f64::from(step) / f64::from(steps)))
}

impl Steps {
    fn new(bins: &[&HistogramRow], level: f64) -> Steps {
        let trials: u64 = bins.iter().map(|b| b.count).sum();
        let (mut below, mut steps) = (0, Vec::new());
        let mut drawn = Vec::new();
        for bin in bins {
            let share = |count: u64| count as f64 / trials.max(1) as f64;
            let (before, behind) = (share(below), share(below + bin.count));
            below += bin.count;
            drawn.push((bin.low, bin.high, before, behind));
            if bin.high > bin.low {
                steps.push((bin.low, before, before));
                steps.push((bin.high, behind, behind));
            } else {
                steps.push((bin.low, before, behind));
            }
        }
        Steps {
            edges: steps,
            bins: drawn,
            half: half_width(trials, level),
            trials,
        }
    }

    /// The band on the page. Within a bin only the ends are known: the band covers all that is possible there.
    fn band(&self, frame: &Frame) -> Vec<(f64, f64)> {
        let mut upper = Vec::new();
        let mut lower = Vec::new();
        for (low, high, before, behind) in &self.bins {
            let top = (behind + self.half).min(1.0);
            let base = (before - self.half).max(0.0);
            upper.push(frame.point(*low, top));
            upper.push(frame.point(*high, top));
            lower.push(frame.point(*low, base));
            lower.push(frame.point(*high, base));
        }
        upper.into_iter().chain(lower.into_iter().rev()).collect()
    }

    fn line(&self, frame: &Frame, axis: &Axis) -> Vec<(f64, f64)> {
        let mut points = vec![frame.point(axis.value(0.0), self.at(axis.value(0.0)))];
        let mut last: Option<f64> = None;
        for (edge, before, behind) in &self.edges {
            if axis.holds(*edge) {
                // what is straight within a bin is none on a log axis
                for x in last
                    .filter(|_| axis.is_log())
                    .into_iter()
                    .flat_map(|from| between(from, *edge))
                {
                    points.push(frame.point(x, self.at(x)));
                }
                points.push(frame.point(*edge, *before));
                points.push(frame.point(*edge, *behind));
            }
            last = Some(*edge).filter(|edge| axis.holds(*edge));
        }
        points.push(frame.point(axis.value(1.0), self.at(axis.value(1.0))));
        points
    }

    /// Where the share of trials passes a value, straight within a bin.
    fn inverse(&self, share: f64) -> Option<f64> {
        let (low, high, before, behind) = self.bins.iter().find(|bin| bin.3 >= share)?;
        Some(low + (high - low) * ((share - before) / (behind - before)).clamp(0.0, 1.0))
    }

    /// The share of trials that are at most x, straight within a bin.
    fn at(&self, x: f64) -> f64 {
        for (low, high, before, behind) in &self.bins {
            if x < *low {
                return *before;
            }
            if x < *high {
                return before + (behind - before) * ((x - low) / (high - low)).clamp(0.0, 1.0);
            }
        }
        if self.trials == 0 { 0.0 } else { 1.0 }
    }
}

impl FigureKind for Ecdf {
    fn about(&self) -> &'static About {
        &About {
            name: "ecdf",
            summary: "empirical distribution functions of a measure, with a band that holds everywhere at once, and exact quantiles where known",
            formula: "F̂(x) = trials ≤ x / n; band F̂ ± √(ln(2/α)/(2n))",
            source: "Dvoretzky, Kiefer, Wolfowitz, Ann. Math. Statist. 27 (1956); Massart, Ann. Probab. 18 (1990)",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        !run.histograms.is_empty()
    }

    fn default_specs(&self, _: &Run) -> Vec<ResolvedFigure> {
        // the histogram is drawn by default
        Vec::new()
    }

    fn draws_histograms(&self) -> bool {
        true
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let say = style.language;
        let measure = rows::measure_of(run, figure)?;
        let (rows, left_out) = Rows::of_first(run, figure, &measure, SERIES)?;
        let title = (figure.title.clone())
            .unwrap_or_else(|| fill(say.word(Word::DistributionOf), &[&say.measure(&measure)]));
        let mut page = Page::new(style, &title);
        let mut plotted = Plotted::new(&["cell", "subject", "part", "x", "value"]);
        let (mut notes, mut warnings) = (Vec::new(), Vec::new());
        let many = rows.subjects.len() > 1;
        let (subjects, more) = rows.panels(style, 0);
        let exact = subjects
            .iter()
            .any(|s| (0..rows.cells.len()).any(|i| exact_quantiles(&rows, i, s).next().is_some()));
        let mut legend = legend::lines(rows.cells.iter().map(|shown| shown.label.as_str()));
        if exact {
            legend.push((Swatch::Mean, say.word(Word::ExactQuantiles).to_owned()));
        }
        if !legend.is_empty() {
            page.legend(&legend);
        }
        let log = wants_log(figure, &rows, &subjects, false)?;
        let places = page.grid(subjects.len(), 0, style.panel);
        let titles = panel::titles(&subjects, many, &places, style);
        for ((place, subject), above) in places.into_iter().zip(&subjects).zip(&titles) {
            let known = horizontal(&rows, subject, log);
            let axis = known.unwrap_or_else(|| Axis::exactly(0.0, 1.0));
            if log && known.is_some() && !axis.is_log() {
                warnings.push(format!(
                    "no value of {measure} for “{subject}” is positive, so the axis is linear"
                ));
            }
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: above,
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below::new(axis, &say.measure_axis(&measure))),
                    vertical: Axis::exactly(0.0, 1.0),
                    vertical_title: say.word(Word::ShareOfTrials),
                },
            );
            if known.is_none() {
                let text = say.word(Word::NoHistogram);
                panel::notice(page.canvas(), style, frame.plot, text);
                warnings.push(format!(
                    "no histogram of {measure} for “{subject}” was recorded"
                ));
                continue;
            }
            let steps: Vec<Steps> = (0..rows.cells.len())
                .map(|i| Steps::new(rows.bins(i, subject), run.resolved.level))
                .collect();
            for (i, of) in steps.iter().enumerate().filter(|(_, of)| of.trials > 0) {
                let ink = style::ink(i).with_alpha(if steps.len() > 3 { 0.13 } else { 0.22 });
                page.canvas().area(of.band(&frame), ink);
            }
            for (i, of) in steps.iter().enumerate() {
                let id = &rows.cells[i].cell.id;
                if of.trials == 0 {
                    warnings.push(format!(
                        "{}: no trial of {measure} has a value",
                        rows.cells[i].label
                    ));
                    continue;
                }
                let ink = style::ink(i);
                let canvas = page.canvas();
                canvas.dashed(&of.line(&frame, &axis), style::dashes(i), ink, style.line);
                // markers tell lines apart without colour, away from the quantiles that are marked
                for share in [0.35, 0.65] {
                    if let Some(x) = of.inverse(share).filter(|x| axis.holds(*x)) {
                        style::marker(canvas, i, frame.point(x, share), 0.27 * style.text, ink);
                    }
                }
                let mut note = |part: &str, x: f64, value: f64| {
                    plotted.rows.push(vec![
                        id.clone(),
                        (*subject).to_owned(),
                        part.to_owned(),
                        raw(x),
                        raw(value),
                    ]);
                };
                for (edge, _, behind) in &of.edges {
                    note("ecdf", *edge, *behind);
                }
                note("band", f64::NAN, of.half);
                for (x, p) in exact_quantiles(&rows, i, subject) {
                    note("exact", x, p);
                    if axis.holds(x) {
                        mean_mark(canvas, frame.point(x, p), 0.27 * style.text);
                    }
                }
            }
        }
        notes.extend(rows::more(say, left_out, more, "histograms.csv"));
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            fill(say.word(Word::EcdfCaption), &[&style.language.level(run)]),
            notes.join(" ")
        );
        let explanation = "The band holds for all values at once (Massart's constant in the inequality of Dvoretzky, Kiefer and Wolfowitz); between the edges of a recorded bin it covers all that is possible. An axis ends at the largest 99 % quantile.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

fn exact_quantiles<'r>(
    rows: &'r Rows<'_>,
    cell: usize,
    subject: &'r str,
) -> impl Iterator<Item = (f64, f64)> + 'r {
    QUANTILES.iter().filter_map(move |(name, p)| {
        let exact = rows.row(cell, subject, name)?.exact?;
        exact.is_finite().then_some((exact, *p))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::sample::{self, Uniform};

    fn bin(low: f64, high: f64, count: u64) -> HistogramRow {
        HistogramRow {
            cell: "-".to_owned(),
            axes: Vec::new(),
            subject: "all".to_owned(),
            measure: "rmse".to_owned(),
            low,
            high,
            count,
            exact: None,
        }
    }

    #[test]
    fn the_half_width_is_that_of_the_literature() {
        // √(ln 40 / 200) for n = 100 at 95 %
        assert!((half_width(100, 0.95) - 0.135_810).abs() < 1e-6);
        assert!((half_width(10_000, 0.95) - 0.013_581_0).abs() < 1e-7);
    }

    #[test]
    fn the_function_counts_what_lies_below() {
        let rows = [bin(0.0, 0.0, 2), bin(1.0, 2.0, 3), bin(2.0, 4.0, 5)];
        let bins: Vec<&HistogramRow> = rows.iter().collect();
        let steps = Steps::new(&bins, 0.95);
        for (x, share) in [
            (-1.0, 0.0),
            (0.0, 0.2),
            (0.5, 0.2),
            (1.5, 0.35),
            (2.0, 0.5),
            (9.0, 1.0),
        ] {
            assert!((steps.at(x) - share).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn the_band_holds_the_whole_law_as_often_as_it_says() {
        // 2000 samples of 400 uniform numbers in 100 bins: Massart's bound says at least 95 % of bands hold F(x) = x at every edge. The
        // share that does not is below 5 % + 3.1·√(0.05·0.95/2000) = 6.5 % but once in 1000 seeds; this one is fixed.
        let mut uniform = Uniform(5);
        let (mut missed, mut missed_half) = (0, 0);
        for _ in 0..2000 {
            let mut counts = [0_u64; 100];
            (0..400).for_each(|_| counts[(uniform.next() * 100.0) as usize] += 1);
            let rows: Vec<HistogramRow> = (counts.iter().enumerate())
                .map(|(i, n)| bin(i as f64 / 100.0, (i + 1) as f64 / 100.0, *n))
                .collect();
            let bins: Vec<&HistogramRow> = rows.iter().collect();
            let steps = Steps::new(&bins, 0.95);
            let worst = (steps.edges.iter())
                .map(|(x, _, share)| (share - x).abs())
                .fold(0.0, f64::max);
            missed += usize::from(worst > steps.half);
            missed_half += usize::from(worst > 0.7 * steps.half);
        }
        assert!(missed as f64 / 2000.0 < 0.065, "{missed}");
        // and a band that is too narrow is caught
        assert!(missed_half as f64 / 2000.0 > 0.1, "{missed_half}");
    }

    #[test]
    fn the_numbers_are_written_beside_the_picture() {
        let run = sample::run(&[1.0], &["even", "proportional"], 500);
        let figure = ResolvedFigure {
            kind: "ecdf".to_owned(),
            name: "e".to_owned(),
            ..ResolvedFigure::default()
        };
        let drawing = crate::figure::draw(&run, &figure).expect("a picture");
        let last = |cell: &str| {
            let rows = drawing.plotted.rows.iter().rev();
            rows.into_iter()
                .find(|r| r[0].ends_with(cell) && r[2] == "ecdf")
                .expect("a row")[4]
                .clone()
        };
        assert_eq!(last("even"), "1");
        assert_eq!(last("proportional"), "1");
    }
}
