//! Releases that are counted: what one of the cells is.

use epsweep_core::about::About;
use epsweep_core::accounting::{
    Accountant, AccountingError, Release, Total, most_runs, total_or_declared,
};
use std::sync::{Arc, OnceLock};

/// What it does with a budget.
pub const ABOUT: About = About {
    name: "compose",
    summary: "releases that are counted, not simulated: what they cost together",
    formula: "ε(δ) of k releases, by an accountant",
    source: "that of the accountant",
};

/// An example of its section.
pub const EXAMPLE: &str = "[budget]\ndelta = 1e-6\n\n[procedure.compose]\naccountant = \"pld\"\nrelease = { laplace = 0.1 }\nk = 100\n";

/// Releases, and who counts them. Answers are computed when they are first asked for, and kept.
#[derive(Clone, Debug)]
pub struct ComposeCell {
    /// canonical text
    pub id: String,
    /// who counts
    pub accountant: &'static dyn Accountant,
    /// what runs
    pub releases: Vec<Release>,
    /// the δ at which ε is asked for
    pub delta: f64,
    /// how often something runs within a guarantee, if that is asked: cells that ask the same share the answer
    pub within: Option<Arc<Within>>,
    total: OnceLock<Result<Total, AccountingError>>,
}

impl ComposeCell {
    /// A cell that has not been asked yet.
    pub fn new(
        id: String,
        accountant: &'static dyn Accountant,
        releases: Vec<Release>,
        delta: f64,
        within: Option<Arc<Within>>,
    ) -> ComposeCell {
        ComposeCell {
            id,
            accountant,
            releases,
            delta,
            within,
            total: OnceLock::new(),
        }
    }

    /// The ε of all releases together.
    ///
    /// # Errors
    /// What the accountant refuses
    pub fn total(&self) -> Result<&Total, AccountingError> {
        (self.total)
            .get_or_init(|| total_or_declared(self.accountant, &self.releases, self.delta))
            .as_ref()
            .map_err(Clone::clone)
    }
}

/// The question how often releases can run within a guarantee.
#[derive(Debug)]
pub struct Within {
    /// who counts
    pub accountant: &'static dyn Accountant,
    /// what runs once
    pub releases: Vec<Release>,
    /// the guarantee
    pub epsilon: f64,
    /// and its δ
    pub delta: f64,
    most: OnceLock<Result<u64, AccountingError>>,
}

impl Within {
    /// A question that has not been asked yet.
    pub fn new(
        accountant: &'static dyn Accountant,
        releases: Vec<Release>,
        epsilon: f64,
        delta: f64,
    ) -> Within {
        Within {
            accountant,
            releases,
            epsilon,
            delta,
            most: OnceLock::new(),
        }
    }

    /// How often.
    ///
    /// # Errors
    /// What the accountant refuses
    pub fn most(&self) -> Result<u64, AccountingError> {
        (self.most)
            .get_or_init(|| most_runs(self.accountant, &self.releases, self.epsilon, self.delta))
            .clone()
    }
}
