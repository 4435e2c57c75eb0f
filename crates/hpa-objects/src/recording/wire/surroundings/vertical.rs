//! The `VerticalPodAutoscaler`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{model, recording::wire::ResourceList};

/// What a `VerticalPodAutoscaler` says beside its update mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VerticalAutoscaler {
    /// `spec.resourcePolicy.containerPolicies`.
    pub policies: Vec<ContainerPolicy>,
    /// Container and `target` of `status.recommendation.containerRecommendations`.
    pub recommendations: BTreeMap<String, ResourceList>,
}

/// One entry of `containerPolicies`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerPolicy {
    /// `containerName`.
    #[serde(rename = "containerName")]
    pub container: String,
    /// `mode`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// `controlledResources`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controlled_resources: Option<Vec<String>>,
}

impl From<&VerticalAutoscaler> for model::VerticalAutoscaler {
    /// A recommendation that is no quantity is none: nothing is decided by it.
    fn from(vertical: &VerticalAutoscaler) -> Self {
        let resources = |list: &ResourceList| {
            list.iter()
                .filter_map(|(name, quantity)| {
                    Some((name.clone(), model::Quantity::parse(&quantity.0).ok()?))
                })
                .collect()
        };
        Self {
            policies: vertical
                .policies
                .iter()
                .map(|policy| model::ContainerPolicy {
                    container: policy.container.clone(),
                    mode: policy.mode.clone(),
                    controlled_resources: policy.controlled_resources.clone(),
                })
                .collect(),
            recommendations: vertical
                .recommendations
                .iter()
                .map(|(container, list)| (container.clone(), resources(list)))
                .collect(),
        }
    }
}
