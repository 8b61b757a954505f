//! The run directory.

mod resolved;
mod rows;

pub use resolved::*;
pub use rows::*;
