//! Which gates answer, what they claim and what they have.

use super::MOST_ROWS;
use crate::record::Run;
use crate::report::document::{Block, Table};
use crate::words::{grouped, significant};
use std::collections::BTreeMap;

/// The section.
pub fn blocks(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let cells = || {
        run.resolved.cells.iter().filter_map(|cell| {
            let stream = cell.stream.as_ref()?;
            Some((cell, stream, stream.gate.as_ref()?))
        })
    };
    let Some((first, ..)) = cells().next() else {
        return Vec::new();
    };
    let label = |id: &str| labels.get(id).cloned().unwrap_or_else(|| id.to_owned());
    let number = |x: Option<f64>| x.map_or_else(|| "∞".to_owned(), |x| significant(x, 5));
    let known = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| significant(x, 5));
    let mut how = Table::new(
        "Gates and their noise",
        &[
            "cell",
            "gate",
            "form",
            "#queries",
            "#above",
            "#c",
            "#Δ",
            "#threshold noise",
            "#query noise",
            "#answer noise",
        ],
    );
    let mut privacy = Table::new(
        "Privacy: what is claimed, what is proven, and what a neighbour shows",
        &[
            "cell",
            "gate",
            "#claimed ε",
            "#proven ε",
            "#worst |log-ratio| against the neighbour",
            "#P(above the claimed ε)",
            "what is wrong",
        ],
    );
    for (cell, stream, gate) in cells() {
        how.rows.push(vec![
            label(&cell.id).as_str().into(),
            gate.name.as_str().into(),
            gate.form.as_str().into(),
            grouped(stream.queries).as_str().into(),
            grouped(gate.positives).as_str().into(),
            gate.limit
                .map_or_else(|| "∞".to_owned(), grouped)
                .as_str()
                .into(),
            significant(stream.sensitivity, 5).into(),
            significant(gate.threshold_scale, 5).into(),
            significant(gate.query_scale, 5).into(),
            known(gate.answer_scale).into(),
        ]);
        let neighbour = gate.neighbour.as_ref();
        privacy.rows.push(vec![
            label(&cell.id).as_str().into(),
            gate.name.as_str().into(),
            significant(gate.claimed, 5).into(),
            number(gate.epsilon).into(),
            neighbour
                .map_or_else(|| "–".to_owned(), |neighbour| number(neighbour.worst))
                .into(),
            known(neighbour.map(|neighbour| neighbour.leak)).into(),
            gate.broken.as_deref().unwrap_or("–").into(),
        ]);
    }
    for table in [&mut how, &mut privacy] {
        table.limit(MOST_ROWS, "resolved.json");
    }
    vec![
        Block::Paragraph(format!(
            "Composition: {}; neighbouring data sets: {}. All noise is Laplace; scales are in the units of the answers. In every trial the spend went through a ledger and was compared with the guarantee; a trial beyond it would have ended the run with an error.",
            first.composition, run.resolved.neighbours
        )),
        Block::Table(how),
        Block::Paragraph(
            "The proven ε is the bound that the gate's proof gives (∞: there is none); the true one lies between it and the worst log-ratio. The log-ratios are exact, over all outputs (yes or no to each query, until the gate closes) on the stream and on the neighbouring one that the file gives; what a gate gives away besides comes on top. Other neighbours may be worse. A dash: not asked for, or nothing."
                .to_owned(),
        ),
        Block::Table(privacy),
    ]
}
