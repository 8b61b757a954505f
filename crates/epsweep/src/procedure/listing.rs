//! The trials of a cell, one by one: every number that each of them came to.

use super::drive::{Outcome, Planned};
use super::tiles::Group;
use crate::engine::{Listing, Schedule};

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
                tiles: 1,
                stopped: true,
            };
        }
    }
    Outcome {
        finished: 1,
        tiles: 1,
        stopped: false,
    }
}
