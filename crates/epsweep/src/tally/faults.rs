//! Trials that failed, which no tally passes over: how many there are of each cell, and what happened in the first of them.

use std::collections::BTreeMap;

/// Failed trials of a cell that are told one by one: the first ones. The others are counted.
pub const MOST_TOLD: usize = 3;

/// Characters of a panic's message that are kept.
pub const LONGEST_MESSAGE: usize = 400;

/// Failed trials of a tile, by the cell's place among those that are tallied. Sums and least trials: any order of merging gives the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    cells: BTreeMap<usize, CellFaults>,
}

/// Failed trials of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellFaults {
    /// how many
    pub trials: u64,
    /// the first ones, in order
    pub first: Vec<Fault>,
}

/// A trial that failed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// the trial, from 0
    pub trial: u64,
    /// its chunk
    pub chunk: u64,
    /// what happened
    pub what: What,
}

/// What happened in a trial that failed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// the procedure panicked, with this message
    Panic(String),
    /// this row of the cell, which has a number in every trial, has none
    NoNumber(usize),
}

/// Failed trials of a cell, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failed {
    /// how many
    pub trials: u64,
    /// the first ones, in order
    pub first: Vec<FailedTrial>,
}

/// A failed trial, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTrial {
    /// the trial, from 0
    pub trial: u64,
    /// its chunk
    pub chunk: u64,
    /// what happened
    pub why: String,
}

impl Faults {
    /// Whether no trial failed.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// By cell.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = (usize, &CellFaults)> {
        self.cells.iter().map(|(cell, faults)| (*cell, faults))
    }

    /// One more trial of a cell has failed.
    pub fn add(&mut self, cell: usize, fault: Fault) {
        let faults = CellFaults {
            trials: 1,
            first: vec![fault],
        };
        self.add_cell(cell, faults);
    }

    /// Takes in failed trials of a cell, none of which is in.
    pub fn add_cell(&mut self, cell: usize, faults: CellFaults) {
        let own = self.cells.entry(cell).or_default();
        own.trials = own.trials.saturating_add(faults.trials);
        own.first.extend(faults.first);
        own.first.sort();
        own.first.truncate(MOST_TOLD);
    }

    /// Takes in those of other trials of the same tile.
    pub fn absorb(&mut self, other: Faults) {
        for (cell, faults) in other.cells {
            self.add_cell(cell, faults);
        }
    }

    /// Those of a cell, in words; `name` says of a row of the cell which measure it is.
    pub fn of(&self, cell: usize, name: impl Fn(usize) -> Option<String>) -> Failed {
        let Some(faults) = self.cells.get(&cell) else {
            return Failed::default();
        };
        let told = faults.first.iter().map(|fault| FailedTrial {
            trial: fault.trial,
            chunk: fault.chunk,
            why: match &fault.what {
                What::Panic(message) => format!("it panicked: {message}"),
                What::NoNumber(row) => {
                    let name = name(*row).unwrap_or_else(|| "a measure".to_owned());
                    format!("{name} is no number")
                }
            },
        });
        Failed {
            trials: faults.trials,
            first: told.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(trial: u64) -> Fault {
        Fault {
            trial,
            chunk: trial / 8,
            what: What::NoNumber(trial as usize % 2),
        }
    }

    #[test]
    fn all_are_counted_and_the_first_are_told_in_any_order() {
        let all: Vec<u64> = vec![70, 3, 900, 12, 5, 44];
        let mut expected = Faults::default();
        for trial in &all {
            expected.add(*trial as usize % 2, fault(*trial));
        }
        for cut in 0..=all.len() {
            let mut parts = [Faults::default(), Faults::default()];
            for (place, trial) in all.iter().enumerate() {
                parts[usize::from(place < cut)].add(*trial as usize % 2, fault(*trial));
            }
            let [mut whole, other] = parts;
            whole.absorb(other);
            assert_eq!(whole, expected);
        }
        let words = expected.of(0, |row| (row == 0).then(|| "rmse of all".to_owned()));
        assert_eq!(words.trials, 4);
        let told: Vec<(u64, u64)> = words.first.iter().map(|f| (f.trial, f.chunk)).collect();
        assert_eq!(told, [(12, 1), (44, 5), (70, 8)]);
        assert_eq!(words.first[0].why, "rmse of all is no number");
        assert_eq!(expected.of(7, |_| None), Failed::default());
    }
}
