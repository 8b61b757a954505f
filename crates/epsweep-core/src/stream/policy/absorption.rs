//! Budget absorption: test, then what the positions since the last release have left.

use super::{Family, Nature, Rule, Seen, TESTS, Told};
use crate::about::About;

/// The paper's BA for one answer at a position (d = 1). Tests are those of budget distribution. Each position has a unit of
/// ε/(2w) for a release. A release absorbs the units of the positions since the last one; under a window as many positions after it must
/// then go without (they are *nullified*), so that no window contains more than its w units: w-event ε-privacy. Two
/// things differ here, and neither costs privacy. A nullified position, which releases nothing whatever the test says, does not pay for
/// one. And where the guarantee is of the whole stream, nothing comes back, so that nothing need be nullified: a release takes the units of
/// the positions since the last one, and at any position no more units are taken than positions have passed.
pub(super) const FAMILY: Family = Family {
    about: About {
        name: "absorption",
        summary: "pays at each position for a test of whether the last release is close enough; if not, releases with what the positions since then have left",
        formula: "tests C/(2w) each; cᵢ = C/(2w)·(positions since the last release, less those nullified) if |truth − last| + noise > the error expected of cᵢ",
        source: "budget absorption: Kellaris, Papadopoulos, Xiao, Papadias, PVLDB 7(12), 2014",
    },
    parameters: &[TESTS],
    nature: Nature::Adaptive,
    make: |parameters, terms| {
        let unit = terms.divisible() / terms.span() as f64;
        Ok(Box::new(Absorption {
            test: unit * parameters[0],
            units: Units {
                unit: unit * (1.0 - parameters[0]),
            },
        }))
    },
};

/// Units of the budget, one for each position.
#[derive(Debug)]
pub(super) struct Units {
    pub unit: f64,
}

impl Units {
    /// How many a release may take: those since the last one; under a window those beyond the positions that it nullifies, at most w, and
    /// none at a nullified position.
    #[inline(always)]
    pub fn available(&self, seen: &Seen<'_>) -> f64 {
        let since = seen.since as f64;
        let Some(window) = seen.terms.window() else {
            return since;
        };
        // whole but for rounding
        let nullified = (seen.last_amount / self.unit - 1.0).max(0.0).round();
        (since - nullified).clamp(0.0, window as f64)
    }
}

#[derive(Debug)]
struct Absorption {
    test: f64,
    units: Units,
}

impl Rule for Absorption {
    const NATURE: Nature = Nature::Adaptive;
    const TESTS: bool = true;

    #[inline(always)]
    fn test(&self, seen: &Seen<'_>) -> f64 {
        if self.units.available(seen) > 0.0 {
            self.test
        } else {
            0.0
        }
    }

    #[inline(always)]
    fn release(&self, seen: &Seen<'_>, _round: usize, told: &Told) -> f64 {
        let amount = self.units.unit * self.units.available(seen);
        // without a test there is no distance, and nothing exceeds anything
        if told.distance > seen.terms.expected_error(amount) {
            amount
        } else {
            0.0
        }
    }
}
