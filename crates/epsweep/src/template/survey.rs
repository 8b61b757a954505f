//! What a CSV file holds, as far as a proposal needs it.

use crate::config::file;
use crate::words::are_all_numbers;
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
    /// whether all that is there are numbers
    pub numbers: bool,
    /// different values among the rows that are looked at
    pub different: usize,
    /// whether it seems to name or weigh the records rather than to say something of them: no two rows have the same whole number, or its name says so
    pub about_records: bool,
}

/// Words in the names of columns that name or weigh records.
const ABOUT_RECORDS: [&str; 14] = [
    "id", "ids", "index", "idx", "key", "serial", "serialno", "uuid", "row", "rowid", "weight",
    "weights", "wt", "pwgtp",
];

/// Fewest rows from which on different whole numbers in all of them are taken for the names of records.
const ENOUGH: usize = 20;

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
    /// is no other.
    pub fn number(&self) -> Option<&ColumnFound> {
        let numbers = self.columns.iter().filter(|column| column.numbers);
        numbers.max_by_key(|column| (!column.about_records, column.different))
    }

    /// A column of categories: the one with the most values that can be some, other than a given one.
    pub fn category(&self, besides: &str) -> Option<&ColumnFound> {
        let few = |column: &&ColumnFound| column.different <= CATEGORIES && column.different > 1;
        let others = self.columns.iter().filter(|column| column.name != besides);
        others
            .filter(few)
            .max_by_key(|column| (!column.about_records, column.different))
    }
}

/// Reads the header and some rows.
///
/// # Errors
/// If the file cannot be read or has no header.
pub fn survey(path: &Path) -> Result<Survey, String> {
    let bytes = file::read(path, file::MOST_DATA)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text);
    let wrong = |error: csv::Error| format!("`{}` is no CSV file: {error}", path.display());
    let heads = reader.headers().map_err(wrong)?.clone();
    if heads.iter().all(str::is_empty) {
        return Err(format!("`{}` has no header line", path.display()));
    }
    if are_all_numbers(&heads) {
        return Err(format!(
            "the first line of `{}` holds numbers, so that columns have no names: put a line with their names before it",
            path.display()
        ));
    }
    let mut values: Vec<HashSet<String>> = vec![HashSet::new(); heads.len()];
    let mut numbers = vec![true; heads.len()];
    let mut whole = vec![true; heads.len()];
    let mut rows = 0;
    for record in reader.records().take(ROWS) {
        let record = record.map_err(wrong)?;
        rows += 1;
        for (place, field) in record.iter().enumerate().take(heads.len()) {
            let blank = field.is_empty() || field.eq_ignore_ascii_case("na");
            let number = field.parse::<f64>();
            numbers[place] &= blank || number.is_ok();
            whole[place] &= number.is_ok_and(|number| number.fract() == 0.0);
            if !blank && values[place].len() < ROWS {
                values[place].insert(field.to_owned());
            }
        }
    }
    let columns = heads.iter().enumerate().map(|(place, name)| ColumnFound {
        name: name.to_owned(),
        numbers: numbers[place] && !values[place].is_empty(),
        different: values[place].len(),
        about_records: says_so(name)
            || whole[place] && values[place].len() == rows && rows >= ENOUGH,
    });
    Ok(Survey {
        columns: columns.collect(),
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
        std::fs::write(&path, "").unwrap();
        assert!(survey(&path).unwrap_err().contains("header"));
        std::fs::write(&path, "23,4000\n45,90000\n").unwrap();
        assert!(survey(&path).unwrap_err().contains("line with their names"));
        assert!(survey(&folder.path().join("none")).is_err());
    }
}
