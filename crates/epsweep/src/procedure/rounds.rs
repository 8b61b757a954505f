//! Runs that stop when their numbers are precise enough.
//!
//! Trials are added in rounds: a team of cells is looked at when it has `at_least` trials, then after each growth by [`GROWTH`], always at whole
//! chunks, and at last when it has the most that it may get. Cells that are compared, directly or through others, are a team: a comparison
//! needs the trials of both. A team that has enough is finished, and costs nothing more.
//!
//! After how many trials a team stops follows from its tallies at the looks alone, and these are the same bits for any number of threads and
//! however often the run was broken off: so is the result. It also follows that a run with a stricter target, or more trials, goes on
//! from what a laxer one has left: wherever that one went on, this one would have.

use super::OnError;
use super::drive::{Order, Outcome, Planned, Quantiles, RunError, Task, batches};
use super::keeping::Keeping;
use super::tiles::Group;
use crate::engine::{Job, Progress, Schedule, each, order_statistics};
use crate::tally::{CellTally, Tally};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Each look comes after so many times the trials of the one before. Trials beyond what would do are at most a quarter, and looks few.
const GROWTH: f64 = 1.25;

/// Cells whose tallies are held at once.
const BATCH: usize = 256;

/// When cells have enough trials.
#[derive(Clone, Copy, Debug)]
pub struct Until<'a> {
    /// trials before the first look
    pub at_least: u64,
    /// who looks
    pub judge: &'a dyn Judge,
}

/// Says whether cells have enough trials.
pub trait Judge: Debug + Sync {
    /// How many times as many trials these cells need, as far as can be told now; at most 1 if they have enough, infinite if nothing can be told.
    /// Must depend on the tallies alone. The cells are a whole team, in order.
    fn needed(&self, cells: &[CellTally]) -> f64;
}

/// Numbers of trials at which a team is looked at.
#[derive(Clone, Copy, Debug)]
struct Looks {
    chunk: u64,
    at_least: u64,
    most: u64,
}

impl Looks {
    fn whole(self, trials: u64) -> u64 {
        (trials.div_ceil(self.chunk).saturating_mul(self.chunk)).min(self.most)
    }

    fn after(self, look: u64) -> u64 {
        let grown = (look as f64 * GROWTH).ceil() as u64;
        self.whole(grown.max(look.saturating_add(1)))
    }

    /// The first at which there are no fewer trials than these.
    fn from(self, trials: u64) -> u64 {
        let mut look = self.whole(self.at_least.max(1));
        while look < trials {
            look = self.after(look);
        }
        look
    }
}

/// Tiles that stop together.
struct Team {
    tiles: Range<usize>,
    cells: usize,
    look: u64,
    /// trials that it is thought to need
    expected: u64,
    done: bool,
}

/// Simulates cells until they have enough trials; otherwise as [`super::drive::drive`].
pub(super) fn rounds<P: Planned>(
    (task, until, schedule): (&Task<'_>, Until<'_>, &Schedule),
    (cells, chunk): (usize, usize),
    groups: &[Group],
    plan: impl Fn(&Group) -> P,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    let looks = Looks {
        chunk: chunk as u64,
        at_least: until.at_least,
        most: task.trials,
    };
    progress.begin(looks.from(0).saturating_mul(cells as u64));
    let most = match task.quantiles {
        Quantiles::Histogram => BATCH,
        // a second pass follows each
        Quantiles::Exact { .. } => 1,
    };
    let mut run = Run {
        task,
        until,
        schedule,
        looks,
        progress,
        stop,
        keeping: Keeping::new(task.kept.keep, task.on_error),
        first: 0,
        cells: 0,
        of_cells: cells,
        simulated: 0,
        finished: 0,
    };
    for batch in batches(groups, most) {
        let plans: Vec<P> = batch.iter().map(&plan).collect();
        run.batch(batch, &plans, sink)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        run.first += plans.len();
    }
    Ok(Outcome {
        finished: run.finished,
        tiles: groups.len(),
        stopped: run.finished < cells,
    })
}

/// A run, and how far it is.
struct Run<'a> {
    task: &'a Task<'a>,
    until: Until<'a>,
    schedule: &'a Schedule,
    looks: Looks,
    progress: &'a Progress,
    stop: &'a AtomicBool,
    keeping: Keeping<'a>,
    /// number of the batch's first tile
    first: usize,
    /// cells of earlier batches
    cells: usize,
    of_cells: usize,
    /// trials times cells of earlier batches
    simulated: u64,
    finished: usize,
}

impl Run<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Simulates these tiles to their ends, unless it is stopped before.
    fn batch<P: Planned>(
        &mut self,
        groups: &[Group],
        plans: &[P],
        sink: &(dyn Fn(CellTally) + Sync),
    ) -> Result<(), RunError> {
        let keep = self.task.kept.keep;
        let known = |(tile, plan): (usize, &P)| -> Option<Tally> {
            let tally = keep?.known(self.first + tile, &plan.work().layout())?;
            (self.progress).advance(tally.trials.saturating_mul(plan.work().cells() as u64));
            Some(tally)
        };
        let mut tallies: Vec<Option<Tally>> = plans.iter().enumerate().map(known).collect();
        let mut teams = self.teams(groups, plans, &tallies);
        while !self.stopped() {
            let open: Vec<usize> = (0..teams.len()).filter(|team| !teams[*team].done).collect();
            if open.is_empty() {
                break;
            }
            self.expect(&teams);
            self.round(open.iter().map(|team| &teams[*team]), plans, &mut tallies)?;
            if self.stopped() {
                break;
            }
            for (team, found) in open.iter().zip(self.look(&open, &teams, plans, &tallies)?) {
                let (team, (needed, cells)) = (&mut teams[*team], found);
                if needed > 1.0 && team.look < self.looks.most {
                    let next = self.looks.after(team.look);
                    // a float beyond the range becomes the largest whole number
                    let expected = (team.look as f64 * needed).ceil() as u64;
                    team.expected = expected.clamp(next, self.looks.most);
                    team.look = next;
                    continue;
                }
                (team.done, team.expected) = (true, team.look);
                self.finish(team, plans, &mut tallies, cells, sink)?;
            }
            if self.keeping.due() {
                self.pause(&tallies);
            }
        }
        if self.stopped() {
            self.pause(&tallies);
        }
        for team in &teams {
            self.cells += team.cells;
            let simulated = team.look.saturating_mul(team.cells as u64);
            self.simulated = self.simulated.saturating_add(simulated);
        }
        Ok(())
    }

    fn teams<P: Planned>(
        &self,
        groups: &[Group],
        plans: &[P],
        tallies: &[Option<Tally>],
    ) -> Vec<Team> {
        let mut teams: Vec<Team> = Vec::new();
        for tiles in groups.chunk_by(|group, next| group.team == next.team) {
            let start = teams.last().map_or(0, |team: &Team| team.tiles.end);
            let tiles = start..start + tiles.len();
            let had = tallies[tiles.clone()].iter().flatten().map(|t| t.trials);
            let look = self.looks.from(had.max().unwrap_or(0));
            teams.push(Team {
                cells: plans[tiles.clone()].iter().map(|p| p.work().cells()).sum(),
                tiles,
                look,
                expected: look,
                done: false,
            });
        }
        teams
    }

    /// Says how much there is to do, as far as can be told.
    fn expect(&self, teams: &[Team]) {
        let mut total = self.simulated;
        let mut cells = self.cells;
        for team in teams {
            total = total.saturating_add(team.expected.saturating_mul(team.cells as u64));
            cells += team.cells;
        }
        let later = (self.of_cells.saturating_sub(cells)) as u64;
        self.progress
            .expect(total.saturating_add(later.saturating_mul(self.looks.from(0))));
    }

    /// Brings the tiles of these teams to their next look.
    fn round<'t, P: Planned>(
        &mut self,
        teams: impl Iterator<Item = &'t Team>,
        plans: &[P],
        tallies: &mut [Option<Tally>],
    ) -> Result<(), RunError> {
        let (mut jobs, mut there) = (Vec::new(), Vec::new());
        for team in teams {
            for tile in team.tiles.clone() {
                match tallies[tile].take() {
                    Some(tally) if tally.trials == team.look => there.push((tile, tally)),
                    start => jobs.push((
                        tile,
                        Job {
                            work: plans[tile].work(),
                            trials: team.look,
                            chunks: 0..team.look.div_ceil(self.looks.chunk),
                            start,
                        },
                    )),
                }
            }
        }
        let there = Mutex::new(there);
        let take = |tile: usize, tally: Tally| {
            if self.task.on_error == OnError::Stop && !tally.faults.is_empty() {
                self.stop.store(true, Ordering::Relaxed);
            }
            let mut there = there.lock().unwrap_or_else(PoisonError::into_inner);
            there.push((tile, tally));
        };
        let tiles = (self.first, &there);
        let faulty =
            (self.keeping).simulate(jobs, tiles, self.schedule, self.progress, self.stop, &take)?;
        let done = there.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = (done.iter().chain(&faulty))
            .find_map(|(tile, tally)| self.task.fault(&plans[*tile], tally));
        drop(done);
        if let Some(fault) = fault {
            return Err(fault);
        }
        for (tile, tally) in there.into_inner().unwrap_or_else(PoisonError::into_inner) {
            tallies[tile] = Some(tally);
        }
        Ok(())
    }

    /// How many times as many trials each of these teams needs, and its cells.
    fn look<P: Planned>(
        &self,
        open: &[usize],
        teams: &[Team],
        plans: &[P],
        tallies: &[Option<Tally>],
    ) -> Result<Vec<(f64, Vec<CellTally>)>, RunError> {
        let found: Vec<OnceLock<(f64, Vec<CellTally>)>> =
            open.iter().map(|_| OnceLock::new()).collect();
        each(open.len(), self.task.jobs, &|index| {
            let mut cells = Vec::new();
            for tile in teams[open[index]].tiles.clone() {
                if let Some(tally) = &tallies[tile] {
                    plans[tile].read(tally, Order::new(), &mut |cell| cells.push(cell));
                }
            }
            cells.sort_by_key(|cell| cell.cell);
            // each index comes once
            let _ = found[index].set((self.until.judge.needed(&cells), cells));
        })?;
        let found = found.into_iter().map(OnceLock::into_inner);
        Ok(found
            .map(|found| found.unwrap_or((f64::INFINITY, Vec::new())))
            .collect())
    }

    /// Keeps the tallies of a team that has enough, and hands its cells on.
    fn finish<P: Planned>(
        &mut self,
        team: &Team,
        plans: &[P],
        tallies: &mut [Option<Tally>],
        cells: Vec<CellTally>,
        sink: &(dyn Fn(CellTally) + Sync),
    ) -> Result<(), RunError> {
        let done: Vec<(usize, Tally)> = (team.tiles.clone())
            .filter_map(|tile| Some((tile, tallies[tile].take()?)))
            .collect();
        if let Some(keep) = self.task.kept.keep {
            let kept = (done.iter()).all(|(tile, tally)| keep.finished(self.first + tile, tally));
            if !kept {
                self.stop.store(true, Ordering::Relaxed);
                return Ok(());
            }
        }
        let mut finished = 0;
        let mut hand_on = |cell| {
            finished += 1;
            sink(cell);
        };
        match self.task.quantiles {
            Quantiles::Histogram => cells.into_iter().for_each(hand_on),
            Quantiles::Exact { ranks } => {
                let ranks = |n| ranks(n, self.task.level);
                for (tile, tally) in &done {
                    let work = plans[*tile].work();
                    let order = order_statistics(work, tally, &ranks, self.schedule, self.stop)?;
                    if let Some(order) = order {
                        plans[*tile].read(tally, order, &mut hand_on);
                    }
                }
            }
        }
        self.finished += finished;
        Ok(())
    }

    /// Keeps what is known of the teams that are not finished.
    fn pause(&mut self, tallies: &[Option<Tally>]) {
        let open: Vec<(usize, &Tally)> = (tallies.iter().enumerate())
            .filter_map(|(tile, tally)| Some((self.first + tile, tally.as_ref()?)))
            .collect();
        if !open.is_empty() && !self.keeping.pause(&open) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_at_whole_chunks_and_end_with_all_trials() {
        let looks = Looks {
            chunk: 4096,
            at_least: 10_000,
            most: 30_000,
        };
        let mut found = vec![looks.from(0)];
        while found[found.len() - 1] < looks.most {
            found.push(looks.after(found[found.len() - 1]));
        }
        assert_eq!(found, [12_288, 16_384, 20_480, 28_672, 30_000]);
        // from wherever a run was broken off, the next look is the one that it would have come to
        for trials in 0..=looks.most {
            let next = found.iter().copied().find(|look| *look >= trials);
            assert_eq!(next, Some(looks.from(trials)));
        }
        // more trials leave the looks but the last where they were
        let more = Looks {
            most: 1 << 40,
            ..looks
        };
        assert_eq!(more.from(20_481), 28_672);
        assert_eq!(more.from(28_673), 36_864);
    }
}
