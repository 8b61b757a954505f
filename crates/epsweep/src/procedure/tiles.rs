//! Which cells go together.

use crate::tally::RowKind;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Bytes that a worker's buffers for one tile may take. A tile with more would leave the cache, one with fewer would draw its
/// noise for fewer cells.
const TILE_BYTES: usize = 8 << 20;

/// A tile to be: the cells that it tallies, and the comparisons whose first cell is one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// cells, and whether they are guests: tallied in another tile
    pub members: Vec<(usize, bool)>,
    /// pairs (a, b) of the request's cells
    pub pairs: Vec<(usize, usize)>,
}

/// Divides the cells, in their order, into tiles. A pair belongs to the tile of its first cell; where its second cell is tallied elsewhere it
/// joins as a guest. Nothing that is simulated depends on the division. `size` says what a cell costs.
pub(super) fn divide(
    cells: usize,
    pairs: &[(usize, usize)],
    size: impl Fn(usize) -> Size,
) -> Vec<Group> {
    let mut partners: HashMap<usize, Vec<usize>> = HashMap::new();
    for (a, b) in pairs {
        partners.entry(*a).or_default().push(*b);
    }
    let none = Vec::new();
    let of = |cell: usize| partners.get(&cell).unwrap_or(&none);
    let mut groups = Vec::new();
    let mut start = 0;
    while start < cells {
        let (mut bytes, mut end) = (0, start);
        let mut kept = HashSet::new();
        while end < cells {
            let size = size(end);
            bytes += size.tallied + of(end).len() * size.paired;
            // the rows of whoever is compared with are held for a whole chunk
            let newly = of(end).iter().filter(|b| kept.insert(**b)).count();
            bytes += newly * size.kept;
            if bytes > TILE_BYTES && end > start {
                break;
            }
            end += 1;
        }
        groups.push(group(start..end, of));
        start = end;
    }
    groups
}

/// What a cell costs in a worker's buffers, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// for its own tally
    pub tallied: usize,
    /// for a chunk of its rows, kept for cells that are compared with it
    pub kept: usize,
    /// for the tally of a comparison
    pub paired: usize,
}

impl Size {
    /// Of a cell with these rows of its own and nothing that is shared, in chunks of so many trials.
    pub fn of(kinds: &[RowKind], chunk: usize) -> Size {
        let bins: usize = kinds.iter().map(|kind| kind.bins()).sum();
        Size {
            tallied: bins * size_of::<u32>() + 1024,
            kept: kinds.len() * chunk * size_of::<f64>(),
            paired: kinds.len() * 512,
        }
    }
}

fn group<'a>(own: Range<usize>, partners: impl Fn(usize) -> &'a Vec<usize>) -> Group {
    let pairs: Vec<(usize, usize)> = own
        .clone()
        .flat_map(|a| partners(a).iter().map(move |b| (a, *b)))
        .collect();
    // second cells first: then only their rows are kept for the others
    let mut seen = HashSet::new();
    let mut members: Vec<(usize, bool)> = Vec::new();
    let seconds = pairs.iter().map(|(_, b)| *b);
    for cell in seconds.chain(own.clone()) {
        if seen.insert(cell) {
            members.push((cell, !own.contains(&cell)));
        }
    }
    Group { members, pairs }
}
