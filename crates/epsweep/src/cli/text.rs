//! Plain-text tables and numbers for a terminal.

use std::fmt::Write;

/// A column's alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// words
    Left,
    /// numbers
    Right,
}

/// A table with aligned columns; the first row is the header.
#[derive(Debug)]
pub struct Table {
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column heads.
    pub fn new(heads: &[(&str, Align)]) -> Self {
        Table {
            align: heads.iter().map(|(_, align)| *align).collect(),
            rows: vec![heads.iter().map(|(head, _)| (*head).to_owned()).collect()],
        }
    }

    /// Adds a row; missing fields are blank.
    pub fn row(&mut self, mut fields: Vec<String>) {
        fields.resize(self.align.len(), String::new());
        self.rows.push(fields);
    }

    /// The table as aligned text, two blanks between columns.
    pub fn text(&self) -> String {
        let widths: Vec<usize> = (0..self.align.len())
            .map(|column| {
                self.rows
                    .iter()
                    .map(|row| row[column].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut out = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for ((field, width), align) in row.iter().zip(&widths).zip(&self.align) {
                let blanks = " ".repeat(width - field.chars().count());
                let _ = match align {
                    Align::Left => write!(line, "{field}{blanks}  "),
                    Align::Right => write!(line, "{blanks}{field}  "),
                };
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// The table in GitHub's Markdown.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let fields: Vec<String> = row.iter().map(|field| field.replace('|', "\\|")).collect();
            let _ = writeln!(out, "| {} |", fields.join(" | "));
            if index == 0 {
                let rule: Vec<&str> = self
                    .align
                    .iter()
                    .map(|align| if *align == Align::Left { "---" } else { "---:" })
                    .collect();
                let _ = writeln!(out, "| {} |", rule.join(" | "));
            }
        }
        out
    }
}

/// Three significant digits with k, M, G, T: for rates and sizes.
pub fn short(x: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    for (size, unit) in UNITS {
        if x >= size {
            return format!("{}{unit}", three(x / size));
        }
    }
    three(x)
}

fn three(x: f64) -> String {
    let digits = if x >= 100.0 {
        0
    } else if x >= 10.0 {
        1
    } else {
        2
    };
    format!("{x:.digits$}")
}

/// Seconds in the unit that one would say.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{} µs", three(s * 1e6)),
        s if s < 1.0 => format!("{} ms", three(s * 1e3)),
        s if s < 120.0 => format!("{} s", three(s)),
        s if s < 7200.0 => format!("{} min", three(s / 60.0)),
        s if s < 172_800.0 => format!("{} h", three(s / 3600.0)),
        s => format!("{} days", three(s / 86_400.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_by_characters_not_bytes() {
        let mut table = Table::new(&[("allocation", Align::Left), ("ε", Align::Right)]);
        table.row(vec!["even".into(), "0.1".into()]);
        table.row(vec!["√w·Δ".into(), "10".into()]);
        assert_eq!(
            table.text(),
            "allocation    ε\neven        0.1\n√w·Δ         10\n"
        );
        assert_eq!(
            table.markdown(),
            "| allocation | ε |\n| --- | ---: |\n| even | 0.1 |\n| √w·Δ | 10 |\n"
        );
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(123_456.0), "123k");
        assert_eq!(short(2.0e9), "2.00G");
        assert_eq!(short(99.5), "99.5");
        assert_eq!(duration(0.25), "250 ms");
        assert_eq!(duration(3.25e-5), "32.5 µs");
        assert_eq!(duration(7200.0), "2.00 h");
    }
}
