//! Mergeable tallies, and what they yield for a cell.

mod histogram;
mod tallied;

pub use histogram::{Bin, Histogram};
pub use tallied::{CellTally, OutcomeTally, PairTally};
