//! `[procedure]`: what a trial does with its budget. One section, [`Kind::name`] its name; without any, a release.

use super::diagnostic::Sink;
use super::source::Span;
use super::value::Value;
use crate::study::Kind;

/// Which procedure an experiment has, and where its section stands.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// the procedure
    pub kind: Kind,
    /// its section; `None` where the file has none, which means the defaults
    pub section: Option<&'a Value>,
    /// where the section stands, or would stand
    pub span: Span,
}

/// Reads which procedure is chosen: exactly one, or none for a release.
pub fn read<'a>(value: Option<&'a Value>, root: Span, sink: &'a Sink) -> Option<Chosen<'a>> {
    let Some(value) = value else {
        return Some(Chosen {
            kind: Kind::default(),
            section: None,
            span: root,
        });
    };
    let reader = value.reader(sink, "[procedure]")?;
    let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    // what is there instead is an unknown key
    let procedure = reader.one_of("a procedure", &names);
    reader.finish();
    let (which, section) = procedure?;
    Some(Chosen {
        kind: Kind::ALL[which],
        section: Some(section),
        span: section.span,
    })
}
