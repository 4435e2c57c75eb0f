//! How much of a ResourceQuota pods use, as the API server counts it.

use super::pod_size;
use crate::model::{Pod, QuotaScope, ResourceList, ResourceQuota};

/// The thousandths of a quota's resource that a pod uses, and the resource's name. Upstream: `podComputeUsageHelper`.
pub fn taken<'a>(pod: &Pod, resource: &'a str) -> Option<(i128, &'a str)> {
    match resource {
        "pods" | "count/pods" => Some((1000, "pods")),
        "cpu" | "memory" | "ephemeral-storage" => {
            Some((pod_size::request(pod, resource), resource))
        }
        _ => {
            let limits = resource.strip_prefix("limits.");
            let requests = resource
                .strip_prefix("requests.")
                .or_else(|| resource.starts_with("hugepages-").then_some(resource));
            match (requests, limits) {
                // Storage is for volumes, not for pods.
                (Some("storage"), _) => None,
                (Some(name), _) => Some((pod_size::request(pod, name), name)),
                (_, Some(name)) => Some((pod_size::limit(pod, name), name)),
                _ => None,
            }
        }
    }
}

/// Whether the quota counts a pod with this `priorityClassName`: all of its scopes must match. Upstream:
/// `podMatchesScopeFunc`.
pub fn counts(quota: &ResourceQuota, pod: &Pod, class: Option<&str>) -> bool {
    quota.scopes.iter().all(|scope| applies(scope, pod, class))
}

fn applies(scope: &QuotaScope, pod: &Pod, class: Option<&str>) -> bool {
    let containers = || pod.containers.iter().chain(&pod.init_containers);
    let counts = |list: &ResourceList| {
        list.iter()
            .any(|(name, _)| matches!(name.as_str(), "cpu" | "memory"))
    };
    let is_best_effort = !counts(&pod.requests)
        && !containers().any(|one| counts(&one.requests) || counts(&one.limits));
    match scope.name.as_str() {
        "BestEffort" => is_best_effort,
        "NotBestEffort" => !is_best_effort,
        // No controller that an HPA scales creates pods with a deadline.
        "NotTerminating" => true,
        "PriorityClass" => {
            let is_listed =
                class.is_some_and(|class| scope.values.iter().any(|value| value == class));
            match scope.operator.as_str() {
                "In" => is_listed,
                "NotIn" => !is_listed,
                "Exists" => class.is_some(),
                _ => class.is_none(),
            }
        }
        _ => false,
    }
}
