//! Counts of disjoint parts of the data: parallel composition.

use super::additive::Additive;
use super::{EPSILON, NEIGHBOURS, Pair, Subject, SubjectKind, count, epsilon, parameter, positive};
use crate::about::About;
use crate::audit::AuditError;
use crate::budget::{Budget, Epsilon};
use crate::noise::Laplace;
use crate::query::{Arguments, Parameter, ParameterKind};
use crate::sensitivity::{Neighbours, Sensitivity};

const ABOUT: About = About {
    name: "disjoint-counts",
    summary: "counts of disjoint groups with Laplace noise; an input is the list of true counts",
    formula: "yᵢ = nᵢ + Lap(Δ/ε), Δ = 1 under add-remove and 2 under substitution",
    source: "McSherry, SIGMOD 2009, theorem 4 (parallel composition), for add-remove alone",
};

const PARAMETERS: &[Parameter] = &[
    EPSILON,
    NEIGHBOURS,
    parameter(
        "groups",
        ParameterKind::Number,
        false,
        "how many groups there are; 2 without it",
    ),
    parameter(
        "sensitivity",
        ParameterKind::Number,
        false,
        "Δ₁ that the noise is calibrated to, where that is not the right one",
    ),
];

pub(super) struct CountsSubject;

/// The true count of every group.
const HELD: f64 = 5.0;

impl SubjectKind for CountsSubject {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ epsilon = 1, neighbours = "add-remove", groups = 4 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Subject>, AuditError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let groups = count(ABOUT.name, arguments, "groups", 2)?;
        let neighbours = match arguments.text("neighbours") {
            Some("substitute") => Neighbours::Substitute,
            _ => Neighbours::AddRemove,
        };
        // one group cannot lose a record to another
        let right = match neighbours {
            Neighbours::Substitute if groups > 1 => 2.0,
            _ => 1.0,
        };
        let l1 = positive(ABOUT.name, arguments, "sensitivity", right)?;
        let budget = Budget::Pure(Epsilon::new(epsilon(ABOUT.name, arguments)?)?);
        let noise = Laplace::calibrate(Sensitivity { l1, l2: l1 }, Some(budget))?;
        let held = vec![HELD; groups];
        let mut moved = held.clone();
        moved[0] += 1.0;
        let words = match neighbours {
            Neighbours::Substitute if groups > 1 => {
                moved[1] -= 1.0;
                "a record moves from one group to another"
            }
            _ => "a record is added to one group",
        };
        let pair = Pair {
            a: held,
            b: moved,
            words: words.to_owned(),
        };
        let subject = Additive::new(ABOUT.name, Box::new(noise), false, vec![pair])?;
        Ok(Box::new(subject))
    }
}
