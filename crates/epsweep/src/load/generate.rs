//! Generated columns: independent draws, the same for the same seed on every machine.

use crate::config::data::GeneratorLaw;
use crate::config::number::label;
use epsweep_core::data::Bounds;
use epsweep_core::population::{Distribution, Law, Normal, Population, Uniform};
use epsweep_core::random::{Draws, Source, StandardLaw};
use std::sync::Arc;

/// Draws are made this many at a time.
const CHUNK: usize = 4096;

/// The values of a generated column.
pub fn values(law: GeneratorLaw, rows: usize, seed: u64) -> Vec<f64> {
    let (standard, shift, scale) = match law {
        GeneratorLaw::Normal { mean, sd } => (StandardLaw::Normal, mean, sd),
        GeneratorLaw::Uniform { low, high } => (StandardLaw::Uniform, low, high - low),
    };
    let mut draws = Draws::new(seed, CHUNK, &[Source::new("data", standard, 1)]);
    let mut out = Vec::with_capacity(rows);
    for chunk in 0.. {
        if out.len() == rows {
            break;
        }
        draws.go_to(chunk);
        let here = CHUNK.min(rows - out.len());
        out.extend(draws.row(0, 0)[..here].iter().map(|x| shift + scale * x));
    }
    out
}

/// The law that the draws follow, as a population with the column's bounds.
pub fn population(column: &str, law: GeneratorLaw, bounds: Option<Bounds>) -> Option<Population> {
    let law: Arc<dyn Law> = match law {
        GeneratorLaw::Normal { mean, sd } => Arc::new(Normal::new(mean, sd).ok()?),
        GeneratorLaw::Uniform { low, high } => Arc::new(Uniform::between(low, high).ok()?),
    };
    Population::new()
        .with(column, Distribution::Number(law), bounds)
        .ok()
}

/// The generator in words.
pub fn describe(law: GeneratorLaw, rows: usize, seed: u64) -> String {
    match law {
        GeneratorLaw::Normal { mean, sd } => format!(
            "{rows} normal values, mean {}, standard deviation {}, seed {seed}",
            label(mean),
            label(sd)
        ),
        GeneratorLaw::Uniform { low, high } => format!(
            "{rows} uniform values from {} to {}, seed {seed}",
            label(low),
            label(high)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_their_law_and_more_rows_begin_with_the_same() {
        let law = GeneratorLaw::Normal {
            mean: 40.0,
            sd: 15.0,
        };
        let many = values(law, 10_000, 7);
        assert_eq!(values(law, 5_000, 7), many[..5_000]);
        assert_ne!(values(law, 10, 8), many[..10]);
        let mean = many.iter().sum::<f64>() / 1e4;
        let variance = many.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 1e4;
        // 5 standard errors, 15/√n = 0.15 and 15²·√(2/n) = 3.18: a false alarm in 1e6 seeds, and the seed is fixed
        assert!((mean - 40.0).abs() < 0.75, "{mean}");
        assert!((variance - 225.0).abs() < 15.9, "{variance}");
        let uniform = values(
            GeneratorLaw::Uniform {
                low: -2.0,
                high: 3.0,
            },
            10_000,
            7,
        );
        assert!(uniform.iter().all(|x| (-2.0..3.0).contains(x)));
        let mean = uniform.iter().sum::<f64>() / 1e4;
        // 5 standard errors, 5/√(12 n)
        assert!((mean - 0.5).abs() < 0.073, "{mean}");
        // the power of the checks: a generator without the shift is seen
        assert!((mean - 3.0).abs() > 0.073);
    }
}
