//! Laws whose density is a step function.

use std::sync::Arc;

use super::{Law, finite, open_probability};

/// A law that is spread evenly over each of some intervals.
#[derive(Clone, Debug)]
pub struct Steps {
    pieces: Arc<[Piece]>,
}

/// An interval, and the probability that it has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    low: f64,
    high: f64,
    mass: f64,
    /// P(X ≤ high)
    up_to: f64,
}

impl Piece {
    fn middle(&self) -> f64 {
        0.5 * self.low + 0.5 * self.high
    }

    fn density(&self) -> f64 {
        self.mass / (self.high - self.low)
    }
}

impl Steps {
    /// From intervals (low, high) that rise and do not overlap, with weights that are divided by their sum. Those without length or
    /// weight are left out; `None` if none is left, or if an end is not finite, a weight negative or not finite, or the order another.
    pub fn new(weighted: impl IntoIterator<Item = (f64, f64, f64)>) -> Option<Self> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut last = f64::NEG_INFINITY;
        for (low, high, weight) in weighted {
            let numbers = low.is_finite() && high.is_finite() && weight.is_finite();
            if !numbers || weight < 0.0 || low > high || low < last {
                return None;
            }
            last = high;
            if weight > 0.0 && low < high {
                pieces.push(Piece {
                    low,
                    high,
                    mass: weight,
                    up_to: 0.0,
                });
            }
        }
        let total: f64 = pieces.iter().map(|piece| piece.mass).sum();
        let mut up_to = 0.0;
        for piece in &mut pieces {
            piece.mass /= total;
            up_to += piece.mass;
            piece.up_to = up_to;
        }
        // the sum is 1 but for rounding
        pieces.last_mut()?.up_to = 1.0;
        Some(Self {
            pieces: pieces.into(),
        })
    }

    /// The law of X + `by`; `None` if it leaves the range of f64.
    pub fn shifted(&self, by: f64) -> Option<Self> {
        Self::new((self.pieces.iter()).map(|p| (p.low + by, p.high + by, p.mass)))
    }

    /// The law of |X|.
    pub fn folded(&self) -> Option<Self> {
        let mut ends: Vec<f64> = (self.pieces.iter())
            .flat_map(|piece| [piece.low.abs(), piece.high.abs()])
            .chain([0.0])
            .collect();
        ends.sort_unstable_by(f64::total_cmp);
        ends.dedup();
        // between two ends that follow each other the density is the same everywhere, on either side of 0
        Self::new(ends.windows(2).map(|pair| {
            let (from, to) = (pair[0], pair[1]);
            let middle = 0.5 * from + 0.5 * to;
            let density = self.density_at(middle) + self.density_at(-middle);
            (from, to, density * (to - from))
        }))
    }

    /// The law of X², of an X that is nowhere negative.
    pub fn squared(self) -> SquaredSteps {
        SquaredSteps { root: self }
    }

    /// The smallest value that X does not exceed with probability `p`, for `p` in (0, 1): of a uniform variate, a draw.
    #[inline]
    pub fn at(&self, p: f64) -> f64 {
        let place = self.pieces.partition_point(|piece| piece.up_to < p);
        let piece = &self.pieces[place.min(self.pieces.len() - 1)];
        let left = ((piece.up_to - p) / piece.mass).clamp(0.0, 1.0);
        piece.low * left + piece.high * (1.0 - left)
    }

    /// E X^power: the mean of x^power over [l, h] is Σ l^i·h^(power − i)/(power + 1), i from 0 to power.
    pub fn moment(&self, power: i32) -> f64 {
        let over = |piece: &Piece| {
            let sum: f64 = (0..=power)
                .map(|i| piece.low.powi(i) * piece.high.powi(power - i))
                .sum();
            sum / f64::from(power + 1)
        };
        self.pieces.iter().map(|p| p.mass * over(p)).sum()
    }

    /// E (X − EX)²
    pub fn variance(&self) -> f64 {
        let mean = self.moment(1);
        let around = |piece: &Piece| {
            let (off, width) = (piece.middle() - mean, piece.high - piece.low);
            off * off + width * width / 12.0
        };
        self.pieces.iter().map(|p| p.mass * around(p)).sum()
    }

    /// The piece in which x lies; of two that touch there, the lower one.
    fn piece(&self, x: f64) -> Option<&Piece> {
        let place = self.pieces.partition_point(|piece| piece.high < x);
        self.pieces.get(place).filter(|piece| piece.low <= x)
    }

    fn density_at(&self, x: f64) -> f64 {
        self.piece(x).map_or(0.0, Piece::density)
    }

    fn below(&self, x: f64) -> f64 {
        let place = self.pieces.partition_point(|piece| piece.high < x);
        match self.pieces.get(place) {
            None => 1.0,
            Some(piece) => {
                let left = ((piece.high - x) / (piece.high - piece.low)).min(1.0);
                (piece.up_to - left * piece.mass).max(0.0)
            }
        }
    }
}

impl Law for Steps {
    fn mean(&self) -> Option<f64> {
        finite(self.moment(1))
    }

    fn sd(&self) -> Option<f64> {
        finite(self.variance().sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        open_probability(p).map(|p| self.at(p))
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        (!x.is_nan()).then(|| self.below(x))
    }

    fn density(&self, x: f64) -> Option<f64> {
        (!x.is_nan()).then(|| self.density_at(x))
    }
}

/// The law of the square of what has a step function as its density.
#[derive(Clone, Debug)]
pub struct SquaredSteps {
    root: Steps,
}

impl Law for SquaredSteps {
    fn mean(&self) -> Option<f64> {
        finite(self.root.moment(2))
    }

    fn sd(&self) -> Option<f64> {
        let mean = self.root.moment(2);
        // E (X² − m)² over [l, h] needs no difference of fourth moments that are nearly equal: it is Var X² within the piece, and the
        // square of how far its own mean is from m
        let around = |piece: &Piece| {
            let (l, h) = (piece.low, piece.high);
            let own = (l * l + l * h + h * h) / 3.0;
            // Var X² on [l, h], with w = h − l and c the middle: w²c²/3 + w⁴/180
            let (w, c) = (h - l, piece.middle());
            (own - mean) * (own - mean) + w * w * (c * c / 3.0 + w * w / 180.0)
        };
        let variance: f64 = (self.root.pieces.iter()).map(|p| p.mass * around(p)).sum();
        finite(variance.sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let root = self.root.quantile(p)?;
        finite(root * root)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        self.root.cdf(if x < 0.0 { -1.0 } else { x.sqrt() })
    }

    fn density(&self, x: f64) -> Option<f64> {
        if x < 0.0 {
            return Some(0.0);
        }
        let root = x.sqrt();
        finite(self.root.density(root)? / (2.0 * root))
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;

    /// Pieces on both sides of 0, across it, with a gap, of unlike densities; the last weight can be off.
    fn law(last: f64) -> Steps {
        Steps::new([
            (-7.0, -5.0, 0.5),
            (-2.0, 1.0, 3.0),
            (1.0, 1.5, 1.0),
            (1.5, 1.5, 9.0),
            (4.0, 9.0, last),
        ])
        .unwrap()
    }

    fn samples() -> Vec<f64> {
        trial::samples(|e| {
            // one variate chooses the piece, another the place
            let (choice, place) = (5.5 * libm::exp(-e.next()), libm::exp(-e.next()));
            let (low, high) = match choice {
                c if c < 0.5 => (-7.0, -5.0),
                c if c < 3.5 => (-2.0, 1.0),
                c if c < 4.5 => (1.0, 1.5),
                _ => (4.0, 9.0),
            };
            low + (high - low) * place
        })
    }

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_weight() {
        let samples = samples();
        trial::accepts(&law(1.0), &samples);
        trial::rejects(&law(1.02), &samples);
        let absolute: Vec<f64> = samples.iter().map(|x| x.abs()).collect();
        trial::accepts(&law(1.0).folded().unwrap(), &absolute);
        trial::rejects(&law(1.02).folded().unwrap(), &absolute);
        let squares: Vec<f64> = samples.iter().map(|x| x * x).collect();
        trial::accepts(&law(1.0).folded().unwrap().squared(), &squares);
        trial::rejects(&law(1.02).folded().unwrap().squared(), &squares);
        trial::inverts(&law(1.0));
        trial::inverts(&law(1.0).folded().unwrap());
        trial::inverts(&law(1.0).folded().unwrap().squared());
    }

    /// By the midpoint rule, whose 2⁻¹⁰ divides all ends: exact for means, and within 2⁻²²/12 for squares.
    #[test]
    fn agrees_with_quadrature() {
        let density = |x: f64| match x {
            x if (-7.0..-5.0).contains(&x) => 0.25 / 5.5,
            x if (-2.0..1.0).contains(&x) => 1.0 / 5.5,
            x if (1.0..1.5).contains(&x) => 2.0 / 5.5,
            x if (4.0..9.0).contains(&x) => 0.2 / 5.5,
            _ => 0.0,
        };
        let step = 1.0 / 1024.0;
        let integral = |f: &dyn Fn(f64) -> f64| -> f64 {
            (-8 * 1024..10 * 1024)
                .map(|i| (f64::from(i) + 0.5) * step)
                .map(|x| f(x) * density(x) * step)
                .sum()
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6 * b.abs().max(1.0), "{a} {b}");
        let (law, folded) = (law(1.0), law(1.0).folded().unwrap());
        let mean = integral(&|x| x);
        near(law.mean().unwrap(), mean);
        near(
            law.sd().unwrap(),
            integral(&|x| (x - mean) * (x - mean)).sqrt(),
        );
        let absolute = integral(&f64::abs);
        near(folded.mean().unwrap(), absolute);
        near(
            folded.sd().unwrap(),
            integral(&|x| (x.abs() - absolute).powi(2)).sqrt(),
        );
        let square = integral(&|x| x * x);
        let squared = folded.clone().squared();
        near(squared.mean().unwrap(), square);
        near(
            squared.sd().unwrap(),
            integral(&|x| (x * x - square).powi(2)).sqrt(),
        );
        near(law.moment(4), integral(&|x| x.powi(4)));
        for x in [-8.0, -6.0, -3.0, 0.0, 0.5, 1.25, 1.5, 3.0, 6.5, 9.0, 11.0] {
            near(
                law.cdf(x).unwrap(),
                integral(&|y| f64::from(u8::from(y < x))),
            );
            near(
                folded.cdf(x).unwrap(),
                integral(&|y| f64::from(u8::from(y.abs() < x))),
            );
        }
        let moved = law.shifted(40.0).unwrap();
        near(moved.mean().unwrap(), mean + 40.0);
        near(moved.cdf(40.5).unwrap(), law.cdf(0.5).unwrap());
    }

    #[test]
    fn what_is_no_law_is_refused() {
        for bad in [
            vec![],
            vec![(1.0, 1.0, 1.0)],
            vec![(0.0, 1.0, 0.0)],
            vec![(0.0, 1.0, -1.0)],
            vec![(1.0, 0.0, 1.0)],
            vec![(0.0, 2.0, 1.0), (1.0, 3.0, 1.0)],
            vec![(0.0, f64::INFINITY, 1.0)],
            vec![(0.0, 1.0, f64::NAN)],
        ] {
            assert!(Steps::new(bad.clone()).is_none(), "{bad:?}");
        }
        let law = law(1.0);
        assert_eq!((law.cdf(f64::NAN), law.density(f64::NAN)), (None, None));
        assert_eq!(
            (law.density(3.0), law.density(-9.0)),
            (Some(0.0), Some(0.0))
        );
        assert!(law.shifted(f64::INFINITY).is_none());
    }
}
