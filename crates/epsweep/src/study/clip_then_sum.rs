//! A bound chosen, then a clipped sum and a count: what one of the cells is.

use epsweep_core::about::About;
use epsweep_core::pipeline::Stages;
use std::sync::Arc;

/// What it does with a budget.
pub const ABOUT: About = About {
    name: "clip-then-sum",
    summary: "a clipping bound chosen, then a clipped sum and a count",
    formula: "ε = ε₁ (bound) + ε₂ (sum) + ε₃ (count)",
    source: "Amin, Kulesza, Muñoz Medina and Vassilvitskii, ICML 2019, on the trade-off of the bound",
};

/// An example of its section.
pub const EXAMPLE: &str = "[procedure.clip-then-sum]\ncolumn = \"income\"\nbound = { quantile = 0.95, points = 64 }\nshares = [0.2, 0.6, 0.2]\n";

/// A cell of a pipeline.
#[derive(Clone, Debug)]
pub struct StagedCell {
    /// canonical text of the cell: names it, and its streams where they are independent
    pub id: String,
    /// the stages on the data
    pub stages: Arc<Stages>,
}
