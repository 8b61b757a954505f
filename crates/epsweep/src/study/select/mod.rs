//! A selection: what one of its cells is.

mod ranking;
mod sampler;

pub use ranking::{MOST_SLOTS, Ranking, discount};
pub use sampler::{Chooser, Path, Sampler};

use epsweep_core::about::About;
use epsweep_core::selection::top_k::OrderedLaw;
use std::sync::Arc;

/// Who is counted as "others" in results.
pub const OTHERS: &str = "others";

/// What it does with a budget.
pub const ABOUT: About = About {
    name: "select",
    summary: "a candidate chosen by its score, or several slots filled",
    formula: "P(candidate) ∝ exp(ε·score/(2Δ)) of the exponential mechanism",
    source: "McSherry and Talwar, FOCS 2007",
};

/// An example of its section.
pub const EXAMPLE: &str =
    "[procedure.select]\nscores = [9, 4, 7]\nnames = [\"a\", \"b\", \"c\"]\nsensitivity = 1\n";

/// A cell of a selection: candidates from which one or several are chosen in each trial.
#[derive(Clone, Debug)]
pub struct SelectCell {
    /// canonical text of the cell: names it, and its streams where they are independent
    pub id: String,
    /// the candidates
    pub ranking: Arc<Ranking>,
    /// how many are chosen, at least 1
    pub slots: usize,
    /// the mechanism
    pub chooser: Chooser,
    /// how it is drawn
    pub path: Path,
    /// what draws it; candidates are known by their ranks
    pub sampler: Arc<Sampler>,
    /// the exact law of the choice
    pub law: Arc<ExactLaw>,
}

/// What is known exactly of a choice.
#[derive(Clone, Debug, PartialEq)]
pub enum ExactLaw {
    /// the probability of each rank
    One(Vec<f64>),
    /// ranks in the order of the slots, one after another, and the probability of each ordered choice
    Several {
        /// `slots` ranks for each choice
        orders: Vec<u32>,
        /// one for each choice
        probabilities: Vec<f64>,
    },
    /// nothing: it would cost too much
    Unknown,
}

/// Most ordered choices of several candidates that are listed.
const MOST_ORDERS: f64 = 60_000.0;

impl ExactLaw {
    /// The law of an ordered choice of `slots` among `permitted` candidates, where there are not too many.
    pub fn several(law: &OrderedLaw<'_>, slots: usize, permitted: usize) -> ExactLaw {
        let count: f64 = (0..slots).map(|slot| (permitted - slot) as f64).product();
        if !(count <= MOST_ORDERS) {
            return ExactLaw::Unknown;
        }
        let (mut orders, mut probabilities) = (Vec::new(), Vec::new());
        let visited = law.for_each(|order, probability| {
            orders.extend(order.iter().map(|rank| *rank as u32));
            probabilities.push(probability);
        });
        match visited {
            Ok(()) => ExactLaw::Several {
                orders,
                probabilities,
            },
            Err(_) => ExactLaw::Unknown,
        }
    }

    /// Each possible choice, as ranks in the order of the slots, with its probability; `None` where nothing is known.
    pub fn choices(&self) -> Option<Vec<(Vec<u32>, f64)>> {
        match self {
            ExactLaw::One(probabilities) => Some(
                (probabilities.iter().enumerate())
                    .map(|(rank, p)| (vec![rank as u32], *p))
                    .collect(),
            ),
            ExactLaw::Several {
                orders,
                probabilities,
            } => {
                let slots = orders.len() / probabilities.len().max(1);
                Some(
                    (orders.chunks_exact(slots.max(1)).zip(probabilities))
                        .map(|(order, p)| (order.to_vec(), *p))
                        .collect(),
                )
            }
            ExactLaw::Unknown => None,
        }
    }

    /// The probability of each of the best `shown` ranks to be among those chosen.
    pub fn inclusion(&self, shown: usize) -> Option<Vec<f64>> {
        match self {
            ExactLaw::One(probabilities) => Some(probabilities[..shown].to_vec()),
            ExactLaw::Several { .. } => {
                let mut included = vec![0.0; shown];
                for (order, p) in self.choices()? {
                    for rank in order {
                        if let Some(sum) = included.get_mut(rank as usize) {
                            *sum += p;
                        }
                    }
                }
                included.iter_mut().for_each(|p| *p = p.min(1.0));
                Some(included)
            }
            ExactLaw::Unknown => None,
        }
    }

    /// A text that is the same for equal laws; `None` where nothing is known.
    pub fn key(&self) -> Option<String> {
        let mut hash = blake3::Hasher::new();
        let probabilities = match self {
            ExactLaw::One(probabilities) | ExactLaw::Several { probabilities, .. } => probabilities,
            ExactLaw::Unknown => return None,
        };
        for p in probabilities {
            // nine digits: laws that should be equal differ by their rounding
            hash.update(format!("{p:.9e} ").as_bytes());
        }
        Some(hash.finalize().to_hex()[..16].to_owned())
    }
}
