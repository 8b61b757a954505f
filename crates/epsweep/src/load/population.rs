//! Samples of populations whose laws are documented.

use super::{Loaded, check_names, clipping};
use crate::config::data::{DataSpec, PopulationKind, Used};
use crate::config::diagnostic::Sink;
use crate::config::number::label;
use epsweep_core::data::{Column, Table, Values};
use epsweep_core::population::{
    Categories, Distribution, Law, LogNormal, Mixture, Normal, Points, Population, PopulationError,
    Uniform, census, shaped, zipf,
};
use std::sync::Arc;

/// The population in words.
fn describe(kind: &PopulationKind) -> String {
    match kind {
        PopulationKind::Census => "a census-like population".to_owned(),
        PopulationKind::Cells { shape, domain, .. } => format!("{domain} cells of shape {shape}"),
        PopulationKind::LogNormal { median, log_sd, .. } => format!(
            "log-normal values, median {}, standard deviation of the logarithm {}",
            label(*median),
            label(*log_sd)
        ),
        PopulationKind::Join { keys, exponent } => {
            format!("a join on {keys} keys, Zipf exponent {}", label(*exponent))
        }
    }
}

/// Cells of a shape on the stretch from 0 to 1.
fn cells(shape: &str, domain: usize) -> Result<Points, PopulationError> {
    let hill = |mean, sd| Ok::<Arc<dyn Law>, PopulationError>(Arc::new(Normal::new(mean, sd)?));
    match shape {
        "hill" => shaped(&*hill(0.4, 0.15)?, domain),
        "two-hills" => {
            let both = Mixture::new(vec![(2.0, hill(0.25, 0.06)?), (1.0, hill(0.7, 0.1)?)])?;
            shaped(&both, domain)
        }
        "zipf" => zipf(domain, 1.0),
        _ => shaped(&Uniform::between(0.0, 1.0)?, domain),
    }
}

/// The population, with the bounds that a file declares.
fn population(kind: &PopulationKind, spec: &DataSpec) -> Result<Population, PopulationError> {
    let one = |column: &str, law: Arc<dyn Law>| {
        let declared = spec.columns.iter().find(|known| known.name == column);
        let bounds = declared.and_then(|known| known.bounds);
        Population::new().with(column, Distribution::Number(law), bounds)
    };
    match kind {
        PopulationKind::Census => census(),
        PopulationKind::Cells {
            column,
            shape,
            domain,
        } => one(column, Arc::new(cells(shape, *domain)?)),
        PopulationKind::LogNormal {
            column,
            median,
            log_sd,
        } => one(column, Arc::new(LogNormal::new(*median, *log_sd)?)),
        PopulationKind::Join { keys, exponent } => {
            let sides = Categories::new(&[("left", 1.0), ("right", 1.0)])?;
            let uniform: Arc<dyn Law> = Arc::new(zipf(*keys, 0.0)?);
            let skewed: Arc<dyn Law> = Arc::new(zipf(*keys, *exponent)?);
            Population::new()
                .with("side", Distribution::Text(sides), None)?
                .with(
                    "key",
                    Distribution::Given {
                        on: "side".to_owned(),
                        laws: vec![("left".to_owned(), uniform), ("right".to_owned(), skewed)],
                    },
                    None,
                )
        }
    }
}

/// Draws the records.
pub(super) fn load(
    kind: &PopulationKind,
    (rows, seed): (usize, u64),
    spec: &DataSpec,
    used: &[Used],
    sink: &Sink,
) -> Option<Loaded> {
    let refuse = |error: PopulationError| {
        sink.fault(spec.span, error.to_string()).report();
    };
    let population = population(kind, spec).map_err(refuse).ok()?;
    let names: Vec<&str> = population.columns().collect();
    if !check_names(spec, used, &names, "the generated data", sink) {
        return None;
    }
    let table = population.table(rows, seed).map_err(refuse).ok()?;
    if let PopulationKind::Census = kind
        && let Some(declared) = spec.columns.iter().find(|column| column.bounds.is_some())
    {
        (sink.fault(
            declared.span,
            "the columns of the census have their bounds already",
        ))
        .rule("age 0 to 100, income 0 to 250000, household 1 to 7, hours 0 to 80")
        .report();
        return None;
    }
    for declared in &spec.columns {
        let column = table.column(&declared.name).ok()?;
        let text = matches!(column.values(), Values::Text(_));
        if text != declared.text && (text || declared.text) {
            let is = if text { "text" } else { "numbers" };
            let message = format!("column `{}` is generated: it holds {is}", declared.name);
            sink.fault(declared.span, message).report();
            return None;
        }
    }
    // the columns that are used; one at least, to have rows
    let keep = |column: &&Column| used.iter().any(|used| used.name == column.name());
    let mut columns: Vec<Column> = table.columns().iter().filter(keep).cloned().collect();
    if columns.is_empty() {
        columns.extend(table.columns().first().cloned());
    }
    let mut hasher = blake3::Hasher::new();
    for column in &columns {
        hasher.update(column.name().as_bytes());
        match column.values() {
            Values::Number(values) => values.iter().for_each(|value| {
                hasher.update(&value.to_le_bytes());
            }),
            Values::Text(texts) => texts.iter().for_each(|text| {
                hasher.update(text.as_bytes()).update(&[0]);
            }),
        }
    }
    let warnings = columns.iter().flat_map(clipping).collect();
    let table = Table::new(columns)
        .map_err(|error| sink.fault(spec.span, error.to_string()).report())
        .ok()?;
    Some(Loaded {
        table: Arc::new(table),
        source: format!("{rows} records of {}, seed {seed}", describe(kind)),
        digest: hasher.finalize().to_hex().to_string(),
        warnings,
        population: Some(population),
        places: super::Places::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::data::SHAPES;

    #[test]
    fn shapes_differ_and_are_laws() {
        let mut seen: Vec<Vec<f64>> = Vec::new();
        for shape in SHAPES {
            let law = cells(shape, 64).unwrap();
            let total: f64 = law.probabilities().iter().sum();
            assert!((total - 1.0).abs() < 1e-12, "{shape}");
            assert_eq!(law.values().len(), 64);
            assert!(!seen.contains(&law.probabilities().to_vec()), "{shape}");
            seen.push(law.probabilities().to_vec());
        }
    }
}
