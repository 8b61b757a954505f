//! Neighbouring relations and sensitivities.

/// Which data sets count as neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Neighbours {
    /// one record is added or removed; the number of records is private ("unbounded")
    AddRemove,
    /// one record is replaced by another; the number of records is public ("bounded")
    Substitute,
}

/// The largest distance of a query's answers on neighbouring data sets, in the units of the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensitivity {
    /// in the L1 norm
    pub l1: f64,
    /// in the L2 norm
    pub l2: f64,
}
