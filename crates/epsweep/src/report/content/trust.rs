//! Whether the run can be trusted: what theory says of its numbers, what audits said, and what was spent.

use crate::figure::{self, Drawn};
use crate::record::{ResolvedCell, Run};
use crate::report::document::{Block, Cell, Table, Tone};
use crate::verify::{LEVEL, Verification, verify};
use crate::words::{grouped, join, several, significant};
use epsweep_core::noise;

/// Deviations that are shown where nothing contradicts theory.
const WORST: usize = 5;
/// Rows of the ledger.
const MOST_ROWS: usize = 16;

/// The section.
pub fn blocks(run: &Run, drawn: &[Drawn]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let controls = controls(&run.resolved.cells);
    if !controls.is_empty() {
        blocks.push(Block::Table(controls_table(&controls)));
    }
    let found = verify(&run.summary, &run.claims, LEVEL);
    blocks.push(Block::Paragraph(verdict(&found, run.resolved.trials > 0)));
    if !found.pieces.is_empty() {
        blocks.push(Block::Table(worst(&found)));
    }
    let scores = drawn
        .iter()
        .position(|drawn| drawn.kind == figure::Z_SCORES);
    blocks.extend(scores.map(Block::Figure));
    if !run.audits.is_empty() {
        blocks.push(Block::Table(audits(run)));
    }
    let ledger = ledger(&run.resolved.cells);
    if !ledger.rows.is_empty() {
        blocks.push(Block::Table(ledger));
    }
    blocks
}

/// What `epsweep verify` would say.
fn verdict(found: &Verification, simulated: bool) -> String {
    let mut said = Vec::new();
    let unjudged = found.unjudged.skewed + found.unjudged.few;
    if found.judged == 0 {
        said.push(match unjudged {
            0 if !simulated => "Nothing is simulated: every number is computed from theory, by the method that its section names, and has no sampling error that could be judged.".to_owned(),
            0 => "No estimate of this run has an exact value beside it: its intervals are all that vouches for them.".to_owned(),
            many => format!("Of {} with an exact value none can be judged with so many trials.", several(many, "estimate")),
        });
    } else {
        let contradictions = found.contradictions().count() as u64;
        let pieces = several(found.pieces.len() as u64, "statistic");
        said.push(format!(
            "{} stand beside an exact value and can be judged: {} of {pieces} (equal ones, of cells that rescale the same noise, count once).",
            several(found.judged, "estimate"),
            several(found.distinct, "distinct deviation"),
        ));
        said.push(match contradictions {
            0 => format!(
                "None is beyond what chance explains: the least p value, adjusted for their number (Holm), is {}, and at {LEVEL} one would call it a contradiction.",
                significant(found.pieces.first().map_or(1.0, |piece| piece.p_adjusted), 2)
            ),
            many => format!(
                "FAILED: {} beyond what chance explains (adjusted p below {LEVEL}). These numbers are not to be trusted.",
                match many {
                    1 => "one is".to_owned(),
                    many => format!("{} are", grouped(many)),
                }
            ),
        });
        if unjudged > 0 {
            said.push(format!(
                "{} more cannot be judged: {} for skewness that needs more trials, {} for too few values beyond a quantile.",
                grouped(unjudged),
                grouped(found.unjudged.skewed),
                grouped(found.unjudged.few)
            ));
        }
    }
    if found.claims > 0 {
        said.push(match found.surprises.len() as u64 {
            0 => format!("{} came out as established.", all(found.claims)),
            many => format!(
                "FAILED: {} of {} did not come out as established.",
                grouped(many),
                several(found.claims, "claim")
            ),
        });
    }
    said.push("`epsweep verify` says the same of the run's directory.".to_owned());
    said.join(" ")
}

fn all(claims: u64) -> String {
    match claims {
        1 => "The claim".to_owned(),
        many => format!("All {} claims", grouped(many)),
    }
}

/// The deviations with the smallest p: those that contradict theory, or a few.
fn worst(found: &Verification) -> Table {
    let mut table = Table::new(
        "Deviations from theory that chance explains least",
        &[
            "subject",
            "measure",
            "statistic",
            "cell",
            "#value",
            "#exact",
            "#z",
            "#adjusted p",
        ],
    );
    let contradictions = found.contradictions().count();
    for piece in found.pieces.iter().take(contradictions.max(WORST)) {
        let worst = &piece.worst;
        let tone = match piece.p_adjusted < found.level {
            true => Tone::Alarm,
            false => Tone::Plain,
        };
        table.rows.push(vec![
            piece.subject.as_str().into(),
            piece.measure.as_str().into(),
            piece.statistic.as_str().into(),
            worst.cell.as_str().into(),
            significant(worst.value, 6).into(),
            significant(worst.exact, 6).into(),
            significant(worst.z, 3).into(),
            Cell {
                tone,
                ..Cell::from(significant(piece.p_adjusted, 2))
            },
        ]);
    }
    table.limit(2 * MOST_ROWS, "summary.csv");
    table
}

/// What is there for contrast and has not the privacy that it claims: name, and why.
fn controls(cells: &[ResolvedCell]) -> Vec<(String, String, u64)> {
    let mut found: Vec<(String, String, u64)> = Vec::new();
    let mut note = |name: &str, why: &str| match found.iter_mut().find(|(known, ..)| known == name)
    {
        Some((_, _, cells)) => *cells += 1,
        None => found.push((name.to_owned(), why.to_owned(), 1)),
    };
    for cell in cells {
        if let Some(why) = noise::kind(&cell.noise).and_then(|kind| kind.control()) {
            note(&cell.noise, why);
        }
        let gate = (cell.stream.as_ref()).and_then(|stream| stream.gate.as_ref());
        if let Some((gate, why)) = gate.and_then(|gate| Some((gate, gate.broken.as_ref()?))) {
            note(&gate.name, why);
        }
        if cell.oracle {
            note(&cell.allocation, "it looks at the true answers for free");
        }
        if cell
            .queries
            .iter()
            .any(|query| query.declared.is_some_and(|declared| declared < query.l1))
        {
            note(
                "declared sensitivity",
                "it is below the true one, so that the loss exceeds the guarantee",
            );
        }
    }
    found
}

fn controls_table(controls: &[(String, String, u64)]) -> Table {
    let mut table = Table::new(
        "Controls: not private as they claim",
        &["control", "why", "#cells", "verdict"],
    );
    for (name, why, cells) in controls {
        table.rows.push(vec![
            name.as_str().into(),
            why.as_str().into(),
            grouped(*cells).into(),
            Cell {
                tone: Tone::Alarm,
                ..Cell::from("not to be used")
            },
        ]);
    }
    table
}

/// What audits said of the mechanisms.
fn audits(run: &Run) -> Table {
    let mut table = Table::new(
        "Audits",
        &[
            "audit",
            "mechanism",
            "claim",
            "parameter",
            "#certified",
            "#certifiable",
            "verdict",
        ],
    );
    for audit in &run.audits {
        let number = |text: &str| {
            text.parse()
                .map_or_else(|_| text.to_owned(), |x| significant(x, 4))
        };
        let tone = match audit.verdict.as_str() {
            "violated" => Tone::Alarm,
            "consistent" => Tone::Holds,
            _ => Tone::Undecided,
        };
        table.rows.push(vec![
            Cell {
                note: audit.title.clone(),
                ..Cell::from(audit.audit.as_str())
            },
            audit.mechanism.as_str().into(),
            audit.claim.as_str().into(),
            audit.parameter.as_str().into(),
            number(&audit.certified).into(),
            number(&audit.certifiable).into(),
            Cell {
                tone,
                ..Cell::from(audit.verdict.as_str())
            },
        ]);
    }
    table
}

/// Parts of a total that rounding may add.
const ROUNDING: f64 = 1e-9;

/// What the queries of the cells spent of their totals. Cells that agree are one line.
fn ledger(cells: &[ResolvedCell]) -> Table {
    let mut table = Table::new(
        "Ledger: what was spent",
        &[
            "guarantee",
            "composition",
            "noise",
            "#cells",
            "#total",
            "#spent",
            "balance",
        ],
    );
    type Line<'a> = ([&'a str; 3], f64, Vec<f64>);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for cell in cells.iter().filter(|cell| !cell.queries.is_empty()) {
        let key = [&*cell.guarantee, &*cell.composition, &*cell.noise];
        // what the joint sensitivity saves is not spent
        let saved = cell
            .joint
            .map_or(1.0, |joint| joint.together / joint.separate);
        let spent: f64 = saved * cell.queries.iter().map(|query| query.budget).sum::<f64>();
        match lines
            .iter_mut()
            .find(|(known, total, _)| *known == key && *total == cell.total)
        {
            Some((.., all)) => all.push(spent),
            None => lines.push((key, cell.total, vec![spent])),
        }
    }
    for ([guarantee, composition, noise], total, spent) in lines {
        let most = spent.iter().copied().fold(0.0, f64::max);
        let least = spent.iter().copied().fold(f64::INFINITY, f64::min);
        let within = most <= total * (1.0 + ROUNDING);
        let range = match most - least <= ROUNDING * most {
            true => significant(most, 6),
            false => join(&[significant(least, 4), significant(most, 4)], "to"),
        };
        table.rows.push(vec![
            guarantee.into(),
            composition.into(),
            noise.into(),
            spent.len().to_string().into(),
            significant(total, 6).into(),
            range.into(),
            Cell {
                tone: if within { Tone::Holds } else { Tone::Alarm },
                ..Cell::from(if within { "within" } else { "overspent" })
            },
        ]);
    }
    table.limit(MOST_ROWS, "resolved.json");
    table
}
