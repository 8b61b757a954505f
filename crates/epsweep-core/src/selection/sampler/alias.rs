//! The alias method.

use crate::selection::ChoiceLaw;

/// Draws from a fixed law in constant time: one word, one multiplication, one comparison (Walker, Electronics Letters 10, 1974; built as
/// by Vose, IEEE Trans. Software Engineering 17, 1991).
///
/// The n columns are equally likely. Column i keeps i for a part of its height, and gives its alias otherwise. The high half of
/// word·n names the column; the low half is the height, on a grid of n·2⁻⁶⁴. An entry is one word: the threshold in its high bits, and
/// the alias in its low ⌈log₂ n⌉ bits, so that probabilities are exact within 2⁻⁶⁴·n for each column. What has probability 0 is
/// never drawn.
#[derive(Clone, Debug)]
pub struct AliasTable {
    entries: Vec<u64>,
    alias_bits: u32,
}

impl AliasTable {
    /// A table for a law.
    pub fn new(law: &ChoiceLaw) -> AliasTable {
        let probabilities = law.probabilities();
        let n = probabilities.len();
        let alias_bits = (n - 1).checked_ilog2().map_or(0, |bits| bits + 1);
        // heights of the columns if nothing is moved: 1 on average
        let mut heights: Vec<f64> = probabilities.iter().map(|p| p * n as f64).collect();
        let (mut low, mut high): (Vec<usize>, Vec<usize>) =
            (0..n).partition(|&index| heights[index] < 1.0);
        let mut entries: Vec<u64> = (0..n as u64).collect();
        let threshold = |height: f64| {
            let cells = libm::scalbn(1.0, 64 - alias_bits as i32);
            // a height of 1 saturates; its alias is itself then, or rounding made it reach 1
            ((height * cells).round() as u64).min(u64::MAX >> alias_bits) << alias_bits
        };
        while let (Some(&below), Some(&above)) = (low.last(), high.last()) {
            low.pop();
            entries[below] = threshold(heights[below]) | above as u64;
            heights[above] -= 1.0 - heights[below];
            if heights[above] < 1.0 {
                high.pop();
                low.push(above);
            }
        }
        // rounding left these without a partner: what little they lack goes to the likeliest
        let likeliest = (0..n)
            .max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]))
            .unwrap_or(0);
        for index in low {
            entries[index] = threshold(heights[index]) | likeliest as u64;
        }
        AliasTable {
            entries,
            alias_bits,
        }
    }

    /// The index of the candidate for a random word.
    #[inline(always)]
    pub fn draw(&self, word: u64) -> usize {
        let product = u128::from(word) * self.entries.len() as u128;
        let column = (product >> 64) as usize;
        let entry = self.entries[column];
        let alias = (entry & !(u64::MAX << self.alias_bits)) as usize;
        let height = product as u64 >> self.alias_bits;
        // a coin flip, which no branch predictor foresees
        std::hint::select_unpredictable(height < entry >> self.alias_bits, column, alias)
    }

    /// One draw per word of a row of [`StandardLaw::Bits`](crate::random::StandardLaw::Bits).
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn draw_row(&self, words: &[f64], chosen: &mut [u32]) {
        assert_eq!(words.len(), chosen.len(), "one word for each draw");
        for (chosen, word) in chosen.iter_mut().zip(words) {
            *chosen = self.draw(word.to_bits()) as u32;
        }
    }

    /// The probabilities that the table stands for, up to the grid of the words.
    pub fn implied(&self) -> Vec<f64> {
        let n = self.entries.len();
        let cells = libm::scalbn(1.0, 64 - self.alias_bits as i32);
        let mut implied = vec![0.0; n];
        for (column, &entry) in self.entries.iter().enumerate() {
            let kept = (entry >> self.alias_bits) as f64 / cells;
            let alias = (entry & !(u64::MAX << self.alias_bits)) as usize;
            implied[column] += kept / n as f64;
            implied[alias] += (1.0 - kept) / n as f64;
        }
        implied
    }
}
