//! Releasing the answers of queries with additive noise: the error of query q in a trial is b_q·L_q, a scale times a standard variate.
//!
//! Under common random numbers (the default) query q has one row of standard noise, named by the noise and the query, which all
//! cells read. What depends on the noise of a single query alone is therefore tallied once, in units of the scale, and each cell
//! sees it through an affine map; only measures of all queries together have rows of their own in each cell. With
//! independent streams the cell's canonical text enters the name, and every row is the cell's own.

mod clamped;
mod compute;
mod derived;
mod draft;
mod finish;
mod kernels;
mod layout;
mod run;
#[cfg(test)]
mod tests;

pub use super::Streams;
pub use clamped::ClampedError;
pub use compute::Slots;
pub use derived::DerivedError;
pub use run::{Request, run};

use super::{At, Procedure, Rows};
use crate::measure::Standard;
use crate::measure::kernel::{Errors, Kernel};
use crate::tally::RowKind;
use compute::{Computation, Place};
use epsweep_core::random::{Draws, Source};

/// Queries up to which a block needs no memory of its own.
const FEW: usize = 16;

/// The procedure, for the cells of one tile.
#[derive(Debug)]
pub struct Release {
    sources: Vec<Source>,
    shared: Vec<NoiseRow>,
}

/// A row that depends on a single number: `scale`·`of` its variates or errors.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NoiseRow {
    place: Place,
    of: Standard,
    /// 1 in rows that cells share
    scale: f64,
    /// order of magnitude of what the row holds: the scale, unless the variates are errors already
    magnitude: f64,
}

/// A cell, ready to be simulated.
#[derive(Debug)]
pub struct Prepared {
    /// what is computed before the rows
    computations: Vec<Computation>,
    /// slots that this takes
    slots: usize,
    /// numbers that are measured together
    groups: Vec<Group>,
    /// its first rows, of groups
    all: Vec<AllRow>,
    /// the rows behind, of single numbers: with independent streams, and where comparisons need them
    own: Vec<NoiseRow>,
    /// 1 over the number of records
    per_record: f64,
}

/// A row of a group: what computes it, and its order of magnitude.
#[derive(Debug)]
struct AllRow {
    group: usize,
    kernel: Kernel,
    magnitude: f64,
}

/// Numbers that are measured together.
#[derive(Debug)]
struct Group {
    /// variates or errors of each number
    places: Vec<Place>,
    /// factor of each number, relative to `unit`
    scales: Vec<f64>,
    /// weight of each number, of 1
    weights: Vec<f64>,
    /// the power of two at or below the largest scale
    unit: f64,
}

impl NoiseRow {
    fn kind(&self) -> RowKind {
        match self.of {
            Standard::Signed => RowKind::signed(self.magnitude),
            Standard::Absolute => RowKind::real(self.magnitude),
            // squares of large variates reach further up
            Standard::Squared => RowKind::real(4.0 * self.magnitude),
            Standard::Within(_) => RowKind::Flag,
            // a constant answer may be negative
            Standard::One if self.scale < 0.0 => RowKind::signed(self.magnitude),
            Standard::One => RowKind::real(self.magnitude),
        }
    }

    /// Computes a block of the row into `out`.
    fn fill(&self, noise: &[f64], at: At, out: &mut [f64]) {
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
    type Scratch = Slots;
    const CHUNK: usize = 4096;

    fn sources(&self) -> Vec<Source> {
        self.sources.clone()
    }

    fn shared_rows(&self) -> Vec<RowKind> {
        self.shared.iter().map(NoiseRow::kind).collect()
    }

    fn rows(&self, cell: &Prepared) -> Vec<RowKind> {
        let own = cell.own.iter().map(NoiseRow::kind);
        let all = cell.all.iter().map(|row| RowKind::real(row.magnitude));
        all.chain(own).collect()
    }

    fn scratch(&self) -> Slots {
        Slots::default()
    }

    fn shared<'a>(&self, row: usize, draws: &'a Draws, at: At, room: &'a mut [f64]) -> &'a [f64] {
        let row = &self.shared[row];
        // rows that cells share are of sources: slots are a cell's own
        let Place::Source(source, part) = row.place else {
            return room;
        };
        let noise = at.of(draws.row(source, part));
        // the tally of a row of magnitudes clears the signs itself
        if matches!(row.of, Standard::Signed | Standard::Absolute) {
            return noise;
        }
        row.fill(noise, at, room);
        room
    }

    fn cell(
        &self,
        cell: &Prepared,
        draws: &Draws,
        at: At,
        scratch: &mut Slots,
        rows: &mut Rows<'_>,
    ) {
        if cell.slots > 0 {
            scratch.fill(&cell.computations, cell.slots, draws, at);
        }
        let all = cell.all.len();
        for (row, noise) in cell.own.iter().enumerate() {
            // a constant has no variates
            let variates = match noise.of {
                Standard::One => &[],
                _ => scratch.row(noise.place, draws, at),
            };
            noise.fill(variates, at, rows.row(all + row));
        }
        for (index, group) in cell.groups.iter().enumerate() {
            let mut own = (cell.all.iter().enumerate())
                .filter(|(_, row)| row.group == index)
                .peekable();
            if own.peek().is_none() {
                continue;
            }
            // few numbers, as nearly always: without touching the heap
            let mut few: [&[f64]; FEW] = [&[]; FEW];
            let many: Vec<&[f64]>;
            let places = &group.places;
            let rows_of = places.iter().map(|place| scratch.row(*place, draws, at));
            let noise = if places.len() <= FEW {
                few.iter_mut().zip(rows_of).for_each(|(to, row)| *to = row);
                &few[..places.len()]
            } else {
                many = rows_of.collect();
                &many
            };
            let errors = Errors {
                noise,
                scales: &group.scales,
                weights: &group.weights,
                share: 1.0 / group.scales.len() as f64,
                unit: group.unit,
                per_record: cell.per_record,
            };
            for (row, of_group) in own {
                (of_group.kernel)(at.level, &errors, rows.row(row));
            }
        }
    }
}
