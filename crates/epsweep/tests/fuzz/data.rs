//! Records and what is asked of them: CSV files, and predicates.

use super::*;

/// Fields of a CSV file.
const FIELDS: &[&str] = &[
    "1",
    "2.5",
    "-3",
    "1e3",
    "1e400",
    "NA",
    "",
    " 7 ",
    "\"8\"",
    "\"9\"\"\"",
    "x",
    "nan",
    "inf",
    "1,5",
    "\"a\nb\"",
    "0x10",
    "+4",
    ".5",
    "5.",
    "1_000",
    "−1",
    "é",
    "\"",
    "1e-320",
];

/// Files that are accepted hold the numbers that another reader of CSV finds in them.
#[test]
fn csv_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("fuzzed.csv");
    let text = "name = \"csv\"\n[data]\ncsv = \"fuzzed.csv\"\nneighbours = \"substitute\"\nmissing = \"drop\"\n[data.columns]\n\
                age = { bounds = [-1e6, 1e6] }\n[[query]]\nname = \"sum\"\nsum = { column = \"age\" }\n[[query]]\nname = \"old\"\n\
                count = { where = \"age > 2\" }\n[budget]\nepsilon = 1\n";
    let row = prop::collection::vec(0..FIELDS.len(), 1..4);
    let strategy = (
        prop::collection::vec(row, 0..12),
        prop::sample::select(vec![
            "age",
            "age,name",
            "name,age",
            "\"age\",x",
            "age,age",
            "\u{feff}age",
        ]),
        prop::sample::select(vec!["\n", "\r\n"]),
        prop::option::weighted(0.3, edits(3)),
    );
    fuzz("csv files", 6000, strategy, |(rows, head, end, edits)| {
        let lines: Vec<String> = (rows.iter())
            .map(|row| {
                row.iter()
                    .map(|field| FIELDS[*field])
                    .collect::<Vec<_>>()
                    .join(",")
            })
            .collect();
        let mut csv = format!("{head}{end}{}", lines.join(end));
        if let Some(edits) = edits {
            csv = edited(&csv, &edits);
        }
        fs::write(&path, &csv).unwrap();
        let Ok(plan) = Plan::from_text("csv.toml", text, dir.path(), &Overrides::default()) else {
            return Ok(());
        };
        let (sum, old) = oracle(&csv)?;
        let queries = &plan.resolved().cells[0].queries;
        let found = queries[0].truth.unwrap_or(f64::NAN);
        prop_assert!(
            (found - sum).abs() <= 1e-9 * (1.0 + sum.abs()),
            "sum {found}, not {sum}, of {csv:?}"
        );
        prop_assert_eq!(queries[1].truth, Some(old), "{:?}", csv);
        Ok(())
    });
}

/// Sum of the ages, clipped, and how many are above 2, by the `csv` crate; what is no finite number is left out.
fn oracle(text: &str) -> Result<(f64, f64), TestCaseError> {
    let text = &without_blanks_before_quotes(text.trim_start_matches('\u{feff}'));
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let fail = |error: csv::Error| TestCaseError::fail(format!("accepted, but {error}: {text:?}"));
    let heads = reader.headers().map_err(fail)?.clone();
    let place = heads.iter().position(|head| head == "age");
    let place =
        place.ok_or_else(|| TestCaseError::fail(format!("accepted without a column: {text:?}")))?;
    let (mut sum, mut old) = (0.0, 0.0);
    for record in reader.records() {
        let record = record.map_err(fail)?;
        let field = record.get(place).unwrap_or("");
        if let Some(age) = field.parse::<f64>().ok().filter(|age| age.is_finite()) {
            let age = age.clamp(-1e6, 1e6);
            sum += age;
            old += f64::from(u8::from(age > 2.0));
        }
    }
    Ok((sum, old))
}

/// Without the blanks between the start of a field and its quote, which the `csv` crate takes for a field that is not quoted.
fn without_blanks_before_quotes(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let (mut quoted, mut closed, mut starts) = (false, false, true);
    let mut blanks = String::new();
    for c in text.chars() {
        match c {
            ' ' | '\t' if starts && !quoted => {
                blanks.push(c);
                continue;
            }
            // a quote right after one that ended the field was the first of a doubled one
            '"' if starts || quoted || closed => {
                blanks.clear();
                quoted = !quoted;
                closed = !quoted;
            }
            _ => closed = false,
        }
        found.push_str(&blanks);
        blanks.clear();
        found.push(c);
        starts = matches!(c, ',' | '\n' | '\r') && !quoted;
    }
    found + &blanks
}

const PREDICATES: &[&str] = &[
    "age > 60 and not (genre = 'drama')",
    "age between 1 and 5 or age in [7, 8, 9]",
    "not not (3 <= age) and genre != \"it's\"",
    "`age` ≥ 1e1 or ((age < -2.5))",
];

/// Predicates that are read say the same when they are printed and read again, and a predicate and its negation divide the rows.
#[test]
fn predicates() {
    let ages: Vec<f64> = (-3..70).map(f64::from).collect();
    let genres = (0..ages.len()).map(|row| ["drama", "it's", ""][row % 3].to_owned());
    let rows = ages.len() as u64;
    let bounds = Bounds::new(-10.0, 100.0).unwrap();
    let table = Table::new(vec![
        Column::text("genre", genres.collect()),
        Column::number("age", ages, Some(bounds)).unwrap(),
    ])
    .unwrap();
    let strategy = (0..PREDICATES.len(), edits(6), 0usize..70);
    fuzz("predicates", 40_000, strategy, |(seed, edits, depth)| {
        let mut text = edited(PREDICATES[seed], &edits);
        // and as deep as anyone would nest it, and deeper
        if depth > 60 {
            text = format!("{}{text}{}", "(".repeat(depth), ")".repeat(depth));
        }
        let predicate = match Predicate::parse(&text) {
            Ok(predicate) => predicate,
            Err(error) => {
                let span = error.span.clone();
                prop_assert!(text.get(span.clone()).is_some(), "{span:?} of {text:?}");
                return Ok(());
            }
        };
        let printed = predicate.to_string();
        let again = Predicate::parse(&printed);
        prop_assert_eq!(again.as_ref(), Ok(&predicate), "{} as {}", text, printed);
        if let (Ok(holds), Ok(negated)) = (
            predicate.count(&table),
            Predicate::parse(&format!("not ({text})")),
        ) {
            prop_assert_eq!(negated.count(&table).unwrap(), rows - holds, "{}", text);
        }
        Ok(())
    });
}
