//! Integer noise: masses, tails, moments, quantiles, and the privacy curve.

use crate::case::{Case, Checks, Tolerance};
use crate::family::{Family, Kind, input_kind};
use epsweep_core::budget::{Budget, Epsilon, Rho};
use epsweep_core::noise::{self, Noise};
use epsweep_core::sensitivity::Sensitivity;
use epsweep_core::theory::{DiscreteGaussian, DiscreteLaplace, Symmetric};

pub const FAMILY: Family = Family {
    name: "discrete",
    kind: input_kind,
    covered: &[
        Kind {
            name: "discrete_laplace",
            check: check_laplace,
        },
        Kind {
            name: "discrete_gaussian",
            check: check_gaussian,
        },
    ],
    later: &[],
};

fn calibrated(name: &str, sensitivity: f64, budget: Budget) -> Result<Box<dyn Noise>, String> {
    let sensitivity = Sensitivity::scalar(sensitivity).map_err(|error| error.to_string())?;
    let kind = noise::kind(name).expect("a noise of the registry");
    (kind.calibrate(sensitivity, Some(budget))).map_err(|error| error.to_string())
}

/// P(X ≥ m) for any integer m.
fn tail(law: &dyn Symmetric, m: f64) -> f64 {
    if m > 0.0 {
        law.at_least(m)
    } else {
        1.0 - law.above(-m)
    }
}

/// What both laws have: masses, tails, E|X|, and quantiles of |X|, the last by the noise too.
fn check_law(
    case: &Case,
    checks: &mut Checks,
    law: &dyn Symmetric,
    noise: &dyn Noise,
    mass: impl Fn(f64) -> f64,
    log_mass: impl Fn(f64) -> f64,
) {
    let xs = case.numbers("xs");
    let each = |of: &dyn Fn(f64) -> f64, at: &[f64]| at.iter().map(|&x| of(x)).collect::<Vec<_>>();
    checks.numbers("pmf", &each(&mass, &xs));
    let within = Tolerance {
        abs: case.tolerance_key("log_pmf_abs").unwrap_or(0.0),
        rel: 1e-15,
    };
    for (index, &x) in xs.iter().enumerate() {
        checks.number_within(&format!("log_pmf.{index}"), log_mass(x), within);
    }
    let tails = case.numbers("tail_ms");
    checks.numbers("tail_ge", &each(&|m| tail(law, m), &tails));
    checks.number("mean_abs", law.mean_absolute().unwrap_or(f64::NAN));
    for (index, &p) in case.numbers("abs_quantile_ps").iter().enumerate() {
        let field = format!("abs_quantiles.{index}");
        let quantile = noise.abs_error_law().quantile(p).unwrap_or(f64::NAN);
        checks.integer(&field, quantile as i64);
        checks.number_within(&field, noise.half_width(p), Tolerance { abs: 0.0, rel: 0.0 });
    }
}

fn check_laplace(case: &Case, checks: &mut Checks) {
    let (sensitivity, epsilon) = (case.input_number("sensitivity"), case.input_number("epsilon"));
    let budget = Budget::Pure(Epsilon::new(epsilon).expect("an ε"));
    let noise = match calibrated("discrete-laplace", sensitivity, budget) {
        Ok(noise) => noise,
        Err(error) => return checks.that(false, || format!("refused: {error}")),
    };
    let law = DiscreteLaplace::new(epsilon / sensitivity).expect("a rate");
    check_law(case, checks, &law, &*noise, |x| law.mass(x), |x| law.log_mass(x));
    checks.number("variance", noise.variance());
    let two_sided: Vec<f64> = (case.numbers("tail_ms").iter())
        .map(|&m| if m > 0.0 { 2.0 * law.at_least(m) } else { 1.0 })
        .collect();
    checks.numbers("two_sided_tail_abs_ge", &two_sided);
    let scale = sensitivity / epsilon;
    checks.number("continuous_laplace_variance", 2.0 * scale * scale);
    checks.number_within(
        "continuous_laplace_variance",
        2.0 * noise.scale() * noise.scale(),
        Tolerance { abs: 0.0, rel: 1e-12 },
    );
}

fn check_gaussian(case: &Case, checks: &mut Checks) {
    let sigma = case.input_number("sigma");
    let rho = Rho::new(0.5 / sigma / sigma).expect("a ρ");
    let noise = match calibrated("discrete-gaussian", 1.0, Budget::Zcdp(rho)) {
        Ok(noise) => noise,
        Err(error) => return checks.that(false, || format!("refused: {error}")),
    };
    let law = DiscreteGaussian::new(sigma).expect("a σ");
    check_law(case, checks, &law, &*noise, |x| law.mass(x), |x| law.log_mass(x));
    checks.number("normalizer", law.normalizer());
    checks.number("variance", law.second_moment().unwrap_or(f64::NAN));
    let near = Tolerance {
        abs: 1e-11 * sigma * sigma,
        rel: 0.0,
    };
    let excess = law.second_moment().unwrap_or(f64::NAN) - sigma * sigma;
    checks.number_within("variance_minus_sigma2", excess, near);
    for (index, &epsilon) in case.numbers("epsilons").iter().enumerate() {
        let field = format!("delta_sensitivity1_at_epsilon.{index}");
        let within = Tolerance {
            abs: 1e-15,
            rel: 1e-8,
        };
        checks.number_within(&field, noise.delta(epsilon), within);
    }
}
