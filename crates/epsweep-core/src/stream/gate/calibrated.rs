//! A gate with its noise.

use crate::about::About;
use crate::accounting::Ledger;
use crate::accounting::filter::Spend;
use crate::budget::{Budget, Epsilon};
use crate::stream::StreamError;

/// What a positive answer says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answering {
    /// that the query is above its threshold
    Report,
    /// also the query's answer with fresh Laplace noise of this scale
    Fresh(f64),
    /// also the very noisy answer that was compared with the threshold, which gives the noisy threshold away
    Revealed,
}

/// The ε that a gate really has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Privacy {
    /// ε of pure differential privacy
    Pure(f64),
    /// no finite ε
    Unbounded,
}

impl Privacy {
    /// ε, +∞ where there is none.
    pub fn epsilon(self) -> f64 {
        match self {
            Privacy::Pure(epsilon) => epsilon,
            Privacy::Unbounded => f64::INFINITY,
        }
    }
}

/// The noise of a gate and what it costs. All noise is Laplace, scales are in the units of the answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibrated {
    /// the gate's description
    pub about: &'static About,
    /// scale of the noise of the threshold
    pub threshold_scale: f64,
    /// scale of the noise of each query; 0 if it has none
    pub query_scale: f64,
    /// whether the threshold's noise is drawn anew after each positive answer
    pub redrawn: bool,
    /// positive answers after which it closes; `None` if it never does
    pub limit: Option<usize>,
    /// what a positive answer says
    pub answering: Answering,
    /// the ε that it claims
    pub claimed: f64,
    /// the ε that it has
    pub privacy: Privacy,
    /// ε₁ of the threshold, ε₂ of the queries, ε₃ of numeric answers, as the gate divides them
    pub epsilons: [f64; 3],
    /// what is spent when it opens, and again each time the threshold is redrawn
    pub opening: f64,
    /// what is spent with each positive answer
    pub positive: f64,
}

impl Calibrated {
    /// The most positive answers that it can give to this many queries.
    pub fn most(&self, queries: usize) -> usize {
        self.limit.map_or(queries, |limit| limit.min(queries))
    }

    /// What is spent on an output with k positive answers, for k from 0 to `most`: every spend goes through a ledger with the claimed ε as its
    /// budget.
    ///
    /// This is privacy after the fact: the probability of an output changes at most by e to this between neighbours (Ligett, Neel, Roth,
    /// Waggoner and Wu, NeurIPS 2017, definition 2.2), since negative answers are free once the threshold is paid for and each positive one
    /// costs 2Δ/(its noise). A gate that is broken is booked as it claims: all of ε when it opens.
    ///
    /// # Errors
    /// [`StreamError::Ledger`] if the ledger refuses a spend, as it does beyond the guarantee
    pub fn spent(&self, most: usize) -> Result<Vec<f64>, StreamError> {
        let epsilon = Epsilon::new(self.claimed)?;
        let mut ledger = Ledger::new(Budget::Pure(epsilon));
        ledger.spend("threshold", Spend::Pure(self.opening))?;
        let mut path = vec![ledger.reported()];
        for above in 1..=most {
            ledger.spend("positive answer", Spend::Pure(self.positive))?;
            if self.redrawn && self.limit.is_none_or(|limit| above < limit) {
                ledger.spend("threshold", Spend::Pure(self.opening))?;
            }
            path.push(ledger.reported());
        }
        Ok(path)
    }
}
