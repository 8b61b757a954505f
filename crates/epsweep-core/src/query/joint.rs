//! The sensitivity of several queries together.
//!
//! For any queries the vector of all answers moves by at most the sum of the L1 sensitivities, and by at most the root of the sum of
//! the squared L2 sensitivities. That is all there is where one record can do the worst to every query at once, as with mean, max and
//! a count. It is wasteful where it cannot: of counts over disjoint predicates one record that comes or goes changes a single one
//! (*parallel composition*: McSherry, SIGMOD 2009, theorem 4), and one that is replaced can leave one cell and enter another, so that
//! the cost is that of the largest **pair**.
//!
//! Where the queries are sums over the records, f(D) = Σ g(r), both are the two cases of one formula: max ‖g(r)‖ under add-remove, and
//! max ‖g(r) − g(r′)‖ under substitute. g is constant, or linear in the columns, on finitely many pieces of the space of all records (see
//! [`Region`](crate::data::Region)); a norm is convex, so that its largest value is taken at the ends of the pieces. Hence the maxima are
//! over finite lists, and exact. Groups of queries that read different columns are reached by one record independently, so that their
//! maxima add up. What is not such a sum (max, variance, a join) enters with its own sensitivity.

use super::{Amount, Contribution, Query, QueryError};
use crate::data::Predicate;
use crate::data::{Cuts, Region, Table};
use crate::sensitivity::{Neighbours, Sensitivity};
use std::collections::HashMap;

/// Kinds of records beyond which a group of queries is not looked into.
const MOST_RECORDS: usize = 1 << 16;

/// Looks at a region of a record beyond which a group of queries is not looked into.
const MOST_LOOKS: usize = 1 << 26;

/// Numbers compared between two records beyond which pairs are bounded rather than tried.
const MOST_COMPARED: usize = 1 << 27;

/// What one record adds: (query, part, amount), in that order, no zeros.
type Adds = Vec<(usize, usize, f64)>;

/// How one record moves the answers of several queries.
#[derive(Clone, Debug)]
pub struct Joint {
    neighbours: Neighbours,
    /// of each query by itself
    separate: Vec<Sensitivity>,
    groups: Vec<Group>,
}

/// Queries that one record reaches independently of all others.
#[derive(Clone, Debug)]
struct Group {
    members: Vec<usize>,
    /// the different things that a record can add; `None` where the queries are not sums or the list would be too long
    records: Option<Vec<Adds>>,
}

/// How one record moves the answers of the queries, on tables like this one (its declared bounds, and the number of its rows where
/// the relation makes that public).
///
/// # Errors
/// [`QueryError`] if the table lacks what a query needs, or if a sensitivity is unbounded or beyond the range of `f64`
pub fn joint(
    queries: &[&dyn Query],
    table: &Table,
    neighbours: Neighbours,
) -> Result<Joint, QueryError> {
    let mut separate = Vec::with_capacity(queries.len());
    let mut sums = Vec::new();
    let mut groups = Vec::new();
    for (index, query) in queries.iter().enumerate() {
        separate.push(query.sensitivity(table, neighbours)?);
        match query.contributions(table, neighbours)? {
            Some(contributions) => sums.push((index, contributions)),
            None => groups.push(Group {
                members: vec![index],
                records: None,
            }),
        }
    }
    for (columns, group) in by_columns(sums) {
        groups.push(Group {
            members: group.iter().map(|(index, _)| *index).collect(),
            records: records(&columns, &group, table)?,
        });
    }
    Ok(Joint {
        neighbours,
        separate,
        groups,
    })
}

type Indexed = (usize, Vec<Contribution>);

/// Queries that share a column, directly or through others, with all their columns.
fn by_columns(queries: Vec<Indexed>) -> Vec<(Vec<String>, Vec<Indexed>)> {
    let mut groups: Vec<(Vec<String>, Vec<Indexed>)> = Vec::new();
    for query in queries {
        let mut columns: Vec<String> = query.1.iter().flat_map(Contribution::columns).collect();
        columns.sort_unstable();
        columns.dedup();
        let mut members = vec![query];
        let (touched, rest): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|(names, _)| names.iter().any(|name| columns.contains(name)));
        groups = rest;
        for (names, others) in touched.into_iter().rev() {
            columns.extend(names);
            members.splice(0..0, others);
        }
        columns.sort_unstable();
        columns.dedup();
        groups.push((columns, members));
    }
    groups
}

/// Everything that one record can add, without repetition.
fn records(
    columns: &[String],
    group: &[Indexed],
    table: &Table,
) -> Result<Option<Vec<Adds>>, QueryError> {
    let contributions = || {
        group
            .iter()
            .flat_map(|(index, list)| list.iter().map(move |one| (*index, one)))
    };
    let predicates: Vec<&Predicate> = contributions()
        .filter_map(|(_, one)| one.region.as_ref())
        .collect();
    let mut cuts = Cuts::default();
    for (_, one) in contributions() {
        for (_, amount) in &one.adds {
            if let Amount::Column { column, clip, .. } = amount {
                cuts.kinks.push((column, vec![clip.low(), clip.high()]));
            }
        }
    }
    for predicate in &predicates {
        predicate.check(table)?;
    }
    let Some(region) = Region::new(table, columns, &predicates, &cuts, MOST_RECORDS)? else {
        return Ok(None);
    };
    let kinds = region.records();
    if kinds.rows().saturating_mul(contributions().count()) > MOST_LOOKS {
        return Ok(None);
    }
    let limits: HashMap<&str, Vec<f64>> = (columns.iter())
        .filter_map(|name| Some((name.as_str(), region.limits(name)?)))
        .collect();
    let mut adds: Vec<Adds> = vec![Vec::new(); kinds.rows()];
    for (index, one) in contributions() {
        let inside = match &one.region {
            Some(predicate) => predicate.select(kinds)?,
            None => vec![true; kinds.rows()],
        };
        for (record, _) in inside.iter().enumerate().filter(|(_, inside)| **inside) {
            for (part, amount) in &one.adds {
                let x = match amount {
                    Amount::Constant(_) => 0.0,
                    Amount::Column { column, .. } => limits
                        .get(column.as_str())
                        .map_or(0.0, |limits| limits[record]),
                };
                adds[record].push((index, *part, amount.at(x)));
            }
        }
    }
    for record in &mut adds {
        record.sort_unstable_by_key(|&(query, part, _)| (query, part));
        record.dedup_by(|later, earlier| {
            let same = (later.0, later.1) == (earlier.0, earlier.1);
            if same {
                earlier.2 += later.2;
            }
            same
        });
        record.retain(|add| add.2 != 0.0);
    }
    // beyond the range of doubles differences say nothing
    if adds.iter().flatten().any(|add| !add.2.is_finite()) {
        return Ok(None);
    }
    let bits = |record: &Adds| -> Vec<(usize, usize, u64)> {
        record
            .iter()
            .map(|&(query, part, value)| (query, part, value.to_bits()))
            .collect()
    };
    adds.sort_by_cached_key(bits);
    adds.dedup();
    Ok(Some(adds))
}

/// The largest L1 norm and the largest squared L2 norm of one record's effect, the parts of each query multiplied by its weight.
/// `None` if there are too many pairs.
fn largest(records: &[Adds], neighbours: Neighbours, weights: &[f64]) -> Option<(f64, f64)> {
    let mut found = (0.0_f64, 0.0_f64);
    let mut take = |changes: &mut dyn Iterator<Item = (usize, f64)>| {
        let (mut l1, mut squared) = (0.0, 0.0);
        for (query, change) in changes {
            let change = change.abs() * weights[query];
            l1 += change;
            squared += change * change;
        }
        found = (found.0.max(l1), found.1.max(squared));
    };
    match neighbours {
        Neighbours::AddRemove => {
            for record in records {
                take(&mut record.iter().map(|&(query, _, value)| (query, value)));
            }
        }
        Neighbours::Substitute => {
            let longest = records.iter().map(Vec::len).max().unwrap_or(0);
            let pairs = records.len().saturating_mul(records.len()) / 2;
            if pairs.saturating_mul(longest.max(1)) > MOST_COMPARED {
                return None;
            }
            for (place, one) in records.iter().enumerate() {
                for other in &records[..place] {
                    take(&mut Differences { one, other });
                }
            }
        }
    }
    Some(found)
}

/// Where two records differ, and by how much.
struct Differences<'a> {
    one: &'a [(usize, usize, f64)],
    other: &'a [(usize, usize, f64)],
}

impl Iterator for Differences<'_> {
    type Item = (usize, f64);

    fn next(&mut self) -> Option<(usize, f64)> {
        let key = |add: &(usize, usize, f64)| (add.0, add.1);
        match (self.one.split_first(), self.other.split_first()) {
            (Some((a, rest)), Some((b, others))) if key(a) == key(b) => {
                (self.one, self.other) = (rest, others);
                Some((a.0, a.2 - b.2))
            }
            (Some((a, rest)), other) if other.is_none_or(|(b, _)| key(a) < key(b)) => {
                self.one = rest;
                Some((a.0, a.2))
            }
            (_, Some((b, others))) => {
                self.other = others;
                Some((b.0, -b.2))
            }
            _ => None,
        }
    }
}

impl Joint {
    /// The sensitivity of all answers together as one vector.
    ///
    /// # Errors
    /// [`QueryError::JointSensitivity`] if it is beyond the range of `f64`
    pub fn sensitivity(&self) -> Result<Sensitivity, QueryError> {
        self.weighted(&vec![1.0; self.separate.len()])
    }

    /// The same, the answers of each query multiplied by its weight first. With the weights 1/bᵢ of Laplace noise of scales bᵢ the L1
    /// norm is the ε that all releases cost together; with the weights 1/σᵢ of Gaussian noise half the square of the L2 norm is their ρ.
    ///
    /// # Errors
    /// [`QueryError::Weights`] unless there is one finite weight of at least 0 for each query; [`QueryError::JointSensitivity`] if the
    /// sensitivity is beyond the range of `f64`
    pub fn weighted(&self, weights: &[f64]) -> Result<Sensitivity, QueryError> {
        let usable = |weight: &f64| *weight >= 0.0 && weight.is_finite();
        if weights.len() != self.separate.len() || !weights.iter().all(usable) {
            return Err(QueryError::Weights {
                weights: weights.to_vec(),
                queries: self.separate.len(),
            });
        }
        let (mut l1, mut squared) = (0.0, 0.0);
        for group in &self.groups {
            let mut bound = (0.0, 0.0);
            for &member in &group.members {
                let of_member = self.separate[member];
                bound.0 += of_member.l1 * weights[member];
                let l2 = of_member.l2 * weights[member];
                bound.1 += l2 * l2;
            }
            if let Some(records) = &group.records {
                // too many pairs: ‖g − g′‖ ≤ 2·max ‖g‖
                let exact = largest(records, self.neighbours, weights).or_else(|| {
                    largest(records, Neighbours::AddRemove, weights)
                        .map(|(l1, squared)| (2.0 * l1, 4.0 * squared))
                });
                if let Some(exact) = exact {
                    bound = (bound.0.min(exact.0), bound.1.min(exact.1));
                }
            }
            l1 += bound.0;
            squared += bound.1;
        }
        // beyond the range of the squares, not of the numbers: the L1 norm bounds the L2 norm
        let l2 = if squared.is_finite() {
            squared.sqrt().min(l1)
        } else {
            l1
        };
        Sensitivity::new(l1, l2).map_err(QueryError::JointSensitivity)
    }

    /// The sensitivities of the queries one by one.
    pub fn separate(&self) -> &[Sensitivity] {
        &self.separate
    }

    /// What the sum of the separate sensitivities would be: the L1 norms added, the L2 norms as of a vector.
    ///
    /// # Errors
    /// [`QueryError::JointSensitivity`] if it is beyond the range of `f64`
    pub fn sum(&self) -> Result<Sensitivity, QueryError> {
        let l1 = self.separate.iter().map(|one| one.l1).sum();
        let l2 = self
            .separate
            .iter()
            .fold(0.0, |total, one| libm::hypot(total, one.l2));
        Sensitivity::new(l1, l2).map_err(QueryError::JointSensitivity)
    }

    /// Whether no record counts for both queries. `false` also where that is not known; queries that are no sums over the records
    /// depend on every record.
    pub fn disjoint(&self, one: usize, other: usize) -> bool {
        self.groups.iter().any(|group| {
            group.members.contains(&one)
                && group.members.contains(&other)
                && group.records.as_ref().is_some_and(|records| {
                    !records.iter().any(|record| {
                        let adds_to = |query: usize| record.iter().any(|add| add.0 == query);
                        adds_to(one) && adds_to(other)
                    })
                })
        })
    }
}
