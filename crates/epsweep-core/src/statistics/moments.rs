//! Mergeable moments up to the fourth order.

/// Count, mean and central moment *sums* of a sample: `m2` is Σ(x − mean)², and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// number of values
    pub n: u64,
    /// arithmetic mean
    pub mean: f64,
    /// Σ(x − mean)²
    pub m2: f64,
    /// Σ(x − mean)³
    pub m3: f64,
    /// Σ(x − mean)⁴
    pub m4: f64,
}
