//! Which cells go together.

use crate::tally::RowKind;
use std::collections::{HashMap, HashSet};

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
    /// tiles of one team are next to each other, and get the same number of trials
    pub team: usize,
}

/// Whether cells may get different numbers of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Teams {
    /// all cells get the same: every tile is as large as can be
    None,
    /// cells that are compared with each other, directly or through others, get the same, since a comparison needs the trials of both:
    /// they are a team, with tiles of its own
    Compared,
}

/// Divides the cells into tiles, in their order or, where there are teams, in the order of the first cell of each. A pair belongs to the tile
/// of its first cell; where its second cell is tallied elsewhere it joins as a guest. Nothing that is simulated depends on the division.
/// `size` says what a cell costs.
pub(super) fn divide(
    cells: usize,
    pairs: &[(usize, usize)],
    teams: Teams,
    size: impl Fn(usize) -> Size,
) -> Vec<Group> {
    let mut partners: HashMap<usize, Vec<usize>> = HashMap::new();
    for (a, b) in pairs {
        partners.entry(*a).or_default().push(*b);
    }
    let none = Vec::new();
    let of = |cell: usize| partners.get(&cell).unwrap_or(&none);
    let parts = match teams {
        Teams::None => vec![(0..cells).collect()],
        Teams::Compared => connected(cells, pairs),
    };
    let mut groups: Vec<Group> = Vec::new();
    for (team, part) in parts.iter().enumerate() {
        let mut start = 0;
        while start < part.len() {
            let (mut bytes, mut end) = (0, start);
            let mut kept = HashSet::new();
            while end < part.len() {
                let (cell, size) = (part[end], size(part[end]));
                bytes += size.tallied + of(cell).len() * size.paired;
                // the rows of whoever is compared with are held for a whole chunk
                let newly = of(cell).iter().filter(|b| kept.insert(**b)).count();
                bytes += newly * size.kept;
                if bytes > TILE_BYTES && end > start {
                    break;
                }
                end += 1;
            }
            let team = match teams {
                Teams::None => groups.len(),
                Teams::Compared => team,
            };
            groups.push(group(&part[start..end], team, of));
            start = end;
        }
    }
    groups
}

/// The sets of cells that pairs connect, each in order, in the order of their first cells.
fn connected(cells: usize, pairs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    // the least cell known to be connected with each; it is followed to the end, and shortened on the way
    let mut least: Vec<usize> = (0..cells).collect();
    fn root(least: &mut [usize], mut cell: usize) -> usize {
        while least[cell] != cell {
            least[cell] = least[least[cell]];
            cell = least[cell];
        }
        cell
    }
    for (a, b) in pairs {
        let (a, b) = (root(&mut least, *a), root(&mut least, *b));
        least[a.max(b)] = a.min(b);
    }
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![usize::MAX; cells];
    for cell in 0..cells {
        let first = root(&mut least, cell);
        if place[first] == usize::MAX {
            place[first] = parts.len();
            parts.push(Vec::new());
        }
        parts[place[first]].push(cell);
    }
    parts
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

fn group<'a>(own: &[usize], team: usize, partners: impl Fn(usize) -> &'a Vec<usize>) -> Group {
    let pairs: Vec<(usize, usize)> = (own.iter())
        .flat_map(|a| partners(*a).iter().map(move |b| (*a, *b)))
        .collect();
    // second cells first: then only their rows are kept for the others
    let mut seen = HashSet::new();
    let mut members: Vec<(usize, bool)> = Vec::new();
    let seconds = pairs.iter().map(|(_, b)| *b);
    for cell in seconds.chain(own.iter().copied()) {
        if seen.insert(cell) {
            // own cells are in order
            members.push((cell, own.binary_search(&cell).is_err()));
        }
    }
    Group {
        members,
        pairs,
        team,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Size = Size {
        tallied: 1,
        kept: 1,
        paired: 1,
    };

    #[test]
    fn teams_are_what_pairs_connect() {
        let pairs = [(4, 0), (2, 4), (3, 1)];
        assert_eq!(connected(6, &pairs), [vec![0, 2, 4], vec![1, 3], vec![5]]);
        let groups = divide(6, &pairs, Teams::Compared, |_| SMALL);
        let teams: Vec<usize> = groups.iter().map(|group| group.team).collect();
        assert_eq!(teams, [0, 1, 2]);
        assert_eq!(groups[0].members, [(4, false), (0, false), (2, false)]);
        // together they are one tile, and a team that is too large for one has several
        assert_eq!(divide(6, &pairs, Teams::None, |_| SMALL).len(), 1);
        let large = |_| Size {
            tallied: TILE_BYTES,
            ..SMALL
        };
        let groups = divide(6, &pairs, Teams::Compared, large);
        let teams: Vec<usize> = groups.iter().map(|group| group.team).collect();
        assert_eq!(teams, [0, 0, 0, 1, 1, 2]);
        assert_eq!(groups[1].members, [(4, true), (2, false)]);
    }
}
