//! Kubernetes objects and answers as they stand in a snapshot: the API's field names, and only the fields named here.
//!
//! These types are the allow list of what a capture keeps: a field that no type names is dropped when an answer is
//! decoded, so environment variables, volumes and foreign annotations cannot reach a file. Decoding is strict where
//! a decision hangs on a field: one that is absent or of the wrong type is an error. Absent lists and `null` are
//! empty lists, as in Go.

mod answer;
mod context;
mod controller;
mod event;
mod hpa;
mod hpa_status;
mod metadata;
mod metrics;
mod pod;
mod quantity;
mod scale;
mod snapshot_field;
mod surroundings;

use serde::{Deserialize, Deserializer};

pub use answer::{Answer, IndexedAnswer, Status};
pub use context::{
    Answered, ApiRequest, FieldManager, IntermediateOwner, NotRead, OtherHpa, Target,
};
pub use controller::Controller;
pub use event::{Event, KubernetesEvent};
pub use hpa::{
    Behavior, ContainerResourceSource, Hpa, HpaSpec, LabelSelector, LabelSelectorRequirement,
    MetricIdentifier, MetricSource, MetricSpec, MetricTarget, ObjectReference, ObjectSource,
    ResourceSource, ScalingPolicy, ScalingRules,
};
pub use hpa_status::{
    Condition, ContainerResourceStatus, HpaStatus, MetricSourceStatus, MetricStatus,
    MetricValueStatus, ObjectStatus, ResourceStatus,
};
pub use metadata::HELM_HOOK;
pub use metadata::{ObjectMeta, OwnerReference};
pub use metrics::{ContainerUsage, ExternalMetricValue, MetricValue, PodMetrics};
pub use pod::{
    Container, ContainerState, ContainerStateRunning, ContainerStateWaiting, ContainerStatus, Pod,
    PodCondition, PodSpec, PodStatus, Probe, Resources,
};
pub use quantity::{Quantity, ResourceList};
pub use scale::{Scale, ScaleSpec, ScaleStatus};
pub use surroundings::{
    ApiService, Autoscaler, ContainerPolicy, Downstream, FailedCreate, Fallback, ImagePull,
    IntOrString, MetricList, NodeShape, Nodes, PodDisruptionBudget, PodDisruptionBudgetSpec,
    PodDisruptionBudgetStatus, Relation, ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus,
    Rollout, ScaledObject, ScopeRequirement, ScopeSelector, Surroundings, Trigger,
    VerticalAutoscaler,
};

/// Reads `null` as the empty list or map, as Go does.
pub(super) fn null_is_empty<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Whether a flag is at its default and so is left out of the file.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}
