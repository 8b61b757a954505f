//! What a CSV file holds, as far as a proposal needs it.

use super::cell::{self, Reading};
use super::gaps::Gaps;
use super::numbers::Numbers;
use super::rows::{Row, Rows};
use super::sheet::{position, sheet};
use crate::config::diagnostic::Diagnostic;
use crate::config::file;
use crate::words::{are_all_numbers, several};
use std::collections::HashSet;
use std::path::Path;

/// Rows that are looked at.
const ROWS: usize = 10_000;
/// Most different values of a column that is taken for categories.
const CATEGORIES: usize = 40;

/// A column of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnFound {
    /// its name
    pub name: String,
    /// whether it holds numbers, and besides them nothing but signs that a value is missing
    pub numbers: bool,
    /// different values among the rows that are looked at
    pub different: usize,
    /// whether it seems to name or weigh the records rather than to say something of them: no two rows have the same whole number, each has the
    /// next one, or its name says so
    pub about_records: bool,
    /// values that are missing, with what stands there; empty where none is
    pub missing: String,
    /// of a column that is mostly numbers: what keeps it from being one of numbers
    pub no_number: Option<String>,
}

impl ColumnFound {
    /// What is to be known before it is used.
    pub fn remark(&self) -> Option<String> {
        match (&self.no_number, self.about_records) {
            (Some(why), _) => Some(format!("no numbers: {why}")),
            (None, true) => Some("names or weighs the records".to_owned()),
            (None, false) if !self.missing.is_empty() => Some(self.missing.clone()),
            _ => None,
        }
    }
}

/// Words in the names of columns that name or weigh records.
const ABOUT_RECORDS: [&str; 16] = [
    "id", "ids", "index", "idx", "key", "serial", "serialno", "uuid", "row", "rowid", "weight",
    "weights", "wt", "wgt", "pwgtp", "fnlwgt",
];

/// Fewest rows from which on different whole numbers in all of them are taken for the names of records.
const ENOUGH: usize = 20;

/// Fewest rows from which on numbers that each are the one before and 1 are taken for the names of records.
const IN_ORDER: usize = 3;

/// Whether a word of the name says that the column is about records.
fn says_so(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ABOUT_RECORDS.contains(&word))
}

/// The columns of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// in the order of the file
    pub columns: Vec<ColumnFound>,
}

impl Survey {
    /// The names.
    pub fn names(&self) -> Vec<&str> {
        self.columns
            .iter()
            .map(|column| column.name.as_str())
            .collect()
    }

    /// A column to sum: the numeric one with the most different values; of equal ones, the last. One that names or weighs records only if there
    /// is no other, and one with missing values only if there is none without.
    pub fn number(&self) -> Option<&ColumnFound> {
        let numbers = self.columns.iter().filter(|column| column.numbers);
        numbers.max_by_key(|column| {
            let whole = column.missing.is_empty();
            (!column.about_records, whole, column.different)
        })
    }

    /// A column of categories: the one with the most values that can be some, other than a given one; one of texts before one of numbers, and
    /// one without missing values before one with some.
    pub fn category(&self, besides: &str) -> Option<&ColumnFound> {
        let few = |column: &&ColumnFound| column.different <= CATEGORIES && column.different > 1;
        let others = self.columns.iter().filter(|column| column.name != besides);
        others.filter(few).max_by_key(|column| {
            let whole = column.missing.is_empty();
            (
                !column.about_records,
                !column.numbers,
                whole,
                column.different,
            )
        })
    }
}

/// Reads a file and says what its columns hold.
///
/// # Errors
/// What is wrong with the file, as it is said of the file of an experiment.
pub fn survey(path: &Path) -> Result<Survey, Vec<Diagnostic>> {
    let file = path.display().to_string();
    let bytes = file::read(path, file::MOST_DATA).map_err(|error| {
        vec![Diagnostic::of_file(
            &file,
            format!("cannot read it: {error}"),
        )]
    })?;
    let text = super::decoded(&file, &bytes, &[])?;
    // no name that is looked for: a header that is one field is never the one that was meant
    if let Some(fault) = super::separated_otherwise(&file, text, &[""]) {
        return Err(vec![fault]);
    }
    let first = Rows::new(text).flatten().find(|row| !row.is_empty());
    let first = first.unwrap_or_else(|| Row {
        line: 1,
        at: 0,
        fields: Vec::new(),
    });
    let heads: Vec<&str> = first
        .fields
        .iter()
        .map(|field| field.text.as_ref())
        .collect();
    let sheet = sheet(&file, text, &heads)?;
    if heads.iter().all(|head| head.is_empty()) || are_all_numbers(heads.iter().copied()) {
        let mut fault = Diagnostic::of_file(
            &file,
            "the first line holds no names of columns but numbers, or nothing",
        );
        fault.position = Some(position(text, first.line, first.at, 1));
        return Err(vec![fault.remedy("put a line with their names before it")]);
    }
    let column = |(place, name): (usize, &String)| {
        let read = Numbers::read(&sheet, place);
        let (rows, wrong) = (sheet.len(), read.wrong.len());
        let readable = rows - wrong - read.gaps.rows.len();
        let texts: HashSet<&str> = (sheet.column(place).take(ROWS))
            .filter(|field| !matches!(cell::read(&field.text), Reading::Missing(_)))
            .map(|field| field.text.as_ref())
            .collect();
        let whole = read.values.iter().all(|value| value.fract() == 0.0);
        let all_different = texts.len() == rows.min(ROWS);
        let next = |pair: &[f64]| pair[1] == pair[0] + 1.0;
        let in_order = rows >= IN_ORDER && read.values.windows(2).all(next);
        let numbers = wrong == 0 && readable > 0;
        let of_texts = (!numbers).then(|| Gaps::of_texts(&sheet, place, &[]));
        let gaps = of_texts.as_ref().unwrap_or(&read.gaps);
        let whole_numbers = numbers && read.gaps.rows.is_empty() && whole;
        ColumnFound {
            name: name.clone(),
            numbers,
            different: texts.len(),
            about_records: says_so(name)
                || whole_numbers && (in_order || all_different && rows >= ENOUGH),
            missing: match gaps.rows.first() {
                Some(first) => format!(
                    "{} of {} cannot be used: {}, the first in line {}",
                    gaps.rows.len(),
                    several(rows as u64, "value"),
                    gaps.kinds(),
                    sheet.line(*first)
                ),
                None => String::new(),
            },
            no_number: (read.wrong.first())
                .filter(|_| readable > wrong)
                .and_then(|(row, _)| {
                    let field = sheet.column(place).nth(*row)?;
                    Some(format!(
                        "`{}` in line {} is none; so it is with {} of {rows}",
                        field.text,
                        sheet.line(*row),
                        several(wrong as u64, "value")
                    ))
                }),
        }
    };
    Ok(Survey {
        columns: sheet.header.iter().enumerate().map(column).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_proposed_by_what_they_hold() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        let mut text = String::from("\u{feff}id text, wage ,kind,only\n");
        for row in 0..100 {
            text += &format!(
                "row {row}, {} ,{},1\n",
                row * 7 % 83,
                ["a", "b", "NA"][row % 3]
            );
        }
        std::fs::write(&path, text).unwrap();
        let found = survey(&path).unwrap();
        assert_eq!(found.names(), ["id text", "wage", "kind", "only"]);
        assert_eq!(found.number().unwrap().name, "wage");
        assert_eq!(found.category("wage").unwrap().name, "kind");
        assert_eq!(found.category("kind"), None);
        // names and weights of records are no question
        let mut text = String::from("person,wage,kind,survey_weight\n");
        for row in 0..100 {
            text += &format!(
                "{},{},{},{}\n",
                5000 + row,
                row % 40,
                row % 3,
                0.5 + row as f64
            );
        }
        std::fs::write(&path, text).unwrap();
        let found = survey(&path).unwrap();
        assert_eq!(found.number().unwrap().name, "wage");
        assert_eq!(found.category("wage").unwrap().name, "kind");
        let said = |text: &[u8]| {
            std::fs::write(&path, text).unwrap();
            let faults: Vec<String> = (survey(&path).unwrap_err().iter())
                .map(|fault| fault.to_string())
                .collect();
            faults.join("\n")
        };
        for (text, parts) in [
            (&b""[..], &["the file is empty"][..]),
            (
                b"23,4000\n45,90000\n",
                &["line with their names", "x.csv:1:1"],
            ),
            (
                b"a,b\n1,2\n3\n4,\"5\n",
                &[
                    "line 3 has 1 field",
                    "x.csv:3:2",
                    "never closes",
                    "x.csv:4:3",
                ],
            ),
            (b"a,a\n1,2\n", &["`a` is there twice"]),
            (b"a;b\n1;2\n", &["separated by semicolons"]),
            (
                b"a,b\n1,\xff\n2,3,4\n",
                &["x.csv:2:3", "line 3 has 3 fields"],
            ),
        ] {
            let said = said(text);
            for part in parts {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
        assert!(survey(&folder.path().join("none")).is_err());
    }

    #[test]
    fn names_of_records_and_what_is_no_number_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        std::fs::write(
            &path,
            "person,age,wage,size,kind\n7,20,?,1,a\n8,30,100,2,b\n9,20,NA,about 3,a\n10,40,100,4,b\n",
        )
        .unwrap();
        let found = survey(&path).unwrap();
        let remark = |name: &str| {
            let column = found.columns.iter().find(|column| column.name == name);
            column.unwrap().remark().unwrap_or_default()
        };
        assert_eq!(remark("person"), "names or weighs the records");
        assert_eq!(remark("age"), "");
        assert_eq!(
            remark("wage"),
            "2 of 4 values cannot be used: 1 ?, 1 NA, the first in line 2"
        );
        assert_eq!(
            remark("size"),
            "no numbers: `about 3` in line 4 is none; so it is with 1 value of 4"
        );
        assert_eq!(remark("kind"), "");
        // complete columns come first, and names of records last
        assert_eq!(found.number().unwrap().name, "age");
        std::fs::write(
            &path,
            "age,job,town,fnlwgt\n20,a,x,9001.5\n30,?,y,77.25\n40,b,x,31.5\n50,c,x,8.5\n50,d,y,7.5\n",
        )
        .unwrap();
        let found = survey(&path).unwrap();
        assert_eq!(found.number().unwrap().name, "age");
        assert_eq!(found.category("age").unwrap().name, "town");
    }
}
