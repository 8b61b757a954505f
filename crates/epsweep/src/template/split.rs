//! What the first template asks of records: of a column of numbers, of one of categories, or of both.

use super::Records;
use crate::config::value::quoted;

/// What is filled in for it.
pub(super) fn places(records: &Records) -> Vec<(&'static str, String)> {
    let question = Question::of(records);
    let mut queries = Vec::new();
    if let Some(column) = &records.column {
        let column = quoted(column);
        queries.push(format!(
            "[[query]]\nname = \"mean\"\nmean = {{ column = {column} }}"
        ));
        queries.push(format!(
            "[[query]]\nname = \"sum\"\nsum = {{ column = {column} }}"
        ));
    }
    if let Some(category) = &records.category {
        queries.push(format!(
            "[[query]]\nname = \"count\"\n{}\npostprocess = [\"non-negative\", \"round\"]   # costs no budget; errors are told before and after",
            count(category, records.groups.as_deref())
        ));
    }
    let texts = [
        ("asks", question.asks),
        ("which", question.which),
        ("title", question.title),
        ("question", question.question),
        ("fixed", question.fixed),
        ("axis", question.axis),
        ("baseline", question.baseline),
        ("measure", question.measure),
        ("borne", question.borne),
        ("first", question.first),
    ];
    let mut places = vec![("queries", queries.join("\n\n"))];
    places.extend(texts.map(|(place, text)| (place, text.to_owned())));
    places
}

/// The words of a file, and what it varies.
struct Question {
    asks: &'static str,
    which: &'static str,
    title: &'static str,
    question: &'static str,
    fixed: &'static str,
    axis: &'static str,
    baseline: &'static str,
    measure: &'static str,
    borne: &'static str,
    first: &'static str,
}

impl Question {
    fn of(records: &Records) -> Question {
        let both = Question {
            asks: "Mean and sum of a column and a count by category",
            which: "which way of dividing ε among the three queries is best",
            title: "Mean, sum and count by category: four ways to divide ε",
            question: "Which division of the budget gives the smallest errors at which ε?",
            fixed: "noise = \"laplace\"          # `epsweep list noises`",
            axis: "allocation = [\"even\", \"proportional\", \"optimal-mse\", \"optimal-mae\"]   # `epsweep list allocations`",
            baseline: "allocation = \"even\"",
            measure: "relative_error",
            borne: "the share of the answer that can be borne",
            first: "mean",
        };
        match (&records.column, &records.category) {
            (Some(_), Some(_)) => both,
            (_, None) => Question {
                asks: "Mean and sum of a column",
                which: "which way of dividing ε between the two queries is best",
                title: "Mean and sum: four ways to divide ε",
                ..both
            },
            // one query has the whole budget: nothing is to be divided
            (None, Some(_)) => Question {
                asks: "A count by category",
                which: "which noise is best",
                title: "Count by category: three kinds of noise",
                question: "Which noise gives the smallest errors of the counts at which ε?",
                fixed: "allocation = \"even\"        # one query has the whole budget; of several, `epsweep list allocations`",
                axis: "noise = [\"laplace\", \"discrete-laplace\", \"staircase\"]   # `epsweep list noises`",
                baseline: "noise = \"laplace\"",
                measure: "mean_abs_error",
                borne: "the error that can be borne",
                first: "count",
            },
        }
    }
}

fn count(category: &str, groups: Option<&[String]>) -> String {
    let table = |groups: &str| {
        format!(
            "group-count = {{ column = {}, groups = [{groups}] }}",
            quoted(category)
        )
    };
    match groups {
        Some(groups) => {
            let list: Vec<String> = groups.iter().map(|group| quoted(group)).collect();
            table(&list.join(", "))
        }
        None => format!(
            "# The categories are public knowledge, too: that a rare one occurs tells of single people. Name all that there can be.\n{}",
            table("")
        ),
    }
}
