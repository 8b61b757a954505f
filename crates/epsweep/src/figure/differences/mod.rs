//! Paired differences as a forest plot: one line for each comparison, with its interval, and the baseline's line at zero.

mod blocks;
mod forest;
mod lines;

use super::compared::{Compared, needs_comparisons};
use super::direction::better;
use super::language::{Word, fill};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::style::Style;
use super::{Asked, FigureError, FigureKind, named};
use crate::record::{ResolvedFigure, Run};
use crate::words::significant;
use blocks::blocks;
use epsweep_core::about::About;
use forest::forest;
use lines::{Line, Shown, lines};

/// Comparisons up to which they are drawn where an experiment names no figure.
const MOST_LINES: usize = 48;
/// Differences so many times as large as most of the others are cut at the edge of the axis.
const OUTLYING: f64 = 50.0;
/// An interval may reach so many times the range of the differences beyond it before it is cut.
const BEYOND: f64 = 0.5;

/// See the module.
pub struct Differences;

impl FigureKind for Differences {
    fn about(&self) -> &'static About {
        &About {
            name: "differences",
            summary: "forest plot of paired differences from a baseline, each with its interval; what is better lies to one side",
            formula: "mean over trials of (x − baseline) ± t · sd of the differences / √n; relative: over the baseline's mean",
            source: "Lewis, Clarke, Forest plots: trying to see the wood and the trees, BMJ 322 (2001)",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        !run.comparisons.is_empty()
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        let figure = named(run, "differences");
        let compared = |f: &ResolvedFigure| {
            let of = |c: &&crate::record::ComparisonRow| Some(&c.measure) == f.measure.as_ref();
            (1..=MOST_LINES).contains(&run.comparisons.iter().filter(of).count())
        };
        figure.into_iter().filter(compared).collect()
    }

    fn keys(&self) -> &'static [&'static str] {
        &["show"]
    }

    fn shows(&self) -> &'static [&'static str] {
        &["absolute", "relative"]
    }

    fn example(&self) -> String {
        "[compare]\nbaseline = { epsilon = 1 }\n\n[[figure]]\nkind = \"differences\"\n".to_owned()
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        needs_comparisons(asked)
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let say = style.language;
        let compared = Compared::new(run, figure, say)?;
        let (pairs, words, measure) = (&compared.pairs, &compared.words, compared.rows.measure);
        let title = (figure.title.clone()).unwrap_or_else(|| match &pairs.baseline {
            Some(name) => fill(say.word(Word::MeanAgainst), &[words, name]),
            None => fill(say.word(Word::MeanInPairs), &[words]),
        });
        let mut lines = lines(&compared);
        let headings: Vec<String> = lines.iter().map(|l| l.heading.clone()).collect();
        let several = headings.windows(2).any(|two| two[0] != two[1]);
        let positive = !lines.is_empty() && lines.iter().all(|l| l.base.is_some_and(|b| b > 0.0));
        let relative = match figure.show.as_deref() {
            Some(show) => show == "relative",
            // where hardly a percentage means something, units do
            None => several && positive && lines.iter().any(|l| !l.is_vague() || l.known.is_some()),
        };
        let mut warnings = Vec::new();
        if lines.is_empty() {
            warnings.push(format!("no comparison of {measure} was recorded"));
        }
        let mut left_out = 0;
        if relative {
            let known = lines.len();
            lines.retain(|l| l.base.is_some_and(|b| b > 0.0));
            left_out = known - lines.len();
            lines.iter_mut().for_each(Line::in_per_cent);
        }
        lines.retain(|l| [l.value, l.low, l.high].iter().all(|v| v.is_finite()));
        let (blocks, kept) = blocks(
            &lines,
            several || compared.rows.lone().is_some(),
            style,
            run.resolved.level,
        );
        let more = lines.len() - kept.len();
        let once = kept.len() > blocks.iter().map(|block| block.lines.len()).sum();

        let mut page = Page::new(style, &title);
        let against = pairs.baseline.as_deref();
        let axis_title = match (relative, against) {
            (true, Some(name)) => fill(say.word(Word::RelativeDifference), &[name]),
            (true, None) => fill(say.word(Word::RelativeDifference), &["b"]),
            (false, Some(name)) => fill(
                say.word(Word::DifferenceFrom),
                &[&say.mean_axis(measure), name],
            ),
            (false, None) => fill(
                say.word(Word::DifferenceFrom),
                &[&say.mean_axis(measure), "b"],
            ),
        };
        let cut = forest(
            &mut page,
            style,
            &blocks,
            &axis_title,
            relative,
            better(measure),
            run.resolved.level,
        );
        let mut plotted = Plotted::new(&[
            "cell",
            "against",
            "subject",
            "difference",
            "low",
            "high",
            "p_adjusted",
            "base",
            "shown",
            "shown_low",
            "shown_high",
        ]);
        for line in kept.iter().map(|kept| &lines[*kept]) {
            plotted.rows.push(vec![
                line.cell.clone(),
                line.against.clone(),
                line.subject.clone(),
                raw(line.pair.difference),
                raw(line.pair.low),
                raw(line.pair.high),
                raw(line.pair.p_adjusted),
                raw_or_empty(line.base),
                raw(line.value),
                raw(line.low),
                raw(line.high),
            ]);
        }
        let mut notes = vec![fill(
            say.word(Word::DifferencesCaption),
            &[
                &style.language.level(run),
                &significant(1.0 - run.resolved.level, 2),
            ],
        )];
        if once {
            notes.push(say.word(Word::DrawnOnce).to_owned());
        }
        if cut > 0 {
            notes.push(say.word(Word::ArrowsCut).to_owned());
        }
        let of = |shown: Shown| {
            kept.iter()
                .filter(|kept| lines[**kept].shown == shown)
                .count()
        };
        for (shown, word) in [
            (Shown::Exact, Word::ExactDifferences),
            (Shown::Units, Word::DifferencesInUnits),
        ] {
            if of(shown) > 0 {
                notes.push(fill(say.word(word), &[&of(shown).to_string()]));
            }
        }
        if left_out > 0 {
            notes.push(fill(say.word(Word::NoBase), &[&left_out.to_string()]));
        }
        if more > 0 {
            notes.push(fill(
                say.word(Word::MoreRows),
                &[&more.to_string(), "comparisons.csv"],
            ));
        }
        let caption = format!("{} {}", say.provenance(run, figure), notes.join(" "));
        let explanation = match relative {
            true => {
                "A relative difference divides by the baseline's mean, which is taken for known (the exact one where theory has it). Where its interval would reach half of that mean or more to either side, the exact difference stands in its place, or the number in units. Differences are taken trial by trial, on the same noise draws unless streams are independent."
            }
            false => {
                "Differences are taken trial by trial, on the same noise draws unless streams are independent, so an interval is much narrower than those of two separate means."
            }
        };
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

/// Heights of a line and of a heading, in letters.
const ROW: f64 = 1.75;
const HEAD: f64 = 1.9;

#[cfg(test)]
mod tests {
    use super::blocks::together;
    use super::*;
    use crate::figure::{draw, sample};

    fn figure() -> ResolvedFigure {
        ResolvedFigure {
            kind: "differences".to_owned(),
            name: "d".to_owned(),
            ..ResolvedFigure::default()
        }
    }

    #[test]
    fn each_comparison_is_a_line_with_its_numbers() {
        let run = sample::run(&[1.0], &["even", "proportional", "optimal-mse"], 800);
        let drawing = draw(&run, &figure()).expect("a forest");
        assert_eq!(drawing.plotted.rows.len(), 2);
        for (row, compared) in drawing.plotted.rows.iter().zip(&run.comparisons) {
            assert_eq!(row[3].parse::<f64>().ok(), Some(compared.difference));
            assert_eq!(row[8], row[3], "absolute where there is one setting");
        }
        let texts: Vec<String> = drawing.canvas.texts().into_iter().map(|t| t.0).collect();
        assert!(texts.iter().any(|t| t == "← better"), "{texts:?}");
        assert!(drawing.title.contains("even"), "{}", drawing.title);
    }

    #[test]
    fn several_settings_are_compared_in_per_cent_of_the_baseline() {
        let run = sample::run(&[0.1, 10.0], &["even", "proportional"], 800);
        let drawing = draw(&run, &figure()).expect("a forest");
        let shown: Vec<f64> = (drawing.plotted.rows.iter())
            .map(|row| row[8].parse().expect("a number"))
            .collect();
        // the same draws, scaled: the same percentage
        assert!((shown[0] / shown[1] - 1.0).abs() < 1e-9, "{shown:?}");
        let (difference, base): (f64, f64) = (
            drawing.plotted.rows[0][3].parse().expect("a number"),
            drawing.plotted.rows[0][7].parse().expect("a number"),
        );
        assert!((shown[0] - 100.0 * difference / base).abs() < 1e-9);
        let mut absolute = figure();
        absolute.show = Some("absolute".to_owned());
        let drawing = draw(&run, &absolute).expect("a forest");
        assert_eq!(drawing.plotted.rows[0][8], drawing.plotted.rows[0][3]);
    }

    /// A loss that trials hardly ever see has no percentage by them, least of all one below −100 %: theory has, or else its units say more.
    #[test]
    fn percentages_that_say_nothing_are_not_shown() {
        let mut run = sample::run(&[0.1, 10.0], &["even", "proportional"], 800);
        let rare = &mut run.comparisons[0];
        (rare.difference, rare.low, rare.high) = (-4e9, -9e9, 1e9);
        rare.p_adjusted = 1.0;
        let of = |run: &Run| {
            let drawing = draw(run, &figure()).expect("a forest");
            let row = drawing.plotted.rows[0].clone();
            let texts: Vec<String> = drawing.canvas.texts().into_iter().map(|t| t.0).collect();
            (drawing.caption, row[8].parse::<f64>().ok(), texts)
        };
        for (own, base, shown) in [(10.0, 40.0, -75.0), (40.0, 40.0 * (1.0 + 1e-13), 0.0)] {
            let cells: Vec<String> = run.resolved.cells.iter().map(|c| c.id.clone()).collect();
            for row in run.summary.iter_mut().filter(|r| r.statistic == "mean") {
                let place = cells.iter().position(|id| *id == *row.cell);
                row.exact = Some(if place == Some(1) { own } else { base });
            }
            let (caption, value, texts) = of(&run);
            assert_eq!(value, Some(shown), "{texts:?}");
            assert!(caption.contains("exact"), "{caption}");
        }
        run.summary.iter_mut().for_each(|row| row.exact = None);
        let (caption, _, texts) = of(&run);
        assert!(caption.contains("units"), "{caption}");
        assert!(texts.iter().any(|t| t == "(−4.0 ± 5.0)×10⁹"), "{texts:?}");
        // where no percentage says anything, all is in units
        for row in &mut run.comparisons {
            (row.low, row.high) = (row.difference - 1e9, row.difference + 1e9);
        }
        let (_, value, _) = of(&run);
        assert_eq!(value, Some(-4e9));
    }

    #[test]
    fn headings_of_equal_blocks_share_their_words() {
        let of = |headings: &[&str]| together(headings);
        assert_eq!(
            of(&["ε = 1, laplace", "ε = 2, laplace"]),
            "ε = 1 | 2, laplace"
        );
        assert_eq!(
            of(&["a, ε = 1", "a, ε = 2", "b, ε = 1", "b, ε = 2"]),
            "a | b, ε = 1 | 2"
        );
        assert_eq!(of(&["a, ε = 1", "b, ε = 2"]), "a, ε = 1; b, ε = 2");
        assert_eq!(of(&["alone"]), "alone");
        let many: Vec<String> = (1..=9).map(|i| format!("ε = {i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(of(&many), "ε = 1 | 2 | … | 9");
        // names too long for a list are counted: a cut one would look like one name
        let names: Vec<String> = (1..=3)
            .map(|i| format!("the number of persons in municipality {i}, ε = 1"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let heading = of(&names);
        assert!(
            heading.starts_with("the number") && heading.ends_with(" | … (3), ε = 1"),
            "{heading}"
        );
    }

    #[test]
    fn blocks_of_the_same_numbers_are_drawn_once_under_all_their_names() {
        let run = sample::run(&[0.1, 1.0, 10.0], &["even", "proportional"], 800);
        let drawing = draw(&run, &figure()).expect("a forest");
        let texts: Vec<String> = drawing.canvas.texts().into_iter().map(|t| t.0).collect();
        assert!(texts.iter().any(|t| t == "ε = 0.1 | 1 | 10"), "{texts:?}");
        let drawn = texts.iter().filter(|t| *t == "proportional").count();
        assert_eq!((drawn, drawing.plotted.rows.len()), (1, 3));
        assert!(drawing.caption.contains("once"), "{}", drawing.caption);
        // what differs stands by itself
        let mut absolute = figure();
        absolute.show = Some("absolute".to_owned());
        let drawing = draw(&run, &absolute).expect("a forest");
        let texts: Vec<String> = drawing.canvas.texts().into_iter().map(|t| t.0).collect();
        assert_eq!(texts.iter().filter(|t| *t == "proportional").count(), 3);
        assert!(!drawing.caption.contains("once"), "{}", drawing.caption);
    }

    #[test]
    fn a_page_holds_whole_blocks_and_the_caption_counts_the_rest() {
        let epsilons: Vec<f64> = (1..=30).map(f64::from).collect();
        let run = sample::run(&epsilons, &["even", "proportional", "optimal-mse"], 60);
        let mut absolute = figure();
        absolute.show = Some("absolute".to_owned());
        let style = Style::named(None).expect("the usual one");
        let drawing = draw(&run, &absolute).expect("a forest");
        let left_out = 60 - drawing.plotted.rows.len();
        assert!(left_out > 0 && left_out.is_multiple_of(2), "{left_out}");
        assert!(drawing.caption.contains(&format!("{left_out} more")));
        assert!(drawing.canvas.height() < style.page + 120.0);
    }

    #[test]
    fn a_huge_difference_does_not_hide_the_others() {
        let allocations = ["even", "proportional", "optimal-mse", "optimal-mae"];
        let mut run = sample::run(&[1.0], &allocations, 800);
        let row = &mut run.comparisons[0];
        (row.difference, row.low, row.high) = (1e9, 0.9e9, 1.1e9);
        let drawing = draw(&run, &figure()).expect("a forest");
        let texts: Vec<String> = drawing.canvas.texts().into_iter().map(|t| t.0).collect();
        // ticks are of the size of the others, and the number stands beside
        assert!(texts.iter().any(|t| t == "−200"), "{texts:?}");
        assert!(texts.iter().any(|t| t.contains("×10⁹")), "{texts:?}");
        assert!(drawing.caption.contains("arrow"), "{}", drawing.caption);
    }

    #[test]
    fn an_interval_that_is_far_too_wide_is_cut_with_an_arrow() {
        let mut run = sample::run(&[1.0], &["even", "proportional", "optimal-mse"], 800);
        run.comparisons[0].high = 1e12;
        let drawing = draw(&run, &figure()).expect("a forest");
        assert!(drawing.caption.contains("arrow"), "{}", drawing.caption);
    }
}
