//! What a CSV file holds, as far as a proposal needs it.

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
    /// different values, counted up to one more than what can be categories
    pub different: usize,
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

    /// A column to sum: the numeric one with the most different values; of equal ones, the last.
    pub fn number(&self) -> Option<&ColumnFound> {
        let numbers = self.columns.iter().filter(|column| column.numbers);
        numbers.max_by_key(|column| column.different)
    }

    /// A column of categories: the one with the most values that can be some, other than a given one.
    pub fn category(&self, besides: &str) -> Option<&ColumnFound> {
        let few = |column: &&ColumnFound| column.different <= CATEGORIES && column.different > 1;
        let others = self.columns.iter().filter(|column| column.name != besides);
        others.filter(few).max_by_key(|column| column.different)
    }
}

/// Reads the header and some rows.
///
/// # Errors
/// If the file cannot be read or has no header.
pub fn survey(path: &Path) -> Result<Survey, String> {
    let bytes = std::fs::read(path)
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
    let mut values: Vec<HashSet<String>> = vec![HashSet::new(); heads.len()];
    let mut numbers = vec![true; heads.len()];
    for record in reader.records().take(ROWS) {
        let record = record.map_err(wrong)?;
        for (place, field) in record.iter().enumerate().take(heads.len()) {
            let blank = field.is_empty() || field.eq_ignore_ascii_case("na");
            numbers[place] &= blank || field.parse::<f64>().is_ok();
            if !blank && values[place].len() < ROWS {
                values[place].insert(field.to_owned());
            }
        }
    }
    let columns = heads.iter().enumerate().map(|(place, name)| ColumnFound {
        name: name.to_owned(),
        numbers: numbers[place] && !values[place].is_empty(),
        different: values[place].len(),
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
        std::fs::write(&path, "").unwrap();
        assert!(survey(&path).unwrap_err().contains("header"));
        assert!(survey(&folder.path().join("none")).is_err());
    }
}
