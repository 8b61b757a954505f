//! Candidates with their scores: taken from the file, made up, or made of data; clipped and scaled.

use super::Resolver;
use crate::config::data::Used;
use crate::config::data::{self, ColumnSpec};
use crate::config::select::{Candidates, SelectSpec, place_name};
use crate::config::value::{Value, quoted};
use crate::load::Loaded;
use crate::plan::cells::resolved_data;
use crate::record::{ResolvedData, number};
use crate::study::select::{OTHERS, Ranking};
use epsweep_core::data::{DataError, Table, Values};
use epsweep_core::selection::{Movement, SelectionError, utility};
use epsweep_core::sensitivity::Neighbours;
use std::sync::Arc;

/// Candidates with their scores.
#[derive(Debug)]
pub(in crate::plan) struct Scored {
    /// the scores, sorted, and names
    pub(super) ranking: Arc<Ranking>,
    /// Δ that follows from data and utility; `None` where it must be declared
    pub(super) sensitivity: Option<f64>,
    /// how scores move, where that follows
    pub(super) movement: Option<Movement>,
    /// of the scores
    pub(super) digest: String,
    /// for the record
    pub data: ResolvedData,
    /// what the user should know
    pub warnings: Vec<String>,
    /// name of the neighbouring relation
    pub(super) neighbours: String,
}

/// Scores as they come from data or file, before clipping and scaling.
struct Raw {
    scores: Vec<f64>,
    names: Names,
    sensitivity: Option<f64>,
    movement: Option<Movement>,
    neighbours: Option<Neighbours>,
    /// what is not loaded from anywhere: a description
    made: Option<String>,
    loaded: Option<Arc<Loaded>>,
}

/// How candidates are called.
enum Names {
    /// by their places
    Places,
    Given(Vec<String>),
}

impl Names {
    fn of(&self, place: usize) -> String {
        match self {
            Names::Places => place_name(place),
            Names::Given(names) => names[place].clone(),
        }
    }
}

impl Resolver<'_> {
    /// Candidates and scores of a cell.
    pub(super) fn scored(&self, spec: &SelectSpec, data: Option<&Value>) -> Option<Scored> {
        let raw = self.raw(spec, data)?;
        let mut scores = raw.scores;
        let mut clipped = 0usize;
        if let Some(([low, high], _)) = spec.range {
            for score in scores
                .iter_mut()
                .filter(|score| **score > f64::NEG_INFINITY)
            {
                let within = score.clamp(low, high);
                clipped += usize::from(within != *score);
                *score = within;
            }
        }
        for score in &mut scores {
            *score *= spec.scale;
        }
        let ranking = Ranking::new(&scores, spec.shown, |place| raw.names.of(place))
            .map_err(|error| self.refuse(spec.candidates_span, &error))
            .ok()?;
        let mut hasher = blake3::Hasher::new();
        for score in ranking.scores().as_slice() {
            hasher.update(&score.to_le_bytes());
        }
        let digest = hasher.finalize().to_hex().to_string();
        let mut warnings = Vec::new();
        if let Candidates::Counts {
            column,
            candidates: None,
        } = &spec.candidates
        {
            warnings.push(format!(
                "the candidates are the values of column `{}` that occur in the data: which ones occur is not private, and a rare one tells of single people; name all that there can be: counts = {{ column = {}, candidates = [\"…\"] }}",
                column.name,
                quoted(&column.name)
            ));
        }
        if clipped > 0 {
            warnings.push(format!(
                "{clipped} of {} scores lie outside their range and were clipped",
                scores.len()
            ));
        }
        let data = match &raw.loaded {
            Some(loaded) => {
                warnings.extend(loaded.warnings.iter().cloned());
                resolved_data(loaded)
            }
            None => ResolvedData {
                source: raw.made.unwrap_or_default(),
                digest: digest.clone(),
                rows: scores.len() as u64,
                columns: Vec::new(),
            },
        };
        let from_range = spec.range.map(|([low, high], _)| (high - low) * spec.scale);
        Some(Scored {
            ranking: Arc::new(ranking),
            sensitivity: raw.sensitivity.map(|s| s * spec.scale).or(from_range),
            movement: raw.movement,
            digest,
            data,
            warnings,
            neighbours: raw
                .neighbours
                .map_or("declared by the sensitivity", |n| n.name())
                .to_owned(),
        })
    }

    fn raw(&self, spec: &SelectSpec, data: Option<&Value>) -> Option<Raw> {
        let made = |scores: Vec<f64>, names: Names, words: String| Raw {
            scores,
            names,
            sensitivity: None,
            movement: None,
            neighbours: None,
            made: Some(words),
            loaded: None,
        };
        let used = spec.candidates.used();
        if let (true, Some(data)) = (used.is_empty(), data) {
            (self.sink.fault(
                data.span,
                "nothing uses [data]: the scores come from the file itself",
            ))
            .remedy("leave [data] out, or take the candidates from its columns")
            .report();
            return None;
        }
        Some(match &spec.candidates {
            Candidates::Given { scores, names } => {
                let names = names.clone().map_or(Names::Places, Names::Given);
                made(
                    scores.clone(),
                    names,
                    "scores in the experiment file".to_owned(),
                )
            }
            Candidates::Zipf {
                candidates,
                exponent,
                top,
            } => {
                let score = |place: usize| (top / libm::pow((place + 1) as f64, *exponent)).floor();
                let words = format!(
                    "{candidates} counts, the i-th ⌊{} / i^{}⌋",
                    number(*top),
                    number(*exponent)
                );
                made((0..*candidates).map(score).collect(), Names::Places, words)
            }
            Candidates::Leader { candidates, lead } => {
                let words = format!(
                    "{candidates} candidates, of which one leads by {}",
                    number(*lead)
                );
                let mut scores = vec![0.0; *candidates];
                scores[0] = *lead;
                made(scores, Names::Places, words)
            }
            of_data => return self.scores_of_data(spec, of_data, &used, data),
        })
    }

    /// Scores that are made of data.
    fn scores_of_data(
        &self,
        spec: &SelectSpec,
        candidates: &Candidates,
        used: &[(Used, bool)],
        data: Option<&Value>,
    ) -> Option<Raw> {
        let Some(section) = data else {
            (self.sink.fault(
                spec.candidates_span,
                "these candidates come from data, and there is none",
            ))
            .remedy("add [data]")
            .report();
            return None;
        };
        let (data, complete) = data::read(section, self.sink);
        let mut data = data?;
        for (used, _) in used.iter().filter(|(_, text)| *text) {
            if !data.columns.iter().any(|column| column.name == used.name) {
                data.columns.push(ColumnSpec {
                    name: used.name.clone(),
                    span: used.span,
                    bounds: None,
                    text: true,
                });
            }
        }
        let names: Vec<Used> = used.iter().map(|(used, _)| used.clone()).collect();
        let loaded = self.load(&data, &names)?;
        if !complete {
            return None;
        }
        let table = &loaded.table;
        let made = match candidates {
            Candidates::Column { scores, names } => columns(table, &scores.name, names.as_ref()),
            _ => self
                .utility(candidates, table, data.neighbours)
                .map(|utility| Raw {
                    scores: utility.scores.as_slice().to_vec(),
                    names: Names::Given(utility.candidates),
                    sensitivity: Some(utility.sensitivity),
                    movement: Some(utility.movement),
                    neighbours: None,
                    made: None,
                    loaded: None,
                }),
        };
        let raw = made
            .map_err(|error| self.refuse(spec.candidates_span, &error))
            .ok()?;
        if let Names::Given(names) = &raw.names {
            let mut seen = std::collections::HashSet::new();
            let bad = (names.iter()).find(|name| {
                ["all", OTHERS].contains(&name.as_str()) || !seen.insert(name.as_str())
            });
            if let Some(name) = bad {
                let message = format!(
                    "the candidate `{name}` is there twice, or its name means something else in the results"
                );
                (self.sink.fault(spec.candidates_span, message))
                    .rule("each candidate has a name of its own, and none is called all or others")
                    .report();
                return None;
            }
        }
        Some(Raw {
            neighbours: Some(data.neighbours),
            loaded: Some(loaded),
            ..raw
        })
    }

    fn utility(
        &self,
        candidates: &Candidates,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<utility::Utility, SelectionError> {
        match candidates {
            Candidates::Counts { column, candidates } => {
                let values = match candidates {
                    Some(candidates) => candidates.clone(),
                    None => utility::distinct(table, &column.name)?,
                };
                utility::counts(table, &column.name, &values, neighbours)
            }
            Candidates::Rank {
                column,
                quantile,
                points,
            } => {
                let values = table.column(&column.name)?;
                let bounds = match values.bounds() {
                    Some(bounds) => bounds,
                    None => {
                        return Err(SelectionError::Data(DataError::NoBounds {
                            column: column.name.clone(),
                        }));
                    }
                };
                let grid = utility::grid(bounds, *points);
                utility::rank(table, &column.name, *quantile, &grid, neighbours)
            }
            Candidates::Accuracy { labels, models } => {
                let models: Vec<String> = models.iter().map(|model| model.name.clone()).collect();
                utility::accuracy(table, &labels.name, &models, neighbours)
            }
            // these are not made of a utility
            _ => Err(SelectionError::NoCandidates),
        }
    }
}

/// Each row a candidate.
fn columns(table: &Table, scores: &str, names: Option<&Used>) -> Result<Raw, SelectionError> {
    let scores = table.column(scores)?.numbers()?.to_vec();
    let names = match names {
        None => Names::Places,
        Some(names) => Names::Given(match table.column(&names.name)?.values() {
            Values::Text(texts) => texts.clone(),
            Values::Number(numbers) => numbers.iter().map(|n| number(*n)).collect(),
        }),
    };
    Ok(Raw {
        scores,
        names,
        sensitivity: None,
        movement: None,
        neighbours: None,
        made: None,
        loaded: None,
    })
}
