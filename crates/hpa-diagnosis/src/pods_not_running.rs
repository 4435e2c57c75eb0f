//! Wanted pods that do not exist, or have no node.

use hpa_analysis::{FailedCreation, failed_creations, own_pods, selected_pods, unreported_rescale};
use hpa_engine::model::{Context, KnownKind, Observation, Pod};
use jiff::{SignedDuration, Timestamp};

use crate::effect::Effect;

/// How long the alarm waits for pods to be created.
pub const CREATION_ALARM_WAIT: SignedDuration = SignedDuration::from_secs(30);

/// A pod gets a node within this time, where a node has room.
pub const SCHEDULING_TAKES: SignedDuration = SignedDuration::from_secs(30);

/// In seconds: a pod that has waited so long for a node is a finding.
pub const FINDING_NO_NODE: f64 = 120.0;

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

/// Wanted pods that do not exist, with the reason as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct NotCreated<'a> {
    /// How many are wanted, and how many exist.
    pub pods: MissingPods,
    /// Why the API server refuses to create them.
    pub refusal: Option<FailedCreation<'a>>,
    /// A refusal that is over: the controller of the pods tries again by itself.
    pub over: Option<FailedCreation<'a>>,
    /// Whether a StatefulSet creates its pods one after the other.
    pub is_ordered: bool,
}

/// The pods of an HPA that have no node.
#[derive(Clone, Debug)]
pub struct Unscheduled<'a> {
    /// Those that wait.
    pub waiting: Vec<&'a Pod>,
    /// How many pods of the target exist.
    pub existing: usize,
    /// How many of them are ready.
    pub ready: usize,
}

impl NotCreated<'_> {
    /// The pods are lacking.
    pub fn effect(&self) -> Option<Effect> {
        Effect::lacking(self.pods.number())
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

/// The wanted pods that do not exist, if any are known to be missing, with the reason.
pub fn not_created<'a>(
    observation: &'a Observation,
    context: &'a Context,
) -> Option<NotCreated<'a>> {
    let pods = missing_pods(observation, context)?;
    let failed = failed_creations(observation, context);
    let is_over = |failed: &&FailedCreation<'a>| failed.is_over();
    Some(NotCreated {
        pods,
        refusal: failed.iter().find(|failed| !failed.is_over()).copied(),
        over: failed.iter().find(is_over).copied(),
        is_ordered: is_ordered(context),
    })
}

/// The quota that refuses pods, unless it is known to have room now.
pub fn refused_by_quota<'a>(
    observation: &Observation,
    context: &'a Context,
) -> Option<FailedCreation<'a>> {
    let mut failed = failed_creations(observation, context).into_iter();
    failed.find(|failed| failed.is_by_quota() && !failed.is_over())
}

/// Whether the target creates its pods one after the other.
pub fn is_ordered(context: &Context) -> bool {
    context.target.as_ref().is_some_and(|target| {
        KnownKind::of(&target.kind).is_ordered()
            && target.pod_management_policy.as_deref() != Some("Parallel")
    })
}

/// The pods that have waited longer than `takes` for a node since they were created; those of others are left out.
pub fn unscheduled<'a>(
    observation: &'a Observation,
    context: &Context,
    now: Timestamp,
    takes: SignedDuration,
) -> Option<Unscheduled<'a>> {
    let own = existing_pods(observation, context);
    let waits = |pod: &&Pod| {
        let is_young = |created| now.duration_since(created) < takes;
        !pod.has_node() && !pod.created.is_some_and(is_young)
    };
    let waiting: Vec<&Pod> = own.iter().copied().filter(waits).collect();
    (!waiting.is_empty()).then(|| Unscheduled {
        waiting,
        existing: own.len(),
        ready: own.iter().filter(|pod| pod.is_ready()).count(),
    })
}

/// Controllers create pods within seconds.
const SETTLING: SignedDuration = SignedDuration::from_mins(1);
