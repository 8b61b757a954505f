//! Special functions that the laws need.

/// Above this argument the asymptotic series of erfcx is exact to the last bit.
pub(super) const ASYMPTOTIC: f64 = 8.0;

/// The scaled complementary error function erfcx(w) = e^{w²}·erfc(w) for w ≥ 0, with a relative error of a few units in
/// the last place. NaN for negative arguments and NaN.
///
/// For w < 8 it is the product itself, with w² split in two so that its rounding does not grow through the exponential;
/// above, the asymptotic series (Abramowitz and Stegun 7.1.23).
pub fn erfcx(w: f64) -> f64 {
    if w.is_nan() || w < 0.0 {
        f64::NAN
    } else if w < ASYMPTOTIC {
        // 26 bits squared are exact
        let head = f64::from_bits(w.to_bits() & !((1 << 27) - 1));
        let tail = (w - head) * (w + head);
        libm::exp(head * head) * libm::exp(tail) * libm::erfc(w)
    } else {
        (1.0 - deficit(w)) / (w * SQRT_PI)
    }
}

/// √π
pub(super) const SQRT_PI: f64 = 1.772_453_850_905_516;

/// 1 − √π·w·erfcx(w) for w ≥ 8: 1/(2w²) − 3/(2w²)² + 15/(2w²)³ − …, cut where the terms vanish. They fall until the
/// w²-th, which is below 1e−25 of the first.
fn deficit(w: f64) -> f64 {
    let ratio = 0.5 / w / w;
    let mut term = ratio;
    let mut sum = 0.0;
    let mut odd = 1.0;
    while term.abs() > 1e-18 * ratio {
        sum += term;
        odd += 2.0;
        term *= -odd * ratio;
    }
    sum
}

/// E e^{−z²E²} for a standard exponential E and z ≥ 0, and its complement, both with full relative accuracy:
/// (g, 1 − g) with g(z) = √π/(2z)·erfcx(1/(2z)). (1, 0) at z = 0.
pub fn squared_exponential_transform(z: f64) -> (f64, f64) {
    let w = 0.5 / z;
    if w < ASYMPTOTIC {
        let g = SQRT_PI * w * erfcx(w);
        (g, 1.0 - g)
    } else {
        // an infinite w has a deficit of 0
        let complement = deficit(w);
        (1.0 - complement, complement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // 60-digit arithmetic, rounded to f64
    const ERFCX: [(f64, f64); 12] = [
        (0.0, 1.0),
        (1e-10, 0.999999999887162),
        (0.01, 0.9888154610463425),
        (0.3, 0.7345993345676551),
        (1.0, 0.427583576155807),
        (2.5, 0.2108063640611436),
        (4.7, 0.11748964756583025),
        (6.1, 0.09129430036868383),
        (7.99, 0.07007143671795267),
        (8.0, 0.06998516620088092),
        (12.3, 0.045718957356365296),
        (100000.0, 5.6418958351954685e-06),
    ];
    const TRANSFORM: [(f64, f64, f64); 10] = [
        (1e-12, 1.0, 2e-24),
        (0.001, 0.9999980000119999, 1.9999880001199983e-06),
        (0.0624, 0.9923876934548624, 0.007612306545137593),
        (0.0626, 0.9923399090954869, 0.007660090904513124),
        (0.1, 0.9810943073153879, 0.018905692684612087),
        (0.5, 0.7578721561413121, 0.2421278438586879),
        (1.0, 0.545641360765047, 0.45435863923495295),
        (10.0, 0.08383618478086341, 0.9161638152191366),
        (10000.0, 8.86176927668242e-05, 0.9999113823072332),
        (1000000000000.0, 8.86226925452258e-13, 0.9999999999991138),
    ];

    #[test]
    fn erfcx_matches_high_precision() {
        for (w, expected) in ERFCX {
            let got = erfcx(w);
            assert!(
                (got / expected - 1.0).abs() < 2e-15,
                "erfcx({w}) = {got}, not {expected}"
            );
        }
        assert!(erfcx(-1.0).is_nan() && erfcx(f64::NAN).is_nan());
    }

    #[test]
    fn transform_matches_high_precision_on_both_sides() {
        for (z, expected, complement) in TRANSFORM {
            let (g, rest) = squared_exponential_transform(z);
            assert!(
                (g / expected - 1.0).abs() < 3e-15,
                "g({z}) = {g}, not {expected}"
            );
            assert!(
                (rest / complement - 1.0).abs() < 4e-14,
                "1 − g({z}) = {rest}, not {complement}"
            );
        }
        assert_eq!(squared_exponential_transform(0.0), (1.0, 0.0));
    }
}
