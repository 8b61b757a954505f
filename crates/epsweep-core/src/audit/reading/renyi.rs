//! Rényi differential privacy at one order.

use super::{Reading, ReadingKind, checked, divergence, non_negative};
use crate::about::About;
use crate::audit::AuditError;
use crate::shortest::Shortest;

const ABOUT: About = About {
    name: "renyi",
    summary: "(α, ε)-Rényi differential privacy, through the divergence of one event",
    formula: "ε ≥ D_α(p‖q)",
    source: "Mironov, CSF 2017, definition 4, and the data processing inequality (van Erven and Harremoës 2014, theorem 9)",
};

pub(super) struct RenyiKind;

#[derive(Clone, Copy, Debug)]
struct Renyi {
    alpha: f64,
    epsilon: f64,
}

impl ReadingKind for RenyiKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn keys(&self) -> &'static [&'static str] {
        &["alpha", "epsilon"]
    }

    fn of(&self, values: &[f64]) -> Result<Box<dyn Reading>, AuditError> {
        let alpha = values[0];
        let good = alpha > 1.0 && alpha < f64::INFINITY;
        Ok(Box::new(Renyi {
            alpha: checked("alpha", alpha, good, "finite and above 1")?,
            epsilon: non_negative("epsilon", values[1])?,
        }))
    }
}

impl Reading for Renyi {
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
        let (alpha, epsilon) = (Shortest(self.alpha), Shortest(self.epsilon));
        format!("ε = {epsilon} at α = {alpha} (Rényi)")
    }

    fn least(&self, p: f64, q: f64) -> f64 {
        if p <= q {
            0.0
        } else {
            divergence::renyi(self.alpha, p, q)
        }
    }
}
