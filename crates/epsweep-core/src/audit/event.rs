//! The best distinguishing event, found on runs that are used for nothing else.

use super::Reading;
use crate::statistics::{StatisticsError, proportion_interval};

/// An event: a set of cells of a partition.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// whether each cell belongs to it
    pub cells: Vec<bool>,
    /// the input on which it is likelier: 0 or 1
    pub likelier: usize,
    /// what it seems to show, on the runs that it was chosen on: flattered by the choice, and good for comparing choices alone
    pub promise: f64,
}

impl Event {
    /// How often it happened: on the input where it is likelier, and on the other.
    pub fn hits(&self, counts: [&[u64]; 2]) -> [u64; 2] {
        let of = |input: usize| {
            (counts[input].iter().zip(&self.cells))
                .filter(|(_, inside)| **inside)
                .map(|(count, _)| count)
                .sum()
        };
        [of(self.likelier), of(1 - self.likelier)]
    }
}

/// How often each cell was hit in a number of runs on each of two inputs.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a> {
    /// of each cell, on both inputs
    pub hits: [&'a [u64]; 2],
    /// runs on each input
    pub runs: u64,
}

/// The event that promises most.
///
/// By the Neyman–Pearson lemma the best events are the sets of all cells whose likelihood ratio exceeds a number. So cells are put in the
/// order of their ratios, as estimated on the runs `order`, in both directions, and the prefix is taken whose bounds at this confidence
/// show most on the runs `choose`. (Bichsel et al., S&P 2021, train a classifier for the same purpose.) Runs of their own
/// for either step keep luck out: where all ratios are alike, those that sort first are the luckiest, and would promise more than they
/// can keep. Where the ratio rises or falls with the number, the best events are half-lines, which need no estimate: they are tried, too.
///
/// # Errors
/// [`StatisticsError`] without a run, or for a confidence outside (0, 1)
pub fn best(
    reading: &dyn Reading,
    order: Counts,
    choose: Counts,
    confidence: f64,
) -> Result<Event, StatisticsError> {
    let cells = order.hits[0].len();
    let mut best = Event {
        cells: vec![false; cells],
        likelier: 0,
        promise: 0.0,
    };
    for likelier in [0, 1] {
        let sides = |counts: Counts<'_>, cell: usize| {
            let [a, b] = counts.hits;
            [a, b].map(|hits| hits[cell])
        };
        let (first, second) = (likelier, 1 - likelier);
        let seen = || (0..cells).filter(|&cell| sides(order, cell) != [0, 0]);
        // one imagined hit on each side: a cell that was never hit on the other is no infinite ratio
        let ratio = |cell: usize| {
            let hits = sides(order, cell);
            (hits[first] + 1) as f64 / (hits[second] + 1) as f64
        };
        let mut ranked: Vec<usize> = seen().collect();
        ranked.sort_by(|&a, &b| ratio(b).total_cmp(&ratio(a)).then(a.cmp(&b)));
        for order in [seen().collect::<Vec<_>>(), seen().rev().collect(), ranked] {
            let (mut hits, mut others) = (0, 0);
            let mut taken = None;
            for (place, &cell) in order.iter().enumerate() {
                hits += choose.hits[first][cell];
                others += choose.hits[second][cell];
                let p = proportion_interval(hits, choose.runs, confidence)?.low;
                let q = proportion_interval(others, choose.runs, confidence)?.high;
                let promise = reading.least(p, q);
                if promise > best.promise {
                    best.promise = promise;
                    taken = Some(place);
                }
            }
            if let Some(last) = taken {
                best.likelier = likelier;
                best.cells.fill(false);
                for &cell in &order[..=last] {
                    best.cells[cell] = true;
                }
            }
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::reading::stated_by;

    fn found(order: [&[u64]; 2], choose: [&[u64]; 2]) -> Event {
        let reading = stated_by(&["epsilon"]).unwrap().of(&[1.0]).unwrap();
        let of = |hits| Counts { hits, runs: 10_000 };
        best(reading.as_ref(), of(order), of(choose), 0.95).unwrap()
    }

    #[test]
    fn cells_of_equal_loss_are_taken_together_and_lucky_ones_do_not_mislead() {
        // e = 2.718: the first two have that ratio; the third had a ratio of 12 by luck, and has one of 1
        let (first, second) = ([2718, 2700, 25, 4557], [1000, 1003, 1, 7996]);
        let (third, fourth) = ([2718, 2700, 12, 4570], [1000, 1003, 12, 7985]);
        let event = found([&first, &second], [&third, &fourth]);
        assert_eq!(
            (event.likelier, event.cells.as_slice()),
            (0, &[true, true, false, false][..])
        );
        assert_eq!(event.hits([&third, &fourth]), [5418, 2003]);
        // the other way round
        let event = found([&second, &first], [&fourth, &third]);
        assert_eq!(
            (event.likelier, event.hits([&fourth, &third])),
            (1, [5418, 2003])
        );
        // the complement is better where it is the rarer one
        let event = found([&[9000, 1000], &[9990, 10]], [&[9000, 1000], &[9990, 10]]);
        assert_eq!((event.likelier, event.cells), (0, vec![false, true]));
    }

    #[test]
    fn what_is_alike_promises_nothing() {
        let alike: [&[u64]; 2] = [&[500, 500], &[500, 500]];
        let event = found(alike, alike);
        assert_eq!((event.promise, event.cells), (0.0, vec![false, false]));
    }
}
