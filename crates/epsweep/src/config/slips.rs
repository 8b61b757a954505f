//! What is meant by a text that is no TOML, where it is one of the usual slips.

/// A slip: what is wrong, and what to write.
#[derive(Debug, PartialEq)]
pub(super) struct Slip {
    /// what is wrong
    pub message: String,
    /// what to do
    pub remedy: String,
}

fn slip(message: impl Into<String>, remedy: impl Into<String>) -> Option<Slip> {
    Some(Slip {
        message: message.into(),
        remedy: remedy.into(),
    })
}

/// Quotes that word processors and web pages put in place of straight ones.
const CURLY: &[char] = &['“', '”', '„', '‘', '’', '‚', '«', '»'];

/// What the parser says of a key that is there already.
pub(super) const DUPLICATE: &str = "duplicate key";

/// The list of tables whose header, in single brackets, a line is.
fn list_in_single_brackets(line: &str) -> Option<&'static str> {
    let name = line.trim().strip_prefix('[')?.split(']').next()?.trim();
    let sections = super::schema::sections();
    let section = sections.iter().find(|section| section.name == name)?;
    (section.header.starts_with("[[")).then_some(section.name)
}

/// What the parser's complaint about a stretch of a text, which begins in `line`, comes from.
pub(super) fn slip_of(
    text: &str,
    line: &str,
    (start, end): (usize, usize),
    said: &str,
) -> Option<Slip> {
    if let Some(key) = lacks_value(line) {
        return slip(
            format!("there is no value behind `{key} =`"),
            "write one (a text stands in quotes), or leave the key out",
        );
    }
    if said == DUPLICATE {
        if let Some(name) = list_in_single_brackets(line) {
            return slip(
                format!("`[{name}]` is there twice"),
                format!("each of several begins with `[[{name}]]`"),
            );
        }
        let what = line.trim_start().starts_with('[').then_some("section");
        return slip(
            format!(
                "the {} `{}` is there twice",
                what.unwrap_or("key"),
                text.get(start..end).unwrap_or("")
            ),
            "leave one of the two out",
        );
    }
    // the parser points behind what it has understood, if anything
    let from = text.get(start..).unwrap_or("");
    let found = text.get(start..end).unwrap_or("");
    if from.starts_with(CURLY) || found.contains(CURLY) {
        return slip(
            "texts stand in straight quotes, and these are curly ones",
            "write \" or ' in their place",
        );
    }
    if said.contains("escape") || said.contains("unicode value") {
        return slip(
            "in double quotes a backslash begins an escape such as \\n or \\u00e9",
            "write a path with `/`, or in single quotes: 'C:\\Users\\…'",
        );
    }
    if !said.contains("must be quoted") {
        return None;
    }
    let bare = found.trim();
    if let Some(number) = (bare.strip_suffix('%')).and_then(|part| part.trim().parse::<f64>().ok())
    {
        return slip(
            format!("`{bare}` is no number"),
            format!("write {}", super::number::label(number / 100.0)),
        );
    }
    if bare.is_empty() || bare.contains(['"', '\'']) {
        return None;
    }
    slip(
        format!("`{bare}` is neither a number nor a text"),
        format!("a text stands in quotes: \"{bare}\""),
    )
}

/// The key behind whose `=` nothing stands in a line.
fn lacks_value(line: &str) -> Option<&str> {
    let (key, value) = line.split_once('=')?;
    let value = value.trim();
    (value.is_empty() || value.starts_with('#')).then(|| key.trim())
}
