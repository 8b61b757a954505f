//! What is studied: the cells of an experiment, of each procedure. A plan makes them, a procedure simulates them, and the rules of measures read them.
//!
//! A new procedure is a file here with what one of its cells is, a variant of [`Kind`] and [`Study`], a folder in [`procedure`](crate::procedure) that
//! simulates it, a section in [`config::procedure`](crate::config::procedure), and a way to resolve its cells in the plan.

pub mod clip_then_sum;
pub mod compose;
pub mod release;
pub mod select;
pub mod stream;
pub mod train;

use clip_then_sum::StagedCell;
use compose::ComposeCell;
use epsweep_core::about::About;
use release::ReleaseCell;
use select::SelectCell;
use stream::StreamCell;
use train::TrainCell;

/// The procedures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// answers of queries, with noise
    #[default]
    Release,
    /// candidates chosen by their scores
    Select,
    /// queries answered one after another, under one guarantee
    Stream,
    /// a model learnt by noisy gradients
    Train,
    /// a clipping bound chosen, then a sum and a count
    ClipThenSum,
    /// releases that are counted, not simulated
    Compose,
}

impl Kind {
    /// All of them, in the order in which they are listed.
    pub const ALL: &[Kind] = &[
        Kind::Release,
        Kind::Select,
        Kind::Stream,
        Kind::Train,
        Kind::ClipThenSum,
        Kind::Compose,
    ];

    /// The name in an experiment file: of the section `[procedure.NAME]`.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// What it does with a budget.
    pub fn about(self) -> &'static About {
        match self {
            Kind::Release => &release::ABOUT,
            Kind::Select => &select::ABOUT,
            Kind::Stream => &stream::ABOUT,
            Kind::Train => &train::ABOUT,
            Kind::ClipThenSum => &clip_then_sum::ABOUT,
            Kind::Compose => &compose::ABOUT,
        }
    }

    /// An example of its section, with the budget where that matters.
    pub fn example(self) -> &'static str {
        match self {
            Kind::Release => release::EXAMPLE,
            Kind::Select => select::EXAMPLE,
            Kind::Stream => stream::EXAMPLE,
            Kind::Train => train::EXAMPLE,
            Kind::ClipThenSum => clip_then_sum::EXAMPLE,
            Kind::Compose => compose::EXAMPLE,
        }
    }

    /// What single measures are of.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Release => "query",
            Kind::Select => "candidate",
            Kind::Stream => "query",
            Kind::Train => "step",
            Kind::ClipThenSum => "answer",
            Kind::Compose => "release",
        }
    }

    /// Whether its cells have trials; the others have exact values alone.
    pub fn simulates(self) -> bool {
        self != Kind::Compose
    }
}

/// A cell, ready to be simulated.
#[derive(Clone, Debug)]
pub enum StudyCell {
    /// of a release
    Release(Box<ReleaseCell>),
    /// of a selection
    Select(SelectCell),
    /// of a stream
    Stream(StreamCell),
    /// of a training
    Train(Box<TrainCell>),
    /// of a pipeline
    ClipThenSum(StagedCell),
    /// of a composition
    Compose(Box<ComposeCell>),
}

/// The cells of an experiment, all of one procedure, ready to be simulated.
#[derive(Clone, Debug)]
pub enum Study {
    /// queries with noise
    Release(Vec<ReleaseCell>),
    /// candidates to choose from
    Select(Vec<SelectCell>),
    /// queries that come one after another
    Stream(Vec<StreamCell>),
    /// descents
    Train(Vec<TrainCell>),
    /// pipelines
    ClipThenSum(Vec<StagedCell>),
    /// releases to count
    Compose(Vec<ComposeCell>),
}

impl Study {
    /// No cells yet, with room for so many.
    pub fn new(kind: Kind, cells: usize) -> Study {
        match kind {
            Kind::Release => Study::Release(Vec::with_capacity(cells)),
            Kind::Select => Study::Select(Vec::with_capacity(cells)),
            Kind::Stream => Study::Stream(Vec::with_capacity(cells)),
            Kind::Train => Study::Train(Vec::with_capacity(cells)),
            Kind::ClipThenSum => Study::ClipThenSum(Vec::with_capacity(cells)),
            Kind::Compose => Study::Compose(Vec::with_capacity(cells)),
        }
    }

    /// Its procedure.
    pub fn kind(&self) -> Kind {
        match self {
            Study::Release(_) => Kind::Release,
            Study::Select(_) => Kind::Select,
            Study::Stream(_) => Kind::Stream,
            Study::Train(_) => Kind::Train,
            Study::ClipThenSum(_) => Kind::ClipThenSum,
            Study::Compose(_) => Kind::Compose,
        }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        match self {
            Study::Release(cells) => cells.len(),
            Study::Select(cells) => cells.len(),
            Study::Stream(cells) => cells.len(),
            Study::Train(cells) => cells.len(),
            Study::ClipThenSum(cells) => cells.len(),
            Study::Compose(cells) => cells.len(),
        }
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a cell; one of another procedure is given back.
    ///
    /// # Errors
    /// The cell, if its procedure is another one.
    pub fn push(&mut self, cell: StudyCell) -> Result<(), StudyCell> {
        match (self, cell) {
            (Study::Release(cells), StudyCell::Release(cell)) => cells.push(*cell),
            (Study::Select(cells), StudyCell::Select(cell)) => cells.push(cell),
            (Study::Stream(cells), StudyCell::Stream(cell)) => cells.push(cell),
            (Study::Train(cells), StudyCell::Train(cell)) => cells.push(*cell),
            (Study::ClipThenSum(cells), StudyCell::ClipThenSum(cell)) => cells.push(cell),
            (Study::Compose(cells), StudyCell::Compose(cell)) => cells.push(*cell),
            (_, cell) => return Err(cell),
        }
        Ok(())
    }
}
