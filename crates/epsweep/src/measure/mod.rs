//! Numbers computed in each trial.
//!
//! A measure of one query is an affine map of a function of the query's standard noise variate L ([`Standard`]): that is why
//! the noise of a query is tallied once, however many cells rescale it. A measure of all queries together is a
//! kernel over their errors ([`kernel`]). A newcomer is one file and one line of [`REGISTRY`].

mod above;
mod abs_error;
mod accuracy;
mod answer;
mod answer_error;
mod answered;
mod bound;
mod budget_used;
mod chosen;
mod covered;
mod detection_rate;
mod distance;
mod error;
mod false_alarm;
mod hit;
mod interval_width;
pub mod kernel;
mod leak;
mod loss;
mod max_abs_error;
mod mean_abs_error;
mod miss;
mod most_runs;
mod ndcg;
mod not_asked;
mod population_error;
mod positions;
mod precision;
mod processed;
mod recall;
mod relative_error;
mod rmse;
mod scaled;
mod scaled_error;
mod spent;
mod squared_error;
mod staged;
mod step_loss;
mod steps;
mod test_loss;
mod together;
mod total_epsilon;
mod trained;
mod utility_loss;
mod weighted_mse;
mod wrong_answers;

use crate::study::compose::ComposeCell;
use crate::study::release::ReleaseQuery;
use crate::study::select::Ranking;
use crate::study::stream::{Block, PolicyCell, Quantity, StreamCell};
use crate::study::{Kind, Study};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::accounting::AccountingError;
use epsweep_core::theory::Law;
use kernel::Kernel;
use std::fmt::Debug;
use std::sync::Arc;

pub use staged::StagedRule;
pub use trained::{Expectation, TrainRule};

/// All measures; the order of rows in a summary.
pub const REGISTRY: &[&dyn Measure] = &[
    &answer::Answer,
    &error::Error,
    &abs_error::AbsError,
    &squared_error::SquaredError,
    &relative_error::RelativeError,
    &covered::Covered,
    &interval_width::IntervalWidth,
    &max_abs_error::MaxAbsError,
    &mean_abs_error::MeanAbsError,
    &rmse::Rmse,
    &weighted_mse::WeightedMse,
    &scaled_error::ScaledError,
    &population_error::PopulationError,
    &processed::ERROR,
    &processed::ABS_ERROR,
    &processed::SQUARED_ERROR,
    &processed::MAX_ABS_ERROR,
    &processed::MEAN_ABS_ERROR,
    &processed::RMSE,
    &chosen::Chosen,
    &utility_loss::UtilityLoss,
    &hit::Hit,
    &recall::Recall,
    &ndcg::Ndcg,
    &wrong_answers::WrongAnswers,
    &false_alarm::FalseAlarm,
    &miss::Miss,
    &precision::Precision,
    &detection_rate::DetectionRate,
    &above::Above,
    &answered::Answered,
    &not_asked::NotAsked,
    &spent::Spent,
    &answer_error::AnswerError,
    &leak::Leak,
    &loss::Loss,
    &test_loss::TestLoss,
    &accuracy::Accuracy,
    &distance::Distance,
    &steps::Steps,
    &budget_used::BudgetUsed,
    &step_loss::StepLoss,
    &bound::Bound,
    &total_epsilon::TotalEpsilon,
    &total_epsilon::TotalLower,
    &most_runs::MostRuns,
    &positions::STREAM_ERROR,
    &positions::SPENT_SO_FAR,
    &positions::REFUSED,
    &positions::MISJUDGED,
];

/// The measures that are reported where an experiment does not choose: all but those behind.
pub const USUAL: &[&dyn Measure] = REGISTRY.split_at(11).0;

/// A number computed in each trial.
pub trait Measure: Debug + Send + Sync {
    /// Name, formula, source.
    fn about(&self) -> &'static About;

    /// How it is computed.
    fn rule(&self) -> Rule;

    /// Whether cells are compared by it. Not so for the answer: lower is not better, and where the data are the same its
    /// differences are those of the error.
    fn compared(&self) -> bool {
        true
    }

    /// Whether it is 0 or 1 in every trial, so that its mean is a frequency.
    fn flag(&self) -> bool {
        false
    }

    /// Whether it is of the answers as they are told, or of what post-processing makes of them.
    fn stage(&self) -> Stage {
        Stage::Told
    }

    /// Whether a trial may rightly have no value of it, such as a mean over nothing. Of any other measure, no value means that the trial has
    /// failed.
    fn may_be_undefined(&self) -> bool {
        false
    }

    /// Whether it is reported where an experiment does not choose its measures.
    fn by_default(&self) -> bool {
        true
    }

    /// What it makes of an answer's signed error, if it is a function of it alone. Then it is also of the answers of a pipeline.
    fn of_error(&self) -> Option<Standard> {
        None
    }
}

/// Whether a measure says something of a study.
pub fn suits(measure: &dyn Measure, study: &Study) -> bool {
    let of_error = study.kind() == Kind::ClipThenSum && measure.of_error().is_some();
    of_error || measure.rule().suits(study)
}

/// Of which answers a measure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// the noisy answers, before post-processing
    Told,
    /// after it
    Processed,
}

/// How a measure is computed, and what theory says of it.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// of each query
    Query(QueryRule),
    /// of all queries together
    All(AllRule),
    /// of a choice among candidates
    Choice(ChoiceRule),
    /// of a stream
    Stream(StreamMeasure),
    /// of a descent
    Train(TrainRule),
    /// of a pipeline that clips, sums and counts
    Staged(StagedRule),
    /// of releases that are counted: exact, or a refusal; `None` where the method has no such number
    Count(CountRule),
    /// of groups of positions of a stream
    Positions(PositionRule),
}

/// A number of releases that are counted.
pub type CountRule = fn(&ComposeCell) -> Result<Option<f64>, AccountingError>;

impl Rule {
    /// The procedure whose trials have it.
    pub fn procedure(&self) -> Kind {
        match self {
            Rule::Query(_) | Rule::All(_) => Kind::Release,
            Rule::Choice(_) => Kind::Select,
            Rule::Stream(_) | Rule::Positions(_) => Kind::Stream,
            Rule::Train(_) => Kind::Train,
            Rule::Staged(_) => Kind::ClipThenSum,
            Rule::Count(_) => Kind::Compose,
        }
    }

    /// Whether it says something of a study: it belongs to the procedure, and what is of several slots has several in one cell at least.
    pub fn suits(&self, study: &Study) -> bool {
        let several = |study: &Study| match study {
            Study::Select(cells) => cells.iter().any(|cell| cell.slots > 1),
            _ => false,
        };
        self.procedure() == study.kind()
            && match self {
                Rule::Choice(ChoiceRule::All(rule)) => !rule.several_only || several(study),
                Rule::Stream(rule) => match study {
                    Study::Stream(cells) => cells.iter().any(rule.suits),
                    _ => false,
                },
                Rule::Train(rule) => rule.suits(study),
                Rule::Positions(rule) => match study {
                    Study::Stream(cells) => (cells.iter().filter_map(StreamCell::policy))
                        .any(|policy| !(rule.quantities)(policy).is_empty()),
                    _ => false,
                },
                _ => true,
            }
    }

    /// Whether its subject is `all`, rather than each query or candidate.
    pub fn of_all(&self) -> bool {
        match self {
            Rule::Query(_) | Rule::Choice(ChoiceRule::Candidate) => false,
            Rule::All(_)
            | Rule::Choice(ChoiceRule::All(_))
            | Rule::Stream(_)
            | Rule::Positions(_)
            | Rule::Staged(_)
            | Rule::Count(_) => true,
            Rule::Train(rule) => !rule.each_step,
        }
    }
}

/// A measure of one query. Both functions take the query and the level of the analyst's interval.
#[derive(Clone, Copy, Debug)]
pub struct QueryRule {
    /// how it comes from the standard noise
    pub value: fn(&ReleaseQuery, f64) -> Value,
    /// its exact law
    pub law: fn(&ReleaseQuery, f64) -> Option<Arc<dyn Law>>,
    /// whether it is of the analyst's interval, which is there only where the law of the error is known
    pub interval: bool,
}

/// The exact law of a measure of several numbers, from these and the number of records.
pub type AllLaw = fn(&[ReleaseQuery], f64) -> Option<Arc<dyn Law>>;

/// A measure of all queries of a cell together.
#[derive(Clone, Copy, Debug)]
pub struct AllRule {
    /// computes a block of trials
    pub kernel: Kernel,
    /// its exact law, from the queries and the number of records
    pub law: AllLaw,
    /// the power of the error's unit that it is measured in: 1, or 2 for squares
    pub degree: i32,
    /// whether the weights of the queries enter
    pub weighted: bool,
    /// whether it is divided by the number of records
    pub per_record: bool,
}

/// A measure of a choice among candidates.
#[derive(Clone, Copy, Debug)]
pub enum ChoiceRule {
    /// of each candidate: whether it is chosen
    Candidate,
    /// of all slots together
    All(ChoiceMeasure),
}

/// A measure of all slots together. It is a function of the ranks that are chosen, so that its exact law follows from that of the choice.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceMeasure {
    /// whether it says something only of several slots
    pub several_only: bool,
    /// what its values are, for a number of slots
    pub kind: fn(&Ranking, usize) -> RowKind,
    /// computes a block of trials from the number of slots and the ranks chosen, one for each slot, trial after trial
    pub kernel: fn(&Ranking, usize, &[u32], &mut [f64]),
}

/// A measure of what came of a stream in a trial.
#[derive(Clone, Copy, Debug)]
pub struct StreamMeasure {
    /// whether a cell has it
    pub suits: fn(&StreamCell) -> bool,
    /// what its values are
    pub kind: fn(&StreamCell) -> RowKind,
    /// computes a block of trials; NaN where it is undefined
    pub kernel: fn(&StreamCell, &Block, &mut [f64]),
    /// its exact law
    pub law: fn(&StreamCell) -> Option<Arc<dyn Law>>,
}

/// A measure of a stream whose values a policy releases.
#[derive(Clone, Copy, Debug)]
pub struct PositionRule {
    /// subjects with their numbers: groups of positions, and `all`
    pub quantities: fn(&PolicyCell) -> Vec<(String, Quantity)>,
}

/// How a measure of a query comes from the query's standard noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// `scale`·`of` + `shift`
    Affine {
        /// the function of the standard variate
        of: Standard,
        /// factor; finite, not negative
        scale: f64,
        /// summand; finite
        shift: f64,
    },
    /// the same in every trial
    Constant(f64),
    /// in every trial undefined: it is reported with as many undefined trials as there are trials
    Undefined,
}

impl Value {
    /// `scale`·`of` + `shift` where all of it is finite; undefined otherwise.
    pub fn affine(of: Standard, scale: f64, shift: f64) -> Value {
        if !scale.is_finite() || !shift.is_finite() {
            return Value::Undefined;
        }
        if scale == 0.0 {
            return Value::Constant(shift);
        }
        Value::Affine { of, scale, shift }
    }
}

/// A function of a standard noise variate L.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Standard {
    /// L
    Signed,
    /// |L|
    Absolute,
    /// L²
    Squared,
    /// 1 where |L| is at most this, 0 elsewhere
    Within(f64),
    /// 1, whatever L is
    One,
}

impl Standard {
    /// The word that names it in an outcome's evidence.
    pub fn name(self) -> &'static str {
        match self {
            Standard::Signed => "signed",
            Standard::Absolute => "absolute",
            Standard::Squared => "squared",
            Standard::Within(_) => "within",
            Standard::One => "one",
        }
    }
}

/// The names of all measures, in the registry's order.
pub fn names() -> Vec<&'static str> {
    REGISTRY.iter().map(|m| m.about().name).collect()
}

/// The measure of that name.
pub fn find(name: &str) -> Option<&'static dyn Measure> {
    REGISTRY.iter().copied().find(|m| m.about().name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_found() {
        for (i, name) in names().into_iter().enumerate() {
            let found = find(name).map(|m| m.about());
            assert_eq!(found, Some(REGISTRY[i].about()));
            assert_eq!(names().iter().filter(|n| **n == name).count(), 1);
            assert!(!REGISTRY[i].about().summary.is_empty());
        }
        assert!(find("max_abs_eror").is_none());
    }

    #[test]
    fn the_usual_measures_are_the_first_ones() {
        let usual = |m: &&&dyn Measure| {
            m.by_default() && m.stage() == Stage::Told && m.rule().procedure() == Kind::Release
        };
        let expected: Vec<_> = REGISTRY.iter().filter(usual).map(|m| m.about()).collect();
        let named: Vec<_> = USUAL.iter().map(|m| m.about()).collect();
        assert_eq!(named, expected);
    }

    #[test]
    fn values_that_leave_the_floats_are_undefined() {
        assert_eq!(
            Value::affine(Standard::Signed, f64::INFINITY, 0.0),
            Value::Undefined
        );
        assert_eq!(
            Value::affine(Standard::Signed, f64::NAN, 0.0),
            Value::Undefined
        );
        assert_eq!(
            Value::affine(Standard::Signed, 1.0, f64::NAN),
            Value::Undefined
        );
        assert_eq!(
            Value::affine(Standard::Signed, 0.0, 3.0),
            Value::Constant(3.0)
        );
    }
}
