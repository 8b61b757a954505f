//! Cells in the plane of two queries' errors: which are on the front, so that neither error falls without the other rising.

mod front;
mod marks;

use super::axis::{Axis, extent};
use super::direction::{Better, better};
use super::language::{Word, fill};
use super::legend::{self, Entry, Swatch};
use super::page::{Drawing, Page, Plotted, most_panels, raw, raw_or_empty};
use super::panel::{self, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::ticks::Below;
use super::{Asked, FigureError, FigureKind, check_scale};
use crate::figure::labels::subject_labels;
use crate::record::{ResolvedFigure, Run};
use epsweep_core::about::About;
use front::{Spot, chosen, parts, spots};
use marks::{crosses, numbers, staircase};

/// Means that differ by more than this factor want log axes.
const WIDE: f64 = 20.0;

/// Cells up to which all have a number where colours do not suffice.
const MOST_NUMBERED: usize = 48;

/// See the module.
pub struct Pareto;

impl FigureKind for Pareto {
    fn about(&self) -> &'static About {
        &About {
            name: "pareto",
            summary: "cells in the plane of two queries' mean errors; on the front are those that no other cell beats in both",
            formula: "on the front: no other cell is as good in both errors and better in one",
            source: "Miettinen, Nonlinear Multiobjective Optimization (1999), definition 2.2.1",
        }
    }

    fn applies(&self, _: &Run) -> bool {
        // it answers a question that is asked by name
        false
    }

    fn default_specs(&self, _: &Run) -> Vec<ResolvedFigure> {
        Vec::new()
    }

    fn example(&self) -> String {
        let queries = "[[query]]\nname = \"adults\"\ncount = { where = \"age > 18\" }\n\n\
                       [[query]]\nname = \"oldest\"\nmax = { column = \"age\" }\n\n";
        format!("{queries}[[figure]]\nkind = \"pareto\"\nsubjects = [\"adults\", \"oldest\"]\n")
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        let measure = asked.measure.unwrap_or(usual(asked.measures));
        if asked.subjects.len() < 2 {
            return Some((
                "needs the errors of two queries, and there are not two",
                "two queries with a number each".to_owned(),
            ));
        }
        (!asked.measures.contains(&measure)).then(|| {
            (
                "needs a measure of each query, which is not reported",
                format!("measures with `{measure}`, or a `measure` of the figure"),
            )
        })
    }

    fn draws(&self, measure: Option<&str>, reported: &[&str]) -> Vec<String> {
        vec![measure.unwrap_or(usual(reported)).to_owned()]
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let say = style.language;
        let known: Vec<&str> = run.resolved.measures.iter().map(String::as_str).collect();
        let measure = figure
            .measure
            .clone()
            .unwrap_or_else(|| usual(&known).to_owned());
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let title = (figure.title.clone())
            .unwrap_or_else(|| fill(say.word(Word::TwoErrors), &[&say.measure(&measure)]));
        let mut page = Page::new(style, &title);
        let mut plotted = Plotted::new(&[
            "cell",
            "front",
            "x_subject",
            "x",
            "x_low",
            "x_high",
            "y_subject",
            "y",
            "y_low",
            "y_high",
        ]);
        let Some(pair) = chosen(&rows, !figure.subjects.is_empty()) else {
            let place = page.row(1, style.panel)[0];
            let text = say.word(Word::NeedsTwo);
            panel::notice(page.canvas(), style, place, text);
            let warnings = vec![format!("{measure} is not of two queries")];
            let caption = say.provenance(run, figure);
            return Ok(page.finish(title, &caption, "", plotted, warnings));
        };
        let names: Vec<String> = subject_labels(&rows.subjects);
        let name_of = |subject: &str| {
            let place = rows.subjects.iter().position(|s| *s == subject);
            place.map_or_else(|| subject.to_owned(), |i| names[i].clone())
        };
        let higher = better(&measure) == Better::Higher;
        let (panels, series) = parts(run, &rows);
        let numbered = series.len() > SERIES;
        let shown_panels = panels.len().min(most_panels(style, 0));
        let mut drawn: Vec<Vec<Spot>> = Vec::new();
        for panel in &panels[..shown_panels] {
            drawn.push(spots(run, &rows, &series, panel, pair, higher));
        }
        // of very many only those have a number that are on a front
        let on_front = |i: &usize| (drawn.iter().flatten()).any(|s| s.series == *i && s.front);
        let listed: Vec<usize> = match series.len() > MOST_NUMBERED {
            true => (0..series.len()).filter(on_front).collect(),
            false => (0..series.len()).collect(),
        };
        let listed = &listed[..listed.len().min(MOST_NUMBERED)];
        let mut legend: Vec<Entry> = Vec::new();
        if series.len() > 1 {
            let names = legend::short(listed.iter().map(|i| series[*i].as_str()));
            legend.extend(listed.iter().copied().zip(names).map(|(i, name)| {
                let swatch = if numbered {
                    Swatch::Number(i + 1)
                } else {
                    Swatch::Point(i)
                };
                (swatch, name)
            }));
        }
        legend.push((Swatch::Front, say.word(Word::Front).to_owned()));
        page.legend(&legend);
        let (mut notes, mut warnings) = (Vec::new(), Vec::new());
        let asked = check_scale(figure)?;
        let (mut hidden, mut unnumbered) = (0, 0);
        let places = page.grid(shown_panels, 0, 1.15 * style.panel);
        let above: Vec<&str> = (panels[..shown_panels].iter())
            .map(String::as_str)
            .collect();
        let above = panel::titles(&above, true, &places, style);
        for ((place, above), spots) in places.into_iter().zip(&above).zip(&drawn) {
            let axes = [0, 1].map(|side| {
                let ends = || {
                    spots.iter().flat_map(move |s| {
                        [Some(s.at[side]), s.ends[side].0, s.ends[side].1]
                            .into_iter()
                            .flatten()
                    })
                };
                let positive = extent(spots.iter().map(|s| s.at[side]).filter(|v| *v > 0.0));
                let all = spots.iter().all(|s| s.at[side] > 0.0);
                let wide = positive.is_some_and(|(low, high)| all && high / low > WIDE);
                let log = asked.map_or(wide, |scale| scale == "log");
                match positive.filter(|_| log) {
                    Some((low, _)) => Axis::logarithmic(ends().filter(|v| *v >= low / 3.0))
                        .unwrap_or_else(|| Axis::linear(ends())),
                    None => {
                        if log && !spots.is_empty() {
                            warnings.push(format!(
                                "no mean of {measure} of “{}” is positive, so the axis is linear",
                                pair[side]
                            ));
                        }
                        Axis::linear(ends())
                    }
                }
            });
            // narrow panels leave out the unit, and then the measure, which the title names
            let titles = pair.map(|subject| {
                let name = name_of(subject);
                let forms = [
                    format!("{name}: {}", say.mean_axis(&measure)),
                    format!("{name}: {}", say.mean(&measure)),
                ];
                let fits = |text: &&String| {
                    style::text_width(text, style.label, false) <= 0.75 * place.width()
                };
                forms.iter().find(fits).cloned().unwrap_or(name)
            });
            let frame = panel::draw(
                page.canvas(),
                style,
                place,
                &Panel {
                    title: above,
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below::new(axes[0], &titles[0])),
                    vertical: axes[1],
                    vertical_title: &titles[1],
                },
            );
            let inside = |s: &&Spot| axes[0].holds(s.at[0]) && axes[1].holds(s.at[1]);
            let visible: Vec<&Spot> = spots.iter().filter(inside).collect();
            hidden += spots.len() - visible.len();
            frame.if_empty(page.canvas(), style, visible.is_empty());
            let canvas = page.canvas();
            staircase(canvas, style, &frame, &visible, higher);
            for spot in &visible {
                crosses(canvas, style, &frame, &axes, spot, numbered);
            }
            for spot in &visible {
                let at = frame.point(spot.at[0], spot.at[1]);
                let ink = if numbered {
                    style::ink(0)
                } else {
                    style::ink(spot.series)
                };
                let marker = if numbered { 0 } else { spot.series };
                if spot.front {
                    canvas.ring(at, 0.62 * style.text, style::TEXT, 0.8);
                }
                style::marker(canvas, marker, at, 0.32 * style.text, ink);
            }
            if numbered {
                let named: Vec<&Spot> = (visible.iter().copied())
                    .filter(|spot| listed.contains(&spot.series))
                    .collect();
                unnumbered += numbers(canvas, style, frame.plot, &named, |s| {
                    frame.point(s.at[0], s.at[1])
                });
            }
            for spot in spots {
                let [x, y] = spot.ends;
                plotted.rows.push(vec![
                    rows.cells[spot.cell].cell.id.clone(),
                    spot.front.to_string(),
                    pair[0].to_owned(),
                    raw(spot.at[0]),
                    raw_or_empty(x.0),
                    raw_or_empty(x.1),
                    pair[1].to_owned(),
                    raw(spot.at[1]),
                    raw_or_empty(y.0),
                    raw_or_empty(y.1),
                ]);
            }
        }
        if hidden > 0 {
            notes.push(fill(say.word(Word::HiddenOnLog), &[&hidden.to_string()]));
        }
        if listed.len() < series.len() {
            notes.push(say.word(Word::FrontNumbered).to_owned());
        }
        if unnumbered > 0 {
            notes.push(fill(say.word(Word::Unnumbered), &[&unnumbered.to_string()]));
        }
        if panels.len() > shown_panels {
            let more = (panels.len() - shown_panels).to_string();
            notes.push(fill(say.word(Word::MorePanels), &[&more, "summary.csv"]));
        }
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            fill(say.word(Word::ParetoCaption), &[&style.language.level(run)]),
            notes.join(" ")
        );
        let explanation = "The front is that of the estimates: cells whose intervals overlap may change places with more trials. A cell off the front is worse than some other in both errors, and is no reason to be chosen.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

/// The measure that is drawn where the figure names none.
fn usual(measures: &[&str]) -> &'static str {
    ["abs_error", "squared_error", "relative_error"]
        .into_iter()
        .find(|m| measures.contains(m))
        .unwrap_or("abs_error")
}

#[cfg(test)]
mod tests {
    use super::front::front;
    use super::*;
    use crate::figure::{draw, sample};

    #[test]
    fn nothing_beats_what_is_on_the_front() {
        let points = [
            [1.0, 5.0],
            [2.0, 2.0],
            [5.0, 1.0],
            [3.0, 3.0],
            [2.0, 2.0],
            [1.0, 6.0],
        ];
        assert_eq!(
            front(&points, false),
            [true, true, true, false, true, false]
        );
        assert_eq!(
            front(&points, true),
            [false, false, true, true, false, true]
        );
        assert_eq!(front(&[], false), Vec::<bool>::new());
    }

    #[test]
    fn the_front_of_a_run_is_written_beside_it() {
        let run = sample::run(&[1.0], &["even", "proportional", "optimal-mse"], 2000);
        let figure = ResolvedFigure {
            kind: "pareto".to_owned(),
            name: "p".to_owned(),
            subjects: vec!["max age".to_owned(), "over 60".to_owned()],
            ..ResolvedFigure::default()
        };
        let drawing = draw(&run, &figure).expect("a picture");
        assert_eq!(drawing.plotted.rows.len(), 3);
        // more for one query is less for another: all are on the front
        assert!(drawing.plotted.rows.iter().all(|row| row[1] == "true"));
        assert_eq!(drawing.plotted.rows[0][2], "max age");
    }
}
