//! Cells of a histogram.

use super::{Arguments, Parameter, ParameterKind, QueryError};
use crate::data::{Cuts, DataError, Predicate, Region, Table};
use crate::shortest::Shortest;
use crate::workload::Ranges;

/// The column that is cut into cells.
pub(super) const COLUMN: Parameter = Parameter {
    name: "column",
    kind: ParameterKind::Column,
    required: true,
    summary: "the column whose values fall into the cells",
};

/// Ends of cells.
pub(super) const EDGES: Parameter = Parameter {
    name: "edges",
    kind: ParameterKind::Numbers,
    required: false,
    summary: "rising ends of the cells, of a column of numbers; each cell holds its lower end, the last one its upper end too",
};

/// Texts.
pub(super) const CATEGORIES: Parameter = Parameter {
    name: "categories",
    kind: ParameterKind::Texts,
    required: false,
    summary: "the texts that have a cell, of a column of texts; declared, not taken from the data",
};

/// Lower end of equal cells.
pub(super) const LOW: Parameter = Parameter {
    name: "low",
    kind: ParameterKind::Number,
    required: false,
    summary: "lower end of the first of `bins` cells of equal width",
};

/// Upper end of equal cells.
pub(super) const HIGH: Parameter = Parameter {
    name: "high",
    kind: ParameterKind::Number,
    required: false,
    summary: "upper end of the last of `bins` cells of equal width",
};

/// Number of equal cells.
pub(super) const BINS: Parameter = Parameter {
    name: "bins",
    kind: ParameterKind::Number,
    required: false,
    summary: "how many cells of equal width there are from `low` to `high`",
};

/// Which rows count.
pub(super) const WHERE: Parameter = Parameter {
    name: "where",
    kind: ParameterKind::Predicate,
    required: false,
    summary: "which rows to count; all without it",
};

/// Kinds of records beyond which every cell, and none, is taken to be reachable.
const MOST_RECORDS: usize = 1 << 18;

/// How one column is cut.
#[derive(Clone, Debug)]
pub(super) enum Axis {
    /// rising ends, at least two
    Edges { column: String, edges: Vec<f64> },
    /// distinct texts, at least one
    Categories { column: String, texts: Vec<String> },
}

impl Axis {
    /// Reads which of the ways to say the cells is taken.
    pub(super) fn read(query: &'static str, arguments: &Arguments) -> Result<Axis, QueryError> {
        let column = arguments.column();
        let edges = arguments.numbers(query, "edges")?;
        let texts = arguments.texts("categories");
        let equal = ["low", "high", "bins"].map(|name| arguments.number(name));
        match (edges, texts, equal) {
            (Some(edges), None, [None, None, None]) => {
                Axis::of_edges(query, column, edges.to_vec())
            }
            (None, Some(texts), [None, None, None]) => {
                Axis::of_texts(query, "categories", column, texts)
            }
            (None, None, [Some(low), Some(high), Some(_)]) => {
                let most = Ranges::MOST_BINS as f64;
                let rule = "a whole number from 1 to 16384";
                let bins = arguments
                    .whole(query, "bins", (1.0, most), rule)?
                    .unwrap_or(1);
                for (argument, value) in [("low", low), ("high", high)] {
                    if !value.is_finite() {
                        let rule = "finite";
                        return Err(QueryError::Range {
                            query,
                            argument,
                            value,
                            rule,
                        });
                    }
                }
                let edge = |bin: usize| equal_edge(low, high, bin, bins);
                let edges: Vec<f64> = (0..=bins).map(edge).collect();
                Axis::of_edges(query, column, edges)
            }
            _ => Err(QueryError::Cells { query }),
        }
    }

    fn of_edges(query: &'static str, column: String, edges: Vec<f64>) -> Result<Axis, QueryError> {
        let refused = |found: String, rule| {
            Err(QueryError::List {
                query,
                argument: "edges",
                found,
                rule,
            })
        };
        if !(2..=Ranges::MOST_BINS + 1).contains(&edges.len()) {
            return refused(
                format!("{} numbers", edges.len()),
                "there must be from 2 to 16385: the ends of the cells",
            );
        }
        if let Some(pair) = edges.windows(2).find(|pair| !(pair[0] < pair[1])) {
            let found = format!("{} before {}", Shortest(pair[0]), Shortest(pair[1]));
            return refused(found, "the ends must rise");
        }
        Ok(Axis::Edges { column, edges })
    }

    pub(super) fn of_texts(
        query: &'static str,
        argument: &'static str,
        column: String,
        texts: &[String],
    ) -> Result<Axis, QueryError> {
        let refused = |found: String, rule| {
            Err(QueryError::List {
                query,
                argument,
                found,
                rule,
            })
        };
        if !(1..=Ranges::MOST_BINS).contains(&texts.len()) {
            let found = format!("{} texts", texts.len());
            return refused(found, "there must be from 1 to 16384, one for each cell");
        }
        let mut sorted: Vec<&String> = texts.iter().collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return refused(format!("`{}` twice", pair[0]), "every text has one cell");
        }
        Ok(Axis::Categories {
            column,
            texts: texts.to_vec(),
        })
    }

    fn column(&self) -> &str {
        match self {
            Axis::Edges { column, .. } | Axis::Categories { column, .. } => column,
        }
    }

    fn len(&self) -> usize {
        match self {
            Axis::Edges { edges, .. } => edges.len() - 1,
            Axis::Categories { texts, .. } => texts.len(),
        }
    }

    fn label(&self, cell: usize) -> String {
        match self {
            Axis::Edges { column, edges } => {
                let end = if cell + 2 == edges.len() { ']' } else { ')' };
                format!(
                    "{column} in [{}, {}{end}",
                    Shortest(edges[cell]),
                    Shortest(edges[cell + 1])
                )
            }
            Axis::Categories { column, texts } => format!("{column} = {}", texts[cell]),
        }
    }

    fn region(&self, cell: usize) -> Result<Predicate, DataError> {
        match self {
            Axis::Edges { column, edges } => {
                let last = cell + 2 == edges.len();
                Predicate::range(column, edges[cell], edges[cell + 1], last)
            }
            Axis::Categories { column, texts } => Ok(Predicate::is_text(column, &texts[cell])),
        }
    }

    /// For each row, its cell.
    fn places(&self, table: &Table) -> Result<Vec<Option<usize>>, DataError> {
        // reports a column of the wrong type as predicates do
        self.region(0)?.check(table)?;
        let column = table.column(self.column())?;
        Ok(match (self, column.values()) {
            (Axis::Edges { edges, .. }, crate::data::Values::Number(values)) => {
                let last = edges.len() - 1;
                let place = |value: &f64| match edges.partition_point(|edge| edge <= value) {
                    0 => None,
                    above if above <= last => Some(above - 1),
                    _ if *value == edges[last] => Some(last - 1),
                    _ => None,
                };
                values.iter().map(place).collect()
            }
            (Axis::Categories { texts, .. }, crate::data::Values::Text(values)) => {
                let places: std::collections::HashMap<&str, usize> =
                    (texts.iter().map(String::as_str)).zip(0..).collect();
                let place = |value: &String| places.get(value.as_str()).copied();
                values.iter().map(place).collect()
            }
            // seen to above
            _ => vec![None; table.rows()],
        })
    }
}

/// The cells of one axis, or of the product of two, the second of which changes faster; and which rows count at all.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub(super) axes: Vec<Axis>,
    pub(super) rows: Option<Predicate>,
}

impl Cells {
    pub(super) fn read(query: &'static str, arguments: &Arguments) -> Result<Cells, QueryError> {
        Ok(Cells {
            axes: vec![Axis::read(query, arguments)?],
            rows: arguments.predicate(query, "where")?,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.axes.iter().map(Axis::len).product()
    }

    pub(super) fn columns(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let of_axes = self.axes.iter().map(|axis| axis.column().to_owned());
        let of_rows = self.rows.iter().flat_map(Predicate::columns);
        for name in of_axes.chain(of_rows) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The categories, and the texts that the predicate compares with, with their columns.
    pub(super) fn texts(&self) -> Vec<(String, String)> {
        let of_rows = self.rows.iter().flat_map(Predicate::texts);
        let of_axes = self.axes.iter().flat_map(|axis| match axis {
            Axis::Categories { column, texts } => {
                let named = texts.iter().map(|text| (column.clone(), text.clone()));
                named.collect()
            }
            Axis::Edges { .. } => Vec::new(),
        });
        of_axes.chain(of_rows).collect()
    }

    /// `age by sex where …`.
    pub(super) fn definition(&self) -> String {
        let names: Vec<&str> = self.axes.iter().map(Axis::column).collect();
        let rows = self.rows.as_ref().map(|rows| format!(" where {rows}"));
        format!("{}{}", names.join(" by "), rows.unwrap_or_default())
    }

    /// The cell of each axis.
    fn split(&self, cell: usize) -> Vec<usize> {
        let mut rest = cell;
        let mut places = vec![0; self.axes.len()];
        for (axis, place) in self.axes.iter().zip(&mut places).rev() {
            *place = rest % axis.len();
            rest /= axis.len();
        }
        places
    }

    pub(super) fn labels(&self) -> Vec<String> {
        (0..self.len())
            .map(|cell| {
                let parts = self.axes.iter().zip(self.split(cell));
                let labels: Vec<String> = parts.map(|(axis, place)| axis.label(place)).collect();
                labels.join(", ")
            })
            .collect()
    }

    pub(super) fn region(&self, cell: usize) -> Result<Predicate, DataError> {
        let mut region: Option<Predicate> = self.rows.clone();
        for (axis, place) in self.axes.iter().zip(self.split(cell)) {
            let one = axis.region(place)?;
            region = Some(match region {
                Some(others) => one.and(&others),
                None => one,
            });
        }
        // there is at least one axis
        region.map_or_else(|| Predicate::range("", 0.0, 0.0, true), Ok)
    }

    pub(super) fn places(&self, table: &Table) -> Result<Vec<Option<usize>>, DataError> {
        let mut places = vec![Some(0); table.rows()];
        for axis in &self.axes {
            for (place, here) in places.iter_mut().zip(axis.places(table)?) {
                *place = place
                    .zip(here)
                    .map(|(so_far, here)| so_far * axis.len() + here);
            }
        }
        if let Some(rows) = &self.rows {
            for (place, counts) in places.iter_mut().zip(rows.select(table)?) {
                *place = place.filter(|_| counts);
            }
        }
        Ok(places)
    }

    /// How many rows are in each cell.
    pub(super) fn counts(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        let mut counts = vec![0_u64; self.len()];
        for place in self.places(table)?.into_iter().flatten() {
            counts[place] += 1;
        }
        Ok(counts.into_iter().map(|count| count as f64).collect())
    }

    /// How many of the rows that count are in no cell.
    pub(super) fn outside(&self, table: &Table) -> Result<usize, QueryError> {
        let counts = match &self.rows {
            Some(rows) => rows.select(table)?,
            None => vec![true; table.rows()],
        };
        let places = self.places(table)?;
        let lost = places.iter().zip(counts);
        Ok(lost
            .filter(|(place, counts)| *counts && place.is_none())
            .count())
    }

    /// In which cells a record can be, and whether it can be in none.
    pub(super) fn reachable(&self, table: &Table) -> Result<(Vec<bool>, bool), QueryError> {
        // reports what the table lacks
        self.places(table)?;
        let texts: Vec<Predicate> = (self.axes.iter())
            .flat_map(|axis| match axis {
                Axis::Categories { column, texts } => texts
                    .iter()
                    .map(|text| Predicate::is_text(column, text))
                    .collect(),
                Axis::Edges { .. } => Vec::new(),
            })
            .collect();
        let mut cuts = Cuts::default();
        for axis in &self.axes {
            if let Axis::Edges { column, edges } = axis {
                cuts.kinks.push((column, edges.clone()));
            }
        }
        let predicates: Vec<&Predicate> = texts.iter().chain(&self.rows).collect();
        let columns = self.columns();
        let Some(region) = Region::new(table, &columns, &predicates, &cuts, MOST_RECORDS)? else {
            return Ok((vec![true; self.len()], true));
        };
        let mut reached = (vec![false; self.len()], false);
        for place in self.places(region.records())? {
            match place {
                Some(cell) => reached.0[cell] = true,
                None => reached.1 = true,
            }
        }
        Ok(reached)
    }
}

/// The lower edge of cell `bin` of `bins` equal ones from `low` to `high`. Products first and one division last: edges that are whole numbers, or short
/// binary fractions, come out as they are, so that a value on an edge is in the cell that it begins.
fn equal_edge(low: f64, high: f64, bin: usize, bins: usize) -> f64 {
    let (bin, bins) = (bin as f64, bins as f64);
    let (below, above) = (low * (bins - bin), high * bin);
    if bin == 0.0 {
        low
    } else if bin == bins {
        high
    } else if (below + above).is_finite() {
        (below + above) / bins
    } else {
        low * (1.0 - bin / bins) + high * (bin / bins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_cells_of_whole_numbers_have_whole_edges() {
        for low in -5..5_i32 {
            for bins in 1..=60_u32 {
                for width in 1..=4_u32 {
                    let high = f64::from(low) + f64::from(bins * width);
                    for bin in 0..=bins {
                        let edge = equal_edge(f64::from(low), high, bin as usize, bins as usize);
                        assert_eq!(edge, f64::from(low) + f64::from(bin * width));
                    }
                }
            }
        }
        // far apart, and not of whole numbers: both ends are exact, and no edge is lost
        for (low, high) in [(-1.7e308, 1.7e308), (0.1, 0.7), (1e-300, 1e300)] {
            let edges: Vec<f64> = (0..=7).map(|bin| equal_edge(low, high, bin, 7)).collect();
            assert!(edges[0] == low && edges[7] == high);
            assert!(edges.is_sorted_by(|a, b| a < b), "{edges:?}");
        }
    }
}
