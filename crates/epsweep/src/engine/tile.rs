//! Cells that share their noise, and one worker's simulation of them.

use super::BLOCK;
use super::guard::{Hand, Panics};
use super::replay::Replay;
use super::{At, Procedure};
use crate::tally::{
    Fault, Faults, Lanes, Layout, Leaf, Pool, RowKind, SessionCounts, What, add_differences,
    add_moments, add_row, count_row, count_wins,
};
use epsweep_core::random::{Draws, Level, Source};
use std::collections::HashSet;
use std::ops::Range;

/// Cells that share their noise, with the pairs that are compared trial by trial.
#[derive(Debug)]
pub struct Tile<P: Procedure> {
    /// the procedure
    pub procedure: P,
    /// the cells
    pub cells: Vec<TileCell<P::Cell>>,
    /// the pairs
    pub pairs: Vec<Pair>,
}

/// A cell in a tile.
#[derive(Debug)]
pub struct TileCell<C> {
    /// the cell
    pub cell: C,
    /// simulated only to be compared with: it is tallied in another tile
    pub guest: bool,
}

/// Two different cells of a tile that are compared, a − b, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// index of the first cell in the tile
    pub a: usize,
    /// index of the second cell in the tile
    pub b: usize,
    /// which row of a is compared with which row of b
    pub rows: Vec<(usize, usize)>,
}

/// A tile, whatever its procedure. Its layout holds the shared rows, the rows of each cell that is no guest, in order, and
/// the rows of each pair.
pub trait Work: Sync {
    /// Trials per chunk.
    fn chunk_len(&self) -> usize;
    /// The rows that are tallied.
    fn layout(&self) -> Layout;
    /// Number of cells that are tallied here.
    fn cells(&self) -> usize;
    /// Bytes of a worker's own beside its counts: the draws of a chunk, the rows of cells that others are compared with, and a block.
    fn buffers(&self) -> usize;
    /// A worker's own simulation of the tile.
    fn open(&self, seed: u64, level: Level, pool: &Pool) -> Box<dyn Session + '_>;
    /// A worker's simulation that is not tallied.
    fn replay(&self, seed: u64, level: Level) -> Box<dyn Replay + '_>;
    /// One trial, by its chunk and its place in the chunk, simulated alone.
    fn alone(&self, seed: u64, level: Level, chunk: u64, place: usize) -> TrialAlone;
    /// The draws of one trial, by its chunk and its place in the chunk.
    fn draws(&self, seed: u64, level: Level, chunk: u64, place: usize) -> Vec<TrialDraws>;
}

/// What came of one trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialAlone {
    /// a number for each row of the layout
    pub values: Vec<f64>,
    /// what failed
    pub faults: Faults,
}

/// What one trial draws from a source.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialDraws {
    /// what the draws are for
    pub purpose: String,
    /// standard variates of the trial, one for each row; the first [`SHOWN`] of the trial's own stream where the source has one
    pub values: Vec<f64>,
    /// rows of the source; `None` where each trial has a stream of its own, which does not end
    pub rows: Option<usize>,
}

/// Draws of a trial's own stream that are shown, and most rows.
pub const SHOWN: usize = 64;

/// One worker's simulation of one tile: owns its noise, its working memory and its counts.
pub trait Session {
    /// Simulates a chunk and tallies its trials `0..to`. Those before `counted` are in the counts already (a partial last chunk is made
    /// longer): they enter the moments only.
    fn chunk(&mut self, chunk: u64, counted: usize, to: usize) -> Leaf;
    /// Hands over the trials that failed since it was last asked, but for those that were in the counts.
    fn faults(&mut self) -> Faults;
    /// What has been counted.
    fn finish(self: Box<Self>) -> SessionCounts;
}

impl<P: Procedure> Tile<P> {
    /// Number of rows that the cells share.
    pub fn shared_rows(&self) -> usize {
        self.procedure.shared_rows().len()
    }

    /// First row in the layout of each cell, by its place in the tile. A guest has none: its number is the next cell's.
    pub fn first_rows(&self) -> Vec<usize> {
        let mut next = self.shared_rows();
        let first = |cell: &TileCell<P::Cell>| {
            let first = next;
            if !cell.guest {
                next += self.procedure.rows(&cell.cell).len();
            }
            first
        };
        self.cells.iter().map(first).collect()
    }

    fn tallied(&self) -> impl Iterator<Item = &TileCell<P::Cell>> {
        self.cells.iter().filter(|c| !c.guest)
    }
}

impl<P: Procedure> Work for Tile<P> {
    fn chunk_len(&self) -> usize {
        P::CHUNK
    }

    fn layout(&self) -> Layout {
        let mut kinds = self.procedure.shared_rows();
        for cell in self.tallied() {
            kinds.extend(self.procedure.rows(&cell.cell));
        }
        Layout::new(kinds, self.pairs.iter().map(|p| p.rows.len()).sum())
    }

    fn cells(&self) -> usize {
        self.tallied().count()
    }

    fn buffers(&self) -> usize {
        let sources = self.procedure.sources();
        let drawn: usize = sources.iter().map(Source::rows).sum();
        let compared: HashSet<usize> = self.pairs.iter().map(|p| p.a.min(p.b)).collect();
        let rows = |cell: &TileCell<P::Cell>| self.procedure.rows(&cell.cell).len();
        let kept: usize = (compared.iter().filter_map(|at| self.cells.get(*at)))
            .map(rows)
            .sum();
        let most = self.cells.iter().map(rows).max().unwrap_or(0);
        ((drawn + kept) * P::CHUNK + most * BLOCK) * size_of::<f64>()
    }

    fn open(&self, seed: u64, level: Level, pool: &Pool) -> Box<dyn Session + '_> {
        Box::new(Open::new(self, seed, level, pool))
    }

    fn replay(&self, seed: u64, level: Level) -> Box<dyn Replay + '_> {
        Box::new(Again::new(self, seed, level))
    }

    fn alone(&self, seed: u64, level: Level, chunk: u64, place: usize) -> TrialAlone {
        let procedure = &self.procedure;
        let seats = seats(self);
        let mut hand = hand(self, seed, level);
        hand.draws.go_to(chunk);
        let at = At {
            first: place,
            len: 1,
            level,
        };
        let (mut values, mut faults) = (Vec::new(), Faults::default());
        for row in 0..self.shared_rows() {
            let mut room = [f64::NAN];
            values.push(procedure.shared(row, &hand.draws, at, &mut room)[0]);
        }
        let tallied = seats.iter().zip(&self.cells).filter(|(_, c)| !c.guest);
        for (number, (seat, cell)) in tallied.enumerate() {
            let panics = hand.fill(&cell.cell, at, seat.rows);
            values.extend((0..seat.rows).map(|row| hand.block[row * BLOCK]));
            if let Some(what) = seat.fault(&hand.block, &panics, 0) {
                let trial = chunk * P::CHUNK as u64 + place as u64;
                faults.add(number, Fault { trial, chunk, what });
            }
        }
        TrialAlone { values, faults }
    }

    fn draws(&self, seed: u64, level: Level, chunk: u64, place: usize) -> Vec<TrialDraws> {
        let sources = self.procedure.sources();
        let mut draws = Draws::with_level(level, seed, P::CHUNK, &sources);
        draws.go_to(chunk);
        let each = sources.iter().enumerate().map(|(index, source)| {
            let mut values = vec![0.0; SHOWN];
            match source.rows() {
                0 => draws.trial(index, place).fill(&mut values),
                rows => {
                    values.truncate(rows);
                    for (row, value) in values.iter_mut().enumerate() {
                        *value = draws.row(index, row)[place];
                    }
                }
            }
            TrialDraws {
                purpose: source.purpose().to_owned(),
                values,
                rows: Some(source.rows()).filter(|rows| *rows > 0),
            }
        });
        each.collect()
    }
}

/// A pair, seen from the one of its cells that comes later in the tile.
struct Meeting {
    /// where the earlier cell's rows of this chunk are kept
    kept: usize,
    /// whether the later cell is a, the first of the pair
    later_is_first: bool,
    /// (row of the later cell, row of the earlier cell, paired row in the tally)
    rows: Vec<(usize, usize, usize)>,
}

/// What a session knows of a cell.
struct Seat {
    rows: usize,
    /// those that have a number in every trial
    certain: Vec<usize>,
    /// first row in the tally; `None` for a guest
    tallied: Option<usize>,
    /// where its rows are kept for later cells: the offset in `kept`
    kept: Option<usize>,
    meetings: Vec<Meeting>,
    /// whether the procedure panicked in this chunk
    panicked: bool,
}

impl Seat {
    /// Whether a trial of a block failed, and why.
    fn fault(&self, block: &[f64], panics: &Panics, trial: usize) -> Option<What> {
        if let Some((_, message)) = panics.iter().find(|(at, _)| *at == trial) {
            return Some(What::Panic(message.clone()));
        }
        let none = |row: &&usize| block[**row * BLOCK + trial].is_nan();
        self.certain.iter().find(none).copied().map(What::NoNumber)
    }
}

/// A seat for each cell of a tile, without meetings.
fn seats<P: Procedure>(tile: &Tile<P>) -> Vec<Seat> {
    let procedure = &tile.procedure;
    let seat = |(cell, first): (&TileCell<P::Cell>, usize)| {
        let rows = procedure.rows(&cell.cell).len();
        Seat {
            certain: (0..rows)
                .filter(|row| !procedure.may_be_undefined(&cell.cell, *row))
                .collect(),
            rows,
            tallied: (!cell.guest).then_some(first),
            kept: None,
            meetings: Vec::new(),
            panicked: false,
        }
    };
    (tile.cells.iter().zip(tile.first_rows()))
        .map(seat)
        .collect()
}

/// What a tile's cells are simulated with.
fn hand<P: Procedure>(tile: &Tile<P>, seed: u64, level: Level) -> Hand<'_, P> {
    let procedure = &tile.procedure;
    let draws = Draws::with_level(level, seed, P::CHUNK, &procedure.sources());
    let rows = tile.cells.iter().map(|c| procedure.rows(&c.cell).len());
    Hand::new(procedure, draws, rows.max().unwrap_or(0))
}

struct Open<'a, P: Procedure> {
    tile: &'a Tile<P>,
    level: Level,
    layout: Layout,
    shared: usize,
    seats: Vec<Seat>,
    hand: Hand<'a, P>,
    faults: Faults,
    /// whole chunks of the rows of cells that later ones are compared with
    kept: Vec<f64>,
    lanes: Vec<Lanes>,
    differences: Vec<Lanes>,
    counts: SessionCounts,
}

impl<'a, P: Procedure> Open<'a, P> {
    fn new(tile: &'a Tile<P>, seed: u64, level: Level, pool: &Pool) -> Self {
        let layout = tile.layout();
        let mut seats = seats(tile);
        let (mut kept, mut paired) = (0, 0);
        for pair in &tile.pairs {
            let later_is_first = pair.a > pair.b;
            let (later, earlier) = (pair.a.max(pair.b), pair.a.min(pair.b));
            let at = match seats[earlier].kept {
                Some(at) => at,
                None => {
                    let at = kept;
                    seats[earlier].kept = Some(at);
                    kept += seats[earlier].rows * P::CHUNK;
                    at
                }
            };
            let rows = pair.rows.iter().map(|(a, b)| {
                paired += 1;
                match later_is_first {
                    true => (*a, *b, paired - 1),
                    false => (*b, *a, paired - 1),
                }
            });
            let meeting = Meeting {
                kept: at,
                later_is_first,
                rows: rows.collect(),
            };
            seats[later].meetings.push(meeting);
        }
        Open {
            level,
            shared: tile.shared_rows(),
            hand: hand(tile, seed, level),
            faults: Faults::default(),
            kept: vec![0.0; kept],
            lanes: vec![Lanes::EMPTY; layout.kinds().len()],
            differences: vec![Lanes::EMPTY; layout.pairs()],
            counts: SessionCounts::new(&layout, pool),
            tile,
            layout,
            seats,
        }
    }

    fn shared_row(&mut self, row: usize, wanted: &Wanted) {
        let kind = self.layout.kinds()[row];
        for at in blocks::<P>(self.level, wanted.to) {
            let Hand { draws, block, .. } = &mut self.hand;
            let values = (self.tile.procedure).shared(row, draws, at, &mut block[..at.len]);
            let bins = &mut self.counts.bins[self.layout.range(row)];
            tally(kind, values, at, wanted, &mut self.lanes[row], bins);
        }
    }

    /// Cells outside, blocks inside: a cell's bins are warm for the whole chunk, while the chunk's noise stays in the
    /// second-level cache.
    fn cell(&mut self, cell: usize, wanted: &Wanted) {
        let seat = &mut self.seats[cell];
        for at in blocks::<P>(self.level, wanted.to) {
            let panics = (self.hand).fill(&self.tile.cells[cell].cell, at, seat.rows);
            seat.panicked |= !panics.is_empty();
            let block = &self.hand.block;
            for row in 0..seat.rows {
                let values = &block[row * BLOCK..][..at.len];
                if let Some(kept) = seat.kept {
                    self.kept[kept + row * P::CHUNK + at.first..][..at.len].copy_from_slice(values);
                }
                if let Some(first) = seat.tallied {
                    let row = first + row;
                    let kind = self.layout.kinds()[row];
                    let bins = &mut self.counts.bins[self.layout.range(row)];
                    tally(kind, values, at, wanted, &mut self.lanes[row], bins);
                }
            }
            for meeting in &seat.meetings {
                for (later, earlier, paired) in &meeting.rows {
                    let values = &block[later * BLOCK..][..at.len];
                    let kept = &self.kept[meeting.kept + earlier * P::CHUNK + at.first..][..at.len];
                    let (a, b) = match meeting.later_is_first {
                        true => (values, kept),
                        false => (kept, values),
                    };
                    let lanes = &mut self.differences[*paired];
                    let (entering, counted) = (wanted.entering(at), wanted.counted(at));
                    add_differences(at.level, lanes, &a[entering.clone()], &b[entering]);
                    let wins = &mut self.counts.wins[*paired];
                    count_wins(at.level, wins, &a[counted.clone()], &b[counted]);
                }
            }
        }
    }
}

impl<P: Procedure> Open<'_, P> {
    /// Simulates a chunk of a cell again, the how manieth of those that are tallied, to see which trials failed.
    #[cold]
    fn look_for_faults(&mut self, (cell, number): (usize, usize), chunk: u64, wanted: &Wanted) {
        let seat = &mut self.seats[cell];
        seat.panicked = false;
        for at in blocks::<P>(self.level, wanted.to) {
            let panics = (self.hand).fill(&self.tile.cells[cell].cell, at, seat.rows);
            for place in wanted.counted(at) {
                if let Some(what) = seat.fault(&self.hand.block, &panics, place) {
                    let trial = chunk * P::CHUNK as u64 + (at.first + place) as u64;
                    self.faults.add(number, Fault { trial, chunk, what });
                }
            }
        }
    }
}

impl<P: Procedure> Session for Open<'_, P> {
    fn chunk(&mut self, chunk: u64, counted: usize, to: usize) -> Leaf {
        let wanted = Wanted { counted, to };
        (self.hand.draws).go_to_first(chunk, in_blocks::<P>(to));
        for row in 0..self.shared {
            self.shared_row(row, &wanted);
        }
        for cell in 0..self.seats.len() {
            self.cell(cell, &wanted);
        }
        let mut leaf = Vec::with_capacity(self.lanes.len() + self.differences.len());
        for (row, lanes) in self.lanes.iter_mut().enumerate() {
            let (moments, min, max) = lanes.finish();
            // the extremes of trials that were counted before are in already: taking them again changes nothing
            self.counts.extend(row, min, max);
            leaf.push(moments);
            *lanes = Lanes::EMPTY;
        }
        for lanes in &mut self.differences {
            leaf.push(lanes.finish().0);
            *lanes = Lanes::EMPTY;
        }
        // a row that has a number in every trial has as many as there are trials, unless one failed
        let mut number = 0;
        for cell in 0..self.seats.len() {
            let seat = &self.seats[cell];
            let Some(first) = seat.tallied else {
                continue;
            };
            let fewer = |row: &usize| leaf[first + row].n < to as u64;
            if seat.panicked || seat.certain.iter().any(fewer) {
                self.look_for_faults((cell, number), chunk, &wanted);
            }
            number += 1;
        }
        leaf.into()
    }

    fn faults(&mut self) -> Faults {
        std::mem::take(&mut self.faults)
    }

    fn finish(self: Box<Self>) -> SessionCounts {
        self.counts
    }
}

/// `to` trials, rounded up to whole blocks.
fn in_blocks<P: Procedure>(to: usize) -> usize {
    to.next_multiple_of(BLOCK.min(P::CHUNK)).min(P::CHUNK)
}

/// The blocks of a chunk that hold its trials `0..to`.
fn blocks<P: Procedure>(level: Level, to: usize) -> impl Iterator<Item = At> {
    let len = BLOCK.min(P::CHUNK);
    (0..to.min(P::CHUNK))
        .step_by(len)
        .map(move |first| At { first, len, level })
}

/// A worker's simulation that is not tallied.
struct Again<'a, P: Procedure> {
    tile: &'a Tile<P>,
    level: Level,
    shared: usize,
    /// rows of each cell that is no guest, with its place in the tile
    cells: Vec<(usize, usize)>,
    hand: Hand<'a, P>,
}

impl<'a, P: Procedure> Again<'a, P> {
    fn new(tile: &'a Tile<P>, seed: u64, level: Level) -> Self {
        let cells: Vec<(usize, usize)> = (tile.cells.iter().enumerate())
            .filter(|(_, cell)| !cell.guest)
            .map(|(place, cell)| (place, tile.procedure.rows(&cell.cell).len()))
            .collect();
        Again {
            level,
            shared: tile.shared_rows(),
            hand: hand(tile, seed, level),
            cells,
            tile,
        }
    }
}

impl<P: Procedure> Replay for Again<'_, P> {
    fn chunk(&mut self, chunk: u64, to: usize, visit: &mut dyn FnMut(usize, &[f64])) {
        (self.hand.draws).go_to_first(chunk, in_blocks::<P>(to));
        let wanted = Wanted { counted: 0, to };
        for row in 0..self.shared {
            for at in blocks::<P>(self.level, to) {
                let Hand { draws, block, .. } = &mut self.hand;
                let values = (self.tile.procedure).shared(row, draws, at, &mut block[..at.len]);
                visit(row, &values[wanted.entering(at)]);
            }
        }
        let mut first = self.shared;
        for (place, rows) in &self.cells {
            for at in blocks::<P>(self.level, to) {
                // who failed is known from the first pass
                self.hand.fill(&self.tile.cells[*place].cell, at, *rows);
                for row in 0..*rows {
                    let values = &self.hand.block[row * BLOCK..][..at.len];
                    visit(first + row, &values[wanted.entering(at)]);
                }
            }
            first += rows;
        }
    }
}

/// Which trials of a chunk are wanted.
struct Wanted {
    counted: usize,
    to: usize,
}

impl Wanted {
    /// The block's trials that enter the moments.
    fn entering(&self, at: At) -> Range<usize> {
        0..self.to.clamp(at.first, at.first + at.len) - at.first
    }

    /// The block's trials that enter the counts.
    fn counted(&self, at: At) -> Range<usize> {
        let entering = self.entering(at);
        let from = self.counted.clamp(at.first, at.first + at.len) - at.first;
        from.min(entering.end)..entering.end
    }
}

#[inline]
fn tally(
    kind: RowKind,
    values: &[f64],
    at: At,
    wanted: &Wanted,
    lanes: &mut Lanes,
    bins: &mut [u32],
) {
    let (entering, counted) = (wanted.entering(at), wanted.counted(at));
    if entering == counted {
        add_row(at.level, lanes, kind, &values[entering], bins);
    } else {
        add_moments(at.level, lanes, kind, &values[entering]);
        count_row(at.level, kind, &values[counted], bins);
    }
}
