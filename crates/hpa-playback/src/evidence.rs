//! Compares a recomputed sync with the recording.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use hpa_engine::{
    engine,
    model::{Memory, Observation, Pod, Provenance, Recommendation, ScaleEvent},
    trace::may_be,
};
use hpa_objects::recording::{
    Difference, Outcome, Snapshot, differences,
    wire::{Condition, HpaStatus},
};
use jiff::Timestamp;

/// The result of the comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparisonVerdict {
    /// All that can be compared is equal.
    Agrees,
    /// These fields differ.
    Differs(Vec<Difference>),
    /// These fields differ, but the reason may be one of these: pods, samples, spec or scale changed between the
    /// capture and the controller's sync; the controller wrote during a capture; its history matters and is not known
    /// well enough; a monitoring server does not show for certain what it found.
    Unclear(Vec<Difference>),
    /// The recording does not show the outcome, or something that decides was not recorded.
    NotCompared,
}

impl ComparisonVerdict {
    /// Whether the recomputation agrees with the recording, if known.
    pub fn agrees(&self) -> Option<bool> {
        match self {
            Self::Agrees => Some(true),
            Self::Differs(_) => Some(false),
            Self::Unclear(_) | Self::NotCompared => None,
        }
    }

    /// The fields that differ.
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Differs(found) | Self::Unclear(found) => found,
            Self::Agrees | Self::NotCompared => &[],
        }
    }

    /// The verdict if the two may be from before and after a write of the controller, or if it is not certain what the
    /// controller found.
    pub(super) fn of_uncertain(self) -> Self {
        match self {
            Self::Differs(found) => Self::Unclear(found),
            other => other,
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

/// The history and time with which a recomputation gives what the controller did, other than the most probable history
/// at the time of the capture.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonFit {
    /// A possible history of the controller.
    pub memory: Memory,
    /// A possible time of the decision.
    pub at: Timestamp,
}

/// Compares with the outcome in the same line.
pub(crate) fn compare_outcome(predicted: &Outcome, recorded: &Outcome) -> ComparisonVerdict {
    ComparisonVerdict::of(differences(predicted, recorded))
}

/// Like [`compare_outcome`], for a recording that joined late, so that the history is inferred: another possible
/// history, or one that cannot be known from outside, may explain the outcome.
pub(crate) fn compare_with_inferred_memory(
    captured: &Captured<'_>,
    recorded: &Outcome,
) -> (ComparisonVerdict, Option<ComparisonFit>) {
    let found = differences(captured.predicted, recorded);
    if found.is_empty() {
        return (ComparisonVerdict::Agrees, None);
    }
    let at = captured.time;
    let comes_to_it = |memory: &&Memory| {
        let trace = engine::decide(captured.observation, &mut (*memory).clone(), at);
        let outcome = trace.outcome.as_ref().map(Outcome::from);
        outcome.is_some_and(|outcome| differences(&outcome, recorded).is_empty())
    };
    // The most probable history is the first one, so the first that fits is kept.
    if let Some(memory) = captured.memories.iter().find(comes_to_it) {
        let memory = memory.clone();
        return (
            ComparisonVerdict::Agrees,
            Some(ComparisonFit { memory, at }),
        );
    }
    let (predicted, recorded) = (&captured.predicted.status, &recorded.status);
    let is_possible = predicted.current_metrics == recorded.current_metrics
        && range(&captured.decisions(&captured.any_memories(), at))
            .is_some_and(|(least, most)| (least..=most).contains(&recorded.desired_replicas));
    let verdict = if is_possible {
        ComparisonVerdict::Unclear(found)
    } else {
        ComparisonVerdict::Differs(found)
    };
    (verdict, None)
}

/// Compares with the status that the next sync of the same controller read.
pub(crate) fn compare_status(predicted: &Outcome, next: &Snapshot) -> ComparisonVerdict {
    let only_status = |status: &HpaStatus| Outcome {
        status: status.clone(),
        ..Outcome::default()
    };
    let predicted = only_status(&predicted.status);
    ComparisonVerdict::of(differences(&predicted, &only_status(&next.hpa.status)))
}

/// The recomputation of a capture, to be compared with a later capture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Captured<'a> {
    /// What was captured.
    pub observation: &'a Observation,
    /// The possible histories, the most probable first.
    pub memories: &'a [Memory],
    /// Whether the controller may have a history that is not among these.
    pub has_unseen: bool,
    /// When it was captured.
    pub time: Timestamp,
    /// The outcome with the most probable history.
    pub predicted: &'a Outcome,
}

/// Compares with the status in a later capture.
///
/// The controller synced somewhere between the two captures by another clock, so times are left out, and windows may
/// have expired. It agrees if the controller decided as recomputed for the start or for the end of that interval, with
/// one of its possible histories. That history is returned if it is not the most probable.
pub(crate) fn compare_capture(
    captured: &Captured<'_>,
    next: &Snapshot,
) -> (ComparisonVerdict, Option<ComparisonFit>) {
    let predicted = captured.predicted;
    // The scale is enough: a status that was written by a later sync does not show this rescale any more.
    let scale = next.scale.as_ref().map(|scale| scale.spec.replicas);
    if predicted.scale_to.is_some() && predicted.scale_to == scale {
        return (ComparisonVerdict::Agrees, None);
    }
    let recorded = decision(&next.hpa.status);
    let found = differences(&as_recorded(&predicted.status, &next.hpa.status), &recorded);
    if found.is_empty() {
        return (ComparisonVerdict::Agrees, None);
    }
    let possible = captured.decisions(captured.memories, next.time);
    let fits = |one: &&Possible<'_>| as_recorded(&one.status, &next.hpa.status) == recorded;
    let exact = possible
        .iter()
        .filter(fits)
        .find(|one| may_say(&one.status, &next.hpa.status));
    if let Some(fitting) = exact.or_else(|| possible.iter().find(fits)) {
        return (ComparisonVerdict::Agrees, Some(fitting.fit()));
    }
    let written = recorded.status.desired_replicas;
    let is_between = range(&possible)
        .is_some_and(|(least, most)| least < most && (least..=most).contains(&written));
    let may_be_remembered = captured.has_unseen
        && range(&captured.decisions(&captured.any_memories(), next.time))
            .is_some_and(|(least, most)| (least..=most).contains(&written));
    let verdict = if is_between || may_be_remembered || captured.has_moved(next) {
        ComparisonVerdict::Unclear(found)
    } else {
        ComparisonVerdict::Differs(found)
    };
    (verdict, None)
}

/// A possible decision: with one possible history, at one possible time.
struct Possible<'a> {
    memory: &'a Memory,
    at: Timestamp,
    status: HpaStatus,
}

impl Possible<'_> {
    fn fit(&self) -> ComparisonFit {
        ComparisonFit {
            memory: self.memory.clone(),
            at: self.at,
        }
    }
}

impl Captured<'_> {
    /// The extreme histories: a recommendation at either bound, or a policy used up in either direction.
    fn any_memories(&self) -> [Memory; 5] {
        // Whatever the controller remembers lies between these, so its decision lies between theirs.
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
        [
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
        ]
    }

    /// The decisions with every history, at the start and at the end of the interval.
    fn decisions<'m>(&self, memories: &'m [Memory], end: Timestamp) -> Vec<Possible<'m>> {
        let decide = |memory: &'m Memory, at| {
            let trace = engine::decide(self.observation, &mut memory.clone(), at);
            Some(Possible {
                memory,
                at,
                status: Outcome::from(trace.outcome.as_ref()?).status,
            })
        };
        // A window or a policy's period that ends in between ends for good: from then on it is as at the end.
        let entries = [self.time, end];
        memories
            .iter()
            .flat_map(|memory| entries.into_iter().filter_map(|at| decide(memory, at)))
            .collect()
    }

    /// Whether the inputs of the decision changed by anything other than the controller.
    fn has_moved(&self, next: &Snapshot) -> bool {
        let status = &next.hpa.status;
        if self.predicted.status.current_metrics != status.current_metrics {
            return true;
        }
        let before = self.observation;
        // The API server returned an error to the controller, which cannot be recomputed from what was read here.
        let is_unread =
            is_unable_to_scale(status, "FailedGetScale") && before.scale.read().is_some();
        let is_refused =
            is_unable_to_scale(status, "FailedUpdateScale") && self.predicted.scale_to.is_some();
        if is_unread || is_refused {
            return true;
        }
        let replicas = before.scale.read().map(|scale| scale.spec_replicas);
        if replicas != Some(status.current_replicas) {
            return true;
        }
        let rescaled = status.desired_replicas.cmp(&status.current_replicas);
        next.observation().is_ok_and(|after| {
            after.hpa.spec != before.hpa.spec
                || has_other_pods(before, &after, rescaled)
                || has_other_samples(before, &after)
        })
    }
}

/// Whether pods changed in other ways than by a rescale, which may create or delete some.
fn has_other_pods(before: &Observation, after: &Observation, rescaled: Ordering) -> bool {
    let (Some(old), Some(new)) = (before.pods.read(), after.pods.read()) else {
        return before.pods != after.pods;
    };
    if rescaled == Ordering::Equal {
        return old != new;
    }
    let old: BTreeMap<&str, &Pod> = old.iter().map(|pod| (pod.name.as_str(), pod)).collect();
    let new: BTreeMap<&str, &Pod> = new.iter().map(|pod| (pod.name.as_str(), pod)).collect();
    let (kept, resulting) = match rescaled {
        Ordering::Greater => (old, new),
        _ => (new, old),
    };
    kept.into_iter().any(|(name, pod)| {
        let is_deleted = pod.deleted.is_some() && rescaled == Ordering::Less;
        !is_deleted && resulting.get(name) != Some(&pod)
    })
}

/// Whether a pod that had no sample has one now, or the other way round. Even if the average stays the same, the
/// controller counts the pod differently.
fn has_other_samples(before: &Observation, after: &Observation) -> bool {
    let (old, new) = (sampled(before), sampled(after));
    let mut pods = before.pods.read().into_iter().flatten();
    pods.any(|pod| old.contains(pod.name.as_str()) != new.contains(pod.name.as_str()))
}

/// The names of the pods that have a sample.
fn sampled(observation: &Observation) -> BTreeSet<&str> {
    let samples = observation.pod_metrics.read().into_iter().flatten();
    samples.map(|sample| sample.name.as_str()).collect()
}

/// The fewest and the most desired replicas.
fn range(decisions: &[Possible<'_>]) -> Option<(i32, i32)> {
    let replicas = || decisions.iter().map(|one| one.status.desired_replicas);
    Some((replicas().min()?, replicas().max()?))
}

/// Whether the condition `AbleToScale` is false for this reason.
fn is_unable_to_scale(status: &HpaStatus, reason: &str) -> bool {
    status.conditions.iter().any(|condition| {
        condition.condition_type == "AbleToScale"
            && condition.status == "False"
            && condition.reason == reason
    })
}

/// Whether the conditions have the predicted texts.
fn may_say(predicted: &HpaStatus, written: &HpaStatus) -> bool {
    let (predicted, written) = (&predicted.conditions, &written.conditions);
    predicted.len() == written.len()
        && predicted
            .iter()
            .zip(written)
            .all(|(predicted, written)| may_be(&predicted.message, &written.message))
}

/// The predicted status, reduced to what the recorded one contains: a status from a monitoring server has conditions
/// without reasons, which no controller writes.
pub(crate) fn as_recorded(predicted: &HpaStatus, recorded: &HpaStatus) -> Outcome {
    let mut outcome = decision(predicted);
    let pairs = outcome
        .status
        .conditions
        .iter_mut()
        .zip(&recorded.conditions);
    for (predicted, recorded) in pairs {
        if recorded.reason.is_empty() {
            predicted.reason.clear();
        }
    }
    outcome
}

/// The part of a status that does not depend on the exact time.
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
