//! Mechanisms for order statistics that look at the data at hand.

use super::{Calibration, Noises};
use crate::config::noise::AtHand;
use crate::plan::answered::{Answered, AnsweredQuery};
use epsweep_core::budget::Budget;
use epsweep_core::noise::smooth::{SmoothNoise, order_statistic};
use epsweep_core::noise::{Noise, exponential_quantile};
use epsweep_core::query::OrderStatistic;
use epsweep_core::selection::utility::rank_sensitivity;
use epsweep_core::sensitivity::Neighbours;
use std::sync::Arc;

impl Calibration<'_> {
    /// The noise of an order statistic.
    pub(super) fn at_hand(
        &self,
        mechanism: AtHand,
        answered: &Answered,
        query: &AnsweredQuery,
        part: Budget,
    ) -> Option<Noises> {
        let name = &query.spec.name;
        let noise_name = self.release.noise.about().name;
        let refuse = |message: String, rule: &str, remedy: &str| {
            (self.sink.fault(self.release.noise_span, message))
                .rule(rule)
                .remedy(remedy)
                .report();
        };
        let asked = &query.spec.definition.query;
        let Some(order) = asked.order_statistic(answered.table.rows()) else {
            let kind = asked.about().name;
            refuse(
                format!("query `{name}`: {noise_name} noise is not known for `{kind}`"),
                "it is for max, min, median and quantile",
                "noise = \"laplace\" takes the global sensitivity of any query",
            );
            return None;
        };
        let smooth = matches!(mechanism, AtHand::Smooth(_));
        if smooth && answered.neighbours != Neighbours::Substitute {
            refuse(
                format!("query `{name}`: {noise_name} noise needs the relation `substitute`"),
                "the smooth sensitivity is over data sets with the same number of records",
                "neighbours = \"substitute\"",
            );
            return None;
        }
        let made = match mechanism {
            AtHand::Smooth(noise) => smooth_noise(noise, answered, query, order, part),
            AtHand::ExponentialQuantile => chosen(answered, query, order, part),
        };
        match made {
            Ok((noise, size)) => {
                self.in_range(name, noise.scale())?;
                Some(Noises {
                    noises: vec![Arc::from(noise)],
                    at_hand: Some(size),
                })
            }
            Err(error) => {
                self.sink
                    .fault(self.budget.span, format!("query `{name}`: {error}"))
                    .report();
                None
            }
        }
    }
}

/// Noise, and what it is scaled to.
type Made = Result<(Box<dyn Noise>, f64), Box<dyn std::error::Error>>;

fn smooth_noise(
    noise: SmoothNoise,
    answered: &Answered,
    query: &AnsweredQuery,
    order: OrderStatistic,
    part: Budget,
) -> Made {
    let column = &query.spec.definition.query.columns()[0];
    let (values, bounds) = answered.table.column(column)?.bounded()?;
    let beta = noise.beta(part)?;
    let smooth = order_statistic(values, order.rank, bounds, beta)?;
    Ok((noise.calibrate(smooth, beta, part)?, smooth))
}

fn chosen(answered: &Answered, query: &AnsweredQuery, order: OrderStatistic, part: Budget) -> Made {
    let Budget::Pure(epsilon) = part else {
        return Err(format!("a choice by rank spends a pure ε, not {part}").into());
    };
    let column = &query.spec.definition.query.columns()[0];
    let (values, bounds) = answered.table.column(column)?.bounded()?;
    let place = (order.fraction, order.rank);
    let noise = exponential_quantile(values, place, bounds, answered.neighbours, epsilon)?;
    Ok((noise, rank_sensitivity(order.fraction, answered.neighbours)))
}
