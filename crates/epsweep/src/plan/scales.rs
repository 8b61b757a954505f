//! The noise scales that a run can carry.

use crate::config::diagnostic::Sink;
use crate::config::source::Span;

/// Least and largest noise scale. Beyond them the fourth moment of a squared error, of the order of scale⁸, leaves the range of f64, and
/// with it the standard errors.
pub(super) const SCALES: [f64; 2] = [1e-30, 1e30];

/// Sees that a scale can be carried; reports the budget at `span` if not. 0 is no noise. `whose` is as in "query `largest`".
pub(super) fn in_range(sink: &Sink, span: Span, whose: &str, scale: f64) -> Option<()> {
    let [least, most] = SCALES;
    if scale == 0.0 || (least..=most).contains(&scale) {
        return Some(());
    }
    (sink.fault(span, format!("{whose} gets noise of scale {scale:e}")))
        .rule(format!(
            "scales from {least:e} to {most:e}, so that all moments stay within the range of f64"
        ))
        .remedy("choose another ε, or measure the answer in another unit")
        .report();
    None
}
