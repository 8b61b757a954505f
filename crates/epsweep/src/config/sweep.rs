//! `[sweep]`: every key is an axis, any value of the sections that make a cell can be one.

use super::diagnostic::Sink;
use super::number::{linear_points, log_points};
use super::path::{Path, SHORT_NAMES, Segment};
use super::source::Span;
use super::value::{Entry, Kind, Table, Value, is_bare, quoted};

/// Most cells of an experiment.
pub const MOST_CELLS: u64 = 1_000_000;

/// Sections whose values can be swept: all that make a cell.
pub const SWEPT_SECTIONS: &[&str] = &["data", "query", "budget", "procedure"];

/// Columns of the result files, which an axis cannot be called.
const RESERVED: &[&str] = &[
    "cell",
    "subject",
    "measure",
    "statistic",
    "value",
    "mcse",
    "low",
    "high",
    "exact",
    "z",
    "trials",
    "method",
    "count",
    "a",
    "b",
    "difference",
    "p_adjusted",
    "win",
    "tie",
    "loss",
];

/// An axis of the sweep.
#[derive(Clone, Debug)]
pub struct Axis {
    /// the name, as the file gives it; a column of the result files
    pub name: String,
    /// what it changes
    pub path: Path,
    /// where its key stands
    pub span: Span,
    /// its values, at least one
    pub values: Vec<AxisValue>,
}

/// A value of an axis.
#[derive(Clone, Debug)]
pub struct AxisValue {
    /// the shortest text that names it, unique on the axis
    pub label: String,
    /// the value
    pub value: Value,
}

impl Axis {
    /// The values, where all are finite numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|v| v.value.as_number()).collect()
    }

    /// The labels.
    pub fn labels(&self) -> Vec<String> {
        self.values.iter().map(|v| v.label.clone()).collect()
    }
}

/// Reads the axes, in the order of the file. An axis with a fault keeps one value that is read as nothing, so that the rest of the file can
/// still be checked.
pub fn read(root: &Value, sink: &Sink) -> Vec<Axis> {
    let mut axes: Vec<Axis> = Vec::new();
    let Some(section) = root.as_table().and_then(|table| table.get("sweep")) else {
        return axes;
    };
    let Some(reader) = section.reader(sink, "[sweep]") else {
        return axes;
    };
    // before any value is made, let alone any cell
    let cells = cells(reader.table());
    let mut most = MOST_CELLS;
    if cells > u128::from(MOST_CELLS) {
        sink.fault(section.span, format!("the sweep has {cells} cells"))
            .rule(format!(
                "at most {MOST_CELLS} cells: the product of the lengths of all axes"
            ))
            .remedy("take fewer values, or split the question into several experiments")
            .report();
        most = 1;
    }
    for entry in &reader.table().entries {
        walk(entry, Vec::new(), most, sink, &mut axes);
    }
    for (i, axis) in axes.iter().enumerate() {
        if let Some(other) = axes[..i].iter().find(|other| other.name == axis.name) {
            sink.fault(
                axis.span,
                format!("the axis `{}` is there twice", other.name),
            )
            .report();
        } else if let Some(other) = axes[..i].iter().find(|o| o.path.overlaps(&axis.path)) {
            let message = format!(
                "the axes `{}` and `{}` change the same value",
                other.name, axis.name
            );
            sink.fault(axis.span, message).report();
        }
    }
    axes
}

/// The number of cells, from what the file says of the axes' lengths; what is faulty counts as one value.
fn cells(sweep: &Table) -> u128 {
    let length = |value: &Value| match &value.kind {
        Kind::List(list) => list.len() as u128,
        Kind::Table(table) if !is_axis(table) => cells(table),
        Kind::Table(table) => match (table.get("values"), table.get("points")) {
            (Some(values), _) => match &values.kind {
                Kind::List(list) => list.len() as u128,
                _ => 1,
            },
            // a cast that saturates: of what is not a number, 0
            (None, Some(points)) => points.as_number().unwrap_or(1.0) as u128,
            (None, None) => 1,
        },
        _ => 1,
    };
    (sweep.entries.iter()).fold(1, |cells: u128, entry| {
        cells.saturating_mul(length(&entry.value).max(1))
    })
}

/// A key of `[sweep]` is an axis, or the first part of a dotted path whose last part is one. Of each axis the first `most` values are taken.
fn walk(entry: &Entry, before: Vec<Segment>, most: u64, sink: &Sink, axes: &mut Vec<Axis>) {
    let mut path = before;
    let at_top = path.is_empty();
    let own = if at_top {
        // `"query.'mean age'.weight" = …` is a path in one key; `epsilon = …` is a short name
        match Path::parse(&entry.key) {
            Ok(path) => path.at(entry.key_span).segments,
            Err(message) => {
                sink.fault(entry.key_span, message).report();
                return;
            }
        }
    } else {
        vec![Segment {
            name: entry.key.clone(),
            span: Some(entry.key_span),
        }]
    };
    path.extend(own);
    match &entry.value.kind {
        Kind::Table(table) if !is_axis(table) => {
            if table.entries.is_empty() {
                sink.fault(entry.value.span, "an empty table is no axis")
                    .rule(FORMS)
                    .report();
            }
            for inner in &table.entries {
                walk(inner, path.clone(), most, sink, axes);
            }
        }
        _ => {
            let mut path = Path { segments: path };
            let name = match at_top {
                true => entry.key.clone(),
                false => path.to_string(),
            };
            let mut values = values(&entry.value, &mut path, most, sink);
            values.truncate(most as usize);
            check_name(&name, &path, entry.key_span, sink);
            axes.push(Axis {
                name,
                path,
                span: entry.key_span,
                values,
            });
        }
    }
}

const FORMS: &str = "an axis is a [list], { log = [low, high], points = n }, { linear = [low, high], points = n } or { path = \"…\", values = [list] }";

/// Whether a table says the values of an axis, rather than the next keys of a path (a query may be called `linear`).
fn is_axis(table: &Table) -> bool {
    let says = |key: &&str| {
        table
            .get(key)
            .is_some_and(|value| value.as_table().is_none())
    };
    ["log", "linear", "values", "points"].iter().any(says)
}

fn check_name(name: &str, path: &Path, span: Span, sink: &Sink) {
    let root = path.segments[0].name.as_str();
    if !SWEPT_SECTIONS.contains(&root) {
        let mut names: Vec<&str> = SHORT_NAMES.iter().map(|(short, _)| *short).collect();
        let procedures: Vec<String> = (crate::study::Kind::ALL.iter())
            .map(|kind| format!("procedure.{}.…", kind.name()))
            .collect();
        names.extend(["budget.…", "data.…", "query.NAME.…"]);
        names.extend(procedures.iter().map(String::as_str));
        sink.fault(span, format!("`{name}` is nothing that a sweep can change"))
            .names(name, &names)
            .report();
    } else if RESERVED.contains(&name) {
        sink.fault(
            span,
            format!("`{name}` is a column of the result files already"),
        )
        .remedy("give the axis another name: NAME = { path = \"…\", values = […] }")
        .report();
    }
}

/// The values of an axis; of computed ones the first `most`.
fn values(value: &Value, path: &mut Path, most: u64, sink: &Sink) -> Vec<AxisValue> {
    let found = match &value.kind {
        Kind::List(list) => Some(list.clone()),
        Kind::Table(_) => from_table(value, path, most, sink),
        Kind::Faulty => None,
        _ => {
            sink.fault(value.span, format!("{value} is {}", value.type_name()))
                .rule(FORMS)
                .remedy(format!("a single value is written [{value}]"))
                .report();
            None
        }
    };
    let mut out: Vec<AxisValue> = Vec::new();
    // labels are looked up by hash: an axis can have very many values
    let mut seen = std::collections::HashSet::new();
    for value in found.iter().flatten() {
        let label = value.label();
        if !seen.insert(label.clone()) {
            sink.fault(
                value.span,
                format!("the value `{label}` is there twice on this axis"),
            )
            .report();
            continue;
        }
        let mut value = value.clone();
        if let Kind::Table(table) = &mut value.kind {
            table.labelled = true;
        }
        out.push(AxisValue { label, value });
    }
    if out.is_empty() {
        if found.is_some() {
            sink.fault(value.span, "an axis without a value")
                .rule("at least one value")
                .report();
        }
        out.push(AxisValue {
            label: "?".to_owned(),
            value: Value {
                span: value.span,
                kind: Kind::Faulty,
            },
        });
    }
    out
}

fn from_table(value: &Value, path: &mut Path, most: u64, sink: &Sink) -> Option<Vec<Value>> {
    let reader = value.reader(sink, "the axis")?;
    if let Some(given) = reader.get("path")
        && let Some(text) = given.text(sink)
    {
        match Path::parse(text) {
            Ok(found) => *path = found.at(given.span),
            Err(message) => sink.fault(given.span, message).report(),
        }
    }
    let form = reader.one_of("its values", &["values", "log", "linear"]);
    let points = match form {
        Some((1 | 2, _)) => reader.need("points"),
        _ => None,
    };
    let out = match form {
        Some((0, list)) => list.list(sink).map(<[Value]>::to_vec),
        Some((form, range)) => range.pair(sink).and_then(|[low, high]| {
            let log = form == 1;
            if low >= high || (log && low <= 0.0) {
                let rule = if log { "0 < low < high" } else { "low < high" };
                sink.fault(range.span, format!("{range} is not a range"))
                    .rule(rule)
                    .report();
                return None;
            }
            // no fewer than the two ends
            let points = points?.whole(sink, 2, MOST_CELLS)?.min(most.max(2));
            let numbers = match log {
                true => log_points(low, high, points as usize),
                false => linear_points(low, high, points as usize),
            };
            let as_value = |number| Value {
                span: range.span,
                kind: Kind::Real(number),
            };
            Some(numbers.into_iter().map(as_value).collect())
        }),
        None => None,
    };
    reader.finish();
    out
}

/// Canonical text of a cell: `epsilon=1 allocation=even`, or `-` where there is no axis. It names nothing but the cell's own values, so that
/// values and cells that are added leave it as it is.
pub fn cell_id<'a>(labels: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let word = |text: &str| {
        let plain =
            |c: char| is_bare(c) || (!c.is_ascii() && !c.is_whitespace()) || ".+/_-%".contains(c);
        match !text.is_empty() && text.chars().all(plain) {
            true => text.to_owned(),
            false => quoted(text),
        }
    };
    let parts: Vec<String> = (labels.into_iter())
        .map(|(axis, label)| format!("{}={}", word(axis), word(label)))
        .collect();
    match parts.is_empty() {
        true => "-".to_owned(),
        false => parts.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::diagnostic::Diagnostics;
    use crate::config::document;
    use crate::config::source::Sources;

    fn axes(text: &str) -> Result<Vec<Axis>, Diagnostics> {
        let mut sources = Sources::default();
        sources.add("f.toml", text);
        let root = document::parse(&sources, 0)?;
        let sink = Sink::new(sources);
        let axes = read(&root, &sink);
        sink.finish().map(|()| axes)
    }

    #[test]
    fn every_form_of_an_axis_is_read_in_the_order_of_the_file() {
        let axes = axes(
            "[sweep]\nnoise = ['laplace']\nepsilon = { log = [0.01, 10], points = 4 }\ndata.normal.sd = { linear = [1, 2], points = 3 }\n\
             \"query.'mean age'.weight\" = [1, 2.0, 0.5]\nbounds = { path = 'data.columns.age.bounds', values = [[0, 120], [0, 90]] }\n\
             query.linear.weight = [1]\nallocation = ['even', { name = 'mine', shares = [1] }, {shares = [1]}]\n",
        )
        .unwrap();
        let seen: Vec<_> = (axes.iter())
            .map(|a| (a.name.as_str(), a.path.to_string(), a.labels().join("|")))
            .collect();
        let want = [
            ("noise", "procedure.release.noise", "laplace"),
            ("epsilon", "budget.epsilon", "0.01|0.1|1|10"),
            ("data.normal.sd", "data.normal.sd", "1|1.5|2"),
            (
                "query.'mean age'.weight",
                "query.'mean age'.weight",
                "1|2|0.5",
            ),
            ("bounds", "data.columns.age.bounds", "[0, 120]|[0, 90]"),
            ("query.linear.weight", "query.linear.weight", "1"),
            (
                "allocation",
                "procedure.release.allocation",
                "even|mine|{ shares = [1] }",
            ),
        ];
        let seen: Vec<_> = (seen.iter())
            .map(|(a, b, c)| (*a, b.as_str(), c.as_str()))
            .collect();
        assert_eq!(seen, want);
    }

    #[test]
    fn faults_of_axes_are_found_together() {
        for (text, message) in [
            ("epsilon = []", "without a value"),
            ("epsilon = 1", "a single value is written [1]"),
            ("epsilon = [1, 1.0]", "twice"),
            ("epsilon = [1]\nbudget.epsilon = [2]", "the same value"),
            (
                "epsilon = [1]\nbudget = [{ epsilon = 1 }]",
                "the same value",
            ),
            ("seed = [1]", "nothing that a sweep can change"),
            ("epsilom = [1]", "did you mean `epsilon`"),
            ("seed = [1]", "procedure.stream.…, procedure.train.…"),
            ("epsilon = { log = [0, 1], points = 3 }", "0 < low < high"),
            ("epsilon = { log = [1, 1], points = 3 }", "0 < low < high"),
            ("epsilon = { log = [0.1, 1] }", "lacks the key `points`"),
            ("epsilon = { log = [0.1, 1], points = 1 }", "from 2 to"),
            ("epsilon = { log = [0.1, 1], points = 1e24 }", "from 2 to"),
            (
                "epsilon = { log = [0.1, nan], points = 3 }",
                "not a finite number",
            ),
            (
                "epsilon = { log = [0.1, 1], linear = [0, 1], points = 3 }",
                "has both `log` and `linear`",
            ),
            (
                "trials = { path = 'budget.epsilon', values = [1] }",
                "column of the result files",
            ),
            ("query.a.weight = {}", "empty table"),
        ] {
            let errors = axes(&format!("[sweep]\n{text}\n")).unwrap_err();
            assert!(errors.to_string().contains(message), "{text}: {errors}");
        }
        let both = axes("[sweep]\nepsilon = [1, 1]\nnoise = 'laplace'\n").unwrap_err();
        assert_eq!(both.list().len(), 2);
    }

    #[test]
    fn a_huge_sweep_is_refused_before_it_is_built() {
        let axis = |name: &str| format!("{name} = {{ linear = [1, 2], points = 1000000 }}\n");
        let text: String = ["[sweep]\n".to_owned()]
            .into_iter()
            .chain(["epsilon", "delta", "rho", "data.normal.sd"].map(axis))
            .collect();
        let errors = axes(&text).unwrap_err();
        assert!(
            errors
                .to_string()
                .contains(" 1000000000000000000000000 cells"),
            "{errors}"
        );
        assert_eq!(errors.list().len(), 1, "{errors}");
    }

    #[test]
    fn ids_are_canonical() {
        assert_eq!(cell_id([]), "-");
        assert_eq!(
            cell_id([
                ("epsilon", "0.5"),
                ("allocation", "sqrt-weighted"),
                ("bounds", "[0, 120]")
            ]),
            "epsilon=0.5 allocation=sqrt-weighted bounds=\"[0, 120]\""
        );
    }
}
