//! `epsweep list`

use super::arguments::{Family, Format, List};
use super::text::{Align, Table};
use super::{Failure, exit, output};
use crate::config::noise::NoiseSpec;
use crate::{figure, measure};
use epsweep_core::about::About;
use epsweep_core::{accounting, allocation, query, selection, stream, training};
use serde_json::json;

/// Prints what can be named in an experiment file, straight from the registries.
pub fn list(arguments: &List) -> Result<u8, Failure> {
    let families: Vec<(&str, Vec<&'static About>)> = (FAMILIES.iter())
        .filter(|(family, _)| arguments.family.is_none_or(|wanted| wanted == *family))
        .map(|(family, members)| (name(*family), members()))
        .collect();
    output::result(&match arguments.format {
        Format::Text => text(&families, arguments.long),
        Format::Json => output::json(&json_of(&families)),
        Format::Csv => csv(&families),
        Format::Markdown => table(&families).markdown(),
    })?;
    Ok(exit::DONE)
}

type Members = fn() -> Vec<&'static About>;

const FAMILIES: &[(Family, Members)] = &[
    (Family::Queries, || {
        query::REGISTRY
            .iter()
            .map(|member| member.about())
            .collect()
    }),
    (Family::Noises, || {
        NoiseSpec::all().map(|member| member.about()).collect()
    }),
    (Family::Allocations, || {
        allocation::REGISTRY
            .iter()
            .map(|member| member.about())
            .collect()
    }),
    (Family::Mechanisms, || {
        let one = selection::REGISTRY.iter().map(|member| member.about());
        let several = selection::top_k::REGISTRY.iter();
        one.chain(several.map(|member| member.about())).collect()
    }),
    (Family::Gates, || {
        stream::gate::REGISTRY
            .iter()
            .map(|member| member.about())
            .collect()
    }),
    (Family::Schedules, || {
        training::schedule::REGISTRY
            .iter()
            .map(|member| member.about())
            .collect()
    }),
    (Family::Policies, || {
        stream::policy::REGISTRY
            .iter()
            .map(|member| &member.about)
            .collect()
    }),
    (Family::Sequences, || {
        stream::sequence::REGISTRY
            .iter()
            .map(|member| member.about())
            .collect()
    }),
    (Family::Objectives, || {
        allocation::solver::REGISTRY
            .iter()
            .map(|member| member.about())
            .collect()
    }),
    (Family::Accountants, || {
        accounting::REGISTRY
            .iter()
            .map(|member| member.about())
            .collect()
    }),
    (Family::Audits, crate::audit::abouts),
    (Family::Measures, || {
        measure::REGISTRY
            .iter()
            .map(|member| member.about())
            .collect()
    }),
    (Family::Figures, || {
        figure::REGISTRY
            .iter()
            .map(|member| member.about())
            .collect()
    }),
];

fn name(family: Family) -> &'static str {
    match family {
        Family::Accountants => "accountants",
        Family::Allocations => "allocations",
        Family::Audits => "audits",
        Family::Figures => "figures",
        Family::Gates => "gates",
        Family::Measures => "measures",
        Family::Mechanisms => "mechanisms",
        Family::Noises => "noises",
        Family::Objectives => "objectives",
        Family::Policies => "policies",
        Family::Queries => "queries",
        Family::Schedules => "schedules",
        Family::Sequences => "sequences",
    }
}

fn text(families: &[(&str, Vec<&'static About>)], long: bool) -> String {
    let width = (families.iter().flat_map(|(_, members)| members))
        .map(|about| about.name.chars().count())
        .max()
        .unwrap_or(0);
    let mut out = String::new();
    for (index, (family, members)) in families.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out += &format!("{family}\n");
        for about in members {
            let blanks = " ".repeat(width - about.name.chars().count());
            out += &format!("  {}{blanks}  {}\n", about.name, about.summary);
            let indent = " ".repeat(width + 4);
            for line in [about.formula, about.source] {
                if long && !line.is_empty() {
                    out += &format!("{indent}{line}\n");
                }
            }
        }
    }
    out
}

fn table(families: &[(&str, Vec<&'static About>)]) -> Table {
    let mut table = Table::new(
        &["family", "name", "summary", "formula", "source"].map(|head| (head, Align::Left)),
    );
    for (family, members) in families {
        for about in members {
            table.row(
                [
                    family,
                    about.name,
                    about.summary,
                    about.formula,
                    about.source,
                ]
                .map(String::from)
                .to_vec(),
            );
        }
    }
    table
}

fn csv(families: &[(&str, Vec<&'static About>)]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing to memory cannot fail
    let _ = writer.write_record(["family", "name", "summary", "formula", "source"]);
    for (family, members) in families {
        for about in members {
            let _ = writer.write_record([
                family,
                about.name,
                about.summary,
                about.formula,
                about.source,
            ]);
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn json_of(families: &[(&str, Vec<&'static About>)]) -> serde_json::Value {
    let members = |members: &[&'static About]| -> Vec<serde_json::Value> {
        (members.iter())
            .map(|about| json!({ "name": about.name, "summary": about.summary, "formula": about.formula, "source": about.source }))
            .collect()
    };
    families
        .iter()
        .map(|(family, list)| ((*family).to_owned(), members(list).into()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
