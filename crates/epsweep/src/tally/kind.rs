//! Kinds of rows, and how their values are divided into bins.
//!
//! Reals are binned by their own bits: the exponent and the first [`MANTISSA_BITS`] bits of the mantissa name the bin, so no
//! logarithm is taken and a bin is at most 2⁻⁷ of its values wide. A row covers [`OCTAVES`] octaves, placed by its own
//! scale; zero has a bin of its own, and what lies below or above the octaves goes to one more bin at either side, which
//! the least and the largest value close.

use super::histogram::Bin;
use epsweep_core::random::isa::Isa;

/// Mantissa bits that a bin keeps: a bin's width is at most 2⁻⁷ of its lower edge.
pub const MANTISSA_BITS: u32 = 7;
/// Octaves that a row covers.
pub const OCTAVES: i32 = 32;
/// Octaves below the row's scale.
const BELOW: i32 = 22;
/// What a float's bits are shifted by to keep sign, exponent and the leading mantissa bits.
const SHIFT: u32 = 52 - MANTISSA_BITS;
/// Bins of one sign: zero, too small, the octaves, too large.
const MAGNITUDES: usize = ((OCTAVES as usize) << MANTISSA_BITS) + 3;

/// What the values of a row are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Real numbers. `lowest` is the exponent of the first octave, [2^lowest, 2^(lowest+1)).
    Real {
        /// exponent of the lowest octave
        lowest: i32,
        /// whether negative values occur; without it magnitudes are tallied, the sign is ignored
        signed: bool,
    },
    /// Integers 0, 1, …, `n` − 1, each counted exactly.
    Index {
        /// number of values
        n: usize,
    },
    /// Multiples of 1/`of` from 0 to 1, each counted exactly.
    Part {
        /// how many parts the whole has; at least 1
        of: usize,
    },
    /// 0 or 1.
    Flag,
}

impl RowKind {
    /// Non-negative reals of the order of magnitude of `scale`: the octaves reach from 2⁻²² to 2¹⁰ times its power of two.
    /// Any finite scale will do; zero means that all values are zero.
    pub fn real(scale: f64) -> RowKind {
        RowKind::Real {
            lowest: lowest_octave(scale),
            signed: false,
        }
    }

    /// Reals of either sign, of the order of magnitude of `scale`.
    pub fn signed(scale: f64) -> RowKind {
        RowKind::Real {
            lowest: lowest_octave(scale),
            signed: true,
        }
    }

    /// The number that a value of the row stands for: of rows of magnitudes the sign means nothing.
    pub fn number(self, value: f64) -> f64 {
        match self {
            RowKind::Real { signed: false, .. } => value.abs(),
            _ => value,
        }
    }

    /// Whether values are real numbers, so that a bin holds more than one of them.
    pub fn is_real(self) -> bool {
        matches!(self, RowKind::Real { .. })
    }

    /// Number of bins.
    pub fn bins(self) -> usize {
        match self {
            RowKind::Real { signed: false, .. } => MAGNITUDES,
            RowKind::Real { signed: true, .. } => 2 * MAGNITUDES - 1,
            // one at the least: every value has a bin
            RowKind::Index { n } => n.max(1),
            RowKind::Part { of } => of + 1,
            RowKind::Flag => 2,
        }
    }

    /// About how many bins have a value after so many trials. For reals those of an exponential law are counted, near enough for noise of
    /// any family: below its scale the 128 bins of an octave share half of what those of the next have, and are all filled where that is a
    /// value for each, so that log₂(n/128) octaves are full; above, values come up to ln n scales.
    pub fn filled(self, trials: f64) -> f64 {
        let octave = f64::from(1_u32 << MANTISSA_BITS);
        let most = trials.min(self.bins() as f64);
        let of_sign =
            |n: f64| octave * (libm::log2(1.0 + n / octave) + libm::log2(1.0 + libm::log(1.0 + n)));
        match self {
            RowKind::Real { signed: false, .. } => of_sign(trials).min(most),
            RowKind::Real { signed: true, .. } => (2.0 * of_sign(trials / 2.0)).min(most),
            _ => most,
        }
    }

    /// About how many bins lie between the least and the largest value of so many trials: of reals, the least of n magnitudes is of the order
    /// of a scale over n.
    pub fn spanned(self, trials: f64) -> f64 {
        let octave = f64::from(1_u32 << MANTISSA_BITS);
        let octaves = |n: f64| libm::log2(1.0 + n) + libm::log2(1.0 + libm::log(1.0 + n));
        let bins = match self {
            RowKind::Real { signed: false, .. } => octave * octaves(trials),
            // both signs, and what lies between them
            RowKind::Real { signed: true, .. } => f64::INFINITY,
            _ => trials,
        };
        bins.min(self.bins() as f64)
    }

    /// The stretch of numbers that bin `bin` stands for; its count is left at zero.
    pub fn stretch(self, bin: usize) -> Bin {
        let (low, high) = match self {
            RowKind::Real {
                lowest,
                signed: false,
            } => magnitude(lowest, bin),
            RowKind::Real {
                lowest,
                signed: true,
            } => {
                let zero = MAGNITUDES - 1;
                if bin >= zero {
                    magnitude(lowest, bin - zero)
                } else {
                    let (low, high) = magnitude(lowest, zero - bin);
                    (-high, -low)
                }
            }
            RowKind::Index { .. } | RowKind::Flag => (bin as f64, bin as f64),
            RowKind::Part { of } => {
                let part = bin as f64 / of as f64;
                (part, part)
            }
        };
        Bin {
            low,
            high,
            count: 0,
        }
    }

    /// The least and the largest value that bin `bin` of a row of reals takes in, as integers that are ordered as the values
    /// are. Meaningless for other rows.
    pub(super) fn keys(self, bin: usize) -> (u64, u64) {
        const POSITIVE: u64 = 1 << 63;
        let RowKind::Real { lowest, signed } = self else {
            return (0, u64::MAX);
        };
        let zero = if signed { MAGNITUDES - 1 } else { 0 };
        let (first, last) = magnitude_bits(lowest, bin.abs_diff(zero));
        if bin == zero && signed {
            (!(last | POSITIVE), last | POSITIVE)
        } else if bin < zero {
            (!(last | POSITIVE), !(first | POSITIVE))
        } else {
            (first | POSITIVE, last | POSITIVE)
        }
    }

    /// Bin of a value that is not NaN.
    pub(super) fn place(self, value: f64) -> usize {
        let mut place = [0];
        self.locate(&[value], &mut place);
        place[0] as usize
    }

    /// Bins of a block of values (at most [`BLOCK`](crate::tally::BLOCK) of them): branch-free loops that the compiler
    /// turns into vector code. NaN has no bin; callers leave it out.
    #[inline(always)]
    pub(super) fn locate(self, values: &[f64], bins: &mut [u32]) {
        let top = MAGNITUDES as i32 - 1;
        match self {
            RowKind::Real {
                lowest,
                signed: false,
            } => {
                let base = base(lowest);
                for (bin, x) in bins.iter_mut().zip(values) {
                    let leading = (x.abs().to_bits() >> SHIFT) as i32;
                    *bin = clamp_magnitude(leading, base, top) as u32;
                }
            }
            RowKind::Real {
                lowest,
                signed: true,
            } => {
                let base = base(lowest);
                for (bin, x) in bins.iter_mut().zip(values) {
                    let leading = (x.abs().to_bits() >> SHIFT) as i32;
                    let magnitude = clamp_magnitude(leading, base, top);
                    // −1 for negative numbers, 0 for the others: flips the magnitude's sign without a branch
                    let sign = (x.to_bits() as i64 >> 63) as i32;
                    *bin = (top + ((magnitude ^ sign) - sign)) as u32;
                }
            }
            RowKind::Index { n } => {
                let last = n.saturating_sub(1) as u32;
                for (bin, x) in bins.iter_mut().zip(values) {
                    *bin = (*x as u32).min(last);
                }
            }
            RowKind::Part { of } => {
                for (bin, x) in bins.iter_mut().zip(values) {
                    *bin = ((*x * of as f64 + 0.5) as u32).min(of as u32);
                }
            }
            RowKind::Flag => {
                for (bin, x) in bins.iter_mut().zip(values) {
                    *bin = u32::from(*x != 0.0);
                }
            }
        }
    }
}

/// What the vectorised form of [`RowKind::locate`] needs to know of a row of reals: `lead` lies before the leading bits of its
/// octaves, `last` is the last bin of a sign.
pub(super) fn frame(lowest: i32) -> Frame {
    Frame {
        lead: base(lowest) as u64,
        last: MAGNITUDES as u64 - 1,
    }
}

/// See [`frame`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    lead: u64,
    last: u64,
}

impl Frame {
    /// Bins of eight magnitudes: the arithmetic of [`clamp_magnitude`].
    #[inline(always)]
    pub fn magnitudes<I: Isa>(self, isa: I, values: I::F) -> I::U {
        // Leading bits, read as doubles, are ordered as the integers that they are: that is how least and largest words
        // are found where there are no such instructions for words.
        let leading = isa.from_bits(isa.shr::<SHIFT>(isa.to_bits(values)));
        let one = isa.min(leading, isa.splat(f64::from_bits(1)));
        let least = isa.from_bits(isa.uadd(isa.to_bits(one), isa.splat_bits(self.lead)));
        let most = isa.splat(f64::from_bits(self.lead + self.last));
        let clamped = isa.min(isa.max(leading, least), most);
        isa.usub(isa.to_bits(clamped), isa.splat_bits(self.lead))
    }

    /// Bins of eight numbers of either sign.
    #[inline(always)]
    pub fn signed<I: Isa>(self, isa: I, values: I::F) -> I::U {
        let magnitude = self.magnitudes(isa, isa.abs(values));
        // all ones for negative numbers, 0 for the others: flips the magnitude's sign without a branch
        let sign = isa.usub(isa.splat_bits(0), isa.shr::<63>(isa.to_bits(values)));
        let flipped = isa.usub(isa.xor(magnitude, sign), sign);
        isa.uadd(isa.splat_bits(self.last), flipped)
    }
}

/// Exponent of the lowest octave of a row of this scale, kept inside the normal range of floats.
fn lowest_octave(scale: f64) -> i32 {
    let exponent = ((scale.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    (exponent - BELOW).max(-1000)
}

/// Leading bits of a float at the start of the octaves, less the two bins that come before.
#[inline(always)]
fn base(lowest: i32) -> i32 {
    ((1023 + lowest) << MANTISSA_BITS) - 2
}

/// Bin of a magnitude: 0 for zero (and the subnormals nearest to it), 1 for what is too small, `top` for what is too large.
#[inline(always)]
fn clamp_magnitude(leading: i32, base: i32, top: i32) -> i32 {
    (leading - base).max(leading.min(1)).min(top)
}

/// Bits of the least and the largest magnitude of a bin.
fn magnitude_bits(lowest: i32, bin: usize) -> (u64, u64) {
    let base = base(lowest) as u64;
    let infinity = f64::INFINITY.to_bits();
    let (first, last) = match bin {
        0 => (0, 0),
        1 => (1, base + 1),
        _ if bin + 1 == MAGNITUDES => (base + bin as u64, infinity >> SHIFT),
        _ => (base + bin as u64, base + bin as u64),
    };
    let last = (((last + 1) << SHIFT) - 1).min(infinity);
    (first << SHIFT, last)
}

/// Edges of the bin of a magnitude.
#[inline(always)]
pub(super) fn magnitude(lowest: i32, bin: usize) -> (f64, f64) {
    let edge = |bin: usize| {
        let leading = (base(lowest) + bin as i32) as u64;
        // past the largest float an edge would be a NaN's bits
        f64::from_bits((leading << SHIFT).min(f64::INFINITY.to_bits()))
    };
    match bin {
        0 => (0.0, 0.0),
        1 => (0.0, edge(2)),
        _ if bin + 1 == MAGNITUDES => (edge(bin), f64::INFINITY),
        _ => (edge(bin), edge(bin + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin_of(kind: RowKind, x: f64) -> usize {
        let mut bins = [0];
        kind.locate(&[x], &mut bins);
        bins[0] as usize
    }

    #[test]
    fn every_value_lies_in_its_bin() {
        for scale in [1e-290, 1e-12, 1.0, 121.12, 1e12, 1e300] {
            for kind in [RowKind::real(scale), RowKind::signed(scale)] {
                for k in -400..400 {
                    let x = scale * libm::exp2(f64::from(k) / 11.0);
                    let signs: &[f64] = if kind == RowKind::real(scale) {
                        &[1.0]
                    } else {
                        &[1.0, -1.0]
                    };
                    for sign in signs.iter().filter(|_| x.is_finite()) {
                        let x = sign * x;
                        let bin = bin_of(kind, x);
                        assert!(bin < kind.bins());
                        let s = kind.stretch(bin);
                        // negative bins are (low, high], mirror images of the positive ones
                        let inside = if x < 0.0 {
                            s.low < x && x <= s.high
                        } else {
                            s.low <= x && x < s.high
                        };
                        assert!(inside, "{x} in {s:?}");
                        if x.abs() > scale * 1e-6 && x.abs() < scale * 500.0 {
                            assert!((s.high - s.low) / x.abs() < 1.0 / 127.0);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn bins_tile_the_line() {
        for kind in [RowKind::real(3.0), RowKind::signed(3.0)] {
            for bin in 1..kind.bins() {
                assert_eq!(kind.stretch(bin - 1).high, kind.stretch(bin).low);
            }
            assert_eq!(kind.stretch(kind.bins() - 1).high, f64::INFINITY);
        }
    }

    #[test]
    fn zero_has_a_bin_of_its_own() {
        for kind in [RowKind::real(1.0), RowKind::signed(1.0), RowKind::real(0.0)] {
            let zero = bin_of(kind, 0.0);
            assert_eq!(
                (kind.stretch(zero).low, kind.stretch(zero).high),
                (0.0, 0.0)
            );
            assert_eq!(bin_of(kind, -0.0), zero);
            assert_eq!(bin_of(kind, 1e-305), zero + 1);
            assert_eq!(bin_of(kind, f64::INFINITY), kind.bins() - 1);
        }
        assert_eq!(bin_of(RowKind::signed(1.0), f64::NEG_INFINITY), 0);
    }

    #[test]
    fn indices_and_flags_are_counted_as_they_are() {
        let kind = RowKind::Index { n: 5 };
        for i in 0..5 {
            assert_eq!(bin_of(kind, i as f64), i);
            assert_eq!(kind.stretch(i).low, i as f64);
        }
        assert_eq!(bin_of(kind, 9.0), 4);
        assert_eq!(
            (
                RowKind::Index { n: 0 }.bins(),
                bin_of(RowKind::Index { n: 0 }, 3.0)
            ),
            (1, 0)
        );
        assert_eq!(bin_of(RowKind::Flag, 1.0), 1);
        assert_eq!(bin_of(RowKind::Flag, 0.0), 0);
    }
}
