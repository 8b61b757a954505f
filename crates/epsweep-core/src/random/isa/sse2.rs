//! Eight lanes in four registers.

use core::arch::x86_64::*;

use super::{Isa, LANES, Table};

/// SSE2: every x86-64 processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sse2(());

impl Sse2 {
    /// The token: SSE2 is part of every x86-64 processor.
    pub fn detect() -> Option<Self> {
        Some(Sse2(()))
    }
}

/// Registers that hold the eight lanes, and the lanes of each.
const PARTS: usize = 4;
const WIDTH: usize = LANES / PARTS;

/// Calls an intrinsic on every part, on the strength of the token.
macro_rules! each {
    ($part:ident => $call:expr) => {{
        let $part = 0;
        // SAFETY: every x86-64 processor has SSE2; pointers stay inside arrays of eight elements, and the loads and
        // stores need no alignment.
        #[allow(unused_unsafe)]
        let first = unsafe { $call };
        let mut out = [first; PARTS];
        let mut $part = 1;
        while $part < PARTS {
            // SAFETY: as above.
            #[allow(unused_unsafe)]
        let next = unsafe { $call };
            out[$part] = next;
            $part += 1;
        }
        out
    }};
}

impl Isa for Sse2 {
    type F = [__m128d; PARTS];
    type U = [__m128i; PARTS];
    /// All ones where true.
    type M = [__m128i; PARTS];
    const NAME: &'static str = "sse2";
    #[inline(always)]
    fn splat(self, x: f64) -> Self::F {
        // SAFETY: as in `each`.
        #[allow(unused_unsafe)]
        let part = unsafe { _mm_set1_pd(x) };
        [part; PARTS]
    }
    #[inline(always)]
    fn splat_bits(self, x: u64) -> Self::U {
        // SAFETY: as in `each`.
        #[allow(unused_unsafe)]
        let part = unsafe { _mm_set1_epi64x(x.cast_signed()) };
        [part; PARTS]
    }
    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> Self::F {
        each!(i => _mm_loadu_pd(from.as_ptr().add(WIDTH * i)))
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; LANES], x: Self::F) {
        each!(i => _mm_storeu_pd(to.as_mut_ptr().add(WIDTH * i), x[i]));
    }
    #[inline(always)]
    fn load_bits(self, from: &[u64; LANES]) -> Self::U {
        each!(i => _mm_loadu_si128(from.as_ptr().add(WIDTH * i).cast()))
    }
    #[inline(always)]
    fn store_bits(self, to: &mut [u64; LANES], x: Self::U) {
        each!(i => _mm_storeu_si128(to.as_mut_ptr().add(WIDTH * i).cast(), x[i]));
    }
    #[inline(always)]
    fn to_bits(self, x: Self::F) -> Self::U {
        each!(i => _mm_castpd_si128(x[i]))
    }
    #[inline(always)]
    fn from_bits(self, x: Self::U) -> Self::F {
        each!(i => _mm_castsi128_pd(x[i]))
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm_add_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm_sub_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm_mul_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm_div_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm_min_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm_max_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        each!(i => _mm_sqrt_pd(a[i]))
    }
    #[inline(always)]
    fn uadd(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm_add_epi64(a[i], b[i]))
    }
    #[inline(always)]
    fn usub(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm_sub_epi64(a[i], b[i]))
    }
    #[inline(always)]
    fn and(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm_and_si128(a[i], b[i]))
    }
    #[inline(always)]
    fn or(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm_or_si128(a[i], b[i]))
    }
    #[inline(always)]
    fn xor(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm_xor_si128(a[i], b[i]))
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: Self::U) -> Self::U {
        // a constant count: becomes the immediate form
        each!(i => _mm_sll_epi64(a[i], _mm_cvtsi32_si128(N as i32)))
    }
    #[inline(always)]
    fn shr<const N: u32>(self, a: Self::U) -> Self::U {
        // a constant count: becomes the immediate form
        each!(i => _mm_srl_epi64(a[i], _mm_cvtsi32_si128(N as i32)))
    }
    #[inline(always)]
    fn lookup(self, table: &Table, index: Self::U) -> [Self::F; 2] {
        // a row is one load
        let at = self.words(index);
        let even = each!(i => _mm_loadu_pd(table.rows[(at[2 * i] % 16) as usize].as_ptr()));
        let odd = each!(i => _mm_loadu_pd(table.rows[(at[2 * i + 1] % 16) as usize].as_ptr()));
        [
            each!(i => _mm_unpacklo_pd(even[i], odd[i])),
            each!(i => _mm_unpackhi_pd(even[i], odd[i])),
        ]
    }
    #[inline(always)]
    fn less(self, a: Self::F, b: Self::F) -> Self::M {
        each!(i => _mm_castpd_si128(_mm_cmplt_pd(a[i], b[i])))
    }
    #[inline(always)]
    fn equal(self, a: Self::U, b: Self::U) -> Self::M {
        // SSE2 compares halves: both must agree
        let halves = each!(i => _mm_cmpeq_epi32(a[i], b[i]));
        each!(i => _mm_and_si128(halves[i], _mm_shuffle_epi32::<0b10_11_00_01>(halves[i])))
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        each!(i => {
            let m = _mm_castsi128_pd(m[i]);
            _mm_or_pd(_mm_and_pd(m, a[i]), _mm_andnot_pd(m, b[i]))
        })
    }
    #[inline(always)]
    fn either(self, a: Self::M, b: Self::M) -> Self::M {
        self.or(a, b)
    }
    #[inline(always)]
    fn both(self, a: Self::M, b: Self::M) -> Self::M {
        self.and(a, b)
    }
    #[inline(always)]
    fn mask_bits(self, m: Self::M) -> u32 {
        let parts = each!(i => _mm_movemask_pd(_mm_castsi128_pd(m[i])));
        let mut bits = 0;
        let mut part = 0;
        while part < PARTS {
            bits |= parts[part].cast_unsigned() << (WIDTH * part);
            part += 1;
        }
        bits
    }
    #[inline(always)]
    fn count(self, counts: Self::U, m: Self::M) -> Self::U {
        // all ones is −1
        self.usub(counts, m)
    }
}
