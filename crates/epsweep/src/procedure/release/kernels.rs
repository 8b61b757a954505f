//! Rows of one query from its standard noise.

use epsweep_core::dispatch;
use epsweep_core::random::isa::{Isa, LANES};

dispatch! {
    /// `scale`·L
    pub(super) fn signed(scale: f64, noise: &[f64], out: &mut [f64]) = map::<_, Signed>;
    /// `scale`·|L|
    pub(super) fn absolute(scale: f64, noise: &[f64], out: &mut [f64]) = map::<_, Absolute>;
    /// `scale`·L²
    pub(super) fn squared(scale: f64, noise: &[f64], out: &mut [f64]) = map::<_, Squared>;
    /// 1 where |L| ≤ `threshold`, 0 elsewhere
    pub(super) fn within(threshold: f64, noise: &[f64], out: &mut [f64]) = map::<_, Within>;
}

trait Map {
    fn apply<I: Isa>(isa: I, parameter: I::F, noise: I::F) -> I::F;
}

struct Signed;
struct Absolute;
struct Squared;
struct Within;

impl Map for Signed {
    #[inline(always)]
    fn apply<I: Isa>(isa: I, scale: I::F, noise: I::F) -> I::F {
        isa.mul(scale, noise)
    }
}

impl Map for Absolute {
    #[inline(always)]
    fn apply<I: Isa>(isa: I, scale: I::F, noise: I::F) -> I::F {
        isa.mul(scale, isa.abs(noise))
    }
}

impl Map for Squared {
    #[inline(always)]
    fn apply<I: Isa>(isa: I, scale: I::F, noise: I::F) -> I::F {
        isa.mul(scale, isa.mul(noise, noise))
    }
}

impl Map for Within {
    #[inline(always)]
    fn apply<I: Isa>(isa: I, threshold: I::F, noise: I::F) -> I::F {
        let outside = isa.less(threshold, isa.abs(noise));
        isa.select(outside, isa.splat(0.0), isa.splat(1.0))
    }
}

#[inline(always)]
fn map<I: Isa, M: Map>(isa: I, parameter: f64, noise: &[f64], out: &mut [f64]) {
    let parameter = isa.splat(parameter);
    let (groups, rest) = noise.as_chunks::<LANES>();
    let (targets, ends) = out.as_chunks_mut::<LANES>();
    for (noise, target) in groups.iter().zip(targets) {
        let value = M::apply(isa, parameter, isa.load(noise));
        isa.store(target, value);
    }
    if !rest.is_empty() {
        let mut noise = [0.0; LANES];
        noise[..rest.len()].copy_from_slice(rest);
        let values = isa.lanes(M::apply(isa, parameter, isa.load(&noise)));
        ends.copy_from_slice(&values[..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epsweep_core::random::Level;

    #[test]
    fn rows_are_what_they_say_on_every_level() {
        let noise: Vec<f64> = (0..61).map(|i| f64::from(i - 30) * 0.25).collect();
        for level in Level::available() {
            let mut out = vec![f64::NAN; 61];
            signed(level, 3.0, &noise, &mut out);
            assert!(noise.iter().zip(&out).all(|(x, y)| *y == 3.0 * x));
            absolute(level, 3.0, &noise, &mut out);
            assert!(noise.iter().zip(&out).all(|(x, y)| *y == 3.0 * x.abs()));
            squared(level, 3.0, &noise, &mut out);
            assert!(noise.iter().zip(&out).all(|(x, y)| *y == 3.0 * (x * x)));
            within(level, 2.5, &noise, &mut out);
            let inside = |x: f64| f64::from(u8::from(x.abs() <= 2.5));
            assert!(noise.iter().zip(&out).all(|(x, y)| *y == inside(*x)));
        }
    }
}
