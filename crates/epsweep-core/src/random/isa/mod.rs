//! Vectors of eight lanes, whatever the machine.
//!
//! The noise and the tallies are computed eight trials at a time. AVX-512 holds eight lanes in one register, AVX2 in
//! two, SSE2 in four, and [`Portable`] in an array; the *logical* width is always [`LANES`], so the layout of the
//! random streams and the order of every sum, and with them the bits of every result, do not depend on the machine.
//!
//! An instruction set is a token: a value of type [`Avx512`] exists only where the processor has AVX-512 (see
//! [`Level`](super::Level)), so the methods of [`Isa`] are safe to call. To be *fast* they must be inlined into a
//! function that was compiled for the instruction set: write the kernel as a generic `#[inline(always)]` function and
//! wrap it with [`dispatch!`](crate::dispatch). Inside a kernel, avoid closures: they do not inherit the
//! target features of the function around them.
//!
//! # The same bits on every path
//!
//! All operations are single IEEE 754 operations, rounded to nearest, or act on bits. There is no fused
//! multiply-add, on purpose: SSE2 has none. Where instruction sets differ in corner cases, the trait fixes one
//! meaning:
//!
//! - [`Isa::min`] is `if a < b { a } else { b }` and [`Isa::max`] is `if a > b { a } else { b }`: where either operand is NaN, and
//!   where both are zeros of any sign, the result is `b`. So `min(value, running)` ignores a NaN `value`, and
//!   `min(running, value)` lets it in.
//! - Comparisons with NaN are false.
//! - The sign and payload of a NaN *made* by arithmetic are not fixed; kernels must not read them.

mod portable;
pub use portable::Portable;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "x86_64")]
pub use sse2::Sse2;

#[cfg(test)]
mod tests;

/// Lanes of a vector, on every instruction set.
pub const LANES: usize = 8;

/// The sign bit of a double.
pub const SIGN_BIT: u64 = 1 << 63;

/// Sixteen rows of two columns, held both ways: wide registers keep columns, narrow ones load rows.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Table {
    columns: [[f64; 16]; 2],
    rows: [[f64; 2]; 16],
}

impl Table {
    /// The table with these columns.
    pub const fn new(columns: [[f64; 16]; 2]) -> Self {
        let mut rows = [[0.0; 2]; 16];
        let mut i = 0;
        while i < 16 {
            rows[i] = [columns[0][i], columns[1][i]];
            i += 1;
        }
        Table { columns, rows }
    }

    /// The columns.
    pub const fn columns(&self) -> &[[f64; 16]; 2] {
        &self.columns
    }
}

/// Operations on eight lanes of doubles or of 64-bit words.
///
/// A value of the implementing type proves that the processor has the instructions.
pub trait Isa: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Eight doubles.
    type F: Copy;
    /// Eight 64-bit words.
    type U: Copy;
    /// Eight truth values.
    type M: Copy;
    /// The name used by `EPSWEEP_ISA`.
    const NAME: &'static str;

    /// The same double in every lane.
    fn splat(self, x: f64) -> Self::F;
    /// The same word in every lane.
    fn splat_bits(self, x: u64) -> Self::U;
    /// Eight doubles from memory.
    fn load(self, from: &[f64; LANES]) -> Self::F;
    /// Eight doubles to memory.
    fn store(self, to: &mut [f64; LANES], x: Self::F);
    /// Eight words from memory.
    fn load_bits(self, from: &[u64; LANES]) -> Self::U;
    /// Eight words to memory.
    fn store_bits(self, to: &mut [u64; LANES], x: Self::U);
    /// The bit patterns of doubles.
    fn to_bits(self, x: Self::F) -> Self::U;
    /// The doubles with these bit patterns. (Named as `f64::from_bits` is; `self` is the token.)
    #[allow(clippy::wrong_self_convention)]
    fn from_bits(self, x: Self::U) -> Self::F;

    /// a + b.
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    /// a − b.
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    /// a · b.
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// a / b.
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// `if a < b { a } else { b }` (so `b` where either is NaN).
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `if a > b { a } else { b }` (so `b` where either is NaN).
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// √a, correctly rounded.
    fn sqrt(self, a: Self::F) -> Self::F;

    /// a + b modulo 2⁶⁴.
    fn uadd(self, a: Self::U, b: Self::U) -> Self::U;
    /// a − b modulo 2⁶⁴.
    fn usub(self, a: Self::U, b: Self::U) -> Self::U;
    /// Bitwise and.
    fn and(self, a: Self::U, b: Self::U) -> Self::U;
    /// Bitwise or.
    fn or(self, a: Self::U, b: Self::U) -> Self::U;
    /// Bitwise exclusive or.
    fn xor(self, a: Self::U, b: Self::U) -> Self::U;
    /// Shifts left by `N` < 64.
    fn shl<const N: u32>(self, a: Self::U) -> Self::U;
    /// Shifts right by `N` < 64, filling with zeros.
    fn shr<const N: u32>(self, a: Self::U) -> Self::U;
    /// Rotates left by `N`, `R` = 64 − `N`, both from 1 to 63.
    #[inline(always)]
    fn rotl<const N: u32, const R: u32>(self, a: Self::U) -> Self::U {
        const { assert!(N + R == 64) };
        self.or(self.shl::<N>(a), self.shr::<R>(a))
    }

    /// The exponent e of 2ᵉ·m, m in [1, 2), for positive normal finite `a`; anything for other arguments.
    #[inline(always)]
    fn exponent(self, a: Self::F) -> Self::F {
        // or-ing a small integer into the bits of 2⁵² adds that integer
        const TWO_52: f64 = 4_503_599_627_370_496.0;
        let biased = self.or(
            self.shr::<52>(self.to_bits(a)),
            self.splat_bits(TWO_52.to_bits()),
        );
        self.sub(self.from_bits(biased), self.splat(TWO_52 + 1023.0))
    }
    /// Both columns of row `index % 16` of a table, in every lane.
    fn lookup(self, table: &Table, index: Self::U) -> [Self::F; 2];

    /// a < b (false where either is NaN).
    fn less(self, a: Self::F, b: Self::F) -> Self::M;
    /// Equality of words.
    fn equal(self, a: Self::U, b: Self::U) -> Self::M;
    /// Truth in either.
    fn either(self, a: Self::M, b: Self::M) -> Self::M;
    /// Truth in both.
    fn both(self, a: Self::M, b: Self::M) -> Self::M;
    /// One bit per lane, lane 0 lowest; higher bits are 0.
    fn mask_bits(self, m: Self::M) -> u32;
    /// `if m { a } else { b }` in every lane.
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// `counts` + 1 where `m` is true.
    fn count(self, counts: Self::U, m: Self::M) -> Self::U;
    /// Writes the lanes where `m` is true to the front of `to`, in order, and says how many they are. What is behind
    /// them in `to` is unspecified afterwards.
    #[inline(always)]
    fn compress(self, to: &mut [f64; LANES], x: Self::F, m: Self::M) -> usize {
        let lanes = self.lanes(x);
        let mut left = self.mask_bits(m);
        let mut kept = 0;
        while left != 0 {
            to[kept] = lanes[left.trailing_zeros() as usize % LANES];
            kept += 1;
            left &= left - 1;
        }
        kept
    }

    /// The words that equal any of `wanted`.
    #[inline(always)]
    fn equal_any<const N: usize>(self, a: Self::U, wanted: &[Self::U; N]) -> Self::M {
        let mut found = self.equal(a, wanted[0]);
        let mut next = 1;
        while next < N {
            found = self.either(found, self.equal(a, wanted[next]));
            next += 1;
        }
        found
    }
    /// |a|: clears the sign bit.
    #[inline(always)]
    fn abs(self, a: Self::F) -> Self::F {
        self.from_bits(self.and(self.to_bits(a), self.splat_bits(!SIGN_BIT)))
    }
    /// The lanes as an array.
    #[inline(always)]
    fn lanes(self, x: Self::F) -> [f64; LANES] {
        let mut lanes = [0.0; LANES];
        self.store(&mut lanes, x);
        lanes
    }
    /// The words as an array.
    #[inline(always)]
    fn words(self, x: Self::U) -> [u64; LANES] {
        let mut words = [0; LANES];
        self.store_bits(&mut words, x);
        words
    }
    /// The sum of the lanes, in the fixed order ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)).
    #[inline(always)]
    fn sum(self, x: Self::F) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.lanes(x);
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }
}
