//! Paired comparisons.

use super::*;

/// One seed, so a fixed result; at 100 000 trials 4 MCSE of a share near 0.64 are 0.006.
#[test]
fn pairs_are_compared() {
    let sample = simulate(42, 100_000, &[1.0], Streams::Common);
    let rows = comparisons(&sample.cells, &sample.resolved).unwrap();
    let find = |a: &str, measure: &str| {
        (rows
            .iter()
            .find(|r| r.a == a && r.measure == measure && r.subject == "all"))
        .unwrap_or_else(|| panic!("{a} {measure}"))
    };
    let r = find("proportional", "max_abs_error");
    assert_eq!(
        (r.b.as_str(), r.axes.as_slice()),
        ("even", &["1".to_string(), String::new()][..])
    );
    assert!((r.win as f64 / r.trials as f64 - 0.640507).abs() < 0.006);
    assert_eq!(r.win + r.tie + r.loss, r.trials);
    assert!((r.difference - (222.0533 - 360.0249)).abs() < 4.5 * r.mcse);
    assert!(r.low < r.difference && r.difference < r.high && r.p_adjusted < 1e-100);
    // the same shares by another name: the same evidence, counted once
    let twin = find("sqrt-weighted", "max_abs_error");
    assert_eq!((twin.win, twin.p_adjusted), (r.win, r.p_adjusted));
}

#[test]
fn pairs_without_a_difference_have_none_and_families_are_adjusted() {
    let mut sample = simulate(7, 50, &[1.0], Streams::Common);
    for cell in &mut sample.cells {
        for pair in &mut cell.pairs {
            pair.moments = Moments {
                n: 50,
                ..Moments::default()
            };
            (pair.win, pair.tie, pair.loss) = (0, 50, 0);
        }
    }
    let rows = comparisons(&sample.cells, &sample.resolved).unwrap();
    assert!(!rows.is_empty());
    assert!(
        rows.iter()
            .all(|r| r.difference == 0.0 && r.p_adjusted == 1.0 && r.tie == 50)
    );

    // t = 2.5 in three different comparisons of a family of four, two of which are twins: p is that of three
    for (i, cell) in sample.cells.iter_mut().enumerate() {
        let twin = if i == 2 { 1 } else { i };
        for pair in &mut cell.pairs {
            let mean = 1.0 + twin as f64 / 10.0;
            let sd = mean * 50_f64.sqrt() / 2.5;
            pair.moments = Moments {
                n: 50,
                mean,
                m2: sd * sd * 49.0,
                m3: 0.0,
                m4: 0.0,
            };
            (pair.win, pair.tie, pair.loss) = (20 + twin as u64, 0, 30 - twin as u64);
        }
    }
    let rows = comparisons(&sample.cells, &sample.resolved).unwrap();
    let single = epsweep_core::statistics::t_two_sided(2.5, 49.0);
    for r in &rows {
        assert!((r.p_adjusted - 3.0 * single).abs() < 1e-12, "{r:?}");
    }
}

#[test]
fn rows_are_found_both_ways_round() {
    let run = run_of(&simulate(42, 1_000, &[1.0], Streams::Common));
    let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
    let (there, back) = (
        lookup.paired(3, 0, "all", "rmse").unwrap(),
        lookup.paired(0, 3, "all", "rmse").unwrap(),
    );
    assert_eq!(
        (there.difference, there.low, there.win),
        (-back.difference, -back.high, back.loss)
    );
    assert_eq!(lookup.baseline(3), Some(0));
    assert!(lookup.paired(3, 4, "all", "rmse").is_none());
}
