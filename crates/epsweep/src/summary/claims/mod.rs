//! Checking statements of a source ([`claim`](crate::claim)) against the rows of a run.

mod between;
mod evaluate;
mod quantity;
mod ratio;
#[cfg(test)]
mod tests;

pub use evaluate::evaluate;
pub use quantity::ClaimError;
