//! Argo's `Rollout`.

use crate::model::Owner;

/// The pods of a `Rollout` that is a scale target, as it reports them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rollout {
    /// `spec.workloadRef`: the workload with the pod template.
    pub workload: Option<Owner>,
    /// `canary` or `blueGreen`.
    pub strategy: Option<String>,
    /// Whether its canary has traffic routing, so that pods need not be proportional to their traffic.
    pub has_traffic_routing: bool,
    /// `status.stableRS`: hash of the stable pods.
    pub stable_hash: Option<String>,
    /// `status.currentPodHash`: hash of the newest pods.
    pub current_hash: Option<String>,
    /// `status.canary.weights.canary.weight`: percent of the traffic that the newest pods get.
    pub weight: Option<i32>,
    /// `status.phase`, such as `Paused`.
    pub phase: Option<String>,
}
