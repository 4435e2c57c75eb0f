//! The objects around an HPA, as in a snapshot.

mod downstream;
mod image_pull;
mod rollout;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use downstream::{
    Downstream, IntOrString, NodeShape, Nodes, PodDisruptionBudget, PodDisruptionBudgetSpec,
    PodDisruptionBudgetStatus, ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus,
    ScopeSelector,
};
pub use image_pull::ImagePull;
pub use rollout::Rollout;

use hpa_engine::model::{ApiService, Autoscaler, MetricList, Neighbors};

use super::null_is_empty;

/// The objects around an HPA. None of them affects the decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Surroundings {
    /// The APIs that serve metrics, by name; absent: not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_services: Option<Vec<ApiService>>,
    /// The metrics that adapters list, for metrics without a value.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub metric_lists: Vec<MetricList>,
    /// Other autoscalers of the namespace that affect the HPA or its target.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Neighbors::is_empty"
    )]
    pub autoscalers: Neighbors<Autoscaler>,
    /// What limits the pods that the target can create.
    #[serde(default)]
    pub downstream: Downstream,
    /// How long the image pulls of young pods took.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub image_pulls: Vec<ImagePull>,
    /// Number of HPAs in the namespace; absent: listing them is not permitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hpas_of_namespace: Option<usize>,
}
