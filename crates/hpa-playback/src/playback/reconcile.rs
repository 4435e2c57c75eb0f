//! One recomputed reconcile, and what a reader sees of it.

use jiff::Timestamp;

use super::{
    evidence::{ComparisonFit, ComparisonVerdict},
    followed::MemoryCoverage,
};
use crate::{
    assessing::compared,
    engine,
    inference::{Analysis, Assessment, AssessmentInput, FollowedMemory, MemoryBasis},
    model::{Context, Memory, Observation},
    recording::{Difference, Outcome},
    trace::Trace,
    watch::{Agreement, FieldDifference, SeenHpa},
};

/// One recomputed reconcile.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub struct Reconcile {
    /// Name of the recording.
    pub recording: String,
    /// The controller's clock, or the captor's.
    pub time: Timestamp,
    /// Where the recording is.
    pub phase: Phase,
    /// Whether it was recorded in the controller itself.
    pub is_from_inside: bool,
    /// Whether the controller has begun anew since the snapshot before, or with this one.
    pub has_restarted: bool,
    /// What the controller may remember before, the most probable first.
    pub memories: Vec<Memory>,
    /// Whether the first of them was not the most probable, or the controller decided later, as what it did tells.
    pub has_other_memory: bool,
    /// Whether it may remember something that none of these have.
    pub has_unseen: bool,
    /// How much of what it can remember was seen being made.
    pub watched: MemoryCoverage,
    /// What the controller read.
    pub observation: Observation,
    /// What is known beside it.
    pub context: Context,
    /// The recomputed reconcile.
    pub trace: Trace,
    /// What it comes to, unless something that decides was not recorded.
    pub predicted: Option<Outcome>,
    /// What the recording says that it came to.
    pub recorded: Option<Outcome>,
    /// What the comparison came to.
    pub verdict: ComparisonVerdict,
}

/// Where a recording is at a reconcile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The recording begins with the start of the controller.
    Begin,
    /// There are reconciles before.
    Continued,
    /// The recording begins while the controller runs already.
    JoinedLate,
    /// The controller has started again.
    Restarted,
}

impl Reconcile {
    /// Recomputes it with what the controller must have remembered, as what it did tells.
    pub fn adopt(&mut self, fit: ComparisonFit) {
        let ComparisonFit { memory, at } = fit;
        self.trace = engine::decide(&self.observation, &mut memory.clone(), at);
        self.predicted = self.trace.outcome.as_ref().map(Outcome::from);
        self.memories.retain(|one| *one != memory);
        self.memories.insert(0, memory);
        self.has_other_memory = true;
    }

    /// What a reader sees of it: the reconcile with everything that follows from it.
    pub fn seen(self) -> SeenHpa {
        let hpa = self.observation.hpa.key();
        let agreement = match self.verdict {
            ComparisonVerdict::Agrees if self.has_other_memory => Agreement::AgreesOtherwise,
            _ => self.verdict.agreement(),
        };
        let input = AssessmentInput {
            observation: self.observation,
            context: self.context,
            // Where nothing was followed yet, all that can be known is what one look shows.
            memory: self
                .memories
                .first()
                .filter(|_| self.phase != Phase::JoinedLate)
                .cloned(),
            now: self.time,
        };
        let mut analysis = match self.phase {
            Phase::JoinedLate => Analysis::new(&input),
            _ => Analysis::following(
                &input,
                &FollowedMemory {
                    basis: match self.watched {
                        _ if self.is_from_inside => MemoryBasis::Recorded,
                        MemoryCoverage::Since(since) => MemoryBasis::WatchedSince(since),
                        MemoryCoverage::WithGaps(since) => MemoryBasis::WatchedWithGaps(since),
                        MemoryCoverage::Whole => MemoryBasis::Watched,
                    },
                    others: self.memories.get(1..).unwrap_or_default(),
                },
            ),
        };
        if let (Some(recorded), Some(predicted)) = (&self.recorded, &self.predicted) {
            analysis.cross_check = compared(predicted, recorded);
        }
        SeenHpa {
            hpa,
            is_memory_observed: self.watched == MemoryCoverage::Whole,
            has_restarted: self.has_restarted,
            agreement,
            assessment: Assessment::with(input, analysis),
        }
    }
}

impl ComparisonVerdict {
    /// The same as watching has it.
    pub fn agreement(&self) -> Agreement {
        let value = |value: &serde_json::Value| (!value.is_null()).then(|| value.to_string());
        let field = |one: &Difference| FieldDifference {
            path: one.path.clone(),
            recomputed: value(&one.predicted),
            recorded: value(&one.recorded),
        };
        let fields = |found: &[Difference]| found.iter().map(field).collect();
        match self {
            Self::Agrees => Agreement::Agrees,
            Self::Differs(found) => Agreement::Differs(fields(found)),
            Self::Unclear(found) => Agreement::Unclear(fields(found)),
            Self::NotCompared => Agreement::Open,
        }
    }
}
