//! A calibrated cell put together for the engine and the record.

use super::Noises;
use crate::plan::answered::{Answered, AnsweredQuery, EACH};
use crate::procedure::release::{ClampedError, DerivedError};
use crate::record::{ResolvedNumber, ResolvedQuery};
use crate::study::release::{
    Address, Derivation, Origin, Part, Postprocessing, ReleaseCell, ReleaseQuery, Vector,
};
use epsweep_core::noise::Noise;
use std::sync::Arc;

pub(super) fn resolved_query(
    query: &AnsweredQuery,
    share: f64,
    budget: f64,
    noises: &Noises,
) -> ResolvedQuery {
    let spec = &query.spec;
    let vector = query.is_vector();
    let scale = noises.noises[0].scale();
    let same = noises.noises.iter().all(|noise| noise.scale() == scale);
    let numbers = match vector && query.outputs.len() <= EACH {
        false => Vec::new(),
        true => (query.names().into_iter().zip(&query.targets))
            .map(|(name, truth)| ResolvedNumber {
                name,
                truth: *truth,
            })
            .collect(),
    };
    ResolvedQuery {
        name: spec.name.clone(),
        definition: spec.definition.query.definition(),
        truth: (!vector).then_some(query.targets[0]),
        l1: noises.at_hand.unwrap_or(query.sensitivity.l1),
        l2: noises.at_hand.unwrap_or(query.sensitivity.l2),
        declared: spec.declared,
        weight: spec.weight,
        share,
        budget,
        scale: (scale.is_finite() && same).then_some(scale),
        derived: !query.is_direct(),
        size: match vector {
            true => query.outputs.len() as u64,
            false => 0,
        },
        numbers,
        floored: spec.floor > 0.0,
        steps: spec.steps.iter().map(|step| step.definition()).collect(),
    }
}

/// Adds a query's numbers to a cell.
pub(super) fn add(cell: &mut ReleaseCell, query: &AnsweredQuery, noises: &[Arc<dyn Noise>]) {
    let spec = &query.spec;
    let members = query.members(cell.queries.len());
    let address = |row: usize| Address {
        query: spec.name.clone(),
        row,
        rows: query.parts.len(),
    };
    let direct = query.is_direct();
    let errors = match direct {
        true => Vec::new(),
        false => derived(query, noises),
    };
    let weight = spec.weight / query.outputs.len() as f64;
    for (output, name) in query.names().into_iter().enumerate() {
        let (noise, origin) = match direct {
            true => (noises[output].clone(), Origin::Noise(address(output))),
            false => {
                let noise: Arc<dyn Noise> = Arc::new(errors[output].clone());
                let derivation = cell.derivations.len();
                (noise, Origin::Derived { derivation, output })
            }
        };
        cell.queries.push(ReleaseQuery {
            name,
            truth: query.targets[output],
            floor: spec.floor,
            parameter: query.parameters.as_ref().map(|list| list[output]),
            weight,
            noise,
            origin,
        });
    }
    if !direct {
        cell.derivations.push(Derivation {
            parts: (query.answers.iter().zip(noises).enumerate())
                .map(|(row, (truth, noise))| Part {
                    truth: *truth,
                    noise: noise.clone(),
                    address: address(row),
                })
                .collect(),
            query: spec.definition.query.clone(),
            targets: query.targets.clone(),
        });
    }
    if query.is_vector() {
        cell.vectors.push(Vector {
            name: spec.name.clone(),
            each: query.outputs.len() <= EACH,
            members,
        });
    }
}

/// What is known of the errors of a query that computes its numbers from noisy parts.
pub(super) fn derived(query: &AnsweredQuery, noises: &[Arc<dyn Noise>]) -> Vec<DerivedError> {
    let first = noises[0].variance();
    let same = noises.iter().all(|noise| noise.variance() == first);
    let normal = noises[0].name().starts_with("gaussian");
    let magnitude = typical(query, noises);
    (query.targets.iter().zip(&query.exact).enumerate())
        .map(|(output, (target, exact))| {
            let variance = (query.variances.as_ref())
                .filter(|_| same && first.is_finite())
                .map(|variances| variances[output] * first);
            // a bias of the order of rounding is none
            let bias = match exact - target {
                bias if bias.abs() <= 1e-9 * target.abs().max(first.sqrt()) => 0.0,
                bias => bias,
            };
            DerivedError::new(bias, variance, normal, magnitude[output])
        })
        .collect()
}

/// How far each output moves if every part moves by the standard deviation of its noise: where histograms are placed.
pub(super) fn typical(query: &AnsweredQuery, noises: &[Arc<dyn Noise>]) -> Vec<f64> {
    let size = |noise: &Arc<dyn Noise>| match noise.variance() {
        variance if variance.is_finite() => variance.sqrt(),
        _ => noise.scale(),
    };
    let asked = &query.spec.definition.query;
    let mut size_of = vec![0.0_f64; query.targets.len()];
    for sign in [1.0, -1.0] {
        let moved: Vec<f64> = (query.answers.iter().zip(noises))
            .enumerate()
            .map(|(place, (answer, noise))| {
                // neighbours apart, so that moves do not cancel in quotients
                let way = if place % 2 == 0 { sign } else { -sign };
                answer + way * size(noise)
            })
            .collect();
        for ((size, moved), exact) in
            (size_of.iter_mut().zip(asked.derive(&moved))).zip(&query.exact)
        {
            let distance = (moved - exact).abs();
            if distance.is_finite() {
                *size = size.max(distance);
            }
        }
    }
    let any = noises.iter().map(size).fold(0.0, f64::max);
    // nothing seen to move, although there is noise: the noise's own size will do
    (size_of.into_iter())
        .map(|size| if size > 0.0 { size } else { any })
        .collect()
}

/// Adds what post-processing makes of the numbers.
pub(super) fn process(cell: &mut ReleaseCell, answered: &Answered) {
    let mut first = 0;
    for query in &answered.queries {
        let members = query.members(first);
        first = members.end;
        if query.spec.steps.is_empty() {
            cell.after.extend_from_slice(&cell.queries[members]);
            continue;
        }
        let mut exact: Vec<f64> = query.exact.clone();
        query
            .spec
            .steps
            .iter()
            .for_each(|step| step.apply(&mut exact));
        let postprocessing = cell.postprocessing.len();
        for (output, place) in members.clone().enumerate() {
            let told = &cell.queries[place];
            let bias = (exact[output] - told.truth).abs();
            let magnitude = told.noise.scale().max(bias);
            let noise: Arc<dyn Noise> =
                match ClampedError::after(told, &query.spec.steps, magnitude) {
                    Some(known) => Arc::new(known),
                    None => Arc::new(DerivedError::new(0.0, None, false, magnitude)),
                };
            cell.after.push(ReleaseQuery {
                noise,
                origin: Origin::Processed {
                    postprocessing,
                    output,
                },
                ..told.clone()
            });
        }
        cell.postprocessing.push(Postprocessing {
            members,
            steps: query.spec.steps.clone(),
        });
    }
}
