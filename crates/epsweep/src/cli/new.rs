//! `epsweep new`

use super::text::{Align, Table};
use super::{Failure, exit, help, output, unknown};
use crate::config::diagnostic::Diagnostics;
use crate::config::settings::is_file_name;
use crate::load::{ColumnFound, Survey, survey};
use crate::template::{self, ALL, Filling, Records, SCHEMA_FILE, Template};
use clap::Args;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

/// Arguments of `new`.
#[derive(Args, Debug)]
#[command(after_help = help::NEW)]
pub struct New {
    /// name of the experiment; the file is NAME.toml. A path puts it elsewhere
    #[arg(required_unless_present = "list")]
    pub name: Option<PathBuf>,
    /// the template to start from
    #[arg(long, value_name = "TEMPLATE", default_value = ALL[0].name)]
    pub from: String,
    /// the templates, each with the question that it answers
    #[arg(long, conflicts_with_all = ["name", "data"])]
    pub list: bool,
    /// a CSV file with a header line that the experiment is to be about
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// the column of numbers [default: a proposal]
    #[arg(long, value_name = "NAME", requires = "data")]
    pub column: Option<String>,
    /// its bounds: public knowledge, not the least and largest value of the file
    #[arg(long, value_name = "LOW,HIGH", requires = "data", value_parser = bounds, allow_hyphen_values = true)]
    pub bounds: Option<[f64; 2]>,
    /// the column of categories [default: a proposal]
    #[arg(long, value_name = "NAME", requires = "data")]
    pub category: Option<String>,
    /// the categories, all that there can be, separated by commas: public knowledge, too. Where they are whole numbers, 1-16 stands for sixteen
    #[arg(long, value_name = "A,B,…", requires = "data", value_delimiter = ',')]
    pub groups: Option<Vec<String>>,
}

fn bounds(text: &str) -> Result<[f64; 2], String> {
    let parts: Vec<&str> = text.split(',').collect();
    let number = |text: &str| text.trim().replace('_', "").parse::<f64>().ok();
    match parts.as_slice() {
        [low, high] => match (number(low), number(high)) {
            (Some(low), Some(high)) if low.is_finite() && high.is_finite() && low < high => {
                Ok([low, high])
            }
            _ => Err(format!(
                "`{text}` is no LOW,HIGH with LOW below HIGH, as in 0,120"
            )),
        },
        _ => Err(format!("`{text}` is not of the form LOW,HIGH, as in 0,120")),
    }
}

/// Writes a file to start from; an existing one is left alone.
pub fn new(arguments: &New) -> Result<u8, Failure> {
    let Some(given) = arguments.name.as_ref().filter(|_| !arguments.list) else {
        output::result(&listing())?;
        return Ok(exit::DONE);
    };
    let names: Vec<&str> = ALL.iter().map(|template| template.name).collect();
    let template = template::named(&arguments.from)
        .ok_or_else(|| unknown("template", &arguments.from, &names))?;
    let (path, name) = place(given)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let records = match &arguments.data {
        Some(data) => Some(records(arguments, template, data, folder)?),
        None => None,
    };
    let filling = Filling {
        name,
        file: path.display().to_string(),
        schema: folder.join(SCHEMA_FILE).is_file(),
        records,
    };
    write(&path, &template.fill(&filling))?;
    output::result(&format!("{}\n", path.display()))?;
    say_what_is_next(template, &path, filling.records.as_ref());
    Ok(exit::DONE)
}

fn listing() -> String {
    let mut table = Table::new(&[("template", Align::Left), ("answers", Align::Left)]);
    for template in ALL {
        table.row(vec![template.name.to_owned(), template.summary.to_owned()]);
    }
    table.text()
}

/// The path of the file, and the name of the experiment.
fn place(given: &Path) -> Result<(PathBuf, String), Failure> {
    let text = given.to_string_lossy();
    let path = match text.strip_suffix(".toml") {
        Some(_) => given.to_owned(),
        None => PathBuf::from(format!("{text}.toml")),
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    if !is_file_name(&name) {
        return Err(Failure::Argument(format!(
            "the name `{name}` cannot name a run directory: letters, digits, `-` and `_`, at most 100"
        )));
    }
    if name.starts_with('-') {
        return Err(Failure::Argument(format!(
            "the name `{name}` begins with `-`, as options do: commands would not take its file for one"
        )));
    }
    let name = name.into_owned();
    Ok((path, name))
}

/// What is asked of a file of records.
fn records(
    arguments: &New,
    template: &Template,
    data: &Path,
    folder: &Path,
) -> Result<Records, Failure> {
    if !template.takes_data {
        let takes: Vec<&str> = (ALL.iter().filter(|template| template.takes_data))
            .map(|template| template.name)
            .collect();
        return Err(Failure::Argument(format!(
            "the template `{}` is not about a file of records; --data goes with: {}",
            template.name,
            takes.join(", ")
        )));
    }
    let survey = survey(data).map_err(|faults| {
        let all = Diagnostics::all(faults.into_iter().map(Diagnostics::one).collect());
        all.map_or_else(
            || Failure::Argument(format!("cannot read `{}`", data.display())),
            Failure::Input,
        )
    })?;
    let chosen = |given: &Option<String>, proposal: Option<&ColumnFound>| match given {
        Some(name) if survey.names().contains(&name.as_str()) => Ok(Some(name.clone())),
        Some(name) => Err(unknown("column", name, &survey.names())),
        None => Ok(proposal.map(|column| column.name.clone())),
    };
    let column = chosen(&arguments.column, survey.number())?;
    let besides = column.as_deref().unwrap_or_default();
    let category = chosen(&arguments.category, survey.category(besides))?;
    let of = |name: &Option<String>| {
        let name = name.as_ref()?;
        survey.columns.iter().find(|found| found.name == *name)
    };
    if let Some(found) = of(&column).filter(|found| !found.numbers) {
        return Err(Failure::Argument(format!(
            "`{}` is no column of numbers{}; choose another with --column",
            found.name,
            match &found.no_number {
                Some(why) => format!(": {why}"),
                None => String::new(),
            }
        )));
    }
    if column.is_none() && category.is_none() {
        return Err(Failure::Argument(format!(
            "`{}` has no column of numbers or categories to propose; its columns: {}",
            data.display(),
            described(&survey)
        )));
    }
    if category == column {
        return Err(Failure::Argument(format!(
            "`{}` cannot be both the column of numbers and that of categories",
            column.unwrap_or_default()
        )));
    }
    for (option, given, column, what) in [
        ("--bounds", arguments.bounds.is_some(), &column, "numbers"),
        (
            "--groups",
            arguments.groups.is_some(),
            &category,
            "categories",
        ),
    ] {
        if given && column.is_none() {
            return Err(Failure::Argument(format!(
                "{option} is about a column of {what}, and `{}` has none to propose; its columns: {}",
                data.display(),
                described(&survey)
            )));
        }
    }
    let of_numbers = of(&category).is_some_and(|found| found.numbers);
    let groups = (arguments.groups.as_deref())
        .map(|given| groups(given, of_numbers))
        .transpose()?;
    describe(&survey, data, column.as_deref(), category.as_deref());
    for found in [of(&column), of(&category)].into_iter().flatten() {
        if !found.missing.is_empty() {
            output::note(&format!(
                "`{}`: {}; complete them, or write `missing = \"drop\"` to leave their rows out",
                found.name, found.missing
            ));
        }
    }
    let about_records = (survey.columns.iter())
        .filter(|found| {
            let name = Some(&found.name);
            found.about_records && name != column.as_ref() && name != category.as_ref()
        })
        .map(|found| found.name.clone())
        .collect();
    Ok(Records {
        path: relative(data, folder),
        about_records,
        column,
        bounds: arguments.bounds,
        category,
        groups,
    })
}

/// Most whole numbers that a stretch of them stands for.
const MOST_IN_STRETCH: i64 = 4096;

/// The whole numbers that `1-16` stands for, from the first to the last.
fn stretch(text: &str) -> Option<std::ops::RangeInclusive<i64>> {
    // the sign of the first is no hyphen
    let place = 1 + text.get(1..)?.find('-')?;
    let (first, last) = (text[..place].trim(), text[place + 1..].trim());
    Some(first.parse().ok()?..=last.parse().ok()?)
}

/// The categories as they are given, each once. In a column of numbers `1-16` stands for sixteen of them; in one of texts it is a text.
fn groups(given: &[String], of_numbers: bool) -> Result<Vec<String>, Failure> {
    let mut named: Vec<String> = Vec::new();
    for group in (given.iter().map(|group| group.trim())).filter(|group| !group.is_empty()) {
        match stretch(group).filter(|_| of_numbers) {
            None => named.push(group.to_owned()),
            Some(stretch) => {
                let many = stretch
                    .end()
                    .saturating_sub(*stretch.start())
                    .saturating_add(1);
                if !(2..=MOST_IN_STRETCH).contains(&many) {
                    return Err(Failure::Argument(format!(
                        "--groups: `{group}` is no stretch of whole numbers: FIRST-LAST, with FIRST below LAST and at most {MOST_IN_STRETCH} of them, as in 1-16"
                    )));
                }
                output::note(&format!(
                    "`{group}` of --groups: the {many} whole numbers from {} to {}",
                    stretch.start(),
                    stretch.end()
                ));
                named.extend(stretch.map(|number| number.to_string()));
            }
        }
    }
    if named.is_empty() {
        return Err(Failure::Argument(
            "--groups has no category: name all that there can be, separated by commas".to_owned(),
        ));
    }
    for (place, group) in named.iter().enumerate() {
        if named[..place].contains(group) {
            return Err(Failure::Argument(format!(
                "--groups: `{group}` is named twice; a record has one category"
            )));
        }
    }
    Ok(named)
}

/// The columns in words, with what is to be known of them.
fn described(survey: &Survey) -> String {
    let each: Vec<String> = (survey.columns.iter())
        .map(|found| {
            let kind = if found.numbers { "numbers" } else { "text" };
            let remark = match found.remark() {
                Some(remark) => format!("; {remark}"),
                None => String::new(),
            };
            format!(
                "{} ({kind}, {} different{remark})",
                found.name, found.different
            )
        })
        .collect();
    each.join(", ")
}

/// Says what columns there are, and which have been taken.
fn describe(survey: &Survey, data: &Path, column: Option<&str>, category: Option<&str>) {
    output::note(&format!("{}: {}", data.display(), described(survey)));
    let part = |what: &str, name: Option<&str>| match name {
        Some(name) => format!("{what} of `{name}`"),
        None => format!("no {what}, since no column has any to propose"),
    };
    output::note(&format!(
        "taken: {}, {} (--column and --category take others)",
        part("numbers", column),
        part("categories", category)
    ));
}

/// The path of the data as seen from the folder of the experiment file.
fn relative(data: &Path, folder: &Path) -> String {
    let plain = |path: &Path| {
        let mut parts = path.components();
        parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    if data.is_absolute() || plain(folder) && folder.as_os_str().is_empty() {
        return data.display().to_string();
    }
    if plain(folder) {
        let depth = (folder.components())
            .filter(|part| matches!(part, Component::Normal(_)))
            .count();
        return Path::new(&"../".repeat(depth))
            .join(data)
            .display()
            .to_string();
    }
    let absolute = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
    absolute.display().to_string()
}

/// Writes a file that is not there yet.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path);
    match file.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(Failure::Argument(format!(
                "`{}` is there already, and is left as it is: choose another name, or remove it first",
                path.display()
            )))
        }
        Err(error) => Err(Failure::file(path, error)),
    }
}

fn say_what_is_next(template: &Template, path: &Path, records: Option<&Records>) {
    let file = path.display();
    if let Some(records) = records {
        let mut open = Vec::new();
        if let (Some(column), None) = (&records.column, records.bounds) {
            open.push(format!("the bounds of `{column}`"));
        }
        if let (Some(category), None) = (&records.category, &records.groups) {
            open.push(format!("the categories of `{category}`"));
        }
        if !open.is_empty() {
            output::note(&format!(
                "first declare in it {}: they must be public knowledge, and are not taken from the data",
                open.join(" and ")
            ));
        }
    }
    let next = match template.audit {
        true => format!("next: epsweep audit {file}"),
        false => format!("next: epsweep check {file}, epsweep plan {file}, epsweep run {file}"),
    };
    output::note(&next);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_found_from_the_folder_of_the_file() {
        let seen = |data: &str, folder: &str| relative(Path::new(data), Path::new(folder));
        assert_eq!(seen("a/x.csv", ""), "a/x.csv");
        assert_eq!(seen("a/x.csv", "q"), "../a/x.csv");
        assert_eq!(seen("x.csv", "./q/r"), "../../x.csv");
        assert_eq!(seen("/d/x.csv", "q"), "/d/x.csv");
        assert!(Path::new(&seen("x.csv", "../q")).is_absolute());
    }

    #[test]
    fn stretches_of_whole_numbers_are_groups_where_categories_are_numbers() {
        let named = |text: &str, of_numbers| groups(&[text.to_owned()], of_numbers);
        assert_eq!(named("1-4", true).unwrap(), ["1", "2", "3", "4"]);
        assert_eq!(named("-2--1", true).unwrap(), ["-2", "-1"]);
        assert_eq!(named("-2", true).unwrap(), ["-2"]);
        assert_eq!(named("18-24", false).unwrap(), ["18-24"]);
        for wrong in [
            "4-1",
            "3-3",
            "1-10000000",
            "-9223372036854775808-9223372036854775807",
        ] {
            assert!(named(wrong, true).is_err(), "{wrong}");
        }
        assert!(groups(&["1-3".to_owned(), "2".to_owned()], true).is_err());
    }

    #[test]
    fn bounds_are_two_numbers_in_order() {
        assert_eq!(bounds("-1e3, 200_000"), Ok([-1000.0, 200_000.0]));
        for wrong in ["1", "1,2,3", "2,1", "1,1", "a,b", "0,inf", "nan,1"] {
            assert!(bounds(wrong).is_err(), "{wrong}");
        }
    }
}
