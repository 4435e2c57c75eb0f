//! Kubernetes objects and answers as a snapshot stores them: with the API's field names, and only the fields named
//! here.
//!
//! These types, and those of the model with the same shape, are the allow list of a capture. A field that no type names
//! is dropped when an answer is decoded, so environment variables, volumes and other annotations cannot reach a file.
//! Decoding is strict where a decision depends on a field: an absent field or a wrong type is an error. Absent lists
//! and `null` are empty lists, as in Go.

mod answer;
mod context;
mod controller;
mod event;
mod hpa;
mod hpa_status;
mod metadata;
mod metric_source;
mod metrics;
mod pod;
mod scale;
mod surroundings;

pub use answer::{Answer, IndexedAnswer};
pub use context::{Answered, ApiRequest, Target};
pub use controller::Controller;
pub use event::{Event, KubernetesEvent};
pub use hpa::{Behavior, Hpa, HpaSpec, ScalingPolicy, ScalingRules};
pub use hpa_engine::serialized::{Quantity, ResourceList};
pub(super) use hpa_engine::serialized::{null_is_empty, short_list};
pub use hpa_status::HpaStatus;
pub use metadata::{HELM_HOOK, ObjectMeta, OwnerReference, is_kept_annotation};
pub use metric_source::{
    ContainerResourceSource, ContainerResourceStatus, MetricRead, MetricSource, MetricSourceStatus,
    MetricSpec, MetricStatus, MetricTarget, MetricType, MetricValueStatus, ObjectSource,
    ObjectStatus, ResourceSource, ResourceStatus, TypedSource,
};
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

// Model types with exactly the shape of a snapshot.
pub use hpa_engine::model::{
    ApiError, ApiService, Autoscaler, Condition, ContainerPolicy, FailedCreate, Fallback,
    FieldManager, IntermediateOwner, LabelSelector, MetricIdentifier, MetricList, NotRead,
    ObjectReference, OtherHpa, Relation, ScaledObject, Trigger, VerticalAutoscaler,
};

/// Whether a flag has its default and is omitted from the file.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}
