//! `epsweep export`

use super::arguments::{assignment, whole_number};
use super::destination::Destination;
use super::{Failure, exit, help, output, replay};
use crate::export::{
    Format, REGISTRY, Select, Sheet, Table, Writer, has_trials, of_file, of_trials, printed,
};
use crate::record::{self, Run};
use crate::words::several;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};

/// Arguments of `export`.
#[derive(Args, Debug)]
#[command(after_help = help::EXPORT)]
pub struct Export {
    /// directory of a finished run
    pub dir: PathBuf,
    /// what to write
    #[arg(long, value_parser = formats())]
    pub format: &'static Format,
    /// which table; several may be named [default: summary]
    #[arg(long = "table", value_parser = tables())]
    pub tables: Vec<Table>,
    /// the file to write; `-` is stdout [default: DIR/TABLE.parquet for Parquet, stdout for the others]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// replace a file that is there
    #[arg(long)]
    pub force: bool,
    /// only rows of this measure; several may be named
    #[arg(long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// only rows of this subject (a query, a candidate, `all`); several may be named
    #[arg(long = "subject", value_name = "NAME")]
    pub subjects: Vec<String>,
    /// only rows of this statistic; several may be named. In LaTeX and Markdown: the columns, of which the first has its interval, the exact value
    /// and z beside it [default there: mean, median, q95]
    #[arg(long = "statistic", value_name = "NAME")]
    pub statistics: Vec<String>,
    /// only rows with this value of an axis; of several values of one axis, any
    #[arg(long = "where", value_name = "AXIS=VALUE", value_parser = assignment)]
    pub labels: Vec<(String, String)>,
    /// with `--table trials`: only so many trials of every cell, from the first on
    #[arg(long, value_name = "N", value_parser = whole_number)]
    pub trials: Option<u64>,
    /// with `--table trials`: where the files of data lie that the run names: the folder of its experiment file [default: looked for in the
    /// run's directory, here, and in `experiments`]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// with `--table trials`: values that the run was given on the command line
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
}

fn formats() -> impl TypedValueParser<Value = &'static Format> {
    let names = (REGISTRY.iter()).map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(names).try_map(|name| {
        let found = REGISTRY.iter().find(|format| format.name == name);
        found.copied().ok_or("no such format")
    })
}

fn tables() -> impl TypedValueParser<Value = Table> {
    let names = (Table::ALL.iter()).map(|of| PossibleValue::new(of.name()).help(of.about()));
    PossibleValuesParser::new(names).try_map(|name| {
        let found = Table::ALL.iter().find(|table| table.name() == name);
        found.copied().ok_or("no such table")
    })
}

/// Writes what a finished run found in the format of another program.
pub fn export(arguments: &Export) -> Result<u8, Failure> {
    let mut tables = arguments.tables.clone();
    tables.dedup();
    if tables.is_empty() {
        tables.push(Table::ALL[0]);
    }
    if !tables.contains(&Table::Trials) {
        let given = [
            ("--trials", arguments.trials.is_some()),
            ("--data", arguments.data.is_some()),
            ("--set", !arguments.set.is_empty()),
        ];
        if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
            return Err(Failure::Argument(format!(
                "{option} is about single trials: give it with --table trials, or leave it away"
            )));
        }
    }
    if let Some(out) = &arguments.out {
        ends_as_it_should(out, arguments.format)?;
    }
    let run = record::read(&arguments.dir)?;
    let (write, binary) = match arguments.format.write {
        Writer::Page(write) => return page(arguments, &run, &tables, write),
        Writer::Text(write) => (write, false),
        Writer::Binary(write) => (write, true),
    };
    if tables.len() > 1 && (arguments.out.is_some() || !binary) {
        return Err(Failure::Argument(format!(
            "a file of {} holds one table, and {} are named: export them one by one{}",
            arguments.format.name,
            tables.len(),
            match binary {
                true =>
                    ", or leave --out away: each then has a file of its own in the run's directory",
                false => "",
            }
        )));
    }
    let to = |table: Table| match &arguments.out {
        None if binary => {
            let named = format!("{}.{}", table.name(), arguments.format.ending);
            Destination::new(&arguments.dir.join(named), arguments.force)
        }
        out => destination(out.as_deref(), arguments.force),
    };
    // all are looked at before the first is written
    let outs = (tables.iter().map(|table| to(*table))).collect::<Result<Vec<_>, _>>()?;
    for (table, out) in tables.into_iter().zip(outs) {
        with_sheet(arguments, &run, table, |sheet| {
            out.send(|to| write(sheet, to))?;
            said(&out, &format!("the table `{}`", sheet.table))
        })?;
    }
    Ok(exit::DONE)
}

/// Tables one below the other.
fn page(
    arguments: &Export,
    run: &Run,
    tables: &[Table],
    write: fn(&[crate::export::Printed]) -> String,
) -> Result<u8, Failure> {
    let out = destination(arguments.out.as_deref(), arguments.force)?;
    let mut all = Vec::new();
    for table in tables {
        select(arguments).suits(*table)?;
        let selection = select(arguments).of_run(run)?;
        all.extend(printed(run, *table, &selection, arguments.format.name)?);
    }
    let text = write(&all);
    out.send(|to| Ok(to.write_all(text.as_bytes())?))?;
    said(&out, &several(all.len() as u64, "table"))?;
    Ok(exit::DONE)
}

/// Refuses a file that other programs would take for one of another format; of an ending that says nothing, a note.
fn ends_as_it_should(out: &Path, format: &Format) -> Result<(), Failure> {
    let Some(ending) = out.extension().and_then(|ending| ending.to_str()) else {
        return Ok(());
    };
    let is = |format: &Format| {
        ending.eq_ignore_ascii_case(format.ending) || ending.eq_ignore_ascii_case(format.name)
    };
    if is(format) {
        return Ok(());
    }
    if let Some(other) = REGISTRY.iter().find(|other| is(other)) {
        return Err(Failure::Argument(format!(
            "{} ends like a file of {}, and {} is to be written: name a file that ends in .{}, or give --format {}",
            out.display(),
            other.name,
            format.name,
            format.ending,
            other.name
        )));
    }
    output::note(&format!(
        "note: {} is written as {}, whose files end in .{}: other programs may not know what is in it",
        out.display(),
        format.name,
        format.ending
    ));
    Ok(())
}

/// Where to, if not to stdout.
fn destination(out: Option<&Path>, force: bool) -> Result<Destination, Failure> {
    out.map_or(Ok(Destination::Stdout), |out| Destination::new(out, force))
}

fn select(arguments: &Export) -> Select {
    Select {
        measures: arguments.measures.clone(),
        subjects: arguments.subjects.clone(),
        statistics: arguments.statistics.clone(),
        labels: arguments.labels.clone(),
    }
}

/// The rows that were asked for.
fn with_sheet(
    arguments: &Export,
    run: &Run,
    table: Table,
    take: impl FnOnce(&Sheet<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // what no table of this kind has is said before names are looked for
    select(arguments).suits(table)?;
    match table {
        Table::File(file) => {
            let selection = select(arguments).of_run(run)?;
            take(&of_file(run, file, &selection)?)
        }
        Table::Trials => {
            has_trials(run)?;
            let data = arguments.data.as_deref();
            let plan = replay::plan_of(&arguments.dir, run, data, None, &arguments.set)?;
            take(&of_trials(run, &plan, select(arguments), arguments.trials)?)
        }
    }
}

/// The result is a file: its name goes to stdout, what is in it to stderr.
fn said(out: &Destination, what: &str) -> Result<(), Failure> {
    let Some(path) = out.named() else {
        return Ok(());
    };
    output::note(&format!("wrote {what}"));
    output::result(&format!("{}\n", path.display()))
}
