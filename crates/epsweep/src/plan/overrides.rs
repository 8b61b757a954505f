//! Values of the command line, put into the tree of the file before it is read.

use crate::config::diagnostic::{Diagnostic, Diagnostics, Sink};
use crate::config::path::Path;
use crate::config::source::{Sources, Span};
use crate::config::value::Value;
use crate::config::{document, sweep};

/// Values that take the place of those in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    list: Vec<Override>,
}

#[derive(Clone, Debug, PartialEq)]
struct Override {
    origin: String,
    path: String,
    value: String,
}

impl Overrides {
    /// With a value, in TOML, at a dotted path or under a short name (`--set PATH=VALUE`); a bare word or path is a text.
    #[must_use]
    pub fn set(self, path: impl Into<String>, value: impl Into<String>) -> Self {
        let path = path.into();
        self.with(format!("--set {path}"), path, value.into())
    }

    /// With a seed (`--seed`).
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        self.with("--seed".to_owned(), "seed".to_owned(), seed.to_string())
    }

    /// With a number of trials (`--trials`).
    #[must_use]
    pub fn trials(self, trials: u64) -> Self {
        self.with(
            "--trials".to_owned(),
            "trials".to_owned(),
            trials.to_string(),
        )
    }

    fn with(mut self, origin: String, path: String, value: String) -> Self {
        self.list.push(Override {
            origin,
            path,
            value,
        });
        self
    }

    /// Adds the texts to the sources and reads them.
    ///
    /// # Errors
    /// Every path and every value that cannot be read.
    pub(crate) fn parse(&self, sources: &mut Sources) -> Result<Vec<(Path, Value)>, Diagnostics> {
        self.parse_by(Path::parse, sources)
    }

    /// The same for a file that is no experiment, where short names stand for nothing.
    ///
    /// # Errors
    /// Every path and every value that cannot be read.
    pub(crate) fn parse_whole(
        &self,
        sources: &mut Sources,
    ) -> Result<Vec<(Path, Value)>, Diagnostics> {
        self.parse_by(Path::parse_whole, sources)
    }

    fn parse_by(
        &self,
        read: fn(&str) -> Result<Path, String>,
        sources: &mut Sources,
    ) -> Result<Vec<(Path, Value)>, Diagnostics> {
        let mut out = Vec::new();
        let mut faults = Vec::new();
        for given in &self.list {
            let path = read(&given.path).map_err(|message| {
                let fault = Diagnostic::of_file(&given.origin, format!("no path: {message}"));
                Diagnostics::one(
                    fault.rule("dotted keys, as in budget.epsilon or query.'mean age'.weight"),
                )
            });
            let source = sources.add(&given.origin, given.value.trim());
            match (path, document::parse_value(sources, source)) {
                (Ok(path), Ok(value)) => {
                    let span = Span {
                        source,
                        start: 0,
                        end: given.value.trim().len(),
                    };
                    out.push((path.at(span), value));
                }
                (path, value) => {
                    faults.extend([path.err(), value.err()].into_iter().flatten());
                }
            }
        }
        match Diagnostics::all(faults) {
            Some(faults) => Err(faults),
            None => Ok(out),
        }
    }
}

/// Puts the values in their places. One that a sweep changes anyway is a fault, since it would be without effect.
pub(crate) fn apply(root: &mut Value, overrides: &[(Path, Value)], sink: &Sink) {
    for (path, value) in overrides {
        if let Err(error) = document::set(root, path, value) {
            let fault = sink.fault(value.span, error.message);
            match error.allowed.is_empty() {
                true => fault.report(),
                false => {
                    let name = path.segments[error.at].name.clone();
                    fault.names(&name, &error.allowed).report();
                }
            }
        }
    }
    // the axes are read again with the rest, where their faults are reported
    let quiet = Sink::new(sink.sources().clone());
    for axis in sweep::read(root, &quiet) {
        for (path, value) in overrides {
            if path.overlaps(&axis.path) {
                sink.fault(
                    value.span,
                    format!("{path} is swept by the axis `{}`", axis.name),
                )
                .remedy(format!(
                    "set the axis instead, as in --set sweep.{}=[{value}]",
                    axis.name
                ))
                .report();
            }
        }
    }
}
