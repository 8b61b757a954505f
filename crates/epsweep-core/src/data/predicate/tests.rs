use super::super::{Bounds, Column, DataError, Table};
use super::{Predicate, PredicateError};
use proptest::prelude::*;

fn table() -> Table {
    let texts = |values: [&str; 4]| values.map(str::to_owned).to_vec();
    Table::new(vec![
        Column::number(
            "age",
            vec![17.0, 60.0, 61.0, 130.0],
            Some(Bounds::new(0.0, 120.0).unwrap()),
        )
        .unwrap(),
        Column::number("body mass", vec![-1.5, 0.0, 2e3, 70.0], None).unwrap(),
        Column::text("sex", texts(["f", "m", "it's", ""])),
    ])
    .unwrap()
}

fn count(text: &str) -> u64 {
    Predicate::parse(text).unwrap().count(&table()).unwrap()
}

fn refused(text: &str) -> PredicateError {
    let error = Predicate::parse(text).unwrap_err();
    assert!(
        text.get(error.span.clone()).is_some(),
        "{error:?} of {text:?}"
    );
    error
}

#[test]
fn comparisons_mean_what_they_say() {
    for (text, expected) in [
        ("age > 60", 2),
        ("age >= 60", 3),
        ("age < 60", 1),
        ("age <= 60", 2),
        ("age ≤ 60", 2),
        ("age = 60", 1),
        ("age == 60.0", 1),
        ("age != 60", 3),
        ("age = 120", 1), // clipped
        ("60 < age", 2),
        ("60 >= age", 2),
        ("`body mass` >= -1.5", 4),
        ("\"body mass\" = 2e3", 1),
        ("`body mass` = -0", 1),
        ("sex = 'f'", 1),
        ("sex = \"f\"", 1),
        ("'f' = sex", 1),
        ("sex != 'f'", 3),
        ("sex = 'it''s'", 1),
        ("sex = ''", 1),
        ("'sex' = 'm'", 1),
        ("sex in ['f', 'm']", 2),
        ("age in [17, 61]", 2),
        ("age between 60 and 61", 2),
        ("age between 61 and 60", 0),
        ("not sex in ['f', 'm']", 2),
    ] {
        assert_eq!(count(text), expected, "{text}");
    }
}

#[test]
fn and_binds_tighter_than_or_and_not_tightest() {
    assert_eq!(count("age > 60 or age = 17 and sex = 'm'"), 2);
    assert_eq!(count("(age > 60 or age = 17) and sex = 'm'"), 0);
    assert_eq!(count("not age > 60 and sex = 'm'"), 1);
    assert_eq!(count("not (age > 60 and sex = 'm')"), 4);
    assert_eq!(
        count("NOT NOT age > 60 AND age between 0 and 61 Or sex = 'f'"),
        2
    );
}

#[test]
fn columns_are_listed_once_with_their_place() {
    let predicate = Predicate::parse("sex = 'm' and 60 < `body mass` or sex = 'f'").unwrap();
    assert_eq!(predicate.columns(), ["sex", "body mass"]);
    assert_eq!(predicate.span_of("body mass"), Some(19..30));
    assert_eq!(predicate.span_of("age"), None);
}

#[test]
fn the_canonical_spelling() {
    for (text, expected) in [
        ("60<age", "age > 60"),
        ("((age==1))", "age = 1"),
        ("a=1 AND (b=2 AND c=3)", "a = 1 and b = 2 and c = 3"),
        ("a=1 and (b=2 or c=3)", "a = 1 and (b = 2 or c = 3)"),
        ("not (a=1 and b=2)", "not (a = 1 and b = 2)"),
        ("\"a b\" = \"it's\"", "`a b` = 'it''s'"),
        ("`and` = 1e300", "`and` = 1e300"),
        ("年龄 ≥ 60", "年龄 >= 60"),
    ] {
        assert_eq!(Predicate::parse(text).unwrap().to_string(), expected);
    }
}

#[test]
fn errors_say_what_where_and_what_instead() {
    for (text, span, message, help) in [
        ("", 0..0, "empty", "age > 60"),
        ("  ", 0..2, "empty", "count all rows"),
        (
            "age >",
            5..5,
            "needs a column or a literal on its right, but there is the end",
            "quoted text",
        ),
        ("age", 3..3, "the end where an operator is expected", "<="),
        (
            "body mass > 3",
            5..9,
            "`mass` where an operator",
            "backticks",
        ),
        (
            "age > 60 sex = 'm'",
            9..12,
            "`sex` does not continue",
            "`and`",
        ),
        (
            "18 <= age < 65",
            10..11,
            "`<` does not continue",
            "between 18 and 65",
        ),
        (
            "age > 60)",
            8..9,
            "`)` does not continue",
            "open a parenthesis",
        ),
        ("(age > 60", 0..1, "not closed", "closing parenthesis"),
        ("sex = 'm", 6..8, "quote ' is not closed", "end it with '"),
        ("sex = m", 6..7, "another column", "'m'"),
        (
            "1 = 1",
            0..5,
            "a number is compared with a number",
            "backticks",
        ),
        ("age <> 60", 4..6, "`<>`", "!="),
        ("age => 60", 4..6, "`=>`", ">="),
        ("age > 1 && age < 2", 8..10, "`&&`", "`and`"),
        ("!age", 0..1, "`!`", "`not`"),
        ("age > 1e400", 6..11, "beyond the largest double", "smaller"),
        ("age > 1_000", 6..11, "not a number", "separators"),
        ("age > 60kg", 6..10, "not a number", "units"),
        ("age > -", 6..7, "not a number", "-1.5"),
        ("age > .", 6..7, "not a number", "-1.5"),
        ("age # 60", 4..5, "'#'", "backticks"),
        ("and > 1", 0..3, "there is `and`", "backticks"),
        ("age in []", 8..9, "at least one literal", "quotes"),
        ("age in 1", 7..8, "where [ is expected", "in [1, 2]"),
        ("age in [1 2]", 10..11, "a comma or ]", "in [1, 2]"),
        ("age not in [1]", 4..7, "stands before", "not age in"),
        ("1 in [1]", 0..1, "name of a column", "backticks"),
        (
            "age between 1, 2",
            13..14,
            "where `and` is expected",
            "HIGH",
        ),
        ("age between sex and 2", 12..15, "needs a literal", "quotes"),
    ] {
        let error = refused(text);
        assert!(error.message.contains(message), "{text}: {error:?}");
        assert!(
            error.help.as_deref().unwrap_or_default().contains(help),
            "{text}: {error:?}"
        );
        assert_eq!(error.span, span, "{text}: {error:?}");
    }
}

#[test]
fn columns_must_exist_and_have_what_they_are_compared_with() {
    let refused = |text: &str| Predicate::parse(text).unwrap().count(&table()).unwrap_err();
    assert!(matches!(
        refused("agee > 60"),
        DataError::UnknownColumn { .. }
    ));
    for (text, remedy) in [
        ("age = '60'", "without quotes"),
        ("age in [60, '61']", "without quotes"),
        ("age between '1' and 2", "without quotes"),
        ("sex = 1", "text in quotes"),
        ("sex in ['f', 1]", "text in quotes"),
        ("sex < 'm'", "no order"),
        ("sex between 'a' and 'b'", "no order"),
    ] {
        let error = refused(text);
        assert!(matches!(error, DataError::Incomparable { .. }), "{error:?}");
        assert!(
            error.to_string().contains(remedy) && error.to_string().contains(text),
            "{error}"
        );
    }
    // also where no row would ask for it
    let empty = Table::new(vec![Column::text("sex", vec![])]).unwrap();
    assert!(
        Predicate::parse("sex = 'm' and age > 1")
            .unwrap()
            .count(&empty)
            .is_err()
    );
}

#[test]
fn deep_nesting_is_refused_and_long_chains_are_not() {
    let nested = |depth: usize| format!("{}age > 1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Predicate::parse(&nested(Predicate::MAX_DEPTH)).is_ok());
    assert!(
        refused(&nested(Predicate::MAX_DEPTH + 1))
            .message
            .contains("64 deep")
    );
    assert!(
        refused(&"not ".repeat(1_000_000))
            .message
            .contains("64 deep")
    );
    assert_eq!(count(&vec!["age > 60"; 50_000].join(" and ")), 2);
}

fn literal() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<f64>()
            .prop_filter("finite", |value| value.is_finite())
            .prop_map(|value| format!("{value:e}")),
        (-100..100i32).prop_map(|value| value.to_string()),
        "[a-z' \"é]{0,4}".prop_map(|text| format!("'{}'", text.replace('\'', "''"))),
        "[a-z' \"é]{0,4}".prop_map(|text| format!("\"{}\"", text.replace('"', "\"\""))),
    ]
}

fn predicate() -> impl Strategy<Value = String> {
    let column = prop_oneof![
        "[a-z_][a-z0-9_.]{0,3}".prop_filter("no keyword", |name| super::lexer::is_bare_name(name)),
        "[a-z `é]{0,4}".prop_map(|name| format!("`{}`", name.replace('`', "``"))),
    ];
    let operator = prop::sample::select(vec!["=", "==", "!=", "<", "<=", ">", ">=", "≥"]);
    let comparison = (
        column,
        operator,
        prop::collection::vec(literal(), 1..4),
        0..4,
    )
        .prop_map(|(column, operator, literals, form)| match form {
            0 => format!("{column} in [{}]", literals.join(",")),
            1 if literals.len() > 1 => {
                format!("{column} between {} and {}", literals[0], literals[1])
            }
            2 => format!("{}{operator}{column}", literals[0]),
            _ => format!("{column} {operator} {}", literals[0]),
        });
    comparison.prop_recursive(6, 40, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|part| format!("not {part}")),
            inner.clone().prop_map(|part| format!("({part})")),
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("({})", parts.join(" and "))),
            prop::collection::vec(inner, 2..4).prop_map(|parts| parts.join(" or ")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_printed_reads_back_the_same(text in predicate()) {
        let first = Predicate::parse(&text).unwrap();
        let printed = first.to_string();
        let second = Predicate::parse(&printed).unwrap();
        prop_assert_eq!(&first, &second, "{}", printed);
        prop_assert_eq!(printed, second.to_string());
        prop_assert_eq!(first.columns(), second.columns());
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        if let Err(error) = Predicate::parse(&text) {
            prop_assert!(text.get(error.span.clone()).is_some(), "{:?}", error);
        }
    }

    #[test]
    fn no_jumble_of_words_panics(words in prop::collection::vec(
        prop::sample::select(vec!["age", "sex", "and", "or", "not", "in", "between", "(", ")", "[", "]", ",", "=", "<>", "≥", "1", "-2e",
            "'m'", "\"", "`a b`", "`", " ", "−1", "é", "1e400", "."]), 0..20))
    {
        let text = words.join(if words.len() % 2 == 0 { " " } else { "" });
        match Predicate::parse(&text) {
            Ok(predicate) => drop(predicate.count(&table())),
            Err(error) => prop_assert!(text.get(error.span.clone()).is_some(), "{:?}", error),
        }
    }
}

#[test]
fn texts_are_told_with_the_columns_that_they_are_compared_with() {
    let predicate = Predicate::parse(
        "not (job = '?' or job in ['a', 'b']) and 'x' != place and age between 1 and 2",
    )
    .unwrap();
    let texts = predicate.texts();
    let seen: Vec<(&str, &str)> = texts
        .iter()
        .map(|(c, t)| (c.as_str(), t.as_str()))
        .collect();
    assert_eq!(
        seen,
        [("job", "?"), ("job", "a"), ("job", "b"), ("place", "x")]
    );
}
