//! A rule asked only about the queries that need a budget.

use super::{Allocation, AllocationError, Problem};
use crate::budget::Shares;

/// The shares by a rule that is told of the queries with Δ > 0 alone. The others get none: their answers are the same on all
/// neighbouring data, so that they are exact without any budget. A rule by itself may give them some, as
/// [`Even`](super::Even) does.
///
/// # Errors
/// [`AllocationError`] as [`Allocation::shares`], and if no query has a sensitivity above 0. Queries are named by their places in
/// `problem`.
pub fn where_needed(
    rule: &dyn Allocation,
    problem: &Problem<'_>,
) -> Result<Shares, AllocationError> {
    let queries = problem.checked()?;
    let places: Vec<usize> = (0..queries)
        .filter(|&place| problem.sensitivities[place] > 0.0)
        .collect();
    if places.is_empty() {
        return Err(AllocationError::NothingToHide);
    }
    if places.len() == queries {
        return rule.shares(problem);
    }
    let of = |values: &[f64]| -> Vec<f64> { places.iter().map(|&place| values[place]).collect() };
    let numbers: Option<Vec<usize>> =
        (problem.numbers).map(|all| places.iter().map(|&place| all[place]).collect());
    let found = rule.shares(&Problem {
        sensitivities: &of(problem.sensitivities),
        weights: &of(problem.weights),
        numbers: numbers.as_deref(),
        setting: problem.setting,
    });
    let shares = found.map_err(|error| match error {
        AllocationError::Vanishes {
            allocation,
            index,
            sensitivity,
            weight,
        } => AllocationError::Vanishes {
            allocation,
            index: places[index],
            sensitivity,
            weight,
        },
        other => other,
    })?;
    let mut all = vec![0.0; queries];
    for (&place, &share) in places.iter().zip(shares.as_slice()) {
        all[place] = share;
    }
    Ok(Shares::new(all)?)
}

#[cfg(test)]
mod tests {
    use super::super::{Even, REGISTRY};
    use super::*;

    fn problem<'a>(sensitivities: &'a [f64], weights: &'a [f64]) -> Problem<'a> {
        Problem {
            sensitivities,
            weights,
            numbers: None,
            setting: Default::default(),
        }
    }

    #[test]
    fn what_needs_no_budget_gets_none_and_the_others_share_it() {
        let with = problem(&[0.0, 2.0, 0.0, 5.0, 1.0], &[1.0, 1.0, 0.0, 3.0, 2.0]);
        let without = problem(&[2.0, 5.0, 1.0], &[1.0, 3.0, 2.0]);
        for rule in REGISTRY {
            let all = where_needed(*rule, &with).unwrap();
            let few = rule.shares(&without).unwrap();
            let [first, second, third] = few.as_slice() else {
                panic!("three shares");
            };
            let expected = [0.0, *first, 0.0, *second, *third];
            assert_eq!(all.as_slice(), expected, "{}", rule.about().name);
            // where every query needs some, the rule is asked as it is
            assert_eq!(where_needed(*rule, &without).unwrap(), few);
        }
        let even = where_needed(&Even, &problem(&[1.0, 0.0], &[1.0; 2])).unwrap();
        assert_eq!(even.as_slice(), [1.0, 0.0]);
    }

    #[test]
    fn refusals_name_the_query_by_its_place_among_all() {
        for rule in REGISTRY {
            let error = where_needed(*rule, &problem(&[0.0, 0.0], &[1.0; 2])).unwrap_err();
            assert_eq!(error, AllocationError::NothingToHide);
            let error = where_needed(*rule, &problem(&[], &[])).unwrap_err();
            assert_eq!(error, AllocationError::Empty);
            let error = where_needed(*rule, &problem(&[0.0, -1.0], &[1.0; 2])).unwrap_err();
            assert!(error.to_string().contains("query 2"), "{error}");
        }
        let proportional = crate::allocation::named("proportional").unwrap();
        let error =
            where_needed(proportional, &problem(&[0.0, 1e-320, 1.0], &[1.0; 3])).unwrap_err();
        assert!(error.to_string().contains("gives query 2"), "{error}");
    }
}
