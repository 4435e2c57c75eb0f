//! The built-in kinds of Kubernetes that a scale target can refer to.

/// A built-in kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltInKind {
    /// `kind`.
    pub kind: &'static str,
    /// Its API group. Empty: core.
    pub group: &'static str,
    /// An `apiVersion` that serves it in every supported version.
    pub api_version: &'static str,
    /// Whether it has a scale subresource.
    pub is_scalable: bool,
    /// kubectl's short names.
    short_names: &'static [&'static str],
}

impl BuiltInKind {
    /// The kind with exactly this name.
    pub fn exact(kind: &str) -> Option<&'static Self> {
        KINDS.iter().find(|known| known.kind == kind)
    }

    /// The kind that a name in any case, a plural or a short name refers to.
    pub fn intended(name: &str) -> Option<&'static Self> {
        KINDS
            .iter()
            .find(|known| may_mean(name, known.kind, known.short_names.iter().copied()))
    }

    /// Whether a group belongs, or belonged, to Kubernetes itself, so that it contains no custom resources.
    pub fn is_built_in_group(group: &str) -> bool {
        matches!(
            group,
            "" | "apps" | "autoscaling" | "batch" | "extensions" | "policy" | "networking.k8s.io"
        )
    }
}

/// Whether `name` is another spelling of `kind`.
pub(super) fn may_mean<'a>(
    name: &str,
    kind: &str,
    short_names: impl IntoIterator<Item = &'a str>,
) -> bool {
    let name = name.trim().to_ascii_lowercase();
    let kind = kind.to_ascii_lowercase();
    name == kind
        || name.strip_suffix('s') == Some(kind.as_str())
        || name.strip_suffix("es") == Some(kind.as_str())
        || short_names.into_iter().any(|short| name == short)
}

const fn kind(
    kind: &'static str,
    group: &'static str,
    api_version: &'static str,
    is_scalable: bool,
    short_names: &'static [&'static str],
) -> BuiltInKind {
    BuiltInKind {
        kind,
        group,
        api_version,
        is_scalable,
        short_names,
    }
}

/// The kinds that create pods, and those that people try to scale by mistake.
static KINDS: &[BuiltInKind] = &[
    kind("Deployment", "apps", "apps/v1", true, &["deploy"]),
    kind("StatefulSet", "apps", "apps/v1", true, &["sts"]),
    kind("ReplicaSet", "apps", "apps/v1", true, &["rs"]),
    kind("ReplicationController", "", "v1", true, &["rc"]),
    kind("DaemonSet", "apps", "apps/v1", false, &["ds"]),
    kind("Job", "batch", "batch/v1", false, &[]),
    kind("CronJob", "batch", "batch/v1", false, &["cj"]),
    kind("Pod", "", "v1", false, &["po"]),
    kind("Service", "", "v1", false, &["svc"]),
    kind("ConfigMap", "", "v1", false, &["cm"]),
    kind("Namespace", "", "v1", false, &["ns"]),
    kind("Node", "", "v1", false, &["no"]),
    kind(
        "HorizontalPodAutoscaler",
        "autoscaling",
        "autoscaling/v2",
        false,
        &["hpa"],
    ),
];

#[cfg(test)]
mod tests {
    use super::BuiltInKind;

    #[test]
    fn kinds_are_known_by_every_name_that_kubectl_takes() {
        for (name, kind) in [
            ("deployment", "Deployment"),
            ("Deployments", "Deployment"),
            ("deploy", "Deployment"),
            ("Statefulset", "StatefulSet"),
            ("STS", "StatefulSet"),
            ("daemonsets", "DaemonSet"),
        ] {
            let intended = BuiltInKind::intended(name).map(|known| known.kind);
            assert_eq!(intended, Some(kind), "{name}");
            assert_eq!(BuiltInKind::exact(name), None, "{name}");
        }
        assert_eq!(BuiltInKind::intended("Widget"), None);
    }
}
