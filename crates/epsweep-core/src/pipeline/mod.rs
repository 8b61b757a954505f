//! Three stages on one budget: choose a clipping bound, then sum what is clipped to it, and count.
//!
//! 1. A bound B is chosen among public candidates by the exponential mechanism, which scores them by how near their rank is to a quantile's
//!    (Smith, STOC 2011), with a share of ε; or it is declared, which costs nothing.
//! 2. Σ min(x, B) with Laplace noise. Adding or removing a record changes it by at most max(|low|, |B|): what was chosen decides the noise.
//! 3. The number of records with Laplace noise of scale 1/ε₃.
//!
//! The stages compose: their ε add up (Dwork and Roth, 2014, theorem 3.16), although the second depends on what the first releases. The mean is the noisy
//! sum over the noisy count, which is taken as at least 1.
//!
//! Given B, the errors are Laplace noise about the bias of clipping. So their laws are mixtures over the exact law of the choice.

mod stages;
#[cfg(test)]
mod tests;

pub use stages::{Answer, Bound, PipelineError, Stages};
