//! Reports.

pub mod number;
