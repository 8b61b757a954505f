//! Estimates and their Monte Carlo errors.

mod moments;
pub use moments::Moments;
