//! The trials of a cell that are wanted one by one, and how their numbers are read off rows.

use std::fmt::Debug;

/// The trials of one cell that are wanted, from the first on, instead of tallies.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    /// index of the cell
    pub cell: usize,
    /// how many trials; of none it is only told what a trial comes to
    pub trials: u64,
    /// who takes them
    pub take: &'a dyn TakeTrials,
}

/// Takes the trials of a cell.
pub trait TakeTrials: Debug + Sync {
    /// Takes the trials from `first` on: of each of the `listed`, in their order, a value for each trial; NaN where it is undefined or the
    /// trial failed. Whether to go on.
    fn take(&self, listed: &[Listed], first: u64, values: &[Vec<f64>]) -> bool;
}

/// What a number of a trial is.
#[derive(Clone, Debug)]
pub struct Listed {
    /// what it is of
    pub subject: String,
    /// the measure
    pub measure: &'static str,
    /// how it is read off the rows of the tile
    pub way: Way,
}

/// How a number of a trial is read off the rows of a tile that holds one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// `scale`·row + `shift`
    Row {
        /// the row
        row: usize,
        /// its factor
        scale: f64,
        /// what is added
        shift: f64,
    },
    /// 1 where the row, which holds a rank, is this one, else 0
    Rank {
        /// the row
        row: usize,
        /// the rank
        rank: usize,
    },
    /// 1 where the row, which holds a rank, is this one or a later one, else 0
    RankFrom {
        /// the row
        row: usize,
        /// the first rank
        rank: usize,
    },
    /// the same in every trial
    Constant(f64),
}

impl Way {
    /// The row as it stands.
    pub fn row(row: usize) -> Way {
        Way::Row {
            row,
            scale: 1.0,
            shift: 0.0,
        }
    }

    /// The values of `trials` trials, given the rows.
    pub fn values(self, rows: &[Vec<f64>], trials: usize) -> Vec<f64> {
        let flags = |row: usize, is: &dyn Fn(usize) -> bool| {
            let flag = |rank: &f64| match rank.is_nan() {
                true => f64::NAN,
                false => f64::from(u8::from(is(*rank as usize))),
            };
            rows[row].iter().map(flag).collect()
        };
        match self {
            // as it stands, infinities and all
            Way::Row { row, scale, shift } if scale == 1.0 && shift == 0.0 => rows[row].clone(),
            Way::Row { row, scale, shift } => rows[row].iter().map(|x| scale * x + shift).collect(),
            Way::Rank { row, rank } => flags(row, &|found| found == rank),
            Way::RankFrom { row, rank } => flags(row, &|found| found >= rank),
            Way::Constant(value) => vec![value; trials],
        }
    }
}
