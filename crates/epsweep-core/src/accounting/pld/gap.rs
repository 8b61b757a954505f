//! How far the lattice's δ can be above the true one.
//!
//! Let X be the true total loss, Y the lattice's, and W = e^(Y−X). The split keeps the mass under Q, so that E_Q[W | outcome] = 1, and ln W is
//! a sum of k independent terms, each of two values at most h apart. Then
//!
//! δ_Y(ε) − δ_X(ε) = E_P[(W − κ)₊ − (1 − κ)₊], with κ = e^(ε−X) and W drawn given X under Q:
//!
//! the time value of an option on W. By Hoeffding's lemma, with s² = kh²/4, E[W^λ] ≤ e^(λ²s²/2) and E[W^(−λ)] ≤ e^(λ(λ+1)s²/2), so that, with
//! d = |X − ε| and any λ, the time value is at most
//!
//! - for X ≤ ε: e^(−(λ−1)d)·(λ−1)^(λ−1)/λ^λ·e^(λ²s²/2), λ > 1, since (w − κ)₊ ≤ w^λ κ^(1−λ) (λ−1)^(λ−1)/λ^λ;
//! - for X > ε: e^(−(λ+1)d)·λ^λ/(λ+1)^(λ+1)·e^(λ(λ+1)s²/2), λ > 0, since (κ − w)₊ ≤ w^(−λ) κ^(1+λ) λ^λ/(1+λ)^(1+λ).
//!
//! What is known is the law of Y. Under P, Y − X has a mean in [0, s²/2] and a variance of at most s², so that by Chebyshev's inequality
//! |Y − X| ≤ 2s with a chance of at least 1 − (1 + s²/4)/4, whatever X. A bound v(d) that falls with d therefore satisfies
//! E[v(|X − ε|)] ≤ E[v((|Y − ε| − 2s)₊)]/(1 − (1 + s²/4)/4).

/// The time value's bound at distance `d` ≥ 0 for the standard deviation s > 0.
fn time_value(distance: f64, s: f64) -> f64 {
    let lead = (1.0 / s).max(distance / (s * s));
    // x^x/(x+1)^(x+1) in logarithms
    let peak = |x: f64| x * libm::log(x) - (x + 1.0) * libm::log(x + 1.0);
    let variance = 0.5 * s * s;
    let below = -lead * distance + peak(lead) + (lead + 1.0) * (lead + 1.0) * variance;
    let above = -(lead + 1.0) * distance + peak(lead) + lead * (lead + 1.0) * variance;
    libm::exp(below.max(above))
}

/// A bound on δ_Y(ε) − δ_X(ε), relative to e^(−θε) times the moment at θ, for all ε from one lattice point to the next.
pub(super) struct Gap {
    /// for the offsets −n … n of Y from the lattice point at or below ε, in steps
    kernel: Vec<f64>,
    /// for everything further away
    rest: f64,
    /// the largest of all, and their sum
    largest: f64,
    sum: f64,
}

impl Gap {
    /// For `splits` releases whose losses were split, at tilt θ. `None` where s is so large that the bound says nothing.
    pub(super) fn new(splits: f64, step: f64, theta: f64) -> Option<Gap> {
        if splits == 0.0 {
            return Some(Gap {
                kernel: Vec::new(),
                rest: 0.0,
                largest: 0.0,
                sum: 0.0,
            });
        }
        let s = 0.5 * step * splits.sqrt();
        if s.is_nan() || s >= 0.5 {
            return None;
        }
        let factor = 1.0 / (1.0 - 0.25 * (1.0 + 0.25 * s * s));
        // beyond this the time value falls faster than the tilt grows
        let reach = step + 2.0 * s + (10.0 * s).max(3.0 * theta * s * s);
        let count = (reach / step).ceil() as i64;
        if count > 1 << 20 {
            return None;
        }
        let at = |offset: i64| {
            let away = offset as f64 * step;
            // ε may lie up to a step above the lattice point
            let distance = if offset > 0 { away - step } else { -away };
            factor * time_value((distance - 2.0 * s).max(0.0), s) * libm::exp(theta * (step - away))
        };
        let kernel: Vec<f64> = (-count..=count).map(at).collect();
        let rest = at(-count - 1).max(at(count + 1));
        Some(Gap {
            largest: kernel.iter().copied().fold(rest, f64::max),
            sum: kernel.iter().sum(),
            kernel,
            rest,
        })
    }

    /// What `missing` mass, anywhere, and `noise` in every single mass can add to the bound.
    pub(super) fn uncertainty(&self, missing: f64, noise: f64) -> f64 {
        self.largest * missing + self.sum * noise
    }

    /// The bound for ε from the lattice point `index` of the tilted masses to the next.
    pub(super) fn at(&self, mass: &[f64], index: usize) -> f64 {
        if self.kernel.is_empty() {
            return 0.0;
        }
        let reach = (self.kernel.len() / 2) as i64;
        let mut sum = self.rest;
        for (offset, weight) in (-reach..=reach).zip(&self.kernel) {
            if let Some(mass) = usize::try_from(index as i64 + offset)
                .ok()
                .and_then(|place| mass.get(place))
            {
                sum += mass * weight;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time value of a lognormal W with E[W] = 1 and standard deviation s, by Black and Scholes at the money 2Φ(s/2) − 1, lies below
    /// the bound, which must not be far above it either.
    #[test]
    fn the_time_value_of_a_lognormal_lies_below() {
        for s in [0.001, 0.01, 0.1] {
            let money = libm::erf(0.5 * s / std::f64::consts::SQRT_2);
            let bound = time_value(0.0, s);
            assert!(bound > money && bound < 1.7 * money, "{bound} for {money}");
            let mut before = bound;
            for step in 1..200 {
                let here = time_value(0.1 * s * f64::from(step), s);
                assert!(here <= before);
                before = here;
            }
            assert!(before < 1e-60);
        }
    }
}
