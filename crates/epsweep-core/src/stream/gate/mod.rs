//! Gates: which queries of a stream are above their thresholds, paid for by the positive answers alone.
//!
//! A gate adds noise to the threshold, once or anew after every positive answer, and to every query. Algorithms are numbered as by Lyu, Su
//! and Li, "Understanding the sparse vector technique for differential privacy", VLDB 2017, figure 1; what each costs is in their
//! figure 2.
//!
//! To add a gate: one file here, and one line in [`REGISTRY`].

mod above_threshold;
mod calibrated;
mod setting;
mod sparse;
mod svt_alg1;
mod svt_alg3;
mod svt_alg4;
mod svt_alg5;
mod svt_alg6;
mod svt_alg7;

pub use calibrated::{Answering, Calibrated, Privacy};
pub use setting::{Setting, Split};

use super::StreamError;
use crate::about::About;
use std::fmt::Debug;

/// Whether a gate may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// it has the guarantee that it claims
    Private,
    /// published with a guarantee that it does not have: a control, and nothing else. Says what is wrong with it
    Broken(&'static str),
}

/// A way to tell queries above a threshold from those below.
pub trait Gate: Debug + Send + Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// Whether it is private.
    fn standing(&self) -> Standing {
        Standing::Private
    }

    /// Its noise and its costs.
    ///
    /// # Errors
    /// [`StreamError::Unsupported`] if it does not have what the setting asks for
    fn calibrate(&self, setting: &Setting) -> Result<Calibrated, StreamError>;
}

/// All gates, in the order in which they are listed: private ones first.
pub const REGISTRY: &[&dyn Gate] = &[
    &svt_alg7::Alg7,
    &svt_alg1::Alg1,
    &above_threshold::AboveThreshold,
    &sparse::Sparse,
    &svt_alg3::Alg3,
    &svt_alg4::Alg4,
    &svt_alg5::Alg5,
    &svt_alg6::Alg6,
];

/// The gate of that name.
pub fn find(name: &str) -> Option<&'static dyn Gate> {
    REGISTRY
        .iter()
        .copied()
        .find(|gate| gate.about().name == name)
}
