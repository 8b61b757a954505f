//! Names and parameters of the registries, as shapes.

use super::{ANY, Key, NOT_NEGATIVE, OPEN, POSITIVE, Shape, Table, Word, key, list, need, table};
use crate::measure;
use epsweep_core::about::About;
use epsweep_core::query::{Parameter, ParameterKind};
use epsweep_core::stream::parameter::{self, Range};

/// The names of a registry.
pub fn members<'a>(abouts: impl IntoIterator<Item = &'a About>) -> Shape {
    Shape::Name(abouts.into_iter().map(word).collect())
}

fn word(about: &About) -> Word {
    Word {
        name: about.name.to_owned(),
        about: about.summary.to_owned(),
    }
}

/// All measures.
pub(super) fn measures() -> Shape {
    members(measure::REGISTRY.iter().map(|measure| measure.about()))
}

/// The parameters of a query, a step or an audited mechanism.
pub fn parameters(parameters: &[Parameter]) -> Vec<Key> {
    let of = |parameter: &Parameter| {
        let shape = match parameter.kind {
            ParameterKind::Column | ParameterKind::Predicate => Shape::Text,
            ParameterKind::Number => ANY,
            ParameterKind::Numbers => list(ANY),
            ParameterKind::Matrix => list(list(ANY)),
            ParameterKind::Texts => list(Shape::Text),
            ParameterKind::Choice(names) => Shape::Name(
                (names.iter())
                    .map(|name| Word {
                        name: (*name).to_owned(),
                        about: String::new(),
                    })
                    .collect(),
            ),
        };
        key(parameter.name, shape, parameter.summary)
    };
    parameters.iter().map(of).collect()
}

/// The parameters of a policy or a sequence.
pub fn settable(parameters: &[parameter::Parameter]) -> Vec<Key> {
    let of = |parameter: &parameter::Parameter| {
        let shape = match parameter.range {
            Range::Finite => ANY,
            Range::NonNegative => NOT_NEGATIVE,
            Range::Positive => POSITIVE,
            Range::Open => OPEN,
            Range::Count => Shape::Whole(1, 1_000_000),
        };
        let default = match parameter.default {
            Some(default) => format!("; {} without it", crate::config::number::label(default)),
            None => String::new(),
        };
        key(
            parameter.name,
            shape,
            &format!("{}{default}", parameter.summary),
        )
    };
    parameters.iter().map(of).collect()
}

/// A member of a registry with parameters: its name, or a table with the name and the parameters.
pub(super) fn with_parameters(known: &[(&About, &[parameter::Parameter])]) -> Shape {
    let mut forms = vec![members(known.iter().map(|(about, _)| *about))];
    for (about, parameters) in known {
        let name = Shape::Name(vec![word(about)]);
        let mut keys = vec![need("name", name, about.summary)];
        keys.extend(settable(parameters));
        forms.push(table(keys));
    }
    Shape::Either(forms)
}

/// One of the tables that have the name of a kind and its parameters behind it.
pub(crate) fn kinds(kinds: impl IntoIterator<Item = (&'static About, Vec<Key>)>) -> Vec<Key> {
    let of = |(about, keys): (&'static About, Vec<Key>)| {
        let text = match about.formula {
            "" => about.summary.to_owned(),
            formula => format!("{}. {formula}", about.summary),
        };
        key(about.name, Shape::Table(Table::new(keys)), &text)
    };
    kinds.into_iter().map(of).collect()
}
