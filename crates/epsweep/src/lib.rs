//! The runner: from an experiment file to tables, intervals, figures and a report.

pub mod claim;
pub mod cli;
pub mod config;
pub mod engine;
pub mod figure;
pub mod load;
pub mod measure;
pub mod pipeline;
pub mod plan;
pub mod procedure;
pub mod record;
pub mod report;
pub mod summary;
pub mod tally;
pub mod words;
