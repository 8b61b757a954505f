use super::*;

/// The defaults of a sequence, changed where `changes` says so.
fn set(sequence: &dyn Sequence, changes: &[(&str, f64)]) -> Vec<f64> {
    let value = |parameter: &Parameter| {
        let changed = changes.iter().find(|(name, _)| *name == parameter.name);
        changed.map_or(parameter.default.unwrap(), |(_, value)| *value)
    };
    sequence.parameters().iter().map(value).collect()
}

fn answers(name: &str, changes: &[(&str, f64)], seed: u64, length: usize) -> Vec<f64> {
    let sequence = named(name).unwrap();
    sequence
        .generate(&set(sequence, changes), seed, length)
        .unwrap()
}

#[test]
fn every_sequence_is_its_own_and_a_longer_one_begins_with_the_shorter() {
    for sequence in REGISTRY {
        let name = sequence.about().name;
        assert_eq!(
            named(name).map(|found| found.about()),
            Some(sequence.about())
        );
        assert!(
            sequence
                .parameters()
                .iter()
                .all(|p| p.default.is_none_or(|d| p.range.holds(d)))
        );
        let whole = answers(name, &[], 7, 5000);
        assert!(whole.iter().all(|answer| answer.is_finite()));
        for length in [0, 1, 100, 4096, 4097] {
            assert_eq!(answers(name, &[], 7, length), whole[..length], "{name}");
        }
        let seeded = answers(name, &[], 8, 5000) != whole;
        assert_eq!(seeded, name != "adversarial", "{name}");
    }
}

#[test]
fn parameters_that_are_missing_or_outside_their_range_are_refused() {
    for sequence in REGISTRY {
        let good = set(*sequence, &[]);
        assert!(sequence.generate(&good[1..], 1, 3).is_err());
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] = f64::NAN;
            let error = sequence.generate(&bad, 1, 3).unwrap_err().to_string();
            let name = sequence.parameters()[place].name;
            assert!(error.starts_with(&format!("`{name}` of")), "{error}");
        }
    }
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    (mean, square.sqrt())
}

// 40 000 normals: mean within 5 standard errors (false alarm 6e-7), sd within 5·sd/√(2n); a level or spread off by 4 % is caught
#[test]
fn stationary_and_drifting_answers_have_their_level_slope_and_spread() {
    let n = 40_000;
    let changes = [("level", 50.0), ("spread", 3.0), ("slope", 0.25)];
    let check = |values: &[f64]| {
        let (mean, sd) = moments(values);
        (mean - 50.0).abs() < 5.0 * 3.0 / 200.0 && (sd - 3.0).abs() < 5.0 * 3.0 / 282.8
    };
    let flat = answers("stationary", &changes, 3, n);
    assert!(check(&flat));
    assert!(!check(&answers(
        "stationary",
        &[("level", 50.0), ("spread", 3.12)],
        3,
        n
    )));
    let drifting = answers("drifting", &changes, 3, n);
    let level: Vec<f64> = (drifting.iter().enumerate())
        .map(|(i, answer)| answer - 0.25 * i as f64)
        .collect();
    assert!(check(&level) && !check(&drifting));
    assert_ne!(
        level[..10],
        flat[..10],
        "sequences do not share their draws"
    );
}

#[test]
fn bursts_are_as_frequent_and_long_as_declared() {
    let n = 200_000;
    let changes = [
        ("level", 0.0),
        ("height", 1.0),
        ("spread", 0.0),
        ("every", 20.0),
        ("lasting", 5.0),
    ];
    let values = answers("bursty", &changes, 11, n);
    let up = values.iter().filter(|value| **value == 1.0).count() as f64;
    let starts = values.windows(2).filter(|pair| pair[0] < pair[1]).count() as f64;
    assert!(values.iter().all(|value| *value == 0.0 || *value == 1.0));
    // about n/25 = 8000 bursts of mean length 5 and sd √20: the mean within 5·√20/√8000 = 0.25 (false alarm 6e-7)
    assert!((up / starts - 5.0).abs() < 0.25, "{}", up / starts);
    // the number of bursts has a standard deviation of about √8000·√(20² + 20 + …)/25 < 80
    assert!((starts - 8000.0).abs() < 400.0, "{starts}");
}

#[test]
fn the_adversary_is_never_where_it_was_a_period_ago() {
    for period in [1, 3] {
        let changes = [("level", 10.0), ("height", 7.0), ("period", period as f64)];
        let values = answers("adversarial", &changes, 1, 60);
        assert_eq!(values[..period], vec![10.0; period]);
        for i in period..60 {
            assert_eq!((values[i] - values[i - period]).abs(), 7.0);
        }
    }
}
