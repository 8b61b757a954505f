//! Runs of an external program: a black box.

use super::process::{self, ProcessError};
use super::run::AuditFailure;
use super::sample::{Block, Sampler, Shown};
use crate::words::several;
use epsweep_core::about::About;
use epsweep_core::audit::Outputs;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Name and rule.
pub(super) const ABOUT: About = About {
    name: "command",
    summary: "any program that reads a data set and prints an output, run many times on two files",
    formula: "what the program prints",
    source: "a black box: Ding et al., CCS 2018; Bichsel et al., S&P 2021",
};

/// Stands for the path of the data set among the arguments; without it the data set is on stdin.
pub(super) const INPUT: &str = "{input}";
/// Stands for the number of outputs wanted; without it every process gives one.
pub(super) const RUNS: &str = "{runs}";
/// Stands for a seed of the process.
pub(super) const SEED: &str = "{seed}";

/// Texts whose names are kept for the report.
const MOST_TEXTS: usize = 10_000;

/// What a line of output holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// numbers, separated by blanks, commas or semicolons
    Numbers,
    /// a text, which is compared as a whole
    Text,
}

/// The command line, as a shell would take it; a long one is cut.
fn shown(program: &[String]) -> String {
    const MOST: usize = 300;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let words: Vec<String> = (program.iter())
        .map(|word| match !word.is_empty() && word.chars().all(plain) {
            true => word.clone(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        })
        .collect();
    let line = words.join(" ");
    match line.chars().count() > MOST {
        true => line.chars().take(MOST).chain(['…']).collect(),
        false => line,
    }
}

/// A program and its two data sets.
#[derive(Debug)]
pub(super) struct Command {
    program: Vec<String>,
    folder: PathBuf,
    files: [PathBuf; 2],
    data: [Vec<u8>; 2],
    form: Form,
    timeout: Duration,
    seed: u64,
    shown: Vec<Shown>,
    columns: OnceLock<usize>,
    texts: Mutex<BTreeMap<u32, String>>,
}

impl Command {
    /// A program with its arguments (at least its name), run in a folder, on two files whose content is known.
    pub fn new(
        program: Vec<String>,
        folder: PathBuf,
        files: [PathBuf; 2],
        data: [Vec<u8>; 2],
        (form, timeout): (Form, Duration),
        (seed, names): (u64, [String; 2]),
    ) -> Command {
        Command {
            program,
            folder,
            files,
            data,
            form,
            timeout,
            seed,
            shown: vec![Shown {
                words: String::new(),
                inputs: names,
            }],
            columns: OnceLock::new(),
            texts: Mutex::default(),
        }
    }

    /// Whether one process gives many outputs.
    fn many(&self) -> bool {
        self.program.iter().any(|argument| argument.contains(RUNS))
    }

    /// What one process prints for so many runs.
    fn process(&self, block: &Block, run: u64, runs: usize) -> Result<String, AuditFailure> {
        let seed = self.seed_of(block, run);
        let file = self.files[block.side].display().to_string();
        let program: Vec<String> = (self.program.iter())
            .map(|argument| {
                (argument.replace(INPUT, &file))
                    .replace(RUNS, &runs.to_string())
                    .replace(SEED, &seed.to_string())
            })
            .collect();
        let named = self.program.iter().any(|argument| argument.contains(INPUT));
        let data = (!named).then_some(self.data[block.side].as_slice());
        let failed = |error: ProcessError| AuditFailure::Process {
            error,
            ran: shown(&program),
            input: self.shown[0].inputs[block.side].clone(),
        };
        let bytes = process::output(&program, &self.folder, data, self.timeout).map_err(failed)?;
        String::from_utf8(bytes).map_err(|_| self.failure("the output is not UTF-8 text".into()))
    }

    /// The seed of a process, below 2⁵³ so that every language can hold it.
    fn seed_of(&self, block: &Block, run: u64) -> u64 {
        let address = format!(
            "{} {} {} {} {run}",
            self.seed,
            block.part.name(),
            block.side,
            block.chunk
        );
        let hash = blake3::hash(address.as_bytes());
        let (word, _) = hash
            .as_bytes()
            .split_first_chunk()
            .unwrap_or((&[0; 8], &[]));
        u64::from_le_bytes(*word) >> 11
    }

    fn failure(&self, what: String) -> AuditFailure {
        AuditFailure::Output {
            program: self.program[0].clone(),
            what,
        }
    }

    /// The numbers of a line.
    fn numbers(&self, line: &str) -> Result<Vec<f64>, AuditFailure> {
        let fields = line.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
        let numbers: Option<Vec<f64>> = (fields.filter(|field| !field.is_empty()))
            .map(|field| field.parse().ok())
            .collect();
        let shown: String = line.chars().take(80).collect();
        if numbers.iter().flatten().any(|number| number.is_nan()) {
            return Err(self.failure(format!(
                "`{shown}` has a NaN, which is neither above nor below anything: let the program print a number in its place, \
                 or write output = \"text\" in the audit file, where nan is an outcome like any other"
            )));
        }
        let numbers = numbers.filter(|numbers| !numbers.is_empty()).ok_or_else(|| {
            self.failure(format!(
                "`{shown}` is no number: write output = \"text\" in the audit file if outputs are texts"
            ))
        })?;
        let columns = *self.columns.get_or_init(|| numbers.len());
        if numbers.len() == columns {
            return Ok(numbers);
        }
        Err(self.failure(format!(
            "one output has {}, another {}: every output must have as many",
            several(columns as u64, "number"),
            numbers.len()
        )))
    }

    /// The number that stands for a text.
    fn text(&self, line: &str) -> u32 {
        let hash = blake3::hash(line.as_bytes());
        let (word, _) = hash
            .as_bytes()
            .split_first_chunk()
            .unwrap_or((&[0; 4], &[]));
        let code = u32::from_le_bytes(*word);
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if texts.len() < MOST_TEXTS {
            texts.entry(code).or_insert_with(|| line.to_owned());
        }
        code
    }
}

impl Sampler for Command {
    fn pairs(&self) -> &[Shown] {
        &self.shown
    }

    fn chunk(&self) -> usize {
        if self.many() { 4096 } else { 32 }
    }

    fn centres(&self, _: usize) -> Option<[Vec<f64>; 2]> {
        None
    }

    fn sample(&self, block: &Block) -> Result<Outputs, AuditFailure> {
        let printed: Vec<String> = if self.many() {
            let text = self.process(block, 0, block.runs)?;
            text.lines().map(|line| line.trim().to_owned()).collect()
        } else {
            (0..block.runs as u64)
                .map(|run| Ok(self.process(block, run, 1)?.trim().to_owned()))
                .collect::<Result<_, AuditFailure>>()?
        };
        if printed.len() != block.runs {
            return Err(self.failure(format!(
                "{} for {}: one line for each is expected",
                several(printed.len() as u64, "line"),
                several(block.runs as u64, "run")
            )));
        }
        if printed.iter().any(String::is_empty) {
            return Err(self.failure("no output at all".into()));
        }
        if self.form == Form::Text {
            let mut outputs = Outputs::new(0);
            outputs.start(block.runs);
            for (outcome, line) in outputs.outcomes_mut().iter_mut().zip(&printed) {
                *outcome = self.text(line);
            }
            return Ok(outputs);
        }
        let rows: Vec<Vec<f64>> = (printed.iter())
            .map(|line| self.numbers(line))
            .collect::<Result<_, _>>()?;
        let mut outputs = Outputs::new(rows.first().map_or(0, Vec::len));
        outputs.start(block.runs);
        for column in 0..outputs.columns() {
            for (value, row) in outputs.column_mut(column).iter_mut().zip(&rows) {
                *value = row[column];
            }
        }
        Ok(outputs)
    }

    fn outcome(&self, outcome: u32) -> Option<String> {
        if self.form == Form::Numbers {
            return None;
        }
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let text = texts.get(&outcome).map_or("another text", String::as_str);
        let shown: String = text.chars().take(40).collect();
        Some(format!("“{shown}”"))
    }
}
