//! A sync whose outcome is not known yet.

use hpa_engine::model::{Memory, Observation};
use hpa_objects::recording::{Outcome, Snapshot, wire::HpaStatus};
use jiff::{SignedDuration, Timestamp};

use super::{
    evidence::{Captured, ComparisonFit, ComparisonVerdict, compare_capture, compare_status},
    reconcile::Reconcile,
    session::EarlierComparison,
};

/// A sync whose outcome is not known yet.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub(super) struct Open {
    number: u64,
    recording: String,
    time: Timestamp,
    is_from_inside: bool,
    memories: Vec<Memory>,
    has_unseen: bool,
    is_torn: bool,
    /// For a sync from a monitoring server: whether its decision is certain.
    is_certain: Option<bool>,
    observation: Observation,
    /// The status of the previous sync.
    status: HpaStatus,
    predicted: Outcome,
    verdict: ComparisonVerdict,
    fit: Option<ComparisonFit>,
    /// Whether no write came when it was due: the controller may not have synced by then.
    is_guessed: bool,
    is_settled: bool,
}

/// How a later snapshot was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Later {
    /// The state that the next sync will find.
    Next,
    /// Taken as soon as the write of the status was observed, or when none came.
    After,
    /// Of a later HPA of the same name: its status says nothing about this sync.
    Other,
}

impl Open {
    /// `None` if there is nothing left to settle: it was compared with its recorded outcome, or there is nothing to
    /// compare.
    pub(super) fn new(
        number: u64,
        reconcile: &Reconcile,
        status: HpaStatus,
        is_certain: Option<bool>,
    ) -> Option<Self> {
        if reconcile.verdict != ComparisonVerdict::NotCompared {
            return None;
        }
        Some(Self {
            number,
            recording: reconcile.recording.clone(),
            time: reconcile.time,
            is_from_inside: reconcile.is_from_inside,
            memories: reconcile.memories.clone(),
            has_unseen: reconcile.has_unseen,
            is_torn: reconcile.context.is_torn,
            is_certain,
            observation: reconcile.observation.clone(),
            status,
            predicted: reconcile.predicted.clone()?,
            verdict: ComparisonVerdict::NotCompared,
            fit: None,
            is_guessed: false,
            is_settled: false,
        })
    }

    /// Whether nothing more will become known about it.
    pub(super) fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Compares with a later snapshot of the recording `name`. `None` if that gives nothing new.
    pub(super) fn settle(
        &mut self,
        name: &str,
        later: &Snapshot,
        what: Later,
    ) -> Option<EarlierComparison> {
        if self.is_settled {
            return None;
        }
        if self.recording != name {
            // Recordings one after another: this one has no further lines.
            self.is_settled = later.controller_started;
            return self.is_settled.then(|| self.compared());
        }
        if what == Later::Other {
            self.is_settled = true;
            return Some(self.compared());
        }
        let before = self.verdict.clone();
        if self.is_from_inside {
            self.verdict = compare_status(&self.predicted, later);
            self.is_settled = true;
        } else {
            self.compare(later, what);
        }
        (self.is_settled || self.verdict != before).then(|| self.compared())
    }

    fn compare(&mut self, later: &Snapshot, what: Later) {
        let captured = Captured {
            observation: &self.observation,
            memories: &self.memories,
            has_unseen: self.has_unseen,
            time: self.time,
            predicted: &self.predicted,
        };
        let (mut verdict, fit) = compare_capture(&captured, later);
        // Only the replicas are certain, not what the metrics asked for, which conditions report.
        let is_other = self.predicted.status.desired_replicas != later.hpa.status.desired_replicas;
        let is_uncertain = self
            .is_certain
            .is_some_and(|is_certain| !is_certain || !is_other);
        if self.is_torn || later.torn || is_uncertain {
            verdict = verdict.of_uncertain();
        }
        let agrees = verdict == ComparisonVerdict::Agrees;
        let is_written = self.status != later.hpa.status;
        if what == Later::After {
            // Without a write the controller may not have synced yet.
            self.is_guessed = !is_written;
            if is_written || agrees {
                self.verdict = verdict;
                self.fit = fit;
                self.is_settled = true;
            }
            return;
        }
        // From Kubernetes 1.37 on a sync is skipped until the controller has seen its own last write.
        let gates = &self.observation.controller.feature_gates;
        self.is_guessed |= !is_written && gates.stale_controller_consistency_hpa.value;
        let period = self.observation.sync_period().value;
        let elapsed: SignedDuration = later.time.duration_since(self.time);
        // Further apart, the controller has synced several times since.
        let is_near = elapsed <= period * 2;
        if agrees || (is_near && self.verdict == ComparisonVerdict::NotCompared) {
            self.verdict = match verdict {
                ComparisonVerdict::Differs(found) if self.is_guessed => {
                    ComparisonVerdict::Unclear(found)
                }
                verdict => verdict,
            };
            self.fit = fit;
        }
        // Up to one period may pass before the controller syncs, and its sync takes time.
        self.is_settled = agrees || period + period / 2 < elapsed;
    }

    fn compared(&self) -> EarlierComparison {
        EarlierComparison {
            number: self.number,
            recording: self.recording.clone(),
            hpa: self.observation.hpa.key(),
            time: self.time,
            verdict: self.verdict.clone(),
            fit: self.fit.clone(),
            is_final: self.is_settled,
        }
    }
}
