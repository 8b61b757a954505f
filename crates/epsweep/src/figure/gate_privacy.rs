//! Error and privacy of gates side by side: how many queries are answered wrongly, and what the answers tell of a neighbouring stream.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Rect};
use super::language::Word;
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel::{self, Frame, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, Style};
use super::{Asked, FEW_CELLS, FigureError, FigureKind, by_default};
use crate::record::{ResolvedCell, ResolvedFigure, ResolvedGate, Run};
use crate::study::Kind;
use epsweep_core::about::About;

/// What is answered wrongly.
const WRONG: &str = "wrong_answers";

/// See the module.
pub struct GatePrivacy;

impl FigureKind for GatePrivacy {
    fn about(&self) -> &'static About {
        &About {
            name: "gate-privacy",
            summary: "gates: queries answered wrongly (or the mean of a measure), and beside it the ε that the outputs show against the claimed one",
            formula: "exact ε of the outputs beside the ε that is claimed",
            source: "Lyu, Su and Li, VLDB 2017, figure 2",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        let cells = &run.resolved.cells;
        run.resolved.procedure == Kind::Stream.name()
            && (cells.iter().filter_map(gate)).any(|gate| gate.neighbour.is_some())
            && has_wrong(run)
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        if run.resolved.cells.len() > FEW_CELLS {
            return Vec::new();
        }
        vec![by_default(self)]
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        asked.without(
            &[WRONG],
            "shows the outputs of gates, which are not reported",
            "a stream with a gate",
        )
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let measure = match figure.measure {
            None if has_wrong(run) => WRONG.to_owned(),
            _ => rows::measure_of(run, figure)?,
        };
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let say = style.language;
        let title = (figure.title.clone()).unwrap_or_else(|| say.word(Word::GatesTitle).to_owned());
        let cells = &rows.cells[..rows.cells.len().min(FEW_CELLS)];
        let names: Vec<String> = cells.iter().map(|cell| cell.label.clone()).collect();
        let names = style::apart(&names, |name| style::shorten(name, 24));
        let errors: Vec<Option<f64>> = (0..cells.len()).map(|cell| error(&rows, cell)).collect();
        let losses: Vec<Option<f64>> = cells.iter().map(|cell| loss(cell.cell)).collect();

        let mut page = Page::new(style, &title);
        let places = page.grid(2, cells.len(), style.panel);
        let error_title = style.language.mean_axis(&measure);
        let vertical = Axis::from_zero(errors.iter().flatten().copied());
        let frame = bars(
            page.canvas(),
            style,
            (places[0], &names),
            vertical,
            &error_title,
        );
        frame.if_empty(page.canvas(), style, errors.iter().all(Option::is_none));
        for (index, error) in errors.iter().enumerate() {
            if let Some(error) = error {
                bar(
                    page.canvas(),
                    style,
                    &frame,
                    index,
                    *error,
                    cells[index].cell,
                );
            }
        }
        let most = (losses.iter().flatten())
            .filter(|loss| loss.is_finite())
            .fold(1.0_f64, |most, loss| most.max(*loss));
        let vertical = Axis::exactly(0.0, 1.25 * most);
        let loss_title = say.word(Word::LargestLoss);
        let frame = bars(
            page.canvas(),
            style,
            (places[1], &names),
            vertical,
            loss_title,
        );
        frame.if_empty(page.canvas(), style, losses.iter().all(Option::is_none));
        for (index, loss) in losses.iter().enumerate() {
            let Some(loss) = loss else { continue };
            bar(
                page.canvas(),
                style,
                &frame,
                index,
                loss.min(1.25 * most),
                cells[index].cell,
            );
            if !loss.is_finite() {
                let at = (frame.category(index), frame.y(1.27 * most));
                let letters = style.letters(style.label, style::TEXT, Anchor::Middle);
                page.canvas().text(at, "∞", letters);
            }
        }
        let limit = frame.y(1.0);
        let ends = [(frame.plot.left, limit), (frame.plot.right, limit)];
        (page.canvas()).dashed(&ends, &[4.0, 3.0], style::TEXT, 0.8);

        let mut plotted =
            Plotted::new(&["cell", "error", "largest_log_ratio", "claimed", "broken"]);
        for (index, cell) in cells.iter().enumerate() {
            let gate = gate(cell.cell);
            let claimed = gate.map(|gate| gate.claimed);
            let worst = losses[index]
                .zip(claimed)
                .map(|(loss, claimed)| loss * claimed);
            plotted.rows.push(vec![
                cell.cell.id.clone(),
                raw_or_empty(errors[index]),
                worst.map_or_else(String::new, raw),
                raw_or_empty(claimed),
                gate.map_or("", |gate| yes_no(gate.broken.is_some()))
                    .to_owned(),
            ]);
        }
        let left_out = rows.cells.len() - cells.len();
        let left_out = rows::more(say, left_out, 0, "summary.csv");
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            say.word(Word::GatesCaption),
            left_out.join(" ")
        );
        let explanation = "A gate that is more accurate than the private ones at the same claimed ε pays for it with privacy.";
        Ok(page.finish(title, &caption, explanation, plotted, Vec::new()))
    }
}

fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn has_wrong(run: &Run) -> bool {
    run.resolved.measures.iter().any(|known| known == WRONG)
}

fn gate(cell: &ResolvedCell) -> Option<&ResolvedGate> {
    cell.stream.as_ref()?.gate.as_ref()
}

/// The largest |log-ratio| relative to the claimed ε, +∞ where an output is possible on one side only.
fn loss(cell: &ResolvedCell) -> Option<f64> {
    let gate = gate(cell)?;
    let neighbour = gate.neighbour?;
    Some(neighbour.worst.unwrap_or(f64::INFINITY) / gate.claimed)
}

/// The mean of the measure, of all together where there is such a subject.
fn error(rows: &Rows<'_>, cell: usize) -> Option<f64> {
    let all = rows.subjects.iter().find(|subject| **subject == "all");
    rows.value(cell, all.or(rows.subjects.first())?, "mean")
}

/// An empty panel for a bar of each name.
fn bars(
    canvas: &mut Canvas,
    style: &Style,
    (place, names): (Rect, &[String]),
    vertical: Axis,
    title: &str,
) -> Frame {
    panel::draw(
        canvas,
        style,
        place,
        &Panel {
            title: "",
            legend: &[],
            horizontal: Horizontal::Names(names),
            vertical,
            vertical_title: title,
        },
    )
}

fn bar(
    canvas: &mut Canvas,
    style: &Style,
    frame: &Frame,
    index: usize,
    value: f64,
    cell: &ResolvedCell,
) {
    let broken = gate(cell).is_some_and(|gate| gate.broken.is_some());
    let half = (0.35 * frame.band()).min(2.5 * style.text);
    let (end, base) = (frame.y(value), frame.y(0.0));
    let rect = Rect {
        left: frame.category(index) - half,
        right: frame.category(index) + half,
        top: end.min(base),
        bottom: end.max(base),
    };
    style::hatched(canvas, usize::from(broken), rect, 0.85);
}
