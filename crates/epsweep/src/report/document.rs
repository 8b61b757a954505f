//! A report without a file format: sections of paragraphs, lists, tables and figures, all in plain text.

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// headline
    pub title: String,
    /// the question of the experiment
    pub question: String,
    /// the answer in a sentence or two
    pub answer: String,
    /// the rest
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// its heading
    pub title: String,
    /// what it says
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// a paragraph
    Paragraph(String),
    /// a list of points
    List(Vec<String>),
    /// commands
    Code(String),
    /// a table
    Table(Table),
    /// a figure, by its index
    Figure(usize),
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// what it shows; may be empty
    pub title: String,
    /// names of the columns
    pub header: Vec<Column>,
    /// one cell per column
    pub rows: Vec<Vec<Cell>>,
    /// what was left out; may be empty
    pub note: String,
    /// only in the long form of the report
    pub long_only: bool,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// its name
    pub name: String,
    /// numbers are set flush right
    pub number: bool,
}

/// An entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// what it says
    pub text: String,
    /// how it is marked
    pub tone: Tone,
    /// what follows, unmarked; may be empty
    pub note: String,
}

/// How an entry is marked. Every tone comes with a word, so that nothing depends on colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// not at all
    Plain,
    /// a claim that holds
    Holds,
    /// a claim that is refuted
    Refuted,
    /// a claim that is not decided
    Undecided,
    /// something that a reader must see
    Alarm,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell {
            text,
            tone: Tone::Plain,
            note: String::new(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::from(text.to_owned())
    }
}

/// A text in pieces, and which of them are names or code, as they stand between backticks. A text whose backticks do not pair, or hold what could
/// not be shown as code, is one piece: a name may hold a backtick of its own.
pub(super) fn spans(text: &str) -> Vec<(&str, bool)> {
    let parts: Vec<&str> = text.split('`').collect();
    let odd = |part: &&str| part.is_empty() || part.contains(['<', '>', '&', '|', '\n']);
    if parts.len().is_multiple_of(2) || parts.iter().skip(1).step_by(2).any(odd) {
        return vec![(text, false)];
    }
    let parts = parts.into_iter().enumerate();
    parts.map(|(place, part)| (part, place % 2 == 1)).collect()
}

impl Table {
    /// An empty table; the names of columns of numbers begin with `#`.
    pub fn new(title: impl Into<String>, header: &[&str]) -> Table {
        let column = |name: &&str| Column {
            name: name.trim_start_matches('#').to_owned(),
            number: name.starts_with('#'),
        };
        Table {
            title: title.into(),
            header: header.iter().map(column).collect(),
            rows: Vec::new(),
            note: String::new(),
            long_only: false,
        }
    }

    /// Leaves out the columns that have no entry.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Table {
        let empty = |cell: &Cell| cell.text.is_empty() && cell.note.is_empty();
        let kept: Vec<bool> = (0..self.header.len())
            .map(|i| !self.rows.iter().all(|row| row.get(i).is_none_or(empty)))
            .collect();
        keep(&mut self.header, &kept);
        for row in &mut self.rows {
            keep(row, &kept);
        }
        self
    }

    /// Keeps the first rows and says where the others are.
    pub fn limit(&mut self, most: usize, file: &str) {
        if self.rows.len() > most {
            self.note = format!("{} more rows are in {file}.", self.rows.len() - most);
            self.rows.truncate(most);
        }
    }
}

/// Keeps the entries that are marked.
fn keep<T>(entries: &mut Vec<T>, kept: &[bool]) {
    let mut marks = kept.iter();
    entries.retain(|_| marks.next().copied().unwrap_or(false));
}
