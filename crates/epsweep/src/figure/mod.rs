//! Figures, drawn from what a run directory says and from nothing else.
//!
//! A figure is laid out in points on a [`canvas`], turned into SVG by plotters, and from that one SVG into PNG (resvg) and
//! PDF (svg2pdf). The numbers that it shows lie beside it in a CSV file. All are the same bytes each time.
//!
//! A new kind of figure is one file with a [`FigureKind`] and one line in [`REGISTRY`].

mod along;
mod article_panel;
pub mod axis;
mod bars;
mod bias_variance;
mod box_plot;
mod box_shape;
mod budget_shares;
pub mod canvas;
mod choices;
mod compared;
mod convergence;
mod density;
mod differences;
mod direction;
mod ecdf;
mod error;
mod error_epsilon;
mod files;
mod gate_curves;
mod gate_privacy;
mod heat_map;
mod histogram;
mod labels;
pub mod language;
pub(crate) mod legend;
mod loss_steps;
mod needed;
mod nested_loop;
mod odometer;
pub(crate) mod page;
pub(crate) mod panel;
mod pareto;
mod pdf;
mod positions;
mod render;
mod rows;
pub mod style;
pub mod svg;
pub(crate) mod ticks;
mod total_epsilon;
mod win_rates;
mod z_scores;

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
pub(crate) mod tests;

pub use article_panel::MEASURES as PANEL_MEASURES;
pub use error::FigureError;
pub use files::{Drawn, Formats};
pub(crate) use files::{Sketch, finish_all};
pub use needed::{draws_histogram, draws_settling, draws_settling_of};
pub use page::{Drawing, Plotted};
pub use rows::{measure_words, usual_among as usual_measure};
pub use style::Style;
pub(crate) use z_scores::NAME as Z_SCORES;

pub use render::is_font;

use crate::record::{ResolvedFigure, Run};
use crate::words::join;
use epsweep_core::about::About;
use files::{file_name, fonts};
use language::{Language, Word};
use page::Page;
use std::collections::BTreeMap;

/// A kind of figure.
pub trait FigureKind: Sync {
    /// Its name in an experiment file and what it shows.
    fn about(&self) -> &'static About;
    /// Whether the run has what it needs.
    fn applies(&self, run: &Run) -> bool;
    /// What is drawn of this kind where an experiment names no figure.
    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure>;
    /// Whether it draws the histogram of its measure, which must then be in the record.
    fn draws_histograms(&self) -> bool {
        false
    }
    /// Whether it draws how estimates settle, which must then be in the record.
    fn draws_convergence(&self) -> bool {
        false
    }
    /// Whether it needs an axis of numbers to draw against.
    fn needs_numbers(&self) -> bool {
        false
    }
    /// The keys of `[[figure]]` that it has beyond those of every kind.
    fn keys(&self) -> &'static [&'static str] {
        &[]
    }
    /// A piece of an experiment that asks for it, with the sections that it needs.
    fn example(&self) -> String {
        format!("[[figure]]\nkind = \"{}\"\n", self.about().name)
    }
    /// What the key `show` can be.
    fn shows(&self) -> &'static [&'static str] {
        &[]
    }
    /// The measures that it draws, of those that are reported, where it names that one or none.
    fn draws(&self, measure: Option<&str>, reported: &[&str]) -> Vec<String> {
        let drawn = measure.or_else(|| usual_measure(reported));
        drawn.map(str::to_owned).into_iter().collect()
    }
    /// What it needs of an experiment and does not find: what is wrong, and the rule. What is found missing here cannot fail after
    /// the run.
    fn lacks(&self, _asked: &Asked<'_>) -> Option<(&'static str, String)> {
        None
    }
    /// Draws it.
    ///
    /// # Errors
    /// The run lacks what was asked for. Rows that are not numbers are left out and never an error.
    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError>;
}

/// What a kind of figure can ask of an experiment before it is run.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// names of the measures that are reported
    pub measures: &'a [&'a str],
    /// the measure that the figure names
    pub measure: Option<&'a str>,
    /// names of queries with a number, of numbers of vectors, or of candidates
    pub subjects: &'a [String],
    /// whether cells are compared
    pub compares: bool,
    /// name of the procedure
    pub procedure: &'a str,
    /// whether trials are simulated
    pub simulates: bool,
    /// cells up to which all are kept until the run ends, if there are more
    pub kept_up_to: Option<usize>,
}

impl Asked<'_> {
    /// What a kind lacks that draws measures of a procedure, where none of them is reported.
    fn without(
        &self,
        measures: &[&str],
        message: &'static str,
        procedure: &str,
    ) -> Option<(&'static str, String)> {
        let reported = measures.iter().any(|name| self.measures.contains(name));
        let names: Vec<String> = measures.iter().map(|name| format!("`{name}`")).collect();
        (!reported).then(|| {
            let names = join(&names, "or");
            (
                message,
                format!("{procedure}, with {names} among its measures"),
            )
        })
    }
}

/// All kinds, in the order in which they are drawn by default.
pub const REGISTRY: &[&dyn FigureKind] = &[
    &choices::Choices,
    &gate_curves::GateCurves,
    &gate_privacy::GatePrivacy,
    &total_epsilon::TotalEpsilon,
    &error_epsilon::ErrorEpsilon,
    &loss_steps::LossSteps,
    &bias_variance::BiasVariance,
    &differences::Differences,
    &bars::Bars,
    &budget_shares::BudgetShares,
    &box_plot::BoxPlot,
    &histogram::Histogram,
    &ecdf::Ecdf,
    &article_panel::ArticlePanel,
    &heat_map::HeatMap,
    &win_rates::WinRates,
    &pareto::Pareto,
    &nested_loop::NestedLoop,
    &convergence::Convergence,
    &positions::Positions,
    &odometer::Odometer,
    &z_scores::ZScores,
];

/// A figure of a kind that an experiment has one of by default.
fn by_default(kind: &dyn FigureKind) -> ResolvedFigure {
    let name = kind.about().name.to_owned();
    ResolvedFigure {
        kind: name.clone(),
        name,
        ..ResolvedFigure::default()
    }
}

/// The folder of a run directory for fonts that figures name.
pub const FONTS: &str = "fonts";

/// Cells up to which every cell gets its own bar and box by default.
pub(crate) const FEW_CELLS: usize = 12;

/// The figures of a run: those that it names, or the default ones; in any case that of its deviations from theory.
pub fn specs(run: &Run) -> Vec<ResolvedFigure> {
    if !run.resolved.figures.is_empty() {
        let mut named = run.resolved.figures.clone();
        let scores = &z_scores::ZScores;
        if named.iter().all(|figure| figure.kind != Z_SCORES) && scores.applies(run) {
            named.extend(scores.default_specs(run));
        }
        return named;
    }
    REGISTRY
        .iter()
        .filter(|kind| kind.applies(run))
        .flat_map(|kind| kind.default_specs(run))
        .collect()
}

/// Draws one figure.
///
/// # Errors
/// See [`FigureKind::draw`].
pub fn draw(run: &Run, figure: &ResolvedFigure) -> Result<Drawing, FigureError> {
    let kind = REGISTRY
        .iter()
        .find(|kind| kind.about().name == figure.kind)
        .ok_or_else(|| FigureError::Kind {
            figure: figure.name.clone(),
            kind: figure.kind.clone(),
            known: REGISTRY
                .iter()
                .map(|k| k.about().name)
                .collect::<Vec<_>>()
                .join(", "),
        })?;
    check_scale(figure)?;
    let style = Style {
        language: Language::named(figure.language.as_deref())?,
        ..Style::named(figure.size.as_deref())?
    };
    kind.draw(run, figure, &style)
}

/// What stands above a figure that says nothing of itself: its own title, or in words what its kind shows.
fn title_of(figure: &ResolvedFigure) -> String {
    let kind = REGISTRY
        .iter()
        .find(|kind| kind.about().name == figure.kind);
    let shown = kind.map_or(figure.kind.as_str(), |kind| kind.about().summary);
    let words = shown.split([':', ';', ',', '(']).next().unwrap_or(shown);
    (figure.title.clone()).unwrap_or_else(|| language::capital(words.trim()))
}

/// What is put in place of a figure that cannot be drawn: what was simulated is not lost for it, and the warning says why.
fn undrawn(figure: &ResolvedFigure, error: &FigureError) -> Result<Drawing, FigureError> {
    let style = Style {
        language: Language::named(figure.language.as_deref()).unwrap_or_default(),
        ..Style::named(figure.size.as_deref()).or_else(|_| Style::named(None))?
    };
    let whole = error.to_string();
    let own = format!("figure `{}`: ", figure.name);
    let reason = whole.strip_prefix(&own).unwrap_or(&whole);
    let title = &title_of(figure);
    let mut page = Page::new(&style, title);
    let place = page.row(1, 8.0 * style.text)[0];
    panel::notice(
        page.canvas(),
        &style,
        place,
        style.language.word(Word::NoData),
    );
    let warning = format!("it could not be drawn: {reason}");
    Ok(page.finish(
        title.to_owned(),
        reason,
        "",
        Plotted::new(&["reason"]),
        vec![warning],
    ))
}

/// Draws all figures of a run; writing their files is up to the record. In place of one that cannot be drawn there is what says why.
///
/// # Errors
/// A picture cannot be made into a file.
pub fn render_all(run: &Run, formats: Formats) -> Result<Vec<Drawn>, FigureError> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let drawings = specs(run).into_iter().map(|figure| {
        let mut name = file_name(&figure);
        let times = taken.entry(name.to_lowercase()).or_insert(0);
        *times += 1;
        if *times > 1 {
            name = format!("{name}-{times}");
        }
        let drawn = fonts(run, &figure).and_then(|fonts| Ok((draw(run, &figure)?, fonts)));
        let (drawing, fonts) = match drawn {
            Ok(drawn) => drawn,
            Err(error) => (undrawn(&figure, &error)?, Vec::new()),
        };
        Ok(Sketch {
            drawing,
            name,
            fonts,
            kind: figure.kind,
        })
    });
    finish_all(drawings, formats)
}

/// Short labels of all cells, made of the axes in which they differ, by the cells' canonical texts.
pub fn cell_labels(run: &Run) -> BTreeMap<&str, String> {
    rows::labelled(run, run.resolved.cells.iter().collect())
        .into_iter()
        .map(|c| (c.cell.id.as_str(), c.label))
        .collect()
}

/// Whether every cell can have its own bar.
fn few_cells(run: &Run) -> bool {
    run.resolved.cells.len() <= FEW_CELLS
}

/// A figure of a kind, of the measure that is usual for the run.
fn named(run: &Run, kind: &str) -> Option<ResolvedFigure> {
    let measure = rows::usual_measure(run)?;
    Some(ResolvedFigure {
        kind: kind.to_owned(),
        name: format!("{kind}-{}", measure.replace('_', "-")),
        measure: Some(measure),
        cells: BTreeMap::new(),
        size: None,
        scale: None,
        title: None,
        ..ResolvedFigure::default()
    })
}

/// The scale that a figure asks for.
fn check_scale(figure: &ResolvedFigure) -> Result<Option<&str>, FigureError> {
    match figure.scale.as_deref() {
        scale @ (None | Some("linear" | "log")) => Ok(scale),
        Some(other) => Err(FigureError::Scale {
            figure: figure.name.clone(),
            scale: other.to_owned(),
        }),
    }
}

/// Whether distributions want a log axis: as asked for, else if they are not signed and the quartiles of one differ widely. All panels of a figure have the
/// same kind of axis, so that of each the lower quartile must be positive.
fn wants_log(
    figure: &ResolvedFigure,
    rows: &rows::Rows<'_>,
    subjects: &[&str],
    signed: bool,
) -> Result<bool, FigureError> {
    const WIDE: f64 = 30.0;
    if let Some(scale) = check_scale(figure)? {
        return Ok(scale == "log");
    }
    let quartiles = |subject: &&str| {
        let all = |statistic| {
            let cells = 0..rows.cells.len();
            axis::extent(cells.filter_map(|cell| rows.value(cell, subject, statistic)))
        };
        Some((all("q25")?.0, all("q75")?.1))
    };
    let known: Vec<(f64, f64)> = subjects.iter().filter_map(quartiles).collect();
    let positive = known.iter().all(|(low, _)| *low > 0.0);
    Ok(!signed && positive && known.iter().any(|(low, high)| high / low > WIDE))
}
