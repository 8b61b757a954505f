//! Cells of the outputs: an outcome and an interval of a number.

/// Most outcomes that are told apart.
const MOST_OUTCOMES: usize = 4096;
/// Distinct numbers up to which each is a cell of its own.
const FEW: usize = 256;
/// Pilot runs that the outermost cells must hold.
const LEAST: usize = 8;

/// A partition of the outputs, learnt from pilot runs on both inputs. Which partition it is decides how much an audit finds, never
/// whether what it finds is right: the pilot belongs to the runs on which the event is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// outcomes that are told apart, ascending
    outcomes: Vec<u32>,
    /// edges between the cells of each outcome, ascending: cell i holds edges[i−1] ≤ number < edges[i]
    edges: Vec<Vec<f64>>,
    /// the first cell of each outcome
    first: Vec<usize>,
    cells: usize,
}

impl Partition {
    /// From outcomes and numbers of pilot runs (of both inputs, one after the other), with about so many cells for the numbers.
    pub fn learn(outcomes: &[u32], numbers: &[f64], cells: usize) -> Partition {
        let mut pilot: Vec<(u32, f64)> = outcomes
            .iter()
            .copied()
            .zip(numbers.iter().copied())
            .collect();
        pilot.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut groups: Vec<&[(u32, f64)]> = pilot.chunk_by(|a, b| a.0 == b.0).collect();
        if groups.len() > MOST_OUTCOMES {
            groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0].0));
            groups.truncate(MOST_OUTCOMES);
            groups.sort_by_key(|group| group[0].0);
        }
        let mut partition = Partition {
            outcomes: Vec::new(),
            edges: Vec::new(),
            first: Vec::new(),
            cells: 0,
        };
        for group in groups {
            let share = cells * group.len() / pilot.len();
            let sorted: Vec<f64> = group.iter().map(|(_, number)| *number).collect();
            let edges = edges(&sorted, share.max(1));
            partition.outcomes.push(group[0].0);
            partition.first.push(partition.cells);
            partition.cells += edges.len() + 1;
            partition.edges.push(edges);
        }
        // what the pilot never showed
        partition.cells += 1;
        partition
    }

    /// How many cells there are; the last is for outcomes that the pilot did not show.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The cell of an output.
    #[inline]
    pub fn cell(&self, outcome: u32, number: f64) -> usize {
        let place = match self.outcomes.as_slice() {
            [only] if *only == outcome => 0,
            outcomes => match outcomes.binary_search(&outcome) {
                Ok(place) => place,
                Err(_) => return self.cells - 1,
            },
        };
        let edges = &self.edges[place];
        self.first[place] + edges.partition_point(|edge| *edge <= number)
    }

    /// Adds a block of outputs to the counts of the cells.
    pub fn count(&self, outcomes: &[u32], numbers: &[f64], counts: &mut [u64]) {
        for (&outcome, &number) in outcomes.iter().zip(numbers) {
            counts[self.cell(outcome, number)] += 1;
        }
    }

    /// The set of cells as outcomes, each with the intervals of its number: [from, to).
    pub fn intervals(&self, cells: &[bool]) -> Vec<(u32, Vec<(f64, f64)>)> {
        let mut out = Vec::new();
        for (place, &outcome) in self.outcomes.iter().enumerate() {
            let edges = &self.edges[place];
            let mut intervals: Vec<(f64, f64)> = Vec::new();
            for cell in 0..=edges.len() {
                if !cells[self.first[place] + cell] {
                    continue;
                }
                let from = if cell == 0 {
                    f64::NEG_INFINITY
                } else {
                    edges[cell - 1]
                };
                let to = edges.get(cell).copied().unwrap_or(f64::INFINITY);
                match intervals.last_mut() {
                    Some(last) if last.1 == from => last.1 = to,
                    _ => intervals.push((from, to)),
                }
            }
            if !intervals.is_empty() {
                out.push((outcome, intervals));
            }
        }
        out
    }
}

/// Edges for the sorted numbers of a pilot: a cell for each where they are few and come back; else quantiles, evenly spread and
/// ever denser towards both ends, where small δ are decided.
fn edges(sorted: &[f64], cells: usize) -> Vec<f64> {
    let distinct = 1 + sorted.windows(2).filter(|pair| pair[0] < pair[1]).count();
    if distinct == 1 {
        // one number, as where there is none: but another one would be another cell
        return vec![sorted[0], sorted[0].next_up()];
    }
    let mut edges: Vec<f64> = Vec::new();
    if distinct <= FEW && 4 * distinct <= sorted.len() {
        for pair in sorted.chunk_by(|a, b| a == b) {
            edges.extend([pair[0], pair[0].next_up()]);
        }
    } else {
        let mut ranks: Vec<usize> = (1..cells).map(|i| sorted.len() * i / cells).collect();
        let mut rank = sorted.len() / cells.max(2) / 2;
        while rank >= LEAST {
            ranks.extend([rank, sorted.len() - rank]);
            rank /= 2;
        }
        for rank in ranks.into_iter().filter(|rank| *rank > 0) {
            let number = sorted[rank];
            edges.push(number);
            // a number that comes back is a cell of its own
            if sorted[rank - 1] == number || sorted.get(rank + 1) == Some(&number) {
                edges.push(number.next_up());
            }
        }
    }
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_has_one_cell_and_the_intervals_say_which() {
        let numbers: Vec<f64> = (0..1000).map(|i| f64::from(i * 7919 % 1000)).collect();
        let outcomes: Vec<u32> = (0..1000).map(|i| [3, 3, 3, 9][i % 4]).collect();
        let partition = Partition::learn(&outcomes, &numbers, 16);
        let mut counts = vec![0; partition.cells()];
        partition.count(&outcomes, &numbers, &mut counts);
        assert_eq!(counts.iter().sum::<u64>(), 1000);
        assert_eq!(partition.cell(4, 0.0), partition.cells() - 1);
        assert_eq!(counts[partition.cells() - 1], 0);
        let mut cells = vec![false; partition.cells()];
        for number in [-1.0, 0.0, 499.5, f64::INFINITY] {
            cells.fill(false);
            cells[partition.cell(9, number)] = true;
            let [(outcome, intervals)] = &partition.intervals(&cells)[..] else {
                panic!("one outcome");
            };
            assert_eq!((*outcome, intervals.len()), (9, 1));
            let (from, to) = intervals[0];
            assert!(from <= number && (number < to || to == f64::INFINITY));
        }
        // neighbouring cells are one interval
        cells.fill(true);
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(
            partition.intervals(&cells),
            [(3, vec![all]), (9, vec![all])]
        );
    }

    #[test]
    fn numbers_that_come_back_have_cells_of_their_own() {
        let numbers: Vec<f64> = (0..400).map(|i| f64::from(i % 5)).collect();
        let partition = Partition::learn(&[0; 400], &numbers, 16);
        assert_ne!(partition.cell(0, 1.0), partition.cell(0, 1.5));
        assert_ne!(partition.cell(0, 1.0), partition.cell(0, 2.0));
        // clamped at 0: half of all
        let clamped: Vec<f64> = (0..4000).map(|i| f64::from(i - 2000).max(0.0)).collect();
        let partition = Partition::learn(&[0; 4000], &clamped, 16);
        assert_ne!(partition.cell(0, 0.0), partition.cell(0, 0.5));
        assert_ne!(partition.cell(0, 0.0), partition.cell(0, -0.5));
    }

    #[test]
    fn tails_are_cut_finely() {
        let numbers: Vec<f64> = (0..65_536).map(f64::from).collect();
        let partition = Partition::learn(&[0; 65_536], &numbers, 64);
        assert_eq!(partition.cell(0, 7.0), 0);
        assert!(partition.cell(0, 9.0) > 0);
    }
}
