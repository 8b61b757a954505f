//! Mergeable tallies, and what they yield for a cell.
//!
//! A tally has two halves with different algebra. Moments are floats and are merged along one fixed tree over chunk indices
//! ([`Forest`]); counts are integers and extremes, so any order of merging gives the same bits ([`Counts`]).

mod coarsen;
mod counts;
mod digest;
mod enter;
mod faults;
mod forest;
mod histogram;
mod kind;
mod lanes;
mod order;
mod sift;
mod state;
mod tallied;
mod wire;

pub use coarsen::BULK_BINS;
pub use counts::{Counts, Layout, Pool, SessionCounts};
pub use digest::RunDigest;
pub use faults::{
    CellFaults, Failed, FailedTrial, Fault, Faults, LONGEST_MESSAGE, MOST_TOLD, What,
};
pub use forest::{Forest, Leaf, Subtree};
pub use histogram::{Bin, Histogram};
pub use kind::{MANTISSA_BITS, OCTAVES, RowKind};
pub use lanes::{Lanes, Wins, add_differences, add_moments, add_row, count_row, count_wins};
pub(crate) use order::Brackets;
pub use order::{OrderStatistics, ranks_of_quantile};
pub(crate) use sift::{SIFTED, sift};
pub use state::Tally;
pub use tallied::{CellTally, ExactTally, Nature, OutcomeTally, PairTally};
pub use wire::WireError;

/// Values that are entered at once: trials that are simulated together, in the first-level cache.
pub const BLOCK: usize = 512;
