//! What a gate does on a stream, exactly: how many answers it gives, which, and what is right about them.
//!
//! Position after position, the probabilities of every number of positive answers so far are carried forward at each node of the threshold's
//! noise; where the threshold is drawn anew, what has just been answered positively is spread over the nodes again. With them go the
//! first two moments of the number of true positives among the positive answers.

use super::nodes::{Node, nodes, sides};
use super::{Calibrated, Queries, StreamError};

/// Steps that an exact law may take.
const MOST_STEPS: f64 = 1e9;

/// Of the outputs with a given number of positive answers: their probability, and the moments of how many of these answers are right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counted {
    /// P(so many positive answers)
    pub probability: f64,
    /// E[true positives; so many positive answers]
    pub hits: f64,
    /// E[(true positives)²; so many positive answers]
    pub squared_hits: f64,
}

impl Counted {
    fn add(&mut self, other: Counted, factor: f64) {
        self.probability += factor * other.probability;
        self.hits += factor * other.hits;
        self.squared_hits += factor * other.squared_hits;
    }

    fn scaled(self, factor: f64) -> Counted {
        let mut out = Counted::default();
        out.add(self, factor);
        out
    }

    /// One more true positive in each of these outputs.
    fn hit(self) -> Counted {
        Counted {
            probability: self.probability,
            hits: self.hits + self.probability,
            squared_hits: self.squared_hits + 2.0 * self.hits + self.probability,
        }
    }
}

/// The exact law of what a gate does on a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamLaw {
    counted: Vec<Counted>,
    answered: Vec<f64>,
    above: Vec<f64>,
    positives: usize,
}

impl StreamLaw {
    /// Of this gate on these queries.
    ///
    /// # Errors
    /// [`StreamError::LawTooDear`] where it takes too many steps: about nodes·n·c of them, with some hundred to some thousand nodes
    pub fn new(gate: &Calibrated, queries: &Queries) -> Result<StreamLaw, StreamError> {
        let nodes = nodes(gate.threshold_scale, gate.query_scale, queries.gaps());
        let most = gate.most(queries.len());
        let steps = nodes.len() as f64 * queries.len() as f64 * (most as f64 + 4.0);
        if steps > MOST_STEPS {
            return Err(StreamError::LawTooDear {
                steps,
                limit: MOST_STEPS,
            });
        }
        Ok(carry(gate, queries, &nodes, most))
    }

    /// By the number of positive answers, from 0 to the most that there can be.
    pub fn counted(&self) -> &[Counted] {
        &self.counted
    }

    /// P(k positive answers), for k from 0.
    pub fn above_law(&self) -> Vec<(f64, f64)> {
        self.law_of(|above| above as f64)
    }

    /// The law of a function of the number of positive answers, as values with their probabilities.
    pub fn law_of(&self, value: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
        (self.counted.iter().enumerate())
            .map(|(above, counted)| (value(above), counted.probability))
            .collect()
    }

    /// P(exactly i + 1 queries are answered before the gate closes or the stream ends), as values with their probabilities.
    pub fn answered_law(&self) -> Vec<(f64, f64)> {
        (self.answered.iter().enumerate())
            .map(|(place, probability)| ((place + 1) as f64, *probability))
            .collect()
    }

    /// P(the query at each place is answered positively).
    pub fn above(&self) -> &[f64] {
        &self.above
    }

    /// E[number of positive answers].
    pub fn expected_above(&self) -> f64 {
        expected(&self.above_law())
    }

    /// E[number of queries that are answered].
    pub fn expected_answered(&self) -> f64 {
        expected(&self.answered_law())
    }

    /// Mean and standard deviation of a + b·H over the outputs for which `part` gives (a, b), H being the number of true positives; `None` if there
    /// are none of these. `part` is given the number of positive answers.
    pub fn moments(&self, part: impl Fn(usize) -> Option<(f64, f64)>) -> Option<(f64, f64)> {
        let parts: Vec<(f64, f64, Counted)> = (self.counted.iter().enumerate())
            .filter_map(|(above, counted)| part(above).map(|(a, b)| (a, b, *counted)))
            .collect();
        let total: f64 = parts.iter().map(|(_, _, c)| c.probability).sum();
        if !(total > 0.0) {
            return None;
        }
        let mean = (parts.iter())
            .map(|(a, b, c)| a * c.probability + b * c.hits)
            .sum::<f64>()
            / total;
        // about the mean, so that little cancels
        let variance = (parts.iter())
            .map(|(a, b, c)| {
                let a = a - mean;
                a * a * c.probability + 2.0 * a * b * c.hits + b * b * c.squared_hits
            })
            .sum::<f64>()
            / total;
        Some((mean, variance.max(0.0).sqrt()))
    }

    /// How many queries are truly at or above their thresholds.
    pub fn positives(&self) -> usize {
        self.positives
    }
}

fn expected(law: &[(f64, f64)]) -> f64 {
    law.iter()
        .map(|(value, probability)| value * probability)
        .sum()
}

fn carry(gate: &Calibrated, queries: &Queries, nodes: &[Node], most: usize) -> StreamLaw {
    // outputs that are still open, by node and number of positive answers
    let stop = gate.limit.unwrap_or(usize::MAX);
    let room = most + 1;
    let mut open = vec![Counted::default(); nodes.len() * room];
    for (node, states) in nodes.iter().zip(open.chunks_exact_mut(room)) {
        states[0].probability = node.weight;
    }
    let mut closed = Counted::default();
    let mut answered = vec![0.0; queries.len()];
    let mut above = vec![0.0; queries.len()];
    let mut risen = vec![Counted::default(); room + 1];
    for (place, gap) in queries.gaps().iter().enumerate() {
        let hit = queries.is_above(place);
        // how many positive answers there can be by now
        let reached = place.min(most.min(stop - 1));
        risen.fill(Counted::default());
        for (node, states) in nodes.iter().zip(open.chunks_exact_mut(room)) {
            let [yes, no] = sides(gate.query_scale, node.noise - gap);
            for count in (0..=reached).rev() {
                let state = states[count];
                let said = if hit { state.hit() } else { state }.scaled(yes);
                states[count] = state.scaled(no);
                above[place] += said.probability;
                if count + 1 == stop {
                    closed.add(said, 1.0);
                    answered[place] += said.probability;
                } else if gate.redrawn {
                    risen[count + 1].add(said, 1.0);
                } else {
                    states[count + 1].add(said, 1.0);
                }
            }
        }
        if gate.redrawn {
            for (node, states) in nodes.iter().zip(open.chunks_exact_mut(room)) {
                for (state, risen) in states.iter_mut().zip(&risen) {
                    state.add(*risen, node.weight);
                }
            }
        }
    }
    let mut counted = vec![Counted::default(); room];
    for states in open.chunks_exact(room) {
        for (count, state) in counted.iter_mut().zip(states) {
            count.add(*state, 1.0);
        }
    }
    let left: f64 = counted.iter().map(|counted| counted.probability).sum();
    if let Some(last) = answered.last_mut() {
        *last += left;
    }
    if most == stop {
        counted[most].add(closed, 1.0);
    }
    StreamLaw {
        counted,
        answered,
        above,
        positives: queries.positives(),
    }
}
