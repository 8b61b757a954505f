//! Releases from the command line and from a file.

use super::super::{Failure, unknown};
use super::Account;
use crate::config::diagnostic::{Diagnostics, Sink};
use crate::config::mechanisms::{self, KINDS, MOST};
use crate::config::source::Sources;
use crate::config::value::Value;
use crate::config::{Diagnostic, document, encoding, file};
use crate::words::several;
use epsweep_core::accounting::Release;
use std::path::Path;

/// What is to be accounted for.
pub(super) struct Given {
    pub releases: Vec<Release>,
    pub delta: f64,
}

/// The releases of the file, then those of the command line.
pub(super) fn read(arguments: &Account) -> Result<Given, Failure> {
    let mut given = match &arguments.file {
        Some(file) => of_file(file)?,
        None => Given {
            releases: Vec::new(),
            delta: 0.0,
        },
    };
    for text in &arguments.releases {
        given.releases.push(of_text(text)?);
    }
    if let Some(delta) = arguments.delta {
        given.delta = delta;
    }
    Ok(given)
}

/// `NAME:PARAMETER,…xCOUNT`
fn of_text(text: &str) -> Result<Release, Failure> {
    let form = || {
        Failure::Argument(format!(
            "`{text}` is not a release: write NAME:PARAMETERS, and xCOUNT if it runs several times, as in laplace:0.1x100"
        ))
    };
    let (name, rest) = text.split_once(':').ok_or_else(form)?;
    let Some(kind) = KINDS.iter().find(|kind| kind.about.name == name) else {
        return Err(unknown("release", name, &mechanisms::names()));
    };
    let (numbers, count) = match rest.split_once(['x', '×', '*']) {
        None => (rest, 1),
        Some((numbers, count)) => (numbers, whole(count).ok_or_else(form)?),
    };
    let numbers: Option<Vec<f64>> = (numbers.split(','))
        .map(|number| number.trim().parse().ok())
        .collect();
    let numbers = numbers.ok_or_else(form)?;
    if numbers.len() != kind.parameters.len() {
        return Err(Failure::Argument(format!(
            "`{text}` has {}, but {} takes {}: {}",
            several(numbers.len() as u64, "parameter"),
            kind.about.name,
            kind.parameters.len(),
            kind.parameters.join(", ")
        )));
    }
    let refused = |error: &dyn std::fmt::Display| Failure::Argument(format!("`{text}`: {error}"));
    let mechanism = kind.mechanism(&numbers).map_err(|error| refused(&error))?;
    Release::repeated(mechanism, count).map_err(|error| refused(&error))
}

/// A count such as 100, 1e6 or 1_000.
fn whole(text: &str) -> Option<u64> {
    let plain = text.trim().replace('_', "");
    plain.parse().ok().or_else(|| {
        let number: f64 = plain.parse().ok()?;
        let exact = (0.0..=MOST as f64).contains(&number) && number.fract() == 0.0;
        exact.then_some(number as u64)
    })
}

fn of_file(path: &Path) -> Result<Given, Failure> {
    let name = path.display().to_string();
    let fault = |diagnostic| Failure::Input(Diagnostics::one(diagnostic));
    let bytes = file::read(path, file::MOST_SETTINGS).map_err(|error| {
        fault(Diagnostic::of_file(
            &name,
            format!("cannot read it: {error}"),
        ))
    })?;
    let text = encoding::decode(&name, &bytes).map_err(|diagnostic| fault(*diagnostic))?;
    let mut sources = Sources::default();
    let source = sources.add(&name, text);
    let root = document::parse(&sources, source)?;
    let sink = Sink::new(sources);
    let given = of_document(&root, &sink);
    sink.finish()?;
    // without a fault everything was there
    given.ok_or_else(|| fault(Diagnostic::of_file(&name, "there is no release in it")))
}

fn of_document(root: &Value, sink: &Sink) -> Option<Given> {
    let reader = root.reader(sink, "the file")?;
    let delta = match reader.get("delta") {
        None => Some(0.0),
        Some(value) => value.finite(sink),
    };
    let entries = reader.need("release").and_then(|value| value.list(sink));
    reader.finish();
    let releases: Vec<Option<Release>> = (entries?.iter())
        .map(|entry| mechanisms::release(entry, &[], sink))
        .collect();
    let releases: Option<Vec<Release>> = releases.into_iter().collect();
    Some(Given {
        releases: releases?,
        delta: delta?,
    })
}
