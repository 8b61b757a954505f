//! The audit file.

use super::command::{self, Command, Form};
use super::mechanism::Mechanism;
use super::sample::Sampler;
use crate::config::diagnostic::{Diagnostic, Diagnostics, Sink};
use crate::config::source::{Sources, Span};
use crate::config::value::Value;
use crate::config::{document, encoding, file, queries, settings};
use crate::plan::{Overrides, overrides};
use epsweep_core::audit::{AuditError, Pair, Reading, Subject, Verdict, reading, subject};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs on each input where the file does not say.
const TRIALS: u64 = 1_000_000;
/// Fewest runs on each input: there are three parts.
const LEAST: u64 = 16;
/// Seconds that a process is given where the file does not say.
const TIMEOUT: f64 = 60.0;

/// An audit, ready to run.
pub struct Audit {
    /// short name
    pub name: String,
    /// headline; the name where the file does not say
    pub title: String,
    /// the question in a sentence; empty where the file does not say
    pub question: String,
    /// what is audited, by the name of its kind
    pub mechanism: String,
    /// seed of all draws
    pub seed: u64,
    /// runs on each input; half of them choose the event, the other half count it
    pub trials: u64,
    /// confidence of the bound
    pub level: f64,
    /// whether the claim is about the doubles that are released
    pub deployment: bool,
    /// the verdict that the file expects
    pub expected: Option<Verdict>,
    sampler: Box<dyn Sampler>,
    claim: Box<dyn Reading>,
}

impl std::fmt::Debug for Audit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Audit")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Audit {
    /// Reads an audit file, with values from the command line put in their places.
    ///
    /// # Errors
    /// Everything that is wrong with the file and the overrides.
    pub fn load(path: &Path, changes: &Overrides) -> Result<Audit, Diagnostics> {
        let (name, text) = encoding::read(path, "the audit")?;
        let base = path.parent().unwrap_or(Path::new(""));
        Audit::from_text(&name, &text, base, changes)
    }

    /// Reads the text of an audit; paths in it are relative to `base`.
    ///
    /// # Errors
    /// Everything that is wrong with the text and the overrides.
    pub fn from_text(
        name: &str,
        text: &str,
        base: &Path,
        changes: &Overrides,
    ) -> Result<Audit, Diagnostics> {
        let mut sources = Sources::default();
        let file = sources.add(name, text);
        let mut root = document::parse(&sources, file)?;
        let put = changes.parse_whole(&mut sources)?;
        let sink = Sink::new(sources);
        overrides::apply(&mut root, &put, &sink);
        let audit = read(&root, base, &sink);
        sink.finish()?;
        audit.ok_or_else(|| {
            // every reader that gives nothing has said why, so this is a bug and not a fault of the file
            let message =
                "the audit could not be resolved, and no reason was found: please report this file";
            Diagnostics::one(Diagnostic::of_file(name, message))
        })
    }

    /// The claimed guarantee.
    pub fn reading(&self) -> &dyn Reading {
        self.claim.as_ref()
    }

    pub(super) fn sampler(&self) -> &dyn Sampler {
        self.sampler.as_ref()
    }
}

fn read(root: &Value, base: &Path, sink: &Sink) -> Option<Audit> {
    let reader = root.reader(sink, "the audit")?;
    let name = settings::name(&reader);
    let text = |key: &str| match reader.get(key) {
        None => Some(None),
        Some(given) => given.text(sink).map(|text| Some(text.to_owned())),
    };
    let (title, question) = (text("title"), text("question"));
    let whole = |key: &str, least: u64, most: u64, default: u64| match reader.get(key) {
        None => Some(default),
        Some(given) => given.whole(sink, least, most),
    };
    let seed = whole("seed", 0, u64::MAX, settings::SEED);
    let trials = whole("trials", LEAST, settings::MOST_TRIALS, TRIALS);
    let level = settings::level(&reader, sink);
    let claim = reader.need("claim").and_then(|given| claim(given, sink));
    let pair = reader.get("pair");
    let target = (reader.need("mechanism"))
        .and_then(|given| mechanism(given, pair, seed.unwrap_or(0), base, sink));
    reader.finish();
    let (name, (mechanism, sampler), claim) = (name?, target?, claim?);
    Some(Audit {
        title: title?.unwrap_or_else(|| name.clone()),
        question: question?.unwrap_or_default(),
        name,
        mechanism,
        seed: seed?,
        trials: trials?,
        level: level?,
        deployment: claim.deployment,
        expected: claim.expected,
        claim: claim.reading,
        sampler,
    })
}

struct Claim {
    reading: Box<dyn Reading>,
    deployment: bool,
    expected: Option<Verdict>,
}

/// Reads `[claim]`: the keys of one guarantee, and what is expected of it.
fn claim(value: &Value, sink: &Sink) -> Option<Claim> {
    let reader = value.reader(sink, "[claim]")?;
    let deployment = match reader.get("deployment") {
        None => Some(false),
        Some(given) => given.flag(sink),
    };
    let verdicts = [Verdict::Violated, Verdict::Consistent, Verdict::NoPower];
    let expected = match reader.get("verdict") {
        None => Some(None),
        Some(given) => given
            .choice(sink, "verdict", &verdicts.map(Verdict::name))
            .map(|name| verdicts.into_iter().find(|verdict| verdict.name() == name)),
    };
    let mut known: Vec<&str> = Vec::new();
    for key in reading::REGISTRY.iter().flat_map(|kind| kind.keys()) {
        if !known.contains(key) {
            known.push(key);
        }
    }
    let given: Vec<(&str, &Value)> = (known.iter())
        .filter_map(|key| Some((*key, reader.get(key)?)))
        .collect();
    let values: Vec<Option<f64>> = given.iter().map(|(_, value)| value.finite(sink)).collect();
    let span = reader.span();
    reader.finish();
    let keys: Vec<&str> = given.iter().map(|(key, _)| *key).collect();
    let Some(kind) = reading::stated_by(&keys) else {
        let all: Vec<String> = (reading::REGISTRY.iter())
            .map(|kind| format!("{} ({})", kind.keys().join(" and "), kind.about().name))
            .collect();
        let what = match keys.is_empty() {
            true => "[claim] states no guarantee".to_owned(),
            false => format!("{} together state no guarantee", keys.join(" and ")),
        };
        (sink.fault(span, what))
            .rule(format!("one of: {}", all.join(", ")))
            .report();
        return None;
    };
    let values: Vec<f64> = values.into_iter().collect::<Option<_>>()?;
    // in the order of the kind's own keys
    let ordered: Vec<f64> = (kind.keys().iter())
        .filter_map(|key| Some(values[keys.iter().position(|given| given == key)?]))
        .collect();
    match kind.of(&ordered) {
        Ok(reading) => Some(Claim {
            reading,
            deployment: deployment?,
            expected: expected?,
        }),
        Err(error) => {
            let at = match &error {
                AuditError::Claim { key, .. } => given.iter().find(|(known, _)| known == key),
                _ => None,
            };
            let span = at.map_or(span, |(_, value)| value.span);
            sink.fault(span, error.to_string()).report();
            None
        }
    }
}

type Target = (String, Box<dyn Sampler>);

/// Reads `[mechanism]`: one section, its name that of the kind.
fn mechanism(
    value: &Value,
    pair: Option<&Value>,
    seed: u64,
    base: &Path,
    sink: &Sink,
) -> Option<Target> {
    let reader = value.reader(sink, "[mechanism]")?;
    let names: Vec<&str> = super::abouts().iter().map(|about| about.name).collect();
    let chosen = reader.one_of("a mechanism", &names);
    reader.finish();
    let (which, given) = chosen?;
    let name = names[which].to_owned();
    let Some(kind) = subject::REGISTRY.get(which) else {
        let command = black_box(given, pair, seed, base, sink)?;
        return Some((name, Box::new(command)));
    };
    let arguments = queries::arguments(kind.about().name, kind.parameters(), given, sink);
    let subject = match kind.build(&arguments?.arguments) {
        Ok(subject) => subject,
        Err(AuditError::Argument(error)) => {
            queries::refused(&error, given, sink);
            return None;
        }
        Err(error) => {
            sink.fault(given.span, error.to_string()).report();
            return None;
        }
    };
    let pairs = pairs(subject.as_ref(), pair, sink)?;
    Some((name, Box::new(Mechanism::new(subject, pairs, seed))))
}

/// The pair that the file gives, or all that may be the worst.
fn pairs(subject: &dyn Subject, pair: Option<&Value>, sink: &Sink) -> Option<Vec<Pair>> {
    let Some(value) = pair else {
        return Some(subject.pairs());
    };
    let reader = value.reader(sink, "[pair]")?;
    let side = |key: &str| {
        reader
            .need(key)
            .and_then(|given| queries::numbers(given, sink))
    };
    let (a, b) = (side("a"), side("b"));
    let span = reader.span();
    reader.finish();
    let pair = Pair {
        a: a?,
        b: b?,
        words: String::new(),
    };
    match subject.check(&pair) {
        Ok(()) => Some(vec![pair]),
        Err(error) => {
            sink.fault(span, error.to_string()).report();
            None
        }
    }
}

/// Reads `[mechanism.command]` and the two files of `[pair]`.
fn black_box(
    value: &Value,
    pair: Option<&Value>,
    seed: u64,
    base: &Path,
    sink: &Sink,
) -> Option<Command> {
    let reader = value.reader(sink, "`command`")?;
    let program = reader.need("run").and_then(|given| {
        let text = |value: &Value, sink: &Sink| value.text(sink).map(str::to_owned);
        let words = queries::all(given, sink, text)?;
        if words.first().is_none_or(String::is_empty) {
            (sink.fault(given.span, "there is no program to run"))
                .rule("run = [\"program\", \"argument\", …]")
                .report();
            return None;
        }
        for word in &words {
            unknown_placeholder(word, given.span, sink);
        }
        Some(words)
    });
    let form = match reader.get("output") {
        None => Some(Form::Numbers),
        Some(given) => match given.choice(sink, "form of output", &["numbers", "text"]) {
            Some("text") => Some(Form::Text),
            Some(_) => Some(Form::Numbers),
            None => None,
        },
    };
    let timeout = match reader.get("timeout") {
        None => Some(TIMEOUT),
        Some(given) => given.finite(sink).filter(|seconds| {
            let good = *seconds > 0.0 && *seconds <= 1e6;
            if !good {
                (sink.fault(given.span, format!("a timeout of {given} s")))
                    .rule("above 0 and at most 1e6 seconds")
                    .report();
            }
            good
        }),
    };
    let span = reader.span();
    reader.finish();
    let Some(pair) = pair else {
        (sink.fault(span, "a command needs two data sets"))
            .rule("[pair] with a = \"FILE\" and b = \"FILE\", which differ in one record")
            .report();
        return None;
    };
    let reader = pair.reader(sink, "[pair]")?;
    let side = |key: &str| {
        let given = reader.need(key)?;
        let name = given.text(sink)?;
        match file::read(&base.join(name), file::MOST_DATA) {
            Ok(bytes) => Some((name.to_owned(), bytes)),
            Err(error) => {
                sink.fault(given.span, format!("cannot read `{name}`: {error}"))
                    .rule("a path, relative to the audit file")
                    .report();
                None
            }
        }
    };
    let (a, b) = (side("a"), side("b"));
    reader.finish();
    let (mut program, (a, first), (b, second)) = (program?, a?, b?);
    let folder = absolute(base);
    // a program with a path is one beside the audit file, wherever the audit is run from
    if program[0].contains(std::path::MAIN_SEPARATOR) {
        program[0] = folder.join(&program[0]).display().to_string();
    }
    let files = [folder.join(&a), folder.join(&b)];
    Some(Command::new(
        program,
        folder,
        files,
        [first, second],
        (form?, Duration::from_secs_f64(timeout?)),
        (seed, [a, b]),
    ))
}

/// The folder of the audit file, from the root.
fn absolute(base: &Path) -> PathBuf {
    let base = if base.as_os_str().is_empty() {
        Path::new(".")
    } else {
        base
    };
    std::path::absolute(base).unwrap_or_else(|_| base.to_owned())
}

/// A word in braces that stands for nothing is a slip.
fn unknown_placeholder(word: &str, span: Span, sink: &Sink) {
    let known = [command::INPUT, command::RUNS, command::SEED];
    let plain = |c: char| c.is_ascii_lowercase() || c == '{' || c == '}';
    let braced = word.starts_with('{') && word.ends_with('}') && word.chars().all(plain);
    if braced && !known.contains(&word) {
        (sink.fault(span, format!("`{word}` stands for nothing")))
            .names(word, &known)
            .report();
    }
}
