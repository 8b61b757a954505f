//! The mathematics of private release: budgets, sensitivities, queries, noise, allocations, the exact laws of errors,
//! and addressed randomness. Pure: no files, no threads, no clock, no printing, no wire formats.
//!
//! The noise drawn here is floating-point noise **for simulation**. It is not meant for deployment: the low bits of
//! floating-point Laplace noise leak (Mironov, CCS 2012).

pub mod about;
pub mod accounting;
pub mod allocation;
pub mod audit;
pub mod budget;
pub mod data;
pub mod noise;
mod numeric;
pub mod pipeline;
pub mod population;
pub mod postprocess;
pub mod query;
pub mod random;
pub mod selection;
pub mod sensitivity;
mod shortest;
pub mod statistics;
pub mod stream;
mod summation;
pub mod theory;
pub mod training;
pub mod workload;
