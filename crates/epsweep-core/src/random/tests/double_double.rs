//! A little double-double arithmetic (Dekker, Numerische Mathematik 18, 1971): about 31 digits, as a reference.

/// hi + lo, |lo| at most half a unit in the last place of hi.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

/// ln 2 to 107 bits.
const LN_2: Double = Double {
    hi: core::f64::consts::LN_2,
    lo: 2.3190468138462996e-17,
};

/// π/4 to 107 bits.
const FRAC_PI_4: Double = Double {
    hi: core::f64::consts::FRAC_PI_4,
    lo: 3.061616997868383e-17,
};

/// a + b without error.
fn two_sum(a: f64, b: f64) -> Double {
    let hi = a + b;
    let from_b = hi - a;
    Double {
        hi,
        lo: (a - (hi - from_b)) + (b - from_b),
    }
}

/// a·b without error, by splitting each factor in halves of 26 bits.
fn two_product(a: f64, b: f64) -> Double {
    let split = |x: f64| {
        let scaled = 134_217_729.0 * x;
        let high = scaled - (scaled - x);
        (high, x - high)
    };
    let hi = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    Double {
        hi,
        lo: ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2,
    }
}

impl From<f64> for Double {
    fn from(hi: f64) -> Self {
        Double { hi, lo: 0.0 }
    }
}

impl Double {
    pub(super) fn plus(self, other: Double) -> Double {
        let sum = two_sum(self.hi, other.hi);
        let low = two_sum(self.lo, other.lo);
        let sum = two_sum(sum.hi, sum.lo + low.hi);
        two_sum(sum.hi, sum.lo + low.lo)
    }

    pub(super) fn minus(self) -> Double {
        Double {
            hi: -self.hi,
            lo: -self.lo,
        }
    }

    pub(super) fn times(self, other: Double) -> Double {
        let product = two_product(self.hi, other.hi);
        two_sum(
            product.hi,
            product.lo + (self.hi * other.lo + self.lo * other.hi),
        )
    }

    pub(super) fn over(self, other: Double) -> Double {
        let first = self.hi / other.hi;
        let rest = self.plus(other.times(first.into()).minus());
        let second = rest.hi / other.hi;
        let rest = rest.plus(other.times(second.into()).minus());
        two_sum(first, second).plus((rest.hi / other.hi).into())
    }

    /// self − x, to double precision.
    pub(super) fn distance(self, x: f64) -> f64 {
        let difference = two_sum(self.hi, -x);
        difference.hi + (difference.lo + self.lo)
    }
}

/// −ln x for positive normal x: −e·ln 2 − 2·artanh((m − 1)/(m + 1)), m in [0.7, 1.41].
pub(super) fn minus_ln(x: f64) -> Double {
    let (mut m, mut e) = libm::frexp(x);
    if m < core::f64::consts::FRAC_1_SQRT_2 {
        m *= 2.0;
        e -= 1;
    }
    let s = two_sum(m, -1.0).over(two_sum(m, 1.0));
    let square = s.times(s);
    // s² < 0.0295: the term after the 24th is below 10⁻³⁸ of the first
    let mut sum = Double::from(0.0);
    for k in (0..24).rev() {
        sum = sum
            .times(square)
            .plus(Double::from(1.0).over(f64::from(2 * k + 1).into()));
    }
    let ln_m = sum.times(s).times(2.0.into());
    LN_2.times(f64::from(e).into()).plus(ln_m).minus()
}

/// (sin, cos) of πa/4, |a| ≤ 1, by Taylor's series.
pub(super) fn half_quadrant(a: f64) -> [Double; 2] {
    let x = FRAC_PI_4.times(a.into());
    let minus_square = x.times(x).minus();
    let (mut sine, mut cosine) = (Double::from(1.0), Double::from(1.0));
    for k in (1..16).rev() {
        let (even, odd) = (f64::from(2 * k), f64::from(2 * k + 1));
        cosine = cosine
            .times(minus_square)
            .over((even * (even - 1.0)).into())
            .plus(1.0.into());
        sine = sine
            .times(minus_square)
            .over((even * odd).into())
            .plus(1.0.into());
    }
    [sine.times(x), cosine]
}

/// The distance from a positive finite double to the next above.
pub(super) fn unit_in_last_place(x: f64) -> f64 {
    x.next_up() - x
}

#[test]
fn the_reference_agrees_with_libm_and_with_known_digits() {
    // −ln 0.1 = 2.302585092994045684017991454684364…, cut in two doubles; 0.1 itself is 2⁻⁵⁶·0.4 too large
    let tenth = minus_ln(0.1);
    let of_a_tenth = Double {
        hi: core::f64::consts::LN_10,
        lo: -2.1707562233822494e-16,
    };
    let of_rounding = -5.551115123125783e-17;
    assert!(
        tenth
            .plus(of_a_tenth.minus())
            .plus((-of_rounding).into())
            .hi
            .abs()
            < 1e-31,
        "{tenth:?}"
    );
    for x in [
        1e-300, 1e-16, 0.03, 0.5, 0.70, 0.72, 0.999_999, 1.0, 1.3, 36.7, 1e300,
    ] {
        let ours = minus_ln(x).hi;
        assert!(
            (ours + libm::log(x)).abs() <= unit_in_last_place(ours.abs()),
            "{x}"
        );
    }
    for a in [1e-16, 0.1, 0.5, 0.9, 1.0] {
        let [sine, cosine] = half_quadrant(a);
        let x = a * core::f64::consts::FRAC_PI_4;
        assert!((sine.hi - libm::sin(x)).abs() <= 2.0 * unit_in_last_place(sine.hi));
        assert!((cosine.hi - libm::cos(x)).abs() <= 2.0 * unit_in_last_place(cosine.hi));
        // sin² + cos² = 1
        let one = sine.times(sine).plus(cosine.times(cosine));
        assert!(one.distance(1.0).abs() < 1e-30, "{one:?}");
    }
}
