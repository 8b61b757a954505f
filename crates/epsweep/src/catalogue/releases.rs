//! What a release names.

use super::Entry;
use crate::config::noise::NoiseSpec;
use crate::config::release::ORACLES;
use crate::config::schema::parameters;
use epsweep_core::accounting::Composition;
use epsweep_core::allocation::{self, solver};
use epsweep_core::{postprocess, query, workload};

pub(super) fn queries() -> Vec<Entry> {
    let of = |kind: &&dyn query::QueryKind| {
        let (about, example) = (kind.about(), kind.example());
        let name = about.name;
        Entry {
            keys: parameters(kind.parameters()),
            ..Entry::plain(
                about,
                format!("[[query]]\nname = \"my {name}\"\n{name} = {example}\n"),
            )
        }
    };
    query::REGISTRY.iter().map(of).collect()
}

pub(super) fn steps() -> Vec<Entry> {
    let of = |kind: &&dyn postprocess::StepKind| {
        let (about, example) = (kind.about(), kind.example());
        let step = match kind.parameters().is_empty() {
            true => format!("\"{}\"", about.name),
            false => format!("{{ {} = {example} }}", about.name),
        };
        let query = "histogram = { column = \"age\", edges = [0, 18, 65, 100] }";
        Entry {
            keys: parameters(kind.parameters()),
            ..Entry::plain(
                about,
                format!("[[query]]\nname = \"ages\"\n{query}\npostprocess = [{step}]\n"),
            )
        }
    };
    postprocess::REGISTRY.iter().map(of).collect()
}

pub(super) fn strategies() -> Vec<Entry> {
    let of = |kind: &&dyn workload::StrategyKind| {
        let about = kind.about();
        let example = format!(
            "[[query]]\nname = \"ranges\"\nrange-queries = {{ column = \"age\", low = 0, high = 100, bins = 8, strategy = \"{}\" }}\n",
            about.name
        );
        Entry::plain(about, example)
    };
    workload::REGISTRY.iter().map(of).collect()
}

/// A line in a section.
fn line(section: &str, key: &str, name: &str) -> String {
    format!("[{section}]\n{key} = \"{name}\"\n")
}

pub(super) fn noises() -> Vec<Entry> {
    let of = |noise: NoiseSpec| {
        let about = noise.about();
        let mut entry = Entry::plain(about, line("procedure.release", "noise", about.name));
        if noise.is_at_hand() {
            entry.notes.push(
                "For max, min, median and quantile, where neighbours are those of \"substitute\"."
                    .to_owned(),
            );
        }
        entry
    };
    NoiseSpec::all().map(of).collect()
}

pub(super) fn allocations() -> Vec<Entry> {
    let example = |name: &str| line("procedure.release", "allocation", name);
    let rules = (allocation::REGISTRY.iter())
        .map(|rule| Entry::plain(rule.about(), example(rule.about().name)));
    let oracles = ORACLES.iter().map(|oracle| Entry {
        notes: vec!["It looks at the true answers: a yardstick, and not private.".to_owned()],
        ..Entry::plain(oracle.about, example(oracle.about.name))
    });
    rules.chain(oracles).collect()
}

pub(super) fn compositions() -> Vec<Entry> {
    let of = |composition: &Composition| {
        let about = composition.about();
        let example = format!(
            "[budget]\nepsilon = 1\ndelta = 1e-6\ncomposition = \"{}\"\n",
            about.name
        );
        Entry::plain(about, example)
    };
    Composition::ALL.iter().map(of).collect()
}

pub(super) fn objectives() -> Vec<Entry> {
    let of = |objective: &&dyn solver::Objective| {
        let about = objective.about();
        let example = format!(
            "epsweep allocate --sensitivities 0.12,120,1 --magnitudes 40,120,500 --epsilon 1 --objective {}\n",
            about.name
        );
        Entry::plain(about, example)
    };
    solver::REGISTRY.iter().map(of).collect()
}
