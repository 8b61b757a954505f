//! The answer of a run in a sentence or two.

use super::sentences::{BY_PAIRS, many_settings, one_setting, single};
use super::standing::{
    choices, compared_axes, is_control, is_control_noise, mean_row, settings, varied,
};
use super::truths::apart;
use super::units::{mixed, one_by_one, side_by_side};
use crate::record::{Lookup, ResolvedQuery, Run, SummaryRow};
use crate::words::{grouped, join};

/// Measures that an answer speaks of, the first that the run has.
const HEADLINES: [(&str, &str); 9] = [
    ("max_abs_error", "mean largest error"),
    ("rmse", "mean root mean square error"),
    ("mean_abs_error", "mean absolute error over answers"),
    (WEIGHTED, "mean weighted squared error"),
    ("utility_loss", "mean utility loss"),
    ("loss", "mean loss on the training records"),
    ("stream_error", "mean error along the stream"),
    ("total_epsilon", "total ε"),
    ("wrong_answers", "mean number of wrong answers"),
];

/// Measures of which lower is not better: answers, signed errors, and whether an interval covers.
const UNRANKED: [&str; 5] = [
    "answer",
    "error",
    "error_post",
    "population_error",
    "covered",
];

/// What tells more than means that are not compared trial by trial.
const HINT: &str = " [compare] with a baseline has them compared trial by trial.";

/// The measure that takes weights into account.
const WEIGHTED: &str = "weighted_mse";

/// What the run says about its question: which value of the compared axis has the lowest mean of the headline measure (the largest error,
/// if the run has it; the weighted one where weights differ), by how much, and where that changes along the other axes. ± is the
/// run's interval. Cells that the run cannot tell apart are called tied. Where answers are post-processed, the same is said of what is
/// left.
pub fn answer(run: &Run) -> String {
    if run.left_out() > 0 {
        let shown = run.resolved.cells.len() as u64;
        return format!(
            "The run has {} cells: too many to be drawn, or answered in a sentence. summary.csv and comparisons.csv have all of them; here are the first {shown}.",
            grouped(run.left_out() + shown)
        );
    }
    let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
    let Some(headline) = Headline::of(run) else {
        return "The run has no estimate of a mean.".into();
    };
    let mut text = told(run, &lookup, &headline);
    // what qualifies a sentence follows it at once
    text += &mixed(run, &lookup, &headline.measure).unwrap_or_default();
    text += &headline.of_others(run, &lookup).unwrap_or_default();
    if let Some(after) = headline.processed(run) {
        text += &format!(" {}", told(run, &lookup, &after));
    }
    text
}

/// The measure that the answer speaks of, with the subject that it is of.
pub(crate) fn spoken_of(run: &Run) -> Option<(String, String)> {
    Headline::of(run).map(|headline| (headline.subject, headline.measure))
}

/// What is said of one measure.
fn told(run: &Run, lookup: &Lookup, headline: &Headline) -> String {
    let varied = varied(run);
    let axes = compared_axes(run);
    if axes.is_empty() || !headline.ranks {
        return single(run, lookup, headline, &varied);
    }
    let settings = settings(run, lookup, &headline.subject, &headline.measure, &axes);
    let text = match settings.as_slice() {
        [] => "The run has no estimate of a mean.".into(),
        [one] => one_setting(run, lookup, headline, &axes, one),
        many => many_settings(run, lookup, headline, &axes, &varied, many),
    };
    let text = match apart(run, &axes) {
        Some(caveat) => format!("{caveat} By these errors alone, {}", lowered(&text)),
        None => text,
    };
    // what is tied by intervals alone has been told the same
    let hint = match wants_pairs(run, &axes) && !text.contains(BY_PAIRS) {
        true => HINT,
        false => "",
    };
    text + hint + &controls(run)
}

/// Whether cells are chosen from that are not compared trial by trial.
fn wants_pairs(run: &Run, axes: &[usize]) -> bool {
    let chosen = choices(run);
    run.resolved.trials > 0
        && run.resolved.compare.is_none()
        && axes.iter().any(|axis| chosen.contains(axis))
}

/// A sentence that another begins with words of.
fn lowered(sentence: &str) -> String {
    let own = ["At ", "Which ", "The "];
    match own.iter().find(|word| sentence.starts_with(**word)) {
        Some(word) => word.to_lowercase() + &sentence[word.len()..],
        None => sentence.to_owned(),
    }
}

/// Which gates are left out, and what their outputs show.
fn controls(run: &Run) -> String {
    let gates = (run.resolved.cells.iter())
        .filter(|cell| is_control(cell))
        .filter_map(|cell| cell.stream.as_ref()?.gate.as_ref());
    let (mut names, mut compared, mut beyond) = (Vec::new(), 0, 0);
    for gate in gates {
        if !names.contains(&gate.name) {
            names.push(gate.name.clone());
        }
        if let Some(neighbour) = &gate.neighbour {
            compared += 1;
            beyond += u32::from(neighbour.leak > 0.0);
        }
    }
    let mut noises: Vec<&str> = (run.resolved.cells.iter())
        .map(|cell| cell.noise.as_str())
        .filter(|name| is_control_noise(name))
        .collect();
    noises.dedup();
    let noises = match noises.as_slice() {
        [] => String::new(),
        some => format!(
            " Left out of this, as a control: {} noise.",
            join(some, "and")
        ),
    };
    if names.is_empty() {
        return noises;
    }
    let mut text = format!(
        " Broken gates are controls and left out of this: {}",
        join(&names, "and")
    );
    if compared > 0 {
        text += &format!(
            "; in {beyond} of {compared} settings they tell the stream from its neighbour by more than the ε that they claim"
        );
    }
    text + "." + &noises
}

/// The measure that is spoken of.
pub(super) struct Headline {
    pub subject: String,
    pub measure: String,
    /// the measure as a reader says it
    pub words: String,
    /// whether lower is better
    ranks: bool,
}

impl Headline {
    fn of(run: &Run) -> Option<Self> {
        let has = |measure: &str| {
            (run.summary.iter()).any(|r| r.subject == "all" && r.measure == measure)
        };
        // where queries count differently, only this measure knows
        let weighed = (run.resolved.cells.iter()).any(|cell| {
            cell.queries
                .windows(2)
                .any(|two| two[0].weight != two[1].weight)
        });
        let order = HEADLINES.iter().filter(|(m, _)| weighed && *m == WEIGHTED);
        if let Some((measure, words)) = order.chain(&HEADLINES).find(|(m, _)| has(m)) {
            return Some(Headline {
                subject: "all".into(),
                measure: (*measure).into(),
                words: (*words).into(),
                ranks: true,
            });
        }
        let known = |r: &&SummaryRow| r.statistic == "mean" && r.value.is_finite();
        let ranks = |r: &SummaryRow| !UNRANKED.contains(&r.measure.as_str());
        let row = (run.summary.iter())
            .find(|r| known(r) && ranks(r))
            .or_else(|| run.summary.iter().find(known))?;
        Some(Headline {
            ranks: ranks(row),
            subject: row.subject.to_string(),
            measure: row.measure.to_string(),
            words: format!("mean {} of {}", row.measure.replace('_', " "), row.subject),
        })
    }

    /// The row of its mean in a cell, if it is finite.
    pub fn row<'a>(&self, lookup: &Lookup<'a>, cell: usize) -> Option<&'a SummaryRow> {
        mean_row(lookup, &self.subject, &self.measure, cell)
    }

    /// The same after post-processing, if the run has it.
    fn processed(&self, run: &Run) -> Option<Self> {
        let measure = format!("{}_post", self.measure);
        let found = (run.summary.iter())
            .any(|row| row.subject == self.subject.as_str() && row.measure == measure.as_str());
        found.then(|| Headline {
            subject: self.subject.clone(),
            measure,
            words: format!("{} after post-processing", self.words),
            ranks: self.ranks,
        })
    }

    /// What is to be said of the other queries where the measure is of one.
    fn of_others(&self, run: &Run, lookup: &Lookup) -> Option<String> {
        if self.subject == "all" || !self.ranks {
            return None;
        }
        let (_, queries) = side_by_side(run)?;
        let is_own = |query: &&&ResolvedQuery| query.name == self.subject;
        queries.iter().find(is_own)?;
        Some(match one_by_one(run, lookup, |_| &self.measure) {
            Some(winners) => format!(" Query by query, it is lowest {winners}."),
            None => format!(
                " That is of `{}` alone: the tables have the other queries, which can differ.",
                self.subject
            ),
        })
    }
}
