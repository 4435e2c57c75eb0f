//! Which spec the last status was written for: the current one, or one from before an edit.
//!
//! What follows from a status holds only for the spec that it was written for. Everything that infers from a status
//! asks here.

use hpa_engine::model::{Context, HpaSpec, HpaStatus, Observation};
use jiff::Timestamp;

use super::edit::edit_since_status;
use crate::cause::Cause;

/// The spec that the last status was written for, as far as known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusSpec {
    /// Whether it is certainly not the current spec.
    pub is_other: bool,
    /// How the spec of the status differs from the current one, as far as the status shows it.
    pub differences: Vec<SpecDifference>,
    /// Whether these are all differences. Who replaces the metrics often changes more.
    is_whole: bool,
    /// Whether it certainly had a behavior, so that the controller has stored the last rescale of each direction.
    pub had_behavior: bool,
}

/// A difference between the spec of a status and the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecDifference {
    /// `maxReplicas` was this.
    MaxReplicas(i32),
    /// `maxReplicas` was this or more.
    MaxReplicasAtLeast(i32),
    /// `minReplicas` was this.
    MinReplicas(i32),
    /// `minReplicas` was this or less.
    MinReplicasAtMost(i32),
    /// `behavior` was set, and is not now.
    BehaviorRemoved,
    /// `behavior` was not set, and is now.
    BehaviorAdded,
    /// The metrics were others.
    Metrics,
}

impl StatusSpec {
    /// Finds the spec of the last status. From Kubernetes 1.37 on, `observedGeneration` decides whether it is the
    /// current one. Otherwise, the status or the times of both writes can show that it is another.
    pub fn of(observation: &Observation, context: &Context, now: Timestamp) -> Self {
        let shown = Self::shown(observation);
        let is_pending = || {
            let edit = edit_since_status(observation, context, now);
            matches!(edit, Some(Cause::SpecNewer(_) | Cause::EditPending(..)))
        };
        Self {
            is_other: shown.is_other || is_pending(),
            ..shown
        }
    }

    /// Like [`of`](Self::of), without the times of the writes.
    pub fn shown(observation: &Observation) -> Self {
        let is_observed = observation.hpa.is_observed();
        if is_observed == Some(true) {
            return Self::default();
        }
        let (spec, status) = (&observation.hpa.spec, &observation.hpa.status);
        let differences: Vec<SpecDifference> = [
            max_difference(spec, status),
            min_difference(spec, status),
            behavior_difference(spec, status),
            has_other_metrics(spec, status).then_some(SpecDifference::Metrics),
        ]
        .into_iter()
        .flatten()
        .collect();
        Self {
            is_other: is_observed == Some(false) || !differences.is_empty(),
            is_whole: !differences.is_empty() && !differences.contains(&SpecDifference::Metrics),
            differences,
            had_behavior: false,
        }
    }

    /// The spec of the last status, if the current one is that of `today` and becomes `changed`. Where only what the
    /// memory does not depend on is changed, it is as if nothing were. Of two behaviors, nothing is taken as known.
    pub(super) fn before_change(
        today: &Observation,
        changed: &HpaSpec,
        context: &Context,
        now: Timestamp,
    ) -> Self {
        let of_today = Self::of(today, context, now);
        let spec = &today.hpa.spec;
        let (was, is) = (&spec.behavior, &changed.behavior);
        let has_other_behavior = was.is_some() && is.is_some() && was != is;
        // Another target has replicas of its own, so what did not matter for those of the first may matter now.
        let has_other_target = spec.scale_target != changed.scale_target;
        if of_today.is_other || has_other_behavior || has_other_target {
            return Self {
                is_other: true,
                differences: Vec::new(),
                is_whole: false,
                had_behavior: !of_today.is_other && was.is_some(),
            };
        }
        let behavior = match (was, is) {
            (None, Some(_)) => Some(SpecDifference::BehaviorAdded),
            (Some(_), None) => Some(SpecDifference::BehaviorRemoved),
            _ => None,
        };
        let (min, max) = (spec.min_replicas(), spec.max_replicas);
        let kept: Vec<SpecDifference> = [
            (max != changed.max_replicas).then_some(SpecDifference::MaxReplicas(max)),
            (min != changed.min_replicas()).then_some(SpecDifference::MinReplicas(min)),
            behavior,
        ]
        .into_iter()
        .flatten()
        .collect();
        let has_other_metrics = !kept.is_empty() && spec.metrics != changed.metrics;
        let metrics = has_other_metrics.then_some(SpecDifference::Metrics);
        Self {
            is_other: !kept.is_empty(),
            differences: kept.into_iter().chain(metrics).collect(),
            is_whole: true,
            had_behavior: was.is_some(),
        }
    }

    /// Whether the metrics and their targets may have been others. A difference that the status shows is taken for the
    /// whole edit.
    pub(super) fn may_have_other_metrics(&self) -> bool {
        self.differences.contains(&SpecDifference::Metrics) || self.is_unexplained()
    }

    /// Whether windows and policies may have been others.
    pub(super) fn may_have_other_behavior(&self) -> bool {
        self.has_added_behavior() || self.has_lost_behavior() || self.is_unexplained()
    }

    /// Whether `behavior` was certainly not set then, and is now: no scale event was stored.
    pub(super) fn has_added_behavior(&self) -> bool {
        self.differences.contains(&SpecDifference::BehaviorAdded)
    }

    /// Whether `behavior` was certainly set then, and is not now.
    pub(super) fn has_lost_behavior(&self) -> bool {
        self.differences.contains(&SpecDifference::BehaviorRemoved)
    }

    fn is_unexplained(&self) -> bool {
        self.is_other && !self.is_whole
    }
}

/// How the last sync came to what its status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecidedBy {
    /// By metrics: both reasons and the replicas are those of that sync.
    Metrics,
    /// By a bound, as the replicas were outside both. `ScalingLimited` is from an earlier sync.
    Bounds,
    /// It decided nothing, or its decision is not in the status. `ScalingLimited` may be from an earlier sync.
    Nothing,
}

impl DecidedBy {
    /// Reads a status.
    pub(super) fn of(status: &HpaStatus) -> Self {
        match reason(status, "AbleToScale") {
            // A sync that corrects the replicas reads no metric.
            "SucceededRescale" if status.current_metrics.is_empty() => Self::Bounds,
            "ReadyForNewScale"
            | "ScaleDownStabilized"
            | "ScaleUpStabilized"
            | "SucceededRescale" => Self::Metrics,
            _ => Self::Nothing,
        }
    }
}

/// The reason of a condition. Empty if it is absent.
pub(super) fn reason<'a>(status: &'a HpaStatus, condition_type: &str) -> &'a str {
    let condition = status.condition(condition_type);
    condition.map_or("", |condition| condition.reason.as_str())
}

fn max_difference(spec: &HpaSpec, status: &HpaStatus) -> Option<SpecDifference> {
    let desired = status.desired_replicas;
    let was = match DecidedBy::of(status) {
        DecidedBy::Metrics => reason(status, "ScalingLimited") == "TooManyReplicas",
        DecidedBy::Bounds => desired < status.current_replicas,
        DecidedBy::Nothing => false,
    };
    if was {
        return (desired != spec.max_replicas).then_some(SpecDifference::MaxReplicas(desired));
    }
    (spec.max_replicas < desired).then_some(SpecDifference::MaxReplicasAtLeast(desired))
}

fn min_difference(spec: &HpaSpec, status: &HpaStatus) -> Option<SpecDifference> {
    let desired = status.desired_replicas;
    // At zero replicas the bounds count in other ways, and zero is also what a new status has.
    if desired == 0 {
        return None;
    }
    let was = match DecidedBy::of(status) {
        DecidedBy::Metrics => reason(status, "ScalingLimited") == "TooFewReplicas",
        DecidedBy::Bounds => status.current_replicas < desired,
        DecidedBy::Nothing => false,
    };
    if was && status.current_replicas != 0 {
        return (desired != spec.min_replicas()).then_some(SpecDifference::MinReplicas(desired));
    }
    (desired < spec.min_replicas()).then_some(SpecDifference::MinReplicasAtMost(desired))
}

/// Some pairs of reasons exist only with `behavior`, one only without.
fn behavior_difference(spec: &HpaSpec, status: &HpaStatus) -> Option<SpecDifference> {
    let limited = reason(status, "ScalingLimited");
    let needs_behavior = match DecidedBy::of(status) {
        DecidedBy::Metrics => needs_behavior(status, limited),
        // It is from an earlier sync.
        DecidedBy::Nothing => (limited == "ScaleDownLimit").then_some(true),
        DecidedBy::Bounds => None,
    };
    match (needs_behavior, &spec.behavior) {
        (Some(true), None) => Some(SpecDifference::BehaviorRemoved),
        (Some(false), Some(_)) => Some(SpecDifference::BehaviorAdded),
        _ => None,
    }
}

fn needs_behavior(status: &HpaStatus, limited: &str) -> Option<bool> {
    match (reason(status, "AbleToScale"), limited) {
        ("ScaleDownStabilized", "TooManyReplicas") => Some(false),
        // Without behavior a sync can double the replicas, or go to four.
        ("SucceededRescale", "ScaleUpLimit") => {
            let limit = status.current_replicas.saturating_mul(2).max(4);
            (status.desired_replicas != limit).then_some(true)
        }
        ("ScaleUpStabilized", _) | (_, "ScaleDownLimit" | "ScaleUpLimit") => Some(true),
        _ => None,
    }
}

/// Whether the metrics of the spec cannot be those of the status.
fn has_other_metrics(spec: &HpaSpec, status: &HpaStatus) -> bool {
    let (metrics, values) = (&spec.metrics, &status.current_metrics);
    let is_fitting = || {
        let mut pairs = metrics.iter().zip(values);
        metrics.len() == values.len() && pairs.all(|(spec, status)| status.can_be_of(spec))
    };
    !values.is_empty() && !is_fitting()
}
