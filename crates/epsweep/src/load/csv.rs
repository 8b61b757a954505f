//! Comma-separated values (RFC 4180) with the place of every field, so that a fault can be shown where it stands.
//!
//! Accepted beyond the RFC: LF line ends, a byte order mark, blanks round fields, no line end after the last row, empty lines (in a file of
//! several columns, and at the end of any). Refused: text after a closing quote, a quote that never closes, rows of another length.

use crate::config::diagnostic::{Diagnostic, Position};
use std::borrow::Cow;

/// A field with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<'a> {
    /// the text, unquoted, without blanks round it
    pub text: Cow<'a, str>,
    /// first byte of the field in the text
    pub at: usize,
    /// whether it stands in quotes
    pub quoted: bool,
}

/// A row with the line in which it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// line, from 1
    pub line: usize,
    /// first byte of the row
    pub at: usize,
    /// the fields, at least one
    pub fields: Vec<Field<'a>>,
}

impl Row<'_> {
    /// Whether nothing stands on the line.
    fn is_empty(&self) -> bool {
        matches!(self.fields.as_slice(), [one] if one.text.is_empty() && !one.quoted)
    }
}

/// Splits a text into rows. A fault ends the row, and the reading goes on with the next line.
#[derive(Debug)]
pub struct Rows<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Rows<'a> {
    /// Of a text without byte order mark.
    pub fn new(text: &'a str) -> Self {
        Rows {
            text,
            at: 0,
            line: 1,
        }
    }
}

/// What breaks a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// what is wrong
    pub message: &'static str,
    /// line, from 1
    pub line: usize,
    /// the byte at which it is wrong
    pub at: usize,
}

impl<'a> Iterator for Rows<'a> {
    type Item = Result<Row<'a>, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.text.len() {
            return None;
        }
        let bytes = self.text.as_bytes();
        let mut row = Row {
            line: self.line,
            at: self.at,
            fields: Vec::new(),
        };
        loop {
            let field_at = self.at;
            let blanks = bytes[self.at..]
                .iter()
                .take_while(|b| matches!(b, b' ' | b'\t'))
                .count();
            let field = if bytes.get(self.at + blanks) == Some(&b'"') {
                let open = self.at + blanks;
                match self.quoted(open) {
                    Ok(text) => Field {
                        text,
                        at: open,
                        quoted: true,
                    },
                    Err(broken) => return Some(Err(broken)),
                }
            } else {
                let rest = &self.text[self.at..];
                let end = rest.find([',', '\n']).unwrap_or(rest.len());
                self.at += end;
                let text = rest[..end].trim();
                Field {
                    text: Cow::Borrowed(text),
                    at: field_at + blanks.min(end),
                    quoted: false,
                }
            };
            row.fields.push(field);
            match bytes.get(self.at) {
                Some(b',') => self.at += 1,
                _ => {
                    // the line end, or the end of the text
                    self.at += 1;
                    self.line += 1;
                    return Some(Ok(row));
                }
            }
        }
    }
}

impl<'a> Rows<'a> {
    /// Reads a field in quotes and stops at the comma or line end behind it.
    fn quoted(&mut self, open: usize) -> Result<Cow<'a, str>, Broken> {
        let bytes = self.text.as_bytes();
        let line = self.line;
        let mut out: Cow<'a, str> = Cow::Borrowed("");
        let mut from = open + 1;
        loop {
            let Some(length) = self.text[from..].find('"') else {
                self.at = self.text.len();
                return Err(Broken {
                    message: "a quote that never closes",
                    line,
                    at: open,
                });
            };
            let close = from + length;
            let piece = &self.text[from..close];
            self.line += piece.bytes().filter(|byte| *byte == b'\n').count();
            if out.is_empty() {
                out = Cow::Borrowed(piece);
            } else {
                out.to_mut().push_str(piece);
            }
            from = close + 1;
            if bytes.get(from) == Some(&b'"') {
                out.to_mut().push('"');
                from += 1;
                continue;
            }
            let rest = &self.text[from..];
            let end = rest.find([',', '\n']).unwrap_or(rest.len());
            if !rest[..end].trim().is_empty() {
                let message = "text behind a closing quote";
                let broken = Broken {
                    message,
                    line: self.line,
                    at: from,
                };
                self.at = from + rest.find('\n').map_or(rest.len(), |at| at + 1);
                self.line += 1;
                return Err(broken);
            }
            self.at = from + end;
            return Ok(match out {
                Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
                Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
            });
        }
    }
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

/// A file's header and rows, every row as long as the header.
#[derive(Debug)]
pub struct Sheet<'a> {
    /// the column names
    pub header: Vec<String>,
    /// the rows
    pub rows: Vec<Row<'a>>,
}

/// Most faults of one kind that are shown one by one.
pub const SHOWN: usize = 10;

/// Reads a sheet.
///
/// # Errors
/// An empty file, a header alone, names that are repeated or empty, rows of another length, broken quotes: all of them, of each kind the
/// first ten.
pub fn sheet<'a>(file: &str, text: &'a str) -> Result<Sheet<'a>, Vec<Diagnostic>> {
    let mut faults: Vec<Diagnostic> = Vec::new();
    let place = |message: String, line: usize, at: usize, length: usize| {
        let mut fault = Diagnostic::of_file(file, message);
        fault.position = Some(position(text, line, at, length));
        fault
    };
    let mut header: Option<Row<'a>> = None;
    let mut rows: Vec<Row<'a>> = Vec::new();
    let (mut ragged, mut broken) = (0, 0);
    // in a file of one column an empty line is an empty value, except at the end
    let mut empty: Vec<Row<'a>> = Vec::new();
    for row in Rows::new(text) {
        match row {
            Err(fault) => {
                broken += 1;
                if broken <= SHOWN {
                    faults.push(place(fault.message.to_owned(), fault.line, fault.at, 1).rule(
                        "a quoted field ends with a quote; a quote inside is written twice (\"\")",
                    ));
                }
            }
            Ok(row) if row.is_empty() => {
                if matches!(&header, Some(header) if header.fields.len() == 1) {
                    empty.push(row);
                }
            }
            Ok(row) => match &header {
                None => header = Some(row),
                Some(header) if header.fields.len() == row.fields.len() => {
                    rows.append(&mut empty);
                    rows.push(row);
                }
                Some(header) => {
                    ragged += 1;
                    if ragged <= SHOWN {
                        let message = format!(
                            "line {} has {} fields where the header has {}",
                            row.line,
                            row.fields.len(),
                            header.fields.len()
                        );
                        faults.push(place(message, row.line, row.at, 1).remedy(
                            "complete the row; write numbers without thousands separators, and put text that holds a comma in quotes",
                        ));
                    }
                }
            },
        }
    }
    for (count, what) in [
        (ragged, "rows of another length"),
        (broken, "broken quotes"),
    ] {
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
            for (i, field) in header.fields.iter().enumerate() {
                let length = field.text.chars().count();
                let twice = header.fields[..i].iter().any(|f| f.text == field.text);
                if field.text.is_empty() {
                    let message = format!("column {} has no name", i + 1);
                    faults.push(place(message, header.line, field.at, 1));
                } else if twice {
                    let message = format!("the column name `{}` is there twice", field.text);
                    faults.push(place(message, header.line, field.at, length));
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
        }),
        _ => Err(faults),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<Vec<String>> {
        Rows::new(text)
            .map(|row| {
                row.unwrap()
                    .fields
                    .into_iter()
                    .map(|f| f.text.into_owned())
                    .collect()
            })
            .collect()
    }

    #[test]
    fn quotes_blanks_and_line_ends() {
        assert_eq!(
            fields("a,b\r\n1,x\r\n2, y"),
            [["a", "b"], ["1", "x"], ["2", "y"]]
        );
        assert_eq!(
            fields(
                "v , l\n +1 ,\"a, b\"\n2,\"one\ntwo\"\n3,\"he \"\"x\"\"\" \n4,\"\"\"\"\n5,\"\"\n"
            ),
            [
                ["v", "l"],
                ["+1", "a, b"],
                ["2", "one\ntwo"],
                ["3", "he \"x\""],
                ["4", "\""],
                ["5", ""]
            ]
        );
        let sheet = sheet("f", "v,l\n1,\"a\nb\"\n\n2,c\n\n\n").unwrap();
        let lines: Vec<_> = sheet.rows.iter().map(|row| row.line).collect();
        assert_eq!(lines, [2, 5]);
    }

    #[test]
    fn an_empty_line_is_a_value_only_where_there_is_one_column() {
        assert_eq!(sheet("f", "v\n1\n\n2\n\n").unwrap().rows.len(), 3);
        assert_eq!(sheet("f", "v,w\n1,1\n\n2,2\n\n").unwrap().rows.len(), 2);
    }

    #[test]
    fn every_fault_of_a_file_is_found() {
        let text = "v,v,\n1,2,3\n4,5\n6,\"7\"x,8\n9,10,11\n1,2,3,4\n";
        let faults = sheet("f.csv", text).unwrap_err();
        let all: String = faults.iter().map(|f| f.to_string()).collect();
        for part in [
            "f.csv:3:1",
            "line 3 has 2 fields where the header has 3",
            "f.csv:4:6",
            "text behind a closing quote",
            "line 6 has 4 fields",
            "the column name `v` is there twice",
            "f.csv:1:3",
            "column 3 has no name",
        ] {
            assert!(all.contains(part), "{part}: {all}");
        }
        assert_eq!(faults.len(), 5);
        for (text, part) in [
            ("", "the file is empty"),
            ("\n\r\n", "the file is empty"),
            ("v\n", "a header but no rows"),
            ("v", "a header but no rows"),
            ("v\n\"1\n2\n3\n", "never closes"),
        ] {
            let faults = sheet("f.csv", text).unwrap_err();
            assert!(faults[0].message.contains(part), "{text:?}: {faults:?}");
        }
        let many: String = (0..30).map(|_| "1,2\n").collect();
        let faults = sheet("f", &format!("v\n{many}")).unwrap_err();
        assert_eq!(faults.len(), 11);
        assert!(faults[10].message.starts_with("30 rows of another length"));
    }
}
