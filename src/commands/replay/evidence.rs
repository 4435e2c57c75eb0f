//! Compares a recomputed reconcile with what a recording shows of it.

use jiff::Timestamp;

use crate::{
    engine,
    model::{Memory, Observation},
    recording::{
        Difference, Outcome, Snapshot, differences,
        wire::{Condition, HpaStatus},
    },
};

/// What came of the comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    /// All that can be compared is equal.
    Agrees,
    /// These fields differ.
    Differs(Vec<Difference>),
    /// These fields differ, but pods, samples or spec changed between the capture and the controller's reconcile.
    InputsMoved(Vec<Difference>),
    /// The recording does not show what came of it, or something that decides was not recorded.
    NotCompared,
}

impl Verdict {
    /// Whether the recomputation agrees with the recording, as far as that can be said.
    pub(super) fn agrees(&self) -> Option<bool> {
        match self {
            Self::Agrees => Some(true),
            Self::Differs(_) => Some(false),
            Self::InputsMoved(_) | Self::NotCompared => None,
        }
    }

    /// The fields that differ.
    pub(super) fn differences(&self) -> &[Difference] {
        match self {
            Self::Differs(found) | Self::InputsMoved(found) => found,
            Self::Agrees | Self::NotCompared => &[],
        }
    }

    fn of(found: Vec<Difference>) -> Self {
        if found.is_empty() {
            Self::Agrees
        } else {
            Self::Differs(found)
        }
    }
}

/// Compares with the outcome in the same line.
pub(super) fn compare_outcome(predicted: &Outcome, recorded: &Outcome) -> Verdict {
    Verdict::of(differences(predicted, recorded))
}

/// Compares with the status that the next reconcile of the same controller read.
pub(super) fn compare_status(predicted: &Outcome, next: &Snapshot) -> Verdict {
    let only_status = |status: &HpaStatus| Outcome {
        status: status.clone(),
        ..Outcome::default()
    };
    let predicted = only_status(&predicted.status);
    Verdict::of(differences(&predicted, &only_status(&next.hpa.status)))
}

/// What was recomputed from a capture, to be compared with a later one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Captured<'a> {
    /// What was captured.
    pub(super) observation: &'a Observation,
    /// What the controller remembered.
    pub(super) memory: &'a Memory,
    /// What that comes to.
    pub(super) predicted: &'a Outcome,
}

/// Compares with the status in a later capture.
///
/// The controller reconciled somewhere between the two captures: its clock was another, so times are left out, and
/// windows may have run out. It agrees if it decided as recomputed for the begin or for the end of that interval.
pub(super) fn compare_capture(captured: &Captured<'_>, next: &Snapshot) -> Verdict {
    let status = &next.hpa.status;
    let is_rescaled = captured.predicted.scale_to.is_some()
        && captured.predicted.scale_to == next.scale.as_ref().map(|scale| scale.spec.replicas);
    if is_rescaled {
        return Verdict::Agrees;
    }
    let recorded = decision(status);
    let found = differences(&decision(&captured.predicted.status), &recorded);
    if found.is_empty() || decided_at(captured, next.time).is_some_and(|late| late == recorded) {
        return Verdict::Agrees;
    }
    if has_moved(captured, next) {
        Verdict::InputsMoved(found)
    } else {
        Verdict::Differs(found)
    }
}

fn decided_at(captured: &Captured<'_>, at: Timestamp) -> Option<Outcome> {
    let trace = engine::decide(captured.observation, &mut captured.memory.clone(), at);
    let outcome = trace.outcome.as_ref().map(Outcome::from)?;
    Some(decision(&outcome.status))
}

fn has_moved(captured: &Captured<'_>, next: &Snapshot) -> bool {
    if captured.predicted.status.current_metrics != next.hpa.status.current_metrics {
        return true;
    }
    next.observation().is_ok_and(|next| {
        next.pods != captured.observation.pods || next.hpa.spec != captured.observation.hpa.spec
    })
}

/// What does not depend on the exact moment.
fn decision(status: &HpaStatus) -> Outcome {
    Outcome {
        status: HpaStatus {
            current_replicas: status.current_replicas,
            desired_replicas: status.desired_replicas,
            conditions: status
                .conditions
                .iter()
                .map(|condition| Condition {
                    condition_type: condition.condition_type.clone(),
                    status: condition.status.clone(),
                    reason: condition.reason.clone(),
                    ..Condition::default()
                })
                .collect(),
            ..HpaStatus::default()
        },
        ..Outcome::default()
    }
}
