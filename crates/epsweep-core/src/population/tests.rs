//! Statistical checks: every sample mean, variance and fraction is compared within 5.5 standard errors (two-sided 3.8e-8 each for a
//! normal statistic); with fewer than 200 of them at fixed seeds a false alarm has probability below 1e-5. Each check is also shown to
//! reject a law that is a little off.

use super::*;
use crate::data::Predicate;
use crate::query::{self, Arguments, Query};
use proptest::prelude::*;

const ROWS: usize = 200_000;

fn laws() -> Vec<Arc<dyn Law>> {
    let normal = Normal::new(40.0, 15.0).unwrap();
    vec![
        Arc::new(normal),
        Arc::new(Uniform::between(-3.0, 8.0).unwrap()),
        Arc::new(LogNormal::new(30.0, 0.75).unwrap()),
        Arc::new(Steps::new(&[0.0, 1.0, 5.0, 50.0], &[1.0, 0.0, 3.0]).unwrap()),
        Arc::new(Points::new(&[-1.0, 0.5, 2.0, 90.0], &[1.0, 2.0, 0.0, 4.0]).unwrap()),
        Arc::new(zipf(100, 1.2).unwrap()),
        Arc::new(shaped(&Normal::new(0.3, 0.2).unwrap(), 64).unwrap()),
        Arc::new(
            Mixture::new(vec![
                (0.3, Arc::new(Points::new(&[0.0], &[1.0]).unwrap())),
                (0.5, Arc::new(normal)),
                (0.2, Arc::new(Uniform::between(-60.0, 90.0).unwrap())),
            ])
            .unwrap(),
        ),
    ]
}

fn sample(law: &Arc<dyn Law>, bounds: Option<Bounds>, seed: u64) -> Vec<f64> {
    let population = Population::new()
        .with("x", Distribution::Number(Arc::clone(law)), bounds)
        .unwrap();
    population
        .table(ROWS, seed)
        .unwrap()
        .column("x")
        .unwrap()
        .numbers()
        .unwrap()
        .to_vec()
}

/// The largest |z| of the sample's mean, variance and fractions at or below some values.
fn largest_z(sample: &[f64], (mean, variance): (f64, f64), cdf: impl Fn(f64) -> f64) -> f64 {
    let n = sample.len() as f64;
    let of = |power: i32| sample.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
    let mut largest = (of(1) / (variance / n).sqrt()).abs();
    largest = largest.max(((of(2) - variance) / ((of(4) - variance * variance) / n).sqrt()).abs());
    for x in [-1.0, 0.0, 0.7, 3.0, 9.0, 24.0, 40.0, 66.0] {
        let p = cdf(x);
        let below = sample.iter().filter(|&&value| value <= x).count() as f64 / n;
        if p > 0.0 && p < 1.0 {
            largest = largest.max(((below - p) / (p * (1.0 - p) / n).sqrt()).abs());
        }
    }
    largest
}

#[test]
fn samples_have_the_moments_and_the_distribution_of_their_laws() {
    for law in laws() {
        for bounds in [None, Some(Bounds::new(-0.5, 45.0).unwrap())] {
            let values = sample(&law, bounds, 7);
            let moments = law.moments(bounds);
            let cdf = |x: f64| match bounds {
                Some(bounds) if x < bounds.low() => 0.0,
                Some(bounds) if x >= bounds.high() => 1.0,
                _ => law.cdf(x),
            };
            let z = largest_z(&values, moments, cdf);
            assert!(z < 5.5, "{law:?} in {bounds:?}: {z}");
            // a mean off by 3 % of the standard deviation is 13 standard errors off
            let off = (moments.0 + 0.03 * moments.1.sqrt(), moments.1);
            assert!(largest_z(&values, off, cdf) > 5.5, "{law:?}");
        }
    }
}

#[test]
fn moments_are_those_of_the_distribution_function() {
    // E X = high − ∫F and E X² by parts, by a midpoint rule that knows nothing of the closed forms
    for law in laws() {
        let (low, high) = (-0.5, 45.0);
        let cells = 400_000;
        let width = (high - low) / f64::from(cells);
        let (mut first, mut second) = (0.0, 0.0);
        for cell in 0..cells {
            let x = low + (f64::from(cell) + 0.5) * width;
            first += law.cdf(x) * width;
            second += 2.0 * (x - low) * law.cdf(x) * width;
        }
        let mean = high - first;
        // E (X − low)²
        let squares = (high - low) * (high - low) - second;
        let variance = squares - (mean - low) * (mean - low);
        let moments = law.moments(Some(Bounds::new(low, high).unwrap()));
        assert!(
            (moments.0 - mean).abs() < 2e-3,
            "{law:?} {moments:?} {mean}"
        );
        assert!(
            (moments.1 - variance).abs() < 1e-1,
            "{law:?} {moments:?} {variance}"
        );
    }
}

#[test]
fn quantiles_are_the_least_values_with_enough_probability() {
    for law in laws() {
        for p in [1e-6, 0.01, 0.3, 0.5, 0.77, 0.999] {
            let x = law.quantile(p);
            let room = 1e-9 * x.abs().max(1e-3);
            assert!(law.cdf(x + room) >= p * (1.0 - 1e-9), "{law:?} {p} {x}");
            assert!(law.below(x - room) <= p * (1.0 + 1e-9), "{law:?} {p} {x}");
        }
    }
}

#[test]
fn known_values() {
    // E X and sd of the log-normal law are median·e^{s²/2} and that times √(e^{s²} − 1)
    let (mean, variance) = LogNormal::new(30.0, 0.75).unwrap().moments(None);
    let expected = 30.0 * libm::exp(0.28125);
    assert!((mean - expected).abs() < 1e-10);
    assert!((variance - expected * expected * libm::expm1(0.5625)).abs() < 1e-8);
    let (mean, variance) = Normal::new(40.0, 15.0).unwrap().moments(None);
    assert!((mean - 40.0).abs() < 1e-12 && (variance - 225.0).abs() < 1e-10);
    let (mean, variance) = Uniform::between(-3.0, 8.0).unwrap().moments(None);
    assert!((mean - 2.5).abs() < 1e-12 && (variance - 121.0 / 12.0).abs() < 1e-12);
    // harmonic numbers: of 1/k over 1..4 the mean is 4/H₄ = 1.92
    let (mean, _) = zipf(4, 1.0).unwrap().moments(None);
    assert!((mean - 1.92).abs() < 1e-12);
    // the same shape on two domains: coarse cells are sums of fine ones
    let shape = Normal::new(0.5, 0.2).unwrap();
    let (coarse, fine) = (shaped(&shape, 8).unwrap(), shaped(&shape, 32).unwrap());
    for (cell, p) in coarse.probabilities().iter().enumerate() {
        let sum: f64 = fine.probabilities()[4 * cell..4 * cell + 4].iter().sum();
        assert!((p - sum).abs() < 1e-14);
    }
}

#[test]
fn a_larger_sample_begins_with_the_smaller_and_columns_do_not_move_each_other() {
    let normal: Arc<dyn Law> = Arc::new(Normal::new(0.0, 1.0).unwrap());
    let one = Population::new()
        .with("x", Distribution::Number(normal.clone()), None)
        .unwrap();
    let two = Population::new()
        .with("y", Distribution::Number(normal.clone()), None)
        .unwrap()
        .with("x", Distribution::Number(normal), None)
        .unwrap();
    let values = |population: &Population, rows, seed| {
        population
            .table(rows, seed)
            .unwrap()
            .column("x")
            .unwrap()
            .numbers()
            .unwrap()
            .to_vec()
    };
    let long = values(&one, 10_000, 3);
    assert_eq!(values(&one, 5000, 3), long[..5000]);
    assert_eq!(values(&two, 10_000, 3), long);
    assert_ne!(values(&one, 10_000, 4), long);
    assert_eq!(values(&one, 0, 3), []);
    let y = two
        .table(10, 3)
        .unwrap()
        .column("y")
        .unwrap()
        .numbers()
        .unwrap()
        .to_vec();
    assert_ne!(y, long[..10]);
}

fn built(kind: &str, arguments: Arguments) -> Box<dyn Query> {
    query::kind(kind).unwrap().build(&arguments).unwrap()
}

fn of(column: &str) -> Arguments {
    Arguments::new().with_text("column", column)
}

/// Queries on the census whose parameters are known.
fn census_queries() -> Vec<Box<dyn Query>> {
    let count = |predicate: &str| built("count", Arguments::new().with_text("where", predicate));
    vec![
        count("age > 60"),
        count("age between 18 and 64 and sex = 'female'"),
        count("income >= 50000 and education in ['bachelor', 'graduate']"),
        count("income < 30000 or hours = 0"),
        count("not (education = 'graduate') and household > 3 and income > 80000"),
        count("income = 250000"),
        count("sex != 'male'"),
        count("education = 'no such level'"),
        built("mean", of("income")),
        built("sum", of("hours")),
        built("variance", of("age")),
        built("standard-deviation", of("income")),
        built("median", of("income")),
        built("quantile", of("age").with_number("p", 0.9)),
        built("covariance", of("income").with_text("with", "age")),
        built(
            "histogram",
            of("age")
                .with_number("low", 0.0)
                .with_number("high", 100.0)
                .with_number("bins", 10.0),
        ),
        built("split-mean", of("income").with_number("centre", 100_000.0)),
    ]
}

#[test]
fn answers_on_samples_gather_around_the_parameters() {
    let census = census().unwrap();
    let rows = 20_000;
    let samples: Vec<Table> = (0..24)
        .map(|seed| census.table(rows, seed).unwrap())
        .collect();
    for query in census_queries() {
        let parameter = census
            .parameter(query.as_ref(), &samples[0])
            .unwrap()
            .unwrap();
        let answers: Vec<Vec<f64>> = samples
            .iter()
            .map(|table| query.target(table).unwrap())
            .collect();
        assert_eq!(answers[0].len(), parameter.len());
        for (part, exact) in parameter.iter().enumerate() {
            let of_part: Vec<f64> = answers.iter().map(|answer| answer[part]).collect();
            let n = of_part.len() as f64;
            let mean = of_part.iter().sum::<f64>() / n;
            let variance = of_part.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
            let error = (variance / n).sqrt();
            // Student with 23 degrees of freedom: |t| > 8 has probability 4e-8; estimates with a bias of order 1/n get room for it
            let room = 8.0 * error + 1e-4 * exact.abs();
            assert!(
                (mean - exact).abs() <= room,
                "{}: {mean} {exact} {error}",
                query.definition()
            );
            if error > 0.0 && *exact != 0.0 && variance.sqrt() < 0.02 * exact.abs() {
                // 10 % off is told apart
                assert!((mean - 1.1 * exact).abs() > room, "{}", query.definition());
            }
        }
    }
}

#[test]
fn what_has_no_parameter_is_silent() {
    let census = census().unwrap();
    let table = census.table(100, 1).unwrap();
    for query in [built("max", of("age")), built("range", of("age"))] {
        assert_eq!(census.parameter(query.as_ref(), &table), Ok(None));
    }
    assert_eq!(census.quantile("age", 1.5), None);
    assert_eq!(census.moments("sex"), None);
    assert_eq!(census.moments("nothing"), None);
    let unknown = built("mean", of("nothing"));
    assert!(census.parameter(unknown.as_ref(), &table).is_err());
}

#[test]
fn probabilities_add_up() {
    let census = census().unwrap();
    let table = census.table(10, 1).unwrap();
    let p = |text: &str| {
        let predicate = Predicate::parse(text).unwrap();
        census.probability(&predicate, &table).unwrap().unwrap()
    };
    for text in [
        "age > 30",
        "income < 40000 and sex = 'male'",
        "hours = 40 or education = 'graduate'",
    ] {
        assert!(
            (p(text) + p(&format!("not ({text})")) - 1.0).abs() < 1e-12,
            "{text}"
        );
    }
    assert!((p("age >= 85") - 0.019).abs() < 1e-3);
    assert!((p("sex = 'female' and household = 2") - 0.51 * 0.3).abs() < 1e-12);
    assert!((p("household > 0") - 1.0).abs() < 1e-12);
    assert_eq!(p("household > 7"), 0.0);
}

#[test]
fn the_census_is_large_enough() {
    let table = census().unwrap().table(100_000, 42).unwrap();
    assert_eq!(table.rows(), 100_000);
    let names: Vec<&str> = table.columns().iter().map(Column::name).collect();
    assert_eq!(
        names,
        ["age", "sex", "education", "income", "household", "hours"]
    );
}

#[test]
fn what_is_no_law_is_refused() {
    let text = |error: PopulationError| error.to_string();
    assert!(text(Normal::new(f64::NAN, 1.0).unwrap_err()).contains("NaN"));
    assert!(text(Normal::new(0.0, 0.0).unwrap_err()).contains("above 0"));
    assert!(text(Uniform::between(1.0, 1.0).unwrap_err()).contains("rise"));
    assert!(text(Steps::new(&[0.0, 1.0], &[1.0, 1.0]).unwrap_err()).contains("one edge more"));
    assert!(text(Points::new(&[1.0, 1.0], &[1.0, 1.0]).unwrap_err()).contains("rise"));
    assert!(text(Points::new(&[], &[]).unwrap_err()).contains("none above 0"));
    assert!(text(Points::new(&[1.0], &[-1.0]).unwrap_err()).contains("-1.0"));
    assert!(text(Points::of_groups(&[(3, 1, 1.0)]).unwrap_err()).contains("from 3 to 1"));
    assert!(text(zipf(0, 1.0).unwrap_err()).contains("from 1"));
    assert!(text(zipf(5, f64::NAN).unwrap_err()).contains("exponent"));
    let far = Normal::new(1e9, 1.0).unwrap();
    assert!(text(shaped(&far, 4).unwrap_err()).contains("none above 0"));
    assert!(text(Categories::new(&[("a", 1.0), ("a", 1.0)]).unwrap_err()).contains("`a`"));
    let number = || Distribution::Number(Arc::new(far));
    let twice = Population::new()
        .with("x", number(), None)
        .unwrap()
        .with("x", number(), None);
    assert!(text(twice.unwrap_err()).contains("twice"));
    let given = |laws| Distribution::Given {
        on: "t".to_owned(),
        laws,
    };
    let alone = Population::new().with("x", given(vec![]), None);
    assert!(text(alone.unwrap_err()).contains("comes before"));
    let texts = Distribution::Text(Categories::new(&[("a", 1.0)]).unwrap());
    let lacking = Population::new()
        .with("t", texts, None)
        .unwrap()
        .with("x", given(vec![]), None);
    assert!(text(lacking.unwrap_err()).contains("no law for `a`"));
    assert!(text(Population::new().table(3, 1).unwrap_err()).contains("no column"));
}

proptest! {
    #[test]
    fn no_numbers_make_a_law_panic(bits in prop::collection::vec(any::<u64>(), 6), u in 1e-12_f64..1.0) {
        let x: Vec<f64> = bits.iter().map(|&bits| f64::from_bits(bits)).collect();
        let mut found: Vec<Arc<dyn Law>> = Vec::new();
        if let Ok(law) = Normal::new(x[0], x[1]) { found.push(Arc::new(law)); }
        if let Ok(law) = LogNormal::new(x[0].abs(), x[1].abs()) { found.push(Arc::new(law)); }
        if let Ok(law) = Steps::new(&x[..3], &[x[3].abs(), x[4].abs()]) { found.push(Arc::new(law)); }
        if let Ok(law) = Points::new(&x[..2], &x[2..4]) { found.push(Arc::new(law)); }
        let mixed = found.iter().map(|law| (1.0, Arc::clone(law))).collect();
        if let Ok(law) = Mixture::new(mixed) { found.push(Arc::new(law)); }
        for law in found {
            let _ = (law.draw(u), law.quantile(u), law.cdf(x[5]), law.below(x[5]), law.moments(None));
            if let Ok(bounds) = Bounds::new(x[4], x[5]) {
                let _ = law.moments(Some(bounds));
            }
        }
    }
}
