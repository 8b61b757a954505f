//! `[procedure.select]`: the candidates, their scores, and the mechanism that chooses.

mod candidates;

pub use candidates::{Candidates, place_name};

use super::diagnostic::Sink;
use super::procedure::Chosen;
use super::reader::Reader;
use super::source::Span;
use super::value::Value;
use crate::study::select::{Chooser, MOST_SLOTS, Path};
use crate::words::several;
use epsweep_core::budget::Shares;
use epsweep_core::selection::{self, Form, Movement, top_k};

/// Candidates that results name where the file does not say.
pub const SHOWN: usize = 20;

/// Most candidates that results can name.
const MOST_SHOWN: u64 = 1024;

/// What `[procedure.select]` says.
#[derive(Clone, Debug)]
pub struct SelectSpec {
    /// where the section stands
    pub span: Span,
    /// the mechanism
    pub chooser: Chooser,
    /// where it stands, or the section
    pub chooser_span: Span,
    /// how many are chosen
    pub slots: usize,
    /// where that stands, or the mechanism
    pub slots_span: Span,
    /// how slots share ε; `None` for evenly
    pub shares: Option<(Shares, Span)>,
    /// with or without the factor 2
    pub form: Form,
    /// where that stands, or the section
    pub form_span: Span,
    /// how choices are drawn
    pub path: Path,
    /// where that stands, or the section
    pub path_span: Span,
    /// candidates that results name
    pub shown: usize,
    /// where candidates and scores come from
    pub candidates: Candidates,
    /// where that stands
    pub candidates_span: Span,
    /// what the scores are clipped to, and where that stands
    pub range: Option<([f64; 2], Span)>,
    /// what scores and their sensitivity are multiplied by, after clipping
    pub scale: f64,
    /// Δ as declared, before scaling
    pub sensitivity: Option<(f64, Span)>,
    /// how declared scores may move
    pub movement: Option<(Movement, Span)>,
    /// the text of all that the candidates depend on: equal texts, equal candidates on equal data
    pub key: String,
}

/// Reads `[procedure.select]`.
pub fn read(chosen: &Chosen<'_>, sink: &Sink) -> Option<SelectSpec> {
    let reader = chosen.section?.reader(sink, "[procedure.select]")?;
    let spec = section(&reader);
    reader.finish();
    spec
}

fn section(reader: &Reader<'_>) -> Option<SelectSpec> {
    let (sink, span) = (reader.sink(), reader.span());
    let place = |key: &str| reader.get(key).map_or(span, |given| given.span);
    let chooser = chooser(reader);
    let slots = match reader.get("k") {
        None => Some(1),
        Some(given) => given
            .whole(sink, 1, MOST_SLOTS as u64)
            .map(|slots| slots as usize),
    };
    let shares = match reader.get("shares") {
        None => Some(None),
        Some(given) => shares(given, slots, sink),
    };
    let form = match reader.get("form") {
        None => Some(Form::General),
        Some(given) => match given.choice(sink, "form", &["general", "monotone"]) {
            Some("general") => Some(Form::General),
            Some(_) => Some(Form::Monotone),
            None => None,
        },
    };
    let path = match reader.get("path") {
        None => Some(Path::default()),
        Some(given) => {
            let names: Vec<&str> = Path::ALL.iter().map(|path| path.name()).collect();
            let name = given.choice(sink, "path", &names);
            name.and_then(|name| Path::ALL.iter().find(|p| p.name() == name).copied())
        }
    };
    let shown = match reader.get("show") {
        None => Some(SHOWN),
        Some(given) => given.whole(sink, 1, MOST_SHOWN).map(|shown| shown as usize),
    };
    let which = reader.one_of("the candidates", Candidates::KEYS);
    let names = reader.get("names");
    let candidates = which.and_then(|(which, given)| Candidates::read(which, given, names, sink));
    if let (Some(names), Some((which, given))) = (names, which)
        && (Candidates::KEYS[which] != "scores" || given.as_list().is_none())
    {
        sink.fault(names.span, "`names` go with a list of scores")
            .rule("scores = [ … ] and names = [ … ], of the same length")
            .report();
    }
    let range = match reader.get("range") {
        None => Some(None),
        Some(given) => given.pair(sink).and_then(|[low, high]| {
            if low < high {
                return Some(Some(([low, high], given.span)));
            }
            sink.fault(given.span, format!("{given} is no range"))
                .rule("range = [low, high] with low < high")
                .report();
            None
        }),
    };
    let positive = |key: &str| match reader.get(key) {
        None => Some(None),
        Some(given) => given.finite(sink).and_then(|number| {
            if number > 0.0 {
                return Some(Some((number, given.span)));
            }
            sink.fault(given.span, format!("`{key}` is {given}"))
                .rule("a finite number above 0")
                .report();
            None
        }),
    };
    let scale = positive("scale");
    // where nobody can change a score, there is nothing to hide and no noise to scale
    let sensitivity = positive("sensitivity");
    let movement = match reader.get("movement") {
        None => Some(None),
        Some(given) => match given.choice(sink, "movement", &["any-way", "one-way"]) {
            Some("any-way") => Some(Some((Movement::AnyWay, given.span))),
            Some(_) => Some(Some((Movement::OneWay, given.span))),
            None => None,
        },
    };
    let (chooser, slots, shares) = (chooser?, slots?, shares?);
    if matches!(chooser, Chooser::One(_)) && reader.get("k").is_some() {
        sink.fault(
            place("k"),
            format!("`{}` chooses one candidate", chooser.name()),
        )
        .rule("k goes with a mechanism for several slots: peeling, one-shot-gumbel")
        .report();
        return None;
    }
    let key = (reader.table().entries.iter())
        .filter(|entry| {
            let key = entry.key.as_str();
            Candidates::KEYS.contains(&key) || ["names", "range", "scale", "show"].contains(&key)
        })
        .map(|entry| format!("{} = {}; ", entry.key, entry.value))
        .collect();
    Some(SelectSpec {
        span,
        chooser,
        chooser_span: place("mechanism"),
        slots,
        slots_span: (reader.get("k")).map_or_else(|| place("mechanism"), |given| given.span),
        shares,
        form: form?,
        form_span: place("form"),
        path: path?,
        path_span: place("path"),
        shown: shown?,
        candidates: candidates?,
        candidates_span: which.map_or(span, |(_, given)| given.span),
        range: range?,
        scale: scale?.map_or(1.0, |(scale, _)| scale),
        sensitivity: sensitivity?,
        movement: movement?,
        key,
    })
}

fn chooser(reader: &Reader<'_>) -> Option<Chooser> {
    let Some(given) = reader.get("mechanism") else {
        return Some(match reader.get("k") {
            None => Chooser::One(selection::REGISTRY[0]),
            Some(_) => Chooser::Several(top_k::REGISTRY[0]),
        });
    };
    let one = selection::REGISTRY.iter().map(|m| m.about().name);
    let several = top_k::REGISTRY.iter().map(|m| m.about().name);
    let names: Vec<&str> = one.chain(several).collect();
    let name = given.choice(reader.sink(), "mechanism", &names)?;
    match selection::mechanism(name) {
        Some(mechanism) => Some(Chooser::One(mechanism)),
        None => {
            reader.need("k");
            top_k::mechanism(name).map(Chooser::Several)
        }
    }
}

/// `"even"`, a list of shares, or `{ name = "…", shares = [ … ] }`, whose name labels an axis.
fn shares(value: &Value, slots: Option<usize>, sink: &Sink) -> Option<Option<(Shares, Span)>> {
    if value.as_text().is_some() {
        return value.choice(sink, "division", &["even"]).map(|_| None);
    }
    let list = match value.as_table() {
        None => value,
        Some(_) => {
            let reader = value.reader(sink, "the shares")?;
            reader.need("name").and_then(|name| name.text(sink));
            let list = reader.need("shares");
            reader.finish();
            list?
        }
    };
    let numbers: Option<Vec<f64>> = list
        .list(sink)?
        .iter()
        .map(|share| share.real(sink))
        .collect();
    let numbers = numbers?;
    if let Some(slots) = slots.filter(|slots| *slots != numbers.len()) {
        sink.fault(
            list.span,
            format!(
                "{} for {}",
                several(numbers.len() as u64, "share"),
                several(slots as u64, "slot")
            ),
        )
        .rule("one share for each slot, in the order in which they are filled")
        .report();
        return None;
    }
    match Shares::new(numbers) {
        Ok(shares) => Some(Some((shares, list.span))),
        Err(error) => {
            sink.fault(list.span, error.to_string()).report();
            None
        }
    }
}
