//! Budget distribution: test, then half of what is left.

use super::{Family, Nature, Rule, Seen, TESTS, Told};
use crate::about::About;

/// The paper's BD for one answer at a position (d = 1), with w the window, or the horizon where the guarantee is of the whole
/// stream. M₁ pays ε/(2w) at every position for |cᵢ − last| with Laplace noise; M₂ would release with half of what the window has left of
/// the other ε/2, and does if that distance exceeds the error that the release is expected to have; else the last release stands.
/// In no window do these add up to more than ε, which is w-event ε-privacy. The part for tests is a parameter here; the paper's is a half.
pub(super) const FAMILY: Family = Family {
    about: About {
        name: "distribution",
        summary: "pays at each position for a test of whether the last release is close enough; if not, releases with half of what is left",
        formula: "tests C/(2w) each; cᵢ = ½·(C/2 − Σ of the window) if |truth − last| + noise > the error expected of cᵢ",
        source: "budget distribution: Kellaris, Papadopoulos, Xiao, Papadias, PVLDB 7(12), 2014",
    },
    parameters: &[TESTS],
    nature: Nature::Adaptive,
    make: |parameters, terms| {
        let divisible = terms.divisible();
        Ok(Box::new(Distribution {
            test: divisible * parameters[0] / terms.span() as f64,
            releases: divisible * (1.0 - parameters[0]),
        }))
    },
};

#[derive(Debug)]
struct Distribution {
    test: f64,
    releases: f64,
}

impl Rule for Distribution {
    const NATURE: Nature = Nature::Adaptive;
    const TESTS: bool = true;

    #[inline(always)]
    fn test(&self, _seen: &Seen<'_>) -> f64 {
        self.test
    }

    #[inline(always)]
    fn release(&self, seen: &Seen<'_>, _round: usize, told: &Told) -> f64 {
        let amount = 0.5 * (self.releases - seen.released);
        if told.distance > seen.terms.expected_error(amount) {
            amount
        } else {
            0.0
        }
    }
}
