//! The size of a join, with a bound on how often a key counts.
//!
//! One record takes part in as many pairs as its key has records on the other side, which nothing bounds: the global sensitivity of a
//! join is infinite. Truncation bounds it: of each key at most m records count on a side. A low m means little noise and a large bias,
//! and the reverse.

use super::formula::{self, Side};
use super::sum::scalar;
use super::{Arguments, Parameter, ParameterKind, Query, QueryError, QueryKind};
use crate::about::About;
use crate::data::{Predicate, Table, Values, disjoint};
use crate::sensitivity::{Neighbours, Sensitivity};
use std::collections::HashMap;

const ABOUT: About = About {
    name: "join-count",
    summary: "number of pairs of records on the left and on the right with the same key, each key counted up to a multiplicity",
    formula: "Σ min(lₖ, m)·min(rₖ, m′); Δ = max(m, m′); m + m′ − 1 where one record may be on both sides",
    source: "McSherry (SIGMOD 2009), §3.6; Johnson, Near and Song (PVLDB 11, 2018), §3; by brute force over neighbours in the tests",
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "key",
        kind: ParameterKind::Column,
        required: true,
        summary: "the column whose values are joined on",
    },
    Parameter {
        name: "left",
        kind: ParameterKind::Predicate,
        required: true,
        summary: "which records are on the left, for example \"table = 'orders'\"",
    },
    Parameter {
        name: "right",
        kind: ParameterKind::Predicate,
        required: true,
        summary: "which records are on the right",
    },
    Parameter {
        name: "left_multiplicity",
        kind: ParameterKind::Number,
        required: true,
        summary: "how many records of a key count on the left",
    },
    Parameter {
        name: "right_multiplicity",
        kind: ParameterKind::Number,
        required: true,
        summary: "how many records of a key count on the right",
    },
    Parameter {
        name: "changes",
        kind: ParameterKind::Choice(&["either", "left", "right"]),
        required: false,
        summary: "the side whose records are private: \"left\", \"right\", or without it \"either\"",
    },
];

/// The kind `join-count`.
pub(super) struct JoinCount;

impl QueryKind for JoinCount {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ key = "key", left = "side = 'left'", right = "side = 'right'", left_multiplicity = 1, right_multiplicity = 20 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let side = |name: &'static str| {
            let given = arguments.predicate(ABOUT.name, name)?;
            // `check` has seen to it that there is one
            given.map_or_else(
                || Ok(Predicate::range("", 0.0, 0.0, true)?),
                Ok::<_, QueryError>,
            )
        };
        let multiplicity = |name| {
            let rule = "a whole number from 1 to 4294967296";
            let given = arguments.whole(ABOUT.name, name, (1.0, 4_294_967_296.0), rule)?;
            Ok::<u64, QueryError>(given.unwrap_or(1) as u64)
        };
        Ok(Box::new(JoinQuery {
            key: arguments.text("key").unwrap_or_default().to_owned(),
            left: side("left")?,
            right: side("right")?,
            multiplicities: (
                multiplicity("left_multiplicity")?,
                multiplicity("right_multiplicity")?,
            ),
            changes: match arguments.text("changes") {
                Some("left") => Side::Left,
                Some("right") => Side::Right,
                _ => Side::Either,
            },
        }))
    }
}

#[derive(Debug)]
struct JoinQuery {
    key: String,
    left: Predicate,
    right: Predicate,
    multiplicities: (u64, u64),
    changes: Side,
}

impl JoinQuery {
    /// Of each key, how many records there are on the left and on the right.
    fn keys(&self, table: &Table) -> Result<Vec<(u64, u64)>, QueryError> {
        let sides = (self.left.select(table)?, self.right.select(table)?);
        let mut counts: Vec<(u64, u64)> = Vec::new();
        let mut places: HashMap<Key<'_>, usize> = HashMap::new();
        let values = table.column(&self.key)?.values();
        for row in 0..table.rows() {
            let key = match values {
                Values::Number(values) => Key::Number(values[row].to_bits()),
                Values::Text(texts) => Key::Text(&texts[row]),
            };
            let place = *places.entry(key).or_insert_with(|| {
                counts.push((0, 0));
                counts.len() - 1
            });
            counts[place].0 += u64::from(sides.0[row]);
            counts[place].1 += u64::from(sides.1[row]);
        }
        Ok(counts)
    }

    fn pairs(&self, table: &Table, most: (u64, u64)) -> Result<f64, QueryError> {
        // exact up to 2⁵³ and far beyond in u128, whatever the order of the keys
        let total: u128 = (self.keys(table)?.into_iter())
            .map(|(left, right)| u128::from(left.min(most.0)) * u128::from(right.min(most.1)))
            .sum();
        Ok(total as f64)
    }
}

/// A key by its contents.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Number(u64),
    Text(&'a str),
}

impl Query for JoinQuery {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        format!(
            "pairs of up to {} records where {} and up to {} where {} with the same {}",
            self.multiplicities.0, self.left, self.multiplicities.1, self.right, self.key
        )
    }

    fn columns(&self) -> Vec<String> {
        let mut names = vec![self.key.clone()];
        for name in self.left.columns().into_iter().chain(self.right.columns()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn texts(&self) -> Vec<(String, String)> {
        [self.left.texts(), self.right.texts()].concat()
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        self.pairs(table, self.multiplicities)
    }

    /// Over data sets of any size: with few rows no key may have as many records. Where only one side is private and a record may be
    /// on both, the records of that side that are on both are private on both.
    fn sensitivity(&self, table: &Table, _: Neighbours) -> Result<Sensitivity, QueryError> {
        table.column(&self.key)?;
        let both_at_once = disjoint(&self.left, &self.right, table)? != Some(true);
        let (left, right) = self.multiplicities;
        let side = if both_at_once {
            Side::Either
        } else {
            self.changes
        };
        let size = formula::join_count((left as f64, right as f64), side, both_at_once);
        scalar(size, ABOUT.name, &self.key)
    }

    /// The size of the join without truncation.
    fn target(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        Ok(vec![self.pairs(table, (u64::MAX, u64::MAX))?])
    }
}
