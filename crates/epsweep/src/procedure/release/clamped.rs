//! What is known of an error after steps that only move an answer to an interval.

use crate::study::release::ReleaseQuery;
use epsweep_core::noise::Noise;
use epsweep_core::postprocess::Step;
use epsweep_core::random::StandardLaw;
use epsweep_core::theory::{ClampedAbsError, ClampedLaplace, ClampedSquaredError, Law};
use std::sync::Arc;

/// The error of a Laplace release after clamping: its laws are exact.
#[derive(Clone, Copy, Debug)]
pub struct ClampedError {
    noise_scale: f64,
    /// the interval less the true answer: where errors lie
    pub(super) low: f64,
    pub(super) high: f64,
    magnitude: f64,
}

impl ClampedError {
    /// The error of this number after the steps, where it has Laplace noise of its own and all the steps are clamps. `magnitude` is
    /// its size by a rough guess, which only places histograms.
    pub fn after(
        told: &ReleaseQuery,
        steps: &[Arc<dyn Step>],
        magnitude: f64,
    ) -> Option<ClampedError> {
        if !told.is_scaled() || told.noise.standard() != StandardLaw::Laplace {
            return None;
        }
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for step in steps {
            let [least, most] = step.interval()?;
            // what one step leaves, the next moves: both ends with all that lies between them
            (low, high) = (low.clamp(least, most), high.clamp(least, most));
        }
        low.is_finite().then_some(ClampedError {
            noise_scale: told.noise.scale(),
            low: low - told.truth,
            high: high - told.truth,
            magnitude,
        })
    }
}

impl Noise for ClampedError {
    fn name(&self) -> &'static str {
        "clamped"
    }

    fn scale(&self) -> f64 {
        self.magnitude
    }

    fn standard(&self) -> StandardLaw {
        StandardLaw::Laplace
    }

    fn variance(&self) -> f64 {
        self.error_law().sd().map_or(f64::NAN, |sd| sd * sd)
    }

    /// No interval around a clamped answer is told.
    fn half_width(&self, _level: f64) -> f64 {
        f64::NAN
    }

    /// What is computed from private answers costs nothing more; what those cost is not asked here.
    fn delta(&self, _epsilon: f64) -> f64 {
        f64::NAN
    }

    fn answer_law(&self, truth: f64) -> Arc<dyn Law> {
        let (low, high) = (truth + self.low, truth + self.high);
        Arc::new(ClampedLaplace::new(self.noise_scale, truth, low, high))
    }

    fn abs_error_law(&self) -> Arc<dyn Law> {
        Arc::new(ClampedAbsError::new(
            self.noise_scale,
            0.0,
            self.low,
            self.high,
        ))
    }

    fn squared_error_law(&self) -> Arc<dyn Law> {
        Arc::new(ClampedSquaredError::new(
            self.noise_scale,
            0.0,
            self.low,
            self.high,
        ))
    }
}
