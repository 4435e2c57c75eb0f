//! Kubernetes objects and answers as they stand in a snapshot: the API's field names, and only the fields named here.
//!
//! These types, with those of the model that have the same shape, are the allow list of what a capture keeps: a field
//! that no type names is dropped when an answer is decoded, so environment variables, volumes and foreign annotations
//! cannot reach a file. Decoding is strict where a decision hangs on a field: one that is absent or of the wrong type is an
//! error. Absent lists and `null` are empty lists, as in Go.

mod answer;
mod context;
mod controller;
mod event;
mod hpa;
mod hpa_status;
mod metadata;
mod metrics;
mod pod;
mod scale;
mod surroundings;

pub use answer::{Answer, IndexedAnswer};
pub use context::{Answered, ApiRequest, Target};
pub use controller::Controller;
pub use event::{Event, KubernetesEvent};
pub use hpa::{
    Behavior, ContainerResourceSource, Hpa, HpaSpec, MetricSource, MetricSpec, MetricTarget,
    ObjectSource, ResourceSource, ScalingPolicy, ScalingRules,
};
pub use hpa_engine::serialized::{Quantity, ResourceList};
pub(super) use hpa_engine::serialized::{null_is_empty, short_list};
pub use hpa_status::{
    ContainerResourceStatus, HpaStatus, MetricSourceStatus, MetricStatus, MetricValueStatus,
    ObjectStatus, ResourceStatus,
};
pub use metadata::HELM_HOOK;
pub use metadata::{ObjectMeta, OwnerReference};
pub use metrics::{ContainerUsage, ExternalMetricValue, MetricValue, PodMetrics};
pub use pod::{
    Container, ContainerState, ContainerStateRunning, ContainerStateWaiting, ContainerStatus, Pod,
    PodCondition, PodSpec, PodStatus, Probe, Resources,
};
pub use scale::{Scale, ScaleSpec, ScaleStatus};
pub use surroundings::{
    Downstream, ImagePull, IntOrString, NodeShape, Nodes, PodDisruptionBudget,
    PodDisruptionBudgetSpec, PodDisruptionBudgetStatus, ResourceQuota, ResourceQuotaSpec,
    ResourceQuotaStatus, Rollout, ScopeSelector, Surroundings,
};

// What the model has in the very shape of a snapshot.
pub use crate::model::{
    ApiError, ApiService, Autoscaler, Condition, ContainerPolicy, FailedCreate, Fallback,
    FieldManager, IntermediateOwner, LabelSelector, MetricIdentifier, MetricList, NotRead,
    ObjectReference, OtherHpa, Relation, ScaledObject, Trigger, VerticalAutoscaler,
};

/// Whether a flag is at its default and so is left out of the file.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}
