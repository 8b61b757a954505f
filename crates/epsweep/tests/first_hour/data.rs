//! Files to start from that are about a CSV file.

use super::*;

#[test]
fn a_file_about_data_waits_for_what_must_be_public() {
    let folder = folder();
    let mut text = String::from("id,pay,school\n");
    for row in 0..200 {
        text += &format!("{row},{},{}\n", 20_000 + 313 * (row % 97), row % 3);
    }
    std::fs::write(folder.path().join("people.csv"), text).unwrap();
    std::fs::create_dir(folder.path().join("questions")).unwrap();

    let waits = [
        "new",
        "questions/mine",
        "--data",
        "people.csv",
        "--column",
        "pay",
    ];
    at(folder.path(), &waits)
        .code(0)
        .stderr(predicate::str::contains("declare"))
        .stderr(predicate::str::contains("`school`"));
    let file = folder.path().join("questions/mine.toml");
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("csv = \"../people.csv\""), "{written}");
    assert!(
        written.contains("\npay = { bounds = [\"LOW\", \"HIGH\"] }"),
        "{written}"
    );
    // neither the least nor the largest value, nor any category, is proposed
    assert!(
        !written.contains("20000") && !written.contains("\"0\""),
        "{written}"
    );
    // every place that waits is shown at once
    at(folder.path(), &["check", "questions/mine.toml"])
        .code(2)
        .stderr(predicate::str::contains("LOW"))
        .stderr(predicate::str::contains("groups = []"));

    let whole = [&waits[..], &["--bounds", "0,100000", "--groups", "0,1,2"]].concat();
    at(folder.path(), &whole)
        .code(2)
        .stderr(predicate::str::contains("is there already"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
    std::fs::remove_file(&file).unwrap();
    at(folder.path(), &whole).code(0);
    at(folder.path(), &["check", "questions/mine.toml"]).code(0);
    at(
        folder.path(),
        &["run", "questions/mine.toml", "--trials", "100", "--quiet"],
    )
    .code(0);
}

#[test]
fn new_says_of_a_data_file_what_check_would_say() {
    let folder = folder();
    let place = folder.path();
    std::fs::write(place.join("x.csv"), "a,b\n1,u\n2\n3,\"v\n").unwrap();
    std::fs::write(
        place.join("x.toml"),
        "name = 'x'\n[data]\ncsv = 'x.csv'\nneighbours = 'substitute'\n[[query]]\nname = 'n'\ncount = {}\n[budget]\nepsilon = 1\n",
    )
    .unwrap();
    let said = |arguments: &[&str]| {
        let assert = at(place, arguments).code(2);
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    let new = said(&["new", "y", "--data", "x.csv"]);
    assert!(
        new.contains("x.csv:3:2") && new.contains("x.csv:4:3"),
        "{new}"
    );
    assert_eq!(new, said(&["check", "x.toml"]));
    assert!(!place.join("y.toml").exists());
    // what names the records is told and left out, and so is why a column is none of numbers
    let mut text = String::from("pid,pay,kind,size\n");
    for row in 0..30 {
        let pay = if row == 7 {
            "?".to_owned()
        } else {
            (100 * (row % 11)).to_string()
        };
        let size = if row == 9 {
            "large".to_owned()
        } else {
            (row % 5).to_string()
        };
        text += &format!("{},{pay},{},{size}\n", 500 + row, ["a", "b"][row % 2]);
    }
    std::fs::write(place.join("z.csv"), text).unwrap();
    at(place, &["new", "z", "--data", "z.csv", "--column", "pay"])
        .code(0)
        .stderr(predicate::str::contains(
            "pid (numbers, 30 different; names or weighs the records)",
        ))
        .stderr(predicate::str::contains(
            "`pay`: 1 of 30 values cannot be used: 1 ?, the first in line 9",
        ))
        .stderr(predicate::str::contains("`large` in line 11 is none"));
    let written = std::fs::read_to_string(place.join("z.toml")).unwrap();
    assert!(
        written.contains("\n# pid   names or weighs the records"),
        "{written}"
    );
    at(place, &["new", "w", "--data", "z.csv", "--column", "size"])
        .code(2)
        .stderr(predicate::str::contains(
            "`size` is no column of numbers: `large` in line 11",
        ));
}

/// A file with numbers alone, or with categories alone, is asked about those.
#[test]
fn a_file_of_one_kind_of_columns_is_asked_about_that() {
    let folder = folder();
    let place = folder.path();
    let mut numbers = String::from("pay,fnlwgt\n");
    let mut categories = String::from("job,town\n");
    let mut names = String::from("who\n");
    for row in 0..60 {
        numbers += &format!("{},{}\n", 313 * (row % 50), 1000 * row * row % 777);
        categories += &format!("{},{}\n", ["a", "b", "?"][row % 3], ["x", "y"][row % 2]);
        names += &format!("person {row}\n");
    }
    for (name, text) in [("n.csv", numbers), ("c.csv", categories), ("w.csv", names)] {
        std::fs::write(place.join(name), text).unwrap();
    }
    let new = ["new", "n", "--data", "n.csv", "--bounds", "0,20000"];
    at(place, &new).code(0).stderr(predicate::str::contains(
        "taken: numbers of `pay`, no categories",
    ));
    let written = std::fs::read_to_string(place.join("n.toml")).unwrap();
    assert!(
        written.contains("[[query]]\nname = \"sum\"\nsum = { column = \"pay\" }")
            && !written.contains("group-count")
            && !written.contains("{{"),
        "{written}"
    );
    let new = [
        "new",
        "c",
        "--data",
        "c.csv",
        "--category",
        "job",
        "--groups",
        "a,b,?",
    ];
    at(place, &new)
        .code(0)
        .stderr(predicate::str::contains("taken: no numbers"))
        .stderr(predicate::str::contains(
            "`job`: 20 of 60 values cannot be used: 20 ?",
        ));
    let written = std::fs::read_to_string(place.join("c.toml")).unwrap();
    assert!(
        written.contains("groups = [\"a\", \"b\", \"?\"]") && !written.contains("{{"),
        "{written}"
    );
    for file in ["n.toml", "c.toml"] {
        at(place, &["check", file]).code(0);
        at(place, &["run", file, "--trials", "100", "--quiet"]).code(0);
    }
    // whole numbers are categories by their first and last
    let new = [
        "new",
        "g",
        "--data",
        "g.csv",
        "--category",
        "level",
        "--groups",
        "1-16",
    ];
    let mut text = String::from("pay,level\n");
    for row in 0..90 {
        text += &format!("{}.5,{}\n", row * 7, 1 + row % 16);
    }
    std::fs::write(place.join("g.csv"), text).unwrap();
    at(place, &new).code(0).stderr(predicate::str::contains(
        "the 16 whole numbers from 1 to 16",
    ));
    let written = std::fs::read_to_string(place.join("g.toml")).unwrap();
    assert!(written.contains("\"15\", \"16\"]"), "{written}");
    for (arguments, said) in [
        (
            &["new", "w", "--data", "w.csv"][..],
            "no column of numbers or categories",
        ),
        (
            &["new", "m", "--data", "n.csv", "--groups", "a,b"],
            "--groups is about a column of categories",
        ),
        (
            &["new", "m", "--data", "c.csv", "--bounds", "0,1"],
            "--bounds is about a column of numbers",
        ),
    ] {
        at(place, arguments)
            .code(2)
            .stderr(predicate::str::contains(said));
    }
}
