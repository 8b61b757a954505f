//! Each statistic of an outcome: its value, its error, its interval, and how far it is from theory.

use super::levels::{ForTrials, Levels, QUANTILES};
use crate::tally::OutcomeTally;
use epsweep_core::statistics::{
    Interval, OrderRanks, StatisticsError, proportion_interval, proportion_sd_interval,
    quantile_mcse, sd_interval,
};

/// Values that must lie on either side of a quantile before its error is near enough to normal for a z.
const Z_VALUES: f64 = 10.0;

/// What a statistic yields.
#[derive(Default)]
pub(super) struct Estimate {
    pub value: f64,
    pub mcse: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub exact: Option<f64>,
    pub z: Option<f64>,
    pub method: &'static str,
}

impl Estimate {
    fn between(&mut self, interval: Interval) {
        // an end at infinity says "unbounded" and is left empty
        self.low = Some(interval.low).filter(|x| x.is_finite());
        self.high = Some(interval.high).filter(|x| x.is_finite());
    }
}

/// (value − exact)/error; 0 if the two agree up to the rounding of what is computed, 1e-12. Where there is no error, a difference of 1e-12 is no
/// more (a mean of flags that is 1 in every trial and 1 − 1e-15 in theory), and any other is infinite.
fn z(value: f64, exact: Option<f64>, error: f64) -> Option<f64> {
    let exact = exact?;
    let difference = value - exact;
    let rounding = if error > 0.0 {
        exact.abs()
    } else {
        1.0 + exact.abs()
    };
    if difference.abs() <= 1e-12 * rounding {
        return Some(0.0);
    }
    Some(difference / error).filter(|z| !z.is_nan())
}

pub(super) fn constant(outcome: &OutcomeTally, statistic: &str) -> Estimate {
    let value = if statistic == "sd" { 0.0 } else { outcome.min };
    let law = outcome.law.as_ref();
    // a law without spread has its mean as every quantile
    let exact = match statistic {
        "sd" => law.and_then(|l| l.sd()),
        "mean" => law.and_then(|l| l.mean()),
        _ => law.filter(|l| l.sd() == Some(0.0)).and_then(|l| l.mean()),
    };
    let extreme = matches!(statistic, "min" | "max");
    Estimate {
        value,
        mcse: (!extreme).then_some(0.0),
        low: (!extreme).then_some(value),
        high: (!extreme).then_some(value),
        exact: exact.filter(|_| !extreme),
        z: z(value, exact, 0.0).filter(|_| !extreme),
        method: "constant",
    }
}

/// A statistic of values that happen to agree: its error is not 0, but not known either. The mean has a z where a law tells its error.
pub(super) fn alike(outcome: &OutcomeTally, statistic: &str) -> Estimate {
    let law = outcome.law.as_ref();
    let value = if statistic == "sd" { 0.0 } else { outcome.min };
    let exact = match statistic {
        "mean" => law.and_then(|law| law.mean()),
        "sd" => law.and_then(|law| law.sd()),
        _ => (QUANTILES.iter().find(|(name, _)| *name == statistic))
            .and_then(|(_, p)| law.and_then(|law| law.quantile(*p))),
    };
    let error = (law.and_then(|law| law.sd())).map(|sd| sd / (outcome.moments.n as f64).sqrt());
    Estimate {
        value,
        exact,
        z: error.and_then(|error| z(value, exact, error).filter(|_| statistic == "mean")),
        method: "observed",
        ..Estimate::default()
    }
}

pub(super) fn proportion(
    outcome: &OutcomeTally,
    levels: &Levels,
) -> Result<Estimate, StatisticsError> {
    let (ones, trials) = ones(outcome);
    let n = trials as f64;
    let value = ones as f64 / n;
    let exact = outcome.law.as_ref().and_then(|law| law.mean());
    let error = |p: f64| (p * (1.0 - p) / n).sqrt();
    let mut e = Estimate {
        value,
        mcse: Some(error(value)),
        exact,
        z: exact.and_then(|p| z(value, Some(p), error(p))),
        method: "moments",
        ..Estimate::default()
    };
    e.between(proportion_interval(ones, trials, levels.level)?);
    Ok(e)
}

/// How many flags are set, and of how many.
fn ones(outcome: &OutcomeTally) -> (u64, u64) {
    let ones = outcome.histogram.bins().iter().filter(|b| b.low == 1.0);
    (ones.map(|b| b.count).sum(), outcome.moments.n)
}

/// The standard deviation of flags: its interval is that of their probability, mapped; its error is normal, and there is a z, only where the
/// probability is far from ½ for so many trials.
pub(super) fn sd_of_flags(
    outcome: &OutcomeTally,
    levels: &Levels,
) -> Result<Estimate, StatisticsError> {
    let (ones, trials) = ones(outcome);
    let mut e = sd(outcome, levels)?;
    if outcome.min == outcome.max {
        // flags that happen to agree: that their spread is 0 has an error, which is not known
        (e.mcse, e.low, e.high, e.z) = (None, None, None, None);
        return Ok(e);
    }
    let n = trials as f64;
    let from_half = (1.0 - 2.0 * ones as f64 / n).abs() * n.sqrt();
    e.z = e.z.filter(|_| from_half >= NORMAL_FROM_HALF);
    e.between(proportion_sd_interval(ones, trials, levels.level)?);
    Ok(e)
}

pub(super) fn mean(outcome: &OutcomeTally, for_trials: &ForTrials) -> Estimate {
    let value = outcome.moments.mean;
    let mcse = outcome.moments.mcse_mean();
    let exact = outcome.law.as_ref().and_then(|law| law.mean());
    let mut e = Estimate {
        value,
        exact,
        method: "moments",
        ..Estimate::default()
    };
    if mcse.is_finite() {
        e.mcse = Some(mcse);
        e.z = z(value, exact, mcse);
        e.between(Interval::around(value, for_trials.t * mcse));
    }
    e
}

pub(super) fn sd(outcome: &OutcomeTally, levels: &Levels) -> Result<Estimate, StatisticsError> {
    let value = outcome.moments.sd();
    let mcse = outcome.moments.mcse_sd();
    let exact = outcome.law.as_ref().and_then(|law| law.sd());
    let mut e = Estimate {
        value,
        exact,
        method: "moments",
        ..Estimate::default()
    };
    // the fourth powers may have left the range of a double, or come from so few values that they are what the second ones are: then there is an
    // estimate without an error
    if mcse.is_finite() && (outcome.moments.n > 3 || value == 0.0) {
        e.mcse = Some(mcse);
        e.z = z(value, exact, mcse);
        e.between(sd_interval(value, mcse, levels.level)?);
    }
    Ok(e)
}

pub(super) fn observed(value: f64) -> Estimate {
    Estimate {
        value,
        method: "observed",
        ..Estimate::default()
    }
}

/// A quantile; `shared` where many trials have the same value there, as far as histogram or experiment tell.
pub(super) fn quantile(
    outcome: &OutcomeTally,
    p: f64,
    ranks: OrderRanks,
    shared: bool,
) -> Estimate {
    let histogram = &outcome.histogram;
    let n = histogram.total();
    let order = outcome.order.as_ref();
    let known = order.and_then(|order| order.quantile(p));
    let value = known.unwrap_or_else(|| histogram.quantile(p));
    let sampling = quantile_mcse(n, p, histogram.density_at_rank(p));
    // values that many share may all be at one place of a bin
    let reading = match known {
        Some(_) => 0.0,
        None if shared => bin_width(outcome, value),
        None => reading_error(outcome, value),
    };
    let mcse = (sampling * sampling + reading * reading).sqrt();
    let law = outcome.law.as_ref();
    let exact = law.and_then(|law| law.quantile(p));
    let smooth = exact.is_some_and(|q| law.and_then(|l| l.density(q)).is_some_and(|f| f > 0.0));
    let mut e = Estimate {
        value,
        exact,
        method: if known.is_some() {
            "exact"
        } else {
            "histogram"
        },
        ..Estimate::default()
    };
    if mcse.is_finite() && n > 1 {
        e.mcse = Some(mcse);
        let normal = n as f64 * p.min(1.0 - p) >= Z_VALUES;
        e.z = z(value, exact, mcse).filter(|_| smooth && normal && mcse > 0.0);
    }
    // so that the interval takes in the whole of it
    let atoms = exact.is_some() && !smooth;
    let reading = match known {
        None if atoms => bin_width(outcome, value).max(reading),
        _ => reading,
    };
    // ranks are counted from 1 in the interval, from 0 elsewhere
    let at = |rank: u64, off: f64| match order.and_then(|order| order.get(rank - 1)) {
        Some(value) => value,
        None => histogram.order_statistic(rank - 1) + off,
    };
    if ranks.lower >= 1 {
        e.low = Some(at(ranks.lower, -reading));
    }
    if ranks.upper <= n {
        e.high = Some(at(ranks.upper, reading));
    }
    e
}

/// Width of the bin that a value lies in.
fn bin_width(outcome: &OutcomeTally, value: f64) -> f64 {
    let bins = outcome.histogram.bins();
    let index = bins.partition_point(|b| b.high < value);
    bins.get(index).map_or(0.0, |bin| bin.high - bin.low)
}

/// √n·|1 − 2p| from which on the standard deviation of n flags has a normal error: what is quadratic in p is a twentieth of what is linear.
const NORMAL_FROM_HALF: f64 = 10.0;

/// How far a value read by a straight line inside its bin can be off: |f′|·w²/(8f) for a bin of width w and a density f with slope
/// f′, which the neighbouring bins tell. It shows only beyond some 10⁸ trials.
fn reading_error(outcome: &OutcomeTally, value: f64) -> f64 {
    let bins = outcome.histogram.bins();
    let index = bins.partition_point(|b| b.high < value);
    let Some(bin) = bins.get(index) else {
        return 0.0;
    };
    let width = bin.high - bin.low;
    if !(width > 0.0) {
        return 0.0;
    }
    let density = |i: usize| {
        let b = bins.get(i)?;
        let w = b.high - b.low;
        // only a bin that touches this one and is about as wide says something of the slope here
        let touches = b.high == bin.low || b.low == bin.high;
        (touches && w > 0.25 * width && w < 4.0 * width).then(|| b.count as f64 / w)
    };
    let own = bin.count as f64 / width;
    let slope = [index.checked_sub(1).and_then(density), density(index + 1)]
        .into_iter()
        .flatten()
        .fold(0.0_f64, |s, d| s.max((d - own).abs()));
    // a slope cannot move the value out of its bin
    (width * slope / (8.0 * own)).min(width / 2.0)
}
