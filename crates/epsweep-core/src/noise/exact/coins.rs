//! Random bits, and coins whose probabilities are rational or the exponential of a rational.

/// A source of independent unbiased bits.
pub trait Bits {
    /// The next 64 bits.
    fn next_word(&mut self) -> u64;
}

impl Bits for crate::random::TrialStream {
    /// The words of a stream of [`StandardLaw::Bits`](crate::random::StandardLaw::Bits); streams of other laws are no bits.
    fn next_word(&mut self) -> u64 {
        let mut word = [0.0];
        self.fill(&mut word);
        word[0].to_bits()
    }
}

impl<F: FnMut() -> u64> Bits for F {
    fn next_word(&mut self) -> u64 {
        self()
    }
}

/// An integer uniform on 0..`below`, for `below` ≥ 1, by rejection.
pub(super) fn uniform(bits: &mut impl Bits, below: u128) -> u128 {
    let mask = u128::MAX
        .checked_shr((below - 1).leading_zeros())
        .unwrap_or(0);
    loop {
        let mut value = u128::from(bits.next_word());
        if mask > u128::from(u64::MAX) {
            value |= u128::from(bits.next_word()) << 64;
        }
        value &= mask;
        if value < below {
            return value;
        }
    }
}

/// True with probability `numerator`/`denominator` ≤ 1.
pub(super) fn fraction(bits: &mut impl Bits, numerator: u128, denominator: u128) -> bool {
    uniform(bits, denominator) < numerator
}

/// True with probability e^{−γ}, where `coin` is true with probability γ ≤ 1: the first K at which coins of probability γ/K
/// fail is odd with probability 1 − γ + γ²/2 − … (algorithm 1). A coin of γ/K is one of γ and one of 1/K together.
pub(super) fn exponential<B: Bits>(bits: &mut B, coin: impl Fn(&mut B) -> bool) -> bool {
    let mut k: u128 = 1;
    while coin(bits) && fraction(bits, 1, k) {
        k += 1;
    }
    k % 2 == 1
}

/// True with probability e^{−count}.
pub(super) fn exponential_whole(bits: &mut impl Bits, count: u128) -> bool {
    let mut left = count;
    while left > 0 {
        if !exponential(bits, |_| true) {
            return false;
        }
        left -= 1;
    }
    true
}

/// True with probability e^{−numerator/denominator}.
pub(super) fn exponential_fraction(
    bits: &mut impl Bits,
    numerator: u128,
    denominator: u128,
) -> bool {
    exponential_whole(bits, numerator / denominator)
        && exponential(bits, |bits| {
            fraction(bits, numerator % denominator, denominator)
        })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// Bits of another generator than ours.
    pub fn bits(seed: u64) -> impl Bits {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        move || generator.next_u64()
    }

    /// |z| < 5 for fixed seeds: false alarms with probability 6e−7 each.
    fn z(hits: u32, n: u32, p: f64) -> f64 {
        (f64::from(hits) / f64::from(n) - p) / (p * (1.0 - p) / f64::from(n)).sqrt()
    }

    #[test]
    fn coins_have_their_probabilities() {
        let mut bits = bits(1);
        let n = 200_000;
        for (numerator, denominator) in [(0, 1), (1, 3), (7, 2), (5, 5), (40, 9), (1, 1 << 80)] {
            let hits = (0..n)
                .filter(|_| exponential_fraction(&mut bits, numerator, denominator))
                .count() as u32;
            let p = libm::exp(-(numerator as f64) / denominator as f64);
            if p > 1.0 - 1e-12 {
                assert_eq!(hits, n);
            } else {
                assert!(
                    z(hits, n, p).abs() < 5.0,
                    "{numerator}/{denominator}: {hits}"
                );
                assert!(z(hits, n, 1.03 * p).abs() > 5.0 || p < 0.05);
            }
        }
    }

    #[test]
    fn integers_are_uniform_also_beyond_64_bits() {
        let mut bits = bits(2);
        assert!((0..100).all(|_| uniform(&mut bits, 1) == 0));
        let below = 3_u128 << 70;
        let n = 100_000;
        let hits = (0..n)
            .filter(|_| uniform(&mut bits, below) < 1_u128 << 70)
            .count() as u32;
        assert!(z(hits, n, 1.0 / 3.0).abs() < 5.0);
        let mut counts = [0_u32; 5];
        for _ in 0..n {
            counts[uniform(&mut bits, 5) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| z(count, n, 0.2).abs() < 5.0));
    }
}
