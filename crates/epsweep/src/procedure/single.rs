//! One trial of one cell, again: what it drew, and every number that came of it.

use super::drive::{Order, Outcome, Planned};
use super::tiles::Group;
use crate::engine::{Schedule, Single, Work};
use crate::tally::{CellTally, Counts, Lanes, Pool, SessionCounts, Tally, add_row};
use std::sync::PoisonError;

/// Simulates the trial, and hands its cell on with tallies of this trial alone: the mean of each is its value.
pub(super) fn single<P: Planned>(
    wanted: Single<'_>,
    schedule: &Schedule,
    plan: impl Fn(&Group) -> P,
    sink: &dyn Fn(CellTally),
) -> Outcome {
    let group = Group {
        members: vec![(wanted.cell, false)],
        pairs: Vec::new(),
        team: 0,
    };
    let plan = plan(&group);
    let work = plan.work();
    let len = work.chunk_len() as u64;
    let (chunk, place) = (wanted.trial / len, (wanted.trial % len) as usize);
    let drawn = work.draws(schedule.seed, schedule.level, chunk, place);
    *wanted.drawn.lock().unwrap_or_else(PoisonError::into_inner) = drawn;
    let tally = tally(work, schedule, chunk, place);
    plan.read(&tally, Order::new(), &mut |cell| sink(cell));
    Outcome {
        finished: 1,
        tiles: 1,
        stopped: false,
    }
}

/// The tally of one trial.
fn tally(work: &dyn Work, schedule: &Schedule, chunk: u64, place: usize) -> Tally {
    let layout = work.layout();
    let rows = layout.kinds().len();
    let alone = work.alone(schedule.seed, schedule.level, chunk, place);
    let values = alone.values;
    let pool = Pool::default();
    let mut session = SessionCounts::new(&layout, &pool);
    let mut leaf = Vec::with_capacity(rows + layout.pairs());
    for (row, kind) in layout.kinds().iter().enumerate() {
        let mut lanes = Lanes::EMPTY;
        let bins = &mut session.bins[layout.range(row)];
        add_row(schedule.level, &mut lanes, *kind, &values[row..=row], bins);
        let (moments, min, max) = lanes.finish();
        session.extend(row, min, max);
        leaf.push(moments);
    }
    leaf.resize(rows + layout.pairs(), Default::default());
    let mut counts = Counts::new(&layout);
    counts.absorb_session(session, &layout, &pool);
    Tally {
        tail: Some(leaf.into()),
        counts,
        trials: 1,
        faults: alone.faults,
        ..Tally::new(&layout)
    }
}
