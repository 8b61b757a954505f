//! The measures of errors once more, after post-processing.

use super::{
    Measure, Rule, Stage, abs_error, error, max_abs_error, mean_abs_error, rmse, squared_error,
};
use epsweep_core::about::About;

/// A measure of what post-processing makes of the answers.
#[derive(Debug)]
pub struct Processed {
    about: &'static About,
    of: &'static dyn Measure,
}

const SOURCE: &str = "definition; p is the answer after post-processing";

/// `error_post`
pub static ERROR: Processed = Processed {
    about: &About {
        name: "error_post",
        summary: "the signed error after post-processing",
        formula: "p − q",
        source: SOURCE,
    },
    of: &error::Error,
};

/// `abs_error_post`
pub static ABS_ERROR: Processed = Processed {
    about: &About {
        name: "abs_error_post",
        summary: "the absolute error after post-processing",
        formula: "|p − q|",
        source: SOURCE,
    },
    of: &abs_error::AbsError,
};

/// `squared_error_post`
pub static SQUARED_ERROR: Processed = Processed {
    about: &About {
        name: "squared_error_post",
        summary: "the squared error after post-processing",
        formula: "(p − q)²",
        source: SOURCE,
    },
    of: &squared_error::SquaredError,
};

/// `max_abs_error_post`
pub static MAX_ABS_ERROR: Processed = Processed {
    about: &About {
        name: "max_abs_error_post",
        summary: "the largest absolute error of the queries in a trial, after post-processing",
        formula: "maxᵢ |pᵢ − qᵢ|",
        source: SOURCE,
    },
    of: &max_abs_error::MaxAbsError,
};

/// `mean_abs_error_post`
pub static MEAN_ABS_ERROR: Processed = Processed {
    about: &About {
        name: "mean_abs_error_post",
        summary: "the mean absolute error of the answers in a trial, after post-processing",
        formula: "(1/k)·Σᵢ |pᵢ − qᵢ|",
        source: SOURCE,
    },
    of: &mean_abs_error::MeanAbsError,
};

/// `rmse_post`
pub static RMSE: Processed = Processed {
    about: &About {
        name: "rmse_post",
        summary: "the root mean square error of the answers in a trial, after post-processing",
        formula: "√((1/k)·Σᵢ (pᵢ − qᵢ)²)",
        source: SOURCE,
    },
    of: &rmse::Rmse,
};

impl Measure for Processed {
    fn about(&self) -> &'static About {
        self.about
    }

    fn rule(&self) -> Rule {
        self.of.rule()
    }

    fn stage(&self) -> Stage {
        Stage::Processed
    }
}
