//! Names of objects, containers and resources.

use hpa_engine::model::label_selector::{Wording, label_key_problems, label_problems};

use super::{Rules, Violation};

/// Why a name cannot be a path segment. Upstream: `content.IsPathSegmentName`.
pub(super) fn path_segment_problems(name: &str) -> Vec<String> {
    if matches!(name, "." | "..") {
        return vec![format!("may not be '{name}'")];
    }
    ["/", "%"]
        .into_iter()
        .filter(|part| name.contains(part))
        .map(|part| format!("may not contain '{part}'"))
        .collect()
}

/// Checks the name of a container. Upstream: `ValidateDNS1123Label`.
pub(super) fn dns_label(name: &str, field: &str) -> Vec<Violation> {
    label_problems(name)
        .into_iter()
        .map(|problem| Violation::text(field.to_owned(), name, &problem))
        .collect()
}

/// Checks the name of a container resource. Upstream: `ValidateContainerResourceName`.
pub(super) fn container_resource_name(name: &str, field: &str, rules: Rules<'_>) -> Vec<Violation> {
    let wrong = |detail: &str| Violation::name(field.to_owned(), name, detail);
    let mut found: Vec<Violation> = label_key_problems(name, wording(rules))
        .into_iter()
        .map(|problem| Violation::text(field.to_owned(), name, &problem))
        .collect();
    if !name.contains('/') {
        if found.is_empty() && !is_standard(name) {
            found.push(wrong("must be a standard resource type or fully qualified"));
        }
        if !is_standard_of_containers(name) {
            found.push(wrong("must be a standard resource for containers"));
        }
    } else if !is_native(name) && !is_extended(name, rules) {
        found.push(wrong("doesn't follow extended resource name standard"));
    }
    found
}

fn wording(rules: Rules<'_>) -> Wording {
    Wording::of(rules.config.version.value)
}

/// Upstream: `IsNativeResource`, for a name with a slash.
fn is_native(name: &str) -> bool {
    name.contains("kubernetes.io/")
}

/// Upstream: `IsExtendedResourceName`.
fn is_extended(name: &str, rules: Rules<'_>) -> bool {
    let name_for_quota = format!("requests.{name}");
    !name.starts_with("requests.") && label_key_problems(&name_for_quota, wording(rules)).is_empty()
}

/// Upstream: `IsStandardContainerResourceName`.
fn is_standard_of_containers(name: &str) -> bool {
    matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-")
}

/// Upstream: `IsStandardResourceName`.
fn is_standard(name: &str) -> bool {
    is_standard_of_containers(name)
        || name.starts_with("requests.hugepages-")
        || OF_QUOTAS.contains(&name)
}

/// Standard resources that exist only in quotas.
const OF_QUOTAS: [&str; 17] = [
    "configmaps",
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "persistentvolumeclaims",
    "pods",
    "replicationcontrollers",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
    "requests.storage",
    "resourcequotas",
    "secrets",
    "services",
    "services.loadbalancers",
    "services.nodeports",
    "storage",
];
