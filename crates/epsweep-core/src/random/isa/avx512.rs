//! Eight lanes in one register.

use core::arch::x86_64::*;

use super::{Isa, LANES, Table};

/// AVX-512 (F, DQ, BW, VL, CD): x86-64-v4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(());

impl Avx512 {
    /// The token, if this processor (and operating system) has the instructions.
    pub fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Avx512(()))
    }
}

/// Calls intrinsics on the strength of the token.
macro_rules! intrinsic {
    ($call:expr) => {{
        // SAFETY: `self` exists only if `Avx512::detect` found the instructions; pointers come from references to
        // eight elements, and the loads and stores need no alignment.
        unsafe {
            $call
        }
    }};
}

/// A column as two vectors.
#[inline(always)]
fn halves(column: &[f64; 16]) -> [&[f64; LANES]; 2] {
    let (halves, _) = column.as_chunks::<LANES>();
    [&halves[0], &halves[1]]
}

impl Isa for Avx512 {
    type F = __m512d;
    type U = __m512i;
    type M = __mmask8;
    const NAME: &'static str = "avx512";

    #[inline(always)]
    fn splat(self, x: f64) -> Self::F {
        intrinsic!(_mm512_set1_pd(x))
    }
    #[inline(always)]
    fn splat_bits(self, x: u64) -> Self::U {
        intrinsic!(_mm512_set1_epi64(x.cast_signed()))
    }
    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> Self::F {
        intrinsic!(_mm512_loadu_pd(from.as_ptr()))
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; LANES], x: Self::F) {
        intrinsic!(_mm512_storeu_pd(to.as_mut_ptr(), x))
    }
    #[inline(always)]
    fn load_bits(self, from: &[u64; LANES]) -> Self::U {
        intrinsic!(_mm512_loadu_si512(from.as_ptr().cast()))
    }
    #[inline(always)]
    fn store_bits(self, to: &mut [u64; LANES], x: Self::U) {
        intrinsic!(_mm512_storeu_si512(to.as_mut_ptr().cast(), x))
    }
    #[inline(always)]
    fn to_bits(self, x: Self::F) -> Self::U {
        intrinsic!(_mm512_castpd_si512(x))
    }
    #[inline(always)]
    fn from_bits(self, x: Self::U) -> Self::F {
        intrinsic!(_mm512_castsi512_pd(x))
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        intrinsic!(_mm512_add_pd(a, b))
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        intrinsic!(_mm512_sub_pd(a, b))
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        intrinsic!(_mm512_mul_pd(a, b))
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        intrinsic!(_mm512_div_pd(a, b))
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        intrinsic!(_mm512_min_pd(a, b))
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        intrinsic!(_mm512_max_pd(a, b))
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        intrinsic!(_mm512_sqrt_pd(a))
    }
    #[inline(always)]
    fn uadd(self, a: Self::U, b: Self::U) -> Self::U {
        intrinsic!(_mm512_add_epi64(a, b))
    }
    #[inline(always)]
    fn usub(self, a: Self::U, b: Self::U) -> Self::U {
        intrinsic!(_mm512_sub_epi64(a, b))
    }
    #[inline(always)]
    fn and(self, a: Self::U, b: Self::U) -> Self::U {
        intrinsic!(_mm512_and_si512(a, b))
    }
    #[inline(always)]
    fn or(self, a: Self::U, b: Self::U) -> Self::U {
        intrinsic!(_mm512_or_si512(a, b))
    }
    #[inline(always)]
    fn xor(self, a: Self::U, b: Self::U) -> Self::U {
        intrinsic!(_mm512_xor_si512(a, b))
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: Self::U) -> Self::U {
        intrinsic!(_mm512_slli_epi64::<N>(a))
    }
    #[inline(always)]
    fn shr<const N: u32>(self, a: Self::U) -> Self::U {
        intrinsic!(_mm512_srli_epi64::<N>(a))
    }
    #[inline(always)]
    fn rotl<const N: u32, const R: u32>(self, a: Self::U) -> Self::U {
        const { assert!(N + R == 64) };
        // a constant count: becomes the immediate form
        intrinsic!(_mm512_rolv_epi64(a, _mm512_set1_epi64(N as i64)))
    }
    #[inline(always)]
    fn exponent(self, a: Self::F) -> Self::F {
        intrinsic!(_mm512_getexp_pd(a))
    }
    #[inline(always)]
    fn lookup(self, table: &Table, index: Self::U) -> [Self::F; 2] {
        // a column fills two registers; the instruction reads the four low bits of each index
        let [first, second] = &table.columns;
        let ([a, b], [c, d]) = (halves(first), halves(second));
        intrinsic!([
            _mm512_permutex2var_pd(self.load(a), index, self.load(b)),
            _mm512_permutex2var_pd(self.load(c), index, self.load(d)),
        ])
    }
    #[inline(always)]
    fn less(self, a: Self::F, b: Self::F) -> Self::M {
        intrinsic!(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b))
    }
    #[inline(always)]
    fn equal(self, a: Self::U, b: Self::U) -> Self::M {
        intrinsic!(_mm512_cmpeq_epi64_mask(a, b))
    }
    #[inline(always)]
    fn either(self, a: Self::M, b: Self::M) -> Self::M {
        a | b
    }
    #[inline(always)]
    fn both(self, a: Self::M, b: Self::M) -> Self::M {
        a & b
    }
    #[inline(always)]
    fn mask_bits(self, m: Self::M) -> u32 {
        u32::from(m)
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        intrinsic!(_mm512_mask_blend_pd(m, b, a))
    }
    #[inline(always)]
    fn count(self, counts: Self::U, m: Self::M) -> Self::U {
        intrinsic!(_mm512_mask_add_epi64(
            counts,
            m,
            counts,
            _mm512_set1_epi64(1)
        ))
    }
    #[inline(always)]
    fn compress(self, to: &mut [f64; LANES], x: Self::F, m: Self::M) -> usize {
        // in the register, then one whole store: compressing to memory is microcoded on some processors
        intrinsic!(_mm512_storeu_pd(
            to.as_mut_ptr(),
            _mm512_maskz_compress_pd(m, x)
        ));
        m.count_ones() as usize
    }
}
