//! Eight lanes in an array: plain Rust, on any architecture.

use super::{Isa, LANES, Table};

/// Plain arrays. What it computes *defines* what the other instruction sets must compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portable;

/// Applies an expression to every lane.
macro_rules! each {
    ($lane:ident => $value:expr) => {{
        let mut out = [Default::default(); LANES];
        let mut $lane = 0;
        while $lane < LANES {
            out[$lane] = $value;
            $lane += 1;
        }
        out
    }};
}

impl Isa for Portable {
    type F = [f64; LANES];
    type U = [u64; LANES];
    /// All ones where true.
    type M = [u64; LANES];
    const NAME: &'static str = "portable";

    #[inline(always)]
    fn splat(self, x: f64) -> Self::F {
        [x; LANES]
    }
    #[inline(always)]
    fn splat_bits(self, x: u64) -> Self::U {
        [x; LANES]
    }
    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> Self::F {
        *from
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; LANES], x: Self::F) {
        *to = x;
    }
    #[inline(always)]
    fn load_bits(self, from: &[u64; LANES]) -> Self::U {
        *from
    }
    #[inline(always)]
    fn store_bits(self, to: &mut [u64; LANES], x: Self::U) {
        *to = x;
    }
    #[inline(always)]
    fn to_bits(self, x: Self::F) -> Self::U {
        each!(i => x[i].to_bits())
    }
    #[inline(always)]
    fn from_bits(self, x: Self::U) -> Self::F {
        each!(i => f64::from_bits(x[i]))
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => a[i] + b[i])
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => a[i] - b[i])
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => a[i] * b[i])
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => a[i] / b[i])
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        each!(i => if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        each!(i => a[i].sqrt())
    }
    #[inline(always)]
    fn uadd(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn usub(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => a[i].wrapping_sub(b[i]))
    }
    #[inline(always)]
    fn and(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => a[i] & b[i])
    }
    #[inline(always)]
    fn or(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => a[i] | b[i])
    }
    #[inline(always)]
    fn xor(self, a: Self::U, b: Self::U) -> Self::U {
        each!(i => a[i] ^ b[i])
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: Self::U) -> Self::U {
        each!(i => a[i] << N)
    }
    #[inline(always)]
    fn shr<const N: u32>(self, a: Self::U) -> Self::U {
        each!(i => a[i] >> N)
    }
    #[inline(always)]
    fn lookup(self, table: &Table, index: Self::U) -> [Self::F; 2] {
        let rows = each!(i => table.rows[(index[i] % 16) as usize]);
        [each!(i => rows[i][0]), each!(i => rows[i][1])]
    }
    #[inline(always)]
    fn less(self, a: Self::F, b: Self::F) -> Self::M {
        each!(i => if a[i] < b[i] { u64::MAX } else { 0 })
    }
    #[inline(always)]
    fn equal(self, a: Self::U, b: Self::U) -> Self::M {
        each!(i => if a[i] == b[i] { u64::MAX } else { 0 })
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
        let mut bits = 0;
        let mut lane = 0;
        while lane < LANES {
            bits |= ((m[lane] & 1) as u32) << lane;
            lane += 1;
        }
        bits
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        each!(i => if m[i] != 0 { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn count(self, counts: Self::U, m: Self::M) -> Self::U {
        each!(i => counts[i].wrapping_sub(m[i]))
    }
}
