//! A release: what one of its cells is.

use epsweep_core::about::About;
use epsweep_core::noise::Noise;
use epsweep_core::postprocess::Step;
use epsweep_core::query::Query;
use std::ops::Range;
use std::sync::Arc;

/// What it does with a budget.
pub const ABOUT: About = About {
    name: "release",
    summary: "answers of queries, each once, with noise",
    formula: "yᵢ = qᵢ + noise of scale Δᵢ/εᵢ, εᵢ = shareᵢ · ε",
    source: "Dwork, McSherry, Nissim and Smith, TCC 2006",
};

/// An example of its section.
pub const EXAMPLE: &str =
    "[procedure.release]\nnoise = \"laplace\"\nallocation = \"optimal-mse\"\n";

/// A cell of a release: queries answered once, each with noise of its own.
#[derive(Clone, Debug, Default)]
pub struct ReleaseCell {
    /// canonical text of the cell, `epsilon=1 allocation=even`: names the cell, and its streams where they are independent
    pub id: String,
    /// the numbers that are told, in the file's order: one for a query with a number, one for each output of a query with a
    /// vector; their names differ
    pub queries: Vec<ReleaseQuery>,
    /// the queries with vectors
    pub vectors: Vec<Vector>,
    /// how the numbers come about that are no noisy answers by themselves
    pub derivations: Vec<Derivation>,
    /// the numbers after post-processing, as many as `queries`, or none where there is no post-processing
    pub after: Vec<ReleaseQuery>,
    /// the steps that lead there
    pub postprocessing: Vec<Postprocessing>,
    /// the number of records
    pub rows: u64,
}

/// A number that is told, calibrated.
#[derive(Clone, Debug)]
pub struct ReleaseQuery {
    /// its name: the query's, with a vector `query[part]`
    pub name: String,
    /// the true number
    pub truth: f64,
    /// the least magnitude that `relative_error` divides by: at least 0
    pub floor: f64,
    /// what it is in the population that the records are a sample of, where that is known
    pub parameter: Option<f64>,
    /// its weight in `weighted_mse`; not negative, finite. Of a vector each number has its part of the query's weight
    pub weight: f64,
    /// the law of its error, and what adds it where [`ReleaseQuery::origin`] is noise of its own: a standard variate times
    /// [`Noise::scale`], or what [`Noise::transform`] makes of standard variates. A scale of zero (a query of sensitivity
    /// zero) adds nothing. An infinite or NaN scale makes every measure that touches the query undefined in every trial.
    pub noise: Arc<dyn Noise>,
    /// where its error comes from
    pub origin: Origin,
}

/// Where the error of a number comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// noise of its own
    Noise(Address),
    /// output `output` of the cell's derivation `derivation`
    Derived {
        /// index among the cell's derivations
        derivation: usize,
        /// index among its outputs
        output: usize,
    },
    /// output `output` of the cell's post-processing `postprocessing`
    Processed {
        /// index among the cell's
        postprocessing: usize,
        /// index among its outputs
        output: usize,
    },
}

/// Which noise it is: row `row` of the `rows` that a query has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// the query's name, which with the noise's names the stream
    pub query: String,
    /// the part of the query
    pub row: usize,
    /// the number of its parts
    pub rows: usize,
}

/// A query with a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// the query's name: the subject of measures of all its numbers together
    pub name: String,
    /// which of the cell's numbers are its own
    pub members: Range<usize>,
    /// whether each number is a subject by itself
    pub each: bool,
}

/// Numbers that are computed, trial by trial, from noisy ones.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// what it starts from
    pub parts: Vec<Part>,
    /// what is computed: [`Query::derive`]
    pub query: Arc<dyn Query>,
    /// what the outputs stand for: their errors are counted from here
    pub targets: Vec<f64>,
}

/// Steps taken on the numbers of a query.
#[derive(Clone, Debug)]
pub struct Postprocessing {
    /// the numbers, by their places in the cell
    pub members: Range<usize>,
    /// the steps
    pub steps: Vec<Arc<dyn Step>>,
}

/// A noisy number that a derivation starts from.
#[derive(Clone, Debug)]
pub struct Part {
    /// the true number
    pub truth: f64,
    /// its noise
    pub noise: Arc<dyn Noise>,
    /// which noise it is
    pub address: Address,
}

impl Address {
    /// The noise of a query with a single number.
    pub fn single(query: &str) -> Address {
        Address {
            query: query.to_owned(),
            row: 0,
            rows: 1,
        }
    }
}

impl ReleaseQuery {
    /// By what a row of this number's variates is multiplied to get its errors: the scale, or 1 where the row holds the errors
    /// themselves; 0 where there is no error.
    pub fn unit(&self) -> f64 {
        let scale = self.noise.scale();
        if self.is_scaled() || scale == 0.0 || !scale.is_finite() {
            scale
        } else {
            1.0
        }
    }

    /// Whether its error is a standard variate times the scale.
    pub fn is_scaled(&self) -> bool {
        matches!(self.origin, Origin::Noise(_)) && self.noise.transform().is_none()
    }
}

#[cfg(test)]
impl ReleaseQuery {
    /// A query of weight 1 with Laplace noise of this scale.
    pub(crate) fn laplace(name: &str, truth: f64, scale: f64) -> ReleaseQuery {
        use epsweep_core::budget::{Budget, Epsilon};
        use epsweep_core::noise::Laplace;
        use epsweep_core::sensitivity::Sensitivity;
        let sensitivity = Sensitivity {
            l1: scale,
            l2: scale,
        };
        // at ε = 1 the scale is the sensitivity; without budget it is infinite
        let noise = match (scale.is_finite(), Epsilon::new(1.0)) {
            (true, Ok(one)) => Laplace::calibrate(sensitivity, Some(Budget::Pure(one))),
            _ => Laplace::calibrate(Sensitivity { l1: 1.0, l2: 1.0 }, None),
        };
        ReleaseQuery {
            name: String::from(name),
            truth,
            floor: 0.0,
            parameter: None,
            weight: 1.0,
            noise: Arc::new(noise.expect("a scale that Laplace noise can have")),
            origin: Origin::Noise(Address::single(name)),
        }
    }
}
