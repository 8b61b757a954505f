use super::*;
use crate::sensitivity::{Neighbours, Sensitivity};
use proptest::{prop_assert, proptest};
use std::collections::BTreeSet;

fn matrix(ranges: &Ranges) -> Vec<Vec<f64>> {
    (ranges.list().iter())
        .map(|range| {
            (0..ranges.bins())
                .map(|bin| f64::from(range.contains(&bin)))
                .collect()
        })
        .collect()
}

/// (AᵀA)⁻¹ by Gauss–Jordan with pivots, a way to it that knows nothing of trees.
fn inverse_of_squares(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let d = a[0].len();
    let mut rows: Vec<Vec<f64>> = (0..d)
        .map(|i| {
            let squares = (0..d).map(|j| a.iter().map(|row| row[i] * row[j]).sum());
            squares.chain((0..d).map(|j| f64::from(i == j))).collect()
        })
        .collect();
    for column in 0..d {
        let pivot = (column..d)
            .max_by(|&i, &j| rows[i][column].abs().total_cmp(&rows[j][column].abs()))
            .unwrap();
        rows.swap(column, pivot);
        let scale = rows[column][column];
        rows[column].iter_mut().for_each(|value| *value /= scale);
        for other in (0..d).filter(|&other| other != column) {
            let factor = rows[other][column];
            let pivot_row = rows[column].clone();
            for (value, pivot) in rows[other].iter_mut().zip(pivot_row) {
                *value -= factor * pivot;
            }
        }
    }
    rows.into_iter().map(|row| row[d..].to_vec()).collect()
}

fn brute_sensitivity(ranges: &Ranges, neighbours: Neighbours) -> (f64, f64) {
    let a = matrix(ranges);
    let column = |bin: usize| a.iter().map(move |row| row[bin]);
    let norms = |change: Vec<f64>| {
        let l1: f64 = change.iter().map(|x| x.abs()).sum();
        let l2: f64 = change.iter().map(|x| x * x).sum();
        (l1, l2.sqrt())
    };
    let bins = 0..ranges.bins();
    let all: Vec<(f64, f64)> = match neighbours {
        Neighbours::AddRemove => bins.map(|bin| norms(column(bin).collect())).collect(),
        Neighbours::Substitute => bins
            .clone()
            .flat_map(|i| bins.clone().map(move |j| (i, j)))
            .map(|(i, j)| norms(column(i).zip(column(j)).map(|(x, y)| x - y).collect()))
            .collect(),
    };
    all.into_iter().fold((0.0, 0.0), |most: (f64, f64), one| {
        (most.0.max(one.0), most.1.max(one.1))
    })
}

#[test]
fn reconstructions_and_variances_are_those_of_the_matrix() {
    for kind in REGISTRY {
        for bins in [1, 2, 3, 5, 8, 13] {
            for branching in [2, 3, 16] {
                let strategy = kind.build(bins, branching).unwrap();
                let a = matrix(strategy.ranges());
                let inverse = inverse_of_squares(&a);
                let measured: Vec<f64> = (0..a.len())
                    .map(|i| ((i * i * 7 + 3) % 11) as f64)
                    .collect();
                let projected: Vec<f64> = (0..bins)
                    .map(|bin| a.iter().zip(&measured).map(|(row, y)| row[bin] * y).sum())
                    .collect();
                let counts = strategy.reconstruct(&measured);
                for (row, count) in inverse.iter().zip(&counts) {
                    let expected: f64 = row.iter().zip(&projected).map(|(x, y)| x * y).sum();
                    assert!(
                        (count - expected).abs() < 1e-10,
                        "{strategy:?} {count} {expected}"
                    );
                }
                for range in Ranges::all(bins).unwrap().list() {
                    let q: Vec<f64> = (0..bins)
                        .map(|bin| f64::from(range.contains(&bin)))
                        .collect();
                    let expected: f64 = (0..bins)
                        .flat_map(|i| (0..bins).map(move |j| (i, j)))
                        .map(|(i, j)| q[i] * inverse[i][j] * q[j])
                        .sum();
                    let variance = strategy.variance(&q);
                    assert!(
                        (variance - expected).abs() < 1e-11,
                        "{range:?} {variance} {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn without_noise_the_counts_come_back() {
    let counts: Vec<f64> = (0..100).map(|bin| f64::from(bin * 37 % 101)).collect();
    for kind in REGISTRY {
        let strategy = kind.build(100, 4).unwrap();
        let back = strategy.reconstruct(&strategy.ranges().sums(&counts));
        for (one, other) in counts.iter().zip(back) {
            assert!((one - other).abs() < 1e-9, "{one} {other}");
        }
    }
}

#[test]
fn sensitivities_are_the_largest_norms_of_columns_and_their_differences() {
    let mut lists: Vec<Ranges> = Vec::new();
    for bins in 1..=9 {
        lists.extend((REGISTRY.iter()).map(|kind| kind.build(bins, 3).unwrap().ranges().clone()));
        lists.push(Ranges::all(bins).unwrap());
        lists.push(Ranges::of_length(bins, bins.div_ceil(2)).unwrap());
    }
    lists.push(Ranges::new(6, vec![2..3, 2..3, 0..6, 4..6]).unwrap());
    for ranges in lists {
        for neighbours in Neighbours::ALL {
            let Sensitivity { l1, l2 } = ranges.sensitivity(neighbours);
            let expected = brute_sensitivity(&ranges, neighbours);
            assert_eq!(l1, expected.0, "{ranges:?} {neighbours}");
            assert!((l2 - expected.1).abs() < 1e-12, "{ranges:?} {neighbours}");
        }
    }
}

#[test]
fn the_sensitivities_of_the_strategies_are_the_known_ones() {
    let tree = Hierarchical::new(1024, 2).unwrap();
    assert_eq!(tree.levels(), 11);
    assert_eq!(tree.ranges().sensitivity(Neighbours::AddRemove).l1, 11.0);
    assert_eq!(tree.ranges().sensitivity(Neighbours::Substitute).l1, 20.0);
    let prefix = Prefix::new(64).unwrap();
    assert_eq!(prefix.ranges().sensitivity(Neighbours::AddRemove).l2, 8.0);
    assert_eq!(prefix.ranges().sensitivity(Neighbours::Substitute).l1, 63.0);
    let identity = Identity::new(1).unwrap();
    assert_eq!(
        identity.ranges().sensitivity(Neighbours::Substitute).l1,
        0.0
    );
}

#[test]
fn long_ranges_favour_trees_and_short_ones_the_bins() {
    // at equal ε the Laplace variance is 2(Δ₁/ε)² per measurement
    let error = |name: &str, workload: &Ranges| {
        let strategy = kind(name).unwrap().build(1024, 2).unwrap();
        let l1 = strategy.ranges().sensitivity(Neighbours::AddRemove).l1;
        let variances = variances(strategy.as_ref(), workload).unwrap();
        2.0 * l1 * l1 * variances.iter().sum::<f64>() / variances.len() as f64
    };
    let long = Ranges::new(1024, vec![100..900, 0..512]).unwrap();
    let short = Ranges::of_length(1024, 2).unwrap();
    assert!(error("hierarchical", &long) < error("identity", &long));
    assert!(error("identity", &short) < error("hierarchical", &short));
    assert!(error("prefix", &long) > error("hierarchical", &long));
}

#[test]
fn what_is_no_workload_is_refused() {
    let text = |error: WorkloadError| error.to_string();
    assert!(text(Ranges::single(0).unwrap_err()).contains("bins is 0"));
    assert!(text(Ranges::all(1 << 14).unwrap_err()).contains("ask for fewer"));
    assert!(text(Ranges::new(3, vec![]).unwrap_err()).contains("0 ranges"));
    assert!(text(Ranges::new(3, vec![0..1, 1..4]).unwrap_err()).contains("1..4"));
    assert!(text(Ranges::of_length(3, 4).unwrap_err()).contains("0..4"));
    assert!(text(Hierarchical::new(3, 1).unwrap_err()).contains("at least 2"));
    assert!(text(Hierarchical::new(usize::MAX, 2).unwrap_err()).contains("bins"));
    let other = Ranges::all(4).unwrap();
    let error = variances(&Identity::new(3).unwrap(), &other).unwrap_err();
    assert!(text(error).contains("4 bins, the strategy about 3"));
}

#[test]
fn every_strategy_describes_itself() {
    let names: BTreeSet<&str> = REGISTRY.iter().map(|kind| kind.about().name).collect();
    assert_eq!(names.len(), REGISTRY.len());
    for kind in REGISTRY {
        let about = kind.about();
        assert_eq!(super::kind(about.name).unwrap().about(), about);
        assert_eq!(kind.build(2, 2).unwrap().about(), about);
        for text in [about.summary, about.formula, about.source] {
            assert!(!text.is_empty());
        }
    }
}

proptest! {
    /// Least squares leaves what is consistent alone, and is linear.
    #[test]
    fn reconstruction_is_a_projection(bins in 1_usize..40, branching in 2_usize..6, seed in 0_u64..1000) {
        let value = |i: usize| ((i as u64 + 1) * (seed + 7) % 97) as f64 - 48.0;
        for kind in REGISTRY {
            let strategy = kind.build(bins, branching).unwrap();
            let measured: Vec<f64> = (0..strategy.ranges().list().len()).map(value).collect();
            let counts = strategy.reconstruct(&measured);
            let again = strategy.reconstruct(&strategy.ranges().sums(&counts));
            for (one, other) in counts.iter().zip(&again) {
                prop_assert!((one - other).abs() < 1e-8);
            }
        }
    }
}
