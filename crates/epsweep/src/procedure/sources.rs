//! The sources of noise of a tile, each there once.

use super::Streams;
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

/// A source as the cell `id` draws from it: with independent streams by itself, since its text enters the purpose.
pub(super) fn drawn_by(id: &str, source: Source, streams: Streams) -> Source {
    match streams {
        Streams::Common => source,
        // a character that no name has
        Streams::Independent => {
            let purpose = format!("{}\u{1f}{id}", source.purpose());
            Source::new(&purpose, source.law(), source.rows())
        }
    }
}
