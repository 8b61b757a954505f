//! Sum and mean of a column whose values are clipped further than its bounds, and the mean from a sum and a count.
//!
//! A clipping bound lowers the sensitivity and moves the answer: noise falls with it, bias grows. The target of these queries is that
//! of the column without the clipping, so that the bias is seen.

use super::cell_query::single;
use super::sum::{finite_answer, scalar};
use super::{
    Amount, Arguments, Contribution, Estimand, Parameter, ParameterKind, Query, QueryError,
    QueryKind, Room,
};
use crate::about::About;
use crate::data::{Bounds, Table};
use crate::sensitivity::{Neighbours, Sensitivity};
use crate::shortest::Shortest;
use crate::summation;

const SUM: About = About {
    name: "clipped-sum",
    summary: "sum of a column after clipping its values to [low, high]; the bias is that of the clipping",
    formula: "Δ = max(|low|, |high|) under add-remove, high − low under substitute, for bounds that the column can reach",
    source: "from Δ of the sum; Amin, Kulesza, Muñoz and Vassilvitskii (ICML 2019) on the choice of the bound",
};

const MEAN: About = About {
    name: "clipped-mean",
    summary: "mean of a column after clipping its values to [low, high], over a public number of rows",
    formula: "Δ = (high − low)/n under substitute, where n is public; with `divisor` d: Δ(clipped sum)/d",
    source: "from Δ of the sum; Amin, Kulesza, Muñoz and Vassilvitskii (ICML 2019) on the choice of the bound",
};

const SPLIT: About = About {
    name: "split-mean",
    summary: "mean of a column from a noisy sum of its clipped values and a noisy count, which share the budget",
    formula: "centre + sum(clip(x) − centre)/count, clipped to [low, high]; Δ of the parts: max |bound − centre| and 1 under add-remove",
    source: "Li, Lyu, Su and Yang, Differential Privacy: From Theory to Practice (2016), §2.5; joint Δ by brute force in the tests",
};

const COLUMN: Parameter = Parameter {
    name: "column",
    kind: ParameterKind::Column,
    required: true,
    summary: "the column, which holds numbers",
};

const LOW: Parameter = Parameter {
    name: "low",
    kind: ParameterKind::Number,
    required: true,
    summary: "the value to which lower ones are raised",
};

const HIGH: Parameter = Parameter {
    name: "high",
    kind: ParameterKind::Number,
    required: true,
    summary: "the value to which higher ones are lowered",
};

const PARAMETERS: &[Parameter] = &[COLUMN, LOW, HIGH];

const MEAN_PARAMETERS: &[Parameter] = &[
    COLUMN,
    LOW,
    HIGH,
    Parameter {
        name: "divisor",
        kind: ParameterKind::Number,
        required: false,
        summary: "a public number to divide the sum by, in place of the number of rows",
    },
];

const SPLIT_PARAMETERS: &[Parameter] = &[
    COLUMN,
    Parameter {
        name: "low",
        kind: ParameterKind::Number,
        required: false,
        summary: "the value to which lower ones are raised; without it the lower bound of the column",
    },
    Parameter {
        name: "high",
        kind: ParameterKind::Number,
        required: false,
        summary: "the value to which higher ones are lowered; without it the upper bound of the column",
    },
    Parameter {
        name: "centre",
        kind: ParameterKind::Number,
        required: false,
        summary: "what is taken off each value before they are summed, 0 without it; the middle of the bounds halves Δ of the sum",
    },
];

/// The kind `clipped-sum`.
pub(super) struct ClippedSum;

/// The kind `clipped-mean`.
pub(super) struct ClippedMean;

/// The kind `split-mean`.
pub(super) struct SplitMean;

impl QueryKind for ClippedSum {
    fn about(&self) -> &'static About {
        &SUM
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "income", low = 0, high = 80000 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        clipped(&SUM, PARAMETERS, arguments)
    }
}

impl QueryKind for ClippedMean {
    fn about(&self) -> &'static About {
        &MEAN
    }

    fn parameters(&self) -> &'static [Parameter] {
        MEAN_PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "income", low = 0, high = 80000 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        clipped(&MEAN, MEAN_PARAMETERS, arguments)
    }
}

fn clipped(
    about: &'static About,
    parameters: &'static [Parameter],
    arguments: &Arguments,
) -> Result<Box<dyn Query>, QueryError> {
    arguments.check(about.name, parameters)?;
    let end = |name| arguments.number(name).unwrap_or(f64::NAN);
    let divisor = match arguments.number("divisor") {
        Some(value) if !(value > 0.0 && value.is_finite()) => {
            return Err(QueryError::Range {
                query: about.name,
                argument: "divisor",
                value,
                rule: "finite and above 0",
            });
        }
        divisor => divisor,
    };
    Ok(Box::new(ClippedQuery {
        about,
        column: arguments.column(),
        clip: Bounds::new(end("low"), end("high"))?,
        divisor,
    }))
}

/// The part of the clipping interval that the clipped values of a column can reach.
fn reached(table: &Table, column: &str, clip: Bounds) -> Result<Bounds, QueryError> {
    let column = table.column(column)?;
    column.numbers()?;
    Ok(match column.bounds() {
        None => clip,
        Some(bounds) => Bounds::new(clip.clip(bounds.low()), clip.clip(bounds.high()))?,
    })
}

fn clipped_sum(values: &[f64], clip: Bounds, centre: f64) -> f64 {
    let clipped: Vec<f64> = values.iter().map(|&x| clip.clip(x) - centre).collect();
    summation::sum(&clipped)
}

#[derive(Debug)]
struct ClippedQuery {
    about: &'static About,
    column: String,
    clip: Bounds,
    /// a public number in place of the number of rows, for the mean
    divisor: Option<f64>,
}

impl ClippedQuery {
    fn is_mean(&self) -> bool {
        self.about.name == MEAN.name
    }

    fn over(&self, total: f64, table: &Table) -> Result<f64, QueryError> {
        if !self.is_mean() {
            return finite_answer(total, self.about.name, &self.column);
        }
        finite_answer(total / self.rows(table)?, self.about.name, &self.column)
    }

    /// What the sum is divided by for a mean.
    fn rows(&self, table: &Table) -> Result<f64, QueryError> {
        if let Some(divisor) = self.divisor {
            return Ok(divisor);
        }
        match table.rows() {
            0 => Err(QueryError::NoRows {
                query: self.about.name,
                column: self.column.clone(),
            }),
            rows => Ok(rows as f64),
        }
    }

    /// By what the sum is divided under the relation.
    fn divisor(&self, table: &Table, neighbours: Neighbours) -> Result<f64, QueryError> {
        match (self.is_mean(), neighbours) {
            (false, _) => Ok(1.0),
            (true, _) if self.divisor.is_some() => self.rows(table),
            (true, Neighbours::Substitute) => self.rows(table),
            (true, Neighbours::AddRemove) => Err(QueryError::PrivateSize {
                query: self.about.name,
                column: self.column.clone(),
                neighbours,
            }),
        }
    }
}

impl Query for ClippedQuery {
    fn about(&self) -> &'static About {
        self.about
    }

    fn definition(&self) -> String {
        let what = match (self.is_mean(), self.divisor) {
            (true, None) => "mean",
            _ => "sum",
        };
        let over = self
            .divisor
            .map(|divisor| format!(" over {}", Shortest(divisor)));
        format!(
            "{what} of {} clipped to {}{}",
            self.column,
            self.clip,
            over.unwrap_or_default()
        )
    }

    fn columns(&self) -> Vec<String> {
        vec![self.column.clone()]
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        let values = table.column(&self.column)?.numbers()?;
        self.over(clipped_sum(values, self.clip, 0.0), table)
    }

    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let reached = reached(table, &self.column, self.clip)?;
        let size = super::sum::largest_change(reached, neighbours);
        let divisor = self.divisor(table, neighbours)?;
        scalar(size / divisor, self.about.name, &self.column)
    }

    fn contributions(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Option<Vec<Contribution>>, QueryError> {
        table.column(&self.column)?.numbers()?;
        let divisor = self.divisor(table, neighbours)?;
        let contribution = super::sum::column_contribution(&self.column, self.clip, 1.0 / divisor);
        Ok(Some(contribution))
    }

    fn estimand(&self) -> Option<Estimand> {
        let column = self.column.clone();
        match (self.is_mean(), self.divisor) {
            (true, None) => Some(Estimand::Mean(column)),
            (true, Some(divisor)) => Some(Estimand::Sum(column, divisor)),
            (false, _) => Some(Estimand::Sum(column, 1.0)),
        }
    }

    /// Sum or mean without the clipping.
    fn target(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        let values = table.column(&self.column)?.numbers()?;
        Ok(vec![self.over(summation::sum(values), table)?])
    }
}

impl QueryKind for SplitMean {
    fn about(&self) -> &'static About {
        &SPLIT
    }

    fn parameters(&self) -> &'static [Parameter] {
        SPLIT_PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "income", low = 0, high = 80000, centre = 40000 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(SPLIT.name, SPLIT_PARAMETERS)?;
        let [low, high, centre] = ["low", "high", "centre"].map(|name| arguments.number(name));
        let centre = centre.unwrap_or(0.0);
        if !centre.is_finite() {
            return Err(QueryError::Range {
                query: SPLIT.name,
                argument: "centre",
                value: centre,
                rule: "finite",
            });
        }
        let clip = match (low, high) {
            (None, None) => None,
            (low, high) => Some(Bounds::new(
                low.unwrap_or(f64::MIN),
                high.unwrap_or(f64::MAX),
            )?),
        };
        Ok(Box::new(SplitQuery {
            column: arguments.column(),
            clip,
            centre,
        }))
    }
}

#[derive(Debug)]
struct SplitQuery {
    column: String,
    /// the bounds of the column without it
    clip: Option<Bounds>,
    centre: f64,
}

impl SplitQuery {
    /// The interval of the clipped values.
    fn clip(&self, table: &Table) -> Result<Bounds, QueryError> {
        match self.clip {
            Some(clip) => reached(table, &self.column, clip),
            None => Ok(table.column(&self.column)?.bounded()?.1),
        }
    }
}

impl Query for SplitQuery {
    fn about(&self) -> &'static About {
        &SPLIT
    }

    fn definition(&self) -> String {
        let clip = self.clip.map(|clip| format!(" clipped to {clip}"));
        let centre = match self.centre {
            0.0 => String::new(),
            centre => format!(", around {}", Shortest(centre)),
        };
        format!(
            "mean of {}{}{centre}, from sum and count",
            self.column,
            clip.unwrap_or_default()
        )
    }

    fn columns(&self) -> Vec<String> {
        vec![self.column.clone()]
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        single(SPLIT.name, &self.answers(table)?)
    }

    /// One record changes both parts: (max |bound − centre|, 1) under add-remove, and the sum alone under substitute.
    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let parts = self.part_sensitivities(table, neighbours)?;
        let l1 = parts.iter().map(|part| part.l1).sum();
        let l2 = parts
            .iter()
            .fold(0.0, |so_far, part| libm::hypot(so_far, part.l2));
        Sensitivity::new(l1, l2).map_err(|error| QueryError::Sensitivity {
            query: SPLIT.name,
            column: self.column.clone(),
            error,
        })
    }

    fn parts(&self) -> Vec<String> {
        let sum = match self.centre {
            0.0 => format!("sum of {}", self.column),
            centre => format!("sum of {} − {}", self.column, Shortest(centre)),
        };
        vec![sum, "count".to_owned()]
    }

    fn answers(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        let clip = self.clip(table)?;
        let values = table.column(&self.column)?.numbers()?;
        let sum = clipped_sum(values, clip, self.centre);
        Ok(vec![
            finite_answer(sum, SPLIT.name, &self.column)?,
            table.rows() as f64,
        ])
    }

    fn part_sensitivities(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Vec<Sensitivity>, QueryError> {
        let clip = self.clip(table)?;
        let (sum, count) = match neighbours {
            Neighbours::AddRemove => {
                let ends = [clip.low(), clip.high()].map(|end| (end - self.centre).abs());
                (ends[0].max(ends[1]), 1.0)
            }
            Neighbours::Substitute => (clip.width(), 0.0),
        };
        Ok(vec![
            scalar(sum, SPLIT.name, &self.column)?,
            Sensitivity {
                l1: count,
                l2: count,
            },
        ])
    }

    fn contributions(
        &self,
        table: &Table,
        _: Neighbours,
    ) -> Result<Option<Vec<Contribution>>, QueryError> {
        let sum = Amount::Column {
            column: self.column.clone(),
            clip: self.clip(table)?,
            centre: self.centre,
            factor: 1.0,
        };
        Ok(Some(vec![Contribution {
            region: None,
            adds: vec![(0, sum), (1, Amount::Constant(1.0))],
        }]))
    }

    fn outputs(&self) -> Vec<String> {
        vec![self.definition()]
    }

    /// The quotient, with a count of at least 1, and within the clipping bounds where they are given.
    fn derive_rows(&self, released: &[f64], trials: usize, _: &mut Room, outputs: &mut [f64]) {
        let (sums, counts) = released.split_at(trials);
        for (output, (sum, count)) in outputs.iter_mut().zip(sums.iter().zip(counts)) {
            let mean = self.centre + sum / count.max(1.0);
            *output = self.clip.map_or(mean, |clip| clip.clip(mean));
        }
    }

    fn output_variances(&self) -> Option<Vec<f64>> {
        None
    }

    fn estimand(&self) -> Option<Estimand> {
        Some(Estimand::Mean(self.column.clone()))
    }

    /// The mean without clipping.
    fn target(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        let values = table.column(&self.column)?.numbers()?;
        if values.is_empty() {
            return Err(QueryError::NoRows {
                query: SPLIT.name,
                column: self.column.clone(),
            });
        }
        let mean = summation::sum(values) / values.len() as f64;
        Ok(vec![finite_answer(mean, SPLIT.name, &self.column)?])
    }
}
