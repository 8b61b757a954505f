//! How steeply a choice follows the scores at a given privacy.

use super::SelectionError;

/// How the scores may move between neighbouring data sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// all in one direction, as counts do when a record is added
    OneWay,
    /// some up and others down, as counts do when a record is substituted
    AnyWay,
}

/// Which factor a mechanism uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// ε/(2Δ), always private: a score may fall by Δ while all others rise by Δ
    General,
    /// ε/Δ, private only for [`Movement::OneWay`]
    Monotone,
}

/// ε, Δ and the form of a selection. A utility u counts as u·ε/(2Δ) (or u·ε/Δ), and noise has scale 2Δ/ε (or Δ/ε).
///
/// ε = 0 is allowed: all candidates that are permitted are equally likely. So is Δ = 0 (scores that do not depend on the data)
/// with ε > 0: the best candidate is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    epsilon: f64,
    sensitivity: f64,
    form: Form,
}

impl Calibration {
    /// For scores with sensitivity Δ: the largest change of any score between neighbouring data sets.
    ///
    /// # Errors
    /// [`SelectionError`] if ε or Δ is NaN, negative or infinite, and [`SelectionError::NotMonotone`] if the monotone form is asked
    /// for where scores may move both ways (McSherry and Talwar, FOCS 2007, theorem 6 needs the 2 there)
    pub fn new(
        epsilon: f64,
        sensitivity: f64,
        movement: Movement,
        form: Form,
    ) -> Result<Calibration, SelectionError> {
        if !(epsilon >= 0.0 && epsilon.is_finite()) {
            return Err(SelectionError::Epsilon { value: epsilon });
        }
        if !(sensitivity >= 0.0 && sensitivity.is_finite()) {
            return Err(SelectionError::Sensitivity { value: sensitivity });
        }
        if (movement, form) == (Movement::AnyWay, Form::Monotone) {
            return Err(SelectionError::NotMonotone);
        }
        Ok(Calibration {
            // adding 0 turns −0 into 0
            epsilon: epsilon + 0.0,
            sensitivity: sensitivity + 0.0,
            form,
        })
    }

    /// The general form, which needs to know nothing of how scores move.
    ///
    /// # Errors
    /// As [`Calibration::new`].
    pub fn general(epsilon: f64, sensitivity: f64) -> Result<Calibration, SelectionError> {
        Calibration::new(epsilon, sensitivity, Movement::AnyWay, Form::General)
    }

    /// ε.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// Δ, in the units of the scores.
    pub fn sensitivity(&self) -> f64 {
        self.sensitivity
    }

    /// The form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// ε/(2Δ), or ε/Δ in the monotone form, per unit of score: 0 at ε = 0, otherwise +∞ at Δ = 0.
    pub fn slope(&self) -> f64 {
        self.scaled(1.0, 0)
    }

    /// 2Δ/ε, or Δ/ε in the monotone form, in the units of the scores: the scale of the noise of all report-noisy-max mechanisms.
    /// +∞ at ε = 0, otherwise 0 at Δ = 0.
    pub fn noise_scale(&self) -> f64 {
        self.loss_of(1.0)
    }

    /// The loss, in the units of the scores, of a gap above 0: gap/slope. +∞ at ε = 0, otherwise 0 at Δ = 0, and 0 for a gap of 0.
    pub fn loss_of(&self, gap: f64) -> f64 {
        if gap == 0.0 {
            return 0.0;
        }
        if self.epsilon == 0.0 {
            return f64::INFINITY;
        }
        if self.sensitivity == 0.0 {
            return 0.0;
        }
        let (epsilon, epsilon_exponent) = libm::frexp(self.epsilon);
        let (sensitivity, sensitivity_exponent) = libm::frexp(self.sensitivity);
        let (gap, gap_exponent) = libm::frexp(gap);
        let exponent = gap_exponent + sensitivity_exponent - epsilon_exponent + self.doublings();
        libm::scalbn(gap * (sensitivity / epsilon), exponent)
    }

    /// How many times Δ is doubled.
    fn doublings(&self) -> i32 {
        match self.form {
            Form::General => 1,
            Form::Monotone => 0,
        }
    }

    /// (best − score)·slope: how far behind a score is, in units of the noise's scale; from 0 to +∞. Right also where the difference, the
    /// slope or both leave the range of `f64` and the result does not. +∞ for a score of −∞, whatever ε is.
    pub fn gap(&self, best: f64, score: f64) -> f64 {
        if score == f64::NEG_INFINITY {
            return f64::INFINITY;
        }
        let difference = best - score;
        if difference.is_finite() {
            self.scaled(difference, 0)
        } else {
            self.scaled(0.5 * best - 0.5 * score, 1)
        }
    }

    /// difference·2^extra·slope, with mantissas and exponents apart, so that nothing overflows on the way.
    fn scaled(&self, difference: f64, extra: i32) -> f64 {
        if difference == 0.0 || self.epsilon == 0.0 {
            return 0.0;
        }
        if self.sensitivity == 0.0 {
            return f64::INFINITY;
        }
        let (epsilon, epsilon_exponent) = libm::frexp(self.epsilon);
        let (sensitivity, sensitivity_exponent) = libm::frexp(self.sensitivity);
        let (difference, difference_exponent) = libm::frexp(difference);
        let exponent = extra + difference_exponent + epsilon_exponent
            - sensitivity_exponent
            - self.doublings();
        libm::scalbn(difference * (epsilon / sensitivity), exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_outside_their_range_are_refused() {
        for value in [-1.0, f64::NAN, f64::INFINITY] {
            let text = Calibration::general(value, 1.0).unwrap_err().to_string();
            assert!(text.contains(&format!("ε is {value:?}")), "{text}");
            let text = Calibration::general(1.0, value).unwrap_err().to_string();
            assert!(text.contains(&format!("is {value:?}")), "{text}");
        }
    }

    #[test]
    fn the_monotone_form_needs_scores_that_move_one_way() {
        let refused = Calibration::new(1.0, 1.0, Movement::AnyWay, Form::Monotone).unwrap_err();
        assert_eq!(refused, SelectionError::NotMonotone);
        assert!(refused.to_string().contains("add-remove"));
        let monotone = Calibration::new(3.0, 2.0, Movement::OneWay, Form::Monotone).unwrap();
        assert_eq!((monotone.slope(), monotone.gap(5.0, 1.0)), (1.5, 6.0));
        let general = Calibration::general(3.0, 2.0).unwrap();
        assert_eq!((general.slope(), general.gap(5.0, 1.0)), (0.75, 3.0));
        assert_eq!(general.noise_scale(), 4.0 / 3.0);
    }

    #[test]
    fn gaps_are_right_where_parts_of_them_overflow() {
        let gap = |epsilon, sensitivity, best, score| {
            Calibration::general(epsilon, sensitivity)
                .unwrap()
                .gap(best, score)
        };
        assert_eq!(gap(1.0, 1e308, 1e308, -1e308), 1.0);
        assert_eq!(gap(1.0, 1.0, 1e308, -1e308), 1e308);
        assert_eq!(gap(1e-300, 1e-300, 3.0, 1.0), 1.0);
        assert!((gap(1e300, 1e300, 1e-300, 0.0) / 5e-301 - 1.0).abs() < 1e-15);
        assert_eq!(gap(1e300, 1e-300, 1.0, 0.0), f64::INFINITY);
        assert_eq!(gap(0.0, 1.0, 1e308, -1e308), 0.0);
        assert_eq!(gap(0.0, 1.0, 1.0, f64::NEG_INFINITY), f64::INFINITY);
        assert_eq!(gap(1.0, 0.0, 1.0, 1.0), 0.0);
        assert_eq!(gap(1.0, 0.0, 1.0, 0.5), f64::INFINITY);
        let wide = Calibration::general(1.0, 1e308).unwrap();
        assert_eq!(
            (wide.loss_of(0.5), wide.noise_scale()),
            (1e308, f64::INFINITY)
        );
    }
}
