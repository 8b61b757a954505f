//! Counting privacy: what many releases cost together.
//!
//! An [`Accountant`] bounds the ε of a list of [`Release`]s at a δ; [`REGISTRY`] holds one per method and [`smallest`] asks all of
//! them. All bounds hold for adaptively chosen releases whose budgets are fixed in advance; for budgets that are chosen on the way there
//! are filters and odometers, and the [`ledger`] is what spends go through. Single formulas are public functions of their files.
//!
//! A bound that is valid is not always below the plain sum: for few releases only `optimal` and `pld` are, and [`smallest`]
//! says of each method by how much it exceeds it.
//!
//! Conventions: logarithms are natural; δ is in [0, 1), and above 0 for all methods but `basic` and `optimal`; ε is never negative.
//!
//! ```
//! use epsweep_core::accounting::{Mechanism, Release, accountant};
//! use epsweep_core::budget::Epsilon;
//!
//! let releases = [Release::repeated(Mechanism::Laplace(Epsilon::new(0.1)?), 100)?];
//! let total = |method| accountant(method).expect("it is listed").total(&releases, 1e-6);
//! let (sum, exact) = (total("basic")?.epsilon, total("pld")?.epsilon);
//! assert!((sum - 10.0).abs() < 1e-9);
//! assert!(exact < 0.5 * sum); // a hundred cost less than half of their sum
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod advanced;
mod at_epsilon;
pub mod basic;
pub mod classic_gaussian;
mod declared;
pub mod division;
mod error;
mod exact;
pub mod filter;
pub mod gaussian;
pub mod group;
pub mod ledger;
mod most;
mod normal;
pub mod odometer;
pub mod optimal;
pub mod pld;
pub mod rdp;
mod release;
mod smallest;
pub mod zcdp;

pub use at_epsilon::{AtEpsilon, DeltaAnswer, SmallestDelta, smallest_delta_of};
pub use declared::{epsilon_alone, total_or_declared};
pub use division::{Composition, Division, DivisionError, Spender};
pub use error::AccountingError;
pub use exact::ExactSum;
pub use ledger::{Ledger, LedgerError};
pub use most::most_runs;
pub use release::{Mechanism, NoiseMultiplier, Release, SamplingProbability, grouped};
pub use smallest::{Answer, Smallest, smallest, smallest_of};

use crate::about::About;

/// What a method says of a list of releases.
#[derive(Clone, Debug, PartialEq)]
pub struct Total {
    /// an upper bound on ε: the releases together are (ε, δ)-differentially private
    pub epsilon: f64,
    /// a certified lower bound on the smallest such ε for the releases as described, where the method has one
    pub lower: Option<f64>,
    /// how the value came about
    pub note: Option<String>,
}

impl Total {
    /// An upper bound alone.
    pub fn upper(epsilon: f64) -> Total {
        Total {
            epsilon,
            lower: None,
            note: None,
        }
    }
}

/// A method of counting.
pub trait Accountant: std::fmt::Debug + Sync {
    /// Name, formula and source.
    fn about(&self) -> &'static About;

    /// The ε of all releases together at δ.
    ///
    /// # Errors
    /// [`AccountingError`] if the method cannot serve these releases or this δ; the error names what can
    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError>;

    /// The δ of all releases together at ε: of a method without a formula for it, the least δ at which its total is within ε.
    ///
    /// # Errors
    /// [`AccountingError`] if the method cannot serve these releases, whatever δ is, or ε is negative or not finite
    fn at_epsilon(&self, releases: &[Release], epsilon: f64) -> Result<AtEpsilon, AccountingError> {
        at_epsilon::by_search(epsilon, |delta| self.total(releases, delta))
    }
}

/// All methods, in the order in which they are listed.
pub const REGISTRY: &[&dyn Accountant] = &[
    &basic::Basic,
    &advanced::Classic,
    &advanced::Refined,
    &optimal::Optimal,
    &zcdp::Simple,
    &zcdp::Tight,
    &rdp::Rdp,
    &gaussian::Gaussian,
    &pld::Pld,
];

/// The method of this name.
pub fn accountant(name: &str) -> Option<&'static dyn Accountant> {
    REGISTRY
        .iter()
        .copied()
        .find(|accountant| accountant.about().name == name)
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
