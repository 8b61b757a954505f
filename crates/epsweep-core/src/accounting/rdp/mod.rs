//! Rényi differential privacy: the divergence of order α adds up at every order, and converts to (ε, δ).
//!
//! - composition and the standard conversion: Mironov, CSF 2017, propositions 1 and 3
//! - the improved conversion: Balle, Barthe, Gaboardi, Hsu and Sato, AISTATS 2020, theorem 21, in the form of Canonne, Kamath and Steinke,
//!   NeurIPS 2020, proposition 12

mod bounded_range;
mod gaussian;
mod laplace;
mod permute_and_flip;
mod randomised_response;
mod subsampled_gaussian;

pub use bounded_range::BoundedRange;
pub use gaussian::Gaussian;
pub use laplace::Laplace;
pub use permute_and_flip::PermuteAndFlip;
pub use randomised_response::RandomisedResponse;
pub use subsampled_gaussian::SubsampledGaussian;

use super::error::{self, AccountingError};
use super::release::{self, Mechanism, Release};
use super::zcdp::{self, Converted};
use super::{Accountant, Total};
use crate::about::About;
use crate::numeric;

/// The Rényi divergence of a mechanism between neighbours as a function of the order α.
pub trait Curve {
    /// Name, formula and source.
    fn about(&self) -> &'static About;

    /// The divergence at order α ≥ 1, where 1 is the limit (Kullback–Leibler) and ∞ the largest loss. It never falls with α.
    ///
    /// # Errors
    /// [`AccountingError`] if α is below 1 or NaN, or beyond what can be computed
    fn rdp(&self, alpha: f64) -> Result<f64, AccountingError>;
}

/// What every curve says of itself.
pub const CURVES: &[&About] = &[
    &laplace::ABOUT,
    &gaussian::ABOUT,
    &randomised_response::ABOUT,
    &bounded_range::ABOUT,
    &permute_and_flip::ABOUT,
    &subsampled_gaussian::ABOUT,
];

/// An order of a curve.
fn order(alpha: f64) -> Result<f64, AccountingError> {
    if alpha >= 1.0 {
        Ok(alpha)
    } else {
        Err(AccountingError::Parameter {
            what: "Rényi order α",
            value: alpha,
            rule: "must be at least 1",
            remedy: "orders from 1.1 to 1024 serve most purposes",
        })
    }
}

/// An order at which a curve can be converted to (ε, δ).
fn conversion_order(alpha: f64) -> Result<f64, AccountingError> {
    if alpha > 1.0 {
        Ok(alpha)
    } else {
        Err(AccountingError::Parameter {
            what: "Rényi order α of a conversion",
            value: alpha,
            rule: "must be above 1, because at 1 and below nothing follows for any δ",
            remedy: "orders from 1.1 to 1024 serve most purposes",
        })
    }
}

/// The curve of a mechanism. Of a purely private one of which only ε is known, that of randomised response, which dominates it; δ
/// of (ε, δ) is not in it.
///
/// # Errors
/// [`AccountingError`] on a parameter for which its curve cannot be computed
pub fn curve(mechanism: Mechanism) -> Result<Box<dyn Curve>, AccountingError> {
    Ok(match mechanism {
        Mechanism::Pure(epsilon)
        | Mechanism::Approximate(epsilon, _)
        | Mechanism::RandomisedResponse(epsilon) => {
            Box::new(RandomisedResponse::new(epsilon.get())?)
        }
        Mechanism::Laplace(epsilon) => Box::new(Laplace::new(epsilon.get())?),
        Mechanism::ExponentialMechanism(epsilon) => Box::new(BoundedRange::new(epsilon.get())?),
        Mechanism::PermuteAndFlip(epsilon) => Box::new(PermuteAndFlip::new(epsilon.get())?),
        Mechanism::Gaussian(noise) => Box::new(Gaussian::new(0.5 / noise.get() / noise.get())?),
        Mechanism::Zcdp(rho) => Box::new(Gaussian::new(rho.get())?),
        Mechanism::SubsampledGaussian(probability, noise) => {
            Box::new(SubsampledGaussian::new(probability.get(), noise.get())?)
        }
    })
}

/// Σ of the curves at order α. The δ of (ε, δ) releases is left out: `remaining_delta` pays for it.
pub(crate) fn composed(releases: &[Release], alpha: f64) -> Result<f64, AccountingError> {
    let mut sum = 0.0;
    for release in releases {
        sum += release.count() as f64 * curve(release.mechanism())?.rdp(alpha)?;
    }
    Ok(sum)
}

/// r + ln(1/δ)/(α − 1).
pub fn standard(alpha: f64, rdp: f64, delta: f64) -> f64 {
    rdp - libm::log(delta) / (alpha - 1.0)
}

/// r + ln(1 − 1/α) − ln(δα)/(α − 1); r itself at α = ∞. Negative values mean 0.
pub fn improved(alpha: f64, rdp: f64, delta: f64) -> f64 {
    if alpha.is_infinite() {
        return rdp;
    }
    let beta = alpha - 1.0;
    rdp - libm::log1p(1.0 / beta) - (libm::log(delta) + libm::log1p(beta)) / beta
}

/// Both conversions over a list of orders.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    /// at every order, by the standard formula
    pub per_order_standard: Vec<f64>,
    /// at every order, by the improved formula; may be negative
    pub per_order_improved: Vec<f64>,
    /// the least by the standard formula
    pub standard: Converted,
    /// the least by the improved formula, at least 0
    pub improved: Converted,
}

/// Converts a curve given at some orders. Every order gives a valid ε; the smallest counts.
///
/// # Errors
/// [`AccountingError::Parameter`] if an order is not above 1, a divergence is negative or NaN, δ is not in (0, 1), or the lists
/// differ in length; [`AccountingError::Empty`] if there is no order
pub fn convert(orders: &[f64], rdp: &[f64], delta: f64) -> Result<Conversion, AccountingError> {
    error::positive_delta(delta)?;
    if orders.is_empty() {
        return Err(AccountingError::Empty);
    }
    if orders.len() != rdp.len() {
        return Err(AccountingError::Parameter {
            what: "number of divergences",
            value: rdp.len() as f64,
            rule: "must be that of the orders",
            remedy: "give one divergence per order",
        });
    }
    for (&alpha, &divergence) in orders.iter().zip(rdp) {
        conversion_order(alpha)?;
        if divergence.is_nan() || divergence < 0.0 {
            return Err(AccountingError::Parameter {
                what: "Rényi divergence",
                value: divergence,
                rule: "must be at least 0",
                remedy: "a negative or undefined divergence comes from a formula outside its range",
            });
        }
    }
    let pairs = || orders.iter().zip(rdp);
    let per_order_standard: Vec<f64> = pairs()
        .map(|(&alpha, &r)| standard(alpha, r, delta))
        .collect();
    let per_order_improved: Vec<f64> = pairs()
        .map(|(&alpha, &r)| improved(alpha, r, delta))
        .collect();
    let least = |values: &[f64]| {
        let mut best = 0;
        for (index, value) in values.iter().enumerate() {
            if *value < values[best] {
                best = index;
            }
        }
        Converted {
            epsilon: values[best].max(0.0),
            order: orders[best],
        }
    };
    Ok(Conversion {
        standard: least(&per_order_standard),
        improved: least(&per_order_improved),
        per_order_standard,
        per_order_improved,
    })
}

/// α − 1 of the orders that are tried with sampling: tenths up to 11, whole numbers up to 63, and powers of two up to 1024.
pub(crate) const BETAS: [f64; 156] = {
    let mut betas = [0.0; 156];
    let mut place = 0;
    while place < 99 {
        betas[place] = (place + 1) as f64 / 10.0;
        place += 1;
    }
    while place < 152 {
        betas[place] = (place - 89) as f64;
        place += 1;
    }
    (betas[152], betas[153], betas[154], betas[155]) = (127.0, 255.0, 511.0, 1023.0);
    betas
};

/// The smallest ε by the improved conversion over the orders: a search over ln(α − 1), or, with sampling, over a list of orders
/// (fractional up to 11, integers beyond). Whatever the search misses, the ε at the order found is valid. The search ends at order 1024, as is
/// usual, or at ten times the best order of Gaussian noise with as much divergence where that is more: for purely private releases
/// orders beyond that do no more than restate the plain sum.
///
/// # Errors
/// [`AccountingError`] if δ is not in (0, 1) or no order can be computed
pub fn best_order(releases: &[Release], delta: f64) -> Result<Converted, AccountingError> {
    error::positive_delta(delta)?;
    let releases = release::grouped(releases)?;
    let sampled = |release: &Release| match release.mechanism() {
        Mechanism::SubsampledGaussian(probability, _) => probability.get() < 1.0,
        _ => false,
    };
    let mut failure = None;
    let mut at = |beta: f64| match composed(&releases, 1.0 + beta) {
        Ok(rdp) => {
            let epsilon = improved(1.0 + beta, rdp, delta);
            if epsilon.is_nan() {
                f64::INFINITY
            } else {
                epsilon
            }
        }
        Err(error) => {
            failure = Some(error);
            f64::INFINITY
        }
    };
    let best = if releases.iter().any(sampled) {
        let mut best = (f64::INFINITY, f64::NAN);
        for beta in BETAS {
            let epsilon = at(beta);
            if epsilon < best.0 {
                best = (epsilon, beta);
            }
        }
        best
    } else {
        let gaussian = composed(&releases, 1.0)
            .and_then(|rho| zcdp::tight(rho, delta))
            .map_or(0.0, |best| best.order);
        let largest = libm::log(1023.0_f64.max(10.0 * gaussian));
        let mut place = (f64::INFINITY, 0.0);
        for step in (-40..).take_while(|step| 0.25 * f64::from(*step) < largest) {
            let log_beta = 0.25 * f64::from(step);
            let epsilon = at(libm::exp(log_beta));
            if epsilon < place.0 {
                place = (epsilon, log_beta);
            }
        }
        let (log_beta, epsilon) =
            numeric::minimise(place.1 - 0.25, (place.1 + 0.25).min(largest), |log_beta| {
                at(libm::exp(log_beta))
            });
        (
            epsilon.min(place.0),
            libm::exp(if epsilon <= place.0 {
                log_beta
            } else {
                place.1
            }),
        )
    };
    if best.0.is_finite() {
        return Ok(Converted {
            epsilon: best.0.max(0.0),
            order: 1.0 + best.1,
        });
    }
    Err(failure.unwrap_or(AccountingError::Limit {
        method: ABOUT.name,
        what: "the Rényi divergence at every order",
        value: f64::INFINITY,
        limit: f64::MAX,
        remedy: "use basic or pld",
    }))
}

/// The accountant.
#[derive(Debug)]
pub struct Rdp;

const ABOUT: About = About {
    name: "rdp",
    summary: "Rényi divergences add up at every order and are converted at the best one",
    formula: "ε = min_α Σ εᵢ(α) + ln(1 − 1/α) − ln(δα)/(α − 1)",
    source: "Mironov, CSF 2017; Canonne, Kamath, Steinke, NeurIPS 2020, proposition 12",
};

impl Accountant for Rdp {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let left = release::remaining_delta(ABOUT.name, releases, delta)?;
        let converted = best_order(releases, left)?;
        let note = Some(format!("converted at order α = {:.6}", converted.order));
        Ok(Total {
            note,
            ..Total::upper(converted.epsilon)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_orders_are_tenths_then_whole_then_few() {
        let orders = BETAS.map(|beta| 1.0 + beta);
        assert!(orders.is_sorted() && orders[0] == 1.1 && orders[98] == 10.9);
        assert_eq!(orders[99..102], [11.0, 12.0, 13.0]);
        assert_eq!(orders[150..], [62.0, 63.0, 128.0, 256.0, 512.0, 1024.0]);
    }
    use crate::accounting::release::{NoiseMultiplier, SamplingProbability};
    use crate::budget::{Epsilon, Rho};

    #[test]
    fn orders_at_and_below_one_are_refused_and_do_not_win() {
        for alpha in [1.0, 0.5, f64::NAN, f64::NEG_INFINITY] {
            let error = convert(&[alpha, 2.0], &[0.0, 0.1], 1e-6).unwrap_err();
            assert!(error.to_string().contains("must be above 1"), "{error}");
        }
        let near = convert(
            &[1.000_000_01, 2.0, f64::INFINITY],
            &[0.031_25, 0.0625, f64::INFINITY],
            1e-6,
        )
        .unwrap();
        assert_eq!(near.improved.order, 2.0);
        assert!(near.improved.epsilon > 1.0);
    }

    #[test]
    fn every_curve_starts_at_one_and_never_falls() {
        let epsilon = |value| Epsilon::new(value).unwrap();
        let noise = |value| NoiseMultiplier::new(value).unwrap();
        let probability = SamplingProbability::new(0.01).unwrap();
        let mut mechanisms = vec![Mechanism::SubsampledGaussian(probability, noise(1.0))];
        for size in [1e-8, 1e-3, 0.1, 1.0, 10.0, 1000.0] {
            mechanisms.extend([
                Mechanism::Pure(epsilon(size)),
                Mechanism::Laplace(epsilon(size)),
                Mechanism::ExponentialMechanism(epsilon(size)),
                Mechanism::PermuteAndFlip(epsilon(size)),
                Mechanism::Gaussian(noise(1.0 / size)),
                Mechanism::Zcdp(Rho::new(size).unwrap()),
            ]);
        }
        for mechanism in mechanisms {
            let curve = curve(mechanism).unwrap();
            let mut before = 0.0;
            for alpha in [
                1.0,
                1.0 + 1e-12,
                1.0 + 1e-7,
                1.0001,
                1.1,
                1.5,
                2.0,
                3.7,
                8.0,
                40.0,
                900.0,
                1e6,
                1e9,
            ] {
                match curve.rdp(alpha) {
                    Ok(here) => {
                        assert!(
                            here >= before * (1.0 - 1e-10) && here > 0.0,
                            "{mechanism} at {alpha}: {here} after {before}"
                        );
                        before = here;
                    }
                    Err(AccountingError::Limit { .. }) => {
                        assert!(
                            matches!(mechanism, Mechanism::SubsampledGaussian(..)) && alpha > 1e5,
                            "{mechanism} at {alpha}"
                        );
                    }
                    Err(other) => panic!("{other}"),
                }
            }
            if let Some(pure) = mechanism.pure_epsilon() {
                assert!(before <= pure && curve.rdp(f64::INFINITY).unwrap() == pure);
                // ε²/2-zCDP: the factor lets ε³ terms be rounded
                assert!(curve.rdp(2.0).unwrap() <= pure * pure * (1.0 + 1e-12));
            }
            for alpha in [0.99, 0.0, -1.0, f64::NAN] {
                assert!(curve.rdp(alpha).is_err());
            }
        }
    }
}
