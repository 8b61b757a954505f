//! Many narrow losses convolved into a few wide ones.

use super::fft::Fft;
use super::loss::Leaf;

/// Mass cut off each end of a convolution.
pub(super) const TRIM: f64 = 1e-16;

pub(super) fn plan(plans: &mut Vec<Option<Fft>>, bits: usize) -> &Fft {
    if plans.len() <= bits {
        plans.resize_with(bits + 1, || None);
    }
    plans[bits].get_or_insert_with(|| Fft::new(1 << bits))
}

/// Convolves many narrow leaves pairwise, the narrowest first, until few are left: cheaper than a long transform for each. Returns what is
/// left and the number of convolutions.
pub(super) fn merge(
    leaves: Vec<(Leaf, u64)>,
    length: usize,
    plans: &mut Vec<Option<Fft>>,
) -> (Vec<(Leaf, u64)>, f64) {
    const FEW: usize = 12;
    if leaves.len() <= FEW {
        return (leaves, 0.0);
    }
    let (mut spectral, mut narrow) = (Vec::new(), std::collections::BinaryHeap::new());
    for (number, (leaf, count)) in leaves.into_iter().enumerate() {
        if count <= 4 && leaf.mass.len() <= length / 8 {
            for _ in 0..count {
                narrow.push(Narrow {
                    leaf: leaf.clone(),
                    number,
                });
            }
        } else {
            spectral.push((leaf, count));
        }
    }
    let mut merges = 0.0;
    let mut number = usize::MAX / 2;
    while narrow.len() > 2 {
        let (Some(a), Some(b)) = (narrow.pop(), narrow.pop()) else {
            break;
        };
        let size = a.leaf.mass.len() + b.leaf.mass.len() - 1;
        if size > length / 2 {
            spectral.extend([(a.leaf, 1), (b.leaf, 1)]);
            continue;
        }
        let bits = size.next_power_of_two().trailing_zeros() as usize;
        let mut mass = plan(plans, bits).convolve(&a.leaf.mass, &b.leaf.mass);
        debug_assert!(plan(plans, bits).length() >= size);
        mass.iter_mut().for_each(|value| *value = value.max(0.0));
        let mut leaf = Leaf {
            first: a.leaf.first + b.leaf.first,
            mass,
            log_scale: 0.0,
            lost: 0.0,
            on_lattice: true,
        };
        leaf.trim(TRIM);
        number += 1;
        merges += 1.0;
        narrow.push(Narrow { leaf, number });
    }
    spectral.extend(
        narrow
            .into_sorted_vec()
            .into_iter()
            .map(|narrow| (narrow.leaf, 1)),
    );
    (spectral, merges)
}

/// A leaf in the order in which leaves are convolved: the narrowest is the greatest, the earlier of equal ones.
struct Narrow {
    leaf: Leaf,
    number: usize,
}

impl Ord for Narrow {
    fn cmp(&self, other: &Narrow) -> std::cmp::Ordering {
        (other.leaf.mass.len(), other.number).cmp(&(self.leaf.mass.len(), self.number))
    }
}

impl PartialOrd for Narrow {
    fn partial_cmp(&self, other: &Narrow) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Narrow {
    fn eq(&self, other: &Narrow) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Narrow {}
