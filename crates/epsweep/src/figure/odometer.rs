//! What has been spent along a stream: a fan of quantiles for each cell, with the budget.

use super::axis::{Axis, extent};
use super::error_epsilon::{Spot, ribbon};
use super::language::{Word, capital, fill, with_unit};
use super::legend::{Entry, Swatch};
use super::page::{Drawing, MOST_PANELS, Page, Plotted, most_panels, raw, raw_or_empty};
use super::panel::{self, Horizontal, Panel};
use super::positions::{self, places};
use super::rows::{self, Rows, Shown};
use super::style::{self, Style};
use super::ticks::Below;
use super::{Asked, FigureError, FigureKind, by_default};
use crate::record::{ResolvedFigure, Run};
use epsweep_core::about::About;

/// The measure.
const SPENT: &str = "spent_so_far";

/// Opacity of the band of nine tenths of the trials, in hundredths.
const WIDE: u16 = 20;
/// And of that of half of them, which is drawn over it.
const NARROW: u16 = 35;

/// See the module.
pub struct Odometer;

/// Quantiles at a position.
#[derive(Clone, Debug)]
struct Fan {
    /// the median, with the ends of the wide band
    wide: Vec<Spot>,
    /// the same with the quartiles
    narrow: Vec<Spot>,
}

impl FigureKind for Odometer {
    fn about(&self) -> &'static About {
        &About {
            name: "odometer",
            summary: "what has been spent up to each position of a stream: a fan of quantiles over the trials for each cell, below the budget",
            formula: "quantiles over the trials of what the ledger holds after each position",
            source: "Rogers, Roth, Ullman and Vadhan, NeurIPS 2016",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        positions::are_measured(run, SPENT)
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        if run.resolved.cells.len() > MOST_PANELS {
            return Vec::new();
        }
        vec![by_default(self)]
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        asked.without(
            &[SPENT],
            "shows what is spent along a stream, which is not reported",
            "a stream",
        )
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let measure = match &figure.measure {
            None if positions::are_measured(run, SPENT) => SPENT.to_owned(),
            _ => rows::measure_of(run, figure)?,
        };
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let say = style.language;
        let title = (figure.title.clone()).unwrap_or_else(|| match measure == SPENT {
            true => say.word(Word::SpentTitle).to_owned(),
            false => fill(
                say.word(Word::ByPosition),
                &[&capital(&say.measure(&measure))],
            ),
        });
        let log = super::check_scale(figure)? == Some("log");
        let mut page = Page::new(style, &title);
        let mut plotted = Plotted::new(&[
            "cell", "position", "median", "q05", "q25", "q75", "q95", "exact",
        ]);
        let mut notes = Vec::new();
        let shown = rows.cells.len().min(most_panels(style, 0));
        if rows.cells.len() > shown {
            let more = (rows.cells.len() - shown).to_string();
            notes.push(fill(say.word(Word::MoreCells), &[&more, "summary.csv"]));
        }
        let mut fans: Vec<Fan> = (0..shown).map(|cell| fan(&rows, cell)).collect();
        if measure == SPENT {
            fans.iter_mut().for_each(Fan::begin_at_nothing);
        }
        // what is spent has a budget, which all panels of one kind share
        let budgets: Vec<Option<f64>> = (rows.cells[..shown].iter())
            .map(|shown| Some(shown.cell.total).filter(|total| measure == SPENT && *total > 0.0))
            .collect();
        let of = |share: &str| fill(say.word(Word::OfTheTrials), &[share]);
        let mut legend: Vec<Entry> = vec![
            (Swatch::Plain(0), say.word(Word::Median).to_owned()),
            // the bands lie on each other
            (
                Swatch::Band(0, 100 - (100 - WIDE) * (100 - NARROW) / 100),
                of("25–75 %"),
            ),
            (Swatch::Band(0, WIDE), of("5–95 %")),
        ];
        if budgets.iter().any(Option::is_some) {
            legend.push((Swatch::Limit, say.word(Word::TheBudget).to_owned()));
        }
        page.legend(&legend);
        let vertical_title = match measure == SPENT {
            true => with_unit(&say.measure(&measure), &unit(&rows.cells[..shown])),
            false => say.measure_axis(&measure),
        };
        let numbers = || {
            let spots = fans
                .iter()
                .flat_map(|fan| fan.wide.iter().chain(&fan.narrow));
            let ends = spots.flat_map(|s| [Some(s.mean), s.q05, s.q95]);
            ends.chain(budgets.iter().copied()).flatten()
        };
        let vertical = match extent(numbers().filter(|v| *v > 0.0)).filter(|_| log) {
            Some((low, _)) => Axis::logarithmic(numbers().filter(|v| *v >= low))
                .unwrap_or_else(|| Axis::from_zero(numbers())),
            None => Axis::from_zero(numbers()),
        };
        let along = Axis::of_places(fans.iter().flat_map(|fan| fan.wide.iter().map(|s| s.x)));
        let places = page.grid(shown, 0, style.panel);
        let names: Vec<&str> = (rows.cells[..shown].iter())
            .map(|shown| shown.label.as_str())
            .collect();
        let titles = panel::titles(&names, shown > 1, &places, style);
        for (cell, place) in places.into_iter().enumerate() {
            let fan = &fans[cell];
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: &titles[cell],
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below::new(
                        along,
                        say.word(Word::PositionInStream),
                    )),
                    vertical,
                    vertical_title: &vertical_title,
                },
            );
            frame.if_empty(page.canvas(), style, fan.wide.is_empty());
            if let Some(budget) = budgets[cell].filter(|budget| vertical.holds(*budget)) {
                frame.limit(page.canvas(), budget);
            }
            let canvas = page.canvas();
            ribbon(
                canvas,
                &frame,
                &vertical,
                0,
                f64::from(WIDE) / 100.0,
                &fan.wide,
                |s| (s.q05, s.q95),
            );
            ribbon(
                canvas,
                &frame,
                &vertical,
                0,
                f64::from(NARROW) / 100.0,
                &fan.narrow,
                |s| (s.q05, s.q95),
            );
            let medians: Vec<(f64, f64)> = (fan.wide.iter())
                .filter(|s| vertical.holds(s.mean))
                .map(|s| frame.point(s.x, s.mean))
                .collect();
            canvas.line(medians, style::ink(0), style.line);
            // the start is no number of the run
            let measured = fan.wide.iter().zip(&fan.narrow).filter(|(s, _)| s.x > 0.0);
            for (wide, narrow) in measured {
                plotted.rows.push(vec![
                    wide.cell.clone(),
                    raw(wide.x),
                    raw(wide.mean),
                    raw_or_empty(wide.q05),
                    raw_or_empty(narrow.q05),
                    raw_or_empty(narrow.q95),
                    raw_or_empty(wide.q95),
                    raw_or_empty(wide.exact),
                ]);
            }
        }
        let bands = match measure == SPENT {
            true => say.word(Word::SpentCaption),
            false => "",
        };
        let caption = format!(
            "{} {bands} {}",
            say.provenance(run, figure),
            notes.join(" ")
        );
        let explanation = "Where the bands have no width, what is spent is known in advance. Where they are wide, what was told decided how much was paid.";
        Ok(page.finish(title, &caption, explanation, plotted, Vec::new()))
    }
}

impl Fan {
    /// Before the first position nothing is spent, in any trial.
    fn begin_at_nothing(&mut self) {
        for band in [&mut self.wide, &mut self.narrow] {
            let start = band.first().map(|first| Spot {
                x: 0.0,
                mean: 0.0,
                q05: first.q05.map(|_| 0.0),
                q95: first.q95.map(|_| 0.0),
                exact: None,
                ..first.clone()
            });
            band.splice(0..0, start);
        }
    }
}

/// In what the cells spend, as their totals are written (`ε = 1`), if all do so in the same; a control promises nothing.
fn unit(cells: &[Shown<'_>]) -> String {
    let mut units = (cells.iter())
        .filter_map(|shown| shown.cell.guarantee.split_once(" = "))
        .map(|(unit, _)| unit);
    match units.next() {
        Some(first) if units.all(|unit| unit == first) => first.to_owned(),
        _ => String::new(),
    }
}

fn fan(rows: &Rows<'_>, cell: usize) -> Fan {
    let (mut wide, mut narrow) = (Vec::new(), Vec::new());
    for (subject, place) in places(&rows.subjects) {
        let value = |statistic| rows.value(cell, subject, statistic);
        let Some(row) = (rows.row(cell, subject, "median")).filter(|row| row.value.is_finite())
        else {
            continue;
        };
        let spot = |low, high| Spot {
            cell: row.cell.to_string(),
            x: place.last,
            mean: row.value,
            low: None,
            high: None,
            q05: value(low),
            q95: value(high),
            exact: row.exact.filter(|exact| exact.is_finite()),
        };
        wide.push(spot("q05", "q95"));
        narrow.push(spot("q25", "q75"));
    }
    Fan { wide, narrow }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::ResolvedCell;

    #[test]
    fn a_fan_begins_where_nothing_is_spent() {
        let spot = |q05| Spot {
            cell: "c".to_owned(),
            x: 10.0,
            mean: 0.5,
            low: None,
            high: None,
            q05,
            q95: q05.map(|_| 0.6),
            exact: Some(0.5),
        };
        let mut fan = Fan {
            wide: vec![spot(Some(0.4))],
            narrow: vec![spot(None)],
        };
        fan.begin_at_nothing();
        let start = &fan.wide[0];
        assert_eq!((start.x, start.mean), (0.0, 0.0));
        assert_eq!(
            (start.q05, start.q95, start.exact),
            (Some(0.0), Some(0.0), None)
        );
        assert_eq!(
            fan.narrow[0].q05, None,
            "what was not recorded is not made up"
        );
        assert_eq!((fan.wide.len(), fan.wide[1].x), (2, 10.0));
        let mut nothing = Fan {
            wide: Vec::new(),
            narrow: Vec::new(),
        };
        nothing.begin_at_nothing();
        assert!(nothing.wide.is_empty());
    }

    #[test]
    fn the_unit_is_that_of_the_totals_if_they_have_one() {
        let cell = |guarantee: &str| ResolvedCell {
            guarantee: guarantee.to_owned(),
            ..ResolvedCell::default()
        };
        let of = |guarantees: &[&str]| {
            let cells: Vec<ResolvedCell> = guarantees.iter().copied().map(cell).collect();
            let shown: Vec<Shown<'_>> = (cells.iter())
                .map(|cell| Shown {
                    cell,
                    label: String::new(),
                })
                .collect();
            unit(&shown)
        };
        assert_eq!(of(&["ε = 1, δ = 1e-6", "nothing (control)", "ε = 2"]), "ε");
        assert_eq!(of(&["ρ = 0.5 in any 16 positions"]), "ρ");
        assert_eq!(of(&["ε = 1", "ρ = 0.5"]), "");
        assert_eq!(of(&["nothing (control)"]), "");
    }
}
