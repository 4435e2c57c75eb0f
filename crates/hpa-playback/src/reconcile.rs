//! One recomputed sync and its data for a reader.

use hpa_analysis::{Analysis, Assessment, CrossCheck, FollowedMemory, MemoryBasis};
use hpa_engine::{
    engine,
    model::{Context, Memory, Observation, SyncInput},
    trace::Trace,
};
use hpa_objects::recording::{Difference, Outcome, differences};
use hpa_watch::{Agreement, FieldDifference, SeenHpa};
use jiff::Timestamp;

use super::{
    evidence::{ComparisonFit, ComparisonVerdict},
    followed::MemoryCoverage,
};

/// One recomputed sync.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub struct Reconcile {
    /// Name of the recording.
    pub recording: String,
    /// The controller's clock, or that of the capturing program.
    pub time: Timestamp,
    /// Its position in the recording.
    pub phase: Phase,
    /// Whether it was recorded in the controller itself.
    pub is_from_inside: bool,
    /// Whether the controller has restarted since the previous snapshot, or with this one.
    pub has_restarted: bool,
    /// The possible histories before it, the most probable first.
    pub memories: Vec<Memory>,
    /// Whether the first of them was not the most probable, or the controller decided later, as shown by what it did.
    pub has_other_memory: bool,
    /// Whether the controller may have a history that is not among these.
    pub has_unseen: bool,
    /// How much of the history was observed.
    pub watched: MemoryCoverage,
    /// What the controller read.
    pub observation: Observation,
    /// The context of the HPA.
    pub context: Context,
    /// The recomputed sync.
    pub trace: Trace,
    /// Its outcome, unless something that decides was not recorded.
    pub predicted: Option<Outcome>,
    /// The recorded outcome.
    pub recorded: Option<Outcome>,
    /// The result of the comparison.
    pub verdict: ComparisonVerdict,
}

/// The position of a sync in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The recording starts with the controller.
    Begin,
    /// Earlier syncs are recorded.
    Continued,
    /// The recording starts while the controller is already running.
    JoinedLate,
    /// The controller has restarted.
    Restarted,
}

impl Reconcile {
    /// Recomputes it with the history that the controller must have had, given what it did.
    pub fn adopt(&mut self, fit: ComparisonFit) {
        let ComparisonFit { memory, at } = fit;
        self.trace = engine::decide(&self.observation, &mut memory.clone(), at);
        self.predicted = self.trace.outcome.as_ref().map(Outcome::from);
        self.memories.retain(|one| *one != memory);
        self.memories.insert(0, memory);
        self.has_other_memory = true;
    }

    /// Its data for a reader: the sync with everything that follows from it.
    pub fn seen(self) -> SeenHpa {
        let hpa = self.observation.hpa.key();
        let agreement = match self.verdict {
            ComparisonVerdict::Agrees if self.has_other_memory => Agreement::AgreesOtherwise,
            _ => self.verdict.agreement(),
        };
        let input = SyncInput {
            observation: self.observation,
            context: self.context,
            // Without earlier lines, only this snapshot is known.
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
    /// The result of the comparison in the form of `watch`.
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

/// Compares a recomputed outcome with the recorded one.
pub fn compared(predicted: &Outcome, recorded: &Outcome) -> CrossCheck {
    let found = differences(predicted, recorded).into_iter();
    CrossCheck::with_outcome(found.map(|difference| {
        (
            difference.path,
            difference.recorded.to_string(),
            difference.predicted.to_string(),
        )
    }))
}
