//! Trials that fail: a procedure that panics ends neither the run nor its worker, and the trial is known.

use super::BLOCK;
use super::{At, Procedure, Rows};
use crate::tally::LONGEST_MESSAGE;
use epsweep_core::random::Draws;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// whether a panic on this thread is caught here, and nobody else's matter
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// what the last one said
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Sees that panics that are caught here are not printed. All others go on to whoever printed them before.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if GUARDED.get() {
                SAID.replace(words(info));
            } else {
                others(info);
            }
        }));
    });
}

/// What a panic says, and where, in one line.
fn words(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let message = match (
        payload.downcast_ref::<&str>(),
        payload.downcast_ref::<String>(),
    ) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "no message",
    };
    let mut line: Vec<&str> = message.split_whitespace().collect();
    let place = info.location().map(|at| format!("({at})"));
    line.extend(place.as_deref());
    line.join(" ").chars().take(LONGEST_MESSAGE).collect()
}

/// Does something that may panic; the message if it did.
fn guarded(work: impl FnOnce()) -> Result<(), String> {
    GUARDED.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(false);
    done.map_err(|_| SAID.take())
}

/// Trials of a block in which the procedure panicked, by their places in the block, with what it said.
pub(super) type Panics = Vec<(usize, String)>;

/// What cells are simulated with.
pub(super) struct Hand<'a, P: Procedure> {
    pub procedure: &'a P,
    pub draws: Draws,
    pub scratch: P::Scratch,
    /// one block of the rows of the cell at work
    pub block: Vec<f64>,
}

impl<'a, P: Procedure> Hand<'a, P> {
    /// For cells with at most so many rows.
    pub fn new(procedure: &'a P, draws: Draws, rows: usize) -> Hand<'a, P> {
        install();
        Hand {
            scratch: procedure.scratch(),
            block: vec![0.0; rows.max(1) * BLOCK],
            procedure,
            draws,
        }
    }

    /// Fills the block with the cell's rows. A trial in which the procedure panics has no number in any of its `rows`.
    #[inline]
    pub fn fill(&mut self, cell: &P::Cell, at: At, rows: usize) -> Panics {
        match self.attempt(cell, at) {
            Ok(()) => Vec::new(),
            Err(message) => self.one_by_one(cell, at, rows, &message),
        }
    }

    /// A block of a row that the cells share. A block in which the procedure panics has no number, and says why: such rows are of the noise alone,
    /// so that what fails fails in every cell.
    #[inline]
    pub fn shared(&mut self, row: usize, at: At) -> (&[f64], Option<String>) {
        static NONE: [f64; BLOCK] = [f64::NAN; BLOCK];
        let Hand {
            procedure,
            draws,
            block,
            ..
        } = self;
        let mut values: &[f64] = &[];
        match guarded(|| values = procedure.shared(row, draws, at, &mut block[..at.len])) {
            Ok(()) => (values, None),
            Err(message) => (
                &NONE[..at.len],
                Some(format!("{message}, in a row that the cells share")),
            ),
        }
    }

    /// Fills the block, unless the procedure panics.
    #[inline]
    fn attempt(&mut self, cell: &P::Cell, at: At) -> Result<(), String> {
        let Hand {
            procedure,
            draws,
            scratch,
            block,
        } = self;
        guarded(|| procedure.cell(cell, draws, at, scratch, &mut Rows::new(block, at.len)))
    }

    /// Fills the block trial by trial: outcomes do not depend on the size of a block, so that only those are lost that fail alone.
    #[cold]
    fn one_by_one(&mut self, cell: &P::Cell, at: At, rows: usize, message: &str) -> Panics {
        let mut panics = Panics::new();
        let mut filled = vec![f64::NAN; rows * BLOCK];
        // what a panic leaves in the working memory may be anything
        self.scratch = self.procedure.scratch();
        for trial in 0..at.len {
            let alone = At {
                first: at.first + trial,
                len: 1,
                ..at
            };
            match self.attempt(cell, alone) {
                Ok(()) => {
                    for row in 0..rows {
                        filled[row * BLOCK + trial] = self.block[row * BLOCK];
                    }
                }
                Err(message) => {
                    self.scratch = self.procedure.scratch();
                    panics.push((trial, message));
                }
            }
        }
        if panics.is_empty() {
            // what fails together and not alone cannot be told apart: none of it is used
            filled.fill(f64::NAN);
            let all = format!("{message}, in its block and not alone");
            panics = (0..at.len).map(|trial| (trial, all.clone())).collect();
        }
        self.block[..rows * BLOCK].copy_from_slice(&filled);
        panics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_with_its_words_and_others_are_let_through() {
        install();
        assert_eq!(guarded(|| {}), Ok(()));
        let empty: Vec<u8> = Vec::new();
        let said = guarded(|| assert_eq!(empty[std::hint::black_box(3)], 0)).unwrap_err();
        assert!(said.starts_with("index out of bounds: the len is 0 but the index is 3 ("));
        assert!(said.contains("guard.rs:"), "{said}");
        let said = guarded(|| panic!("two\nlines")).unwrap_err();
        assert!(said.starts_with("two lines ("), "{said}");
        let said = guarded(|| panic::panic_any(7)).unwrap_err();
        assert!(said.starts_with("no message ("), "{said}");
        let long = "ä".repeat(9 * LONGEST_MESSAGE);
        let said = guarded(|| panic!("{long}")).unwrap_err();
        assert_eq!(said.chars().count(), LONGEST_MESSAGE);
        assert!(!GUARDED.get());
    }
}
