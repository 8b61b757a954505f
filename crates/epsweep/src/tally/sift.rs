//! The kernel of the second pass: the values of a block that lie in wanted bins.

use super::kind::RowKind;
use crate::tally::BLOCK;
use epsweep_core::dispatch;
use epsweep_core::random::isa::Isa;

/// Room for what is sifted from a block, and for the value that is looked at.
pub(crate) const SIFTED: usize = BLOCK + 1;

dispatch! {
    /// Writes the values of a block of a row of reals that lie in wanted bins to the front of `room`, and says how many they are.
    /// NaN may be among them. Magnitudes lose their sign. `wanted` is 1 for the bins that are wanted and 0 for the others.
    pub(crate) fn sift(kind: RowKind, wanted: &[u8], block: &[f64], room: &mut [f64; SIFTED]) -> usize = sift_body;
}

/// First all places, in vector code. Then every value is written, and the next one overwrites it if it was not wanted: a branch
/// that one value in a dozen takes would be guessed wrong too often.
#[inline(always)]
fn sift_body<I: Isa>(
    _: I,
    kind: RowKind,
    wanted: &[u8],
    block: &[f64],
    room: &mut [f64; SIFTED],
) -> usize {
    let mut places = [0; BLOCK];
    let places = &mut places[..block.len()];
    kind.locate(block, places);
    let sign = match kind {
        RowKind::Real { signed: false, .. } => !(1 << 63),
        _ => u64::MAX,
    };
    let mut kept = 0;
    for (place, value) in places.iter().zip(block) {
        room[kept] = f64::from_bits(value.to_bits() & sign);
        kept += usize::from(wanted[*place as usize]);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use epsweep_core::random::Level;

    #[test]
    fn only_values_of_wanted_bins_pass_on_every_level() {
        let values: Vec<f64> = (0..509).map(|i| libm::tan(f64::from(i) * 0.37)).collect();
        for kind in [RowKind::real(1.0), RowKind::signed(1.0)] {
            let mut wanted = vec![0; kind.bins()];
            for i in [10, 150, 300, 444] {
                wanted[kind.place(values[i])] = 1;
            }
            let read = |x: &f64| match kind {
                RowKind::Real { signed: false, .. } => x.abs(),
                _ => *x,
            };
            let inside = |x: &f64| wanted[kind.place(*x)] == 1;
            let expected: Vec<f64> = values.iter().map(read).filter(inside).collect();
            assert!(expected.len() >= 4);
            for level in Level::available() {
                let mut room = [0.0; SIFTED];
                let kept = sift(level, kind, &wanted, &values, &mut room);
                assert_eq!(room[..kept], expected, "{}", level.name());
            }
        }
    }
}
