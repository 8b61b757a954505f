//! Shares that someone chose.

use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// Fixed shares, one per query, under a name of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Custom {
    name: String,
    shares: Shares,
}

const ABOUT: About = About {
    name: "custom",
    summary: "given shares, one per query",
    formula: "εᵢ = ε·sᵢ",
    source: "",
};

impl Custom {
    /// `name`: what tables call it. `shares`: one per query, in their order.
    pub fn new(name: impl Into<String>, shares: Shares) -> Self {
        Self {
            name: name.into(),
            shares,
        }
    }

    /// What tables call it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Allocation for Custom {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn depends_on_setting(&self) -> bool {
        false
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        let queries = problem.checked()?;
        let found = self.shares.as_slice().len();
        if found != queries {
            return Err(AllocationError::Length {
                what: "shares",
                found,
                queries,
            });
        }
        Ok(self.shares.clone())
    }
}
