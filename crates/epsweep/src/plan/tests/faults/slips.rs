//! Slips that many make, each of which is one error with what to write.

use super::*;

/// The base with one piece replaced: one error, with all these parts.
fn one(from: &str, to: &str, parts: &[&str]) {
    let errors = match plan(&changed(from, to)) {
        Ok(_) => panic!("accepted: {to}"),
        Err(errors) => errors,
    };
    let all = errors.to_string();
    for part in parts {
        assert!(all.contains(part), "{to}: {part}: {all}");
    }
    assert_eq!(errors.list().len(), 1, "{to}: {all}");
}

#[test]
fn a_misspelt_key_that_must_be_there_is_one_error() {
    for (from, to, meant) in [
        ("neighbours", "neighbors", "neighbours"),
        ("[budget]\nepsilon", "[budget]\nepsilom", "epsilon"),
        ("name = \"base\"", "nam = \"base\"", "name"),
        ("mean = {", "maen = {", "mean"),
        ("mean = { column", "mean = { colunm", "column"),
        ("normal = {", "nromal = {", "normal"),
        ("sd = 15", "ds = 15", "sd"),
    ] {
        // a swept ε is there even so
        let base = changed(from, to).replace("epsilon = [0.1, 1]\n", "");
        let errors = plan(&base).unwrap_err();
        let all = errors.to_string();
        assert!(
            all.contains(&format!("did you mean `{meant}`")),
            "{to}: {all}"
        );
        assert_eq!(errors.list().len(), 1, "{to}: {all}");
    }
    // what is missing besides is said besides
    let both = changed("mean = 40, sd = 15", "maen = 40");
    let all = plan(&both).unwrap_err().to_string();
    assert!(
        all.contains("did you mean `mean`") && all.contains("lacks the key `sd`"),
        "{all}"
    );
}

#[test]
fn a_missing_choice_lists_what_there_is() {
    one(
        "neighbours = \"substitute\"\n",
        "",
        &[
            "lacks the key `neighbours`",
            "allowed: add-remove, substitute",
        ],
    );
    one(
        "[compare]",
        "[[figure]]\nsize = \"slide\"\n[compare]",
        &["lacks the key `kind`", "allowed: ", "error-epsilon"],
    );
}

#[test]
fn sections_without_the_one_that_they_belong_to_are_told_it() {
    for (header, remedy) in [
        ("[release]", "did you mean `[procedure.release]`?"),
        (
            "[clip-then-sum]",
            "did you mean `[procedure.clip-then-sum]`?",
        ),
        ("[columns]", "did you mean `[data.columns]`?"),
        ("[gate]", "did you mean `[procedure.stream.gate]`?"),
    ] {
        one(
            "[compare]",
            &format!("{header}\nx = 1\n[compare]"),
            &[remedy],
        );
    }
    for kind in crate::study::Kind::ALL {
        let name = kind.name();
        one(
            "[compare]",
            &format!("[{name}]\nx = 1\n[compare]"),
            &[&format!("did you mean `[procedure.{name}]`?")],
        );
    }
    for (line, remedy) in [
        (
            "noise = \"laplace\"\n",
            "`noise` belongs into [procedure.release]",
        ),
        ("joint = true\n", "`joint` belongs into [budget]"),
        ("weight = 2\n", "`weight` belongs into [[query]]"),
    ] {
        one(
            "trials = 1000\n",
            &format!("trials = 1000\n{line}"),
            &[remedy],
        );
    }
}

#[test]
fn lists_of_tables_and_tables_are_told_apart() {
    let single = BASE.replace(
        "[[query]]\nname = \"over 60\"\ncount = { where = \"age > 60\" }\nweight = 2\n",
        "",
    );
    let errors = plan(&single.replace("[[query]]", "[query]")).unwrap_err();
    let all = errors.to_string();
    assert!(
        all.contains("`[query]` is a single table") && all.contains("write `[[query]]`"),
        "{all}"
    );
    assert_eq!(errors.list().len(), 1, "{all}");
    let errors = plan(&BASE.replace("[[query]]", "[query]")).unwrap_err();
    let all = errors.to_string();
    assert!(
        all.contains("`[query]` is there twice") && all.contains("begins with `[[query]]`"),
        "{all}"
    );
    assert_eq!(errors.list().len(), 1, "{all}");
    one(
        "[compare]",
        "[[compare]]",
        &[
            "`[[compare]]` is a list of tables",
            "write `[compare]`, once",
        ],
    );
    // of a section that is there twice, only its header
    one(
        "[sweep]",
        "[budget]\nepsilon = 2\ndelta = 1e-6\n[sweep]",
        &["the section `budget` is there twice"],
    );
}

#[test]
fn what_is_no_toml_is_said_in_the_words_of_the_file() {
    for (from, to, parts) in [
        ("\"base\"", "“base”", &["curly", "write \" or '"][..]),
        ("\"base\"", "„a b“", &["curly"]),
        ("noise = \"laplace\"", "noise = ‘laplace’", &["curly"]),
        (
            "normal = { column = \"age\", mean = 40, sd = 15, rows = 50, seed = 1 }",
            "csv = \"C:\\Users\\new\\x.csv\"",
            &["backslash", "with `/`, or in single quotes"],
        ),
        (
            "[budget]\nepsilon = 1",
            "[budget]\nepsilon = 10%",
            &["`10%` is no number", "write 0.1"],
        ),
        (
            "noise = \"laplace\"",
            "noise = laplace",
            &["neither a number nor a text", "\"laplace\""],
        ),
        (
            "[budget]\nepsilon = 1",
            "[budget]\nepsilon =",
            &["no value behind `epsilon =`"],
        ),
    ] {
        one(from, to, parts);
    }
    // and of the command line
    let set = Overrides::default().set("epsilon", "10%");
    let all = Plan::from_text("base.toml", BASE, &experiments(), &set)
        .unwrap_err()
        .to_string();
    assert!(all.contains("write 0.1"), "{all}");
}
