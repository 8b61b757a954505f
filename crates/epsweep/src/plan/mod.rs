//! From an experiment file to what a run needs: every cell calibrated, every comparison and claim resolved. A [`Plan`] is valid by
//! construction; whatever is wrong with a file is said before anything is simulated, all of it at once.

mod answered;
mod batches;
mod calibrate;
mod cells;
mod clip_then_sum;
mod compose;
mod cost;
mod measures;
mod overridden;
pub(crate) mod overrides;
mod pairs;
mod policy;
mod promise;
mod release;
mod scales;
mod select;
mod shifts;
mod size;
mod stream;
mod train;
mod weak;

#[cfg(test)]
mod tests;

pub use answered::EACH;
pub use batches::{Batch, Written};
pub use cost::Cost;
pub use overrides::Overrides;
pub use size::{BATCH, MANY_CELLS, gathers};

use crate::claim::{Claim, ClaimKind};
use crate::config::claims::{self, Context};
use crate::config::diagnostic::{Diagnostic, Diagnostics, Sink};
use crate::config::figures::{Figures, Fonts};
use crate::config::reader::EXPERIMENT;
use crate::config::settings::{self, Settings};
use crate::config::source::{Sources, Span};
use crate::config::value::{Table, Value};
use crate::config::vocabulary::Vocabulary;
use crate::config::{compare, document, encoding, figures, precision, sweep};
use crate::engine::Progress;
use crate::measure::{self, Measure};
use crate::record::{Resolved, ResolvedAxis, hash_of_pairs};
use crate::study::Study;
use crate::study::release::ReleaseCell;
use batches::{Gist, Origin};
use cells::{Cells, Known, Resolver};
use measures::{selected_measures, undefined_relative_errors, usual_measures};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// An experiment that is ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    file: Option<String>,
    text: String,
    settings: Settings,
    resolved: Resolved,
    study: Study,
    pairs: Vec<(usize, usize)>,
    claims: Vec<Claim>,
    notes: Vec<String>,
    fonts: Fonts,
    cells: usize,
    /// where the cells come from, if they are not held
    origin: Option<Arc<Origin>>,
}

impl Plan {
    /// Reads an experiment file, with values from the command line put in their places.
    ///
    /// # Errors
    /// Everything that is wrong with the file, its data and the overrides.
    pub fn load(path: &Path, overrides: &Overrides) -> Result<Plan, Diagnostics> {
        Plan::load_with(path, overrides, (None, &Progress::default()))
    }

    /// As [`Plan::load`]. More than [`BATCH`] cells that need not be held together, those without a target of precision, are forgotten as soon as
    /// they are checked: such a plan [is batched](Plan::is_batched), its cells are in its [batches](Plan::batches) alone, and its run is to be
    /// [gathered](crate::pipeline::Gathering). The progress tells how many of the cells have been checked.
    ///
    /// # Errors
    /// Everything that is wrong with the file, its data and the overrides.
    pub fn load_in_batches(
        path: &Path,
        overrides: &Overrides,
        progress: &Progress,
    ) -> Result<Plan, Diagnostics> {
        Plan::load_with(path, overrides, (Some(BATCH), progress))
    }

    fn load_with(
        path: &Path,
        overrides: &Overrides,
        batch: (Option<usize>, &Progress),
    ) -> Result<Plan, Diagnostics> {
        let (name, text) = encoding::read(path, EXPERIMENT)?;
        let base = path.parent().unwrap_or(Path::new(""));
        let file = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let plan = Plan::from_text_with((&name, &text), base, overrides, batch)?;
        Ok(Plan { file, ..plan })
    }

    /// Reads the text of an experiment, without byte order mark; paths of data are relative to `base`.
    ///
    /// # Errors
    /// Everything that is wrong with the text, its data and the overrides.
    pub fn from_text(
        name: &str,
        text: &str,
        base: &Path,
        overrides: &Overrides,
    ) -> Result<Plan, Diagnostics> {
        let held = (None, &Progress::default());
        Plan::from_text_with((name, text), base, overrides, held)
    }

    /// With `batch`, more cells than that are not held.
    pub(crate) fn from_text_with(
        (name, text): (&str, &str),
        base: &Path,
        overrides: &Overrides,
        batch: (Option<usize>, &Progress),
    ) -> Result<Plan, Diagnostics> {
        let mut sources = Sources::default();
        let file = sources.add(name, text);
        let mut root = document::parse(&sources, file)?;
        let put = overrides.parse(&mut sources)?;
        let sink = Sink::new(sources);
        overrides::apply(&mut root, &put, &sink);
        let plan = read(&root, text, base, batch, &sink);
        sink.finish()?;
        plan.ok_or_else(|| {
            // every reader that gives nothing has said why, so this is a bug and not a fault of the file
            Diagnostics::one(Diagnostic::of_file(
                name,
                "the experiment could not be resolved, and no reason was found: please report this file",
            ))
        })
    }

    /// The name of the experiment file, without its folder; `None` of a text.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The experiment file, verbatim (without a byte order mark).
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What holds for the whole run.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Every value after defaults, and the facts that need no simulation. Without cells where the plan [is batched](Plan::is_batched).
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// The cells, ready to be simulated; in the order of `resolved().cells`. None where the plan [is batched](Plan::is_batched).
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// The cells of a release, calibrated; empty for another procedure.
    pub fn cells(&self) -> &[ReleaseCell] {
        match &self.study {
            Study::Release(cells) => cells,
            _ => &[],
        }
    }

    /// The pairs (a, b) of cells that are compared: those that `[compare]` asks for, b being the baseline, and those that claims are
    /// about. Each unordered pair is there once.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// The claims.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The measures to report, in the registry's order.
    pub fn measures(&self) -> Vec<&'static dyn Measure> {
        let chosen = |name: &str| self.resolved.measures.iter().any(|known| known == name);
        (measure::REGISTRY.iter().copied())
            .filter(|measure| chosen(measure.about().name))
            .collect()
    }

    /// What can be had besides: shown with a plan, and no part of the record.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The fonts that figures name, by their names in the run directory.
    pub fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// What the user should know before the run.
    pub fn warnings(&self) -> &[String] {
        &self.resolved.warnings
    }
}

fn read(
    root: &Value,
    text: &str,
    base: &Path,
    (batch, progress): (Option<usize>, &Progress),
    sink: &Sink,
) -> Option<Plan> {
    let reader = root.reader(sink, EXPERIMENT)?;
    let settings = settings::read(&reader);
    // the sections that make a cell are read once per cell
    for section in sweep::SWEPT_SECTIONS.iter().chain(&["sweep"]) {
        reader.get(section);
    }
    let axes = sweep::read(root, sink);
    let has_target = reader.get("trials").is_some_and(precision::is_target);
    let count = pairs::cells(&axes);
    let batch = batch.filter(|batch| count > *batch && !has_target);
    let resolver = Resolver::new(root, base, sink);
    let (mut known, mut gist) = (Known::default(), Gist::default());
    let size = batch.unwrap_or(count).max(1);
    let mut cells = Cells::with_room(size.min(count));
    if batch.is_some() {
        progress.begin(count as u64);
    }
    for start in (0..count).step_by(size) {
        let mut numbers = start..(start + size).min(count);
        let checked = numbers.len() as u64;
        if !resolver.put(&mut numbers, &axes, &mut cells, &mut known) {
            break;
        }
        if batch.is_some() {
            gist.take_for_good(&cells);
            cells.forget();
            known.trim();
            progress.advance(checked);
        }
    }
    if batch.is_none() {
        gist.take(&cells);
    }
    resolver.overridden(&axes);

    let kind = cells.study.kind();
    let settings = match kind.simulates() {
        true => settings,
        false => settings.map(|settings| without_trials(settings, root, sink)),
    };
    let processed = !cells.processed.is_empty();
    let usual = || usual_measures(&gist, processed);
    let measures = reader.get("measures").map_or_else(
        || Some(usual()),
        |given| selected_measures(given, &gist, processed, sink),
    );
    let words = Vocabulary {
        axes: &axes,
        noun: kind.noun(),
        queries: cells.subjects.clone(),
        vectors: cells.vectors.clone(),
        processed: cells.processed.clone(),
        measures: measures.clone().unwrap_or_else(usual),
    };
    let compare = match reader.get("compare") {
        None => Some(None),
        Some(given) => compare::read(given, &words, sink).map(Some),
    };
    let figures = match reader.get("figure") {
        None => Some(Figures::default()),
        Some(given) => {
            let context = figures::Context {
                // a section that is faulty is there all the same
                compares: matches!(compare, None | Some(Some(_))),
                procedure: kind.name(),
                simulates: kind.simulates(),
                kept_up_to: gathers(count, has_target).then_some(MANY_CELLS),
                base,
            };
            figures::read(given, &words, &context, sink)
        }
    };
    let claims = match reader.get("claim") {
        None => Some(Vec::new()),
        Some(given) => {
            let inline = |query: &Value, cell: &_| resolver.sensitivity(query, cell, &axes);
            let context = Context {
                words: &words,
                inline: &inline,
                sink,
            };
            claims::read(given, &context)
        }
    };
    let target = match reader.get("trials") {
        Some(given) if precision::is_target(given) => {
            let cell = |labels: &_| pairs::index(labels, &axes);
            precision::read(given, &words, &cell, sink).map(Some)
        }
        _ => Some(None),
    };
    let pairs = compare.as_ref().and_then(|compare| {
        pairs::of_compare(compare.as_ref(), &axes, section_span(root, "compare"), sink)
    });
    reader.finish();
    if !sink.is_empty() {
        return None;
    }

    let (mut settings, compare, claims, mut pairs) = (settings?, compare?, claims?, pairs?);
    let figures = figures?;
    let mut target = target?.filter(|_| kind.simulates());
    for claim in &claims {
        if let ClaimKind::Win { a, b, .. } = &claim.kind {
            if !kind.simulates() {
                let message = format!("claim `{}` is about paired trials", claim.id);
                (sink.fault(section_span(root, "claim"), message))
                    .rule("a composition has exact values alone")
                    .remedy("compare them with the kinds `order` or `ratio`")
                    .report();
                return None;
            }
            pairs::add(&mut pairs, pairs::index(a, &axes), pairs::index(b, &axes));
        }
    }
    if let Some(target) = &mut target {
        for [a, b] in target.goals.iter().flat_map(|goal| &goal.pairs) {
            pairs::add(&mut pairs, *a, *b);
        }
        if pairs.is_empty() && target.goals.iter().any(|goal| goal.differences) {
            (sink.fault(section_span(root, "trials"), "differences of which cells?"))
                .rule("differences = true is about all pairs of cells that are compared, and none is")
                .remedy("name a baseline in [compare], or the pairs: differences = [{ a = { AXIS = value }, b = { AXIS = value } }]")
                .report();
            return None;
        }
        target.compared = hash_of_pairs(&pairs);
        settings.trials = target.at_most;
    }
    let shifts = cells.shifts();
    let measures: Vec<String> = measures?.iter().map(|m| m.name.to_owned()).collect();
    let Cells {
        study,
        resolved,
        data,
        neighbours,
        mut warnings,
        notes,
        ..
    } = cells;
    warnings.extend(shifts);
    warnings.extend(undefined_relative_errors(&measures, gist.zero()));
    let origin = batch.map(|size| {
        let (sections, tables) = resolver.into_parts();
        Arc::new(Origin {
            sections,
            base: base.to_owned(),
            sources: sink.sources().clone(),
            axes: axes.clone(),
            data: data.clone(),
            memory: Mutex::new((known, tables)),
            size,
            hash: gist.hash(),
        })
    });
    let resolved = Resolved {
        schema: crate::record::SCHEMA,
        name: settings.name.clone(),
        title: settings.title.clone(),
        question: settings.question.clone(),
        seed: settings.seed,
        trials: settings.trials,
        target,
        level: settings.level,
        streams: settings.streams.name().to_owned(),
        procedure: kind.name().to_owned(),
        quantiles: settings.quantiles.name().to_owned(),
        on_error: settings.on_error.name().to_owned(),
        neighbours: neighbours.join(", "),
        axes: axes.iter().map(resolved_axis).collect(),
        measures,
        data,
        cells: resolved,
        compare,
        figures: figures.figures,
        warnings,
    };
    Some(Plan {
        file: None,
        text: text.to_owned(),
        settings,
        resolved,
        study,
        pairs,
        claims,
        notes,
        fonts: figures.fonts,
        cells: count,
        origin,
    })
}

/// Nothing is simulated: keys about trials would be without effect, and are faults.
fn without_trials(settings: Settings, root: &Value, sink: &Sink) -> Settings {
    for key in [
        "trials",
        "seed",
        "level",
        "streams",
        "quantiles",
        "on_error",
        "compare",
    ] {
        if let Some(given) = root.as_table().and_then(|table: &Table| table.get(key)) {
            (sink.fault(given.span, format!("a composition has no use for `{key}`")))
                .rule("its numbers are exact: nothing is drawn, and there is nothing to repeat or to pair")
                .remedy(format!("leave `{key}` out"))
                .report();
        }
    }
    Settings {
        trials: 0,
        ..settings
    }
}

fn section_span(root: &Value, name: &str) -> Span {
    let section = root.as_table().and_then(|table: &Table| table.get(name));
    section.map_or(root.span, |value| value.span)
}

fn resolved_axis(axis: &sweep::Axis) -> ResolvedAxis {
    ResolvedAxis {
        name: axis.name.clone(),
        path: axis.path.to_string(),
        labels: axis.labels(),
        numbers: axis.numbers(),
    }
}
