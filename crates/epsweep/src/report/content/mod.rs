//! What a report says.

mod budgets;
mod choices;
pub(crate) mod comparisons;
pub(crate) mod estimates;
mod gates;
mod policies;
mod precision;
mod queries;
mod stages;
mod totals;
mod training;
mod trust;

use super::document::{Block, Cell, Document, Section, Table, Tone};
use crate::claim::Verdict;
use crate::figure::{self, Drawn, cell_labels};
use crate::record::Run;
use crate::summary::EACH_QUERY;
use crate::words::{grouped, grouped_range, significant, with_interval};
use std::collections::BTreeMap;

/// Rows of a table; the files have the others.
const MOST_ROWS: usize = 120;

/// Puts the report of a run together.
pub fn document(run: &Run, answer: &str, drawn: &[Drawn]) -> Document {
    let resolved = &run.resolved;
    let labels = cell_labels(run);
    let sections = [
        ("Worth knowing", worth_knowing(run)),
        ("Claims", claims(run)),
        ("Totals", totals::blocks(run)),
        (EACH_QUERY, queries::blocks(run)),
        ("Estimates", estimates::blocks(run, &labels)),
        ("Comparisons", comparisons::blocks(run)),
        ("Precision", precision::blocks(run, &labels)),
        ("Figures", figures(drawn)),
        ("How the budget is spent", budgets::blocks(run, &labels)),
        ("How candidates are chosen", choices::blocks(run, &labels)),
        ("How the stream is answered", streams(run, &labels)),
        ("How the model is trained", training::blocks(run, &labels)),
        ("How the stages share", stages::blocks(run, &labels)),
        ("Can this be trusted?", trust::blocks(run, drawn)),
        ("Data", data(run)),
        ("Warnings", warnings(run, drawn)),
        ("Method and limits", method(run)),
        ("How to repeat this", repeat(run)),
    ];
    Document {
        title: resolved.title.clone(),
        question: resolved.question.clone(),
        answer: answer.to_owned(),
        sections: sections
            .into_iter()
            .filter(|(_, blocks)| !blocks.is_empty())
            .map(|(title, blocks)| Section {
                title: title.to_owned(),
                blocks: blocks.into_iter().map(tidied).collect(),
            })
            .collect(),
    }
}

/// A table without empty columns; everything else as it is.
fn tidied(block: Block) -> Block {
    match block {
        Block::Table(table) => Block::Table(table.without_empty_columns()),
        other => other,
    }
}

/// All figures but that of the deviations from theory, which has its place beside them.
fn figures(drawn: &[Drawn]) -> Vec<Block> {
    (0..drawn.len())
        .filter(|index| drawn[*index].kind != figure::Z_SCORES)
        .map(Block::Figure)
        .collect()
}

/// Gates and policies.
fn streams(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let mut blocks = gates::blocks(run, labels);
    blocks.extend(policies::blocks(run, labels));
    blocks
}

fn verdict(verdict: Verdict) -> (&'static str, Tone) {
    match verdict {
        Verdict::Holds => ("holds", Tone::Holds),
        Verdict::Refuted => ("refuted", Tone::Refuted),
        Verdict::Undecided => ("undecided", Tone::Undecided),
    }
}

fn claims(run: &Run) -> Vec<Block> {
    if run.claims.is_empty() {
        return Vec::new();
    }
    let count = |wanted| run.claims.iter().filter(|c| c.verdict == wanted).count();
    let unexpected = run
        .claims
        .iter()
        .filter(|c| c.verdict != c.expected)
        .count();
    let statements = if run.claims.len() == 1 {
        "statement"
    } else {
        "statements"
    };
    let mut lead = format!(
        "{} {statements} checked: {} holding, {} refuted, {} undecided.",
        run.claims.len(),
        count(Verdict::Holds),
        count(Verdict::Refuted),
        count(Verdict::Undecided)
    );
    if unexpected > 0 {
        lead.push_str(&format!(
            " Marked: verdicts other than the expected ones, of which there are {unexpected}."
        ));
    }
    vec![Block::Paragraph(lead), Block::Table(claim_table(run))]
}

/// All claims.
pub fn claim_table(run: &Run) -> Table {
    let mut table = Table::new(
        "",
        &["id", "statement", "claimed", "found", "#exact", "verdict"],
    );
    for claim in &run.claims {
        let found = match (claim.low, claim.high, claim.value.parse::<f64>()) {
            (low @ Some(_), high @ Some(_), Ok(value)) => with_interval(value, low, high),
            (_, _, Ok(value)) => significant(value, 6),
            _ => claim.value.clone(),
        };
        let claimed = tidy(&claim.claimed);
        let (word, mut tone) = verdict(claim.verdict);
        let mut text = word.to_owned();
        if claim.verdict != claim.expected {
            text.push_str(&format!("; expected: {}", verdict(claim.expected).0));
            tone = Tone::Alarm;
        }
        table.rows.push(vec![
            claim.claim.as_str().into(),
            Cell {
                note: claim.statistic.clone(),
                ..Cell::from(claim.text.as_str())
            },
            claimed.into(),
            found.into(),
            claim
                .exact
                .map_or_else(String::new, |e| significant(e, 6))
                .into(),
            Cell {
                text,
                tone,
                note: claim.note.clone(),
            },
        ]);
    }
    table
}

/// The numbers in a text with no more digits than anyone reads.
fn tidy(text: &str) -> String {
    let tidied: Vec<String> = text
        .split(' ')
        .map(|word| {
            let core = word.trim_matches(['(', ')', ',']);
            match core.parse::<f64>() {
                Ok(number) if core.len() > 4 => word.replace(core, &significant(number, 10)),
                _ => word.to_owned(),
            }
        })
        .collect();
    tidied.join(" ")
}

/// The level of the run's intervals.
pub fn percent_of_level(run: &Run) -> String {
    format!("{} %", significant(100.0 * run.resolved.level, 4))
}

fn data(run: &Run) -> Vec<Block> {
    let mut table = Table::new(
        "",
        &["data", "#rows", "column", "bounds", "#clipped values"],
    );
    for data in &run.resolved.data {
        let source = || Cell::from(data.source.as_str());
        let rows = || Cell::from(grouped(data.rows));
        if data.columns.is_empty() {
            table
                .rows
                .push(vec![source(), rows(), "".into(), "".into(), "".into()]);
        }
        for column in &data.columns {
            let bounds = column.bounds.map_or_else(String::new, |[low, high]| {
                format!("[{}, {}]", significant(low, 6), significant(high, 6))
            });
            table.rows.push(vec![
                source(),
                rows(),
                column.name.as_str().into(),
                bounds.into(),
                grouped(column.clipped).into(),
            ]);
        }
    }
    if table.rows.is_empty() {
        return Vec::new();
    }
    table.limit(MOST_ROWS, "resolved.json");
    vec![Block::Table(table)]
}

fn worth_knowing(run: &Run) -> Vec<Block> {
    match run.manifest.notes.is_empty() {
        true => Vec::new(),
        false => vec![Block::List(run.manifest.notes.clone())],
    }
}

fn warnings(run: &Run, drawn: &[Drawn]) -> Vec<Block> {
    let mut all: Vec<String> = Vec::new();
    let every = run
        .resolved
        .warnings
        .iter()
        .chain(&run.manifest.warnings)
        .chain(drawn.iter().flat_map(|d| &d.warnings));
    for warning in every {
        if !all.contains(warning) {
            all.push(warning.clone());
        }
    }
    if all.is_empty() {
        Vec::new()
    } else {
        vec![Block::List(all)]
    }
}

fn method(run: &Run) -> Vec<Block> {
    let resolved = &run.resolved;
    if resolved.trials == 0 {
        return totals::method();
    }
    let mut points = vec![
        format!(
            "Every cell was simulated {} times. Means and standard deviations come from exact running moments; their intervals are at the {} level and hold for the mean or the standard deviation over many trials, not for a single trial.",
            grouped_range(&run.trials()),
            percent_of_level(run)
        ),
        "Quantiles of single trials come from histograms with narrow bins; the column `method` of summary.csv says how each number was found. The least and the largest value are merely what was observed and have no interval.".to_owned(),
        "An exact value is what theory gives for the same statistic, without simulation. Where there is one, the simulated value serves as a check of the program, and the exact one is to be cited.".to_owned(),
    ];
    if resolved.target.is_some() {
        points.push("How many trials a cell got was decided by its own numbers, at looks that are a quarter of the trials apart. Intervals after such a stop cover a little less often than those of trials fixed in advance; from some thousand trials on the difference is too small to be seen.".to_owned());
    }
    if resolved.streams == "common" {
        points.push(
            "All cells read the same noise draws, rescaled. This makes differences between cells precise, but the cells are not independent: cells whose errors differ by a factor only carry the same evidence, so equal z in many rows counts once.".to_owned(),
        );
    } else {
        points.push(
            "Every cell has its own noise draws, so cells are independent of each other."
                .to_owned(),
        );
    }
    if !run.comparisons.is_empty() {
        points.push("The best of many cells on the same trials looks a little better than it is; the adjusted p values account for the number of comparisons, the differences themselves do not.".to_owned());
    }
    if !resolved.data.is_empty() {
        points.push("Report, summary.csv and resolved.json hold true answers, and errors from which they follow: where the data are real records, these files are as confidential as the records.".to_owned());
    }
    points.push(
        "The noise is made for simulation in floating point: do not use it to publish real data."
            .to_owned(),
    );
    vec![Block::List(points)]
}

fn repeat(run: &Run) -> Vec<Block> {
    let resolved = &run.resolved;
    let simulated = resolved.trials > 0;
    let with = match simulated {
        // where precision decides, the file says so
        true if resolved.target.is_some() => format!(" --seed {}", resolved.seed),
        true => format!(" --seed {} --trials {}", resolved.seed, resolved.trials),
        false => String::new(),
    };
    // files are usually called what their experiment is
    let file = run.manifest.file.clone();
    let file = file.unwrap_or_else(|| format!("{}.toml", resolved.name));
    let commands = format!(
        "epsweep run {file}{with}\nepsweep report results/{0}\nsha256sum results/{0}/summary.csv",
        resolved.name
    );
    let cells = grouped(resolved.cells.len() as u64);
    vec![
        Block::Paragraph(
            "The experiment file is kept verbatim as experiment.toml, all values after defaults are in resolved.json. The numbers do not depend on the machine, the number of threads or the instruction set.".to_owned(),
        ),
        Block::Code(commands),
        Block::List(vec![
            format!("epsweep {}", run.manifest.epsweep),
            match simulated {
                true => format!("seed {}, {} trials per cell, {cells} cells", resolved.seed, grouped_range(&run.trials())),
                false => format!("{cells} cells"),
            },
            format!("digest of the tallies: {}", run.manifest.digest),
            format!("digest of the experiment: {}", run.manifest.experiment_digest),
        ]),
    ]
}
