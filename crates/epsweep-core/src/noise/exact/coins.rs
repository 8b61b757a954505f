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

    /// False alarms: 6e−7 for each of the four that are not sure. Each finds a probability that is wrong by 4 %, or by 25 % where it is rare: more
    /// than 10 standard errors, of which 5 are seen but for a chance of 1e−6.
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
                let wrong = if p < 0.05 { 1.25 } else { 1.04 };
                for other in [p * wrong, p / wrong] {
                    let found = z(hits, n, other).abs();
                    assert!(found > 5.0, "{numerator}/{denominator}: {found}");
                }
            }
        }
    }

    /// The largest |z| of how many of 100 000 numbers fall into each third of the numbers below 3·2⁷⁰, and of how often each is drawn below 5.
    fn off_uniform(draw: impl Fn(&mut dyn FnMut() -> u64, u128) -> u128) -> (f64, f64) {
        let (mut generator, n) = (bits(2), 100_000);
        let mut words = || generator.next_word();
        let mut most = |below: u128, cells: u128| {
            let mut counts = vec![0_u32; cells as usize];
            for _ in 0..n {
                counts[(draw(&mut words, below) / (below / cells)) as usize] += 1;
            }
            let each = counts.iter().map(|&count| z(count, n, 1.0 / cells as f64));
            each.fold(0.0, |most: f64, z| most.max(z.abs()))
        };
        (most(3 << 70, 3), most(5, 5))
    }

    /// False alarms: 6e−7 for each of eight counts. A remainder in place of rejection has a bias that five numbers of 64 bits do not show, but that of
    /// three bits (0, 1 and 2 twice as often as 3 and 4) and of 72 bits (a third of which 2⁷² leaves over falls on the first third) is found.
    #[test]
    fn integers_are_uniform_also_beyond_64_bits() {
        let mut generator = bits(2);
        assert!((0..100).all(|_| uniform(&mut generator, 1) == 0));
        let (wide, narrow) = off_uniform(|words, below| uniform(&mut &mut *words, below));
        assert!(wide < 5.0 && narrow < 5.0, "{wide} {narrow}");
        let remainder = |words: &mut dyn FnMut() -> u64, below: u128| {
            let drawn = u128::from(words()) << 64 | u128::from(words());
            let length = below.next_power_of_two().trailing_zeros();
            (drawn >> (128 - length)) % below
        };
        let (wide, narrow) = off_uniform(remainder);
        assert!(wide > 50.0 && narrow > 50.0, "{wide} {narrow}");
    }
}
