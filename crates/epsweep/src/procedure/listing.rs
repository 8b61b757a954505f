//! The trials of a cell, one by one: every number that each of them came to.

use super::drive::{Outcome, Planned};
use super::tiles::Group;
use crate::engine::Schedule;
use crate::measure::Measure;
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
    pub measure: &'static dyn Measure,
    /// how it is read off the rows of the tile
    pub(super) way: Way,
}

/// How a number of a trial is read off the rows of a tile that holds one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    /// `scale`·row + `shift`
    Row { row: usize, scale: f64, shift: f64 },
    /// 1 where the row, which holds a rank, is this one, else 0
    Rank { row: usize, rank: usize },
    /// 1 where the row, which holds a rank, is this one or a later one, else 0
    RankFrom { row: usize, rank: usize },
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
    fn values(self, rows: &[Vec<f64>], trials: usize) -> Vec<f64> {
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

/// Simulates the trials, chunk by chunk on this thread, and hands them on.
pub(super) fn list<P: Planned>(
    wanted: Listing<'_>,
    schedule: &Schedule,
    plan: impl Fn(&Group) -> P,
) -> Outcome {
    let plan = plan(&Group {
        members: vec![(wanted.cell, false)],
        pairs: Vec::new(),
        team: 0,
    });
    let (work, listed) = (plan.work(), plan.listed());
    if wanted.trials == 0 {
        wanted.take.take(&listed, 0, &[]);
    }
    let mut replay = work.replay(schedule.seed, schedule.level);
    let layout = work.layout();
    let mut rows = vec![Vec::new(); layout.kinds().len()];
    let len = work.chunk_len() as u64;
    for chunk in 0..wanted.trials.div_ceil(len) {
        let first = chunk * len;
        let trials = (wanted.trials - first).min(len) as usize;
        rows.iter_mut().for_each(Vec::clear);
        replay.chunk(chunk, trials, &mut |row, values| {
            let kind = layout.kinds()[row];
            rows[row].extend(values.iter().map(|value| kind.number(*value)));
        });
        let values: Vec<Vec<f64>> = (listed.iter())
            .map(|listed| listed.way.values(&rows, trials))
            .collect();
        if !wanted.take.take(&listed, first, &values) {
            return Outcome {
                finished: 0,
                stopped: true,
            };
        }
    }
    Outcome {
        finished: 1,
        stopped: false,
    }
}
