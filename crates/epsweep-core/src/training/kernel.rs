//! The inner loops: clipped gradients and losses of eight models at once on the same records.
//!
//! Each lane is a model. A record's features are broadcast to all lanes, so that one pass over the data serves eight trials, and the sums run over
//! the records in their order: no lane depends on another, and the bits are those of plain arithmetic, on every instruction set.
//!
//! The gradient of a record is r·x with r = dℓ/dp, of norm |r|·‖x‖. To clip it to C is to clip r to ±C/‖x‖, one number per record that is known
//! in advance (the same in: Li, Tramèr, Liang, Hashimoto, ICLR 2022, and Bu, Mao, Xu, TMLR 2023, under the name of ghost clipping).

use super::examples::Examples;
use super::model::{Linear, Link, Logistic, Model};
use crate::dispatch;
use crate::random::Level;
use crate::random::isa::{Isa, LANES};

/// A number of each of eight models.
pub type Lane = [f64; LANES];

/// Records that are taken together: their sums wait for each other no longer than the adders do.
const TOGETHER: usize = 4;

/// min(max(r, −limit), limit).
#[inline(always)]
fn clip<I: Isa>(isa: I, residual: I::F, limit: I::F) -> I::F {
    let above = isa.min(limit, residual);
    isa.max(isa.sub(isa.splat(0.0), limit), above)
}

/// Σ over all records of their clipped gradients, added to `sums`.
#[inline(always)]
fn gradient_body<I: Isa, L: Link>(
    isa: I,
    examples: &Examples,
    limits: &[f64],
    parameters: &[Lane],
    sums: &mut [Lane],
) {
    let d = examples.features();
    let (values, labels) = (examples.values(), examples.labels());
    let whole = labels.len() - labels.len() % TOGETHER;
    let mut first = 0;
    while first < whole {
        let rows = &values[first * d..][..TOGETHER * d];
        let labels = &labels[first..][..TOGETHER];
        let limits = &limits[first..][..TOGETHER];
        let (a, rest) = rows.split_at(d);
        let (b, rest) = rest.split_at(d);
        let (c, e) = rest.split_at(d);
        let zero = isa.splat(0.0);
        let (mut pa, mut pb, mut pc, mut pe) = (zero, zero, zero, zero);
        for ((((w, a), b), c), e) in parameters.iter().zip(a).zip(b).zip(c).zip(e) {
            let w = isa.load(w);
            pa = isa.add(pa, isa.mul(isa.splat(*a), w));
            pb = isa.add(pb, isa.mul(isa.splat(*b), w));
            pc = isa.add(pc, isa.mul(isa.splat(*c), w));
            pe = isa.add(pe, isa.mul(isa.splat(*e), w));
        }
        let ra = clip(
            isa,
            L::residual(isa, pa, isa.splat(labels[0])),
            isa.splat(limits[0]),
        );
        let rb = clip(
            isa,
            L::residual(isa, pb, isa.splat(labels[1])),
            isa.splat(limits[1]),
        );
        let rc = clip(
            isa,
            L::residual(isa, pc, isa.splat(labels[2])),
            isa.splat(limits[2]),
        );
        let re = clip(
            isa,
            L::residual(isa, pe, isa.splat(labels[3])),
            isa.splat(limits[3]),
        );
        for ((((sum, a), b), c), e) in sums.iter_mut().zip(a).zip(b).zip(c).zip(e) {
            let mut total = isa.load(sum);
            total = isa.add(total, isa.mul(isa.splat(*a), ra));
            total = isa.add(total, isa.mul(isa.splat(*b), rb));
            total = isa.add(total, isa.mul(isa.splat(*c), rc));
            total = isa.add(total, isa.mul(isa.splat(*e), re));
            isa.store(sum, total);
        }
        first += TOGETHER;
    }
    for record in whole..labels.len() {
        let row = examples.row(record);
        let mut prediction = isa.splat(0.0);
        for (w, x) in parameters.iter().zip(row) {
            prediction = isa.add(prediction, isa.mul(isa.splat(*x), isa.load(w)));
        }
        let residual = L::residual(isa, prediction, isa.splat(labels[record]));
        let residual = clip(isa, residual, isa.splat(limits[record]));
        for (sum, x) in sums.iter_mut().zip(row) {
            let total = isa.add(isa.load(sum), isa.mul(isa.splat(*x), residual));
            isa.store(sum, total);
        }
    }
}

/// The same over a sample of its own for each lane; `tile` holds a record of each.
#[inline(always)]
fn sampled_body<I: Isa, L: Link>(
    isa: I,
    examples: &Examples,
    limits: &[f64],
    samples: &[Vec<u32>; LANES],
    parameters: &[Lane],
    tile: &mut [Lane],
    sums: &mut [Lane],
) {
    let labels = examples.labels();
    let longest = samples.iter().map(Vec::len).max().unwrap_or(0);
    for place in 0..longest {
        let (mut label, mut limit) = ([0.0; LANES], [0.0; LANES]);
        for (lane, sample) in samples.iter().enumerate() {
            match sample.get(place) {
                Some(record) => {
                    let record = *record as usize;
                    label[lane] = labels[record];
                    limit[lane] = limits[record];
                    for (to, x) in tile.iter_mut().zip(examples.row(record)) {
                        to[lane] = *x;
                    }
                }
                // a sample that has ended: zeros are added
                None => tile.iter_mut().for_each(|to| to[lane] = 0.0),
            }
        }
        let mut prediction = isa.splat(0.0);
        for (w, x) in parameters.iter().zip(tile.iter()) {
            prediction = isa.add(prediction, isa.mul(isa.load(x), isa.load(w)));
        }
        let residual = L::residual(isa, prediction, isa.load(&label));
        let residual = clip(isa, residual, isa.load(&limit));
        for (sum, x) in sums.iter_mut().zip(tile.iter()) {
            let total = isa.add(isa.load(sum), isa.mul(isa.load(x), residual));
            isa.store(sum, total);
        }
    }
}

/// Σ of the losses over all records, and the number of records whose class is predicted right.
#[inline(always)]
fn judge_body<I: Isa, L: Link>(
    isa: I,
    examples: &Examples,
    parameters: &[Lane],
    losses: &mut Lane,
    right: &mut Lane,
) {
    let (zero, one) = (isa.splat(0.0), isa.splat(1.0));
    let (mut loss, mut count) = (zero, zero);
    for (row, label) in examples.records() {
        let mut prediction = zero;
        for (w, x) in parameters.iter().zip(row) {
            prediction = isa.add(prediction, isa.mul(isa.splat(*x), isa.load(w)));
        }
        loss = isa.add(loss, L::loss(isa, prediction, isa.splat(label)));
        if L::CLASSIFIES {
            let positive = isa.select(isa.less(zero, prediction), one, zero);
            let wrong = isa.abs(isa.sub(positive, isa.splat(label)));
            count = isa.add(count, isa.sub(one, wrong));
        }
    }
    isa.store(losses, loss);
    isa.store(right, count);
}

dispatch! {
    fn gradient_linear(examples: &Examples, limits: &[f64], parameters: &[Lane], sums: &mut [Lane]) = gradient_body::<_, Linear>;
    fn gradient_logistic(examples: &Examples, limits: &[f64], parameters: &[Lane], sums: &mut [Lane]) = gradient_body::<_, Logistic>;
    fn sampled_linear(examples: &Examples, limits: &[f64], samples: &[Vec<u32>; LANES], parameters: &[Lane], tile: &mut [Lane], sums: &mut [Lane]) = sampled_body::<_, Linear>;
    fn sampled_logistic(examples: &Examples, limits: &[f64], samples: &[Vec<u32>; LANES], parameters: &[Lane], tile: &mut [Lane], sums: &mut [Lane]) = sampled_body::<_, Logistic>;
    fn judge_linear(examples: &Examples, parameters: &[Lane], losses: &mut Lane, right: &mut Lane) = judge_body::<_, Linear>;
    fn judge_logistic(examples: &Examples, parameters: &[Lane], losses: &mut Lane, right: &mut Lane) = judge_body::<_, Logistic>;
}

/// C/‖x‖₂ of every record: what clips its residual. Infinite for a record of zeros.
pub fn limits(examples: &Examples, clip: f64) -> Vec<f64> {
    examples.norms().iter().map(|norm| clip / norm).collect()
}

/// Adds to `sums` the clipped gradients of all records, for eight models: one entry of `parameters` and of `sums` per feature.
pub fn gradient(
    level: Level,
    model: Model,
    examples: &Examples,
    limits: &[f64],
    parameters: &[Lane],
    sums: &mut [Lane],
) {
    match model {
        Model::Linear => gradient_linear(level, examples, limits, parameters, sums),
        Model::Logistic => gradient_logistic(level, examples, limits, parameters, sums),
    }
}

/// Adds to `sums` the clipped gradients of the records of eight samples, one for each model, each in ascending order; `tile` is as long as there are features, and its
/// contents do not matter.
#[expect(clippy::too_many_arguments, reason = "a kernel: all of it is read")]
pub fn sampled_gradient(
    level: Level,
    model: Model,
    examples: &Examples,
    limits: &[f64],
    samples: &[Vec<u32>; LANES],
    parameters: &[Lane],
    tile: &mut [Lane],
    sums: &mut [Lane],
) {
    match model {
        Model::Linear => {
            sampled_linear(level, examples, limits, samples, parameters, tile, sums);
        }
        Model::Logistic => {
            sampled_logistic(level, examples, limits, samples, parameters, tile, sums);
        }
    }
}

/// The mean loss of eight models, and the share of records whose class is predicted right (NaN for a linear model).
pub fn judge(level: Level, model: Model, examples: &Examples, parameters: &[Lane]) -> (Lane, Lane) {
    let (mut losses, mut right) = ([0.0; LANES], [0.0; LANES]);
    match model {
        Model::Linear => judge_linear(level, examples, parameters, &mut losses, &mut right),
        Model::Logistic => judge_logistic(level, examples, parameters, &mut losses, &mut right),
    }
    let count = examples.len() as f64;
    let share = |right: f64| {
        if model.classifies() {
            right / count
        } else {
            f64::NAN
        }
    };
    (losses.map(|loss| loss / count), right.map(share))
}
