//! A finished run on stdout.

use super::arguments::Format;
use super::output;
use super::text::{Align, Table};
use crate::record::{ClaimRow, Lookup, RecordError, Run, SummaryRow, names, number};
use crate::study::Kind;
use crate::summary;
use crate::words::{
    grouped, grouped_range, measured, of_trials, several, significant, supported, with_interval,
};
use serde_json::json;

/// Rows of the table up to which a terminal shows it whole.
const ROWS: usize = 40;

/// The run in the form that was asked for.
pub fn run(run: &Run, format: Format) -> Result<String, RecordError> {
    Ok(match format {
        Format::Text => text(run),
        Format::Markdown => headline(run, &summary::alike(run), usize::MAX).0.markdown(),
        Format::Csv => run.file(names::SUMMARY)?,
        Format::Json => output::document(json!({
            "directory": run.dir,
            "answer": summary::answer(run),
            "digest": run.manifest.digest,
            "warnings": run.manifest.warnings,
            "resolved": run.resolved,
            "summary": run.summary,
            "comparisons": run.comparisons,
            "claims": run.claims,
            "precision": run.manifest.precision,
        })),
    })
}

/// Whether the run became as precise as it was to be.
pub(super) fn precision(run: &Run) -> Option<String> {
    let reached = &run.manifest.precision;
    let target = run.resolved.target.as_ref()?;
    let met = reached.iter().filter(|reached| reached.met).count();
    Some(match met == reached.len() {
        true => format!(
            "precise enough after {} trials a cell",
            grouped_range(&run.trials())
        ),
        false => format!(
            "{} of {} goals of precision are not met after at most {} trials a cell",
            reached.len() - met,
            reached.len(),
            grouped(target.at_most)
        ),
    })
}

fn text(run: &Run) -> String {
    let resolved = &run.resolved;
    let mut out = format!("{}\n", resolved.title);
    if !resolved.question.is_empty() {
        out += &format!("{}\n", resolved.question);
    }
    let answer = summary::answer(run);
    if !answer.is_empty() {
        out += &format!("\n{answer}\n");
    }
    let alike = summary::alike(run);
    let (table, left_out) = headline(run, &alike, ROWS);
    out += &format!("\n{}", table.text());
    if left_out > 0 {
        out += &format!(
            "… and {} in {}\n",
            several(left_out as u64, "more row"),
            names::SUMMARY
        );
    }
    if let Some(same) = summary::left_out(&alike) {
        out += &format!("{same}\n");
    }
    out += &match resolved.trials {
        0 => "exact values; nothing was simulated\n".to_owned(),
        _ => format!(
            "means of {} with {} % intervals; z = (mean − exact) / Monte Carlo standard error\n",
            of_trials(&run.trials()),
            number(100.0 * resolved.level)
        ),
    };
    if let Some(line) = precision(run) {
        out += &format!("{line}\n");
    }
    if !run.claims.is_empty() {
        out += &format!("\n{}", claims(&run.claims));
    }
    out += "\n";
    for (what, name) in [
        ("report", names::REPORT_HTML),
        ("figures", names::FIGURES),
        ("estimates", names::SUMMARY),
    ] {
        let path = run.dir.join(name);
        if path.exists() {
            out += &format!("{what:<10} {}\n", path.display());
        }
    }
    out + &format!("{:<10} {}\n", "digest", run.manifest.digest)
}

/// The means of what belongs to all queries together, and of what the answer speaks of (or of everything, where there is neither), and how many rows
/// were left out. Measures with the same numbers as another are not among them.
fn headline(run: &Run, alike: &[(String, String)], most: usize) -> (Table, usize) {
    let mut heads: Vec<(&str, Align)> = run
        .resolved
        .axes
        .iter()
        .map(|axis| (axis.name.as_str(), Align::Left))
        .collect();
    // of a selection, who is chosen is what one wants to know
    let has_all = run.resolved.procedure != Kind::Select.name()
        && run.summary.iter().any(|row| row.subject == "all");
    // where the answer is about a measure of single subjects, these are shown beside
    let single = summary::spoken_of(run).filter(|(subject, _)| subject != "all");
    let of_all = has_all && single.is_none();
    if !of_all {
        heads.push(("subject", Align::Left));
    }
    heads.extend([
        ("measure", Align::Left),
        ("mean", Align::Right),
        ("exact", Align::Right),
        ("z", Align::Right),
        ("median", Align::Right),
        ("q95", Align::Right),
    ]);
    let mut table = Table::new(&heads);
    let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
    let again = |row: &SummaryRow| alike.iter().any(|(name, _)| *name == row.measure.as_str());
    let is_shown = |row: &SummaryRow| {
        let spoken_of = (single.as_ref()).is_some_and(|(_, measure)| *measure == *row.measure);
        !has_all || row.subject == "all" || spoken_of
    };
    let means: Vec<_> = (run.summary.iter())
        .filter(|row| row.statistic == "mean" && !again(row) && is_shown(row))
        .collect();
    let cells: std::collections::HashMap<&str, usize> = run
        .resolved
        .cells
        .iter()
        .enumerate()
        .map(|(index, cell)| (cell.id.as_str(), index))
        .collect();
    for row in means.iter().take(most) {
        let quantile = |statistic: &str| {
            (cells.get(row.cell.as_str()))
                .and_then(|cell| lookup.row(*cell, &row.subject, &row.measure, statistic))
                .map_or_else(String::new, |found| {
                    supported(found.value, found.mcse, found.low, found.high)
                })
        };
        let mut fields = row.axes.to_vec();
        if !of_all {
            fields.push(row.subject.to_string());
        }
        fields.push(row.measure.to_string());
        fields.push(with_interval(row.value, row.low, row.high));
        fields.push(row.exact.map_or_else(String::new, |exact| {
            measured(exact, row.mcse.map(|mcse| mcse / 10.0))
        }));
        fields.push(row.z.map_or_else(String::new, |z| format!("{z:.2}")));
        fields.push(quantile("median"));
        fields.push(quantile("q95"));
        table.row(fields);
    }
    (table, means.len().saturating_sub(most))
}

fn claims(rows: &[ClaimRow]) -> String {
    let mut table =
        Table::new(&["claim", "verdict", "claimed", "found", ""].map(|head| (head, Align::Left)));
    for row in rows {
        let surprise = if row.verdict == row.expected {
            String::new()
        } else {
            format!("expected: {}", row.expected.name())
        };
        table.row(vec![
            row.claim.clone(),
            row.verdict.name().to_owned(),
            row.claimed.clone(),
            row.value
                .parse()
                .map_or_else(|_| row.value.clone(), |value| significant(value, 6)),
            surprise,
        ]);
    }
    let as_expected = rows
        .iter()
        .filter(|row| row.verdict == row.expected)
        .count();
    table.text()
        + &format!(
            "{as_expected} of {} claims come out as established\n",
            rows.len()
        )
}
