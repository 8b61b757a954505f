//! Sensitivities in closed form, where they depend on the number of rows n or on bounds alone. n is public under substitute; under
//! add-remove it stands for a public lower bound of the size of the smaller of two neighbours.
//!
//! All are exact (attained by some pair of neighbours), and compared with all pairs of small data sets in the tests. A width is
//! that of the declared bounds, U − L.

use crate::data::Bounds;
use crate::sensitivity::Neighbours;

/// What the sum of squared deviations is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divisor {
    /// by n: the variance of a population
    Population,
    /// by n − 1: the unbiased estimate from a sample
    Sample,
}

impl Divisor {
    /// How many rows there must be at least.
    pub fn least(self) -> f64 {
        match self {
            Divisor::Population => 1.0,
            Divisor::Sample => 2.0,
        }
    }
}

/// The covariance of two columns of those widths; with one column twice it is the variance.
///
/// Substitute: n·cov is a sum of products of deviations, and changing one value x to x′ moves the deviations by a multiple of the
/// unit vector less its mean; W·V·(n − 1)/n² is reached where all other records are equal. Add-remove: adding (x, y) to n rows gives
/// n/(n + 1)·cov + n/(n + 1)²·(x − x̄)(y − ȳ), whose change is largest where cov = 0 and the deviations are the widths:
/// W·V·n/(n + 1)², which falls with n. For the sample covariance W·V/n and W·V/(n + 1).
pub fn covariance(widths: (f64, f64), n: f64, divisor: Divisor, neighbours: Neighbours) -> f64 {
    let (width, other) = widths;
    let n = n.max(divisor.least());
    let factor = match (neighbours, divisor) {
        (Neighbours::Substitute, Divisor::Population) => (n - 1.0) / n / n,
        (Neighbours::Substitute, Divisor::Sample) => 1.0 / n,
        (Neighbours::AddRemove, Divisor::Population) => n / (n + 1.0) / (n + 1.0),
        (Neighbours::AddRemove, Divisor::Sample) => 1.0 / (n + 1.0),
    };
    width * factor * other
}

/// The variance of a column of that width: [`covariance`] of the column with itself.
pub fn variance(width: f64, n: f64, divisor: Divisor, neighbours: Neighbours) -> f64 {
    covariance((width, width), n, divisor, neighbours)
}

/// The standard deviation of a column of that width: the square root of [`variance`].
///
/// The standard deviation is a norm of the deviations, so that it moves by no more than the standard deviation of the change; from n
/// equal values, where it is 0, it moves by that.
pub fn standard_deviation(width: f64, n: f64, divisor: Divisor, neighbours: Neighbours) -> f64 {
    width * variance(1.0, n, divisor, neighbours).sqrt()
}

/// Largest minus smallest value of a column of that width: 0 where the number of rows is public and 1, else the width.
pub fn range(width: f64, n: f64, neighbours: Neighbours) -> f64 {
    match neighbours {
        Neighbours::Substitute if n <= 1.0 => 0.0,
        _ => width,
    }
}

/// The product of two values within bounds, or the square of one: its least and its largest value.
pub fn products(one: Bounds, other: Bounds, same: bool) -> (f64, f64) {
    let corners = [
        one.low() * other.low(),
        one.low() * other.high(),
        one.high() * other.low(),
        one.high() * other.high(),
    ];
    if same {
        let (low, high) = (corners[0], corners[3]);
        let least = if one.contains(0.0) {
            0.0
        } else {
            low.min(high)
        };
        return (least, low.max(high));
    }
    (
        corners.into_iter().fold(f64::INFINITY, f64::min),
        corners.into_iter().fold(f64::NEG_INFINITY, f64::max),
    )
}

/// A sum over the records of a number from `least` to `most`: max(|least|, |most|) under add-remove, their difference under
/// substitute.
pub fn sum((least, most): (f64, f64), neighbours: Neighbours) -> f64 {
    match neighbours {
        Neighbours::AddRemove => least.abs().max(most.abs()),
        Neighbours::Substitute => most - least,
    }
}

/// Which records of a join may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// those on the left
    Left,
    /// those on the right
    Right,
    /// all of them
    Either,
}

/// The size of a join in which each key has at most `left` records on the left and `right` records on the right. A record has a part
/// in as many pairs as its key has records on the other side. Where one record may be on both sides at once (a self-join),
/// l·r − (l − 1)(r − 1) pairs go with it.
pub fn join_count(multiplicities: (f64, f64), side: Side, both_at_once: bool) -> f64 {
    let (left, right) = multiplicities;
    match side {
        Side::Left => right,
        Side::Right => left,
        Side::Either if both_at_once => left + right - 1.0,
        Side::Either => left.max(right),
    }
}

/// The sum of vectors of that dimension whose L2 norm is clipped to `norm`: L1 and L2 sensitivity. Under add-remove the norm itself,
/// under substitute twice that (from one vector to its opposite); the L1 norm is at most √dimension times the L2 norm, which a vector
/// of equal parts reaches.
pub fn vector_sum(norm: f64, dimension: usize, neighbours: Neighbours) -> (f64, f64) {
    let l2 = match neighbours {
        Neighbours::AddRemove => norm,
        Neighbours::Substitute => 2.0 * norm,
    };
    ((dimension as f64).sqrt() * l2, l2)
}

/// A histogram of `bins` cells to which each user adds up to `records` records, any number of them in one cell: L1 and L2
/// sensitivity where users are what is added, removed or substituted. All go into one cell; under substitute from one cell to
/// another, or from one to none where there is only one and the number of records of a user may differ.
pub fn user_histogram_any(bins: usize, records: f64, neighbours: Neighbours) -> (f64, f64) {
    match neighbours {
        Neighbours::Substitute if bins > 1 => (2.0 * records, libm::sqrt(2.0) * records),
        _ => (records, records),
    }
}

/// The same where a user's records are in distinct cells: up to min(`records`, `bins`) counts change by 1, under substitute up to
/// min(2·`records`, `bins`).
pub fn user_histogram_distinct(bins: usize, records: f64, neighbours: Neighbours) -> (f64, f64) {
    let times = match neighbours {
        Neighbours::AddRemove => 1.0,
        Neighbours::Substitute => 2.0,
    };
    let changed = (times * records).min(bins as f64);
    (changed, changed.sqrt())
}

/// The utility −|#{x < r} − q·n| of a candidate r for the q-quantile (Smith, STOC 2011): max(q, 1 − q) under add-remove, 1 under
/// substitute. The utility −|(1 − q)·#{x < r} − q·#{x > r}| has the same.
pub fn quantile_utility(q: f64, neighbours: Neighbours) -> f64 {
    match neighbours {
        Neighbours::AddRemove => q.max(1.0 - q),
        Neighbours::Substitute => 1.0,
    }
}

/// The utility −|#{x < r} − #{x > r}| of a candidate r for the median: 1 under add-remove, 2 under substitute.
pub fn balance_utility(neighbours: Neighbours) -> f64 {
    match neighbours {
        Neighbours::AddRemove => 1.0,
        Neighbours::Substitute => 2.0,
    }
}

/// Prefix sums over `bins` cells: L1 and L2 sensitivity. A record of the first cell is in all sums; from the first cell to the last it
/// leaves all sums but the total.
pub fn prefix_sums(bins: f64, neighbours: Neighbours) -> (f64, f64) {
    let changed = match neighbours {
        Neighbours::AddRemove => bins,
        Neighbours::Substitute => bins - 1.0,
    };
    (changed, changed.sqrt())
}

/// The nodes of a complete binary tree of that many levels (one level is the root alone): L1 and L2 sensitivity. A record is in one node
/// of each level; from one half to the other it leaves and enters one on each level but the root's.
pub fn binary_tree(levels: f64, neighbours: Neighbours) -> (f64, f64) {
    let changed = match neighbours {
        Neighbours::AddRemove => levels,
        Neighbours::Substitute => 2.0 * (levels - 1.0),
    };
    (changed, changed.sqrt())
}
