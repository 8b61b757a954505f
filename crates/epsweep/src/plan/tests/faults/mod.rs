//! Every fault that a file can have, each with its place, and all of them at once.

mod budgets;
mod figures;
mod slips;

use super::*;

/// Replaces a piece of the base and expects a message at the place of a marker in the new text.
fn fault(from: &str, to: &str, at: &str, message: &str) {
    let text = changed(from, to);
    let errors = match plan(&text) {
        Ok(_) => panic!("accepted: {to}"),
        Err(errors) => errors,
    };
    let wanted = text
        .find(at)
        .unwrap_or_else(|| panic!("{at} is not in {to}"));
    let line = 1 + text[..wanted].matches('\n').count();
    let column = 1 + text[..wanted].rsplit('\n').next().unwrap().chars().count();
    let found = errors.list().iter().any(|d| {
        let whole = d.to_string();
        let place = d.position.as_ref().map(|p| (p.line, p.column));
        whole.contains(message) && place == Some((line, column))
    });
    assert!(found, "wanted `{message}` at {line}:{column}\n{errors}");
}

#[test]
fn misspelt_keys_and_names_are_refused_with_the_nearest_one() {
    fault(
        "epsilon = 1\n",
        "epsilom = 1\n",
        "epsilom = 1",
        "did you mean `epsilon`",
    );
    fault(
        "trials = 1000",
        "trails = 1000",
        "trails",
        "did you mean `trials`",
    );
    fault(
        "noise = \"laplace\"",
        "noise = \"Laplace \"",
        "\"Laplace \"",
        "did you mean `laplace`",
    );
    fault(
        "noise = \"laplace\"",
        "noise = \"LAPLACE\"",
        "\"LAPLACE\"",
        "did you mean `laplace`",
    );
    fault(
        "noise = \"laplace\"",
        "nois = \"laplace\"",
        "nois =",
        "did you mean `noise`",
    );
    fault(
        "\"even\", \"opt",
        "\"evn\", \"opt",
        "\"evn\"",
        "did you mean `even`",
    );
    fault(
        "mean = { column",
        "mean = { colum",
        "colum =",
        "did you mean `column`",
    );
    fault(
        "mean = { column",
        "maen = { column",
        "maen",
        "did you mean `mean`",
    );
    fault(
        "weight = 2",
        "wieght = 2",
        "wieght",
        "did you mean `weight`",
    );
    fault(
        "[procedure.release]",
        "[procedure.relaese]",
        "relaese",
        "did you mean `release`",
    );
    fault(
        "[compare]",
        "[compere]",
        "compere",
        "did you mean `compare`",
    );
    fault(
        "column = \"age\" }\n[[query]]",
        "column = \"aeg\" }\n[[query]]",
        "\"aeg\"",
        "did you mean `age`",
    );
    fault("age > 60", "agee > 60", "\"agee", "did you mean `age`");
    fault(
        "age = { bounds",
        "aeg = { bounds",
        "aeg",
        "did you mean `age`",
    );
    fault(
        "neighbours = \"substitute\"",
        "neighbours = \"subsitute\"",
        "\"subsitute\"",
        "did you mean `substitute`",
    );
    fault(
        "normal = {",
        "nromal = {",
        "nromal",
        "did you mean `normal`",
    );
    fault(
        "{ allocation = \"even\" }",
        "{ allocation = \"evne\" }",
        "\"evne\"",
        "did you mean `even`",
    );
    fault(
        "{ allocation = \"even\" }",
        "{ alocation = \"even\" }",
        "alocation",
        "did you mean `allocation`",
    );
    fault(
        "epsilon = [0.1",
        "epsilom = [0.1",
        "epsilom",
        "did you mean `epsilon`",
    );
    fault(
        "trials = 1000",
        "measures = [\"rmes\"]",
        "\"rmes\"",
        "did you mean `rmse`",
    );
    fault(
        "trials = 1000",
        "streams = \"comon\"",
        "\"comon\"",
        "did you mean `common`",
    );
}

#[test]
fn values_outside_their_range_are_refused() {
    for epsilon in ["0", "-1", "nan", "inf", "-inf", "0.0", "-0.0"] {
        let axis = format!("epsilon = [7, {epsilon}, 1]");
        fault(
            "epsilon = [0.1, 1]",
            &axis,
            &format!("{epsilon}, 1]"),
            "must be finite and above 0",
        );
    }
    fault("[0.1, 1]", "[\"0.1\", 1]", "\"0.1\"", "wanted: a number");
    fault(
        "[0.1, 1]",
        "[1e-300]",
        "1e-300",
        "scales from 1e-30 to 1e30",
    );
    fault("[0.1, 1]", "[1e300]", "1e300", "scales from 1e-30 to 1e30");
    fault(
        "[0.1, 1]",
        "[1e-324]",
        "1e-324",
        "must be finite and above 0",
    );
    for trials in ["0", "-1", "59.94", "nan", "inf", "\"5\"", "true", "1e30"] {
        fault(
            "trials = 1000",
            &format!("trials = {trials}"),
            trials,
            "a whole number from 1 to",
        );
    }
    for level in ["0", "1", "-0.5", "nan", "2"] {
        fault(
            "trials = 1000",
            &format!("level = {level}"),
            level,
            "0 < level < 1",
        );
    }
    fault("trials = 1000", "seed = -1", "-1", "a whole number from 0");
    fault(
        "trials = 1000",
        "seed = 18446744073709551616",
        "18446744073709551616",
        "a whole number from 0",
    );
    fault("trials = 1000", "title = 5", "5", "wanted: a text");
    fault("\"base\"", "\"a/b\"", "\"a/b\"", "cannot name a directory");
    fault("weight = 2", "weight = -2", "-2", "negative");
    fault("weight = 2", "weight = nan", "nan", "not a finite number");
    fault("[0, 120]", "[120, 0]", "[120, 0]", "reversed");
    fault("[0, 120]", "[0, inf]", "[0, inf]", "must be finite");
    fault("[0, 120]", "[nan, 120]", "[nan, 120]", "must be finite");
    fault(
        "[0, 120]",
        "[0, 60, 120]",
        "[0, 60, 120]",
        "bounds = [low, high]",
    );
    fault(
        "bounds = [0, 120]",
        "text = true",
        "age = { text",
        "holds numbers",
    );
    fault("sd = 15", "sd = -1", "-1", "sd ≥ 0");
    fault("rows = 50", "rows = 0", "0, seed", "a whole number from 1");
    fault(
        "epsilon = 1\n",
        "epsilon = 1\ncomposition = \"advanced\"\n",
        "\"advanced\"",
        "allowed: basic",
    );
}

#[test]
fn missing_and_repeated_things_are_named() {
    let all = "[[query]]\nname = \"mean age\"\nmean = { column = \"age\" }\n[[query]]\nname = \"over 60\"\ncount = { where = \"age > 60\" }\nweight = 2\n";
    fault(all, "", "name", "lacks the section `query`");
    let text = changed(all, "");
    let errors = plan(&format!("query = []\n{text}"))
        .unwrap_err()
        .to_string();
    assert!(errors.contains("the list of queries is empty"), "{errors}");
    fault(
        "name = \"over 60\"",
        "name = \"mean age\"",
        "\"mean age\"\ncount",
        "is there twice",
    );
    fault("name = \"over 60\"", "name = \"\"", "\"\"", "blank");
    fault(
        "name = \"over 60\"",
        "name = \"all\"",
        "\"all\"",
        "means something else",
    );
    fault(
        "name = \"over 60\"\n",
        "",
        "[[query]]\ncount",
        "lacks the key `name`",
    );
    fault(
        "mean = { column = \"age\" }\n",
        "",
        "[[query]]\nname = \"mean age\"",
        "lacks a kind",
    );
    fault(
        "mean = { column = \"age\" }\n",
        "mean = {}\n",
        "{}",
        "lacks the key `column`",
    );
    fault(
        "mean = { column",
        "max = { column = \"age\" }\nmean = { column",
        "mean = {",
        "has both `",
    );
    fault(
        "neighbours = \"substitute\"\n",
        "",
        "[data]",
        "lacks the key `neighbours`",
    );
    fault(
        "normal = { column = \"age\", mean = 40, sd = 15, rows = 50, seed = 1 }\n",
        "",
        "[data]",
        "lacks a source",
    );
    fault("name = \"base\"\n", "", "trials", "lacks the key `name`");
    let text = changed("[budget]\nepsilon = 1\n", "").replace("epsilon = [0.1, 1]\n", "");
    let errors = plan(&text).unwrap_err().to_string();
    assert!(errors.contains("lacks the section `budget`"), "{errors}");
    fault(
        "baseline = { allocation = \"even\" }",
        "",
        "[compare]",
        "nothing to compare with",
    );
    fault(
        "baseline = { allocation = \"even\" }",
        "baseline = {}",
        "{}",
        "names no axis",
    );
    fault(
        "age = { bounds = [0, 120] }",
        "age = {}",
        "{ column = \"age\" }",
        "no declared bounds",
    );
}

#[test]
fn predicates_are_marked_where_they_are_wrong() {
    fault(
        "age > 60",
        "age > > 60",
        "> 60",
        "needs a column or a literal",
    );
    fault("age > 60", "age = 'x'", "{ where", "numbers");
}

#[test]
fn syntax_errors_have_their_place() {
    fault("epsilon = 1\n", "epsilon = \n", "\n[procedure", "not TOML");
    fault(
        "trials = 1000",
        "trials = 1000\ntrials = 1",
        "trials = 1\n",
        "the key `trials` is there twice",
    );
}

#[test]
fn all_faults_of_a_file_come_at_once_in_its_order() {
    let text = BASE
        .replace("trials = 1000", "trails = 0")
        .replace("substitute", "substitut")
        .replace("[0, 120]", "[120, 0]")
        .replace("age > 60", "age >> 60")
        .replace("weight = 2", "weight = -2")
        .replace("\"laplace\"", "\"laplac\"")
        .replace("[0.1, 1]", "[0, nan]")
        .replace("\"optimal-mse\"", "\"optimal-msee\"")
        .replace("{ allocation = \"even\" }", "{ allocation = \"evne\" }");
    let errors = plan(&text).unwrap_err();
    let lines: Vec<usize> = (errors.list().iter())
        .map(|d| d.position.as_ref().unwrap().line)
        .collect();
    assert_eq!(lines, [2, 5, 7, 13, 14, 18, 20, 20, 21, 23], "{errors}");
    assert!(errors.to_string().ends_with("10 errors; nothing was run"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let load = |path: &std::path::Path| {
        Plan::load(path, &Overrides::default())
            .unwrap_err()
            .to_string()
    };
    let missing = load(&directory.path().join("none.toml"));
    assert!(
        missing.contains("none.toml") && missing.contains("cannot read"),
        "{missing}"
    );
    assert!(load(directory.path()).contains("is a directory"));
    let path = directory.path().join("latin1.toml");
    std::fs::write(&path, b"name = \"x\"\ntitle = \"caf\xe9\"\n").unwrap();
    let latin = load(&path);
    assert!(
        latin.contains("latin1.toml:2:13") && latin.contains("byte 23 (0xE9) is not UTF-8"),
        "{latin}"
    );
    std::fs::write(&path, b"").unwrap();
    assert!(load(&path).contains("lacks the key `name`"));
}

/// A value of an axis that is no number is one fault: that no cell is called so follows from it.
#[test]
fn a_faulty_axis_has_no_followers() {
    let claim = "[[claim]]\nid = \"A\"\ntext = \"t\"\nverdict = \"holds\"\nvalue = { of = \"rmse.mean\", cell = { epsilon = 1, allocation = \"even\" }, at_most = 1 }\n";
    for axis in ["[nan]", "[0.1, inf]"] {
        let text = changed("epsilon = [0.1, 1]", &format!("epsilon = {axis}")) + claim;
        let errors = plan(&text).unwrap_err();
        assert_eq!(errors.list().len(), 1, "{errors}");
        assert!(
            errors.to_string().contains("must be finite and above 0"),
            "{errors}"
        );
    }
    let good = plan(&(changed("epsilon = [0.1, 1]", "epsilon = [0.1]") + claim)).unwrap_err();
    assert!(good.to_string().contains("no value `1`"), "{good}");
}

#[test]
fn numbers_beyond_two_to_the_53_want_all_their_digits() {
    fault(
        "name = \"base\"\n",
        "name = \"base\"\nseed = 1e17\n",
        "1e17",
        "write all of its digits",
    );
    fault("trials = 1000", "trials = 1e17", "1e17", "out of range");
    assert_eq!(
        valid(&changed(
            "name = \"base\"\n",
            "name = \"base\"\nseed = 100000000000000003\n"
        ))
        .settings()
        .seed,
        100_000_000_000_000_003
    );
}
