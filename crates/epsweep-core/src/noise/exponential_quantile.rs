//! A quantile chosen by the exponential mechanism: an answer of the data's own range, near the quantile in rank.

use super::smooth::{SmoothError, check_values};
use super::transform::each;
use super::{Noise, Transform};
use crate::about::About;
use crate::budget::Epsilon;
use crate::data::Bounds;
use crate::random::StandardLaw;
use crate::selection::utility::rank_sensitivity;
use crate::sensitivity::Neighbours;
use crate::theory::{Constant, Law, Steps};
use std::sync::Arc;

/// Name, formula and source.
pub const ABOUT: About = About {
    name: "exponential-quantile",
    summary: "no added noise: the answer is a number within the bounds, chosen by the exponential mechanism for its rank",
    formula: "density ∝ exp(−ε·|#{x < r} − p·n|/(2Δ)), Δ = 1 under substitute, max(p, 1 − p) under add-remove",
    source: "Smith, STOC 2011, algorithm 2; McSherry and Talwar, FOCS 2007",
};

/// The p-quantile of values within public bounds, released by the exponential mechanism over the interval from one bound to the other
/// with the utility u(r) = −|#{x < r} − p·n|: between two values that follow each other it is the same, so that an interval is
/// chosen with probability proportional to its length times exp(ε·u/(2Δ)), and then a place in it evenly.
///
/// The error is counted from the value of rank `rank`. It is not centred, and its law depends on the data: an analyst does not know it.
///
/// # Errors
/// [`SmoothError`] for no values, values outside the bounds, a fraction outside [0, 1] or a rank outside 1 to n
pub fn exponential_quantile(
    values: &[f64],
    (fraction, rank): (f64, usize),
    bounds: Bounds,
    neighbours: Neighbours,
    epsilon: Epsilon,
) -> Result<Box<dyn Noise>, SmoothError> {
    check_values(values, rank, bounds)?;
    if !(0.0..=1.0).contains(&fraction) {
        return Err(SmoothError::Fraction { value: fraction });
    }
    let mut knots = Vec::with_capacity(values.len() + 2);
    knots.push(bounds.low());
    knots.extend_from_slice(values);
    knots.push(bounds.high());
    knots.sort_by(f64::total_cmp);
    let truth = knots[rank];
    let slope = 0.5 * epsilon.get() / rank_sensitivity(fraction, neighbours);
    let wanted = fraction * values.len() as f64;
    // i values lie below what is between x_i and x_{i+1}
    let distance = |i: usize| (i as f64 - wanted).abs();
    let inhabited = || (0..=values.len()).filter(|&i| knots[i] < knots[i + 1]);
    let least = inhabited().map(distance).fold(f64::INFINITY, f64::min);
    let error = Steps::new(inhabited().map(|i| {
        let (low, high) = (knots[i] - truth, knots[i + 1] - truth);
        let weight = libm::exp(slope * (least - distance(i)));
        (low, high, weight * (high - low))
    }));
    let Some((error, absolute)) = error.and_then(|e| e.folded().map(|absolute| (e, absolute)))
    else {
        // both bounds are the same, or so near each other that there is nothing between
        return Ok(Box::new(ExponentialQuantile {
            epsilon: epsilon.get(),
            law: None,
        }));
    };
    Ok(Box::new(ExponentialQuantile {
        epsilon: epsilon.get(),
        law: Some(Errors { error, absolute }),
    }))
}

#[derive(Debug)]
struct ExponentialQuantile {
    epsilon: f64,
    /// `None` where bounds leave nothing to choose
    law: Option<Errors>,
}

/// The law of the error, and of its magnitude.
#[derive(Debug)]
struct Errors {
    error: Steps,
    absolute: Steps,
}

impl ExponentialQuantile {
    fn law<L: Law + 'static>(
        &self,
        exact: f64,
        of: impl FnOnce(&Errors) -> Option<L>,
    ) -> Arc<dyn Law> {
        match &self.law {
            None => Arc::new(Constant::new(exact)),
            Some(errors) => match of(errors) {
                Some(law) => Arc::new(law),
                None => Arc::new(Constant::new(f64::NAN)),
            },
        }
    }
}

impl Noise for ExponentialQuantile {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    /// The mean absolute error: the mechanism has no scale of its own.
    fn scale(&self) -> f64 {
        self.law.as_ref().map_or(0.0, |law| law.absolute.moment(1))
    }

    fn standard(&self) -> StandardLaw {
        StandardLaw::Uniform
    }

    fn transform(&self) -> Option<&dyn Transform> {
        self.law.as_ref().map(|law| law as &dyn Transform)
    }

    fn variance(&self) -> f64 {
        self.law.as_ref().map_or(0.0, |law| law.error.variance())
    }

    /// NaN: it depends on the data, and nobody who sees the answer knows it; 0 without noise.
    fn half_width(&self, _: f64) -> f64 {
        self.law.as_ref().map_or(0.0, |_| f64::NAN)
    }

    /// That of any mechanism whose privacy losses lie within a range of ε, which is the worst case over all data:
    /// (1 − e^{(epsilon − ε)/2})²/(1 − e^{−ε}) (Dong, Durfee and Rogers, ICML 2020, lemma 3.2 at its worst offset).
    fn delta(&self, epsilon: f64) -> f64 {
        if self.law.is_none() || epsilon >= self.epsilon {
            return 0.0;
        }
        let less = libm::expm1(0.5 * (epsilon - self.epsilon));
        less * less / -libm::expm1(-self.epsilon)
    }

    fn answer_law(&self, truth: f64) -> Arc<dyn Law> {
        self.law(truth, |law| law.error.shifted(truth))
    }

    fn error_law(&self) -> Arc<dyn Law> {
        self.law(0.0, |law| Some(law.error.clone()))
    }

    fn abs_error_law(&self) -> Arc<dyn Law> {
        self.law(0.0, |law| Some(law.absolute.clone()))
    }

    fn squared_error_law(&self) -> Arc<dyn Law> {
        self.law(0.0, |law| Some(law.absolute.clone().squared()))
    }
}

impl Transform for Errors {
    fn sources(&self) -> &'static [StandardLaw] {
        &[StandardLaw::Uniform]
    }

    fn apply(&self, standard: &[&[f64]], out: &mut [f64]) {
        each(1, standard, out, |uniform, _| self.error.at(uniform));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_law_matches, drawn};
    use super::*;

    const BOUNDS: [f64; 2] = [0.0, 8.0];
    const FRACTIONS: [f64; 5] = [0.0, 0.25, 0.5, 0.9, 1.0];

    fn rank(fraction: f64, n: usize) -> usize {
        ((fraction * n as f64).ceil() as usize).clamp(1, n)
    }

    fn released(
        values: &[f64],
        fraction: f64,
        neighbours: Neighbours,
        epsilon: f64,
    ) -> Box<dyn Noise> {
        exponential_quantile(
            values,
            (fraction, rank(fraction, values.len())),
            Bounds::new(BOUNDS[0], BOUNDS[1]).unwrap(),
            neighbours,
            Epsilon::new(epsilon).unwrap(),
        )
        .unwrap()
    }

    fn truth(values: &[f64], fraction: f64) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[rank(fraction, values.len()) - 1]
    }

    /// u by its definition
    fn utility(values: &[f64], fraction: f64, r: f64) -> f64 {
        let below = values.iter().filter(|&&x| x < r).count() as f64;
        -(below - fraction * values.len() as f64).abs()
    }

    /// All data sets of up to three whole numbers from 0 to 4, doubled, and their neighbours.
    fn pairs(neighbours: Neighbours) -> Vec<(Vec<f64>, Vec<f64>)> {
        let numbers = || (0..5_u8).map(|x| f64::from(2 * x));
        let mut sets: Vec<Vec<f64>> = numbers().map(|x| vec![x]).collect();
        for size in 1..3 {
            let longer: Vec<Vec<f64>> = (sets.iter().filter(|set| set.len() == size))
                .flat_map(|set| numbers().map(|x| [set.clone(), vec![x]].concat()))
                .collect();
            sets.extend(longer);
        }
        let mut out = Vec::new();
        for set in &sets {
            for x in numbers() {
                match neighbours {
                    Neighbours::AddRemove => {
                        out.push((set.clone(), [set.clone(), vec![x]].concat()))
                    }
                    Neighbours::Substitute => {
                        let mut other = set.clone();
                        other[0] = x;
                        out.push((set.clone(), other));
                    }
                }
            }
        }
        out
    }

    const PLACES: [f64; 4] = [1.0, 3.0, 5.0, 7.0];

    #[test]
    fn the_sensitivity_of_the_rank_utility_is_reached_and_not_exceeded() {
        for neighbours in [Neighbours::AddRemove, Neighbours::Substitute] {
            for fraction in FRACTIONS {
                let mut largest = 0.0_f64;
                for (one, other) in pairs(neighbours) {
                    for r in PLACES {
                        let change = utility(&one, fraction, r) - utility(&other, fraction, r);
                        largest = largest.max(change.abs());
                    }
                }
                let expected = rank_sensitivity(fraction, neighbours);
                assert!(
                    (largest - expected).abs() < 1e-12,
                    "{neighbours:?} {fraction}: {largest} {expected}"
                );
            }
        }
    }

    /// By the midpoint rule over the definition: the density is constant between whole numbers, so that the rule is exact but for the
    /// square of the step, 2⁻¹².
    #[test]
    fn the_law_is_the_definition() {
        let values = [3.0, 1.0, 6.0, 3.0, 8.0, 5.0, 5.0];
        for neighbours in [Neighbours::AddRemove, Neighbours::Substitute] {
            for fraction in FRACTIONS {
                let epsilon = 1.3;
                let exponent = 0.5 * epsilon / rank_sensitivity(fraction, neighbours);
                let places: Vec<f64> = (0..8 * 64).map(|i| (f64::from(i) + 0.5) / 64.0).collect();
                let weights: Vec<f64> = (places.iter())
                    .map(|&r| libm::exp(exponent * utility(&values, fraction, r)))
                    .collect();
                let total: f64 = weights.iter().sum();
                let mean = |f: &dyn Fn(f64) -> f64| -> f64 {
                    (places.iter().zip(&weights))
                        .map(|(&r, w)| f(r) * w / total)
                        .sum()
                };
                let truth = truth(&values, fraction);
                let noise = released(&values, fraction, neighbours, epsilon);
                let near = |a: Option<f64>, b: f64| {
                    assert!(
                        (a.unwrap() - b).abs() < 1e-3 * b.abs().max(0.01),
                        "{a:?} {b}"
                    );
                };
                near(noise.answer_law(truth).mean(), mean(&|r| r));
                near(noise.error_law().mean(), mean(&|r| r - truth));
                let absolute = mean(&|r| (r - truth).abs());
                near(noise.abs_error_law().mean(), absolute);
                near(Some(noise.scale()), absolute);
                near(
                    noise.squared_error_law().mean(),
                    mean(&|r| (r - truth).powi(2)),
                );
                for x in [0.0, 0.5, 2.0, 3.0, 4.75, 7.0, 8.0] {
                    let below = mean(&|r| f64::from(u8::from(r < x)));
                    let got = noise.answer_law(truth).cdf(x).unwrap();
                    assert!((got - below).abs() < 1e-12, "{x} {got} {below}");
                }
            }
        }
    }

    /// The density is constant between whole numbers: the privacy loss at four places is all there is of it.
    #[test]
    fn neighbours_are_as_hard_to_tell_apart_as_promised() {
        let epsilon = 0.8;
        for neighbours in [Neighbours::AddRemove, Neighbours::Substitute] {
            let (mut largest, mut range, mut curve) = (0.0_f64, 0.0_f64, [0.0_f64; 4]);
            for fraction in FRACTIONS {
                for (one, other) in pairs(neighbours) {
                    let noises = [&one, &other].map(|set| {
                        (
                            released(set, fraction, neighbours, epsilon),
                            truth(set, fraction),
                        )
                    });
                    let [p, q] = noises.each_ref().map(|(noise, truth)| {
                        PLACES.map(|r| 2.0 * noise.answer_law(*truth).density(r).unwrap())
                    });
                    let losses: Vec<f64> =
                        (p.iter().zip(&q)).map(|(p, q)| libm::log(p / q)).collect();
                    let [low, high] =
                        [f64::min, f64::max].map(|f| losses.iter().copied().reduce(f).unwrap());
                    largest = largest.max(high).max(-low);
                    range = range.max(high - low);
                    for (i, curve) in curve.iter_mut().enumerate() {
                        let at = 0.2 * i as f64;
                        let told: f64 = (p.iter().zip(&q))
                            .map(|(p, q)| (p - libm::exp(at) * q).max(0.0))
                            .sum();
                        *curve = curve.max(told);
                    }
                }
            }
            assert!(
                largest <= epsilon * (1.0 + 1e-12),
                "{neighbours:?} {largest}"
            );
            // bounded range (Durfee and Rogers 2019), and nearly all of it is used: a law with less noise would not be private
            assert!(
                range <= epsilon * (1.0 + 1e-12) && range > 0.95 * epsilon,
                "{neighbours:?} {range}"
            );
            let noise = released(&[2.0], 0.5, neighbours, epsilon);
            for (i, told) in curve.iter().enumerate() {
                let promised = noise.delta(0.2 * i as f64);
                assert!(*told <= promised + 1e-12, "{told} {promised}");
                // these data are not the worst ones, whose losses are of two values alone
                assert!(i > 0 || *told > 0.25 * promised, "{told} {promised}");
            }
            assert_eq!((noise.delta(epsilon), noise.delta(2.0)), (0.0, 0.0));
        }
    }

    #[test]
    fn draws_have_the_law() {
        let values = [3.0, 1.0, 6.0, 3.0, 8.0, 5.0, 5.0];
        let of = |epsilon| released(&values, 0.5, Neighbours::Substitute, epsilon);
        let (right, wrong) = (of(1.0), of(1.05));
        assert_law_matches(&drawn(&*right), &*right.error_law(), &*wrong.error_law());
        assert_eq!(right.name(), ABOUT.name);
        let sd = right.error_law().sd().unwrap();
        assert!((right.variance() / (sd * sd) - 1.0).abs() < 1e-12);
        assert!(right.half_width(0.95).is_nan());
    }

    #[test]
    fn extreme_data_and_budgets_are_no_trouble() {
        // all records alike: what is drawn lies on either side of them
        let noise = released(&[8.0; 5], 0.5, Neighbours::Substitute, 1e6);
        assert!((noise.error_law().mean().unwrap() + 4.0).abs() < 1e-12);
        // next to no budget: everything is as likely
        let noise = released(&[1.0, 2.0], 0.5, Neighbours::AddRemove, 1e-9);
        assert!((noise.answer_law(1.0).mean().unwrap() - 4.0).abs() < 1e-8);
        // so much that the interval at the median is certain
        let noise = released(&[1.0, 2.0], 0.5, Neighbours::AddRemove, 1e6);
        let law = noise.answer_law(1.0);
        assert_eq!((law.cdf(1.0), law.cdf(2.0)), (Some(0.0), Some(1.0)));
        // a million records
        let many: Vec<f64> = (0..1_000_000).map(|i| f64::from(i) * 8e-6).collect();
        let noise = released(&many, 0.5, Neighbours::Substitute, 0.1);
        // two-sided geometric in rank: the mean distance is 2/ε steps
        let expected = 20.0 * 8e-6;
        assert!(
            (noise.scale() / expected - 1.0).abs() < 0.01,
            "{}",
            noise.scale()
        );
    }

    #[test]
    fn what_has_no_law_is_refused_and_what_needs_no_noise_gets_none() {
        let one = Bounds::new(0.0, 1.0).unwrap();
        let epsilon = Epsilon::new(1.0).unwrap();
        let refused = |values: &[f64], fraction, rank| {
            exponential_quantile(
                values,
                (fraction, rank),
                one,
                Neighbours::Substitute,
                epsilon,
            )
            .unwrap_err()
            .to_string()
        };
        assert!(refused(&[], 0.5, 1).contains("no values"));
        assert!(refused(&[0.5, 2.0], 0.5, 1).contains("value 2 is 2.0"));
        assert!(refused(&[0.5], 1.5, 1).contains("1.5"));
        assert!(refused(&[0.5], f64::NAN, 1).contains("NaN"));
        assert!(refused(&[0.5], 0.5, 2).contains("rank is 2"));
        let point = Bounds::new(0.5, 0.5).unwrap();
        let noise =
            exponential_quantile(&[0.5], (0.5, 1), point, Neighbours::Substitute, epsilon).unwrap();
        assert_eq!(
            (noise.scale(), noise.variance(), noise.delta(0.0)),
            (0.0, 0.0, 0.0)
        );
        assert!(noise.transform().is_none());
        assert_eq!(noise.answer_law(0.5).mean(), Some(0.5));
    }
}
