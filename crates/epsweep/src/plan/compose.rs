//! The cells of a composition: releases, who counts them, and within what.

use super::cells::{Known, Place, Resolver};
use crate::config::compose::{self, ComposeBudget, ComposeSpec};
use crate::config::procedure::Chosen;
use crate::record::{ResolvedCell, ResolvedCompose, ResolvedReleases, number};
use crate::study::StudyCell;
use crate::study::compose::{ComposeCell, Within};
use epsweep_core::accounting::Release;
use std::sync::Arc;

impl Resolver<'_> {
    /// A cell of a composition.
    pub(super) fn compose(
        &self,
        place: Place<'_>,
        chosen: Option<&Chosen<'_>>,
        known: &mut Known,
    ) -> Option<(StudyCell, ResolvedCell)> {
        let spec = chosen.and_then(|chosen| compose::read(chosen, self.sink));
        let budget = self.section(place.tree, "budget");
        let budget = budget.and_then(|given| compose::read_budget(given, self.sink));
        for (name, message) in [
            ("query", "a composition answers no queries"),
            ("data", "a composition looks at no data"),
        ] {
            let section = place.tree.as_table().and_then(|table| table.get(name));
            if let Some(section) = section {
                (self.sink.fault(section.span, message))
                    .remedy(format!("leave `{name}` out, or use [procedure.release]"))
                    .report();
            }
        }
        let (spec, budget) = (spec?, budget?);
        let cell = cell(&spec, &budget, place.id, known)?;
        let resolved = ResolvedCell {
            id: cell.id.clone(),
            labels: place.labels,
            data: 0,
            guarantee: match budget.epsilon {
                None => format!("δ = {}", number(budget.delta)),
                Some(epsilon) => {
                    format!("ε = {}, δ = {}", number(epsilon), number(budget.delta))
                }
            },
            total: budget.epsilon.unwrap_or(0.0),
            composition: spec.accountant.about().name.to_owned(),
            divided: String::new(),
            noise: String::new(),
            allocation: String::new(),
            joint: None,
            oracle: false,
            queries: Vec::new(),
            compose: Some(Box::new(ResolvedCompose {
                accountant: spec.accountant.about().name.to_owned(),
                delta: budget.delta,
                within: budget.epsilon,
                releases: (cell.releases.iter())
                    .map(|release| ResolvedReleases {
                        mechanism: release.mechanism().to_string(),
                        count: release.count(),
                    })
                    .collect(),
            })),
            ..ResolvedCell::default()
        };
        Some((StudyCell::Compose(Box::new(cell)), resolved))
    }
}

fn cell(
    spec: &ComposeSpec,
    budget: &ComposeBudget,
    id: String,
    known: &mut Known,
) -> Option<ComposeCell> {
    let ComposeSpec {
        accountant,
        releases,
        times,
        ..
    } = spec;
    // the counts were checked together
    let many: Option<Vec<Release>> = (releases.iter())
        .map(|release| Release::repeated(release.mechanism(), release.count() * times).ok())
        .collect();
    let within = budget.epsilon.map(|epsilon| {
        let name = accountant.about().name;
        let key = format!("{name} {releases:?} {epsilon:?} {:?}", budget.delta);
        let new = || Within::new(*accountant, releases.clone(), epsilon, budget.delta);
        known
            .within
            .entry(key)
            .or_insert_with(|| Arc::new(new()))
            .clone()
    });
    Some(ComposeCell::new(
        id,
        *accountant,
        many?,
        budget.delta,
        within,
    ))
}
