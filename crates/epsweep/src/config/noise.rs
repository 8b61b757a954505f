//! The noise of a release, by name.

use super::diagnostic::Sink;
use super::value::Value;
use epsweep_core::about::About;
use epsweep_core::noise::smooth::SmoothNoise;
use epsweep_core::noise::{self, NoiseKind};

/// Degrees of freedom of Student-t noise for a smooth sensitivity: few, since the tails bear the dilations; the variance is finite.
const FREEDOM: f64 = 3.0;

/// What depends on the data at hand.
const AT_HAND: &[(&About, AtHand)] = &[
    (
        &About {
            name: "smooth-laplace",
            summary: "Laplace noise, scaled to the smooth sensitivity of max, min, median or quantile on the data: (ε, δ)-differential privacy",
            formula: "scale 2S/ε, β ≤ ε/(2 ln(2/δ))",
            source: "Nissim, Raskhodnikova and Smith, STOC 2007, corollary 2.4",
        },
        AtHand::Smooth(SmoothNoise::Laplace),
    ),
    (
        &About {
            name: "smooth-student-t",
            summary: "Student-t noise with 3 degrees of freedom, scaled to the smooth sensitivity of max, min, median or quantile: pure ε-differential privacy",
            formula: "scale (ν + 1)S/(2√ν (ε − max(1, ν)β)), β < ε/max(1, ν)",
            source: "Bun and Steinke, NeurIPS 2019, Student's t noise",
        },
        AtHand::Smooth(SmoothNoise::StudentT { freedom: FREEDOM }),
    ),
    (&noise::EXPONENTIAL_QUANTILE, AtHand::ExponentialQuantile),
];

/// A noise that a file can name.
#[derive(Clone, Copy)]
pub enum NoiseSpec {
    /// scaled to the global sensitivity
    Global(&'static dyn NoiseKind),
    /// made for the data at hand
    AtHand(&'static About, AtHand),
}

/// A mechanism for order statistics whose error depends on the data at hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AtHand {
    /// noise scaled to the smooth sensitivity
    Smooth(SmoothNoise),
    /// an answer chosen by its rank
    ExponentialQuantile,
}

impl std::fmt::Debug for NoiseSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.about().name)
    }
}

impl NoiseSpec {
    /// Why it may not have the privacy that it is calibrated to, if it is a control.
    pub fn control(&self) -> Option<&'static str> {
        match self {
            NoiseSpec::Global(kind) => kind.control(),
            _ => None,
        }
    }

    /// All of them, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = NoiseSpec> {
        let at_hand = AT_HAND
            .iter()
            .map(|(about, mechanism)| NoiseSpec::AtHand(about, *mechanism));
        noise::kinds().map(NoiseSpec::Global).chain(at_hand)
    }

    /// Name, formula, source.
    pub fn about(&self) -> &'static About {
        match self {
            NoiseSpec::Global(kind) => kind.about(),
            NoiseSpec::AtHand(about, _) => about,
        }
    }

    /// Whether its error depends on the data at hand.
    pub fn is_at_hand(&self) -> bool {
        matches!(self, NoiseSpec::AtHand(..))
    }

    /// Whether it is scaled to a smooth sensitivity.
    pub fn is_smooth(&self) -> bool {
        matches!(self, NoiseSpec::AtHand(_, AtHand::Smooth(_)))
    }

    /// Reads the name of one.
    pub fn read(value: &Value, sink: &Sink) -> Option<NoiseSpec> {
        let names: Vec<&str> = NoiseSpec::all().map(|noise| noise.about().name).collect();
        let name = value.choice(sink, "noise", &names)?;
        NoiseSpec::all().find(|noise| noise.about().name == name)
    }
}
