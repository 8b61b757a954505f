//! How often one cell is better than another, trial by trial, as a table in colour: wins, ties and losses.

mod picture;

use super::compared::{Compared, Pairs, needs_comparisons};
use super::direction::{Better, better};
use super::language::{Word, fill};
use super::page::{Drawing, Page, Plotted};
use super::panel;
use super::rows::Rows;
use super::style::Style;
use super::{Asked, FigureError, FigureKind};
use crate::figure::labels::subject_labels;
use crate::record::{ResolvedFigure, Run};
use epsweep_core::about::About;
use picture::{draw_table, key};

/// Columns of a table; further ones are left to the tables.
const MOST_COLUMNS: usize = 12;
/// Height of a row, in letters.
const ROW: f64 = 2.1;
/// Most width of a column, in letters.
const COLUMN: f64 = 20.0;

/// See the module.
pub struct WinRates;

/// Trials that were won, tied and lost.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Record {
    win: u64,
    tie: u64,
    loss: u64,
}

impl Record {
    fn trials(&self) -> u64 {
        self.win + self.tie + self.loss
    }

    /// Wins less losses, from −1 to 1.
    fn balance(&self) -> f64 {
        (self.win as f64 - self.loss as f64) / (self.trials().max(1) as f64)
    }

    /// `64 / 3 / 33`, the same without spaces, or the wins alone.
    fn forms(&self) -> [String; 3] {
        let part = |count: u64| percent(count, self.trials());
        let (win, tie, loss) = (part(self.win), part(self.tie), part(self.loss));
        [
            format!("{win} / {tie} / {loss}"),
            format!("{win}/{tie}/{loss}"),
            win,
        ]
    }
}

/// A whole percentage; what is not all or nothing does not look as if it were.
fn percent(count: u64, of: u64) -> String {
    match (count, of) {
        (_, 0) => "–".to_owned(),
        (0, _) => "0".to_owned(),
        (count, of) if count == of => "100".to_owned(),
        (count, of) => {
            let share = 100.0 * count as f64 / of as f64;
            match share {
                share if share < 0.5 => "<1".to_owned(),
                share if share > 99.5 => ">99".to_owned(),
                share => format!("{share:.0}"),
            }
        }
    }
}

/// A table.
struct Table {
    title: String,
    rows: Vec<String>,
    columns: Vec<String>,
    fields: Vec<Vec<Option<Record>>>,
}

impl FigureKind for WinRates {
    fn about(&self) -> &'static About {
        &About {
            name: "win-rates",
            summary: "a table in colour of how often a cell is better than the baseline, or than each other one, trial by trial: wins, ties and losses",
            formula: "wins / trials, ties / trials, losses / trials",
            source: "definition",
        }
    }

    fn applies(&self, _: &Run) -> bool {
        // the differences say more by default
        false
    }

    fn default_specs(&self, _: &Run) -> Vec<ResolvedFigure> {
        Vec::new()
    }

    fn example(&self) -> String {
        "[compare]\nbaseline = { epsilon = 1 }\n\n[[figure]]\nkind = \"win-rates\"\n".to_owned()
    }

    fn lacks(&self, asked: &Asked<'_>) -> Option<(&'static str, String)> {
        needs_comparisons(asked)
    }

    fn draw(
        &self,
        run: &Run,
        figure: &ResolvedFigure,
        style: &Style,
    ) -> Result<Drawing, FigureError> {
        let say = style.language;
        let compared = Compared::new(run, figure, say)?;
        let (rows, pairs, words) = (&compared.rows, &compared.pairs, &compared.words);
        let measure = rows.measure;
        let higher = better(measure) == Better::Higher;
        let comparative = say.word(if higher { Word::Higher } else { Word::Lower });
        let all = run.resolved.compare.as_ref().is_none_or(|c| c.all_pairs);
        let title = (figure.title.clone()).unwrap_or_else(|| match (&pairs.baseline, all) {
            (Some(name), false) => {
                fill(say.word(Word::HowOftenAgainst), &[comparative, words, name])
            }
            _ => fill(say.word(Word::HowOftenPairs), &[comparative, words]),
        });
        let mut plotted = Plotted::new(&["cell", "against", "subject", "win", "tie", "loss"]);
        let mut found = |a: usize, b: usize, subject: &str| {
            let pair = compared.lookup.paired(a, b, subject, rows.measure)?;
            let (win, loss) = match higher {
                true => (pair.loss, pair.win),
                false => (pair.win, pair.loss),
            };
            plotted.rows.push(vec![
                run.resolved.cells[a].id.clone(),
                run.resolved.cells[b].id.clone(),
                subject.to_owned(),
                win.to_string(),
                pair.tie.to_string(),
                loss.to_string(),
            ]);
            Some(Record {
                win,
                tie: pair.tie,
                loss,
            })
        };
        let mut tables = match all {
            true => against_each_other(run, rows, pairs, &mut found),
            false => vec![against_baseline(run, rows, pairs, &mut found)],
        };
        let mut notes = Vec::new();
        let more = cut(&mut tables, style);
        if more {
            notes.push(fill(say.word(Word::MoreAre), &["comparisons.csv"]));
        }
        let mut page = Page::new(style, &title);
        let mut warnings = Vec::new();
        let any = tables
            .iter()
            .flat_map(|t| t.fields.iter().flatten())
            .any(Option::is_some);
        let mut whole = true;
        if any {
            for table in &tables {
                whole &= draw_table(&mut page, style, table);
            }
            key(&mut page, style);
        } else {
            warnings.push(format!("no comparison of {measure} was recorded"));
            let place = page.row(1, 8.0 * style.text)[0];
            panel::notice(page.canvas(), style, place, say.word(Word::NoComparison));
        }
        let what = if whole {
            Word::WinTieLoss
        } else {
            Word::WinsOnly
        };
        let caption = format!(
            "{} {} {}",
            say.provenance(run, figure),
            say.word(what),
            notes.join(" ")
        );
        let explanation = "A strategy that wins most trials may still have the larger mean: wins say how often, differences how much.";
        Ok(page.finish(title, &caption, explanation, plotted, warnings))
    }
}

/// Leaves what a page has room for; returns whether that is not all.
fn cut(tables: &mut Vec<Table>, style: &Style) -> bool {
    let mut more = false;
    let mut room = style.page;
    let mut whole = 0;
    for table in tables.iter_mut() {
        // names above take some room, and so does the key
        let rows = ((room - 10.0 * style.text) / (ROW * style.text)) as usize;
        if whole > 0 && rows < table.rows.len() {
            break;
        }
        let (high, wide) = (rows.max(1), MOST_COLUMNS);
        more |= table.rows.len() > high || table.columns.len() > wide;
        table.rows.truncate(high);
        table.columns.truncate(wide);
        table.fields.truncate(high);
        let fields = table.fields.iter_mut();
        fields.for_each(|row| row.truncate(wide));
        room -= table.rows.len() as f64 * ROW * style.text + 6.0 * style.text;
        whole += 1;
    }
    more |= whole < tables.len();
    tables.truncate(whole);
    more
}

type Find<'f> = dyn FnMut(usize, usize, &str) -> Option<Record> + 'f;

/// Strategies down, settings (and subjects) across.
fn against_baseline(run: &Run, rows: &Rows<'_>, pairs: &Pairs, find: &mut Find<'_>) -> Table {
    let names = subject_labels(&rows.subjects);
    let several = rows.subjects.len() > 1 || rows.lone().is_some();
    let mut table = Table {
        title: String::new(),
        rows: Vec::new(),
        columns: Vec::new(),
        fields: Vec::new(),
    };
    for (subject, name) in rows.subjects.iter().zip(&names) {
        for (cell, base) in &pairs.cells {
            let row = pairs.label(run, rows, *cell, true);
            let setting = pairs.label(run, rows, *cell, false);
            let column = match (several, setting.is_empty()) {
                (true, true) => name.clone(),
                (true, false) => format!("{name}, {setting}"),
                (false, _) => setting,
            };
            let Some(record) = find(*cell, *base, subject) else {
                continue;
            };
            put(&mut table, row, column, record);
        }
    }
    table
}

/// A table for each setting and subject: each strategy against each other one.
fn against_each_other(
    run: &Run,
    rows: &Rows<'_>,
    pairs: &Pairs,
    find: &mut Find<'_>,
) -> Vec<Table> {
    let names = subject_labels(&rows.subjects);
    let mut settings: Vec<(String, Vec<usize>)> = Vec::new();
    for shown in &rows.cells {
        let place = (run.resolved.cells.iter()).position(|cell| std::ptr::eq(cell, shown.cell));
        let Some(cell) = place else { continue };
        let setting = pairs.label(run, rows, cell, false);
        match settings.iter_mut().find(|(known, _)| *known == setting) {
            Some((_, cells)) => cells.push(cell),
            None => settings.push((setting, vec![cell])),
        }
    }
    let mut tables = Vec::new();
    for (subject, name) in rows.subjects.iter().zip(&names) {
        for (setting, cells) in &settings {
            let labels: Vec<String> = (cells.iter())
                .map(|cell| pairs.label(run, rows, *cell, true))
                .collect();
            let several = rows.subjects.len() > 1 || rows.lone().is_some();
            let title = match (several, setting.is_empty()) {
                (true, true) => name.clone(),
                (true, false) => format!("{name}, {setting}"),
                (false, _) => setting.clone(),
            };
            let wide = cells.len().min(MOST_COLUMNS);
            let fields = (cells.iter())
                .map(|a| {
                    let of = |b: &usize| (a != b).then(|| find(*a, *b, subject)).flatten();
                    cells[..wide].iter().map(of).collect()
                })
                .collect();
            tables.push(Table {
                title,
                rows: labels.clone(),
                columns: labels,
                fields,
            });
        }
    }
    tables
}

fn put(table: &mut Table, row: String, column: String, record: Record) {
    let place = |names: &mut Vec<String>, name: String| {
        names
            .iter()
            .position(|known| *known == name)
            .unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
    };
    let (row, column) = (
        place(&mut table.rows, row),
        place(&mut table.columns, column),
    );
    let (high, wide) = (table.rows.len(), table.columns.len());
    table.fields.resize(high, Vec::new());
    table
        .fields
        .iter_mut()
        .for_each(|fields| fields.resize(wide, None));
    table.fields[row][column] = Some(record);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{draw, sample};

    #[test]
    fn percentages_never_look_like_certainty() {
        assert_eq!(percent(0, 1000), "0");
        assert_eq!(percent(1, 1000), "<1");
        assert_eq!(percent(999, 1000), ">99");
        assert_eq!(percent(1000, 1000), "100");
        assert_eq!(percent(640, 1000), "64");
        assert_eq!(percent(0, 0), "–");
    }

    #[test]
    fn wins_ties_and_losses_are_printed() {
        let mut run = sample::run(&[0.5, 1.0], &["even", "proportional"], 1000);
        run.comparisons[0].win = 640;
        run.comparisons[0].tie = 30;
        run.comparisons[0].loss = 330;
        let figure = ResolvedFigure {
            kind: "win-rates".to_owned(),
            name: "w".to_owned(),
            ..ResolvedFigure::default()
        };
        let drawing = draw(&run, &figure).expect("a table");
        let texts: Vec<String> = drawing.canvas.texts().into_iter().map(|t| t.0).collect();
        assert!(texts.iter().any(|t| t == "64 / 3 / 33"), "{texts:?}");
        assert_eq!(drawing.plotted.rows[0][3..], ["640", "30", "330"]);
    }

    #[test]
    fn of_all_pairs_one_is_the_other_turned_round() {
        let mut run = sample::run(&[1.0], &["even", "proportional", "optimal-mse"], 1000);
        if let Some(compare) = &mut run.resolved.compare {
            compare.all_pairs = true;
        }
        let figure = ResolvedFigure {
            kind: "win-rates".to_owned(),
            name: "w".to_owned(),
            ..ResolvedFigure::default()
        };
        let drawing = draw(&run, &figure).expect("a table");
        let find = |a: &str, b: &str| {
            let fits = |row: &&Vec<String>| row[0].ends_with(a) && row[1].ends_with(b);
            drawing.plotted.rows.iter().find(fits).expect("a pair")[3..].to_vec()
        };
        let (there, back) = (
            find("=proportional", "=even"),
            find("=even", "=proportional"),
        );
        assert_eq!([&there[0], &there[2]], [&back[2], &back[0]]);
    }
}
