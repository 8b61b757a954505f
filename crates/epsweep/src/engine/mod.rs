//! Simulation: work is divided into (tile, span of chunks), done by any number of threads, and merged so that the bits do not
//! depend on how it was divided. Nothing here knows what is simulated.
//!
//! - A *chunk* is a power of two of consecutive trials: the unit of random streams and of merging.
//! - A *block* is the part of a chunk that is held in the first-level cache at once.
//! - A trial *fails* if its procedure panics, or if a row has no number that has one in every trial. It is counted and told, and stays out
//!   of the moments and counts of what has no number in it.
//! - A [`Tile`] is a set of cells that share their noise, small enough for its buffers.

mod beside;
#[cfg(test)]
mod fault_tests;
mod guard;
mod keep;
mod listing;
mod memory;
mod procedure;
mod progress;
mod replay;
mod scale;
mod scheduler;
#[cfg(test)]
mod tests;
mod tile;

pub use crate::tally::BLOCK;
pub use beside::{Looker, beside};
pub use keep::{Instead, Keep, Kept, Part, Shard, Single};
pub use listing::{Listed, Listing, TakeTrials, Way};
pub use procedure::{At, Procedure, Rows};
pub use progress::Progress;
#[cfg(test)]
pub(crate) use replay::order_statistics_within;
pub use replay::{Replay, order_statistics};
pub use scale::{Scale, Weight};
pub(crate) use scheduler::pool;
pub use scheduler::{Job, Schedule, ThreadsError, Unfinished, each, simulate, start};
pub use tile::{Pair, SHOWN, Session, Tile, TileCell, TrialAlone, TrialDraws, Work};
