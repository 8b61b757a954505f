//! Streams of queries that are answered online, under one guarantee.
//!
//! - [`policy`]: how much each answer may cost, decided from earlier answers and what is left of the budget
//! - [`sequence`]: generated true answers

pub mod parameter;
pub mod policy;
pub mod sequence;
