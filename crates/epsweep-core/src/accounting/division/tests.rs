use super::scale::largest_rho;
use super::*;
use crate::accounting::filter::Spend;
use crate::accounting::ledger::{Ledger, LedgerError};
use crate::budget::{Delta, Rho, Shares};

fn shares(weights: &[f64]) -> Shares {
    Shares::from_weights(weights).unwrap()
}

fn approximate(epsilon: f64, delta: f64) -> Budget {
    Budget::Approximate(Epsilon::new(epsilon).unwrap(), Delta::new(delta).unwrap())
}

fn rho(value: f64) -> Budget {
    Budget::Zcdp(Rho::new(value).unwrap())
}

fn pure(value: f64) -> Budget {
    Budget::Pure(Epsilon::new(value).unwrap())
}

/// Label, part and Δ/scale of every release of a division.
fn spent(division: &Division, factor: f64) -> Vec<(String, Budget, f64)> {
    (division.parts.iter().flatten().enumerate())
        .map(|(index, part)| {
            let ratio = match part {
                Budget::Pure(epsilon) => epsilon.get(),
                Budget::Zcdp(rho) => (2.0 * rho.get()).sqrt(),
                Budget::Approximate(epsilon, delta) => {
                    1.0 / gaussian::sigma(epsilon.get(), delta.get(), 1.0).unwrap()
                }
            };
            (format!("query {index}"), *part, ratio * factor)
        })
        .collect()
}

#[test]
fn every_division_meets_its_guarantee_and_an_overspend_of_a_millionth_is_refused() {
    let mut seen = 0;
    for composition in Composition::ALL {
        for spender in [Spender::Pure, Spender::Gaussian] {
            for budget in [
                pure(1.0),
                approximate(1.0, 1e-6),
                approximate(0.1, 1e-9),
                rho(0.5),
            ] {
                for weights in [vec![1.0; 3], vec![0.12, 120.0, 0.0, 1.0]] {
                    let Ok(division) = composition.divide(budget, spender, &shares(&weights))
                    else {
                        continue;
                    };
                    seen += 1;
                    composition
                        .check(budget, spender, &spent(&division, 1.0))
                        .unwrap();
                    let error = composition
                        .check(budget, spender, &spent(&division, 1.0 + 1e-6))
                        .unwrap_err();
                    assert!(matches!(error, LedgerError::Overspent { .. }), "{error}");
                }
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn equal_parts_of_a_total_spend_it_for_any_number_of_them() {
    for count in 1..=100 {
        let division = Composition::Basic
            .divide(pure(1.0), Spender::Pure, &shares(&vec![1.0; count]))
            .unwrap();
        let spent = spent(&division, 1.0);
        Composition::Basic
            .check(pure(1.0), Spender::Pure, &spent)
            .unwrap();
        let mut ledger = Ledger::new(pure(1.0));
        let plan = spent
            .iter()
            .map(|(label, _, ratio)| (label.clone(), Spend::Pure(*ratio)));
        ledger.spend_all(&plan.collect::<Vec<_>>()).unwrap();
        assert_eq!(ledger.reported(), 1.0);
    }
}

#[test]
fn the_better_accountant_leaves_more_to_spend() {
    let even = shares(&[1.0; 50]);
    let budget = approximate(1.0, 1e-6);
    let total = |composition: Composition| {
        composition
            .divide(budget, Spender::Pure, &even)
            .unwrap()
            .total
    };
    assert_eq!(total(Composition::Basic), 1.0);
    assert!(total(Composition::Optimal) > 1.2);
    assert!(total(Composition::Pld) > total(Composition::Optimal));
    let gaussian = |composition: Composition| {
        composition
            .divide(budget, Spender::Gaussian, &even)
            .unwrap()
            .total
    };
    // ρ: the exact curve beats both conversions, and basic is no match
    assert!(gaussian(Composition::Pld) > gaussian(Composition::Rdp) * 1.01);
    assert!(gaussian(Composition::Rdp) > gaussian(Composition::Zcdp) * (1.0 - 1e-6));
}

#[test]
fn what_cannot_be_divided_names_the_alternative() {
    let refused = |composition: Composition, budget: Budget, spender, weights: &[f64]| {
        composition
            .divide(budget, spender, &shares(weights))
            .unwrap_err()
            .to_string()
    };
    let (uneven, pair) = ([1.0, 2.0], [1.0, 1.0]);
    let meets = approximate(1.0, 1e-6);
    assert!(
        refused(Composition::Optimal, meets, Spender::Pure, &uneven).contains("compose by pld")
    );
    assert!(
        refused(Composition::Optimal, meets, Spender::Gaussian, &pair).contains("compose by pld")
    );
    assert!(
        refused(Composition::Basic, rho(0.5), Spender::Pure, &pair).contains("compose by zcdp")
    );
    assert!(
        refused(Composition::Basic, pure(1.0), Spender::Gaussian, &pair).contains("give `delta`")
    );
    assert!(refused(Composition::Zcdp, pure(1.0), Spender::Pure, &pair).contains("give `delta`"));
    assert!(refused(Composition::Pld, rho(0.5), Spender::Pure, &pair).contains("compose by zcdp"));
    assert!(
        refused(Composition::Rdp, pure(1.0), Spender::Pure, &pair).contains("compose by basic")
    );
}

#[test]
fn a_total_in_rho_is_the_largest_that_meets_epsilon_and_delta() {
    let found = largest_rho(1.0, 1e-6).unwrap();
    assert!(zcdp::tight(found, 1e-6).unwrap().epsilon <= 1.0);
    assert!(zcdp::tight(found * (1.0 + 1e-9), 1e-6).unwrap().epsilon > 1.0);
    for (epsilon, delta) in [(1000.0, 1e-300), (1e-6, 1e-300), (1e-3, 0.5)] {
        assert!(largest_rho(epsilon, delta).unwrap() > 0.0);
    }
}

/// Where the total is a formula, a millionth too much is seen; a privacy loss distribution is computed on a lattice that hides it.
#[test]
fn an_overspend_of_a_millionth_is_refused() {
    let even = shares(&[1.0; 3]);
    for (composition, budget, spender) in [
        (Composition::Basic, pure(1.0), Spender::Pure),
        (Composition::Basic, approximate(1.0, 1e-6), Spender::Pure),
        (Composition::Zcdp, rho(0.5), Spender::Pure),
        (Composition::Zcdp, rho(0.5), Spender::Gaussian),
        (Composition::Zcdp, approximate(1.0, 1e-6), Spender::Gaussian),
        (Composition::Optimal, approximate(1.0, 1e-6), Spender::Pure),
        (Composition::Rdp, approximate(1.0, 1e-6), Spender::Gaussian),
        (Composition::Pld, approximate(1.0, 1e-6), Spender::Gaussian),
    ] {
        let division = composition.divide(budget, spender, &even).unwrap();
        composition
            .check(budget, spender, &spent(&division, 1.0))
            .unwrap();
        let error = composition
            .check(budget, spender, &spent(&division, 1.0 + 1e-6))
            .unwrap_err();
        assert!(
            matches!(error, LedgerError::Overspent { .. }),
            "{composition:?}: {error}"
        );
    }
}
