//! The cells of a selection: candidates scored, the choice calibrated, its exact law computed, its sampler built.

use super::cells::{Cells, Known, Place, Resolver, resolved_data};
use crate::config::budget::{self, SelectBudget};
use crate::config::data::{self, ColumnSpec};
use crate::config::procedure::Chosen;
use crate::config::select::{self, Candidates, SelectSpec, place_name};
use crate::config::value::Value;
use crate::load::{Loaded, Used};
use crate::procedure::StudyCell;
use crate::procedure::select::{Chooser, ExactLaw, OTHERS, Path, Ranking, Sampler, SelectCell};
use crate::record::{
    ResolvedCandidate, ResolvedCell, ResolvedData, ResolvedSelect, ResolvedTail, number,
};
use epsweep_core::data::{Table, Values};
use epsweep_core::selection::top_k::{self, Slots};
use epsweep_core::selection::{
    Calibration, Form, Guarantee, LossTail, Movement, Problem, SelectionError, utility,
};
use epsweep_core::sensitivity::Neighbours;
use std::sync::Arc;

/// t of the bound on the loss: it is exceeded with a probability of at most 1/20.
const TAIL: f64 = 2.995_732_273_553_991;

/// Candidates with their scores.
#[derive(Debug)]
pub(super) struct Scored {
    ranking: Arc<Ranking>,
    /// Δ that follows from data and utility; `None` where it must be declared
    sensitivity: Option<f64>,
    /// how scores move, where that follows
    movement: Option<Movement>,
    digest: String,
    /// for the record
    pub data: ResolvedData,
    /// what the user should know
    pub warnings: Vec<String>,
    /// name of the neighbouring relation
    neighbours: String,
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
    /// A cell of a selection.
    pub(super) fn select(
        &self,
        place: Place<'_>,
        chosen: Option<&Chosen<'_>>,
        out: &mut Cells,
        known: &mut Known,
    ) -> Option<(StudyCell, ResolvedCell)> {
        let spec = chosen.and_then(|chosen| select::read(chosen, self.sink));
        let budget = self.section(place.tree, "budget");
        let budget = budget.and_then(|given| budget::read_select(given, self.sink));
        let section = |name: &str| place.tree.as_table().and_then(|table| table.get(name));
        if let Some(queries) = section("query") {
            (self
                .sink
                .fault(queries.span, "a selection answers no queries"))
            .remedy("leave [[query]] out, or use [procedure.release]")
            .report();
        }
        let spec = spec?;
        let data = section("data");
        let key = format!("{} {:?}", spec.key, data.map(Value::to_string));
        let scored = match known.candidates.get(&key) {
            Some(scored) => scored.clone(),
            None => {
                let scored = self.scored(&spec, data).map(Arc::new);
                known.candidates.insert(key, scored.clone());
                scored
            }
        };
        let (scored, budget) = (scored?, budget?);
        for name in scored.ranking.names() {
            if !out.subjects.contains(name) {
                out.subjects.push(name.clone());
            }
        }
        let others = OTHERS.to_owned();
        if scored.ranking.others() > 0 && !out.subjects.contains(&others) {
            out.subjects.push(others);
        }
        if !out.neighbours.contains(&scored.neighbours) {
            out.neighbours.push(scored.neighbours.clone());
        }
        let made = self.chosen_cell(&spec, &budget, &scored, place.id)?;
        let resolved = ResolvedCell {
            id: made.0.id.clone(),
            labels: place.labels,
            data: out.data_of(&scored, known),
            guarantee: format!("ε = {}", number(budget.epsilon)),
            total: budget.epsilon,
            composition: budget.composition.to_owned(),
            divided: String::new(),
            noise: String::new(),
            allocation: String::new(),
            joint: None,
            oracle: false,
            queries: Vec::new(),
            select: Some(made.1),
            stream: None,
        };
        Some((StudyCell::Select(made.0), resolved))
    }

    fn chosen_cell(
        &self,
        spec: &SelectSpec,
        budget: &SelectBudget,
        scored: &Scored,
        id: String,
    ) -> Option<(SelectCell, ResolvedSelect)> {
        let (sensitivity, movement) = self.promise(spec, scored)?;
        let calibration = Calibration::new(budget.epsilon, sensitivity, movement, spec.form)
            .map_err(|error| self.refuse(spec.form_span, &error))
            .ok()?;
        let ranking = scored.ranking.clone();
        let problem = Problem::new(ranking.scores().clone(), calibration)
            .map_err(|error| self.refuse(spec.candidates_span, &error))
            .ok()?;
        let drawn = match spec.chooser {
            Chooser::One(mechanism) => {
                let guarantee = mechanism.guarantee(&calibration);
                let law = mechanism.law(&problem);
                let law = match (law, spec.path) {
                    (Ok(law), _) => Some(law),
                    // these paths do without it
                    (Err(_), Path::NoisyMax | Path::Literal) => None,
                    (Err(error), _) => {
                        (self.sink.fault(spec.chooser_span, error.to_string()))
                            .remedy("draw by noise for every candidate (path = \"noisy-max\"), or by the definition (path = \"literal\")")
                            .report();
                        return None;
                    }
                };
                let tail = law.as_ref().map(|law| law.loss_tail(&problem, TAIL));
                let sampler = match &law {
                    Some(law) => Sampler::one(spec.path, mechanism, problem, law),
                    None => Sampler::one_without_law(spec.path, mechanism, problem),
                };
                let exact = law.map_or(ExactLaw::Unknown, |law| {
                    ExactLaw::One(law.probabilities()[..ranking.scores().permitted()].to_vec())
                });
                Drawn {
                    sampler,
                    exact,
                    tail,
                    shares: vec![1.0],
                    guarantee,
                    rho: guarantee.zcdp(),
                }
            }
            Chooser::Several(mechanism) => {
                let slots = match &spec.shares {
                    None => Slots::even(spec.slots, &problem),
                    Some((shares, _)) => Slots::shared(shares, &problem),
                };
                let span = spec
                    .shares
                    .as_ref()
                    .map_or(spec.chooser_span, |(_, span)| *span);
                let slots = slots.map_err(|error| self.refuse(span, &error)).ok()?;
                let exact = match mechanism.law(&problem, &slots) {
                    Ok(law) => ExactLaw::several(&law, spec.slots, ranking.scores().permitted()),
                    Err(error) => {
                        self.refuse(span, &error);
                        return None;
                    }
                };
                Drawn {
                    exact,
                    tail: None,
                    shares: slots.shares().to_vec(),
                    // basic composition: the shares of ε sum to 1
                    guarantee: Guarantee::pure(budget.epsilon),
                    rho: rho(&calibration, &slots),
                    sampler: Sampler::several(spec.path, mechanism, problem, slots),
                }
            }
        };
        let Some(sampler) = drawn.sampler else {
            let message = format!(
                "`{}` has no path `{}`",
                spec.chooser.name(),
                spec.path.name()
            );
            (self.sink.fault(spec.path_span, message))
                .rule("alias tables hold one choice; noisy-max is for mechanisms that add noise to every score, and for even shares")
                .remedy("path = \"inverse-cdf\" or \"literal\" suits all")
                .report();
            return None;
        };
        let shown = ranking.names().len();
        let inclusion = drawn.exact.inclusion(shown);
        let candidates =
            (ranking.names().iter().enumerate()).map(|(rank, name)| ResolvedCandidate {
                name: name.clone(),
                score: ranking.score(rank as u32),
                probability: inclusion.as_ref().map(|p| p[rank]),
            });
        let scores = ranking.scores();
        let resolved = ResolvedSelect {
            mechanism: spec.chooser.name().to_owned(),
            slots: spec.slots as u64,
            shares: drawn.shares,
            form: match spec.form {
                Form::General => "general",
                Form::Monotone => "monotone",
            }
            .to_owned(),
            path: spec.path.name().to_owned(),
            candidates: scores.len() as u64,
            permitted: scores.permitted() as u64,
            optimal: scores.optimal() as u64,
            digest: scored.digest.clone(),
            best: scores.best(),
            sensitivity,
            movement: match movement {
                Movement::AnyWay => "any-way",
                Movement::OneWay => "one-way",
            }
            .to_owned(),
            noise_scale: finite(calibration.noise_scale()),
            epsilon: drawn.guarantee.epsilon,
            bounded_range: drawn.guarantee.bounded_range,
            rho: drawn.rho,
            tail: drawn.tail.map(|tail| ResolvedTail {
                loss: finite(tail.loss),
                bound: tail.bound,
                probability: tail.probability,
            }),
            shown: candidates.collect(),
        };
        let cell = SelectCell {
            id,
            ranking: ranking.clone(),
            slots: spec.slots,
            chooser: spec.chooser,
            path: spec.path,
            sampler: Arc::new(sampler),
            law: Arc::new(drawn.exact),
        };
        Some((cell, resolved))
    }

    /// Δ and how scores move: as declared, as far as that is no less than what follows from the data.
    fn promise(&self, spec: &SelectSpec, scored: &Scored) -> Option<(f64, Movement)> {
        let movement = match (scored.movement, spec.movement) {
            (Some(_), Some((_, span))) => {
                (self
                    .sink
                    .fault(span, "how these scores move follows from the data"))
                .remedy("leave `movement` out")
                .report();
                return None;
            }
            (Some(movement), None) => movement,
            (None, declared) => declared.map_or(Movement::AnyWay, |(movement, _)| movement),
        };
        let declared = spec
            .sensitivity
            .map(|(declared, span)| (declared * spec.scale, span));
        match (scored.sensitivity, declared) {
            (Some(derived), Some((declared, span))) if declared < derived => {
                let message = format!(
                    "the sensitivity {} is less than that of the scores, {}",
                    number(declared),
                    number(derived)
                );
                (self.sink.fault(span, message))
                    .rule("at least what a neighbour can change: with less, nothing is promised")
                    .report();
                None
            }
            (_, Some((declared, _))) => Some((declared, movement)),
            (Some(derived), None) => Some((derived, movement)),
            (None, None) => {
                (self.sink.fault(spec.span, "[procedure.select] lacks the key `sensitivity`"))
                    .rule("how much a neighbour can change any score; or range = [low, high], from which it follows")
                    .report();
                None
            }
        }
    }

    fn refuse(&self, span: crate::config::source::Span, error: &SelectionError) {
        self.sink.fault(span, error.to_string()).report();
    }

    /// Candidates and scores of a cell.
    fn scored(&self, spec: &SelectSpec, data: Option<&Value>) -> Option<Scored> {
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
                        return Err(SelectionError::Data(
                            epsweep_core::data::DataError::NoBounds {
                                column: column.name.clone(),
                            },
                        ));
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

/// What is made of a calibration and a mechanism.
struct Drawn {
    sampler: Option<Sampler>,
    exact: ExactLaw,
    tail: Option<LossTail>,
    shares: Vec<f64>,
    guarantee: Guarantee,
    rho: Option<f64>,
}

/// ρ of zero-concentrated differential privacy of all slots: it adds up.
fn rho(calibration: &Calibration, slots: &Slots) -> Option<f64> {
    let each = top_k::guarantees(calibration, slots);
    each.iter().map(Guarantee::zcdp).sum()
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

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
