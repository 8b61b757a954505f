//! Claims: every kind and every form of a band.

use super::*;
use crate::claim::{Band, Claim, ClaimKind, Fact, Of, Part, Verdict};

fn with(claim: &str) -> String {
    format!("{BASE}[[claim]]\nid = \"C\"\ntext = \"t\"\nverdict = \"holds\"\n{claim}\n")
}

fn claim(text: &str) -> Claim {
    valid(&with(text)).claims()[0].clone()
}

const CELL: &str = "cell = { epsilon = 1, allocation = \"even\" }";

#[test]
fn bands_have_four_forms() {
    let band =
        |form: &str| match claim(&format!("value = {{ of = \"rmse.mean\", {CELL}, {form} }}")).kind
        {
            ClaimKind::Value(_, band) => band,
            other => panic!("{other:?}"),
        };
    let of = |low, high, claimed| Band { low, high, claimed };
    assert_eq!(
        band("claimed = -10, tolerance = { relative = 0.5 }"),
        of(-15.0, -5.0, -10.0)
    );
    assert_eq!(
        band("claimed = 10, tolerance = { absolute = 2 }"),
        of(8.0, 12.0, 10.0)
    );
    assert_eq!(band("at_most = 3"), of(f64::NEG_INFINITY, 3.0, 3.0));
    assert_eq!(band("at_least = 3"), of(3.0, f64::INFINITY, 3.0));
    assert_eq!(band("between = [1, 2]"), of(1.0, 2.0, 1.5));
}

#[test]
fn every_kind_is_read() {
    let ClaimKind::Value(quantity, _) = claim(&format!(
        "value = {{ of = \"abs_error.q95\", subject = \"over 60\", {CELL}, at_most = 1 }}"
    ))
    .kind
    else {
        panic!()
    };
    assert_eq!(quantity.subject, "over 60");
    assert_eq!(quantity.cell["epsilon"], "1");
    assert_eq!(
        quantity.of,
        Of::Statistic {
            measure: "abs_error".into(),
            statistic: "q95".into(),
            part: Part::Value
        }
    );
    let ClaimKind::Exact(quantity, band) = claim(&format!(
        "exact = {{ of = \"scale\", subject = \"over 60\", {CELL}, claimed = 2 }}"
    ))
    .kind
    else {
        panic!()
    };
    assert_eq!(quantity.of, Of::Fact(Fact::Scale));
    assert!(band.low < 2.0 && band.high > 2.0 && band.high < 2.0001);
    let ClaimKind::Ratio(above, below, _) = claim(&format!("ratio = {{ of = \"rmse.sd\", {CELL}, over = {{ of = \"rmse.mean.mcse\", {CELL} }}, at_least = 1 }}")).kind else {
        panic!()
    };
    assert_eq!(above.subject, "all");
    assert!(matches!(
        below.of,
        Of::Statistic {
            part: Part::Mcse,
            ..
        }
    ));
    let kind = claim("order = { lower = { of = \"rmse.mean\", cell = { epsilon = 1, allocation = \"even\" } }, higher = { of = \"rmse.mean\", cell = { epsilon = 0.1, allocation = \"even\" } } }").kind;
    assert!(matches!(kind, ClaimKind::Order(..)));
    let kind = claim("best_on_axis = { of = \"weighted_mse.mean\", axis = \"allocation\", claimed = \"optimal-mse\", cell = { epsilon = 0.1 } }").kind;
    assert!(
        matches!(&kind, ClaimKind::BestOnAxis { axis, claimed, highest: false, of } if axis == "allocation" && claimed == "optimal-mse" && of.cell.len() == 1),
        "{kind:?}"
    );
    let kind = claim(&format!("equal_across = {{ of = \"scale\", axis = \"subject\", {CELL}, tolerance = {{ relative = 0.5 }} }}")).kind;
    assert!(
        matches!(&kind, ClaimKind::EqualAcross { axis, tolerance: 0.5, .. } if axis == "subject"),
        "{kind:?}"
    );
    let kind = claim("equal_across = { of = \"sensitivity\", subject = \"over 60\", axis = \"epsilon\", cell = { allocation = \"even\" } }").kind;
    assert!(
        matches!(&kind, ClaimKind::EqualAcross { axis, .. } if axis == "epsilon"),
        "{kind:?}"
    );
    let kind = claim(&format!("probability = {{ of = \"covered.mean\", subject = \"over 60\", {CELL}, between = [0.9, 1] }}")).kind;
    assert!(matches!(kind, ClaimKind::Probability(..)), "{kind:?}");
    let sum = claim(&format!(
        "exact = {{ of = \"sensitivity\", query = {{ sum = {{ column = \"age\" }} }}, {CELL}, claimed = 120 }}"
    ));
    assert!(
        matches!(&sum.kind, ClaimKind::Exact(q, _) if q.of == Of::Sensitivity(120.0)),
        "{sum:?}"
    );
    assert_eq!(sum.expected, Verdict::Holds);
}

#[test]
fn a_claim_about_a_pair_has_it_compared() {
    let win = "probability = { of = \"win\", measure = \"rmse\", a = { epsilon = 1, allocation = \"even\" }, b = { epsilon = 0.1, allocation = \"even\" }, at_least = 0.5 }";
    let plan = valid(&with(win));
    assert_eq!(plan.pairs(), [(1, 0), (3, 2), (2, 0)]);
    // in either order once
    let plan = valid(&with(&win.replace(
        "epsilon = 0.1, allocation = \"even\"",
        "epsilon = 1, allocation = \"optimal-mse\"",
    )));
    assert_eq!(plan.pairs(), [(1, 0), (3, 2)]);
}

#[test]
fn axes_of_one_value_can_be_left_out() {
    let text =
        with("value = { of = \"rmse.mean\", cell = { allocation = \"even\" }, at_most = 1 }");
    assert!(
        plan(&text)
            .unwrap_err()
            .to_string()
            .contains("which value of the axis `epsilon`?")
    );
    let plan = valid(&text.replace("[0.1, 1]", "[1]"));
    let ClaimKind::Value(quantity, _) = &plan.claims()[0].kind else {
        panic!()
    };
    assert_eq!(quantity.cell["epsilon"], "1");
}

#[test]
fn faults_of_claims_are_named() {
    for (claim, message) in [
        ("valeu = {}", "did you mean `value`"),
        (
            "value = { of = \"rmse.mean\", CELL }",
            "lacks a number that is claimed",
        ),
        (
            "value = { of = \"rmse.mean\", CELL, claimed = 1 }",
            "how near",
        ),
        (
            "value = { of = \"rmse.mean\", CELL, at_most = nan }",
            "not a finite number",
        ),
        (
            "value = { of = \"rmse.mean\", CELL, at_most = 1, tolerance = { relative = 1 } }",
            "with `claimed` only",
        ),
        (
            "value = { of = \"rmse.mean\", CELL, between = [2, 1] }",
            "reversed",
        ),
        (
            "value = { of = \"rmse.mean\", CELL, claimed = 1, tolerance = { relative = -1 } }",
            "negative",
        ),
        (
            "value = { of = \"rmse.mena\", CELL, at_most = 1 }",
            "did you mean `mean`",
        ),
        (
            "value = { of = \"rmes.mean\", CELL, at_most = 1 }",
            "did you mean `rmse`",
        ),
        (
            "value = { of = \"rmse\", CELL, at_most = 1 }",
            "MEASURE.STATISTIC",
        ),
        (
            "value = { of = \"sclae\", CELL, at_most = 1 }",
            "did you mean `scale`",
        ),
        (
            "value = { of = \"abs_error.mean\", CELL, at_most = 1 }",
            "of which query?",
        ),
        (
            "value = { of = \"scale\", CELL, at_most = 1 }",
            "the `scale` of which query?",
        ),
        (
            "value = { of = \"abs_error.mean\", subject = \"over 6\", CELL, at_most = 1 }",
            "did you mean `over 60`",
        ),
        (
            "value = { of = \"rmse.mean\", subject = \"over 60\", CELL, at_most = 1 }",
            "of all queries together",
        ),
        (
            "value = { of = \"rmse.mean\", at_most = 1 }",
            "which value of the axis `epsilon`?",
        ),
        (
            "value = { of = \"rmse.mean\", cell = { epsilon = 2, allocation = \"even\" }, at_most = 1 }",
            "no value `2`",
        ),
        (
            "value = { of = \"rmse.mean\", query = { sum = { column = \"age\" } }, CELL, at_most = 1 }",
            "goes with of = \"sensitivity\"",
        ),
        (
            "exact = { of = \"sensitivity\", query = { sum = { column = \"aeg\" } }, CELL, claimed = 1 }",
            "did you mean `age`",
        ),
        (
            "best_on_axis = { of = \"rmse.mean\", axis = \"alocation\", claimed = \"even\" }",
            "did you mean `allocation`",
        ),
        (
            "best_on_axis = { of = \"rmse.mean\", axis = \"allocation\", claimed = \"evn\", cell = { epsilon = 1 } }",
            "did you mean `even`",
        ),
        (
            "best_on_axis = { of = \"rmse.mean\", axis = \"allocation\", claimed = \"even\", CELL }",
            "the one compared along",
        ),
        (
            "equal_across = { of = \"scale\", axis = \"subject\", subject = \"over 60\", CELL }",
            "leave `subject` out",
        ),
        (
            "equal_across = { of = \"rmse.mean\", axis = \"subject\", CELL }",
            "of all queries together",
        ),
        (
            "probability = { of = \"win\", measure = \"rmse\", a = { epsilon = 1, allocation = \"even\" }, b = { epsilon = 1, allocation = \"even\" }, at_least = 0.5 }",
            "the same cell",
        ),
        (
            "probability = { of = \"win\", measure = \"answer\", subject = \"over 60\", a = { epsilon = 1, allocation = \"even\" }, b = { epsilon = 0.1, allocation = \"even\" }, at_least = 0.5 }",
            "not compared by `answer`",
        ),
        (
            "probability = { of = \"win\", a = { epsilon = 1 }, at_least = 0.5 }",
            "lacks the key `b`",
        ),
        (
            "value = { of = \"rmse.mean\", CELL, at_most = 1 }\norder = {}",
            "has both `",
        ),
        (
            "value = { of = \"rmse.mean\", CELL, at_most = 1 }\n[[claim]]\nid = \"C\"",
            "there twice",
        ),
    ] {
        let text = with(&claim.replace("CELL", CELL));
        let errors = match plan(&text) {
            Ok(_) => panic!("accepted: {claim}"),
            Err(errors) => errors,
        };
        assert!(errors.to_string().contains(message), "{claim}: {errors}");
    }
}
