//! Argo's `Rollout` as a scale target.

use serde_json::Value;

use super::pointer::at;
use crate::recording::wire::{OwnerReference, Rollout};

/// The pods of a `Rollout`, as it reports them.
pub(in crate::recording) fn rollout(object: &Value) -> Rollout {
    let strategy = ["canary", "blueGreen"]
        .into_iter()
        .find(|name| object.pointer(&format!("/spec/strategy/{name}")).is_some());
    Rollout {
        workload: at::<OwnerReference>(object, "/spec/workloadRef"),
        strategy: strategy.map(str::to_owned),
        has_traffic_routing: object
            .pointer("/spec/strategy/canary/trafficRouting")
            .is_some(),
        stable_hash: at(object, "/status/stableRS"),
        current_hash: at(object, "/status/currentPodHash"),
        weight: at(object, "/status/canary/weights/canary/weight"),
        phase: at(object, "/status/phase"),
    }
}
