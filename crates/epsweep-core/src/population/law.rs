//! Laws of a column of numbers.

use super::error::{PopulationError, normalised, number};
use crate::data::Bounds;
use crate::statistics::{normal_cdf, normal_density, normal_quantile};
use std::fmt::Debug;
use std::sync::Arc;

/// A law of numbers that is known exactly.
pub trait Law: Debug + Send + Sync {
    /// P(X ≤ x)
    fn cdf(&self, x: f64) -> f64;

    /// P(X < x)
    fn below(&self, x: f64) -> f64;

    /// The least x with P(X ≤ x) ≥ p, for p in (0, 1).
    fn quantile(&self, p: f64) -> f64;

    /// A number of this law from one that is uniform in (0, 1).
    fn draw(&self, u: f64) -> f64 {
        self.quantile(u)
    }

    /// P(low ≤ X ≤ high), and the expectations of X − from and of (X − from)² on that event. The ends may be infinite.
    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3];

    /// Mean and variance of X, clipped to the bounds if there are some.
    fn moments(&self, bounds: Option<Bounds>) -> (f64, f64) {
        let (low, high) = bounds.map_or((f64::NEG_INFINITY, f64::INFINITY), |bounds| {
            (bounds.low(), bounds.high())
        });
        let outside = [(low, self.below(low)), (high, 1.0 - self.cdf(high))];
        let around = |from: f64| {
            let mut moments = self.inside(low, high, from);
            for (end, probability) in outside {
                // an end at infinity has no probability
                if probability > 0.0 && end.is_finite() {
                    moments[1] += probability * (end - from);
                    moments[2] += probability * (end - from) * (end - from);
                }
            }
            moments
        };
        let near = self.quantile(0.5);
        let near = bounds.map_or(near, |bounds| bounds.clip(near));
        let mean = near + around(near)[1];
        let [_, rest, squares] = around(mean);
        (mean, squares - rest * rest)
    }
}

/// The place in a list of probabilities that u falls on.
pub(super) fn place(probabilities: &[f64], u: f64) -> usize {
    let mut below = 0.0;
    for (place, probability) in probabilities.iter().enumerate() {
        below += probability;
        if u < below {
            return place;
        }
    }
    // rounding may leave the sum short of 1: the last that is possible
    let possible = |probability: &f64| *probability > 0.0;
    probabilities.iter().rposition(possible).unwrap_or(0)
}

/// The normal law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    mean: f64,
    sd: f64,
}

impl Normal {
    /// # Errors
    /// [`PopulationError::Parameter`] unless the mean is finite, and the standard deviation finite and above 0
    pub fn new(mean: f64, sd: f64) -> Result<Normal, PopulationError> {
        Ok(Normal {
            mean: number("the mean of a normal law", mean, false)?,
            sd: number("the standard deviation of a normal law", sd, true)?,
        })
    }
}

/// ∫φ, ∫zφ and ∫z²φ between the ends, which may be infinite.
fn normal_inside(low: f64, high: f64) -> [f64; 3] {
    if !(low < high) {
        return [0.0; 3];
    }
    // in the tail where both ends lie, differences keep their digits
    let probability = if low > 0.0 {
        normal_cdf(-low) - normal_cdf(-high)
    } else {
        normal_cdf(high) - normal_cdf(low)
    };
    let weighted = |z: f64| {
        if z.is_finite() {
            z * normal_density(z)
        } else {
            0.0
        }
    };
    [
        probability,
        normal_density(low) - normal_density(high),
        probability + weighted(low) - weighted(high),
    ]
}

impl Law for Normal {
    fn cdf(&self, x: f64) -> f64 {
        normal_cdf((x - self.mean) / self.sd)
    }

    fn below(&self, x: f64) -> f64 {
        self.cdf(x)
    }

    fn quantile(&self, p: f64) -> f64 {
        normal_quantile(p).map_or(f64::NAN, |z| self.mean + self.sd * z)
    }

    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let z = |x: f64| (x - self.mean) / self.sd;
        let [p, first, second] = normal_inside(z(low), z(high));
        let shift = self.mean - from;
        [
            p,
            shift * p + self.sd * first,
            shift * shift * p + 2.0 * shift * self.sd * first + self.sd * self.sd * second,
        ]
    }
}

/// The law of a number whose logarithm is normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogNormal {
    median: f64,
    log_sd: f64,
}

impl LogNormal {
    /// By its median and the standard deviation of the natural logarithm.
    ///
    /// # Errors
    /// [`PopulationError::Parameter`] unless both are finite and above 0
    pub fn new(median: f64, log_sd: f64) -> Result<LogNormal, PopulationError> {
        Ok(LogNormal {
            median: number("the median of a log-normal law", median, true)?,
            log_sd: number("the standard deviation of the logarithm", log_sd, true)?,
        })
    }
}

impl Law for LogNormal {
    fn cdf(&self, x: f64) -> f64 {
        if x > 0.0 {
            normal_cdf(libm::log(x / self.median) / self.log_sd)
        } else {
            0.0
        }
    }

    fn below(&self, x: f64) -> f64 {
        self.cdf(x)
    }

    fn quantile(&self, p: f64) -> f64 {
        normal_quantile(p).map_or(f64::NAN, |z| self.median * libm::exp(self.log_sd * z))
    }

    /// E X^k on an event is the probability of the event moved by k·sd, times E X^k.
    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let z = |x: f64| {
            if x > 0.0 {
                libm::log(x / self.median) / self.log_sd
            } else {
                f64::NEG_INFINITY
            }
        };
        let power = |k: f64| {
            let moved = normal_inside(z(low) - k * self.log_sd, z(high) - k * self.log_sd)[0];
            let size = libm::exp(k * k * self.log_sd * self.log_sd / 2.0);
            moved * size
        };
        let [p, first, second] = [0.0, 1.0, 2.0].map(power);
        let (first, second) = (first * self.median, second * self.median * self.median);
        [
            p,
            first - from * p,
            second - 2.0 * from * first + from * from * p,
        ]
    }
}

/// Constant density between rising edges: a histogram as a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    edges: Vec<f64>,
    probabilities: Vec<f64>,
}

/// The uniform law is one step.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl Uniform {
    /// The uniform law from low to high.
    ///
    /// # Errors
    /// [`PopulationError::List`] unless both are finite and low < high
    pub fn between(low: f64, high: f64) -> Result<Steps, PopulationError> {
        Steps::new(&[low, high], &[1.0])
    }
}

impl Steps {
    /// The weights, one for each step, are divided by their sum.
    ///
    /// # Errors
    /// [`PopulationError`] unless the edges are finite and rise, with one more than there are weights, of which none is negative and one
    /// is above 0
    pub fn new(edges: &[f64], weights: &[f64]) -> Result<Steps, PopulationError> {
        let what = "the steps of a law";
        if edges.len() != weights.len() + 1 {
            return Err(PopulationError::List {
                what,
                found: format!("{} edges for {} weights", edges.len(), weights.len()),
                rule: "there must be one edge more than weights",
            });
        }
        let rises = |pair: &[f64]| pair[0] < pair[1] && (pair[1] - pair[0]).is_finite();
        if let Some(pair) = edges.windows(2).find(|pair| !rises(pair)) {
            return Err(PopulationError::List {
                what,
                found: format!("{:?} before {:?}", pair[0], pair[1]),
                rule: "edges must be finite and rise, by no more than the largest double",
            });
        }
        Ok(Steps {
            edges: edges.to_vec(),
            probabilities: normalised(weights)?,
        })
    }

    /// Each step: its ends and its probability.
    fn steps(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        (self.edges.windows(2).zip(&self.probabilities)).map(|(ends, &p)| (ends[0], ends[1], p))
    }
}

impl Law for Steps {
    fn cdf(&self, x: f64) -> f64 {
        let of_step =
            |(low, high, p): (f64, f64, f64)| p * ((x - low) / (high - low)).clamp(0.0, 1.0);
        if x.is_nan() {
            return f64::NAN;
        }
        self.steps().map(of_step).sum::<f64>().min(1.0)
    }

    fn below(&self, x: f64) -> f64 {
        self.cdf(x)
    }

    fn quantile(&self, p: f64) -> f64 {
        let step = place(&self.probabilities, p);
        let before: f64 = self.probabilities[..step].iter().sum();
        let part = ((p - before) / self.probabilities[step]).clamp(0.0, 1.0);
        let (low, high) = (self.edges[step], self.edges[step + 1]);
        (low + part * (high - low)).clamp(low, high)
    }

    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let mut moments = [0.0; 3];
        for (start, end, p) in self.steps() {
            let (a, b) = (start.max(low), end.min(high));
            if !(a < b) {
                continue;
            }
            let p = p * (b - a) / (end - start);
            // of the uniform law on [a, b]: around its middle, the mean is 0 and the variance width²/12
            let shift = 0.5 * a + 0.5 * b - from;
            moments[0] += p;
            moments[1] += p * shift;
            moments[2] += p * (shift * shift + (b - a) * (b - a) / 12.0);
        }
        moments
    }
}

/// Finitely many values with their probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// rising
    values: Vec<f64>,
    probabilities: Vec<f64>,
    /// of this value and those before it
    cumulated: Vec<f64>,
}

impl Points {
    /// The weights, one for each value, are divided by their sum.
    ///
    /// # Errors
    /// [`PopulationError`] unless the values are finite and rise, with as many weights, of which none is negative and one is above 0
    pub fn new(values: &[f64], weights: &[f64]) -> Result<Points, PopulationError> {
        let what = "the values of a law";
        if values.len() != weights.len() {
            return Err(PopulationError::List {
                what,
                found: format!("{} values, {} weights", values.len(), weights.len()),
                rule: "there must be as many",
            });
        }
        let rises = |pair: &[f64]| pair[0] < pair[1];
        let finite = values.iter().all(|value| value.is_finite());
        if !finite || !values.windows(2).all(rises) {
            return Err(PopulationError::List {
                what,
                found: "one that is not finite, or not above the one before it".to_owned(),
                rule: "they must be finite and rise",
            });
        }
        let probabilities = normalised(weights)?;
        let mut so_far = 0.0;
        let cumulated = (probabilities.iter())
            .map(|p| {
                so_far += p;
                so_far
            })
            .collect();
        Ok(Points {
            values: values.to_vec(),
            probabilities,
            cumulated,
        })
    }

    /// Whole numbers: of each group [from, to] of whole numbers all are equally likely.
    ///
    /// # Errors
    /// [`PopulationError`] if a group is empty or not behind the one before it, or the weights are not usable
    pub fn of_groups(groups: &[(u32, u32, f64)]) -> Result<Points, PopulationError> {
        let (mut values, mut weights) = (Vec::new(), Vec::new());
        for &(from, to, weight) in groups {
            if from > to {
                return Err(PopulationError::List {
                    what: "the groups of a law",
                    found: format!("a group from {from} to {to}"),
                    rule: "a group must not end before it begins",
                });
            }
            let size = f64::from(to - from) + 1.0;
            values.extend((from..=to).map(f64::from));
            weights.extend((from..=to).map(|_| weight / size));
        }
        Points::new(&values, &weights)
    }

    /// The values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Their probabilities.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Of the first values.
    fn of_first(&self, count: usize) -> f64 {
        match count {
            0 => 0.0,
            count if count == self.values.len() => 1.0,
            count => self.cumulated[count - 1].min(1.0),
        }
    }
}

impl Law for Points {
    fn cdf(&self, x: f64) -> f64 {
        self.of_first(self.values.partition_point(|value| *value <= x))
    }

    fn below(&self, x: f64) -> f64 {
        self.of_first(self.values.partition_point(|value| *value < x))
    }

    fn quantile(&self, p: f64) -> f64 {
        let place = self.cumulated.partition_point(|cumulated| *cumulated < p);
        let possible = |p: &f64| *p > 0.0;
        let last = self.probabilities.iter().rposition(possible).unwrap_or(0);
        self.values[place.min(last)]
    }

    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let mut moments = [0.0; 3];
        for (value, p) in self.values.iter().zip(&self.probabilities) {
            if low <= *value && *value <= high {
                let distance = value - from;
                moments[0] += p;
                moments[1] += p * distance;
                moments[2] += p * distance * distance;
            }
        }
        moments
    }
}

/// 1 to n with probabilities in proportion to 1/k^exponent (Zipf); an exponent of 0 makes all equally likely.
///
/// # Errors
/// [`PopulationError::Parameter`] unless n is from 1 to 2²⁰ and the exponent is finite and at least 0
pub fn zipf(n: usize, exponent: f64) -> Result<Points, PopulationError> {
    if !(1..=1 << 20).contains(&n) {
        return Err(PopulationError::Parameter {
            what: "the number of values of a Zipf law",
            value: n as f64,
            rule: "from 1 to 1048576",
        });
    }
    if !(exponent >= 0.0 && exponent.is_finite()) {
        return Err(PopulationError::Parameter {
            what: "the exponent of a Zipf law",
            value: exponent,
            rule: "finite and at least 0",
        });
    }
    let values: Vec<f64> = (1..=n).map(|k| k as f64).collect();
    let weights: Vec<f64> = values.iter().map(|k| libm::pow(*k, -exponent)).collect();
    Points::new(&values, &weights)
}

/// A shape cut into a domain of that many cells: the number of the cell, from 1, where `shape` falls among `cells` cells of equal width from
/// 0 to 1, given that it does. The same shape on a finer domain is the same data seen more closely.
///
/// # Errors
/// [`PopulationError`] unless there are from 1 to 2²⁰ cells, and the shape has some probability between 0 and 1
pub fn shaped(shape: &dyn Law, cells: usize) -> Result<Points, PopulationError> {
    if !(1..=1 << 20).contains(&cells) {
        return Err(PopulationError::Parameter {
            what: "the number of cells of a domain",
            value: cells as f64,
            rule: "from 1 to 1048576",
        });
    }
    let edge = |cell: usize| cell as f64 / cells as f64;
    let values: Vec<f64> = (1..=cells).map(|cell| cell as f64).collect();
    let weights: Vec<f64> = (0..cells)
        .map(|cell| {
            // each cell holds its lower end, the last one its upper end too
            let end = if cell + 1 == cells {
                shape.cdf(1.0)
            } else {
                shape.below(edge(cell + 1))
            };
            (end - shape.below(edge(cell))).max(0.0)
        })
        .collect();
    Points::new(&values, &weights)
}

/// One of several laws, chosen at random.
#[derive(Clone, Debug)]
pub struct Mixture {
    probabilities: Vec<f64>,
    laws: Vec<Arc<dyn Law>>,
}

impl Mixture {
    /// The weights, one for each law, are divided by their sum.
    ///
    /// # Errors
    /// [`PopulationError`] unless no weight is negative and one is above 0
    pub fn new(weighted: Vec<(f64, Arc<dyn Law>)>) -> Result<Mixture, PopulationError> {
        let weights: Vec<f64> = weighted.iter().map(|(weight, _)| *weight).collect();
        Ok(Mixture {
            probabilities: normalised(&weights)?,
            laws: weighted.into_iter().map(|(_, law)| law).collect(),
        })
    }

    fn parts(&self) -> impl Iterator<Item = (f64, &Arc<dyn Law>)> {
        let possible = |(p, _): &(f64, &Arc<dyn Law>)| *p > 0.0;
        self.probabilities
            .iter()
            .copied()
            .zip(&self.laws)
            .filter(possible)
    }
}

impl Law for Mixture {
    fn cdf(&self, x: f64) -> f64 {
        self.parts()
            .map(|(p, law)| p * law.cdf(x))
            .sum::<f64>()
            .min(1.0)
    }

    fn below(&self, x: f64) -> f64 {
        self.parts()
            .map(|(p, law)| p * law.below(x))
            .sum::<f64>()
            .min(1.0)
    }

    /// By bisection between the quantiles of the parts.
    fn quantile(&self, p: f64) -> f64 {
        let of_parts = || self.parts().map(|(_, law)| law.quantile(p));
        let mut low = of_parts().fold(f64::INFINITY, f64::min);
        let mut high = of_parts().fold(f64::NEG_INFINITY, f64::max);
        if self.cdf(low) >= p {
            return low;
        }
        loop {
            let middle = 0.5 * low + 0.5 * high;
            if !(low < middle && middle < high) {
                return high;
            }
            if self.cdf(middle) >= p {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    /// u chooses the part, and its place within the part's probability becomes the part's own number.
    fn draw(&self, u: f64) -> f64 {
        let part = place(&self.probabilities, u);
        let before: f64 = self.probabilities[..part].iter().sum();
        let within = (u - before) / self.probabilities[part];
        // never 0 or 1
        let least = f64::EPSILON / 2.0;
        self.laws[part].draw(within.clamp(least, 1.0 - least))
    }

    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let mut moments = [0.0; 3];
        for (p, law) in self.parts() {
            for (sum, one) in moments.iter_mut().zip(law.inside(low, high, from)) {
                *sum += p * one;
            }
        }
        moments
    }
}
