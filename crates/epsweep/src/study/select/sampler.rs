//! How choices are drawn. The path is a part of the experiment: it decides which random numbers make which choice, and with it how cells
//! pair; it does not change the law.

use crate::engine::At;
use epsweep_core::random::{Draws, StandardLaw};
use epsweep_core::selection::sampler::{AliasTable, InverseCdf, NoisyMax, Race, Successive};
use epsweep_core::selection::top_k::{Slots, TopK};
use epsweep_core::selection::{ChoiceLaw, Mechanism, Problem, uniforms};

/// A way from random numbers to a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Path {
    /// one uniform variate for each slot, through the distribution function of the candidates from best to worst: cells that share
    /// their draws are paired as closely as can be
    #[default]
    InverseCdf,
    /// a table of aliases: the fastest for repeated choices among the same candidates
    Alias,
    /// noise for every candidate, vectorised
    NoisyMax,
    /// the definition of the mechanism, step by step
    Literal,
}

impl Path {
    /// All of them.
    pub const ALL: &[Path] = &[Path::InverseCdf, Path::Alias, Path::NoisyMax, Path::Literal];

    /// The name in an experiment file.
    pub fn name(self) -> &'static str {
        match self {
            Path::InverseCdf => "inverse-cdf",
            Path::Alias => "alias",
            Path::NoisyMax => "noisy-max",
            Path::Literal => "literal",
        }
    }

    /// What it does, in one line.
    pub fn summary(self) -> &'static str {
        match self {
            Path::InverseCdf => {
                "one uniform variate for each slot, through the distribution function from best to worst: cells are paired (the default)"
            }
            Path::Alias => "a table of aliases: the fastest for many trials; cells are not paired",
            Path::NoisyMax => "noise for every candidate",
            Path::Literal => "the definition of the mechanism, step by step",
        }
    }
}

/// What chooses.
#[derive(Clone, Copy, Debug)]
pub enum Chooser {
    /// one candidate
    One(&'static dyn Mechanism),
    /// several candidates
    Several(&'static dyn TopK),
}

impl Chooser {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Chooser::One(mechanism) => mechanism.about().name,
            Chooser::Several(mechanism) => mechanism.about().name,
        }
    }
}

/// A sampler of one cell, built once.
#[derive(Clone, Debug)]
pub enum Sampler {
    /// one candidate by [`Path::InverseCdf`]
    InverseCdf(InverseCdf),
    /// several by [`Path::InverseCdf`]
    Successive(Successive),
    /// one by [`Path::Alias`]
    Alias(AliasTable),
    /// one or several by [`Path::NoisyMax`], with exponential variates in place of Gumbel noise
    Race(Race),
    /// one by [`Path::NoisyMax`], with the noise of that law
    NoisyMax(NoisyMax, StandardLaw),
    /// one by [`Path::Literal`]
    Literal(&'static dyn Mechanism, Box<Problem>),
    /// several by [`Path::Literal`]
    LiteralSeveral(&'static dyn TopK, Box<Problem>, Slots),
}

impl Sampler {
    /// The sampler of one candidate by that path. `None` where the mechanism has no such path: noise for every candidate is what
    /// report-noisy-max adds, and the Gumbel kind of it is the exponential mechanism.
    pub fn one(
        path: Path,
        mechanism: &'static dyn Mechanism,
        problem: Problem,
        law: &ChoiceLaw,
    ) -> Option<Sampler> {
        Some(match path {
            Path::InverseCdf => Sampler::InverseCdf(InverseCdf::new(&problem, law)),
            Path::Alias => Sampler::Alias(AliasTable::new(law)),
            Path::NoisyMax => Self::noisy_max(mechanism, &problem)?,
            Path::Literal => Sampler::Literal(mechanism, Box::new(problem)),
        })
    }

    /// The sampler of one candidate by a path that does without the exact law; `None` as [`Sampler::one`], or if the path needs the law.
    pub fn one_without_law(
        path: Path,
        mechanism: &'static dyn Mechanism,
        problem: Problem,
    ) -> Option<Sampler> {
        match path {
            Path::InverseCdf | Path::Alias => None,
            Path::NoisyMax => Self::noisy_max(mechanism, &problem),
            Path::Literal => Some(Sampler::Literal(mechanism, Box::new(problem))),
        }
    }

    fn noisy_max(mechanism: &'static dyn Mechanism, problem: &Problem) -> Option<Sampler> {
        match (mechanism.about().name, mechanism.noise()) {
            ("exponential", _) | (_, Some(StandardLaw::Gumbel)) => {
                Some(Sampler::Race(Race::new(problem)))
            }
            (_, Some(law)) => Some(Sampler::NoisyMax(NoisyMax::new(problem), law)),
            (_, None) => None,
        }
    }

    /// The sampler of several candidates by that path; `None` where there is none: a table of aliases holds one choice, and one noise for every
    /// candidate shares ε evenly.
    pub fn several(
        path: Path,
        mechanism: &'static dyn TopK,
        problem: Problem,
        slots: Slots,
    ) -> Option<Sampler> {
        match path {
            Path::InverseCdf => Some(Sampler::Successive(Successive::new(&problem, &slots))),
            Path::Alias => None,
            Path::NoisyMax => {
                (slots.is_even()).then(|| Sampler::Race(Race::top(&problem, slots.count())))
            }
            Path::Literal => Some(Sampler::LiteralSeveral(mechanism, Box::new(problem), slots)),
        }
    }

    /// The law of the variates that it takes, and the rows of them that it reads: none where each trial has a stream of its own.
    pub fn draws(&self, slots: usize) -> (StandardLaw, usize) {
        match self {
            Sampler::InverseCdf(_) | Sampler::Successive(_) => (StandardLaw::Uniform, slots),
            Sampler::Alias(_) => (StandardLaw::Bits, 1),
            Sampler::Race(_) => (StandardLaw::Exponential, 1),
            Sampler::NoisyMax(_, law) => (*law, 1),
            Sampler::Literal(..) | Sampler::LiteralSeveral(..) => (StandardLaw::Uniform, 1),
        }
    }

    /// Chooses in a block of trials: `chosen` gets the ranks, one for each slot, trial after trial. `own` is a worker's copy, for samplers
    /// that need room.
    pub fn choose(
        &self,
        source: usize,
        draws: &Draws,
        at: At,
        own: &mut Option<Sampler>,
        chosen: &mut [u32],
    ) {
        let slots = chosen.len() / at.len;
        match self {
            Sampler::InverseCdf(cdf) => cdf.draw_row(at.of(draws.row(source, 0)), chosen),
            Sampler::Alias(table) => table.draw_row(at.of(draws.row(source, 0)), chosen),
            Sampler::Successive(sampler) => {
                let rows: Vec<&[f64]> = (0..slots).map(|s| at.of(draws.row(source, s))).collect();
                for (trial, chosen) in chosen.chunks_exact_mut(slots).enumerate() {
                    sampler.draw(|slot| rows[slot][trial], chosen);
                }
            }
            _ => {
                let own = own.get_or_insert_with(|| self.clone());
                for (trial, chosen) in chosen.chunks_exact_mut(slots).enumerate() {
                    own.choose_trial(source, draws, at.first + trial, chosen);
                }
            }
        }
    }

    /// One trial, with a stream of its own.
    fn choose_trial(&mut self, source: usize, draws: &Draws, trial: usize, chosen: &mut [u32]) {
        let mut stream = draws.trial(source, trial);
        match self {
            Sampler::Race(race) if chosen.len() == 1 => chosen[0] = race.choose(&mut stream) as u32,
            Sampler::Race(race) => {
                let several = race.choose_several(chosen.len(), &mut stream);
                (chosen.iter_mut().zip(several)).for_each(|(to, index)| *to = index as u32);
            }
            Sampler::NoisyMax(noisy, _) => chosen[0] = noisy.choose(&mut stream) as u32,
            Sampler::Literal(mechanism, problem) => {
                let mut uniforms = uniforms(stream);
                chosen[0] = mechanism.choose(problem, &mut uniforms) as u32;
            }
            Sampler::LiteralSeveral(mechanism, problem, slots) => {
                let mut uniforms = uniforms(stream);
                // uneven slots were refused where the mechanism cannot have them
                if let Ok(several) = mechanism.choose(problem, slots, &mut uniforms) {
                    (chosen.iter_mut().zip(several)).for_each(|(to, index)| *to = index as u32);
                }
            }
            // these read rows
            Sampler::InverseCdf(_) | Sampler::Successive(_) | Sampler::Alias(_) => {}
        }
    }
}
