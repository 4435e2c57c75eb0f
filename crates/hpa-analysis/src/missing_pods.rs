//! Wanted pods of the scale target that do not exist.

use hpa_engine::model::{Context, Observation, Pod};
use jiff::{SignedDuration, Timestamp};

use crate::{own_pods, selected_pods, unreported_rescale};

/// Wanted pods of the scale target that do not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingPods {
    /// `spec.replicas` of the scale.
    pub wanted: i32,
    /// Pods that exist: neither finished nor terminating.
    pub existing: i32,
}

impl MissingPods {
    /// How many are missing, at least 1.
    pub fn number(self) -> i32 {
        self.wanted.saturating_sub(self.existing)
    }
}

/// The pods that are wanted and do not exist. None if all exist, or if that is not known: both `status.replicas` of the
/// target and the pods behind its selector must be fewer than wanted.
pub fn missing_pods(observation: &Observation, context: &Context) -> Option<MissingPods> {
    let scale = observation.scale.read()?;
    observation.pods.read()?;
    if scale.selector.is_empty() {
        return None;
    }
    let own = existing_pods(observation, context);
    let matched = i32::try_from(own.len()).unwrap_or(i32::MAX);
    let existing = matched.max(scale.status_replicas);
    (existing < scale.spec_replicas).then_some(MissingPods {
        wanted: scale.spec_replicas,
        existing,
    })
}

/// The active pods of the target.
pub fn existing_pods<'a>(observation: &'a Observation, context: &Context) -> Vec<&'a Pod> {
    let mut pods = own_pods(observation, context);
    pods.retain(|pod| pod.is_active());
    pods
}

/// Whether the replicas were set, or a pod was created, so recently that others may follow.
pub fn may_pods_follow(observation: &Observation, context: &Context, now: Timestamp) -> bool {
    let scaled = observation.hpa.status.last_scale_time;
    let pods = selected_pods(observation).into_iter();
    let created = pods.filter_map(|pod| pod.created).max();
    let since = scaled.max(created);
    since.is_some_and(|since| now.duration_since(since) < SETTLING)
        || unreported_rescale(observation, context).is_some()
}

/// Controllers create pods within seconds.
const SETTLING: SignedDuration = SignedDuration::from_mins(1);
