//! Outputs of the sparse vector technique.

use crate::case::{Case, Checks, number_of};
use crate::family::{Family, Kind, input_kind};
use epsweep_core::selection::{Form, Movement};
use epsweep_core::stream::{Calibrated, Queries, Setting, Split, StreamLaw, gate, output};

pub const FAMILY: Family = Family {
    name: "svt",
    kind: input_kind,
    covered: &[
        Kind { name: "above_threshold", check: |case, checks| check(case, &["above-threshold"], None, checks) },
        // with the split of algorithm 7, of which it is a case
        Kind {
            name: "lyu_su_li_alg1",
            check: |case, checks| check(case, &["svt-alg1", "svt-alg7"], Some(Split::Optimal), checks),
        },
        Kind { name: "sparse_resample", check: |case, checks| check(case, &["sparse"], None, checks) },
    ],
    later: &[],
};

fn queries(case: &Case) -> Queries {
    let thresholds = match case.input("threshold").as_array() {
        Some(_) => case.numbers("threshold"),
        None => vec![case.input_number("threshold")],
    };
    Queries::new(case.numbers("queries"), &thresholds).expect("queries")
}

fn calibrated(case: &Case, name: &str, split: Option<Split>) -> Calibrated {
    let setting = Setting::new(
        case.input_number("epsilon"),
        case.input_number("sensitivity"),
        case.input_number("max_above") as usize,
    );
    let mut setting = setting.expect("a setting");
    if let Some(split) = split {
        setting = setting.split(split).expect("a split");
    }
    if case.input.get("monotonic").and_then(|given| given.as_bool()) == Some(true) {
        setting = setting.form(Form::Monotone, Movement::OneWay).expect("monotone answers");
    }
    gate::find(name).expect("a gate of the registry").calibrate(&setting).expect("a gate")
}

fn check(case: &Case, names: &[&str], split: Option<Split>, checks: &mut Checks) {
    let queries = queries(case);
    for name in names {
        let gate = calibrated(case, name, split);
        checks.number("threshold_noise_scale", gate.threshold_scale);
        checks.number("query_noise_scale", gate.query_scale);
        if split.is_some() {
            checks.number("eps1", gate.epsilons[0]);
            checks.number("eps2", gate.epsilons[1]);
        }
        let law = StreamLaw::new(&gate, &queries).expect("a law");
        checks.number("expected_number_above", law.expected_above());
        checks.number("expected_length", law.expected_answered());
        let all = output::outputs(&gate, queries.len());
        let listed = case.expected_at("output_probs").and_then(|probs| probs.as_object());
        let listed = listed.expect("output_probs are listed");
        checks.that(listed.len() == all.len(), || {
            format!("{} outputs, but {} are listed", all.len(), listed.len())
        });
        // the number above and the length once more, from the outputs
        let (mut above, mut length) = (0.0, 0.0);
        for output in &all {
            let name: String = output.iter().map(|above| if *above { '1' } else { '0' }).collect();
            let probability = output::probability(&gate, &queries, output).expect("an output");
            match listed.get(&name).and_then(number_of) {
                Some(_) => checks.number(&format!("output_probs.{name}"), probability),
                None => checks.that(probability < 1e-12, || format!("{name} is not listed")),
            }
            above += probability * output.iter().filter(|above| **above).count() as f64;
            length += probability * output.len() as f64;
        }
        checks.number("expected_number_above", above);
        checks.number("expected_length", length);
    }
}
