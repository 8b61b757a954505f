//! Many trials of a gate at once, position after position, on addressed draws.
//!
//! Row k of the threshold's noise is for the threshold after k positive answers, row i of the queries' and of the answers' noise for the query at
//! place i: a trial that stops early moves nothing, and all gates on all streams read the same rows.

use super::{Answering, Calibrated, Queries};

/// Standard Laplace noise of a block of trials, one variate each, by row.
pub trait Rows {
    /// Of the threshold after so many positive answers.
    fn threshold(&self, above: usize) -> &[f64];
    /// Of the query at this place.
    fn query(&self, place: usize) -> &[f64];
    /// Of the numeric answer to the query at this place.
    fn answer(&self, place: usize) -> &[f64];
}

/// What came of a block of trials: one value for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// positive answers
    pub above: Vec<u32>,
    /// positive answers to queries that are at or above their thresholds
    pub hits: Vec<u32>,
    /// queries that were answered before the gate closed or the stream ended
    pub answered: Vec<u32>,
    /// sum of the absolute errors of the numeric answers; 0 where there are none
    pub numeric_error: Vec<f64>,
    /// the answers as bits, the first query's lowest; of the first 64 queries
    pub bits: Vec<u64>,
    thresholds: Vec<f64>,
    open: Vec<u32>,
}

impl Played {
    fn start(&mut self, trials: usize) {
        for counts in [&mut self.above, &mut self.hits, &mut self.answered] {
            counts.clear();
            counts.resize(trials, 0);
        }
        self.numeric_error.clear();
        self.numeric_error.resize(trials, 0.0);
        self.bits.clear();
        self.bits.resize(trials, 0);
        self.open.clear();
        self.open.extend(0..trials as u32);
    }
}

/// A gate on a stream, ready to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Lockstep {
    gate: Calibrated,
    queries: Queries,
}

impl Lockstep {
    /// This gate on these queries.
    pub fn new(gate: Calibrated, queries: Queries) -> Lockstep {
        Lockstep { gate, queries }
    }

    /// The gate.
    pub fn gate(&self) -> &Calibrated {
        &self.gate
    }

    /// The queries.
    pub fn queries(&self) -> &Queries {
        &self.queries
    }

    /// Rows of the threshold's noise that may be read.
    pub fn threshold_rows(&self) -> usize {
        if self.gate.redrawn {
            self.gate.most(self.queries.len()) + 1
        } else {
            1
        }
    }

    /// Rows of the queries' noise that may be read.
    pub fn query_rows(&self) -> usize {
        if self.gate.query_scale > 0.0 {
            self.queries.len()
        } else {
            0
        }
    }

    /// Rows of the answers' noise that may be read.
    pub fn answer_rows(&self) -> usize {
        match self.gate.answering {
            Answering::Fresh(_) => self.queries.len(),
            Answering::Report | Answering::Revealed => 0,
        }
    }

    /// Plays `trials` trials; every row has as many values. Only products, sums and comparisons are used, so that the result is the same everywhere.
    pub fn play(&self, trials: usize, rows: &impl Rows, out: &mut Played) {
        out.start(trials);
        let gate = &self.gate;
        let stop = gate
            .limit
            .map_or(u32::MAX, |limit| u32::try_from(limit).unwrap_or(u32::MAX));
        out.thresholds.clear();
        let first = rows.threshold(0)[..trials].iter();
        (out.thresholds).extend(first.map(|noise| gate.threshold_scale * noise));
        for (place, gap) in self.queries.gaps().iter().enumerate() {
            if out.open.is_empty() {
                break;
            }
            let noise = (gate.query_scale > 0.0).then(|| rows.query(place));
            let hit = u32::from(self.queries.is_above(place));
            let mut kept = 0;
            for index in 0..out.open.len() {
                let trial = out.open[index] as usize;
                let error = noise.map_or(0.0, |noise| gate.query_scale * noise[trial]);
                out.answered[trial] += 1;
                if gap + error >= out.thresholds[trial] {
                    out.above[trial] += 1;
                    out.hits[trial] += hit;
                    if place < 64 {
                        out.bits[trial] |= 1 << place;
                    }
                    match gate.answering {
                        Answering::Report => {}
                        Answering::Fresh(scale) => {
                            let noise = rows.answer(place)[trial];
                            out.numeric_error[trial] += (scale * noise).abs();
                        }
                        Answering::Revealed => out.numeric_error[trial] += error.abs(),
                    }
                    if out.above[trial] == stop {
                        continue;
                    }
                    if gate.redrawn {
                        let noise = rows.threshold(out.above[trial] as usize)[trial];
                        out.thresholds[trial] = gate.threshold_scale * noise;
                    }
                }
                out.open[kept] = out.open[index];
                kept += 1;
            }
            out.open.truncate(kept);
        }
    }
}
