//! A policy of `[procedure.stream]`: what decides online how much each value may cost, and what is promised in all.

use super::diagnostic::Sink;
use super::member;
use super::reader::Reader;
use super::source::Span;
use super::value::Value;
use epsweep_core::about::About;
use epsweep_core::accounting::filter::Rogers;
use epsweep_core::accounting::{self, Accountant};
use epsweep_core::stream::parameter::Parameter;
use epsweep_core::stream::policy::{self, Family, Guarantee};

/// Most positions of a stream with a policy: their noise and outcomes are held by every worker.
pub const MOST_POSITIONS: usize = 4096;
/// Groups of positions that results name where the file does not say.
const GROUPS: u64 = 8;
/// Most groups that results can name.
const MOST_GROUPS: u64 = 256;

/// A policy, with the keys beside it.
#[derive(Clone, Debug)]
pub struct PolicySpec {
    /// where it stands
    pub span: Span,
    /// the policy
    pub family: &'static Family,
    /// its parameters
    pub parameters: Vec<f64>,
    /// how many positions the guarantee covers, if not all
    pub window: Option<(usize, Span)>,
    /// what stands for an answer before the first release, and where that stands
    pub start: Option<(f64, Span)>,
    /// what answers are compared with
    pub threshold: Option<(f64, Span)>,
    /// groups of positions that results name
    pub groups: usize,
}

/// Reads `policy = …` and the keys beside it.
pub fn read(given: &Value, reader: &Reader<'_>) -> Option<PolicySpec> {
    let sink = reader.sink();
    let known: Vec<(&str, &[Parameter])> = (policy::REGISTRY.iter())
        .map(|family| (family.about.name, family.parameters))
        .collect();
    let chosen = member::read(given, sink, "policy", &known);
    let controls = match reader.get("controls") {
        None => Some(false),
        Some(given) => given.flag(sink),
    };
    let number = |key: &str| match reader.get(key) {
        None => Some(None),
        Some(given) => (given.finite(sink)).map(|number| Some((number, given.span))),
    };
    let window = match reader.get("window") {
        None => Some(None),
        Some(given) => (given.whole(sink, 1, MOST_POSITIONS as u64))
            .map(|window| Some((window as usize, given.span))),
    };
    let (start, threshold) = (number("start"), number("threshold"));
    let groups = match reader.get("groups") {
        None => Some(GROUPS),
        Some(given) => given.whole(sink, 1, MOST_GROUPS),
    };
    let (which, parameters) = chosen?;
    let family = policy::REGISTRY[which];
    if family.nature == policy::Nature::Oracle && !controls? {
        let message = format!(
            "`{}` sees the data for free: it is not private",
            family.about.name
        );
        (sink.fault(given.span, message))
            .rule("an oracle is a control, and is used only where controls are asked for")
            .remedy("add controls = true to [procedure.stream], or take another policy")
            .report();
        return None;
    }
    Some(PolicySpec {
        span: given.span,
        family,
        parameters,
        window: window?,
        start: start?,
        threshold: threshold?,
        groups: groups? as usize,
    })
}

/// What `[budget]` says of a stream whose values a policy releases.
#[derive(Clone, Copy, Debug)]
pub struct PolicyBudget {
    /// what is promised in all
    pub guarantee: Guarantee,
    /// where it stands
    pub span: Span,
    /// how amounts are counted that are known in advance, where that is declared: a filter counts any
    pub advance: Option<(Advance, Span)>,
}

/// How a plan of equal amounts is counted that is fixed before anything is told.
#[derive(Clone, Copy)]
pub enum Advance {
    /// by an accountant
    Accountant(&'static dyn Accountant),
    /// by the filter of Rogers et al.
    Rogers,
}

impl Advance {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Advance::Accountant(accountant) => accountant.about().name,
            Advance::Rogers => ROGERS,
        }
    }
}

impl std::fmt::Debug for Advance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// How amounts are counted that are chosen on the way, besides the accountants.
pub const COMPOSITIONS: [&About; 2] = [&FILTER_ABOUT, Rogers::ABOUT];

const FILTER_ABOUT: About = About {
    name: "filter",
    summary: "admits amounts that are chosen on the way while they fit into the total, by the kind of the total",
    formula: "pure, zCDP, Rényi: Σ ≤ total; (ε, δ): √(2 ln(1/δ) Σεᵢ²) + ½Σεᵢ² ≤ ε",
    source: "Rogers and others, NeurIPS 2016, §3; Feldman and Zrnic, NeurIPS 2021, §4; Whitehouse and others, ICML 2023",
};
const FILTER: &str = FILTER_ABOUT.name;
const ROGERS: &str = Rogers::ABOUT.name;

/// Reads `[budget]` for such a stream: ε; ε with δ; ρ; or a Rényi divergence with its order.
pub fn read_budget(value: &Value, sink: &Sink) -> Option<PolicyBudget> {
    let reader = value.reader(sink, "[budget]")?;
    let total = reader.one_of("a total", &["epsilon", "rho", "divergence"]);
    let (delta, order) = (reader.get("delta"), reader.get("order"));
    let advance = match reader.get("composition") {
        None => Some(None),
        Some(given) => composition(given, sink),
    };
    reader.finish();
    let (which, given) = total?;
    let amount = given.finite(sink)?;
    let lonely = |other: Option<&Value>, name: &str, with: &str| {
        if let Some(other) = other {
            (sink.fault(other.span, format!("`{name}` goes with `{with}`")))
                .rule("epsilon, epsilon with delta, rho, or divergence with order")
                .report();
        }
        other.is_none()
    };
    let guarantee = match which {
        0 => {
            let good = lonely(order, "order", "divergence");
            match delta {
                None => good.then_some(Guarantee::Pure { epsilon: amount }),
                Some(delta) => {
                    let delta = delta.finite(sink)?;
                    let epsilon = amount;
                    good.then_some(Guarantee::Approximate { epsilon, delta })
                }
            }
        }
        1 => {
            let good = lonely(order, "order", "divergence") & lonely(delta, "delta", "epsilon");
            good.then_some(Guarantee::Zcdp { rho: amount })
        }
        _ => {
            let good = lonely(delta, "delta", "epsilon");
            let Some(order) = order else {
                (sink.fault(given.span, "a divergence without its order"))
                    .remedy("add order = α, above 1")
                    .report();
                return None;
            };
            let (order, divergence) = (order.finite(sink)?, amount);
            good.then_some(Guarantee::Renyi { order, divergence })
        }
    }?;
    // a filter refuses numbers that are no guarantee
    if let Err(error) = guarantee.filter() {
        sink.fault(given.span, error.to_string()).report();
        return None;
    }
    let advance = advance?;
    if let (Some((advance, span)), false) =
        (advance, matches!(guarantee, Guarantee::Approximate { .. }))
    {
        (sink.fault(span, format!("`{}` counts toward ε and δ", advance.name())))
            .rule("another composition than \"filter\" goes with epsilon and delta")
            .report();
        return None;
    }
    Some(PolicyBudget {
        guarantee,
        span: given.span,
        advance,
    })
}

/// How amounts are counted: by a filter, or known in advance.
#[allow(clippy::option_option)] // nothing is said, or a fault was reported
fn composition(given: &Value, sink: &Sink) -> Option<Option<(Advance, Span)>> {
    let accountants = accounting::REGISTRY.iter().map(|one| one.about().name);
    let names: Vec<&str> = [FILTER, ROGERS].into_iter().chain(accountants).collect();
    let name = given.choice(sink, "composition", &names)?;
    let accountant = accounting::REGISTRY
        .iter()
        .find(|one| one.about().name == name);
    Some(match (name, accountant) {
        (FILTER, _) => None,
        (_, Some(accountant)) => Some((Advance::Accountant(*accountant), given.span)),
        _ => Some((Advance::Rogers, given.span)),
    })
}
