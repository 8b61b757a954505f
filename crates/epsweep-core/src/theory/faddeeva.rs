//! The transform of a squared exponential for complex arguments.

use super::complex::Complex;
use super::special::{ASYMPTOTIC, SQRT_PI};
use std::sync::LazyLock;

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

    /// (Re w, Im w, Re g, Im g) for g = √π·w·erfcx(w), from 50-digit arithmetic.
    #[rustfmt::skip]
    const COMPLEX: [[f64; 4]; 35] = [
        [1e-06, -0.0, 1.7724518509072883e-06, 0.0],
        [5.256241787122208e-07, -4.993429697766097e-07, 9.316445458123338e-07, -8.850613198367079e-07],
        [9.425070688030159e-08, -2.921771913289349e-07, 1.6705518132914703e-07, -5.178704777660708e-07],
        [0.03676470588235295, -0.022058823529411766, 0.06342899147279443, -0.03599013122107045],
        [0.01, -0.02, 0.01830513842125254, -0.034645848720095594],
        [0.297029702970297, -0.0297029702970297, 0.38865625490124645, -0.027960495038307404],
        [0.1426872770511296, -0.14982164090368608, 0.24742078872449977, -0.1903120886942015],
        [0.9, -0.0, 0.7282631551031218, 0.0],
        [0.4730617608409987, -0.44940867279894875, 0.6429440313638881, -0.26123291336859733],
        [0.08482563619227143, -0.26295947219604143, 0.24301428954392412, -0.36187502619697487],
        [1.25, -0.7500000000000001, 0.8786481026858952, -0.11311805974057383],
        [0.33999999999999997, -0.6799999999999999, 0.7371390946917954, -0.41208897947426004],
        [2.5326732673267327, -0.2532673267326732, 0.936831528327077, -0.010715408092155826],
        [1.2166468489892983, -1.2774791914387633, 0.9545133422557964, -0.13273877019892022],
        [3.3, -0.0, 0.9592947083271793, 0.0],
        [1.7345597897503287, -1.647831800262812, 0.9775696243432184, -0.07829077058880655],
        [0.3110273327049952, -0.9641847313854853, 0.9297610699637399, -0.428310687393859],
        [3.6764705882352944, -2.2058823529411766, 0.9862365451700118, -0.022168895039889676],
        [1.0, -2.0, 1.0362943215816862, -0.10327330431424889],
        [6.03960396039604, -0.6039603960396039, 0.9871776419142404, -0.002491820608947872],
        [2.9013079667063018, -3.0463733650416174, 0.999009655652266, -0.02812005478344662],
        [7.5, -0.0, 0.9913382208415631, 0.0],
        [3.942181340341656, -3.745072273324573, 0.9982988706706569, -0.016732275671138587],
        [0.7068803016022619, -2.191328934967012, 1.0706301596509173, -0.08929751232292707],
        [5.875000000000001, -3.525, 0.9948153123436938, -0.009115144020568093],
        [1.598, -3.196, 1.021193435786896, -0.03583424153273828],
        [7.920792079207921, -0.7920792079207921, 0.992431941589774, -0.0014938700717635038],
        [3.8049940546967895, -3.9952437574316293, 0.999993089786332, -0.01641894192071807],
        [20.0, -0.0, 0.9987546584566278, 0.0],
        [10.512483574244415, -9.986859395532194, 0.9998612818616884, -0.0023730646742883364],
        [1.8850141376060319, -5.843543826578698, 1.010916385273492, -0.008285788718967187],
        [735294.1176470589, -441176.47058823536, 0.99999999999968, -5.999999999988479e-13],
        [200000.0, -400000.0, 1.0000000000015, -2.000000000018e-12],
        [990099009.9009901, -99009900.99009901, 1.0, -1e-19],
        [475624256.83709866, -499405469.67895365, 1.0, -1.05e-18],
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
