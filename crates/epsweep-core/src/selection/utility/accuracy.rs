//! How often each of several models is right.

use super::Utility;
use crate::data::{DataError, Table, Values};
use crate::selection::{Movement, Scores, SelectionError};
use crate::sensitivity::Neighbours;

/// The validation accuracy of models: the part of the n rows where the model's column equals the column of true labels.
///
/// Δ = 1/n, where n is public under substitute. A substituted record may raise one model's accuracy and lower another's.
///
/// # Errors
/// [`SelectionError`] if a column is missing, if labels and predictions are of different types, if there is no row, or under
/// add-remove, where n is private
pub fn accuracy(
    table: &Table,
    labels: &str,
    models: &[String],
    neighbours: Neighbours,
) -> Result<Utility, SelectionError> {
    let truth = table.column(labels)?;
    let column = || labels.to_owned();
    if neighbours == Neighbours::AddRemove {
        return Err(SelectionError::PrivateSize { column: column() });
    }
    if table.rows() == 0 {
        return Err(SelectionError::NoRows { column: column() });
    }
    let n = table.rows() as f64;
    let scores: Result<Vec<f64>, SelectionError> = models
        .iter()
        .map(|model| {
            let predictions = table.column(model)?;
            let right = match (truth.values(), predictions.values()) {
                (Values::Number(truth), Values::Number(predictions)) => equal(truth, predictions),
                (Values::Text(truth), Values::Text(predictions)) => equal(truth, predictions),
                (Values::Number(_), Values::Text(_)) => {
                    return Err(DataError::NotNumbers {
                        column: model.clone(),
                    }
                    .into());
                }
                (Values::Text(_), Values::Number(_)) => {
                    return Err(DataError::NotNumbers { column: column() }.into());
                }
            };
            Ok(right as f64 / n)
        })
        .collect();
    Ok(Utility {
        candidates: models.to_vec(),
        scores: Scores::new(scores?)?,
        sensitivity: 1.0 / n,
        movement: Movement::AnyWay,
    })
}

fn equal<T: PartialEq>(left: &[T], right: &[T]) -> usize {
    left.iter()
        .zip(right)
        .filter(|(left, right)| left == right)
        .count()
}
