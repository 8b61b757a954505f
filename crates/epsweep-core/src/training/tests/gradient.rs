//! Gradients, clipping and sensitivity, against definitions.

use super::super::kernel::{self, Lane};
use super::super::optimum::derivatives;
use super::super::{Examples, Generator, Model, TrainingError, optimum};
use crate::random::isa::LANES;
use crate::random::{Draws, Level, Source, StandardLaw, level};

fn generator(model: Model) -> Generator {
    Generator {
        model,
        features: 5,
        signal: 2.0,
        noise: 0.5,
        seed: 7,
    }
}

/// Eight parameter vectors without a pattern, some large enough for predictions of ±40.
fn parameters(features: usize) -> Vec<Lane> {
    let draws = Draws::new(
        3,
        LANES,
        &[Source::new("test", StandardLaw::Normal, features)],
    );
    (0..features)
        .map(|j| {
            std::array::from_fn(|lane| draws.row(0, j)[lane] * [0.0, 0.1, 1.0, 40.0][lane % 4])
        })
        .collect()
}

fn of_lane(parameters: &[Lane], lane: usize) -> Vec<f64> {
    parameters.iter().map(|p| p[lane]).collect()
}

#[test]
fn gradient_and_hessian_are_those_of_finite_differences() {
    for model in Model::ALL {
        let examples = generator(*model).examples(60).unwrap();
        let w = [0.3, -1.2, 0.8, 0.0, 2.0];
        let ridge = 0.1;
        let (gradient, hessian) = derivatives(&examples, *model, ridge, &w);
        let h = 1e-5;
        for j in 0..5 {
            let at = |shift: f64| {
                let mut moved = w;
                moved[j] += shift;
                let square: f64 = moved.iter().map(|w| w * w).sum();
                let loss = examples.judge(*model, &moved).0 + 0.5 * ridge * square;
                (loss, derivatives(&examples, *model, ridge, &moved).0)
            };
            let ((above, rising), (below, falling)) = (at(h), at(-h));
            // a central difference is off by h²·ℓ'''/6 and the rounding 1e-16/h
            let difference = (above - below) / (2.0 * h);
            assert!((gradient[j] - difference).abs() < 1e-9, "{model:?} {j}");
            for k in 0..5 {
                let difference = (rising[k] - falling[k]) / (2.0 * h);
                assert!((hessian[j * 5 + k] - difference).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn the_kernel_sums_clipped_gradients() {
    for model in Model::ALL {
        // no multiple of four
        let examples = generator(*model).examples(203).unwrap();
        let parameters = parameters(5);
        for clip in [0.05, 1.0, f64::INFINITY] {
            let limits = kernel::limits(&examples, clip);
            let mut sums = vec![[0.0; LANES]; 5];
            kernel::gradient(level(), *model, &examples, &limits, &parameters, &mut sums);
            for lane in 0..LANES {
                let w = of_lane(&parameters, lane);
                let mut expected = [0.0; 5];
                for (x, y) in examples.records() {
                    let p: f64 = x.iter().zip(&w).map(|(x, w)| x * w).sum();
                    let r = model.residual(p, y);
                    let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt() * r.abs();
                    // Abadi et al.: g/max(1, ‖g‖/C)
                    let factor = 1.0 / (norm / clip).max(1.0);
                    for (to, x) in expected.iter_mut().zip(x) {
                        *to += r * x * factor;
                    }
                }
                for (sum, expected) in sums.iter().zip(expected) {
                    assert!(
                        (sum[lane] - expected).abs() < 1e-12 * (1.0 + expected.abs()),
                        "{model:?} {clip} {lane}: {} {expected}",
                        sum[lane]
                    );
                }
            }
        }
    }
}

#[test]
fn no_record_moves_the_sum_by_more_than_the_clipping_norm() {
    for model in Model::ALL {
        let examples = generator(*model).examples(40).unwrap();
        let parameters = parameters(5);
        for clip in [1e-3, 0.3, 1.0] {
            let mut tight = false;
            for left_out in 0..examples.len() {
                // the record alone: the sum with it less the sum without, free of rounding
                let row = examples.row(left_out).to_vec();
                let alone = Examples::new(5, row, vec![examples.labels()[left_out]]).unwrap();
                let limits = kernel::limits(&alone, clip);
                let mut sums = vec![[0.0; LANES]; 5];
                kernel::gradient(level(), *model, &alone, &limits, &parameters, &mut sums);
                for lane in 0..LANES {
                    let moved = sums.iter().map(|s| s[lane] * s[lane]).sum::<f64>().sqrt();
                    assert!(moved <= clip, "{model:?} {clip} {left_out} {lane}: {moved}");
                    tight |= moved > clip * (1.0 - 1e-12);
                }
            }
            assert!(tight, "{model:?}: some record reaches the bound of {clip}");
        }
    }
}

#[test]
fn a_neighbour_changes_the_sum_by_at_most_the_clipping_norm() {
    let clip = 0.2;
    for model in Model::ALL {
        let whole = generator(*model).examples(64).unwrap();
        let parameters = parameters(5);
        let sum = |examples: &Examples| {
            let limits = kernel::limits(examples, clip);
            let mut sums = vec![[0.0; LANES]; 5];
            kernel::gradient(level(), *model, examples, &limits, &parameters, &mut sums);
            sums
        };
        let all = sum(&whole);
        let mut largest = 0.0_f64;
        for left_out in 0..whole.len() {
            let kept = (0..whole.len()).filter(|record| *record != left_out);
            let (mut values, mut labels) = (Vec::new(), Vec::new());
            for record in kept {
                values.extend_from_slice(whole.row(record));
                labels.push(whole.labels()[record]);
            }
            let neighbour = sum(&Examples::new(5, values, labels).unwrap());
            for lane in 0..LANES {
                let square: f64 = (all.iter().zip(&neighbour))
                    .map(|(a, b)| (a[lane] - b[lane]) * (a[lane] - b[lane]))
                    .sum();
                largest = largest.max(square.sqrt());
            }
        }
        // up to the rounding of sums of 64 terms
        assert!(largest <= clip * (1.0 + 1e-12), "{largest}");
        assert!(largest > 0.99 * clip, "the bound is reached: {largest}");
    }
}

#[test]
fn the_kernels_give_the_same_bits_at_every_level() {
    for model in Model::ALL {
        let examples = generator(*model).examples(501).unwrap();
        let parameters = parameters(5);
        let limits = kernel::limits(&examples, 0.3);
        let everyone: [Vec<u32>; LANES] =
            std::array::from_fn(|lane| (lane as u32..501).step_by(lane + 1).collect());
        let mut first = None;
        for level in Level::available() {
            let mut sums = vec![[0.0; LANES]; 5];
            kernel::gradient(level, *model, &examples, &limits, &parameters, &mut sums);
            let mut sampled = vec![[0.0; LANES]; 5];
            let mut tile = vec![[f64::NAN; LANES]; 5];
            kernel::sampled_gradient(
                level,
                *model,
                &examples,
                &limits,
                &everyone,
                &parameters,
                &mut tile,
                &mut sampled,
            );
            // the sample of lane 0 holds all records: a sum over it is the sum over all
            for (all, sampled) in sums.iter().zip(&sampled) {
                assert_eq!(all[0].to_bits(), sampled[0].to_bits());
            }
            let (losses, right) = kernel::judge(level, *model, &examples, &parameters);
            let bits: Vec<u64> = (sums.iter().chain(&sampled).flatten())
                .chain(&losses)
                .chain(right.iter().filter(|share| !share.is_nan()))
                .map(|x| x.to_bits())
                .collect();
            assert_eq!(*first.get_or_insert(bits.clone()), bits, "{}", level.name());
        }
    }
}

#[test]
fn losses_and_shares_are_those_of_plain_arithmetic() {
    for model in Model::ALL {
        let examples = generator(*model).examples(300).unwrap();
        let parameters = parameters(5);
        let (losses, right) = kernel::judge(level(), *model, &examples, &parameters);
        for lane in 0..LANES {
            let (loss, share) = examples.judge(*model, &of_lane(&parameters, lane));
            assert!(
                (losses[lane] / loss - 1.0).abs() < 1e-13,
                "{model:?} {lane}"
            );
            match model {
                Model::Logistic => assert_eq!(right[lane], share),
                Model::Linear => assert!(right[lane].is_nan()),
            }
        }
    }
}

#[test]
fn the_optimum_has_no_gradient_and_is_recovered_without_noise() {
    for model in Model::ALL {
        for ridge in [0.0, 0.01] {
            let examples = generator(*model).examples(2000).unwrap();
            let w = optimum(&examples, *model, ridge).unwrap();
            let (gradient, _) = derivatives(&examples, *model, ridge, &w);
            assert!(gradient.iter().all(|g| g.abs() < 1e-13), "{gradient:?}");
        }
    }
    let exact = Generator {
        noise: 0.0,
        ..generator(Model::Linear)
    };
    let w = optimum(&exact.examples(50).unwrap(), Model::Linear, 0.0).unwrap();
    for (found, truth) in w.iter().zip(exact.weights()) {
        assert!((found - truth).abs() < 1e-12);
    }
}

#[test]
fn what_has_no_optimum_is_refused() {
    // two classes with a gap between them, and a feature that is twice another
    let separated = Examples::new(1, vec![-1.0, 1.0], vec![0.0, 1.0]).unwrap();
    assert_eq!(
        optimum(&separated, Model::Logistic, 0.0),
        Err(TrainingError::NoOptimum)
    );
    assert!(optimum(&separated, Model::Logistic, 0.1).is_ok());
    let doubled = Examples::new(2, vec![1.0, 2.0, 2.0, 4.0, -1.0, -2.0], vec![1.0, 2.0, 0.0]);
    let doubled = doubled.unwrap();
    assert_eq!(
        optimum(&doubled, Model::Linear, 0.0),
        Err(TrainingError::NoOptimum)
    );
    assert!(optimum(&doubled, Model::Linear, 0.1).is_ok());
}

#[test]
fn bad_records_are_refused() {
    assert!(matches!(
        Examples::new(2, vec![1.0], vec![1.0]),
        Err(TrainingError::Shape { .. })
    ));
    assert_eq!(Examples::new(2, vec![], vec![]), Err(TrainingError::Empty));
    assert_eq!(
        Examples::new(0, vec![], vec![1.0]),
        Err(TrainingError::Featureless)
    );
    assert_eq!(
        Examples::new(1, vec![1.0, f64::NAN], vec![0.0, 1.0]),
        Err(TrainingError::NotFinite { record: 1 })
    );
    let labels = Examples::new(1, vec![1.0, 2.0], vec![0.0, 2.0]).unwrap();
    assert!(labels.suit(Model::Linear).is_ok());
    assert!(labels.suit(Model::Logistic).is_err());
    assert_eq!(
        generator(Model::Linear).examples(0),
        Err(TrainingError::Empty)
    );
}

#[test]
fn generated_records_follow_their_laws_and_more_begin_with_the_same() {
    let generator = Generator {
        model: Model::Logistic,
        features: 20,
        signal: 2.0,
        noise: 0.0,
        seed: 11,
    };
    let examples = generator.examples(20_000).unwrap();
    let fewer = generator.examples(100).unwrap();
    assert_eq!(fewer.values(), &examples.values()[..2000]);
    assert_eq!(fewer.labels(), &examples.labels()[..100]);
    let weights = generator.weights();
    let length: f64 = weights.iter().map(|w| w * w).sum();
    assert!((length / 80.0 - 1.0).abs() < 1e-14);
    let n = 20_000.0;
    let squares: f64 = examples.values().iter().map(|x| x * x).sum::<f64>() / n;
    // E‖x‖² = 1, with a standard error of √(2/(20·20000)) = 0.0022; 5 of them: a false alarm in 1e6 seeds, and the seed is fixed
    assert!((squares - 1.0).abs() < 0.0112, "{squares}");
    let mean: f64 = examples.labels().iter().sum::<f64>() / n;
    // labels are 1 in half of the cases: 5 standard errors
    assert!((mean - 0.5).abs() < 0.0177, "{mean}");
    // the fitted weights are near the true ones: E‖ŵ − w‖² = tr(I⁻¹)/n; 20 features with an information of at least E[σ'(p)]·(1/20) less
    // what the signal takes; 0.05·… is crude, so ten times the order 20·20/(0.1·n) = 0.2 is allowed, and a wrong sign is off by 320
    let fitted = optimum(&examples, Model::Logistic, 0.0).unwrap();
    let distance: f64 = (fitted.iter().zip(&weights))
        .map(|(a, b)| (a - b) * (a - b))
        .sum();
    assert!(distance < 2.0, "{distance}");
}
