//! `audit`: a lower bound, from many runs, of how private a mechanism or a program really is.
//!
//! ```text
//! TOML ─file→ Audit (mechanism, pairs, claim) ─run: sample, count→ Report ─cli→ text or JSON
//! ```
//!
//! The method is that of [`epsweep_core::audit`]. Runs have addresses: (seed, part, side, chunk), where the parts *order*, *choose* and
//! *certify* share nothing, so that the counts are the same for any number of threads.

mod command;
mod file;
mod mechanism;
mod process;
mod report;
mod run;
mod sample;
pub mod schema;
#[cfg(test)]
mod tests;

pub use file::Audit;
pub(crate) use process::end_all;
pub use report::Report;
pub use run::AuditFailure;

use epsweep_core::about::About;
use epsweep_core::audit::subject;

/// What audits of programs are.
pub fn command_about() -> &'static About {
    &command::ABOUT
}

/// What can be audited, in the order in which it is listed.
pub fn abouts() -> Vec<&'static About> {
    let mechanisms = subject::REGISTRY.iter().map(|kind| kind.about());
    mechanisms.chain([&command::ABOUT]).collect()
}
