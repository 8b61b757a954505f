//! `epsweep verify`

use super::arguments::{Experiment, Format, Verify};
use super::simulate::{Ended, simulate};
use super::text::{Align, Table};
use super::{Failure, exit, interrupt, is_run, load, output};
use crate::engine::Kept;
use crate::pipeline::{self, PipelineError};
use crate::record::{self, ClaimRow, CsvText, SummaryRow, number};
use crate::verify::controls::CONTROLS;
use crate::verify::{Piece, Seeds, Verification, across_seeds, verify as judge};
use crate::words::{grouped, join, several, significant};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Pieces of evidence that are shown of a run where nothing contradicts theory.
const WORST: usize = 3;

/// Judges runs: recorded ones by their directories, experiments by running them without leaving a record.
pub fn verify(arguments: &Verify) -> Result<u8, Failure> {
    if !(arguments.level > 0.0 && arguments.level < 1.0) {
        return Err(Failure::Argument(format!(
            "level {} is not between 0 and 1: it is the probability with which a true run fails, such as 0.001",
            arguments.level
        )));
    }
    if arguments.controls {
        return controls(arguments.format);
    }
    if let Some(seeds) = arguments.seeds {
        return many_seeds(arguments, seeds);
    }
    let judged = each(&arguments.paths, |path| match is_run(path)? {
        true => recorded(path, arguments).map(Some),
        false => simulated(path, arguments, arguments.seed),
    })?;
    let Some(Judged { found, unread }) = judged else {
        return interrupted();
    };
    if found.is_empty() {
        return Ok(unread.code);
    }
    output::result(&match arguments.format {
        Format::Text => found
            .iter()
            .map(|(name, found)| text(name, found))
            .collect(),
        Format::Json => output::document(json!({
            "runs": (found.iter())
                .map(|(name, found)| json!({ "run": name, "passed": found.passed(), "verification": found }))
                .collect::<Vec<_>>(),
            "unread": unread.json(),
        })),
        Format::Csv => csv(&found),
        Format::Markdown => table(&found).markdown(),
    })?;
    let passed = found.iter().all(|(_, found)| found.passed());
    Ok(unread.or(passed))
}

/// What was judged, and what could not be.
struct Judged<T> {
    found: Vec<(String, T)>,
    unread: Unread,
}

/// What could not be judged, by name with the reason, and the exit code of the first of it.
#[derive(Default)]
struct Unread {
    faults: Vec<(String, String)>,
    code: u8,
}

impl Unread {
    /// The exit code: that something was not judged at all comes before what the others say.
    fn or(&self, passed: bool) -> u8 {
        match (self.faults.is_empty(), passed) {
            (false, _) => self.code,
            (true, true) => exit::DONE,
            (true, false) => exit::FOUND,
        }
    }

    fn json(&self) -> Vec<serde_json::Value> {
        (self.faults.iter())
            .map(|(name, why)| json!({ "run": name, "error": why }))
            .collect()
    }
}

/// Judges each of these by itself: one that cannot be read does not keep the others from being judged. `None` after an interruption.
fn each<T>(
    paths: &[PathBuf],
    mut judge: impl FnMut(&Path) -> Result<Option<T>, Failure>,
) -> Result<Option<Judged<T>>, Failure> {
    let (mut found, mut unread) = (Vec::new(), Unread::default());
    for path in paths {
        let name = path.display().to_string();
        match judge(path) {
            Ok(Some(judged)) => found.push((name, judged)),
            Ok(None) => return Ok(None),
            Err(failure) => {
                failure.say();
                if unread.faults.is_empty() {
                    unread.code = failure.code();
                }
                unread.faults.push((name, failure.to_string()));
            }
        }
    }
    if !unread.faults.is_empty() && paths.len() > 1 {
        let names: Vec<&str> = (unread.faults.iter())
            .map(|(name, _)| name.as_str())
            .collect();
        output::note(&format!(
            "{} of {} could not be judged: {}",
            names.len(),
            paths.len(),
            join(&names, "and")
        ));
    }
    Ok(Some(Judged { found, unread }))
}

/// The columns of the controls.
const CONTROL_HEADS: [(&str, Align); 8] = [
    ("control", Align::Left),
    ("outcomes", Align::Left),
    ("trials", Align::Right),
    ("statistic", Align::Left),
    ("z", Align::Right),
    ("p_adjusted", Align::Right),
    ("expected", Align::Left),
    ("verdict", Align::Left),
];

/// Judges the controls. They have one level, that of which each fault is sure to be found.
fn controls(format: Format) -> Result<u8, Failure> {
    let mut table = Table::new(&CONTROL_HEADS);
    let mut judged = Vec::new();
    for control in CONTROLS {
        let found = control.judge().map_err(PipelineError::from)?;
        let (worst, word) = (found.pieces.first(), |passed| {
            if passed { "passes" } else { "fails" }
        });
        let of = |show: &dyn Fn(&Piece) -> String| worst.map_or_else(String::new, show);
        let row = vec![
            control.name.to_owned(),
            control.what.to_owned(),
            control.trials.to_string(),
            of(&|piece| piece.statistic.clone()),
            of(&|piece| format!("{:.1}", piece.worst.z)),
            of(&|piece| significant(piece.p_adjusted, 2)),
            word(!control.faulty).to_owned(),
            word(found.passed()).to_owned(),
        ];
        judged.push((control, row.clone(), found.passed()));
        table.row(row);
    }
    output::result(&match format {
        Format::Text => table.text(),
        Format::Markdown => table.markdown(),
        Format::Json => output::document(json!({
            "controls": (judged.iter())
                .map(|(control, _, passed)| json!({
                    "name": control.name,
                    "outcomes": control.what,
                    "trials": control.trials,
                    "expected": !control.faulty,
                    "passed": passed,
                }))
                .collect::<Vec<_>>(),
        })),
        Format::Csv => {
            let mut csv = CsvText::new(CONTROL_HEADS.map(|(head, _)| head));
            for (_, row, _) in &judged {
                csv.row(row);
            }
            csv.text()
        }
    })?;
    let right = judged
        .iter()
        .all(|(control, _, passed)| *passed != control.faulty);
    Ok(if right { exit::DONE } else { exit::FOUND })
}

fn interrupted() -> Result<u8, Failure> {
    interrupt::say();
    Ok(interrupt::code())
}

/// Judges experiments by many seeds each.
fn many_seeds(arguments: &Verify, seeds: u64) -> Result<u8, Failure> {
    let first = arguments.seed.unwrap_or(1);
    let judged = each(&arguments.paths, |path| {
        if is_run(path)? {
            return Err(Failure::Argument(format!(
                "{} is the record of a run with one seed: give the experiment file to run it with {seeds}",
                path.display()
            )));
        }
        let mut runs = Vec::new();
        for seed in 0..seeds {
            match simulated(path, arguments, Some(first.wrapping_add(seed)))? {
                Some(run) => runs.push(run),
                None => return Ok(None),
            }
        }
        Ok(Some(across_seeds(&runs, arguments.level)))
    })?;
    let Some(Judged { found, unread }) = judged else {
        return interrupted();
    };
    if found.is_empty() {
        return Ok(unread.code);
    }
    output::result(&match arguments.format {
        Format::Text => (found.iter())
            .map(|(name, found)| seeds_text(name, found))
            .collect(),
        Format::Json => output::document(json!({
            "runs": (found.iter())
                .map(|(name, found)| json!({ "run": name, "passed": found.passed(), "seeds": found }))
                .collect::<Vec<_>>(),
            "unread": unread.json(),
        })),
        Format::Csv => seeds_csv(&found),
        Format::Markdown => seeds_table(&found).markdown(),
    })?;
    let passed = found.iter().all(|(_, found)| found.passed());
    Ok(unread.or(passed))
}

fn seeds_text(name: &str, found: &Seeds) -> String {
    let verdict = match found.passed() {
        true if found.statistics.is_empty() => "nothing could be judged",
        true => "p values are uniform",
        false => "FAILED: small p values or failing runs are too many",
    };
    let one = [(name.to_owned(), found.clone())];
    let mut out = format!(
        "{name}: {verdict}\n  {} of {} failed by themselves at the level {}; the statistics that deviate most of {}:\n",
        grouped(found.failed),
        several(found.seeds, "run"),
        number(found.level),
        found.statistics.len(),
    );
    for line in seeds_table(&one).text().lines() {
        out += &format!("    {line}\n");
    }
    out + SEED_P_VALUES
}

const SEED_HEADS: [(&str, Align); 8] = [
    ("run", Align::Left),
    ("subject", Align::Left),
    ("measure", Align::Left),
    ("statistic", Align::Left),
    ("seeds", Align::Right),
    ("excess", Align::Right),
    ("p", Align::Right),
    ("p_adjusted", Align::Right),
];

fn seeds_table(found: &[(String, Seeds)]) -> Table {
    let mut table = Table::new(&SEED_HEADS);
    for (name, found) in found {
        for of in found.statistics.iter().take(WORST) {
            table.row(vec![
                name.clone(),
                of.subject.clone(),
                of.measure.clone(),
                of.statistic.clone(),
                of.seeds.to_string(),
                significant(of.excess, 2),
                significant(of.p, 2),
                significant(of.p_adjusted, 2),
            ]);
        }
    }
    table
}

/// All statistics, raw numbers.
fn seeds_csv(found: &[(String, Seeds)]) -> String {
    let mut table = CsvText::new(SEED_HEADS.map(|(head, _)| head));
    for (name, found) in found {
        for of in &found.statistics {
            let seeds = of.seeds.to_string();
            let numbers = [of.excess, of.p, of.p_adjusted].map(number);
            let words = [name, &of.subject, &of.measure, &of.statistic, &seeds];
            table.row(words.into_iter().chain(&numbers));
        }
    }
    table.text()
}

fn recorded(dir: &Path, arguments: &Verify) -> Result<Verification, Failure> {
    if arguments.seed.is_some() || arguments.trials.is_some() || !arguments.set.is_empty() {
        return Err(Failure::Argument(format!(
            "{} is the record of a run, whose seed, trials and values are what they are: give the experiment file to run it with others",
            dir.display()
        )));
    }
    let run = record::read(dir)?;
    if run.left_out() > 0 {
        return Err(Failure::Argument(format!(
            "{} has more than {} cells, of which the first alone are read back: give the experiment file, to have all of them simulated and judged",
            dir.display(),
            record::MOST_CELLS
        )));
    }
    Ok(of(&run.summary, &run.claims, arguments))
}

fn simulated(
    file: &Path,
    arguments: &Verify,
    seed: Option<u64>,
) -> Result<Option<Verification>, Failure> {
    let plan = load(&Experiment {
        file: file.to_path_buf(),
        seed,
        trials: arguments.trials,
        set: arguments.set.clone(),
    })?;
    let kept = Kept::default();
    let Ended::Done(simulated) =
        simulate(&plan, kept, None, arguments.jobs, arguments.quiet, None)?
    else {
        return Ok(None);
    };
    let rows = pipeline::rows(&plan, &simulated)?;
    Ok(Some(of(&rows.summary.rows, &rows.claims, arguments)))
}

fn of(summary: &[SummaryRow], claims: &[ClaimRow], arguments: &Verify) -> Verification {
    judge(summary, claims, arguments.level)
}

fn text(name: &str, found: &Verification) -> String {
    let verdict = match (found.passed(), found.judged, found.claims) {
        (false, ..) => "FAILED",
        (true, 0, 0) => "nothing could be judged",
        (true, 0, _) => "no estimate could be judged; the claims come out as established",
        (true, ..) => "nothing contradicts theory",
    };
    let mut out = format!("{name}: {verdict}\n");
    out += &format!(
        "  {} with an exact value: {} of {}, {} not judged ({} too skewed for the trials, {} with too few values beyond a quantile)\n",
        several(
            found.judged + found.unjudged.skewed + found.unjudged.few,
            "estimate"
        ),
        several(found.distinct, "distinct deviation"),
        several(found.pieces.len() as u64, "statistic"),
        grouped(found.unjudged.skewed + found.unjudged.few),
        grouped(found.unjudged.skewed),
        grouped(found.unjudged.few),
    );
    out += &match found.claims {
        0 => "  no claims\n".to_owned(),
        claims => format!(
            "  {} of {} as established\n",
            claims - found.surprises.len() as u64,
            several(claims, "claim")
        ),
    };
    for claim in &found.surprises {
        out += &format!(
            "  claim {}: {} where {} is established ({}; found {})\n",
            claim.claim, claim.verdict, claim.expected, claim.text, claim.value
        );
    }
    let contradictions = found.contradictions().count();
    let shown = match contradictions {
        0 => WORST,
        many => many.min(10 * WORST),
    };
    if !found.pieces.is_empty() {
        let head = match contradictions {
            0 => "the deviations that chance explains least (smallest p):".to_owned(),
            many => format!(
                "{} beyond what chance explains (adjusted p below {}):",
                several(many as u64, "statistic"),
                number(found.level)
            ),
        };
        out += &format!("  {head}\n");
        let mut table = Table::new(&HEADS[1..]);
        for piece in found.pieces.iter().take(shown) {
            table.row(fields(piece));
        }
        for line in table.text().lines() {
            out += &format!("    {line}\n");
        }
        if contradictions > shown {
            out += &format!("    … and {} more\n", contradictions - shown);
        }
        out += P_VALUES;
    }
    out
}

/// What the p values under a table of statistics are.
const P_VALUES: &str = "  p: probability of a z as large in a statistic's cells if theory is right (cells that rescale the same noise count once); p_adjusted: the same for all statistics together\n";

/// What the p values under a table of statistics over many seeds are.
const SEED_P_VALUES: &str = "  excess: by how much small p values are too many; p: probability of such an excess if theory is right; p_adjusted: the same for all statistics together\n";

/// The heads of the columns; a table of one run leaves the first out.
const HEADS: [(&str, Align); 10] = [
    ("run", Align::Left),
    ("subject", Align::Left),
    ("measure", Align::Left),
    ("statistic", Align::Left),
    ("cell", Align::Left),
    ("value", Align::Right),
    ("exact", Align::Right),
    ("z", Align::Right),
    ("p", Align::Right),
    ("p_adjusted", Align::Right),
];

fn fields(piece: &Piece) -> Vec<String> {
    let worst = &piece.worst;
    vec![
        piece.subject.clone(),
        piece.measure.clone(),
        piece.statistic.clone(),
        worst.cell.clone(),
        significant(worst.value, 6),
        significant(worst.exact, 6),
        format!("{:.2}", worst.z),
        significant(piece.p, 2),
        significant(piece.p_adjusted, 2),
    ]
}

/// The evidence of all runs: of each the worst pieces, and all that contradict theory.
fn table(found: &[(String, Verification)]) -> Table {
    let mut table = Table::new(&HEADS);
    for (name, found) in found {
        let shown = WORST.max(found.contradictions().count());
        for piece in found.pieces.iter().take(shown) {
            let mut row = vec![name.clone()];
            row.extend(fields(piece));
            table.row(row);
        }
    }
    table
}

/// All evidence of all runs, raw numbers.
fn csv(found: &[(String, Verification)]) -> String {
    let mut table = CsvText::new(HEADS.map(|(head, _)| head).into_iter().chain(["p_first"]));
    for (name, found) in found {
        for piece in &found.pieces {
            let worst = &piece.worst;
            let numbers = [
                worst.value,
                worst.exact,
                worst.z,
                piece.p,
                piece.p_adjusted,
                piece.p_first,
            ]
            .map(number);
            let words = [
                name,
                &piece.subject,
                &piece.measure,
                &piece.statistic,
                &worst.cell,
            ];
            table.row(words.into_iter().chain(&numbers));
        }
    }
    table.text()
}
