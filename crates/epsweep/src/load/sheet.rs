//! A CSV file as a sheet: a header, and rows that are as long as the header.

use super::rows::{CARRIAGE_RETURN, Field, Row, Rows};
use crate::config::diagnostic::{Diagnostic, Position};
use crate::words::several;
use std::collections::HashSet;

/// A file's header and rows, every row as long as the header.
#[derive(Debug)]
pub struct Sheet<'a> {
    /// the column names
    pub header: Vec<String>,
    /// the rows, with the fields of the kept columns only
    rows: Vec<Row<'a>>,
    /// places in the header of the kept columns
    kept: Vec<usize>,
}

impl<'a> Sheet<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row; a sheet that has been read has one.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The line in which a row starts, from 1.
    pub fn line(&self, row: usize) -> usize {
        self.rows[row].line
    }

    /// The fields of a column, by its place in the header; none if the column is not kept.
    pub fn column(&self, at: usize) -> impl Iterator<Item = &Field<'a>> {
        let place = self.kept.iter().position(|kept| *kept == at);
        (self.rows.iter()).filter_map(move |row| row.fields.get(place?))
    }

    /// Where a field stands in the text that the sheet was read from.
    pub fn position(&self, text: &str, row: usize, field: &Field<'_>) -> Position {
        // a quoted field before it may hold line ends
        let start = &self.rows[row];
        let before = text[start.at..field.at]
            .bytes()
            .filter(|b| *b == b'\n')
            .count();
        position(
            text,
            start.line + before,
            field.at,
            field.text.chars().count(),
        )
    }
}

/// Most faults of one kind that are shown one by one.
pub const SHOWN: usize = 10;

/// Reads a sheet, keeping the fields of the columns of those names.
///
/// # Errors
/// An empty file, a header alone, names that are repeated, rows of another length, broken quotes: all of them, of each kind the
/// first ten.
pub fn sheet<'a>(file: &str, text: &'a str, names: &[&str]) -> Result<Sheet<'a>, Vec<Diagnostic>> {
    if text.contains('\r') && !text.contains('\n') {
        return Err(vec![
            Diagnostic::of_file(file, "the lines end with a carriage return alone")
                .rule("line ends are LF or CRLF")
                .remedy("convert them, for example with `tr '\\r' '\\n'`"),
        ]);
    }
    let mut faults: Vec<Diagnostic> = Vec::new();
    let place = |message: String, line: usize, at: usize, length: usize| {
        let mut fault = Diagnostic::of_file(file, message);
        fault.position = Some(position(text, line, at, length));
        fault
    };
    let mut header: Option<Row<'a>> = None;
    let mut kept: Vec<usize> = Vec::new();
    let mut rows: Vec<Row<'a>> = Vec::new();
    let (mut ragged, mut broken) = (0, 0);
    // in a file of one column an empty line is an empty value, except at the end
    let mut empty: Vec<Row<'a>> = Vec::new();
    for row in Rows::new(text) {
        match row {
            Err(fault) => {
                broken += 1;
                if broken <= SHOWN {
                    let rule = match fault.message {
                        CARRIAGE_RETURN => "line ends are LF or CRLF, the same in the whole file",
                        _ => {
                            "a quoted field ends with a quote; a quote inside is written twice (\"\")"
                        }
                    };
                    let message = fault.message.to_owned();
                    faults.push(place(message, fault.line, fault.at, 1).rule(rule));
                }
            }
            Ok(row) if row.is_empty() => {
                if matches!(&header, Some(header) if header.fields.len() == 1) {
                    empty.push(only(row, &kept));
                }
            }
            Ok(row) => match &header {
                None => {
                    let used = |at: &usize| names.contains(&row.fields[*at].text.as_ref());
                    kept = (0..row.fields.len()).filter(used).collect();
                    header = Some(row);
                }
                Some(header) if header.fields.len() == row.fields.len() => {
                    rows.append(&mut empty);
                    rows.push(only(row, &kept));
                }
                Some(header) => {
                    ragged += 1;
                    if ragged <= SHOWN {
                        faults.push(of_length(file, text, &row, header.fields.len()));
                    }
                }
            },
        }
    }
    for (count, what) in [(ragged, "rows of another length"), (broken, "broken lines")] {
        if count > SHOWN {
            faults.push(Diagnostic::of_file(
                file,
                format!("{count} {what} in all; the first {SHOWN} are shown"),
            ));
        }
    }
    match &header {
        None if faults.is_empty() => faults.push(
            Diagnostic::of_file(file, "the file is empty")
                .rule("a header line with the column names, then one row per record"),
        ),
        Some(_) if rows.is_empty() && faults.is_empty() => faults.push(
            Diagnostic::of_file(file, "the file has a header but no rows")
                .rule("one row per record below the header"),
        ),
        Some(header) => {
            // a column without a name (an index that another program wrote) is there, but nothing can use it
            let mut seen: HashSet<&str> = HashSet::with_capacity(header.fields.len());
            for field in &header.fields {
                let twice = !seen.insert(&field.text);
                if twice && !field.text.is_empty() {
                    let message = format!("the column name `{}` is there twice", field.text);
                    let length = field.text.chars().count();
                    faults.push(
                        place(message, header.line, field.at, length)
                            .rule("columns are found by their names")
                            .remedy("give one of them another name"),
                    );
                }
            }
        }
        None => {}
    }
    match header {
        Some(header) if faults.is_empty() => Ok(Sheet {
            header: header
                .fields
                .into_iter()
                .map(|f| f.text.into_owned())
                .collect(),
            rows,
            kept,
        }),
        _ => Err(faults),
    }
}

/// A row with fewer or more fields than the header: where the first is missing, or the fields that are too many.
fn of_length(file: &str, text: &str, row: &Row<'_>, wanted: usize) -> Diagnostic {
    let message = format!(
        "line {} has {} where the header has {wanted}",
        row.line,
        several(row.fields.len() as u64, "field"),
    );
    let last = row.fields.len() - 1;
    // quoted fields before may hold line ends
    let line_of = |at: usize| row.line + text[row.at..at].bytes().filter(|b| *b == b'\n').count();
    let place = |at: usize, length: usize| position(text, line_of(at), at, length);
    let mut fault = Diagnostic::of_file(file, message);
    let end_of = |at: usize| text[at..].find('\n').map_or(text.len(), |found| at + found);
    match row.fields.get(wanted) {
        Some(first) => {
            let end = end_of(row.fields[last].at);
            let surplus = text[first.at..end].trim_end();
            let one_line = surplus.lines().next().unwrap_or_default();
            fault.position = Some(place(first.at, one_line.chars().count()));
            fault.remedy("put text that holds a comma in quotes, and write numbers without thousands separators")
        }
        None => {
            let field = &row.fields[last];
            let rest = &text[field.at..end_of(field.at)];
            fault.position = Some(place(field.at + rest.trim_end().len(), 1));
            fault.remedy("complete the row: a value that is missing is an empty field")
        }
    }
}

/// The row with the fields of the kept columns alone.
fn only<'a>(mut row: Row<'a>, kept: &[usize]) -> Row<'a> {
    let mut at = 0;
    row.fields.retain(|_| {
        at += 1;
        kept.contains(&(at - 1))
    });
    row.fields.shrink_to_fit();
    row
}

/// The place of a byte in a text, where the line is known.
pub fn position(text: &str, line: usize, at: usize, length: usize) -> Position {
    let at = at.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let end = text[at..].find('\n').map_or(text.len(), |found| at + found);
    Position {
        line,
        column: 1 + text[start..at].chars().count(),
        length: length.max(1),
        text: text[start..end].trim_end_matches('\r').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_and_fields_kept() {
        let sheet = sheet("f", "v,l\n1,\"a\nb\"\n\n2,c\n\n\n", &["l"]).unwrap();
        let lines: Vec<_> = (0..sheet.len()).map(|row| sheet.line(row)).collect();
        assert_eq!(lines, [2, 5]);
        let texts: Vec<&str> = sheet.column(1).map(|field| field.text.as_ref()).collect();
        assert_eq!(texts, ["a\nb", "c"]);
        assert_eq!(sheet.column(0).count(), 0);
    }

    #[test]
    fn a_column_without_a_name_is_passed_over() {
        let sheet = super::sheet("f", ",v\n0,5\n1,6\n", &["v"]).unwrap();
        assert_eq!(sheet.header, ["", "v"]);
        assert_eq!(sheet.column(1).count(), 2);
    }

    #[test]
    fn an_empty_line_is_a_value_only_where_there_is_one_column() {
        assert_eq!(sheet("f", "v\n1\n\n2\n\n", &["v"]).unwrap().len(), 3);
        assert_eq!(sheet("f", "v,w\n1,1\n\n2,2\n\n", &[]).unwrap().len(), 2);
    }

    #[test]
    fn every_fault_of_a_file_is_found() {
        let text = "v,v,\n1,2,3\n4,5\n6,\"7\"x,8\n9,10,11\n1,2,3,4\n";
        let faults = sheet("f.csv", text, &["v"]).unwrap_err();
        let all: String = faults.iter().map(|f| f.to_string()).collect();
        for part in [
            "f.csv:3:4",
            "line 3 has 2 fields where the header has 3",
            "f.csv:4:6",
            "text behind a closing quote",
            "line 6 has 4 fields",
            "the column name `v` is there twice",
            "f.csv:1:3",
        ] {
            assert!(all.contains(part), "{part}: {all}");
        }
        assert_eq!(faults.len(), 4);
        for (text, part) in [
            ("", "the file is empty"),
            ("\n\r\n", "the file is empty"),
            ("v\n", "a header but no rows"),
            ("v", "a header but no rows"),
            ("v\n\"1\n2\n3\n", "never closes"),
        ] {
            let faults = sheet("f.csv", text, &["v"]).unwrap_err();
            assert!(faults[0].message.contains(part), "{text:?}: {faults:?}");
        }
        let many: String = (0..30).map(|_| "1,2\n").collect();
        let faults = sheet("f", &format!("v\n{many}"), &[]).unwrap_err();
        assert_eq!(faults.len(), 11);
        assert!(faults[10].message.starts_with("30 rows of another length"));
    }
}
