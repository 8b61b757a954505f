//! Functions that keep their relative precision where the textbook form cancels or overflows.

/// e^x − 1 − x, also for tiny x.
pub(crate) fn exp_minus_line(x: f64) -> f64 {
    if x.abs() > 0.5 {
        return libm::expm1(x) - x;
    }
    // Σ xⁿ/n! from n = 2: 18 terms reach 1e-21 of the first at |x| = 1/2
    let mut sum = 0.0;
    for n in (3..=18).rev() {
        sum = (sum + 1.0) * x / f64::from(n);
    }
    0.5 * x * x * (1.0 + sum)
}

/// ln(1 + e^x).
pub(crate) fn softplus(x: f64) -> f64 {
    if x > 0.0 {
        x + libm::log1p(libm::exp(-x))
    } else {
        libm::log1p(libm::exp(x))
    }
}

/// ln(1 − q + q·e^x) for q in (0, 1]: the logarithm of a likelihood ratio e^x that a sample with probability q dilutes.
pub(crate) fn log_diluted(probability: f64, x: f64) -> f64 {
    if x < 500.0 {
        libm::log1p(probability * libm::expm1(x))
    } else {
        // e^x may overflow, and 1 beside it be nothing, but not beside q·e^x
        softplus(x + libm::log(probability))
    }
}

/// ln(e^x − 1) for x > 0.
pub(crate) fn log_exp_minus_one(x: f64) -> f64 {
    if x > 1.0 {
        x + libm::log1p(-libm::exp(-x))
    } else {
        libm::log(libm::expm1(x))
    }
}

/// ln(1 − e^x) for x < 0; −∞ at 0.
pub(crate) fn log_one_minus_exp(x: f64) -> f64 {
    if x > -0.5 {
        libm::log(-libm::expm1(x))
    } else {
        libm::log1p(-libm::exp(x))
    }
}

/// ln Σ e^x; −∞ for none.
pub(crate) fn log_sum_exp(values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest.is_infinite() {
        return largest;
    }
    let sum: f64 = values.iter().map(|value| libm::exp(value - largest)).sum();
    largest + libm::log(sum)
}

/// ln n! − [(n + ½) ln n − n + ½ ln 2π]: what Stirling's formula lacks, 0 for n = 0 by convention.
fn stirling_error(n: f64) -> f64 {
    const SMALL: [f64; 16] = [
        0.0,
        0.08106146679532726,
        0.0413406959554093,
        0.02767792568499834,
        0.020790672103765093,
        0.016644691189821193,
        0.013876128823070748,
        0.01189670994589177,
        0.010411265261972096,
        0.009255462182712733,
        0.00833056343336287,
        0.007573675487951841,
        0.00694284010720953,
        0.006408994188004207,
        0.0059513701127588475,
        0.005554733551962801,
    ];
    if n < 16.0 {
        return SMALL[n as usize];
    }
    stirling_series(n)
}

/// Stirling's series of ln Γ(z + 1) − [(z + ½) ln z − z + ½ ln 2π], to the last bit from z = 16 on.
pub(crate) fn stirling_series(z: f64) -> f64 {
    let w = 1.0 / (z * z);
    (1.0 / 12.0 - w * (1.0 / 360.0 - w * (1.0 / 1260.0 - w * (1.0 / 1680.0 - w / 1188.0)))) / z
}

/// ln of the binomial coefficient, by Loader's form of Stirling's series (C. Loader, Fast and accurate computation of binomial
/// probabilities, 2000): its error is about 1e-16 of n.
pub(crate) fn log_choose(n: u64, k: u64) -> f64 {
    if k == 0 || k == n {
        return 0.0;
    }
    let (total, chosen, rest) = (n as f64, k as f64, (n - k) as f64);
    let entropy = -chosen * libm::log(chosen / total) - rest * libm::log1p(-chosen / total);
    let spread = 0.5 * libm::log(total / (2.0 * std::f64::consts::PI * chosen * rest));
    stirling_error(total) - stirling_error(chosen) - stirling_error(rest) + spread + entropy
}

/// Nodes and weights of the Gauss–Legendre rule with N points on [−1, 1], from the largest node down: roots of the Legendre polynomial by
/// Newton's method.
pub(crate) fn legendre<const N: usize>() -> [(f64, f64); N] {
    std::array::from_fn(|index| {
        let n = N as f64;
        let mut x = libm::cos(std::f64::consts::PI * (index as f64 + 0.75) / (n + 0.5));
        let mut slope = 1.0;
        // quadratic convergence from a guess that is good to 1e-3: six steps reach the last bit
        for _ in 0..8 {
            let (mut before, mut value) = (1.0, x);
            for degree in 2..=N {
                let k = degree as f64;
                let next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k;
                (before, value) = (value, next);
            }
            slope = n * (x * value - before) / (x * x - 1.0);
            x -= value / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
}

/// Nodes in [−1, 1] and weights of the Gauss–Legendre rule with five points.
pub(crate) const LEGENDRE_5: [(f64, f64); 5] = [
    (-0.906179845938664, 0.23692688505618908),
    (-0.5384693101056831, 0.47862867049936647),
    (0.0, 0.5688888888888889),
    (0.5384693101056831, 0.47862867049936647),
    (0.906179845938664, 0.23692688505618908),
];

/// The positive half of the rule with sixteen points.
pub(crate) const LEGENDRE_16: [(f64, f64); 8] = [
    (0.09501250983763744, 0.1894506104550685),
    (0.2816035507792589, 0.18260341504492358),
    (0.45801677765722737, 0.16915651939500254),
    (0.6178762444026438, 0.14959598881657674),
    (0.755404408355003, 0.12462897125553388),
    (0.8656312023878318, 0.09515851168249279),
    (0.9445750230732326, 0.062253523938647894),
    (0.9894009349916499, 0.027152459411754096),
];

/// ∫ f from `low` over a stretch of `width`, by one Gauss–Legendre rule with sixteen points: for what is smooth over it. The width is given apart
/// because it may be far below the spacing of doubles near `low`.
pub(crate) fn integrate(low: f64, width: f64, f: impl Fn(f64) -> f64) -> f64 {
    let half = 0.5 * width;
    let middle = low + half;
    LEGENDRE_16
        .iter()
        .map(|&(node, weight)| half * weight * (f(middle - half * node) + f(middle + half * node)))
        .sum()
}

/// Narrows [low, high] around the place where a condition turns from false to true, to neighbouring doubles or 200 halvings.
/// The condition is taken to be false at `low` and true at `high`.
pub(crate) fn bisect(
    mut low: f64,
    mut high: f64,
    mut holds: impl FnMut(f64) -> bool,
) -> (f64, f64) {
    for _ in 0..200 {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            break;
        }
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    (low, high)
}

/// The least value of a function on [low, high] that falls and then rises, with its place: golden section.
pub(crate) fn minimise(mut low: f64, mut high: f64, mut f: impl FnMut(f64) -> f64) -> (f64, f64) {
    const RATIO: f64 = 0.618_033_988_749_894_8;
    let mut left = high - RATIO * (high - low);
    let mut right = low + RATIO * (high - low);
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..80 {
        if at_left <= at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = high - RATIO * (high - low);
            at_left = f(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = low + RATIO * (high - low);
            at_right = f(right);
        }
        if high - low <= 1e-9 * (high.abs() + low.abs()) {
            break;
        }
    }
    if at_left <= at_right {
        (left, at_left)
    } else {
        (right, at_right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Below e⁻⁵⁰⁰ the sampled part is nothing beside 1, which the far branch once left out: it fell below 0 by 30.
    #[test]
    fn diluted_ratios_are_no_less_than_their_limit_and_do_not_jump() {
        for probability in [1e-230, 1e-217, 1e-200, 1e-6, 0.01, 1.0] {
            let mut before = log_diluted(probability, 499.0);
            for step in 1..=400 {
                let x = 499.0 + f64::from(step) / 200.0;
                let next = log_diluted(probability, x);
                assert!(next >= 0.0 && next > before, "{probability} {x}: {next}");
                assert!(next - before <= 0.005 + 1e-12, "{probability} {x}: {next}");
                before = next;
            }
            let x = 750.0;
            let expected = softplus(x + libm::log(probability));
            assert_eq!(log_diluted(probability, x), expected);
        }
        let near = log_diluted(0.25, 1.0);
        assert!((near - libm::log(0.75 + 0.25 * libm::exp(1.0))).abs() < 1e-15);
        assert!((log_diluted(0.25, -800.0) - libm::log(0.75)).abs() < 1e-15);
    }

    #[test]
    fn binomial_coefficients_are_those_of_the_triangle() {
        for n in 1..60u64 {
            let mut exact = 1u128;
            for k in 0..=n {
                let got = libm::exp(log_choose(n, k));
                assert!(
                    (got / exact as f64 - 1.0).abs() < 1e-13,
                    "C({n}, {k}) is {got}, not {exact}"
                );
                exact = exact * u128::from(n - k) / u128::from(k + 1);
            }
        }
    }

    #[test]
    fn the_exponential_without_its_line_is_right_where_it_cancels() {
        assert!((exp_minus_line(1e-9) / 5.000000001666667e-19 - 1.0).abs() < 1e-15);
        assert!((exp_minus_line(-0.5) / 0.1065306597126334 - 1.0).abs() < 1e-14);
        assert!((exp_minus_line(0.5000001) / exp_minus_line(0.5) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_rules_integrate_polynomials_exactly() {
        let got = integrate(1.0, 2.0, |x| libm::pow(x, 31.0));
        let exact = (libm::pow(3.0, 32.0) - 1.0) / 32.0;
        assert!((got / exact - 1.0).abs() < 1e-13);
        let sum: f64 = LEGENDRE_5
            .iter()
            .map(|&(x, weight)| weight * libm::pow(x, 8.0))
            .sum();
        assert!((sum - 2.0 / 9.0).abs() < 1e-15);
    }
}
