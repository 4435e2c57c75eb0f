//! How much of a ResourceQuota pods use, as the API server counts it.

use hpa_engine::model::{Pod, QuotaScope, ResourceList, ResourceQuota};

use super::pod_size;

/// The thousandths of a quota's resource that a pod uses, and the resource's name. Upstream: `podComputeUsageHelper`.
pub fn taken<'a>(pod: &Pod, resource: &'a str) -> Option<(i128, &'a str)> {
    match resource {
        "pods" | "count/pods" => Some((1000, "pods")),
        "cpu" | "memory" | "ephemeral-storage" => {
            Some((pod_size::request(pod, resource), resource))
        }
        _ => {
            if let Some(name) = resource.strip_prefix("limits.") {
                return is_compute(name).then(|| (pod_size::limit(pod, name), name));
            }
            let is_huge = |name: &str| name.starts_with("hugepages-");
            let name = resource.strip_prefix("requests.");
            let name = name.filter(|name| is_compute(name) || is_huge(name) || is_extended(name));
            let name = name.or_else(|| is_huge(resource).then_some(resource))?;
            Some((pod_size::request(pod, name), name))
        }
    }
}

/// Whether a quota counts both the requests and the limits of a resource. For all others it counts requests only, and
/// accepts `limits.nvidia.com/gpu` without ever counting anything.
fn is_compute(name: &str) -> bool {
    matches!(name, "cpu" | "memory" | "ephemeral-storage")
}

/// Upstream: `IsExtendedResourceName`.
fn is_extended(name: &str) -> bool {
    name.contains('/') && !name.contains("kubernetes.io/") && !name.starts_with("requests.")
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

#[cfg(test)]
mod tests {
    use hpa_engine::model::{Container, Pod, Quantity};

    use super::taken;

    /// Each name that a quota may have, and whether the API server counts anything of a pod for it.
    #[test]
    fn only_names_that_the_api_server_counts_are_taken() {
        let of = |name: &str| (name.to_owned(), Quantity::parse("2").unwrap());
        let resources = [
            "cpu",
            "memory",
            "ephemeral-storage",
            "hugepages-2Mi",
            "example.com/card",
        ];
        let list: Vec<_> = resources.iter().map(|name| of(name)).collect();
        let container = Container {
            name: "main".to_owned(),
            requests: list.clone(),
            limits: list,
            ..Container::default()
        };
        let pod = Pod {
            containers: vec![container].into(),
            ..Pod::default()
        };
        for (name, is_taken) in [
            ("pods", true),
            ("cpu", true),
            ("hugepages-2Mi", true),
            ("example.com/card", false),
            ("requests.cpu", true),
            ("requests.ephemeral-storage", true),
            ("requests.hugepages-2Mi", true),
            ("requests.example.com/card", true),
            ("requests.storage", false),
            ("requests.kubernetes.io/card", false),
            ("requests.card", false),
            ("limits.cpu", true),
            ("limits.memory", true),
            ("limits.ephemeral-storage", true),
            ("limits.hugepages-2Mi", false),
            ("limits.example.com/card", false),
            ("services", false),
        ] {
            assert_eq!(taken(&pod, name).is_some(), is_taken, "{name}");
        }
    }
}
