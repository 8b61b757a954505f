//! Guarantees that promise next to nothing.

use super::cells::Cells;
use crate::words::{grouped, significant};
use epsweep_core::budget::Budget;

/// An ε from which on the most that a neighbour can change is e⁵⁰, beyond any number of trials that will ever be run.
const VAST: f64 = 50.0;

impl Cells {
    /// The guarantee in words, after a warning where it promises next to nothing for data of this place in the record.
    pub(super) fn guarantee(&mut self, budget: &Budget, data: usize) -> String {
        let records = self.data.get(data).map_or(0, |data| data.rows);
        if let Some(warning) = weak(budget, records)
            && !self.warnings.contains(&warning)
        {
            self.warnings.push(warning);
        }
        budget.to_string()
    }
}

/// Why a guarantee promises next to nothing, if so. With δ at 1/n or above, to publish every record with probability δ meets (0, δ)
/// (Dwork and Roth, *The Algorithmic Foundations of Differential Privacy* (2014), section 2.3).
fn weak(budget: &Budget, records: u64) -> Option<String> {
    let vast = |letter: &str, value: f64, epsilon: f64| {
        (epsilon >= VAST).then(|| {
            format!(
                "{letter} = {} promises next to nothing: usual values lie between 0.01 and 10",
                significant(value, 3)
            )
        })
    };
    match budget {
        Budget::Pure(epsilon) => vast("ε", epsilon.get(), epsilon.get()),
        Budget::Zcdp(rho) => vast("ρ", rho.get(), rho.get()),
        Budget::Approximate(epsilon, delta) => {
            vast("ε", epsilon.get(), epsilon.get()).or_else(|| {
                let published = delta.get() * records as f64;
                (published >= 1.0).then(|| {
                    format!(
                        "δ = {} for {} records: a mechanism that publishes every record with that probability meets the guarantee; δ is usually far below 1/n",
                        significant(delta.get(), 3),
                        grouped(records)
                    )
                })
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epsweep_core::budget::{Delta, Epsilon, Rho};

    #[test]
    fn what_promises_nothing_is_said_to() {
        let epsilon = |value| Epsilon::new(value).unwrap();
        let with = |delta| Budget::Approximate(epsilon(1.0), Delta::new(delta).unwrap());
        assert_eq!(weak(&Budget::Pure(epsilon(10.0)), 1000), None);
        assert_eq!(weak(&with(1e-6), 1000), None);
        assert_eq!(weak(&with(0.5), 0), None);
        assert!(
            weak(&with(0.5), 1000)
                .unwrap()
                .contains("δ = 0.5 for 1000 records")
        );
        assert!(
            weak(&Budget::Pure(epsilon(1e25)), 1)
                .unwrap()
                .contains("10²⁵")
        );
        assert!(weak(&Budget::Zcdp(Rho::new(100.0).unwrap()), 1).is_some());
    }
}
