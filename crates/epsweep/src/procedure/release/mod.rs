//! Releasing the answers of queries with additive noise: the error of query q in a trial is b_q·L_q, a scale times a standard variate.
//!
//! Under common random numbers (the default) query q has one row of standard noise, named by the noise and the query, which all
//! cells read. What depends on the noise of a single query alone is therefore tallied once, in units of the scale, and each cell
//! sees it through an affine map; only measures of all queries together have rows of their own in each cell. With
//! independent streams the cell's canonical text enters the name, and every row is the cell's own.

mod cell;
mod draft;
mod finish;
mod kernels;
mod layout;
mod run;
#[cfg(test)]
mod tests;

pub use super::Streams;
pub use cell::{ReleaseCell, ReleaseQuery};
pub use run::{Request, run};

use super::{At, Procedure, Rows};
use crate::measure::Standard;
use crate::measure::kernel::{Errors, Kernel};
use crate::tally::RowKind;
use epsweep_core::random::{Draws, Source};

/// Queries up to which a block needs no memory of its own.
const FEW: usize = 16;

/// The procedure, for the cells of one tile.
#[derive(Debug)]
pub struct Release {
    sources: Vec<Source>,
    shared: Vec<NoiseRow>,
}

/// A row that depends on the noise of one query: `scale`·`of`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NoiseRow {
    source: usize,
    of: Standard,
    /// 1 in rows that cells share
    scale: f64,
}

/// A cell, ready to be simulated.
#[derive(Debug)]
pub struct Prepared {
    /// its first rows, of all queries together: what computes them, and their order of magnitude
    all: Vec<(Kernel, f64)>,
    /// the rows behind, of single queries: with independent streams, and where comparisons need them
    own: Vec<NoiseRow>,
    /// source of each query
    sources: Vec<usize>,
    /// scale of each query, relative to `unit`
    scales: Vec<f64>,
    /// weight of each query, of 1
    weights: Vec<f64>,
    /// the power of two at or below the largest scale
    unit: f64,
}

impl NoiseRow {
    fn kind(&self) -> RowKind {
        match self.of {
            Standard::Signed => RowKind::signed(self.scale),
            Standard::Absolute => RowKind::real(self.scale),
            // squares of large variates reach further up
            Standard::Squared => RowKind::real(4.0 * self.scale),
            Standard::Within(_) => RowKind::Flag,
            // a constant answer may be negative
            Standard::One if self.scale < 0.0 => RowKind::signed(self.scale),
            Standard::One => RowKind::real(self.scale),
        }
    }

    /// Computes a block of the row into `out`.
    fn fill(&self, draws: &Draws, at: At, out: &mut [f64]) {
        let noise = at.of(draws.row(self.source, 0));
        match self.of {
            Standard::Signed => kernels::signed(at.level, self.scale, noise, out),
            Standard::Absolute => kernels::absolute(at.level, self.scale, noise, out),
            Standard::Squared => kernels::squared(at.level, self.scale, noise, out),
            Standard::Within(threshold) => kernels::within(at.level, threshold, noise, out),
            Standard::One => out.fill(self.scale),
        }
    }
}

impl Procedure for Release {
    type Cell = Prepared;
    type Scratch = ();
    const CHUNK: usize = 4096;

    fn sources(&self) -> Vec<Source> {
        self.sources.clone()
    }

    fn shared_rows(&self) -> Vec<RowKind> {
        self.shared.iter().map(NoiseRow::kind).collect()
    }

    fn rows(&self, cell: &Prepared) -> Vec<RowKind> {
        let own = cell.own.iter().map(NoiseRow::kind);
        let all = cell.all.iter().map(|(_, scale)| RowKind::real(*scale));
        all.chain(own).collect()
    }

    fn scratch(&self) {}

    fn shared<'a>(&self, row: usize, draws: &'a Draws, at: At, room: &'a mut [f64]) -> &'a [f64] {
        let row = &self.shared[row];
        // the tally of a row of magnitudes clears the signs itself
        if matches!(row.of, Standard::Signed | Standard::Absolute) {
            return at.of(draws.row(row.source, 0));
        }
        row.fill(draws, at, room);
        room
    }

    fn cell(&self, cell: &Prepared, draws: &Draws, at: At, _: &mut (), rows: &mut Rows<'_>) {
        let all = cell.all.len();
        for (row, noise) in cell.own.iter().enumerate() {
            noise.fill(draws, at, rows.row(all + row));
        }
        if all == 0 {
            return;
        }
        // few queries, as nearly always: without touching the heap
        let mut few: [&[f64]; FEW] = [&[]; FEW];
        let many: Vec<&[f64]>;
        let rows_of = cell.sources.iter().map(|s| at.of(draws.row(*s, 0)));
        let noise = if cell.sources.len() <= FEW {
            few.iter_mut().zip(rows_of).for_each(|(to, row)| *to = row);
            &few[..cell.sources.len()]
        } else {
            many = rows_of.collect();
            &many
        };
        let errors = Errors {
            noise,
            scales: &cell.scales,
            weights: &cell.weights,
            share: 1.0 / cell.scales.len() as f64,
            unit: cell.unit,
        };
        for (row, (kernel, _)) in cell.all.iter().enumerate() {
            kernel(at.level, &errors, rows.row(row));
        }
    }
}
