//! Who is chosen from, how, and what is promised.

use super::MOST_ROWS;
use crate::record::Run;
use crate::report::document::{Block, Table};
use crate::words::{grouped, significant};
use std::collections::BTreeMap;

/// The section.
pub fn blocks(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let cells = || {
        run.resolved
            .cells
            .iter()
            .filter_map(|cell| Some((cell, cell.select.as_ref()?)))
    };
    let Some((first, _)) = cells().next() else {
        return Vec::new();
    };
    let label = |id: &str| labels.get(id).cloned().unwrap_or_else(|| id.to_owned());
    let number = |x: Option<f64>| x.map_or_else(|| "∞".to_owned(), |x| significant(x, 5));
    let known = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| significant(x, 5));
    let mut how = Table::new(
        "Mechanisms",
        &[
            "cell",
            "mechanism",
            "form",
            "path",
            "#slots",
            "#candidates",
            "#Δ",
            "#noise scale",
        ],
    );
    let mut promised = Table::new(
        "What is promised, and the bound on the loss",
        &[
            "cell",
            "#ε",
            "#bounded range",
            "#ρ (zCDP)",
            "#loss of the bound",
            "#P(loss ≥ that) at most",
            "#exact",
        ],
    );
    let mut who = Table::new(
        "Candidates",
        &["cell", "candidate", "#score", "#exact probability"],
    );
    for (cell, select) in cells() {
        how.rows.push(vec![
            label(&cell.id).as_str().into(),
            select.mechanism.as_str().into(),
            select.form.as_str().into(),
            select.path.as_str().into(),
            select.slots.to_string().as_str().into(),
            grouped(select.candidates).as_str().into(),
            significant(select.sensitivity, 5).into(),
            number(select.noise_scale).into(),
        ]);
        let tail = select.tail.as_ref();
        promised.rows.push(vec![
            label(&cell.id).as_str().into(),
            known(select.epsilon).into(),
            known(select.bounded_range).into(),
            known(select.rho).into(),
            tail.map_or_else(|| "–".to_owned(), |tail| number(tail.loss))
                .into(),
            known(tail.map(|tail| tail.bound)).into(),
            known(tail.map(|tail| tail.probability)).into(),
        ]);
        for candidate in &select.shown {
            who.rows.push(vec![
                label(&cell.id).as_str().into(),
                candidate.name.as_str().into(),
                significant(candidate.score, 6).into(),
                known(candidate.probability).into(),
            ]);
        }
    }
    for table in [&mut how, &mut promised, &mut who] {
        table.limit(MOST_ROWS, "resolved.json");
    }
    vec![
        Block::Paragraph(format!(
            "Composition: {}; neighbouring data sets: {}. Noise scales are 2Δ/ε in the general form and Δ/ε in the monotone one, for the whole ε.",
            first.composition, run.resolved.neighbours
        )),
        Block::Table(how),
        Block::Paragraph(
            "The bound P(loss ≥ (2Δ/ε)(ln(|R|/|OPT|) + ln 20)) ≤ 1/20 is a theorem about the exponential mechanism and permute-and-flip; for other mechanisms the exact probability beside it is no less true, but the bound is not promised. A dash: not promised, or not known."
                .to_owned(),
        ),
        Block::Table(promised),
        Block::Table(who),
    ]
}
