//! How dark a cell is, and what it says.

use super::{Field, Line};
use crate::figure::style::Ink;
use crate::words::superscript;

/// From this regret on, percents are hard to read and factors are told, and the colour is the darkest.
pub(super) const FACTORS: f64 = 9.0;
/// The darkest colour.
const DARK: (u8, u8, u8) = (0x08, 0x3D, 0x77);

/// Subject, measure and statistic.
type Key = (String, String, String);

/// Least and largest value, and whether they are on a log scale.
type Range = (f64, f64, bool);

/// From a number to how dark its cell is, from 0 to 1.
pub(super) struct Depths {
    pub(super) regret: bool,
    /// the largest regret
    pub(super) most: f64,
    /// whether regrets are told as factors: where one is too large for percents
    pub(super) factors: bool,
    /// of each statistic of a subject
    ranges: Vec<(Key, Range)>,
}

impl Depths {
    pub(super) fn new(lines: &[Line<'_>], regret: bool, log: bool) -> Depths {
        let all = || lines.iter().flat_map(|line| &line.fields);
        let largest = all().filter_map(|field| field.regret).fold(0.0, f64::max);
        // from ten times the best on, more is no news
        let most = largest.min(FACTORS);
        let mut ranges: Vec<(Key, Range)> = Vec::new();
        for line in lines {
            let key = line.key();
            for value in line.fields.iter().filter_map(|field| field.value) {
                match ranges.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, (low, high, _))) => (*low, *high) = (low.min(value), high.max(value)),
                    None => ranges.push((key.clone(), (value, value, false))),
                }
            }
        }
        for (_, (low, high, on_log)) in &mut ranges {
            *on_log = log && *low > 0.0 && *high / *low > 8.0;
        }
        Depths {
            regret,
            most,
            factors: largest >= FACTORS,
            ranges,
        }
    }

    /// Percent by percent at first, then by factors.
    pub(super) fn of_regret(&self, regret: f64) -> f64 {
        let grown = |r: f64| libm::log1p(100.0 * r.max(0.0));
        match grown(self.most) {
            0.0 => 0.0,
            most => (grown(regret) / most).clamp(0.0, 1.0),
        }
    }

    pub(super) fn of(&self, line: &Line<'_>, field: &Field) -> Option<f64> {
        if self.regret {
            return field.regret.map(|regret| self.of_regret(regret));
        }
        let value = field.value?;
        let key = line.key();
        let (_, (low, high, log)) = self.ranges.iter().find(|(known, _)| *known == key)?;
        let depth = match log {
            true => libm::log(value / low) / libm::log(high / low),
            false => value / (high - low) - low / (high - low),
        };
        Some(if depth.is_nan() {
            0.0
        } else {
            depth.clamp(0.0, 1.0)
        })
    }
}

impl Line<'_> {
    pub(super) fn key(&self) -> (String, String, String) {
        let own = |text: &str| text.to_owned();
        (own(self.subject), own(self.measure), own(self.statistic))
    }
}

/// Between white and the darkest colour.
pub(super) fn colour(depth: f64) -> Ink {
    let between = |dark: u8| (255.0 + depth * (f64::from(dark) - 255.0)).round() as u8;
    let (red, green, blue) = DARK;
    Ink {
        rgb: (between(red), between(green), between(blue)),
        alpha: 1.0,
    }
}

/// By how much the best is exceeded: `0 %`, `3.2 %`, `47 %`, or as a factor `×1`, `×1.032`, `×1.47`, `×13`. A picture has one of both. The
/// shorter forms are for narrow cells.
pub(super) fn regret_words(regret: f64, factors: bool) -> Vec<String> {
    if factors {
        return factor_words(1.0 + regret);
    }
    let percent = 100.0 * regret;
    if percent >= 9.95 {
        return vec![format!("{percent:.0} %"), format!("{percent:.0}")];
    }
    if percent >= 0.05 {
        return vec![
            format!("{percent:.1} %"),
            format!("{percent:.1}"),
            format!("{percent:.0}"),
        ];
    }
    match percent == 0.0 {
        true => vec!["0 %".to_owned(), "0".to_owned()],
        false => vec!["<0.1 %".to_owned(), "<0.1".to_owned()],
    }
}

fn factor_words(factor: f64) -> Vec<String> {
    if factor >= 1e4 {
        let power = libm::floor(libm::log10(factor));
        let mantissa = factor / libm::pow(10.0, power);
        let power = superscript(power as i32);
        return vec![format!("×{mantissa:.1}·10{power}"), format!("×10{power}")];
    }
    // what is not the best does not look as if it were
    let decimals = match factor {
        1.0 => return vec!["×1".to_owned()],
        factor if factor < 1.000_5 => return vec!["<×1.001".to_owned(), "<1.001".to_owned()],
        factor if factor < 1.0995 => 3,
        factor if factor < 9.995 => 2,
        factor if factor < 99.95 => 1,
        _ => 0,
    };
    let mut forms = vec![format!("×{factor:.decimals$}")];
    if decimals > 1 {
        forms.push(format!("×{factor:.fewer$}", fewer = decimals - 1));
    }
    forms
}
