//! The `VerticalPodAutoscaler`.

use std::collections::BTreeMap;

/// What a `VerticalPodAutoscaler` says beside its update mode.
// That is the mode of the autoscaler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
pub struct VerticalAutoscaler {
    /// `spec.resourcePolicy.containerPolicies`.
    pub policies: Vec<ContainerPolicy>,
    /// Container and `target` of `status.recommendation.containerRecommendations`.
    // As text: nothing is decided by it, and one that is no quantity takes nothing else with it.
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::serialized::texts_of_quantities"),
        schemars(with = "BTreeMap<String, crate::serialized::ResourceList>")
    )]
    pub recommendations: BTreeMap<String, BTreeMap<String, String>>,
}

impl VerticalAutoscaler {
    /// Whether it changes the requests of `container` for `resource`, as far as its policies tell.
    pub fn controls(&self, container: &str, resource: &str) -> bool {
        let of = |name: &str| self.policies.iter().find(|policy| policy.container == name);
        let Some(policy) = of(container).or_else(|| of("*")) else {
            return matches!(resource, "cpu" | "memory");
        };
        policy.mode.as_deref() != Some("Off")
            && match &policy.controlled_resources {
                Some(resources) => resources.iter().any(|one| one == resource),
                None => matches!(resource, "cpu" | "memory"),
            }
    }
}

/// One entry of `containerPolicies`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
pub struct ContainerPolicy {
    /// `containerName`.
    // `*`: all that have no policy of their own.
    #[cfg_attr(feature = "serde", serde(rename = "containerName"))]
    pub container: String,
    /// `mode`.
    // `Off`: left alone.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mode: Option<String>,
    /// `controlledResources`.
    // Absent: cpu and memory.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub controlled_resources: Option<Vec<String>>,
}
