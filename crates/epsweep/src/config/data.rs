//! `[data]`: where the records come from, which of them are neighbours, what is declared of their columns.

use super::diagnostic::Sink;
use super::reader::Reader;
use super::source::Span;
use super::value::Value;
use epsweep_core::data::Bounds;
use epsweep_core::sensitivity::Neighbours;

/// Most rows of generated data.
const MOST_ROWS: u64 = 100_000_000;

/// What `[data]` says.
#[derive(Clone, Debug)]
pub struct DataSpec {
    /// where the section stands
    pub span: Span,
    /// where the records come from
    pub source: SourceSpec,
    /// which data sets are neighbours
    pub neighbours: Neighbours,
    /// what happens to records with values that cannot be used
    pub missing: Missing,
    /// what is declared of columns
    pub columns: Vec<ColumnSpec>,
}

/// Where records come from.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceSpec {
    /// a file
    Csv {
        /// relative to the experiment file
        path: String,
        /// where the path stands
        span: Span,
    },
    /// one column of independent draws
    Generated {
        /// the column's name
        column: String,
        /// the law of the draws
        law: GeneratorLaw,
        /// how many
        rows: usize,
        /// seed of the draws, apart from the seed of the experiment
        seed: u64,
    },
    /// a sample of a population with documented laws
    Population {
        /// which
        kind: PopulationKind,
        /// how many records
        rows: usize,
        /// seed of the draws, apart from the seed of the experiment
        seed: u64,
    },
}

/// Populations that samples can be drawn from.
#[derive(Clone, Debug, PartialEq)]
pub enum PopulationKind {
    /// [`epsweep_core::population::census`]
    Census,
    /// one column of cell numbers, from 1 to `domain`
    Cells {
        /// the column's name
        column: String,
        /// how the probabilities of the cells differ: a name of [`SHAPES`]
        shape: &'static str,
        /// the number of cells
        domain: usize,
    },
    /// one log-normal column
    LogNormal {
        /// the column's name
        column: String,
        /// its median, above 0
        median: f64,
        /// the standard deviation of its logarithm, not negative
        log_sd: f64,
    },
    /// records of two tables with a key: of the keys 1 to `keys` every one has a record on the left, and records on the right choose
    /// their key by a Zipf law
    Join {
        /// the number of keys
        keys: usize,
        /// the exponent of the Zipf law
        exponent: f64,
    },
}

/// Shapes of cells: equal, one hill, two hills, and a power law.
pub const SHAPES: &[&str] = &["uniform", "hill", "two-hills", "zipf"];

/// Most cells of a domain, and most keys.
const MOST_CELLS: u64 = 1 << 20;

/// The law of generated values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GeneratorLaw {
    /// normal
    Normal {
        /// its mean
        mean: f64,
        /// its standard deviation, not negative
        sd: f64,
    },
    /// uniform on [low, high)
    Uniform {
        /// lower end
        low: f64,
        /// upper end, above the lower one
        high: f64,
    },
}

/// What happens to records with blanks, `NA`, `?`, NaN or infinite values in a column that is used, of numbers or of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// the file is refused
    Refuse,
    /// the record is left out, and the number left out is said
    Drop,
}

/// What is declared of a column.
#[derive(Clone, Debug)]
pub struct ColumnSpec {
    /// its name
    pub name: String,
    /// where its name stands
    pub span: Span,
    /// declared bounds: values outside are clipped
    pub bounds: Option<Bounds>,
    /// whether it holds text
    pub text: bool,
}

/// A column that an experiment uses, with the place that names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Used {
    /// the column's name
    pub name: String,
    /// where a query names it
    pub span: Span,
    /// texts that the question says can stand there: a mark such as `?` among them is a category, and not a missing value
    pub texts: Vec<String>,
}

impl Used {
    /// A column of which no text is named.
    pub fn new(name: impl Into<String>, span: Span) -> Used {
        Used {
            name: name.into(),
            span,
            texts: Vec::new(),
        }
    }
}

/// Reads `[data]`; whether nothing is wrong with it. What is there is given even so, so that the file of records can be checked as well.
pub fn read(value: &Value, sink: &Sink) -> (Option<DataSpec>, bool) {
    let before = sink.reported();
    let spec = section(value, sink);
    let complete = spec.is_some() && sink.reported() == before;
    (spec, complete)
}

/// Largest magnitude of a bound: what is beyond fits no query, and each of them would say so.
const LARGEST: f64 = 1e150;

const SOURCES: &[&str] = &[
    "csv",
    "normal",
    "uniform",
    "census",
    "cells",
    "lognormal",
    "join",
];

fn section(value: &Value, sink: &Sink) -> Option<DataSpec> {
    let reader = value.reader(sink, "[data]")?;
    let source = match reader.one_of("a source of records", SOURCES) {
        Some((0, given)) => given.text(sink).map(|path| SourceSpec::Csv {
            path: path.to_owned(),
            span: given.span,
        }),
        Some((form @ (1 | 2), given)) => generator(given, form == 1, sink),
        Some((form, given)) => population(SOURCES[form], given, sink),
        None => None,
    };
    let neighbours = reader
        .need_choice("neighbours", "neighbouring relation", &Neighbours::NAMES)
        .and_then(|name| Neighbours::parse(name).ok());
    let missing = match reader.get("missing") {
        None => Some(Missing::Refuse),
        Some(given) => match given.choice(sink, "policy", &["refuse", "drop"]) {
            Some("refuse") => Some(Missing::Refuse),
            Some(_) => Some(Missing::Drop),
            None => None,
        },
    };
    let columns = reader
        .get("columns")
        .map_or_else(Vec::new, |given| columns(given, sink));
    reader.finish();
    Some(DataSpec {
        span: value.span,
        source: source?,
        // stands in where a fault has been reported
        neighbours: neighbours.unwrap_or(Neighbours::Substitute),
        missing: missing.unwrap_or(Missing::Refuse),
        columns,
    })
}

fn columns(value: &Value, sink: &Sink) -> Vec<ColumnSpec> {
    let Some(reader) = value.reader(sink, "[data.columns]") else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for entry in reader.entries() {
        let what = format!("column `{}`", entry.key);
        let Some(column) = entry.value.reader(sink, what.as_str()) else {
            continue;
        };
        let bounds = column.get("bounds").and_then(|given| {
            let list = given.list(sink)?;
            let [low, high] = list else {
                sink.fault(given.span, format!("{given} is no pair of bounds"))
                    .rule("bounds = [low, high]")
                    .report();
                return None;
            };
            // NaN and infinities are told apart by the bounds themselves
            let (low, high) = (low.real(sink), high.real(sink));
            let (low, high) = (low?, high?);
            match Bounds::new(low, high) {
                Ok(_) if low.abs().max(high.abs()) > LARGEST => {
                    sink.fault(given.span, format!("{what} has bounds {given}"))
                        .rule(format!(
                            "magnitudes up to {LARGEST:e}, whose squares are within the range of f64"
                        ))
                        .remedy("declare bounds that values can have, or measure them in another unit")
                        .report();
                    None
                }
                Ok(bounds) => Some(bounds),
                Err(error) => {
                    sink.fault(given.span, format!("{what}: {error}")).report();
                    None
                }
            }
        });
        let text = column
            .get("text")
            .and_then(|given| given.flag(sink))
            .unwrap_or(false);
        if text && column.get("bounds").is_some() {
            sink.fault(entry.key_span, format!("{what} is text and has bounds"))
                .rule("either { bounds = [low, high] } or { text = true }")
                .report();
        }
        column.finish();
        out.push(ColumnSpec {
            name: entry.key.clone(),
            span: entry.key_span,
            bounds,
            text,
        });
    }
    out
}

fn generator(value: &Value, normal: bool, sink: &Sink) -> Option<SourceSpec> {
    let name = if normal { "normal" } else { "uniform" };
    let reader = value.reader(sink, format!("the generator `{name}`"))?;
    let column = reader.need("column").and_then(|given| given.text(sink));
    let law = if normal {
        normal_law(&reader)
    } else {
        uniform_law(&reader)
    };
    let rows = reader
        .need("rows")
        .and_then(|given| given.whole(sink, 1, MOST_ROWS));
    let seed = reader
        .need("seed")
        .and_then(|given| given.whole(sink, 0, u64::MAX));
    reader.finish();
    Some(SourceSpec::Generated {
        column: column?.to_owned(),
        law: law?,
        rows: rows? as usize,
        seed: seed?,
    })
}

/// A sample of a population.
fn population(name: &str, value: &Value, sink: &Sink) -> Option<SourceSpec> {
    let reader = value.reader(sink, format!("the generator `{name}`"))?;
    let column = || {
        let name = reader.need("column")?.text(sink)?;
        Some(name.to_owned())
    };
    let not_negative = |key: &str| {
        let given = reader.need(key)?;
        let number = given.finite(sink)?;
        if number < 0.0 {
            (sink.fault(given.span, format!("the {key} {given} is negative")))
                .rule(format!("{key} ≥ 0"))
                .report();
            return None;
        }
        Some(number)
    };
    let size = |key: &str| {
        let number = reader.need(key)?.whole(sink, 1, MOST_CELLS)?;
        Some(number as usize)
    };
    let kind = match name {
        "cells" => {
            let shape = reader.need_choice("shape", "shape", SHAPES);
            let (column, domain) = (column(), size("domain"));
            (|| {
                Some(PopulationKind::Cells {
                    column: column?,
                    shape: shape?,
                    domain: domain?,
                })
            })()
        }
        "lognormal" => {
            let median = reader.need("median").and_then(|given| {
                let median = given.finite(sink)?;
                if median <= 0.0 {
                    (sink.fault(given.span, format!("the median {given} is not above 0")))
                        .rule("median > 0")
                        .report();
                    return None;
                }
                Some(median)
            });
            let (column, log_sd) = (column(), not_negative("log_sd"));
            (|| {
                Some(PopulationKind::LogNormal {
                    column: column?,
                    median: median?,
                    log_sd: log_sd?,
                })
            })()
        }
        "join" => {
            let (keys, exponent) = (size("keys"), not_negative("exponent"));
            (|| {
                Some(PopulationKind::Join {
                    keys: keys?,
                    exponent: exponent?,
                })
            })()
        }
        _ => Some(PopulationKind::Census),
    };
    let rows = (reader.need("rows")).and_then(|given| given.whole(sink, 1, MOST_ROWS));
    let seed = (reader.need("seed")).and_then(|given| given.whole(sink, 0, u64::MAX));
    reader.finish();
    Some(SourceSpec::Population {
        kind: kind?,
        rows: rows? as usize,
        seed: seed?,
    })
}

fn normal_law(reader: &Reader<'_>) -> Option<GeneratorLaw> {
    let sink = reader.sink();
    let mean = reader.need("mean").and_then(|given| given.finite(sink));
    let sd = reader.need("sd").and_then(|given| {
        let sd = given.finite(sink)?;
        if sd < 0.0 {
            sink.fault(
                given.span,
                format!("the standard deviation {given} is negative"),
            )
            .rule("sd ≥ 0")
            .report();
            return None;
        }
        Some(sd)
    });
    Some(GeneratorLaw::Normal {
        mean: mean?,
        sd: sd?,
    })
}

fn uniform_law(reader: &Reader<'_>) -> Option<GeneratorLaw> {
    let sink = reader.sink();
    let low = reader.need("low").and_then(|given| given.finite(sink));
    let high = reader
        .need("high")
        .and_then(|given| Some((given, given.finite(sink)?)));
    let (low, (given, high)) = (low?, high?);
    if low >= high || !(high - low).is_finite() {
        sink.fault(
            given.span,
            format!("{given} is not above `low`, or too far above it"),
        )
        .rule("low < high, and high − low below 1.797e308")
        .report();
        return None;
    }
    Some(GeneratorLaw::Uniform { low, high })
}
