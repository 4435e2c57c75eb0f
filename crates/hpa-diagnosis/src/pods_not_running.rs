//! Wanted pods that do not exist, or have no node.

use hpa_analysis::{FailedCreation, MissingPods, existing_pods, failed_creations, missing_pods};
use hpa_engine::model::{Context, KnownKind, Observation, Pod};
use jiff::{SignedDuration, Timestamp};

use crate::effect::Effect;

/// The target's controller creates pods within this time.
pub const CREATION_TAKES: SignedDuration = SignedDuration::from_secs(30);

/// A pod gets a node within this time, where a node has room.
pub const SCHEDULING_TAKES: SignedDuration = SignedDuration::from_secs(30);

/// In seconds: a pod that has waited so long for a node is a finding.
pub const FINDING_NO_NODE: f64 = 120.0;

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

/// The wanted pods that do not exist, if any are known to be missing.
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
