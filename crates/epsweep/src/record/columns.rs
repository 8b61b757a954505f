//! What the columns of the tables hold: for the reader of a file, and for formats that know types.

use super::tables::Table;
use super::{ClaimRow, ComparisonRow, HistogramRow, SummaryRow, names};

/// A column of a table. Those of the axes are not among them: an experiment has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// its name
    pub name: &'static str,
    /// what it holds
    pub kind: Kind,
    /// what it says
    pub about: &'static str,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// words
    Text,
    /// whole numbers, at least 0
    Count,
    /// doubles; may be empty
    Real,
}

pub(super) const fn text(name: &'static str, about: &'static str) -> Column {
    let kind = Kind::Text;
    Column { name, kind, about }
}

pub(super) const fn count(name: &'static str, about: &'static str) -> Column {
    let kind = Kind::Count;
    Column { name, kind, about }
}

pub(super) const fn real(name: &'static str, about: &'static str) -> Column {
    let kind = Kind::Real;
    Column { name, kind, about }
}

/// The columns of a table by its file's name, but for those of the axes; `None` of files that are no tables of a run.
pub fn columns(file: &str) -> Option<impl Iterator<Item = &'static Column>> {
    let of = |before: &'static [Column], after: &'static [Column]| before.iter().chain(after);
    Some(match file {
        names::SUMMARY | names::CONVERGENCE => of(SummaryRow::BEFORE, SummaryRow::AFTER),
        names::COMPARISONS => of(ComparisonRow::BEFORE, ComparisonRow::AFTER),
        names::CLAIMS => of(ClaimRow::BEFORE, ClaimRow::AFTER),
        names::HISTOGRAMS => of(HistogramRow::BEFORE, HistogramRow::AFTER),
        _ => return None,
    })
}
