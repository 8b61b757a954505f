//! Composition and accounting.

use crate::case::{Case, Checks};
use crate::family::{Family, Kind, input_kind};
use epsweep_core::accounting::rdp::{self, Curve};
use epsweep_core::accounting::{
    advanced, basic, classic_gaussian, filter, gaussian, optimal, zcdp,
};

pub const FAMILY: Family = Family {
    name: "composition",
    kind: input_kind,
    covered: &[
        Kind {
            name: "basic",
            check: check_basic,
        },
        Kind {
            name: "advanced",
            check: check_advanced,
        },
        Kind {
            name: "optimal_homogeneous",
            check: check_optimal,
        },
        Kind {
            name: "zcdp_to_approx",
            check: check_zcdp,
        },
        Kind {
            name: "rdp_curve",
            check: check_curve,
        },
        Kind {
            name: "rdp_to_approx",
            check: check_conversion,
        },
        Kind {
            name: "analytic_gaussian",
            check: check_analytic,
        },
        Kind {
            name: "gaussian_delta",
            check: check_gaussian_delta,
        },
        Kind {
            name: "subsampled_gaussian_rdp",
            check: check_subsampled,
        },
        Kind {
            name: "dp_sgd",
            check: check_training,
        },
        Kind {
            name: "privacy_filter",
            check: check_filter,
        },
    ],
    later: &[],
};

fn check_basic(case: &Case, checks: &mut Checks) {
    let parts: Vec<(f64, f64)> = case
        .numbers("epsilons")
        .into_iter()
        .zip(case.numbers("deltas"))
        .collect();
    let sums = basic::sums(&parts).expect("sums");
    checks.number("epsilon", sums.epsilon);
    checks.number("delta", sums.delta);
    checks.number("delta_capped", sums.delta_capped());
}

fn check_advanced(case: &Case, checks: &mut Checks) {
    let (count, delta) = (case.input_number("k"), case.input_number("delta"));
    let prime = case.input_number("delta_prime");
    let bounds = advanced::bounds(&[(case.input_number("epsilon"), count)], prime).expect("bounds");
    checks.number("basic_epsilon", bounds.basic);
    checks.number("drv_epsilon", bounds.classic);
    checks.number("refined_epsilon", bounds.refined);
    checks.number("kov_thm34_second_epsilon", bounds.refined_small);
    checks.number("best_epsilon", bounds.best());
    checks.number("delta_sum", advanced::classic_delta(count, delta, prime));
    checks.number("delta_kov", advanced::refined_delta(count, delta, prime));
}

fn check_optimal(case: &Case, checks: &mut Checks) {
    let count = case.input_number("k") as u64;
    let equal = optimal::Equal::new(
        count,
        case.input_number("epsilon"),
        case.input_number("delta"),
    )
    .expect("releases");
    for (index, &epsilon) in case.numbers("target_epsilons").iter().enumerate() {
        checks.number(
            &format!("delta_at_target_epsilon.{index}"),
            equal.delta(epsilon).expect("a δ"),
        );
    }
    for (index, &delta) in case.numbers("target_deltas").iter().enumerate() {
        checks.optional(
            &format!("min_epsilon_at_target_delta.{index}"),
            equal.epsilon(delta).expect("an ε"),
        );
        checks.optional(
            &format!("min_grid_epsilon_at_target_delta.{index}"),
            equal.grid_epsilon(delta).expect("an ε"),
        );
    }
}

fn check_zcdp(case: &Case, checks: &mut Checks) {
    let rho = case.input_number("rho");
    for (index, &delta) in case.numbers("deltas").iter().enumerate() {
        checks.number(
            &format!("epsilon_simple.{index}"),
            zcdp::simple(rho, delta).expect("an ε"),
        );
        let tight = zcdp::tight(rho, delta).expect("an ε");
        checks.number(&format!("epsilon_tight.{index}"), tight.epsilon);
        checks.number(&format!("optimal_alpha.{index}"), tight.order);
    }
    for (index, &epsilon) in case.numbers("epsilons").iter().enumerate() {
        let delta = libm::exp(zcdp::log_delta(rho, epsilon).expect("a δ"));
        checks.number(&format!("delta_tight_at_epsilon.{index}"), delta);
    }
    checks.number(
        "pure_dp_epsilon_giving_this_rho",
        zcdp::pure_epsilon_of(rho),
    );
}

fn values(curve: &dyn Curve, orders: &[f64]) -> Vec<f64> {
    orders
        .iter()
        .map(|&order| curve.rdp(order).expect("a divergence"))
        .collect()
}

fn check_curve(case: &Case, checks: &mut Checks) {
    let orders = case.numbers("alphas");
    match case.text("mechanism") {
        "laplace" => {
            let curve =
                rdp::Laplace::new(case.input_number("sensitivity") / case.input_number("scale"));
            checks.numbers("rdp", &values(&curve.expect("a curve"), &orders));
        }
        "gaussian" => {
            let ratio = case.input_number("sensitivity") / case.input_number("sigma");
            checks.numbers(
                "rdp",
                &values(
                    &rdp::Gaussian::new(0.5 * ratio * ratio).expect("a curve"),
                    &orders,
                ),
            );
        }
        "randomized_response" => {
            let curve =
                rdp::RandomisedResponse::with_truth(case.input_number("p_truth")).expect("a curve");
            checks.numbers("rdp", &values(&curve, &orders));
        }
        "bounded_range" => {
            let epsilon = case.input_number("epsilon");
            let curve = rdp::BoundedRange::new(epsilon).expect("a curve");
            checks.numbers("rdp_tight", &values(&curve, &orders));
            let worst: Vec<f64> = orders
                .iter()
                .map(|&order| curve.worst_loss(order).expect("a loss"))
                .collect();
            checks.numbers("optimal_t", &worst);
            let bound: Vec<f64> = orders
                .iter()
                .map(|&order| curve.concentrated_bound(order).expect("a bound"))
                .collect();
            checks.numbers("rdp_zcdp_bound", &bound);
            let pure = rdp::RandomisedResponse::new(epsilon).expect("a curve");
            checks.numbers("rdp_pure_dp_only", &values(&pure, &orders));
        }
        other => checks.that(false, || format!("a mechanism that is not known: {other}")),
    }
}

fn check_conversion(case: &Case, checks: &mut Checks) {
    let got = rdp::convert(
        &case.numbers("orders"),
        &case.numbers("rdp"),
        case.input_number("delta"),
    )
    .expect("an ε");
    checks.numbers("per_order_standard", &got.per_order_standard);
    checks.numbers("per_order_improved", &got.per_order_improved);
    check_converted(&got, checks);
}

fn check_converted(got: &rdp::Conversion, checks: &mut Checks) {
    checks.number("epsilon_standard", got.standard.epsilon);
    checks.number("epsilon_improved", got.improved.epsilon);
    checks.number("order_standard", got.standard.order);
    checks.number("order_improved", got.improved.order);
}

fn check_analytic(case: &Case, checks: &mut Checks) {
    let (epsilon, delta) = (case.input_number("epsilon"), case.input_number("delta"));
    let sensitivity = case.input_number("sensitivity");
    checks.number(
        "sigma",
        gaussian::sigma(epsilon, delta, sensitivity).expect("a σ"),
    );
    let classic = classic_gaussian::unchecked_sigma(epsilon, delta, sensitivity).expect("a σ");
    checks.number("classical_sigma", classic);
    let valid = case
        .expected_at("classical_valid")
        .and_then(serde_json::Value::as_bool);
    checks.that(valid == Some(classic_gaussian::holds(epsilon)), || {
        "the range of the classic formula differs".to_owned()
    });
    checks.that(
        classic_gaussian::sigma(epsilon, delta, sensitivity).is_ok()
            == classic_gaussian::holds(epsilon),
        || {
            "the classic formula is given where it does not hold, or refused where it does"
                .to_owned()
        },
    );
    checks.number(
        "delta_of_classical_sigma",
        gaussian::delta(epsilon, classic, sensitivity).expect("a δ"),
    );
}

fn check_gaussian_delta(case: &Case, checks: &mut Checks) {
    let (epsilon, sigma) = (case.input_number("epsilon"), case.input_number("sigma"));
    let sensitivity = case.input_number("sensitivity");
    checks.number(
        "delta",
        gaussian::delta(epsilon, sigma, sensitivity).expect("a δ"),
    );
    checks.number(
        "log_delta",
        gaussian::log_delta(epsilon, sensitivity / sigma).expect("a δ"),
    );
}

fn subsampled(case: &Case) -> rdp::SubsampledGaussian {
    rdp::SubsampledGaussian::new(
        case.input_number("sampling_probability"),
        case.input_number("noise_multiplier"),
    )
    .expect("a curve")
}

fn check_subsampled(case: &Case, checks: &mut Checks) {
    checks.numbers("rdp", &values(&subsampled(case), &case.numbers("alphas")));
}

fn check_training(case: &Case, checks: &mut Checks) {
    let orders = case.numbers("orders");
    let steps = case.input_number("steps");
    let curve: Vec<f64> = values(&subsampled(case), &orders)
        .into_iter()
        .map(|rdp| steps * rdp)
        .collect();
    check_converted(
        &rdp::convert(&orders, &curve, case.input_number("delta")).expect("an ε"),
        checks,
    );
}

fn check_filter(case: &Case, checks: &mut Checks) {
    let budget = case.input_number("budget");
    let spends: Vec<filter::Spend> = case
        .numbers("sequence")
        .into_iter()
        .map(filter::Spend::Pure)
        .collect();
    let new = || -> Box<dyn filter::Filter> {
        match case.text("rule") {
            "basic" => Box::new(filter::Pure::new(budget).expect("a filter")),
            "zcdp_from_pure" => Box::new(filter::Concentrated::new(budget).expect("a filter")),
            "advanced_fully_adaptive" => Box::new(
                filter::Approximate::new(budget, case.input_number("delta"), 0.0)
                    .expect("a filter"),
            ),
            other => panic!("{}: unknown rule {other:?}", case.id),
        }
    };
    let mut halting = new();
    let halted = filter::offer_all(&mut *halting, &spends, filter::Rule::Halt).expect("numbers");
    checks.integer("halt_mode_admitted", halted.indices.len() as i64);
    match halted.first_refused {
        Some(index) => checks.integer("halt_mode_first_refused_index", index as i64),
        None => checks.optional("halt_mode_first_refused_index", None),
    }
    checks.number("halt_mode_spent", halting.spent());
    let mut skipping = new();
    let skipped = filter::offer_all(&mut *skipping, &spends, filter::Rule::Skip).expect("numbers");
    let indices: Vec<f64> = skipped.indices.iter().map(|&index| index as f64).collect();
    checks.numbers("skip_mode_admitted_indices", &indices);
    checks.number("skip_mode_spent", skipping.spent());
}
