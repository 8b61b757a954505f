//! Optimal composition of k releases with the same (ε, δ): Kairouz, Oh and Viswanath, IEEE Transactions on Information Theory 63,
//! 2017, theorem 3.3, whose δ is exact: randomised response attains it. It never exceeds any other bound that knows no more than
//! (ε, δ). For unequal releases the exact value is #P-hard to compute (Murtagh and Vadhan, TCC 2016), which is left to the
//! privacy loss distribution.
//!
//! With q = 1/(1 + e^ε), p = 1 − q and the loss g_l = (k − 2l)ε:
//! δ(x) = 1 − (1 − δ)ᵏ·(1 − Σ_l C(k,l) pᵏ⁻ˡ qˡ·max(0, 1 − e^(x − g_l))).

use super::error::{self, AccountingError};
use super::release::{self, Release};
use super::{Accountant, Total};
use crate::about::About;
use crate::numeric;

/// The most releases that are served: the sums have so many terms.
pub const MOST: u64 = 1_000_000;

/// k releases with the same (ε, δ).
#[derive(Clone, Debug)]
pub struct Equal {
    count: u64,
    epsilon: f64,
    /// ln (1 − δ)ᵏ
    log_sound: f64,
    /// ln P(loss = (k − 2l)ε) for l from 0, as long as the loss is not negative
    log_mass: Vec<f64>,
}

impl Equal {
    /// # Errors
    /// [`AccountingError::Parameter`] if ε is negative or not finite or δ is not in [0, 1); [`AccountingError::Limit`] above
    /// [`MOST`] releases
    pub fn new(count: u64, epsilon: f64, delta: f64) -> Result<Equal, AccountingError> {
        error::non_negative("ε", epsilon)?;
        error::delta(delta)?;
        if count == 0 {
            return Err(AccountingError::Empty);
        }
        if count > MOST {
            return Err(AccountingError::Limit {
                method: ABOUT.name,
                what: "the number of releases",
                value: count as f64,
                limit: MOST as f64,
                remedy: "use pld or rdp",
            });
        }
        let log_p = -libm::log1p(libm::exp(-epsilon));
        let log_q = log_p - epsilon;
        let log_mass = (0..=count / 2)
            .map(|l| numeric::log_choose(count, l) + (count - l) as f64 * log_p + l as f64 * log_q)
            .collect();
        Ok(Equal {
            count,
            epsilon,
            log_sound: count as f64 * libm::log1p(-delta),
            log_mass,
        })
    }

    /// The loss of outcome l.
    fn loss(&self, l: usize) -> f64 {
        (self.count - 2 * l as u64) as f64 * self.epsilon
    }

    /// Σ over the losses above x of P(loss)·(1 − e^(x − loss)): every term is positive, so that nothing cancels.
    fn sound_delta(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for (l, &log_mass) in self.log_mass.iter().enumerate() {
            let distance = x - self.loss(l);
            if distance >= 0.0 {
                break;
            }
            sum += libm::exp(log_mass + numeric::log_one_minus_exp(distance));
        }
        sum
    }

    /// The δ at `epsilon` ≥ 0 for all releases together.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] if ε is negative or not finite
    pub fn delta(&self, epsilon: f64) -> Result<f64, AccountingError> {
        error::non_negative("ε", epsilon)?;
        let sound = self.sound_delta(epsilon).min(1.0);
        if sound == 1.0 {
            return Ok(1.0);
        }
        // 1 − (1 − δ)ᵏ(1 − sound) without cancellation
        Ok(-libm::expm1(self.log_sound + libm::log1p(-sound)))
    }

    /// The δ that is left beside the releases' own, `None` if there is not as much.
    fn sound_target(&self, delta: f64) -> Option<f64> {
        if self.log_sound == 0.0 {
            return Some(delta);
        }
        let target = -libm::expm1(libm::log1p(-delta) - self.log_sound);
        (target >= 0.0).then_some(target)
    }

    /// The smallest ε ≥ 0 of all releases together at δ, `None` if δ is below the releases' own 1 − (1 − δ)ᵏ. Between two
    /// losses δ is linear in e^ε, and so is inverted exactly.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] if δ is not in [0, 1)
    pub fn epsilon(&self, delta: f64) -> Result<Option<f64>, AccountingError> {
        error::delta(delta)?;
        let Some(target) = self.sound_target(delta) else {
            return Ok(None);
        };
        if self.sound_delta(0.0) <= target {
            return Ok(Some(0.0));
        }
        let above = self.first_met(target);
        // the losses above this stretch are 0 … above; it begins at the next loss, or at 0
        let begin = if above + 1 < self.log_mass.len() {
            self.loss(above + 1).max(0.0)
        } else {
            0.0
        };
        let slope: f64 = (0..=above)
            .map(|l| libm::exp(self.log_mass[l] + begin - self.loss(l)))
            .sum();
        let step = libm::log1p((self.sound_delta(begin) - target).max(0.0) / slope);
        // at most the loss at which the target is met, whatever is rounded
        Ok(Some((begin + step).min(self.loss(above))))
    }

    /// The l of the smallest loss (k − 2l)ε ≥ 0 whose δ is at most the target; 0 at the latest, where δ is 0.
    fn first_met(&self, target: f64) -> usize {
        let met = |l: usize| self.sound_delta(self.loss(l)) <= target;
        let (mut good, mut bad) = (0, self.log_mass.len());
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if met(middle) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        good
    }

    /// The smallest ε of the form (k − 2l)ε at which δ is met, as the theorem states it.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] if δ is not in [0, 1)
    pub fn grid_epsilon(&self, delta: f64) -> Result<Option<f64>, AccountingError> {
        error::delta(delta)?;
        Ok(self
            .sound_target(delta)
            .map(|target| self.loss(self.first_met(target))))
    }
}

/// The accountant.
#[derive(Debug)]
pub struct Optimal;

const ABOUT: About = About {
    name: "optimal",
    summary: "the exact total of equal releases of which only (ε, δ) is known; never above the plain sum",
    formula: "δ(x) = 1 − (1 − δ)ᵏ(1 − Σ_l C(k,l) e^((k−l)ε) (1 − e^(x−(k−2l)ε))₊ / (1 + e^ε)ᵏ)",
    source: "Kairouz, Oh, Viswanath, IEEE Trans. Inf. Theory 63, 2017, theorem 3.3",
};

impl Accountant for Optimal {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let refuse = |what: String, reason: &'static str| AccountingError::Unsupported {
            method: ABOUT.name,
            what,
            reason,
            alternative: "pld",
        };
        let mut common = None;
        let mut count = 0_u64;
        for release in releases {
            let mechanism = release.mechanism();
            let pair = mechanism.epsilon_delta().ok_or_else(|| {
                refuse(
                    mechanism.to_string(),
                    "its theorem is about releases with an ε of their own",
                )
            })?;
            if *common.get_or_insert(pair) != pair {
                return Err(refuse(
                    "unequal releases".to_owned(),
                    "its formula holds for releases with the same ε and δ, and the exact total of others is #P-hard",
                ));
            }
            count = count.saturating_add(release.count());
        }
        let (epsilon, own) = common.ok_or(AccountingError::Empty)?;
        if !(count as f64 * epsilon).is_finite() {
            return Err(AccountingError::Limit {
                method: ABOUT.name,
                what: "Σε",
                value: count as f64 * epsilon,
                limit: f64::MAX,
                remedy: "no such guarantee means anything; lower ε",
            });
        }
        let equal = Equal::new(count, epsilon, own)?;
        match equal.epsilon(delta)? {
            Some(total) => Ok(Total::upper(total)),
            None => {
                let least = release::composed_own_delta(releases);
                Err(AccountingError::Infeasible {
                    method: ABOUT.name,
                    delta,
                    least,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn epsilon_and_delta_invert_each_other(count in 1u64..300, epsilon in 0.001..3.0f64, exponent in 0.5..12.0f64) {
            let equal = Equal::new(count, epsilon, 0.0).unwrap();
            let delta = libm::pow(10.0, -exponent);
            let total = equal.epsilon(delta).unwrap().unwrap();
            prop_assert!(total <= count as f64 * epsilon);
            let back = equal.delta(total).unwrap();
            // near a loss, one unit in the last place of ε is worth as much in δ
            let allowed = 1e-9 * delta + 4e-16 * total;
            prop_assert!(total == 0.0 && back <= delta || (back - delta).abs() < allowed, "{back} for {delta}");
            prop_assert!(equal.grid_epsilon(delta).unwrap().unwrap() >= total);
        }
    }

    #[test]
    fn large_epsilon_and_many_releases_stay_finite() {
        let equal = Equal::new(3, 1000.0, 0.0).unwrap();
        assert_eq!(equal.epsilon(1e-300).unwrap(), Some(3000.0));
        assert!(equal.delta(2500.0).unwrap() > 0.999);
        let many = Equal::new(MOST, 1e-4, 0.0).unwrap();
        let total = many.epsilon(1e-6).unwrap().unwrap();
        assert!(total > 0.3 && total < 0.6, "{total}");
        assert!(
            Equal::new(MOST + 1, 1e-4, 0.0)
                .unwrap_err()
                .to_string()
                .contains("use pld")
        );
    }
}
