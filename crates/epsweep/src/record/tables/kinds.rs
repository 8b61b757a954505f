//! The kinds of rows: their columns, in order.

use super::read::Fields;
use super::{Axes, Table};
use crate::record::columns::{Column, count, real, text};
use crate::record::{ClaimRow, ComparisonRow, HistogramRow, SummaryRow, number, optional};
use std::sync::Arc;

impl Table for SummaryRow {
    const BEFORE: &'static [Column] = &[text(
        "cell",
        "canonical text of the cell, `-` where there is no axis",
    )];
    const AFTER: &'static [Column] = &[
        text(
            "subject",
            "what the measure is of: a query, a candidate, or `all`",
        ),
        text("measure", "the measure"),
        text(
            "statistic",
            "statistic over trials: mean, sd, min, q01, q05, q25, median, q75, q95, q99, max",
        ),
        real("value", "the estimate, in the unit of the measure"),
        real(
            "mcse",
            "its Monte Carlo standard error; none of min and max",
        ),
        real("low", "lower end of its interval"),
        real("high", "upper end of its interval"),
        real("exact", "the same statistic from theory, where known"),
        real("z", "(value − exact) / mcse"),
        count("trials", "trials that entered"),
        text(
            "method",
            "how the estimate was made: moments, histogram, exact, observed, constant, theory",
        ),
    ];
    const AXES: Axes = Axes::All;

    fn axes(&self) -> &[String] {
        &self.axes
    }

    fn fields(&self) -> Vec<String> {
        vec![
            self.cell.to_string(),
            self.subject.to_string(),
            self.measure.to_string(),
            self.statistic.to_string(),
            number(self.value),
            optional(self.mcse),
            optional(self.low),
            optional(self.high),
            optional(self.exact),
            optional(self.z),
            self.trials.to_string(),
            self.method.to_string(),
        ]
    }

    fn parse(axes: &Arc<[String]>, f: &mut Fields) -> Result<Self, String> {
        Ok(SummaryRow {
            axes: Arc::clone(axes),
            cell: f.name(),
            subject: f.name(),
            measure: f.name(),
            statistic: f.name(),
            value: f.real()?,
            mcse: f.optional()?,
            low: f.optional()?,
            high: f.optional()?,
            exact: f.optional()?,
            z: f.optional()?,
            trials: f.count()?,
            method: f.name(),
        })
    }
}

impl Table for ComparisonRow {
    const BEFORE: &'static [Column] = &[];
    const AFTER: &'static [Column] = &[
        text(
            "subject",
            "what the measure is of: a query, a candidate, or `all`",
        ),
        text("measure", "the measure"),
        text(
            "a",
            "the first cell: its label on the compared axis, or `axis=label` of each axis that differs",
        ),
        text("b", "the second, the baseline"),
        real(
            "difference",
            "mean over the paired trials of a − b, in the unit of the measure",
        ),
        real("mcse", "its Monte Carlo standard error"),
        real("low", "lower end of its interval"),
        real("high", "upper end of its interval"),
        real(
            "p_adjusted",
            "p value of “no difference”, adjusted by Holm's rule",
        ),
        count("win", "trials in which a is lower"),
        count("tie", "trials in which they are equal"),
        count("loss", "trials in which a is higher"),
        count("trials", "trials that entered"),
    ];
    const AXES: Axes = Axes::ButCompared;

    fn axes(&self) -> &[String] {
        &self.axes
    }

    fn fields(&self) -> Vec<String> {
        vec![
            self.subject.clone(),
            self.measure.clone(),
            self.a.clone(),
            self.b.clone(),
            number(self.difference),
            number(self.mcse),
            number(self.low),
            number(self.high),
            number(self.p_adjusted),
            self.win.to_string(),
            self.tie.to_string(),
            self.loss.to_string(),
            self.trials.to_string(),
        ]
    }

    fn parse(axes: &Arc<[String]>, f: &mut Fields) -> Result<Self, String> {
        Ok(ComparisonRow {
            axes: axes.to_vec(),
            subject: f.text(),
            measure: f.text(),
            a: f.text(),
            b: f.text(),
            difference: f.real()?,
            mcse: f.real()?,
            low: f.real()?,
            high: f.real()?,
            p_adjusted: f.real()?,
            win: f.count()?,
            tie: f.count()?,
            loss: f.count()?,
            trials: f.count()?,
        })
    }
}

impl Table for ClaimRow {
    const BEFORE: &'static [Column] = &[];
    const AFTER: &'static [Column] = &[
        text("claim", "the statement's number in its source"),
        text(
            "kind",
            "value, exact, ratio, order, best_on_axis, equal_across, win, probability",
        ),
        text("statistic", "what was compared, in words"),
        text("claimed", "what the source says"),
        text("value", "what the run says: a number, or a name"),
        real("low", "lower end of its interval"),
        real("high", "upper end of its interval"),
        real("exact", "what theory says"),
        text("verdict", "the run's verdict: holds, refuted, undecided"),
        text("expected", "the established verdict"),
        text("text", "the statement in plain words"),
        text(
            "note",
            "where undecided: about how many trials would decide",
        ),
    ];
    const AXES: Axes = Axes::None;

    fn axes(&self) -> &[String] {
        &[]
    }

    fn fields(&self) -> Vec<String> {
        vec![
            self.claim.clone(),
            self.kind.clone(),
            self.statistic.clone(),
            self.claimed.clone(),
            self.value.clone(),
            optional(self.low),
            optional(self.high),
            optional(self.exact),
            self.verdict.to_string(),
            self.expected.to_string(),
            self.text.clone(),
            self.note.clone(),
        ]
    }

    fn parse(_: &Arc<[String]>, f: &mut Fields) -> Result<Self, String> {
        Ok(ClaimRow {
            claim: f.text(),
            kind: f.text(),
            statistic: f.text(),
            claimed: f.text(),
            value: f.text(),
            low: f.optional()?,
            high: f.optional()?,
            exact: f.optional()?,
            verdict: f.verdict()?,
            expected: f.verdict()?,
            text: f.text(),
            note: f.text(),
        })
    }
}

impl Table for HistogramRow {
    const BEFORE: &'static [Column] = &[text(
        "cell",
        "canonical text of the cell, `-` where there is no axis",
    )];
    const AFTER: &'static [Column] = &[
        text(
            "subject",
            "what the measure is of: a query, a candidate, or `all`",
        ),
        text("measure", "the measure"),
        real(
            "low",
            "lower edge, which belongs to the bin, in the unit of the measure",
        ),
        real(
            "high",
            "upper edge, which belongs to the next bin; equal to `low` for an atom",
        ),
        count("count", "trials in the bin"),
        real("exact", "exact probability of the bin, where known"),
    ];
    const AXES: Axes = Axes::All;

    fn axes(&self) -> &[String] {
        &self.axes
    }

    fn fields(&self) -> Vec<String> {
        vec![
            self.cell.clone(),
            self.subject.clone(),
            self.measure.clone(),
            number(self.low),
            number(self.high),
            self.count.to_string(),
            optional(self.exact),
        ]
    }

    fn parse(axes: &Arc<[String]>, f: &mut Fields) -> Result<Self, String> {
        Ok(HistogramRow {
            axes: axes.to_vec(),
            cell: f.text(),
            subject: f.text(),
            measure: f.text(),
            low: f.real()?,
            high: f.real()?,
            count: f.count()?,
            exact: f.optional()?,
        })
    }
}
