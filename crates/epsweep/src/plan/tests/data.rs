//! Files of records, in every form in which they come.

use super::*;
use std::path::Path;

const TEXT: &str = r#"name = "csv"
[data]
csv = "d.csv"
neighbours = "substitute"
[data.columns]
value = { bounds = [-100, 100] }
group = { text = true }
[[query]]
name = "n"
count = {}
[[query]]
name = "sum"
sum = { column = "value" }
[budget]
epsilon = 1
"#;

fn load(text: &str, csv: &[u8]) -> Result<Plan, Diagnostics> {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("d.csv"), csv).unwrap();
    Plan::from_text("e.toml", text, directory.path(), &Overrides::default())
}

/// Number of rows and sum of the values.
fn answers(text: &str, csv: &[u8]) -> (f64, f64) {
    let plan = load(text, csv).unwrap_or_else(|errors| panic!("{errors}"));
    let queries = &plan.cells()[0].queries;
    (queries[0].truth, queries[1].truth)
}

fn errors(csv: &[u8]) -> String {
    load(TEXT, csv).unwrap_err().to_string()
}

#[test]
fn every_usual_form_of_csv_is_read() {
    for csv in [
        "value,group\n1,a\n2,b\n3,a\n",
        "value,group\r\n1,a\r\n2,b\r\n3,a\r\n",
        "\u{feff}value,group\r\n1,a\r\n2,b\r\n3,a",
        "\u{feff}\"value\",\"group\"\n1,a\n2,b\n3,a\n",
        "group,value\n\"a, b\",1\n\"line one\nline two\",2\n\"he said \"\"hi\"\"\",3\n",
        "value , group\n +1 , a\n 2, b\n3.0,a\n",
        "value,group\n1,a\n\n2,b\n3,a\n\n\n",
        "value,group,other\n1,a,x\n2,b,NA\n3,a,\n",
    ] {
        assert_eq!(answers(TEXT, csv.as_bytes()), (3.0, 6.0), "{csv:?}");
    }
    let one = TEXT.replace("group = { text = true }\n", "");
    assert_eq!(answers(&one, b"value\n42\n"), (1.0, 42.0));
}

#[test]
fn text_columns_serve_predicates() {
    let text = TEXT.replace("count = {}", "count = { where = \"group = 'a, b'\" }");
    assert_eq!(
        answers(&text, b"value,group\n1,\"a, b\"\n2,b\n3,\"a, b\"\n"),
        (2.0, 6.0)
    );
}

const MISSING: &[u8] =
    b"value,group\n1,a\n,b\nNA,a\nNaN,b\nnull,a\n?,b\ninf,a\n-inf,b\n1e400,a\n5,b\n";

#[test]
fn values_that_cannot_be_used_are_refused_and_counted() {
    let errors = errors(MISSING);
    for part in [
        "d.csv:3:1",
        "column `value`: 8 of 10 values cannot be used, the first in line 3",
        "1 blank, 1 NA, 1 NaN, 1 null, 1 ?, 3 infinite",
        "missing = \"drop\"",
    ] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
}

#[test]
fn or_their_rows_are_dropped_and_counted() {
    let text = TEXT.replace("[data.columns]", "missing = \"drop\"\n[data.columns]");
    assert_eq!(answers(&text, MISSING), (2.0, 6.0));
    let plan = load(&text, MISSING).unwrap();
    assert_eq!(plan.resolved().data[0].rows, 2);
    assert!(
        plan.warnings()[0].contains("8 of 10 values cannot be used (1 blank"),
        "{:?}",
        plan.warnings()
    );
    // a record that is replaced by one that cannot be used changes how many are left: that is hidden where records come and go alone
    let counted = "8 of 10 records are left out, and under neighbours = \"substitute\" the number of the others counts as public";
    assert!(
        plan.warnings().join("\n").contains(counted),
        "{:?}",
        plan.warnings()
    );
    let plan = load(&text.replace("substitute", "add-remove"), MISSING).unwrap();
    assert!(
        !plan.warnings().join("\n").contains("are left out, and"),
        "{:?}",
        plan.warnings()
    );
    let whole = load(&text, b"value,group\n1,a\n2,b\n").unwrap();
    assert!(!whole.warnings().join("\n").contains("are left out, and"));
    let none = load(&text, b"value,group\nNA,a\n").unwrap_err().to_string();
    assert!(none.contains("no row is left"), "{none}");
    // a text that is no number is a mistake, not a missing value
    let wrong = load(&text, b"value,group\n1,a\n12abc,b\n")
        .unwrap_err()
        .to_string();
    assert!(
        wrong.contains("d.csv:3:1") && wrong.contains("`12abc` is not a number"),
        "{wrong}"
    );
}

const TEXTS: &[u8] = b"value,group\n10,a\n20,?\n30,\n40,b\n50,None\n";

/// The base, counting the groups named.
fn by_group(groups: &str, missing: &str) -> String {
    TEXT.replace(
        "count = {}",
        &format!("group-count = {{ column = \"group\", groups = [{groups}] }}"),
    )
    .replace(
        "[data.columns]",
        &format!("missing = \"{missing}\"\n[data.columns]"),
    )
}

#[test]
fn missing_texts_are_missing_like_missing_numbers() {
    let errors = load(&by_group("\"a\", \"b\"", "refuse"), TEXTS).unwrap_err();
    let all = errors.to_string();
    for part in [
        "d.csv:3:4",
        "column `group`: 3 of 5 values cannot be used, the first in line 3",
        "1 ?, 1 blank, 1 none",
        "missing = \"drop\"",
        "is named as one",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    assert_eq!(errors.list().len(), 1, "{all}");
    let plan = load(&by_group("\"a\", \"b\"", "drop"), TEXTS).unwrap();
    assert_eq!(plan.resolved().data[0].rows, 2);
    let warnings = plan.warnings().join("\n");
    assert!(
        warnings.contains(
            "3 of 5 values cannot be used (1 ?, 1 blank, 1 none); their rows were left out"
        ) && !warnings.contains("none of its cells"),
        "{warnings}"
    );
    // every way to ask about texts
    for query in [
        "count-distinct = { column = \"group\" }",
        "count = { where = \"group = 'a'\" }",
        "histogram = { column = \"group\", categories = [\"a\", \"b\"] }",
    ] {
        let text = TEXT.replace("count = {}", query);
        let all = load(&text, TEXTS).unwrap_err().to_string();
        assert!(
            all.contains("3 of 5 values cannot be used"),
            "{query}: {all}"
        );
    }
}

#[test]
fn what_a_question_names_is_a_category_whatever_it_looks_like() {
    let plan = load(&by_group("\"a\", \"b\", \"?\", \"None\"", "drop"), TEXTS).unwrap();
    assert_eq!(plan.resolved().data[0].rows, 4);
    let all = load(&by_group("\"a\", \"?\"", "refuse"), TEXTS)
        .unwrap_err()
        .to_string();
    assert!(
        all.contains("2 of 5 values cannot be used, the first in line 4")
            && all.contains("1 blank, 1 none"),
        "{all}"
    );
    // what one cell names says nothing of the cells that do not
    let swept = format!(
        "{}[sweep]\n\"query.n.group-count.groups\" = [[\"a\", \"b\"], [\"a\", \"?\"]]\n",
        by_group("\"a\"", "drop")
    );
    let plan = load(&swept, TEXTS).unwrap();
    let rows: Vec<u64> = (plan.resolved().cells.iter())
        .map(|cell| plan.resolved().data[cell.data].rows)
        .collect();
    assert_eq!(rows, [2, 3]);
    let predicate = TEXT.replace(
        "count = {}",
        "count = { where = \"group in ['?', '', 'None'] or group = 'b'\" }",
    );
    assert_eq!(answers(&predicate, TEXTS), (4.0, 150.0));
}

#[test]
fn files_that_are_no_table_are_refused() {
    for (csv, parts) in [
        (&b""[..], vec!["the file is empty"]),
        (b"\xef\xbb\xbf", vec!["the file is empty"]),
        (b"value,group\r1,a\r", vec!["carriage return alone"]),
        (b"value,group\n", vec!["a header but no rows"]),
        (b"value,group", vec!["a header but no rows"]),
        (b"value,value\n1,2\n", vec!["d.csv:1:7", "there twice"]),
        (
            b"value,group\n1,a\n2\n3,c,d\n",
            vec![
                "line 3 has 1 field where the header has 2",
                "line 4 has 3 fields",
                "d.csv:3:2",
                "d.csv:4:5",
            ],
        ),
        (
            b"value,group\n1,a\n\"1,234\",b\n",
            vec![
                "d.csv:3:1",
                "`1,234` is not a number",
                "without thousands separators",
            ],
        ),
        (
            b"value,group\n1,a\n1,234,b\n",
            vec!["line 3 has 3 fields", "without thousands separators"],
        ),
        (
            b"value,group\n1,a\n2,caf\xe9\n",
            vec!["d.csv:3:6", "byte 21 (0xE9) is not UTF-8"],
        ),
        (
            b"valeu,group\n1,a\n",
            vec![
                "e.toml:13:18",
                "has no column `value`",
                "did you mean `valeu`",
            ],
        ),
        (b"value\n1\n", vec!["e.toml:7:1", "has no column `group`"]),
        (
            b"23,4000\n45,90000\n",
            vec!["has no column `value`", "put a line with the names"],
        ),
        (
            b"value;group\n1;a\n",
            vec!["d.csv:1:1", "separated by semicolons"],
        ),
        (b"value\tgroup\n1\ta\n", vec!["separated by tabs"]),
        (
            b"value,group\nx,a\ny,b\n",
            vec!["d.csv:2:1", "d.csv:3:1", "{ text = true }"],
        ),
    ] {
        let errors = errors(csv);
        for part in parts {
            assert!(errors.contains(part), "{part}: {errors}");
        }
    }
    let many: String = (0..25).map(|i| format!("v{i},a\n")).collect();
    let errors = errors(format!("value,group\n{many}").as_bytes());
    assert!(
        errors.contains("25 values in all are not numbers; the first 10 are shown"),
        "{errors}"
    );
    assert_eq!(errors.matches("is not a number").count(), 10);
}

#[test]
fn faults_of_the_data_and_of_the_file_come_together() {
    let text = TEXT
        .replace("epsilon = 1", "epsilon = -1")
        .replace("\"substitute\"", "\"both\"");
    let errors = load(&text, b"value,group\n1,a\nNA,b\nx,c\n").unwrap_err();
    let all = errors.to_string();
    for part in [
        "unknown neighbouring relation",
        "1 of 3 values cannot be used",
        "`x` is not a number",
        "ε is -1",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    assert_eq!(errors.list().len(), 4, "{all}");
}

#[test]
fn the_path_is_relative_to_the_experiment() {
    let errors =
        Plan::from_text("e.toml", TEXT, Path::new("/nowhere"), &Overrides::default()).unwrap_err();
    let all = errors.to_string();
    assert!(
        all.contains("e.toml:3:7") && all.contains("/nowhere/d.csv"),
        "{all}"
    );
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("d.csv")).unwrap();
    let errors =
        Plan::from_text("e.toml", TEXT, directory.path(), &Overrides::default()).unwrap_err();
    assert!(errors.to_string().contains("is a directory"), "{errors}");
}

/// Bounds that are swept change the answer from which errors are counted: that is said once, and nothing where nothing is clipped.
#[test]
fn cells_that_are_clipped_to_other_bounds_have_other_answers() {
    let said = |bounds: &str| {
        let text = format!(
            "{TEXT}\n[sweep]\nbounds = {{ path = \"data.columns.value.bounds\", values = {bounds} }}\n"
        );
        let plan = load(&text, b"value,group\n1,a\n200,b\n-300,c\n").unwrap();
        let other = |w: &&String| w.contains("is clipped to other bounds in other cells");
        plan.warnings().iter().filter(other).count()
    };
    assert_eq!(said("[[-100, 100], [-250, 250], [-300, 300]]"), 1);
    assert_eq!(said("[[-300, 300], [-400, 400]]"), 0);
}

/// What clipping does to an answer is said where the records are at hand: in units, as a share, and against the noise of all cells.
#[test]
fn what_clipping_does_to_an_answer_is_said() {
    let said = |rows: &[u8]| {
        let text = format!("{TEXT}\n[sweep]\nepsilon = [0.5, 2]\n");
        let plan = load(&text, rows).unwrap();
        let of = |w: &&String| w.contains("clipping moves the answer");
        plan.warnings()
            .iter()
            .filter(of)
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        said(b"value,group\n1,a\n20,b\n-30,c\n"),
        Vec::<String>::new()
    );
    let found = said(b"value,group\n1,a\n200,b\n-301,c\n");
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .any(|w| w.contains("from −100 to 1, by 101, 101 % of it and ")
                && w.contains(
                    " times the noise's scale; what is called true is the answer after clipping"
                )),
        "{found:?}"
    );
}

#[test]
fn clipping_is_counted_and_said() {
    let plan = load(TEXT, b"value,group\n1,a\n200,b\n-300,c\n").unwrap();
    assert_eq!(plan.cells()[0].queries[1].truth, 1.0);
    let column = &plan.resolved().data[0].columns[0];
    assert_eq!((column.clipped, column.bounds), (2, Some([-100.0, 100.0])));
    assert!(
        plan.warnings()
            .iter()
            .any(|w| w.contains("2 of 3 values lie outside [-100, 100]")),
        "{:?}",
        plan.warnings()
    );
}

#[test]
fn an_answer_of_zero_has_no_relative_error() {
    let plan = load(TEXT, b"value,group\n1,a\n-1,b\n").unwrap();
    assert!(
        plan.warnings()
            .iter()
            .any(|w| w.contains("query `sum`: its true answer is 0")),
        "{:?}",
        plan.warnings()
    );
    let text = TEXT.replace("[data]", "measures = [\"abs_error\", \"rmse\"]\n[data]");
    let plan = load(&text, b"value,group\n1,a\n-1,b\n").unwrap();
    assert!(plan.warnings().is_empty());
    assert_eq!(plan.resolved().measures, ["abs_error", "rmse"]);
}

/// What is wrong with one line hides nothing of another, and what follows from a fault is not said.
#[test]
fn faults_of_a_file_come_together_and_alone() {
    let all = errors(b"value,group\n1,caf\xe9\n2\n\"3\"x,b\n");
    for part in ["d.csv:2:6", "d.csv:3:2", "d.csv:4:4", "3 errors"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    // a decimal comma makes rows of another length: that is the same fault
    let other = errors(b"value;group\n1,5;a\n2,5;b\n");
    assert!(
        other.contains("separated by semicolons") && other.ends_with("1 error; nothing was run"),
        "{other}"
    );
    // a column whose own name has a bar is no sign of one
    let odd = TEXT
        .replace("value = {", "\"a|b\" = {")
        .replace("\"value\"", "\"a|b\"");
    let odd = odd.replace("group = { text = true }\n", "");
    assert_eq!(answers(&odd, b"a|b\n1\n2\n"), (2.0, 3.0));
}

#[test]
fn reversed_bounds_are_one_fault_however_often_they_are_read() {
    let claim = "[[claim]]\nid = \"A\"\ntext = \"t\"\nverdict = \"holds\"\nexact = { of = \"sensitivity\", query = { sum = { column = \"value\" } }, claimed = 1 }\n";
    let text = TEXT.replace("[-100, 100]", "[100, -100]") + claim;
    let errors = load(&text, b"value,group\n1,a\n").unwrap_err();
    assert_eq!(errors.list().len(), 1, "{errors}");
    assert!(errors.to_string().contains("are reversed"), "{errors}");
}

/// 19 lies below all cells, 60 belongs to the last one, 61 lies above.
#[test]
fn rows_outside_all_cells_are_counted() {
    let text = TEXT.replace(
        "count = {}",
        "histogram = { column = \"value\", edges = [20, 40, 60] }",
    );
    let plan = load(&text, b"value,group\n19,a\n20,a\n40,a\n60,a\n61,a\n").unwrap();
    assert_eq!(
        plan.warnings(),
        ["query `n`: 2 of 5 records lie in none of its cells and are counted nowhere"]
    );
    let inside = load(&text, b"value,group\n20,a\n60,a\n").unwrap();
    assert!(inside.warnings().is_empty(), "{:?}", inside.warnings());
    // rows that `where` leaves out are not asked about
    let some = text.replace("60] }", "60], where = \"value < 60\" }");
    let plan = load(&some, b"value,group\n19,a\n20,a\n61,a\n").unwrap();
    assert!(
        plan.warnings()[0].contains("1 of 3 records"),
        "{:?}",
        plan.warnings()
    );
}

#[test]
fn bounds_of_one_value_are_said_to_leave_nothing_to_ask() {
    let warned = |text: &str| valid(text).warnings().join("\n");
    let text = BASE.replace("bounds = [0, 120]", "bounds = [5, 5]");
    let said = warned(&text);
    assert!(
        said.contains("column `age`: [5, 5] holds one value, to which every record is clipped"),
        "{said}"
    );
    assert!(!warned(BASE).contains("holds one value"));
    // of a file as well, where no value lies outside
    let plan = load(
        &TEXT
            .replace("[-100, 100]", "[5, 5]")
            .replace("count = {}", "count = { where = \"group = 'a'\" }"),
        b"value,group\n5,a\n5,b\n",
    )
    .unwrap();
    let said = plan.warnings().join("\n");
    assert!(
        said.contains("holds one value") && !said.contains("lie outside"),
        "{said}"
    );
}
