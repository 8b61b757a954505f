//! From the bytes of a file to its text, or to where they stop being text.

use super::diagnostic::{Diagnostic, Diagnostics, Position};
use super::file;

/// The name and the text of a TOML file; `what` says in messages what it is.
///
/// # Errors
/// Says why it cannot be read, or where it stops being UTF-8.
pub fn read(path: &std::path::Path, what: &str) -> Result<(String, String), Diagnostics> {
    let name = path.display().to_string();
    let bytes = file::read(path, file::MOST_SETTINGS).map_err(|error| {
        let fault = Diagnostic::of_file(&name, format!("cannot read {what}: {error}"));
        Diagnostics::one(fault.rule("the path of a TOML file"))
    })?;
    let text = decode(&name, &bytes).map_err(|fault| Diagnostics::one(*fault))?;
    let text = text.to_owned();
    Ok((name, text))
}

/// Text of a file: UTF-8 without its byte order mark.
///
/// # Errors
/// Where the text stops being UTF-8, with the line as far as it can be read.
pub fn decode<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Box<Diagnostic>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => Err(Box::new(not_utf8(name, bytes, error.valid_up_to()))),
    }
}

/// Every line of a text that is not UTF-8, up to a number of them; empty where all of it is.
pub fn undecodable(name: &str, bytes: &[u8], most: usize) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut from = 0;
    while faults.len() < most
        && let Err(error) = std::str::from_utf8(&bytes[from..])
    {
        let at = from + error.valid_up_to();
        faults.push(not_utf8(name, bytes, at));
        if is_utf16(bytes) {
            break;
        }
        // one fault a line
        match bytes[at..].iter().position(|byte| *byte == b'\n') {
            Some(end) => from = at + end + 1,
            None => break,
        }
    }
    faults
}

/// Whether a text begins with the byte order mark of UTF-16, in either order.
fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

fn not_utf8(name: &str, bytes: &[u8], at: usize) -> Diagnostic {
    let start = bytes[..at]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |found| found + 1);
    let end = bytes[at..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(bytes.len(), |length| at + length);
    let rule = "the file must be UTF-8 text";
    if is_utf16(bytes) {
        return Diagnostic::of_file(name, "the file is UTF-16 text")
            .rule(rule)
            .remedy("save it again as UTF-8, for example with `iconv -f UTF-16 -t UTF-8`");
    }
    let before = String::from_utf8_lossy(&bytes[start..at]);
    let line = String::from_utf8_lossy(&bytes[start..end]);
    let mut fault = Diagnostic::of_file(
        name,
        format!("byte {at} (0x{:02X}) is not UTF-8", bytes[at]),
    );
    fault.position = Some(Position {
        line: 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count(),
        column: 1 + before.trim_start_matches('\u{feff}').chars().count(),
        length: 1,
        text: (line.trim_start_matches('\u{feff}'))
            .trim_end_matches('\r')
            .to_owned(),
    });
    fault
        .rule(rule)
        .remedy("save it again as UTF-8, for example with `iconv -f LATIN1 -t UTF-8`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_that_is_not_utf_8_is_shown_with_a_mark() {
        let bytes = b"\xef\xbb\xbfa,b\r\n1,caf\xe9,\xe9\r\n2,x\n\xff,3";
        let faults = undecodable("d.csv", bytes, 10);
        let places: Vec<(usize, usize)> = (faults.iter())
            .map(|fault| {
                fault
                    .position
                    .as_ref()
                    .map_or((0, 0), |p| (p.line, p.column))
            })
            .collect();
        assert_eq!(places, [(2, 6), (4, 1)]);
        assert!(
            faults[0]
                .to_string()
                .contains("2 | 1,caf\u{fffd},\u{fffd}\n"),
            "{}",
            faults[0]
        );
        assert_eq!(undecodable("d.csv", bytes, 1).len(), 1);
        assert!(undecodable("d.csv", "é,中\n".as_bytes(), 10).is_empty());
        // of UTF-16 every line would be one
        let wide = undecodable("d.csv", b"\xff\xfea\0\n\0b\0\n\0", 10);
        assert_eq!(wide.len(), 1);
        assert!(
            wide[0].to_string().contains("iconv -f UTF-16"),
            "{}",
            wide[0]
        );
    }

    #[test]
    fn bytes_that_are_not_text_are_named() {
        let error = decode("f.toml", b"a = 1\nb = '\xff'\n").unwrap_err();
        assert!(
            error
                .to_string()
                .contains("byte 11 (0xFF) is not UTF-8\n --> f.toml:2:6"),
            "{error}"
        );
        assert_eq!(
            decode("f", "\u{feff}a = 1\r\n".as_bytes()).unwrap(),
            "a = 1\r\n"
        );
    }
}
