//! The numbers with which a claim is compatible.

use crate::claim::Band;
use crate::config::diagnostic::Sink;
use crate::config::reader::Reader;
use crate::config::value::Value;

/// The keys `claimed` with `tolerance`, `at_most`, `at_least` or `between`.
pub(super) fn band(reader: &Reader<'_>, default: Option<f64>, sink: &Sink) -> Option<Band> {
    let tolerance = reader.get("tolerance");
    let (form, given) = reader.one_of(
        "a number that is claimed",
        &["claimed", "at_most", "at_least", "between"],
    )?;
    if form != 0
        && let Some(tolerance) = tolerance
    {
        sink.fault(tolerance.span, "a tolerance goes with `claimed` only")
            .remedy("move the bound itself")
            .report();
        return None;
    }
    let band = match form {
        0 => {
            let claimed = given.finite(sink)?;
            let half = match (tolerance, default) {
                (Some(tolerance), _) => half_width(tolerance, claimed, sink)?,
                (None, Some(relative)) => relative * claimed.abs(),
                (None, None) => {
                    sink.fault(
                        given.span,
                        "how near must a number be to agree with the one claimed?",
                    )
                    .rule("tolerance = { relative = 0.05 } or { absolute = 2 }")
                    .report();
                    return None;
                }
            };
            Band {
                low: claimed - half,
                high: claimed + half,
                claimed,
            }
        }
        1 => {
            let claimed = given.finite(sink)?;
            Band {
                low: f64::NEG_INFINITY,
                high: claimed,
                claimed,
            }
        }
        2 => {
            let claimed = given.finite(sink)?;
            Band {
                low: claimed,
                high: f64::INFINITY,
                claimed,
            }
        }
        _ => {
            let [low, high] = given.pair(sink)?;
            if low > high {
                sink.fault(given.span, format!("the band {given} is reversed"))
                    .rule("low ≤ high")
                    .report();
                return None;
            }
            Band {
                low,
                high,
                claimed: low / 2.0 + high / 2.0,
            }
        }
    };
    Some(band)
}

fn half_width(value: &Value, claimed: f64, sink: &Sink) -> Option<f64> {
    let reader = value.reader(sink, "`tolerance`")?;
    let form = reader.one_of("its size", &["relative", "absolute"]);
    reader.finish();
    let (form, given) = form?;
    let size = not_negative(given, sink)?;
    Some(if form == 0 {
        size * claimed.abs()
    } else {
        size
    })
}

/// A tolerance.
pub(super) fn not_negative(given: &Value, sink: &Sink) -> Option<f64> {
    let number = given.finite(sink)?;
    if number >= 0.0 {
        return Some(number);
    }
    sink.fault(given.span, format!("the tolerance {given} is negative"))
        .report();
    None
}
