//! The `VerticalPodAutoscaler`.

use std::collections::BTreeMap;

/// Fields of a `VerticalPodAutoscaler` besides its update mode.
// The update mode is the autoscaler's `mode`.
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
    // Kept as text: it does not affect decisions, and an invalid quantity must not fail the rest.
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::serialized::texts_of_quantities"),
        schemars(with = "BTreeMap<String, crate::serialized::ResourceList>")
    )]
    pub recommendations: BTreeMap<String, BTreeMap<String, String>>,
}

impl VerticalAutoscaler {
    /// Whether its policies let it change the requests of `container` for `resource`.
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
    // `*`: all containers without their own policy.
    #[cfg_attr(feature = "serde", serde(rename = "containerName"))]
    pub container: String,
    /// `mode`.
    // `Off`: it leaves the container alone.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mode: Option<String>,
    /// `controlledResources`.
    // Absent means CPU and memory.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub controlled_resources: Option<Vec<String>>,
}
