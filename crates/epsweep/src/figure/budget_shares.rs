//! What each query gets of the budget: one bar for each division, in parts of the whole.

use super::axis::Axis;
use super::canvas::{Anchor, Rect};
use super::labels::{axis_label, subject_labels};
use super::language::{Word, fill};
use super::legend::{self, Entry, Swatch};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel;
use super::rows::{self, Shown};
use super::style::{self, SERIES, Style};
use super::{Asked, FigureError, FigureKind, by_default};
use crate::record::{ResolvedCell, ResolvedFigure, Run};
use epsweep_core::about::About;

/// Bars in a picture.
const MOST_BARS: usize = 48;
/// Shares that differ by less are the same.
const SAME: f64 = 1e-12;

/// See the module.
pub struct BudgetShares;

/// What one receiver gets in a cell.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    name: String,
    share: f64,
    budget: Option<f64>,
}

/// A division of the budget with the cell that it is of.
struct Bar<'a> {
    label: String,
    cell: &'a ResolvedCell,
    parts: Vec<Part>,
}

impl FigureKind for BudgetShares {
    fn about(&self) -> &'static About {
        &About {
            name: "budget-shares",
            summary: "stacked bars of the shares that each allocation gives to each query (or slot, or stage)",
            formula: "share = budget of the query / total",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        run.resolved.cells.iter().any(|cell| parts(cell).len() > 1)
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        let bars = distinct(
            run,
            rows::labelled(run, run.resolved.cells.iter().collect()),
        );
        if (2..=super::FEW_CELLS).contains(&bars.len()) {
            vec![by_default(self)]
        } else {
            Vec::new()
        }
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        asked.subjects.is_empty().then(|| {
            (
                "shows how a budget is divided, and nothing shares one",
                "queries, slots or stages that share a budget".to_owned(),
            )
        })
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let say = style.language;
        let mut bars = distinct(run, rows::cells(run, figure)?);
        let title =
            (figure.title.clone()).unwrap_or_else(|| say.word(Word::SharesTitle).to_owned());
        let row = 2.3 * style.text;
        let most = ((style.page / row) as usize).min(MOST_BARS);
        let more = bars.len().saturating_sub(most);
        bars.truncate(most);
        let mut receivers: Vec<&str> = Vec::new();
        for part in bars.iter().flat_map(|bar| &bar.parts) {
            if !receivers.contains(&part.name.as_str()) {
                receivers.push(&part.name);
            }
        }
        let mut warnings = Vec::new();
        let named = largest(&bars, &receivers);
        let rest = receivers.len() - named.len();
        let names = subject_labels(&named);
        let mut page = Page::new(style, &title);
        let short = legend::short(names.iter().map(String::as_str));
        let mut legend: Vec<Entry> = (short.into_iter().enumerate())
            .map(|(i, name)| (Swatch::Box(i), name))
            .collect();
        if rest > 0 {
            legend.push((
                Swatch::Rest,
                fill(say.word(Word::Others), &[&rest.to_string()]),
            ));
        }
        if !legend.is_empty() {
            page.legend(&legend);
        }

        let below = 4.0 + 1.5 * style.text + style.line_height(style.label);
        let height = bars.len().max(2) as f64 * row;
        let place = page.row(1, height + below)[0];
        let canvas = page.canvas();
        let widest = (bars.iter())
            .map(|bar| style::text_width(&style::shorten(&bar.label, 60), style.text, false))
            .fold(0.0, f64::max);
        let beside = (widest + 1.2 * style.text).min(0.4 * place.width());
        let plot = Rect {
            left: place.left + beside,
            right: place.right - 1.6 * style.text,
            top: place.top,
            bottom: place.top + height,
        };
        let axis = Axis::exactly(0.0, 100.0);
        let x = |share: f64| plot.left + axis.position(100.0 * share) * plot.width();
        for tick in axis.ticks(5) {
            let at = x(tick.value / 100.0);
            canvas.line(
                vec![(at, plot.top), (at, plot.bottom + 3.0)],
                style::GRID,
                0.5,
            );
            canvas.text(
                (at, plot.bottom + 3.0 + 1.1 * style.text),
                &tick.label,
                style.letters(style.text, style::TEXT, Anchor::Middle),
            );
        }
        canvas.text(
            (
                plot.middle(),
                plot.bottom + 4.0 + 1.45 * style.text + 0.85 * style.label,
            ),
            &style::fit(
                say.word(Word::ShareOfBudget),
                plot.width(),
                style.label,
                false,
            ),
            style.letters(style.label, style::TEXT, Anchor::Middle),
        );
        if receivers.is_empty() {
            warnings.push("no budget is divided in these cells".to_owned());
            panel::notice(canvas, style, plot, say.word(Word::NothingShared));
        }
        let mut plotted = Plotted::new(&["cell", "bar", "receiver", "share", "budget"]);
        let labels: Vec<String> = bars.iter().map(|bar| bar.label.clone()).collect();
        let room = beside - 0.8 * style.text;
        let labels = style::apart(&labels, |label| style::fit(label, room, style.text, false));
        for (index, bar) in bars.iter().enumerate() {
            let top = plot.top + index as f64 * row;
            let middle = top + 0.5 * row;
            let baseline = middle + 0.36 * style.text;
            let letters = style.letters(style.text, style::TEXT, Anchor::End);
            canvas.text(
                (plot.left - 0.6 * style.text, baseline),
                &labels[index],
                letters,
            );
            let share_of = |name: &str| {
                let own = bar.parts.iter().filter(|p| p.name == name);
                own.map(|p| p.share).filter(|s| s.is_finite()).sum::<f64>()
            };
            let mut from = 0.0;
            let named_shares: Vec<f64> = named.iter().map(|name| share_of(name)).collect();
            let others = (receivers.iter())
                .filter(|name| !named.contains(name))
                .map(|name| share_of(name))
                .sum::<f64>();
            let all = named_shares.into_iter().map(Some).chain([None]);
            for (series, share) in all.enumerate() {
                let value = share.unwrap_or(others);
                let rect = Rect {
                    left: x(from),
                    right: x(from + value),
                    top: top + 0.12 * row,
                    bottom: top + 0.88 * row,
                };
                from += value;
                if rect.width() <= 0.0 {
                    continue;
                }
                match share {
                    Some(_) => style::hatched(canvas, series, rect, 0.85),
                    None => canvas.fill(rect, style::GRID),
                }
                canvas.outline(rect, style::WHITE, 0.6);
                let text = percent(value);
                let width = style::text_width(&text, style.text, false);
                if width + 0.8 * style.text <= rect.width() {
                    // on a hatch letters need a ground of their own
                    let ground = Rect {
                        left: rect.middle() - width / 2.0 - 0.25 * style.text,
                        right: rect.middle() + width / 2.0 + 0.25 * style.text,
                        top: middle - 0.62 * style.text,
                        bottom: middle + 0.62 * style.text,
                    };
                    canvas.fill(ground, style::WHITE.with_alpha(0.85));
                    let letters = style.letters(style.text, style::TEXT, Anchor::Middle);
                    canvas.text((rect.middle(), baseline), &text, letters);
                }
            }
            for part in &bar.parts {
                plotted.rows.push(vec![
                    bar.cell.id.clone(),
                    bar.label.clone(),
                    part.name.clone(),
                    raw(part.share),
                    raw_or_empty(part.budget),
                ]);
            }
        }
        canvas.line(
            vec![
                (plot.left, plot.top),
                (plot.left, plot.bottom),
                (plot.right, plot.bottom),
            ],
            style::TEXT,
            0.7,
        );
        let mut notes = vec![say.word(Word::SharesCaption).to_owned()];
        let divided: Vec<&str> = bars.iter().map(|b| b.cell.divided.as_str()).collect();
        if let Some(first) = divided.first().filter(|d| !d.is_empty())
            && divided.iter().all(|d| d == first)
        {
            notes.push(fill(say.word(Word::Divided), &[first]));
        }
        if more > 0 {
            notes.push(fill(
                say.word(Word::MoreBars),
                &[&more.to_string(), "resolved.json"],
            ));
        }
        let explanation = "Cells that divide the budget alike are drawn once. A large share is no large budget where the total differs.";
        Ok(page.finish(title, &notes.join(" "), explanation, plotted, warnings))
    }
}

/// A share as a percentage, with a decimal where it is small.
fn percent(share: f64) -> String {
    let whole = 100.0 * share;
    match whole {
        whole if whole < 0.05 => "<0.1".to_owned(),
        whole if whole < 9.95 => format!("{whole:.1}"),
        whole if whole >= 99.5 && share < 1.0 => ">99".to_owned(),
        whole => format!("{whole:.0}"),
    }
}

/// Who gets what in a cell: queries, the slots of a choice, or the stages of a pipeline.
fn parts(cell: &ResolvedCell) -> Vec<Part> {
    let part = |name: &str, share: f64, budget: Option<f64>| Part {
        name: name.to_owned(),
        share,
        budget,
    };
    if let Some(staged) = &cell.staged {
        let stages = ["choosing", "summing", "counting"];
        return (stages.iter().zip(staged.shares))
            .map(|(name, share)| part(name, share, None))
            .collect();
    }
    if let Some(select) = &cell.select {
        return (select.shares.iter().enumerate())
            .map(|(slot, share)| part(&format!("slot {}", slot + 1), *share, None))
            .collect();
    }
    (cell.queries.iter())
        .map(|query| part(&query.name, query.share, Some(query.budget)))
        .collect()
}

/// The divisions that differ: axes along which nothing changes are not named, and their cells drawn once.
fn distinct<'a>(run: &Run, cells: Vec<Shown<'a>>) -> Vec<Bar<'a>> {
    let axes = &run.resolved.axes;
    let all: Vec<(&ResolvedCell, Vec<Part>)> = (cells.iter())
        .map(|shown| (shown.cell, parts(shown.cell)))
        .collect();
    let same = |a: &[Part], b: &[Part]| {
        a.len() == b.len()
            && (a.iter().zip(b)).all(|(a, b)| a.name == b.name && (a.share - b.share).abs() <= SAME)
    };
    // an axis matters if some cell that differs in it alone has other shares
    let first = |axis: usize| {
        let mut firsts: std::collections::BTreeMap<Vec<&str>, usize> = Default::default();
        all.iter().enumerate().any(|(index, (cell, own))| {
            let others = (cell.labels.iter().enumerate())
                .filter(|(i, _)| *i != axis)
                .map(|(_, label)| label.as_str())
                .collect();
            let known = *firsts.entry(others).or_insert(index);
            !same(&all[known].1, own)
        })
    };
    let matters: Vec<usize> = (0..axes.len()).filter(|axis| first(*axis)).collect();
    let mut bars: Vec<Bar<'a>> = Vec::new();
    let mut seen: Vec<Vec<&str>> = Vec::new();
    for (cell, parts) in all {
        let key: Vec<&str> = matters.iter().map(|i| cell.labels[*i].as_str()).collect();
        if seen.contains(&key) {
            continue;
        }
        let labels: Vec<String> = (matters.iter().zip(&key))
            .map(|(i, label)| axis_label(&axes[*i], label))
            .collect();
        let label = match labels.is_empty() {
            true => cell.allocation.clone(),
            false => labels.join(", "),
        };
        seen.push(key);
        bars.push(Bar { label, cell, parts });
    }
    bars
}

/// The receivers that get a colour, in their order: all, or those with the largest shares.
fn largest<'a>(bars: &[Bar<'_>], receivers: &[&'a str]) -> Vec<&'a str> {
    if receivers.len() <= SERIES {
        return receivers.to_vec();
    }
    let share = |name: &str| {
        let parts = bars.iter().flat_map(|bar| &bar.parts);
        parts
            .filter(|p| p.name == name && p.share.is_finite())
            .map(|p| p.share)
            .fold(0.0, f64::max)
    };
    let mut order: Vec<(usize, f64)> = receivers
        .iter()
        .map(|name| share(name))
        .enumerate()
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    order.truncate(SERIES - 1);
    order.sort_by_key(|(place, _)| *place);
    order
        .into_iter()
        .map(|(place, _)| receivers[place])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{draw, sample};

    fn figure() -> ResolvedFigure {
        ResolvedFigure {
            kind: "budget-shares".to_owned(),
            name: "s".to_owned(),
            ..ResolvedFigure::default()
        }
    }

    #[test]
    fn a_division_that_does_not_depend_on_epsilon_is_drawn_once() {
        let run = sample::run(&[0.1, 1.0, 10.0], &["even", "proportional"], 20);
        let drawing = draw(&run, &figure()).expect("bars");
        // two divisions of three queries
        assert_eq!(drawing.plotted.rows.len(), 6);
        assert!(drawing.plotted.rows.iter().all(|row| !row[1].contains('ε')));
        for bar in drawing.plotted.rows.chunks(3) {
            let sum: f64 = bar
                .iter()
                .map(|row| row[3].parse::<f64>().expect("a share"))
                .sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn one_that_does_is_drawn_for_each() {
        let mut run = sample::run(&[0.1, 1.0], &["even"], 20);
        run.resolved.cells[1].queries[0].share += 0.1;
        run.resolved.cells[1].queries[1].share -= 0.1;
        let drawing = draw(&run, &figure()).expect("bars");
        assert_eq!(drawing.plotted.rows.len(), 6);
        assert_eq!(drawing.plotted.rows[3][1], "ε = 1");
    }

    #[test]
    fn small_shares_are_not_nothing() {
        assert_eq!(percent(0.0002), "<0.1");
        assert_eq!(percent(0.0123), "1.2");
        assert_eq!(percent(0.0999), "10");
    }
}
