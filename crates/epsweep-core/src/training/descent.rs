//! Private gradient descent of eight trials at once.

use super::error::{TrainingError, positive};
use super::examples::Examples;
use super::kernel::{self, Lane};
use super::model::Model;
use super::noise::{NoisePlan, Spender};
use super::schedule::Progress;
use crate::accounting::SamplingProbability;
use crate::random::isa::LANES;
use crate::random::{Level, TrialStream};

/// Which iterates make the result. To average costs no privacy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Average {
    /// the last one
    #[default]
    Last,
    /// the mean of the second half of them (Rakhlin, Shamir and Sridharan, ICML 2012: suffix averaging)
    Tail,
    /// the mean of all after the first step (Bassily, Smith and Thakurta, FOCS 2014)
    All,
}

impl Average {
    /// All of them.
    pub const ALL: &[Average] = &[Average::Last, Average::Tail, Average::All];

    /// The name in an experiment file.
    pub fn name(self) -> &'static str {
        match self {
            Average::Last => "last",
            Average::Tail => "tail",
            Average::All => "all",
        }
    }

    /// The first step whose iterate counts, of so many; steps are counted from 1.
    pub(super) fn first(self, steps: usize) -> usize {
        match self {
            Average::Last => steps,
            Average::Tail => steps / 2 + 1,
            Average::All => 1,
        }
    }
}

/// How to descend. From w = 0, each step takes v ← momentum·v + (Σ clipped gradients + noise)/(q·n) + ridge·w and w ← w − rate·v.
///
/// The number of records n is taken as public, as is usual (the size of a lot in Abadi et al., CCS 2016): what neighbours by addition or removal must
/// not reveal is who is in the data, and the noise hides that in the sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Descent {
    /// the model
    pub model: Model,
    /// the learning rate
    pub rate: f64,
    /// how much of the last direction is kept, from 0 to below 1
    pub momentum: f64,
    /// C: the L2 norm to which each record's gradient is clipped; infinite for no clipping, which has no privacy
    pub clip: f64,
    /// weight of ½‖w‖² in the objective
    pub ridge: f64,
    /// q: the probability of each record to be in a step's sample
    pub sampling: SamplingProbability,
    /// what the result is
    pub average: Average,
    /// steps after which the loss of the iterate is recorded, in ascending order; 0 is before the first
    pub recorded: Vec<usize>,
}

impl Descent {
    /// Sees that the numbers are in their domains.
    ///
    /// # Errors
    /// [`TrainingError::Parameter`] if the rate or the clipping norm is not positive, momentum is not within [0, 1), or the ridge is negative
    pub fn validate(&self) -> Result<(), TrainingError> {
        positive("the learning rate", self.rate, "1 is a beginning")?;
        if !(self.clip > 0.0) {
            positive(
                "the clipping norm",
                self.clip,
                "the usual norm of a gradient is a beginning",
            )?;
        }
        let within = |what, value: f64, good: bool, rule| match good {
            true => Ok(()),
            false => Err(TrainingError::Parameter {
                what,
                value,
                rule,
                remedy: "leave it out for 0",
            }),
        };
        within(
            "the momentum",
            self.momentum,
            (0.0..1.0).contains(&self.momentum),
            "must be at least 0 and below 1",
        )?;
        within(
            "the ridge",
            self.ridge,
            self.ridge >= 0.0 && self.ridge.is_finite(),
            "must be finite and at least 0",
        )
    }

    /// Descends eight times. The noise of step k is the k-th stretch of `features` variates of a lane's normal stream, whatever came before.
    pub fn run(&self, data: &Data<'_>, plan: &NoisePlan, draws: Streams<'_>, room: &mut Room) {
        let d = data.examples.features();
        room.reset(d, self.recorded.len());
        let mut spenders: [Spender<'_>; LANES] = std::array::from_fn(|_| plan.spender());
        let mut samples = draws.samples.map(|streams| {
            let log_rest = -libm::log1p(-self.sampling.get());
            streams
                .each_mut()
                .map(|stream| Skips::new(stream, log_rest))
        });
        let divisor = self.sampling.get() * data.examples.len() as f64;
        let first = self.average.first(plan.steps());
        let mut recorded = 0;
        self.record(data, 0, &mut recorded, room);
        for step in 1..=plan.steps() {
            let multipliers = spenders.each_mut().map(Spender::pay);
            room.sums.fill([0.0; LANES]);
            if multipliers.iter().any(Option::is_some) {
                self.sum(data, samples.as_mut(), room);
            }
            for (lane, multiplier) in multipliers.into_iter().enumerate() {
                draws.noise[lane].fill(&mut room.variates);
                let Some(multiplier) = multiplier else {
                    continue;
                };
                let sigma = multiplier * self.clip;
                let mut length = 0.0;
                for (j, z) in room.variates.iter().enumerate() {
                    let noisy = room.sums[j][lane] + sigma * z;
                    length += noisy * noisy;
                    let w = &mut room.current[j][lane];
                    let v = &mut room.velocity[j][lane];
                    *v = self.momentum * *v + (noisy / divisor + self.ridge * *w);
                    *w -= self.rate * *v;
                }
                spenders[lane].released(&Progress {
                    length,
                    noise: d as f64 * sigma * sigma,
                });
                room.steps[lane] = step as f64;
            }
            for (lane, paid) in multipliers.iter().enumerate() {
                // of one that has ended early, the iterates that it has: the last always counts
                if paid.is_some() && (step >= first || self.average == Average::Last) {
                    room.add(lane, self.average == Average::Last);
                }
            }
            self.record(data, step, &mut recorded, room);
        }
        for (lane, spender) in spenders.iter().enumerate() {
            room.finish(lane);
            room.spent[lane] = spender.spent();
        }
    }

    /// Σ of the clipped gradients.
    fn sum(&self, data: &Data<'_>, samples: Option<&mut [Skips<'_>; LANES]>, room: &mut Room) {
        let (examples, limits, level) = (data.examples, data.limits, data.level);
        match samples {
            None => kernel::gradient(
                level,
                self.model,
                examples,
                limits,
                &room.current,
                &mut room.sums,
            ),
            Some(samples) => {
                for (skips, sample) in samples.iter_mut().zip(&mut room.samples) {
                    skips.sample(examples.len(), sample);
                }
                kernel::sampled_gradient(
                    level,
                    self.model,
                    examples,
                    limits,
                    &room.samples,
                    &room.current,
                    &mut room.tile,
                    &mut room.sums,
                );
            }
        }
    }

    fn record(&self, data: &Data<'_>, step: usize, recorded: &mut usize, room: &mut Room) {
        if self.recorded.get(*recorded) == Some(&step) {
            let (losses, _) = kernel::judge(data.level, self.model, data.examples, &room.current);
            room.losses[*recorded] = losses;
            *recorded += 1;
        }
    }
}

/// What is learnt from.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// the records
    pub examples: &'a Examples,
    /// [`kernel::limits`] of them at the clipping norm
    pub limits: &'a [f64],
    /// the instruction set; results do not depend on it
    pub level: Level,
}

/// The draws of eight trials.
#[derive(Debug)]
pub struct Streams<'a> {
    /// normal variates
    pub noise: &'a mut [TrialStream; LANES],
    /// exponential variates that make the samples, where q is below 1
    pub samples: Option<&'a mut [TrialStream; LANES]>,
}

/// Working memory and results of eight trials.
#[derive(Debug, Default)]
pub struct Room {
    current: Vec<Lane>,
    velocity: Vec<Lane>,
    sums: Vec<Lane>,
    tile: Vec<Lane>,
    totals: Vec<Lane>,
    counted: Lane,
    variates: Vec<f64>,
    samples: [Vec<u32>; LANES],
    /// the result: one entry per feature
    pub parameters: Vec<Lane>,
    /// losses of the iterates at the steps that are recorded
    pub losses: Vec<Lane>,
    /// steps that were taken
    pub steps: Lane,
    /// what was spent, in parts of the budget
    pub spent: Lane,
}

impl Room {
    fn reset(&mut self, features: usize, recorded: usize) {
        for numbers in [
            &mut self.current,
            &mut self.velocity,
            &mut self.sums,
            &mut self.tile,
            &mut self.totals,
            &mut self.parameters,
        ] {
            numbers.clear();
            numbers.resize(features, [0.0; LANES]);
        }
        self.losses.clear();
        self.losses.resize(recorded, [0.0; LANES]);
        self.variates.resize(features, 0.0);
        (self.steps, self.spent, self.counted) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
    }

    fn add(&mut self, lane: usize, alone: bool) {
        if alone {
            self.counted[lane] = 0.0;
        }
        for (total, current) in self.totals.iter_mut().zip(&self.current) {
            total[lane] = current[lane] + if alone { 0.0 } else { total[lane] };
        }
        self.counted[lane] += 1.0;
    }

    fn finish(&mut self, lane: usize) {
        for (j, to) in self.parameters.iter_mut().enumerate() {
            to[lane] = match self.counted[lane] {
                // ended before the iterates that count: what it had then
                0.0 => self.current[j][lane],
                count => self.totals[j][lane] / count,
            };
        }
    }
}

/// Poisson samples by the gaps between their records: a gap is geometric, ⌊E/−ln(1 − q)⌋ for an exponential E.
struct Skips<'a> {
    stream: &'a mut TrialStream,
    log_rest: f64,
    block: [f64; 256],
    used: usize,
}

impl<'a> Skips<'a> {
    fn new(stream: &'a mut TrialStream, log_rest: f64) -> Skips<'a> {
        Skips {
            stream,
            log_rest,
            block: [0.0; 256],
            used: 256,
        }
    }

    /// The records of the next sample, in ascending order.
    fn sample(&mut self, records: usize, to: &mut Vec<u32>) {
        to.clear();
        let mut next = 0usize;
        loop {
            if self.used == self.block.len() {
                self.stream.fill(&mut self.block);
                self.used = 0;
            }
            // a gap too long for an integer is the longest one
            let gap = (self.block[self.used] / self.log_rest) as usize;
            self.used += 1;
            next = next.saturating_add(gap);
            if next >= records {
                return;
            }
            to.push(next as u32);
            next += 1;
        }
    }
}
