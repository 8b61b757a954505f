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

/// No cell has them, but the file says them.
#[test]
fn what_a_sweep_overrides_is_checked_by_itself() {
    let text = changed(
        "noise = \"laplace\"",
        "noise = \"laplac\"\nallocation = \"evn\"",
    )
    .replace("epsilon = 1\n", "epsilon = \"one\"\n")
    .replace(
        "[sweep]\n",
        "[sweep]\nnoise = [\"laplace\", \"staircase\"]\n",
    );
    let errors = plan(&text).unwrap_err();
    let all = errors.to_string();
    for part in [
        "\"one\" is a text",
        "unknown noise `laplac`",
        "did you mean `laplace`",
        "unknown allocation `evn`",
        "did you mean `even`",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    assert_eq!(errors.list().len(), 3, "{all}");
    for (from, to, said) in [
        (
            "epsilon = [0.1, 1]",
            "epsilon = [0.1, 1]\n\"data.neighbours\" = [\"substitute\"]",
            "neighbours = \"both\"",
        ),
        (
            "epsilon = [0.1, 1]",
            "epsilon = [0.1, 1]\nquery.'over 60'.weight = [1, 3]",
            "weight = \"two\"",
        ),
        (
            "epsilon = [0.1, 1]",
            "epsilon = [0.1, 1]\nbounds = { path = \"data.columns.age.bounds\", values = [[0, 120], [0, 90]] }",
            "bounds = [\"LOW\", \"HIGH\"]",
        ),
    ] {
        let key = said.split(" =").next().unwrap();
        let line = BASE
            .lines()
            .find(|line| line.contains(&format!("{key} = ")))
            .unwrap();
        let at = line.find(&format!("{key} = ")).unwrap();
        let end = line.find(" }").unwrap_or(line.len());
        let wrong = changed(from, to).replacen(&line[at..end], said, 1);
        let errors = plan(&wrong).unwrap_err();
        let place = errors.list()[0].position.as_ref().unwrap();
        assert!(place.text.contains(said), "{said}: {errors}");
    }
}

/// What goes with none of the swept values is no fault, since nothing has it; nor is what the values need from elsewhere.
#[test]
fn what_a_sweep_overrides_need_not_go_with_the_rest() {
    for (from, to) in [
        // classic Gaussian noise has no ε of 1 and no budget without δ
        ("noise = \"laplace\"", "noise = \"gaussian-classic\""),
        ("[budget]\nepsilon = 1\n", "[budget]\nepsilon = 0\n"),
    ] {
        let text = changed(from, to).replace("[sweep]\n", "[sweep]\nnoise = [\"laplace\"]\n");
        valid(&text);
    }
    valid(&BASE.replace(
        "[budget]\nepsilon = 1\n",
        "[budget]\ncomposition = \"basic\"\n",
    ));
}

#[test]
fn every_table_on_an_axis_may_have_a_name() {
    let ranges = |extra: &str| {
        format!(
            "{{ {extra}column = \"age\", low = 0, high = 120, bins = 4, strategy = \"hierarchical\" }}"
        )
    };
    let text = BASE
        .replace(
            "count = { where = \"age > 60\" }",
            &format!("range-queries = {}", ranges("")),
        )
        .replace(
            "[sweep]\n",
            &format!(
                "[sweep]\nranges = {{ path = \"query.'over 60'.range-queries\", values = [{}, {}] }}\n\
                 total = {{ path = \"budget\", values = [{{ name = \"little\", epsilon = 0.1 }}, {{ name = \"much\", epsilon = 1 }}] }}\n\
                 columns = {{ path = \"data.columns\", values = [{{ name = \"wide\", age = {{ bounds = [0, 120] }} }}] }}\n",
                ranges("name = \"binary\", "),
                ranges("name = \"4-ary\", branching = 4, ")
            ),
        )
        .replace("epsilon = [0.1, 1]\n", "")
        .replace("[\"even\", \"optimal-mse\"]", "[\"even\", { name = \"mine\", shares = { \"mean age\" = 0.3, \"over 60\" = 0.7 } }]");
    let plan = valid(&text);
    assert_eq!(
        ids(&plan)[..3],
        [
            "ranges=binary total=little columns=wide allocation=even",
            "ranges=binary total=little columns=wide allocation=mine",
            "ranges=binary total=much columns=wide allocation=even",
        ]
    );
    // a table that is on no axis has no label
    let errors =
        super::plan(&BASE.replace("{ column = \"age\" }", "{ name = \"m\", column = \"age\" }"));
    assert!(
        errors
            .unwrap_err()
            .to_string()
            .contains("unknown key `name`")
    );
}
