//! All settings of a full factorial in one picture: the settings in nested order along the axis, one step line for each strategy, and
//! below it a step line for each factor that says which of its values a setting has.

mod factors;

use super::along::numeric_axes;
use super::axis::{Axis, extent};
use super::canvas::Rect;
use super::error_epsilon::FURTHER;
use super::labels::{axis_label, axis_name};
use super::language::{Word, capital, fill};
use super::legend;
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel::{self, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::{FigureError, FigureKind, check_scale, named};
use crate::record::{ResolvedFigure, Run, SummaryRow};
use crate::summary::standing::compared_axis;
use epsweep_core::about::About;
use factors::factor_lines;

/// Settings in a picture: more steps than this cannot be told apart.
const MOST_SETTINGS: usize = 400;

/// See the module.
pub struct NestedLoop;

/// A setting: the place of its label on each factor.
type Setting = Vec<usize>;

/// How cells are laid out.
struct Design<'a> {
    /// the factors from the outermost loop to the innermost: axis and its labels
    factors: Vec<(usize, Vec<&'a str>)>,
    /// the axis whose values are the lines, and its labels
    series: Option<(usize, Vec<&'a str>)>,
    settings: Vec<Setting>,
}

impl FigureKind for NestedLoop {
    fn about(&self) -> &'static About {
        &About {
            name: "nested-loop",
            summary: "all settings of a full factorial in one picture, in nested order: a step line for each strategy, and one for each factor below",
            formula: "settings in lexicographic order of the factors' values",
            source: "Rücker, Schwarzer, BMC Medical Research Methodology 14:129 (2014)",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        // with fewer than two factors besides the lines, other pictures are plainer
        let varying = run
            .resolved
            .axes
            .iter()
            .filter(|a| a.labels.len() > 1)
            .count();
        run.resolved.trials > 0 && varying >= 3 && rows::usual_measure(run).is_some()
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        named(run, "nested-loop").into_iter().collect()
    }

    fn keys(&self) -> &'static [&'static str] {
        &["axes"]
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let say = style.language;
        let measure = rows::measure_of(run, figure)?;
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?;
        let title = (figure.title.clone()).unwrap_or_else(|| {
            let what = fill(say.word(Word::InAllSettings), &[&say.mean(&measure)]);
            rows.titled(capital(&what))
        });
        let mut design = Design::new(run, figure, &rows);
        let mut notes = Vec::new();
        let mut warnings = Vec::new();
        let more = design.settings.len().saturating_sub(MOST_SETTINGS);
        design.settings.truncate(MOST_SETTINGS);
        if more > 0 {
            notes.push(fill(
                say.word(Word::MoreSettings),
                &[&more.to_string(), "summary.csv"],
            ));
        }
        let lines = design.lines(run);
        if lines.len() > SERIES {
            let more = lines.len() - SERIES;
            notes.push(fill(
                say.word(Word::MoreLines),
                &[&more.to_string(), "summary.csv"],
            ));
        }
        let lines = &lines[..lines.len().min(SERIES)];
        let mut page = Page::new(style, &title);
        if lines.len() > 1 {
            page.legend(&legend::lines(lines.iter().map(String::as_str)));
        }
        let mut plotted = Plotted::new(&[
            "setting", "cell", "subject", "series", "mean", "low", "high", "exact",
        ]);
        let log_wanted = match check_scale(figure)? {
            None => measure != "accuracy",
            Some(scale) => scale == "log",
        };
        let many = rows.subjects.len() > 1;
        let track = 2.3 * style.text;
        let tracks = design.factors.len() as f64 * track + 0.8 * style.text;
        // as many panels as a page holds of those that are not too low
        let room = style.page / (0.8 * style.panel + tracks + 2.0 * style.gap);
        let subjects = &rows.subjects[..rows.subjects.len().min((room as usize).max(1))];
        let more = rows.subjects.len() - subjects.len();
        notes.extend(rows::more(say, 0, more, "summary.csv"));
        let share = style.page / subjects.len().max(1) as f64 - tracks - 2.0 * style.gap;
        let height = (1.15 * style.panel).min(share.max(0.8 * style.panel));
        let (mut hidden, mut by_theory_alone) = (0, 0);
        let mut unnamed = Vec::new();
        for subject in subjects.iter().copied() {
            let place = page.row(1, height + tracks)[0];
            let of = |setting: &Setting, series: usize| {
                let cell = design.cell(&rows, setting, series)?;
                let row = rows.row(cell, subject, "mean")?;
                row.value.is_finite().then_some((cell, row))
            };
            let each = || {
                (0..lines.len()).flat_map(|series| {
                    design
                        .settings
                        .iter()
                        .filter_map(move |setting| of(setting, series))
                })
            };
            let exact = || each().filter_map(|(_, row)| by_theory(row));
            let positive = extent(each().map(|(_, row)| row.value).filter(|v| *v > 0.0))
                .or_else(|| extent(exact()));
            let vertical = match positive.filter(|_| log_wanted) {
                Some((low, high)) => {
                    let further = exact().filter(|v| *v >= low / FURTHER);
                    Axis::logarithmic(further.chain([low, high]))
                        .unwrap_or_else(|| Axis::linear([low, high]))
                }
                None => Axis::linear(each().map(|(_, row)| row.value)),
            };
            if log_wanted && !vertical.is_log() && each().next().is_some() {
                warnings.push(format!(
                    "no mean of {measure} for “{subject}” is positive, so the axis is linear"
                ));
            }
            let steps = design.settings.len().max(1);
            let names: Vec<String> = vec![String::new(); steps];
            // the names of the factors stand left of the axis, where the titles and ticks of the panel take some room, too
            let widest = (design.factors.iter())
                .map(|(axis, _)| axis_name(&run.resolved.axes[*axis].name))
                .map(|name| style::text_width(name, style.text, false))
                .fold(0.0, f64::max);
            let taken = style.line_height(style.label) + 2.0 * style.text;
            let data = Rect {
                left: place.left + (widest - taken).clamp(0.0, 0.25 * place.width()),
                bottom: place.bottom - tracks,
                ..place
            };
            let frame = panel::draw(
                page.canvas(),
                style,
                data,
                &Panel {
                    title: if many { subject } else { "" },
                    legend: &[],
                    // the factors' lines below say what a step is
                    horizontal: Horizontal::Names(&names),
                    vertical,
                    vertical_title: &say.mean_axis(&measure),
                },
            );
            let canvas = page.canvas();
            frame.if_empty(canvas, style, each().next().is_none());
            let band = frame.band();
            for (index, two) in design.settings.windows(2).enumerate() {
                // a rule where the outermost factor changes
                if design.factors.len() > 1 && two[0].first() != two[1].first() {
                    let x = frame.plot.left + (index + 1) as f64 * band;
                    canvas.line(
                        vec![(x, frame.plot.top), (x, place.bottom)],
                        style::GRID,
                        0.8,
                    );
                }
            }
            for series in 0..lines.len() {
                let ink = style::ink(series);
                let mut points: Vec<(f64, f64)> = Vec::new();
                for (index, setting) in design.settings.iter().enumerate() {
                    let found = of(setting, series);
                    let shown = found.and_then(|(_, row)| drawn_at(row, &vertical));
                    hidden += usize::from(found.is_some() && shown.is_none());
                    let Some(value) = shown else {
                        canvas.dashed(&points, style::dashes(series), ink, style.line);
                        points.clear();
                        continue;
                    };
                    let (left, y) = (frame.plot.left + index as f64 * band, frame.y(value));
                    points.push((left, y));
                    points.push((left + band, y));
                }
                canvas.dashed(&points, style::dashes(series), ink, style.line);
                for (index, setting) in design.settings.iter().enumerate() {
                    let Some((value, row)) = of(setting, series)
                        .and_then(|(_, row)| Some((drawn_at(row, &vertical)?, row)))
                    else {
                        continue;
                    };
                    let at = (frame.category(index), frame.y(value));
                    let known = value != row.value;
                    by_theory_alone += usize::from(known);
                    if known {
                        canvas.disc(at, 0.24 * style.text, style::WHITE);
                        canvas.ring(at, 0.24 * style.text, ink, 0.6 * style.line);
                    } else if band >= 0.9 * style.text {
                        style::marker(canvas, series, at, 0.24 * style.text, ink);
                    }
                }
            }
            unnamed = factor_lines(canvas, style, run, &design, &frame, place, track);
            for (index, setting) in design.settings.iter().enumerate() {
                for (series, name) in lines.iter().enumerate() {
                    if let Some((cell, row)) = of(setting, series) {
                        plotted.rows.push(vec![
                            (index + 1).to_string(),
                            rows.cells[cell].cell.id.clone(),
                            subject.to_owned(),
                            name.clone(),
                            raw(row.value),
                            raw_or_empty(row.low),
                            raw_or_empty(row.high),
                            raw_or_empty(row.exact),
                        ]);
                    }
                }
            }
        }
        for level in unnamed {
            let (axis, labels) = &design.factors[level];
            let name = axis_name(&run.resolved.axes[*axis].name);
            let numbered: Vec<String> = (labels.iter().enumerate())
                .map(|(place, label)| format!("{} {label}", place + 1))
                .collect();
            notes.push(fill(
                say.word(Word::TrackValues),
                &[name, &numbered.join(", ")],
            ));
        }
        let exact = (by_theory_alone > 0).then(|| by_theory_alone.to_string());
        notes.extend(rows::sentence(
            say,
            say.word(Word::ExactOnLog),
            exact.as_slice(),
        ));
        if hidden > 0 {
            notes.push(fill(say.word(Word::HiddenOnLog), &[&hidden.to_string()]));
        }
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            say.word(Word::NestedCaption),
            notes.join(" ")
        );
        let explanation = "The order of the factors shapes the picture: put the one with the largest effect outermost (`axes`). Steps are means; their intervals are in summary.csv.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

impl<'a> Design<'a> {
    /// The lines are the values of the axis that is compared, else of the axis of words with the fewest values; the loops are in the figure's order, else in the file's.
    fn new(run: &Run, figure: &ResolvedFigure, rows: &Rows<'a>) -> Design<'a> {
        let axes = &run.resolved.axes;
        let varies: Vec<usize> = (0..axes.len())
            .filter(|i| rows::values(&rows.cells, *i).len() > 1)
            .collect();
        let place = |i: &usize| {
            let asked = figure.axes.iter().position(|name| *name == axes[*i].name);
            (asked.is_none(), asked.unwrap_or(*i))
        };
        // axes that are named are loops; the lines are of another one where there is one
        let free = |i: usize| figure.axes.is_empty() || !figure.axes.contains(&axes[i].name);
        let numeric: Vec<usize> = numeric_axes(axes, &figure.cells)
            .into_iter()
            .map(|(i, _)| i)
            .collect();
        // what is compared is to be seen side by side
        let compared = compared_axis(run);
        let series = (varies.iter().copied())
            .filter(|i| free(*i) && (2..=SERIES).contains(&rows::values(&rows.cells, *i).len()))
            .min_by_key(|i| {
                let few = rows::values(&rows.cells, *i).len();
                (Some(*i) != compared, numeric.contains(i), few)
            })
            .filter(|_| varies.len() > 1);
        let mut loops: Vec<usize> = varies.into_iter().filter(|i| Some(*i) != series).collect();
        loops.sort_by_key(place);
        let labelled = |i: usize| (i, rows::values(&rows.cells, i));
        let factors: Vec<(usize, Vec<&str>)> = loops.into_iter().map(labelled).collect();
        let mut settings: Vec<Setting> = vec![Vec::new()];
        for (_, labels) in &factors {
            settings = (settings.iter())
                .flat_map(|setting| {
                    (0..labels.len()).map(move |place| {
                        let mut longer = setting.clone();
                        longer.push(place);
                        longer
                    })
                })
                .take(4 * MOST_SETTINGS)
                .collect();
        }
        Design {
            factors,
            series: series.map(labelled),
            settings,
        }
    }

    /// The names of the lines.
    fn lines(&self, run: &Run) -> Vec<String> {
        match &self.series {
            None => vec![String::new()],
            Some((axis, labels)) => {
                let axis = &run.resolved.axes[*axis];
                (labels.iter())
                    .map(|label| axis_label(axis, label))
                    .collect()
            }
        }
    }

    /// The cell of a setting on a line.
    fn cell(&self, rows: &Rows<'_>, setting: &Setting, series: usize) -> Option<usize> {
        rows.cells.iter().position(|shown| {
            let labels = &shown.cell.labels;
            (self.factors.iter().zip(setting))
                .all(|((axis, known), place)| labels[*axis] == known[*place])
                && (self.series.as_ref()).is_none_or(|(axis, known)| {
                    known
                        .get(series)
                        .is_some_and(|label| labels[*axis] == *label)
                })
        })
    }
}

/// The exact value of a mean that is not positive though theory says that it should be.
fn by_theory(row: &SummaryRow) -> Option<f64> {
    row.exact.filter(|exact| row.value <= 0.0 && *exact > 0.0)
}

/// Where a mean is drawn, if the axis holds it.
fn drawn_at(row: &SummaryRow, vertical: &Axis) -> Option<f64> {
    let known = by_theory(row).filter(|_| vertical.is_log());
    Some(known.unwrap_or(row.value)).filter(|value| vertical.holds(*value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{draw, sample};

    fn figure(axes: &[&str]) -> ResolvedFigure {
        ResolvedFigure {
            kind: "nested-loop".to_owned(),
            name: "n".to_owned(),
            axes: axes.iter().map(|a| (*a).to_owned()).collect(),
            ..ResolvedFigure::default()
        }
    }

    /// Where the values of a factor have no room they are numbered, and the caption says what the numbers are.
    #[test]
    fn values_without_room_are_numbered() {
        let long = [
            "a name that has no room at all",
            "another name without any room",
        ];
        let mut run = sample::factorial();
        run.resolved.compare = None;
        run.resolved.axes[1].numbers = None;
        run.resolved.axes[1].labels = long.map(str::to_owned).to_vec();
        for cell in &mut run.resolved.cells {
            let place = usize::from(cell.labels[1] == "1000");
            cell.labels[1] = long[place].to_owned();
        }
        let drawing = draw(&run, &figure(&["epsilon", "size"])).expect("a picture");
        let caption = &drawing.caption;
        let wanted = format!("Steps of size: 1 {}, 2 {}.", long[0], long[1]);
        assert!(caption.contains(&wanted), "{caption}");
        let texts: Vec<String> = drawing.canvas.texts().into_iter().map(|t| t.0).collect();
        assert!(texts.iter().filter(|t| *t == "2").count() >= 3, "{texts:?}");
    }

    #[test]
    fn each_cell_is_a_step_of_a_line_in_nested_order() {
        let run = sample::factorial();
        let drawing = draw(&run, &figure(&[])).expect("a picture");
        // three axes: 3 · 2 settings, lines of 2 allocations
        assert_eq!(drawing.plotted.rows.len(), run.resolved.cells.len());
        let first: Vec<&str> = drawing.plotted.rows.iter().map(|r| r[1].as_str()).collect();
        assert!(
            first[0].contains("epsilon=0.1") && first[0].contains("size=10"),
            "{first:?}"
        );
        assert_eq!(drawing.plotted.rows[11][0], "6");
        let turned = draw(&run, &figure(&["size", "epsilon"])).expect("a picture");
        let order = |drawing: &Drawing| -> Vec<String> {
            drawing.plotted.rows.iter().map(|r| r[1].clone()).collect()
        };
        assert_ne!(order(&drawing), order(&turned));
        // what is compared is drawn as lines, though another axis has fewer values
        let mut run = run;
        run.resolved.compare = Some(crate::record::ResolvedCompare {
            baseline: [("epsilon".to_owned(), "0.1".to_owned())].into(),
            all_pairs: false,
        });
        let compared = draw(&run, &figure(&[])).expect("a picture");
        assert_eq!(compared.plotted.rows[0][3], "ε = 0.1");
        assert_eq!(drawing.canvas.faults(), Vec::<String>::new());
    }
}
