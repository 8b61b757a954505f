//! Grids that are too large to be kept.

/// Cells from which on a run is recorded while it is simulated. With fewer, all of it is kept in memory: that is simpler to write, and takes
/// half a megabyte a cell.
pub const MANY_CELLS: usize = 256;

/// Cells that are resolved at once where there are so many that they are not all held: a plan of each takes some kilobytes.
pub const BATCH: usize = 4096;

/// Whether a run of so many cells is recorded while it is simulated. With a target it is not: which cells are precise enough is judged of
/// all together.
pub fn gathers(cells: usize, has_target: bool) -> bool {
    cells > MANY_CELLS && !has_target
}
