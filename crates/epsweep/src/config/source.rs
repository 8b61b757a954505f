//! The texts that values come from, and positions in them.

use super::diagnostic::Position;

/// A stretch of one of the texts of a [`Sources`], in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// index of the text: 0 is the experiment file, the others are values given on the command line
    pub source: usize,
    /// first byte
    pub start: usize,
    /// byte after the last
    pub end: usize,
}

impl Span {
    /// The stretch from the start of `self` to the start of `self`: a point.
    pub fn point(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }
}

/// A text with its name.
#[derive(Clone, Debug)]
pub struct Source {
    /// how messages call it: a path, or `--set PATH`
    pub name: String,
    /// the text, without a byte order mark
    pub text: String,
}

/// All texts that an experiment is read from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<Source>,
}

impl Sources {
    /// Adds a text and gives its index.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        self.texts.push(Source {
            name: name.into(),
            text: text.into(),
        });
        self.texts.len() - 1
    }

    /// The text with that index.
    pub fn get(&self, source: usize) -> &Source {
        &self.texts[source]
    }

    /// The characters in a stretch.
    pub fn text(&self, span: Span) -> &str {
        self.texts[span.source]
            .text
            .get(span.start..span.end)
            .unwrap_or("")
    }

    /// Line, column and the line's text, for a message.
    pub fn position(&self, span: Span) -> Position {
        let text = &self.texts[span.source].text;
        let mut start = span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line_text = text[line_start..line_end].trim_end_matches('\r');
        let marked = text.get(start..span.end.min(line_end)).unwrap_or("");
        Position {
            line: 1 + text[..line_start].matches('\n').count(),
            column: 1 + text[line_start..start].chars().count(),
            length: marked.trim_end_matches('\r').chars().count().max(1),
            text: line_text.to_owned(),
        }
    }
}
