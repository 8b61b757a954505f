//! Tables with declared, public bounds, and the language of predicates on their rows.
//!
//! Bounds are declared, never taken from the data: bounds that follow the data would leak them. Values outside are clipped, and
//! the number clipped is counted.

mod bounds;
mod column;
mod error;
mod predicate;
mod table;

pub use bounds::Bounds;
pub use column::{Column, Values};
pub use error::DataError;
pub(crate) use predicate::{Cuts, Piece};
pub use predicate::{Predicate, PredicateError, Region, disjoint};
pub use table::Table;
