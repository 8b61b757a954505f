//! Gaussian noise on a Poisson sample, under addition or removal of one record: Mironov, Talwar and Zhang, 2019 (arXiv:1908.10530),
//! sections 3.3 (the divergence of the mixture from the plain Gaussian is the larger one) and 3.4 (integer orders).

use super::{Curve, Gaussian, order};
use crate::about::About;
use crate::accounting::error::{self, AccountingError};
use crate::accounting::normal;
use crate::numeric;

/// Each record is in the sample with probability q; the noise is σ times the sensitivity.
#[derive(Clone, Copy, Debug)]
pub struct SubsampledGaussian {
    probability: f64,
    noise: f64,
}

pub(super) const ABOUT: About = About {
    name: "subsampled-gaussian",
    summary: "Gaussian noise on a sum over a Poisson sample",
    formula: "ε(α) = ln E[(1 − q + q e^((2z−1)/2σ²))^α]/(α − 1), z ~ N(0, σ²)",
    source: "Mironov, Talwar, Zhang, arXiv:1908.10530, section 3",
};

/// The largest integer order: its sum has so many terms.
const LARGEST_ORDER: f64 = 1e5;
/// The most points of the quadrature for other orders.
const MOST_POINTS: f64 = 4e6;

impl SubsampledGaussian {
    /// # Errors
    /// [`AccountingError::Parameter`] if q is not in (0, 1] or σ/Δ is not finite and positive
    pub fn new(probability: f64, noise: f64) -> Result<SubsampledGaussian, AccountingError> {
        super::super::release::SamplingProbability::new(probability)?;
        error::positive("noise multiplier σ/Δ", noise)?;
        Ok(SubsampledGaussian { probability, noise })
    }

    fn limit(&self, what: &'static str, value: f64, limit: f64) -> AccountingError {
        AccountingError::Limit {
            method: ABOUT.name,
            what,
            value,
            limit,
            remedy: "use lower orders, or pld",
        }
    }

    /// E − 1 = Σ over k ≥ 2 of C(α,k) q^k (1−q)^(α−k) (e^((k²−k)/2σ²) − 1), in logarithms: all terms are positive, and those of
    /// k = 0 and 1 vanish.
    fn at_integer(&self, alpha: u64) -> f64 {
        let log_q = libm::log(self.probability);
        let log_rest = libm::log1p(-self.probability);
        let terms: Vec<f64> = (2..=alpha)
            .map(|k| {
                let size = k as f64;
                let exponent = 0.5 * size * (size - 1.0) / self.noise / self.noise;
                numeric::log_choose(alpha, k)
                    + size * log_q
                    + (alpha - k) as f64 * log_rest
                    + numeric::log_exp_minus_one(exponent)
            })
            .collect();
        numeric::softplus(numeric::log_sum_exp(&terms)) / (alpha as f64 - 1.0)
    }

    /// The same for any order, by the trapezoidal rule in z, which converges faster than any power for what is analytic. The
    /// integrand is nearest to a singularity at a height of πσ², whence the step. Since E[w] = 1 for the likelihood ratio w, the line
    /// 1 + α·q(w − 1) can be taken away, which leaves a positive integrand (at α = 1: w ln w − w + 1).
    fn by_quadrature(&self, alpha: f64) -> Result<f64, AccountingError> {
        let sigma = self.noise;
        let step = sigma.min(sigma * sigma) / 8.0;
        let (low, high) = (-39.0 * sigma, alpha + 39.0 * sigma);
        let points = ((high - low) / step).ceil();
        if points.is_nan() || points > MOST_POINTS {
            return Err(self.limit(
                "the number of quadrature points at a fractional order",
                points,
                MOST_POINTS,
            ));
        }
        let beta = alpha - 1.0;
        let mut terms = Vec::with_capacity(points as usize + 1);
        for index in 0..=points as usize {
            let z = low + index as f64 * step;
            let exponent = (2.0 * z - 1.0) / (2.0 * sigma * sigma);
            // ln(1 + y) with y = q(w − 1)
            let log_ratio = numeric::log_diluted(self.probability, exponent);
            terms.push(normal::log_density(z / sigma) + log_remainder(log_ratio, alpha, beta));
        }
        let log = numeric::log_sum_exp(&terms) + libm::log(step / sigma);
        // log is that of (E − 1)/β, which stays finite as β → 0
        if beta < 1e-150 {
            return Ok(libm::exp(log));
        }
        Ok(if log < -30.0 {
            libm::exp(log)
        } else {
            numeric::softplus(log + libm::log(beta)) / beta
        })
    }
}

/// ln of ((1+y)^α − 1 − αy)/(α − 1) for L = ln(1 + y): with g(x) = e^x − 1 − x this is (g(αL) − α·g(L))/β.
fn log_remainder(log_ratio: f64, alpha: f64, beta: f64) -> f64 {
    if alpha * log_ratio > 100.0 && beta * log_ratio > 1.0 {
        return alpha * log_ratio + libm::log1p(-alpha * libm::exp(-beta * log_ratio))
            - libm::log(beta);
    }
    // e^L·(g(βL)/β + g(−L)), both positive; the second is what is left at β = 0
    let scaled = beta * log_ratio;
    let curved = if scaled.abs() < 1e-300 {
        0.0
    } else {
        numeric::exp_minus_line(scaled) / beta
    };
    log_ratio + libm::log(curved + numeric::exp_minus_line(-log_ratio))
}

impl Curve for SubsampledGaussian {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn rdp(&self, alpha: f64) -> Result<f64, AccountingError> {
        order(alpha)?;
        if self.probability == 1.0 {
            return Gaussian::new(0.5 / self.noise / self.noise)?.rdp(alpha);
        }
        if alpha.is_infinite() {
            return Ok(f64::INFINITY);
        }
        if alpha > LARGEST_ORDER {
            return Err(self.limit("the order α", alpha, LARGEST_ORDER));
        }
        if alpha.fract() == 0.0 && alpha >= 2.0 {
            return Ok(self.at_integer(alpha as u64));
        }
        self.by_quadrature(alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrature_agrees_with_the_sum_at_integers() {
        for (probability, noise) in [(0.01, 1.0), (0.5, 0.6), (1e-6, 0.5), (0.2, 8.0), (0.9, 3.0)] {
            let curve = SubsampledGaussian::new(probability, noise).unwrap();
            for alpha in [2, 3, 7, 40, 200] {
                let sum = curve.at_integer(alpha);
                let integral = curve.by_quadrature(alpha as f64).unwrap();
                assert!(
                    (integral / sum - 1.0).abs() < 1e-10,
                    "q = {probability}, σ = {noise}, α = {alpha}: {integral} {sum}"
                );
            }
        }
    }

    /// With 30 digits by adaptive quadrature.
    #[test]
    fn fractional_orders_agree_with_independent_values() {
        let curve = SubsampledGaussian::new(0.01, 1.0).unwrap();
        for (alpha, exact) in FRACTIONAL {
            let got = curve.rdp(alpha).unwrap();
            assert!(
                (got / exact - 1.0).abs() < 1e-9,
                "α = {alpha}: {got}, not {exact}"
            );
        }
    }

    const FRACTIONAL: [(f64, f64); 3] = [
        (1.0, 8.38122076508318e-05),
        (1.5, 0.00012725374332744983),
        (5.25, 0.00049637026338585),
    ];
}
