//! The non-private optimum: the minimum of the mean loss, by Newton's method.

use super::error::TrainingError;
use super::examples::{Examples, dot};
use super::model::Model;

/// Most steps of Newton's method; it needs about ten.
const MOST_STEPS: usize = 200;

/// The minimum of (1/n) Σ ℓ(xᵢ·w, yᵢ) + ½·ridge·‖w‖², to machine precision: Newton's method with halved steps while the loss rises (Boyd and
/// Vandenberghe, Convex Optimization, 2004, section 9.5), the equations solved by Cholesky's decomposition.
///
/// # Errors
/// [`TrainingError::NoOptimum`] if there is none, or more than one
pub fn optimum(examples: &Examples, model: Model, ridge: f64) -> Result<Vec<f64>, TrainingError> {
    let mut w = vec![0.0; examples.features()];
    let mut value = objective(examples, model, ridge, &w);
    for _ in 0..MOST_STEPS {
        let (gradient, hessian) = derivatives(examples, model, ridge, &w);
        let step = solve(hessian, &gradient).ok_or(TrainingError::NoOptimum)?;
        // what a full step would gain
        let decrement = dot(&step, &gradient);
        let mut size = 1.0;
        loop {
            let next: Vec<f64> = (w.iter().zip(&step)).map(|(w, s)| w - size * s).collect();
            let at = objective(examples, model, ridge, &next);
            // below the rounding of the loss, whole steps are taken as they come
            if at <= value || decrement <= 1e-14 * (1.0 + value.abs()) {
                (w, value) = (next, at);
                break;
            }
            size *= 0.5;
            if size < 1e-12 {
                return Err(TrainingError::NoOptimum);
            }
        }
        let length = dot(&w, &w).sqrt();
        // a logistic loss whose classes can be separated falls for ever as w grows
        if !(length < 1e8) {
            return Err(TrainingError::NoOptimum);
        }
        if dot(&step, &step).sqrt() <= 1e-13 * (1e-3 + length) {
            return Ok(w);
        }
    }
    Err(TrainingError::NoOptimum)
}

/// The mean loss with the ridge's part.
fn objective(examples: &Examples, model: Model, ridge: f64, w: &[f64]) -> f64 {
    examples.judge(model, w).0 + 0.5 * ridge * dot(w, w)
}

/// Gradient and Hessian (row by row) of the objective.
pub(super) fn derivatives(
    examples: &Examples,
    model: Model,
    ridge: f64,
    w: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let (d, n) = (examples.features(), examples.len() as f64);
    let (mut gradient, mut hessian) = (vec![0.0; d], vec![0.0; d * d]);
    for (x, label) in examples.records() {
        let p = dot(x, w);
        let (residual, curvature) = (model.residual(p, label), model.curvature(p));
        for j in 0..d {
            gradient[j] += residual * x[j];
            let weight = curvature * x[j];
            for (h, other) in hessian[j * d..][..=j].iter_mut().zip(x) {
                *h += weight * other;
            }
        }
    }
    for j in 0..d {
        gradient[j] = gradient[j] / n + ridge * w[j];
        for k in 0..=j {
            let mean = hessian[j * d + k] / n + if j == k { ridge } else { 0.0 };
            hessian[j * d + k] = mean;
            hessian[k * d + j] = mean;
        }
    }
    (gradient, hessian)
}

/// The solution of Hx = g for a symmetric positive definite H by Cholesky's decomposition; `None` for another H.
pub(super) fn solve(mut h: Vec<f64>, g: &[f64]) -> Option<Vec<f64>> {
    let d = g.len();
    for j in 0..d {
        let whole = h[j * d + j];
        for k in 0..j {
            h[j * d + j] -= h[j * d + k] * h[j * d + k];
        }
        // what is left of the diagonal is rounding where a feature depends on the others
        if !(h[j * d + j] > 1e-12 * whole) || !h[j * d + j].is_finite() {
            return None;
        }
        h[j * d + j] = h[j * d + j].sqrt();
        for i in j + 1..d {
            for k in 0..j {
                h[i * d + j] -= h[i * d + k] * h[j * d + k];
            }
            h[i * d + j] /= h[j * d + j];
        }
    }
    let mut x = g.to_vec();
    for j in 0..d {
        for k in 0..j {
            x[j] -= h[j * d + k] * x[k];
        }
        x[j] /= h[j * d + j];
    }
    for j in (0..d).rev() {
        for k in j + 1..d {
            x[j] -= h[k * d + j] * x[k];
        }
        x[j] /= h[j * d + j];
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}
