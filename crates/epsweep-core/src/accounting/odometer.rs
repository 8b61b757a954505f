//! Privacy odometers: bounds on what has been spent so far that hold at all times at once, so that one may read them and stop when
//! one likes, with budgets that are chosen adaptively.
//!
//! All rest on Ville's inequality. If E[e^(βℓ)] ≤ e^(βρ(1+β)) given the past, for the loss ℓ of a release that is ρ-zCDP, then
//! e^(βL − β(1+β)Σρ) is a supermartingale for every β > 0, and so is its mixture over half-normal β of precision r, which gives, with
//! V = 2Σρ, that with probability 1 − δ′ at all times L ≤ V/2 + √(2(V + r)·ln(√((V + r)/r)/δ′)) (Whitehouse, Ramdas, Rogers and Wu, ICML
//! 2023, section 4, the odometer by the method of mixtures). A release with εᵢ has V = εᵢ² (Bun and Steinke, TCC 2016, proposition 1.4). At one
//! order α = 1 + β it gives L ≤ Σεᵢ(α) + ln(1/δ′)/(α − 1).

use super::error::{self, AccountingError};
use super::exact::ExactSum;
use super::filter::Spend;
use super::rdp::{Curve, RandomisedResponse};
use crate::about::About;

/// What has been spent: (ε, δ), valid at every time at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// ε
    pub epsilon: f64,
    /// δ
    pub delta: f64,
}

/// Counts what is spent.
pub trait Odometer {
    /// Name, formula and source.
    fn about(&self) -> &'static About;

    /// Counts a release.
    ///
    /// # Errors
    /// [`AccountingError`] if the spend is no valid number, or of a kind for which the odometer's theorem says nothing
    fn record(&mut self, spend: Spend) -> Result<(), AccountingError>;

    /// What has been spent so far.
    fn reading(&self) -> Reading;
}

/// What every odometer says of itself.
pub const ODOMETERS: &[&About] = &[&PURE, &RENYI, &MIXTURE];

fn unsupported(about: &About, spend: Spend) -> AccountingError {
    AccountingError::Unsupported {
        method: about.name,
        what: spend.to_string(),
        reason: "its theorem says nothing of such a spend",
        alternative: "another odometer",
    }
}

/// Plain sums of ε and δ.
#[derive(Clone, Debug, Default)]
pub struct Pure {
    epsilon: ExactSum,
    delta: ExactSum,
}

const PURE: About = About {
    name: "pure",
    summary: "ε and δ add up",
    formula: "(Σ εᵢ, Σ δᵢ)",
    source: "Rogers, Roth, Ullman, Vadhan, NeurIPS 2016",
};

impl Pure {
    /// Nothing spent.
    pub fn new() -> Pure {
        Pure::default()
    }
}

impl Odometer for Pure {
    fn about(&self) -> &'static About {
        &PURE
    }

    fn record(&mut self, spend: Spend) -> Result<(), AccountingError> {
        match spend.checked()? {
            Spend::Pure(epsilon) => self.epsilon.add(epsilon),
            Spend::Approximate(epsilon, delta) => {
                self.epsilon.add(epsilon);
                self.delta.add(delta);
            }
            other => return Err(unsupported(&PURE, other)),
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            epsilon: self.epsilon.value(),
            delta: self.delta.value().min(1.0),
        }
    }
}

/// Rényi divergences at one order, fixed in advance.
#[derive(Clone, Debug)]
pub struct Renyi {
    order: f64,
    delta: f64,
    sum: f64,
}

const RENYI: About = About {
    name: "renyi",
    summary: "Rényi divergences at one order add up",
    formula: "Σ εᵢ(α) + ln(1/δ)/(α − 1)",
    source: "Feldman, Zrnic, NeurIPS 2021; Ville's inequality",
};

impl Renyi {
    /// At order α > 1, for readings at δ.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] if the order is not finite and above 1, or δ is not in (0, 1)
    pub fn new(order: f64, delta: f64) -> Result<Renyi, AccountingError> {
        // the same orders as a filter's
        super::filter::Renyi::new(order, 1.0)?;
        Ok(Renyi {
            order,
            delta: error::positive_delta(delta)?,
            sum: 0.0,
        })
    }
}

impl Odometer for Renyi {
    fn about(&self) -> &'static About {
        &RENYI
    }

    fn record(&mut self, spend: Spend) -> Result<(), AccountingError> {
        let divergence = match spend.checked()? {
            Spend::Renyi(divergence) => divergence,
            Spend::Concentrated(rho) => rho * self.order,
            Spend::Pure(0.0) | Spend::Approximate(0.0, 0.0) => 0.0,
            Spend::Pure(epsilon) | Spend::Approximate(epsilon, 0.0) => {
                RandomisedResponse::new(epsilon)?.rdp(self.order)?
            }
            other => return Err(unsupported(&RENYI, other)),
        };
        // upwards, so that rounding never hides a spend
        if divergence > 0.0 {
            self.sum = (self.sum + divergence).next_up();
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        if self.sum == 0.0 {
            return Reading {
                epsilon: 0.0,
                delta: 0.0,
            };
        }
        Reading {
            epsilon: self.sum - libm::log(self.delta) / (self.order - 1.0),
            delta: self.delta,
        }
    }
}

/// ρ, ε and (ε, δ) by the mixture bound.
#[derive(Clone, Debug)]
pub struct Mixture {
    precision: f64,
    delta_prime: f64,
    /// Σρ
    rho: ExactSum,
    own: ExactSum,
}

const MIXTURE: About = About {
    name: "mixture",
    summary: "the concentration of the loss at all times at once, for ρ, ε and (ε, δ)",
    formula: "V/2 + √(2(V + r) ln(√((V + r)/r)/δ′)), V = Σ 2ρᵢ or Σ εᵢ²; δ = δ′ + Σ δᵢ",
    source: "Whitehouse, Ramdas, Rogers, Wu, ICML 2023, section 4, the odometer by the method of mixtures",
};

impl Mixture {
    /// With δ′, tightest around V = Σε² = `tuned_for`.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] if δ′ is not in (0, 1) or `tuned_for` is not finite and positive
    pub fn new(delta_prime: f64, tuned_for: f64) -> Result<Mixture, AccountingError> {
        let log = -libm::log(error::positive_delta(delta_prime)?);
        let variance = error::positive("Σε² at which the odometer is to be tightest", tuned_for)?;
        // the minimum over r of the bound at V, to first order in 1/ln(1/δ′)
        let precision = variance / (2.0 * log + libm::log1p(2.0 * log) + 1.0);
        Ok(Mixture {
            precision,
            delta_prime,
            rho: ExactSum::new(),
            own: ExactSum::new(),
        })
    }
}

impl Odometer for Mixture {
    fn about(&self) -> &'static About {
        &MIXTURE
    }

    fn record(&mut self, spend: Spend) -> Result<(), AccountingError> {
        match spend.checked()? {
            Spend::Concentrated(rho) => self.rho.add(rho),
            Spend::Pure(epsilon) => {
                if epsilon > 0.0 {
                    self.rho.add_half_square(epsilon);
                }
            }
            Spend::Approximate(epsilon, delta) => {
                if epsilon > 0.0 {
                    self.rho.add_half_square(epsilon);
                }
                self.own.add(delta);
            }
            other @ Spend::Renyi(_) => return Err(unsupported(&MIXTURE, other)),
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        let rho = self.rho.value();
        let own = self.own.value();
        if rho == 0.0 {
            return Reading {
                epsilon: 0.0,
                delta: own,
            };
        }
        let variance = 2.0 * rho + self.precision;
        let log = 0.5 * libm::log(variance / self.precision) - libm::log(self.delta_prime);
        Reading {
            epsilon: rho + (2.0 * variance * log).sqrt(),
            delta: (self.delta_prime + own).min(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::advanced;

    #[test]
    fn readings_never_fall_and_refuse_nonsense() {
        let mut odometers: Vec<Box<dyn Odometer>> = vec![
            Box::new(Pure::new()),
            Box::new(Renyi::new(8.0, 1e-6).unwrap()),
            Box::new(Mixture::new(1e-6, 1.0).unwrap()),
        ];
        assert_eq!(odometers.len(), ODOMETERS.len());
        for odometer in &mut odometers {
            assert!(ODOMETERS.contains(&odometer.about()));
            assert_eq!(odometer.reading().epsilon, 0.0);
            let mut before = 0.0;
            for _ in 0..100 {
                odometer.record(Spend::Pure(0.1)).unwrap();
                let here = odometer.reading().epsilon;
                assert!(here > before, "{}", odometer.about().name);
                before = here;
            }
            assert!(odometer.record(Spend::Pure(f64::INFINITY)).is_err());
            assert_eq!(odometer.reading().epsilon, before);
        }
    }

    #[test]
    fn the_price_of_reading_at_all_times_is_small_and_positive() {
        let mut mixture = Mixture::new(1e-6, 1.0).unwrap();
        for _ in 0..100 {
            mixture.record(Spend::Pure(0.1)).unwrap();
        }
        // at the end of a plan fixed in advance: V/2 + √(2V ln 1/δ)
        let fixed = 0.5 + (2.0 * 13.815510557964274_f64).sqrt();
        let reading = mixture.reading().epsilon;
        assert!(
            reading > fixed && reading < 1.12 * fixed,
            "{reading} for {fixed}"
        );
        let plan = advanced::bounds(&[(0.1, 100.0)], 1e-6).unwrap().refined;
        assert!(reading > plan);
    }

    /// Ville's bound, tried: losses ±ε of randomised response (p = e^ε/(1 + e^ε)), 20 000 paths of 100 releases, seed fixed. The chance
    /// that a path ever passes the reading at δ′ = 0.05 is at most 0.05; a fraction above 0.056 (4 standard errors) would refute it.
    /// A bound of a third of its width is passed far more often.
    #[test]
    fn paths_pass_the_reading_no_more_often_than_delta() {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(7);
        let epsilon = 0.2;
        let truth = 1.0 / (1.0 + libm::exp(-epsilon));
        let mut readings = Vec::new();
        let mut mixture = Mixture::new(0.05, 2.0).unwrap();
        for _ in 0..100 {
            mixture.record(Spend::Pure(epsilon)).unwrap();
            readings.push(mixture.reading().epsilon);
        }
        let (mut passed, mut passed_narrow) = (0, 0);
        for _ in 0..20_000 {
            let (mut loss, mut ever, mut ever_narrow) = (0.0, false, false);
            for reading in &readings {
                loss += if random.random::<f64>() < truth {
                    epsilon
                } else {
                    -epsilon
                };
                ever |= loss > *reading;
                ever_narrow |= loss > reading / 3.0;
            }
            passed += i32::from(ever);
            passed_narrow += i32::from(ever_narrow);
        }
        assert!(f64::from(passed) / 20_000.0 <= 0.056, "{passed}");
        assert!(
            f64::from(passed_narrow) / 20_000.0 > 0.056,
            "{passed_narrow}"
        );
    }
}
