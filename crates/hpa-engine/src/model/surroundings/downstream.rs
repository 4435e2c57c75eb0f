//! What becomes of the replicas that an HPA asks for.

use jiff::Timestamp;

use super::PodShare;
use crate::model::{LabelSelector, Quantity, ResourceList};

/// What limits the pods that the target asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Downstream {
    /// The ResourceQuotas of the namespace, by name; none if they were not read.
    pub quotas: Option<Vec<ResourceQuota>>,
    /// The PodDisruptionBudgets that select pods of the target, by name; none if they were not read.
    pub disruption_budgets: Option<Vec<DisruptionBudget>>,
    /// The nodes; none if they were not read, which is so unless pods find no node or the maximum is reached.
    pub nodes: Option<Nodes>,
    /// Events `FailedCreate` on the target, newest first; read only if it has fewer pods than it wants.
    pub failed_creates: Vec<FailedCreate>,
}

/// A ResourceQuota: no pod is created that would exceed it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceQuota {
    /// `metadata.name`.
    pub name: String,
    /// The pods that it counts: those to which all of these apply; empty: all.
    pub scopes: Vec<QuotaScope>,
    /// `status.hard` with `status.used`, by name of the resource.
    pub resources: Vec<QuotaResource>,
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

/// A PodDisruptionBudget: what it forbids are evictions, such as those of a drained node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisruptionBudget {
    /// `metadata.name`.
    pub name: String,
    /// `spec.minAvailable`.
    pub min_available: Option<PodShare>,
    /// `spec.maxUnavailable`.
    pub max_unavailable: Option<PodShare>,
    /// `spec.selector`; none selects no pod, an empty one all pods of the namespace.
    pub selector: Option<LabelSelector>,
    /// `status.disruptionsAllowed`; none: nobody has written a status yet.
    pub disruptions_allowed: Option<i32>,
    /// `status.expectedPods`: pods that it selects.
    pub expected_pods: Option<i32>,
}

/// The nodes of the cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    /// Nodes of the same size, each size once.
    pub shapes: Vec<NodeShape>,
    /// Whether there are more nodes than were read.
    pub has_more: bool,
}

/// Nodes of the same size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeShape {
    /// So many nodes.
    pub count: usize,
    /// `spec.unschedulable`: no further pods are put there.
    pub is_cordoned: bool,
    /// `status.allocatable`.
    pub allocatable: ResourceList,
}

/// An event that says why a pod could not be created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
pub struct FailedCreate {
    /// Kind of the object that wanted the pod.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// `message` of the event.
    pub message: String,
    /// When it was last seen.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub last: Option<Timestamp>,
}
