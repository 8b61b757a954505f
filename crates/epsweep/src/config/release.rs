//! `[procedure.release]`: the noise, and how the budget is divided among the queries.

use super::diagnostic::Sink;
use super::noise::NoiseSpec;
use super::procedure::Chosen;
use super::reader::Reader;
use super::source::Span;
use super::value::Value;
use epsweep_core::about::About;
use epsweep_core::allocation::{self, Allocation};
use epsweep_core::budget::Shares;
use epsweep_core::noise;

/// What `[procedure.release]` says.
#[derive(Clone, Debug)]
pub struct ReleaseSpec {
    /// the noise
    pub noise: NoiseSpec,
    /// where it stands, or the section
    pub noise_span: Span,
    /// the allocation
    pub allocation: AllocationSpec,
    /// where it stands, or the section
    pub allocation_span: Span,
}

/// How the budget is divided.
#[derive(Clone, Debug)]
pub enum AllocationSpec {
    /// by a rule of the registry
    Rule(&'static dyn Allocation),
    /// by a rule that looks at the true answers, which no private analysis can: an oracle
    Oracle(&'static Oracle),
    /// by given shares
    Given {
        /// how results call it
        name: String,
        /// the shares
        shares: GivenShares,
    },
}

/// Shares that a file gives.
#[derive(Clone, Debug)]
pub enum GivenShares {
    /// in the order of the queries
    InOrder(Shares),
    /// by the name of the query, with the place of the name
    ByName(Vec<(String, Span, f64)>),
}

/// A rule of the registry, with weights that the true answers change.
#[derive(Debug)]
pub struct Oracle {
    /// name, formula, source
    pub about: &'static About,
    /// the rule
    pub rule: &'static dyn Allocation,
    /// the power of the true answer by which a weight is divided
    pub power: i32,
}

/// The rules that look at the true answers.
pub static ORACLES: &[Oracle] = &[
    Oracle {
        about: &About {
            name: "oracle-relative-mae",
            summary: "oracle: the optimum for the weighted mean relative error, from the true answers; no private analysis can use it",
            formula: "the shares of optimal-mae for the weights wᵢ/max(|qᵢ|, floor)",
            source: "definition",
        },
        rule: &allocation::OptimalMae,
        power: 1,
    },
    Oracle {
        about: &About {
            name: "oracle-relative-mse",
            summary: "oracle: the optimum for the weighted mean squared relative error, from the true answers; no private analysis can use it",
            formula: "the shares of optimal-mse for the weights wᵢ/max(|qᵢ|, floor)²",
            source: "definition",
        },
        rule: &allocation::OptimalMse,
        power: 2,
    },
];

impl AllocationSpec {
    /// How results call it.
    pub fn name(&self) -> &str {
        match self {
            AllocationSpec::Rule(rule) => rule.about().name,
            AllocationSpec::Oracle(oracle) => oracle.about.name,
            AllocationSpec::Given { name, .. } => name,
        }
    }
}

/// Reads `[procedure.release]`.
pub fn read(chosen: &Chosen<'_>, sink: &Sink) -> Option<ReleaseSpec> {
    let Some(given) = chosen.section else {
        return Some(defaults(chosen.span));
    };
    let reader = given.reader(sink, "[procedure.release]")?;
    let spec = release(&reader, given);
    reader.finish();
    spec
}

fn defaults(span: Span) -> ReleaseSpec {
    ReleaseSpec {
        noise: NoiseSpec::Global(noise::REGISTRY[0]),
        noise_span: span,
        allocation: AllocationSpec::Rule(allocation::REGISTRY[0]),
        allocation_span: span,
    }
}

fn release(reader: &Reader<'_>, section: &Value) -> Option<ReleaseSpec> {
    let sink = reader.sink();
    let mut spec = defaults(section.span);
    let mut good = true;
    if let Some(given) = reader.get("noise") {
        spec.noise_span = given.span;
        match NoiseSpec::read(given, sink) {
            Some(noise) => spec.noise = noise,
            None => good = false,
        }
    }
    if let Some(given) = reader.get("allocation") {
        spec.allocation_span = given.span;
        match allocation(given, sink) {
            Some(allocation) => spec.allocation = allocation,
            None => good = false,
        }
    }
    good.then_some(spec)
}

fn allocation(value: &Value, sink: &Sink) -> Option<AllocationSpec> {
    let names: Vec<&str> = allocation::REGISTRY
        .iter()
        .map(|rule| rule.about().name)
        .collect();
    let names: Vec<&str> = (names.into_iter())
        .chain(ORACLES.iter().map(|oracle| oracle.about.name))
        .collect();
    if value.as_table().is_none() {
        let name = value.choice(sink, "allocation", &names)?;
        if let Some(oracle) = ORACLES.iter().find(|oracle| oracle.about.name == name) {
            return Some(AllocationSpec::Oracle(oracle));
        }
        let rule = allocation::REGISTRY
            .iter()
            .find(|rule| rule.about().name == name)?;
        return Some(AllocationSpec::Rule(*rule));
    }
    let reader = value.reader(sink, "the allocation")?;
    let name = match reader.get("name") {
        None => Some("custom".to_owned()),
        Some(given) => given.text(sink).and_then(|name| {
            if name.trim().is_empty() || names.contains(&name) {
                sink.fault(
                    given.span,
                    format!("{given} cannot be the name of given shares"),
                )
                .rule(format!(
                    "a name of its own, not one of: {}",
                    names.join(", ")
                ))
                .report();
                return None;
            }
            Some(name.to_owned())
        }),
    };
    let shares = reader.need("shares").and_then(|given| shares(given, sink));
    reader.finish();
    Some(AllocationSpec::Given {
        name: name?,
        shares: shares?,
    })
}

/// Reads shares, in order or by name.
pub fn shares(value: &Value, sink: &Sink) -> Option<GivenShares> {
    if value.as_table().is_some() {
        let reader = value.reader(sink, "the shares")?;
        let numbers: Vec<Option<(String, Span, f64)>> = (reader.entries())
            .map(|entry| Some((entry.key.clone(), entry.key_span, entry.value.real(sink)?)))
            .collect();
        let numbers: Vec<_> = numbers.into_iter().collect::<Option<_>>()?;
        checked(
            value,
            numbers.iter().map(|(_, _, share)| *share).collect(),
            sink,
        )?;
        return Some(GivenShares::ByName(numbers));
    }
    let numbers: Vec<Option<f64>> = value
        .list(sink)?
        .iter()
        .map(|share| share.real(sink))
        .collect();
    let numbers = numbers.into_iter().collect::<Option<Vec<f64>>>()?;
    checked(value, numbers, sink).map(GivenShares::InOrder)
}

fn checked(value: &Value, numbers: Vec<f64>, sink: &Sink) -> Option<Shares> {
    Shares::new(numbers)
        .map_err(|error| sink.fault(value.span, error.to_string()).report())
        .ok()
}

impl GivenShares {
    /// The shares in the order of the queries.
    pub fn in_order(&self, queries: &[&str], span: Span, sink: &Sink) -> Option<Shares> {
        match self {
            GivenShares::InOrder(shares) => {
                let count = shares.as_slice().len();
                if count == queries.len() {
                    return Some(shares.clone());
                }
                sink.fault(span, format!("{count} shares for {} queries", queries.len()))
                    .rule("one share for each query, in the order of the file; or shares = { \"query\" = share }")
                    .report();
                None
            }
            GivenShares::ByName(named) => {
                let mut good = true;
                for (name, at, _) in named {
                    if !queries.contains(&name.as_str()) {
                        sink.fault(*at, format!("there is no query `{name}`"))
                            .names(name, queries)
                            .report();
                        good = false;
                    }
                }
                let mut out = Vec::new();
                for query in queries {
                    match named.iter().find(|(name, _, _)| name == query) {
                        Some((_, _, share)) => out.push(*share),
                        None => {
                            sink.fault(span, format!("the shares leave out the query `{query}`"))
                                .rule("one share for each query")
                                .report();
                            good = false;
                        }
                    }
                }
                if !good {
                    return None;
                }
                Shares::new(out)
                    .map_err(|error| sink.fault(span, error.to_string()).report())
                    .ok()
            }
        }
    }
}
