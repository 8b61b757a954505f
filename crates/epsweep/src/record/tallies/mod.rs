//! Tallies that outlive a run: what it has simulated so far, so that it can be resumed after any end, extended by more trials, or merged
//! from shards.
//!
//! A run directory has a folder `.tallies`: `identity.json` says of what, `finished` holds the tallies of finished tiles one after
//! another, `open` those of the others at the last checkpoint. Every tally has its hash: what was cut off or changed is not used, and
//! is simulated again. A shard ends as one file, `shard.tallies`, with a first line that says of what.

mod folder;
mod frame;
mod header;
mod shard;
mod store;
#[cfg(test)]
mod tests;

pub use folder::ShardDir;
pub use header::Header;
pub(super) use shard::SHARD;
pub use shard::{Merged, ShardFile, write_shard};
pub(super) use store::{FOLDER, holds_tallies};
pub use store::{Others, Store};
