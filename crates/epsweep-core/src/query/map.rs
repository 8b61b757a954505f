//! Linear queries on the counts of cells: what they tell, and how far one record moves it.

use super::cells::Cells;
use super::{Amount, Contribution, QueryError};
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};
use crate::workload::Ranges;

/// Entries of a matrix beyond which the joint sensitivity does not look into the query.
const MOST_ADDS: usize = 1 << 20;

/// Cells beyond which the joint sensitivity does not look into the query: it would compare each with each.
const MOST_JOINT_CELLS: usize = 2048;

/// What is computed from the counts of the cells.
#[derive(Clone, Debug)]
pub(super) enum Map {
    /// the counts
    Identity,
    /// sums of neighbouring cells
    Ranges(Ranges),
    /// one row of coefficients for each answer
    Matrix(Vec<Vec<f64>>),
}

impl Map {
    pub(super) fn apply(&self, counts: Vec<f64>) -> Vec<f64> {
        match self {
            Map::Identity => counts,
            Map::Ranges(ranges) => ranges.sums(&counts),
            Map::Matrix(rows) => (rows.iter())
                .map(|row| {
                    row.iter()
                        .zip(&counts)
                        .map(|(factor, count)| factor * count)
                        .sum()
                })
                .collect(),
        }
    }

    pub(super) fn parts(&self, cells: usize) -> usize {
        match self {
            Map::Identity => cells,
            Map::Ranges(ranges) => ranges.list().len(),
            Map::Matrix(rows) => rows.len(),
        }
    }

    /// Under add-remove the largest norm of a column, under substitute that of a difference of two columns, where a record in no cell
    /// has a column of zeros.
    pub(super) fn norms(
        &self,
        cells: &Cells,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let (reachable, outside) = cells.reachable(table)?;
        let (l1, l2) = match self {
            Map::Identity => {
                let cells = reachable.iter().filter(|reached| **reached).count();
                let changed = match neighbours {
                    Neighbours::AddRemove => cells.min(1),
                    // out of one cell and into another, or only out of it
                    Neighbours::Substitute if cells >= 2 => 2,
                    Neighbours::Substitute => cells.min(usize::from(outside)),
                };
                (changed as f64, (changed as f64).sqrt())
            }
            Map::Ranges(ranges) => ranges.norms(neighbours, &reachable, outside),
            Map::Matrix(rows) => {
                let column = |cell: usize| rows.iter().map(|row| row[cell]).collect::<Vec<f64>>();
                let mut columns: Vec<Vec<f64>> = (0..reachable.len())
                    .filter(|&cell| reachable[cell])
                    .map(column)
                    .collect();
                if outside {
                    columns.push(vec![0.0; rows.len()]);
                }
                largest(&columns, neighbours)
            }
        };
        Sensitivity::new(l1, l2).map_err(|error| QueryError::Sensitivity {
            query: "cells",
            column: cells.definition(),
            error,
        })
    }

    /// How far each answer can move by itself.
    pub(super) fn part_norms(
        &self,
        cells: &Cells,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Vec<Sensitivity>, QueryError> {
        let (reachable, outside) = cells.reachable(table)?;
        let within: Vec<usize> = (0..reachable.len())
            .filter(|&cell| reachable[cell])
            .collect();
        let moved = |row: &dyn Fn(usize) -> f64| {
            let values = || {
                within
                    .iter()
                    .map(|&cell| row(cell))
                    .chain(outside.then_some(0.0))
            };
            let most = values().fold(f64::NEG_INFINITY, f64::max);
            let least = values().fold(f64::INFINITY, f64::min);
            match neighbours {
                Neighbours::AddRemove => {
                    values().fold(0.0, |most: f64, value| most.max(value.abs()))
                }
                Neighbours::Substitute if most >= least => most - least,
                Neighbours::Substitute => 0.0,
            }
        };
        let sizes: Vec<f64> = match self {
            Map::Identity => (0..reachable.len())
                .map(|place| moved(&|cell| f64::from(cell == place)))
                .collect(),
            Map::Ranges(ranges) => (ranges.list().iter())
                .map(|range| moved(&|cell| f64::from(range.contains(&cell))))
                .collect(),
            Map::Matrix(rows) => rows.iter().map(|row| moved(&|cell| row[cell])).collect(),
        };
        let scalar = |size| {
            Sensitivity::scalar(size).map_err(|error| QueryError::Sensitivity {
                query: "cells",
                column: cells.definition(),
                error,
            })
        };
        sizes.into_iter().map(scalar).collect()
    }

    /// What a record of each cell adds; `None` if that is too much to compare pair by pair.
    pub(super) fn contributions(
        &self,
        cells: &Cells,
        table: &Table,
    ) -> Result<Option<Vec<Contribution>>, QueryError> {
        cells.places(table)?;
        let count = cells.len();
        if count > MOST_JOINT_CELLS || count.saturating_mul(self.parts(count)) > MOST_ADDS {
            return Ok(None);
        }
        let adds = |cell: usize| -> Vec<(usize, Amount)> {
            match self {
                Map::Identity => vec![(cell, Amount::Constant(1.0))],
                Map::Ranges(ranges) => (ranges.list().iter().enumerate())
                    .filter(|(_, range)| range.contains(&cell))
                    .map(|(part, _)| (part, Amount::Constant(1.0)))
                    .collect(),
                Map::Matrix(rows) => (rows.iter().enumerate())
                    .map(|(part, row)| (part, Amount::Constant(row[cell])))
                    .collect(),
            }
        };
        let all: Result<Vec<Contribution>, QueryError> = (0..count)
            .map(|cell| {
                Ok(Contribution {
                    region: Some(cells.region(cell)?),
                    adds: adds(cell),
                })
            })
            .collect();
        all.map(Some)
    }
}

/// The largest norms of columns, or of differences of two.
fn largest(columns: &[Vec<f64>], neighbours: Neighbours) -> (f64, f64) {
    let norms = |change: &mut dyn Iterator<Item = f64>| {
        let (mut l1, mut l2) = (0.0_f64, 0.0_f64);
        for value in change {
            l1 += value.abs();
            l2 = libm::hypot(l2, value);
        }
        (l1, l2)
    };
    let mut most = (0.0_f64, 0.0_f64);
    for (place, one) in columns.iter().enumerate() {
        let mut take = |found: (f64, f64)| most = (most.0.max(found.0), most.1.max(found.1));
        match neighbours {
            Neighbours::AddRemove => take(norms(&mut one.iter().copied())),
            Neighbours::Substitute => {
                for other in &columns[..place] {
                    take(norms(&mut one.iter().zip(other).map(|(x, y)| x - y)));
                }
            }
        }
    }
    most
}
