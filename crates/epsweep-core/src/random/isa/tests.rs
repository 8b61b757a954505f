//! Every operation of every instruction set against the portable definition.

use super::{Isa, LANES, Portable, Table};
use crate::dispatch;
use crate::random::Level;

/// What a run of all operations gives: bits of doubles and words.
type Results = Vec<[u64; LANES]>;

const ROWS: Table = {
    let mut columns = [[0.0; 16]; 2];
    let mut i = 0;
    while i < 16 {
        columns[0][i] = i as f64;
        columns[1][i] = -1.5 * i as f64;
        i += 1;
    }
    Table::new(columns)
};

/// NaN results are made one: their sign and payload are not promised (and no kernel reads them).
#[inline(always)]
fn bits<I: Isa>(isa: I, x: I::F) -> [u64; LANES] {
    isa.lanes(x).map(|lane| {
        if lane.is_nan() {
            f64::NAN.to_bits()
        } else {
            lane.to_bits()
        }
    })
}

#[inline(always)]
fn all_operations_body<I: Isa>(isa: I, a: &[f64; LANES], b: &[f64; LANES]) -> Results {
    let (x, y) = (isa.load(a), isa.load(b));
    let (u, v) = (isa.to_bits(x), isa.to_bits(y));
    let less = isa.less(x, y);
    let equal = isa.equal(u, v);
    let mut kept = [0.0; LANES];
    let count = isa.compress(&mut kept, x, less);
    kept[count..].fill(0.0);
    let [first, second] = isa.lookup(&ROWS, u);
    let any = isa.equal_any(u, &[v, isa.splat_bits(3), isa.splat_bits(u64::MAX)]);
    vec![
        bits(isa, isa.add(x, y)),
        bits(isa, isa.sub(x, y)),
        bits(isa, isa.mul(x, y)),
        bits(isa, isa.div(x, y)),
        bits(isa, isa.sqrt(x)),
        bits(isa, isa.min(x, y)),
        bits(isa, isa.max(x, y)),
        bits(isa, isa.abs(x)),
        bits(isa, isa.select(less, x, y)),
        bits(
            isa,
            isa.exponent(isa.abs(isa.select(
                isa.less(isa.abs(x), isa.splat(1e-300)),
                isa.splat(5.0),
                x,
            ))),
        ),
        bits(isa, first),
        bits(isa, second),
        isa.words(isa.uadd(u, v)),
        isa.words(isa.usub(u, v)),
        isa.words(isa.and(u, v)),
        isa.words(isa.or(u, v)),
        isa.words(isa.xor(u, v)),
        isa.words(isa.shl::<17>(u)),
        isa.words(isa.shr::<52>(u)),
        isa.words(isa.rotl::<23, 41>(u)),
        isa.words(isa.count(u, less)),
        [u64::from(isa.mask_bits(less)); LANES],
        [u64::from(isa.mask_bits(equal)); LANES],
        [u64::from(isa.mask_bits(isa.either(less, equal))); LANES],
        [u64::from(isa.mask_bits(isa.both(less, any))); LANES],
        [u64::from(isa.mask_bits(any)); LANES],
        [count as u64; LANES],
        kept.map(f64::to_bits),
    ]
}

dispatch! {
    fn all_operations(a: &[f64; LANES], b: &[f64; LANES]) -> Results = all_operations_body;
}

/// Zeros, infinities, NaN of both signs, the smallest and largest numbers, and words without meaning.
const SPECIAL: [u64; 20] = [
    0x0000_0000_0000_0000,
    0x8000_0000_0000_0000,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0xFFF8_0000_0000_0001,
    0x0000_0000_0000_0001,
    0x8000_0000_0000_0003,
    0x0010_0000_0000_0000,
    0x7FEF_FFFF_FFFF_FFFF,
    0x3FF0_0000_0000_0000,
    0xBFF0_0000_0000_0000,
    0x4000_0000_0000_0000,
    0x3FE6_A09E_667F_3BCD,
    0xC059_0000_0000_0000,
    0x4059_0000_0000_0000,
    0x0123_4567_89AB_CDEF,
    0x89AB_CDEF_89AB_CDEF,
    0x89AB_CDEF_0123_4567,
    0xFFFF_FFFF_FFFF_FFFF,
];

#[test]
fn every_instruction_set_does_what_plain_rust_does() {
    for level in Level::available() {
        for shift in 0..SPECIAL.len() {
            for start in 0..SPECIAL.len() {
                let at = |i: usize| f64::from_bits(SPECIAL[i % SPECIAL.len()]);
                let a: [f64; LANES] = core::array::from_fn(|lane| at(start + lane));
                let b: [f64; LANES] = core::array::from_fn(|lane| at(start + lane + shift));
                let ours = all_operations(level, &a, &b);
                let expected = all_operations_body(Portable, &a, &b);
                for (operation, (ours, expected)) in ours.iter().zip(&expected).enumerate() {
                    // the exponent is defined for normal finite numbers only
                    if operation == 9 && a.iter().any(|x| !x.is_finite()) {
                        continue;
                    }
                    assert_eq!(
                        ours,
                        expected,
                        "operation {operation} of {a:?} and {b:?} at {}",
                        level.name()
                    );
                }
            }
        }
    }
}

/// The portable definition itself, by hand: what documents promise about NaN and zeros.
#[test]
fn minima_maxima_and_masks_mean_what_is_written() {
    let isa = Portable;
    let (low, high, nan) = (isa.splat(1.0), isa.splat(2.0), isa.splat(f64::NAN));
    let (zero, minus) = (isa.splat(0.0), isa.splat(-0.0));
    assert_eq!(isa.min(low, high)[0], 1.0);
    assert_eq!(isa.max(low, high)[0], 2.0);
    assert_eq!(isa.min(nan, high)[0], 2.0);
    assert_eq!(isa.max(nan, low)[0], 1.0);
    assert!(isa.min(high, nan)[0].is_nan() && isa.max(high, nan)[0].is_nan());
    assert!(
        isa.min(zero, minus)[0].is_sign_negative() && isa.max(minus, zero)[0].is_sign_positive()
    );
    assert_eq!(isa.mask_bits(isa.less(low, nan)), 0);

    let ramp = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
    let below_three = isa.less(ramp, isa.splat(3.0));
    assert_eq!(isa.mask_bits(below_three), 0b111);
    assert_eq!(
        isa.select(below_three, ramp, isa.splat(9.0)),
        [0.0, 1.0, 2.0, 9.0, 9.0, 9.0, 9.0, 9.0]
    );
    assert_eq!(
        isa.count(isa.splat_bits(5), below_three),
        [6, 6, 6, 5, 5, 5, 5, 5]
    );
    let odd = isa.equal_any(
        ramp.map(|x| x as u64),
        &[isa.splat_bits(1), isa.splat_bits(3), isa.splat_bits(7)],
    );
    let mut kept = [0.0; LANES];
    assert_eq!(isa.compress(&mut kept, ramp, odd), 3);
    assert_eq!(kept[..3], [1.0, 3.0, 7.0]);
    assert_eq!(isa.sum(ramp), 28.0);
    assert_eq!(
        isa.exponent([1.0, 1.9, 2.0, 0.5, 0.3, 1e300, 1e-300, 8.0]),
        [0.0, 0.0, 1.0, -1.0, -2.0, 996.0, -997.0, 3.0]
    );
    let [first, second] = isa.lookup(&ROWS, isa.splat_bits(0x35));
    assert_eq!((first[0], second[0]), (5.0, -7.5));
}
