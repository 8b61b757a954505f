//! What clipping does to true answers. Errors are counted from the answer on clipped values, so that no estimate shows it.

use super::answered::AnsweredQuery;
use super::cells::Cells;
use crate::record::ResolvedQuery;
use crate::words::{about_percent, significant};
use epsweep_core::data::Table;

/// Share of an answer up to which a difference is one of rounding.
const ROUNDING: f64 = 1e-12;

/// Moved answers that are spoken of: a sweep over many data sets says the same again and again.
const MOST_SHIFTS: usize = 100;

/// A true answer that clipping moves; of a vector, the number that it moves most.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moved {
    /// the query
    query: String,
    /// what is told: the query, or one of its numbers
    name: String,
    /// the answer on the values as they were
    from: f64,
    /// the answer on clipped values
    to: f64,
}

/// The answers to these queries that clipping moves; `None` of those that it does not.
pub(super) fn moved(queries: &[AnsweredQuery], table: &Table) -> Vec<Moved> {
    let Some(free) = table.unclipped() else {
        return Vec::new();
    };
    queries
        .iter()
        .filter_map(|query| moves(query, &free))
        .collect()
}

fn moves(query: &AnsweredQuery, free: &Table) -> Option<Moved> {
    let before = query.spec.definition.query.target(free).ok()?;
    // cells that follow from the bounds are others without them
    if before.len() != query.targets.len() {
        return None;
    }
    let far = |(from, to): &(f64, f64)| (to - from).abs() > ROUNDING * from.abs().max(to.abs());
    let (name, (from, to)) = (query.names().into_iter())
        .zip(before.into_iter().zip(query.targets.iter().copied()))
        .filter(|(_, ends)| ends.0.is_finite() && far(ends))
        .max_by(|(_, a), (_, b)| (a.1 - a.0).abs().total_cmp(&(b.1 - b.0).abs()))?;
    Some(Moved {
        query: query.spec.name.clone(),
        name,
        from,
        to,
    })
}

/// Moved answers, with the least and the most scale of the noise that any cell puts on them.
#[derive(Debug, Default)]
pub(super) struct Shifts {
    found: Vec<(Moved, Option<(f64, f64)>)>,
}

impl Shifts {
    /// What a sentence says of each.
    fn sentences(&self) -> impl Iterator<Item = String> {
        self.found
            .iter()
            .map(|(moved, scales)| sentence(moved, *scales))
    }
}

impl Cells {
    /// Takes down what clipping does to the answers of a cell, with the noise that is added to them there.
    pub(super) fn shifted(&mut self, moved: &[Moved], queries: &[ResolvedQuery]) {
        for own in moved {
            let query = queries.iter().find(|query| query.name == own.query);
            let scale = query
                .and_then(|query| query.scale)
                .filter(|scale| *scale > 0.0);
            let found = &mut self.shifts.found;
            let known = found.iter().position(|(known, _)| known == own);
            if known.is_none() && found.len() == MOST_SHIFTS {
                continue;
            }
            let place = known.unwrap_or_else(|| {
                found.push((own.clone(), None));
                found.len() - 1
            });
            let Some(scale) = scale else { continue };
            let (low, high) = found[place].1.unwrap_or((scale, scale));
            found[place].1 = Some((low.min(scale), high.max(scale)));
        }
    }

    /// What is to be said of answers that clipping moves.
    pub(super) fn shifts(&self) -> Vec<String> {
        self.shifts.sentences().collect()
    }
}

fn sentence(moved: &Moved, scales: Option<(f64, f64)>) -> String {
    let shift = moved.to - moved.from;
    let share = match moved.from == 0.0 {
        true => String::new(),
        false => format!(", {} of it", about_percent((shift / moved.from).abs())),
    };
    let against = scales.map(|(low, high)| {
        let times = |scale: f64| significant(shift.abs() / scale, 2);
        match (times(high), times(low)) {
            (least, most) if least == most => format!(" and {least} times the noise's scale"),
            (least, most) => format!(" and {least} to {most} times the noise's scale"),
        }
    });
    format!(
        "query `{}`: clipping moves the answer from {} to {}, by {}{share}{}; what is called true is the answer after clipping, so that no error counts this",
        moved.name,
        significant(moved.from, 6),
        significant(moved.to, 6),
        significant(shift, 4),
        against.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_said_in_units_in_shares_and_against_the_noise() {
        let moved = Moved {
            query: "sum".into(),
            name: "sum".into(),
            from: 400.0,
            to: 300.0,
        };
        let said = |scales| sentence(&moved, scales);
        assert!(
            said(Some((10.0, 40.0))).starts_with(
                "query `sum`: clipping moves the answer from 400 to 300, by −100, 25 % of it and 2.5 to 10 times the noise's scale;"
            ),
            "{}",
            said(Some((10.0, 40.0)))
        );
        assert!(said(Some((50.0, 50.0))).contains("and 2 times the noise's scale;"));
        assert!(said(None).contains("25 % of it;"));
    }
}
