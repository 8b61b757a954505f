//! A gate on a stream, with what is known of it before it is played.

use super::{Block, LossTable};
use crate::engine::At;
use epsweep_core::random::{Draws, Source, StandardLaw};
use epsweep_core::stream::{Answering, Lockstep, Rows, StreamError, StreamLaw};

/// A gate on a stream.
#[derive(Clone, Debug)]
pub struct GateCell {
    /// gate and queries
    pub lockstep: Lockstep,
    /// the exact law, where it is affordable
    pub law: Option<StreamLaw>,
    /// ε spent on an output, by its number of positive answers
    pub spent: Vec<f64>,
    /// what outputs tell of a neighbouring stream, where one is given
    pub loss: Option<LossTable>,
}

impl GateCell {
    /// A gate on a stream; its exact law is left out where it is too dear.
    ///
    /// # Errors
    /// [`StreamError::Ledger`] if the gate would spend more than it claims
    pub fn new(lockstep: Lockstep, loss: Option<LossTable>) -> Result<GateCell, StreamError> {
        let (gate, queries) = (lockstep.gate(), lockstep.queries());
        Ok(GateCell {
            law: StreamLaw::new(gate, queries).ok(),
            spent: gate.spent(gate.most(queries.len()))?,
            loss,
            lockstep,
        })
    }

    /// Threshold, query and answer noise.
    pub(super) fn sources(&self) -> Vec<Source> {
        let rows = [
            ("threshold", self.lockstep.threshold_rows()),
            ("query", self.lockstep.query_rows()),
            ("answer", self.lockstep.answer_rows()),
        ];
        rows.map(|(name, rows)| Source::new(&format!("stream/{name}"), StandardLaw::Laplace, rows))
            .to_vec()
    }

    /// Equal for equal gates on equal streams.
    pub(super) fn evidence(&self) -> String {
        let (gate, queries) = (self.lockstep.gate(), self.lockstep.queries());
        let mut hash = blake3::Hasher::new();
        let mut number = |x: f64| {
            hash.update(&x.to_le_bytes());
        };
        number(gate.threshold_scale);
        number(gate.query_scale);
        number(f64::from(u8::from(gate.redrawn)));
        number(gate.limit.map_or(-1.0, |limit| limit as f64));
        number(self.answer_scale().unwrap_or(0.0));
        queries.gaps().iter().for_each(|gap| number(*gap));
        self.spent.iter().for_each(|spent| number(*spent));
        format!("gate {}", &hash.finalize().to_hex()[..16])
    }

    /// The scale of the error of numeric answers, where there are any.
    pub fn answer_scale(&self) -> Option<f64> {
        let gate = self.lockstep.gate();
        match gate.answering {
            Answering::Report => None,
            Answering::Fresh(scale) => Some(scale),
            Answering::Revealed => Some(gate.query_scale),
        }
    }

    /// Plays a block.
    pub(crate) fn play(&self, draws: &Draws, sources: &[usize], at: At, block: &mut Block) {
        let rows = Drawn { draws, sources, at };
        self.lockstep.play(at.len, &rows, &mut block.gate);
        block.answered.clear();
        block.answered.extend_from_slice(&block.gate.answered);
        block.spent.clear();
        // what is not in the path was never admitted: no guarantee covers it
        let spent = |above: &u32| {
            let spent = self.spent.get(*above as usize).copied();
            spent.unwrap_or(f64::INFINITY)
        };
        block.spent.extend(block.gate.above.iter().map(spent));
    }
}

/// A block of the rows that the cell's sources have.
struct Drawn<'a> {
    draws: &'a Draws,
    sources: &'a [usize],
    at: At,
}

impl Rows for Drawn<'_> {
    fn threshold(&self, above: usize) -> &[f64] {
        self.at.of(self.draws.row(self.sources[0], above))
    }

    fn query(&self, place: usize) -> &[f64] {
        self.at.of(self.draws.row(self.sources[1], place))
    }

    fn answer(&self, place: usize) -> &[f64] {
        self.at.of(self.draws.row(self.sources[2], place))
    }
}
