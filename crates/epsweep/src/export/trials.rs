//! Every number of every trial. Nothing of a trial is stored: its draws are found by their address, and it is simulated again.

use super::sheet::{BATCH, Take, axes, facts, numbers};
use super::{Column, ExportError, Select, Sheet, Table, Values};
use crate::engine::{Listed, TakeTrials};
use crate::measure::Measure;
use crate::pipeline::{list_trials, trial_measures};
use crate::plan::Plan;
use crate::record::{Kind, Run, Text};
use crate::words::grouped;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Rows that are written: about a gigabyte of Parquet.
pub const MOST_ROWS: u64 = 100_000_000;

/// Sees that the run has trials: a composition has exact values alone.
///
/// # Errors
/// It has none.
pub fn has_trials(run: &Run) -> Result<(), ExportError> {
    match run.resolved.trials {
        0 => Err(ExportError::NoTable {
            table: Table::Trials.name(),
            reason: "its values are exact, and nothing is simulated",
        }),
        _ => Ok(()),
    }
}

/// The chosen numbers of the first trials (all, where none is given) of the chosen cells: a row for each cell, subject, measure and trial. `plan`
/// is that of the run.
///
/// # Errors
/// A name that the trials do not have, more rows than are written, or an experiment without trials.
pub fn of_trials<'a>(
    run: &'a Run,
    plan: &'a Plan,
    select: Select,
    most: Option<u64>,
) -> Result<Sheet<'a>, ExportError> {
    let table = Table::Trials;
    select.suits(table)?;
    has_trials(run)?;
    let measures = trial_measures(plan);
    let resolved = plan.resolved();
    let listed: Vec<Vec<Listed>> = (0..resolved.cells.len())
        .map(|cell| numbers_of(plan, &measures, cell))
        .collect::<Result<_, ExportError>>()?;
    let (mut names, mut subjects): (Vec<&str>, Vec<String>) = Default::default();
    for number in listed.iter().flatten() {
        if !names.contains(&number.measure) {
            names.push(number.measure);
        }
        if !subjects.contains(&number.subject) {
            subjects.push(number.subject.clone());
        }
    }
    let selection = select.of_trials(resolved, &names, &subjects)?;
    let had = trials_of(run);
    let mut cells: Vec<Wanted> = Vec::new();
    for (index, cell) in resolved.cells.iter().enumerate() {
        let keeps = |number: &Listed| selection.keeps_number(&number.subject, number.measure);
        let kept: Vec<bool> = listed[index].iter().map(keeps).collect();
        if selection.keeps_cell(resolved, &cell.labels) && kept.contains(&true) {
            let trials = had.get(cell.id.as_str()).copied();
            let trials = trials.unwrap_or(resolved.trials);
            cells.push(Wanted {
                index,
                trials: most.map_or(trials, |most| most.min(trials)),
                kept,
            });
        }
    }
    if cells.is_empty() {
        return Err(ExportError::Nothing {
            table: table.name(),
            options: selection.options(),
        });
    }
    let rows = (cells.iter()).fold(0_u64, |sum, cell| {
        let numbers = cell.kept.iter().filter(|kept| **kept).count() as u64;
        sum.saturating_add(cell.trials.saturating_mul(numbers))
    });
    if rows > MOST_ROWS {
        return Err(ExportError::TooManyRows {
            rows: grouped(rows),
            most: grouped(MOST_ROWS),
        });
    }
    let column = |name: &str, kind, about: &str| Column {
        name: name.to_owned(),
        kind,
        about: about.to_owned(),
    };
    let mut columns = vec![column(
        "cell",
        Kind::Text,
        "canonical text of the cell, `-` where there is no axis",
    )];
    columns.extend(axes(resolved));
    columns.extend([
        column("trial", Kind::Count, "number of the trial, from 0: the one that `epsweep replay` takes"),
        column("subject", Kind::Text, "what the measure is of: a query, a candidate, or `all`"),
        column("measure", Kind::Text, "the measure"),
        column(
            "value",
            Kind::Real,
            "what the trial came to, in the unit of the measure; undefined where it has none, and where the trial failed",
        ),
    ]);
    let rows = move |take: &mut Take<'_>| {
        for cell in &cells {
            let taking = Taking(Mutex::new(Room {
                lead: lead(plan, cell.index),
                kept: &cell.kept,
                trials: cell.trials,
                first: 0,
                numbers: Vec::new(),
                values: Vec::new(),
                take: &mut *take,
                failure: None,
            }));
            list_trials(plan, &measures, cell.index, cell.trials, &taking)?;
            let room = taking
                .0
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner);
            if let Some(failure) = room.failure {
                return Err(failure);
            }
        }
        Ok(())
    };
    Ok(Sheet {
        table: table.name(),
        columns,
        facts: facts(run, table.name()),
        rows: Box::new(rows),
    })
}

/// A cell whose trials are wanted.
struct Wanted {
    index: usize,
    trials: u64,
    /// which of its numbers
    kept: Vec<bool>,
}

/// What is known of a trial of a cell.
fn numbers_of(
    plan: &Plan,
    measures: &[&'static dyn Measure],
    cell: usize,
) -> Result<Vec<Listed>, ExportError> {
    #[derive(Debug, Default)]
    struct Names(Mutex<Vec<Listed>>);
    impl TakeTrials for Names {
        fn take(&self, listed: &[Listed], _: u64, _: &[Vec<f64>]) -> bool {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = listed.to_vec();
            false
        }
    }
    let names = Names::default();
    list_trials(plan, measures, cell, 0, &names)?;
    Ok(names.0.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Trials of each cell of the run, by its canonical text: precision may have decided how many there are.
fn trials_of(run: &Run) -> HashMap<&str, u64> {
    let mut cells: HashMap<&str, u64> = HashMap::new();
    if run.resolved.target.is_some() {
        // a row has fewer where some are undefined
        for row in &run.summary {
            let most = cells.entry(&row.cell).or_default();
            *most = row.trials.max(*most);
        }
    }
    cells
}

/// What the rows of a cell begin with.
fn lead(plan: &Plan, cell: usize) -> Vec<Lead> {
    let resolved = plan.resolved();
    let found = &resolved.cells[cell];
    let mut lead = vec![Lead::Text(Text::from(&found.id))];
    for (column, label) in axes(resolved).zip(&found.labels) {
        let number = numbers(resolved, &column.name).get(label.as_str()).copied();
        lead.push(match (column.kind, number) {
            (Kind::Real, Some(number)) => Lead::Real(number),
            _ => Lead::Text(Text::from(label)),
        });
    }
    lead
}

/// A value that all rows of a cell have.
enum Lead {
    Text(Text),
    Real(f64),
}

/// Collects trials of a cell until they are worth a batch.
struct Taking<'a>(Mutex<Room<'a>>);

struct Room<'a> {
    lead: Vec<Lead>,
    kept: &'a [bool],
    /// all that will come
    trials: u64,
    /// the first of those that are here
    first: u64,
    /// subject and measure of each kept number
    numbers: Vec<(Text, Text)>,
    /// and its values
    values: Vec<Vec<f64>>,
    take: &'a mut Take<'a>,
    failure: Option<ExportError>,
}

impl std::fmt::Debug for Taking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Taking")
    }
}

impl TakeTrials for Taking<'_> {
    fn take(&self, listed: &[Listed], first: u64, values: &[Vec<f64>]) -> bool {
        let mut room = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        room.add(listed, values);
        let here = room.values.first().map_or(0, Vec::len);
        let whole = room.first + here as u64 >= room.trials;
        if !whole && here * room.values.len() < BATCH {
            return true;
        }
        let done = room.hand_on();
        room.first = first + values.first().map_or(0, Vec::len) as u64;
        match done {
            Ok(()) => true,
            Err(failure) => {
                room.failure = Some(failure);
                false
            }
        }
    }
}

impl Room<'_> {
    fn add(&mut self, listed: &[Listed], values: &[Vec<f64>]) {
        let kept = self.kept;
        if self.numbers.is_empty() {
            let listed = listed.iter().zip(kept).filter(|(_, kept)| **kept);
            self.numbers = listed
                .map(|(number, _)| {
                    let measure = Text::from(number.measure);
                    (Text::from(&number.subject), measure)
                })
                .collect();
            self.values = vec![Vec::new(); self.numbers.len()];
        }
        let new = (values.iter().zip(kept)).filter_map(|(new, kept)| kept.then_some(new));
        for (values, new) in self.values.iter_mut().zip(new) {
            values.extend_from_slice(new);
        }
    }

    /// Hands the trials on: number by number, and of each, trial by trial.
    fn hand_on(&mut self) -> Result<(), ExportError> {
        let trials = self.values.first().map_or(0, Vec::len);
        let rows = trials * self.values.len();
        let mut batch: Vec<Values> = (self.lead.iter())
            .map(|lead| match lead {
                Lead::Text(text) => Values::Text(vec![Some(text.clone()); rows]),
                Lead::Real(number) => Values::Real(vec![Some(*number); rows]),
            })
            .collect();
        let mut numbers = Vec::with_capacity(rows);
        let (mut subjects, mut measures) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        let mut values = Vec::with_capacity(rows);
        for ((subject, measure), own) in self.numbers.iter().zip(&mut self.values) {
            numbers.extend(self.first..self.first + trials as u64);
            subjects.extend(std::iter::repeat_n(Some(subject.clone()), trials));
            measures.extend(std::iter::repeat_n(Some(measure.clone()), trials));
            values.extend(own.drain(..).map(Some));
        }
        batch.extend([
            Values::Count(numbers),
            Values::Text(subjects),
            Values::Text(measures),
            Values::Real(values),
        ]);
        (self.take)(&batch)
    }
}
