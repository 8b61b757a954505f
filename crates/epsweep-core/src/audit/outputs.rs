//! What a block of runs puts out.

/// The outputs of a block of runs on one input: each is an outcome (of finitely many, by its number) and a fixed number of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    outcomes: Vec<u32>,
    columns: Vec<Vec<f64>>,
}

impl Outputs {
    /// Nothing yet, of outputs with so many numbers.
    pub fn new(columns: usize) -> Outputs {
        Outputs {
            outcomes: Vec::new(),
            columns: vec![Vec::new(); columns],
        }
    }

    /// Makes room for so many runs, all of outcome 0 with zeros for numbers.
    pub fn start(&mut self, runs: usize) {
        self.outcomes.clear();
        self.outcomes.resize(runs, 0);
        for column in &mut self.columns {
            column.clear();
            column.resize(runs, 0.0);
        }
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.outcomes.len()
    }

    /// How many numbers an output has.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The outcome of each run.
    pub fn outcomes(&self) -> &[u32] {
        &self.outcomes
    }

    /// The outcome of each run, to be set.
    pub fn outcomes_mut(&mut self) -> &mut [u32] {
        &mut self.outcomes
    }

    /// One of the numbers, for each run.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn column(&self, column: usize) -> &[f64] {
        &self.columns[column]
    }

    /// One of the numbers, for each run, to be set.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn column_mut(&mut self, column: usize) -> &mut [f64] {
        &mut self.columns[column]
    }

    /// Outcomes and all numbers, to be set.
    pub fn parts_mut(&mut self) -> (&mut [u32], &mut [Vec<f64>]) {
        (&mut self.outcomes, &mut self.columns)
    }
}
