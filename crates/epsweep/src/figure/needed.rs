//! What the figures of an experiment need of its tallies, and must be in the record before they are drawn.

use super::{FigureKind, REGISTRY, usual_measure};
use crate::record::{Resolved, ResolvedFigure};

/// Whether a figure draws the histogram of a measure in the cell of that place.
pub fn draws_histogram(resolved: &Resolved, cell: usize, measure: &str) -> bool {
    asked(resolved, |kind| kind.draws_histograms()).any(|figure| {
        let drawn = match &figure.measure {
            Some(named) => named == measure,
            None if figure.kind == "article-panel" => {
                matches!(measure, "answer" | "max_abs_error")
            }
            None => usual_measure(&resolved.measures) == Some(measure),
        };
        drawn && shows(figure, cell, resolved)
    })
}

/// Whether a figure draws how means settle.
pub fn draws_settling(resolved: &Resolved) -> bool {
    asked(resolved, |kind| kind.draws_convergence())
        .next()
        .is_some()
}

/// Whether a figure draws how the mean of a measure settles in the cell of that place.
pub fn draws_settling_of(resolved: &Resolved, cell: usize, measure: &str) -> bool {
    asked(resolved, |kind| kind.draws_convergence()).any(|figure| {
        let drawn = (figure.measure.as_deref()).or_else(|| usual_measure(&resolved.measures));
        drawn == Some(measure) && shows(figure, cell, resolved)
    })
}

/// The figures whose kind needs something.
fn asked(
    resolved: &Resolved,
    needs: fn(&dyn FigureKind) -> bool,
) -> impl Iterator<Item = &ResolvedFigure> {
    resolved.figures.iter().filter(move |figure| {
        let kind = REGISTRY
            .iter()
            .find(|kind| kind.about().name == figure.kind);
        kind.is_some_and(|kind| needs(*kind))
    })
}

/// Whether a figure is of a cell.
fn shows(figure: &ResolvedFigure, cell: usize, resolved: &Resolved) -> bool {
    figure.cells.iter().all(|(axis, labels)| {
        let place = resolved.axes.iter().position(|a| a.name == *axis);
        place.is_none_or(|i| labels.contains(&resolved.cells[cell].labels[i]))
    })
}
