//! Private gradient descent for linear and logistic regression (Abadi et al., CCS 2016; Bassily, Smith and Thakurta, FOCS 2014).
//!
//! Each step sums the gradients of a Poisson sample of the records, every one clipped to an L2 norm of C, and adds Gaussian noise. [`NoisePlan`] says
//! how much, so that all steps together meet the guarantee under addition or removal of a record; a [`schedule`] says how the steps share the
//! budget. [`Descent`] runs eight trials at once over the same data ([`kernel`]); [`optimum`](optimum()) is what they are
//! compared with, and [`exact`] what theory knows of the result.

mod descent;
mod error;
pub mod exact;
mod examples;
mod generate;
pub mod kernel;
mod model;
mod noise;
mod optimum;
pub mod schedule;
#[cfg(test)]
mod tests;

pub use descent::{Average, Data, Descent, Room, Streams};
pub use error::TrainingError;
pub use examples::Examples;
pub use generate::Generator;
pub use model::Model;
pub use noise::{Currency, NoisePlan, Spender, releases};
pub use optimum::optimum;
pub use schedule::Schedule;
