//! Estimates and their Monte Carlo errors.

use crate::case::{Case, Checks, Tolerance};
use crate::family::{Family, Kind, input_kind};
use epsweep_core::statistics::{self, Bootstrap, Moments, PairedDifference};
use serde_json::Value;

pub const FAMILY: Family = Family {
    name: "mc_statistics",
    kind: input_kind,
    covered: &[
        Kind {
            name: "summary",
            check: check_summary,
        },
        Kind {
            name: "quantile_type7",
            check: check_quantiles,
        },
        Kind {
            name: "boxplot",
            check: check_box_plot,
        },
        Kind {
            name: "mean_ci",
            check: check_mean_interval,
        },
        Kind {
            name: "quantile_order_ci",
            check: check_order_interval,
        },
        Kind {
            name: "proportion_ci",
            check: check_proportion,
        },
        Kind {
            name: "rmse_mcse",
            check: check_rmse,
        },
        Kind {
            name: "paired_difference",
            check: check_paired,
        },
        Kind {
            name: "ks_exponential",
            check: check_ks,
        },
        Kind {
            name: "welford_merge",
            check: check_merge,
        },
        Kind {
            name: "bootstrap",
            check: check_bootstrap,
        },
    ],
    later: &[],
};

/// Tolerance of skewness and kurtosis, which have a key of their own.
fn shape(case: &Case) -> Tolerance {
    Tolerance {
        abs: case.tolerance_key("skew_kurt_abs").unwrap_or(0.0),
        rel: case.tolerance_key("rel").unwrap_or(0.0),
    }
}

fn check_shape(case: &Case, checks: &mut Checks, path: &str, got: f64) {
    if got.is_nan() {
        checks.optional(path, None);
    } else {
        checks.number_within(path, got, shape(case));
    }
}

fn check_summary(case: &Case, checks: &mut Checks) {
    let data = case.numbers("data");
    let m = Moments::from_values(&data);
    let n = m.n as f64;
    checks.integer("n", m.n as i64);
    checks.number("mean", m.mean);
    checks.number("min", data.iter().copied().fold(f64::INFINITY, f64::min));
    checks.number(
        "max",
        data.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    );
    checks.number(
        "median",
        statistics::quantile(&data, 0.5).expect("a median"),
    );
    let defined = |x: f64| (!x.is_nan()).then_some(x);
    checks.optional("variance", defined(m.variance()));
    checks.optional("sd", defined(m.sd()));
    checks.optional("mcse", defined(m.mcse_mean()));
    checks.number("sd_population", (m.m2 / n).sqrt());
    let (g1, g2) = (m.skewness(), m.excess_kurtosis());
    check_shape(case, checks, "skewness_g1", g1);
    check_shape(case, checks, "excess_kurtosis_g2", g2);
    // the bias-corrected forms, undefined for fewer than three and four values
    let corrected = |least: u64, x: f64| if m.n < least { f64::NAN } else { x };
    let third = corrected(3, g1 * (n * (n - 1.0)).sqrt() / (n - 2.0));
    let fourth = corrected(
        4,
        (n - 1.0) * ((n + 1.0) * g2 + 6.0) / ((n - 2.0) * (n - 3.0)),
    );
    check_shape(case, checks, "skewness_G1", third);
    check_shape(case, checks, "excess_kurtosis_G2", fourth);
}

fn check_quantiles(case: &Case, checks: &mut Checks) {
    let data = case.numbers("data");
    let got: Vec<f64> = case
        .numbers("ps")
        .iter()
        .map(|p| statistics::quantile(&data, *p).expect("a quantile"))
        .collect();
    checks.numbers("quantiles", &got);
}

fn check_box_plot(case: &Case, checks: &mut Checks) {
    let data = case.numbers("data");
    let b = statistics::box_plot(&data).expect("a box plot");
    checks.number("q1", b.q1);
    checks.number("median", b.median);
    checks.number("q3", b.q3);
    checks.number("iqr", b.q3 - b.q1);
    checks.number("lower_fence", b.lower_fence);
    checks.number("upper_fence", b.upper_fence);
    checks.number("lower_whisker", b.lower_whisker);
    checks.number("upper_whisker", b.upper_whisker);
    checks.numbers("outliers", &b.outliers);
    let five = statistics::five_numbers(&data).expect("five numbers");
    checks.numbers("tukey_five_number", &five);
}

/// The levels of a case, with the keys under which the expected values stand. A key may hold a dot, which a path cannot, so the
/// values are compared with those of a case cut down to one level.
fn for_each_level(
    case: &Case,
    checks: &mut Checks,
    check: impl Fn(f64, &Value) -> Vec<(String, f64, f64)>,
) {
    let intervals = case.expected["intervals"]
        .as_object()
        .expect("intervals by level");
    let levels = case.numbers("levels");
    checks.that(levels.len() == intervals.len(), || {
        "levels and intervals differ in number".into()
    });
    for (key, expected) in intervals {
        let level: f64 = key.parse().expect("a level");
        for (name, got, wanted) in check(level, expected) {
            let tolerance = case.tolerance_at(&name);
            checks.that(tolerance.allows(got, wanted), || {
                format!("{name} at level {key} is {got:e}, expected {wanted:e}")
            });
        }
    }
}

/// Both ends of an interval beside the expected ones.
fn ends(expected: &Value, name: &str, got: statistics::Interval) -> Vec<(String, f64, f64)> {
    let pair = expected[name].as_array().expect("two ends");
    let number = |v: &Value| crate::case::number_of(v).expect("a number");
    vec![
        (name.into(), got.low, number(&pair[0])),
        (name.into(), got.high, number(&pair[1])),
    ]
}

fn number(expected: &Value, name: &str) -> f64 {
    crate::case::number_of(&expected[name]).expect("a number")
}

fn check_mean_interval(case: &Case, checks: &mut Checks) {
    let m = Moments::from_values(&case.numbers("data"));
    checks.number("mean", m.mean);
    checks.number("mcse", m.mcse_mean());
    for_each_level(case, checks, |level, expected| {
        let t = statistics::t_quantile(0.5 + level / 2.0, (m.n - 1) as f64).expect("t");
        let z = statistics::normal_quantile(0.5 + level / 2.0).expect("z");
        let by_t = statistics::mean_interval(m.n, m.mean, m.mcse_mean(), level).expect("interval");
        let by_z = statistics::normal_interval(m.mean, m.mcse_mean(), level).expect("interval");
        let mut all = vec![
            ("t_quantile".into(), t, number(expected, "t_quantile")),
            ("z_quantile".into(), z, number(expected, "z_quantile")),
        ];
        all.extend(ends(expected, "t_interval", by_t));
        all.extend(ends(expected, "normal_interval", by_z));
        all
    });
}

fn check_order_interval(case: &Case, checks: &mut Checks) {
    let (p, level) = (case.input_number("p"), case.input_number("level"));
    let ranks = statistics::order_ranks(case.input_number("n") as u64, p, level).expect("ranks");
    checks.integer("lower_rank", ranks.lower as i64);
    checks.integer("upper_rank", ranks.upper as i64);
    checks.number("coverage", ranks.coverage);
    checks.that(
        Some(ranks.coverage >= level) == case.expected["coverage_ge_level"].as_bool(),
        || format!("coverage {} at level {level}", ranks.coverage),
    );
    if !case.input("data").is_null() {
        let mut data = case.numbers("data");
        data.sort_by(f64::total_cmp);
        let i = statistics::quantile_interval(&data, p, level).expect("an interval");
        checks.number("lower", i.low);
        checks.number("upper", i.high);
        checks.number(
            "point_type7",
            statistics::quantile(&data, p).expect("a quantile"),
        );
    }
}

fn check_proportion(case: &Case, checks: &mut Checks) {
    let (k, n) = (
        case.input_number("successes") as u64,
        case.input_number("trials") as u64,
    );
    let level = case.input_number("level");
    checks.number("p_hat", k as f64 / n as f64);
    checks.number(
        "standard_error",
        statistics::proportion_mcse(k, n).expect("an error"),
    );
    let exact = statistics::clopper_pearson(k, n, level).expect("an interval");
    checks.numbers("clopper_pearson", &[exact.low, exact.high]);
    let score = statistics::wilson(k, n, level).expect("an interval");
    checks.numbers("wilson", &[score.low, score.high]);
}

fn check_rmse(case: &Case, checks: &mut Checks) {
    let errors = case.numbers("errors");
    let got = statistics::rmse(&errors).expect("an RMSE");
    checks.number("rmse", got.rmse);
    checks.number("mcse_delta", got.mcse_delta);
    checks.number("mcse_jackknife", got.mcse_jackknife);
    checks.number("jackknife_bias_corrected_rmse", got.bias_corrected);
    let squares: Vec<f64> = errors.iter().map(|e| e * e).collect();
    let mse = Moments::from_values(&squares);
    checks.number("mse", mse.mean);
    checks.number("mcse_mse", mse.mcse_mean());
    let sizes: Vec<f64> = errors.iter().map(|e| e.abs()).collect();
    let mae = Moments::from_values(&sizes);
    checks.number("mae", mae.mean);
    checks.number("mcse_mae", mae.mcse_mean());
}

fn check_paired(case: &Case, checks: &mut Checks) {
    let (a, b) = (case.numbers("a"), case.numbers("b"));
    let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    let d = Moments::from_values(&differences);
    let got = PairedDifference::new(&d).expect("a difference");
    checks.number("mean_difference", got.difference);
    checks.number("sd_difference", d.sd());
    checks.number("se", got.mcse);
    checks.number("t_statistic", got.t);
    checks.number("p_value_two_sided", got.p);
    let n = differences.len() as f64;
    let less = differences.iter().filter(|d| **d < 0.0).count();
    checks.number("p_a_less_than_b", less as f64 / n);
    checks.integer(
        "ties",
        differences.iter().filter(|d| **d == 0.0).count() as i64,
    );
    let (ma, mb) = (Moments::from_values(&a), Moments::from_values(&b));
    let unpaired = (ma.variance() / n + mb.variance() / n).sqrt();
    checks.number("unpaired_se", unpaired);
    for_each_level(case, checks, |level, expected| {
        let by_t = got.interval(level).expect("an interval");
        let by_z =
            statistics::normal_interval(got.difference, got.mcse, level).expect("an interval");
        let mut all = ends(expected, "t_interval", by_t);
        all.extend(ends(expected, "normal_interval", by_z));
        all
    });
}

fn check_ks(case: &Case, checks: &mut Checks) {
    let scale = case.input_number("scale");
    let ks = statistics::ks_statistic(&case.numbers("data"), |x| -libm::expm1(-x / scale))
        .expect("a statistic");
    let d = ks.distance();
    checks.number("statistic", d);
    checks.number("d_plus", ks.plus);
    checks.number("d_minus", ks.minus);
    checks.number("p_value_exact", statistics::exact_p(ks.n, d));
    checks.number("p_value_asymptotic", statistics::asymptotic_p(ks.n, d));
}

fn check_merge(case: &Case, checks: &mut Checks) {
    let chunks = case.input("chunks").as_array().expect("a list of chunks");
    let mut all = Moments::default();
    for (index, chunk) in chunks.iter().enumerate() {
        let values: Vec<f64> = (chunk.as_array().expect("a chunk").iter())
            .map(|v| crate::case::number_of(v).expect("a number"))
            .collect();
        let own = Moments::from_values(&values);
        let at = |field: &str| format!("per_chunk.{index}.{field}");
        checks.integer(&at("n"), own.n as i64);
        for (field, got, power) in [
            ("mean", own.mean, 1),
            ("m2", own.m2, 2),
            ("m3", own.m3, 3),
            ("m4", own.m4, 4),
        ] {
            // the accuracy promised for a chunk: n·κ·u, κ the size of its values
            let size = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let spread = values
                .iter()
                .fold(0.0_f64, |m, x| m.max((x - own.mean).abs()));
            let slack = 8.0 * f64::EPSILON * values.len() as f64;
            let abs = slack * size * spread.powi(power - 1) + slack * spread.powi(power);
            checks.number_within(&at(field), got, Tolerance { abs, rel: 1e-12 });
        }
        all = all.merge(&own);
    }
    checks.integer("n", all.n as i64);
    checks.number("mean", all.mean);
    checks.number("m2", all.m2);
    checks.number("m3", all.m3);
    checks.number("m4", all.m4);
    checks.number("variance", all.variance());
    check_shape(case, checks, "skewness_g1", all.skewness());
    check_shape(case, checks, "excess_kurtosis_g2", all.excess_kurtosis());
}

fn check_bootstrap(case: &Case, checks: &mut Checks) {
    let data = case.numbers("data");
    let statistic: fn(&[f64]) -> f64 = match case.text("statistic") {
        "mean" => |x| x.iter().sum::<f64>() / x.len() as f64,
        "median" => |x| statistics::quantile(x, 0.5).expect("a median"),
        "sd" => |x| Moments::from_values(x).sd(),
        other => {
            checks.that(false, || format!("a statistic that is not known: {other}"));
            return;
        }
    };
    let pick = |rows: &[usize]| statistic(&rows.iter().map(|i| data[*i]).collect::<Vec<f64>>());
    let rows: Vec<Vec<usize>> = match case.input("resample_indices") {
        Value::String(word) if word == "exhaustive" => exhaustive(data.len()),
        list => list
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| {
                let row = row.as_array().expect("a row");
                row.iter()
                    .map(|i| i.as_u64().expect("an index") as usize)
                    .collect()
            })
            .collect(),
    };
    let replicates: Vec<f64> = rows.iter().map(|row| pick(row)).collect();
    let jackknife: Vec<f64> = (0..data.len())
        .map(|left| pick(&(0..data.len()).filter(|i| *i != left).collect::<Vec<_>>()))
        .collect();
    let estimate = statistic(&data);
    let b = Bootstrap::new(estimate, &replicates, &jackknife).expect("a bootstrap");
    checks.number("estimate", estimate);
    checks.number("bootstrap_se", b.se());
    checks.number("z0", b.bias_correction());
    checks.number("acceleration", b.acceleration());
    for_each_level(case, checks, |level, expected| {
        let mut all = ends(
            expected,
            "percentile",
            b.percentile(level).expect("an interval"),
        );
        all.extend(ends(expected, "bca", b.bca(level).expect("an interval")));
        let (low, high) = b.bca_levels(level).expect("levels");
        all.extend(ends(
            expected,
            "bca_levels",
            statistics::Interval { low, high },
        ));
        all
    });
}

/// All nⁿ rows of n indices.
fn exhaustive(n: usize) -> Vec<Vec<usize>> {
    (0..n.pow(n as u32))
        .map(|mut code| {
            (0..n)
                .map(|_| {
                    let index = code % n;
                    code /= n;
                    index
                })
                .collect()
        })
        .collect()
}
