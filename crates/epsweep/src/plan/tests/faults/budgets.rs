//! Faults of budgets, of shares of them, and of the scales that they lead to.

use super::*;

/// A sensitivity at the edge of the range, with a budget that carries the scale beyond it.
#[test]
fn scales_beyond_the_range_are_refused() {
    fault("[0, 120]", "[0, 1e150]", "0.1, 1]", "gets noise of scale");
    let text = changed("[0, 120]", "[0, 1e150]").replace("[0.1, 1]", "[1e-300]");
    let errors = plan(&text).unwrap_err().to_string();
    assert!(errors.contains("scale"), "{errors}");
}

/// What no query can carry is one fault, where it is declared, however many queries there are.
#[test]
fn bounds_beyond_the_range_are_one_fault_at_the_bounds() {
    for bounds in ["[0, 1e308]", "[0, 1.1e150]", "[-1.7e308, 1.7e308]"] {
        let mut text = changed("[0, 120]", bounds);
        for i in 0..10 {
            let query =
                format!("[[query]]\nname = \"s{i}\"\nsum = {{ column = \"age\" }}\n[budget]\n");
            text = text.replacen("[budget]\n", &query, 1);
        }
        let errors = plan(&text).unwrap_err();
        let [error] = errors.list() else {
            panic!("{errors}");
        };
        let place = error.position.as_ref().unwrap();
        assert!(
            place.text[place.column - 1..].starts_with(bounds),
            "{errors}"
        );
        assert!(
            errors.to_string().contains("magnitudes up to 1e150"),
            "{errors}"
        );
    }
}

#[test]
fn a_delta_of_zero_is_marked_itself() {
    fault(
        "epsilon = 1\n[procedure.release]\nnoise = \"laplace\"",
        "epsilon = 1\ndelta = 0\n[procedure.release]\nnoise = \"gaussian\"",
        "0\n[procedure",
        "without δ",
    );
}

#[test]
fn budgets_that_the_noise_cannot_spend_are_refused() {
    let sweepless = "[sweep]\nallocation = [\"even\", \"optimal-mse\"]";
    let from = "epsilon = 1\n[procedure.release]\nnoise = \"laplace\"\n[sweep]\nepsilon = [0.1, 1]\nallocation = [\"even\", \"optimal-mse\"]";
    for (budget, at, message) in [
        (
            "rho = 0.5\ncomposition = \"basic\"",
            "\"basic\"",
            "compose by zcdp",
        ),
        (
            "epsilon = 1\ncomposition = \"zcdp\"",
            "\"zcdp\"",
            "give `delta`",
        ),
        (
            "rho = 0.5\ncomposition = \"pld\"",
            "\"pld\"",
            "ρ adds up by itself",
        ),
        (
            "epsilon = 1\ndelta = 1e-6\ncomposition = \"optimal\"",
            "\"optimal\"",
            "unequal shares: the exact total of unequal releases is #P-hard",
        ),
        (
            "epsilon = 1\n[procedure.release]\nnoise = \"gaussian\"",
            "1\n[procedure",
            "no σ makes it purely private",
        ),
        (
            "epsilon = 1\ndelta = 1e-6\n[procedure.release]\nnoise = \"gaussian\"",
            "\"optimal-mse\"",
            "`optimal-mse` has no formula for Gaussian noise under basic composition",
        ),
        // integers are for counts
        (
            "epsilon = 1\n[procedure.release]\nnoise = \"discrete-laplace\"",
            "{ column = \"age\" }",
            "query `mean age`: discrete-laplace noise is of whole numbers, and ",
        ),
        (
            "epsilon = 1\n[procedure.release]\nnoise = \"smooth-student-t\"",
            "\"optimal-mse\"",
            "has no formula for smooth-student-t noise",
        ),
        (
            "epsilon = 1\n[procedure.release]\nnoise = \"smooth-laplace\"",
            "\"smooth-laplace\"",
            "spends parts of ε and of δ",
        ),
        // its law is not known to the accountant
        (
            "epsilon = 1\ndelta = 1e-6\ncomposition = \"pld\"\n[procedure.release]\nnoise = \"staircase\"",
            "\"pld\"",
            "does not account for staircase noise",
        ),
        (
            "epsilon = 1\ndelta = 0\ncomposition = \"zcdp\"",
            "\"zcdp\"",
            "it trades δ for ε",
        ),
        ("epsilon = 1\ndelta = 1", "1\n[sweep]", "probability"),
        (
            "epsilon = 1\nrho = 1",
            "rho",
            "has both `epsilon` and `rho`",
        ),
        ("composition = \"basic\"", "[budget]", "lacks a total"),
    ] {
        fault(from, &format!("{budget}\n{sweepless}"), at, message);
    }
}

#[test]
fn shares_must_fit_the_queries() {
    let with = |shares: &str| format!("[\"even\", {{ name = \"mine\", shares = {shares} }}]");
    let from = "[\"even\", \"optimal-mse\"]";
    fault(from, &with("[0.5, 0.6]"), "[0.5, 0.6]", "sum to 1.1");
    fault(from, &with("[1.5, -0.5]"), "[1.5", "-0.5");
    fault(from, &with("[nan, 1]"), "[nan", "NaN");
    fault(from, &with("[1]"), "{ name", "1 shares for 2 queries");
    fault(from, &with("[0, 1]"), "{ name", "gets no budget");
    fault(
        from,
        &with("{ \"mean age\" = 0.5, \"over 6\" = 0.5 }"),
        "\"over 6\"",
        "did you mean `over 60`",
    );
    fault(
        from,
        &with("{ \"mean age\" = 1 }"),
        "{ name",
        "leave out the query `over 60`",
    );
    fault(
        from,
        "[{ name = \"even\", shares = [1] }]",
        "\"even\", shares",
        "a name of its own",
    );
    fault(
        from,
        "[{ name = \"mine\" }]",
        "{ name = \"mine\"",
        "lacks the key `shares`",
    );
    let plan = valid(&changed(
        from,
        &with("{ \"over 60\" = 0.75, \"mean age\" = 0.25 }"),
    ));
    let cell = &plan.resolved().cells[1];
    assert_eq!(
        (cell.id.as_str(), cell.allocation.as_str()),
        ("epsilon=0.1 allocation=mine", "mine")
    );
    assert_eq!(
        cell.queries.iter().map(|q| q.share).collect::<Vec<_>>(),
        [0.25, 0.75]
    );
}

#[test]
fn a_query_without_weight_cannot_be_released_by_its_weight() {
    fault(
        "weight = 2",
        "weight = 0",
        "\"optimal-mse\"]",
        "gets no budget",
    );
}
