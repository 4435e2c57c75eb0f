//! The supported kinds of autoscalers, and the paths of their fields.

use hpa_engine::model::KnownKind;

/// A kind of autoscaler.
#[derive(Clone, Copy, Debug)]
pub struct AutoscalerKind {
    /// API group.
    pub group: &'static str,
    /// Supported versions, newest first.
    pub versions: &'static [&'static str],
    /// Resource.
    pub resource: &'static str,
    /// Kind.
    pub kind: &'static str,
    /// Whether it is listed in a cluster. One kind of each group is. The others are known only from files and as owners
    /// of an HPA.
    pub is_listed: bool,
    /// JSON pointer to its scale target.
    pub target: &'static str,
    /// JSON pointer to its fewest replicas.
    pub min: &'static str,
    /// JSON pointer to its most replicas.
    pub max: &'static str,
    /// JSON pointer to its mode of operation.
    pub mode: &'static str,
}

/// Defaults that most kinds share.
const COMMON: AutoscalerKind = AutoscalerKind {
    group: "",
    versions: &["v1alpha1"],
    resource: "",
    kind: "",
    is_listed: true,
    target: "/spec/scaleTargetRef",
    min: "/spec/minReplicas",
    max: "/spec/maxReplicas",
    mode: "/spec/scaleStrategy",
};

/// All supported kinds.
pub const KINDS: [AutoscalerKind; 12] = [
    AutoscalerKind {
        group: "keda.sh",
        resource: "scaledobjects",
        kind: "ScaledObject",
        min: "/spec/minReplicaCount",
        max: "/spec/maxReplicaCount",
        ..COMMON
    },
    AutoscalerKind {
        group: "autoscaling.k8s.io",
        versions: &["v1", "v1beta2"],
        resource: "verticalpodautoscalers",
        kind: "VerticalPodAutoscaler",
        target: "/spec/targetRef",
        mode: "/spec/updatePolicy/updateMode",
        ..COMMON
    },
    AutoscalerKind {
        group: "argoproj.io",
        resource: "rollouts",
        kind: KnownKind::ROLLOUT,
        target: "/spec/workloadRef",
        mode: "/spec/workloadRef/scaleDown",
        ..COMMON
    },
    AutoscalerKind {
        group: "flagger.app",
        versions: &["v1beta1"],
        resource: "canaries",
        kind: "Canary",
        target: "/spec/targetRef",
        mode: "/status/phase",
        ..COMMON
    },
    AutoscalerKind {
        group: "autoscaling.crane.io",
        resource: "effectivehorizontalpodautoscalers",
        kind: "EffectiveHorizontalPodAutoscaler",
        ..COMMON
    },
    AutoscalerKind {
        group: "autoscaling.kapacitystack.io",
        resource: "intelligenthorizontalpodautoscalers",
        kind: "IntelligentHorizontalPodAutoscaler",
        ..COMMON
    },
    AutoscalerKind {
        group: "autoscaling.alibabacloud.com",
        versions: &["v1beta1"],
        resource: "cronhorizontalpodautoscalers",
        kind: "CronHorizontalPodAutoscaler",
        ..COMMON
    },
    AutoscalerKind {
        group: "autoscaling.alibabacloud.com",
        versions: &["v1beta1"],
        resource: "advancedhorizontalpodautoscalers",
        kind: "AdvancedHorizontalPodAutoscaler",
        is_listed: false,
        ..COMMON
    },
    AutoscalerKind {
        group: "datadoghq.com",
        versions: &["v1alpha2", "v1alpha1"],
        resource: "datadogpodautoscalers",
        kind: "DatadogPodAutoscaler",
        target: "/spec/targetRef",
        min: "/spec/constraints/minReplicas",
        max: "/spec/constraints/maxReplicas",
        mode: "/spec/applyPolicy/mode",
        ..COMMON
    },
    AutoscalerKind {
        group: "datadoghq.com",
        resource: "watermarkpodautoscalers",
        kind: "WatermarkPodAutoscaler",
        is_listed: false,
        ..COMMON
    },
    AutoscalerKind {
        group: "autoscaling.gke.io",
        versions: &["v1beta1"],
        resource: "multidimpodautoscalers",
        kind: "MultidimPodAutoscaler",
        min: "/spec/constraints/global/minReplicas",
        max: "/spec/constraints/global/maxReplicas",
        mode: "/spec/policy/updateMode",
        ..COMMON
    },
    AutoscalerKind {
        group: "jamiethompson.me",
        resource: "predictivehorizontalpodautoscalers",
        kind: "PredictiveHorizontalPodAutoscaler",
        ..COMMON
    },
];

/// Kinds in manifests that `explain` does not list in a cluster: Knative creates the HPAs of its own class itself.
const OF_MANIFESTS: [AutoscalerKind; 1] = [AutoscalerKind {
    group: "autoscaling.internal.knative.dev",
    resource: "podautoscalers",
    kind: "PodAutoscaler",
    is_listed: false,
    ..COMMON
}];

impl AutoscalerKind {
    /// The kind of an object in a manifest.
    pub fn of_manifest(group: &str, kind: &str) -> Option<&'static Self> {
        let mut kinds = KINDS.iter().chain(&OF_MANIFESTS);
        kinds.find(|known| known.group == group && known.kind == kind)
    }

    /// Whether objects of a kind move pods between versions of a workload and leave their number to the HPA.
    pub fn leaves_replicas(kind: &str) -> bool {
        matches!(kind, KnownKind::ROLLOUT | "Canary")
    }

    /// The kind of an object.
    pub fn of(group: &str, kind: &str) -> Option<&'static Self> {
        KINDS
            .iter()
            .find(|known| known.group == group && known.kind == kind)
    }
}
