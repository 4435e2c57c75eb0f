//! The `VerticalPodAutoscaler`.

use crate::model::ResourceList;

/// What a `VerticalPodAutoscaler` says. Its update mode is the mode of the autoscaler.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerticalAutoscaler {
    /// `spec.resourcePolicy.containerPolicies`.
    pub policies: Vec<ContainerPolicy>,
    /// `status.recommendation.containerRecommendations`: container and `target`.
    pub recommendations: Vec<(String, ResourceList)>,
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
pub struct ContainerPolicy {
    /// `containerName`; `*`: all that have no policy of their own.
    pub container: String,
    /// `mode`; `Off`: left alone.
    pub mode: Option<String>,
    /// `controlledResources`; absent: cpu and memory.
    pub controlled_resources: Option<Vec<String>>,
}
