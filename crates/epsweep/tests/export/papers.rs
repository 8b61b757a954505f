//! Tables for papers: LaTeX and Markdown.

use super::*;

/// Names with every character that means something to LaTeX.
const NASTY: &str = r#"
name = "nasty"
title = "50 % of {all} & ~more_or_less~ \\ #1 ^ $5"
trials = 2000
[data]
normal = { column = "value", mean = 0, sd = 1, rows = 10, seed = 1 }
neighbours = "substitute"
[data.columns]
value = { bounds = [-1, 1] }
[[query]]
name = "50 % & a_b $x^2$ #1 {~} \\end"
sum = { column = "value" }
[[query]]
name = "[one]"
count = { where = "value > 0" }
[budget]
epsilon = 1
[sweep]
epsilon = [0.5, 1]
allocation = ["even", { name = "a_b & 90 %", shares = { "50 % & a_b $x^2$ #1 {~} \\end" = 0.1, "[one]" = 0.9 } }]
[compare]
baseline = { allocation = "even" }
[[claim]]
id = "A_1 & 2"
text = "errors fall by 50 % & more"
ratio = { of = "max_abs_error.mean", cell = { epsilon = 1, allocation = "even" }, over = { of = "max_abs_error.mean", cell = { epsilon = 0.5, allocation = "even" } }, claimed = 0.5, tolerance = { relative = 0.1 } }
verdict = "holds"
"#;

#[test]
fn latex_takes_the_meaning_from_names() {
    let ran = Ran::of(NASTY, &[]);
    let text = ran.text(&[
        "--format",
        "latex",
        "--table",
        "summary",
        "--table",
        "comparisons",
        "--table",
        "claims",
    ]);
    let query =
        r"50 \% \& a\_b \$x\textasciicircum{}2\$ \#1 \{\textasciitilde{}\} \textbackslash{}end";
    for wanted in [
        query,
        r"a\_b \& 90 \%",
        r"A\_1 \& 2",
        r"\caption{50 \% of \{all\} \& \textasciitilde{}more\_or\_less\textasciitilde{} \textbackslash{} \#1 \textasciicircum{} \$5: ",
        r"\label{tab:nasty-max-abs-error}",
        r"\label{tab:nasty-claims}",
        r" $\pm$ ",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    well_formed(&text);
    // a bracket after the end of a line is no argument of it
    assert!(!text.lines().any(|line| line.trim_start().starts_with('[')));
    // what is asked for, in the order in which it is asked for
    let sd = ran.text(&[
        "--format",
        "latex",
        "--measure",
        "abs_error",
        "--statistic",
        "sd",
        "--statistic",
        "q95",
        "--where",
        "epsilon=1",
    ]);
    assert!(sd.contains(" & sd & "), "{sd}");
    assert!(sd.contains(r"95 \% quantile"), "{sd}");
    assert!(!sd.contains("0.5 & "), "{sd}");
    well_formed(&sd);
}

/// Nothing but ASCII, braces in pairs, dollars in pairs, and in each table as many entries in every row as columns.
fn well_formed(text: &str) {
    assert!(text.is_ascii(), "{text}");
    let mut depth = 0_i32;
    let (mut dollars, mut before) = (0, ' ');
    for c in text.chars() {
        let escaped = before == '\\';
        match c {
            '{' if !escaped => depth += 1,
            '}' if !escaped => depth -= 1,
            '$' if !escaped => dollars += 1,
            _ => {}
        }
        assert!(depth >= 0, "{text}");
        before = if escaped { ' ' } else { c };
    }
    assert_eq!((depth, dollars % 2), (0, 0), "{text}");
    let mut columns = 0;
    for line in text.lines() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("\\begin{tabular}{") {
            columns = rest.trim_end_matches('}').len();
        } else if let Some(row) = line.strip_suffix(" \\\\") {
            let entries = row.replace("\\&", "").matches('&').count() + 1;
            assert_eq!(entries, columns, "{line}");
        }
    }
    assert!(columns > 0);
}

#[test]
fn markdown_tables_say_what_the_report_says() {
    let ran = Ran::of(NASTY, &[]);
    let text = ran.text(&["--format", "markdown", "--measure", "max_abs_error"]);
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("**50 % of {all} &amp; "));
    assert_eq!(lines.next(), Some(""));
    let head = lines.next().unwrap();
    assert_eq!(
        head,
        "| epsilon | allocation | mean | exact | z | median | 95 % quantile |"
    );
    assert_eq!(lines.count(), 1 + 4, "{text}");
    // rounded by the error, as in the report
    epsweep().arg("report").arg(ran.dir()).assert().success();
    let report = std::fs::read_to_string(ran.dir().join("report.md")).unwrap();
    for row in text.lines().skip(4) {
        let mean = row.split(" | ").nth(2).unwrap();
        assert!(
            mean.contains(" ± ") && report.contains(&format!("| {mean} |")),
            "{mean}"
        );
    }
    let out = ran.folder.path().join("tables/all.md");
    let named = out.to_str().unwrap();
    let said = ran.text(&[
        "--format",
        "markdown",
        "--table",
        "claims",
        "--table",
        "comparisons",
        "--out",
        named,
    ]);
    assert_eq!(said.trim_end(), named);
    let written = std::fs::read_to_string(&out).unwrap();
    assert_eq!(written.matches("**50 % of").count(), 2);
}
