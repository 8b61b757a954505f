//! From an address to the states of eight generators.
//!
//! Threefry-4x64-20 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC '11) maps
//! a 256-bit counter to 256 bits, one to one for each key. The counter of lane l is (row, chunk, l, kind), the
//! result is the state of that lane. So under one key no two lanes of any two addresses ever share a state,
//! which hashing to 64 bits or seeding by an arithmetic progression could not promise; and computed for eight
//! lanes at once it costs a small part of the drawing of a chunk.

use super::isa::{Isa, LANES};
use super::xoshiro::Xoshiro8;
use crate::dispatch;

/// Makes the sixth word of the key differ from zero for every key.
const PARITY: u64 = 0x1BD1_1BDA_A9FC_1A22;

/// What a counter is for, so that rows and trials never collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Kind {
    /// Noise of a whole chunk: (row, chunk).
    Row = 0,
    /// The stream of one trial: (trial, chunk).
    Trial = 1,
}

/// Four rounds with their eight rotation constants, written as (left, 64 − left).
macro_rules! four_rounds {
    ($isa:ident, $block:ident: $(($a:literal, $ra:literal), ($b:literal, $rb:literal));+ $(;)?) => {{
        $(
            // words 0, 1 and 2, 3 are mixed, then 1 and 3 change places
            $block[0] = $isa.uadd($block[0], $block[1]);
            $block[1] = $isa.xor($isa.rotl::<$a, $ra>($block[1]), $block[0]);
            $block[2] = $isa.uadd($block[2], $block[3]);
            $block[3] = $isa.xor($isa.rotl::<$b, $rb>($block[3]), $block[2]);
            $block.swap(1, 3);
        )+
    }};
}

/// Adds the key, rotated by the number of the step, and that number.
macro_rules! inject {
    ($isa:ident, $block:ident, $key:ident, $step:literal) => {
        $block[0] = $isa.uadd($block[0], $key[$step % 5]);
        $block[1] = $isa.uadd($block[1], $key[($step + 1) % 5]);
        $block[2] = $isa.uadd($block[2], $key[($step + 2) % 5]);
        $block[3] = $isa.uadd(
            $isa.uadd($block[3], $key[($step + 3) % 5]),
            $isa.splat_bits($step),
        );
    };
}

/// Threefry-4x64-20 of eight counters (word w of lane l in lane l of `counter[w]`).
#[inline(always)]
fn threefry<I: Isa>(isa: I, key: &[u64; 4], counter: [I::U; 4]) -> [I::U; 4] {
    let key = [
        isa.splat_bits(key[0]),
        isa.splat_bits(key[1]),
        isa.splat_bits(key[2]),
        isa.splat_bits(key[3]),
        isa.splat_bits(PARITY ^ key[0] ^ key[1] ^ key[2] ^ key[3]),
    ];
    let mut block = counter;
    macro_rules! early_rounds {
        () => {
            four_rounds!(isa, block: (14, 50), (16, 48); (52, 12), (57, 7); (23, 41), (40, 24); (5, 59), (37, 27))
        };
    }
    macro_rules! late_rounds {
        () => {
            four_rounds!(isa, block: (25, 39), (33, 31); (46, 18), (12, 52); (58, 6), (22, 42); (32, 32), (32, 32))
        };
    }
    inject!(isa, block, key, 0);
    early_rounds!();
    inject!(isa, block, key, 1);
    late_rounds!();
    inject!(isa, block, key, 2);
    early_rounds!();
    inject!(isa, block, key, 3);
    late_rounds!();
    inject!(isa, block, key, 4);
    early_rounds!();
    inject!(isa, block, key, 5);
    block
}

/// The generators of an address: lane l starts in the state Threefry(key; counter = (place, chunk, l, kind)).
///
/// A state of zeros, where xoshiro would stay, has probability 2⁻²⁵⁶; its first word is then made 1.
#[inline(always)]
fn seeded_body<I: Isa>(isa: I, key: &[u64; 4], kind: Kind, place: u64, chunk: u64) -> Xoshiro8 {
    const LANE: [u64; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];
    let counter = [
        isa.splat_bits(place),
        isa.splat_bits(chunk),
        isa.load_bits(&LANE),
        isa.splat_bits(kind as u64),
    ];
    let [a, b, c, d] = never_zero(isa, threefry(isa, key, counter));
    Xoshiro8 {
        words: [isa.words(a), isa.words(b), isa.words(c), isa.words(d)],
    }
}

/// Makes the first word 1 in lanes that are zero in all four.
#[inline(always)]
fn never_zero<I: Isa>(isa: I, [a, b, c, d]: [I::U; 4]) -> [I::U; 4] {
    let any = isa.or(isa.or(a, b), isa.or(c, d));
    [isa.count(a, isa.equal(any, isa.splat_bits(0))), b, c, d]
}

dispatch! {
    /// The generators of an address.
    pub(super) fn seeded(key: &[u64; 4], kind: Kind, place: u64, chunk: u64) -> Xoshiro8 = seeded_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Level;
    use crate::random::isa::Portable;

    #[inline(always)]
    fn block_body<I: Isa>(isa: I, key: &[u64; 4], counter: &[u64; 4]) -> [[u64; LANES]; 4] {
        let [a, b, c, d] = threefry(isa, key, counter.map(|word| isa.splat_bits(word)));
        [isa.words(a), isa.words(b), isa.words(c), isa.words(d)]
    }
    dispatch! {
        fn block(key: &[u64; 4], counter: &[u64; 4]) -> [[u64; LANES]; 4] = block_body;
    }

    /// The known answers that the authors publish with Random123: zeros, ones, digits of π.
    #[test]
    fn known_answers() {
        let answers: [([u64; 4], [u64; 4], [u64; 4]); 3] = [
            (
                [0; 4],
                [0; 4],
                [
                    0x0921_8ebd_e6c8_5537,
                    0x5594_1f52_66d8_6105,
                    0x4bd2_5e16_2824_34dc,
                    0xee29_ec84_6bd2_e40b,
                ],
            ),
            (
                [u64::MAX; 4],
                [u64::MAX; 4],
                [
                    0x29c2_4097_942b_ba1b,
                    0x0371_bbfb_0f6f_4e11,
                    0x3c23_1ffa_33f8_3a1c,
                    0xcd29_113f_de32_d168,
                ],
            ),
            (
                [
                    0x4528_21e6_38d0_1377,
                    0xbe54_66cf_34e9_0c6c,
                    0xbe54_66cf_34e9_0c6c,
                    0xc0ac_29b7_c97c_50dd,
                ],
                [
                    0x243f_6a88_85a3_08d3,
                    0x1319_8a2e_0370_7344,
                    0xa409_3822_299f_31d0,
                    0x082e_fa98_ec4e_6c89,
                ],
                [
                    0xa7e8_fde5_9165_1bd9,
                    0xbaaf_d0c3_0138_319b,
                    0x84a5_c1a7_29e6_85b9,
                    0x901d_406c_cebc_1ba4,
                ],
            ),
        ];
        for level in Level::available() {
            for (key, counter, answer) in &answers {
                assert_eq!(
                    block(level, key, counter),
                    answer.map(|word| [word; LANES]),
                    "{}",
                    level.name()
                );
            }
        }
    }

    #[test]
    fn no_lane_is_left_all_zero() {
        let isa = Portable;
        let mut words = [[0; LANES]; 4];
        words[3][2] = 9;
        let [a, b, c, d] = never_zero(isa, words);
        assert_eq!(a, [1, 1, 0, 1, 1, 1, 1, 1]);
        assert_eq!([b, c, d], words[1..]);
    }

    #[test]
    fn every_coordinate_of_the_address_changes_every_lane() {
        let key = [1, 2, 3, 4];
        for level in Level::available() {
            let here = seeded(level, &key, Kind::Row, 5, 7);
            let others = [
                seeded(level, &[1, 2, 3, 5], Kind::Row, 5, 7),
                seeded(level, &key, Kind::Trial, 5, 7),
                seeded(level, &key, Kind::Row, 6, 7),
                seeded(level, &key, Kind::Row, 5, 8),
                seeded(level, &key, Kind::Row, 7, 5),
            ];
            for other in &others {
                for (word, same) in here.words.iter().zip(&other.words) {
                    assert!(word.iter().zip(same).all(|(a, b)| a != b));
                }
            }
            let mut all: Vec<u64> = here.words.concat();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 4 * LANES);
        }
    }
}
