//! Why data are refused.

use crate::shortest::Shortest;

/// Why data, or their use, are refused. Rows and places are counted from 0 in the fields and from 1 in the messages.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DataError {
    /// a bound that is NaN or infinite
    #[error(
        "a bound is {value:?}, but bounds must be finite, or the sensitivity is infinite: declare the range that values may have"
    )]
    BoundNotFinite {
        /// the bound
        value: f64,
    },
    /// the lower bound above the upper one
    #[error("the bounds [{}, {}] are reversed: swap them", Shortest(*low), Shortest(*high))]
    BoundsReversed {
        /// given as the lower end
        low: f64,
        /// given as the upper end
        high: f64,
    },
    /// a value that is NaN or infinite
    #[error("column `{column}`, row {}: the value is {value:?}, but must be a finite number; correct or remove the row", row + 1)]
    NotFinite {
        /// the column
        column: String,
        /// its row
        row: usize,
        /// the value
        value: f64,
    },
    /// a table without columns
    #[error("the table has no column, but queries need at least one")]
    NoColumns,
    /// a column without a name
    #[error("column {} has no name, so that no query can speak of it: give it one", place + 1)]
    UnnamedColumn {
        /// its place
        place: usize,
    },
    /// two columns of one name
    #[error("columns {} and {} are both named `{column}`: rename one of them", places[0] + 1, places[1] + 1)]
    DuplicateColumn {
        /// the name
        column: String,
        /// where it is used
        places: [usize; 2],
    },
    /// columns of different lengths
    #[error(
        "column `{column}` has length {rows}, but `{first}` has length {first_rows}: every row needs a value in every column"
    )]
    Ragged {
        /// the column that differs
        column: String,
        /// its number of rows
        rows: usize,
        /// the first column
        first: String,
        /// its number of rows
        first_rows: usize,
    },
    /// no such column
    #[error("there is no column `{column}`; the columns are {}", available.join(", "))]
    UnknownColumn {
        /// the name asked for
        column: String,
        /// the names that there are
        available: Vec<String>,
    },
    /// numbers are needed
    #[error(
        "column `{column}` holds text, but numbers are needed: name another column, or check its values"
    )]
    NotNumbers {
        /// the column
        column: String,
    },
    /// bounds are needed
    #[error(
        "column `{column}` has no declared bounds, so that the sensitivity is infinite: declare bounds = [low, high] for it, from \
         what is publicly known rather than from the data"
    )]
    NoBounds {
        /// the column
        column: String,
    },
    /// a comparison that the column's values do not have
    #[error("`{comparison}`: column `{column}` holds {holds}; {remedy}")]
    Incomparable {
        /// the column
        column: String,
        /// `numbers` or `text`
        holds: &'static str,
        /// the comparison as it is written
        comparison: String,
        /// what to do
        remedy: &'static str,
    },
}
