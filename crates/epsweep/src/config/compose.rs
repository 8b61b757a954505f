//! `[procedure.compose]`: releases that are counted, not simulated.

use super::budget;
use super::diagnostic::Sink;
use super::mechanisms;
use super::procedure::Chosen;
use super::source::Span;
use super::value::Value;
use epsweep_core::accounting::{self, Accountant, Release};

/// The key by which a release in a sweep is called.
const NAME: &[&str] = &["name"];

/// What `[procedure.compose]` says.
#[derive(Clone, Debug)]
pub struct ComposeSpec {
    /// who counts
    pub accountant: &'static dyn Accountant,
    /// what runs, at least one release
    pub releases: Vec<Release>,
    /// how often all of them run
    pub times: u64,
    /// where the releases stand
    pub span: Span,
}

/// Reads `[procedure.compose]`.
pub fn read(chosen: &Chosen<'_>, sink: &Sink) -> Option<ComposeSpec> {
    let section = chosen.section?;
    let reader = section.reader(sink, "[procedure.compose]")?;
    let names: Vec<&str> = (accounting::REGISTRY.iter())
        .map(|accountant| accountant.about().name)
        .collect();
    let accountant =
        (reader.need_choice("accountant", "accountant", &names)).and_then(accounting::accountant);
    let given = reader.need("release");
    let times = match reader.get("k") {
        None => Some(1),
        Some(value) => value.whole(sink, 1, mechanisms::MOST),
    };
    reader.finish();
    let given = given?;
    let (releases, times) = (releases(given, sink)?, times?);
    let runs = (releases.iter()).try_fold(0_u64, |sum, release| {
        sum.checked_add(release.count().checked_mul(times)?)
    });
    if runs.is_none_or(|runs| runs > mechanisms::MOST) {
        sink.fault(given.span, "these are more releases than can be counted")
            .rule("at most 2^53 in all, beyond which doubles no longer count")
            .report();
        return None;
    }
    Some(ComposeSpec {
        accountant: accountant?,
        releases,
        times,
        span: given.span,
    })
}

/// One release, or a list of them.
fn releases(given: &Value, sink: &Sink) -> Option<Vec<Release>> {
    let list = match given.as_list() {
        Some(list) => list,
        None => std::slice::from_ref(given),
    };
    if list.is_empty() {
        sink.fault(given.span, "there is no release to account for")
            .remedy("release = { laplace = 0.1 }, or a list of such tables")
            .report();
        return None;
    }
    let releases: Vec<Option<Release>> = (list.iter())
        .map(|entry| mechanisms::release(entry, NAME, sink))
        .collect();
    releases.into_iter().collect()
}

/// What `[budget]` says of releases that are counted.
#[derive(Clone, Copy, Debug)]
pub struct ComposeBudget {
    /// the ε within which runs are counted, if one is asked for
    pub epsilon: Option<f64>,
    /// the δ at which ε is asked for: at least 0, below 1
    pub delta: f64,
}

/// Reads `[budget]`: δ, at which ε is asked for, and if it is there the ε within which runs are counted.
pub fn read_budget(value: &Value, sink: &Sink) -> Option<ComposeBudget> {
    let reader = value.reader(sink, "[budget]")?;
    let number = |given: Option<&Value>| match given {
        None => Some(None),
        Some(given) => given.real(sink).map(|number| Some((number, given.span))),
    };
    let (epsilon, delta) = (number(reader.get("epsilon")), number(reader.get("delta")));
    for other in ["rho", "composition", "joint"] {
        if let Some(given) = reader.get(other) {
            sink.fault(given.span, format!("releases are not counted by `{other}`"))
                .rule("`delta`, at which ε is asked for, and `epsilon`, within which runs are counted")
                .remedy("`accountant` in [procedure.compose] says how they are counted")
                .report();
        }
    }
    reader.finish();
    let epsilon = match epsilon? {
        None => None,
        Some((epsilon, span)) => Some(budget::epsilon(epsilon, span, sink)?),
    };
    let delta = match delta? {
        None => 0.0,
        Some((delta, span)) => budget::delta(delta, span, sink)?,
    };
    Some(ComposeBudget { epsilon, delta })
}
