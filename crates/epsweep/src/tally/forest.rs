//! The tree along which moments are merged.

use epsweep_core::statistics::Moments;
use std::collections::BTreeMap;

/// Moments of every row (and pair) of a tile over some stretch of trials.
pub type Leaf = Box<[Moments]>;

/// Finished complete chunks as maximal aligned subtrees of one binary tree over chunk indices.
///
/// Chunks may come in any order: a subtree is merged with its sibling, left with right, as soon as both are there, so the
/// bits depend on which chunks are in and never on how they came. A shard or a checkpoint keeps the forest, which holds
/// O(log n) subtrees for each stretch of chunks, and not its fold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    subtrees: BTreeMap<u64, Subtree>,
}

/// 2^`height` chunks from an index that is a multiple of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Subtree {
    /// log₂ of the number of chunks
    pub height: u32,
    /// moments over them
    pub moments: Leaf,
}

impl Forest {
    /// Puts chunk `chunk` in.
    ///
    /// # Panics
    /// If the chunk is in already: counting trials twice is a bug of the scheduler that no result may survive.
    pub fn insert(&mut self, chunk: u64, moments: Leaf) {
        self.insert_subtree(chunk, Subtree { height: 0, moments });
    }

    pub(super) fn insert_subtree(&mut self, mut first: u64, mut subtree: Subtree) {
        loop {
            let sibling = first ^ (1 << subtree.height);
            if self.subtrees.get(&sibling).map(|s| s.height) != Some(subtree.height) {
                break;
            }
            let Some(other) = self.subtrees.remove(&sibling) else {
                break;
            };
            subtree.moments = if sibling < first {
                merge(&other.moments, &subtree.moments)
            } else {
                merge(&subtree.moments, &other.moments)
            };
            subtree.height += 1;
            first = first.min(sibling);
        }
        let free = self.is_free(first, &subtree);
        assert!(free, "chunk {first} was tallied twice");
        self.subtrees.insert(first, subtree);
    }

    /// Whether no chunk of another forest is in this one.
    pub fn takes(&self, other: &Forest) -> bool {
        other
            .subtrees
            .iter()
            .all(|(first, subtree)| self.is_free(*first, subtree))
    }

    /// Whether no chunk of a subtree that begins with chunk `first` is in.
    pub(super) fn is_free(&self, first: u64, subtree: &Subtree) -> bool {
        let end = first + (1 << subtree.height);
        let before = self.subtrees.range(..end).next_back();
        before.is_none_or(|(at, s)| at + (1 << s.height) <= first)
    }

    /// Takes in the chunks of another forest, which must hold none of this one's.
    pub fn absorb(&mut self, other: Forest) {
        for (first, subtree) in other.subtrees {
            self.insert_subtree(first, subtree);
        }
    }

    /// Moments over all chunks and the partial last one, for reporting only. From right to left: each subtree is merged with
    /// all that follows it.
    pub fn fold(&self, tail: Option<&Leaf>) -> Option<Leaf> {
        self.subtrees
            .values()
            .rev()
            .fold(tail.cloned(), |rest, subtree| {
                Some(match rest {
                    None => subtree.moments.clone(),
                    Some(rest) => merge(&subtree.moments, &rest),
                })
            })
    }

    /// Whether exactly the chunks 0, 1, …, `chunks` − 1 are in.
    pub fn covers(&self, chunks: u64) -> bool {
        let mut next = 0;
        for (first, subtree) in &self.subtrees {
            if *first != next {
                return false;
            }
            next += 1 << subtree.height;
        }
        next == chunks
    }

    /// The subtrees, by their first chunk.
    pub fn subtrees(&self) -> &BTreeMap<u64, Subtree> {
        &self.subtrees
    }
}

fn merge(left: &Leaf, right: &Leaf) -> Leaf {
    left.iter().zip(right).map(|(a, b)| a.merge(b)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(chunk: u64) -> Leaf {
        let x: Vec<f64> = (0..7)
            .map(|i| libm::sin((chunk * 7 + i) as f64) * 1e3)
            .collect();
        Box::new([Moments::from_values(&x)])
    }

    #[test]
    fn order_and_splits_do_not_change_a_bit() {
        let chunks = 45;
        let mut straight = Forest::default();
        (0..chunks).for_each(|c| straight.insert(c, leaf(c)));
        assert!(straight.covers(chunks) && !straight.covers(chunks - 1));
        // 45 = 32 + 8 + 4 + 1
        assert_eq!(straight.subtrees().len(), 4);

        // 17 and 45 are coprime, so this visits every chunk once
        let mut scattered = Forest::default();
        (0..chunks).for_each(|c| scattered.insert(c * 17 % chunks, leaf(c * 17 % chunks)));
        assert_eq!(straight, scattered);

        for cut in 0..=chunks {
            let (mut a, mut b) = (Forest::default(), Forest::default());
            (0..cut).for_each(|c| a.insert(c, leaf(c)));
            (cut..chunks).for_each(|c| b.insert(c, leaf(c)));
            b.absorb(a);
            assert_eq!(straight, b, "cut at {cut}");
        }
        let tail = leaf(99);
        assert_eq!(straight.fold(Some(&tail)), scattered.fold(Some(&tail)));
        assert_ne!(straight.fold(Some(&tail)), straight.fold(None));
        assert_eq!(Forest::default().fold(None), None);
    }

    #[test]
    #[should_panic(expected = "tallied twice")]
    fn a_chunk_counts_once() {
        let mut forest = Forest::default();
        (0..4).for_each(|c| forest.insert(c, leaf(c)));
        forest.insert(2, leaf(2));
    }
}
