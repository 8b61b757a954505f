//! What figures of comparisons begin with: which measure, of which subjects, and which cells are compared with which.

use super::labels::axis_label;
use super::language::Language;
use super::rows::{self, Rows, Shown};
use super::{Asked, FigureError};
use crate::record::{Lookup, ResolvedFigure, Run};

/// The comparisons of a run that a figure shows.
pub struct Compared<'a> {
    /// the run
    pub run: &'a Run,
    /// the rows of its measure
    pub rows: Rows<'a>,
    /// finds rows and pairs of the run
    pub lookup: Lookup<'a>,
    /// which cells are compared
    pub pairs: Pairs,
    /// the measure as a reader says it
    pub words: String,
}

impl<'a> Compared<'a> {
    /// Finds them.
    ///
    /// # Errors
    /// The run lacks the measure, the cells or the subjects that are asked for.
    pub fn new(
        run: &'a Run,
        figure: &ResolvedFigure,
        say: Language,
    ) -> Result<Compared<'a>, FigureError> {
        let measure = rows::measure_of(run, figure)?;
        let rows = Rows::new(run, figure, rows::cells(run, figure)?, &measure)?.together(figure);
        let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
        let pairs = Pairs::new(run, &lookup, &rows);
        Ok(Compared {
            run,
            rows,
            lookup,
            pairs,
            words: say.measure(&measure),
        })
    }
}

/// What a figure of comparisons lacks.
pub fn needs_comparisons(asked: &Asked<'_>) -> Option<(&'static str, String)> {
    (!asked.compares).then(|| {
        (
            "shows comparisons, and cells are not compared",
            "a section [compare] with a baseline, or with pairs = \"all\"".to_owned(),
        )
    })
}

/// Which cells are compared with which, and what the baseline is called.
pub struct Pairs {
    /// a cell of the run and what it is compared with
    pub cells: Vec<(usize, usize)>,
    /// the name of the baseline, where there is one
    pub baseline: Option<String>,
    /// the axes along which cells are compared
    pub along: Vec<usize>,
}

impl Pairs {
    fn new(run: &Run, lookup: &Lookup<'_>, rows: &Rows<'_>) -> Pairs {
        let resolved = &run.resolved;
        let index = |shown: &Shown<'_>| {
            (resolved.cells.iter()).position(|cell| std::ptr::eq(cell, shown.cell))
        };
        let chosen: Vec<usize> = rows.cells.iter().filter_map(index).collect();
        let fixed = resolved.compare.as_ref().filter(|c| !c.baseline.is_empty());
        let along = (0..resolved.axes.len())
            .filter(|i| fixed.is_none_or(|c| c.baseline.contains_key(&resolved.axes[*i].name)))
            .collect();
        let cells = match fixed {
            Some(_) => (chosen.iter())
                .filter_map(|cell| Some((*cell, lookup.baseline(*cell)?)))
                .filter(|(cell, base)| cell != base)
                .collect(),
            // every pair on request, and those of claims
            None => {
                let mut all = Vec::new();
                for (place, a) in chosen.iter().take(200).enumerate() {
                    all.extend(chosen[..place].iter().map(|b| (*a, *b)));
                }
                all
            }
        };
        let baseline = fixed.map(|compare| {
            let labels: Vec<String> = (resolved.axes.iter())
                .filter_map(|axis| {
                    let label = compare.baseline.get(&axis.name)?;
                    Some(axis_label(axis, label))
                })
                .collect();
            labels.join(", ")
        });
        Pairs {
            cells,
            baseline,
            along,
        }
    }

    /// The labels of a cell on the axes along which it is compared, or on the others that vary.
    pub fn label(&self, run: &Run, rows: &Rows<'_>, cell: usize, along: bool) -> String {
        let labels = &run.resolved.cells[cell].labels;
        let parts: Vec<String> = (run.resolved.axes.iter().enumerate())
            .filter(|(i, _)| self.along.contains(i) == along)
            .filter(|(i, _)| along || rows::values(&rows.cells, *i).len() > 1)
            .map(|(i, axis)| axis_label(axis, &labels[i]))
            .collect();
        parts.join(", ")
    }
}
