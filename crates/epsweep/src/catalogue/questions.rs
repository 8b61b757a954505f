//! What experiments and audits are about, measure and draw.

use super::Entry;
use crate::config::schema::{Key, parameters};
use crate::study::Kind;
use crate::{audit, figure, measure};
use epsweep_core::audit::{reading, subject};

/// The keys of a section.
fn keys_of(section: &str) -> Vec<Key> {
    let section = super::section(section);
    let table = section.and_then(|section| Some(section.shape.tables().first()?.keys.clone()));
    table.unwrap_or_default()
}

pub(super) fn procedures() -> Vec<Entry> {
    let of = |kind: &Kind| Entry {
        keys: keys_of(kind.name()),
        ..Entry::plain(kind.about(), kind.example().to_owned())
    };
    Kind::ALL.iter().map(of).collect()
}

pub(super) fn measures() -> Vec<Entry> {
    let of = |measure: &&'static dyn measure::Measure| {
        let about = measure.about();
        let mut notes = Vec::new();
        if !measure.by_default() {
            notes.push("Reported only where `measures` names it.".to_owned());
        }
        if !measure.compared() {
            notes.push("Cells are not compared by it.".to_owned());
        }
        Entry {
            notes,
            ..Entry::plain(about, format!("measures = [\"{}\"]\n", about.name))
        }
    };
    measure::REGISTRY.iter().map(of).collect()
}

pub(super) fn figures() -> Vec<Entry> {
    let of = |kind: &&'static dyn figure::FigureKind| {
        let about = kind.about();
        let mut notes = Vec::new();
        if kind.needs_numbers() {
            notes.push("It needs an axis of numbers.".to_owned());
        }
        Entry {
            notes,
            ..Entry::plain(about, kind.example())
        }
    };
    figure::REGISTRY.iter().map(of).collect()
}

pub(super) fn audits() -> Vec<Entry> {
    let claim = "\n[claim]\nepsilon = 1\n";
    let of = |kind: &&'static dyn subject::SubjectKind| {
        let about = kind.about();
        let example = format!("[mechanism]\n{} = {}\n{claim}", about.name, kind.example());
        Entry {
            keys: parameters(kind.parameters()),
            ..Entry::plain(about, example)
        }
    };
    let command = Entry {
        keys: audit::schema::command_keys(),
        ..Entry::plain(
            audit::command_about(),
            format!(
                "[mechanism.command]\nrun = [\"./mine.py\", \"{{input}}\", \"--runs\", \"{{runs}}\", \"--seed\", \"{{seed}}\"]\n\n[pair]\na = \"one.csv\"\nb = \"other.csv\"\n{claim}"
            ),
        )
    };
    (subject::REGISTRY.iter().map(of))
        .chain([command])
        .collect()
}

pub(super) fn guarantees() -> Vec<Entry> {
    let of = |kind: &&'static dyn reading::ReadingKind| {
        let value = |key: &str| match key {
            "delta" => "1e-6",
            "alpha" => "2",
            _ => "1",
        };
        let lines: String = (kind.keys().iter())
            .map(|key| format!("{key} = {}\n", value(key)))
            .collect();
        Entry::plain(kind.about(), format!("[claim]\n{lines}"))
    };
    reading::REGISTRY.iter().map(of).collect()
}
