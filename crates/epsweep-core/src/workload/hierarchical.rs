//! A tree of ranges is measured and made consistent.

use super::{Ranges, Strategy, StrategyKind, WorkloadError};
use crate::about::About;
use std::ops::Range;

const ABOUT: About = About {
    name: "hierarchical",
    summary: "measures a tree of ranges and makes the counts consistent by least squares",
    formula: "x̂ = (AᵀA)⁻¹Aᵀy in two passes over the tree; Δ₁ = levels under add-remove, 2·(levels − 1) under substitute; less where leaves of an uneven tree lie less deep",
    source: "Hay, Rastogi, Miklau and Suciu (PVLDB 3, 2010), theorems 3 and 4",
};

/// The kind `hierarchical`.
pub(super) struct HierarchicalKind;

impl StrategyKind for HierarchicalKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn build(&self, bins: usize, branching: usize) -> Result<Box<dyn Strategy>, WorkloadError> {
        Ok(Box::new(Hierarchical::new(bins, branching)?))
    }
}

/// A tree over the bins: the root is all of them, and a node of several bins has up to `branching` children of nearly equal size.
/// Nodes are in the order of a walk from the root that visits a node before its children.
#[derive(Clone, Debug)]
pub struct Hierarchical {
    ranges: Ranges,
    /// the children of each node
    children: Vec<Vec<usize>>,
    /// per node, the variance of the estimate of its count from the nodes at and below it, in units of that of one measurement
    below: Vec<f64>,
}

impl Hierarchical {
    /// # Errors
    /// [`WorkloadError`] if there are no bins or too many, or if the branching is below 2
    pub fn new(bins: usize, branching: usize) -> Result<Hierarchical, WorkloadError> {
        if branching < 2 {
            return Err(WorkloadError::Branching { branching });
        }
        if !(1..=Ranges::MOST_BINS).contains(&bins) {
            return Err(WorkloadError::Count { bins });
        }
        let mut list = Vec::new();
        let mut children = Vec::new();
        grow(0..bins, branching, &mut list, &mut children);
        let mut below = vec![1.0; list.len()];
        for node in (0..list.len()).rev() {
            if !children[node].is_empty() {
                let sum: f64 = children[node].iter().map(|&child| below[child]).sum();
                // two independent estimates of one count, of variances 1 and `sum`
                below[node] = sum / (1.0 + sum);
            }
        }
        Ok(Hierarchical {
            ranges: Ranges::new(bins, list)?,
            children,
            below,
        })
    }

    /// How many measured ranges hold the bin that is held by most.
    pub fn levels(&self) -> usize {
        let mut depth = vec![1; self.children.len()];
        for (node, children) in self.children.iter().enumerate() {
            for &child in children {
                depth[child] = depth[node] + 1;
            }
        }
        depth.into_iter().max().unwrap_or(0)
    }

    /// Least squares on a tree. Upwards, each node's count is estimated from the nodes at and below it: its own measurement and
    /// the sum of its children's estimates, weighted by their inverse variances. Downwards, what the children's sum lacks to their
    /// parent's final count is shared by them in proportion to their variances.
    fn least_squares(
        &self,
        measured: &[f64],
        trials: usize,
        room: &mut Vec<f64>,
        counts: &mut [f64],
    ) {
        let nodes = self.children.len();
        // the estimates of all nodes, and a row for the sum of some children's
        room.clear();
        room.extend_from_slice(&measured[..nodes * trials]);
        room.resize((nodes + 1) * trials, 0.0);
        let (estimates, sum) = room.split_at_mut(nodes * trials);
        let row = |node: usize| node * trials..(node + 1) * trials;
        for (node, children) in self.children.iter().enumerate().rev() {
            if children.is_empty() {
                continue;
            }
            let variance: f64 = children.iter().map(|&child| self.below[child]).sum();
            add_up(children, estimates, sum);
            for (estimate, sum) in estimates[row(node)].iter_mut().zip(&*sum) {
                *estimate = (*estimate * variance + sum) / (variance + 1.0);
            }
        }
        for (node, children) in self.children.iter().enumerate() {
            if children.is_empty() {
                let bin = self.ranges.list()[node].start;
                counts[row(bin)].copy_from_slice(&estimates[row(node)]);
                continue;
            }
            let variance: f64 = children.iter().map(|&child| self.below[child]).sum();
            add_up(children, estimates, sum);
            // a node stands before those below it
            let (above, below) = estimates.split_at_mut((node + 1) * trials);
            for (lacking, estimate) in sum.iter_mut().zip(&above[node * trials..]) {
                *lacking = estimate - *lacking;
            }
            for &child in children {
                let share = self.below[child];
                let first = (child - node - 1) * trials;
                for (estimate, lacking) in below[first..first + trials].iter_mut().zip(&*sum) {
                    *estimate += lacking * share / variance;
                }
            }
        }
    }
}

/// The sum of the rows of some nodes.
fn add_up(nodes: &[usize], rows: &[f64], sum: &mut [f64]) {
    let trials = sum.len();
    sum.fill(0.0);
    for node in nodes {
        for (sum, value) in sum.iter_mut().zip(&rows[node * trials..]) {
            *sum += value;
        }
    }
}

/// Adds the node of a range and all below it; its number.
fn grow(
    range: Range<usize>,
    branching: usize,
    list: &mut Vec<Range<usize>>,
    children: &mut Vec<Vec<usize>>,
) -> usize {
    let node = list.len();
    list.push(range.clone());
    children.push(Vec::new());
    let bins = range.len();
    if bins > 1 {
        let parts = branching.min(bins);
        for part in 0..parts {
            let start = range.start + part * bins / parts;
            let end = range.start + (part + 1) * bins / parts;
            let child = grow(start..end, branching, list, children);
            children[node].push(child);
        }
    }
    node
}

impl Strategy for Hierarchical {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn ranges(&self) -> &Ranges {
        &self.ranges
    }

    fn reconstruct_rows(
        &self,
        measured: &[f64],
        trials: usize,
        room: &mut Vec<f64>,
        counts: &mut [f64],
    ) {
        self.least_squares(measured, trials, room, counts);
    }

    /// (AᵀA)⁻¹q is the reconstruction from measurements y with Aᵀy = q: those that are q at the leaves and 0 above them.
    fn variance(&self, coefficients: &[f64]) -> f64 {
        let mut measured = vec![0.0; self.children.len()];
        for (node, range) in self.ranges.list().iter().enumerate() {
            if self.children[node].is_empty() {
                measured[node] = coefficients[range.start];
            }
        }
        (self.reconstruct(&measured).iter())
            .zip(coefficients)
            .map(|(solved, q)| solved * q)
            .sum()
    }
}
