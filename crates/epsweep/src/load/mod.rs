//! The data of an experiment: from files and generators to tables.

pub mod csv;
