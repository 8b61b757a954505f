//! Properties of the laws for arbitrary scales, and closed forms where inclusion–exclusion does not cancel.

use super::comparison::{common, independent};
use super::*;
use proptest::prelude::*;
use std::sync::Arc;

/// Up to `most` scales over `decades` powers of ten on both sides of 1, now and then equal to each other.
fn scales(most: usize, decades: f64) -> impl Strategy<Value = Vec<f64>> {
    let exponent = prop_oneof![-decades..decades, Just(0.0), Just(0.5 * decades)];
    prop::collection::vec(exponent, 1..=most).prop_map(|exponents| {
        exponents
            .into_iter()
            .map(|exponent| libm::pow(10.0, exponent))
            .collect()
    })
}

/// E Mʲ/j! = Σ_S (−1)^{|S|+1}/(Σ_S 1/b)ʲ.
fn moment_by_inclusion_exclusion(scales: &[f64], order: i32) -> f64 {
    (1_u32..1 << scales.len())
        .map(|set| {
            let rate: f64 = (scales.iter().enumerate())
                .filter(|(i, _)| set >> i & 1 == 1)
                .map(|(_, scale)| 1.0 / scale)
                .sum();
            let sign = if set.count_ones() % 2 == 1 { 1.0 } else { -1.0 };
            sign / rate.powi(order)
        })
        .sum()
}

proptest! {
    #[test]
    fn moments_of_the_largest_error_match_inclusion_exclusion(scales in scales(6, 2.0)) {
        let law = Maximum::new(&scales);
        let mean = moment_by_inclusion_exclusion(&scales, 1);
        let second = 2.0 * moment_by_inclusion_exclusion(&scales, 2);
        prop_assert!((law.mean().unwrap() / mean - 1.0).abs() < 1e-12);
        let variance = law.sd().unwrap() * law.sd().unwrap();
        prop_assert!((variance / (second - mean * mean) - 1.0).abs() < 1e-11);
    }

    #[test]
    fn quantiles_invert_over_24_decades(scales in scales(8, 12.0), p in 0.002..0.998f64) {
        let laws: [&dyn Law; 3] = [&Maximum::new(&scales), &MeanAbsolute::new(&scales), &Rmse::new(&scales)];
        for law in laws {
            let x = law.quantile(p).unwrap();
            prop_assert!((law.cdf(x).unwrap() - p).abs() < 1e-10, "{:?} {} {}", law, p, x);
            prop_assert!(law.density(x).unwrap() > 0.0);
        }
    }

    /// e_max/√k ≤ RMSE ≤ e_max and (Σe)/k ≤ RMSE, trial by trial, and so for means and quantiles.
    #[test]
    fn laws_are_ordered_as_the_measures_are(scales in scales(8, 6.0), p in 0.01..0.99f64) {
        let (largest, mean, rmse) = (Maximum::new(&scales), MeanAbsolute::new(&scales), Rmse::new(&scales));
        let root = (scales.len() as f64).sqrt();
        let slack = 1.0 + 1e-9;
        for value in [|law: &dyn Law, _| law.mean().unwrap(), |law: &dyn Law, p| law.quantile(p).unwrap()] {
            let value: fn(&dyn Law, f64) -> f64 = value;
            let [largest, mean, rmse] = [&largest as &dyn Law, &mean, &rmse].map(|law| value(law, p));
            prop_assert!(mean <= rmse * slack && rmse <= largest * slack && largest <= rmse * root * slack);
        }
    }

    #[test]
    fn laws_scale_with_the_unit(scales in scales(5, 3.0), exponent in -250..250i32) {
        let unit = libm::pow(10.0, f64::from(exponent));
        let scaled: Vec<f64> = scales.iter().map(|scale| scale * unit).collect();
        let pairs: [(&dyn Law, &dyn Law); 3] = [
            (&Maximum::new(&scales), &Maximum::new(&scaled)),
            (&MeanAbsolute::new(&scales), &MeanAbsolute::new(&scaled)),
            (&Rmse::new(&scales), &Rmse::new(&scaled)),
        ];
        for (law, other) in pairs {
            for (one, two) in [(law.mean(), other.mean()), (law.sd(), other.sd()), (law.quantile(0.3), other.quantile(0.3))] {
                prop_assert!((two.unwrap() / unit / one.unwrap() - 1.0).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn outcomes_exhaust_the_comparison_and_swap_with_the_strategies(
        pairs in prop::collection::vec((-12.0..12.0f64, -12.0..12.0f64), 1..8)
    ) {
        let side = |pick: fn(&(f64, f64)) -> f64| -> Vec<f64> {
            pairs.iter().map(|pair| libm::pow(10.0, pick(pair))).collect()
        };
        let (a, b) = (side(|pair| pair.0), side(|pair| pair.1));
        for compare in [common, independent] {
            let (one, other) = (compare(&a, &b).unwrap(), compare(&b, &a).unwrap());
            let wins = one.wins.unwrap();
            prop_assert!((wins.a_lower + wins.tie + wins.b_lower - 1.0).abs() < 1e-12);
            let swapped = other.wins.unwrap();
            prop_assert!((wins.a_lower - swapped.b_lower).abs() < 1e-13);
            prop_assert_eq!(one.mean_difference, -other.mean_difference);
            // positively associated, since both increase with every draw
            let correlation = one.correlation.unwrap();
            prop_assert!((-1e-10..=1.0 + 1e-10).contains(&correlation), "{}", correlation);
        }
    }
}

/// Any double at all, with the ends of the range and its special values often.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        any::<f64>().prop_map(f64::abs),
        0.1..10.0f64,
        prop::sample::select(vec![
            0.0,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            f64::INFINITY,
            f64::NAN,
            1.0
        ]),
    ]
}

proptest! {
    /// Whatever the parameters, a law answers with a number that makes sense or not at all; nothing panics.
    #[test]
    fn laws_answer_sensibly_or_not_at_all(
        scales in prop::collection::vec(any_number(), 0..5),
        other in prop::collection::vec(any_number(), 0..5),
        x in any_number(), p in prop_oneof![any_number(), 0.0..1.0f64],
    ) {
        let scale = scales.first().copied().unwrap_or(1.0);
        let laws: [&dyn Law; 9] = [
            &Laplace::new(scale, x),
            &Exponential::new(scale),
            &SquaredError::new(scale),
            &Bernoulli::new(p),
            &Constant::new(x),
            &Maximum::new(&scales),
            &MeanAbsolute::new(&scales),
            &Rmse::new(&scales),
            &WeightedMse::new(&scales, &other),
        ];
        let gaussian: [&dyn Law; 4] = [
            &Maximum::gaussian(&scales),
            &MeanAbsoluteGaussian::new(&scales),
            &Rmse::gaussian(&scales),
            &WeightedMse::gaussian(&scales, &other),
        ];
        let symmetric: Vec<Arc<dyn Symmetric>> = [
            Normal::new(scale).map(|law| Arc::new(law) as Arc<dyn Symmetric>),
            DiscreteLaplace::new(scale).map(|law| Arc::new(law) as Arc<dyn Symmetric>),
            DiscreteGaussian::new(scale).map(|law| Arc::new(law) as Arc<dyn Symmetric>),
            Staircase::new(scale, 1.0, 0.3).map(|law| Arc::new(law) as Arc<dyn Symmetric>),
            Staircase::new(1.0, scale, 0.3).map(|law| Arc::new(law) as Arc<dyn Symmetric>),
            StudentT::new(scale, 3.0).map(|law| Arc::new(law) as Arc<dyn Symmetric>),
        ].into_iter().flatten().collect();
        let derived: Vec<Box<dyn Law>> = symmetric.iter().flat_map(|law| -> [Box<dyn Law>; 3] {
            [
                Box::new(Answer::new(law.clone(), x)),
                Box::new(Absolute::new(law.clone())),
                Box::new(Squared::new(law.clone())),
            ]
        }).collect();
        let laws = laws.into_iter().chain(gaussian).chain(derived.iter().map(|law| &**law));
        for law in laws {
            prop_assert!(law.mean().is_none_or(f64::is_finite), "{:?}", law);
            prop_assert!(law.sd().is_none_or(|sd| sd >= 0.0), "{:?}", law);
            prop_assert!(law.quantile(p).is_none_or(|quantile| !quantile.is_nan()), "{:?} {}", law, p);
            prop_assert!(law.cdf(x).is_none_or(|cdf| (0.0..=1.0).contains(&cdf)), "{:?} {}", law, x);
            prop_assert!(law.density(x).is_none_or(|density| density >= 0.0), "{:?} {}", law, x);
        }
        for comparison in [common(&scales, &other), independent(&scales, &other)].into_iter().flatten() {
            if let Some(wins) = comparison.wins {
                prop_assert!((wins.a_lower + wins.tie + wins.b_lower - 1.0).abs() < 1e-9, "{:?} {:?} {:?}", wins, scales, other);
            }
            prop_assert!(comparison.sd_difference.is_none_or(|sd| sd >= 0.0));
            prop_assert!(comparison.mean_difference.is_finite());
        }
    }
}

#[test]
fn far_from_the_bulk_the_distribution_is_0_or_1() {
    let scales = [1.0, 3.0, 2.0];
    let laws: [&dyn Law; 4] = [
        &Maximum::new(&scales),
        &MeanAbsolute::new(&scales),
        &Rmse::new(&scales),
        &WeightedMse::new(&scales, &[1.0; 3]),
    ];
    for law in laws {
        for x in [1e6, 1e30, 1e300, f64::INFINITY] {
            assert_eq!(
                law.cdf(x).map(|cdf| (cdf - 1.0).abs() < 1e-12),
                Some(true),
                "{law:?} {x}"
            );
            assert!(law.density(x).unwrap() < 1e-12, "{law:?} {x}");
        }
        for x in [-1.0, 0.0, 1e-12] {
            assert!(law.cdf(x).unwrap() < 1e-5, "{law:?} {x}");
        }
        assert_eq!(law.cdf(f64::NAN), None);
        assert_eq!(law.density(f64::NAN), None);
    }
}
