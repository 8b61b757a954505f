//! What the tiles of a run take in memory, from their layouts alone: nothing is drawn.

use super::drive::Planned;
use super::tiles::Group;
use crate::tally::{Bin, RowKind};
use std::sync::{Mutex, PoisonError};

/// Tiles that are looked at: of more, the first stand for all, since none is larger than a limit.
const MOST_TILES: usize = 64;

/// Weighs tiles in place of simulating them.
#[derive(Debug)]
pub struct Scale {
    /// trials of a cell
    trials: f64,
    weight: Mutex<Weight>,
}

/// Bytes of the tiles of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weight {
    /// of a worker at the tile that needs most: bins of 32 bits, draws of a chunk, rows that are kept for comparisons
    pub session: f64,
    /// of the tally of the tile that has most: bins of 64 bits
    pub tally: f64,
    /// of the tallies of all tiles
    pub tallies: f64,
    /// how many tiles
    pub tiles: usize,
    /// rows that are tallied
    pub rows: f64,
    /// outcomes that are read off them
    pub outcomes: f64,
    /// bytes of their histograms
    pub histograms: f64,
}

impl Scale {
    /// For cells with so many trials.
    pub fn new(trials: f64) -> Scale {
        Scale {
            trials,
            weight: Mutex::default(),
        }
    }

    /// What was weighed.
    pub fn weight(self) -> Weight {
        self.weight
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Weighs the tiles of these groups.
    pub(super) fn weigh<P: Planned>(&self, groups: &[Group], plan: impl Fn(&Group) -> P) {
        let mut weight = Weight {
            tiles: groups.len(),
            ..Weight::default()
        };
        let looked_at = groups.len().min(MOST_TILES);
        for group in &groups[..looked_at] {
            self.put(&plan(group), &mut weight);
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
        *(self.weight.lock()).unwrap_or_else(PoisonError::into_inner) = weight;
    }

    fn put(&self, plan: &impl Planned, weight: &mut Weight) {
        let layout = plan.work().layout();
        // memory that is zero and was never written to takes none
        let spanned = |kind: &RowKind| kind.spanned(self.trials);
        let used: f64 = layout.kinds().iter().map(spanned).sum();
        // of a chunk that is not full no more is drawn
        let part = (self.trials / plan.work().chunk_len() as f64).min(1.0);
        let session = used * size_of::<u32>() as f64 + part * plan.work().buffers() as f64;
        let tally = used * size_of::<u64>() as f64;
        weight.session = weight.session.max(session);
        weight.tally = weight.tally.max(tally);
        weight.tallies += tally;
        weight.rows += layout.kinds().len() as f64;
        for kind in plan.read_off() {
            weight.outcomes += 1.0;
            // a bin, and the count of all up to it
            let bins = kind.map_or(1.0, |kind| kind.filled(self.trials));
            weight.histograms += bins * (size_of::<Bin>() + size_of::<u64>()) as f64;
        }
    }
}
