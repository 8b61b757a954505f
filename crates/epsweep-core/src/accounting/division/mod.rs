//! Dividing a guarantee among releases: what a share is a part of, under each way of composing.
//!
//! - basic: shares of ε, and of δ where the noise spends one: the sums are the totals
//! - zcdp: shares of ρ, which adds up (Bun and Steinke, TCC 2016, lemma 1.7); where (ε, δ) is to be met, ρ is the largest that does
//! - optimal, rdp, pld: εᵢ = s·shareᵢ (Gaussian noise: ρᵢ = s·shareᵢ), with the largest s whose total meets (ε, δ)

mod divide;
pub(crate) mod scale;
mod spent;
#[cfg(test)]
mod tests;

use super::{Accountant, AccountingError, gaussian, optimal, pld, rdp, zcdp};
use super::{Mechanism, NoiseMultiplier, Release};
use crate::about::About;
use crate::allocation::Setting;
use crate::budget::{Budget, BudgetError, Epsilon};

/// How the losses of several releases add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composition {
    /// sums of ε and of δ
    Basic,
    /// the exact total of equal releases
    Optimal,
    /// sums of ρ
    Zcdp,
    /// Rényi divergences
    Rdp,
    /// the privacy loss distribution
    Pld,
}

/// What a release spends, as far as composition is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spender {
    /// a pure ε: Laplace noise
    Pure,
    /// Gaussian noise
    Gaussian,
}

/// A guarantee divided.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// what each release may spend; `None` where its share is 0
    pub parts: Vec<Option<Budget>>,
    /// the number of each part: εᵢ or ρᵢ, 0 where the share is 0
    pub amounts: Vec<f64>,
    /// what the shares divide: ε, ρ or s
    pub total: f64,
    /// that in words
    pub statement: String,
}

/// Why a guarantee cannot be divided.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DivisionError {
    /// a composition that cannot serve
    #[error("`{composition}` composition cannot serve {what}: {reason}; {alternative}")]
    Unsupported {
        /// its name
        composition: &'static str,
        /// the budget or the noise
        what: String,
        /// why not
        reason: &'static str,
        /// what can
        alternative: &'static str,
    },
    /// what an accountant refuses
    #[error(transparent)]
    Accounting(#[from] AccountingError),
    /// a part that is no budget
    #[error(transparent)]
    Budget(#[from] BudgetError),
}

impl Composition {
    /// All, in the order in which they are listed.
    pub const ALL: [Composition; 5] = [
        Composition::Basic,
        Composition::Optimal,
        Composition::Zcdp,
        Composition::Rdp,
        Composition::Pld,
    ];

    /// What it is.
    pub fn about(self) -> &'static About {
        match self {
            Composition::Basic => &About {
                name: "basic",
                summary: "ε and δ add up; shares are parts of ε (and of δ with Gaussian noise)",
                formula: "εᵢ = ε·shareᵢ",
                source: "Dwork and Roth 2014, theorem 3.16",
            },
            Composition::Optimal => &About {
                name: "optimal",
                summary: "the exact total of purely private releases with equal shares",
                formula: "εᵢ = s·shareᵢ",
                source: "Kairouz, Oh, Viswanath, IEEE Transactions on Information Theory 63, 2017, theorem 3.3",
            },
            Composition::Zcdp => &About {
                name: "zcdp",
                summary: "ρ adds up; shares are parts of ρ",
                formula: "ρᵢ = ρ·shareᵢ",
                source: "Bun and Steinke, TCC 2016, lemma 1.7",
            },
            Composition::Rdp => &About {
                name: "rdp",
                summary: "Rényi divergences add up, order by order",
                formula: "εᵢ = s·shareᵢ, with Gaussian noise ρᵢ = s·shareᵢ",
                source: "Mironov, CSF 2017, proposition 1",
            },
            Composition::Pld => &About {
                name: "pld",
                summary: "the privacy loss distributions are convolved; exact with Gaussian noise alone",
                formula: "εᵢ = s·shareᵢ, with Gaussian noise ρᵢ = s·shareᵢ",
                source: "Sommer, Meiser, Mohammadi, PoPETs 2019",
            },
        }
    }

    /// The composition of that name.
    pub fn named(name: &str) -> Option<Composition> {
        Composition::ALL
            .into_iter()
            .find(|composition| composition.about().name == name)
    }

    /// How a noise scale depends on a share. `None` where shares divide ε and δ of Gaussian noise, which is no power.
    pub fn setting(self, spender: Spender) -> Option<Setting> {
        match (self, spender) {
            (Composition::Basic, Spender::Gaussian) => None,
            (_, Spender::Gaussian) => Some(Setting::GaussianZcdp),
            (Composition::Zcdp, Spender::Pure) => Some(Setting::LaplaceZcdp),
            (_, Spender::Pure) => Some(Setting::LaplacePure),
        }
    }

    fn refused(
        self,
        what: impl Into<String>,
        reason: &'static str,
        alternative: &'static str,
    ) -> DivisionError {
        DivisionError::Unsupported {
            composition: self.about().name,
            what: what.into(),
            reason,
            alternative,
        }
    }

    /// The method that says what parts of a guarantee cost together.
    fn accountant(self, spender: Spender) -> &'static dyn Accountant {
        match (self, spender) {
            (Composition::Optimal, _) => &optimal::Optimal,
            (Composition::Rdp, _) => &rdp::Rdp,
            (Composition::Pld, Spender::Gaussian) => &gaussian::Gaussian,
            (Composition::Pld, Spender::Pure) => &pld::Pld,
            (Composition::Basic, _) => &super::basic::Basic,
            (Composition::Zcdp, _) => &zcdp::Tight,
        }
    }
}

/// Releases of these εᵢ or ρᵢ; those of 0 are none.
fn releases(spender: Spender, amounts: &[f64]) -> Result<Vec<Release>, AccountingError> {
    let positive = amounts.iter().filter(|amount| **amount > 0.0);
    positive
        .map(|&amount| {
            let mechanism = match spender {
                Spender::Pure => {
                    Mechanism::Laplace(Epsilon::new(amount).map_err(|_| AccountingError::Empty)?)
                }
                Spender::Gaussian => {
                    Mechanism::Gaussian(NoiseMultiplier::new(1.0 / (2.0 * amount).sqrt())?)
                }
            };
            Ok(Release::once(mechanism))
        })
        .collect()
}
