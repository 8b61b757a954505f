//! What a report says.

use super::document::{Block, Cell, Document, Section, Table, Tone};
use super::number::{grouped, measured, percent, significant, with_interval};
use crate::claim::Verdict;
use crate::figure::{Drawn, cell_labels, measure_words};
use crate::record::{Run, SummaryRow};
use std::collections::BTreeMap;

/// Rows of a table; the files have the others.
const MOST_ROWS: usize = 48;
/// Cells up to which every measure gets a table.
const FEW_CELLS: usize = 12;
/// A z beyond this is marked: under the exact law, once in 16 000.
const LARGE_Z: f64 = 4.0;

/// Puts the report of a run together.
pub fn document(run: &Run, answer: &str, drawn: &[Drawn]) -> Document {
    let resolved = &run.resolved;
    let labels = cell_labels(run);
    let sections = [
        ("Claims", claims(run)),
        ("Estimates", estimates(run, &labels)),
        ("Comparisons", comparisons(run)),
        ("Figures", (0..drawn.len()).map(Block::Figure).collect()),
        ("How the budget is spent", budgets(run, &labels)),
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
            .map(|(title, blocks)| Section { title: title.to_owned(), blocks })
            .collect(),
    }
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
    let unexpected = run.claims.iter().filter(|c| c.verdict != c.expected).count();
    let mut lead = format!(
        "{} statements: {} hold, {} refuted, {} undecided.",
        run.claims.len(),
        count(Verdict::Holds),
        count(Verdict::Refuted),
        count(Verdict::Undecided)
    );
    if unexpected > 0 {
        lead.push_str(&format!(" {unexpected} of the verdicts differ from the expected ones and are marked."));
    }
    let mut table = Table::new("", &["id", "statement", "claimed", "found", "#exact", "verdict"]);
    for claim in &run.claims {
        let found = match (claim.low, claim.high, claim.value.parse::<f64>()) {
            (low @ Some(_), high @ Some(_), Ok(value)) => with_interval(value, low, high),
            (_, _, Ok(value)) => significant(value, 6),
            _ => claim.value.clone(),
        };
        let claimed = claim.claimed.parse::<f64>().map_or_else(|_| claim.claimed.clone(), |v| significant(v, 6));
        let (word, mut tone) = verdict(claim.verdict);
        let mut text = word.to_owned();
        if claim.verdict != claim.expected {
            text.push_str(&format!("; expected: {}", verdict(claim.expected).0));
            tone = Tone::Alarm;
        }
        if !claim.note.is_empty() {
            text.push_str(&format!(" ({})", claim.note));
        }
        let statement = if claim.statistic.is_empty() { claim.text.clone() } else { format!("{} [{}]", claim.text, claim.statistic) };
        table.rows.push(vec![
            claim.claim.as_str().into(),
            statement.into(),
            claimed.into(),
            found.into(),
            claim.exact.map_or_else(String::new, |e| significant(e, 6)).into(),
            Cell { text, tone },
        ]);
    }
    vec![Block::Paragraph(lead), Block::Table(table)]
}

/// The rows of a measure, by cell and subject, in the order of the file.
type Grouped<'a> = Vec<(&'a str, &'a str, BTreeMap<&'a str, &'a SummaryRow>)>;

fn grouped_rows<'a>(run: &'a Run, measure: &str) -> Grouped<'a> {
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut found: Grouped<'a> = Vec::new();
    for row in run.summary.iter().filter(|r| r.measure == measure) {
        let place = *places.entry((&row.cell, &row.subject)).or_insert_with(|| {
            found.push((&row.cell, &row.subject, BTreeMap::new()));
            found.len() - 1
        });
        found[place].2.insert(row.statistic.as_str(), row);
    }
    found
}

fn estimates(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let few = run.resolved.cells.len() <= FEW_CELLS;
    let mut measures: Vec<&str> = Vec::new();
    for row in &run.summary {
        if !measures.contains(&row.measure.as_str()) {
            measures.push(&row.measure);
        }
    }
    // measures of all queries together are the headlines; then what a single answer's user wants to know
    let together = |measure: &&str| run.summary.iter().any(|r| r.measure == *measure && r.subject == "all");
    let (mut shown, single): (Vec<&str>, Vec<&str>) = measures.iter().copied().partition(together);
    shown.extend(single.iter().filter(|m| ["abs_error", "covered"].contains(*m)));
    if shown.is_empty() {
        shown.extend(single.iter().take(2));
    }
    if !few {
        shown.truncate(2);
    }
    let mut blocks = Vec::new();
    if shown.is_empty() {
        return blocks;
    }
    blocks.push(Block::Paragraph(format!(
        "Means over {} trials with the half-width of their {} intervals. z is the distance to the exact value in Monte Carlo standard errors. \
         The quantiles are those of single trials.",
        grouped(run.resolved.trials),
        percent_of_level(run)
    )));
    for (rank, measure) in shown.iter().enumerate() {
        let (words, unit) = measure_words(measure);
        let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
        let rows = grouped_rows(run, measure);
        let many = rows.iter().any(|(_, subject, _)| *subject != "all");
        let mut header = vec!["cell"];
        if many {
            header.push("query");
        }
        header.extend(["#mean", "#exact", "#z", "#median", "#95 % quantile", "#largest seen"]);
        let mut table = Table::new(format!("{words}{unit}"), &header);
        for (cell, subject, statistics) in rows {
            let mut entries: Vec<Cell> = vec![labels.get(cell).map_or(cell, String::as_str).into()];
            if many {
                entries.push(subject.into());
            }
            let mean = statistics.get("mean");
            let z = mean.and_then(|r| r.z).filter(|z| z.is_finite());
            entries.push(mean.map_or_else(String::new, |r| with_interval(r.value, r.low, r.high)).into());
            entries.push(mean.and_then(|r| r.exact).map_or_else(String::new, |e| significant(e, 6)).into());
            entries.push(Cell {
                text: z.map_or_else(String::new, |z| format!("{z:+.2}").replace('-', "−")),
                tone: if z.is_some_and(|z| z.abs() > LARGE_Z) { Tone::Alarm } else { Tone::Plain },
            });
            for statistic in ["median", "q95", "max"] {
                let text = statistics.get(statistic).map_or_else(String::new, |r| match statistic {
                    "max" => significant(r.value, 4),
                    _ => measured(r.value, r.mcse),
                });
                entries.push(text.into());
            }
            table.rows.push(entries);
        }
        table.limit(MOST_ROWS, "summary.csv");
        table.long_only = rank >= 2;
        blocks.push(Block::Table(table));
    }
    let others: Vec<&str> = measures.iter().copied().filter(|m| !shown.contains(m)).collect();
    let mut rest = "summary.csv has every statistic (mean, sd, min, q01 to q99, max) with its standard error and interval".to_owned();
    if others.is_empty() {
        rest.push('.');
    } else {
        rest.push_str(&format!(", also of {}.", others.join(", ")));
    }
    blocks.push(Block::Paragraph(rest));
    blocks
}

fn percent_of_level(run: &Run) -> String {
    format!("{} %", significant(100.0 * run.resolved.level, 4))
}

fn comparisons(run: &Run) -> Vec<Block> {
    if run.comparisons.is_empty() {
        return Vec::new();
    }
    let axes: Vec<usize> = (0..run.resolved.axes.len())
        .filter(|i| run.comparisons.iter().any(|c| c.axes.get(*i).is_some_and(|l| !l.is_empty())))
        .collect();
    let mut header: Vec<&str> = axes.iter().map(|i| run.resolved.axes[*i].name.as_str()).collect();
    header.extend(["measure", "query", "a", "b", "#a − b", "#a lower", "#equal", "#a higher", "#adjusted p"]);
    let mut table = Table::new("", &header);
    // what concerns all queries comes first
    let (together, single): (Vec<_>, Vec<_>) = run.comparisons.iter().partition(|c| c.subject == "all");
    for row in together.into_iter().chain(single) {
        let share = |count: u64| {
            if row.trials == 0 { String::new() } else { percent(count as f64 / row.trials as f64) }
        };
        let mut entries: Vec<Cell> = axes.iter().map(|i| row.axes.get(*i).map_or("", String::as_str).into()).collect();
        entries.extend([
            measure_words(&row.measure).0.into(),
            row.subject.as_str().into(),
            row.a.as_str().into(),
            row.b.as_str().into(),
            with_interval(row.difference, Some(row.low), Some(row.high)).into(),
            share(row.win).into(),
            share(row.tie).into(),
            share(row.loss).into(),
            p_value(row.p_adjusted).into(),
        ]);
        table.rows.push(entries);
    }
    table.limit(MOST_ROWS, "comparisons.csv");
    let pairing = if run.resolved.streams == "common" {
        "on the same noise draws, trial by trial"
    } else {
        "on independent noise draws"
    };
    vec![
        Block::Paragraph(format!(
            "Differences of means {pairing}, with {} intervals; the shares of trials in which a is lower, equal or higher; p values of “no difference”, adjusted (Holm) for the number of comparisons.",
            percent_of_level(run)
        )),
        Block::Table(table),
    ]
}

fn p_value(p: f64) -> String {
    if p < 1e-16 { "< 10⁻¹⁶".to_owned() } else { significant(p, 2) }
}

fn budgets(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let cells = &run.resolved.cells;
    let (Some(first), true) = (cells.first(), cells.iter().any(|c| !c.queries.is_empty())) else {
        return Vec::new();
    };
    let mut blocks = Vec::new();
    let mut queries = Table::new("Queries", &["query", "definition", "#true answer", "#sensitivity Δ₁", "#weight"]);
    let mut seen: Vec<(&str, u64, u64)> = Vec::new();
    for query in cells.iter().flat_map(|c| &c.queries) {
        let key = (query.name.as_str(), query.truth.to_bits(), query.l1.to_bits());
        if !seen.contains(&key) && seen.len() < 2 * MOST_ROWS {
            seen.push(key);
            queries.rows.push(vec![
                query.name.as_str().into(),
                query.definition.as_str().into(),
                significant(query.truth, 6).into(),
                significant(query.l1, 6).into(),
                significant(query.weight, 6).into(),
            ]);
        }
    }
    queries.limit(MOST_ROWS, "resolved.json");
    let mut spent = Table::new("Shares, budgets and noise scales", &["cell", "query", "#share", "#budget", "#noise scale"]);
    for cell in cells {
        for query in &cell.queries {
            spent.rows.push(vec![
                labels.get(cell.id.as_str()).map_or(cell.id.as_str(), String::as_str).into(),
                query.name.as_str().into(),
                significant(query.share, 4).into(),
                significant(query.budget, 4).into(),
                query.scale.map_or_else(|| "∞".to_owned(), |s| significant(s, 5)).into(),
            ]);
        }
    }
    spent.limit(MOST_ROWS, "resolved.json");
    let mut guarantees: Vec<&str> = cells.iter().map(|c| c.guarantee.as_str()).collect();
    guarantees.dedup();
    let total = if guarantees.len() == 1 { format!("The total is {}.", first.guarantee) } else { "The totals are those of the cells.".to_owned() };
    blocks.push(Block::Paragraph(format!(
        "{total} Composition: {}; neighbouring data sets: {}; noise: {}.",
        first.composition, run.resolved.neighbours, first.noise
    )));
    blocks.push(Block::Table(queries));
    blocks.push(Block::Table(spent));
    blocks
}

fn data(run: &Run) -> Vec<Block> {
    let mut table = Table::new("", &["data", "#rows", "column", "bounds", "#clipped values"]);
    for data in &run.resolved.data {
        let source = || Cell::from(data.source.as_str());
        let rows = || Cell::from(grouped(data.rows));
        if data.columns.is_empty() {
            table.rows.push(vec![source(), rows(), "".into(), "".into(), "".into()]);
        }
        for column in &data.columns {
            let bounds = column.bounds.map_or_else(String::new, |[low, high]| format!("[{}, {}]", significant(low, 6), significant(high, 6)));
            table.rows.push(vec![source(), rows(), column.name.as_str().into(), bounds.into(), grouped(column.clipped).into()]);
        }
    }
    if table.rows.is_empty() {
        return Vec::new();
    }
    table.limit(MOST_ROWS, "resolved.json");
    vec![Block::Table(table)]
}

fn warnings(run: &Run, drawn: &[Drawn]) -> Vec<Block> {
    let mut all: Vec<String> = Vec::new();
    let every = run.resolved.warnings.iter().chain(&run.manifest.warnings).chain(drawn.iter().flat_map(|d| &d.warnings));
    for warning in every {
        if !all.contains(warning) {
            all.push(warning.clone());
        }
    }
    if all.is_empty() { Vec::new() } else { vec![Block::List(all)] }
}

fn method(run: &Run) -> Vec<Block> {
    let resolved = &run.resolved;
    let mut points = vec![
        format!(
            "Every cell was simulated {} times. Means and standard deviations come from exact running moments; their intervals are at the {} level and hold for the mean or the standard deviation over many trials, not for a single trial.",
            grouped(resolved.trials),
            percent_of_level(run)
        ),
        "Quantiles of single trials come from histograms with narrow bins; the column `method` of summary.csv says how each number was found. The least and the largest value are merely what was observed and have no interval.".to_owned(),
        "An exact value is what theory gives for the same statistic, without simulation. Where there is one, the simulated value serves as a check of the program, and the exact one is to be cited.".to_owned(),
    ];
    if resolved.streams == "common" {
        points.push(
            "All cells read the same noise draws, rescaled. This makes differences between cells precise, but the cells are not independent: cells whose errors differ by a factor only carry the same evidence, so equal z in many rows counts once.".to_owned(),
        );
    } else {
        points.push("Every cell has its own noise draws, so cells are independent of each other.".to_owned());
    }
    if !run.comparisons.is_empty() {
        points.push("The best of many cells on the same trials looks a little better than it is; the adjusted p values account for the number of comparisons, the differences themselves do not.".to_owned());
    }
    points.push("The noise is made for simulation in floating point: do not use it to publish real data.".to_owned());
    vec![Block::List(points)]
}

fn repeat(run: &Run) -> Vec<Block> {
    let resolved = &run.resolved;
    let commands = format!(
        "epsweep run {0}.toml --seed {1} --trials {2}\nepsweep report results/{0}\nsha256sum results/{0}/summary.csv",
        resolved.name, resolved.seed, resolved.trials
    );
    vec![
        Block::Paragraph(
            "The experiment file is kept verbatim as experiment.toml, all values after defaults are in resolved.json. The numbers do not depend on the machine, the number of threads or the instruction set.".to_owned(),
        ),
        Block::Code(commands),
        Block::List(vec![
            format!("epsweep {}", run.manifest.epsweep),
            format!("seed {}, {} trials per cell, {} cells", resolved.seed, grouped(resolved.trials), grouped(resolved.cells.len() as u64)),
            format!("digest of the tallies: {}", run.manifest.digest),
            format!("digest of the experiment: {}", run.manifest.experiment_digest),
        ]),
    ]
}
