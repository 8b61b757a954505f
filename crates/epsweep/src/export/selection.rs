//! Which rows of a run are exported.

use super::{ExportError, Table};
use crate::record::{Resolved, Run};

/// What rows are chosen by. Where nothing is named, nothing is left out.
#[derive(Clone, Debug, Default)]
pub struct Select {
    /// measures
    pub measures: Vec<String>,
    /// subjects
    pub subjects: Vec<String>,
    /// statistics
    pub statistics: Vec<String>,
    /// labels of axes; of several labels of one axis, any
    pub labels: Vec<(String, String)>,
}

/// A choice whose names the run has.
#[derive(Clone, Debug)]
pub struct Selection(Select);

impl Select {
    /// Sees that the axes and labels are there, and takes labels as the run writes them.
    fn labels_of(&mut self, resolved: &Resolved) -> Result<(), ExportError> {
        let axes: Vec<&str> = resolved.axes.iter().map(|a| a.name.as_str()).collect();
        for (axis, label) in &mut self.labels {
            let Some(found) = resolved.axes.iter().find(|known| known.name == *axis) else {
                return Err(ExportError::unknown("axis", axis, &axes));
            };
            match found.label_called(label) {
                Some(called) => *label = called.to_owned(),
                None => {
                    let what = format!("value of {axis}");
                    return Err(ExportError::unknown(&what, label, &found.labels));
                }
            }
        }
        Ok(())
    }

    /// Sees that the run has every name.
    ///
    /// # Errors
    /// A name that the run does not have, with those that it has.
    pub fn of_run(mut self, run: &Run) -> Result<Selection, ExportError> {
        self.labels_of(&run.resolved)?;
        let distinct = |of: fn(&crate::record::SummaryRow) -> &str| {
            let mut names: Vec<&str> = Vec::new();
            for row in &run.summary {
                // runs of equal names are long
                if names.last() != Some(&of(row)) && !names.contains(&of(row)) {
                    names.push(of(row));
                }
            }
            names
        };
        let known = [
            (
                "statistic",
                &self.statistics,
                distinct(|row| &row.statistic),
            ),
            ("measure", &self.measures, distinct(|row| &row.measure)),
            ("subject", &self.subjects, distinct(|row| &row.subject)),
        ];
        for (what, wanted, names) in &known {
            for given in *wanted {
                if !names.contains(&given.as_str()) {
                    return Err(ExportError::unknown(what, given, names));
                }
            }
        }
        Ok(Selection(self))
    }

    /// Sees that the trials of a run have every name: `names` are the measures and subjects of its trials.
    ///
    /// # Errors
    /// A name that the trials do not have, with those that they have.
    pub fn of_trials(
        mut self,
        resolved: &Resolved,
        measures: &[&str],
        subjects: &[String],
    ) -> Result<Selection, ExportError> {
        self.labels_of(resolved)?;
        for given in &self.measures {
            if !measures.contains(&given.as_str()) {
                return Err(ExportError::unknown("measure", given, measures));
            }
        }
        for given in &self.subjects {
            if !subjects.contains(given) {
                return Err(ExportError::unknown("subject", given, subjects));
            }
        }
        Ok(Selection(self))
    }

    /// Sees that a table has what rows are chosen by.
    ///
    /// # Errors
    /// A column that it does not have.
    pub fn suits(&self, table: Table) -> Result<(), ExportError> {
        let columns = |column: &str| match table {
            Table::Trials => column != "statistic",
            Table::File(file) => {
                let named = |known: &&crate::record::Column| known.name == column;
                crate::record::columns(file).is_some_and(|mut all| all.find(named).is_some())
            }
        };
        let has_axes = table != Table::File(crate::record::names::CLAIMS);
        let wanted = [
            (!self.measures.is_empty(), "measure", "--measure"),
            (!self.subjects.is_empty(), "subject", "--subject"),
            (!self.statistics.is_empty(), "statistic", "--statistic"),
        ];
        let missing = (wanted.into_iter())
            .find(|(given, column, _)| *given && !(has_axes && columns(column)))
            .map(|(_, column, option)| (column, option))
            .or((!has_axes && !self.labels.is_empty()).then_some(("axis", "--where")));
        match missing {
            None => Ok(()),
            Some((column, option)) => Err(ExportError::NoColumn {
                table: table.name(),
                column,
                option,
            }),
        }
    }
}

impl Selection {
    /// What was asked for.
    pub fn asked(&self) -> &Select {
        &self.0
    }

    /// The options that choose, in words.
    pub fn options(&self) -> String {
        let given = [
            (!self.0.labels.is_empty(), "--where"),
            (!self.0.measures.is_empty(), "--measure"),
            (!self.0.subjects.is_empty(), "--subject"),
            (!self.0.statistics.is_empty(), "--statistic"),
        ];
        let given: Vec<&str> = (given.into_iter())
            .filter_map(|(given, option)| given.then_some(option))
            .collect();
        crate::words::join(&given, "and")
    }

    /// Whether a cell with these labels is chosen.
    pub fn keeps_cell(&self, resolved: &Resolved, labels: &[String]) -> bool {
        let label = |axis: &str| {
            let place = resolved.axes.iter().position(|known| known.name == axis)?;
            labels.get(place).map(String::as_str)
        };
        self.keeps_labels(&label)
    }

    /// Whether a number of a trial is chosen.
    pub fn keeps_number(&self, subject: &str, measure: &str) -> bool {
        among(&self.0.subjects, Some(subject)) && among(&self.0.measures, Some(measure))
    }

    /// Whether a row is chosen, by its fields: `None` of columns that it does not have.
    pub fn keeps<'a>(&self, field: &dyn Fn(&str) -> Option<&'a str>) -> bool {
        among(&self.0.measures, field("measure"))
            && among(&self.0.subjects, field("subject"))
            && among(&self.0.statistics, field("statistic"))
            && self.keeps_labels(field)
    }

    fn keeps_labels<'a>(&self, field: &dyn Fn(&str) -> Option<&'a str>) -> bool {
        self.0.labels.iter().all(|(axis, _)| {
            let mut labels = self.0.labels.iter().filter(|(other, _)| other == axis);
            labels.any(|(_, label)| match field(axis) {
                Some(found) if !found.is_empty() => found == label,
                // along this axis the row compares: either of the two will do
                _ => ["a", "b"].iter().any(|side| {
                    let name = field(side).unwrap_or("");
                    name == label || format!(" {name} ").contains(&format!(" {axis}={label} "))
                }),
            })
        })
    }
}

fn among(wanted: &[String], found: Option<&str>) -> bool {
    wanted.is_empty() || found.is_some_and(|found| wanted.iter().any(|known| known == found))
}
