//! The optimum and the regrets in every form.

use super::super::text::{Align, Table};
use super::Solved;
use super::problem::Problem;
use crate::record::{CsvText, number};
use crate::words::significant;
use epsweep_core::allocation::solver::Reached;
use epsweep_core::budget::Shares;
use serde_json::json;

/// Budget and scale of every query.
fn scales(problem: &Problem, shares: &Shares) -> Vec<(f64, f64)> {
    (problem
        .sensitivities
        .iter()
        .zip(shares.split(problem.total)))
    .map(|(&sensitivity, budget)| (budget, problem.setting.scale(sensitivity, budget)))
    .collect()
}

fn budget(problem: &Problem) -> String {
    format!("{} = {}", problem.setting, number(problem.total))
}

/// The optimum's shares, query by query.
fn optimum(problem: &Problem, solved: &Solved) -> Table {
    let currency = problem.setting.currency();
    let mut table = Table::new(&[
        ("query", Align::Left),
        ("sensitivity", Align::Right),
        ("weight", Align::Right),
        ("numbers", Align::Right),
        ("share", Align::Right),
        (currency, Align::Right),
        ("noise scale", Align::Right),
    ]);
    let shares = &solved.comparison.solution.shares;
    for (index, (part, scale)) in scales(problem, shares).into_iter().enumerate() {
        let digits = |x: f64| significant(x, 6);
        table.row(vec![
            problem.names[index].clone(),
            digits(problem.sensitivities[index]),
            digits(problem.weights[index]),
            problem.numbers[index].to_string(),
            digits(shares.as_slice()[index]),
            digits(part),
            digits(scale),
        ]);
    }
    table
}

fn regret(reached: &Reached) -> String {
    let text = if reached.regret.is_infinite() {
        "∞".to_owned()
    } else {
        format!("{} %", significant(100.0 * reached.regret, 4))
    };
    if reached.within {
        text
    } else {
        text + " (outside the bounds)"
    }
}

/// Every strategy beside the optimum.
fn strategies(solved: &Solved) -> Table {
    let mut table = Table::new(&[
        ("strategy", Align::Left),
        (solved.objective.about().name, Align::Right),
        ("regret", Align::Left),
    ]);
    table.row(vec![
        "optimum".to_owned(),
        significant(solved.comparison.value, 7),
        "0 %".to_owned(),
    ]);
    for standing in &solved.comparison.standings {
        let mut fields = vec![standing.name.to_owned()];
        match &standing.reached {
            Ok(reached) => fields.extend([significant(reached.value, 7), regret(reached)]),
            Err(error) => fields.extend([String::new(), format!("refused: {error}")]),
        }
        table.row(fields);
    }
    table
}

fn accuracy(solved: &Solved) -> String {
    let solution = &solved.comparison.solution;
    if solution.steps == 0 {
        return "closed form".to_owned();
    }
    format!(
        "found in {} steps, at most {:.1e} of its value above the optimum",
        solution.steps,
        solution.gap.max(f64::EPSILON)
    )
}

pub(super) fn text(problem: &Problem, all: &[Solved]) -> String {
    let mut out = format!("{}\n", budget(problem));
    for solved in all {
        let about = solved.objective.about();
        out += &format!(
            "\n{}: {}\n{} ({})\n\n{}\n{}",
            about.name,
            about.summary,
            about.formula,
            accuracy(solved),
            optimum(problem, solved).text(),
            strategies(solved).text()
        );
    }
    out
}

pub(super) fn markdown(problem: &Problem, all: &[Solved]) -> String {
    let mut out = format!("{}\n", budget(problem));
    for solved in all {
        let about = solved.objective.about();
        out += &format!(
            "\n## {}\n\n{}: {} ({})\n\n{}\n{}",
            about.name,
            about.summary,
            about.formula,
            accuracy(solved),
            optimum(problem, solved).markdown(),
            strategies(solved).markdown()
        );
    }
    out
}

/// Every query of every strategy with its shares and scale.
pub(super) fn csv(problem: &Problem, all: &[Solved]) -> String {
    let mut table = CsvText::new([
        "objective",
        "strategy",
        "query",
        "sensitivity",
        "weight",
        "share",
        "budget",
        "scale",
        "value",
        "regret",
    ]);
    for solved in all {
        let comparison = &solved.comparison;
        let best = (
            "optimum",
            &comparison.solution.shares,
            comparison.value,
            0.0,
        );
        let others = (comparison.standings.iter()).filter_map(|standing| {
            let reached = standing.reached.as_ref().ok()?;
            Some((
                standing.name,
                &reached.shares,
                reached.value,
                reached.regret,
            ))
        });
        for (strategy, shares, value, regret) in std::iter::once(best).chain(others) {
            for (index, (part, scale)) in scales(problem, shares).into_iter().enumerate() {
                table.row([
                    solved.objective.about().name,
                    strategy,
                    &problem.names[index],
                    &number(problem.sensitivities[index]),
                    &number(problem.weights[index]),
                    &number(shares.as_slice()[index]),
                    &number(part),
                    &number(scale),
                    &number(value),
                    &number(regret),
                ]);
            }
        }
    }
    table.text()
}

pub(super) fn json(problem: &Problem, all: &[Solved]) -> serde_json::Value {
    let divided = |shares: &Shares| {
        let (budgets, scales): (Vec<f64>, Vec<f64>) = scales(problem, shares).into_iter().unzip();
        // JSON has no infinity: a query without budget has no scale
        let finite = |x: &f64| x.is_finite().then_some(*x);
        let scales: Vec<Option<f64>> = scales.iter().map(finite).collect();
        json!({ "shares": shares.as_slice(), "budgets": budgets, "scales": scales })
    };
    let objectives: Vec<serde_json::Value> = (all.iter())
        .map(|solved| {
            let comparison = &solved.comparison;
            let strategies: Vec<serde_json::Value> = (comparison.standings.iter())
                .map(|standing| match &standing.reached {
                    Ok(reached) => {
                        let mut entry = divided(&reached.shares);
                        entry["name"] = json!(standing.name);
                        entry["value"] = json!(reached.value);
                        entry["regret"] = json!(reached.regret);
                        entry["within_bounds"] = json!(reached.within);
                        entry
                    }
                    Err(error) => json!({ "name": standing.name, "refused": error.to_string() }),
                })
                .collect();
            let mut optimum = divided(&comparison.solution.shares);
            optimum["value"] = json!(comparison.value);
            optimum["gap"] = json!(comparison.solution.gap);
            optimum["steps"] = json!(comparison.solution.steps);
            json!({
                "name": solved.objective.about().name,
                "formula": solved.objective.about().formula,
                "optimum": optimum,
                "strategies": strategies,
            })
        })
        .collect();
    json!({
        "setting": problem.setting.to_string(),
        "currency": problem.setting.currency(),
        "total": problem.total,
        "queries": problem.names,
        "sensitivities": problem.sensitivities,
        "weights": problem.weights,
        "numbers": problem.numbers,
        "objectives": objectives,
    })
}
