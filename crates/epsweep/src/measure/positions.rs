//! What is measured of a stream whose values a policy releases: of groups of positions, or of all.

use super::{Measure, PositionRule, Rule};
use crate::study::stream::{Group, PolicyCell, Quantity};
use epsweep_core::about::About;

/// A measure of a stream.
#[derive(Debug)]
pub struct OfPositions {
    about: &'static About,
    quantities: fn(&PolicyCell) -> Vec<(String, Quantity)>,
    /// whether less is better, so that cells are compared by it
    compared: bool,
}

impl Measure for OfPositions {
    fn about(&self) -> &'static About {
        self.about
    }

    fn rule(&self) -> Rule {
        Rule::Positions(PositionRule {
            quantities: self.quantities,
        })
    }

    fn compared(&self) -> bool {
        self.compared
    }
}

/// Of each group; a single one is the whole.
fn each(cell: &PolicyCell, of: fn(Group) -> Quantity) -> Vec<(String, Quantity)> {
    (cell.groups.iter())
        .filter(|_| cell.groups.len() > 1)
        .map(|group| (group.name(), of(*group)))
        .collect()
}

fn whole(quantity: Quantity) -> (String, Quantity) {
    ("all".to_owned(), quantity)
}

/// `stream_error`
pub static STREAM_ERROR: OfPositions = OfPositions {
    about: &About {
        name: "stream_error",
        summary: "mean absolute error of what stands for the answers, over a group of positions or all: a release, or the last one before it",
        formula: "(1/n)·Σᵢ |rᵢ − cᵢ|",
        source: "definition",
    },
    quantities: |cell| {
        let mut all = each(cell, Quantity::Error);
        all.push(whole(Quantity::Error(cell.whole())));
        all
    },
    compared: true,
};

/// `spent_so_far`
pub static SPENT_SO_FAR: OfPositions = OfPositions {
    about: &About {
        name: "spent_so_far",
        summary: "what the odometer of a trial shows at the end of a group of positions (under a window: of what lies in it)",
        formula: "Σ εⱼ, Σ ρⱼ, Σ εⱼ(α), or the total of the approximate filter",
        source: "Rogers, Roth, Ullman, Vadhan, NeurIPS 2016; Whitehouse, Ramdas, Rogers, Wu, ICML 2023",
    },
    quantities: |cell| each(cell, Quantity::Spent),
    compared: false,
};

/// `refused`
pub static REFUSED: OfPositions = OfPositions {
    about: &About {
        name: "refused",
        summary: "requests of the policy that the filter refused: the last release stands",
        formula: "#{requests refused}",
        source: "definition",
    },
    quantities: |_| vec![whole(Quantity::Refused)],
    compared: false,
};

/// `misjudged`
pub static MISJUDGED: OfPositions = OfPositions {
    about: &About {
        name: "misjudged",
        summary: "positions where what stands for the answer is on another side of the threshold than the answer",
        formula: "#{i: (rᵢ > T) ≠ (cᵢ > T)}",
        source: "definition",
    },
    quantities: |cell| match cell.terms.threshold() {
        Some(_) => vec![whole(Quantity::Misjudged)],
        None => Vec::new(),
    },
    compared: true,
};
