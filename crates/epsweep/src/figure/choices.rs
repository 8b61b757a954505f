//! Who is chosen: bars of the exact probabilities, and the simulated frequencies as points with their intervals. Means of other measures
//! can be drawn likewise.

use super::axis::Axis;
use super::canvas::{Canvas, Rect};
use super::language::{Word, fill};
use super::legend::{self, Entry, Swatch};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel::{self, Frame, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::{Asked, FigureError, FigureKind, by_default};
use crate::record::{ResolvedFigure, Run};
use crate::study::Kind;
use epsweep_core::about::About;

/// The measure.
const CHOSEN: &str = "chosen";
/// Candidates in a picture; further ones are left to the tables.
const MOST_CANDIDATES: usize = 12;

/// See the module.
pub struct Choices;

/// A candidate in a cell.
#[derive(Clone, Debug)]
struct Share {
    cell: String,
    exact: Option<f64>,
    mean: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl FigureKind for Choices {
    fn about(&self) -> &'static About {
        &About {
            name: "choice-probabilities",
            summary: "who is chosen (or the mean of another measure): exact values as bars, simulated ones as points with intervals",
            formula: "bars: exact p; points: share of the trials, with its interval",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        run.resolved.procedure == Kind::Select.name()
            && run
                .resolved
                .measures
                .iter()
                .any(|measure| measure == CHOSEN)
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        if run.resolved.cells.len() > SERIES {
            return Vec::new();
        }
        vec![by_default(self)]
    }

    fn draws(&self, measure: Option<&str>, _reported: &[&str]) -> Vec<String> {
        vec![measure.unwrap_or(CHOSEN).to_owned()]
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        asked.without(
            &[CHOSEN],
            "shows how often candidates are chosen, which is not reported",
            "a selection",
        )
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let has_chosen = run
            .resolved
            .measures
            .iter()
            .any(|measure| measure == CHOSEN);
        let measure = match &figure.measure {
            None if has_chosen => CHOSEN.to_owned(),
            _ => rows::measure_of(run, figure)?,
        };
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let say = style.language;
        let title = figure
            .title
            .clone()
            .unwrap_or_else(|| match measure == CHOSEN {
                true => say.word(Word::WhoIsChosen).to_owned(),
                false => fill(say.word(Word::MeanTitle), &[&say.measure(&measure)]),
            });
        // the test of all frequencies together belongs to no candidate
        let subjects: Vec<&str> = (rows.subjects.iter().copied())
            .filter(|subject| measure != CHOSEN || *subject != "all")
            .collect();
        let candidates = &subjects[..subjects.len().min(MOST_CANDIDATES)];
        let cells = rows.cells.len().min(SERIES);
        let mut notes = Vec::new();
        if subjects.len() > candidates.len() {
            let more = (subjects.len() - candidates.len()).to_string();
            notes.push(fill(
                say.word(Word::MoreCandidates),
                &[&more, "summary.csv"],
            ));
        }
        if rows.cells.len() > cells {
            let more = (rows.cells.len() - cells).to_string();
            notes.push(fill(say.word(Word::MoreCells), &[&more, "summary.csv"]));
        }
        let shares: Vec<Vec<Option<Share>>> = (candidates.iter())
            .map(|candidate| {
                (0..cells)
                    .map(|cell| share(&rows, cell, candidate))
                    .collect()
            })
            .collect();
        let all = || shares.iter().flatten().flatten();
        let exact = all().any(|share| share.exact.is_some());

        let mut page = Page::new(style, &title);
        let mut entries: Vec<Entry> = Vec::new();
        if cells > 1 {
            let labels = legend::short(rows.cells[..cells].iter().map(|cell| cell.label.as_str()));
            let labels = labels.into_iter().enumerate();
            entries.extend(labels.map(|(i, label)| (Swatch::Box(i), label)));
        }
        entries.push((Swatch::Mean, say.word(Word::Simulated).to_owned()));
        let place = page.row(1, style.panel)[0];
        let axis = Axis::from_zero(all().flat_map(|share| {
            [share.exact, Some(share.mean), share.low, share.high]
                .into_iter()
                .flatten()
        }));
        let names: Vec<String> = candidates.iter().map(|name| (*name).to_owned()).collect();
        let frame = panel::draw(
            page.canvas(),
            style,
            place,
            &Panel {
                title: "",
                legend: &entries,
                horizontal: Horizontal::Names(&names),
                vertical: axis,
                vertical_title: &match measure == CHOSEN {
                    true => say.word(Word::ProbabilityChosen).to_owned(),
                    false => style.language.mean_axis(&measure),
                },
            },
        );
        frame.if_empty(page.canvas(), style, all().next().is_none());
        let width = (0.8 * frame.band() / cells as f64).min(6.0 * style.text);
        let mut plotted = Plotted::new(&["cell", "candidate", "exact", "frequency", "low", "high"]);
        for (group, (candidate, of)) in candidates.iter().zip(&shares).enumerate() {
            for (series, share) in of.iter().enumerate() {
                let Some(share) = share else { continue };
                let middle =
                    frame.category(group) + (series as f64 - (cells as f64 - 1.0) / 2.0) * width;
                draw_share(page.canvas(), style, &frame, (middle, width), series, share);
                plotted.rows.push(vec![
                    share.cell.clone(),
                    (*candidate).to_owned(),
                    raw_or_empty(share.exact),
                    raw(share.mean),
                    raw_or_empty(share.low),
                    raw_or_empty(share.high),
                ]);
            }
        }
        let bars = match exact {
            true => Word::ExactBars,
            false => Word::NoExactBars,
        };
        let caption = format!(
            "{} {} {} {}",
            say.provenance(run, figure),
            say.word(bars),
            fill(say.word(Word::SimulatedPoints), &[&say.level(run)]),
            notes.join(" ")
        );
        let explanation = "A point on the top of its bar says that simulation and theory agree; a chi-square test of all frequencies together is in summary.csv.";
        Ok(page.finish(title, &caption, explanation, plotted, Vec::new()))
    }
}

fn share(rows: &Rows<'_>, cell: usize, candidate: &str) -> Option<Share> {
    let row = (rows.row(cell, candidate, "mean")).filter(|row| row.value.is_finite())?;
    Some(Share {
        cell: row.cell.to_string(),
        exact: row.exact.filter(|v| v.is_finite()),
        mean: row.value,
        low: row.low.filter(|v| v.is_finite()),
        high: row.high.filter(|v| v.is_finite()),
    })
}

fn draw_share(
    canvas: &mut Canvas,
    style: &Style,
    frame: &Frame,
    (middle, width): (f64, f64),
    series: usize,
    share: &Share,
) {
    if let Some(exact) = share.exact {
        let (end, base) = (frame.y(exact), frame.y(0.0));
        let rect = Rect {
            left: middle - 0.46 * width,
            right: middle + 0.46 * width,
            top: end.min(base),
            bottom: end.max(base),
        };
        style::hatched(canvas, series, rect, 0.85);
    }
    if let (Some(low), Some(high)) = (share.low, share.high) {
        let cap = (0.25 * width).min(0.5 * style.text);
        let (from, to) = (frame.y(low), frame.y(high));
        canvas.line(vec![(middle, from), (middle, to)], style::TEXT, 0.8);
        for y in [from, to] {
            canvas.line(vec![(middle - cap, y), (middle + cap, y)], style::TEXT, 0.8);
        }
    }
    let size = (0.28 * style.text).min(0.3 * width);
    legend::mean_mark(canvas, (middle, frame.y(share.mean)), size);
}
