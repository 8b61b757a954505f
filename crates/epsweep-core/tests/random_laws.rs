//! The variates follow their laws, and streams are independent.
//!
//! Seeds are fixed: a test that passes passes for ever. When the draws are changed on purpose, a right sampler
//! would fail one of the checks below by chance with probability about 6·10⁻⁷ each (|z| < 5, two-sided;
//! Kolmogorov–Smirnov √n·D < 2.8: 3·10⁻⁷). There are about 300 of them, together below 2·10⁻⁴. Each kind of check
//! is also shown to reject a wrong law.

use epsweep_core::random::{Draws, Source, StandardLaw};

/// |z| beyond this is a failure.
const LIMIT: f64 = 5.0;

/// √n·D beyond this is a failure.
const KOLMOGOROV_LIMIT: f64 = 2.8;

const EULER: f64 = 0.577_215_664_901_532_9;
const PI: f64 = core::f64::consts::PI;

/// What is known of a law.
struct Facts {
    law: StandardLaw,
    /// E x, E x², and the variances of x and x².
    mean: f64,
    second: f64,
    variance: f64,
    variance_of_square: f64,
    cdf: fn(f64) -> f64,
    /// Where the tail is counted, and P(|x| > there).
    tail: (f64, f64),
}

fn facts() -> [Facts; 5] {
    // Gumbel's cumulants: γ, π²/6, 2ζ(3), π⁴/15
    let (k2, k3, k4) = (
        PI * PI / 6.0,
        2.0 * 1.202_056_903_159_594_2,
        PI.powi(4) / 15.0,
    );
    let gumbel_second = k2 + EULER * EULER;
    let gumbel_fourth =
        (k4 + 3.0 * k2 * k2) + 4.0 * EULER * k3 + 6.0 * EULER * EULER * k2 + EULER.powi(4);
    [
        Facts {
            law: StandardLaw::Exponential,
            mean: 1.0,
            second: 2.0,
            variance: 1.0,
            variance_of_square: 20.0,
            cdf: |x| -libm::expm1(-x.max(0.0)),
            tail: (10.0, libm::exp(-10.0)),
        },
        Facts {
            law: StandardLaw::Laplace,
            mean: 0.0,
            second: 2.0,
            variance: 2.0,
            variance_of_square: 20.0,
            cdf: |x| {
                if x < 0.0 {
                    0.5 * libm::exp(x)
                } else {
                    1.0 - 0.5 * libm::exp(-x)
                }
            },
            tail: (10.0, libm::exp(-10.0)),
        },
        Facts {
            law: StandardLaw::Normal,
            mean: 0.0,
            second: 1.0,
            variance: 1.0,
            variance_of_square: 2.0,
            cdf: |x| 0.5 * libm::erfc(-x * core::f64::consts::FRAC_1_SQRT_2),
            // 5.76·10⁻⁴: where a ziggurat would begin its tail
            tail: (
                3.4426,
                libm::erfc(3.4426 * core::f64::consts::FRAC_1_SQRT_2),
            ),
        },
        Facts {
            law: StandardLaw::Gumbel,
            mean: EULER,
            second: gumbel_second,
            variance: k2,
            variance_of_square: gumbel_fourth - gumbel_second * gumbel_second,
            cdf: |x| libm::exp(-libm::exp(-x)),
            tail: (8.0, -libm::expm1(-libm::exp(-8.0))),
        },
        Facts {
            law: StandardLaw::Uniform,
            mean: 0.5,
            second: 1.0 / 3.0,
            variance: 1.0 / 12.0,
            variance_of_square: 1.0 / 5.0 - 1.0 / 9.0,
            cdf: |x| x.clamp(0.0, 1.0),
            tail: (0.999, 0.001),
        },
    ]
}

/// Visits rows 0 to 3 of each chunk.
fn for_each_row(
    law: StandardLaw,
    seed: u64,
    len: usize,
    chunks: u64,
    mut visit: impl FnMut(&[f64]),
) {
    let mut draws = Draws::new(seed, len, &[Source::new("laws", law, 4)]);
    for chunk in 0..chunks {
        draws.go_to(chunk);
        for row in 0..4 {
            visit(draws.row(0, row));
        }
    }
}

/// z of the mean, of the mean square and of the tail's frequency.
struct Scores {
    mean: f64,
    second: f64,
    tail: f64,
}

/// Sums of x and x², and the counts of |x| > t for each t, over 2²⁷ variates.
fn sums(law: StandardLaw, thresholds: [f64; 3]) -> (f64, f64, f64, [u64; 3]) {
    let (mut n, mut sum, mut squares, mut beyond) = (0.0, 0.0, 0.0, [0; 3]);
    for_each_row(law, 20_261, 1 << 15, 1 << 10, |row| {
        n += row.len() as f64;
        let (mut row_sum, mut row_squares) = ([0.0; 8], [0.0; 8]);
        for values in row.as_chunks::<8>().0 {
            for lane in 0..8 {
                row_sum[lane] += values[lane];
                row_squares[lane] += values[lane] * values[lane];
            }
            for (count, threshold) in beyond.iter_mut().zip(thresholds) {
                *count += values
                    .iter()
                    .map(|x| u64::from(x.abs() > threshold))
                    .sum::<u64>();
            }
        }
        sum += row_sum.iter().sum::<f64>();
        squares += row_squares.iter().sum::<f64>();
    });
    (n, sum, squares, beyond)
}

/// The scores of variates that were multiplied by `scale`, from the sums of the variates.
fn scores(facts: &Facts, n: f64, sum: f64, squares: f64, beyond: u64, scale: f64) -> Scores {
    let p = facts.tail.1;
    Scores {
        mean: (scale * sum / n - facts.mean) / (facts.variance / n).sqrt(),
        second: (scale * scale * squares / n - facts.second)
            / (facts.variance_of_square / n).sqrt(),
        tail: (beyond as f64 - n * p) / (n * p * (1.0 - p)).sqrt(),
    }
}

/// With 2²⁷ variates, an error of the scale of 0.1 % moves the mean square by 10 standard errors or more
/// (Laplace: 2·0.001·2·√n/√20 = 10.4), and an error of 1 % the frequency of the tail by 7 or more (Laplace: a
/// tenth of 6093 ± 78).
#[test]
fn moments_and_tails_are_right_and_a_scale_wrong_by_a_thousandth_is_noticed() {
    for facts in facts() {
        let at = facts.tail.0;
        let name = facts.law.name();
        // the tail of variates 1 % too large or too small is that beyond a threshold moved the other way
        let (n, sum, squares, beyond) = sums(facts.law, [at, at / 1.01, at / 0.99]);
        let right = scores(&facts, n, sum, squares, beyond[0], 1.0);
        assert!(
            right.mean.abs() < LIMIT,
            "{name}: z of the mean {}",
            right.mean
        );
        assert!(
            right.second.abs() < LIMIT,
            "{name}: z of the mean square {}",
            right.second
        );
        assert!(
            right.tail.abs() < LIMIT,
            "{name}: z of the tail {} ({} beyond {at})",
            right.tail,
            beyond[0]
        );
        for scale in [0.999, 1.001] {
            let wrong = scores(&facts, n, sum, squares, beyond[0], scale);
            assert!(
                wrong.second.abs() > LIMIT,
                "{name} × {scale} passes: {}",
                wrong.second
            );
        }
        for count in &beyond[1..] {
            let wrong = scores(&facts, n, sum, squares, *count, 1.0);
            assert!(
                wrong.tail.abs() > LIMIT,
                "{name}: a tail 1 % off passes: {}",
                wrong.tail
            );
        }
    }
}

/// √n times the largest distance of the empirical distribution function from `cdf`.
fn kolmogorov(sorted: &[f64], scale: f64, cdf: fn(f64) -> f64) -> f64 {
    let n = sorted.len() as f64;
    let mut distance = 0.0_f64;
    for (i, x) in sorted.iter().enumerate() {
        let p = cdf(scale * x);
        distance = distance
            .max((p - i as f64 / n).abs())
            .max(((i + 1) as f64 / n - p).abs());
    }
    distance * n.sqrt()
}

#[test]
fn whole_distributions_are_right_and_a_scale_wrong_by_three_percent_is_noticed() {
    for facts in facts() {
        let mut values = Vec::new();
        for_each_row(facts.law, 20_262, 1 << 14, 1 << 4, |row| {
            values.extend_from_slice(row)
        });
        values.sort_unstable_by(f64::total_cmp);
        assert_eq!(values.len(), 1 << 20);
        let name = facts.law.name();
        let right = kolmogorov(&values, 1.0, facts.cdf);
        assert!(right < KOLMOGOROV_LIMIT, "{name}: √n·D = {right}");
        for scale in [0.97, 1.03] {
            let wrong = kolmogorov(&values, scale, facts.cdf);
            assert!(wrong > KOLMOGOROV_LIMIT, "{name} × {scale} passes: {wrong}");
        }
    }
}

/// Each of the 64 bits is one half of the time; 2²⁰ words.
#[test]
fn bits_are_fair() {
    let mut ones = [0_u64; 64];
    let mut n = 0.0;
    for_each_row(StandardLaw::Bits, 20_263, 1 << 14, 1 << 4, |row| {
        n += row.len() as f64;
        for word in row {
            for (bit, ones) in ones.iter_mut().enumerate() {
                *ones += (word.to_bits() >> bit) & 1;
            }
        }
    });
    for (bit, ones) in ones.iter().enumerate() {
        let z = (2.0 * *ones as f64 - n) / f64::sqrt(n);
        assert!(z.abs() < LIMIT, "bit {bit}: z = {z}");
    }
    // a bit that is set 50.5 % of the time would stand out: 2·0.005·√n = 10
    assert!(2.0 * 0.005 * f64::sqrt(n) > 2.0 * LIMIT);
}

/// z of the correlation of f(x) with g(y), where both are standardised under the law.
fn correlation(x: &[f64], y: &[f64], f: impl Fn(f64) -> f64, g: impl Fn(f64) -> f64) -> f64 {
    x.iter().zip(y).map(|(x, y)| f(*x) * g(*y)).sum::<f64>() / (x.len() as f64).sqrt()
}

/// Values, magnitudes, and one with the other.
fn correlations(x: &[f64], y: &[f64], law: StandardLaw) -> [f64; 4] {
    let (sd, magnitude, spread) = match law {
        StandardLaw::Laplace => (2.0_f64.sqrt(), 1.0, 1.0),
        _ => (1.0, (2.0 / PI).sqrt(), (1.0 - 2.0 / PI).sqrt()),
    };
    let value = |x: f64| x / sd;
    let size = |x: f64| (x.abs() - magnitude) / spread;
    [
        correlation(x, y, value, value),
        correlation(x, y, size, size),
        correlation(x, y, value, size),
        correlation(x, y, size, value),
    ]
}

/// Neighbours in every coordinate of the address: the places where streams that are seeded badly meet.
#[test]
fn rows_chunks_purposes_seeds_lanes_and_trials_are_uncorrelated() {
    const LEN: usize = 1 << 20;
    for law in [StandardLaw::Laplace, StandardLaw::Normal] {
        let row = |seed, purpose, row, chunk| {
            let mut draws = Draws::new(seed, LEN, &[Source::new(purpose, law, 3)]);
            draws.go_to(chunk);
            draws.row(0, row).to_vec()
        };
        let here = row(1, "a", 0, 1);
        let there = [
            ("next row", row(1, "a", 1, 1)),
            ("row after next", row(1, "a", 2, 1)),
            ("next chunk", row(1, "a", 0, 2)),
            ("row and chunk exchanged", row(1, "a", 1, 0)),
            ("other purpose", row(1, "b", 0, 1)),
            ("longer purpose", row(1, "aa", 0, 1)),
            ("next seed", row(2, "a", 0, 1)),
        ];
        for (what, other) in &there {
            for z in correlations(&here, other, law) {
                assert!(z.abs() < LIMIT, "{} and {what}: z = {z}", law.name());
            }
        }
        // within a row: neighbours, the other lanes, the other half of a group, the same lane again
        for lag in [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 24, 32] {
            for z in correlations(&here[..LEN - lag], &here[lag..], law) {
                assert!(z.abs() < LIMIT, "{} at distance {lag}: z = {z}", law.name());
            }
        }
        // Box and Muller's pairs share a radius: their sizes must still be independent
        let paired: Vec<_> = here
            .as_chunks::<16>()
            .0
            .iter()
            .map(|group| group.split_at(8))
            .collect();
        let first: Vec<f64> = paired.iter().flat_map(|pair| pair.0).copied().collect();
        let second: Vec<f64> = paired.iter().flat_map(|pair| pair.1).copied().collect();
        for z in correlations(&first, &second, law) {
            assert!(z.abs() < LIMIT, "{} of one group: z = {z}", law.name());
        }
        // a correlation of one percent is noticed: z = 0.01·√n = 10
        let mixed: Vec<f64> = here
            .iter()
            .zip(&there[0].1)
            .map(|(x, y)| 0.01 * x + (1.0 - 1e-4_f64).sqrt() * y)
            .collect();
        assert!(correlations(&here, &mixed, law)[0] > LIMIT);
    }
}

/// The first variates of many trials' streams: seeding is all that sets them apart.
#[test]
fn streams_of_trials_are_uncorrelated_and_follow_the_law() {
    const TRIALS: usize = 1 << 16;
    let draws = Draws::new(3, TRIALS, &[Source::new("trials", StandardLaw::Laplace, 1)]);
    let mut values = vec![[0.0; 16]; TRIALS];
    for (trial, group) in values.iter_mut().enumerate() {
        draws.trial(0, trial).fill(group);
    }
    let flat = values.as_flattened();
    for lag in [1, 8, 16, 17, 32, 48] {
        for z in correlations(
            &flat[..flat.len() - lag],
            &flat[lag..],
            StandardLaw::Laplace,
        ) {
            assert!(z.abs() < LIMIT, "at distance {lag}: z = {z}");
        }
    }
    let firsts: Vec<f64> = values.iter().map(|group| group[0]).collect();
    for z in correlations(&firsts, &draws.row(0, 0)[..TRIALS], StandardLaw::Laplace) {
        assert!(z.abs() < LIMIT, "a trial's stream and the row: z = {z}");
    }
    let mut sorted = flat.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let laplace = &facts()[1];
    assert!(kolmogorov(&sorted, 1.0, laplace.cdf) < KOLMOGOROV_LIMIT);
    assert!(kolmogorov(&sorted, 1.03, laplace.cdf) > KOLMOGOROV_LIMIT);
}
