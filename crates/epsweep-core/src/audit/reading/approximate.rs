//! (ε, δ): the ε at the claimed δ.

use super::{Reading, ReadingKind, checked, non_negative};
use crate::about::About;
use crate::audit::AuditError;
use crate::shortest::Shortest;

const ABOUT: About = About {
    name: "approximate",
    summary: "(ε, δ)-differential privacy: the least ε at the claimed δ",
    formula: "ε ≥ ln((p − δ)/q)",
    source: "Bichsel, Steffen, Bogunovic and Vechev, S&P 2021 (DP-Sniper); Jagielski, Ullman and Oprea, NeurIPS 2020, section 3",
};

pub(super) struct ApproximateKind;

#[derive(Clone, Copy, Debug)]
struct Approximate {
    epsilon: f64,
    delta: f64,
}

impl ReadingKind for ApproximateKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn keys(&self) -> &'static [&'static str] {
        &["epsilon", "delta"]
    }

    fn of(&self, values: &[f64]) -> Result<Box<dyn Reading>, AuditError> {
        let delta = values[1];
        let good = (0.0..1.0).contains(&delta);
        Ok(Box::new(Approximate {
            epsilon: non_negative("epsilon", values[0])?,
            delta: checked("delta", delta, good, "at least 0 and below 1")?,
        }))
    }
}

impl Reading for Approximate {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn symbol(&self) -> &'static str {
        "ε"
    }

    fn claimed(&self) -> f64 {
        self.epsilon
    }

    fn words(&self) -> String {
        format!(
            "ε = {}, δ = {}",
            Shortest(self.epsilon),
            Shortest(self.delta)
        )
    }

    fn least(&self, p: f64, q: f64) -> f64 {
        let beyond = p - self.delta;
        if beyond > q {
            libm::log(beyond / q)
        } else {
            0.0
        }
    }
}
