//! What theory knows of the result of a private descent.
//!
//! - After a single step without sampling: the clipped gradients at w = 0 are no random numbers, so the result is normal about the noiseless step, with
//!   or without clipping, for both models.
//! - After any number of steps of linear regression without sampling, where clipping never sets in: the error is a linear recursion, driven by
//!   normal noise. Since the noise has the same size in all directions, the principal axes of the features stay apart, and each needs three
//!   numbers (error, direction, sum of the iterates) with their covariance. That no gradient is ever clipped cannot be certain; the law
//!   is given only if the sum of the probabilities that any record is, at any step, is below [`CLIPPED`].

use super::descent::Descent;
use super::examples::{Examples, dot};
use super::model::Model;
use super::noise::NoisePlan;
use super::optimum::optimum;
use crate::theory::Quadratic;

/// The probability of any clipping up to which the law without clipping is taken for exact.
pub const CLIPPED: f64 = 1e-12;

/// Features up to which principal axes are computed.
const MOST_FEATURES: usize = 128;

/// A normal law of the parameters: independent along orthogonal axes.
#[derive(Clone, Debug)]
pub struct ResultLaw {
    mean: Vec<f64>,
    /// rows are axes
    axes: Vec<Vec<f64>>,
    /// the mean square of the features along each axis
    curvatures: Vec<f64>,
    /// the standard deviation along each axis
    spreads: Vec<f64>,
}

impl ResultLaw {
    /// The law of the result, where it is known; `limits` are those of the records at the clipping norm.
    pub fn new(
        descent: &Descent,
        examples: &Examples,
        limits: &[f64],
        plan: &NoisePlan,
    ) -> Option<ResultLaw> {
        let d = examples.features();
        if descent.sampling.get() < 1.0 || d > MOST_FEATURES {
            return None;
        }
        let one = plan.steps() == 1;
        if !one && (descent.model != Model::Linear || plan.adapts()) {
            return None;
        }
        let n = examples.len() as f64;
        let (curvatures, axes) = principal_axes(examples);
        if one {
            let mut mean = vec![0.0; d];
            for ((x, label), limit) in examples.records().zip(limits) {
                let residual = descent.model.residual(0.0, label).clamp(-limit, *limit);
                for (to, x) in mean.iter_mut().zip(x) {
                    *to -= descent.rate * residual * x / n;
                }
            }
            let noise = plan.spender().pay()? * descent.clip;
            return Some(ResultLaw {
                mean,
                axes,
                curvatures,
                spreads: vec![descent.rate * noise / n; d],
            });
        }
        let target = optimum(examples, Model::Linear, descent.ridge).ok()?;
        let noise: Vec<f64> = (plan.multipliers().iter())
            .map(|multiplier| multiplier * descent.clip / n)
            .collect();
        let first = descent.average.first(plan.steps());
        let paths: Vec<Path> = (axes.iter().zip(&curvatures))
            .map(|(axis, curvature)| {
                let pull = curvature + descent.ridge;
                Path::new(descent, first, -dot(axis, &target), pull, &noise)
            })
            .collect();
        if clipped(examples, limits, &axes, &target, &paths) > CLIPPED {
            return None;
        }
        let mut mean = target;
        for (axis, path) in axes.iter().zip(&paths) {
            for (to, a) in mean.iter_mut().zip(axis) {
                *to += path.result.0 * a;
            }
        }
        Some(ResultLaw {
            mean,
            spreads: paths.iter().map(|path| path.result.1).collect(),
            axes,
            curvatures,
        })
    }

    /// The law of the distance from a point.
    pub fn distance(&self, point: &[f64]) -> Quadratic {
        let error: Vec<f64> = (self.mean.iter().zip(point)).map(|(m, p)| m - p).collect();
        Quadratic::length(
            (self.axes.iter().zip(&self.spreads)).map(|(axis, s)| (dot(axis, &error), *s)),
        )
    }

    /// The law of a linear model's mean loss on the records that it was learnt from; `None` if these have no unique optimum.
    pub fn linear_loss(&self, examples: &Examples) -> Option<Quadratic> {
        let best = optimum(examples, Model::Linear, 0.0).ok()?;
        let error: Vec<f64> = (self.mean.iter().zip(&best)).map(|(m, p)| m - p).collect();
        let axes = self.axes.iter().zip(&self.spreads).zip(&self.curvatures);
        let terms = axes.map(|((axis, s), curvature)| (0.5 * curvature, dot(axis, &error), *s));
        Some(Quadratic::new(
            examples.judge(Model::Linear, &best).0,
            terms.collect(),
        ))
    }

    /// (mean, standard deviation) of the prediction for a record.
    fn prediction(&self, x: &[f64]) -> (f64, f64) {
        let square: f64 = (self.axes.iter().zip(&self.spreads))
            .map(|(axis, s)| {
                let part = dot(axis, x) * s;
                part * part
            })
            .sum();
        (dot(&self.mean, x), square.sqrt())
    }

    /// The expected mean loss of a model on records, by the trapezoidal rule over each record's prediction.
    pub fn mean_loss(&self, model: Model, examples: &Examples) -> f64 {
        let mut losses = Vec::with_capacity(examples.len());
        for (x, label) in examples.records() {
            let (mean, sd) = self.prediction(x);
            losses.push(match model {
                Model::Linear => model.loss(mean, label) + 0.5 * sd * sd,
                Model::Logistic => {
                    // ln(1 + eᵖ) is analytic up to iπ: the step goes with the spread
                    let step = (1.2 / sd.max(1e-300)).clamp(0.02, 0.25);
                    let nodes = (9.0 / step) as i32;
                    let (mut sum, mut weights) = (0.0, 0.0);
                    for node in -nodes..=nodes {
                        let z = f64::from(node) * step;
                        let weight = libm::exp(-0.5 * z * z);
                        weights += weight;
                        sum += weight * model.loss(mean + sd * z, label);
                    }
                    sum / weights
                }
            });
        }
        crate::summation::sum(&losses) / examples.len() as f64
    }

    /// The expected share of records whose class is predicted right: P(p > 0) for one of class 1, the rest for one of class 0.
    pub fn mean_accuracy(&self, examples: &Examples) -> f64 {
        let right = examples.records().map(|(x, label)| {
            let (mean, sd) = self.prediction(x);
            let signed = if label > 0.5 { mean } else { -mean };
            match sd > 0.0 {
                true => 0.5 * libm::erfc(-signed / sd * std::f64::consts::FRAC_1_SQRT_2),
                // without noise, 0 is the prediction of class 0
                false => f64::from(u8::from((mean > 0.0) == (label > 0.5))),
            }
        });
        let right: Vec<f64> = right.collect();
        crate::summation::sum(&right) / examples.len() as f64
    }
}

/// The error along an axis, step by step.
struct Path {
    /// (mean, variance) of the error before each step
    before: Vec<(f64, f64)>,
    /// (mean, standard deviation) of the result's error
    result: (f64, f64),
}

impl Path {
    /// From the error at the start, the curvature of the objective, and the noise of each step.
    fn new(descent: &Descent, first: usize, start: f64, pull: f64, noise: &[f64]) -> Path {
        let (rate, momentum) = (descent.rate, descent.momentum);
        // error, direction, sum of the iterates that count
        let mut mean = [start, 0.0, 0.0];
        let mut covariance = [[0.0; 3]; 3];
        let mut before = Vec::with_capacity(noise.len());
        for (step, sigma) in noise.iter().enumerate() {
            before.push((mean[0], covariance[0][0]));
            let counts = if step + 1 >= first { 1.0 } else { 0.0 };
            let direction = [pull, momentum, 0.0];
            let error = [1.0 - rate * pull, -rate * momentum, 0.0];
            let sum = [counts * error[0], counts * error[1], 1.0];
            let change = [error, direction, sum];
            let drive = [-rate * sigma, *sigma, -counts * rate * sigma];
            let times = |row: &[f64; 3], column: &[f64; 3]| -> f64 {
                row.iter().zip(column).map(|(a, b)| a * b).sum()
            };
            mean = change.each_ref().map(|row| times(row, &mean));
            // A Σ Aᵀ + b bᵀ
            let half = change
                .each_ref()
                .map(|row| covariance.each_ref().map(|other| times(row, other)));
            for i in 0..3 {
                for j in 0..3 {
                    covariance[i][j] = times(&half[i], &change[j]) + drive[i] * drive[j];
                }
            }
        }
        let count = (noise.len() + 1 - first) as f64;
        Path {
            before,
            result: (mean[2] / count, covariance[2][2].max(0.0).sqrt() / count),
        }
    }
}

/// An upper bound on the probability that any record is clipped at any step; where it is above [`CLIPPED`], any number above.
fn clipped(
    examples: &Examples,
    limits: &[f64],
    axes: &[Vec<f64>],
    target: &[f64],
    paths: &[Path],
) -> f64 {
    let mut bound = 0.0;
    for ((x, label), limit) in examples.records().zip(limits) {
        let parts: Vec<f64> = axes.iter().map(|axis| dot(axis, x)).collect();
        let left = dot(target, x) - label;
        for step in 0..paths[0].before.len() {
            let (mut mean, mut variance) = (left, 0.0);
            for (part, path) in parts.iter().zip(paths) {
                mean += part * path.before[step].0;
                variance += part * part * path.before[step].1;
            }
            let room = limit - mean.abs();
            bound += match variance > 0.0 {
                true => libm::erfc(room / (2.0 * variance).sqrt()),
                false => f64::from(u8::from(room < 0.0)),
            };
            if !(bound <= CLIPPED) {
                return f64::INFINITY;
            }
        }
    }
    bound
}

/// The eigenvalues of XᵀX/n and their eigenvectors, by Jacobi's rotations (Golub and Van Loan, Matrix Computations, 2013, section 8.5).
fn principal_axes(examples: &Examples) -> (Vec<f64>, Vec<Vec<f64>>) {
    let d = examples.features();
    let mut a = vec![vec![0.0; d]; d];
    for (x, _) in examples.records() {
        for (row, xi) in a.iter_mut().zip(x) {
            for (to, xj) in row.iter_mut().zip(x) {
                *to += xi * xj;
            }
        }
    }
    let n = examples.len() as f64;
    a.iter_mut().flatten().for_each(|value| *value /= n);
    let mut axes: Vec<Vec<f64>> = (0..d)
        .map(|i| (0..d).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    let diagonal = |a: &[Vec<f64>]| (0..d).map(|i| a[i][i]).collect::<Vec<f64>>();
    for _ in 0..60 {
        let size: f64 = diagonal(&a).iter().map(|x| x.abs()).sum();
        let mut off = 0.0_f64;
        for p in 0..d {
            for q in p + 1..d {
                off = off.max(a[p][q].abs());
                if a[p][q].abs() <= 1e-18 * size {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in a.iter_mut() {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
                let (head, tail) = a.split_at_mut(q);
                rotate(&mut head[p], &mut tail[0], c, s);
                let (head, tail) = axes.split_at_mut(q);
                rotate(&mut head[p], &mut tail[0], c, s);
            }
        }
        if off <= 1e-17 * size {
            break;
        }
    }
    (diagonal(&a).into_iter().map(|x| x.max(0.0)).collect(), axes)
}

fn rotate(p: &mut [f64], q: &mut [f64], c: f64, s: f64) {
    for (x, y) in p.iter_mut().zip(q) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}
