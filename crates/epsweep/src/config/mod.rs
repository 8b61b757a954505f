//! The experiment file: from bytes to values with positions, and from values to what they mean.
//!
//! A file is read into a tree of values that know their place ([`document`]); command-line overrides and the values of the sweep are put
//! into that tree; then each section is read by typed readers ([`reader`]) that collect every fault ([`diagnostic`]).

pub mod budget;
pub mod claims;
pub mod clip_then_sum;
pub mod compare;
pub mod compose;
pub mod data;
pub mod diagnostic;
pub mod document;
pub mod encoding;
pub mod figures;
pub mod file;
pub mod mechanisms;
pub mod member;
mod misplaced;
pub mod noise;
pub mod number;
pub mod path;
pub mod policy;
pub mod precision;
pub mod procedure;
pub mod queries;
pub mod reader;
pub mod release;
pub mod schema;
pub mod select;
pub mod sequence;
pub mod settings;
mod slips;
pub mod source;
pub mod stream;
pub mod sweep;
pub mod train;
pub mod value;
pub mod vocabulary;

pub use diagnostic::{Diagnostic, Diagnostics};
