//! The hottest kernel: a block of a row enters moments, extremes and bins in one pass.
//!
//! Eight values at a time, the sums of powers and the places of the bins are computed in vector registers; then the bins are
//! incremented one after another, since no instruction does that for a vector at a better price. The two take turns after a
//! few vectors, because they use different parts of the processor: run together, they cost little more than the slower.

use super::kind::{Frame, RowKind, frame};
use super::lanes::Lanes;
use crate::tally::BLOCK;
use epsweep_core::random::isa::{Isa, LANES};

/// What of a row's values is tallied.
pub(super) trait Reading: Copy {
    /// Of eight values.
    fn read<I: Isa>(self, isa: I, values: I::F) -> I::F;
    /// Of one.
    fn read_one(self, value: f64) -> f64;
}

/// The values themselves.
#[derive(Clone, Copy)]
pub(super) struct AsTheyAre;

/// Their magnitudes: of rows whose values are not negative, and of signed noise that is tallied without its sign.
#[derive(Clone, Copy)]
struct Magnitudes;

impl Reading for AsTheyAre {
    #[inline(always)]
    fn read<I: Isa>(self, _: I, values: I::F) -> I::F {
        values
    }
    #[inline(always)]
    fn read_one(self, value: f64) -> f64 {
        value
    }
}

impl Reading for Magnitudes {
    #[inline(always)]
    fn read<I: Isa>(self, isa: I, values: I::F) -> I::F {
        isa.abs(values)
    }
    #[inline(always)]
    fn read_one(self, value: f64) -> f64 {
        value.abs()
    }
}

/// Vectors after which the bins of a vector are incremented: long enough for its places to have reached the cache.
const DELAY: usize = 8;

/// Vectors whose places are kept.
const RING: usize = 2 * DELAY;

/// Places of the bins of eight values.
type Places = [u64; LANES];

/// Where the values that were read are counted.
pub(super) trait Counting {
    /// Finds the places of eight values, or counts them if there is no need of places.
    fn locate<I: Isa>(&mut self, isa: I, values: I::F, places: &mut Places);
    /// Counts the values at these places.
    fn increment(&mut self, places: &Places);
    /// Counts one value.
    fn count_one(&mut self, value: f64);
    /// Takes back what was counted of a block, in which some values were NaN.
    fn take_back(&mut self, block: &[f64]);
}

/// Nowhere.
pub(super) struct Uncounted;

impl Counting for Uncounted {
    #[inline(always)]
    fn locate<I: Isa>(&mut self, _: I, _: I::F, _: &mut Places) {}
    #[inline(always)]
    fn increment(&mut self, _: &Places) {}
    #[inline(always)]
    fn count_one(&mut self, _: f64) {}
    fn take_back(&mut self, _: &[f64]) {}
}

/// In the bins of a row of reals.
struct Reals<'a, const SIGNED: bool> {
    kind: RowKind,
    frame: Frame,
    bins: &'a mut [u32],
}

impl<const SIGNED: bool> Counting for Reals<'_, SIGNED> {
    #[inline(always)]
    fn locate<I: Isa>(&mut self, isa: I, values: I::F, places: &mut Places) {
        let found = match SIGNED {
            true => self.frame.signed(isa, values),
            false => self.frame.magnitudes(isa, values),
        };
        isa.store_bits(places, found);
    }
    #[inline(always)]
    fn increment(&mut self, places: &Places) {
        for place in places {
            // SAFETY: every place is clamped below the number of the kind's bins, which `reals` compares with the slice's
            let bin = unsafe { self.bins.get_unchecked_mut(*place as usize) };
            *bin = bin.wrapping_add(1);
        }
    }
    #[inline(always)]
    fn count_one(&mut self, value: f64) {
        let bin = &mut self.bins[self.kind.place(value)];
        *bin = bin.wrapping_add(1);
    }
    #[cold]
    fn take_back(&mut self, block: &[f64]) {
        // a NaN was counted somewhere, and the same NaN is found there again
        for value in block {
            let bin = &mut self.bins[self.kind.place(*value)];
            *bin = bin.wrapping_sub(1);
        }
    }
}

/// In the two bins of a row of flags.
struct Flags<'a> {
    bins: &'a mut [u32],
}

impl Counting for Flags<'_> {
    #[inline(always)]
    fn locate<I: Isa>(&mut self, isa: I, values: I::F, _: &mut Places) {
        let set = isa.less(isa.splat(0.0), isa.abs(values));
        let ones = isa.mask_bits(set).count_ones();
        self.bins[1] = self.bins[1].wrapping_add(ones);
        self.bins[0] = self.bins[0].wrapping_add(LANES as u32 - ones);
    }
    #[inline(always)]
    fn increment(&mut self, _: &Places) {}
    #[inline(always)]
    fn count_one(&mut self, value: f64) {
        let bin = &mut self.bins[usize::from(value.abs() > 0.0)];
        *bin = bin.wrapping_add(1);
    }
    #[cold]
    fn take_back(&mut self, block: &[f64]) {
        for value in block {
            let bin = &mut self.bins[usize::from(value.abs() > 0.0)];
            *bin = bin.wrapping_sub(1);
        }
    }
}

/// In the bins of a row of indices.
struct Indices<'a> {
    kind: RowKind,
    bins: &'a mut [u32],
}

impl Counting for Indices<'_> {
    #[inline(always)]
    fn locate<I: Isa>(&mut self, isa: I, values: I::F, _: &mut Places) {
        for value in isa.lanes(values) {
            self.count_one(value);
        }
    }
    #[inline(always)]
    fn increment(&mut self, _: &Places) {}
    #[inline(always)]
    fn count_one(&mut self, value: f64) {
        let bin = &mut self.bins[self.kind.place(value)];
        *bin = bin.wrapping_add(1);
    }
    #[cold]
    fn take_back(&mut self, block: &[f64]) {
        for value in block {
            let bin = &mut self.bins[self.kind.place(*value)];
            *bin = bin.wrapping_sub(1);
        }
    }
}

/// The bins of a row of reals, whose number is checked.
#[inline(always)]
fn reals<const SIGNED: bool>(kind: RowKind, lowest: i32, bins: &mut [u32]) -> Reals<'_, SIGNED> {
    assert_eq!(bins.len(), kind.bins());
    Reals {
        kind,
        frame: frame(lowest),
        bins,
    }
}

/// See [`add_row`](super::add_row).
#[inline(always)]
pub(super) fn enter_row_body<I: Isa>(
    isa: I,
    lanes: &mut Lanes,
    kind: RowKind,
    block: &[f64],
    bins: &mut [u32],
) {
    match kind {
        RowKind::Real {
            lowest,
            signed: false,
        } => enter(
            isa,
            lanes,
            Magnitudes,
            reals::<false>(kind, lowest, bins),
            block,
        ),
        RowKind::Real {
            lowest,
            signed: true,
        } => enter(
            isa,
            lanes,
            AsTheyAre,
            reals::<true>(kind, lowest, bins),
            block,
        ),
        RowKind::Flag => enter(isa, lanes, AsTheyAre, Flags { bins }, block),
        RowKind::Index { .. } | RowKind::Part { .. } => {
            enter(isa, lanes, AsTheyAre, Indices { kind, bins }, block)
        }
    }
}

/// See [`add_moments`](super::add_moments).
#[inline(always)]
pub(super) fn enter_moments_body<I: Isa>(isa: I, lanes: &mut Lanes, kind: RowKind, block: &[f64]) {
    match kind {
        RowKind::Real { signed: false, .. } => enter(isa, lanes, Magnitudes, Uncounted, block),
        _ => enter(isa, lanes, AsTheyAre, Uncounted, block),
    }
}

/// See [`count_row`](super::count_row). Only where a partial chunk is made longer: it need not be fast.
#[inline(always)]
pub(super) fn count_row_body<I: Isa>(_: I, kind: RowKind, block: &[f64], bins: &mut [u32]) {
    for value in block.iter().filter(|x| !x.is_nan()) {
        bins[kind.place(*value)] += 1;
    }
}

/// Takes a block in, without its NaN.
#[inline(always)]
pub(super) fn enter<I: Isa, R: Reading, C: Counting>(
    isa: I,
    lanes: &mut Lanes,
    reading: R,
    mut counting: C,
    block: &[f64],
) {
    let mut next = *lanes;
    accumulate(isa, &mut next, reading, &mut counting, block);
    // squares are not negative, so their sum is NaN if and only if one of the values is
    if !isa.sum(isa.load(&next.sums[1])).is_nan() {
        *lanes = next;
        return;
    }
    counting.take_back(block);
    let mut room = [0.0; BLOCK];
    accumulate(
        isa,
        lanes,
        reading,
        &mut counting,
        defined(block, &mut room),
    );
}

/// The values that are not NaN, in order.
#[cold]
fn defined<'a>(values: &[f64], room: &'a mut [f64; BLOCK]) -> &'a [f64] {
    let mut kept = 0;
    for value in values.iter().filter(|x| !x.is_nan()) {
        room[kept] = *value;
        kept += 1;
    }
    &room[..kept]
}

#[inline(always)]
fn accumulate<I: Isa, R: Reading, C: Counting>(
    isa: I,
    lanes: &mut Lanes,
    reading: R,
    counting: &mut C,
    block: &[f64],
) {
    let Some(first) = block.first() else {
        return;
    };
    if lanes.n == 0 {
        let first = reading.read_one(*first);
        lanes.pivot = if first.is_finite() { first } else { 0.0 };
    }
    lanes.n += block.len() as u64;
    let pivot = isa.splat(lanes.pivot);
    let (groups, rest) = block.as_chunks::<LANES>();
    let mut s1 = isa.load(&lanes.sums[0]);
    let mut s2 = isa.load(&lanes.sums[1]);
    let mut s3 = isa.load(&lanes.sums[2]);
    let mut s4 = isa.load(&lanes.sums[3]);
    let mut min = isa.load(&lanes.min);
    let mut max = isa.load(&lanes.max);
    let mut places = [[0; LANES]; RING];
    for (index, group) in groups.iter().enumerate() {
        let value = reading.read(isa, isa.load(group));
        counting.locate(isa, value, &mut places[index % RING]);
        let d = isa.sub(value, pivot);
        let square = isa.mul(d, d);
        s1 = isa.add(s1, d);
        s2 = isa.add(s2, square);
        s3 = isa.add(s3, isa.mul(square, d));
        s4 = isa.add(s4, isa.mul(square, square));
        min = isa.min(value, min);
        max = isa.max(value, max);
        if index >= DELAY {
            counting.increment(&places[(index - DELAY) % RING]);
        }
    }
    for index in groups.len().saturating_sub(DELAY)..groups.len() {
        counting.increment(&places[index % RING]);
    }
    isa.store(&mut lanes.sums[0], s1);
    isa.store(&mut lanes.sums[1], s2);
    isa.store(&mut lanes.sums[2], s3);
    isa.store(&mut lanes.sums[3], s4);
    isa.store(&mut lanes.min, min);
    isa.store(&mut lanes.max, max);
    for (lane, value) in rest.iter().enumerate() {
        let value = reading.read_one(*value);
        counting.count_one(value);
        let d = value - lanes.pivot;
        let square = d * d;
        lanes.sums[0][lane] += d;
        lanes.sums[1][lane] += square;
        lanes.sums[2][lane] += square * d;
        lanes.sums[3][lane] += square * square;
        if value < lanes.min[lane] {
            lanes.min[lane] = value;
        }
        if value > lanes.max[lane] {
            lanes.max[lane] = value;
        }
    }
}
