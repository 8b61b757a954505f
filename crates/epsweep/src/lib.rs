//! The runner: from an experiment file to tables, intervals, figures and a report.
//!
//! Data flows one way, and each arrow's types are valid by construction:
//!
//! ```text
//! TOML ─config→ values with their places ─plan→ cells ─engine: simulate(tile, chunk)→ tallies ─merge→ CellTally
//!      ─summary→ rows ─record→ files of the run directory ─read back→ figure, report, cli
//! ```
//!
//! `crates/README.md` draws it, says what each module is for and which may import which (a test compares that with the sources), and adds a noise step by
//! step.
//!
//! Simulating and reporting are joined only by the files of the run directory: `epsweep report DIR` needs nothing else.
//! [`pipeline`] strings the arrows together; [`cli`] is the only place that prints. [`pipeline::Gathering`] does the last two arrows cell by cell
//! where there are many.
//!
//! What always holds, and is tested:
//!
//! - **Draws are addressed, not consumed.** Which number a trial gets depends on (seed, purpose, row, chunk, trial), never on what
//!   was drawn before. All cells see the same draws unless streams are independent.
//! - **The same bits** for any number of threads, any instruction set, any order of work and any company of a cell. Moments are
//!   merged along one binary tree over the chunks; counts are integers.
//! - **Memory does not grow with the number of trials.**
//! - **A final name shows only complete files**, and no run is overwritten by another.
//! - **No trial that fails is passed over**: it ends the run and is named, or is counted and told.
//! - **No trial spends more than its guarantee**: the trials of a stream are compared with it as they run.
//! - **Everything wrong with an experiment file is said at once**, before anything is simulated or written.
//! - **Every estimate has its Monte Carlo error**, and stands beside the exact value where theory knows it.
//!
//! [`calibrate`] repeats a small run and counts how often its intervals cover the truth.
//!
//! [`export`] writes what a run found in the formats of other programs.
//!
//! [`compare`] puts two runs beside each other, from their files alone.
//!
//! [`audit`] stands beside: it runs mechanisms, or programs, on pairs of inputs and bounds from below how private they are.
//!
//! [`catalogue`] says of everything that can be named what it is, from the registries; [`config::schema`] says which keys there are, for
//! editors; [`template`] holds files to start from. Tests hold all three to what the readers take.
//!
//! To add a query, noise, allocation, gate, measure, figure or format of export: one new file, and one line in that family's registry. Tests iterate the
//! registries.

pub mod audit;
pub mod calibrate;
pub mod catalogue;
pub mod claim;
pub mod cli;
pub mod compare;
pub mod config;
pub mod engine;
pub mod export;
pub mod figure;
pub mod load;
pub mod measure;
pub mod pipeline;
pub mod plan;
pub mod procedure;
pub mod record;
pub mod report;
pub mod study;
pub mod summary;
pub mod tally;
pub mod template;
pub mod verify;
pub mod words;
