//! The schema that editors use says what the readers of the program say: the same keys in every table, the same names in every place.

mod common;

use common::root;
use epsweep::catalogue;
use epsweep::config::diagnostic::Diagnostic;
use epsweep::config::path::SHORT_NAMES;
use epsweep::config::schema::{self, Shape};
use epsweep::plan::{Overrides, Plan};
use epsweep::template::{self, Filling};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use toml::{Table, Value};

/// Every shipped experiment, every template, and files that say what none of these says.
fn files() -> Vec<(String, Table, PathBuf)> {
    let folder = root().join("experiments");
    let mut out = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            out.push((
                path.display().to_string(),
                text.parse().unwrap(),
                folder.clone(),
            ));
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    for template in template::ALL.iter().filter(|template| !template.audit) {
        let filling = Filling {
            name: "x".to_owned(),
            ..Filling::default()
        };
        let text = template.fill(&filling);
        out.push((
            template.name.to_owned(),
            text.parse().unwrap(),
            folder.clone(),
        ));
    }
    // examples, which need not be whole files here
    for family in [
        "queries",
        "steps",
        "strategies",
        "policies",
        "sequences",
        "gates",
    ] {
        for entry in catalogue::named(family).unwrap().members() {
            let records = "data = { census = { rows = 10, seed = 1 }, neighbours = 'substitute' }";
            let text = format!(
                "name = 'x'\nbudget.epsilon = 1\n{records}\n{}",
                entry.example
            );
            let name = format!("corner {family} {}", entry.about.name);
            out.push((name, text.parse().unwrap(), folder.clone()));
        }
    }
    for (place, text) in CORNERS.iter().enumerate() {
        let text = text
            .parse()
            .unwrap_or_else(|error| panic!("corner {place}: {error}"));
        out.push((format!("corner {place}"), text, folder.clone()));
    }
    out
}

/// What the shipped files leave unsaid. These need not be good: only their keys and names are looked at.
const CORNERS: &[&str] = &[
    "name = 'x'\nlevel = 0.9\nstreams = 'common'\nquantiles = 'exact'\nmeasures = ['rmse']\n\
     [data]\nuniform = { column = 'a', low = 0, high = 1, rows = 10, seed = 1 }\nneighbours = 'substitute'\nmissing = 'drop'\n\
     columns.a = { bounds = [0, 1] }\n[[query]]\nname = 'm'\nmean = { column = 'a' }\npostprocess = ['round', { clamp = { low = 0, high = 1 } }]\n\
     [[query]]\nname = 'h'\nhistogram = { column = 'a', low = 0, high = 1, bins = 4 }\npostprocess = [{ total = { total = 10 } }, { simplex = { total = 10 } }, { isotonic = { direction = 'rising' } }, { round = { unit = 2 } }, { non-negative = {} }]\n\
     [budget]\nepsilon = 1\n[procedure.release]\nnoise = 'laplace'\nallocation = { name = 'mine', shares = [0.5, 0.5] }\n\
     [compare]\npairs = 'all'\n\
     [[claim]]\nid = '1'\ntext = 't'\nverdict = 'holds'\nequal_across = { of = 'scale', axis = 'subject', tolerance = { relative = 0.1 } }\n\
     [[claim]]\nid = '2'\ntext = 't'\nverdict = 'holds'\nprobability = { of = 'win', measure = 'rmse', a = {}, b = {}, at_least = 0.1 }\n\
     [[claim]]\nid = '3'\ntext = 't'\nverdict = 'holds'\nratio = { of = 'rmse.mean', over = { of = 'rmse.mean', cell = {} }, claimed = 1, tolerance = { absolute = 1 } }\n\
     [[claim]]\nid = '4'\ntext = 't'\nverdict = 'holds'\nexact = { of = 'sensitivity', query = { sum = { column = 'a' } }, claimed = 1 }\n\
     [[claim]]\nid = '5'\ntext = 't'\nverdict = 'holds'\norder = { lower = { of = 'rmse.mean' }, higher = { of = 'rmse.mean' } }\n\
     [[claim]]\nid = '6'\ntext = 't'\nverdict = 'holds'\nbest_on_axis = { of = 'rmse.mean', axis = 'epsilon', claimed = 1 }\n\
     [[claim]]\nid = '7'\ntext = 't'\nverdict = 'holds'\nvalue = { of = 'rmse.mean', at_most = 1 }\n\
     [[figure]]\nkind = 'heat-map'\nmeasure = 'rmse'\nsize = 'slide'\nscale = 'log'\nshow = 'value'\n",
    "name = 'x'\n[procedure.stream]\nanswers = { column = 'a' }\nsensitivity = 1\npolicy = 'even'\n[budget]\ndivergence = 0.1\norder = 4\ncomposition = 'filter'\n",
    "name = 'x'\n[procedure.stream]\nsequence = { name = 'bursty' }\npositions = 8\nsensitivity = 1\npolicy = { name = 'fraction' }\n[budget]\nepsilon = 1\n",
    "name = 'x'\n[procedure.stream]\nanswers = [1, 2]\nmovement = 'any-way'\ngate = { name = 'svt-alg7', threshold = 1, split = 'even', form = 'general' }\n[budget]\nepsilon = 1\ncomposition = 'basic'\n",
    "name = 'x'\n[procedure.select]\nscores = { column = 'a' }\nmechanism = 'peeling'\nk = 2\nshares = 'even'\nform = 'general'\nmovement = 'any-way'\npath = 'literal'\n[budget]\nepsilon = 1\ncomposition = 'basic'\n",
    "name = 'x'\n[procedure.select]\nscores = [1, 2]\nmechanism = 'peeling'\nk = 2\nshares = { name = 'even', shares = [0.5, 0.5] }\n[budget]\nepsilon = 1\n",
    "name = 'x'\n[procedure.select]\nleader = { candidates = 3, lead = 1 }\n[budget]\nepsilon = 1\n",
    "name = 'x'\n[procedure.select]\nrank = { column = 'a', points = 3 }\n[budget]\nepsilon = 1\n",
    "name = 'x'\n[procedure.train]\nmodel = 'linear'\ncolumns = { label = 'a', features = ['b'] }\nsteps = 2\nrate = 1\nclip = 1\naverage = 'all'\nschedule = { name = 'growing', ratio = 2 }\n[budget]\nrho = 1\n",
    "name = 'x'\n[procedure.train]\nmodel = 'linear'\ngenerated = { records = 10, features = 2 }\nsteps = 2\nrate = 1\nclip = 1\nschedule = 'even'\n[budget]\nrho = 1\n",
    "name = 'x'\n[procedure.clip-then-sum]\ncolumn = 'a'\nbound = { quantile = 0.9, points = 3 }\nshares = { name = 'x', shares = [1, 0, 0] }\n[budget]\nepsilon = 1\n",
    "name = 'x'\n[procedure.compose]\naccountant = 'rdp'\nrelease = [{ pure = { epsilon = 1 } }, { approximate = { epsilon = 1, delta = 0 } }, { zcdp = { rho = 1 } }, { laplace = { epsilon = 1 } }, { gaussian = { noise = 1 } }, { subsampled-gaussian = { probability = 0.1, noise = 1 } }, { randomised-response = { epsilon = 1 } }, { exponential-mechanism = { epsilon = 1 } }, { permute-and-flip = { epsilon = 1 } }]\n[budget]\ndelta = 0.1\n",
    "name = 'x'\n[data]\nneighbours = 'substitute'\ncells = { column = 'a', shape = 'zipf', domain = 4, rows = 4, seed = 1 }\n[[query]]\nname = 'a'\nclipped-sum = {}\n[[query]]\nname = 'b'\nclipped-mean = {}\n[[query]]\nname = 'c'\nsplit-mean = {}\n[[query]]\nname = 'd'\nvector-sum = {}\n[[query]]\nname = 'e'\njoin-count = { changes = 'left' }\n[[query]]\nname = 'f'\nlinear = {}\n[[query]]\nname = 'g'\nprefix-sums = {}\n[[query]]\nname = 'h'\nbinary-tree = {}\n[[query]]\nname = 'i'\nrange-queries = { strategy = 'prefix' }\n[[query]]\nname = 'j'\ngroup-count = {}\n[[query]]\nname = 'k'\ncount-distinct = {}\n[[query]]\nname = 'l'\ndot-product = {}\n[[query]]\nname = 'm'\ncovariance = {}\n[[query]]\nname = 'n'\nsample-covariance = {}\n[[query]]\nname = 'o'\nvariance = {}\n[[query]]\nname = 'p'\nsample-variance = {}\n[[query]]\nname = 'q'\nstandard-deviation = {}\n[[query]]\nname = 'r'\nsample-standard-deviation = {}\n[[query]]\nname = 's'\nmin = {}\n[[query]]\nname = 't'\nmax = {}\n[[query]]\nname = 'u'\nmedian = {}\n[[query]]\nname = 'v'\nquantile = {}\n[[query]]\nname = 'w'\nrange = {}\n[[query]]\nname = 'x'\nsum = {}\n[[query]]\nname = 'y'\ncount = {}\n[budget]\nepsilon = 1\n",
    "name = 'x'\n[data]\nneighbours = 'substitute'\nlognormal = { column = 'a', median = 4, log_sd = 1, rows = 4, seed = 1 }\n[budget]\nepsilon = 1\n",
    "name = 'x'\n[data]\nneighbours = 'substitute'\njoin = { keys = 4, exponent = 1, rows = 4, seed = 1 }\n[budget]\nepsilon = 1\n",
];

/// A table or a name of a file, with its place in the schema.
struct Spot {
    /// keys and places in lists
    way: Vec<String>,
    /// the same with `[]` for places in lists and `*` for free keys
    place: String,
    /// keys of the table, or the names; empty for what is free
    allowed: BTreeSet<String>,
    table: bool,
}

/// All closed tables and all names of a value.
fn spots(value: &Value, shapes: &[&Shape], way: &[String], place: &str, out: &mut Vec<Spot>) {
    let flat: Vec<&Shape> = shapes.iter().flat_map(|shape| flatten(shape)).collect();
    let step = |key: &str| [way, &[key.to_owned()]].concat();
    match value {
        Value::Table(table) => {
            let closed: Vec<_> = flat
                .iter()
                .filter_map(|shape| match shape {
                    Shape::Table(table) => Some(table),
                    _ => None,
                })
                .collect();
            let free = flat
                .iter()
                .any(|shape| matches!(shape, Shape::Map(_) | Shape::Any))
                || closed.iter().any(|table| table.rest.is_some());
            if !free && !closed.is_empty() {
                let keys = closed
                    .iter()
                    .flat_map(|table| table.keys.iter().map(|key| key.name.clone()));
                out.push(Spot {
                    way: way.to_vec(),
                    place: place.to_owned(),
                    allowed: keys.collect(),
                    table: true,
                });
            }
            for (key, inner) in table {
                let mut next: Vec<&Shape> = closed
                    .iter()
                    .filter_map(|table| Some(&table.key(key)?.shape))
                    .collect();
                let known = !next.is_empty();
                next.extend(flat.iter().filter_map(|shape| match shape {
                    Shape::Map(inner) => Some(&**inner),
                    _ => None,
                }));
                let name = if known { key } else { "*" };
                spots(inner, &next, &step(key), &format!("{place}.{name}"), out);
            }
        }
        Value::Array(list) => {
            let next: Vec<&Shape> = flat
                .iter()
                .filter_map(|shape| match shape {
                    Shape::List(inner) => Some(&**inner),
                    _ => None,
                })
                .collect();
            for (index, inner) in list.iter().enumerate() {
                spots(
                    inner,
                    &next,
                    &step(&index.to_string()),
                    &format!("{place}[]"),
                    out,
                );
            }
        }
        Value::String(_) => {
            let names: BTreeSet<String> = flat
                .iter()
                .filter_map(|shape| match shape {
                    Shape::Name(words) => Some(words.iter().map(|word| word.name.clone())),
                    _ => None,
                })
                .flatten()
                .collect();
            if !names.is_empty() {
                out.push(Spot {
                    way: way.to_vec(),
                    place: place.to_owned(),
                    allowed: names,
                    table: false,
                });
            }
        }
        _ => {}
    }
}

fn flatten(shape: &Shape) -> Vec<&Shape> {
    match shape {
        Shape::Either(shapes) => shapes.iter().flat_map(flatten).collect(),
        other => vec![other],
    }
}

fn put(root: &mut Value, way: &[String], edit: impl FnOnce(&mut Value)) {
    let mut at = root;
    for step in way {
        at = match at {
            Value::Table(table) => table.get_mut(step).unwrap(),
            Value::Array(list) => &mut list[step.parse::<usize>().unwrap()],
            _ => unreachable!("only tables and lists lead on"),
        };
    }
    edit(at);
}

/// What the reader says of an unknown key or name, which no other has: the names that it would have taken.
fn allowed(faults: &[Diagnostic], mark: &str) -> Option<BTreeSet<String>> {
    let fault = faults.iter().find(|fault| fault.message.contains(mark))?;
    let rule = fault.rule.as_deref()?;
    if rule == "there is none to name" {
        return Some(BTreeSet::new());
    }
    let list = rule.strip_prefix("allowed: ")?;
    Some(list.split(", ").map(str::to_owned).collect())
}

/// What is a value of an axis with a short name stands at the place that the name is short for.
fn unswept(place: &str) -> String {
    let rest = place.strip_prefix(".sweep.");
    let swept = rest.and_then(|rest| rest.split_once("[]"));
    let long = |name: &str| SHORT_NAMES.iter().find(|(short, _)| *short == name);
    match swept.and_then(|(name, rest)| Some((long(name)?.1, rest))) {
        Some((path, rest)) => format!(".{path}{rest}"),
        None => place.to_owned(),
    }
}

#[test]
fn keys_and_names_are_those_of_the_readers() {
    let shape = schema::experiment();
    // what the schema has at a place, and what readers have been seen to know there
    let mut schema_has: BTreeMap<(bool, String), BTreeSet<String>> = BTreeMap::new();
    let mut readers_know: BTreeMap<(bool, String), BTreeSet<String>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (file, table, folder) in files() {
        let mut found = Vec::new();
        spots(&Value::Table(table.clone()), &[&shape], &[], "", &mut found);
        for tables in [true, false] {
            let chosen: Vec<&Spot> = found.iter().filter(|spot| spot.table == tables).collect();
            let mut root = Value::Table(table.clone());
            let mark = |index: usize| format!("zzz-{index}-zzz");
            for (index, spot) in chosen.iter().enumerate() {
                put(&mut root, &spot.way, |value| match value {
                    Value::Table(table) => {
                        table.insert(mark(index), Value::Integer(1));
                    }
                    other => *other = Value::String(mark(index)),
                });
            }
            let text = toml::to_string(&root).unwrap();
            let faults = match Plan::from_text(&file, &text, &folder, &Overrides::default()) {
                Ok(_) => panic!("{file}: unknown keys or names are taken:\n{text}"),
                Err(faults) => faults,
            };
            for (index, spot) in chosen.iter().enumerate() {
                // axes have one form, whatever they change
                let axis = tables
                    && spot
                        .place
                        .strip_prefix(".sweep.")
                        .is_some_and(|name| !name.contains(['.', '[']));
                let place = if axis {
                    ".sweep.AXIS".to_owned()
                } else {
                    unswept(&spot.place)
                };
                let at = (tables, place);
                schema_has
                    .entry(at.clone())
                    .or_default()
                    .extend(spot.allowed.clone());
                let Some(known) = allowed(faults.list(), &mark(index)) else {
                    continue;
                };
                for name in known.difference(&spot.allowed) {
                    wrong.push(format!(
                        "{file}: the reader takes `{name}` at `{}`, and config/schema does not know it",
                        spot.place
                    ));
                }
                readers_know.entry(at).or_default().extend(known);
            }
        }
    }
    for (at, has) in &schema_has {
        let (table, place) = at;
        match readers_know.get(at) {
            None => wrong.push(format!(
                "`{place}`: no reader was heard of it; add a file to CORNERS"
            )),
            // which names a place takes depends on the rest of the file: measures on the procedure
            Some(_) if !table => {}
            Some(known) => {
                for name in has.difference(known) {
                    wrong.push(format!("config/schema has `{name}` at `{place}`, and no reader was heard to take it"));
                }
            }
        }
    }
    assert!(schema_has.len() > 80, "{}", schema_has.len());
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A validator of the keywords that the schema uses, and of no others.
fn valid(value: &Json, schema: &Json) -> Result<(), String> {
    let rules = schema.as_object().unwrap();
    for (keyword, rule) in rules {
        // a rule about numbers says nothing of a text, and so on
        let number = |x: &Json| x.as_f64().unwrap();
        let size = |x: &Json| x.as_f64();
        let length = |x: &Json| Some(x.as_array()?.len() as f64);
        let good = match keyword.as_str() {
            "type" => match rule.as_str().unwrap() {
                "string" => value.is_string(),
                "number" => value.is_number(),
                "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
                "boolean" => value.is_boolean(),
                "array" => value.is_array(),
                "object" => value.is_object(),
                other => panic!("type {other}"),
            },
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => size(value).is_none_or(|x| x >= number(rule)),
            "maximum" => size(value).is_none_or(|x| x <= number(rule)),
            "exclusiveMinimum" => size(value).is_none_or(|x| x > number(rule)),
            "exclusiveMaximum" => size(value).is_none_or(|x| x < number(rule)),
            "minItems" => length(value).is_none_or(|x| x >= number(rule)),
            "maxItems" => length(value).is_none_or(|x| x <= number(rule)),
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    valid(item, rule)?;
                }
                true
            }
            "required" => rule
                .as_array()
                .unwrap()
                .iter()
                .all(|key| value.get(key.as_str().unwrap()).is_some()),
            "anyOf" => {
                let each: Vec<String> = rule
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter_map(|one| valid(value, one).err())
                    .collect();
                if each.len() == rule.as_array().unwrap().len() {
                    return Err(each.join(" | "));
                }
                true
            }
            "oneOf" => {
                rule.as_array()
                    .unwrap()
                    .iter()
                    .filter(|one| valid(value, one).is_ok())
                    .count()
                    == 1
            }
            "allOf" => rule
                .as_array()
                .unwrap()
                .iter()
                .all(|one| valid(value, one).is_ok()),
            "properties" | "additionalProperties" => true,
            "$schema" | "title" | "description" | "x-taplo" => true,
            other => panic!("the keyword {other} is not known here"),
        };
        if !good {
            return Err(format!("{value} breaks {keyword}: {rule}"));
        }
    }
    if let (Some(object), Some(properties)) = (
        value.as_object(),
        rules
            .get("properties")
            .or(rules.get("additionalProperties")),
    ) {
        let known = rules.get("properties").and_then(Json::as_object);
        for (key, inner) in object {
            match known.and_then(|known| known.get(key)) {
                Some(rule) => valid(inner, rule)?,
                None => match rules.get("additionalProperties") {
                    Some(Json::Bool(false)) => return Err(format!("unknown key {key}")),
                    Some(rule @ Json::Object(_)) => valid(inner, rule)?,
                    _ => panic!("{properties}"),
                },
            }
        }
    }
    Ok(())
}

fn as_json(value: &Value) -> Json {
    match value {
        Value::String(text) => json!(text),
        Value::Integer(whole) => json!(whole),
        // JSON has no infinity; a score of −∞ is a number all the same
        Value::Float(real) if !real.is_finite() => json!(0.0),
        Value::Float(real) => json!(real),
        Value::Boolean(flag) => json!(flag),
        Value::Datetime(date) => json!(date.to_string()),
        Value::Array(list) => list.iter().map(as_json).collect(),
        Value::Table(table) => table
            .iter()
            .map(|(key, inner)| (key.clone(), as_json(inner)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}

#[test]
fn shipped_files_are_valid_and_broken_ones_are_not() {
    let experiment = schema::document("", "", &schema::experiment());
    for (file, table, _) in files() {
        let checked = valid(&as_json(&Value::Table(table)), &experiment);
        assert!(
            checked.is_ok() || file.starts_with("corner"),
            "{file}: {}",
            checked.unwrap_err()
        );
    }
    let audit = schema::document("", "", &epsweep::audit::schema::shape());
    let mut audits = 0;
    for entry in std::fs::read_dir(root().join("experiments/audits")).unwrap() {
        let path = entry.unwrap().path();
        let table: Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let checked = valid(&as_json(&Value::Table(table)), &audit);
        assert!(
            checked.is_ok(),
            "{}: {}",
            path.display(),
            checked.unwrap_err()
        );
        audits += 1;
    }
    assert!(audits > 10);

    let good = "name = 'x'\n[data]\ncsv = 'a.csv'\nneighbours = 'substitute'\n[[query]]\nname = 'm'\nmean = { column = 'a' }\n[budget]\nepsilon = 1\n[sweep]\nallocation = ['even']\n";
    let check = |text: &str| valid(&as_json(&Value::Table(text.parse().unwrap())), &experiment);
    assert_eq!(check(good), Ok(()));
    for (right, broken) in [
        // wrong types
        ("name = 'x'", "name = 1"),
        ("name = 'x'", "name = 'x'\ntrials = '1000'"),
        ("name = 'x'", "name = 'x'\ntrials = 0.5"),
        ("csv = 'a.csv'", "csv = ['a.csv']"),
        ("mean = { column = 'a' }", "mean = 'a'"),
        ("epsilon = 1", "epsilon = 'one'"),
        ("[[query]]", "[query]"),
        ("allocation = ['even']", "allocation = 'even'"),
        // unknown keys
        ("name = 'x'", "name = 'x'\ntrails = 1000"),
        ("epsilon = 1", "epsilom = 1"),
        ("mean = {", "maen = {"),
        ("{ column = 'a' }", "{ columm = 'a' }"),
        ("[data]", "[datta]\n[data]"),
        (
            "[budget]",
            "[procedure.release]\nnois = 'laplace'\n[budget]",
        ),
        ("[budget]", "[procedure.relaese]\n[budget]"),
        // unknown names
        ("'substitute'", "'replace'"),
        ("['even']", "['evn']"),
        (
            "[budget]",
            "[procedure.release]\nnoise = 'laplac'\n[budget]",
        ),
        ("[budget]", "[[figure]]\nkind = 'pie'\n[budget]"),
        ("name = 'x'", "name = 'x'\nmeasures = ['rsme']"),
        // out of range, and missing
        ("epsilon = 1", "epsilon = -1"),
        ("name = 'x'", "title = 'x'"),
        (
            "[budget]",
            "[[claim]]\nid = '1'\ntext = 't'\nverdict = 'holds'\n[budget]",
        ),
    ] {
        let text = good.replacen(right, broken, 1);
        assert!(check(&text).is_err(), "{broken}");
    }
}
