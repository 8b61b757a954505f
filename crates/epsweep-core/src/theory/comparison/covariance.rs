//! The covariance of two strategies' largest errors under common noise.

use super::largest;

/// Up to this many queries, the covariance under common noise is computed (its inclusion–exclusion has 2^k terms).
pub const COVARIANCE_LIMIT: usize = 12;

/// E(M_A·M_B) under common noise in units of the two largest scales, for up to [`COVARIANCE_LIMIT`] queries with noise in both.
///
/// E M_A·M_B = ∫∫ P(M_A > x, M_B > y) dx dy with P(M_A ≤ x, M_B ≤ y) = ∏(1 − exp(−min(x/a_i, y/b_i))). Inclusion–exclusion over
/// sets S of queries, x = r and y = r·t, leaves Σ_S (−1)^{|S|} ∫ [m_S(t)^{−2} − A_S^{−2} − (t·B_S)^{−2}] dt with A_S = Σ 1/a_i,
/// B_S = Σ 1/b_i and m_S(t) = Σ min(1/a_i, t/b_i), which is linear between the ratios b_i/a_i: each piece has
/// ∫ dt/(α + βt)² = (t₂ − t₁)/((α + βt₁)(α + βt₂)). No difference of nearly equal numbers occurs within a set.
pub(super) fn mean_product(a: &[f64], b: &[f64]) -> Option<f64> {
    let (unit_a, unit_b) = (largest(a), largest(b));
    let mut rates = Vec::new();
    for (&a, &b) in a.iter().zip(b) {
        let (rate_a, rate_b) = (unit_a / a, unit_b / b);
        match (rate_a.is_finite(), rate_b.is_finite()) {
            (true, true) => rates.push(Rates {
                a: rate_a,
                b: rate_b,
            }),
            (false, false) => {}
            // a query has noise under one strategy only
            _ => return None,
        }
    }
    if rates.is_empty() || rates.len() > COVARIANCE_LIMIT {
        return None;
    }
    rates.sort_by(|one, other| one.kink().total_cmp(&other.kink()));
    let mut sum = 0.0;
    // of the members of one set, in the order of their kinks: Σ1/b from each one to the last
    let mut ahead = [0.0; COVARIANCE_LIMIT + 1];
    let mut members = Vec::with_capacity(rates.len());
    for set in 1_u32..1 << rates.len() {
        members.clear();
        members.extend((0..rates.len()).filter(|i| set >> i & 1 == 1));
        ahead[members.len()] = 0.0;
        for (place, &member) in members.iter().enumerate().rev() {
            ahead[place] = ahead[place + 1] + rates[member].b;
        }
        let total_b = ahead[0];
        let mut pieces = 0.0;
        // Σ1/a over the queries already past their kink
        let mut passed = 0.0;
        let mut start = rates[members[0]].kink();
        let mut term = 1.0 / (total_b * total_b * start);
        for (&member, ahead) in members.iter().zip(&ahead) {
            let kink = rates[member].kink();
            if kink > start {
                pieces += (kink - start) / ((passed + ahead * start) * (passed + ahead * kink));
                start = kink;
            }
            passed += rates[member].a;
        }
        // all are past their kinks now
        term += start / (passed * passed);
        let sign = if members.len() % 2 == 1 { 1.0 } else { -1.0 };
        sum += sign * (term - pieces);
    }
    sum.is_finite().then_some(sum)
}

/// One query's 1/a and 1/b in units of the largest scales.
struct Rates {
    a: f64,
    b: f64,
}

impl Rates {
    /// The t at which x/a = y/b for y = t·x: b/a.
    fn kink(&self) -> f64 {
        self.a / self.b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_query_has_the_second_moment_of_an_exponential() {
        // E(aE·bE)/(ab) = 2
        assert_eq!(mean_product(&[3.0], &[0.5]), Some(2.0));
    }

    #[test]
    fn proportional_scales_have_the_second_moment_of_one_law() {
        // M_B = 2·M_A, and E M_A² of two equal scales is 2·(2 − 1/4)
        let product = mean_product(&[1.0, 1.0], &[2.0, 2.0]).unwrap();
        assert!((product - 3.5).abs() < 1e-14, "{product}");
    }

    #[test]
    fn crossed_scales_match_an_integral_over_the_ratio() {
        // E = R·U, F = R·(1 − U) with U uniform and E R² = 6: E M_A·M_B = 6·∫ max(a₁u, a₂(1 − u))·max(b₁u, b₂(1 − u)) du
        let ([a1, a2], [b1, b2]) = ([1.0_f64, 0.2_f64], [0.3_f64, 1.0_f64]);
        let steps = 100_000;
        let integral: f64 = (0..steps)
            .map(|i| {
                let u = (f64::from(i) + 0.5) / f64::from(steps);
                (a1 * u).max(a2 * (1.0 - u)) * (b1 * u).max(b2 * (1.0 - u))
            })
            .sum::<f64>()
            / f64::from(steps);
        let product = mean_product(&[a1, a2], &[b1, b2]).unwrap();
        // the midpoint rule errs by less than 1/steps² per kink
        assert!((product - 6.0 * integral).abs() < 1e-8, "{product}");
    }

    #[test]
    fn noise_under_one_strategy_only_or_in_too_many_queries_is_left_out() {
        assert_eq!(mean_product(&[0.0, 1.0], &[1.0, 1.0]), None);
        assert_eq!(mean_product(&[0.0], &[0.0]), None);
        let many = [1.0; COVARIANCE_LIMIT + 1];
        assert_eq!(mean_product(&many, &many), None);
        assert!(mean_product(&many[1..], &many[1..]).is_some());
    }
}
