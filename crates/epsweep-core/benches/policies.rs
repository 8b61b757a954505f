//! What deciding online costs in time: one line per policy, to be read by `scripts/bench-policies`.
//! `cargo bench -p epsweep-core --bench policies`.
//!
//! ```text
//! policy <TAB> NAME <TAB> ns/position <TAB> X <TAB> times even <TAB> Y
//! ```
//!
//! A trial walks 64 positions of a bursty stream under ε = 1; its noise is drawn anew for every block, and every spend goes through a filter and
//! an audit. Rounds take turns, ratios are taken within a round; medians.

use epsweep_core::random::{Draws, Source, StandardLaw};
use epsweep_core::stream::policy::{self, Family, Guarantee, Policy, Room, Rows, Terms};
use epsweep_core::stream::sequence;
use std::hint::black_box;
use std::time::Instant;

const POSITIONS: usize = 64;
const BLOCK: usize = 512;
const BLOCKS: u64 = 40;
const ROUNDS: usize = 21;

struct Drawn<'a>(&'a Draws);

impl Rows for Drawn<'_> {
    fn release(&self, position: usize, round: usize) -> &[f64] {
        self.0.row(1 + round, position)
    }

    fn test(&self, position: usize) -> &[f64] {
        self.0.row(0, position)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Nanoseconds of a position.
fn time(policy: &dyn Policy, terms: &Terms, answers: &[f64], room: &mut Room) -> f64 {
    let sources: Vec<Source> = (0..=policy.rounds())
        .map(|i| Source::new(&format!("bench/{i}"), StandardLaw::Laplace, POSITIONS))
        .collect();
    let mut draws = Draws::new(1, BLOCK, &sources);
    let start = Instant::now();
    for chunk in 0..BLOCKS {
        draws.go_to(chunk);
        policy.walk(terms, answers, &Drawn(&draws), BLOCK, room);
        black_box(room.errors(POSITIONS - 1));
    }
    start.elapsed().as_secs_f64() * 1e9 / (BLOCKS * BLOCK as u64 * POSITIONS as u64) as f64
}

fn make(family: &Family, terms: &Terms) -> Option<Box<dyn Policy>> {
    let parameters = family.parameters.iter().map(|p| p.default.unwrap_or(0.01));
    family.policy(&parameters.collect::<Vec<f64>>(), terms).ok()
}

fn main() {
    let guarantee = Guarantee::Pure { epsilon: 1.0 };
    let terms = Terms::new(guarantee, 1.0, POSITIONS).and_then(|t| t.with_threshold(150.0));
    let bursty = sequence::named("bursty").and_then(|sequence| {
        let defaults: Option<Vec<f64>> = sequence.parameters().iter().map(|p| p.default).collect();
        sequence.generate(&defaults?, 1, POSITIONS).ok()
    });
    let (Ok(terms), Some(answers)) = (terms, bursty) else {
        return;
    };
    let policies: Vec<(&Family, Box<dyn Policy>)> = (policy::REGISTRY.iter())
        .filter_map(|family| Some((*family, make(family, &terms)?)))
        .collect();
    let mut room = Room::new(BLOCK);
    let mut rounds: Vec<Vec<f64>> = vec![Vec::new(); policies.len()];
    for _ in 0..ROUNDS {
        for (times, (_, policy)) in rounds.iter_mut().zip(&policies) {
            times.push(time(policy.as_ref(), &terms, &answers, &mut room));
        }
    }
    for (times, (family, _)) in rounds.iter().zip(&policies) {
        let ratios = times.iter().zip(&rounds[0]).map(|(own, even)| own / even);
        println!(
            "policy\t{}\tns/position\t{:.1}\ttimes even\t{:.2}",
            family.about.name,
            median(times.clone()),
            median(ratios.collect())
        );
    }
}
