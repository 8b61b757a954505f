//! `epsweep list`

use super::arguments::Format;
use super::text::{Align, Table};
use super::{Failure, exit, help, output};
use crate::catalogue::{self, Entry, FAMILIES, Family};
use crate::config::diagnostic::nearest;
use crate::config::schema::{self, Key, Section};
use crate::record::CsvText;
use crate::words::join;
use clap::Args;
use serde_json::json;

/// Arguments of `list`.
#[derive(Args, Debug)]
#[command(after_help = help::LIST)]
pub struct List {
    /// a family (`noises`), a name (`laplace`), or a section of a file (`query`, `procedure.stream`) [default: all families]
    pub what: Option<String>,
    /// of families: formula and source of each member, too
    #[arg(short, long)]
    pub long: bool,
    /// form of the result on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Prints what can be named in files and on the command line, straight from the registries.
pub fn list(arguments: &List) -> Result<u8, Failure> {
    let Some(what) = arguments.what.as_deref() else {
        let all: Vec<&Family> = FAMILIES.iter().collect();
        output::result(&families(&all, arguments))?;
        return Ok(exit::DONE);
    };
    if let Some(family) = catalogue::named(what) {
        output::result(&families(&[family], arguments))?;
        return Ok(exit::DONE);
    }
    let (found, section) = (catalogue::find(what), catalogue::section(what));
    if found.is_empty() && section.is_none() {
        return Err(no_such(what));
    }
    output::result(&match arguments.format {
        Format::Text => whole_text(&found, section.as_ref()),
        Format::Json => output::document(json!({ "found": whole_json(&found, section.as_ref()) })),
        Format::Csv => csv(&found),
        Format::Markdown => table(&found).markdown(),
    })?;
    Ok(exit::DONE)
}

/// There is no such name: the nearest, and where all are.
fn no_such(what: &str) -> Failure {
    let mut near = catalogue::meant(what);
    if near.is_empty() {
        near.extend(nearest(what, &all_names()));
    }
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    let nearest = match near.is_empty() {
        true => String::new(),
        false => format!("did you mean {}? ", join(&near, "or")),
    };
    let families: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    let sections = schema::sections();
    let sections: Vec<&str> = sections.iter().map(|section| section.name).collect();
    Failure::Argument(format!(
        "unknown name `{what}`: {nearest}`epsweep list` prints all; families: {}; sections of a file: {}",
        families.join(", "),
        sections.join(", ")
    ))
}

/// Families, sections and members, each once.
fn all_names() -> Vec<&'static str> {
    let sections = schema::sections();
    let mut names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    names.extend(sections.iter().map(|section| section.name));
    names.extend(
        FAMILIES
            .iter()
            .flat_map(Family::members)
            .map(|entry| entry.about.name),
    );
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    names
}

type Found = (&'static Family, Entry);

/// Every member of some families.
fn families(families: &[&'static Family], arguments: &List) -> String {
    let members: Vec<Found> = (families.iter())
        .flat_map(|family| family.members().into_iter().map(|entry| (*family, entry)))
        .collect();
    match arguments.format {
        Format::Text => short_text(families, &members, arguments.long),
        Format::Json => output::document(json!({ "families": json_by_family(families, &members) })),
        Format::Csv => csv(&members),
        Format::Markdown => table(&members).markdown(),
    }
}

fn short_text(families: &[&'static Family], members: &[Found], long: bool) -> String {
    let width = (members.iter())
        .map(|(_, entry)| entry.about.name.chars().count())
        .max()
        .unwrap_or(0);
    let mut out = String::new();
    for (index, family) in families.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out += &format!("{}: {}; {}\n", family.name, family.summary, family.place);
        for (_, entry) in members.iter().filter(|(of, _)| of.name == family.name) {
            let about = entry.about;
            let blanks = " ".repeat(width - about.name.chars().count());
            out += &format!("  {}{blanks}  {}\n", about.name, about.summary);
            let indent = " ".repeat(width + 4);
            if long {
                out += &format!("{indent}{}\n{indent}{}\n", about.formula, about.source);
            }
        }
    }
    out + "\n`epsweep list NAME` says all about one: formula, source, keys and an example.\n"
}

fn table(members: &[Found]) -> Table {
    let heads = ["family", "name", "summary", "formula", "source"];
    let mut table = Table::new(&heads.map(|head| (head, Align::Left)));
    for (family, entry) in members {
        table.row(fields(family, entry).map(String::from).to_vec());
    }
    table
}

fn fields<'a>(family: &'a Family, entry: &'a Entry) -> [&'a str; 5] {
    let about = entry.about;
    [
        family.name,
        about.name,
        about.summary,
        about.formula,
        about.source,
    ]
}

fn csv(members: &[Found]) -> String {
    let mut table = CsvText::new(["family", "name", "summary", "formula", "source"]);
    for (family, entry) in members {
        table.row(fields(family, entry));
    }
    table.text()
}

fn json_by_family(families: &[&'static Family], members: &[Found]) -> serde_json::Value {
    let of = |family: &&'static Family| {
        let own = members.iter().filter(|(of, _)| of.name == family.name);
        let list: Vec<serde_json::Value> = own.map(|(_, entry)| json_of(entry)).collect();
        (family.name.to_owned(), list.into())
    };
    families
        .iter()
        .map(of)
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn json_of(entry: &Entry) -> serde_json::Value {
    let about = entry.about;
    json!({
        "name": about.name,
        "summary": about.summary,
        "formula": about.formula,
        "source": about.source,
        "notes": entry.notes,
        "keys": keys_json(&entry.keys),
        "example": entry.example,
    })
}

fn keys_json(keys: &[Key]) -> Vec<serde_json::Value> {
    let of =
        |key: &Key| json!({ "name": key.name, "takes": key.shape.words(), "about": key.about });
    keys.iter().map(of).collect()
}

fn whole_json(found: &[Found], section: Option<&Section>) -> serde_json::Value {
    let member = |(family, entry): &Found| {
        let mut value = json_of(entry);
        value["family"] = json!(family.name);
        value["place"] = json!(family.place);
        value
    };
    let mut out: Vec<serde_json::Value> = found.iter().map(member).collect();
    if let Some(section) = section {
        out.push(json!({
            "family": "sections",
            "name": section.name,
            "place": section.header,
            "summary": section.about,
            "keys": keys_json(&keys(section)),
        }));
    }
    out.into()
}

fn keys(section: &Section) -> Vec<Key> {
    let tables = section.shape.tables();
    tables
        .first()
        .map_or_else(Vec::new, |table| table.keys.clone())
}

fn whole_text(found: &[Found], section: Option<&Section>) -> String {
    let mut parts: Vec<String> = found.iter().map(member_text).collect();
    // a procedure's keys are those of its section
    let told = found.iter().any(|(family, _)| family.name == "procedures");
    if let Some(section) = section.filter(|_| !told) {
        let mut out = format!("{}: {}\n", section.header, section.about);
        out += &keys_text(&keys(section));
        parts.push(out);
    }
    parts.join("\n")
}

fn member_text((family, entry): &Found) -> String {
    let about = entry.about;
    let mut out = format!("{}: {}\n", about.name, about.summary);
    out += &format!("\n  where    {}\n", family.place);
    out += &format!("  formula  {}\n", about.formula);
    out += &format!("  source   {}\n", about.source);
    for note in &entry.notes {
        out += &format!("  note     {note}\n");
    }
    out += &keys_text(&entry.keys);
    out += "\n  example\n";
    for line in entry.example.trim_end().lines() {
        out += format!("    {line}").trim_end();
        out.push('\n');
    }
    out
}

/// Characters of a line of what a key takes.
const LINE: usize = 90;

fn keys_text(keys: &[Key]) -> String {
    if keys.is_empty() {
        return String::new();
    }
    let width = keys
        .iter()
        .map(|key| key.name.chars().count())
        .max()
        .unwrap_or(0);
    let mut out = String::from("\n  keys\n");
    for key in keys {
        let blanks = " ".repeat(width - key.name.chars().count());
        let takes = key.shape.words();
        out += &format!("    {}{blanks}  {}\n", key.name, key.about);
        let mut line = String::new();
        let indent = " ".repeat(width + 6);
        for word in takes.split_inclusive(' ') {
            if line.chars().count() + word.chars().count() > LINE {
                out += &format!("{indent}{}\n", line.trim_end());
                line.clear();
            }
            line += word;
        }
        out += &format!("{indent}{}\n", line.trim_end());
    }
    out
}
