//! Axes of every kind, and the names of cells.

use super::*;

fn ids(plan: &Plan) -> Vec<&str> {
    plan.resolved()
        .cells
        .iter()
        .map(|cell| cell.id.as_str())
        .collect()
}

#[test]
fn ids_do_not_depend_on_what_else_is_swept() {
    let base = valid(BASE);
    assert_eq!(
        ids(&base),
        [
            "epsilon=0.1 allocation=even",
            "epsilon=0.1 allocation=optimal-mse",
            "epsilon=1 allocation=even",
            "epsilon=1 allocation=optimal-mse"
        ]
    );
    for (from, to) in [
        ("[0.1, 1]", "[0.05, 0.1, 0.5, 1, 7]"),
        ("[0.1, 1]", "[1.0, 0.10]"),
        ("[\"even\", \"opt", "[\"minimax\", \"even\", \"opt"),
    ] {
        let other = valid(&changed(from, to));
        for cell in &base.resolved().cells {
            let same = other.resolved().cells.iter().find(|c| c.id == cell.id);
            assert_eq!(same, Some(cell), "{to}");
        }
    }
}

#[test]
fn no_axis_is_one_cell() {
    let text = BASE[..BASE.find("[sweep]").unwrap()].to_owned();
    let plan = valid(&text);
    assert_eq!(ids(&plan), ["-"]);
    assert!(plan.pairs().is_empty() && plan.resolved().axes.is_empty());
}

#[test]
fn any_value_can_be_swept() {
    for (axis, label, same) in [
        (
            "query.'over 60'.weight = [3]",
            "\"query.'over 60'.weight\"=3",
            false,
        ),
        (
            "weight = { path = \"query.'over 60'.weight\", values = [2, 3] }",
            "weight=2",
            true,
        ),
        (
            "bounds = { path = 'data.columns.age.bounds', values = [[0, 120], [0, 90]] }",
            "bounds=\"[0, 120]\"",
            true,
        ),
        (
            "data.normal.sd = { linear = [15, 20], points = 3 }",
            "data.normal.sd=15",
            true,
        ),
        (
            "neighbours = [\"substitute\"]",
            "neighbours=substitute",
            true,
        ),
        ("noise = [\"laplace\"]", "noise=laplace", true),
        ("composition = [\"basic\"]", "composition=basic", true),
        (
            "query.'over 60'.count.where = ['age > 60', 'age > 50']",
            "\"query.'over 60'.count.where\"=\"age > 60\"",
            true,
        ),
    ] {
        let plan = valid(&changed("epsilon = [0.1, 1]", axis));
        let cell = &plan.resolved().cells[0];
        assert_eq!(cell.id, format!("{label} allocation=even"), "{axis}");
        let base = valid(BASE).resolved().cells[2].queries.clone();
        assert_eq!(cell.queries == base, same, "{axis}");
    }
    // two data sets, and both are recorded
    let plan = valid(&changed(
        "epsilon = [0.1, 1]",
        "data.normal.rows = [50, 500]",
    ));
    assert_eq!(plan.resolved().data.len(), 2);
    assert_eq!(plan.resolved().cells[2].data, 1);
    assert_eq!(plan.cells()[2].queries[0].noise.scale(), 0.48);
    let plan = valid(&changed(
        "epsilon = [0.1, 1]",
        "missing = ['refuse', 'drop']",
    ));
    assert_eq!(plan.cells().len(), 4);
}

#[test]
fn faults_of_axis_values_are_at_the_value_and_once() {
    let text = changed("[0.1, 1]", "[0.1, -1, 1]")
        .replace("\"optimal-mse\"", "\"minimax\", \"proportional\"");
    let errors = plan(&text).unwrap_err();
    assert_eq!(errors.list().len(), 1, "{errors}");
    let at = errors.list()[0].position.as_ref().unwrap();
    assert_eq!((at.line, at.column, at.length), (20, 17, 2));
    let errors = plan(&changed(
        "epsilon = [0.1, 1]",
        "query.'over 6'.weight = [1]",
    ))
    .unwrap_err();
    assert!(
        errors.to_string().contains("did you mean `over 60`"),
        "{errors}"
    );
    let errors = plan(&changed("epsilon = [0.1, 1]", "budget.epsilom = [1, 2]")).unwrap_err();
    assert_eq!(errors.list().len(), 1, "{errors}");
    assert!(errors.to_string().contains("base.toml:20:8"), "{errors}");
}

#[test]
fn a_sweep_may_give_what_the_file_leaves_out() {
    let text = changed("[budget]\nepsilon = 1\n", "[budget]\n");
    assert_eq!(ids(&valid(&text)), ids(&valid(BASE)));
    // and a faulty axis does not look like a missing value
    let errors = plan(&text.replace("[0.1, 1]", "[]")).unwrap_err();
    assert_eq!(errors.list().len(), 1, "{errors}");
}

#[test]
fn ten_thousand_cells_are_resolved_quickly() {
    let plan = valid(&changed("[0.1, 1]", "{ log = [0.01, 10], points = 5000 }"));
    assert_eq!(plan.cells().len(), 10_000);
    assert_eq!(plan.pairs().len(), 5_000);
    assert_eq!(plan.resolved().data.len(), 1);
    assert_eq!(plan.resolved().cells[9_999].total, 10.0);
}

#[test]
fn pairs_follow_the_baseline() {
    let all = valid(
        &changed(
            "baseline = { allocation = \"even\" }",
            "baseline = { allocation = \"even\" }\npairs = \"all\"",
        )
        .replace("\"optimal-mse\"", "\"minimax\", \"proportional\""),
    );
    assert_eq!(
        all.pairs(),
        [(1, 0), (2, 0), (4, 3), (5, 3), (2, 1), (5, 4)]
    );
    let every = valid(&changed(
        "baseline = { allocation = \"even\" }",
        "pairs = \"all\"",
    ));
    assert_eq!(
        every.pairs(),
        [(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)]
    );
    let two = valid(&changed(
        "{ allocation = \"even\" }",
        "{ allocation = \"even\", epsilon = 1 }",
    ));
    assert_eq!(two.pairs(), [(0, 2), (1, 2), (3, 2)]);
    let text = changed("baseline = { allocation = \"even\" }", "pairs = \"all\"")
        .replace("[0.1, 1]", "{ log = [0.01, 10], points = 5000 }");
    let errors = plan(&text).unwrap_err().to_string();
    assert!(errors.contains("49995000 pairs"), "{errors}");
}
