//! How far estimates are from their exact values, in standard errors: a histogram beside the normal law that deviations of true estimates follow.

use super::axis::Axis;
use super::canvas::Rect;
use super::language::{Word, fill};
use super::legend::{Entry, Swatch};
use super::page::{Drawing, Page, Plotted, raw};
use super::panel::{self, Horizontal, Panel};
use super::style::{self, Style};
use super::ticks::Below;
use super::{FigureError, FigureKind, by_default};
use crate::record::{ResolvedFigure, Run};
use crate::verify::{self, LEVEL, Verification};
use crate::words::{grouped, several};
use epsweep_core::about::About;
use epsweep_core::statistics::{normal_cdf, normal_density};

/// The name.
pub(crate) const NAME: &str = "z-scores";
/// Deviations beyond this are put into the outermost bins.
const END: f64 = 4.5;
/// Width of a bin.
const WIDTH: f64 = 0.5;

/// See the module.
pub struct ZScores;

impl FigureKind for ZScores {
    fn about(&self) -> &'static About {
        &About {
            name: NAME,
            summary: "how far estimates are from their exact values in standard errors, beside the normal law; equal deviations count once",
            formula: "z = (value − exact)/MCSE",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        !deviations(verify::verify(&run.summary, &[], LEVEL)).is_empty()
    }

    fn default_specs(&self, _run: &Run) -> Vec<ResolvedFigure> {
        vec![ResolvedFigure {
            size: Some("one-column".to_owned()),
            ..by_default(self)
        }]
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let found = verify::verify(&run.summary, &[], LEVEL);
        let judged = found.distinct;
        let deviations = deviations(found);
        let say = style.language;
        let title =
            (figure.title.clone()).unwrap_or_else(|| say.word(Word::DeviationsTitle).to_owned());
        let bins = (2.0 * END / WIDTH) as usize;
        let mut counts = vec![0_u64; bins];
        for z in &deviations {
            counts[(((z + END) / WIDTH) as usize).min(bins - 1)] += 1;
        }
        let total = deviations.len() as f64;
        let expected = |z: f64| total * WIDTH * normal_density(z);
        let mut page = Page::new(style, &title);
        let legend: Vec<Entry> = vec![
            (Swatch::Box(0), say.word(Word::Deviations).to_owned()),
            (Swatch::Reference, say.word(Word::NormalLaw).to_owned()),
        ];
        let place = page.row(1, style.panel)[0];
        let highest = counts.iter().map(|count| *count as f64);
        let frame = panel::draw(
            page.canvas(),
            style,
            place,
            &Panel {
                title: "",
                legend: &legend,
                horizontal: Horizontal::Numbers(Below::new(
                    Axis::exactly(-END, END),
                    say.word(Word::ZScore),
                )),
                vertical: Axis::of_counts(highest.chain([expected(0.0)])),
                vertical_title: say.word(Word::Deviations),
            },
        );
        frame.if_empty(page.canvas(), style, deviations.is_empty());
        let mut plotted = Plotted::new(&["from", "to", "deviations", "expected"]);
        for (bin, count) in counts.iter().enumerate() {
            let from = -END + bin as f64 * WIDTH;
            let (left, right) = (frame.x(from), frame.x(from + WIDTH));
            let gap = 0.04 * (right - left);
            let bar = Rect {
                left: left + gap,
                right: right - gap,
                top: frame.y(*count as f64),
                bottom: frame.y(0.0),
            };
            if *count > 0 {
                page.canvas().fill(bar, style::ink(0).with_alpha(0.75));
            }
            let tail = |z: f64| match z.abs() < END {
                true => normal_cdf(z),
                false => f64::from(u8::from(z > 0.0)),
            };
            plotted.rows.push(vec![
                raw(from),
                raw(from + WIDTH),
                count.to_string(),
                raw(total * (tail(from + WIDTH) - tail(from))),
            ]);
        }
        const STEPS: usize = 90;
        let curve: Vec<(f64, f64)> = (0..=STEPS)
            .map(|step| -END + 2.0 * END * step as f64 / STEPS as f64)
            .map(|z| frame.point(z, expected(z)))
            .collect();
        page.canvas()
            .dashed(&curve, panel::REFERENCE, style::TEXT, style.line);
        let counts = [grouped(deviations.len() as u64), END.to_string()];
        let caption = format!(
            "{} {}",
            say.provenance(run, figure),
            fill(say.word(Word::ZCaption), &[&counts[0], &counts[1]])
        );
        let explanation = format!(
            "All estimates with an exact value that the trials can judge, but for those that cannot deviate. Of {}, each counted once for every statistic, those remain that differ: what rescales or shifts the same noise, as an answer and its error, deviates alike and is drawn once. Statistics of one measure still depend on each other.",
            several(judged, "distinct deviation")
        );
        Ok(page.finish(title, &caption, &explanation, plotted, Vec::new()))
    }
}

/// The distinct deviations that the run can be judged by, ascending. What agrees to the last bit could not deviate.
fn deviations(found: Verification) -> Vec<f64> {
    verify::distinct(
        (found.pieces.into_iter())
            .flat_map(|piece| piece.deviations)
            .filter(|z| !z.is_nan() && *z != 0.0)
            .collect(),
    )
}
