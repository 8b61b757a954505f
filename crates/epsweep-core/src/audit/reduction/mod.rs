//! Reductions of an output to one number, in whose order (together with the outcome) events are sought.
//!
//! Any function of the output is post-processing: a reduction decides how much an audit can find, never whether it is right. All of
//! them are tried on the runs that the event is chosen on. To add one: a file here, and a line in [`REGISTRY`].

mod extremes;
mod lowest_bit;
mod number;
mod projection;
mod spread;

use super::Outputs;
use crate::about::About;
use std::fmt::Debug;

/// What is known of the outputs when reductions are made.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// how many numbers an output has
    pub columns: usize,
    /// what each number would be without noise, or is typically, on both inputs
    pub centres: [&'a [f64]; 2],
    /// whether the claim is about the doubles that are released, and not about the real numbers that they stand for
    pub deployment: bool,
}

impl Context<'_> {
    /// How far each number's centre moves from the first input to the second.
    fn moves(&self) -> Vec<f64> {
        (self.centres[0].iter().zip(self.centres[1]))
            .map(|(a, b)| b - a)
            .collect()
    }
}

/// An output as one number.
pub trait Reduction: Debug + Send + Sync {
    /// what the number is, as in "number 2" or "the largest move"
    fn words(&self) -> String;

    /// The number of each output; `out` has as many places as there are runs.
    fn apply(&self, outputs: &Outputs, out: &mut [f64]);
}

/// A way to make reductions.
pub trait ReductionKind: Sync {
    /// name, formula, source
    fn about(&self) -> &'static About;

    /// The reductions of this kind that make sense for such outputs.
    fn of(&self, context: &Context) -> Vec<Box<dyn Reduction>>;
}

/// All kinds, in the order in which they are tried.
pub const REGISTRY: &[&dyn ReductionKind] = &[
    &number::NumberKind,
    &extremes::ExtremesKind,
    &projection::ProjectionKind,
    &spread::SpreadKind,
    &lowest_bit::LowestBitKind,
];

/// All reductions that make sense for such outputs: at least one.
pub fn all(context: &Context) -> Vec<Box<dyn Reduction>> {
    REGISTRY.iter().flat_map(|kind| kind.of(context)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs() -> Outputs {
        let mut outputs = Outputs::new(3);
        outputs.start(2);
        for (column, values) in [[1.0, 4.0], [2.0, -1.0], [0.5, 0.0]].iter().enumerate() {
            outputs.column_mut(column).copy_from_slice(values);
        }
        outputs
    }

    fn reduced(name: &str, centres: [&[f64]; 2]) -> Vec<Vec<f64>> {
        let context = Context {
            columns: 3,
            centres,
            deployment: true,
        };
        let kind = REGISTRY.iter().find(|kind| kind.about().name == name);
        (kind.unwrap().of(&context).iter())
            .map(|reduction| {
                let mut out = vec![f64::NAN; 2];
                reduction.apply(&outputs(), &mut out);
                out
            })
            .collect()
    }

    #[test]
    fn reductions_are_what_they_say() {
        // the first number rises by 2, the second falls by 1, the third stays
        let centres: [&[f64]; 2] = [&[0.0, 1.0, 0.0], &[2.0, 0.0, 0.0]];
        assert_eq!(
            reduced("number", centres),
            [[1.0, 4.0], [2.0, -1.0], [0.5, 0.0]]
        );
        assert_eq!(reduced("projection", centres), [[0.0, 9.0]]);
        // (y − a)/d: 0.5, −1 and 2, 2
        assert_eq!(reduced("extremes", centres), [[-1.0, 2.0], [0.5, 2.0]]);
        assert_eq!(reduced("spread", centres), [[1.5, 5.0]]);
        // 1 = 2⁰, 4 = 2², 2, −1, ½, and 0, which has no bit
        assert_eq!(
            reduced("lowest-bit", centres),
            [[0.0, 2.0], [1.0, 0.0], [-1.0, 1024.0]]
        );
    }

    #[test]
    fn outputs_without_numbers_have_one_reduction() {
        let context = Context {
            columns: 0,
            centres: [&[], &[]],
            deployment: false,
        };
        let all = all(&context);
        let mut outputs = Outputs::new(0);
        outputs.start(2);
        let mut out = [1.0; 2];
        all[0].apply(&outputs, &mut out);
        assert_eq!((all.len(), out), (1, [0.0; 2]));
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = REGISTRY.iter().map(|kind| kind.about().name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), REGISTRY.len());
    }
}
