//! The Rényi divergence of two coins: by the data processing inequality a lower bound of that of the outputs.

/// D_α of a coin with probability p from one with q (van Erven and Harremoës, IEEE Trans. Inf. Theory 60, 2014, equation 1), for α > 1;
/// +∞ where p has what q never gives.
pub(super) fn renyi(alpha: f64, p: f64, q: f64) -> f64 {
    let side = |p: f64, q: f64| {
        if p <= 0.0 {
            f64::NEG_INFINITY
        } else if q <= 0.0 {
            f64::INFINITY
        } else {
            // p^α·q^(1−α), which overflows long before its logarithm does
            libm::log(p) + (alpha - 1.0) * libm::log(p / q)
        }
    };
    let (heads, tails) = (side(p, q), side(1.0 - p, 1.0 - q));
    let largest = heads.max(tails);
    if largest == f64::INFINITY {
        return largest;
    }
    let sum = libm::exp(heads - largest) + libm::exp(tails - largest);
    ((largest + libm::log(sum)) / (alpha - 1.0)).max(0.0)
}

/// The Kullback–Leibler divergence, the limit of D_α at α = 1.
pub(super) fn kullback_leibler(p: f64, q: f64) -> f64 {
    let side = |p: f64, q: f64| {
        if p <= 0.0 {
            0.0
        } else if q <= 0.0 {
            f64::INFINITY
        } else {
            p * libm::log(p / q)
        }
    };
    (side(p, q) + side(1.0 - p, 1.0 - q)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_definition() {
        // (0.8²/0.5 + 0.2²/0.5) = 1.36
        assert!((renyi(2.0, 0.8, 0.5) - libm::log(1.36)).abs() < 1e-15);
        assert!(
            (renyi(3.0, 0.8, 0.5) - 0.5 * libm::log(0.512 / 0.25 + 0.008 / 0.25)).abs() < 1e-15
        );
        assert!((renyi(1.0 + 1e-7, 0.8, 0.5) - kullback_leibler(0.8, 0.5)).abs() < 1e-6);
        // α → ∞: the largest ratio
        assert!((renyi(1e9, 0.8, 0.5) - libm::log(1.6)).abs() < 1e-6);
        assert_eq!(renyi(2.0, 0.5, 0.0), f64::INFINITY);
        assert_eq!(kullback_leibler(0.0, 0.0), 0.0);
    }
}
