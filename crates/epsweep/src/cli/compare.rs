//! `epsweep compare`

use super::arguments::{Compare, Format};
use super::text::{Align, Table};
use super::{Failure, exit, output};
use crate::compare::{Compared, Difference, Margin, Outcome, Question, Side, compare as judge};
use crate::record::{self, CsvText, Numbers, number};
use crate::words::{grouped, several, significant};
use serde_json::json;

/// Differences that are shown where nothing moved.
const LARGEST: usize = 5;
/// Differences that are shown at most.
const MOST: usize = 40;

/// Puts two runs beside each other.
pub fn compare(arguments: &Compare) -> Result<u8, Failure> {
    let question = Question {
        level: arguments.level,
        margin: margin(arguments)?,
        only: arguments.only.clone(),
    };
    if !(question.level > 0.0 && question.level < 0.5) {
        return Err(Failure::Argument(format!(
            "level {} is not between 0 and 0.5: it is the probability of calling anything moved in two runs of one truth, such as 0.001",
            question.level
        )));
    }
    let [a, b] = [&arguments.a, &arguments.b].map(|dir| dir.display().to_string());
    let (first, second) = (
        record::read_numbers(&arguments.a)?,
        record::read_numbers(&arguments.b)?,
    );
    let found = judge(&side(&a, &first), &side(&b, &second), &question)
        .map_err(|error| Failure::Argument(error.to_string()))?;
    output::result(&match arguments.format {
        Format::Text => text([(&a, &first), (&b, &second)], &found, &question),
        Format::Json => output::document(json!({
            "a": { "run": a, "seed": first.resolved.seed, "trials": first.resolved.trials },
            "b": { "run": b, "seed": second.resolved.seed, "trials": second.resolved.trials },
            "level": question.level,
            "agree": found.agree(),
            "compared": found,
        })),
        Format::Csv => csv(&found),
        Format::Markdown => table(&found, MOST).markdown(),
    })?;
    Ok(if found.agree() {
        exit::DONE
    } else {
        exit::FOUND
    })
}

fn side<'a>(name: &'a str, numbers: &'a Numbers) -> Side<'a> {
    Side {
        name,
        resolved: &numbers.resolved,
        summary: &numbers.summary,
        claims: &numbers.claims,
    }
}

fn margin(arguments: &Compare) -> Result<Option<Margin>, Failure> {
    let margin = match (arguments.relative_margin, arguments.absolute_margin) {
        (Some(value), _) => (value, Margin::Relative(value)),
        (_, Some(value)) => (value, Margin::Absolute(value)),
        _ => return Ok(None),
    };
    if !(margin.0 >= 0.0 && margin.0.is_finite()) {
        return Err(Failure::Argument(format!(
            "margin {} is not a number of at least 0: it is the difference that does not matter, such as 0.01",
            margin.0
        )));
    }
    Ok(Some(margin.1))
}

fn text(runs: [(&str, &Numbers); 2], found: &Compared, question: &Question) -> String {
    let mut out = String::new();
    for (letter, (name, numbers)) in ["A", "B"].iter().zip(runs) {
        out += &format!(
            "{letter}  {name}: {}, seed {}\n",
            several(numbers.resolved.trials, "trial"),
            numbers.resolved.seed
        );
    }
    let named = |side: &Numbers| (side.resolved.name.clone(), side.resolved.procedure.clone());
    if named(runs[0].1) != named(runs[1].1) {
        out += &format!(
            "different experiments, `{}` and `{}`: numbers are compared that have the same cell, subject, measure and statistic, whether or not they mean the same\n",
            runs[0].1.resolved.name, runs[1].1.resolved.name
        );
    }
    let moved = found.moved().count();
    let exact = found.moved().filter(|of| of.exact).count() as u64;
    let numbers = found.moved_numbers();
    out += &match (numbers, found.claims.len()) {
        (0, 0) => "nothing moved by more than its error explains\n".to_owned(),
        (numbers, 0) => format!("MOVED: {}\n", several(numbers, "number")),
        (0, claims) => format!("MOVED: {}\n", several(claims as u64, "verdict")),
        (numbers, claims) => format!(
            "MOVED: {} and {}\n",
            several(numbers, "number"),
            several(claims as u64, "verdict")
        ),
    };
    let estimates = moved as u64 - exact;
    let differ = found.differences.iter().filter(|of| !of.exact).count() as u64;
    out += &format!(
        "  {} in both: {} identical, {} within their errors, {} moved, {} not judged (extremes have no error)\n",
        several(found.common, "estimate"),
        grouped(found.identical),
        grouped(differ - estimates),
        grouped(estimates),
        grouped(found.unjudged)
    );
    if exact > 0 {
        out += &format!("  {} of theory moved\n", several(exact, "exact value"));
    }
    if question.margin.is_some() {
        out += &format!(
            "  {} within the margin, each by a test of its own, {} undecided\n",
            several(found.of(Outcome::Equivalent).count() as u64, "difference"),
            found.of(Outcome::Unclear).count()
        );
    }
    for (letter, count) in [("A", found.only_a), ("B", found.only_b)] {
        if count > 0 {
            out += &format!("  {} only in {letter}\n", several(count, "number"));
        }
    }
    if found.shared_draws && !found.differences.is_empty() {
        out += "  equal seeds: draws may be shared, and the tests are then conservative\n";
    }
    for claim in &found.claims {
        out += &format!(
            "  claim {}: {} in A, {} in B\n",
            claim.claim, claim.a, claim.b
        );
    }
    if !found.differences.is_empty() {
        let shown = if moved == 0 { LARGEST } else { moved.min(MOST) };
        out += "  the differences that are least explained:\n";
        for line in table(found, shown).text().lines() {
            out += &format!("    {line}\n");
        }
        if moved > shown {
            out += &format!("    … and {} more\n", moved - shown);
        }
    }
    out
}

const HEADS: [(&str, Align); 11] = [
    ("cell", Align::Left),
    ("subject", Align::Left),
    ("measure", Align::Left),
    ("statistic", Align::Left),
    ("a", Align::Right),
    ("b", Align::Right),
    ("difference", Align::Right),
    ("mcse", Align::Right),
    ("p", Align::Right),
    ("p_adjusted", Align::Right),
    ("outcome", Align::Left),
];

fn statistic(of: &Difference) -> String {
    match of.exact {
        true => format!("{} (exact)", of.statistic),
        false => of.statistic.clone(),
    }
}

fn table(found: &Compared, most: usize) -> Table {
    let mut table = Table::new(&HEADS);
    for of in found.differences.iter().take(most) {
        table.row(vec![
            of.cell.clone(),
            of.subject.clone(),
            of.measure.clone(),
            statistic(of),
            significant(of.a, 6),
            significant(of.b, 6),
            significant(of.difference, 3),
            significant(of.mcse, 2),
            significant(of.p, 2),
            significant(of.p_adjusted, 2),
            of.outcome.name().to_owned(),
        ]);
    }
    table
}

/// All differences, raw numbers.
fn csv(found: &Compared) -> String {
    let mut table = CsvText::new(HEADS.map(|(head, _)| head));
    for of in &found.differences {
        let numbers = [of.a, of.b, of.difference, of.mcse, of.p, of.p_adjusted].map(number);
        let words = [&of.cell, &of.subject, &of.measure, &statistic(of)].map(String::clone);
        let outcome = of.outcome.name().to_owned();
        table.row(words.into_iter().chain(numbers).chain([outcome]));
    }
    table.text()
}
