//! What the shares divide, and how an error depends on a share.

use std::fmt;

/// The noise together with what its budget is a part of. A query with sensitivity Δ and share s of the budget B gets noise of the scale
/// c·Δ/sᵖ, where only c depends on B: the best shares do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Setting {
    /// Laplace noise, shares of ε (basic composition): b = Δ/(ε·s), p = 1
    #[default]
    LaplacePure,
    /// Laplace noise, shares of ρ: an ε-private release is ε²/2-zCDP (Bun and Steinke, TCC 2016, proposition 1.4), so that
    /// b = Δ/√(2ρ·s), p = ½
    LaplaceZcdp,
    /// Gaussian noise, shares of ρ: σ = Δ/√(2ρ·s) (Bun and Steinke, TCC 2016, proposition 1.6), p = ½
    GaussianZcdp,
}

/// The law of |error|/scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorLaw {
    /// |error| is exponential with the scale as its mean
    Laplace,
    /// |error| is half-normal, the scale is σ
    Gaussian,
}

impl Setting {
    /// All of them.
    pub const ALL: [Setting; 3] = [
        Setting::LaplacePure,
        Setting::LaplaceZcdp,
        Setting::GaussianZcdp,
    ];

    /// p: the scale falls with the p-th power of the share.
    pub fn exponent(self) -> f64 {
        match self {
            Setting::LaplacePure => 1.0,
            Setting::LaplaceZcdp | Setting::GaussianZcdp => 0.5,
        }
    }

    /// The law of the error.
    pub fn law(self) -> ErrorLaw {
        match self {
            Setting::LaplacePure | Setting::LaplaceZcdp => ErrorLaw::Laplace,
            Setting::GaussianZcdp => ErrorLaw::Gaussian,
        }
    }

    /// The letter of the budget that is divided.
    pub fn currency(self) -> &'static str {
        match self {
            Setting::LaplacePure => "ε",
            Setting::LaplaceZcdp | Setting::GaussianZcdp => "ρ",
        }
    }

    /// The noise scale of a query that gets `budget` of ε or ρ; 0 without sensitivity, infinite without budget.
    pub fn scale(self, sensitivity: f64, budget: f64) -> f64 {
        if sensitivity == 0.0 {
            return 0.0;
        }
        match self {
            Setting::LaplacePure => sensitivity / budget,
            Setting::LaplaceZcdp | Setting::GaussianZcdp => sensitivity / (2.0 * budget).sqrt(),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Setting::LaplacePure => "Laplace noise, shares of ε",
            Setting::LaplaceZcdp => "Laplace noise, shares of ρ",
            Setting::GaussianZcdp => "Gaussian noise, shares of ρ",
        })
    }
}

impl ErrorLaw {
    /// E|error| at scale 1.
    pub fn mean_absolute(self) -> f64 {
        match self {
            ErrorLaw::Laplace => 1.0,
            ErrorLaw::Gaussian => (2.0 / std::f64::consts::PI).sqrt(),
        }
    }

    /// E error² at scale 1.
    pub fn mean_square(self) -> f64 {
        match self {
            ErrorLaw::Laplace => 2.0,
            ErrorLaw::Gaussian => 1.0,
        }
    }
}
