//! The three stages, resolved.

use crate::accounting::filter::Spend;
use crate::accounting::{Ledger, LedgerError};
use crate::budget::{Budget, Epsilon, Shares};
use crate::data::{DataError, Table};
#[cfg(test)]
use crate::random::Draws;
use crate::random::{Source, StandardLaw};
use crate::selection::sampler::InverseCdf;
use crate::selection::{self, Calibration, Form, Problem, SelectionError, utility};
use crate::sensitivity::Neighbours;
use crate::theory::{LaplaceMixture, Of, Part};

/// Where the bound comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// the quantile of this order is aimed at, among so many candidates at equal distances within the declared bounds
    Quantile {
        /// from 0 to 1
        order: f64,
        /// number of candidates
        points: usize,
    },
    /// it is public
    Declared(f64),
}

/// Why there is no pipeline.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// shares that the stages cannot work with
    #[error("{what}: {remedy}")]
    Shares {
        /// what is wrong
        what: String,
        /// what to do
        remedy: &'static str,
    },
    /// a bound outside the column's
    #[error(
        "the bound {bound:?} lies outside the column's declared bounds, {low:?} to {high:?}: choose one within"
    )]
    Outside {
        /// the bound
        bound: f64,
        /// the column's lower bound
        low: f64,
        /// its upper bound
        high: f64,
    },
    /// the data do not suit
    #[error(transparent)]
    Data(#[from] DataError),
    /// the choice cannot be made
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// the spends do not fit into the budget
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Σ x
    Sum,
    /// the number of records
    Count,
    /// their mean
    Mean,
}

impl Answer {
    /// All, in the order in which they are reported.
    pub const ALL: &[Answer] = &[Answer::Sum, Answer::Count, Answer::Mean];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Answer::Sum => "sum",
            Answer::Count => "count",
            Answer::Mean => "mean",
        }
    }
}

/// The three stages on a column of data.
#[derive(Clone, Debug)]
pub struct Stages {
    bounds: Vec<f64>,
    probabilities: Vec<f64>,
    sampler: Option<InverseCdf>,
    /// Σ min(x, B) less Σ x
    biases: Vec<f64>,
    /// Laplace scales of the sum
    scales: Vec<f64>,
    count_scale: f64,
    sum: f64,
    count: f64,
    largest: f64,
}

impl Stages {
    /// From a column with declared bounds, ε, and its shares for choosing, summing and counting. Neighbours differ by the addition or removal of a record.
    ///
    /// # Errors
    /// [`PipelineError`] if a stage that runs has no share, or one that does not run has one, the bound is outside the column's, or the column is not
    /// there or has no bounds
    pub fn new(
        table: &Table,
        column: &str,
        bound: Bound,
        epsilon: Epsilon,
        shares: &Shares,
    ) -> Result<Stages, PipelineError> {
        let &[choosing, summing, counting] = shares.as_slice() else {
            return Err(PipelineError::Shares {
                what: format!("{} shares for three stages", shares.as_slice().len()),
                remedy: "give one for choosing, one for summing and one for counting",
            });
        };
        for (share, stage) in [(summing, "sum"), (counting, "count")] {
            if !(share > 0.0) {
                return Err(PipelineError::Shares {
                    what: format!("the {stage} has no share of the budget"),
                    remedy: "give it a share above 0",
                });
            }
        }
        let (values, declared) = table.column(column)?.bounded()?;
        let (low, high) = (declared.low(), declared.high());
        let mut ledger = Ledger::new(Budget::Pure(epsilon));
        let parts = [("choose", choosing), ("sum", summing), ("count", counting)];
        let plan =
            parts.map(|(stage, share)| (stage.to_owned(), Spend::Pure(share * epsilon.get())));
        ledger.spend_all(&plan)?;
        let (bounds, probabilities, sampler) = match bound {
            Bound::Declared(bound) => {
                if choosing > 0.0 {
                    return Err(PipelineError::Shares {
                        what: "a declared bound costs nothing, but choosing has a share".to_owned(),
                        remedy: "give it the share 0",
                    });
                }
                if !(bound >= low && bound <= high) {
                    return Err(PipelineError::Outside { bound, low, high });
                }
                (vec![bound], vec![1.0], None)
            }
            Bound::Quantile { order, points } => {
                if !(choosing > 0.0) {
                    return Err(PipelineError::Shares {
                        what: "choosing has no share of the budget".to_owned(),
                        remedy: "give it a share above 0, or declare the bound",
                    });
                }
                let bounds = utility::grid(declared, points);
                let scored = utility::rank(table, column, order, &bounds, Neighbours::AddRemove)?;
                let calibration = Calibration::new(
                    choosing * epsilon.get(),
                    scored.sensitivity,
                    scored.movement,
                    Form::General,
                )?;
                let problem = Problem::new(scored.scores, calibration)?;
                let law = selection::REGISTRY[0].law(&problem)?;
                let probabilities = law.probabilities().to_vec();
                (bounds, probabilities, Some(InverseCdf::new(&problem, &law)))
            }
        };
        let sum = crate::summation::sum(values);
        let biases = (bounds.iter())
            .map(|bound| {
                let lost: Vec<f64> = values.iter().map(|x| (bound - x).min(0.0)).collect();
                crate::summation::sum(&lost)
            })
            .collect();
        let scales = (bounds.iter())
            .map(|bound| bound.abs().max(low.abs()) / (summing * epsilon.get()))
            .collect();
        Ok(Stages {
            biases,
            scales,
            bounds,
            probabilities,
            sampler,
            count_scale: 1.0 / (counting * epsilon.get()),
            sum,
            count: values.len() as f64,
            largest: low.abs().max(high.abs()),
        })
    }

    /// The candidates, in ascending order.
    pub fn bounds(&self) -> &[f64] {
        &self.bounds
    }

    /// The exact probability of each.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Laplace scale of the sum, for each candidate.
    pub fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// Σ min(x, B) − Σ x, for each candidate: at most 0.
    pub fn biases(&self) -> &[f64] {
        &self.biases
    }

    /// Laplace scale of the count.
    pub fn count_scale(&self) -> f64 {
        self.count_scale
    }

    /// The largest magnitude that the declared bounds allow.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// The true answer.
    pub fn truth(&self, answer: Answer) -> f64 {
        match answer {
            Answer::Sum => self.sum,
            Answer::Count => self.count,
            Answer::Mean => self.sum / self.count,
        }
    }

    /// A magnitude that the errors of an answer are of: their root mean square, for the mean to first order.
    pub fn spread(&self, answer: Answer) -> f64 {
        let square = |(k, p): (usize, &f64)| {
            p * (self.biases[k] * self.biases[k] + 2.0 * self.scales[k] * self.scales[k])
        };
        let sum: f64 = self.probabilities.iter().enumerate().map(square).sum();
        match answer {
            Answer::Sum => sum.sqrt(),
            Answer::Count => std::f64::consts::SQRT_2 * self.count_scale,
            Answer::Mean => {
                let mean = self.truth(Answer::Mean) * self.count_scale;
                (sum + 2.0 * mean * mean).sqrt() / self.count
            }
        }
    }

    /// What is drawn in a trial: uniform variates for the choice, where there is one, and Laplace variates for sum and count.
    pub fn sources(&self) -> Vec<Source> {
        let mut sources = vec![
            Source::new("clip-then-sum/sum", StandardLaw::Laplace, 1),
            Source::new("clip-then-sum/count", StandardLaw::Laplace, 1),
        ];
        if self.sampler.is_some() {
            sources.push(Source::new("clip-then-sum/bound", StandardLaw::Uniform, 1));
        }
        sources
    }

    /// The place of the bound that a uniform variate chooses.
    pub fn choose(&self, uniform: f64) -> usize {
        self.sampler
            .as_ref()
            .map_or(0, |sampler| sampler.draw(uniform))
    }

    /// The signed error of an answer, from the place of the bound and the standard variates of sum and count.
    pub fn error(&self, answer: Answer, place: usize, sum: f64, count: f64) -> f64 {
        let of_sum = self.biases[place] + self.scales[place] * sum;
        let of_count = self.count_scale * count;
        match answer {
            Answer::Sum => of_sum,
            Answer::Count => of_count,
            Answer::Mean => {
                (self.sum + of_sum) / (self.count + of_count).max(1.0) - self.sum / self.count
            }
        }
    }

    /// The exact law of a function of an answer's error. Of the mean, whose noise is a ratio, moments alone, by quadrature over the noise of the count.
    pub fn law(&self, answer: Answer, of: Of) -> LaplaceMixture {
        let sums = || {
            (self.probabilities.iter().enumerate())
                .filter(|(_, p)| **p > 0.0)
                .map(|(place, p)| (place, *p))
        };
        match answer {
            Answer::Sum => {
                let part = |(place, probability): (usize, f64)| Part {
                    probability,
                    shift: self.biases[place],
                    scale: self.scales[place],
                };
                LaplaceMixture::new(sums().map(part).collect(), of)
            }
            Answer::Count => {
                let part = Part {
                    probability: 1.0,
                    shift: 0.0,
                    scale: self.count_scale,
                };
                LaplaceMixture::new(vec![part], of)
            }
            Answer::Mean => {
                let mean = self.truth(Answer::Mean);
                let mut parts = Vec::new();
                for (count, weight) in self.counts() {
                    for (place, probability) in sums() {
                        parts.push(Part {
                            probability: probability * weight,
                            shift: (self.sum + self.biases[place]) / count - mean,
                            scale: self.scales[place] / count,
                        });
                    }
                }
                LaplaceMixture::of_nodes(parts, of)
            }
        }
    }

    /// Noisy counts, at least 1, with their weights: Gauss–Legendre rules on stretches of the exponential law to either side of the true count.
    ///
    /// On a stretch neither e^−E nor the count C itself, of which means are inverse powers, changes by much: the rules are exact to 1e−10 for
    /// 1/C and 1/C², however far the noise is above the count.
    fn counts(&self) -> Vec<(f64, f64)> {
        /// A stretch of E, in which e^−E falls by a factor of e.
        const WIDTH: f64 = 1.0;
        const STRETCHES: usize = 40;
        /// By what the count changes in a stretch at most.
        const RATIO: f64 = std::f64::consts::SQRT_2;
        let mut nodes = Vec::new();
        let mut add = |sign: f64, low: f64, high: f64| {
            let (half, middle) = (0.5 * (high - low), 0.5 * (high + low));
            for (node, weight) in crate::numeric::LEGENDRE_5 {
                let e = middle + half * node;
                let count = (self.count + sign * self.count_scale * e).max(1.0);
                nodes.push((count, 0.5 * half * weight * libm::exp(-e)));
            }
        };
        // where the count falls below 1
        let floor = (self.count - 1.0) / self.count_scale;
        let most = WIDTH * STRETCHES as f64;
        for (sign, end) in [(1.0, most), (-1.0, most.min(floor))] {
            let mut ends: Vec<f64> = (1..=STRETCHES).map(|k| WIDTH * k as f64).collect();
            let mut factor = RATIO;
            loop {
                let count = if sign > 0.0 {
                    self.count * factor
                } else {
                    self.count / factor
                };
                let e = (count - self.count).abs() / self.count_scale;
                if e >= end || count < 1.0 {
                    break;
                }
                ends.push(e);
                factor *= RATIO;
            }
            ends.retain(|e| *e < end);
            ends.push(end);
            ends.sort_by(f64::total_cmp);
            let mut low = 0.0;
            for high in ends {
                // the ends of two kinds may fall together
                if high > low {
                    add(sign, low, high);
                    low = high;
                }
            }
        }
        let below = 0.5 * libm::exp(-floor);
        nodes.push((1.0, below));
        // what the rules and the end of the tail leave out is shared out
        let total: f64 = nodes.iter().map(|(_, weight)| weight).sum();
        nodes
            .iter()
            .map(|(count, weight)| (*count, weight / total))
            .collect()
    }

    /// Simulates trials for tests: the errors of an answer.
    #[cfg(test)]
    pub(super) fn simulate(&self, answer: Answer, seed: u64, trials: usize) -> Vec<f64> {
        let draws = Draws::new(seed, trials, &self.sources());
        let (sums, counts) = (draws.row(0, 0), draws.row(1, 0));
        let chosen = |t: usize| match self.sampler {
            Some(_) => self.choose(draws.row(2, 0)[t]),
            None => 0,
        };
        (0..trials)
            .map(|t| self.error(answer, chosen(t), sums[t], counts[t]))
            .collect()
    }
}
