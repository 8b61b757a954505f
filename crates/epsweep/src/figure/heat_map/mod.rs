//! A table in colour: an axis across, the other axes and statistics down. Each cell shows a statistic, or by how much it exceeds the best of its
//! row (its regret). The best of a row is framed, and so, thinly, is what cannot be told from it.

mod depths;
mod layout;

use super::language::{Language, Word, capital, fill};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::rows::{self, Rows};
use super::style::Style;
use super::{FigureError, FigureKind, check_scale};
use crate::figure::labels::axis_name;
use crate::measure;
use crate::record::{Lookup, ResolvedFigure, Run};
use crate::summary::difference;
use depths::Depths;
use epsweep_core::about::About;
use layout::Layout;

/// Columns of a picture; further ones are left to the tables.
const MOST_COLUMNS: usize = 16;
/// Exact values that differ by less are the same.
const SAME: f64 = 1e-9;

/// See the module.
pub struct HeatMap;

/// What a row is of.
struct Line<'a> {
    /// labels of the axes that go down
    labels: Vec<&'a str>,
    subject: &'a str,
    measure: &'a str,
    statistic: &'a str,
    fields: Vec<Field>,
    /// whether its numbers are exact ones
    exact: bool,
}

/// A cell of the table.
#[derive(Clone, Copy, Debug, Default)]
struct Field {
    /// index of the run's cell
    cell: Option<usize>,
    value: Option<f64>,
    /// value over the best of the row, less 1
    regret: Option<f64>,
    best: bool,
    /// cannot be told from the best
    tied: bool,
}

impl FigureKind for HeatMap {
    fn about(&self) -> &'static About {
        &About {
            name: "heat-map",
            summary: "a table in colour: an axis across, the others and statistics down; values, or regret against the best of each row",
            formula: "regret = value / least value of the row − 1",
            source: "definition",
        }
    }

    fn applies(&self, _: &Run) -> bool {
        // it answers a question that is asked by name
        false
    }

    fn default_specs(&self, _: &Run) -> Vec<ResolvedFigure> {
        Vec::new()
    }

    fn keys(&self) -> &'static [&'static str] {
        &["columns", "statistics", "show"]
    }

    fn shows(&self) -> &'static [&'static str] {
        &["value", "regret"]
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let say = style.language;
        let asked = statistics(run, figure)?;
        let cells = rows::cells(run, figure)?;
        let axes = &run.resolved.axes;
        let varies = |i: &usize| rows::values(&cells, *i).len() > 1;
        let across = match &figure.columns {
            Some(name) => axes.iter().position(|axis| axis.name == *name),
            None => (0..axes.len()).rev().find(varies),
        };
        let down: Vec<usize> = (0..axes.len())
            .filter(|i| varies(i) && Some(*i) != across)
            .collect();
        // one cell alone is called by its name
        let alone = || {
            vec![if cells.len() == 1 {
                cells[0].label.as_str()
            } else {
                ""
            }]
        };
        let columns: Vec<&str> = across.map_or_else(alone, |axis| rows::values(&cells, axis));
        let mut notes = Vec::new();
        if columns.len() > MOST_COLUMNS {
            let more = (columns.len() - MOST_COLUMNS).to_string();
            notes.push(fill(say.word(Word::MoreColumns), &[&more, "summary.csv"]));
        }
        let columns = &columns[..columns.len().min(MOST_COLUMNS)];
        let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
        let mut lines: Vec<Line<'_>> = Vec::new();
        let mut settings: Vec<Vec<&str>> = Vec::new();
        for shown in &cells {
            let labels: Vec<&str> = down
                .iter()
                .map(|i| shown.cell.labels[*i].as_str())
                .collect();
            if !settings.contains(&labels) {
                settings.push(labels);
            }
        }
        for labels in &settings {
            for (measure, statistic) in &asked {
                let of = Rows::new(run, figure, rows::cells(run, figure)?, measure)?;
                for subject in of.subjects {
                    let fields = columns.iter().map(|column| {
                        let fits = |cell: &crate::record::ResolvedCell| {
                            across.is_none_or(|axis| cell.labels[axis] == *column)
                                && (down.iter().zip(labels))
                                    .all(|(i, label)| cell.labels[*i] == *label)
                        };
                        let chosen = cells.iter().find(|shown| fits(shown.cell));
                        Field {
                            cell: chosen.and_then(|chosen| {
                                run.resolved
                                    .cells
                                    .iter()
                                    .position(|cell| cell.id == chosen.cell.id)
                            }),
                            ..Field::default()
                        }
                    });
                    let mut line = Line {
                        labels: labels.clone(),
                        subject,
                        measure: of.measure,
                        statistic,
                        fields: fields.collect(),
                        exact: false,
                    };
                    line.fill(&lookup);
                    lines.push(line);
                }
            }
        }
        let many = asked.len() > 1 || lines.iter().any(|line| line.subject != lines[0].subject);
        let shown = shown(&lines, many && !down.is_empty(), style);
        if lines.len() > shown {
            let more = (lines.len() - shown).to_string();
            notes.push(fill(say.word(Word::MoreRows), &[&more, "summary.csv"]));
            lines.truncate(shown);
        }
        // lower is better, and something can be better
        let compared = |line: &Line<'_>| measure::find(line.measure).is_some_and(|m| m.compared());
        let regret = match figure.show.as_deref() {
            Some(show) => show == "regret",
            None => columns.len() > 1 && lines.iter().all(compared),
        };
        let title = figure.title.clone().unwrap_or_else(|| {
            let what = match across {
                Some(axis) => axis_name(&axes[axis].name).to_owned(),
                None => say.word(Word::Cell).to_owned(),
            };
            let title = match regret {
                true => fill(say.word(Word::WhichIsBest), &[&what]),
                false => {
                    let asked = capital(&asked_words(say, &asked));
                    fill(say.word(Word::By), &[&asked, &what])
                }
            };
            // rows of several statistics name their query themselves
            match lines.first() {
                Some(line) if !many && line.subject != "all" => {
                    format!("{title} – {}", line.subject)
                }
                _ => title,
            }
        });
        let depths = Depths::new(&lines, regret, check_scale(figure)? != Some("linear"));
        let mut page = Page::new(style, &title);
        let table = Layout {
            style,
            columns,
            lines: &lines,
            axes: down.iter().map(|i| &axes[*i]).collect(),
            many,
            regret,
        };
        table.draw(&mut page, &depths);

        let mut plotted = Plotted::new(&[
            "cell",
            "subject",
            "measure",
            "statistic",
            "column",
            "value",
            "exact",
            "regret",
            "mark",
        ]);
        for line in &lines {
            for (column, field) in columns.iter().zip(&line.fields) {
                let Some(cell) = field.cell else { continue };
                plotted.rows.push(vec![
                    run.resolved.cells[cell].id.clone(),
                    line.subject.to_owned(),
                    line.measure.to_owned(),
                    line.statistic.to_owned(),
                    (*column).to_owned(),
                    field.value.map_or_else(String::new, raw),
                    line.exact.to_string(),
                    raw_or_empty(field.regret),
                    match (field.best, field.tied) {
                        (true, _) => "best",
                        (_, true) => "tied",
                        _ => "",
                    }
                    .to_owned(),
                ]);
            }
        }
        let mut parts = Vec::new();
        let exact = |line: &Line<'_>| line.exact;
        match (lines.iter().all(exact), lines.iter().any(exact)) {
            (true, _) => parts.push(say.word(Word::ExactValues).to_owned()),
            (_, true) => parts.extend([
                say.provenance(run, figure),
                say.word(Word::ExactWhereKnown).to_owned(),
            ]),
            _ => parts.push(say.provenance(run, figure)),
        }
        if regret {
            let what = match depths.factors {
                true => Word::RegretFactors,
                false => Word::RegretCaption,
            };
            parts.push(say.word(what).to_owned());
        }
        if lines.iter().all(compared) && columns.len() > 1 {
            let mut fields = lines.iter().flat_map(|line| &line.fields);
            let what = match fields.any(|field| field.tied) {
                true => Word::FramedTies,
                false => Word::Framed,
            };
            parts.push(say.word(what).to_owned());
        }
        parts.extend(notes);
        let caption = parts.join(" ");
        let explanation = match regret {
            true => {
                "A row of small numbers says that the choice hardly matters there. Exact values have no error; of simulated ones the best of many looks a little better than it is."
            }
            false => "Darker is larger, within rows of the same statistic.",
        };
        Ok(page.finish(title, &caption, explanation, plotted, Vec::new()))
    }
}

/// How many rows a page holds, as whole settings as far as can be.
fn shown(lines: &[Line<'_>], headed: bool, style: &Style) -> usize {
    // the names of the columns and the key take some room, too
    let mut room = style.page / style.text - 5.0;
    let head = if headed { layout::HEAD } else { 0.0 };
    let mut shown = 0;
    for block in lines.chunk_by(|a, b| a.labels == b.labels) {
        let height = head + layout::ROW * block.len() as f64;
        if height > room {
            // of a setting that no page holds, what does
            return match shown {
                0 => (((room - head) / layout::ROW) as usize).max(1),
                _ => shown,
            };
        }
        room -= height;
        shown += block.len();
    }
    shown
}

impl Line<'_> {
    /// Its numbers: exact ones if theory knows them all, else the estimates; and who is best.
    fn fill(&mut self, lookup: &Lookup<'_>) {
        let row =
            |field: &Field| lookup.row(field.cell?, self.subject, self.measure, self.statistic);
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        let known = || self.fields.iter().filter_map(row);
        let exact = known().next().is_some() && known().all(|row| finite(row.exact).is_some());
        let values: Vec<Option<f64>> = (self.fields.iter().map(row))
            .map(|row| {
                let row = row?;
                finite(if exact { row.exact } else { Some(row.value) })
            })
            .collect();
        let least = (values.iter().enumerate())
            .filter_map(|(i, value)| Some((i, (*value)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let best = least.and_then(|(i, _)| self.fields[i].cell);
        for (index, (field, value)) in self.fields.iter_mut().zip(values).enumerate() {
            field.value = value;
            let (Some((place, least)), Some(value)) = (least, value) else {
                continue;
            };
            field.regret = (least > 0.0)
                .then(|| value / least - 1.0)
                .filter(|r| r.is_finite());
            let same = (value - least).abs() <= SAME * least.abs();
            let apart = field.cell.zip(best).and_then(|(cell, best)| {
                difference(
                    lookup,
                    cell,
                    best,
                    self.subject,
                    self.measure,
                    self.statistic,
                )
            });
            // without an interval nothing can be told apart
            field.tied = match exact {
                true => same,
                false => apart.is_none_or(|apart| apart.low <= 0.0),
            };
            field.best = index == place;
            field.tied &= !field.best;
        }
        self.exact = exact;
    }
}

/// Measures with their statistics, in order.
fn statistics(run: &Run, figure: &ResolvedFigure) -> Result<Vec<(String, String)>, FigureError> {
    if figure.statistics.is_empty() {
        let measure = rows::measure_of(run, figure)?;
        return Ok(vec![(measure, "mean".to_owned())]);
    }
    let split = |text: &String| {
        let (measure, statistic) = text.split_once('.').unwrap_or((text, "mean"));
        (measure.to_owned(), statistic.to_owned())
    };
    Ok(figure.statistics.iter().map(split).collect())
}

/// A statistic of a measure as a reader says it.
fn words(say: Language, measure: &str, statistic: &str) -> String {
    let of = say.measure(measure);
    let word = match statistic {
        "mean" if rows::is_exact(measure) => return of,
        "mean" => Word::MeanOf,
        "sd" => Word::SdOf,
        "min" => Word::LeastOf,
        "median" => Word::MedianOf,
        "max" => Word::LargestSeen,
        quantile => {
            let percent = quantile.trim_start_matches('q').trim_start_matches('0');
            return fill(say.word(Word::QuantileOf), &[percent, &of]);
        }
    };
    fill(say.word(word), &[&of])
}

fn asked_words(say: Language, asked: &[(String, String)]) -> String {
    let each: Vec<String> = asked.iter().map(|(m, s)| words(say, m, s)).collect();
    crate::words::join(&each, say.word(Word::And))
}

#[cfg(test)]
mod tests {
    use super::depths::regret_words;
    use super::*;
    use crate::figure::sample;

    fn spec() -> ResolvedFigure {
        ResolvedFigure {
            kind: "heat-map".to_owned(),
            name: "heat".to_owned(),
            statistics: vec!["max_abs_error.mean".to_owned(), "rmse.q95".to_owned()],
            ..ResolvedFigure::default()
        }
    }

    #[test]
    fn the_lowest_of_each_row_is_best_and_its_regret_is_zero() {
        let run = sample::run(
            &[0.5, 1.0],
            &["even", "proportional", "optimal-mse", "optimal-mae"],
            3000,
        );
        let style = Style::named(None).unwrap();
        let drawing = HeatMap.draw(&run, &spec(), &style).unwrap();
        let rows = &drawing.plotted.rows;
        assert_eq!(rows.len(), 2 * 4 * 2);
        for line in rows.chunks(4) {
            let values: Vec<f64> = line.iter().map(|row| row[5].parse().unwrap()).collect();
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            for (row, value) in line.iter().zip(values) {
                assert_eq!(row[8] == "best", value == least, "{row:?}");
                let regret: f64 = row[7].parse().unwrap();
                assert_eq!(regret, value / least - 1.0);
            }
        }
        assert_eq!(drawing.canvas.faults(), Vec::<String>::new());
    }

    #[test]
    fn regrets_are_short() {
        let percents = [0.0, 1e-5, 0.032, 0.47, 8.0].map(|r| regret_words(r, false)[0].clone());
        assert_eq!(percents, ["0 %", "<0.1 %", "3.2 %", "47 %", "800 %"]);
        let factors = [0.0, 1e-5, 0.032, 0.47, 8.0, 12.0, 873.0, 873_648.0];
        assert_eq!(
            factors.map(|regret| regret_words(regret, true)[0].clone()),
            [
                "×1",
                "<×1.001",
                "×1.032",
                "×1.47",
                "×9.00",
                "×13.0",
                "×874",
                "×8.7·10⁵"
            ]
        );
    }

    #[test]
    fn ten_by_ten_cells_are_all_printed() {
        let mut run = sample::run(&[0.5], &["even"], 50);
        let mut summary = Vec::new();
        let (cell, rows) = (run.resolved.cells[0].clone(), run.summary.clone());
        run.resolved.cells = Vec::new();
        let labels: Vec<String> = (0..10).map(|i| format!("value {i}")).collect();
        for axis in &mut run.resolved.axes {
            axis.labels = labels.clone();
            axis.numbers = None;
        }
        for (i, a) in labels.iter().enumerate() {
            for (j, b) in labels.iter().enumerate() {
                let mut new = cell.clone();
                new.id = format!("epsilon={a} allocation={b}");
                new.labels = vec![a.clone(), b.clone()];
                for row in rows.iter().filter(|row| row.measure == "rmse") {
                    let mut row = row.clone();
                    row.cell = crate::record::Text::from(&new.id);
                    row.value = 1.0 + 0.013 * (i + 7 * j) as f64;
                    row.exact = Some(row.value);
                    summary.push(row);
                }
                run.resolved.cells.push(new);
            }
        }
        run.summary = summary;
        let figure = ResolvedFigure {
            statistics: vec!["rmse.mean".to_owned()],
            ..spec()
        };
        for size in ["one-column", "two-columns", "slide"] {
            let style = Style::named(Some(size)).unwrap();
            let drawing = HeatMap.draw(&run, &figure, &style).unwrap();
            let texts = drawing.canvas.texts();
            let printed = texts
                .iter()
                .filter(|(text, _)| text.contains('%') || text.parse::<f64>().is_ok());
            // in each cell, and in the key of colours
            assert!(printed.count() >= 100, "{size}: {}", texts.len());
            assert_eq!(drawing.canvas.faults(), Vec::<String>::new(), "{size}");
        }
    }
}
