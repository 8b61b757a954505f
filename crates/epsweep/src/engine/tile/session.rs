//! One worker's simulation of a tile that is tallied.

use super::{Session, Tile, TileCell, Wanted, Work, blocks, hand, in_blocks};
use crate::engine::guard::{Hand, Panics};
use crate::engine::{At, BLOCK, Procedure};
use crate::tally::{
    Fault, Faults, Lanes, Layout, Leaf, Pool, RowKind, SessionCounts, What, add_differences,
    add_moments, add_row, count_row, count_wins,
};
use epsweep_core::random::Level;

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
pub(super) struct Seat {
    pub(super) rows: usize,
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
    pub(super) fn fault(&self, block: &[f64], panics: &Panics, trial: usize) -> Option<What> {
        if let Some((_, message)) = panics.iter().find(|(at, _)| *at == trial) {
            return Some(What::Panic(message.clone()));
        }
        let none = |row: &&usize| block[**row * BLOCK + trial].is_nan();
        self.certain.iter().find(none).copied().map(What::NoNumber)
    }
}

/// A seat for each cell of a tile, without meetings.
pub(super) fn seats<P: Procedure>(tile: &Tile<P>) -> Vec<Seat> {
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

/// A session of a tile.
pub(super) struct Open<'a, P: Procedure> {
    tile: &'a Tile<P>,
    level: Level,
    layout: Layout,
    shared: usize,
    seats: Vec<Seat>,
    hand: Hand<'a, P>,
    faults: Faults,
    /// blocks of this chunk in which a row that the cells share panicked, by their first trial, with what it said
    shared_panics: Vec<(usize, String)>,
    /// whole chunks of the rows of cells that later ones are compared with
    kept: Vec<f64>,
    lanes: Vec<Lanes>,
    differences: Vec<Lanes>,
    counts: SessionCounts,
}

impl<'a, P: Procedure> Open<'a, P> {
    pub(super) fn new(tile: &'a Tile<P>, seed: u64, level: Level, pool: &Pool) -> Self {
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
            shared_panics: Vec::new(),
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
            let (values, panicked) = self.hand.shared(row, at);
            self.shared_panics
                .extend(panicked.map(|message| (at.first, message)));
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
            let shared = self
                .shared_panics
                .iter()
                .find(|(first, _)| *first == at.first);
            for place in wanted.counted(at) {
                let own = seat.fault(&self.hand.block, &panics, place);
                if let Some(what) = own.or(shared.map(|(_, said)| What::Panic(said.clone()))) {
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
        self.shared_panics.clear();
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
            if seat.panicked || !self.shared_panics.is_empty() || seat.certain.iter().any(fewer) {
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
