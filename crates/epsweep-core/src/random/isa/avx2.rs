//! Eight lanes in two registers.

use core::arch::x86_64::*;

use super::{Isa, LANES, Table};

/// AVX2 with BMI: x86-64-v3 without fused multiply-add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

impl Avx2 {
    /// The token, if this processor (and operating system) has the instructions.
    pub fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Avx2(()))
    }
}

/// Registers that hold the eight lanes, and the lanes of each.
const PARTS: usize = 2;
const WIDTH: usize = LANES / PARTS;

/// Calls an intrinsic on every part, on the strength of the token.
macro_rules! each {
    ($part:ident => $call:expr) => {{
        let $part = 0;
        // SAFETY: `self` exists only if `Avx2::detect` found the instructions; pointers stay inside arrays of eight
        // elements, and the loads and stores need no alignment.
        let first = unsafe { $call };
        let mut out = [first; PARTS];
        let mut $part = 1;
        while $part < PARTS {
            // SAFETY: as above.
            let next = unsafe { $call };
            out[$part] = next;
            $part += 1;
        }
        out
    }};
}

impl Isa for Avx2 {
    type F = [__m256d; PARTS];
    type U = [__m256i; PARTS];
    /// All ones where true.
    type M = [__m256i; PARTS];
    const NAME: &'static str = "avx2";
    #[inline(always)]
    fn splat(self, x: f64) -> Self::F {
        // SAFETY: as in `each`.
        let part = unsafe { _mm256_set1_pd(x) };
        [part; PARTS]
    }
    #[inline(always)]
    fn splat_bits(self, x: u64) -> Self::U {
        // SAFETY: as in `each`.
        let part = unsafe { _mm256_set1_epi64x(x.cast_signed()) };
        [part; PARTS]
    }
    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> Self::F {
        each!(i => _mm256_loadu_pd(from.as_ptr().add(WIDTH * i)))
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; LANES], x: Self::F) {
        each!(i => _mm256_storeu_pd(to.as_mut_ptr().add(WIDTH * i), x[i]));
    }
    #[inline(always)]
    fn load_bits(self, from: &[u64; LANES]) -> Self::U {
        each!(i => _mm256_loadu_si256(from.as_ptr().add(WIDTH * i).cast()))
    }
    #[inline(always)]
    fn store_bits(self, to: &mut [u64; LANES], x: Self::U) {
        each!(i => _mm256_storeu_si256(to.as_mut_ptr().add(WIDTH * i).cast(), x[i]));
    }
    #[inline(always)]
    fn to_bits(self, x: Self::F) -> Self::U {
        each!(i => _mm256_castpd_si256(x[i]))
    }
    #[inline(always)]
    fn from_bits(self, x: Self::U) -> Self::F {
        each!(i => _mm256_castsi256_pd(x[i]))
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm256_add_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm256_sub_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm256_mul_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm256_div_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm256_min_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm256_max_pd(a[i], b[i]))
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        each!(i => _mm256_sqrt_pd(a[i]))
    }
    #[inline(always)]
    fn uadd(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm256_add_epi64(a[i], b[i]))
    }
    #[inline(always)]
    fn usub(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm256_sub_epi64(a[i], b[i]))
    }
    #[inline(always)]
    fn and(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm256_and_si256(a[i], b[i]))
    }
    #[inline(always)]
    fn or(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm256_or_si256(a[i], b[i]))
    }
    #[inline(always)]
    fn xor(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => _mm256_xor_si256(a[i], b[i]))
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: Self::U) -> Self::U {
        // a constant count: becomes the immediate form
        each!(i => _mm256_sll_epi64(a[i], _mm_cvtsi32_si128(N as i32)))
    }
    #[inline(always)]
    fn shr<const N: u32>(self, a: Self::U) -> Self::U {
        // a constant count: becomes the immediate form
        each!(i => _mm256_srl_epi64(a[i], _mm_cvtsi32_si128(N as i32)))
    }
    #[inline(always)]
    fn lookup(self, table: &Table, index: Self::U) -> [Self::F; 2] {
        // a row is one load; that beats the gather instruction on most processors
        let at = self.words(index);
        macro_rules! row {
            ($lane:expr) => {
                _mm_loadu_pd(table.rows[(at[$lane] % 16) as usize].as_ptr())
            };
        }
        let even = each!(i => _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(row!(4 * i)), row!(4 * i + 2)));
        let odd = each!(i => _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(row!(4 * i + 1)), row!(4 * i + 3)));
        [
            each!(i => _mm256_unpacklo_pd(even[i], odd[i])),
            each!(i => _mm256_unpackhi_pd(even[i], odd[i])),
        ]
    }
    #[inline(always)]
    fn less(self, a: Self::F, b: Self::F) -> Self::M {
        each!(i => _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LT_OQ>(a[i], b[i])))
    }
    #[inline(always)]
    fn equal(self, a: Self::U, b: Self::U) -> Self::M {
        each!(i => _mm256_cmpeq_epi64(a[i], b[i]))
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        each!(i => _mm256_blendv_pd(b[i], a[i], _mm256_castsi256_pd(m[i])))
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
        let parts = each!(i => _mm256_movemask_pd(_mm256_castsi256_pd(m[i])));
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
