//! Paired differences as a forest plot: one line for each comparison, with its interval, and the baseline's line at zero.

mod forest;

use super::direction::better;
use super::language::{Word, fill};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::rows::{self, Rows, Shown};
use super::style::Style;
use super::{Asked, FigureError, FigureKind, named};
use crate::record::{Lookup, Paired, ResolvedFigure, Run};
use crate::words::significant;
use epsweep_core::about::About;
use forest::forest;

/// Lines in a picture; further ones are left to the tables.
const MOST_LINES: usize = 48;
/// An interval may reach so many times the range of the differences beyond it before it is cut.
const BEYOND: f64 = 0.5;

/// See the module.
pub struct Differences;

/// A comparison that is drawn.
struct Line {
    heading: String,
    label: String,
    cell: String,
    against: String,
    subject: String,
    pair: Paired,
    /// the baseline's mean, by which a relative difference is divided
    base: Option<f64>,
    value: f64,
    low: f64,
    high: f64,
}

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
        let measure = rows::measure_of(run, figure)?;
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?.together(figure);
        let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
        let pairs = Pairs::new(run, &lookup, &rows);
        let words = say.measure(&measure);
        let title = (figure.title.clone()).unwrap_or_else(|| match &pairs.baseline {
            Some(name) => fill(say.word(Word::MeanAgainst), &[&words, name]),
            None => fill(say.word(Word::MeanInPairs), &[&words]),
        });
        let mut lines = lines(run, &lookup, &rows, &pairs);
        let headings: Vec<String> = lines.iter().map(|l| l.heading.clone()).collect();
        let several = headings.windows(2).any(|two| two[0] != two[1]);
        let positive = !lines.is_empty() && lines.iter().all(|l| l.base.is_some_and(|b| b > 0.0));
        let relative = match figure.show.as_deref() {
            Some(show) => show == "relative",
            None => several && positive,
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
            for line in &mut lines {
                let base = line.base.unwrap_or(1.0) / 100.0;
                line.value /= base;
                line.low /= base;
                line.high /= base;
            }
        }
        lines.retain(|l| [l.value, l.low, l.high].iter().all(|v| v.is_finite()));
        let more = lines.len().saturating_sub(MOST_LINES);
        lines.truncate(MOST_LINES);

        let mut page = Page::new(style, &title);
        let against = pairs.baseline.as_deref();
        let axis_title = match (relative, against) {
            (true, Some(name)) => fill(say.word(Word::RelativeDifference), &[name]),
            (true, None) => fill(say.word(Word::RelativeDifference), &["b"]),
            (false, Some(name)) => fill(
                say.word(Word::DifferenceFrom),
                &[&say.mean_axis(&measure), name],
            ),
            (false, None) => fill(
                say.word(Word::DifferenceFrom),
                &[&say.mean_axis(&measure), "b"],
            ),
        };
        let cut = forest(
            &mut page,
            style,
            &lines,
            several,
            &axis_title,
            relative,
            better(&measure),
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
        for line in &lines {
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
        if cut > 0 {
            notes.push(say.word(Word::ArrowsCut).to_owned());
        }
        if left_out > 0 {
            notes.push(fill(say.word(Word::NoBase), &[&left_out.to_string()]));
        }
        if more > 0 {
            notes.push(fill(
                say.word(Word::MoreLines),
                &[&more.to_string(), "comparisons.csv"],
            ));
        }
        let caption = format!("{} {}", say.provenance(run, figure), notes.join(" "));
        let explanation = match relative {
            true => {
                "A relative difference divides by the baseline's mean, which is taken for known (the exact one where theory has it). Differences are taken trial by trial, on the same noise draws unless streams are independent."
            }
            false => {
                "Differences are taken trial by trial, on the same noise draws unless streams are independent, so an interval is much narrower than those of two separate means."
            }
        };
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

/// What a figure of comparisons lacks.
pub(super) fn needs_comparisons(asked: &Asked<'_>) -> Option<(&'static str, String)> {
    (!asked.compares).then(|| {
        (
            "shows comparisons, and cells are not compared",
            "a section [compare] with a baseline, or with pairs = \"all\"".to_owned(),
        )
    })
}

/// Which cells are compared with which, and what the baseline is called.
pub(super) struct Pairs {
    /// a cell of the run and what it is compared with
    pub(super) cells: Vec<(usize, usize)>,
    /// the name of the baseline, where there is one
    pub(super) baseline: Option<String>,
    /// the axes along which cells are compared
    pub(super) along: Vec<usize>,
}

impl Pairs {
    pub(super) fn new(run: &Run, lookup: &Lookup<'_>, rows: &Rows<'_>) -> Pairs {
        let resolved = &run.resolved;
        let index = |shown: &Shown<'_>| {
            (resolved.cells.iter()).position(|cell| std::ptr::eq(cell, shown.cell))
        };
        let chosen: Vec<usize> = rows.cells.iter().filter_map(index).collect();
        let fixed = resolved.compare.as_ref().filter(|c| !c.baseline.is_empty());
        let along = (0..resolved.axes.len())
            .filter(|i| fixed.is_none_or(|c| c.baseline.contains_key(&resolved.axes[*i].name)))
            .collect();
        let cells = match fixed {
            Some(_) => (chosen.iter())
                .filter_map(|cell| Some((*cell, lookup.baseline(*cell)?)))
                .filter(|(cell, base)| cell != base)
                .collect(),
            // every pair on request, and those of claims
            None => {
                let mut all = Vec::new();
                for (place, a) in chosen.iter().take(200).enumerate() {
                    all.extend(chosen[..place].iter().map(|b| (*a, *b)));
                }
                all
            }
        };
        let baseline = fixed.map(|compare| {
            let labels: Vec<String> = (resolved.axes.iter())
                .filter_map(|axis| {
                    let label = compare.baseline.get(&axis.name)?;
                    Some(rows::axis_label(&axis.name, label, axis.numbers.is_some()))
                })
                .collect();
            labels.join(", ")
        });
        Pairs {
            cells,
            baseline,
            along,
        }
    }

    /// The labels of a cell on the axes along which it is compared, or on the others that vary.
    pub(super) fn label(&self, run: &Run, rows: &Rows<'_>, cell: usize, along: bool) -> String {
        let labels = &run.resolved.cells[cell].labels;
        let parts: Vec<String> = (run.resolved.axes.iter().enumerate())
            .filter(|(i, _)| self.along.contains(i) == along)
            .filter(|(i, _)| along || rows::values(&rows.cells, *i).len() > 1)
            .map(|(i, axis)| rows::axis_label(&axis.name, &labels[i], axis.numbers.is_some()))
            .collect();
        parts.join(", ")
    }
}

/// The comparisons, grouped by setting and subject.
fn lines(run: &Run, lookup: &Lookup<'_>, rows: &Rows<'_>, pairs: &Pairs) -> Vec<Line> {
    let names = rows::subject_labels(&rows.subjects);
    let several = rows.subjects.len() > 1;
    let mut settings: Vec<String> = Vec::new();
    for (cell, _) in &pairs.cells {
        let setting = pairs.label(run, rows, *cell, false);
        if !settings.contains(&setting) {
            settings.push(setting);
        }
    }
    let mut lines = Vec::new();
    for (subject, name) in rows.subjects.iter().zip(&names) {
        for setting in &settings {
            for (cell, base) in &pairs.cells {
                if pairs.label(run, rows, *cell, false) != *setting {
                    continue;
                }
                let Some(pair) = lookup.paired(*cell, *base, subject, rows.measure) else {
                    continue;
                };
                let mut heading: Vec<&str> = Vec::new();
                if several {
                    heading.push(name);
                }
                if !setting.is_empty() {
                    heading.push(setting);
                }
                let mean = lookup.row(*base, subject, rows.measure, "mean");
                let mut label = pairs.label(run, rows, *cell, true);
                if pairs.baseline.is_none() {
                    label = format!("{label} − {}", pairs.label(run, rows, *base, true));
                }
                lines.push(Line {
                    heading: heading.join(", "),
                    label,
                    cell: run.resolved.cells[*cell].id.clone(),
                    against: run.resolved.cells[*base].id.clone(),
                    subject: (*subject).to_owned(),
                    pair,
                    base: mean
                        .and_then(|row| row.exact.or(Some(row.value)))
                        .filter(|v| v.is_finite()),
                    value: pair.difference,
                    low: pair.low,
                    high: pair.high,
                });
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn an_interval_that_is_far_too_wide_is_cut_with_an_arrow() {
        let mut run = sample::run(&[1.0], &["even", "proportional", "optimal-mse"], 800);
        run.comparisons[0].high = 1e12;
        let drawing = draw(&run, &figure()).expect("a forest");
        assert!(drawing.caption.contains("arrow"), "{}", drawing.caption);
    }
}
