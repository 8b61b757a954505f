//! The cells of a training: records loaded or generated, the optimum found, the noise calibrated.

use super::cells::{Cells, Known, Place, Resolver, resolved_data};
use crate::config::budget::{self, BudgetSpec};
use crate::config::data;
use crate::config::data::Used;
use crate::config::procedure::Chosen;
use crate::config::source::Span;
use crate::config::train::{self, Records as Given, TrainSpec};
use crate::config::value::Value;
use crate::load::Loaded;
use crate::record::{ResolvedCell, ResolvedData, ResolvedStep, ResolvedTrain, number};
use crate::study::StudyCell;
use crate::study::train::{Learnt, Test, TrainCell};
use crate::words::grouped;
use epsweep_core::accounting::Composition;
use epsweep_core::budget::Budget;
use epsweep_core::random::{Draws, Source, StandardLaw};
use epsweep_core::sensitivity::Neighbours;
use epsweep_core::training::exact::ResultLaw;
use epsweep_core::training::{
    Currency, Descent, Examples, Model, NoisePlan, TrainingError, kernel, optimum,
};
use std::sync::Arc;

/// Records with what can be learnt from them.
#[derive(Debug)]
pub(super) struct Records {
    learnt: Arc<Learnt>,
    data: ResolvedData,
    warnings: Vec<String>,
}

impl Resolver<'_> {
    /// A cell of a training.
    pub(super) fn train(
        &self,
        place: Place<'_>,
        chosen: Option<&Chosen<'_>>,
        out: &mut Cells,
        known: &mut Known,
    ) -> Option<(StudyCell, ResolvedCell)> {
        let spec = chosen.and_then(|chosen| train::read(chosen, self.sink));
        let budget = self.section(place.tree, "budget");
        let budget = budget.and_then(|given| budget::read(given, self.sink));
        self.no_queries(&place, "a training answers no queries");
        let spec = spec?;
        let data = place.tree.as_table().and_then(|table| table.get("data"));
        let key = format!("{} {:?}", spec.key, data.map(Value::to_string));
        let records = known.trainings.get(key, || self.records(&spec, data));
        let (records, budget) = (records?, budget?);
        self.suits_gradients(&budget)?;
        if let Budget::Approximate(_, delta) = budget.budget
            && delta.get() == 0.0
        {
            let at = (self.section(place.tree, "budget"))
                .and_then(|given| given.as_table()?.get("delta"))
                .map_or(budget.span, |given| given.span);
            (self
                .sink
                .fault(at, "δ is 0, but Gaussian noise has no pure ε"))
            .rule("0 < δ < 1, usually far below 1/n, for example 1e-6")
            .remedy("give a δ above 0, or `rho` in place of both")
            .report();
            return None;
        }
        let descent = Descent {
            model: spec.model,
            rate: spec.rate,
            momentum: spec.momentum,
            clip: spec.clip,
            ridge: spec.ridge,
            sampling: spec.sampling,
            average: spec.average,
            recorded: match spec.record {
                0 => Vec::new(),
                every => (0..=spec.steps).step_by(every).collect(),
            },
        };
        descent
            .validate()
            .map_err(|error| self.untrained(spec.span, &error))
            .ok()?;
        let plan = NoisePlan::new(
            spec.schedule,
            spec.ratio,
            spec.steps,
            spec.sampling,
            budget.budget,
        );
        let plan = plan
            .map_err(|error| self.untrained(budget.span, &error))
            .ok()?;
        let learnt = &records.learnt;
        let limits = kernel::limits(&learnt.train, spec.clip);
        let law = ResultLaw::new(&descent, &learnt.train, &limits, &plan);
        let cell = TrainCell {
            id: place.id,
            learnt: learnt.clone(),
            limits: Arc::new(limits),
            descent,
            plan: Arc::new(plan),
            law: law.map(Arc::new),
        };
        for recorded in 0..cell.descent.recorded.len() {
            let name = cell.step_name(recorded);
            if !out.subjects.contains(&name) {
                out.subjects.push(name);
            }
        }
        let neighbours = Neighbours::AddRemove.name().to_owned();
        if !out.neighbours.contains(&neighbours) {
            out.neighbours.push(neighbours);
        }
        let data = out.data_set(&records.data, &records.warnings, &mut known.data);
        let resolved = ResolvedCell {
            id: cell.id.clone(),
            labels: place.labels,
            data,
            guarantee: out.guarantee(&budget.budget, data),
            total: match budget.budget {
                Budget::Pure(epsilon) | Budget::Approximate(epsilon, _) => epsilon.get(),
                Budget::Zcdp(rho) => rho.get(),
            },
            composition: match cell.plan.currency() {
                Currency::Concentrated => "zcdp",
                Currency::Renyi { .. } => "rdp",
            }
            .to_owned(),
            divided: String::new(),
            noise: "gaussian".to_owned(),
            allocation: String::new(),
            joint: None,
            oracle: false,
            queries: Vec::new(),
            train: Some(Box::new(resolved_train(&spec, &cell))),
            ..ResolvedCell::default()
        };
        Some((StudyCell::Train(Box::new(cell)), resolved))
    }

    /// Gaussian noise is counted in ρ, or in Rényi divergences.
    fn suits_gradients(&self, budget: &BudgetSpec) -> Option<()> {
        let given = budget.composition_span != budget.span;
        let good = match budget.budget {
            Budget::Zcdp(_) => budget.composition == Composition::Zcdp,
            _ => !given || budget.composition == Composition::Rdp,
        };
        if good {
            return Some(());
        }
        let message = format!(
            "the steps of a training do not compose by `{}`",
            budget.composition.about().name
        );
        (self.sink.fault(budget.composition_span, message))
            .rule("composition = \"rdp\" with ε and δ, \"zcdp\" with ρ")
            .remedy("leave `composition` out")
            .report();
        None
    }

    fn untrained(&self, span: Span, error: &TrainingError) {
        self.sink.fault(span, error.to_string()).report();
    }

    /// The records, and their optimum.
    fn records(&self, spec: &TrainSpec, data: Option<&Value>) -> Option<Records> {
        let refuse = |error: &TrainingError| self.untrained(spec.records_span, error);
        let (train, test, data, warnings) = match &spec.records {
            Given::Generated {
                generator,
                records,
                test,
            } => {
                if let Some(data) = data {
                    (self
                        .sink
                        .fault(data.span, "nothing uses [data]: the records are generated"))
                    .remedy("leave [data] out, or take `columns` of it")
                    .report();
                    return None;
                }
                let all = generator
                    .examples(records + test)
                    .map_err(|e| refuse(&e))
                    .ok()?;
                let digest = digest(&all);
                let part = |from: usize, to: usize| {
                    let values = all.values()[from * all.features()..to * all.features()].to_vec();
                    Examples::new(all.features(), values, all.labels()[from..to].to_vec())
                };
                let train = part(0, *records).map_err(|e| refuse(&e)).ok()?;
                let judges = match *test {
                    0 => None,
                    test => Some(
                        part(*records, records + test)
                            .map_err(|e| refuse(&e))
                            .ok()?,
                    ),
                };
                let source = format!(
                    "{} records with {} normal features and labels of a {} model, signal {}, seed {}; {} of them for testing",
                    grouped((records + test) as u64),
                    generator.features,
                    generator.model.name(),
                    number(generator.signal),
                    generator.seed,
                    grouped(*test as u64),
                );
                let resolved = ResolvedData {
                    source,
                    digest,
                    rows: (records + test) as u64,
                    columns: Vec::new(),
                };
                (train, judges, resolved, Vec::new())
            }
            Given::Columns {
                label,
                features,
                intercept,
                test,
                seed,
            } => {
                let Some(section) = data else {
                    (self.sink.fault(
                        spec.records_span,
                        "these records come from data, and there is none",
                    ))
                    .remedy("add [data]")
                    .report();
                    return None;
                };
                let (data, complete) = data::read(section, self.sink);
                let data = data?;
                let mut used: Vec<Used> = features.clone();
                used.push(label.clone());
                let loaded = self.load(&data, &used)?;
                if !complete {
                    return None;
                }
                if data.neighbours != Neighbours::AddRemove {
                    (self.sink.fault(
                        data.span,
                        "the noise of a step is made for the addition or removal of a record",
                    ))
                    .rule("neighbours = \"add-remove\"")
                    .report();
                    return None;
                }
                let (train, judges) = self.divided(
                    &loaded,
                    spec.model,
                    (label, features, *intercept),
                    (*test, *seed),
                )?;
                let mut warnings = loaded.warnings.clone();
                if features.iter().any(|feature| feature.name == label.name) {
                    warnings.push(format!(
                        "`{}` is a feature and the label: the model sees what it is to predict",
                        label.name
                    ));
                }
                (train, judges, resolved_data(&loaded), warnings)
            }
        };
        for part in std::iter::once(&train).chain(&test) {
            part.suit(spec.model).map_err(|e| refuse(&e)).ok()?;
        }
        let optimum = optimum(&train, spec.model, spec.ridge)
            .map_err(|e| refuse(&e))
            .ok()?;
        let (loss, _) = train.judge(spec.model, &optimum);
        let (start, _) = train.judge(spec.model, &vec![0.0; train.features()]);
        let test = test.map(|examples| {
            let (loss, accuracy) = examples.judge(spec.model, &optimum);
            Test {
                examples,
                loss,
                accuracy,
            }
        });
        Some(Records {
            learnt: Arc::new(Learnt {
                train,
                test,
                optimum,
                start,
                loss,
            }),
            data,
            warnings,
        })
    }

    /// Rows of a table as records: those that are learnt from, and those that judge.
    fn divided(
        &self,
        loaded: &Loaded,
        model: Model,
        (label, features, intercept): (&Used, &[Used], bool),
        (test, seed): (f64, u64),
    ) -> Option<(Examples, Option<Examples>)> {
        let table = &loaded.table;
        let place = |row: usize| loaded.places.of(row);
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for feature in features {
            let column = table
                .column(&feature.name)
                .and_then(|column| column.bounded());
            match column {
                Ok((values, bounds)) => {
                    // bounds are public, so that to scale by them costs nothing
                    let middle = 0.5 * bounds.low() + 0.5 * bounds.high();
                    let half = 0.5 * bounds.high() - 0.5 * bounds.low();
                    let scaled = |x: &f64| if half > 0.0 { (x - middle) / half } else { 0.0 };
                    columns.push(values.iter().map(scaled).collect());
                }
                Err(error) => {
                    self.sink.fault(feature.span, error.to_string()).report();
                    return None;
                }
            }
        }
        let labels = match table
            .column(&label.name)
            .and_then(|column| column.numbers())
        {
            Ok(labels) => labels,
            Err(error) => {
                self.sink.fault(label.span, error.to_string()).report();
                return None;
            }
        };
        if model.classifies()
            && let Some(row) = labels.iter().position(|label| ![0.0, 1.0].contains(label))
        {
            let message = format!(
                "column `{}` has the label {}{}",
                label.name,
                number(labels[row]),
                place(row).map_or_else(String::new, |place| format!(" in {place}"))
            );
            (self.sink.fault(label.span, message))
                .rule("the labels of a logistic model are 0 and 1")
                .remedy("take a column of 0 and 1, or model = \"linear\"")
                .report();
            return None;
        }
        let source = Source::new("examples/test", StandardLaw::Uniform, 1);
        let draws = Draws::new(seed, labels.len(), &[source]);
        let width = features.len() + usize::from(intercept);
        // (features, labels) of records to learn from, and of records to judge
        let mut parts = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        for (row, u) in draws.row(0, 0).iter().enumerate() {
            let (values, kept) = &mut parts[usize::from(*u < test)];
            values.extend(columns.iter().map(|column| column[row]));
            if intercept {
                values.push(1.0);
            }
            kept.push(labels[row]);
        }
        let [(values, kept), (test_values, test_labels)] = parts;
        if kept.is_empty() {
            let message = format!(
                "with test = {} no record is left to learn from, of {}",
                number(test),
                labels.len()
            );
            (self.sink.fault(label.span, message))
                .remedy("keep fewer records back, or take another `seed` of the division")
                .report();
            return None;
        }
        let train = Examples::new(width, values, kept)
            .map_err(|error| self.untrained(label.span, &error))
            .ok()?;
        let judges = match test_labels.is_empty() {
            true => None,
            false => Some(
                Examples::new(width, test_values, test_labels)
                    .map_err(|error| self.untrained(label.span, &error))
                    .ok()?,
            ),
        };
        Some((train, judges))
    }
}

fn digest(examples: &Examples) -> String {
    let mut hasher = blake3::Hasher::new();
    for number in examples.values().iter().chain(examples.labels()) {
        hasher.update(&number.to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

fn resolved_train(spec: &TrainSpec, cell: &TrainCell) -> ResolvedTrain {
    let (learnt, plan) = (&cell.learnt, &cell.plan);
    let test = learnt.test.as_ref();
    let multipliers = plan.multipliers();
    let square: f64 = learnt.optimum.iter().map(|w| w * w).sum();
    ResolvedTrain {
        model: spec.model.name().to_owned(),
        records: learnt.train.len() as u64,
        test: test.map_or(0, |test| test.examples.len() as u64),
        features: learnt.train.features() as u64,
        steps: spec.steps as u64,
        rate: spec.rate,
        clip: spec.clip,
        momentum: spec.momentum,
        ridge: spec.ridge,
        sampling: spec.sampling.get(),
        average: spec.average.name().to_owned(),
        schedule: spec.schedule.about().name.to_owned(),
        ratio: spec.schedule.ratio().map(|_| spec.ratio),
        counted: match plan.currency() {
            Currency::Concentrated => "ρ".to_owned(),
            Currency::Renyi { order } => format!("Rényi divergence at order {}", number(order)),
        },
        budget: plan.budget(),
        noise: [
            multipliers.first().copied().unwrap_or(0.0),
            multipliers.last().copied().unwrap_or(0.0),
        ],
        length: square.sqrt(),
        losses: [learnt.start, learnt.loss],
        accuracy: test
            .filter(|_| spec.model.classifies())
            .map(|test| test.accuracy),
        test_loss: test.map(|test| test.loss),
        exact: cell.law.is_some(),
        recorded: (cell.descent.recorded.iter().enumerate())
            .map(|(place, step)| ResolvedStep {
                name: cell.step_name(place),
                step: *step as u64,
            })
            .collect(),
    }
}
