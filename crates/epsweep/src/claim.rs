//! Statements of a source, to be checked against a run by [`summary::claims`](crate::summary::claims).

use std::collections::BTreeMap;

/// What we have established, or what a run says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// the interval lies inside the tolerance band
    Holds,
    /// interval and band are disjoint
    Refuted,
    /// neither
    Undecided,
}

impl Verdict {
    /// `holds`, `refuted` or `undecided`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Refuted => "refuted",
            Verdict::Undecided => "undecided",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Verdict {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Verdict::Holds, Verdict::Refuted, Verdict::Undecided]
            .into_iter()
            .find(|v| v.name() == text)
            .ok_or(())
    }
}

/// A statement and what we expect of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// the statement's number in its source
    pub id: String,
    /// the statement in plain words
    pub text: String,
    /// what is compared
    pub kind: ClaimKind,
    /// what is established; a run that says otherwise shows both
    pub expected: Verdict,
}

/// A number of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// what it is of
    pub of: Of,
    /// the query that it belongs to; `all` for measures of all queries together
    pub subject: String,
    /// axis → label; every axis that has more than one value must be fixed
    pub cell: BTreeMap<String, String>,
}

/// What a quantity is of.
#[derive(Clone, Debug, PartialEq)]
pub enum Of {
    /// a row of the summary: `max_abs_error.mean`
    Statistic {
        /// as in the summary
        measure: String,
        /// as in the summary
        statistic: String,
        /// which column of the row
        part: Part,
    },
    /// a fact that needs no simulation: of a released query (`subject`)
    Fact(Fact),
    /// the sensitivity of a query that is not released, already computed
    Sensitivity(f64),
}

/// A column of a summary row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// the estimate with its interval
    Value,
    /// its Monte Carlo standard error
    Mcse,
    /// the exact value
    Exact,
}

/// Facts of a query in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// the true answer
    Truth,
    /// the L1 sensitivity
    Sensitivity,
    /// its part of the budget, in the budget's unit
    Budget,
    /// its share, of 1
    Share,
    /// the noise scale
    Scale,
    /// L1 sensitivity over scale: the ε that Laplace noise really spends
    Loss,
}

/// The numbers with which a statement is compatible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// the least, −∞ for "at most"
    pub low: f64,
    /// the largest, ∞ for "at least"
    pub high: f64,
    /// the number in the statement
    pub claimed: f64,
}

impl ClaimKind {
    /// Of which cells it speaks: of those that have all labels of one of these.
    pub fn cells(&self) -> Vec<&BTreeMap<String, String>> {
        match self {
            ClaimKind::Value(of, _)
            | ClaimKind::Exact(of, _)
            | ClaimKind::Probability(of, _)
            | ClaimKind::BestOnAxis { of, .. }
            | ClaimKind::EqualAcross { of, .. } => vec![&of.cell],
            ClaimKind::Ratio(a, b, _) | ClaimKind::Order(a, b) => vec![&a.cell, &b.cell],
            ClaimKind::Win { a, b, .. } => vec![a, b],
        }
    }
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum ClaimKind {
    /// a number lies in a band
    Value(Quantity, Band),
    /// like `Value`, but about exact values and facts alone
    Exact(Quantity, Band),
    /// numerator / denominator lies in a band
    Ratio(Quantity, Quantity, Band),
    /// the first is below the second
    Order(Quantity, Quantity),
    /// the value of an axis at which a quantity is best (lowest unless `highest`)
    BestOnAxis {
        /// the quantity; its cell leaves `axis` free
        of: Quantity,
        /// the axis
        axis: String,
        /// the label said to win
        claimed: String,
        /// largest is best
        highest: bool,
    },
    /// a quantity is the same at every value of an axis, or for every query (`axis == "subject"`), up to a relative tolerance
    EqualAcross {
        /// the quantity; its cell leaves `axis` free
        of: Quantity,
        /// the axis
        axis: String,
        /// largest relative spread
        tolerance: f64,
    },
    /// the share of paired trials in which `a` has the lower value than `b`
    Win {
        /// compared measure
        measure: String,
        /// its subject
        subject: String,
        /// the first cell
        a: BTreeMap<String, String>,
        /// the second cell
        b: BTreeMap<String, String>,
        /// what is claimed
        band: Band,
    },
    /// the probability of a flag (`covered`) lies in a band
    Probability(Quantity, Band),
}
