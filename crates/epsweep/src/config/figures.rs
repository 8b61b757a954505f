//! `[[figure]]`: what is drawn. Without any, the kinds of figures themselves say which of them suit the run.

use super::diagnostic::Sink;
use super::file;
use super::settings::is_file_name;
use super::source::Span;
use super::sweep::Axis;
use super::value::Value;
use super::vocabulary::Vocabulary;
use crate::figure;
use crate::figure::language::Language;
use crate::record::ResolvedFigure;
use crate::summary::STATISTICS;
use crate::words::join;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Keys that not every kind has.
const OWN_KEYS: &[&str] = &["columns", "statistics", "show", "axes"];

/// Sizes of figures.
pub const SIZES: &[&str] = &["one-column", "two-columns", "slide"];

/// What figures need to know of the experiment besides its names.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// whether cells are compared
    pub compares: bool,
    /// name of the procedure
    pub procedure: &'static str,
    /// whether trials are simulated
    pub simulates: bool,
    /// cells up to which all are kept until the run ends, if there are more
    pub kept_up_to: Option<usize>,
    /// the folder to which paths are relative
    pub base: &'a Path,
}

/// Contents of font files by the names that they have in the run directory.
pub type Fonts = BTreeMap<String, Vec<u8>>;

/// What is drawn, and the fonts that it needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// in the file's order
    pub figures: Vec<ResolvedFigure>,
    /// fonts that they name
    pub fonts: Fonts,
}

/// Reads every `[[figure]]`.
pub fn read(
    value: &Value,
    words: &Vocabulary<'_>,
    context: &Context<'_>,
    sink: &Sink,
) -> Option<Figures> {
    let mut out: Vec<ResolvedFigure> = Vec::new();
    let mut fonts = Fonts::new();
    let mut good = true;
    for given in value.list(sink)? {
        match figure(given, words, &out, context, &mut fonts, sink) {
            Some(figure) => out.push(figure),
            None => good = false,
        }
    }
    good.then_some(Figures {
        figures: out,
        fonts,
    })
}

fn figure(
    value: &Value,
    words: &Vocabulary<'_>,
    before: &[ResolvedFigure],
    context: &Context<'_>,
    fonts: &mut Fonts,
    sink: &Sink,
) -> Option<ResolvedFigure> {
    let reader = value.reader(sink, "[[figure]]")?;
    let kinds: Vec<&str> = (figure::REGISTRY.iter())
        .map(|kind| kind.about().name)
        .collect();
    let kind = reader.need_choice("kind", "kind of figure", &kinds);
    // some file systems take names for the same that differ in capitals alone
    let same = |name: &str| {
        let folded = name.to_lowercase();
        (before.iter()).find(|figure| figure.name.to_lowercase() == folded)
    };
    let taken = |name: &str| same(name).is_some();
    let name = match reader.get("name") {
        Some(given) => given.text(sink).and_then(|name| {
            let message = match name {
                name if !is_file_name(name) => format!("the name {given} cannot name a file"),
                name => match same(name) {
                    Some(figure) if figure.name == name => {
                        format!("the figure `{name}` is there twice")
                    }
                    Some(figure) => format!(
                        "the files of the figures `{}` and `{name}` would be the same on some systems",
                        figure.name
                    ),
                    None => return Some(name.to_owned()),
                },
            };
            sink.fault(given.span, message)
                .rule("letters, digits, `-` and `_`, and each name once, also where capitals count for nothing")
                .report();
            None
        }),
        None => kind.map(|kind| {
            let mut name = kind.to_owned();
            let mut number = 2;
            while taken(&name) {
                name = format!("{kind}-{number}");
                number += 1;
            }
            name
        }),
    };
    let measure = match reader.get("measure") {
        None => Some(None),
        Some(given) => (given.text(sink))
            .and_then(|name| words.measure(name, given, sink))
            .map(|measure| Some(measure.name.to_owned())),
    };
    let cells = match reader.get("cells") {
        None => Some(BTreeMap::new()),
        Some(given) => cells(given, words, sink),
    };
    let choice = |key: &str, what: &str, names: &[&'static str]| match reader.get(key) {
        None => Some(None),
        Some(given) => given
            .choice(sink, what, names)
            .map(|name| Some(name.to_owned())),
    };
    let size = choice("size", "size", SIZES);
    let scale = choice("scale", "scale", &["linear", "log"]);
    let title = match reader.get("title") {
        None => Some(None),
        Some(given) => given.text(sink).map(|text| Some(text.to_owned())),
    };
    let columns = match reader.get("columns") {
        None => Some(None),
        Some(given) => (given.text(sink))
            .and_then(|name| words.axis(name, given, sink))
            .map(|axis| Some(axis.name.clone())),
    };
    let statistics = match reader.get("statistics") {
        None => Some(Vec::new()),
        Some(given) => statistics(given, words, sink),
    };
    let language = choice("language", "language", &Language::NAMES);
    let subjects = match reader.get("subjects") {
        None => Some(Vec::new()),
        Some(given) => subjects(given, words, sink),
    };
    let axes = match reader.get("axes") {
        None => Some(Vec::new()),
        Some(given) => axes(given, words, sink),
    };
    let own_fonts = match reader.get("fonts") {
        None => Some(Vec::new()),
        Some(given) => font_files(given, context.base, fonts, sink),
    };
    let known =
        kind.and_then(|kind| (figure::REGISTRY.iter()).find(|known| known.about().name == kind));
    for key in OWN_KEYS {
        let Some((given, known)) = reader.get(key).zip(known) else {
            continue;
        };
        if !known.keys().contains(key) {
            let with: Vec<String> = (figure::REGISTRY.iter())
                .filter(|other| other.keys().contains(key))
                .map(|other| format!("kind = \"{}\"", other.about().name))
                .collect();
            let message = format!(
                "`{key}` is nothing that the figure `{}` has",
                known.about().name
            );
            sink.fault(given.span, message)
                .rule(format!("`{key}` goes with {}", join(&with, "or")))
                .report();
            return None;
        }
    }
    // of a kind that is unknown, it may be anything that some kind shows
    let shows: Vec<&'static str> = (figure::REGISTRY.iter())
        .filter(|kind| known.is_none_or(|known| known.about().name == kind.about().name))
        .flat_map(|kind| kind.shows().iter().copied())
        .collect();
    let show = match shows.is_empty() {
        true => Some(None),
        false => choice("show", "number to show", &shows),
    };
    let (chosen, cut) = (reader.get("subjects"), reader.get("cells"));
    reader.finish();
    if let (Some(kind), Some(cells)) = (known, &cells) {
        suits(*kind, value, cut.unwrap_or(value).span, cells, words, sink)?;
    }
    let measures: Vec<&str> = words.measures.iter().map(|m| m.name).collect();
    if let (Some(given), Some(known), Some(measure)) = (chosen, known, &measure) {
        let drawn = match statistics.as_deref() {
            Some(statistics @ [_, ..]) => {
                let of = |text: &'_ String| text.split('.').next().unwrap_or_default().to_owned();
                statistics.iter().map(of).collect()
            }
            _ => known.draws(measure.as_deref(), &measures),
        };
        let measures = (drawn.iter())
            .filter_map(|name| words.measures.iter().find(|known| known.name == name));
        let pairs = measures.flat_map(|m| subjects.iter().flatten().map(move |s| (m, s)));
        let mut unfit = pairs.filter_map(|(m, s)| Some((m.name, s, words.unmeasured(*m, s)?)));
        if let Some((measure, subject, (of, rule))) = unfit.next() {
            sink.fault(
                given.span,
                format!("`{measure}` is {of}, and not of `{subject}`"),
            )
            .rule(rule)
            .report();
            return None;
        }
    }
    if let Some(known) = known {
        let asked = figure::Asked {
            measures: &measures,
            measure: measure.as_ref().and_then(|m| m.as_deref()),
            subjects: &words.queries,
            compares: context.compares,
            procedure: context.procedure,
            simulates: context.simulates,
            kept_up_to: context.kept_up_to,
        };
        let trials = (known.draws_histograms() && !context.simulates).then(|| {
            (
                "shows single trials, and nothing is simulated",
                "a procedure with trials".to_owned(),
            )
        });
        if let Some((message, rule)) = trials.or_else(|| known.lacks(&asked)) {
            let name = known.about().name;
            sink.fault(value.span, format!("the figure `{name}` {message}"))
                .rule(rule)
                .report();
            return None;
        }
    }
    Some(ResolvedFigure {
        kind: kind?.to_owned(),
        name: name?,
        measure: measure?,
        cells: cells?,
        size: size?,
        scale: scale?,
        title: title?,
        columns: columns?,
        statistics: statistics?,
        show: show?,
        subjects: subjects?,
        axes: axes?,
        language: language?,
        fonts: own_fonts?,
    })
}

/// A list of MEASURE.STATISTIC, at least one.
fn statistics(value: &Value, words: &Vocabulary<'_>, sink: &Sink) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut good = true;
    let list = value.list(sink)?;
    if list.is_empty() {
        sink.fault(value.span, "the list of statistics is empty")
            .rule("MEASURE.STATISTIC, as in \"max_abs_error.mean\"")
            .remedy("leave `statistics` out for the usual ones")
            .report();
        return None;
    }
    for given in list {
        let Some(text) = given.text(sink) else {
            good = false;
            continue;
        };
        let Some((measure, statistic)) = text.split_once('.') else {
            sink.fault(given.span, format!("{given} is no statistic of a measure"))
                .rule("MEASURE.STATISTIC, as in \"max_abs_error.mean\"")
                .report();
            good = false;
            continue;
        };
        good &= words.measure(measure, given, sink).is_some();
        if !STATISTICS.contains(&statistic) {
            sink.fault(given.span, format!("there is no statistic `{statistic}`"))
                .names(statistic, &STATISTICS)
                .report();
            good = false;
        }
        out.push(text.to_owned());
    }
    good.then_some(out)
}

/// Font files, to be copied into the run directory, so that its figures can be drawn again from it alone.
fn font_files(value: &Value, base: &Path, fonts: &mut Fonts, sink: &Sink) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut good = true;
    for given in value.list(sink)? {
        let Some(path) = given.text(sink) else {
            good = false;
            continue;
        };
        let place = base.join(path);
        let fault = match file::read(&place, file::MOST_SETTINGS) {
            Err(error) => format!("the font {given} cannot be read: {error}"),
            Ok(bytes) if !figure::is_font(&bytes) => format!("{given} is not a font"),
            Ok(bytes) => {
                let digest = blake3::hash(&bytes).to_hex();
                let ending = (place.extension())
                    .and_then(|ending| ending.to_str())
                    .filter(|ending| ending.chars().all(|c| c.is_ascii_alphanumeric()))
                    .unwrap_or("font");
                let name = format!("{}/{}.{ending}", figure::FONTS, &digest[..16]);
                fonts.insert(name.clone(), bytes);
                out.push(name);
                continue;
            }
        };
        sink.fault(given.span, fault)
            .rule("a path of a TrueType or OpenType file, relative to the experiment file")
            .report();
        good = false;
    }
    good.then_some(out)
}

/// A list of names of queries, or `all` of them together, each once.
fn subjects(value: &Value, words: &Vocabulary<'_>, sink: &Sink) -> Option<Vec<String>> {
    distinct(value, sink, |given| words.any_subject(given, sink))
}

/// A list of names of axes, each once.
fn axes(value: &Value, words: &Vocabulary<'_>, sink: &Sink) -> Option<Vec<String>> {
    distinct(value, sink, |given| {
        let axis = words.axis(given.text(sink)?, given, sink)?;
        Some(axis.name.clone())
    })
}

/// A list of names, each once and at least one.
fn distinct(
    value: &Value,
    sink: &Sink,
    read: impl Fn(&Value) -> Option<String>,
) -> Option<Vec<String>> {
    let list = value.list(sink)?;
    if list.is_empty() {
        sink.fault(value.span, "the list is empty")
            .remedy("leave the key out for all of them")
            .report();
        return None;
    }
    let mut out = Vec::new();
    let mut good = true;
    for given in list {
        match read(given) {
            Some(name) if out.contains(&name) => {
                sink.fault(given.span, format!("{given} is there twice"))
                    .report();
                good = false;
            }
            Some(name) => out.push(name),
            None => good = false,
        }
    }
    good.then_some(out)
}

/// axis = value, or a list of values
fn cells(
    value: &Value,
    words: &Vocabulary<'_>,
    sink: &Sink,
) -> Option<BTreeMap<String, Vec<String>>> {
    let reader = value.reader(sink, "the cells of a figure")?;
    let mut out = BTreeMap::new();
    let mut good = true;
    for entry in &reader.table().entries {
        let key = Value {
            span: entry.key_span,
            kind: entry.value.kind.clone(),
        };
        let Some(axis) = words.axis(&entry.key, &key, sink) else {
            good = false;
            continue;
        };
        // a list is a list of values, unless the axis has lists as values
        let lists = axis.values.iter().any(|v| v.value.as_list().is_some());
        let given = match entry.value.as_list() {
            Some(list) if !lists => list,
            _ => std::slice::from_ref(&entry.value),
        };
        let labels: Vec<Option<String>> = (given.iter())
            .map(|value| words.label(axis, value, sink))
            .collect();
        match labels.into_iter().collect::<Option<Vec<String>>>() {
            Some(mut labels) if !labels.is_empty() => {
                // the same value twice is one
                let mut seen = BTreeSet::new();
                labels.retain(|label| seen.insert(label.clone()));
                out.insert(axis.name.clone(), labels);
            }
            Some(_) => {
                sink.fault(entry.value.span, "no value is chosen").report();
                good = false;
            }
            None => good = false,
        }
    }
    good.then_some(out)
}

/// Whether the axes and cells are there that a kind of figure needs, so that it cannot fail after the run. What `cells` leave too few of is said
/// where they stand.
fn suits(
    kind: &dyn figure::FigureKind,
    value: &Value,
    cut: Span,
    chosen: &BTreeMap<String, Vec<String>>,
    words: &Vocabulary<'_>,
    sink: &Sink,
) -> Option<()> {
    let left = |axis: &Axis| (chosen.get(&axis.name)).map_or(axis.values.len(), Vec::len);
    let numeric = |axis: &&Axis| axis.values.len() > 1 && axis.numbers().is_some();
    let against: Vec<&Axis> = words.axes.iter().filter(numeric).collect();
    let all: usize = words.axes.iter().map(|axis| axis.values.len()).product();
    let shown: usize = words.axes.iter().map(left).product();
    let lacks = |name: &&&str| !words.measures.iter().any(|measure| measure.name == **name);
    let name = kind.about().name;
    let pairs = name == "article-panel";
    let (span, message, rule) = if kind.needs_numbers() && against.is_empty() {
        (
            value.span,
            "needs an axis to draw against",
            "an axis such as `epsilon` with at least two numbers".to_owned(),
        )
    } else if kind.needs_numbers() && against.iter().all(|axis| left(axis) < 2) {
        let names: Vec<String> = (against.iter())
            .map(|axis| format!("`{}`", axis.name))
            .collect();
        (
            cut,
            "needs an axis to draw against, and its `cells` leave one number",
            format!(
                "`cells` with at least two numbers of {}, or another kind, such as \"bars\"",
                join(&names, "or")
            ),
        )
    } else if pairs && all < 2 {
        (
            value.span,
            "compares two cells, and there is one",
            "a sweep, for example over allocations".to_owned(),
        )
    } else if pairs && shown < 2 {
        (
            cut,
            "compares two cells, and its `cells` leave one",
            "`cells` that leave at least two".to_owned(),
        )
    } else if pairs && let Some(missing) = figure::PANEL_MEASURES.iter().find(lacks) {
        (
            value.span,
            "needs a measure that is not reported",
            format!("measures with `{missing}`"),
        )
    } else {
        return Some(());
    };
    sink.fault(span, format!("the figure `{name}` {message}"))
        .rule(rule)
        .report();
    None
}
