//! A table in colour: an axis across, the other axes and statistics down. Each cell shows a statistic, or by how much it exceeds the best of its
//! row (its regret). The best of a row is framed, and so, thinly, is what cannot be told from it.

use super::canvas::{Anchor, Canvas, Rect};
use super::page::{Drawing, Page, Plotted, raw, raw_or_empty};
use super::panel::{NameLabel, name_labels};
use super::rows::{self, Rows};
use super::style::{self, Ink, Style};
use super::{FigureError, FigureKind, check_scale};
use crate::measure;
use crate::record::{Lookup, ResolvedFigure, Run};
use crate::summary::difference;
use crate::words::{significant, superscript};
use epsweep_core::about::About;

/// Rows and columns of a picture; further ones are left to the tables.
const MOST_ROWS: usize = 40;
const MOST_COLUMNS: usize = 16;
/// From this regret on, factors are told in place of percents, and the colour is the darkest.
const FACTORS: f64 = 9.0;
/// Exact values that differ by less are the same.
const SAME: f64 = 1e-9;
/// The darkest colour.
const DARK: (u8, u8, u8) = (0x08, 0x3D, 0x77);
/// From this depth on letters are white.
const DEEP: f64 = 0.52;

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

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
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
        let columns: Vec<&str> = across.map_or_else(|| vec![""], |axis| rows::values(&cells, axis));
        let mut notes = Vec::new();
        if columns.len() > MOST_COLUMNS {
            notes.push(format!(
                "{} more columns are in summary.csv.",
                columns.len() - MOST_COLUMNS
            ));
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
        if lines.len() > MOST_ROWS {
            notes.push(format!(
                "{} more rows are in summary.csv.",
                lines.len() - MOST_ROWS
            ));
            lines.truncate(MOST_ROWS);
        }
        // lower is better, and something can be better
        let compared = |line: &Line<'_>| measure::find(line.measure).is_some_and(|m| m.compared());
        let regret = match figure.show.as_deref() {
            Some(show) => show == "regret",
            None => columns.len() > 1 && lines.iter().all(compared),
        };
        let title = figure.title.clone().unwrap_or_else(|| {
            let what = match across {
                Some(axis) => rows::axis_name(&axes[axis].name).to_owned(),
                None => "cell".to_owned(),
            };
            match regret {
                true => format!("Which {what} is best, and what the others lose"),
                false => format!("{} by {what}", capital(&asked_words(&asked))),
            }
        });
        let depths = Depths::new(&lines, regret, check_scale(figure)? != Some("linear"));
        let mut page = Page::new(style, &title);
        let table = Layout {
            style,
            columns,
            lines: &lines,
            numeric: down.iter().map(|i| axes[*i].numbers.is_some()).collect(),
            names: down.iter().map(|i| axes[*i].name.as_str()).collect(),
            many: asked.len() > 1 || lines.iter().any(|line| line.subject != lines[0].subject),
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
        let source = match (lines.iter().all(|l| l.exact), lines.iter().any(|l| l.exact)) {
            (true, _) => "Exact values.".to_owned(),
            (_, true) => format!(
                "Exact values where theory knows them; {}",
                rows::provenance(run)
            ),
            _ => rows::provenance(run),
        };
        let what = match regret {
            true => {
                "Numbers: by how much a value exceeds the best of its row (from ten times on as a factor). "
            }
            false => "",
        };
        let ties = match lines
            .iter()
            .flat_map(|line| &line.fields)
            .any(|field| field.tied)
        {
            true => "; thinly framed: what cannot be told from it",
            false => "",
        };
        let marks = match lines.iter().all(compared) && columns.len() > 1 {
            true => format!("Framed: the lowest of each row{ties}. "),
            false => String::new(),
        };
        let caption = format!("{source} {what}{marks}{}", notes.join(" "));
        let explanation = match regret {
            true => {
                "A row of small numbers says that the choice hardly matters there. Exact values have no error; of simulated ones the best of many looks a little better than it is."
            }
            false => "Darker is larger, within rows of the same statistic.",
        };
        Ok(page.finish(title, &caption, explanation, plotted, Vec::new()))
    }
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
fn words(measure: &str, statistic: &str) -> String {
    let (of, _) = rows::measure_words(measure);
    match statistic {
        "mean" if rows::is_exact(measure) => of,
        "mean" => format!("mean {of}"),
        "sd" => format!("standard deviation of {of}"),
        "min" => format!("least {of}"),
        "median" => format!("median {of}"),
        "max" => format!("largest {of} seen"),
        quantile => {
            let percent = quantile.trim_start_matches('q').trim_start_matches('0');
            format!("{percent} % quantile of {of}")
        }
    }
}

fn asked_words(asked: &[(String, String)]) -> String {
    let each: Vec<String> = asked.iter().map(|(m, s)| words(m, s)).collect();
    crate::words::join(&each, "and")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Subject, measure and statistic.
type Key = (String, String, String);

/// Least and largest value, and whether they are on a log scale.
type Range = (f64, f64, bool);

/// From a number to how dark its cell is, from 0 to 1.
struct Depths {
    regret: bool,
    /// the largest regret
    most: f64,
    /// of each statistic of a subject
    ranges: Vec<(Key, Range)>,
}

impl Depths {
    fn new(lines: &[Line<'_>], regret: bool, log: bool) -> Depths {
        let all = || lines.iter().flat_map(|line| &line.fields);
        // from ten times the best on, more is no news
        let most = all()
            .filter_map(|field| field.regret)
            .fold(0.0, f64::max)
            .min(FACTORS);
        let mut ranges: Vec<(Key, Range)> = Vec::new();
        for line in lines {
            let key = line.key();
            for value in line.fields.iter().filter_map(|field| field.value) {
                match ranges.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, (low, high, _))) => (*low, *high) = (low.min(value), high.max(value)),
                    None => ranges.push((key.clone(), (value, value, false))),
                }
            }
        }
        for (_, (low, high, on_log)) in &mut ranges {
            *on_log = log && *low > 0.0 && *high / *low > 8.0;
        }
        Depths {
            regret,
            most,
            ranges,
        }
    }

    /// Percent by percent at first, then by factors.
    fn of_regret(&self, regret: f64) -> f64 {
        let grown = |r: f64| libm::log1p(100.0 * r.max(0.0));
        match grown(self.most) {
            0.0 => 0.0,
            most => (grown(regret) / most).clamp(0.0, 1.0),
        }
    }

    fn of(&self, line: &Line<'_>, field: &Field) -> Option<f64> {
        if self.regret {
            return field.regret.map(|regret| self.of_regret(regret));
        }
        let value = field.value?;
        let key = line.key();
        let (_, (low, high, log)) = self.ranges.iter().find(|(known, _)| *known == key)?;
        let depth = match log {
            true => libm::log(value / low) / libm::log(high / low),
            false => value / (high - low) - low / (high - low),
        };
        Some(if depth.is_nan() {
            0.0
        } else {
            depth.clamp(0.0, 1.0)
        })
    }
}

impl Line<'_> {
    fn key(&self) -> (String, String, String) {
        let own = |text: &str| text.to_owned();
        (own(self.subject), own(self.measure), own(self.statistic))
    }
}

/// Between white and the darkest colour.
fn colour(depth: f64) -> Ink {
    let between = |dark: u8| (255.0 + depth * (f64::from(dark) - 255.0)).round() as u8;
    let (red, green, blue) = DARK;
    Ink {
        rgb: (between(red), between(green), between(blue)),
        alpha: 1.0,
    }
}

/// `0 %`, `3.2 %`, `47 %`, `×13`
fn regret_words(regret: f64) -> Vec<String> {
    let percent = 100.0 * regret;
    if regret >= FACTORS {
        let factor = 1.0 + regret;
        if factor < 1e4 {
            return vec![format!("×{factor:.0}")];
        }
        let power = libm::floor(libm::log10(factor));
        let mantissa = factor / libm::pow(10.0, power);
        let power = superscript(power as i32);
        return vec![format!("×{mantissa:.1}·10{power}"), format!("×10{power}")];
    }
    if percent >= 9.95 {
        return vec![format!("{percent:.0} %"), format!("{percent:.0}")];
    }
    if percent >= 0.05 {
        return vec![
            format!("{percent:.1} %"),
            format!("{percent:.1}"),
            format!("{percent:.0}"),
        ];
    }
    match percent == 0.0 {
        true => vec!["0 %".to_owned(), "0".to_owned()],
        false => vec!["<0.1 %".to_owned(), "<0.1".to_owned()],
    }
}

/// Where everything goes.
struct Layout<'a> {
    style: &'a Style,
    columns: &'a [&'a str],
    lines: &'a [Line<'a>],
    /// names of the axes that go down, and whether their values are numbers
    names: Vec<&'a str>,
    numeric: Vec<bool>,
    /// whether the rows of a setting have several subjects or statistics
    many: bool,
    regret: bool,
}

impl Layout<'_> {
    /// The labels of a setting.
    fn setting(&self, line: &Line<'_>) -> String {
        let labels = (self.names.iter().zip(&line.labels)).zip(&self.numeric);
        let labels: Vec<String> = labels
            .map(|((name, label), numeric)| rows::axis_label(name, label, *numeric))
            .collect();
        labels.join(", ")
    }

    /// What stands beside a row.
    fn label(&self, line: &Line<'_>) -> String {
        if !self.many {
            return self.setting(line);
        }
        let what = words(line.measure, line.statistic);
        match line.subject {
            "all" => what,
            subject => format!("{subject}: {what}"),
        }
    }

    fn draw(&self, page: &mut Page, depths: &Depths) {
        let style = self.style;
        let headed = self.many && !self.names.is_empty();
        let row = 2.1 * style.text;
        let head = 1.9 * style.text;
        let starts = |i: usize| i == 0 || self.lines[i].labels != self.lines[i - 1].labels;
        let groups = (0..self.lines.len())
            .filter(|i| headed && starts(*i))
            .count();
        // widths first: they say how high the names of the columns are
        let margin = 1.6 * style.gap;
        let whole = style.width - 2.0 * margin;
        let widest = (self.lines.iter())
            .map(|line| style::text_width(&self.label(line), style.text, false))
            .fold(0.0, f64::max);
        let beside = (widest + style.text).min(0.42 * whole);
        // few columns need not fill the page
        let width = ((whole - beside) / self.columns.len() as f64).min(12.0 * style.text);
        let names: Vec<String> = self.columns.iter().map(|name| (*name).to_owned()).collect();
        let labels = name_labels(style, &names, width, 16.0 * style.text);
        let above = labels.iter().map(|label| label.height).fold(0.0, f64::max) + 0.6 * style.text;
        let key = if self.regret { 2.2 * style.text } else { 0.0 };
        let height = above + self.lines.len() as f64 * row + groups as f64 * head + key;
        let place = page.row(1, height)[0];
        let (left, mut top) = (place.left + beside, place.top + above);
        let canvas = page.canvas();
        self.column_names(canvas, &labels, left, width, top);
        for (index, line) in self.lines.iter().enumerate() {
            if headed && starts(index) {
                let mut letters = style.letters(style.text, style::TEXT, Anchor::Start);
                letters.bold = true;
                let title = style::fit(&self.setting(line), whole, style.text, true);
                canvas.text((place.left, top + 1.35 * style.text), &title, letters);
                top += head;
            }
            let label = style::fit(
                &self.label(line),
                beside - 0.6 * style.text,
                style.text,
                false,
            );
            let letters = style.letters(style.text, style::TEXT, Anchor::End);
            canvas.text(
                (left - 0.6 * style.text, top + 0.5 * row + 0.36 * style.text),
                &label,
                letters,
            );
            for (column, field) in line.fields.iter().enumerate() {
                let cell = Rect {
                    left: left + column as f64 * width,
                    right: left + (column + 1) as f64 * width,
                    top,
                    bottom: top + row,
                };
                self.field(canvas, cell, depths.of(line, field), field);
            }
            // frames last, so that no neighbour covers them
            for (column, field) in line.fields.iter().enumerate() {
                if self.columns.len() < 2 || !(field.best || field.tied) {
                    continue;
                }
                let inset = 0.9;
                let frame = Rect {
                    left: left + column as f64 * width + inset,
                    right: left + (column + 1) as f64 * width - inset,
                    top: top + inset,
                    bottom: top + row - inset,
                };
                canvas.outline(frame, style::TEXT, if field.best { 1.4 } else { 0.6 });
            }
            top += row;
        }
        if self.regret {
            self.key(canvas, depths, left, top + 0.6 * style.text, place.right);
        }
    }

    fn column_names(
        &self,
        canvas: &mut Canvas,
        labels: &[NameLabel],
        left: f64,
        width: f64,
        top: f64,
    ) {
        let style = self.style;
        for (column, label) in labels.iter().enumerate() {
            let x = left + (column as f64 + 0.5) * width;
            if label.upwards {
                let mut letters = style.letters(style.text, style::TEXT, Anchor::Start);
                letters.upwards = true;
                if let Some(line) = label.lines.first() {
                    canvas.text(
                        (x + 0.36 * style.text, top - 0.5 * style.text),
                        line,
                        letters,
                    );
                }
                continue;
            }
            for (up, line) in label.lines.iter().rev().enumerate() {
                let y = top - 0.6 * style.text - up as f64 * style.line_height(style.text);
                let letters = style.letters(style.text, style::TEXT, Anchor::Middle);
                canvas.text((x, y), line, letters);
            }
        }
    }

    /// A cell: its colour, and its number as long as it fits.
    fn field(&self, canvas: &mut Canvas, cell: Rect, depth: Option<f64>, field: &Field) {
        let style = self.style;
        canvas.fill(cell, depth.map_or(style::GRID, colour));
        canvas.outline(cell, style::WHITE, 0.6);
        let forms = match (self.regret, field.regret, field.value) {
            (true, Some(regret), _) => regret_words(regret),
            (false, _, Some(value)) => vec![
                significant(value, 4),
                significant(value, 3),
                significant(value, 2),
            ],
            _ => vec!["–".to_owned()],
        };
        let bold = field.best && self.columns.len() > 1;
        let room = cell.width() - 3.0;
        let fits = |text: &&String| style::text_width(text, style.text, bold) <= room;
        let Some(text) = forms.iter().find(fits) else {
            return;
        };
        let deep = depth.is_some_and(|depth| depth > DEEP);
        let mut letters = style.letters(
            style.text,
            if deep { style::WHITE } else { style::TEXT },
            Anchor::Middle,
        );
        letters.bold = bold;
        let baseline = (cell.top + cell.bottom) / 2.0 + 0.36 * style.text;
        canvas.text((cell.middle(), baseline), text, letters);
    }

    /// What the colours stand for.
    fn key(&self, canvas: &mut Canvas, depths: &Depths, left: f64, top: f64, right: f64) {
        let style = self.style;
        let mut x = left;
        for regret in [0.0, 0.01, 0.1, 1.0, FACTORS] {
            if regret > depths.most && regret > 0.0 {
                break;
            }
            let text = &regret_words(regret)[0];
            let width = style::text_width(text, style.text, false);
            let side = style.text;
            if x + side + 3.0 + width > right {
                break;
            }
            let swatch = Rect {
                left: x,
                right: x + side,
                top,
                bottom: top + side,
            };
            canvas.fill(swatch, colour(depths.of_regret(regret)));
            canvas.outline(swatch, style::QUIET, 0.4);
            let letters = style.letters(style.text, style::QUIET, Anchor::Start);
            canvas.text((x + side + 3.0, top + 0.86 * style.text), text, letters);
            x += side + 3.0 + width + 1.5 * style.text;
        }
    }
}

#[cfg(test)]
mod tests {
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
        let first = |regret: f64| regret_words(regret)[0].clone();
        assert_eq!(first(0.0), "0 %");
        assert_eq!(first(1e-5), "<0.1 %");
        assert_eq!(first(0.032), "3.2 %");
        assert_eq!(first(0.47), "47 %");
        assert_eq!(first(12.0), "×13");
        assert_eq!(first(873_648.0), "×8.7·10⁵");
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
