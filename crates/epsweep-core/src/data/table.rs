//! Columns of equal length.

use super::{Column, DataError};
use std::collections::HashMap;

/// Columns of equal length with distinct names; at least one column, perhaps without rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    places: HashMap<String, usize>,
    rows: usize,
}

impl Table {
    /// # Errors
    /// [`DataError`] if there is no column, if a name is empty or used twice, or if the lengths differ
    pub fn new(columns: Vec<Column>) -> Result<Table, DataError> {
        let first = columns.first().ok_or(DataError::NoColumns)?;
        let rows = first.values().len();
        let mut places = HashMap::with_capacity(columns.len());
        for (place, column) in columns.iter().enumerate() {
            if column.name().trim().is_empty() {
                return Err(DataError::UnnamedColumn { place });
            }
            if let Some(earlier) = places.insert(column.name().to_owned(), place) {
                return Err(DataError::DuplicateColumn {
                    column: column.name().to_owned(),
                    places: [earlier, place],
                });
            }
            if column.values().len() != rows {
                return Err(DataError::Ragged {
                    column: column.name().to_owned(),
                    rows: column.values().len(),
                    first: first.name().to_owned(),
                    first_rows: rows,
                });
            }
        }
        Ok(Table {
            columns,
            places,
            rows,
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column of that name.
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`], which lists the names that there are
    pub fn column(&self, name: &str) -> Result<&Column, DataError> {
        match self.places.get(name) {
            Some(&place) => Ok(&self.columns[place]),
            None => Err(DataError::UnknownColumn {
                column: name.to_owned(),
                available: self
                    .columns
                    .iter()
                    .map(|column| column.name().to_owned())
                    .collect(),
            }),
        }
    }

    /// The table as it would be without clipping ([`Column::unclipped`]). `None` where nothing was clipped.
    pub fn unclipped(&self) -> Option<Table> {
        if self.columns.iter().all(|column| column.clipped() == 0) {
            return None;
        }
        let free = |column: &Column| column.unclipped().unwrap_or_else(|| column.clone());
        Table::new(self.columns.iter().map(free).collect()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bounds, Values};
    use super::*;

    fn numbers(name: &str, values: &[f64]) -> Column {
        Column::number(name, values.to_vec(), None).unwrap()
    }

    #[test]
    fn values_outside_the_bounds_are_clipped_and_counted() {
        let bounds = Bounds::new(0.0, 10.0).unwrap();
        let column = Column::number("x", vec![-1.0, 0.0, 5.0, 10.0, 11.0], Some(bounds)).unwrap();
        assert_eq!(
            column.values(),
            &Values::Number(vec![0.0, 0.0, 5.0, 10.0, 10.0])
        );
        assert_eq!(column.clipped(), 2);
        assert_eq!(column.bounded().unwrap().1, bounds);
        assert_eq!(numbers("x", &[-1.0]).clipped(), 0);
    }

    #[test]
    fn what_was_clipped_can_be_put_back() {
        let bounds = Bounds::new(0.0, 10.0).ok();
        let column = |values: &[f64]| Column::number("x", values.to_vec(), bounds).unwrap();
        let free = Table::new(vec![
            column(&[-5.0, 3.0, 12.0]),
            numbers("y", &[1.0, 2.0, 3.0]),
        ])
        .unwrap()
        .unclipped()
        .unwrap();
        let x = free.column("x").unwrap();
        assert_eq!(x.numbers().unwrap(), [-5.0, 3.0, 12.0]);
        assert_eq!((x.bounds(), x.clipped()), (Bounds::new(-5.0, 12.0).ok(), 0));
        assert_eq!(free.column("y").unwrap(), &numbers("y", &[1.0, 2.0, 3.0]));
        let within = Table::new(vec![column(&[0.0, 10.0])]).unwrap();
        assert_eq!(within.unclipped(), None);
    }

    #[test]
    fn a_value_that_is_no_number_is_refused_with_its_row() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = Column::number(
                "age",
                vec![1.0, value],
                Some(Bounds::new(0.0, 1.0).unwrap()),
            )
            .unwrap_err();
            assert!(matches!(error, DataError::NotFinite { row: 1, .. }));
            let text = error.to_string();
            assert!(
                text.contains("`age`")
                    && text.contains("row 2")
                    && text.contains(&format!("{value:?}")),
                "{text}"
            );
        }
    }

    #[test]
    fn bounds_must_be_finite_and_in_order() {
        let text = Bounds::new(120.0, 0.0).unwrap_err().to_string();
        assert!(text.contains("[120, 0]") && text.contains("swap"), "{text}");
        for value in [f64::NAN, f64::INFINITY] {
            let text = Bounds::new(0.0, value).unwrap_err().to_string();
            assert!(text.contains(&format!("{value:?}")), "{text}");
        }
        let point = Bounds::new(3.0, 3.0).unwrap();
        assert_eq!((point.width(), point.magnitude()), (0.0, 3.0));
        assert_eq!(Bounds::new(-5.0, 3.0).unwrap().to_string(), "[-5, 3]");
    }

    #[test]
    fn columns_must_fit_together() {
        let text = |columns: Vec<Column>| Table::new(columns).unwrap_err().to_string();
        assert!(text(vec![]).contains("no column"));
        assert!(text(vec![numbers("", &[])]).contains("column 1 has no name"));
        let twice = text(vec![numbers("a", &[1.0]), numbers("a", &[1.0])]);
        assert!(
            twice.contains("columns 1 and 2 are both named `a`"),
            "{twice}"
        );
        let ragged = text(vec![numbers("a", &[1.0]), numbers("b", &[1.0, 2.0])]);
        assert!(
            ragged.contains("`b` has length 2, but `a` has length 1"),
            "{ragged}"
        );
    }

    #[test]
    fn columns_are_found_by_name() {
        let table = Table::new(vec![
            numbers("age", &[1.0]),
            Column::text("sex", vec!["f".to_owned()]),
        ])
        .unwrap();
        assert_eq!(table.rows(), 1);
        assert_eq!(table.column("sex").unwrap().name(), "sex");
        let error = table.column("agee").unwrap_err();
        assert!(
            error.to_string().contains("`agee`") && error.to_string().contains("age, sex"),
            "{error}"
        );
        let error = table.column("sex").unwrap().bounded().unwrap_err();
        assert!(error.to_string().contains("holds text"), "{error}");
        let error = table.column("age").unwrap().bounded().unwrap_err();
        assert!(
            error.to_string().contains("bounds = [low, high]"),
            "{error}"
        );
    }
}
