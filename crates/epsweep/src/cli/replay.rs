//! `epsweep replay`

use super::arguments::{Experiment, Format, Replay};
use super::text::{Align, Table};
use super::{Failure, exit, is_run, load, output, overrides, unknown_of_many};
use crate::engine::{SHOWN, TrialDraws};
use crate::pipeline::{self, Replayed};
use crate::plan::Plan;
use crate::record::{self, CsvText, RecordError, names, number};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Shows one trial again: since draws are addressed, nothing of it needs to be stored.
pub fn replay(arguments: &Replay) -> Result<u8, Failure> {
    let plan = match is_run(&arguments.of)? {
        true => of_run(arguments)?,
        false => load(&Experiment {
            file: arguments.of.clone(),
            seed: arguments.seed,
            trials: None,
            set: arguments.set.clone(),
        })?,
    };
    let cells = &plan.resolved().cells;
    let by_number = || {
        let number: usize = arguments.cell.parse().ok()?;
        number.checked_sub(1).filter(|index| *index < cells.len())
    };
    let called = record::cells_called(plan.resolved(), &arguments.cell);
    let cell = match called.as_slice() {
        [one] => *one,
        [] => match by_number() {
            Some(cell) => cell,
            None if arguments.cell.parse::<u64>().is_ok() => {
                return Err(Failure::Argument(format!(
                    "there is no cell {}: those of this experiment are 1 to {}; a cell can also be named, as in \"{}\"",
                    arguments.cell,
                    cells.len(),
                    cells.first().map_or("", |cell| &cell.id)
                )));
            }
            None => {
                let names: Vec<&str> = cells.iter().map(|cell| cell.id.as_str()).collect();
                return Err(unknown_of_many("cell", &arguments.cell, &names));
            }
        },
        several => {
            let names: Vec<&str> = several
                .iter()
                .take(NAMED)
                .map(|cell| cells[*cell].id.as_str())
                .collect();
            return Err(Failure::Argument(format!(
                "`{}` is {} cells: {}; name one, by all its axes or by its number",
                arguments.cell,
                several.len(),
                names.join(", ")
            )));
        }
    };
    let trials = plan.settings().trials;
    if arguments.trial >= trials {
        let message = match trials {
            0 => "this experiment has exact values alone, and no trials".to_owned(),
            _ => format!(
                "there is no trial {}: those of this run are 0 to {}",
                arguments.trial,
                trials - 1
            ),
        };
        return Err(Failure::Argument(message));
    }
    let replayed = pipeline::replay(&plan, cell, arguments.trial)?;
    output::result(&match arguments.format {
        Format::Text => text(&plan, cell, arguments.trial, &replayed),
        Format::Markdown => values(&replayed).markdown(),
        Format::Csv => csv(&replayed),
        Format::Json => output::document(json!({
            "cell": cells[cell].id,
            "trial": arguments.trial,
            "seed": plan.settings().seed,
            "draws": replayed.drawn.iter().map(|drawn| json!({
                "purpose": drawn.purpose,
                "rows": drawn.rows,
                "values": drawn.values,
            })).collect::<Vec<_>>(),
            // a number that is undefined is null
            "values": replayed.values.iter().map(|(subject, measure, value)| json!({
                "subject": subject,
                "measure": measure,
                "value": value,
            })).collect::<Vec<_>>(),
            "failed": replayed.failed,
            "resolved": cells[cell],
        })),
    })?;
    Ok(exit::DONE)
}

/// Cells that an error names.
const NAMED: usize = 10;

fn of_run(arguments: &Replay) -> Result<Plan, Failure> {
    let run = record::read(&arguments.of)?;
    let data = arguments.data.as_deref();
    plan_of(&arguments.of, &run, data, arguments.seed, &arguments.set)
}

/// The plan of a run, from the experiment that its directory holds. Its data lie elsewhere: where the same experiment comes out is where they are.
pub(super) fn plan_of(
    dir: &Path,
    run: &record::Run,
    data: Option<&Path>,
    seed: Option<u64>,
    set: &[(String, String)],
) -> Result<Plan, Failure> {
    super::instruction_set()?;
    let seed = seed.unwrap_or(run.resolved.seed);
    let mut changes = overrides(Some(seed), None, set);
    if run.resolved.target.is_none() && run.resolved.trials > 0 {
        changes = changes.trials(run.resolved.trials);
    }
    let places: Vec<PathBuf> = match data {
        Some(folder) => vec![folder.to_owned()],
        None => {
            let near = ["", "../../experiments"].map(|place| dir.join(place));
            near.into_iter()
                .chain(["", "experiments"].map(PathBuf::from))
                .collect()
        }
    };
    let name = dir.join(names::EXPERIMENT).display().to_string();
    let (mut fault, mut unlike) = (None, false);
    for place in &places {
        match Plan::from_text(&name, &run.experiment, place, &changes) {
            Ok(plan) if same(&plan, run) => return Ok(plan),
            // data that are there, and others than those of the run, say more than data that are not
            Ok(plan) if !unlike => {
                unlike = true;
                fault = Some(Failure::Record(RecordError::Unlike {
                    path: dir.to_owned(),
                    place: place_name(place),
                    cells: plan.study().len(),
                }));
            }
            Ok(_) => {}
            Err(faults) => {
                fault.get_or_insert(Failure::Input(faults));
            }
        }
    }
    // there is at least one place
    Err(fault.unwrap_or_else(|| Failure::Argument("there is no place to look for data in".into())))
}

fn place_name(place: &Path) -> String {
    match place.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => place.display().to_string(),
    }
}

/// Whether the cells and the data are those of the run.
fn same(plan: &Plan, run: &record::Run) -> bool {
    let (here, there) = (plan.resolved(), &run.resolved);
    let cells = match run.left_out() {
        0 => here.cells == there.cells,
        // of many cells the first were read: all of them are known by their hash
        _ => pipeline::identity(plan).is_ok_and(|identity| {
            identity.parts().get("cells") == run.manifest.identity.get("cells")
        }),
    };
    cells && here.data == there.data && here.streams == there.streams
}

fn text(plan: &Plan, cell: usize, trial: u64, replayed: &Replayed) -> String {
    let mut out = format!(
        "cell {}, trial {trial}, seed {}\n\n",
        plan.resolved().cells[cell].id,
        plan.settings().seed
    );
    let mut facts = Table::new(&[
        ("query", Align::Left),
        ("true answer", Align::Right),
        ("scale", Align::Right),
    ]);
    let queries = &plan.resolved().cells[cell].queries;
    for query in queries {
        facts.row(vec![
            query.name.clone(),
            query
                .truth
                .map_or_else(|| format!("{} numbers", query.size), number),
            query.scale.map_or_else(|| "∞".to_owned(), number),
        ]);
    }
    if !queries.is_empty() {
        out += &format!("{}\n", facts.text());
    }
    let mut draws = Table::new(&[
        ("draws for", Align::Left),
        ("standard variates", Align::Left),
    ]);
    for drawn in &replayed.drawn {
        draws.row(vec![drawn.purpose.clone(), shown(drawn)]);
    }
    if !replayed.drawn.is_empty() {
        out += &format!("{}\n", draws.text());
    }
    if let Some(why) = &replayed.failed {
        out += &format!("the trial failed: {why}\n\n");
    }
    out + &values(replayed).text()
}

/// Draws on a line that are shown to people.
const ON_A_LINE: usize = 6;

fn shown(drawn: &TrialDraws) -> String {
    let numbers = drawn.values.iter().take(ON_A_LINE).copied().map(number);
    let mut line = numbers.collect::<Vec<_>>().join(", ");
    match drawn.rows {
        Some(rows) if rows > ON_A_LINE => {
            line += &format!(", … ({rows} in all; --format json shows up to {SHOWN})");
        }
        None => line += ", … (as many as the trial needs)",
        Some(_) => {}
    }
    line
}

fn values(replayed: &Replayed) -> Table {
    let heads = [
        ("of", Align::Left),
        ("measure", Align::Left),
        ("value", Align::Right),
    ];
    let mut table = Table::new(&heads);
    for (subject, measure, value) in &replayed.values {
        table.row(vec![subject.clone(), (*measure).to_owned(), number(*value)]);
    }
    table
}

fn csv(replayed: &Replayed) -> String {
    let mut table = CsvText::new(["subject", "measure", "value"]);
    for (subject, measure, value) in &replayed.values {
        table.row([subject.as_str(), measure, &number(*value)]);
    }
    table.text()
}
