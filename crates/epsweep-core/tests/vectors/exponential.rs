//! Selection probabilities of the exponential mechanism and its kin.

use crate::case::{Case, Checks, Tolerance};
use crate::family::{Family, Kind, input_kind};
use epsweep_core::selection::top_k::{self, Slots};
use epsweep_core::selection::{Calibration, ChoiceLaw, Form, Movement, Problem, Scores, mechanism};

pub const FAMILY: Family = Family {
    name: "exponential",
    kind: input_kind,
    covered: &[
        Kind { name: "exponential_mechanism", check: check_exponential },
        Kind { name: "permute_and_flip", check: check_permute_and_flip },
        Kind { name: "report_noisy_max_laplace", check: check_laplace },
        Kind { name: "top_k_gumbel_oneshot", check: check_top_k },
    ],
    later: &[],
};

fn problem(case: &Case, epsilon: &str) -> Problem {
    let form = match case.input("monotonic").as_bool() {
        Some(true) => Form::Monotone,
        Some(false) => Form::General,
        None => panic!("{}: `monotonic` is no truth value", case.id),
    };
    let movement = if form == Form::Monotone { Movement::OneWay } else { Movement::AnyWay };
    let calibration = Calibration::new(
        case.input_number(epsilon),
        case.input_number("sensitivity"),
        movement,
        form,
    );
    let scores = Scores::new(case.numbers("scores")).expect("scores");
    Problem::new(scores, calibration.expect("a calibration")).expect("a problem")
}

fn law(name: &str, problem: &Problem) -> ChoiceLaw {
    mechanism(name).expect("a mechanism of the registry").law(problem).expect("a law")
}

fn check_law(law: &ChoiceLaw, problem: &Problem, checks: &mut Checks) {
    checks.numbers("probs", law.probabilities());
    checks.number("expected_utility_loss", law.expected_loss(problem.scores()));
}

fn check_exponential(case: &Case, checks: &mut Checks) {
    let problem = problem(case, "epsilon");
    // report-noisy-max with Gumbel noise has the same law
    for name in ["exponential", "gumbel-noisy-max"] {
        let law = law(name, &problem);
        check_law(&law, &problem, checks);
        let tolerance = Tolerance {
            abs: case.tolerance_key("log_probs_abs").unwrap_or(0.0),
            rel: case.tolerance_key("log_probs_rel").unwrap_or(0.0),
        };
        for (index, &log) in law.log_probabilities().iter().enumerate() {
            checks.number_within(&format!("log_probs.{index}"), log, tolerance);
        }
        let bounds = case.expected_at("tail_bounds").and_then(|bounds| bounds.as_object());
        for t in bounds.into_iter().flat_map(|bounds| bounds.keys()) {
            let tail = law.loss_tail(&problem, t.parse().expect("t is a number"));
            checks.number(&format!("tail_bounds.{t}.utility_gap_bound"), tail.loss);
            checks.number(&format!("tail_bounds.{t}.exact_prob_gap_at_least_bound"), tail.probability);
            checks.number(&format!("tail_bounds.{t}.bound"), tail.bound);
        }
    }
}

fn check_permute_and_flip(case: &Case, checks: &mut Checks) {
    let problem = problem(case, "epsilon");
    for name in ["permute-and-flip", "exponential-noisy-max"] {
        check_law(&law(name, &problem), &problem, checks);
    }
    let exponential = law("exponential", &problem).expected_loss(problem.scores());
    checks.number("exponential_mechanism_utility_loss", exponential);
}

fn check_laplace(case: &Case, checks: &mut Checks) {
    let problem = problem(case, "epsilon");
    let factor = case.input_number("noise_scale_over_sensitivity_times_epsilon");
    let calibration = problem.calibration();
    let scale = factor * calibration.sensitivity() / calibration.epsilon();
    checks.that((calibration.noise_scale() / scale - 1.0).abs() < 1e-15, || {
        format!("the noise has scale {}, not {scale}", calibration.noise_scale())
    });
    check_law(&law("laplace-noisy-max", &problem), &problem, checks);
}

fn check_top_k(case: &Case, checks: &mut Checks) {
    let problem = problem(case, "epsilon_total");
    let slots = Slots::even(case.input_number("k") as usize, &problem).expect("slots");
    for mechanism in top_k::REGISTRY {
        let law = mechanism.law(&problem, &slots).expect("a law");
        checks.numbers("inclusion_probs", &law.inclusion().expect("few candidates"));
        let mut orders = 0;
        law.for_each(|order, probability| {
            let name: Vec<String> = order.iter().map(usize::to_string).collect();
            checks.number(&format!("ordered_selection_probs.{}", name.join(",")), probability);
            checks.number(&format!("ordered_selection_probs.{}", name.join(",")), law.probability(order));
            orders += 1;
        })
        .expect("few candidates");
        let expected = case.expected_at("ordered_selection_probs").and_then(|probs| probs.as_object());
        checks.that(expected.is_some_and(|expected| expected.len() == orders), || {
            format!("{orders} orders, not as many as expected")
        });
    }
}
