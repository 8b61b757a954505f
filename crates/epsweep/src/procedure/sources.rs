//! The sources of noise of a tile, each there once.

use epsweep_core::random::Source;

/// The place of a source: one with the same draws is made longer if need be.
pub(super) fn place_of(sources: &mut Vec<Source>, source: Source) -> usize {
    let same = |s: &Source| s.purpose() == source.purpose() && s.law() == source.law();
    match sources.iter().position(same) {
        Some(place) => {
            if sources[place].rows() < source.rows() {
                sources[place] = source;
            }
            place
        }
        None => {
            sources.push(source);
            sources.len() - 1
        }
    }
}
