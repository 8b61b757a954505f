//! Streams of queries that are answered one after another, under one guarantee for all of them.
//!
//! A [`Queries`] holds the true answers in the order in which they are asked, with the threshold of each. A [`Gate`] says of each
//! whether it is above its threshold, pays for the answers "above" alone, and closes when it has given a number of them:
//! the sparse vector technique. [`gate::REGISTRY`] has the private ones and, as controls, published ones that are not.
//! [`StreamLaw`] has the exact laws of what a gate does on a stream, [`output`] the exact probabilities of its outputs, and [`Lockstep`]
//! plays many trials at once on addressed draws.
//!
//! A query is above if its noisy answer is at least the noisy threshold. Scales, answers and thresholds are in the units of the answers.

mod error;
pub mod gate;
mod law;
mod lockstep;
mod nodes;
pub mod output;
mod queries;
#[cfg(test)]
mod tests;

pub use error::StreamError;
pub use gate::{Answering, Calibrated, Gate, Privacy, Setting, Split, Standing};
pub use law::{Counted, StreamLaw};
pub use lockstep::{Lockstep, Played, Rows};
pub use queries::Queries;
