//! Values that a sweep takes the place of. No cell has them, so that nothing else reads them: a wrong one would be noticed on the day that its axis
//! is taken out.

use super::cells::Resolver;
use crate::config::diagnostic::Sink;
use crate::config::sweep::Axis;
use crate::config::value::Value;
use crate::config::{
    budget, clip_then_sum, compose, data, document, policy, procedure, queries, release, select,
    stream, train,
};
use crate::study::Kind;

impl Resolver<'_> {
    /// Checks each by itself, in a cell with the first value of every other axis: of which type it is, and whether its names are known. What it
    /// would be together with the rest is not asked: it may be a value that goes with none of the others.
    pub fn overridden(&self, axes: &[Axis]) {
        for axis in axes {
            let Some(own) = document::find(self.sections(), &axis.path) else {
                continue;
            };
            if axis.values.iter().any(|value| value.value == *own) {
                continue;
            }
            let mut tree = self.tree(&vec![0; axes.len()], axes);
            if document::set(&mut tree, &axis.path, own).is_err() {
                // said by the tree itself
                continue;
            }
            let quiet = Sink::new(self.sink.sources().clone());
            let section = (axis.path.segments.first()).map_or("", |first| first.name.as_str());
            read(&tree, section, &quiet);
            self.sink.take_from(&quiet, own.span);
        }
    }
}

/// Reads a section of a cell, and nothing with it.
fn read(tree: &Value, section: &str, sink: &Sink) {
    let of = |name: &str| tree.as_table().and_then(|table| table.get(name));
    let Some(given) = of(section) else {
        return;
    };
    // faults of the choice itself are those of a cell
    let elsewhere = Sink::new(sink.sources().clone());
    let chosen = procedure::read(of("procedure"), tree.span, &elsewhere);
    let kind = (chosen.as_ref()).map_or(Kind::default(), |chosen| chosen.kind);
    match (section, &chosen) {
        ("data", _) => drop(data::read(given, sink)),
        ("query", _) => drop(queries::read(given, sink)),
        ("budget", _) => match kind {
            Kind::Select => drop(budget::read_select(given, sink)),
            Kind::Stream => {
                let spec = (chosen.as_ref()).and_then(|chosen| stream::read(chosen, &elsewhere));
                match spec.map(|spec| spec.method) {
                    Some(stream::MethodSpec::Policy(_)) => drop(policy::read_budget(given, sink)),
                    _ => drop(stream::read_budget(given, sink)),
                }
            }
            Kind::Compose => drop(compose::read_budget(given, sink)),
            Kind::Release | Kind::Train | Kind::ClipThenSum => drop(budget::read(given, sink)),
        },
        (_, Some(chosen)) => match kind {
            Kind::Release => drop(release::read(chosen, sink)),
            Kind::Select => drop(select::read(chosen, sink)),
            Kind::Stream => drop(stream::read(chosen, sink)),
            Kind::Train => drop(train::read(chosen, sink)),
            Kind::ClipThenSum => drop(clip_then_sum::read(chosen, sink)),
            Kind::Compose => drop(compose::read(chosen, sink)),
        },
        (_, None) => {}
    }
}
