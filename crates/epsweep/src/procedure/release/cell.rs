//! What the procedure is told of a cell.

use epsweep_core::noise::Noise;
use std::sync::Arc;

/// A cell of a release: queries answered once, each with noise of its own.
#[derive(Clone, Debug)]
pub struct ReleaseCell {
    /// canonical text of the cell, `epsilon=1 allocation=even`: names the cell, and its streams where they are independent
    pub id: String,
    /// the queries in the file's order; their names differ
    pub queries: Vec<ReleaseQuery>,
}

/// A query of a cell, calibrated.
#[derive(Clone, Debug)]
pub struct ReleaseQuery {
    /// its name
    pub name: String,
    /// its true answer
    pub truth: f64,
    /// its weight in `weighted_mse`; not negative, finite
    pub weight: f64,
    /// the noise that is added to it: a standard variate times [`Noise::scale`]. A scale of zero (a query of sensitivity
    /// zero) adds nothing. An infinite or NaN scale makes every measure that touches the query undefined in every trial.
    pub noise: Arc<dyn Noise>,
}

#[cfg(test)]
impl ReleaseQuery {
    /// A query of weight 1 with Laplace noise of this scale.
    pub(crate) fn laplace(name: &str, truth: f64, scale: f64) -> ReleaseQuery {
        use epsweep_core::budget::{Budget, Epsilon};
        use epsweep_core::noise::Laplace;
        use epsweep_core::sensitivity::Sensitivity;
        let sensitivity = Sensitivity {
            l1: scale,
            l2: scale,
        };
        // at ε = 1 the scale is the sensitivity; without budget it is infinite
        let noise = match (scale.is_finite(), Epsilon::new(1.0)) {
            (true, Ok(one)) => Laplace::calibrate(sensitivity, Some(Budget::Pure(one))),
            _ => Laplace::calibrate(Sensitivity { l1: 1.0, l2: 1.0 }, None),
        };
        ReleaseQuery {
            name: String::from(name),
            truth,
            weight: 1.0,
            noise: Arc::new(noise.expect("a scale that Laplace noise can have")),
        }
    }
}
