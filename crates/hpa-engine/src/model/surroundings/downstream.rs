//! What limits and blocks the replicas that an HPA asks for.

use jiff::Timestamp;

use super::PodShare;
use crate::model::{LabelSelector, Quantity, ResourceList};

/// What limits the pods that the target can create.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Downstream {
    /// The ResourceQuotas of the namespace, by name. None if they were not read.
    pub quotas: Option<Vec<ResourceQuota>>,
    /// The PodDisruptionBudgets that select pods of the target, by name. None if they were not read.
    pub disruption_budgets: Option<Vec<DisruptionBudget>>,
    /// The nodes. None if they were not read; they are read only if pods find no node or the HPA is at `maxReplicas`.
    pub nodes: Option<Nodes>,
    /// `FailedCreate` Events on the target, newest first. Read only if it has fewer pods than it wants.
    pub failed_creates: Vec<FailedCreate>,
}

/// A ResourceQuota: the API server rejects a pod that would exceed it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceQuota {
    /// `metadata.name`.
    pub name: String,
    /// Scopes: the quota counts pods that match all of them. Empty: all pods.
    pub scopes: Vec<QuotaScope>,
    /// `status.hard` with `status.used`, by name of the resource.
    pub resources: Vec<QuotaResource>,
}

impl ResourceQuota {
    /// What the refusal of a pod says of the quota that refused it. None: something else refused it.
    pub fn refusal_in(message: &str) -> Option<&str> {
        message
            .split_once("exceeded quota: ")
            .map(|(_, refusal)| refusal)
    }
}

/// One entry of a `scopeSelector`.
// Or one of the `scopes`, with operator `Exists`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename = "ScopeRequirement", rename_all = "camelCase", default)
)]
pub struct QuotaScope {
    /// `scopeName`.
    // Such as `NotBestEffort` or `PriorityClass`.
    #[cfg_attr(feature = "serde", serde(rename = "scopeName"))]
    pub name: String,
    /// `operator`.
    // `In`, `NotIn`, `Exists` or `DoesNotExist`.
    pub operator: String,
    /// `values`.
    #[cfg_attr(
        feature = "serde",
        serde(
            deserialize_with = "crate::serialized::null_is_empty",
            skip_serializing_if = "Vec::is_empty"
        )
    )]
    pub values: Vec<String>,
}

/// One resource of a quota.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotaResource {
    /// Such as `requests.cpu` or `count/pods`.
    pub name: String,
    /// `status.hard`.
    pub hard: Quantity,
    /// `status.used`.
    pub used: Quantity,
}

/// A PodDisruptionBudget: it forbids evictions, such as those during a node drain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisruptionBudget {
    /// `metadata.name`.
    pub name: String,
    /// `spec.minAvailable`.
    pub min_available: Option<PodShare>,
    /// `spec.maxUnavailable`.
    pub max_unavailable: Option<PodShare>,
    /// `spec.selector`. None selects no pod; an empty one selects all pods of the namespace.
    pub selector: Option<LabelSelector>,
    /// `status.disruptionsAllowed`. None if the status has not been written yet.
    pub disruptions_allowed: Option<i32>,
    /// `status.expectedPods`: pods that it selects.
    pub expected_pods: Option<i32>,
}

/// The nodes of the cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    /// Nodes of the same size, each size once.
    pub shapes: Vec<NodeShape>,
    /// Whether the cluster has more nodes than were read.
    pub has_more: bool,
}

/// Nodes of the same size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeShape {
    /// Number of nodes.
    pub count: usize,
    /// `spec.unschedulable`: the scheduler places no new pods there.
    pub is_cordoned: bool,
    /// `status.allocatable`.
    pub allocatable: ResourceList,
}

/// An Event that says why a pod could not be created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
pub struct FailedCreate {
    /// Kind of the object that tried to create the pod.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// `message` of the event.
    pub message: String,
    /// When it was last seen.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub last: Option<Timestamp>,
}
