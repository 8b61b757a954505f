//! Everything that can be named in a file or on the command line, straight from the registries: what it is, its formula and source, its
//! keys, and an example that a file can hold.
//!
//! A newcomer of a registry is here without another line; a new registry is one line of [`FAMILIES`]. A test parses every example.

mod analyses;
mod questions;
mod releases;
mod synonyms;

use crate::config::schema::{self, Key, Section};
use epsweep_core::about::About;

pub use synonyms::meant;

/// A member of a registry.
#[derive(Clone, Debug)]
pub struct Entry {
    /// name, summary, formula, source
    pub about: &'static About,
    /// its parameters
    pub keys: Vec<Key>,
    /// lines of a file, or of a shell where the family is of the command line
    pub example: String,
    /// what else should be known, a sentence each
    pub notes: Vec<String>,
}

impl Entry {
    /// Without parameters.
    fn plain(about: &'static About, example: String) -> Entry {
        Entry {
            about,
            keys: Vec::new(),
            example,
            notes: Vec::new(),
        }
    }
}

/// A registry.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// what it is called, in the plural
    pub name: &'static str,
    /// what its members are
    pub summary: &'static str,
    /// where they are named
    pub place: &'static str,
    /// whether the examples are command lines
    pub shell: bool,
    members: fn() -> Vec<Entry>,
}

impl Family {
    /// Its members, in the registry's order.
    pub fn members(&self) -> Vec<Entry> {
        (self.members)()
    }
}

const fn family(
    name: &'static str,
    summary: &'static str,
    place: &'static str,
    members: fn() -> Vec<Entry>,
) -> Family {
    Family {
        name,
        summary,
        place,
        shell: false,
        members,
    }
}

/// All registries, in the order in which they are listed.
pub const FAMILIES: &[Family] = &[
    family(
        "procedures",
        "what one trial does with its budget",
        "the section [procedure.NAME]",
        questions::procedures,
    ),
    family(
        "queries",
        "what is asked of the data",
        "a key of [[query]]",
        releases::queries,
    ),
    family(
        "steps",
        "what is done to a released answer",
        "`postprocess` of a [[query]]",
        releases::steps,
    ),
    family(
        "strategies",
        "ways to measure a histogram for range queries",
        "`strategy` of `range-queries`",
        releases::strategies,
    ),
    family(
        "noises",
        "noise mechanisms",
        "`noise` of [procedure.release]",
        releases::noises,
    ),
    family(
        "allocations",
        "ways of dividing a budget",
        "`allocation` of [procedure.release]",
        releases::allocations,
    ),
    family(
        "compositions",
        "how the losses of a release's queries add up",
        "`composition` of [budget]",
        releases::compositions,
    ),
    family(
        "mechanisms",
        "ways to choose candidates",
        "`mechanism` of [procedure.select]",
        analyses::mechanisms,
    ),
    family(
        "gates",
        "ways to tell queries above a threshold, and broken ones as controls",
        "`gate` of [procedure.stream]",
        analyses::gates,
    ),
    family(
        "policies",
        "ways of spending a budget along a stream",
        "`policy` of [procedure.stream]",
        analyses::policies,
    ),
    family(
        "sequences",
        "generated streams",
        "`sequence` of [procedure.stream]",
        analyses::sequences,
    ),
    family(
        "schedules",
        "how the steps of a training share the budget",
        "`schedule` of [procedure.train]",
        analyses::schedules,
    ),
    family(
        "accountants",
        "methods of counting what releases cost together",
        "`accountant` of [procedure.compose], and `epsweep account`",
        analyses::accountants,
    ),
    family(
        "losses",
        "releases that can be counted",
        "`release` of [procedure.compose], and `epsweep account`",
        analyses::losses,
    ),
    Family {
        shell: true,
        ..family(
            "objectives",
            "what a division of the budget can make small",
            "`epsweep allocate --objective`",
            releases::objectives,
        )
    },
    family(
        "measures",
        "numbers computed in each trial",
        "`measures`, claims and figures",
        questions::measures,
    ),
    family(
        "figures",
        "what can be drawn",
        "`kind` of [[figure]]",
        questions::figures,
    ),
    family(
        "audits",
        "mechanisms that can be audited",
        "the section [mechanism.NAME] of an audit file",
        questions::audits,
    ),
    family(
        "guarantees",
        "what can be claimed of an audited mechanism",
        "[claim] of an audit file",
        questions::guarantees,
    ),
];

/// The registry of that name.
pub fn named(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

/// Every member of that name, with its registry: a name can be in several.
pub fn find(name: &str) -> Vec<(&'static Family, Entry)> {
    let of = |family: &'static Family| {
        let members = family.members().into_iter();
        members.map(move |entry| (family, entry))
    };
    (FAMILIES.iter().flat_map(of))
        .filter(|(_, entry)| entry.about.name == name)
        .collect()
}

/// The section of an experiment file of that name: `data`, `query`, `release`, …
pub fn section(name: &str) -> Option<Section> {
    let bare = name.trim_matches(['[', ']']);
    let bare = bare.strip_prefix("procedure.").unwrap_or(bare);
    (schema::sections().into_iter()).find(|section| section.name == bare)
}
