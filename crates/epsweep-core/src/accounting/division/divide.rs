//! Dividing: from a guarantee and shares to what each release may spend.

use super::scale::{largest, largest_rho};
use super::{Composition, Division, DivisionError, Spender, releases};
use crate::accounting::{gaussian, zcdp};
use crate::budget::{Budget, BudgetError, Delta, Epsilon, Rho, Shares};
use crate::shortest::Shortest;

impl Composition {
    /// Divides a budget.
    ///
    /// # Errors
    /// [`DivisionError`] if the composition cannot serve the budget, the noise or the shares; the error names what can
    pub fn divide(
        self,
        budget: Budget,
        spender: Spender,
        shares: &Shares,
    ) -> Result<Division, DivisionError> {
        match self {
            Composition::Basic => basic(budget, spender, shares),
            Composition::Zcdp => concentrated(budget, spender, shares),
            Composition::Optimal | Composition::Rdp | Composition::Pld => {
                self.solved(budget, spender, shares)
            }
        }
    }

    /// ε and δ of a budget, for what converts to them.
    fn target(self, budget: Budget) -> Result<(f64, f64), DivisionError> {
        match budget {
            Budget::Approximate(epsilon, delta) if delta.get() > 0.0 => {
                Ok((epsilon.get(), delta.get()))
            }
            Budget::Pure(epsilon) | Budget::Approximate(epsilon, _)
                if self == Composition::Optimal =>
            {
                Ok((epsilon.get(), 0.0))
            }
            Budget::Pure(_) | Budget::Approximate(..) => Err(self.refused(
                format!("a budget of {budget}"),
                "it trades δ for ε",
                "give `delta`, or compose by basic",
            )),
            Budget::Zcdp(_) => Err(self.refused(
                format!("a budget of {budget}"),
                "ρ adds up by itself",
                "compose by zcdp, or give ε and δ",
            )),
        }
    }

    /// The largest s whose total meets (ε, δ).
    fn solved(
        self,
        budget: Budget,
        spender: Spender,
        shares: &Shares,
    ) -> Result<Division, DivisionError> {
        let (epsilon, delta) = self.target(budget)?;
        if self == Composition::Optimal {
            check_optimal(spender, shares)?;
        }
        let total = if self == Composition::Pld && spender == Spender::Gaussian {
            // μ² = Σ 2ρᵢ: together as private as one release with ρ = s
            let sigma = gaussian::sigma(epsilon, delta, 1.0)?;
            0.5 / sigma / sigma
        } else if delta == 0.0 {
            // at δ = 0 the total is the sum
            epsilon
        } else {
            let accountant = self.accountant(spender);
            let start = match spender {
                Spender::Pure => epsilon,
                Spender::Gaussian => largest_rho(epsilon, delta)?,
            };
            largest(start, epsilon, |total| {
                let releases = releases(spender, &shares.split(total))?;
                Ok(accountant.total(&releases, delta)?.epsilon)
            })?
        };
        let letter = match spender {
            Spender::Pure => "ε",
            Spender::Gaussian => "ρ",
        };
        let statement = format!(
            "{letter}ᵢ = s·shareᵢ with s = {}, so that all together meet {budget} by {}",
            Shortest(total),
            self.about().name
        );
        parts(total, spender, shares, statement)
    }
}

fn check_optimal(spender: Spender, shares: &Shares) -> Result<(), DivisionError> {
    if spender == Spender::Gaussian {
        return Err(Composition::Optimal.refused(
            "Gaussian noise",
            "its theorem counts releases by (ε, δ) alone",
            "compose by pld (exact for Gaussian noise) or zcdp",
        ));
    }
    let positive = (shares.as_slice().iter().copied()).filter(|share| *share > 0.0);
    let (least, most) = positive.fold((f64::INFINITY, 0.0_f64), |(least, most), share| {
        (least.min(share), most.max(share))
    });
    if most > least * (1.0 + 1e-12) {
        return Err(Composition::Optimal.refused(
            "unequal shares",
            "the exact total of unequal releases is #P-hard to compute (Murtagh and Vadhan, TCC 2016)",
            "compose by pld, which bounds it from both sides, or divide evenly",
        ));
    }
    Ok(())
}

fn basic(budget: Budget, spender: Spender, shares: &Shares) -> Result<Division, DivisionError> {
    let (epsilon, delta) = match budget {
        Budget::Pure(epsilon) => (epsilon.get(), 0.0),
        Budget::Approximate(epsilon, delta) => (epsilon.get(), delta.get()),
        Budget::Zcdp(_) => {
            return Err(Composition::Basic.refused(
                format!("a budget of {budget}"),
                "it adds up ε and δ",
                "compose by zcdp, or give `epsilon`",
            ));
        }
    };
    if spender == Spender::Pure {
        let statement = format!("shares divide ε = {}", Shortest(epsilon));
        return parts(epsilon, spender, shares, statement);
    }
    if delta == 0.0 {
        return Err(Composition::Basic.refused(
            "Gaussian noise without δ",
            "no σ makes it purely private",
            "give `delta` beside `epsilon`, or `rho` and compose by zcdp",
        ));
    }
    let amounts = shares.split(epsilon);
    let deltas = shares.split(delta);
    let parts: Result<Vec<Option<Budget>>, BudgetError> = (amounts.iter().zip(deltas))
        .map(|(&epsilon, delta)| {
            if epsilon == 0.0 {
                return Ok(None);
            }
            let (epsilon, delta) = (Epsilon::new(epsilon)?, Delta::new(delta)?);
            Ok(Some(Budget::Approximate(epsilon, delta)))
        })
        .collect();
    Ok(Division {
        parts: parts?,
        amounts,
        total: epsilon,
        statement: format!(
            "shares divide ε = {} and δ = {}",
            Shortest(epsilon),
            Shortest(delta)
        ),
    })
}

fn concentrated(
    budget: Budget,
    spender: Spender,
    shares: &Shares,
) -> Result<Division, DivisionError> {
    let (rho, statement) = match budget {
        Budget::Zcdp(rho) => (
            rho.get(),
            format!("shares divide ρ = {}", Shortest(rho.get())),
        ),
        other => {
            let (epsilon, delta) = Composition::Zcdp.target(other)?;
            let rho = largest_rho(epsilon, delta)?;
            let statement = format!(
                "shares divide ρ = {}, the largest that meets {budget}",
                Shortest(rho)
            );
            (rho, statement)
        }
    };
    let amounts = shares.split(rho);
    let parts: Result<Vec<Option<Budget>>, BudgetError> = (amounts.iter())
        .map(|&rho| match spender {
            _ if rho == 0.0 => Ok(None),
            Spender::Gaussian => Ok(Some(Budget::Zcdp(Rho::new(rho)?))),
            Spender::Pure => {
                Epsilon::new(zcdp::pure_epsilon_of(rho)).map(|e| Some(Budget::Pure(e)))
            }
        })
        .collect();
    Ok(Division {
        parts: parts?,
        amounts,
        total: rho,
        statement,
    })
}

/// Parts of a total of ε (pure) or ρ (Gaussian).
fn parts(
    total: f64,
    spender: Spender,
    shares: &Shares,
    statement: String,
) -> Result<Division, DivisionError> {
    let amounts = shares.split(total);
    let parts: Result<Vec<Option<Budget>>, BudgetError> = (amounts.iter())
        .map(|&amount| match spender {
            _ if amount == 0.0 => Ok(None),
            Spender::Pure => Ok(Some(Budget::Pure(Epsilon::new(amount)?))),
            Spender::Gaussian => Ok(Some(Budget::Zcdp(Rho::new(amount)?))),
        })
        .collect();
    Ok(Division {
        parts: parts?,
        amounts,
        total,
        statement,
    })
}
