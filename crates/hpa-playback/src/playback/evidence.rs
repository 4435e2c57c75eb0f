//! Compares a recomputed reconcile with what a recording shows of it.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use jiff::Timestamp;

use crate::{
    engine,
    model::{Memory, Observation, Pod, Provenance, Recommendation, ScaleEvent},
    recording::{
        Difference, Outcome, Snapshot, differences,
        wire::{Condition, HpaStatus},
    },
    trace::may_be,
};

/// What came of the comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparisonVerdict {
    /// All that can be compared is equal.
    Agrees,
    /// These fields differ.
    Differs(Vec<Difference>),
    /// These fields differ, but pods, samples, spec or scale changed between the capture and the controller's
    /// reconcile, the controller wrote during a capture, what it remembers matters and is not known well enough, or a
    /// monitoring server does not show for certain what it found.
    Unclear(Vec<Difference>),
    /// The recording does not show what came of it, or something that decides was not recorded.
    NotCompared,
}

impl ComparisonVerdict {
    /// Whether the recomputation agrees with the recording, as far as that can be said.
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

    /// What of it can be said if one of the two may be from before and from after a write of the controller, or it is not certain what
    /// the controller found.
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

/// What a recomputation starts from, other than the most probable memory at the time of the capture, so that it comes to
/// what the controller did.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonFit {
    /// What the controller may have remembered.
    pub memory: Memory,
    /// When it may have decided.
    pub at: Timestamp,
}

/// Compares with the outcome in the same line.
pub(crate) fn compare_outcome(predicted: &Outcome, recorded: &Outcome) -> ComparisonVerdict {
    ComparisonVerdict::of(differences(predicted, recorded))
}

/// The same where the recording joined late, so that what the controller remembers is inferred: another memory that it may
/// have had explains the outcome, or one that nobody can know from outside.
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

/// Compares with the status that the next reconcile of the same controller read.
pub(crate) fn compare_status(predicted: &Outcome, next: &Snapshot) -> ComparisonVerdict {
    let only_status = |status: &HpaStatus| Outcome {
        status: status.clone(),
        ..Outcome::default()
    };
    let predicted = only_status(&predicted.status);
    ComparisonVerdict::of(differences(&predicted, &only_status(&next.hpa.status)))
}

/// What was recomputed from a capture, to be compared with a later one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Captured<'a> {
    /// What was captured.
    pub observation: &'a Observation,
    /// What the controller may remember, the most probable first.
    pub memories: &'a [Memory],
    /// Whether it may remember something that none of these have.
    pub has_unseen: bool,
    /// When it was captured.
    pub time: Timestamp,
    /// What it comes to with the most probable memory.
    pub predicted: &'a Outcome,
}

/// Compares with the status in a later capture.
///
/// The controller reconciled somewhere between the two captures: its clock was another, so times are left out, and
/// windows may have run out. It agrees if it decided as recomputed for the begin or for the end of that interval, with
/// one of the memories that it may have had; which these are is given where they are not the most probable.
pub(crate) fn compare_capture(
    captured: &Captured<'_>,
    next: &Snapshot,
) -> (ComparisonVerdict, Option<ComparisonFit>) {
    let predicted = captured.predicted;
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

/// What the controller decides with something that it may remember, at a time when it may decide.
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
    /// Everything that it could remember at worst: a recommendation at either bound, or a policy used up in either
    /// direction.
    fn any_memories(&self) -> [Memory; 5] {
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

    /// The decisions with every memory, at the begin and at the end of the interval.
    fn decisions<'m>(&self, memories: &'m [Memory], end: Timestamp) -> Vec<Possible<'m>> {
        let decide = |memory: &'m Memory, at| {
            let trace = engine::decide(self.observation, &mut memory.clone(), at);
            Some(Possible {
                memory,
                at,
                status: Outcome::from(trace.outcome.as_ref()?).status,
            })
        };
        let entries = [self.time, end];
        memories
            .iter()
            .flat_map(|memory| entries.into_iter().filter_map(|at| decide(memory, at)))
            .collect()
    }

    /// Whether something else than the controller changed what it decides from.
    fn has_moved(&self, next: &Snapshot) -> bool {
        let status = &next.hpa.status;
        if self.predicted.status.current_metrics != status.current_metrics {
            return true;
        }
        let before = self.observation;
        // The API server failed the controller: that cannot be recomputed from what was read here.
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

/// Whether pods changed otherwise than by a rescaling to more or fewer replicas: new pods or deleted ones may be its doing.
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

/// Whether a pod that had no sample has one now, or the other way round. Even where that leaves the average as it is, the
/// controller counts the pod otherwise.
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

/// The least and the most desired replicas.
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

/// Whether the conditions have the words that were predicted.
fn may_say(predicted: &HpaStatus, written: &HpaStatus) -> bool {
    let (predicted, written) = (&predicted.conditions, &written.conditions);
    predicted.len() == written.len()
        && predicted
            .iter()
            .zip(written)
            .all(|(predicted, written)| may_be(&predicted.message, &written.message))
}

/// The same of a predicted status, as far as the recorded one says it: one that was read from a monitoring server has conditions
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
