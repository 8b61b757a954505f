//! Overlaid histograms of a measure, with dashed lines at the means and the exact density where theory knows it.

use super::axis::{Axis, extent};
use super::canvas::{Canvas, Rect};
use super::density::{Density, exact_curve, leaves, within};
use super::language::{Language, Word, fill};
use super::legend::{self, Entry, MEAN_DASHES, Swatch};
use super::page::{Drawing, Page, Plotted, raw};
use super::panel::{self, Horizontal, Panel};
use super::rows::{self, Rows};
use super::style::{self, SERIES, Style};
use super::ticks::Below;
use super::{FigureError, FigureKind, named, wants_log};
use crate::record::{ResolvedFigure, Run};
use crate::words::{grouped, measured, significant};
use epsweep_core::about::About;

/// More histograms on top of each other cannot be told apart.
const MOST_CELLS: usize = 4;

/// Panels up to which each has its own legend.
const MOST_LEGENDS: usize = 4;

/// See the module.
pub struct Histogram;

impl FigureKind for Histogram {
    fn about(&self) -> &'static About {
        &About {
            name: "histogram",
            summary: "overlaid histograms of a measure, with dashed lines at the means and exact densities where known",
            formula: "height = trials in a bin / (all trials × width of the bin)",
            source: "definition",
        }
    }

    fn applies(&self, run: &Run) -> bool {
        !run.histograms.is_empty() && rows::draws_spread(run)
    }

    fn default_specs(&self, run: &Run) -> Vec<ResolvedFigure> {
        // pictures of more cells would silently leave some out
        if run.resolved.cells.len() <= MOST_CELLS {
            named(run, "histogram").into_iter().collect()
        } else {
            Vec::new()
        }
    }

    fn draws_histograms(&self) -> bool {
        true
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let measure = rows::measure_of(run, figure)?;
        let (rows, left_out) = Rows::of_first(run, figure, &measure, MOST_CELLS)?;
        let say = style.language;
        let title = figure
            .title
            .clone()
            .unwrap_or_else(|| fill(say.word(Word::HistogramOf), &[&say.measure(&measure)]));

        let mut page = Page::new(style, &title);
        let mut plotted = Plotted::new(&COLUMNS);
        let (mut notes, mut outside) = (Vec::new(), Vec::new());
        let mut warnings = Vec::new();
        let mut cut = None;
        let many = rows.subjects.len() > 1;
        let (subjects, more) = rows.panels(style, 0);
        // the same names in many panels are said once, without the means, which have their lines
        let named = subjects.len() <= MOST_LEGENDS;
        let short = legend::short(rows.cells.iter().map(|shown| shown.label.as_str()));
        if !named {
            let entries: Vec<Entry> = (short.iter().enumerate())
                .map(|(i, name)| (Swatch::Shade(i % SERIES), name.clone()))
                .collect();
            page.legend(&entries);
        }
        let places = page.grid(subjects.len(), 0, style.panel);
        let titles = panel::titles(&subjects, many, &places, style);
        for ((place, subject), above) in places.into_iter().zip(&subjects).zip(&titles) {
            let log = figure.scale.is_some() && wants_log(figure, &rows, &[subject], true)?;
            let outcome = draw(
                page.canvas(),
                style,
                place,
                &rows,
                subject,
                above,
                named,
                log,
                &mut plotted,
            );
            outside.extend(outcome.outside.into_iter().map(|n| {
                if many {
                    fill(say.word(Word::OfSubject), &[&n, above])
                } else {
                    n
                }
            }));
            cut = extent(cut.into_iter().chain(outcome.cut)).map(|(_, most)| most);
            warnings.extend(outcome.warnings);
        }
        notes.extend(rows::sentence(say, say.word(Word::BeyondAxis), &outside));
        notes.extend(cut_words(say, cut));
        notes.extend(rows::more(say, left_out, more, "histograms.csv"));
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            say.word(Word::HistogramCaption),
            notes.join(" ")
        );
        let explanation = "The areas under the histograms are 1, less what lies beyond the axis; an axis ends at the largest 99 % quantile.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

/// How far exact densities go that are cut at the top.
pub fn cut_words(say: Language, cut: Option<f64>) -> Option<String> {
    cut.map(|most| fill(say.word(Word::DensityCut), &[&significant(most, 2)]))
}

/// Columns of the plotted numbers.
pub const COLUMNS: [&str; 7] = ["cell", "subject", "part", "low", "high", "value", "trials"];

/// What a reader should know of a panel.
pub struct Outcome {
    /// trials that lie beyond the axis, per cell
    pub outside: Vec<String>,
    /// how far up exact densities go that are cut at the top, if any are
    pub cut: Option<f64>,
    /// what could not be done as asked
    pub warnings: Vec<String>,
}

/// Draws a panel of histograms of all cells of `rows`, `named` in a legend with their means.
#[allow(clippy::too_many_arguments)]
pub fn draw(
    canvas: &mut Canvas,
    style: &Style,
    place: Rect,
    rows: &Rows<'_>,
    subject: &str,
    title: &str,
    named: bool,
    log: bool,
    plotted: &mut Plotted,
) -> Outcome {
    let mut outcome = Outcome {
        outside: Vec::new(),
        cut: None,
        warnings: Vec::new(),
    };
    let parts = ((place.width() / (0.5 * style.text)) as usize).clamp(20, 60);
    let axis = match horizontal(rows, subject, log) {
        Some(axis) => axis,
        None => {
            let frame = panel::draw(
                canvas,
                style,
                place,
                &Panel {
                    title,
                    legend: &[],
                    horizontal: Horizontal::Numbers(Below::new(
                        Axis::exactly(0.0, 1.0),
                        &style.language.measure_axis(rows.measure),
                    )),
                    vertical: Axis::exactly(0.0, 1.0),
                    vertical_title: style.language.word(Word::Density),
                },
            );
            panel::notice(
                canvas,
                style,
                frame.plot,
                style.language.word(Word::NoHistogram),
            );
            outcome.warnings.push(format!(
                "no histogram of {} for “{subject}” was recorded",
                rows.measure
            ));
            return outcome;
        }
    };
    if log && !axis.is_log() {
        outcome.warnings.push(format!(
            "no value of {} for “{subject}” is positive, so the axis is linear",
            rows.measure
        ));
    }
    let densities: Vec<Density> = (0..rows.cells.len())
        .map(|i| Density::new(rows.bins(i, subject), &axis, parts))
        .collect();
    let curves: Vec<Vec<(f64, f64)>> = (0..rows.cells.len())
        .map(|i| exact_curve(rows.bins(i, subject), &axis, parts))
        .collect();
    let highest_bar =
        extent(densities.iter().flat_map(|d| d.heights.iter().copied())).map_or(1.0, |e| e.1);
    let highest = curves
        .iter()
        .flatten()
        .map(|p| p.1)
        .filter(|d| *d < 2.0 * highest_bar)
        .fold(highest_bar, f64::max);

    let mut entries: Vec<Entry> = Vec::new();
    let short = legend::short(rows.cells.iter().map(|shown| shown.label.as_str()));
    for (i, shown) in rows.cells.iter().enumerate() {
        let row = rows.row(i, subject, "mean").filter(|r| r.value.is_finite());
        let mean = row.map_or_else(String::new, |r| {
            format!(
                " ({} {})",
                style.language.word(Word::Mean),
                measured(r.value, r.mcse)
            )
        });
        if named {
            entries.push((Swatch::Shade(i % SERIES), format!("{}{mean}", short[i])));
        }
        if densities[i].total == 0 {
            outcome.warnings.push(format!(
                "{}: no trial of {} has a value",
                shown.label, rows.measure
            ));
        }
        if densities[i].outside >= 0.5 {
            let count = grouped(densities[i].outside.round() as u64);
            outcome.outside.push(if rows.cells.len() > 1 {
                format!("{}: {count}", shown.label)
            } else {
                count
            });
        }
    }
    let vertical = Axis::from_zero([highest]);
    outcome.cut = extent((curves.iter().flatten().map(|p| p.1)).filter(|d| !vertical.holds(*d)))
        .map(|(_, most)| most);
    let unit = if axis.is_log() {
        style.language.word(Word::DensityPerDecade)
    } else {
        style.language.word(Word::Density)
    };
    let frame = panel::draw(
        canvas,
        style,
        place,
        &Panel {
            title,
            legend: &entries,
            horizontal: Horizontal::Numbers(Below::new(
                axis,
                &style.language.measure_axis(rows.measure),
            )),
            vertical,
            vertical_title: unit,
        },
    );
    for (i, density) in densities.iter().enumerate() {
        let ink = style::ink(i);
        canvas.area(density.outline(&frame), ink.with_alpha(0.35));
        for (part, height) in density.heights.iter().enumerate() {
            plotted.rows.push(vec![
                rows.cells[i].cell.id.clone(),
                subject.to_owned(),
                "density".to_owned(),
                raw(density.edges[part]),
                raw(density.edges[part + 1]),
                raw(*height),
                raw(density.counts[part]),
            ]);
        }
    }
    for (i, curve) in curves.iter().enumerate() {
        let ink = style::ink(i).darker();
        for stretch in within(curve, &vertical) {
            let points = stretch.iter().map(|(x, d)| frame.point(*x, *d)).collect();
            canvas.line(points, ink, 0.8 * style.line);
        }
        for (x, _) in leaves(curve, &vertical) {
            let at = (frame.x(x), frame.plot.top + 0.4 * style.text);
            style::marker(canvas, 2, at, 0.3 * style.text, ink);
        }
        let id = &rows.cells[i].cell.id;
        for (x, d) in curve {
            plotted.rows.push(vec![
                id.clone(),
                subject.to_owned(),
                "exact_density".to_owned(),
                raw(*x),
                raw(*x),
                raw(*d),
                String::new(),
            ]);
        }
        if let Some(mean) = rows.value(i, subject, "mean") {
            if axis.holds(mean) {
                let x = frame.x(mean);
                canvas.dashed(
                    &[(x, frame.plot.bottom), (x, frame.plot.top)],
                    &MEAN_DASHES,
                    style::ink(i).darker(),
                    style.line,
                );
                // the marker tells the dashed lines apart without colour
                let height = frame.plot.top + (0.6 + 1.1 * i as f64) * style.text;
                style::marker(
                    canvas,
                    i,
                    (x, height),
                    0.3 * style.text,
                    style::ink(i).darker(),
                );
            }
            plotted.rows.push(vec![
                id.clone(),
                subject.to_owned(),
                "mean".to_owned(),
                raw(mean),
                raw(mean),
                raw(mean),
                String::new(),
            ]);
        }
    }
    outcome
}

/// From the least value (or zero, or the 1 % quantile of a signed measure) to the 99 % quantile.
pub(super) fn horizontal(rows: &Rows<'_>, subject: &str, log: bool) -> Option<Axis> {
    let cells = 0..rows.cells.len();
    let edge = |cell: usize, statistic: &str, recorded: Option<f64>| {
        rows.value(cell, subject, statistic).or(recorded)
    };
    let lows = |statistic| {
        let cells = cells.clone();
        extent(
            cells.filter_map(|i| edge(i, statistic, rows.bins(i, subject).first().map(|b| b.low))),
        )
        .map(|e| e.0)
    };
    if cells.clone().all(|i| rows.bins(i, subject).is_empty()) {
        return None;
    }
    let least = lows("min")?;
    let high = extent(
        cells
            .clone()
            .filter_map(|i| edge(i, "q99", rows.bins(i, subject).last().map(|b| b.high))),
    )?
    .1;
    if log {
        let positive = extent(
            cells
                .clone()
                .filter_map(|i| rows.value(i, subject, "q01"))
                .filter(|v| *v > 0.0),
        )
        .or_else(|| {
            extent(
                cells
                    .clone()
                    .flat_map(|i| rows.bins(i, subject).iter().map(|b| b.high))
                    .filter(|v| *v > 0.0),
            )
        });
        if let Some((low, _)) = positive {
            return Axis::logarithmic([low, high]);
        }
    }
    let low = if least < 0.0 {
        lows("q01")?
    } else if least < 0.3 * high {
        0.0
    } else {
        least
    };
    Some(if high > low {
        Axis::exactly(low, high)
    } else {
        Axis::linear([low, high])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{draw, sample};

    #[test]
    fn an_exact_density_far_above_the_bars_is_marked() {
        let mut run = sample::run(&[1.0], &["even"], 2000);
        let figure = ResolvedFigure {
            kind: "histogram".to_owned(),
            name: "h".to_owned(),
            measure: Some("max_abs_error".to_owned()),
            ..ResolvedFigure::default()
        };
        let whole = draw(&run, &figure).expect("a histogram");
        assert!(!whole.caption.contains("cut"), "{}", whole.caption);
        for bin in &mut run.histograms {
            bin.exact = bin.exact.map(|exact| 50.0 * exact);
        }
        let cut = draw(&run, &figure).expect("a histogram");
        assert!(cut.caption.contains("cut at the top"), "{}", cut.caption);
    }
}
