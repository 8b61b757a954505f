//! Pure ε.

use super::{Reading, ReadingKind, non_negative};
use crate::about::About;
use crate::audit::AuditError;
use crate::shortest::Shortest;

const ABOUT: About = About {
    name: "pure",
    summary: "pure ε-differential privacy",
    formula: "ε ≥ ln(p/q)",
    source: "Ding, Wang, Wang, Zhang and Kifer, CCS 2018, section 4; Gilbert and McMillan, FOCS 2018, lower bounds of testing",
};

pub(super) struct PureKind;

#[derive(Clone, Copy, Debug)]
struct Pure(f64);

impl ReadingKind for PureKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn keys(&self) -> &'static [&'static str] {
        &["epsilon"]
    }

    fn of(&self, values: &[f64]) -> Result<Box<dyn Reading>, AuditError> {
        Ok(Box::new(Pure(non_negative("epsilon", values[0])?)))
    }
}

impl Reading for Pure {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn symbol(&self) -> &'static str {
        "ε"
    }

    fn claimed(&self) -> f64 {
        self.0
    }

    fn words(&self) -> String {
        format!("ε = {}", Shortest(self.0))
    }

    fn least(&self, p: f64, q: f64) -> f64 {
        if p > q { libm::log(p / q) } else { 0.0 }
    }
}
