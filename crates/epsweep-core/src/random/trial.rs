//! A stream of variates for one trial.

use super::fill::GROUP;
use super::law::StandardLaw;
use super::level::Level;
use super::xoshiro::Xoshiro8;

/// As many standard variates as one trial wants. See [`Draws::trial`](super::Draws::trial).
#[derive(Clone, Debug)]
pub struct TrialStream {
    level: Level,
    law: StandardLaw,
    state: Xoshiro8,
    /// The last group that was begun, and how much of it is used.
    begun: [f64; GROUP],
    used: usize,
}

impl TrialStream {
    pub(super) fn new(level: Level, law: StandardLaw, state: Xoshiro8) -> Self {
        TrialStream {
            level,
            law,
            state,
            begun: [0.0; GROUP],
            used: GROUP,
        }
    }

    /// The next `out.len()` variates. How a sequence is cut into calls does not change it. Multiples of sixteen
    /// ([`GROUP`]) are fastest.
    pub fn fill(&mut self, out: &mut [f64]) {
        let left = &self.begun[self.used..];
        let ready = left.len().min(out.len());
        let (head, out) = out.split_at_mut(ready);
        head.copy_from_slice(&left[..ready]);
        self.used += ready;

        let (groups, rest) = out.as_chunks_mut::<GROUP>();
        if !groups.is_empty() {
            self.law.fill(self.level, &mut self.state, groups);
        }
        if !rest.is_empty() {
            self.law.fill(
                self.level,
                &mut self.state,
                core::slice::from_mut(&mut self.begun),
            );
            rest.copy_from_slice(&self.begun[..rest.len()]);
            self.used = rest.len();
        }
    }
}
