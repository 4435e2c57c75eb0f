//! Compares a recomputed reconcile with what a recording shows of it.

use jiff::Timestamp;

use crate::{
    engine,
    model::{Memory, Observation, Provenance, Recommendation, ScaleEvent},
    recording::{
        Difference, Outcome, Snapshot, differences,
        wire::{Condition, HpaStatus},
    },
};

/// What came of the comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// All that can be compared is equal.
    Agrees,
    /// These fields differ.
    Differs(Vec<Difference>),
    /// These fields differ, but pods, samples, spec or scale changed between the capture and the controller's
    /// reconcile, or what the controller remembers matters and is not known well enough.
    Unclear(Vec<Difference>),
    /// The recording does not show what came of it, or something that decides was not recorded.
    NotCompared,
}

impl Verdict {
    /// Whether the recomputation agrees with the recording, as far as that can be said.
    pub(crate) fn agrees(&self) -> Option<bool> {
        match self {
            Self::Agrees => Some(true),
            Self::Differs(_) => Some(false),
            Self::Unclear(_) | Self::NotCompared => None,
        }
    }

    /// The fields that differ.
    pub(crate) fn differences(&self) -> &[Difference] {
        match self {
            Self::Differs(found) | Self::Unclear(found) => found,
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
pub(crate) fn compare_outcome(predicted: &Outcome, recorded: &Outcome) -> Verdict {
    Verdict::of(differences(predicted, recorded))
}

/// Compares with the status that the next reconcile of the same controller read.
pub(crate) fn compare_status(predicted: &Outcome, next: &Snapshot) -> Verdict {
    let only_status = |status: &HpaStatus| Outcome {
        status: status.clone(),
        ..Outcome::default()
    };
    let predicted = only_status(&predicted.status);
    Verdict::of(differences(&predicted, &only_status(&next.hpa.status)))
}

/// What was recomputed from a capture, to be compared with a later one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Captured<'a> {
    /// What was captured.
    pub(crate) observation: &'a Observation,
    /// What the controller may remember, the most probable first.
    pub(crate) memories: &'a [Memory],
    /// Whether it may remember something that none of these have.
    pub(crate) has_unseen: bool,
    /// When it was captured.
    pub(crate) time: Timestamp,
    /// What it comes to with the most probable memory.
    pub(crate) predicted: &'a Outcome,
}

/// Compares with the status in a later capture.
///
/// The controller reconciled somewhere between the two captures: its clock was another, so times are left out, and
/// windows may have run out. It agrees if it decided as recomputed for the begin or for the end of that interval, with
/// one of the memories that it may have had.
pub(crate) fn compare_capture(captured: &Captured<'_>, next: &Snapshot) -> Verdict {
    let predicted = captured.predicted;
    let scale = next.scale.as_ref().map(|scale| scale.spec.replicas);
    if predicted.scale_to.is_some() && predicted.scale_to == scale {
        return Verdict::Agrees;
    }
    let recorded = decision(&next.hpa.status);
    let found = differences(&decision(&predicted.status), &recorded);
    if found.is_empty() {
        return Verdict::Agrees;
    }
    let possible = captured.possible_decisions(next.time);
    if possible.contains(&recorded) {
        return Verdict::Agrees;
    }
    let written = recorded.status.desired_replicas;
    let is_between = range(&possible)
        .is_some_and(|(least, most)| least < most && (least..=most).contains(&written));
    let may_be_remembered = captured.has_unseen
        && range(&captured.any_decisions(next.time))
            .is_some_and(|(least, most)| (least..=most).contains(&written));
    if is_between || may_be_remembered || captured.has_moved(next) {
        Verdict::Unclear(found)
    } else {
        Verdict::Differs(found)
    }
}

impl Captured<'_> {
    /// The decisions with every memory, at the begin and at the end of the interval.
    fn possible_decisions(&self, end: Timestamp) -> Vec<Outcome> {
        self.decisions(self.memories, end)
    }

    /// The decisions with everything that it could remember at worst: a recommendation at either bound, or a policy
    /// used up in either direction.
    fn any_decisions(&self, end: Timestamp) -> Vec<Outcome> {
        let spec = &self.observation.hpa.spec;
        let recommended = |replicas| Memory {
            recommendations: Some(vec![Recommendation {
                replicas,
                at: self.time,
                provenance: Provenance::Assumed,
            }]),
            ..Memory::default()
        };
        let event = || {
            vec![ScaleEvent {
                replica_change: spec.max_replicas,
                at: self.time,
                is_outdated: false,
                provenance: Provenance::Assumed,
            }]
        };
        let nothing = || Memory {
            recommendations: Some(Vec::new()),
            ..Memory::default()
        };
        let memories = [
            nothing(),
            recommended(spec.min_replicas()),
            recommended(spec.max_replicas),
            Memory {
                scale_up_events: event(),
                ..nothing()
            },
            Memory {
                scale_down_events: event(),
                ..nothing()
            },
        ];
        self.decisions(&memories, end)
    }

    fn decisions(&self, memories: &[Memory], end: Timestamp) -> Vec<Outcome> {
        let decide = |memory: &Memory, at| {
            let trace = engine::decide(self.observation, &mut memory.clone(), at);
            Some(decision(&Outcome::from(trace.outcome.as_ref()?).status))
        };
        let moments = [self.time, end];
        memories
            .iter()
            .flat_map(|memory| moments.into_iter().filter_map(|at| decide(memory, at)))
            .collect()
    }

    /// Whether something else than the controller changed what it decides from.
    fn has_moved(&self, next: &Snapshot) -> bool {
        let status = &next.hpa.status;
        if self.predicted.status.current_metrics != status.current_metrics {
            return true;
        }
        let before = self.observation;
        let replicas = before.scale.read().map(|scale| scale.spec_replicas);
        if replicas != Some(status.current_replicas) {
            return true;
        }
        // After a rescaling there are other pods because of it.
        let is_rescaling = status.desired_replicas != status.current_replicas;
        next.observation().is_ok_and(|after| {
            after.hpa.spec != before.hpa.spec || (!is_rescaling && after.pods != before.pods)
        })
    }
}

/// The least and the most desired replicas.
fn range(decisions: &[Outcome]) -> Option<(i32, i32)> {
    let replicas = || decisions.iter().map(|one| one.status.desired_replicas);
    Some((replicas().min()?, replicas().max()?))
}

/// What does not depend on the exact moment.
pub(crate) fn decision(status: &HpaStatus) -> Outcome {
    let conditions = status.conditions.iter().map(|condition| Condition {
        condition_type: condition.condition_type.clone(),
        status: condition.status.clone(),
        reason: condition.reason.clone(),
        ..Condition::default()
    });
    Outcome {
        status: HpaStatus {
            current_replicas: status.current_replicas,
            desired_replicas: status.desired_replicas,
            conditions: conditions.collect(),
            ..HpaStatus::default()
        },
        ..Outcome::default()
    }
}
