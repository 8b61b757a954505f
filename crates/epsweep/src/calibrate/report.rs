//! The report of a calibration.

use super::count::least_nominal;
use super::{Calibration, Coverage, Group, Judgement, TOLERANCE, Zip};
use crate::plan::Plan;
use crate::report::{Block, Cell, Document, Section, Table, Tone};
use crate::words::{about_percent, grouped, join, percent, points, several, significant};

/// Rows of the table of what is not nominal.
const MOST_ROWS: usize = 40;

/// What came of it, in a sentence or two.
pub(crate) fn answer(of: &Calibration) -> String {
    let count = |wanted| {
        (of.coverages.iter())
            .filter(|of| of.judgement == wanted)
            .count() as u64
    };
    let mut parts = vec![format!(
        "{} nominal (the 99.9 % interval of the coverage reaches into {} ± {})",
        grouped(count(Judgement::Nominal)),
        about_percent(of.level),
        points(TOLERANCE)
    )];
    let others = [
        (Judgement::AsComputed, "discrete and as theory computes"),
        (Judgement::Warned, "off and warned of"),
        (Judgement::Wide, "wider than they have to be"),
        (Judgement::Short, "short without a warning"),
    ];
    for (judgement, words) in others {
        if count(judgement) > 0 || judgement == Judgement::Short {
            parts.push(format!("{} {words}", grouped(count(judgement))));
        }
    }
    let mut answer = format!(
        "Of {} that have an interval: {}.",
        several(of.coverages.len() as u64, "statistic"),
        join(&parts, "and")
    );
    if let Ok(least) = least_nominal(of.repeats, of.level) {
        answer += &format!(
            " With {} every coverage from {} on is called nominal.",
            several(of.repeats, "repeat"),
            percent(least)
        );
    }
    if let Some(worst) = worst_family(of) {
        answer += &format!(
            " Where nothing differs, adjusted p values call a difference in at most {} of the repeats.",
            percent(worst)
        );
    }
    answer
}

fn worst_family(of: &Calibration) -> Option<f64> {
    (of.families.iter())
        .map(super::Family::share)
        .reduce(f64::max)
}

/// The report.
pub(super) fn document(plan: &Plan, of: &Calibration) -> Document {
    let resolved = plan.resolved();
    let mut sections = vec![
        section(
            "Coverage by kind",
            vec![Block::Table(kinds(of)), Block::Figure(0)],
        ),
        section("Zip plot", vec![Block::Figure(1)]),
    ];
    let others = others(of);
    if !others.rows.is_empty() {
        sections.push(section("What is not nominal", vec![Block::Table(others)]));
    }
    if !of.families.is_empty() {
        sections.push(section("Adjusted p values", families(of)));
    }
    sections.push(section("Method", method(of)));
    let file = plan.file().map(str::to_owned);
    let commands = format!(
        "epsweep calibrate {} --seed {} --trials {} --repeats {} --reference {}",
        file.unwrap_or_else(|| format!("{}.toml", resolved.name)),
        plan.settings().seed,
        of.trials,
        of.repeats,
        of.reference
    );
    sections.push(section("How to repeat this", vec![Block::Code(commands)]));
    Document {
        title: resolved.title.clone(),
        question: resolved.question.clone(),
        answer: answer(of),
        sections,
    }
}

fn section(title: &str, blocks: Vec<Block>) -> Section {
    Section {
        title: title.to_owned(),
        blocks,
    }
}

fn tone(judgement: Judgement) -> Tone {
    match judgement {
        Judgement::Nominal | Judgement::AsComputed => Tone::Holds,
        Judgement::Warned | Judgement::Wide => Tone::Undecided,
        Judgement::Short => Tone::Alarm,
    }
}

/// One row per kind of interval: the range of its coverages, and how many are what.
pub(crate) fn kinds(of: &Calibration) -> Table {
    let mut table = Table::new(
        "",
        &[
            "interval of",
            "#statistics",
            "#least",
            "#median",
            "#most",
            "#nominal",
            "#as computed",
            "#warned",
            "#wide",
            "#short",
        ],
    );
    for group in of.groups() {
        let all: Vec<&Coverage> = of.group(group).collect();
        let mut shares: Vec<f64> = all.iter().map(|of| of.share()).collect();
        shares.sort_by(f64::total_cmp);
        let count = |wanted| all.iter().filter(|of| of.judgement == wanted).count();
        let short = count(Judgement::Short);
        let mut row: Vec<Cell> = vec![
            group.name().into(),
            all.len().to_string().into(),
            percent(shares[0]).into(),
            percent(shares[shares.len() / 2]).into(),
            percent(shares[shares.len() - 1]).into(),
        ];
        let usual = [
            Judgement::Nominal,
            Judgement::AsComputed,
            Judgement::Warned,
            Judgement::Wide,
        ];
        row.extend(usual.map(|wanted| Cell::from(count(wanted).to_string())));
        row.push(Cell {
            tone: if short > 0 { Tone::Alarm } else { Tone::Plain },
            ..Cell::from(short.to_string())
        });
        table.rows.push(row);
    }
    table
}

/// The statistics that do not cover as their level says, the shortest first.
fn others(of: &Calibration) -> Table {
    let mut table = Table::new(
        "",
        &[
            "cell",
            "subject",
            "measure",
            "statistic",
            "#coverage",
            "#computed",
            "#below",
            "#above",
            "#warned",
            "judgement",
        ],
    );
    let mut all: Vec<&Coverage> = (of.coverages.iter())
        .filter(|of| of.judgement != Judgement::Nominal)
        .collect();
    all.sort_by(|a, b| {
        let key = |of: &Coverage| {
            (
                std::cmp::Reverse(of.judgement == Judgement::Short),
                of.share(),
            )
        };
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    for of in all {
        table.rows.push(vec![
            of.name.cell.as_str().into(),
            of.name.subject.as_str().into(),
            of.name.measure.as_str().into(),
            of.name.statistic.as_str().into(),
            percent(of.share()).into(),
            of.expected.map_or_else(String::new, percent).into(),
            percent(of.below as f64 / of.repeats as f64).into(),
            percent(of.above as f64 / of.repeats as f64).into(),
            percent(of.warned_share()).into(),
            Cell {
                tone: tone(of.judgement),
                ..Cell::from(of.judgement.name())
            },
        ]);
    }
    table.limit(MOST_ROWS, super::FILES[0]);
    table
}

fn families(of: &Calibration) -> Vec<Block> {
    let mut table = Table::new(
        "",
        &[
            "axes",
            "subject",
            "measure",
            "#true nulls",
            "#comparisons",
            "#errors",
            "#share",
            "judgement",
        ],
    );
    for family in &of.families {
        let (word, tone) = match family.too_many {
            true => ("too many", Tone::Alarm),
            false => ("controlled", Tone::Holds),
        };
        table.rows.push(vec![
            family.axes.as_str().into(),
            family.subject.as_str().into(),
            family.measure.as_str().into(),
            family.nulls.to_string().into(),
            family.comparisons.to_string().into(),
            grouped(family.errors).into(),
            percent(family.share()).into(),
            Cell {
                tone,
                ..Cell::from(word)
            },
        ]);
    }
    table.limit(MOST_ROWS, super::FILES[1]);
    let words = format!(
        "Among comparisons whose exact difference is 0, ties left out, the share of repeats in which any has an adjusted p value below {}: it must not be above that.",
        significant(1.0 - of.level, 3)
    );
    vec![Block::Paragraph(words), Block::Table(table)]
}

fn method(of: &Calibration) -> Vec<Block> {
    let exact = of.coverages.iter().filter(|of| of.exact).count();
    let mut points = vec![
        format!(
            "The experiment was run {} times with {} trials and a seed of its own each; every interval was compared with the truth: the exact value for {} statistics, the estimate of one run of {} trials for the other {}.",
            grouped(of.repeats),
            grouped(of.trials),
            grouped(exact as u64),
            grouped(of.reference),
            grouped((of.coverages.len() - exact) as u64),
        ),
        format!(
            "Nominal: the coverage can be within {} of the level (its own 99.9 % interval reaches into that band). As computed: it is not, but agrees with the coverage that theory computes for an interval whose ends are order statistics or counts. Warned: it is not, and in most repeats a warning was about this very interval, or it was missing in some. Short: it covers less often, and nothing said so.",
            points(TOLERANCE)
        ),
        "Below and above: shares of the intervals that lie wholly below, or above, the truth."
            .to_owned(),
    ];
    let ties = of.groups().contains(&Group::Difference);
    if ties {
        points.push(
            "Comparisons of cells that agree in every trial (ties) have no difference to find and are left out.".to_owned(),
        );
    }
    let shown = of
        .zips
        .iter()
        .map(|Zip { intervals, .. }| intervals.len())
        .max();
    if let Some(shown) = shown {
        points.push(format!(
            "The zip plot shows the first {} repeats.",
            grouped(shown as u64)
        ));
    }
    vec![Block::List(points)]
}
