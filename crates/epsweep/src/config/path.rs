//! Dotted paths: `budget.epsilon`, `query.'mean age'.weight`, and their short names.

use super::source::Span;
use super::value::is_bare;
use std::fmt;

/// What a short name in `[sweep]`, in `--set` and in axis names stands for.
pub const SHORT_NAMES: &[(&str, &str)] = &[
    ("epsilon", "budget.epsilon"),
    ("delta", "budget.delta"),
    ("rho", "budget.rho"),
    ("composition", "budget.composition"),
    ("noise", "procedure.release.noise"),
    ("allocation", "procedure.release.allocation"),
    ("mechanism", "procedure.select.mechanism"),
    ("form", "procedure.select.form"),
    ("k", "procedure.select.k"),
    ("gate", "procedure.stream.gate.name"),
    ("c", "procedure.stream.gate.c"),
    ("schedule", "procedure.train.schedule"),
    ("policy", "procedure.stream.policy"),
    ("sequence", "procedure.stream.sequence"),
    ("neighbours", "data.neighbours"),
    ("missing", "data.missing"),
    ("csv", "data.csv"),
];

/// One key of a path.
#[derive(Clone, Debug)]
pub struct Segment {
    /// the key
    pub name: String,
    /// where it stands in a file, if it does
    pub span: Option<Span>,
}

/// Equal if the names are, wherever they stand.
impl PartialEq for Segment {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// A place in an experiment file.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// the keys from the root; never empty
    pub segments: Vec<Segment>,
}

impl Path {
    /// Reads a dotted path; keys with other characters than letters, digits, `_` and `-` stand in single or double quotes. Short names are
    /// replaced by what they stand for.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(text: &str) -> Result<Path, String> {
        let short = SHORT_NAMES.iter().find(|(short, _)| *short == text);
        Path::parse_whole(short.map_or(text, |(_, long)| long))
    }

    /// The same without short names, which are those of an experiment.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse_whole(text: &str) -> Result<Path, String> {
        let mut segments = Vec::new();
        let mut rest = text.trim();
        loop {
            let (name, after) = match rest.chars().next() {
                Some(quote @ ('\'' | '"')) => {
                    let inner = &rest[1..];
                    let close = inner
                        .find(quote)
                        .ok_or_else(|| format!("`{text}` lacks a closing {quote}"))?;
                    (&inner[..close], &inner[close + 1..])
                }
                _ => rest.split_at(rest.find(|c| !is_bare(c)).unwrap_or(rest.len())),
            };
            if name.is_empty() {
                return Err(format!("`{text}` has an empty key"));
            }
            segments.push(Segment {
                name: name.to_owned(),
                span: None,
            });
            let after = after.trim_start();
            if after.is_empty() {
                return Ok(Path { segments });
            }
            rest = after
                .strip_prefix('.')
                .ok_or_else(|| format!("`{text}` needs quotes round a key with other characters than letters, digits, `_` and `-`"))?
                .trim_start();
        }
    }

    /// Whether one of the two is the other or lies inside it.
    pub fn overlaps(&self, other: &Path) -> bool {
        self.segments
            .iter()
            .zip(&other.segments)
            .all(|(a, b)| a == b)
    }

    /// The same with a position for every key.
    pub fn at(mut self, span: Span) -> Path {
        for segment in &mut self.segments {
            segment.span = Some(span);
        }
        self
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.segments.iter().enumerate() {
            let dot = if i == 0 { "" } else { "." };
            if segment.name.chars().all(is_bare) {
                write!(f, "{dot}{}", segment.name)?;
            } else {
                let quote = if segment.name.contains('\'') {
                    '"'
                } else {
                    '\''
                };
                write!(f, "{dot}{quote}{}{quote}", segment.name)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_and_print() {
        for (text, keys, printed) in [
            (
                "budget.epsilon",
                vec!["budget", "epsilon"],
                "budget.epsilon",
            ),
            ("epsilon", vec!["budget", "epsilon"], "budget.epsilon"),
            (
                "query.\"mean age\" . weight",
                vec!["query", "mean age", "weight"],
                "query.'mean age'.weight",
            ),
            (
                "query.'a.b'.weight",
                vec!["query", "a.b", "weight"],
                "query.'a.b'.weight",
            ),
        ] {
            let path = Path::parse(text).unwrap();
            let names: Vec<_> = path.segments.iter().map(|s| s.name.as_str()).collect();
            assert_eq!(names, keys);
            assert_eq!(path.to_string(), printed);
            assert_eq!(Path::parse(printed).unwrap(), path);
        }
        for text in ["", ".", "a.", "a..b", "a b", "'a", "a.'b"] {
            assert!(Path::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn overlap_is_prefix() {
        let path = |text| Path::parse(text).unwrap();
        assert!(path("budget").overlaps(&path("epsilon")));
        assert!(path("epsilon").overlaps(&path("epsilon")));
        assert!(!path("epsilon").overlaps(&path("delta")));
    }
}
