//! The words of figures in the languages that `[[figure]]` can ask for. Numbers, names of the experiment and the file of plotted numbers
//! stay as they are.

mod measures;
mod words;

use super::{FigureError, rows};
use crate::figure::labels::axis_label;
use crate::record::{ResolvedFigure, Run};
use crate::words::{grouped, significant};
use std::ops::RangeInclusive;

pub use words::Word;

/// A language of labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// `en`
    #[default]
    English,
    /// `de`
    German,
    /// `fr`
    French,
    /// `zh`, simplified; needs a font of the system that has its characters
    Chinese,
}

impl Language {
    /// Their names in a file.
    pub const NAMES: [&'static str; 4] = ["en", "de", "fr", "zh"];
    /// All of them, in the order of their names.
    pub const ALL: [Language; 4] = [
        Language::English,
        Language::German,
        Language::French,
        Language::Chinese,
    ];

    /// The language of a name, English without one.
    ///
    /// # Errors
    /// There is no such language.
    pub fn named(name: Option<&str>) -> Result<Language, FigureError> {
        let Some(name) = name else {
            return Ok(Language::English);
        };
        let place = Self::NAMES.iter().position(|known| *known == name);
        place
            .map(|place| Self::ALL[place])
            .ok_or_else(|| FigureError::Language(name.to_owned()))
    }

    /// A fixed text.
    pub fn word(self, word: Word) -> &'static str {
        word.texts()[self as usize]
    }

    /// A measure as a reader says it; one that is not in the table by its name.
    pub fn measure(self, measure: &str) -> String {
        measures::find(measure).map_or_else(
            || measure.replace('_', " "),
            |known| known.words[self as usize].to_owned(),
        )
    }

    /// The unit of a measure; empty if it has none.
    pub fn unit(self, measure: &str) -> &'static str {
        measures::find(measure).map_or("", |known| known.unit.words()[self as usize])
    }

    /// The mean of a measure as a reader says it. Frequencies and what is computed without trials have no mean to speak of.
    pub fn mean(self, measure: &str) -> String {
        let words = self.measure(measure);
        if ["covered", "chosen", "hit", "leak"].contains(&measure) || rows::is_exact(measure) {
            words
        } else {
            fill(self.word(Word::MeanOf), &[&words])
        }
    }

    /// The title of an axis that shows a measure.
    pub fn measure_axis(self, measure: &str) -> String {
        with_unit(&self.measure(measure), self.unit(measure))
    }

    /// The title of an axis that shows the mean of a measure.
    pub fn mean_axis(self, measure: &str) -> String {
        with_unit(&self.mean(measure), self.unit(measure))
    }

    /// How many trials, and which seed; and what of a run a figure shows, where it is one value of an axis that has several.
    pub fn provenance(self, run: &Run, figure: &ResolvedFigure) -> String {
        let made = if run.resolved.trials == 0 {
            self.word(Word::ExactOnly).to_owned()
        } else {
            let (trials, seed) = (self.range(&run.trials()), run.resolved.seed.to_string());
            let word = match *run.trials().end() {
                1 => Word::ProvenanceOfOne,
                _ => Word::Provenance,
            };
            fill(self.word(word), &[&trials, &seed])
        };
        let chosen: Vec<String> = (run.resolved.axes.iter())
            .filter(|axis| axis.labels.len() > 1)
            .filter_map(|axis| match figure.cells.get(&axis.name)?.as_slice() {
                [one] => Some(axis_label(axis, one)),
                _ => None,
            })
            .collect();
        match chosen.is_empty() {
            true => made,
            false => format!(
                "{made} {}",
                fill(self.word(Word::Chosen), &[&chosen.join(", ")])
            ),
        }
    }

    /// `100 000`, or `12 288 to 1 572 864`.
    fn range(self, numbers: &RangeInclusive<u64>) -> String {
        let (low, high) = (*numbers.start(), *numbers.end());
        match low < high {
            true => fill(self.word(Word::FromTo), &[&grouped(low), &grouped(high)]),
            false => grouped(high),
        }
    }

    /// The level of the intervals: `95 %`.
    pub fn level(self, run: &Run) -> String {
        significant(100.0 * run.resolved.level, 4) + " %"
    }
}

/// The title of an axis: what it shows, and in which unit, if it has one.
pub fn with_unit(words: &str, unit: &str) -> String {
    if unit.is_empty() {
        words.to_owned()
    } else {
        format!("{words} ({unit})")
    }
}

/// A text with its gaps `{}` filled, one after the other.
pub fn fill(text: &str, parts: &[&str]) -> String {
    let mut pieces = text.split("{}");
    let mut filled = pieces.next().unwrap_or("").to_owned();
    for (index, piece) in pieces.enumerate() {
        filled.push_str(parts.get(index).copied().unwrap_or(""));
        filled.push_str(piece);
    }
    filled
}

/// With its first letter in upper case, as a title begins.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_in_every_language_with_the_same_gaps() {
        for word in Word::ALL {
            let texts = word.texts();
            let gaps = texts.map(|text| text.matches("{}").count());
            assert!(gaps.iter().all(|n| *n == gaps[0]), "{word:?}: {gaps:?}");
            assert!(texts.iter().all(|text| !text.trim().is_empty()), "{word:?}");
        }
    }

    #[test]
    fn ranges_of_trials_have_words_between_them() {
        let range = |language: Language| language.range(&(512..=2048));
        assert_eq!(
            Language::ALL.map(range),
            ["512 to 2048", "512 bis 2048", "512 à 2048", "512 至 2048"]
        );
        assert_eq!(Language::German.range(&(512..=512)), "512");
    }

    #[test]
    fn gaps_are_filled_in_order() {
        assert_eq!(fill("{} of {}", &["one", "two"]), "one of two");
        assert_eq!(fill("no gap", &["one"]), "no gap");
        assert_eq!(fill("{}{}", &["{}"]), "{}");
    }

    #[test]
    fn languages_have_names() {
        for (name, language) in Language::NAMES.iter().zip(Language::ALL) {
            assert_eq!(Language::named(Some(name)).ok(), Some(language));
        }
        assert!(Language::named(Some("tlh")).is_err());
        assert_eq!(
            Language::German.mean_axis("hit"),
            "Wahl des Besten (Wahrscheinlichkeit)"
        );
        assert_eq!(
            Language::English.mean_axis("rmse"),
            "mean RMSE over answers (answers' units)"
        );
    }
}
