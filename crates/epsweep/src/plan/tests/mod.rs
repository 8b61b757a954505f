mod claims;
mod data;
mod faults;
mod policies;
mod releases;
mod select;
mod stream;
mod sweeps;
mod train;

use super::{Overrides, Plan};
use crate::config::Diagnostics;
use std::path::PathBuf;

/// A small, valid experiment on generated data.
const BASE: &str = r#"name = "base"
trials = 1000
[data]
normal = { column = "age", mean = 40, sd = 15, rows = 50, seed = 1 }
neighbours = "substitute"
[data.columns]
age = { bounds = [0, 120] }
[[query]]
name = "mean age"
mean = { column = "age" }
[[query]]
name = "over 60"
count = { where = "age > 60" }
weight = 2
[budget]
epsilon = 1
[procedure.release]
noise = "laplace"
[sweep]
epsilon = [0.1, 1]
allocation = ["even", "optimal-mse"]
[compare]
baseline = { allocation = "even" }
"#;

fn experiments() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
}

fn shipped(name: &str) -> Plan {
    let path = experiments().join(name);
    Plan::load(&path, &Overrides::default()).unwrap_or_else(|errors| panic!("{name}\n{errors}"))
}

fn plan(text: &str) -> Result<Plan, Diagnostics> {
    Plan::from_text("base.toml", text, &experiments(), &Overrides::default())
}

fn valid(text: &str) -> Plan {
    plan(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

/// The base with one piece replaced by another.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(BASE.matches(from).count(), 1, "{from}");
    BASE.replace(from, to)
}

#[test]
fn the_shipped_experiments_are_valid() {
    let all = crate::measure::USUAL.len();
    for (name, cells, claims, measures) in [
        ("adaptive-allocation.toml", 7, 37, all),
        ("epsilon-sweep.toml", 91, 7, 3),
        ("weighted-allocation.toml", 6, 3, all),
        ("sensitivities.toml", 4, 16, all),
    ] {
        let plan = shipped(name);
        assert_eq!(plan.cells().len(), cells, "{name}");
        assert_eq!(plan.claims().len(), claims, "{name}");
        assert_eq!(plan.settings().trials, 100_000);
        assert_eq!(plan.resolved().cells.len(), cells);
        assert_eq!(plan.measures().len(), measures);
    }
}

#[test]
fn scales_are_those_of_the_article() {
    let plan = shipped("adaptive-allocation.toml");
    let scales = |allocation: &str| -> Vec<f64> {
        let cells = &plan.resolved().cells;
        let cell = cells
            .iter()
            .find(|cell| cell.allocation == allocation)
            .unwrap();
        cell.queries
            .iter()
            .map(|query| query.scale.unwrap())
            .collect()
    };
    // to the digits of an independent computation
    for (allocation, expected) in [
        ("even", [0.36, 360.0, 3.0]),
        ("proportional", [121.12; 3]),
        ("minimax", [121.12; 3]),
        ("optimal-mse", [12.6132, 126.1324, 25.5721]),
        ("optimal-mae", [4.2611, 134.7492, 12.3009]),
    ] {
        for (scale, expected) in scales(allocation).into_iter().zip(expected) {
            assert!(
                (scale / expected - 1.0).abs() < 2e-5,
                "{allocation}: {scale} {expected}"
            );
        }
    }
    let truths: Vec<f64> = plan.cells()[0]
        .queries
        .iter()
        .map(|query| query.truth)
        .collect();
    assert_eq!(truths, [40.299053147080045, 97.79097235982081, 98.0]);
    assert_eq!(plan.resolved().data.len(), 1);
    assert_eq!(plan.resolved().data[0].rows, 1000);
}

#[test]
fn defaults_are_the_documented_ones() {
    let plan = valid(
        &changed("trials = 1000\n", "").replace("[procedure.release]\nnoise = \"laplace\"\n", ""),
    );
    let settings = plan.settings();
    assert_eq!(
        (settings.seed, settings.trials, settings.level),
        (42, 100_000, 0.95)
    );
    assert_eq!(settings.title, "base");
    assert_eq!(settings.streams.name(), "common");
    let resolved = plan.resolved();
    assert_eq!(resolved.cells[0].noise, "laplace");
    assert_eq!(resolved.cells[0].composition, "basic");
    assert_eq!(resolved.cells[0].guarantee, "ε = 0.1");
    assert_eq!(resolved.cells[0].queries[0].weight, 1.0);
    assert!(resolved.figures.is_empty());
    assert_eq!(plan.pairs(), [(1, 0), (3, 2)]);
    assert!(
        resolved.data[0].source.contains("50 normal values"),
        "{}",
        resolved.data[0].source
    );
    let json = serde_json::to_string(resolved).unwrap();
    assert_eq!(
        serde_json::from_str::<crate::record::Resolved>(&json).unwrap(),
        *resolved
    );
}

#[test]
fn whole_numbers_are_real_ones_and_the_other_way_round_where_exact() {
    for (text, trials) in [
        ("1e5", 100_000),
        ("1000.0", 1000),
        ("1_000", 1000),
        ("0x10", 16),
        ("1", 1),
    ] {
        let plan = valid(&changed("trials = 1000", &format!("trials = {text}")));
        assert_eq!(plan.settings().trials, trials);
    }
    let plan = valid(&changed("[0.1, 1]", "[1, 2, 0.5, 1e-05]"));
    assert_eq!(plan.resolved().axes[0].labels, ["1", "2", "0.5", "0.00001"]);
    assert_eq!(
        plan.resolved().axes[0].numbers,
        Some(vec![1.0, 2.0, 0.5, 1e-5])
    );
    let seed = valid(&changed("trials = 1000", "seed = 18446744073709551615"));
    assert_eq!(seed.settings().seed, u64::MAX);
}

#[test]
fn small_and_large_budgets_run() {
    let plan = valid(&changed("[0.1, 1]", "[1e-9, 1e9]"));
    let scale = |cell: usize| plan.resolved().cells[cell].queries[0].scale.unwrap();
    // Δ = 120/50, half of ε
    assert!((scale(0) / 4.8e9 - 1.0).abs() < 1e-12);
    assert!((scale(2) / 4.8e-9 - 1.0).abs() < 1e-12);
}

#[test]
fn line_ends_and_byte_order_marks_change_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let expected = valid(BASE);
    for text in [
        BASE.replace('\n', "\r\n"),
        format!("\u{feff}{BASE}"),
        BASE.trim_end().to_owned(),
    ] {
        let path = directory.path().join("e.toml");
        std::fs::write(&path, text).unwrap();
        let plan = Plan::load(&path, &Overrides::default()).unwrap();
        assert_eq!(plan.resolved(), expected.resolved());
    }
}

#[test]
fn overrides_take_the_place_of_values() {
    let set = |overrides: Overrides| Plan::from_text("base.toml", BASE, &experiments(), &overrides);
    let plan = set(Overrides::default()
        .seed(7)
        .trials(5)
        .set("sweep.epsilon", "[2]")
        .set("query.'over 60'.weight", "3")
        .set("noise", "laplace")
        .set("data.normal.rows", "60"))
    .unwrap();
    assert_eq!((plan.settings().seed, plan.settings().trials), (7, 5));
    assert_eq!(plan.resolved().cells[0].id, "epsilon=2 allocation=even");
    assert_eq!(plan.resolved().cells[0].queries[1].weight, 3.0);
    assert_eq!(plan.resolved().data[0].rows, 60);
    for (path, value, message) in [
        ("epsilon", "2", "swept by the axis `epsilon`"),
        ("budget", "{ epsilon = 1 }", "swept by the axis `epsilon`"),
        ("budget.epsilom", "2", "unknown key `epsilom`"),
        ("query.'over 6'.weight", "3", "did you mean `over 60`"),
        ("query..weight", "3", "empty key"),
        ("noise", "[1", "not a TOML value"),
        ("noise", "gauss", "unknown noise `gauss`"),
        ("trials", "0", "from 1 to"),
        ("name.x", "1", "holds no keys"),
    ] {
        let errors = set(Overrides::default().set(path, value))
            .unwrap_err()
            .to_string();
        assert!(
            errors.contains(message) && errors.contains(&format!("--set {path}")),
            "{errors}"
        );
    }
    let errors = set(Overrides::default().trials(0)).unwrap_err().to_string();
    assert!(errors.contains("--trials:1:1"), "{errors}");
}

/// Whatever can be named in a file is named in the description of the format, as a name.
#[test]
fn the_description_of_the_format_is_complete() {
    let text = std::fs::read_to_string(experiments().join("format.md")).unwrap();
    let mut names: Vec<&str> = Vec::new();
    names.extend(crate::measure::REGISTRY.iter().map(|x| x.about().name));
    names.extend(crate::figure::REGISTRY.iter().map(|x| x.about().name));
    names.extend(crate::config::noise::NoiseSpec::all().map(|x| x.about().name));
    names.extend(crate::config::release::ORACLES.iter().map(|x| x.about.name));
    names.extend((epsweep_core::postprocess::REGISTRY.iter()).map(|x| x.about().name));
    names.extend(
        epsweep_core::allocation::REGISTRY
            .iter()
            .map(|x| x.about().name),
    );
    names.extend(crate::config::budget::release_compositions());
    names.extend(crate::config::claims::KINDS);
    names.extend(crate::config::figures::SIZES);
    names.extend(
        crate::config::path::SHORT_NAMES
            .iter()
            .map(|(short, _)| *short),
    );
    names.extend(crate::summary::STATISTICS);
    for kind in epsweep_core::query::REGISTRY {
        names.push(kind.about().name);
        names.extend(kind.parameters().iter().map(|parameter| parameter.name));
    }
    for name in names {
        let named = text.contains(&format!("`{name}`")) || text.contains(&format!("`\"{name}\"`"));
        assert!(named, "{name}");
    }
    assert!(!text.contains("`banana`"));
}

/// What a share divides follows from the composition; the ledger has let every cell pass.
#[test]
fn every_composition_divides_the_same_guarantee() {
    let text = changed("epsilon = 1\n", "epsilon = 1\ndelta = 1e-6\n").replace(
        "[sweep]\nepsilon = [0.1, 1]\nallocation = [\"even\", \"optimal-mse\"]",
        "[sweep]\nnoise = [\"laplace\", \"gaussian\"]\ncomposition = [\"basic\", \"zcdp\", \"rdp\", \"pld\"]\nallocation = [\"even\", \"sqrt-weighted\"]",
    );
    let plan = valid(&text);
    assert_eq!(plan.resolved().cells.len(), 16);
    for cell in &plan.resolved().cells {
        assert_eq!(cell.guarantee, "ε = 1, δ = 1e-6");
        let spent: f64 = cell.queries.iter().map(|query| query.budget).sum();
        assert!((spent / cell.total - 1.0).abs() < 1e-12, "{}", cell.id);
        let letter = match (cell.noise.as_str(), cell.composition.as_str()) {
            ("laplace", "zcdp") | ("gaussian", "zcdp" | "rdp" | "pld") => "ρ",
            _ => "ε",
        };
        assert!(
            cell.divided.contains(letter),
            "{}: {}",
            cell.id,
            cell.divided
        );
        // two queries: Laplace noise of each is found again from its scale
        for query in &cell.queries {
            let (scale, l1) = (query.scale.unwrap(), query.l1);
            let wanted = match (cell.noise.as_str(), cell.composition.as_str()) {
                ("laplace", "zcdp") => l1 / (2.0 * query.budget).sqrt(),
                ("laplace", _) => l1 / query.budget,
                (_, "basic") => continue,
                _ => query.l2 / (2.0 * query.budget).sqrt(),
            };
            assert!((scale / wanted - 1.0).abs() < 1e-12, "{}", cell.id);
        }
    }
    let total = |id: &str| {
        let cell = plan
            .resolved()
            .cells
            .iter()
            .find(|cell| cell.id.contains(id));
        cell.unwrap().total
    };
    assert_eq!(total("laplace composition=basic"), 1.0);
    // for two queries nothing but a hair is won, and conversions lose
    assert!((1.0..1.01).contains(&total("laplace composition=pld")));
    assert!(total("laplace composition=rdp") < 1.0);
}

/// ρ alone is divided by zCDP, and equal shares of a budget run for any number of queries.
#[test]
fn a_budget_of_rho_is_divided_by_zcdp() {
    let plan = valid(&changed("epsilon = 1\n", "rho = 0.5\n").replace("epsilon = [0.1, 1]\n", ""));
    let cell = &plan.resolved().cells[0];
    assert_eq!((cell.composition.as_str(), cell.total), ("zcdp", 0.5));
    assert_eq!(cell.divided, "shares divide ρ = 0.5");
    // ε = √(2·0.25)
    assert!((cell.queries[1].scale.unwrap() - 1.0 / 0.5_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn even_splits_among_one_to_a_hundred_queries_pass_the_ledger() {
    let query = "[[query]]\nname = \"over 60\"\ncount = { where = \"age > 60\" }\nweight = 2\n";
    for count in [1, 3, 7, 10, 11, 49, 93, 98, 100] {
        let many: String = (0..count)
            .map(|index| query.replace("over 60", &format!("over 60 ({index})")))
            .collect();
        let text = changed(query, &many).replace("\"even\", \"optimal-mse\"", "\"even\"");
        let cell = &valid(&text).resolved().cells[1].clone();
        let spent: f64 = cell
            .queries
            .iter()
            .map(|query| query.l1 / query.scale.unwrap())
            .sum();
        assert!((spent - 1.0).abs() < 1e-12, "{count}: {spent}");
    }
}

/// A declared sensitivity takes the place of the true one in the noise and in the ledger, and a broken promise is a warning.
#[test]
fn a_declared_sensitivity_calibrates_and_warns() {
    let declared = |value: &str| {
        changed(
            "weight = 2\n",
            &format!("weight = 2\ndeclared_sensitivity = {value}\n"),
        )
        .replace(
            "epsilon = [0.1, 1]\nallocation = [\"even\", \"optimal-mse\"]",
            "epsilon = [1]\nallocation = [\"even\"]",
        )
    };
    let plan = valid(&declared("0.25"));
    let query = plan.resolved().cells[0].queries[1].clone();
    assert_eq!(
        (query.l1, query.declared, query.scale),
        (1.0, Some(0.25), Some(0.5))
    );
    let warnings = plan.warnings().join("\n");
    assert!(
        warnings.contains(
            "declared sensitivity of 0.25 is below the true one of 1: its ε is 2, not 0.5"
        ),
        "{warnings}"
    );
    let kept = valid(&declared("4"));
    assert_eq!(kept.resolved().cells[0].queries[1].scale, Some(8.0));
    assert!(
        kept.warnings()
            .iter()
            .all(|warning| !warning.contains("declared"))
    );
    for wrong in ["0", "-1", "inf"] {
        let errors = plan_of(&declared(wrong));
        assert!(
            errors.contains("declared") || errors.contains("finite"),
            "{errors}"
        );
    }
}

fn plan_of(text: &str) -> String {
    plan(text).unwrap_err().to_string()
}
