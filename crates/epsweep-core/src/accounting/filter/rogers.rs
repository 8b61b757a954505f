//! The first filter for (ε, δ): what adaptivity was thought to cost before Whitehouse et al.

use super::{Filter, Spend, unsupported};
use crate::about::About;
use crate::accounting::error::{self, AccountingError};

/// (ε, δ) in all from releases with (εᵢ, δᵢ): half of δ for the concentration of the loss, half for the releases' own.
///
/// The loss is a sum with drifts of at most εᵢ(e^εᵢ − 1)/2 and ranges of 2εᵢ, and the self-normalised bound of de la Peña, Klass and Lai (Annals
/// of Probability 32, 2004) holds for it with any y > 0 fixed in advance; theirs is y = ε²/(28.04·ln(1/δ)).
#[derive(Clone, Debug)]
pub struct Rogers {
    epsilon: f64,
    half_delta: f64,
    offset: f64,
    drift: f64,
    squares: f64,
    own: f64,
}

pub(super) const ROGERS: About = About {
    name: "approximate-2016",
    summary: "admits while a self-normalised bound on the loss stays within ε, and the δᵢ within δ/2: for comparison with `approximate`",
    formula: "Σ εᵢ(e^εᵢ − 1)/2 + √(2(Σεᵢ² + y)(1 + ½ ln(Σεᵢ²/y + 1)) ln(2/δ)) ≤ ε, y = ε²/(28.04 ln(1/δ))",
    source: "Rogers, Roth, Ullman, Vadhan, NeurIPS 2016, theorem 5.1",
};

impl Rogers {
    /// Name, formula, source.
    pub const ABOUT: &About = &ROGERS;

    /// # Errors
    /// [`AccountingError`] if ε is not finite and positive, or δ is not in (0, 1/e), where the theorem holds
    pub fn new(epsilon: f64, delta: f64) -> Result<Rogers, AccountingError> {
        error::positive_delta(delta)?;
        if delta >= 0.367_879_441_171_442_3 {
            return Err(AccountingError::Limit {
                method: ROGERS.name,
                what: "δ",
                value: delta,
                limit: 0.367_879_441_171_442_3,
                remedy: "take a δ below 1/e",
            });
        }
        let epsilon = error::positive("ε", epsilon)?;
        Ok(Rogers {
            epsilon,
            half_delta: 0.5 * delta,
            offset: epsilon * epsilon / (-28.04 * libm::log(delta)),
            drift: 0.0,
            squares: 0.0,
            own: 0.0,
        })
    }

    /// The bound for these sums; 0 where nothing was spent.
    fn total(&self, drift: f64, squares: f64) -> f64 {
        if squares == 0.0 {
            return 0.0;
        }
        let variance = (squares + self.offset) * (1.0 + 0.5 * libm::log1p(squares / self.offset));
        drift + (-2.0 * libm::log(self.half_delta) * variance).sqrt()
    }
}

impl Filter for Rogers {
    fn about(&self) -> &'static About {
        &ROGERS
    }

    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError> {
        let (epsilon, delta) = match spend.checked()? {
            Spend::Pure(epsilon) => (epsilon, 0.0),
            Spend::Approximate(epsilon, delta) => (epsilon, delta),
            other => {
                return Err(unsupported(
                    &ROGERS,
                    other,
                    "it has no ε of its own",
                    "the concentrated filter",
                ));
            }
        };
        // rounded up at each step, so that no more is admitted than fits
        let mut sums = (self.drift, self.squares, self.own);
        if epsilon > 0.0 {
            let drift = 0.5 * epsilon * libm::expm1(epsilon);
            sums.0 = (sums.0 + drift * (1.0 + 1e-15)).next_up();
            sums.1 = (sums.1 + (epsilon * epsilon).next_up()).next_up();
        }
        if delta > 0.0 {
            sums.2 = (sums.2 + delta).next_up();
        }
        let within = self.total(sums.0, sums.1) * (1.0 + 1e-14) <= self.epsilon;
        let fits = (within || epsilon == 0.0) && sums.2 <= self.half_delta;
        if fits {
            (self.drift, self.squares, self.own) = sums;
        }
        Ok(fits)
    }

    fn spent(&self) -> f64 {
        self.total(self.drift, self.squares)
    }

    fn budget(&self) -> f64 {
        self.epsilon
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::filter::Approximate;

    #[test]
    fn it_admits_fewer_than_the_later_filter_and_more_than_the_plain_sum_of_many() {
        let admitted = |filter: &mut dyn Filter, spend: f64| {
            (0..)
                .take_while(|_| filter.offer(Spend::Pure(spend)).unwrap())
                .count()
        };
        for spend in [0.001, 0.003, 0.01] {
            let early = admitted(&mut Rogers::new(1.0, 1e-6).unwrap(), spend);
            let late = admitted(&mut Approximate::new(1.0, 1e-6, 0.0).unwrap(), spend);
            assert!(early < late, "{early} {late}");
            assert!(spend > 0.001 || early as f64 > 1.0 / spend);
        }
    }

    #[test]
    fn the_bound_is_what_the_formula_says() {
        // 100 times 0.01 at ε = 1, δ = 1e-6: y = 1/(28.04·13.815510557964274) = 0.0025814567…, Σε² = 0.01, drift 0.5·(e^0.01 − 1) = 0.005025083541…
        let mut filter = Rogers::new(1.0, 1e-6).unwrap();
        for _ in 0..100 {
            assert!(filter.offer(Spend::Pure(0.01)).unwrap());
        }
        let y: f64 = 1.0 / (28.04 * 13.815510557964274);
        let variance = (0.01 + y) * (1.0 + 0.5 * libm::log1p(0.01 / y));
        let expected = 0.005_025_083_542 + (2.0 * variance * 14.508657738524219).sqrt();
        assert!(
            (filter.spent() - expected).abs() < 1e-10,
            "{}",
            filter.spent()
        );
        assert!(Rogers::new(1.0, 0.4).is_err() && Rogers::new(0.0, 1e-6).is_err());
        let mut own = Rogers::new(1.0, 1e-6).unwrap();
        assert!(own.offer(Spend::Approximate(0.01, 4e-7)).unwrap());
        assert!(!own.offer(Spend::Approximate(0.01, 4e-7)).unwrap());
    }
}
