//! Memory for a row.

use super::fill::GROUP;

/// A cache line, and an AVX-512 register.
const ALIGNMENT: usize = 64;

/// Doubles that begin at a multiple of 64 bytes, in whole groups, so that no load of a vector crosses a cache line.
#[derive(Debug)]
pub(super) struct Buffer {
    memory: Vec<f64>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// Room for `len` variates, rounded up to whole groups.
    pub(super) fn new(len: usize) -> Self {
        let spare = ALIGNMENT / size_of::<f64>() - 1;
        let padded = len.next_multiple_of(GROUP);
        let memory = vec![0.0; padded + spare];
        // where alignment cannot be had, speed is lost and nothing else
        let start = memory.as_ptr().align_offset(ALIGNMENT).min(spare);
        Buffer { memory, start, len }
    }

    /// The variates.
    #[inline]
    pub(super) fn values(&self) -> &[f64] {
        &self.memory[self.start..self.start + self.len]
    }

    /// The whole groups that hold the variates.
    pub(super) fn groups(&mut self) -> &mut [[f64; GROUP]] {
        let padded = self.len.next_multiple_of(GROUP);
        self.memory[self.start..self.start + padded]
            .as_chunks_mut::<GROUP>()
            .0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned_and_hold_whole_groups() {
        for len in [0, 1, 15, 16, 17, 4096] {
            let mut buffer = Buffer::new(len);
            assert_eq!(buffer.values().len(), len);
            assert_eq!(buffer.values().as_ptr().addr() % ALIGNMENT, 0);
            assert_eq!(buffer.groups().len(), len.div_ceil(GROUP));
        }
    }
}
