//! The logarithm, the circle and the edges, against double-double arithmetic.

use super::super::isa::{Isa, LANES};
use super::super::{circle, log, unit};
use super::double_double::{self, unit_in_last_place};
use crate::dispatch;
use crate::random::{Level, StandardLaw};

#[inline(always)]
fn minus_ln_body<I: Isa>(isa: I, x: &[f64; LANES]) -> [f64; LANES] {
    isa.lanes(log::minus_ln(isa, isa.load(x)))
}

#[inline(always)]
fn half_quadrant_body<I: Isa>(isa: I, a: &[f64; LANES]) -> [[f64; LANES]; 2] {
    circle::half_quadrant(isa, isa.load(a)).map(|values| isa.lanes(values))
}

#[inline(always)]
fn open_unit_body<I: Isa>(isa: I, word: u64) -> f64 {
    isa.lanes(unit::open_unit(isa, isa.splat_bits(word)))[0]
}

dispatch! {
    fn minus_ln(x: &[f64; LANES]) -> [f64; LANES] = minus_ln_body;
    fn half_quadrant(a: &[f64; LANES]) -> [[f64; LANES]; 2] = half_quadrant_body;
    fn open_unit(word: u64) -> f64 = open_unit_body;
}

/// Numbers in (0, 1) that are spread evenly, and without pattern, by multiples of the golden ratio.
fn spread(n: usize) -> impl Iterator<Item = f64> {
    (0..n as u64)
        .map(|k| ((k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 12) as f64 + 0.5) * libm::exp2(-52.0))
}

/// The worst error of −ln over `arguments`: in units in the last place where |ln x| > 1/16, and absolute elsewhere.
fn worst_logarithm(arguments: impl Iterator<Item = f64>) -> (f64, f64) {
    let arguments: Vec<f64> = arguments.collect();
    let (mut units, mut absolute) = (0.0_f64, 0.0_f64);
    for x in arguments.as_chunks::<LANES>().0 {
        for (x, ours) in x.iter().zip(minus_ln(Level::best(), x)) {
            let exact = double_double::minus_ln(*x);
            let error = exact.distance(ours).abs();
            if exact.hi.abs() > 1.0 / 16.0 {
                units = units.max(error / unit_in_last_place(exact.hi.abs()));
            } else {
                absolute = absolute.max(error);
            }
        }
    }
    (units, absolute)
}

#[test]
fn the_logarithm_is_good_to_the_last_places() {
    // uniform, small, near 1 from both sides, and of the size of exponentials
    let uniform = spread(1 << 16);
    let small = spread(1 << 16)
        .zip(0..)
        .map(|(x, k)| libm::ldexp(x, -(k % 1000)));
    let near_one = spread(1 << 16)
        .zip(0..)
        .map(|(x, k)| 1.0 + libm::ldexp(x - 0.5, -(k % 52)));
    let sizes = spread(1 << 16).map(|x| 37.0 * x);
    // both ends of every interval
    let ends = (0..64).flat_map(|k| {
        let end = 0.5 + f64::from(k) / 32.0;
        [
            end.next_down(),
            end,
            end.next_up(),
            end.next_down().next_down(),
        ]
    });
    let (units, absolute) = worst_logarithm(
        uniform
            .chain(small)
            .chain(near_one)
            .chain(sizes)
            .chain(ends),
    );
    assert!(units < 2.5, "{units} units in the last place");
    assert!(absolute < 1.2e-17, "{absolute}");
    // and that the measure sees more than nothing
    assert!(units > 0.5);
}

#[test]
fn the_table_of_the_logarithm_is_rounded_to_nearest() {
    // the middle of an interval has r = 0: nothing but the table is left where the exponent is 0
    for i in 0..16 {
        let middle = 1.0 + (2 * i + 1) as f64 / 32.0;
        let c = if i < 7 { middle } else { middle / 2.0 };
        let ours = minus_ln(Level::best(), &[c; LANES])[0];
        let exact = double_double::minus_ln(c);
        assert!(
            exact.distance(ours).abs() <= 0.5 * unit_in_last_place(ours.abs()),
            "{c}: {ours}"
        );
    }
}

#[test]
fn sines_and_cosines_are_good_to_the_last_places() {
    let arguments: Vec<f64> = spread(1 << 16)
        .chain([f64::EPSILON / 2.0; 4])
        .chain([1.0 - f64::EPSILON / 2.0; 4])
        .collect();
    let mut worst = 0.0_f64;
    for a in arguments.as_chunks::<LANES>().0 {
        let [sines, cosines] = half_quadrant(Level::best(), a);
        for lane in 0..LANES {
            let [sine, cosine] = double_double::half_quadrant(a[lane]);
            worst = worst.max(sine.distance(sines[lane]).abs() / unit_in_last_place(sine.hi));
            worst = worst.max(cosine.distance(cosines[lane]).abs() / unit_in_last_place(cosine.hi));
        }
    }
    assert!(worst < 3.0, "{worst} units in the last place");
    assert!(worst > 0.5);
}

#[test]
fn unit_numbers_are_the_middles_of_their_cells() {
    for level in Level::available() {
        let cell = f64::EPSILON;
        for (word, number) in [
            (0, cell / 2.0),
            (1, 1.5 * cell),
            (u64::MAX, 1.0 - cell / 2.0),
            (1 << 51, 0.5 + cell / 2.0),
            (0xFFF0_0000_0000_0000, cell / 2.0),
        ] {
            assert_eq!(open_unit(level, word), number, "{word:x}");
        }
    }
}

/// Every word must give a finite variate within the bounds of the law: the extremes of every field of bits, and
/// patterns between.
#[test]
fn no_word_gives_anything_but_a_finite_variate() {
    let fields = [
        0,
        (1_u64 << 52) - 1,
        1,
        1 << 51,
        (1 << 51) - 1,
        0x0005_5555_5555_5555,
    ];
    let flags = (0..16).map(|high| high << 60);
    let largest = 53.0 * core::f64::consts::LN_2;
    for level in Level::available() {
        for word in flags
            .clone()
            .flat_map(|high| fields.map(|low| high | low))
            .chain([u64::MAX])
        {
            for law in StandardLaw::ALL {
                for x in law.of_word(level, word) {
                    let within = match law {
                        StandardLaw::Exponential => x >= 1.1e-16 && x < largest + 1e-14,
                        StandardLaw::Laplace => x.abs() >= 1.1e-16 && x.abs() < largest + 1e-14,
                        StandardLaw::Normal => x.abs() > 0.0 && x.abs() < 8.58,
                        StandardLaw::Gumbel => x > -3.61 && x < 36.75,
                        StandardLaw::Uniform => x > 0.0 && x < 1.0,
                        StandardLaw::Bits => x.to_bits() == word,
                    };
                    assert!(
                        within,
                        "{} of {word:#x} at {}: {x:e}",
                        law.name(),
                        level.name()
                    );
                }
            }
        }
    }
    let level = Level::best();
    assert_eq!(
        StandardLaw::Laplace.of_word(level, 1 << 63)[0],
        -StandardLaw::Exponential.of_word(level, 0)[0]
    );
    assert!((StandardLaw::Exponential.of_word(level, 0)[0] - largest).abs() < 1e-14);
}
