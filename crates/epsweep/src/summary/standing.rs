//! Who is best: the cells of a setting in the order of a mean, and which of them cannot be told apart.

use super::difference::{Difference, How, difference};
use crate::record::{Lookup, ResolvedCell, Run, SummaryRow};
use crate::words::join;
use epsweep_core::noise;
use std::collections::HashMap;

/// Share of a value up to which two exact ones are the same: they may come from sums in different orders.
const ROUNDING: f64 = 1e-9;

/// The axis along which cells are compared: that of the baseline if it is one, else the allocation, the mechanism, the policy, the gate or
/// the accountant if it varies, else the only axis that varies, or the only one that is a choice.
pub(crate) fn compared_axis(run: &Run) -> Option<usize> {
    let varied = varied(run);
    let named = |name: &str| {
        let mut axes = varied.iter().copied();
        axes.find(|i| run.resolved.axes[*i].name == name)
    };
    let baseline = run.resolved.compare.as_ref().and_then(|c| {
        let axes: Vec<usize> = c.baseline.keys().filter_map(|axis| named(axis)).collect();
        (axes.len() == 1).then(|| axes[0])
    });
    let usual = ["allocation", "mechanism", "policy", "gate", "accountant"];
    baseline
        .or_else(|| usual.into_iter().find_map(named))
        .or_else(|| only(&varied))
        .or_else(|| only(&choices(run)))
}

fn only(axes: &[usize]) -> Option<usize> {
    match axes {
        [axis] => Some(*axis),
        _ => None,
    }
}

/// The varied axes on which an analyst chooses how to answer, and not how much privacy there is or what is asked of which records.
pub(crate) fn choices(run: &Run) -> Vec<usize> {
    let is_choice = |axis: &usize| {
        let path = run.resolved.axes[*axis].path.as_str();
        let bounds = path.starts_with("data.columns.") && path.ends_with(".bounds");
        bounds || !GIVEN.iter().any(|given| path.starts_with(given))
    };
    varied(run).into_iter().filter(is_choice).collect()
}

/// How paths begin of what is given to an analyst, or makes the losses those of other scores.
const GIVEN: [&str; 8] = [
    "budget",
    "data",
    "trials",
    "procedure.select.counts",
    "procedure.select.leader",
    "procedure.select.range",
    "procedure.select.scale",
    "procedure.select.scores",
];

/// The axes that have more than one value.
pub(crate) fn varied(run: &Run) -> Vec<usize> {
    let axes = run.resolved.axes.iter().enumerate();
    axes.filter(|(_, axis)| axis.labels.len() > 1)
        .map(|(place, _)| place)
        .collect()
}

/// The axes along which cells are compared: [`compared_axis`], or else all that are choices, which are then compared together.
pub(crate) fn compared_axes(run: &Run) -> Vec<usize> {
    compared_axis(run).map_or_else(|| choices(run), |axis| vec![axis])
}

/// The label of a cell on the compared axes; with the axis's name where it is a number, and of several the others in brackets.
pub(crate) fn label(run: &Run, cell: usize, axes: &[usize]) -> String {
    let alone = axes.len() == 1;
    let named = |place: &usize| {
        let label = &run.resolved.cells[cell].labels[*place];
        let axis = &run.resolved.axes[*place];
        // a list of numbers, too, says nothing beside others without its name
        match axis.numbers.is_some() || (!alone && label.starts_with('[')) {
            true => format!("{} = {label}", axis.name),
            false => label.clone(),
        }
    };
    let names: Vec<String> = axes.iter().map(named).collect();
    match names.as_slice() {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} ({})", rest.join(", ")),
        names => names.concat(),
    }
}

/// The labels of cells on the compared axes, as a list in words.
pub(crate) fn names(run: &Run, cells: &[usize], axes: &[usize]) -> String {
    let names: Vec<String> = cells.iter().map(|c| label(run, *c, axes)).collect();
    join(&names, "and")
}

/// Whether the cell is there for contrast: what has not the privacy that it claims cannot win.
pub(crate) fn is_control(cell: &ResolvedCell) -> bool {
    let gate = (cell.stream.as_ref()).and_then(|stream| stream.gate.as_ref());
    let oracle = cell.oracle && cell.stream.is_some();
    oracle || is_control_noise(&cell.noise) || gate.is_some_and(|gate| gate.broken.is_some())
}

/// Whether noise of this name is there for contrast.
pub(crate) fn is_control_noise(name: &str) -> bool {
    noise::kind(name).is_some_and(|kind| kind.control().is_some())
}

/// The row of the mean of a measure in a cell, if it is finite.
pub(crate) fn mean_row<'a>(
    lookup: &Lookup<'a>,
    subject: &str,
    measure: &str,
    cell: usize,
) -> Option<&'a SummaryRow> {
    let row = lookup.row(cell, subject, measure, "mean");
    row.filter(|row| row.value.is_finite())
}

/// What a mean is, as well as it is known.
pub(crate) fn mean_of(row: &SummaryRow) -> f64 {
    row.exact.unwrap_or(row.value)
}

/// How two means stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// the same numbers, or the same exact values
    Same,
    /// one is lower, by theory or by more than the error
    Apart,
    /// not told apart, trial by trial
    Tied,
    /// not told apart by the interval of each, or of each against the baseline: pairs may tell more
    Unpaired,
}

/// A point of the axes that are not compared.
pub(crate) struct Setting {
    /// its labels, empty on the compared axes
    pub labels: Vec<String>,
    /// cells with an estimate, in ascending order of their means, see [`order`]
    pub cells: Vec<usize>,
    /// how many of them, from the first on, are not told from the first; at least 1
    pub tied: usize,
    /// how many of those are the same as the first; at least 1
    pub same: usize,
    /// whether some of the tied are not compared trial by trial with the first
    pub unpaired: bool,
}

impl Setting {
    /// The cells that are best together.
    pub fn best(&self) -> &[usize] {
        &self.cells[..self.same]
    }

    /// The best, with those that are not told from them.
    pub fn best_or_tied(&self) -> &[usize] {
        &self.cells[..self.tied]
    }
}

/// The settings of a run and how the cells of each stand by the mean of a measure. Controls are left out, as they have not the privacy that
/// they claim. Where theory knows two means they are told apart by it, otherwise by the interval of their difference.
pub(crate) fn settings(
    run: &Run,
    lookup: &Lookup,
    subject: &str,
    measure: &str,
    axes: &[usize],
) -> Vec<Setting> {
    let row = |cell: usize| mean_row(lookup, subject, measure, cell);
    let mut all: Vec<Setting> = Vec::new();
    // the place of a setting in `all`, so that large sweeps stay linear
    let mut places = HashMap::new();
    for (index, cell) in run.resolved.cells.iter().enumerate() {
        if row(index).is_none() || is_control(cell) {
            continue;
        }
        let mut labels = cell.labels.clone();
        for axis in axes {
            labels[*axis].clear();
        }
        let place = *places.entry(labels.clone()).or_insert_with(|| {
            all.push(Setting {
                labels,
                cells: Vec::new(),
                tied: 1,
                same: 1,
                unpaired: false,
            });
            all.len() - 1
        });
        all[place].cells.push(index);
    }
    for setting in &mut all {
        let cells = &mut setting.cells;
        order(cells, &row);
        let best = cells[0];
        let standings: Vec<Standing> = (cells[1..].iter())
            .map(|cell| {
                let exact = |cell: usize| row(cell).and_then(|row| row.exact);
                let apart = difference(lookup, *cell, best, subject, measure, "mean");
                standing(exact(*cell).zip(exact(best)), apart)
            })
            .collect();
        let first = |wanted: &dyn Fn(Standing) -> bool| {
            standings.iter().take_while(|found| wanted(**found)).count()
        };
        let same = first(&|found| found == Standing::Same);
        let tied = first(&|found| found != Standing::Apart);
        setting.unpaired = standings[..tied].contains(&Standing::Unpaired);
        (setting.same, setting.tied) = (1 + same, 1 + tied);
    }
    all
}

/// Puts cells in the order of their means: those that theory knows in the order of their exact values, at the places that all have by their
/// estimates. So no cell comes before one that theory knows to be lower, while what is only estimated is held against estimates, which share
/// their noise.
fn order<'a>(cells: &mut [usize], row: &dyn Fn(usize) -> Option<&'a SummaryRow>) {
    let exact = |cell: &usize| row(*cell).and_then(|row| row.exact);
    let by = |value: &dyn Fn(&usize) -> Option<f64>, a: &usize, b: &usize| {
        let value = |cell: &usize| value(cell).unwrap_or(f64::NAN);
        value(a).total_cmp(&value(b))
    };
    let mut known: Vec<usize> = (cells.iter().copied())
        .filter(|cell| exact(cell).is_some())
        .collect();
    known.sort_by(|a, b| by(&exact, a, b));
    cells.sort_by(|a, b| by(&|cell| row(*cell).map(|row| row.value), a, b));
    let places = cells.iter_mut().filter(|cell| exact(cell).is_some());
    for (place, cell) in places.zip(known) {
        *place = cell;
    }
}

/// How a mean stands to the one that comes first, of the exact values of both if they are known (then that of the first is no larger), and
/// their difference.
fn standing(exact: Option<(f64, f64)>, apart: Option<Difference>) -> Standing {
    if let Some((own, best)) = exact {
        let same = (own - best).abs() <= ROUNDING * own.abs().max(best.abs());
        return if same {
            Standing::Same
        } else {
            Standing::Apart
        };
    }
    match apart {
        // without an interval, as with one trial, nothing can be told apart
        None => Standing::Tied,
        Some(apart) if apart.low == 0.0 && apart.high == 0.0 => Standing::Same,
        Some(apart) if apart.low > 0.0 => Standing::Apart,
        Some(apart) if matches!(apart.how, How::Separate | How::ThroughBaseline) => {
            Standing::Unpaired
        }
        Some(_) => Standing::Tied,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(value: f64, exact: Option<f64>) -> SummaryRow {
        SummaryRow {
            cell: "".to_owned().into(),
            axes: Vec::new().into(),
            subject: "all".into(),
            measure: "rmse".into(),
            statistic: "mean".into(),
            value,
            mcse: Some(0.1),
            low: None,
            high: None,
            exact,
            z: None,
            trials: 1000,
            method: "moments".into(),
        }
    }

    fn ordered(rows: &[SummaryRow]) -> Vec<usize> {
        let mut cells: Vec<usize> = (0..rows.len()).collect();
        order(&mut cells, &|cell| rows.get(cell));
        cells
    }

    /// The estimate of cell 0 is the lowest, but theory knows cell 2 to be lower.
    #[test]
    fn no_cell_comes_before_one_that_theory_knows_to_be_lower() {
        let mixed = [
            mean(0.9, Some(1.1)),
            mean(1.05, None),
            mean(1.0, Some(0.95)),
        ];
        assert_eq!(ordered(&mixed), [2, 0, 1]);
        // what is only estimated keeps the place of its estimate
        let first = [mean(0.9, Some(1.1)), mean(0.8, None), mean(1.0, Some(1.0))];
        assert_eq!(ordered(&first), [1, 2, 0]);
        let estimated = [mean(0.9, None), mean(0.8, None), mean(0.9, None)];
        assert_eq!(ordered(&estimated), [1, 0, 2]);
        let known = [
            mean(0.9, Some(3.0)),
            mean(1.8, Some(2.0)),
            mean(0.1, Some(2.0)),
        ];
        assert_eq!(ordered(&known), [1, 2, 0]);
    }
}
