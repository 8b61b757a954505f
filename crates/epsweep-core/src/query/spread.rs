//! Variance and standard deviation of a column, and the covariance of two.

use super::formula::{self, Divisor};
use super::sum::{finite_answer, scalar};
use super::{Arguments, Estimand, Parameter, ParameterKind, Query, QueryError, QueryKind};
use crate::about::About;
use crate::data::{Bounds, Table};
use crate::sensitivity::{Neighbours, Sensitivity};
use crate::summation;

const AT_LEAST: Parameter = Parameter {
    name: "at_least",
    kind: ParameterKind::Number,
    required: false,
    summary: "a public lower bound of the number of rows, where that number is private (add-remove)",
};

const PARAMETERS: &[Parameter] = &[super::arguments::COLUMN, AT_LEAST];

const PAIR_PARAMETERS: &[Parameter] = &[
    super::arguments::COLUMN,
    Parameter {
        name: "with",
        kind: ParameterKind::Column,
        required: true,
        summary: "the other column, which holds numbers and has declared bounds",
    },
    AT_LEAST,
];

/// One of the kinds of this file.
pub(super) struct Spread {
    about: About,
    divisor: Divisor,
    root: bool,
    of_two: bool,
}

const SOURCE: &str =
    "derived in the documentation of the formula; by brute force over neighbours in the tests";

/// The kind `variance`.
pub(super) const VARIANCE: &Spread = &Spread {
    about: About {
        name: "variance",
        summary: "variance of a column with declared bounds, as of a population: divided by n",
        formula: "Δ = (U − L)²(n − 1)/n² under substitute; with `at_least` m under add-remove: (U − L)²m/(m + 1)²",
        source: SOURCE,
    },
    divisor: Divisor::Population,
    root: false,
    of_two: false,
};

/// The kind `sample-variance`.
pub(super) const SAMPLE_VARIANCE: &Spread = &Spread {
    about: About {
        name: "sample-variance",
        summary: "variance of a column with declared bounds, estimated from a sample: divided by n − 1",
        formula: "Δ = (U − L)²/n under substitute; with `at_least` m ≥ 2 under add-remove: (U − L)²/(m + 1)",
        source: SOURCE,
    },
    divisor: Divisor::Sample,
    root: false,
    of_two: false,
};

/// The kind `standard-deviation`.
pub(super) const STANDARD_DEVIATION: &Spread = &Spread {
    about: About {
        name: "standard-deviation",
        summary: "standard deviation of a column with declared bounds, as of a population",
        formula: "Δ = (U − L)√(n − 1)/n under substitute; with `at_least` m under add-remove: (U − L)√m/(m + 1)",
        source: SOURCE,
    },
    divisor: Divisor::Population,
    root: true,
    of_two: false,
};

/// The kind `sample-standard-deviation`.
pub(super) const SAMPLE_STANDARD_DEVIATION: &Spread = &Spread {
    about: About {
        name: "sample-standard-deviation",
        summary: "standard deviation of a column with declared bounds, estimated from a sample",
        formula: "Δ = (U − L)/√n under substitute; with `at_least` m ≥ 2 under add-remove: (U − L)/√(m + 1)",
        source: SOURCE,
    },
    divisor: Divisor::Sample,
    root: true,
    of_two: false,
};

/// The kind `covariance`.
pub(super) const COVARIANCE: &Spread = &Spread {
    about: About {
        name: "covariance",
        summary: "covariance of two columns with declared bounds, as of a population: divided by n",
        formula: "Δ = (U − L)(U′ − L′)(n − 1)/n² under substitute; with `at_least` m under add-remove: (U − L)(U′ − L′)m/(m + 1)²",
        source: SOURCE,
    },
    divisor: Divisor::Population,
    root: false,
    of_two: true,
};

/// The kind `sample-covariance`.
pub(super) const SAMPLE_COVARIANCE: &Spread = &Spread {
    about: About {
        name: "sample-covariance",
        summary: "covariance of two columns with declared bounds, estimated from a sample: divided by n − 1",
        formula: "Δ = (U − L)(U′ − L′)/n under substitute; with `at_least` m ≥ 2 under add-remove: (U − L)(U′ − L′)/(m + 1)",
        source: SOURCE,
    },
    divisor: Divisor::Sample,
    root: false,
    of_two: true,
};

impl Spread {
    fn parameters_of(&self) -> &'static [Parameter] {
        if self.of_two {
            PAIR_PARAMETERS
        } else {
            PARAMETERS
        }
    }
}

impl QueryKind for &'static Spread {
    fn about(&self) -> &'static About {
        &self.about
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters_of()
    }

    fn example(&self) -> &'static str {
        if self.of_two {
            r#"{ column = "age", with = "hours" }"#
        } else {
            r#"{ column = "age" }"#
        }
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        let name = self.about.name;
        arguments.check(name, self.parameters_of())?;
        // beyond 2⁵³ doubles skip integers
        let within = (self.divisor.least(), 9_007_199_254_740_992.0);
        let rule = match self.divisor {
            Divisor::Population => "a whole number of at least 1",
            Divisor::Sample => "a whole number of at least 2, for one row has no sample variance",
        };
        let at_least = arguments.whole(name, "at_least", within, rule)?;
        Ok(Box::new(SpreadQuery {
            kind: self,
            column: arguments.column(),
            with: arguments.text("with").map(str::to_owned),
            at_least: at_least.map(|least| least as f64),
        }))
    }
}

struct SpreadQuery {
    kind: &'static Spread,
    column: String,
    with: Option<String>,
    at_least: Option<f64>,
}

impl std::fmt::Debug for SpreadQuery {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.definition())
    }
}

impl SpreadQuery {
    fn other(&self) -> &str {
        self.with.as_deref().unwrap_or(&self.column)
    }

    /// The number of rows, if it is one of which this is defined.
    fn rows(&self, table: &Table) -> Result<f64, QueryError> {
        let rows = table.rows();
        let name = self.kind.about.name;
        let column = self.column.clone();
        if rows == 0 {
            return Err(QueryError::NoRows {
                query: name,
                column,
            });
        }
        let at_least = self.at_least.unwrap_or(self.kind.divisor.least());
        if (rows as f64) < at_least {
            return Err(QueryError::TooFewRows {
                query: name,
                column,
                rows,
                at_least,
            });
        }
        Ok(rows as f64)
    }

    fn bounds(&self, table: &Table) -> Result<[Bounds; 2], QueryError> {
        let (_, one) = table.column(&self.column)?.bounded()?;
        let (_, other) = table.column(self.other())?.bounded()?;
        Ok([one, other])
    }
}

/// x less the mean, in two passes.
fn deviations(values: &[f64]) -> Vec<f64> {
    let n = values.len() as f64;
    let parts: Vec<f64> = values.iter().map(|value| value / n).collect();
    let mean = summation::sum(&parts);
    values.iter().map(|value| value - mean).collect()
}

impl Query for SpreadQuery {
    fn about(&self) -> &'static About {
        &self.kind.about
    }

    fn definition(&self) -> String {
        let name = self.kind.about.name;
        let least = self
            .at_least
            .map(|least| format!(" over at least {least} rows"));
        let with = self.with.as_ref().map(|with| format!(" with {with}"));
        format!(
            "{name} of {}{}{}",
            self.column,
            with.unwrap_or_default(),
            least.unwrap_or_default()
        )
    }

    fn columns(&self) -> Vec<String> {
        let mut names = vec![self.column.clone()];
        names.extend(self.with.clone().filter(|with| *with != self.column));
        names
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        let (values, _) = table.column(&self.column)?.bounded()?;
        let (others, _) = table.column(self.other())?.bounded()?;
        let rows = self.rows(table)?;
        let divisor = match self.kind.divisor {
            Divisor::Population => rows,
            Divisor::Sample => rows - 1.0,
        };
        let products: Vec<f64> = (deviations(values).iter())
            .zip(deviations(others))
            .map(|(one, other)| one * other / divisor)
            .collect();
        let answer = summation::sum(&products);
        let answer = if self.kind.root {
            answer.sqrt()
        } else {
            answer
        };
        finite_answer(answer, self.kind.about.name, &self.column)
    }

    fn estimand(&self) -> Option<Estimand> {
        let column = self.column.clone();
        Some(match &self.with {
            Some(with) => Estimand::Covariance(column, with.clone()),
            None if self.kind.root => Estimand::StandardDeviation(column),
            None => Estimand::Variance(column),
        })
    }

    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let [one, other] = self.bounds(table)?;
        let name = self.kind.about.name;
        let n = match (neighbours, self.at_least) {
            (Neighbours::Substitute, _) => self.rows(table)?,
            (Neighbours::AddRemove, Some(at_least)) => at_least,
            (Neighbours::AddRemove, None) => {
                return Err(QueryError::PrivateRows {
                    query: name,
                    column: self.column.clone(),
                    neighbours,
                });
            }
        };
        let divisor = self.kind.divisor;
        let size = if self.kind.root {
            formula::standard_deviation(one.width(), n, divisor, neighbours)
        } else {
            formula::covariance((one.width(), other.width()), n, divisor, neighbours)
        };
        scalar(size, name, &self.column)
    }
}
