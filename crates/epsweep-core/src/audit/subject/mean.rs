//! A mean whose divisor and noise use the number of records as though it were public.

use super::{
    EPSILON, NEIGHBOURS, Pair, Subject, SubjectKind, count, epsilon, parameter, positive, refuse,
};
use crate::about::About;
use crate::audit::{AuditError, Outputs};
use crate::query::{Arguments, Parameter, ParameterKind};
use crate::random::{Draws, Source, StandardLaw};
use crate::summation::sum;

const ABOUT: About = About {
    name: "mean",
    summary: "the mean of records in [0, U] with Laplace noise scaled to the number of records at hand; an input is the list of records",
    formula: "y = Σx/n + Lap(U/(nε))",
    source: "Dwork and Roth 2014, section 3.3: Δ = U/n holds under substitution, where n is public",
};

const PARAMETERS: &[Parameter] = &[
    EPSILON,
    NEIGHBOURS,
    parameter(
        "records",
        ParameterKind::Number,
        false,
        "records of the larger input of a searched pair; 3 without it",
    ),
    parameter(
        "upper",
        ParameterKind::Number,
        false,
        "U, the upper bound of a record; 1 without it",
    ),
];

pub(super) struct MeanSubject;

#[derive(Clone, Debug)]
struct Mean {
    epsilon: f64,
    upper: f64,
    records: usize,
    substitute: bool,
}

impl SubjectKind for MeanSubject {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ epsilon = 1, neighbours = "substitute", records = 3 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Subject>, AuditError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let records = count(ABOUT.name, arguments, "records", 3)?;
        let substitute = arguments.text("neighbours") == Some("substitute");
        if records == 1 && !substitute {
            return refuse(
                ABOUT.name,
                "1 record long",
                "longer, so that one can be left out",
            );
        }
        Ok(Box::new(Mean {
            epsilon: epsilon(ABOUT.name, arguments)?,
            upper: positive(ABOUT.name, arguments, "upper", 1.0)?,
            records,
            substitute,
        }))
    }
}

impl Subject for Mean {
    /// The first record is 0 or U and changes, or is left out; the others are all 0 or all U.
    fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (first, others, words) in [
            (self.upper, 0.0, "U beside zeros"),
            (0.0, 0.0, "0 beside zeros"),
            (0.0, self.upper, "0 beside U"),
        ] {
            let mut a = vec![others; self.records];
            a[0] = first;
            let (b, how) = if self.substitute {
                let mut b = a.clone();
                b[0] = self.upper - first;
                (b, "replaced")
            } else {
                (a[1..].to_vec(), "left out")
            };
            pairs.push(Pair {
                a,
                b,
                words: format!("{words} is {how}"),
            });
        }
        pairs
    }

    fn check(&self, pair: &Pair) -> Result<(), AuditError> {
        if pair.a.is_empty() || pair.b.is_empty() {
            return refuse(ABOUT.name, "empty", "of one record at least");
        }
        let all = [&pair.a, &pair.b].into_iter().flatten();
        match all
            .copied()
            .find(|record| !(0.0..=self.upper).contains(record))
        {
            None => Ok(()),
            Some(record) => refuse(
                ABOUT.name,
                format!("{record:?}"),
                format!("from 0 to {:?}", self.upper),
            ),
        }
    }

    fn centre(&self, input: &[f64]) -> Vec<f64> {
        vec![sum(input) / input.len() as f64]
    }

    fn sources(&self, _: &[f64]) -> Vec<Source> {
        vec![Source::new("noise", StandardLaw::Laplace, 1)]
    }

    fn run(&self, input: &[f64], draws: &Draws, out: &mut Outputs) {
        let truth = self.centre(input)[0];
        let scale = self.upper / (input.len() as f64 * self.epsilon);
        for (value, variate) in out.column_mut(0).iter_mut().zip(draws.row(0, 0)) {
            *value = truth + scale * variate;
        }
    }
}
