//! The rows of a run that a figure shows.

use super::FigureError;
use super::labels::axis_label;
use super::language::{Language, Word, fill};
use super::page::most_panels;
use super::style::Style;
use crate::record::{HistogramRow, ResolvedCell, ResolvedFigure, Run, SummaryRow};
use crate::study::Kind;
use std::collections::BTreeMap;

/// A cell with the short label that tells it apart from the others of a figure.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// the cell
    pub cell: &'a ResolvedCell,
    /// its label
    pub label: String,
}

/// The rows of one measure in the chosen cells.
pub struct Rows<'a> {
    /// the cells in order
    pub cells: Vec<Shown<'a>>,
    /// the measure
    pub measure: &'a str,
    /// queries in the file's order, or `all`
    pub subjects: Vec<&'a str>,
    statistics: BTreeMap<(&'a str, &'a str, &'a str), &'a SummaryRow>,
    bins: BTreeMap<usize, BTreeMap<&'a str, Vec<&'a HistogramRow>>>,
}

/// The cells that a figure asks for, with labels made of the axes in which they differ.
pub fn cells<'a>(run: &'a Run, figure: &ResolvedFigure) -> Result<Vec<Shown<'a>>, FigureError> {
    let axes = &run.resolved.axes;
    for (axis, labels) in &figure.cells {
        let known = axes
            .iter()
            .find(|a| a.name == *axis)
            .ok_or_else(|| FigureError::Cells {
                figure: figure.name.clone(),
                reason: format!(
                    "there is no axis `{axis}`; the axes are: {}",
                    axes.iter()
                        .map(|a| a.name.as_str())
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
            })?;
        if let Some(label) = labels.iter().find(|l| !known.labels.contains(l)) {
            return Err(FigureError::Cells {
                figure: figure.name.clone(),
                reason: format!(
                    "axis `{axis}` has no value `{label}`; it has: {}",
                    known.labels.join(", ")
                ),
            });
        }
    }
    let chosen: Vec<&ResolvedCell> = (run.resolved.cells.iter())
        .filter(|cell| {
            axes.iter().zip(&cell.labels).all(|(axis, label)| {
                figure
                    .cells
                    .get(&axis.name)
                    .is_none_or(|labels| labels.contains(label))
            })
        })
        .collect();
    if chosen.is_empty() {
        return Err(FigureError::Cells {
            figure: figure.name.clone(),
            reason: "no cell of the run has this combination of values".to_owned(),
        });
    }
    Ok(labelled(run, chosen))
}

/// Cells with labels made of the axes in which they differ.
pub fn labelled<'a>(run: &'a Run, cells: Vec<&'a ResolvedCell>) -> Vec<Shown<'a>> {
    let differs: Vec<bool> = (0..run.resolved.axes.len())
        .map(|i| {
            cells
                .iter()
                .any(|cell| cell.labels.get(i) != cells[0].labels.get(i))
        })
        .collect();
    cells
        .into_iter()
        .map(|cell| Shown {
            cell,
            label: label(run, cell, &differs),
        })
        .collect()
}

fn label(run: &Run, cell: &ResolvedCell, differs: &[bool]) -> String {
    let parts: Vec<String> = (run.resolved.axes.iter())
        .zip(&cell.labels)
        .zip(differs)
        .filter(|(_, differs)| **differs)
        .map(|((axis, label), _)| axis_label(axis, label))
        .collect();
    if !parts.is_empty() {
        parts.join(", ")
    } else if cell.allocation.is_empty() {
        cell.id.clone()
    } else {
        format!("{}, {}", cell.allocation, cell.guarantee)
    }
}

/// The labels that occur on an axis, in the order of the cells.
pub fn values<'a>(cells: &[Shown<'a>], axis: usize) -> Vec<&'a str> {
    let mut seen: Vec<&str> = Vec::new();
    for label in cells.iter().filter_map(|c| c.cell.labels.get(axis)) {
        if !seen.contains(&label.as_str()) {
            seen.push(label);
        }
    }
    seen
}

/// The axis whose values get colours, where several vary: words make better series than numbers, and few values than many.
pub fn series_axis(run: &Run, cells: &[Shown<'_>]) -> Option<usize> {
    let axes = &run.resolved.axes;
    let counts: Vec<usize> = (0..axes.len()).map(|i| values(cells, i).len()).collect();
    if counts.iter().filter(|n| **n > 1).count() < 2 {
        return None;
    }
    (0..axes.len())
        .filter(|i| (2..=super::style::SERIES).contains(&counts[*i]))
        .min_by_key(|i| (axes[*i].numbers.is_some(), counts[*i]))
}

/// Where those cells and queries are that a figure leaves out, if any.
pub fn more(say: Language, cells: usize, queries: usize, file: &str) -> Vec<String> {
    [(cells, Word::MoreCells), (queries, Word::MoreQueries)]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| fill(say.word(words), &[&count.to_string(), file]))
        .collect()
}

/// Parts of a sentence that are written out; a caption is no table.
const MOST_PARTS: usize = 4;

/// Joins notes into a sentence: "Lead: a; b."
pub fn sentence(say: Language, lead: &str, parts: &[String]) -> Option<String> {
    let mut shown = parts[..parts.len().min(MOST_PARTS)].to_vec();
    if parts.len() > shown.len() {
        let rest = (parts.len() - shown.len()).to_string();
        shown.push(fill(say.word(Word::Others), &[&rest]));
    }
    (!parts.is_empty()).then(|| format!("{lead}: {}.", shown.join("; ")))
}

impl<'a> Rows<'a> {
    /// As [`Rows::new`], of the first `most` of a figure's cells, and how many it leaves out.
    pub fn of_first(
        run: &'a Run,
        figure: &ResolvedFigure,
        measure: &str,
        most: usize,
    ) -> Result<(Rows<'a>, usize), FigureError> {
        let mut cells = cells(run, figure)?;
        let left_out = cells.len().saturating_sub(most);
        cells.truncate(most);
        Ok((Rows::new(run, figure, cells, measure)?, left_out))
    }

    /// The first queries, which have a panel with a number of names below it, and how many have none.
    pub fn panels(&self, style: &Style, names: usize) -> (Vec<&'a str>, usize) {
        let most = most_panels(style, names);
        let shown: Vec<&str> = self.subjects.iter().copied().take(most).collect();
        let left_out = self.subjects.len() - shown.len();
        (shown, left_out)
    }

    /// Finds the rows of a measure in cells.
    pub fn new(
        run: &'a Run,
        figure: &ResolvedFigure,
        cells: Vec<Shown<'a>>,
        measure: &str,
    ) -> Result<Rows<'a>, FigureError> {
        let wanted: BTreeMap<&str, usize> = cells
            .iter()
            .enumerate()
            .map(|(i, c)| (c.cell.id.as_str(), i))
            .collect();
        let mut statistics = BTreeMap::new();
        let mut subjects: Vec<&str> = Vec::new();
        let mut name = None;
        for row in &run.summary {
            if row.measure == measure && wanted.contains_key(row.cell.as_str()) {
                name = Some(row.measure.as_str());
                if !subjects.contains(&row.subject.as_str()) {
                    subjects.push(&row.subject);
                }
                statistics.insert(
                    (
                        row.cell.as_str(),
                        row.subject.as_str(),
                        row.statistic.as_str(),
                    ),
                    row,
                );
            }
        }
        let Some(measure) = name else {
            let mut known: Vec<&str> = run.summary.iter().map(|r| r.measure.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            return Err(FigureError::Measure {
                figure: figure.name.clone(),
                measure: measure.to_owned(),
                known: known.join(", "),
            });
        };
        let mut bins: BTreeMap<usize, BTreeMap<&str, Vec<_>>> = BTreeMap::new();
        for row in &run.histograms {
            let sound = row.low.is_finite() && row.high.is_finite() && row.low <= row.high;
            if let Some(cell) = wanted
                .get(row.cell.as_str())
                .filter(|_| row.measure == measure && sound)
            {
                bins.entry(*cell)
                    .or_default()
                    .entry(row.subject.as_str())
                    .or_default()
                    .push(row);
            }
        }
        for rows in bins.values_mut().flat_map(BTreeMap::values_mut) {
            rows.sort_by(|a, b| a.low.total_cmp(&b.low).then(a.high.total_cmp(&b.high)));
        }
        // vectors are measured as a whole besides: unless one is asked for, what is drawn is of all queries together
        if figure.subjects.is_empty() && subjects.contains(&"all") {
            let vector = |name: &str| {
                let queries = run.resolved.cells.iter().flat_map(|cell| &cell.queries);
                queries
                    .into_iter()
                    .any(|query| query.size > 0 && query.name == name)
            };
            subjects.retain(|subject| !vector(subject));
        }
        if !figure.subjects.is_empty() {
            if let Some(unknown) = figure
                .subjects
                .iter()
                .find(|s| !subjects.contains(&s.as_str()))
            {
                return Err(FigureError::Cells {
                    figure: figure.name.clone(),
                    reason: format!(
                        "`{measure}` is not of `{unknown}` in these cells; it is of: {}",
                        subjects.join(", ")
                    ),
                });
            }
            let place = |subject: &&str| figure.subjects.iter().position(|s| s == subject);
            subjects.retain(|subject| place(subject).is_some());
            subjects.sort_by_key(place);
        }
        Ok(Rows {
            cells,
            measure,
            subjects,
            statistics,
            bins,
        })
    }

    /// Leaves only `all` where a measure is of it besides of single subjects, unless subjects are asked for.
    pub fn together(mut self, figure: &ResolvedFigure) -> Self {
        if figure.subjects.is_empty() && self.subjects.contains(&"all") {
            self.subjects = vec!["all"];
        }
        self
    }

    /// The query, where one alone is shown, which nothing else would name then.
    pub fn lone(&self) -> Option<&'a str> {
        match self.subjects.as_slice() {
            [one] if *one != "all" => Some(one),
            _ => None,
        }
    }

    /// A title, with the name of the query that it is of if that is one alone.
    pub fn titled(&self, title: String) -> String {
        match self.lone() {
            Some(query) => format!("{title} – {query}"),
            None => title,
        }
    }

    /// A row of the summary.
    pub fn row(&self, cell: usize, subject: &str, statistic: &str) -> Option<&'a SummaryRow> {
        self.statistics
            .get(&(self.cells.get(cell)?.cell.id.as_str(), subject, statistic))
            .copied()
    }

    /// A finite estimate.
    pub fn value(&self, cell: usize, subject: &str, statistic: &str) -> Option<f64> {
        self.row(cell, subject, statistic)
            .map(|r| r.value)
            .filter(|v| v.is_finite())
    }

    /// Recorded bins in ascending order.
    pub fn bins(&self, cell: usize, subject: &str) -> &[&'a HistogramRow] {
        self.bins
            .get(&cell)
            .and_then(|subjects| subjects.get(subject))
            .map_or(&[], Vec::as_slice)
    }

    /// True answer of a query in a cell.
    pub fn truth(&self, cell: usize, subject: &str) -> Option<f64> {
        let cell = self.cells.get(cell)?.cell;
        cell.queries
            .iter()
            .find_map(|q| q.truth_of(subject))
            .filter(|t| t.is_finite())
    }
}

/// The measure that a figure shows where the experiment leaves it open: the first of these that is reported, else the first that is.
pub fn usual_among<S: AsRef<str>>(measures: &[S]) -> Option<&str> {
    [
        "max_abs_error",
        "rmse",
        "abs_error",
        "utility_loss",
        "accuracy",
        "loss",
        "stream_error",
    ]
    .into_iter()
    .find(|usual| measures.iter().any(|m| m.as_ref() == *usual))
    .or_else(|| measures.first().map(AsRef::as_ref))
}

/// The same of a run.
pub fn usual_measure(run: &Run) -> Option<String> {
    usual_among(&run.resolved.measures).map(str::to_owned)
}

/// Whether single trials spread over numbers. Those of a choice fall on a few atoms, whose quantiles say little.
pub fn has_spread(run: &Run) -> bool {
    run.resolved.procedure != Kind::Select.name()
}

/// Whether the spread of the usual measure is drawn where an experiment names no figure.
pub fn draws_spread(run: &Run) -> bool {
    has_spread(run) && usual_measure(run).is_some()
}

/// The measure of a figure.
pub fn measure_of(run: &Run, figure: &ResolvedFigure) -> Result<String, FigureError> {
    figure
        .measure
        .clone()
        .or_else(|| usual_measure(run))
        .ok_or_else(|| FigureError::Measure {
            figure: figure.name.clone(),
            measure: String::new(),
            known: String::new(),
        })
}

/// A measure as a reader says it in English: what it is, and its unit.
pub fn measure_words(measure: &str) -> (String, &'static str) {
    (
        Language::English.measure(measure),
        Language::English.unit(measure),
    )
}

/// Whether a measure is computed rather than simulated, so that it has no mean to speak of.
pub fn is_exact(measure: &str) -> bool {
    (crate::measure::find(measure)).is_some_and(|known| !known.rule().procedure().simulates())
}
