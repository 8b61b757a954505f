//! Whole descents, against plain ones, exact laws and other instruction sets.

use super::super::exact::ResultLaw;
use super::super::kernel::{self, Lane};
use super::super::{
    Average, Data, Descent, Examples, Generator, Model, NoisePlan, Room, Streams, optimum, schedule,
};
use crate::accounting::SamplingProbability;
use crate::budget::{Budget, Delta, Epsilon, Rho};
use crate::random::isa::LANES;
use crate::random::{Draws, Level, Source, StandardLaw, TrialStream, level};
use crate::statistics::Moments;
use crate::theory::Law;

fn examples(model: Model, records: usize) -> Examples {
    let generator = Generator {
        model,
        features: 4,
        signal: 1.5,
        noise: 0.3,
        seed: 5,
    };
    generator.examples(records).unwrap()
}

fn descent(model: Model, sampling: f64) -> Descent {
    Descent {
        model,
        rate: 2.0,
        momentum: 0.0,
        clip: 0.5,
        ridge: 0.0,
        sampling: SamplingProbability::new(sampling).unwrap(),
        average: Average::Last,
        recorded: vec![0, 3],
    }
}

fn plan(name: &str, steps: usize, sampling: f64, budget: Budget) -> NoisePlan {
    let schedule = schedule::schedule(name).unwrap();
    let sampling = SamplingProbability::new(sampling).unwrap();
    NoisePlan::new(
        schedule,
        schedule.ratio().unwrap_or(1.0),
        steps,
        sampling,
        budget,
    )
    .unwrap()
}

fn rho(rho: f64) -> Budget {
    Budget::Zcdp(Rho::new(rho).unwrap())
}

fn both(epsilon: f64) -> Budget {
    Budget::Approximate(Epsilon::new(epsilon).unwrap(), Delta::new(1e-5).unwrap())
}

fn sources() -> [Source; 2] {
    [
        Source::new("train/noise", StandardLaw::Normal, 0),
        Source::new("train/sample", StandardLaw::Exponential, 0),
    ]
}

fn streams(draws: &Draws, source: usize) -> [TrialStream; LANES] {
    std::array::from_fn(|lane| draws.trial(source, lane))
}

/// Eight trials of a chunk.
fn run(descent: &Descent, examples: &Examples, plan: &NoisePlan, level: Level, chunk: u64) -> Room {
    let limits = kernel::limits(examples, descent.clip);
    let mut draws = Draws::with_level(level, 17, LANES, &sources());
    draws.go_to(chunk);
    let data = Data {
        examples,
        limits: &limits,
        level,
    };
    let mut samples = streams(&draws, 1);
    let mut room = Room::default();
    let draws = Streams {
        noise: &mut streams(&draws, 0),
        samples: (descent.sampling.get() < 1.0).then_some(&mut samples),
    };
    descent.run(&data, plan, draws, &mut room);
    room
}

/// One trial as its definition says, with a plain loop.
fn plain(
    descent: &Descent,
    examples: &Examples,
    plan: &NoisePlan,
    lane: usize,
    chunk: u64,
) -> (Vec<f64>, Vec<usize>) {
    let d = examples.features();
    let mut draws = Draws::new(17, LANES, &sources());
    draws.go_to(chunk);
    let (mut noise, mut sample) = (draws.trial(0, lane), draws.trial(1, lane));
    let mut skip = || {
        let mut one = [0.0];
        sample.fill(&mut one);
        (one[0] / -libm::log1p(-descent.sampling.get())).floor() as usize
    };
    let (mut w, mut v, mut iterates) = (vec![0.0; d], vec![0.0; d], Vec::new());
    let mut sizes = Vec::new();
    for multiplier in plan.multipliers() {
        let mut members = Vec::new();
        if descent.sampling.get() < 1.0 {
            let mut next = skip();
            while next < examples.len() {
                members.push(next);
                next += 1 + skip();
            }
        } else {
            members.extend(0..examples.len());
        }
        sizes.push(members.len());
        let mut sum = vec![0.0; d];
        for member in members {
            let x = examples.row(member);
            let p: f64 = x.iter().zip(&w).map(|(x, w)| x * w).sum();
            let r = descent.model.residual(p, examples.labels()[member]);
            let norm = r.abs() * x.iter().map(|x| x * x).sum::<f64>().sqrt();
            for (to, x) in sum.iter_mut().zip(x) {
                *to += r * x / (norm / descent.clip).max(1.0);
            }
        }
        let mut z = vec![0.0; d];
        noise.fill(&mut z);
        let n = descent.sampling.get() * examples.len() as f64;
        for j in 0..d {
            let gradient = (sum[j] + multiplier * descent.clip * z[j]) / n + descent.ridge * w[j];
            v[j] = descent.momentum * v[j] + gradient;
            w[j] -= descent.rate * v[j];
        }
        iterates.push(w.clone());
    }
    let steps = iterates.len();
    let from = match descent.average {
        Average::Last => steps - 1,
        Average::Tail => steps / 2,
        Average::All => 0,
    };
    let mean = (0..d)
        .map(|j| iterates[from..].iter().map(|w| w[j]).sum::<f64>() / (steps - from) as f64)
        .collect();
    (mean, sizes)
}

#[test]
fn eight_trials_are_what_plain_loops_make_of_them() {
    for model in Model::ALL {
        let examples = examples(*model, 150);
        for sampling in [1.0, 0.2] {
            for (average, momentum, ridge) in [
                (Average::Last, 0.0, 0.0),
                (Average::Tail, 0.5, 0.05),
                (Average::All, 0.0, 0.0),
            ] {
                let descent = Descent {
                    average,
                    momentum,
                    ridge,
                    ..descent(*model, sampling)
                };
                descent.validate().unwrap();
                let plan = plan("growing", 6, sampling, both(20.0));
                let room = run(&descent, &examples, &plan, level(), 2);
                for lane in 0..LANES {
                    let (expected, _) = plain(&descent, &examples, &plan, lane, 2);
                    for (got, expected) in room.parameters.iter().zip(expected) {
                        assert!(
                            (got[lane] - expected).abs() < 1e-11 * (1.0 + expected.abs()),
                            "{model:?} {sampling} {average:?}: {} {expected}",
                            got[lane]
                        );
                    }
                    assert_eq!(room.steps[lane], 6.0);
                    assert!(room.spent[lane] <= 1.0 && room.spent[lane] > 1.0 - 1e-9);
                }
                // before the first step the loss is that of w = 0
                let (start, _) = examples.judge(*model, &[0.0; 4]);
                assert!(
                    room.losses[0]
                        .iter()
                        .all(|loss| (loss / start - 1.0).abs() < 1e-13)
                );
                assert_eq!(room.losses.len(), 2);
            }
        }
    }
}

#[test]
fn samples_hold_each_record_with_its_probability() {
    let (sampling, records, steps) = (0.2, 150, 6);
    let examples = examples(Model::Linear, records);
    let descent = descent(Model::Linear, sampling);
    let plan = plan("even", steps, sampling, both(20.0));
    let mut sizes = Vec::new();
    for chunk in 0..60 {
        for lane in 0..LANES {
            let (_, drawn) = plain(&descent, &examples, &plan, lane, chunk);
            sizes.extend(drawn.into_iter().map(|size| size as f64));
        }
    }
    let moments = Moments::from_values(&sizes);
    let n = sizes.len() as f64;
    let (mean, variance) = (records as f64 * sampling, records as f64 * sampling * 0.8);
    // a binomial law: 5 standard errors of mean and variance, a false alarm in 1e6 seeds, and the seed is fixed
    let off = |q: f64| (moments.mean - records as f64 * q).abs() / (variance / n).sqrt();
    assert!(off(sampling) < 5.0, "{} for {mean}", moments.mean);
    assert!((moments.m2 / n / variance - 1.0).abs() < 5.0 * (2.0 / n).sqrt());
    assert!(off(0.205) > 5.0, "another probability is seen");
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    for model in Model::ALL {
        let examples = examples(*model, 101);
        for (name, sampling) in [("even", 1.0), ("adaptive", 1.0), ("adaptive", 0.3)] {
            let descent = descent(*model, sampling);
            let plan = plan(name, 7, sampling, both(5.0));
            let mut first = None;
            for level in Level::available() {
                let room = run(&descent, &examples, &plan, level, 1);
                let bits: Vec<u64> = (room.parameters.iter().chain(&room.losses))
                    .chain([&room.steps, &room.spent])
                    .flatten()
                    .map(|x| x.to_bits())
                    .collect();
                assert_eq!(*first.get_or_insert(bits.clone()), bits, "{}", level.name());
            }
        }
    }
}

/// Values of a function of the result in many trials.
fn values(
    descent: &Descent,
    examples: &Examples,
    plan: &NoisePlan,
    of: impl Fn(&[f64]) -> f64,
) -> Moments {
    let mut values = Vec::new();
    for chunk in 0..500 {
        let room = run(descent, examples, plan, level(), chunk);
        for lane in 0..LANES {
            let w: Vec<f64> = room.parameters.iter().map(|p: &Lane| p[lane]).collect();
            values.push(of(&w));
        }
    }
    Moments::from_values(&values)
}

/// Standard errors between mean and variance and a law.
fn off(moments: &Moments, law: &dyn Law) -> (f64, f64) {
    let n = moments.n as f64;
    let variance = moments.m2 / n;
    let mean = (moments.mean - law.mean().unwrap()) / (variance / n).sqrt();
    let spread = ((moments.m4 / n - variance * variance) / n).sqrt();
    let sd = law.sd().unwrap();
    (mean.abs(), ((variance - sd * sd) / spread).abs())
}

fn distance(w: &[f64], from: &[f64]) -> f64 {
    let square: f64 = w.iter().zip(from).map(|(a, b)| (a - b) * (a - b)).sum();
    square.sqrt()
}

#[test]
fn one_step_has_its_exact_law_with_clipping_and_a_wrong_noise_is_seen() {
    for model in Model::ALL {
        let examples = examples(*model, 60);
        let descent = descent(*model, 1.0);
        let limits = kernel::limits(&examples, descent.clip);
        let best = optimum(&examples, *model, 0.0).unwrap();
        let plan_of = |budget| plan("even", 1, 1.0, rho(budget));
        let plan = plan_of(0.02);
        let law = ResultLaw::new(&descent, &examples, &limits, &plan).unwrap();
        let moments = values(&descent, &examples, &plan, |w| distance(w, &best));
        let (mean, sd) = off(&moments, &law.distance(&best));
        // 5 standard errors each: a false alarm in 1e6 seeds, and the seed is fixed
        assert!(mean < 5.0 && sd < 5.0, "{model:?}: {mean} {sd}");
        let (loss, accuracy) = (
            values(&descent, &examples, &plan, |w| examples.judge(*model, w).0),
            values(&descent, &examples, &plan, |w| examples.judge(*model, w).1),
        );
        let n = loss.n as f64;
        let error = (loss.m2 / n / n).sqrt();
        assert!((loss.mean - law.mean_loss(*model, &examples)).abs() < 5.0 * error);
        if *model == Model::Logistic {
            let error = (accuracy.m2 / n / n).sqrt();
            assert!((accuracy.mean - law.mean_accuracy(&examples)).abs() < 5.0 * error);
        } else {
            let (mean, sd) = off(&loss, &law.linear_loss(&examples).unwrap());
            assert!(mean < 5.0 && sd < 5.0, "{mean} {sd}");
        }
        // a noise that is 9 % smaller: rejected
        let wrong = ResultLaw::new(&descent, &examples, &limits, &plan_of(0.024)).unwrap();
        let (mean, sd) = off(&moments, &wrong.distance(&best));
        assert!(mean > 5.0 || sd > 5.0, "{model:?}: {mean} {sd}");
    }
}

#[test]
fn linear_descents_without_clipping_have_their_exact_law() {
    let examples = examples(Model::Linear, 60);
    for (average, momentum, ridge) in [
        (Average::Last, 0.0, 0.0),
        (Average::Tail, 0.6, 0.0),
        (Average::All, 0.0, 0.1),
    ] {
        let descent = Descent {
            clip: 40.0,
            average,
            momentum,
            ridge,
            ..descent(Model::Linear, 1.0)
        };
        let limits = kernel::limits(&examples, descent.clip);
        let best = optimum(&examples, Model::Linear, ridge).unwrap();
        let plan_of = |budget| plan("growing", 8, 1.0, rho(budget));
        let plan = plan_of(60.0);
        let law = ResultLaw::new(&descent, &examples, &limits, &plan).unwrap();
        let moments = values(&descent, &examples, &plan, |w| distance(w, &best));
        let (mean, sd) = off(&moments, &law.distance(&best));
        assert!(mean < 5.0 && sd < 5.0, "{average:?}: {mean} {sd}");
        let loss = values(&descent, &examples, &plan, |w| {
            examples.judge(Model::Linear, w).0
        });
        let (mean, sd) = off(&loss, &law.linear_loss(&examples).unwrap());
        assert!(mean < 5.0 && sd < 5.0, "{average:?}: {mean} {sd}");
        let wrong = ResultLaw::new(&descent, &examples, &limits, &plan_of(66.0)).unwrap();
        let (mean, sd) = off(&moments, &wrong.distance(&best));
        assert!(mean > 5.0 || sd > 5.0, "{average:?}: {mean} {sd}");
    }
}

#[test]
fn where_clipping_may_set_in_nothing_is_claimed() {
    let examples = examples(Model::Linear, 60);
    let descent = descent(Model::Linear, 1.0);
    let limits = kernel::limits(&examples, descent.clip);
    let law = |name: &str, steps| {
        let plan = plan(name, steps, 1.0, rho(60.0));
        ResultLaw::new(&descent, &examples, &limits, &plan)
    };
    assert!(law("even", 8).is_none());
    assert!(law("adaptive", 8).is_none());
    assert!(law("even", 1).is_some() && law("adaptive", 1).is_some());
    let sampled = super::super::Descent {
        sampling: SamplingProbability::new(0.5).unwrap(),
        ..descent.clone()
    };
    let plan = plan("even", 1, 0.5, both(1.0));
    assert!(ResultLaw::new(&sampled, &examples, &limits, &plan).is_none());
}

#[test]
fn numbers_outside_their_domains_are_refused() {
    let good = descent(Model::Linear, 1.0);
    let bad = [
        Descent {
            rate: 0.0,
            ..good.clone()
        },
        Descent {
            rate: f64::NAN,
            ..good.clone()
        },
        Descent {
            clip: -1.0,
            ..good.clone()
        },
        Descent {
            momentum: 1.0,
            ..good.clone()
        },
        Descent {
            ridge: -0.1,
            ..good.clone()
        },
    ];
    for bad in bad {
        assert!(bad.validate().is_err(), "{bad:?}");
    }
    assert!(good.validate().is_ok());
}
