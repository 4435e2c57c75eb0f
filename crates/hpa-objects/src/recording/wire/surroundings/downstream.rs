//! What limits and blocks the replicas that an HPA asks for: quotas, disruption budgets, nodes, pods that could not be
//! created.

use hpa_engine::model::{FailedCreate, LabelSelector, QuotaScope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::recording::wire::{ObjectMeta, ResourceList, is_false, null_is_empty};

/// What limits the pods that the target can create.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Downstream {
    /// The ResourceQuotas of the namespace, by name; absent: not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_quotas: Option<Vec<ResourceQuota>>,
    /// The PodDisruptionBudgets that select pods of the target, by name; absent: not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod_disruption_budgets: Option<Vec<PodDisruptionBudget>>,
    /// The nodes; absent: not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Nodes>,
    /// `FailedCreate` Events on the target, newest first.
    #[serde(
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub failed_creates: Vec<FailedCreate>,
}

/// `v1` ResourceQuota.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResourceQuota {
    /// `metadata`.
    pub metadata: ObjectMeta,
    /// `spec`.
    #[serde(default)]
    pub spec: ResourceQuotaSpec,
    /// `status`.
    #[serde(default)]
    pub status: ResourceQuotaStatus,
}

/// `spec` of a ResourceQuota.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourceQuotaSpec {
    /// `scopes`.
    #[serde(
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub scopes: Vec<String>,
    /// `scopeSelector`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_selector: Option<ScopeSelector>,
}

/// `scopeSelector` of a ResourceQuota.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ScopeSelector {
    /// `matchExpressions`.
    #[serde(deserialize_with = "null_is_empty")]
    pub match_expressions: Vec<QuotaScope>,
}

/// `status` of a ResourceQuota.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ResourceQuotaStatus {
    /// `hard`.
    #[serde(deserialize_with = "null_is_empty")]
    pub hard: ResourceList,
    /// `used`.
    #[serde(deserialize_with = "null_is_empty")]
    pub used: ResourceList,
}

/// `policy/v1` PodDisruptionBudget.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PodDisruptionBudget {
    /// `metadata`.
    pub metadata: ObjectMeta,
    /// `spec`.
    #[serde(default)]
    pub spec: PodDisruptionBudgetSpec,
    /// `status`.
    #[serde(default)]
    pub status: PodDisruptionBudgetStatus,
}

/// `spec` of a PodDisruptionBudget.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PodDisruptionBudgetSpec {
    /// `minAvailable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_available: Option<IntOrString>,
    /// `maxUnavailable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrString>,
    /// `selector`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,
}

/// `status` of a PodDisruptionBudget.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PodDisruptionBudgetStatus {
    /// `observedGeneration`; absent: the status has not been written yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// `disruptionsAllowed`.
    pub disruptions_allowed: i32,
    /// `expectedPods`.
    pub expected_pods: i32,
}

/// A number, or a percentage such as `25%`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum IntOrString {
    /// A number.
    Int(i32),
    /// A percentage.
    String(String),
}

/// The nodes of the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Nodes {
    /// Nodes of the same size, each size once.
    #[serde(deserialize_with = "null_is_empty")]
    pub shapes: Vec<NodeShape>,
    /// Whether the cluster has more nodes than were read.
    #[serde(skip_serializing_if = "is_false")]
    pub more: bool,
}

/// Nodes of the same size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeShape {
    /// Number of nodes.
    pub count: usize,
    /// `spec.unschedulable`.
    #[serde(skip_serializing_if = "is_false")]
    pub unschedulable: bool,
    /// `status.allocatable`.
    #[serde(deserialize_with = "null_is_empty")]
    pub allocatable: ResourceList,
}
