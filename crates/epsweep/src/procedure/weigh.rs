//! What the tiles of a run take in memory, from their layouts alone: nothing is drawn.

use super::drive::Planned;
use super::tiles::Group;
use crate::engine::{Scale, Weight};
use crate::tally::{Bin, RowKind};

/// Tiles that are looked at: of more, the first stand for all, since none is larger than a limit.
const MOST_TILES: usize = 64;

/// Weighs the tiles of these groups.
pub(super) fn weigh<P: Planned>(scale: &Scale, groups: &[Group], plan: impl Fn(&Group) -> P) {
    let mut weight = Weight {
        tiles: groups.len(),
        ..Weight::default()
    };
    let looked_at = groups.len().min(MOST_TILES);
    for group in &groups[..looked_at] {
        put(scale.trials(), &plan(group), &mut weight);
    }
    let times = groups.len() as f64 / looked_at.max(1) as f64;
    for sum in [
        &mut weight.tallies,
        &mut weight.rows,
        &mut weight.outcomes,
        &mut weight.histograms,
    ] {
        *sum *= times;
    }
    scale.put(weight);
}

fn put(trials: f64, plan: &impl Planned, weight: &mut Weight) {
    let layout = plan.work().layout();
    // memory that is zero and was never written to takes none
    let spanned = |kind: &RowKind| kind.spanned(trials);
    let used: f64 = layout.kinds().iter().map(spanned).sum();
    // of a chunk that is not full no more is drawn
    let part = (trials / plan.work().chunk_len() as f64).min(1.0);
    let session = used * size_of::<u32>() as f64 + part * plan.work().buffers() as f64;
    let tally = used * size_of::<u64>() as f64;
    weight.session = weight.session.max(session);
    weight.tally = weight.tally.max(tally);
    weight.tallies += tally;
    weight.rows += layout.kinds().len() as f64;
    for kind in plan.read_off() {
        weight.outcomes += 1.0;
        // a bin, and the count of all up to it
        let bins = kind.map_or(1.0, |kind| kind.filled(trials));
        weight.histograms += bins * (size_of::<Bin>() + size_of::<u64>()) as f64;
    }
}
