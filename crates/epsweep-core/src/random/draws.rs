//! The noise of one chunk.

use std::cell::{Cell, OnceCell, RefCell};

use super::buffer::Buffer;
use super::fill::GROUP;
use super::key::Key;
use super::law::StandardLaw;
use super::level::{Level, level};
use super::source::Source;
use super::trial::TrialStream;

/// The rows of a source: drawn when they are first asked for.
#[derive(Debug)]
struct Family {
    key: Key,
    law: StandardLaw,
    rows: Vec<OnceCell<Buffer>>,
}

/// The noise of one chunk of trials, for all sources of a procedure. A worker owns one and moves it from chunk to
/// chunk; memory is kept and used again.
///
/// Draws are addressed, not consumed: what [`row`](Draws::row) and [`trial`](Draws::trial) give depends on the
/// seed, the source's purpose and law, the row, the chunk and the trial, and on nothing else: not on the other
/// sources, the order of the calls, the chunk's length (a shorter chunk gives a prefix), nor on the instruction
/// set.
#[derive(Debug)]
pub struct Draws {
    level: Level,
    chunk: u64,
    chunk_len: usize,
    /// trials that are wanted of the chunk, at most its length
    wanted: usize,
    families: Vec<Family>,
    pool: RefCell<Vec<Buffer>>,
    drawn: Cell<u64>,
}

impl Draws {
    /// Noise for chunks of `chunk_len` trials under `seed`, standing at chunk 0. Nothing is drawn yet.
    pub fn new(seed: u64, chunk_len: usize, sources: &[Source]) -> Self {
        Self::with_level(level(), seed, chunk_len, sources)
    }

    /// As [`Draws::new`], with the instruction set given; the draws are the same.
    pub fn with_level(level: Level, seed: u64, chunk_len: usize, sources: &[Source]) -> Self {
        let families = sources.iter().map(|source| Family {
            key: Key::new(seed, source.law(), source.purpose()),
            law: source.law(),
            rows: std::iter::repeat_with(OnceCell::new)
                .take(source.rows())
                .collect(),
        });
        Draws {
            level,
            chunk: 0,
            chunk_len,
            wanted: chunk_len,
            families: families.collect(),
            pool: RefCell::default(),
            drawn: Cell::new(0),
        }
    }

    /// The chunk whose noise this is.
    pub fn chunk(&self) -> u64 {
        self.chunk
    }

    /// Trials in a chunk: the length of every row, unless fewer are asked for.
    pub fn chunk_len(&self) -> usize {
        self.chunk_len
    }

    /// Moves to another chunk. Rows are drawn anew when asked for; at the same chunk they are kept.
    pub fn go_to(&mut self, chunk: u64) {
        self.go_to_first(chunk, self.chunk_len);
    }

    /// As [`Draws::go_to`], where no more than the chunk's first `trials` trials are wanted: rows end there, and the rest is not
    /// drawn. The draws are the same.
    pub fn go_to_first(&mut self, chunk: u64, trials: usize) {
        let wanted = trials.min(self.chunk_len);
        if (chunk, wanted) == (self.chunk, self.wanted) {
            return;
        }
        (self.chunk, self.wanted) = (chunk, wanted);
        let pool = self.pool.get_mut();
        for family in &mut self.families {
            pool.extend(family.rows.iter_mut().filter_map(OnceCell::take));
        }
    }

    /// One standard variate for each trial of the chunk, at a multiple of 64 bytes. Cheap to call once the row is
    /// drawn.
    ///
    /// # Panics
    /// If there is no such source, or if it has no such row.
    #[inline]
    pub fn row(&self, source: usize, row: usize) -> &[f64] {
        let family = &self.families[source];
        let values = family.rows[row]
            .get_or_init(|| self.draw(family, row))
            .values();
        &values[..self.wanted]
    }

    /// A stream for one trial of the chunk, by its place in the chunk, for procedures that use many draws per
    /// trial or an unforeseen number. It is independent of the rows of the source, and drawn again by each who
    /// asks.
    ///
    /// # Panics
    /// If there is no such source.
    pub fn trial(&self, source: usize, trial: usize) -> TrialStream {
        let family = &self.families[source];
        TrialStream::new(
            self.level,
            family.law,
            family.key.trial(self.level, trial as u64, self.chunk),
        )
    }

    /// How many rows were drawn so far, in all chunks: what sharing saves can be seen from it.
    pub fn drawn(&self) -> u64 {
        self.drawn.get()
    }

    #[cold]
    #[inline(never)]
    fn draw(&self, family: &Family, row: usize) -> Buffer {
        let mut buffer = self
            .pool
            .borrow_mut()
            .pop()
            .unwrap_or_else(|| Buffer::new(self.chunk_len));
        let mut state = family.key.row(self.level, row as u64, self.chunk);
        let groups = self.wanted.div_ceil(GROUP);
        (family.law).fill(self.level, &mut state, &mut buffer.groups()[..groups]);
        self.drawn.set(self.drawn.get() + 1);
        buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNK: usize = 1000;

    fn sources() -> [Source; 3] {
        [
            Source::new("laplace/mean age", StandardLaw::Laplace, 2),
            Source::new("threshold", StandardLaw::Gumbel, 1),
            Source::new("laplace/mean age", StandardLaw::Normal, 3),
        ]
    }

    #[test]
    fn draws_depend_on_their_address_alone() {
        let mut draws = Draws::new(42, CHUNK, &sources());
        draws.go_to(7);
        let expected = draws.row(0, 1).to_vec();

        // another order, other sources beside it, another length, another way to the chunk
        let mut other = Draws::new(
            42,
            CHUNK / 3,
            &[
                sources()[1].clone(),
                Source::new("laplace/mean age", StandardLaw::Laplace, 9),
            ],
        );
        other.row(1, 1);
        for chunk in [3, 7, 0, 7] {
            other.go_to(chunk);
            other.row(1, 8);
        }
        assert_eq!(other.row(1, 1), &expected[..CHUNK / 3]);

        // each coordinate of the address changes them
        assert_ne!(draws.row(0, 0), expected);
        assert_ne!(Draws::new(42, CHUNK, &sources()).row(0, 1), expected);
        let mut seeded = Draws::new(43, CHUNK, &sources());
        seeded.go_to(7);
        assert_ne!(seeded.row(0, 1), expected);
        let mut named = Draws::new(
            42,
            CHUNK,
            &[Source::new("laplace/max age", StandardLaw::Laplace, 2)],
        );
        named.go_to(7);
        assert_ne!(named.row(0, 1), expected);
    }

    #[test]
    fn rows_are_drawn_once_and_only_when_asked_for() {
        let mut draws = Draws::new(1, CHUNK, &sources());
        assert_eq!(draws.drawn(), 0);
        let first = draws.row(0, 0).as_ptr();
        assert_eq!(draws.row(0, 0).as_ptr(), first);
        draws.row(2, 2);
        assert_eq!(draws.drawn(), 2);
        draws.go_to(0);
        assert_eq!(
            (draws.drawn(), draws.row(0, 0).as_ptr()),
            (2, first),
            "the same chunk keeps its rows"
        );
        draws.go_to(1);
        draws.row(0, 0);
        draws.row(0, 1);
        assert_eq!(
            (draws.drawn(), draws.pool.borrow().len()),
            (4, 0),
            "the memory of two rows is used again"
        );
    }

    #[test]
    fn the_first_trials_of_a_chunk_are_those_of_the_whole() {
        let mut draws = Draws::new(42, CHUNK, &sources());
        for chunk in [0, 3] {
            draws.go_to(chunk);
            let whole = draws.row(2, 1).to_vec();
            for trials in [0, 1, 17, 904, CHUNK, CHUNK + 1, 5] {
                draws.go_to_first(chunk, trials);
                assert_eq!(draws.row(2, 1), &whole[..trials.min(CHUNK)]);
            }
            draws.go_to(chunk);
            assert_eq!(draws.row(2, 1), whole);
        }
    }

    #[test]
    fn rows_are_aligned_and_of_the_length_of_the_chunk() {
        for len in [1, 8, 17, 4096] {
            let draws = Draws::new(1, len, &sources());
            assert_eq!(
                (draws.row(0, 0).len(), draws.chunk_len(), draws.chunk()),
                (len, len, 0)
            );
            assert_eq!(draws.row(0, 0).as_ptr().addr() % 64, 0);
        }
    }

    #[test]
    fn a_trial_has_a_stream_of_its_own_however_it_is_cut() {
        let mut draws = Draws::new(1, CHUNK, &sources());
        let whole = |draws: &Draws, source, trial| {
            let mut out = vec![0.0; 100];
            draws.trial(source, trial).fill(&mut out);
            out
        };
        let expected = whole(&draws, 0, 5);
        for cut in [0, 1, 15, 16, 17, 40, 99] {
            let mut out = vec![0.0; 100];
            let mut stream = draws.trial(0, 5);
            let (head, tail) = out.split_at_mut(cut);
            stream.fill(head);
            let (middle, tail) = tail.split_at_mut(1);
            stream.fill(middle);
            stream.fill(tail);
            assert_eq!(out, expected, "cut at {cut}");
        }
        assert_ne!(whole(&draws, 0, 6), expected);
        assert_ne!(whole(&draws, 2, 5), expected);
        assert_ne!(draws.row(0, 0)[..100], expected);
        draws.go_to(1);
        assert_ne!(whole(&draws, 0, 5), expected);
    }
}
