//! Counts by value.

/// A bin of a histogram: [low, high), or the atom `low == high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// lower edge
    pub low: f64,
    /// upper edge
    pub high: f64,
    /// values in it
    pub count: u64,
}

/// A finished histogram in the measure's units: the bins that are not empty, in ascending order, disjoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    bins: Vec<Bin>,
    total: u64,
}

impl Histogram {
    /// From bins in ascending order.
    pub fn new(bins: Vec<Bin>) -> Self {
        let total = bins.iter().map(|b| b.count).sum();
        Histogram { bins, total }
    }

    /// The bins that are not empty.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// Number of values.
    pub fn total(&self) -> u64 {
        self.total
    }
}
