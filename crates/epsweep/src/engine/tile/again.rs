//! One worker's simulation of a tile that is seen, and not tallied.

use super::{Tile, Wanted, blocks, hand, in_blocks};
use crate::engine::guard::Hand;
use crate::engine::replay::Replay;
use crate::engine::{BLOCK, Procedure};
use epsweep_core::random::Level;

/// A worker's simulation that is not tallied.
pub(super) struct Again<'a, P: Procedure> {
    tile: &'a Tile<P>,
    level: Level,
    shared: usize,
    /// rows of each cell that is no guest, with its place in the tile
    cells: Vec<(usize, usize)>,
    hand: Hand<'a, P>,
}

impl<'a, P: Procedure> Again<'a, P> {
    pub(super) fn new(tile: &'a Tile<P>, seed: u64, level: Level) -> Self {
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
                let (values, _) = self.hand.shared(row, at);
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
