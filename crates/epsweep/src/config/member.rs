//! Members of a registry with parameters, by name: a text, or a table with the name and the parameters.

use super::diagnostic::Sink;
use super::value::{Kind, Value};
use epsweep_core::stream::parameter::Parameter;

/// The place of the member in the list, and a value for each of its parameters.
pub fn read(
    given: &Value,
    sink: &Sink,
    what: &str,
    known: &[(&str, &[Parameter])],
) -> Option<(usize, Vec<f64>)> {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let which = |name: &Value| {
        let name = name.choice(sink, what, &names)?;
        names.iter().position(|known| *known == name)
    };
    let Kind::Table(_) = given.kind else {
        let which = which(given)?;
        let (name, parameters) = known[which];
        let defaults: Option<Vec<f64>> = parameters.iter().map(|p| p.default).collect();
        if defaults.is_none() {
            let lacking = parameters.iter().find(|p| p.default.is_none());
            let lacking = lacking.map_or("", |parameter| parameter.name);
            (sink.fault(
                given.span,
                format!("`{name}` lacks its parameter `{lacking}`"),
            ))
            .remedy(format!("write {{ name = \"{name}\", {lacking} = … }}"))
            .report();
        }
        return Some((which, defaults?));
    };
    let reader = given.reader(sink, what)?;
    let which = reader.need("name").and_then(which);
    let Some(which) = which else {
        // its keys depend on the name
        return None;
    };
    let values: Vec<Option<f64>> = (known[which].1.iter())
        .map(|parameter| match reader.get(parameter.name) {
            None if parameter.default.is_none() => {
                reader.need(parameter.name);
                None
            }
            None => parameter.default,
            Some(given) => {
                let number = given.finite(sink)?;
                if !parameter.range.holds(number) {
                    (sink.fault(given.span, format!("`{}` is {given}", parameter.name)))
                        .rule(parameter.range.rule())
                        .report();
                    return None;
                }
                Some(number)
            }
        })
        .collect();
    reader.finish();
    let values: Option<Vec<f64>> = values.into_iter().collect();
    Some((which, values?))
}
