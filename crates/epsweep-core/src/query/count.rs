//! How many rows there are, or satisfy a predicate.

use super::{
    Amount, Arguments, Contribution, Parameter, ParameterKind, Query, QueryError, QueryKind,
};
use crate::about::About;
use crate::data::{Predicate, Table};
use crate::sensitivity::{Neighbours, Sensitivity};

const ABOUT: About = About {
    name: "count",
    summary: "number of rows, or of those that satisfy a predicate",
    formula: "Δ = 1; for all rows under substitute, where their number is public, 0",
    source: "Dwork, McSherry, Nissim and Smith (TCC 2006), §3",
};

const PARAMETERS: &[Parameter] = &[Parameter {
    name: "where",
    kind: ParameterKind::Predicate,
    required: false,
    summary: "which rows to count, for example \"age > 60\"; all without it",
}];

/// The kind `count`.
pub(super) struct Count;

impl QueryKind for Count {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ where = "age > 60" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let predicate = arguments.predicate(ABOUT.name, "where")?;
        Ok(Box::new(CountQuery { predicate }))
    }
}

#[derive(Debug)]
struct CountQuery {
    predicate: Option<Predicate>,
}

impl Query for CountQuery {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        match &self.predicate {
            Some(predicate) => format!("count where {predicate}"),
            None => "count of all rows".to_owned(),
        }
    }

    fn columns(&self) -> Vec<String> {
        self.predicate
            .as_ref()
            .map(Predicate::columns)
            .unwrap_or_default()
    }

    fn texts(&self) -> Vec<(String, String)> {
        (self.predicate.iter()).flat_map(Predicate::texts).collect()
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        let count = match &self.predicate {
            Some(predicate) => predicate.count(table)?,
            None => table.rows() as u64,
        };
        Ok(count as f64)
    }

    /// One row is in or out of the count, so that Δ = 1. The number of all rows is the same for both of a substituted pair, which
    /// makes it 0 there. A predicate is taken to be one that some values satisfy and others do not.
    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        if let Some(predicate) = &self.predicate {
            // so that a column that is missing or of another type is reported here as well
            predicate.count(table)?;
        }
        let size = match (&self.predicate, neighbours) {
            (None, Neighbours::Substitute) => 0.0,
            _ => 1.0,
        };
        Ok(Sensitivity { l1: size, l2: size })
    }

    fn contributions(
        &self,
        _: &Table,
        _: Neighbours,
    ) -> Result<Option<Vec<Contribution>>, QueryError> {
        Ok(Some(vec![Contribution {
            region: self.predicate.clone(),
            adds: vec![(0, Amount::Constant(1.0))],
        }]))
    }
}
