//! A population like that of a census.

use super::{
    Categories, Distribution, Law, LogNormal, Mixture, Points, Population, PopulationError,
};
use crate::data::Bounds;
use std::sync::Arc;

/// Persons with `age` (whole years, 0 to 100), `sex`, `education`, `income` (a year, 0 to 250 000), `household` (persons, 1 to 7) and
/// `hours` (of paid work a week, 0 to 80).
///
/// The shares of the age groups are those of the 2020 census of the United States (table DP1), rounded to tenths of a percent; within a
/// group all years are equally likely. The other marginals are round numbers of the order that the American Community Survey
/// reports: 51 % women; six levels of education; income log-normal, with a median that depends on the education; household sizes; and hours
/// with 38 % at 0, a third at 40 and the rest spread. Apart from income given education, the columns are independent, which those of
/// people are not: this is a population with known parameters, not a model of a country.
///
/// # Errors
/// None that the numbers below allow; the type is that of the constructors
pub fn census() -> Result<Population, PopulationError> {
    let ages = Points::of_groups(&[
        (0, 4, 5.7),
        (5, 9, 6.1),
        (10, 14, 6.6),
        (15, 19, 6.6),
        (20, 24, 6.7),
        (25, 29, 6.9),
        (30, 34, 6.9),
        (35, 39, 6.5),
        (40, 44, 6.2),
        (45, 49, 6.1),
        (50, 54, 6.3),
        (55, 59, 6.6),
        (60, 64, 6.3),
        (65, 69, 5.4),
        (70, 74, 4.4),
        (75, 79, 2.9),
        (80, 84, 1.9),
        (85, 100, 1.9),
    ])?;
    let sexes = Categories::new(&[("female", 51.0), ("male", 49.0)])?;
    // share, and the median income
    let levels = [
        ("below high school", 11.0, 22_000.0),
        ("high school", 27.0, 31_000.0),
        ("some college", 20.0, 35_000.0),
        ("associate", 9.0, 40_000.0),
        ("bachelor", 20.0, 56_000.0),
        ("graduate", 13.0, 75_000.0),
    ];
    let education: Vec<(&str, f64)> = levels.iter().map(|level| (level.0, level.1)).collect();
    let incomes = (levels.iter())
        .map(|&(name, _, median)| {
            let law: Arc<dyn Law> = Arc::new(LogNormal::new(median, 0.75)?);
            Ok((name.to_owned(), law))
        })
        .collect::<Result<Vec<_>, PopulationError>>()?;
    let households = Points::new(
        &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
        &[13.0, 30.0, 19.0, 20.0, 10.0, 5.0, 3.0],
    )?;
    let hours = Mixture::new(vec![
        (38.0, Arc::new(Points::new(&[0.0], &[1.0])?)),
        (33.0, Arc::new(Points::new(&[40.0], &[1.0])?)),
        (11.0, Arc::new(Points::of_groups(&[(1, 34, 1.0)])?)),
        (
            18.0,
            Arc::new(Points::of_groups(&[(35, 60, 9.0), (61, 80, 1.0)])?),
        ),
    ])?;
    let number = |law: Arc<dyn Law>| Distribution::Number(law);
    let bounds = |low, high| Bounds::new(low, high).map(Some);
    Population::new()
        .with("age", number(Arc::new(ages)), bounds(0.0, 100.0)?)?
        .with("sex", Distribution::Text(sexes), None)?
        .with(
            "education",
            Distribution::Text(Categories::new(&education)?),
            None,
        )?
        .with(
            "income",
            Distribution::Given {
                on: "education".to_owned(),
                laws: incomes,
            },
            bounds(0.0, 250_000.0)?,
        )?
        .with("household", number(Arc::new(households)), bounds(1.0, 7.0)?)?
        .with("hours", number(Arc::new(hours)), bounds(0.0, 80.0)?)
}
