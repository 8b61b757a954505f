//! Axes: a range that is never empty, where a value lies in it, and ticks with labels.

use crate::words::superscript;

/// Values are cut to this before they meet an axis, so that no difference overflows.
const LARGEST: f64 = 1e300;
/// And on a log axis to this.
const SMALLEST: f64 = 1e-300;

/// A linear or logarithmic axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    log: bool,
    whole: bool,
}

/// A tick. Minor ones have no label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// its value
    pub value: f64,
    /// empty for a minor tick
    pub label: String,
}

/// Least and largest of the finite values.
pub fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .into_iter()
        .filter(|v| v.is_finite())
        .map(|v| v.clamp(-LARGEST, LARGEST))
        .fold(None, |range, v| match range {
            None => Some((v, v)),
            Some((low, high)) => Some((low.min(v), high.max(v))),
        })
}

impl Axis {
    /// A linear axis that holds the finite values with a margin; an empty range is widened.
    pub fn linear(values: impl IntoIterator<Item = f64>) -> Axis {
        let (low, high) = extent(values).unwrap_or((0.0, 1.0));
        let size = low.abs().max(high.abs());
        // a range that floats can hardly resolve is widened to one that ticks can tell apart
        let pad = if high - low > 1e-9 * size {
            0.05 * (high - low)
        } else if size > 0.0 {
            0.1 * size
        } else {
            0.5
        };
        Axis {
            low: low - pad,
            high: high + pad,
            log: false,
            whole: false,
        }
    }

    /// A linear axis that begins (or ends) at zero exactly: for bars and densities.
    pub fn from_zero(values: impl IntoIterator<Item = f64>) -> Axis {
        let (low, high) = extent(values).unwrap_or((0.0, 1.0));
        let (low, high) = (low.min(0.0), high.max(0.0));
        let span = if high - low > 0.0 { high - low } else { 1.0 };
        Axis {
            low: if low < 0.0 { low - 0.06 * span } else { 0.0 },
            high: if high > 0.0 || low == 0.0 {
                high.max(low + span) + 0.06 * span
            } else {
                0.0
            },
            log: false,
            whole: false,
        }
    }

    /// As [`Axis::from_zero`], of counts: ticks are whole numbers.
    pub fn of_counts(values: impl IntoIterator<Item = f64>) -> Axis {
        Axis {
            whole: true,
            ..Axis::from_zero(values)
        }
    }

    /// As [`Axis::linear`], of places that are counted: ticks are whole numbers.
    pub fn of_places(values: impl IntoIterator<Item = f64>) -> Axis {
        Axis {
            whole: true,
            ..Axis::linear(values)
        }
    }

    /// A linear axis with these very ends.
    pub fn exactly(low: f64, high: f64) -> Axis {
        if low.is_finite() && high.is_finite() && high > low && high - low <= 2.0 * LARGEST {
            Axis {
                low,
                high,
                log: false,
                whole: false,
            }
        } else {
            Axis::linear([low, high])
        }
    }

    /// A log axis that holds the positive values; `None` without one.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>) -> Option<Axis> {
        let (low, high) = extent(values.into_iter().filter(|v| *v > 0.0))?;
        let (low, high) = (
            libm::log10(low.max(SMALLEST)),
            libm::log10(high.max(SMALLEST)),
        );
        let pad = if high - low > 0.02 {
            0.05 * (high - low)
        } else {
            0.02
        };
        Some(Axis {
            low: low - pad,
            high: high + pad,
            log: true,
            whole: false,
        })
    }

    /// Whether it is logarithmic.
    pub fn is_log(&self) -> bool {
        self.log
    }

    /// Whether the value lies inside (never so for values ≤ 0 on a log axis, or NaN).
    pub fn holds(&self, value: f64) -> bool {
        let inner = self.inner(value);
        inner >= self.low && inner <= self.high
    }

    fn inner(&self, value: f64) -> f64 {
        if !self.log {
            value
        } else if value > 0.0 {
            libm::log10(value)
        } else if value.is_nan() {
            value
        } else {
            f64::NEG_INFINITY
        }
    }

    /// Where a value lies, from 0 to 1; values outside lie on the edge, and so does NaN (on the lower one).
    pub fn position(&self, value: f64) -> f64 {
        let share = (self.inner(value) - self.low) / (self.high - self.low);
        if share.is_nan() {
            0.0
        } else {
            share.clamp(0.0, 1.0)
        }
    }

    /// The value at a position.
    pub fn value(&self, position: f64) -> f64 {
        let inner = self.low + position * (self.high - self.low);
        if self.log {
            libm::pow(10.0, inner)
        } else {
            inner
        }
    }

    /// About `count` labelled ticks, at least two.
    pub fn ticks(&self, count: usize) -> Vec<Tick> {
        let count = count.max(2);
        if !self.log {
            return linear_ticks(self.low, self.high, count, self.whole);
        }
        let powers = self.multiples(&[1.0]).len();
        // the densest of the usual scales for which there is room; where a power of ten has to be written with an exponent, powers alone read better
        let plain = self.low > -4.0 && self.high < 6.0;
        for scale in [&[1.0, 2.0, 5.0][..], &[1.0, 3.0]] {
            let values = self.multiples(scale);
            if (3..=count).contains(&values.len()) && (plain || powers < 3) {
                return self.labelled(&values, |value| plain_label(value, value));
            }
        }
        if (2..=count).contains(&powers) {
            return self.labelled(&self.multiples(&[1.0]), power_of);
        }
        if powers > count {
            return self.sparse(count);
        }
        if self.high - self.low > 1.0 {
            return self.labelled(&self.multiples(&[1.0, 3.0]), |value| {
                plain_label(value, value)
            });
        }
        linear_ticks(self.value(0.0), self.value(1.0), count, self.whole)
    }

    /// The multiples of all powers of ten that lie on a log axis, from the least on.
    fn multiples(&self, of: &[f64]) -> Vec<f64> {
        (self.low.floor() as i32..=self.high.floor() as i32)
            .flat_map(|decade| (of.iter()).map(move |m| m * libm::pow(10.0, f64::from(decade))))
            .filter(|value| self.holds(*value))
            .collect()
    }

    /// Labelled ticks at some values, and minor ones at the other multiples of powers of ten.
    fn labelled(&self, values: &[f64], label: impl Fn(f64) -> String) -> Vec<Tick> {
        let all = self.multiples(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let tick = |value: f64| Tick {
            value,
            label: match values.contains(&value) {
                true => label(value),
                false => String::new(),
            },
        };
        all.into_iter().map(tick).collect()
    }

    /// Powers of ten, of which every so many have a label.
    fn sparse(&self, count: usize) -> Vec<Tick> {
        let (first, last) = (self.low.ceil() as i32, self.high.floor() as i32);
        let decades = last - first + 1;
        let every = ((decades as f64) / (count as f64)).ceil().max(1.0) as i32;
        let labelled = |phase: i32| move |decade: i32| (decade - phase).rem_euclid(every) == 0;
        // powers that are multiples of the step look best, but two labels are the least
        let round = (first..=last).filter(|d| labelled(0)(*d)).count() >= 2;
        let named = labelled(if round { 0 } else { first });
        (first..=last)
            .filter(|decade| decades <= 40 || named(*decade))
            .map(|decade| Tick {
                value: libm::pow(10.0, f64::from(decade)),
                label: match named(decade) {
                    true => power_label(decade),
                    false => String::new(),
                },
            })
            .collect()
    }
}

/// The label of a power of ten.
fn power_of(value: f64) -> String {
    power_label(libm::round(libm::log10(value)) as i32)
}

/// One tick does not make a scale: finer steps are tried until there are two.
fn linear_ticks(low: f64, high: f64, count: usize, whole: bool) -> Vec<Tick> {
    let mut ticks = Vec::new();
    for count in count..count + 8 {
        ticks = round_ticks(low, high, count, whole);
        if ticks.len() >= 2 {
            break;
        }
    }
    ticks
}

/// The multiples of a round step, which is a whole number if wanted.
fn round_ticks(low: f64, high: f64, count: usize, whole: bool) -> Vec<Tick> {
    let rough = (high - low) / count as f64;
    let rough = if whole { rough.max(1.0) } else { rough };
    if rough.is_nan() || rough <= 0.0 || rough.is_infinite() {
        return Vec::new();
    }
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .filter(|s| !whole || s.fract() == 0.0)
        .find(|s| *s >= rough * 0.999)
        .unwrap_or(10.0 * power);
    let first = (low / step).ceil();
    let most = 4 * count + 4;
    (0..most)
        .map(|k| (first + k as f64) * step)
        .take_while(|v| *v <= high + step * 1e-9)
        .map(|v| if v.abs() < step * 1e-6 { 0.0 } else { v })
        .map(|value| Tick {
            value,
            label: plain_label(value, step),
        })
        .collect()
}

/// 10 to a power; the powers from 0.01 to 1000 are written out.
fn power_label(power: i32) -> String {
    match power {
        -2 => "0.01".to_owned(),
        -1 => "0.1".to_owned(),
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        2 => "100".to_owned(),
        3 => "1000".to_owned(),
        _ => format!("10{}", superscript(power)),
    }
}

/// A number as short as it can be, as long as that is short: what stands below a value that was chosen.
pub fn short_label(value: f64) -> Option<String> {
    let text = format!("{value}");
    let plain = value == 0.0 || (1e-4..1e7).contains(&value.abs());
    (plain && text.len() <= 7).then(|| text.replace('-', "−"))
}

/// A number with the decimals that a step needs; very large and small ones with a power of ten.
fn plain_label(value: f64, step: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = libm::floor(libm::log10(value.abs()) + 1e-12) as i32;
    let mut last = libm::floor(libm::log10(step.abs()) + 1e-9) as i32;
    // a step of 2.5 needs one decimal more than its power of ten says
    if (step / libm::pow(10.0, f64::from(last)) - 2.5).abs() < 1e-6 {
        last -= 1;
    }
    let decimals = |last: i32| (-last).clamp(0, 15) as usize;
    let written = if !(-4..6).contains(&size) {
        let mantissa = value / libm::pow(10.0, f64::from(size));
        format!(
            "{mantissa:.0$}×10{1}",
            decimals(last - size),
            superscript(size)
        )
    } else {
        format!("{value:.0$}", decimals(last))
    };
    written.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places_are_counted_in_whole_numbers() {
        for most in [2.0, 3.0, 7.0, 16.0, 1000.0] {
            let ticks = Axis::of_places([1.0, most]).ticks(6);
            assert!(
                ticks.len() >= 2 && ticks.iter().all(|tick| tick.value.fract() == 0.0),
                "{ticks:?}"
            );
        }
    }

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks(6)
            .into_iter()
            .map(|t| t.label)
            .filter(|l| !l.is_empty())
            .collect()
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(
            labels(&Axis::exactly(0.0, 1.0)),
            ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(
            labels(&Axis::exactly(-4000.0, 4000.0)),
            ["−4000", "−2000", "0", "2000", "4000"]
        );
        assert_eq!(
            labels(&Axis::exactly(0.0, 14.0)),
            ["0", "2.5", "5.0", "7.5", "10.0", "12.5"]
        );
    }

    #[test]
    fn powers_of_ten() {
        let axis = Axis::logarithmic([0.01, 1e5]).expect("positive");
        assert_eq!(labels(&axis), ["0.01", "1", "100", "10⁴"]);
        assert!((axis.position(libm::sqrt(1e3)) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_narrow_log_axis_has_labels() {
        let axis = Axis::logarithmic([950.0, 1050.0]).expect("positive");
        assert!(labels(&axis).len() >= 2, "{:?}", labels(&axis));
        let axis = Axis::logarithmic([3.0]).expect("positive");
        assert_eq!(axis.ticks(2).len(), 3);
    }

    #[test]
    fn a_log_axis_of_a_few_decades_can_be_read_between_its_powers() {
        let of = |low, high| labels(&Axis::logarithmic([low, high]).expect("positive"));
        assert_eq!(of(0.1, 3.0), ["0.1", "0.2", "0.5", "1", "2"]);
        assert_eq!(of(0.1, 30.0), ["0.1", "0.3", "1", "3", "10", "30"]);
        assert_eq!(of(1e-9, 1e-6), ["10⁻⁹", "10⁻⁸", "10⁻⁷", "10⁻⁶"]);
        // less than a decade has round steps
        assert_eq!(of(4.0, 11.0), ["4", "6", "8", "10"]);
    }

    #[test]
    fn values_that_were_chosen_are_written_as_they_are_or_not_at_all() {
        let shown = [0.1, 3.0, 200_000.0, -2.5, 0.0].map(short_label);
        assert_eq!(
            shown.map(Option::unwrap_or_default),
            ["0.1", "3", "200000", "−2.5", "0"]
        );
        for value in [0.017_782_794, 1e-9, f64::NAN, f64::INFINITY] {
            assert_eq!(short_label(value), None);
        }
    }

    #[test]
    fn an_axis_of_minute_numbers_tells_them_apart() {
        let axis = Axis::linear([1e-18, 3e-18]);
        let distinct: std::collections::BTreeSet<String> = labels(&axis).into_iter().collect();
        assert_eq!(distinct.len(), labels(&axis).len());
        assert!(distinct.len() >= 3, "{distinct:?}");
    }

    #[test]
    fn nothing_positive_has_no_log_axis() {
        assert_eq!(Axis::logarithmic([0.0, -1.0, f64::NAN]), None);
    }

    proptest! {
        #[test]
        fn every_axis_is_usable(values in proptest::collection::vec(proptest::num::f64::ANY, 0..5), probe in proptest::num::f64::ANY) {
            let axes = [Some(Axis::linear(values.clone())), Some(Axis::from_zero(values.clone())), Axis::logarithmic(values.clone())];
            for axis in axes.into_iter().flatten() {
                let position = axis.position(probe);
                prop_assert!((0.0..=1.0).contains(&position));
                let ticks = axis.ticks(5);
                prop_assert!(ticks.len() <= 200);
                for count in [2, 5] {
                    let labelled = axis.ticks(count).iter().filter(|t| !t.label.is_empty()).count();
                    prop_assert!(labelled >= 2, "{axis:?} {count}");
                }
                for value in values.iter().filter(|v| v.is_finite() && v.abs() < 1e299) {
                    prop_assert!(axis.is_log() || axis.holds(*value), "{axis:?} {value}");
                }
            }
        }
    }
}
