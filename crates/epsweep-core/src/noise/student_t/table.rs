//! Quantiles of Student's t law as polynomials, one per sixteenth of an octave of the tail probability.

use crate::statistics::t_quantile;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Cells per octave: within one, the tail probability varies by 1/16 or less of itself.
const CELLS: usize = 16;

/// Octaves from ½ down to 2⁻⁵⁴, which is below the least uniform variate.
const OCTAVES: usize = 53;

/// Polynomials of degree 7 through the Chebyshev nodes: the quantile, as a function of the tail probability, is analytic but
/// for 0, which is more than 32 half-widths away from the middle of a cell, so that the error is about (2·32)⁻⁸ ≈ 3e−15 of it.
const TERMS: usize = 8;

/// Quantiles at tail probabilities of (2⁻⁵⁴, ½).
pub(super) struct Table {
    freedom: f64,
    /// coefficients, constant first, in the place within the cell from −1 to 1
    cells: Vec<[f64; TERMS]>,
}

/// Without the cells.
impl fmt::Debug for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Table")
            .field("freedom", &self.freedom)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// The table for that many degrees of freedom; made once, since it takes some thousand quantiles.
    pub(super) fn shared(freedom: f64) -> Arc<Table> {
        static TABLES: Mutex<Vec<Arc<Table>>> = Mutex::new(Vec::new());
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = tables.iter().find(|table| table.freedom == freedom) {
            return table.clone();
        }
        let table = Arc::new(Table::new(freedom));
        tables.push(table.clone());
        table
    }

    fn new(freedom: f64) -> Self {
        let mut cells = Vec::with_capacity(OCTAVES * CELLS);
        for octave in 0..OCTAVES {
            // tails from 2^{−octave−2} to 2^{−octave−1}
            let low = libm::scalbn(0.25, -(octave as i32));
            for cell in 0..CELLS {
                let middle = low * (1.0 + (cell as f64 + 0.5) / CELLS as f64);
                let half = low * 0.5 / CELLS as f64;
                cells.push(interpolate(|place| {
                    t_quantile(middle + half * place, freedom).map_or(f64::NAN, |t| -t)
                }));
            }
        }
        Self { freedom, cells }
    }

    /// The quantile at `uniform` in (0, 1); odd about ½.
    #[inline(always)]
    pub(super) fn quantile(&self, uniform: f64) -> f64 {
        let upper = uniform > 0.5;
        // exact
        let tail = if upper { 1.0 - uniform } else { uniform };
        if tail == 0.5 {
            return 0.0;
        }
        let bits = tail.to_bits();
        let octave = 1021_u64.wrapping_sub(bits >> 52) as usize;
        let cell = (bits >> 48) as usize % CELLS;
        // the place in the cell from the mantissa behind the bits of the cell: m − 1 in [0, 1/16)
        let within = f64::from_bits(bits & 0x0000_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000) - 1.0;
        let place = within * (2 * CELLS) as f64 - 1.0;
        let Some(terms) = self.cells.get(octave.wrapping_mul(CELLS) + cell) else {
            return f64::NAN;
        };
        let magnitude = terms.iter().rev().fold(0.0, |sum, term| sum * place + term);
        if upper { magnitude } else { -magnitude }
    }
}

/// The polynomial through the function's values at the Chebyshev nodes of [−1, 1].
fn interpolate(function: impl Fn(f64) -> f64) -> [f64; TERMS] {
    let nodes: [f64; TERMS] =
        std::array::from_fn(|i| libm::cos(std::f64::consts::PI * (i as f64 + 0.5) / TERMS as f64));
    // divided differences, then Newton's form multiplied out
    let mut differences = nodes.map(function);
    for order in 1..TERMS {
        for i in (order..TERMS).rev() {
            differences[i] = (differences[i] - differences[i - 1]) / (nodes[i] - nodes[i - order]);
        }
    }
    let mut terms = [0.0; TERMS];
    for i in (0..TERMS).rev() {
        for power in (1..TERMS).rev() {
            terms[power] = terms[power - 1] - nodes[i] * terms[power];
        }
        terms[0] = differences[i] - nodes[i] * terms[0];
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomials_are_the_quantiles() {
        for freedom in [1.0, 3.0, 30.0] {
            let table = Table::shared(freedom);
            let mut tail = 0.499_999_9;
            let mut last = 0.0;
            while tail > libm::exp2(-53.0) {
                let exact = t_quantile(1.0 - tail, freedom).unwrap();
                let exact = if tail < 1e-3 {
                    -t_quantile(tail, freedom).unwrap()
                } else {
                    exact
                };
                let got = -table.quantile(tail);
                assert!(
                    (got - exact).abs() < 1e-11 * exact.max(0.1),
                    "{freedom} {tail} {got} {exact}"
                );
                assert!(got > last, "{freedom} {tail}");
                if tail > 1e-3 {
                    assert_eq!(
                        table.quantile(1.0 - (1.0 - tail)),
                        -table.quantile(1.0 - tail)
                    );
                }
                last = got;
                tail *= 0.971;
            }
            let least = libm::exp2(-53.0);
            assert!(table.quantile(least).is_finite() && table.quantile(1.0 - least).is_finite());
            assert_eq!(table.quantile(0.5), 0.0);
            // Cauchy: closed form
            if freedom == 1.0 {
                let exact = libm::tan(std::f64::consts::PI * 0.4);
                assert!((table.quantile(0.9) / exact - 1.0).abs() < 1e-12);
            }
        }
        assert!(Arc::ptr_eq(&Table::shared(3.0), &Table::shared(3.0)));
    }
}
