//! Memory that is not given back to the system between two runs.

use std::hint::black_box;
use std::sync::Once;

/// Free memory that a process may keep, at most twice as much as this: more than the tallies of a run of some cells take.
const KEPT: usize = 8 << 20;

/// Sees that the memory of a small run is used again by the next, once per process. The allocator of the GNU C library gives free
/// memory back as soon as there are 128 KiB of it, and to get it again page by page costs more than simulating thousands of trials.
/// It keeps twice as much as the largest block that was ever mapped on its own and freed (`M_TRIM_THRESHOLD` in mallopt(3)): such a
/// block is taken here, without being touched, and freed. Elsewhere this does next to nothing.
pub(super) fn keep() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| drop(black_box(Vec::<u8>::with_capacity(KEPT))));
}
