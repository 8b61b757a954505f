//! Special functions that the laws need.

use super::complex::Complex;
use std::sync::LazyLock;

/// Above this argument the asymptotic series of erfcx is exact to the last bit.
const ASYMPTOTIC: f64 = 8.0;

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

const SQRT_PI: f64 = 1.772_453_850_905_516;

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

/// g = √π·w·erfcx(w) for complex w with Re w > 0; with w = 1/(2b√s) this is E e^{−s·b²E²} for a standard exponential E, continued to
/// all s off the negative real axis.
///
/// Near 0 by the modified trapezoidal rules of Al Azah and Chandler-Wilde (SIAM Journal on Numerical Analysis 59, 2021), which have 12 terms and an
/// error of about 1e−15; far from 0 by the asymptotic series.
pub(super) fn complex_transform(w: Complex) -> Complex {
    if w.im > 0.0 {
        return complex_transform(w.conjugate()).conjugate();
    }
    let size = w.re.max(-w.im);
    if size > 1e9 {
        // 1 − 1/(2w²) rounds to 1
        return Complex::ONE;
    }
    if size >= ASYMPTOTIC {
        let ratio = (w * w).scale(2.0).reciprocal();
        let mut term = ratio;
        let mut sum = Complex::ONE;
        let mut odd = 1.0;
        while term.re.abs() + term.im.abs() > 1e-17 {
            sum = sum - term;
            odd += 2.0;
            term = (term * ratio).scale(-odd);
        }
        return sum;
    }
    // erfcx(w) = Faddeeva's w(z) at z = iw, which lies in the first quadrant
    let z = Complex::new(-w.im, w.re);
    (w * faddeeva(z)).scale(SQRT_PI)
}

/// The squares and weights of the two interleaved trapezoidal rules for ∫ e^{−t²}/(z² − t²) dt.
struct Rules {
    step: f64,
    /// t = h/2, 3h/2, …: (t², e^{−t²})
    midpoints: [(f64, f64); 12],
    /// t = h, 2h, …: (t², e^{−t²})
    multiples: [(f64, f64); 11],
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let step = (std::f64::consts::PI / 12.0).sqrt();
    let node = |t: f64| (t * t, libm::exp(-t * t));
    Rules {
        step,
        midpoints: std::array::from_fn(|k| node((k as f64 + 0.5) * step)),
        multiples: std::array::from_fn(|k| node((k as f64 + 1.0) * step)),
    }
});

/// e^{−z²}·erfc(−iz) for z in the first quadrant.
fn faddeeva(z: Complex) -> Complex {
    let rules = &*RULES;
    let square = z * z;
    let sum = |nodes: &[(f64, f64)]| {
        let mut sum = Complex::new(0.0, 0.0);
        for &(t_squared, weight) in nodes {
            // 1/(z² − t²); the pole is kept away by the choice of the rule
            let re = square.re - t_squared;
            let factor = weight / (re * re + square.im * square.im);
            sum = sum + Complex::new(re * factor, -square.im * factor);
        }
        // (2ih/π)·z·Σ
        (Complex::new(-z.im, z.re) * sum).scale(2.0 * rules.step / std::f64::consts::PI)
    };
    if z.im >= z.re.max(std::f64::consts::PI / rules.step) {
        return sum(&rules.midpoints);
    }
    // the residue of the pole at z, which lies closer to the real axis than the rule can see
    let turn = Complex::new(z.im, -z.re)
        .scale(2.0 * std::f64::consts::PI / rules.step)
        .exp();
    let gauss = Complex::new(-square.re, -square.im).exp().scale(2.0);
    let place = z.re / rules.step - (z.re / rules.step).floor();
    if z.im < z.re && (0.25..=0.75).contains(&place) {
        let inverse = z.reciprocal();
        let centre = Complex::new(-inverse.im, inverse.re).scale(rules.step / std::f64::consts::PI);
        centre + sum(&rules.multiples) + gauss * (Complex::ONE - turn).reciprocal()
    } else {
        sum(&rules.midpoints) + gauss * (Complex::ONE + turn).reciprocal()
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

    /// (Re w, Im w, Re g, Im g) for g = √π·w·erfcx(w), from 50-digit arithmetic.
    const COMPLEX: [[f64; 4]; 70] = [
        [1e-06, -0.0, 1.7724518509072883e-06, 0.0],
        [
            7.352941176470589e-07,
            -4.411764705882353e-07,
            1.3032741983301242e-06,
            -7.819636366462833e-07,
        ],
        [
            5.256241787122208e-07,
            -4.993429697766097e-07,
            9.316445458123338e-07,
            -8.850613198367079e-07,
        ],
        [2e-07, -4e-07, 3.544910101809472e-07, -7.08981220362178e-07],
        [
            9.425070688030159e-08,
            -2.921771913289349e-07,
            1.6705518132914703e-07,
            -5.178704777660708e-07,
        ],
        [
            0.04950495049504951,
            -0.004950495049504951,
            0.08309406654448045,
            -0.007855478628632947,
        ],
        [
            0.03676470588235295,
            -0.022058823529411766,
            0.06342899147279443,
            -0.03599013122107045,
        ],
        [
            0.023781212841854936,
            -0.02497027348394768,
            0.04221388160751111,
            -0.041931009280508524,
        ],
        [0.01, -0.02, 0.01830513842125254, -0.034645848720095594],
        [0.3, -0.0, 0.39061302582812096, 0.0],
        [
            0.297029702970297,
            -0.0297029702970297,
            0.38865625490124645,
            -0.027960495038307404,
        ],
        [
            0.15768725361366623,
            -0.1498028909329829,
            0.2654165742344215,
            -0.18436022544656674,
        ],
        [
            0.1426872770511296,
            -0.14982164090368608,
            0.24742078872449977,
            -0.1903120886942015,
        ],
        [
            0.028275212064090477,
            -0.08765315739868047,
            0.06274395083696203,
            -0.14471725614953493,
        ],
        [0.9, -0.0, 0.7282631551031218, 0.0],
        [
            0.661764705882353,
            -0.39705882352941185,
            0.696068091341542,
            -0.17168040780352078,
        ],
        [
            0.4730617608409987,
            -0.44940867279894875,
            0.6429440313638881,
            -0.26123291336859733,
        ],
        [0.18, -0.36, 0.41440005452183254, -0.3850795212135983],
        [
            0.08482563619227143,
            -0.26295947219604143,
            0.24301428954392412,
            -0.36187502619697487,
        ],
        [
            1.683168316831683,
            -0.16831683168316833,
            0.8788904415861027,
            -0.017878122940134758,
        ],
        [
            1.25,
            -0.7500000000000001,
            0.8786481026858952,
            -0.11311805974057383,
        ],
        [
            0.8085612366230678,
            -0.8489892984542211,
            0.8649242493203928,
            -0.2132881576785984,
        ],
        [
            0.33999999999999997,
            -0.6799999999999999,
            0.7371390946917954,
            -0.41208897947426004,
        ],
        [2.558, -0.0, 0.9366051692988037, 0.0],
        [
            2.5326732673267327,
            -0.2532673267326732,
            0.936831528327077,
            -0.010715408092155826,
        ],
        [
            1.3445466491458606,
            -1.2773193166885677,
            0.952423884084749,
            -0.1168846983818164,
        ],
        [
            1.2166468489892983,
            -1.2774791914387633,
            0.9545133422557964,
            -0.13273877019892022,
        ],
        [
            0.24109330819981145,
            -0.7473892554194155,
            0.7770820580173369,
            -0.4966339504285003,
        ],
        [3.3, -0.0, 0.9592947083271793, 0.0],
        [
            2.4264705882352944,
            -1.4558823529411764,
            0.966944235912158,
            -0.0458962530165694,
        ],
        [
            1.7345597897503287,
            -1.647831800262812,
            0.9775696243432184,
            -0.07829077058880655,
        ],
        [
            0.6599999999999999,
            -1.3199999999999998,
            1.0038883452250902,
            -0.22878879462367133,
        ],
        [
            0.3110273327049952,
            -0.9641847313854853,
            0.9297610699637399,
            -0.428310687393859,
        ],
        [
            4.9504950495049505,
            -0.49504950495049505,
            0.9812366543742145,
            -0.0035840504490889007,
        ],
        [
            3.6764705882352944,
            -2.2058823529411766,
            0.9862365451700118,
            -0.022168895039889676,
        ],
        [
            2.3781212841854935,
            -2.4970273483947683,
            0.9969104382151415,
            -0.04146054672730667,
        ],
        [1.0, -2.0, 1.0362943215816862, -0.10327330431424889],
        [6.1, -0.0, 0.987071098950611, 0.0],
        [
            6.03960396039604,
            -0.6039603960396039,
            0.9871776419142404,
            -0.002491820608947872,
        ],
        [
            3.2063074901445465,
            -3.045992115637319,
            0.9968170457741785,
            -0.025099997747640213,
        ],
        [
            2.9013079667063018,
            -3.0463733650416174,
            0.999009655652266,
            -0.02812005478344662,
        ],
        [
            0.5749293119698397,
            -1.7822808671065031,
            1.083478488824935,
            -0.15298190272017612,
        ],
        [7.5, -0.0, 0.9913382208415631, 0.0],
        [
            5.514705882352942,
            -3.308823529411765,
            0.9940922572069583,
            -0.010301792558146583,
        ],
        [
            3.942181340341656,
            -3.745072273324573,
            0.9982988706706569,
            -0.016732275671138587,
        ],
        [1.5, -3.0, 1.02350998698738, -0.04131398619418499],
        [
            0.7068803016022619,
            -2.191328934967012,
            1.0706301596509173,
            -0.08929751232292707,
        ],
        [
            7.910891089108911,
            -0.7910891089108911,
            0.9924133895172011,
            -0.0014974485723003017,
        ],
        [
            5.875000000000001,
            -3.525,
            0.9948153123436938,
            -0.009115144020568093,
        ],
        [
            3.8002378121284184,
            -3.9902497027348396,
            0.9999910578534477,
            -0.016459933582170624,
        ],
        [1.598, -3.196, 1.021193435786896, -0.03583424153273828],
        [8.0, -0.0, 0.9923638187121117, 0.0],
        [
            7.920792079207921,
            -0.7920792079207921,
            0.992431941589774,
            -0.0014938700717635038,
        ],
        [
            4.204993429697766,
            -3.994743758212878,
            0.9985913048019767,
            -0.014728892856496001,
        ],
        [
            3.8049940546967895,
            -3.9952437574316293,
            0.999993089786332,
            -0.01641894192071807,
        ],
        [
            0.7540056550424127,
            -2.3374175306314795,
            1.0645791373512683,
            -0.07495691901320177,
        ],
        [20.0, -0.0, 0.9987546584566278, 0.0],
        [
            14.705882352941178,
            -8.823529411764707,
            0.9991952429790552,
            -0.001492793376062047,
        ],
        [
            10.512483574244415,
            -9.986859395532194,
            0.9998612818616884,
            -0.0023730646742883364,
        ],
        [4.0, -8.0, 1.0037136245039227, -0.0051136935502581705],
        [
            1.8850141376060319,
            -5.843543826578698,
            1.010916385273492,
            -0.008285788718967187,
        ],
        [
            990099.0099009901,
            -99009.900990099,
            0.999999999999505,
            -9.999999999970301e-14,
        ],
        [
            735294.1176470589,
            -441176.47058823536,
            0.99999999999968,
            -5.999999999988479e-13,
        ],
        [
            475624.2568370987,
            -499405.46967895364,
            1.0000000000000513,
            -1.0500000000003229e-12,
        ],
        [200000.0, -400000.0, 1.0000000000015, -2.000000000018e-12],
        [1000000000.0, -0.0, 1.0, 0.0],
        [990099009.9009901, -99009900.99009901, 1.0, -1e-19],
        [
            525624178.7122208,
            -499342969.7766098,
            1.0,
            -9.499999999999998e-19,
        ],
        [475624256.83709866, -499405469.67895365, 1.0, -1.05e-18],
        [
            94250706.8803016,
            -292177191.3289349,
            1.0,
            -3.1000000000000016e-18,
        ],
    ];

    #[test]
    fn complex_transform_matches_high_precision() {
        for [re, im, g_re, g_im] in COMPLEX {
            for sign in [1.0, -1.0] {
                let g = complex_transform(Complex::new(re, sign * im));
                let size = libm::hypot(g_re, g_im);
                let error = libm::hypot(g.re - g_re, g.im - sign * g_im) / size;
                assert!(error < 1e-14, "g({re} + {im}i) = {g:?}, off by {error:e}");
            }
        }
    }
}
