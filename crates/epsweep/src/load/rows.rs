//! Comma-separated values (RFC 4180) with the place of every field, so that a fault can be shown where it stands.
//!
//! Accepted beyond the RFC: LF line ends, a byte order mark, blanks round fields, no line end after the last row, empty lines (in a file of
//! several columns, and at the end of any). Refused: text after a closing quote, a quote that never closes, rows of another length, a
//! carriage return inside a line, which other readers take for a line end.

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
    pub fn is_empty(&self) -> bool {
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

/// Whether a line ends there or not is taken in two ways.
pub const CARRIAGE_RETURN: &str = "a carriage return inside a line";

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
                // that of CRLF is no part of the field
                let text = match rest[end..].starts_with('\n') {
                    true => rest[..end].strip_suffix('\r').unwrap_or(&rest[..end]),
                    false => &rest[..end],
                };
                if let Some(inside) = text.find('\r') {
                    let broken = Broken {
                        message: CARRIAGE_RETURN,
                        line: self.line,
                        at: field_at + inside,
                    };
                    let rest = &self.text[self.at..];
                    self.at += rest.find('\n').map_or(rest.len(), |at| at + 1);
                    self.line += 1;
                    return Some(Err(broken));
                }
                let text = text.trim();
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
    }
}
