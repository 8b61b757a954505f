//! Finding the numbers that a statement speaks of.

use crate::claim::{Fact, Of, Part, Quantity};
use crate::record::{Lookup, Resolved, ResolvedNumber, ResolvedQuery, ResolvedSelect};
use std::collections::BTreeMap;

/// Why a statement cannot be checked against a run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClaimError {
    /// an axis that the experiment does not sweep
    #[error("claim {claim}: there is no axis `{axis}`; the axes are: {known}")]
    UnknownAxis {
        /// the statement
        claim: String,
        /// the name given
        axis: String,
        /// the names that exist
        known: String,
    },
    /// a value that an axis does not have
    #[error("claim {claim}: the axis `{axis}` has no value `{label}`; it has: {known}")]
    UnknownLabel {
        /// the statement
        claim: String,
        /// the axis
        axis: String,
        /// the label given
        label: String,
        /// the labels that exist
        known: String,
    },
    /// an axis with several values that is not fixed
    #[error(
        "claim {claim}: `cell` leaves the axis `{axis}` open, which has {count} values; name one of them"
    )]
    OpenAxis {
        /// the statement
        claim: String,
        /// the axis
        axis: String,
        /// how many values it has
        count: usize,
    },
    /// an estimate that the run does not have
    #[error(
        "claim {claim}: the run has no {what}; look at the rows of summary.csv for what it has"
    )]
    NoRow {
        /// the statement
        claim: String,
        /// what was looked for
        what: String,
    },
    /// an exact value that theory does not give
    #[error(
        "claim {claim}: theory gives no exact value of {what}; make it a claim about the estimate (`value`)"
    )]
    NoExact {
        /// the statement
        claim: String,
        /// what was looked for
        what: String,
    },
    /// cells that are not compared
    #[error(
        "claim {claim}: the run does not compare {what}; name one of the two as the baseline in [compare], or ask for all pairs"
    )]
    NotCompared {
        /// the statement
        claim: String,
        /// the two cells
        what: String,
    },
    /// a level that is none
    #[error(transparent)]
    Statistics(#[from] epsweep_core::statistics::StatisticsError),
}

impl ClaimError {
    /// Whether the statement is well made, and only the run has not the number that it speaks of: other data, bounds or trials can take it
    /// away.
    pub(super) fn is_of_the_run(&self) -> bool {
        matches!(
            self,
            ClaimError::NoRow { .. } | ClaimError::NoExact { .. } | ClaimError::NotCompared { .. }
        )
    }

    /// The reason without the name of the claim, for a place that says which claim it is.
    pub(super) fn without_claim(&self) -> String {
        let text = self.to_string();
        match self {
            ClaimError::NoRow { claim, .. }
            | ClaimError::NoExact { claim, .. }
            | ClaimError::NotCompared { claim, .. } => {
                let name = format!("claim {claim}: ");
                text.strip_prefix(&name).unwrap_or(&text).to_owned()
            }
            _ => text,
        }
    }
}

/// A number with what is known of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub value: f64,
    /// ends of its interval; both equal the value where it is exact, and are infinite where nothing is known
    pub low: f64,
    pub high: f64,
    /// standard error; 0 where it is exact
    pub mcse: f64,
    /// from theory
    pub exact: Option<f64>,
    /// trials behind it; 0 where it is exact
    pub trials: u64,
    /// whether it has no interval: extremes, standard errors, and values that were the same in every trial
    pub observed: bool,
    /// whether it is one of the former two, which are others at another seed, by an amount that is not known
    pub strays: bool,
}

impl Number {
    pub fn certain(value: f64) -> Self {
        Number {
            value,
            low: value,
            high: value,
            mcse: 0.0,
            exact: Some(value),
            trials: 0,
            observed: false,
            strays: false,
        }
    }
}

/// The statement and the rows that it is checked against.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub claim: &'a str,
    pub lookup: &'a Lookup<'a>,
}

impl Context<'_> {
    fn resolved(&self) -> &Resolved {
        self.lookup.resolved()
    }

    /// Place of an axis.
    pub fn axis(&self, name: &str) -> Result<usize, ClaimError> {
        let axes = &self.resolved().axes;
        let known = || {
            axes.iter()
                .map(|a| a.name.clone())
                .collect::<Vec<_>>()
                .join(", ")
        };
        axes.iter()
            .position(|a| a.name == name)
            .ok_or_else(|| ClaimError::UnknownAxis {
                claim: self.claim.into(),
                axis: name.into(),
                known: known(),
            })
    }

    /// The cell with these labels; axes of a single value need not be named.
    pub fn cell(&self, labels: &BTreeMap<String, String>) -> Result<usize, ClaimError> {
        let resolved = self.resolved();
        let mut wanted: Vec<Option<&String>> = vec![None; resolved.axes.len()];
        for (axis, label) in labels {
            let place = self.axis(axis)?;
            if !resolved.axes[place].labels.contains(label) {
                return Err(ClaimError::UnknownLabel {
                    claim: self.claim.into(),
                    axis: axis.clone(),
                    label: label.clone(),
                    known: resolved.axes[place].labels.join(", "),
                });
            }
            wanted[place] = Some(label);
        }
        for (axis, label) in resolved.axes.iter().zip(&wanted) {
            if label.is_none() && axis.labels.len() > 1 {
                return Err(ClaimError::OpenAxis {
                    claim: self.claim.into(),
                    axis: axis.name.clone(),
                    count: axis.labels.len(),
                });
            }
        }
        let fits = |cell: &[String]| {
            (cell.iter().zip(&wanted)).all(|(label, wanted)| wanted.is_none_or(|w| w == label))
        };
        (resolved.cells.iter())
            .position(|c| fits(&c.labels))
            .ok_or_else(|| ClaimError::NoRow {
                claim: self.claim.into(),
                what: format!("cell {}", place_words(labels)),
            })
    }

    /// The number that a quantity is, in its cell.
    pub fn number(&self, quantity: &Quantity) -> Result<Number, ClaimError> {
        if let Of::Sensitivity(value) = quantity.of {
            return Ok(Number::certain(value));
        }
        self.number_in(quantity, self.cell(&quantity.cell)?)
    }

    /// The number that a quantity is in a given cell.
    pub fn number_in(&self, quantity: &Quantity, cell: usize) -> Result<Number, ClaimError> {
        match &quantity.of {
            Of::Sensitivity(value) => Ok(Number::certain(*value)),
            Of::Fact(fact) => {
                if let Some(select) = &self.resolved().cells[cell].select {
                    return self.candidate(quantity, cell, select, *fact);
                }
                let query = (self.resolved().cells[cell].queries.iter())
                    .find(|q| {
                        let number = |n: &ResolvedNumber| n.name == quantity.subject;
                        q.name == quantity.subject || q.numbers.iter().any(number)
                    })
                    .ok_or_else(|| ClaimError::NoRow {
                        claim: self.claim.into(),
                        what: format!("query `{}`", quantity.subject),
                    })?;
                Ok(Number::certain(match fact {
                    Fact::Truth => query.truth_of(&quantity.subject).unwrap_or(f64::NAN),
                    fact => fact_of(query, *fact),
                }))
            }
            Of::Statistic {
                measure,
                statistic,
                part,
            } => {
                let row = (self.lookup.row(cell, &quantity.subject, measure, statistic))
                    .filter(|r| r.value.is_finite())
                    .ok_or_else(|| ClaimError::NoRow {
                        claim: self.claim.into(),
                        what: words(quantity),
                    })?;
                let none = || ClaimError::NoExact {
                    claim: self.claim.into(),
                    what: words(quantity),
                };
                Ok(match part {
                    Part::Exact => Number::certain(row.exact.ok_or_else(none)?),
                    // an error of an error is not part of the summary
                    Part::Mcse => Number {
                        trials: row.trials,
                        exact: None,
                        observed: true,
                        strays: true,
                        ..Number::certain(row.mcse.ok_or_else(|| ClaimError::NoRow {
                            claim: self.claim.into(),
                            what: words(quantity),
                        })?)
                    },
                    Part::Value => {
                        let observed = row.method == "observed";
                        let end = |end: Option<f64>, unknown: f64| {
                            end.unwrap_or(if observed { row.value } else { unknown })
                        };
                        Number {
                            value: row.value,
                            low: end(row.low, f64::NEG_INFINITY),
                            high: end(row.high, f64::INFINITY),
                            mcse: row.mcse.unwrap_or(0.0),
                            exact: row.exact,
                            trials: row.trials,
                            observed,
                            strays: observed && matches!(&*row.statistic, "min" | "max"),
                        }
                    }
                })
            }
        }
    }
}

impl Context<'_> {
    /// A fact of a candidate: its score, or what all candidates have in common.
    fn candidate(
        &self,
        quantity: &Quantity,
        cell: usize,
        select: &ResolvedSelect,
        fact: Fact,
    ) -> Result<Number, ClaimError> {
        let total = self.resolved().cells[cell].total;
        let candidate = (select.shown.iter()).find(|c| c.name == quantity.subject);
        let score = candidate.map(|candidate| candidate.score);
        let value = match fact {
            Fact::Truth => score,
            Fact::Sensitivity => Some(select.sensitivity),
            Fact::Budget => Some(total),
            Fact::Share => Some(1.0),
            Fact::Scale => Some(select.noise_scale.unwrap_or(f64::INFINITY)),
            Fact::Loss => {
                return Err(ClaimError::NoExact {
                    claim: self.claim.into(),
                    what: "the loss of a selection".into(),
                });
            }
        };
        let value = value.ok_or_else(|| ClaimError::NoRow {
            claim: self.claim.into(),
            what: format!("candidate `{}` by its name", quantity.subject),
        })?;
        Ok(Number::certain(value))
    }
}

fn fact_of(query: &ResolvedQuery, fact: Fact) -> f64 {
    match fact {
        Fact::Truth => query.truth.unwrap_or(f64::NAN),
        Fact::Sensitivity => query.l1,
        Fact::Budget => query.budget,
        Fact::Share => query.share,
        Fact::Scale => query.scale.unwrap_or(f64::INFINITY),
        // without noise there is nothing to lose only if nothing can move the answer
        Fact::Loss => query.scale.map_or(0.0, |scale| {
            if query.l1 == 0.0 {
                0.0
            } else {
                query.l1 / scale
            }
        }),
    }
}

/// `max_abs_error.mean of all [allocation=even]`
pub(super) fn words(quantity: &Quantity) -> String {
    let of = match &quantity.of {
        Of::Statistic {
            measure,
            statistic,
            part,
        } => {
            let part = match part {
                Part::Value => "",
                Part::Mcse => " (MCSE)",
                Part::Exact => " (exact)",
            };
            format!("{measure}.{statistic}{part}")
        }
        Of::Fact(fact) => match fact {
            Fact::Truth => "truth",
            Fact::Sensitivity => "sensitivity",
            Fact::Budget => "budget",
            Fact::Share => "share",
            Fact::Scale => "scale",
            Fact::Loss => "loss",
        }
        .into(),
        Of::Sensitivity(_) => "sensitivity".into(),
    };
    let subject = match quantity.subject.as_str() {
        "" | "all" => String::new(),
        query => format!(" of {query}"),
    };
    format!("{of}{subject}{}", place_words(&quantity.cell))
}

/// ` [allocation=even epsilon=1]`, or nothing.
pub(super) fn place_words(cell: &BTreeMap<String, String>) -> String {
    if cell.is_empty() {
        return String::new();
    }
    let words: Vec<String> = cell.iter().map(|(a, l)| format!("{a}={l}")).collect();
    format!(" [{}]", words.join(" "))
}
