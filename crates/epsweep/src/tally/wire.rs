//! Tallies as bytes: what checkpoints and shards are made of.
//!
//! Whole numbers are written seven bits to a byte, the lowest first, the eighth bit saying that more follow (LEB128); floats as their 64
//! bits, little-endian. Of the bins only those with counts are written, each with the distance from the last one. Failed trials come last,
//! and where there are none there is nothing. Reading needs the
//! [`Layout`] that the tally was made under, and takes nothing on trust: a tally that does not fit it, or that no simulation leaves, is an error
//! and never a wrong number.

use super::counts::{Counts, Layout};
use super::faults::{CellFaults, Fault, Faults, LONGEST_MESSAGE, MOST_TOLD, What};
use super::forest::{Leaf, Subtree};
use super::lanes::Wins;
use super::state::Tally;
use epsweep_core::statistics::Moments;

/// Why bytes are no tally of a layout, or none that can be taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// they are none
    #[error("{0}")]
    Not(&'static str),
    /// they are of chunks that are in already
    #[error("it has trials that are in already")]
    Twice,
}

impl Tally {
    /// The tally as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        whole(&mut out, self.trials);
        whole(&mut out, self.forest.subtrees().len() as u64);
        for (first, subtree) in self.forest.subtrees() {
            whole(&mut out, *first);
            whole(&mut out, u64::from(subtree.height));
            put_leaf(&mut out, &subtree.moments);
        }
        out.push(u8::from(self.tail.is_some()));
        if let Some(tail) = &self.tail {
            put_leaf(&mut out, tail);
        }
        let counts = &self.counts;
        let used = counts.bins.iter().filter(|bin| **bin > 0).count();
        whole(&mut out, used as u64);
        let mut last = 0;
        for (place, bin) in counts.bins.iter().enumerate().filter(|(_, bin)| **bin > 0) {
            whole(&mut out, (place - last) as u64);
            whole(&mut out, *bin);
            last = place;
        }
        for (min, max) in counts.min.iter().zip(&counts.max) {
            real(&mut out, *min);
            real(&mut out, *max);
        }
        for wins in &counts.wins {
            for count in [wins.win, wins.tie, wins.loss] {
                whole(&mut out, count);
            }
        }
        if !self.faults.is_empty() {
            put_faults(&mut out, &self.faults);
        }
        out
    }

    /// A tally under this layout from its bytes.
    ///
    /// # Errors
    /// The bytes are no tally of this layout.
    pub fn decode(bytes: &[u8], layout: &Layout) -> Result<Tally, WireError> {
        let mut tally = Tally::new(layout);
        tally.absorb_bytes(bytes, layout)?;
        Ok(tally)
    }

    /// How many trials the tally has that these bytes are; `None` if they are none.
    pub fn trials_of(bytes: &[u8]) -> Option<u64> {
        Bytes(bytes).whole().ok()
    }

    /// Takes in the tally, of other chunks of the same tile, that these bytes are. Only what is in the bytes is touched, so that the
    /// work does not depend on the number of bins.
    ///
    /// # Errors
    /// The bytes are no tally of this layout, or one of chunks that are in already ([`WireError::Twice`]); this tally is then of no use any more.
    pub fn absorb_bytes(&mut self, bytes: &[u8], layout: &Layout) -> Result<(), WireError> {
        let mut bytes = Bytes(bytes);
        let trials = self.trials.checked_add(bytes.whole()?);
        self.trials = trials.ok_or(WireError::Not("there are more trials than can be counted"))?;
        let subtrees = bytes.whole()?;
        let mut end = 0;
        for _ in 0..subtrees {
            let (first, height) = (bytes.whole()?, bytes.whole()?);
            let size = (height < 63).then(|| 1u64 << height);
            let size = size.ok_or(WireError::Not("a subtree of moments is too high"))?;
            if first % size != 0 || first < end {
                return Err(WireError::Not("subtrees of moments are out of place"));
            }
            let far = WireError::Not("a subtree of moments is too far");
            end = first.checked_add(size).ok_or(far)?;
            let moments = bytes.leaf(layout)?;
            let height = height as u32;
            let subtree = Subtree { height, moments };
            if !self.forest.is_free(first, &subtree) {
                return Err(WireError::Twice);
            }
            self.forest.insert_subtree(first, subtree);
        }
        match bytes.byte()? {
            0 => {}
            1 if self.tail.is_some() => return Err(WireError::Twice),
            1 => self.tail = Some(bytes.leaf(layout)?),
            _ => {
                let what = "it is not said whether a chunk is partial";
                return Err(WireError::Not(what));
            }
        }
        bytes.counts(layout, &mut self.counts)?;
        if !bytes.0.is_empty() {
            self.faults.absorb(bytes.faults()?);
        }
        match bytes.0 {
            [] => Ok(()),
            _ => Err(WireError::Not("bytes follow the end")),
        }
    }
}

fn whole(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn real(out: &mut Vec<u8>, number: f64) {
    out.extend_from_slice(&number.to_bits().to_le_bytes());
}

fn put_leaf(out: &mut Vec<u8>, leaf: &Leaf) {
    for moments in leaf {
        whole(out, moments.n);
        for number in [moments.mean, moments.m2, moments.m3, moments.m4] {
            real(out, number);
        }
    }
}

fn put_faults(out: &mut Vec<u8>, faults: &Faults) {
    whole(out, faults.cells().len() as u64);
    for (cell, faults) in faults.cells() {
        whole(out, cell as u64);
        whole(out, faults.trials);
        whole(out, faults.first.len() as u64);
        for fault in &faults.first {
            whole(out, fault.trial);
            whole(out, fault.chunk);
            match &fault.what {
                What::NoNumber(row) => {
                    out.push(0);
                    whole(out, *row as u64);
                }
                What::Panic(message) => {
                    out.push(1);
                    whole(out, message.len() as u64);
                    out.extend_from_slice(message.as_bytes());
                }
            }
        }
    }
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

/// More was expected.
const CUT: WireError = WireError::Not("it is cut off");

impl Bytes<'_> {
    fn byte(&mut self) -> Result<u8, WireError> {
        let (first, rest) = self.0.split_first().ok_or(CUT)?;
        self.0 = rest;
        Ok(*first)
    }

    fn whole(&mut self) -> Result<u64, WireError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                break;
            }
            number |= part << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(WireError::Not("a whole number is too large"))
    }

    fn real(&mut self) -> Result<f64, WireError> {
        let (bits, rest) = self.0.split_first_chunk().ok_or(CUT)?;
        self.0 = rest;
        Ok(f64::from_bits(u64::from_le_bytes(*bits)))
    }

    fn size(&mut self) -> Result<usize, WireError> {
        usize::try_from(self.whole()?).map_err(|_| WireError::Not("a whole number is too large"))
    }

    fn faults(&mut self) -> Result<Faults, WireError> {
        let cells = self.whole()?;
        if cells == 0 {
            return Err(WireError::Not("bytes follow the end"));
        }
        let mut faults = Faults::default();
        let mut next = 0;
        for _ in 0..cells {
            let cell = self.size()?;
            let (trials, told) = (self.whole()?, self.size()?);
            if cell < next || cell == usize::MAX || trials == 0 {
                return Err(WireError::Not("failed trials of a cell are out of place"));
            }
            next = cell + 1;
            if told == 0 || told > MOST_TOLD || told as u64 > trials {
                return Err(WireError::Not("failed trials are not told as they are"));
            }
            let first: Result<Vec<Fault>, WireError> = (0..told).map(|_| self.fault()).collect();
            let first = first?;
            faults.add_cell(cell, CellFaults { trials, first });
        }
        Ok(faults)
    }

    fn fault(&mut self) -> Result<Fault, WireError> {
        let (trial, chunk) = (self.whole()?, self.whole()?);
        let what = match self.byte()? {
            0 => What::NoNumber(self.size()?),
            1 => {
                let len = self.size()?;
                // four bytes are the most of a character
                if len > 4 * LONGEST_MESSAGE {
                    return Err(WireError::Not("the message of a failed trial is too long"));
                }
                let (text, rest) = self.0.split_at_checked(len).ok_or(CUT)?;
                self.0 = rest;
                let text = std::str::from_utf8(text);
                let text = text.map_err(|_| WireError::Not("a message is no text"))?;
                What::Panic(text.to_owned())
            }
            _ => return Err(WireError::Not("it is not said why a trial failed")),
        };
        Ok(Fault { trial, chunk, what })
    }

    fn leaf(&mut self, layout: &Layout) -> Result<Leaf, WireError> {
        (0..layout.kinds().len() + layout.pairs())
            .map(|_| {
                Ok(Moments {
                    n: self.whole()?,
                    mean: self.real()?,
                    m2: self.real()?,
                    m3: self.real()?,
                    m4: self.real()?,
                })
            })
            .collect()
    }

    fn counts(&mut self, layout: &Layout, counts: &mut Counts) -> Result<(), WireError> {
        let far = WireError::Not("a bin is beyond the last one");
        let many = WireError::Not("a bin has more trials than can be counted");
        let used = self.whole()?;
        let mut place = 0u64;
        for number in 0..used {
            let step = self.whole()?;
            if step == 0 && number > 0 {
                return Err(WireError::Not("a bin is there twice"));
            }
            place = place.checked_add(step).ok_or(far)?;
            let bin = usize::try_from(place)
                .ok()
                .and_then(|place| counts.bins.get_mut(place));
            let bin = bin.ok_or(far)?;
            let count = self.whole()?;
            if count == 0 {
                return Err(WireError::Not("a bin without counts is there"));
            }
            *bin = bin.checked_add(count).ok_or(many)?;
        }
        for row in 0..layout.kinds().len() {
            let (min, max) = (self.real()?, self.real()?);
            counts.extend(row, min, max);
        }
        for wins in &mut counts.wins {
            let own = Wins {
                win: self.whole()?,
                tie: self.whole()?,
                loss: self.whole()?,
            };
            wins.absorb(&own);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::{Pool, RowKind, SessionCounts};
    use proptest::prelude::*;

    fn layout() -> Layout {
        Layout::new(
            vec![RowKind::real(1.0), RowKind::Index { n: 3 }, RowKind::Flag],
            1,
        )
    }

    /// A tally of these chunks, with a partial one behind them if `tail`.
    fn tally(chunks: &[u64], tail: bool) -> Tally {
        let layout = layout();
        let pool = Pool::default();
        let leaf = |chunk: u64| -> Leaf {
            (0..4)
                .map(|row| Moments::from_values(&[chunk as f64, 0.1 * row as f64, -1.0]))
                .collect()
        };
        let mut tally = Tally::new(&layout);
        for chunk in chunks {
            tally.forest.insert(*chunk, leaf(*chunk));
            let mut session = SessionCounts::new(&layout, &pool);
            let place = RowKind::real(1.0).place(*chunk as f64 + 0.5);
            session.bins[layout.range(0).start + place] = 70_000;
            session.extend(0, *chunk as f64 + 0.5, *chunk as f64 + 0.5);
            session.wins[0] = Wins {
                win: 300,
                tie: 1,
                loss: *chunk,
            };
            tally.counts.absorb_session(session, &layout, &pool);
            tally.trials += 4096;
        }
        if tail {
            tally.tail = Some(leaf(99));
            tally.trials += 17;
        }
        tally
    }

    #[test]
    fn what_is_written_is_read_back() {
        for chunks in [&[][..], &[0], &[0, 1, 2, 3, 4], &[7, 9, 12, 13, 1 << 40]] {
            for tail in [false, true] {
                let tally = tally(chunks, tail);
                let bytes = tally.encode();
                assert_eq!(Tally::decode(&bytes, &layout()), Ok(tally));
            }
        }
        // sparse: three rows of thousands of bins
        assert!(tally(&[0, 1], false).encode().len() < 600);
    }

    /// With failed trials in two cells.
    fn failed(mut tally: Tally) -> Tally {
        let fault = |trial, what| Fault {
            trial,
            chunk: trial / 4096,
            what,
        };
        for trial in [5, 4097, 9000, 9001] {
            (tally.faults).add(0, fault(trial, What::NoNumber(300)));
        }
        let message = "index 9 of ½ (src/a.rs:7)".to_owned();
        (tally.faults).add(200, fault(7, What::Panic(message)));
        tally
    }

    #[test]
    fn failed_trials_are_read_back_and_added_up() {
        let (one, two) = (failed(tally(&[0, 1], false)), failed(tally(&[2], true)));
        let bytes = one.encode();
        assert_eq!(Tally::decode(&bytes, &layout()), Ok(one.clone()));
        // without them, the bytes are the same up to here
        let without = tally(&[0, 1], false).encode();
        assert_eq!(bytes[..without.len()], without);
        for cut in without.len() + 1..bytes.len() {
            assert!(Tally::decode(&bytes[..cut], &layout()).is_err(), "{cut}");
        }
        let mut whole = one.clone();
        whole.absorb(two.clone());
        let mut from_bytes = one;
        from_bytes.absorb_bytes(&two.encode(), &layout()).unwrap();
        assert_eq!(whole, from_bytes);
        let counts: Vec<(usize, u64)> = (whole.faults.cells())
            .map(|(cell, faults)| (cell, faults.trials))
            .collect();
        assert_eq!(counts, [(0, 8), (200, 2)]);
    }

    #[test]
    fn what_is_cut_lengthened_or_of_another_layout_is_refused() {
        let bytes = tally(&[0, 1, 2, 5], true).encode();
        for cut in 0..bytes.len() {
            assert!(Tally::decode(&bytes[..cut], &layout()).is_err(), "{cut}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(Tally::decode(&longer, &layout()).is_err());
        let other = Layout::new(vec![RowKind::real(1.0), RowKind::Flag], 1);
        assert!(Tally::decode(&bytes, &other).is_err());
    }

    #[test]
    fn taken_in_as_bytes_it_is_what_it_is_taken_in_as_a_tally() {
        let parts = [
            tally(&[0, 1, 2, 3], false),
            tally(&[4, 5, 9], false),
            tally(&[6, 8], true),
        ];
        let (mut whole, mut from_bytes) = (Tally::new(&layout()), Tally::new(&layout()));
        for part in &parts {
            assert!(whole.takes(part));
            whole.absorb(part.clone());
            from_bytes.absorb_bytes(&part.encode(), &layout()).unwrap();
        }
        assert_eq!(whole, from_bytes);
        for again in [
            tally(&[9], false),
            tally(&[7, 20], true),
            tally(&[0, 1, 2, 3, 30], false),
        ] {
            let mut other = whole.clone();
            assert!(!other.takes(&again));
            let taken = other.absorb_bytes(&again.encode(), &layout());
            assert_eq!(taken, Err(WireError::Twice));
        }
    }

    proptest! {
        /// Whatever the bytes, reading them ends, and takes no more memory than the layout does.
        #[test]
        fn any_bytes_are_a_tally_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = Tally::decode(&bytes, &layout());
        }

        #[test]
        fn a_changed_byte_is_a_tally_or_an_error(place in 0usize..700, with in any::<u8>()) {
            let mut bytes = failed(tally(&[0, 1, 2, 5], true)).encode();
            let place = place % bytes.len();
            bytes[place] = with;
            let _ = Tally::decode(&bytes, &layout());
        }
    }
}
