use super::*;
use crate::data::Bounds;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn taken(step: &dyn Step, values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    step.apply(&mut values);
    values
}

fn build(name: &str, arguments: &Arguments) -> Result<Box<dyn Step>, QueryError> {
    kind(name).unwrap().build(arguments)
}

fn squared(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(x, y)| (x - y) * (x - y)).sum()
}

#[test]
fn steps_do_what_they_say() {
    let clamp = build(
        "clamp",
        &Arguments::new()
            .with_number("low", 0.0)
            .with_number("high", 120.0),
    );
    assert_eq!(
        taken(clamp.unwrap().as_ref(), &[-3.0, 50.0, 200.0]),
        [0.0, 50.0, 120.0]
    );
    let whole = build("round", &Arguments::new()).unwrap();
    assert_eq!(
        taken(whole.as_ref(), &[0.5, 1.5, -2.4, 1e300]),
        [0.0, 2.0, -2.0, 1e300]
    );
    let fives = build("round", &Arguments::new().with_number("unit", 5.0)).unwrap();
    assert_eq!(taken(fives.as_ref(), &[12.0, 13.0]), [10.0, 15.0]);
    assert_eq!(taken(&NonNegative, &[-1.0, -0.0, 2.0]), [0.0, 0.0, 2.0]);
    assert_eq!(taken(&Total(10.0), &[1.0, 2.0, 4.0]), [2.0, 3.0, 5.0]);
    let simplex = build("simplex", &Arguments::new().with_number("total", 1.0)).unwrap();
    // θ = 0.5: (1.5 − θ) + (0.5 − θ) would be 1 with 0.5, where the second just vanishes
    assert_eq!(taken(simplex.as_ref(), &[1.5, 0.5, -7.0]), [1.0, 0.0, 0.0]);
    assert_eq!(taken(simplex.as_ref(), &[0.75, 0.75]), [0.5, 0.5]);
    let rising = build("isotonic", &Arguments::new()).unwrap();
    // 4, 2 and 0 are pooled
    let pooled = taken(rising.as_ref(), &[1.0, 4.0, 2.0, 0.0, 5.0]);
    assert!(
        squared(&pooled, &[1.0, 2.0, 2.0, 2.0, 5.0]) < 1e-30,
        "{pooled:?}"
    );
    let falling = build(
        "isotonic",
        &Arguments::new().with_text("direction", "falling"),
    )
    .unwrap();
    assert_eq!(taken(falling.as_ref(), &[3.0, 1.0, 2.0]), [3.0, 1.5, 1.5]);
}

#[test]
fn arguments_are_checked() {
    let text = |outcome: Result<Box<dyn Step>, QueryError>| outcome.unwrap_err().to_string();
    assert!(text(build("clamp", &Arguments::new())).contains("`clamp` needs `low`"));
    let reversed = Arguments::new()
        .with_number("low", 1.0)
        .with_number("high", 0.0);
    assert!(text(build("clamp", &reversed)).contains("swap"));
    for unit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let outcome = build("round", &Arguments::new().with_number("unit", unit));
        assert!(text(outcome).contains("above 0"));
    }
    assert!(
        text(build(
            "non-negative",
            &Arguments::new().with_number("x", 1.0)
        ))
        .contains("`x`")
    );
    assert!(
        text(build(
            "total",
            &Arguments::new().with_number("total", f64::NAN)
        ))
        .contains("finite")
    );
    assert!(
        text(build(
            "simplex",
            &Arguments::new().with_number("total", -1.0)
        ))
        .contains("at least 0")
    );
    let sideways = Arguments::new().with_text("direction", "sideways");
    assert!(text(build("isotonic", &sideways)).contains("rising, falling"));
}

#[test]
fn every_step_describes_itself() {
    let names: BTreeSet<&str> = REGISTRY.iter().map(|kind| kind.about().name).collect();
    assert_eq!(names.len(), REGISTRY.len());
    for kind in REGISTRY {
        let about = kind.about();
        for text in [about.summary, about.formula, about.source] {
            assert!(!text.is_empty());
        }
    }
}

/// A point of the set, from any numbers.
type Member = fn(&[f64]) -> Vec<f64>;

/// One step of each kind, with points of the set onto which it projects; rounding is none.
fn projections() -> Vec<(Box<dyn Step>, Member)> {
    fn shares(values: &[f64]) -> Vec<f64> {
        let weights: Vec<f64> = values.iter().map(|x| x.abs() + 1.0).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| 30.0 * weight / sum).collect()
    }
    fn sorted(values: &[f64]) -> Vec<f64> {
        let mut values = values.to_vec();
        values.sort_unstable_by(f64::total_cmp);
        values
    }
    let bounds = Bounds::new(-10.0, 40.0).unwrap();
    vec![
        (Box::new(Clamp(bounds)), |values| {
            values.iter().map(|x| x.clamp(-10.0, 40.0)).collect()
        }),
        (Box::new(NonNegative), |values| {
            values.iter().map(|x| x.abs()).collect()
        }),
        (Box::new(Total(30.0)), shares),
        (Box::new(Simplex::new(30.0).unwrap()), shares),
        (Box::new(Isotonic(Direction::Rising)), sorted),
        (Box::new(Isotonic(Direction::Falling)), |values| {
            let mut falling = sorted(values);
            falling.reverse();
            falling
        }),
    ]
}

proptest! {
    /// A projection p of x onto a convex set: twice is once, and (x − p)·(y − p) ≤ 0 for every point y of the set, which no
    /// other point of the set satisfies. So the distance to any truth in the set does not grow.
    #[test]
    fn projections_are_projections(
        values in prop::collection::vec(-100.0_f64..100.0, 1..12),
        others in prop::collection::vec(-100.0_f64..100.0, 12),
    ) {
        for (step, member) in projections() {
            let projected = taken(step.as_ref(), &values);
            let again = taken(step.as_ref(), &projected);
            prop_assert!(squared(&projected, &again) < 1e-18, "{step:?}");
            let truth = member(&others[..values.len()]);
            let angle: f64 = (0..values.len())
                .map(|i| (values[i] - projected[i]) * (truth[i] - projected[i]))
                .sum();
            prop_assert!(angle < 1e-9, "{step:?} {angle}");
            prop_assert!(squared(&projected, &truth) <= squared(&values, &truth) + 1e-9);
        }
        let simplex = taken(&Simplex::new(30.0).unwrap(), &values);
        prop_assert!((simplex.iter().sum::<f64>() - 30.0).abs() < 1e-9);
        prop_assert!(simplex.iter().all(|&x| x >= 0.0));
        let rising = taken(&Isotonic(Direction::Rising), &values);
        prop_assert!(rising.windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn no_bits_make_a_step_panic(bits in prop::collection::vec(any::<u64>(), 0..9)) {
        let values: Vec<f64> = bits.iter().map(|&bits| f64::from_bits(bits)).collect();
        for (step, _) in projections() {
            prop_assert_eq!(taken(step.as_ref(), &values).len(), values.len());
        }
        for unit in [1.0, 1e-300, 1e300] {
            let rounded = taken(&Round::new(unit).unwrap(), &values);
            if values.iter().all(|value| value.is_finite()) {
                prop_assert!(rounded.iter().all(|value| value.is_finite()));
            } else {
                prop_assert!(rounded.iter().all(|value| value.is_nan()));
            }
        }
    }
}
