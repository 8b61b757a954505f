//! Shares in proportion to weights, between floors and caps.

/// The bounds of one share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// at least
    pub floor: f64,
    /// at most
    pub cap: f64,
}

impl Bounds {
    /// No bounds.
    pub const NONE: Bounds = Bounds {
        floor: 0.0,
        cap: 1.0,
    };
}

/// The shares sᵢ = clamp(e^(lᵢ − μ), floorᵢ, capᵢ) that sum to 1. A weight of 0 (l = −∞) gets its floor, unless the caps of all others
/// leave something over, which then goes to such queries in order.
///
/// The bounds are taken to be feasible: Σ floors ≤ 1 ≤ Σ caps. At least one weight is positive.
///
/// Every round fixes all shares that are beyond the side on which more is missing, which none of them leaves again (Bitran and
/// Hax, Management Science 27, 1981).
pub(super) fn fill(log_weights: &[f64], bounds: &[Bounds]) -> Vec<f64> {
    let mut shares: Vec<f64> = bounds.iter().map(|bound| bound.floor).collect();
    let mut free: Vec<usize> = (0..log_weights.len())
        .filter(|&index| log_weights[index] > f64::NEG_INFINITY)
        .collect();
    let mut left = 1.0
        - (0..log_weights.len())
            .filter(|index| log_weights[*index] == f64::NEG_INFINITY)
            .map(|index| bounds[index].floor)
            .sum::<f64>();
    while !free.is_empty() {
        let top = (free.iter().map(|&index| log_weights[index])).fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = (free.iter())
            .map(|&index| libm::exp(log_weights[index] - top))
            .collect();
        let total = crate::summation::sum(&weights);
        let (mut missing, mut excess) = (0.0, 0.0);
        for (&index, weight) in free.iter().zip(&weights) {
            let share = left * (weight / total);
            shares[index] = share;
            missing += (bounds[index].floor - share).max(0.0);
            excess += (share - bounds[index].cap).max(0.0);
        }
        if missing == 0.0 && excess == 0.0 {
            return shares;
        }
        let floors = missing >= excess;
        free.retain(|&index| {
            let Bounds { floor, cap } = bounds[index];
            let fixed = if floors && shares[index] < floor {
                floor
            } else if !floors && shares[index] > cap {
                cap
            } else {
                return true;
            };
            shares[index] = fixed;
            left -= fixed;
            false
        });
        left = left.max(0.0);
    }
    for (index, share) in shares.iter_mut().enumerate() {
        if log_weights[index] == f64::NEG_INFINITY {
            let more = left.min(bounds[index].cap - *share).max(0.0);
            *share += more;
            left -= more;
        }
    }
    shares
}

/// The largest Σ pullᵢ·yᵢ over the shares y within the bounds: the rest beyond the floors goes where the pull is strongest.
pub(super) fn best_linear(pulls: &[f64], bounds: &[Bounds]) -> f64 {
    let mut order: Vec<usize> = (0..pulls.len()).collect();
    order.sort_by(|&a, &b| pulls[b].total_cmp(&pulls[a]));
    let mut left = 1.0 - bounds.iter().map(|bound| bound.floor).sum::<f64>();
    let mut value = 0.0;
    for index in order {
        let Bounds { floor, cap } = bounds[index];
        let more = left.min(cap - floor).max(0.0);
        left -= more;
        value += pulls[index] * (floor + more);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs(weights: &[f64]) -> Vec<f64> {
        weights.iter().map(|&weight| libm::log(weight)).collect()
    }

    fn bounds(pairs: &[(f64, f64)]) -> Vec<Bounds> {
        (pairs.iter())
            .map(|&(floor, cap)| Bounds { floor, cap })
            .collect()
    }

    fn close(found: &[f64], wanted: &[f64]) {
        assert!(
            found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-14),
            "{found:?} {wanted:?}"
        );
    }

    #[test]
    fn shares_are_proportional_between_their_bounds() {
        let free = [(0.0, 1.0); 3];
        close(
            &fill(&logs(&[1.0, 2.0, 1.0]), &bounds(&free)),
            &[0.25, 0.5, 0.25],
        );
        // the first is lifted to its floor, the others keep their ratio
        close(
            &fill(
                &logs(&[0.01, 2.0, 1.0]),
                &bounds(&[(0.4, 1.0), (0.0, 1.0), (0.0, 1.0)]),
            ),
            &[0.4, 0.4, 0.2],
        );
        // a cap that is reached only after another one binds
        close(
            &fill(
                &logs(&[10.0, 3.0, 1.0]),
                &bounds(&[(0.0, 0.5), (0.0, 0.3), (0.0, 1.0)]),
            ),
            &[0.5, 0.3, 0.2],
        );
        // floor and cap at once
        close(
            &fill(
                &logs(&[100.0, 1.0, 1.0]),
                &bounds(&[(0.0, 0.6), (0.3, 1.0), (0.0, 1.0)]),
            ),
            &[0.6, 0.3, 0.1],
        );
    }

    #[test]
    fn what_counts_for_nothing_gets_its_floor_and_what_is_left_over() {
        let found = fill(&logs(&[0.0, 1.0, 3.0]), &bounds(&[(0.2, 1.0); 3]));
        close(&found, &[0.2, 0.2, 0.6]);
        let capped = fill(&logs(&[0.0, 1.0]), &bounds(&[(0.0, 1.0), (0.0, 0.25)]));
        close(&capped, &[0.75, 0.25]);
    }

    #[test]
    fn the_sum_is_one_whatever_the_bounds() {
        for case in 0..500_u32 {
            let part = |salt: u32| {
                f64::from((case * 2_654_435 + salt * 40_503).wrapping_mul(2_246_822_519) >> 8)
                    / 16_777_216.0
            };
            let weights: Vec<f64> = (0..6).map(|i| libm::exp(12.0 * part(i) - 6.0)).collect();
            let limits: Vec<(f64, f64)> = (10..16)
                .map(|i| (part(i) / 6.0, 1.0 / 6.0 + part(i + 10) * 0.4))
                .collect();
            let limits = bounds(&limits);
            let shares = fill(&logs(&weights), &limits);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-13);
            let mut least = f64::INFINITY;
            let mut most = 0.0_f64;
            for ((share, bound), weight) in shares.iter().zip(&limits).zip(&weights) {
                assert!((bound.floor..=bound.cap).contains(share));
                // e^(−μ) is the same for all that are free, at most for the capped and at least for the lifted
                if *share < bound.cap {
                    most = most.max(weight / share);
                }
                if *share > bound.floor {
                    least = least.min(weight / share);
                }
            }
            assert!(most <= least * (1.0 + 1e-12), "{case}: {most} {least}");
        }
    }

    #[test]
    fn the_best_linear_value_follows_the_pull() {
        let limits = bounds(&[(0.1, 1.0), (0.0, 0.5), (0.0, 1.0)]);
        assert!(
            (best_linear(&[1.0, 3.0, 2.0], &limits) - (0.1 + 3.0 * 0.5 + 2.0 * 0.4)).abs() < 1e-15
        );
    }
}
