//! What the controller reads, remembers and is configured with, as plain data with the HPA API's names.
//!
//! Nothing here does I/O or reads a clock: `recording` and `cluster` convert files and API answers to these types. A
//! type that has the same shape in a snapshot is serialized behind the feature `serde`; its doc comments are then the
//! texts of the schema. Fields are optional where the Kubernetes API leaves them out.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod behavior;
mod context;
mod controller_config;
pub mod go_duration;
mod hpa;
mod hpa_key;
mod inferred;
mod known_kind;
pub mod label_selector;
mod memory;
mod metric;
mod neighbors;
mod observation;
mod pod;
mod provenance;
pub mod quantity;
mod reading;
mod refused_write;
mod replica_write;
mod scale;
mod setting;
mod shared;
mod snapshot_field;
mod source;
mod status;
mod surroundings;
mod switches;
mod sync_input;

pub use behavior::{Behavior, Direction, PolicyType, ScalingPolicy, ScalingRules, SelectPolicy};
pub use controller_config::{
    Architecture, ControllerConfig, FeatureGates, GateStage, KubeVersion, ParseKubeVersionError,
};
pub use hpa::{
    ContainerResourceSource, Hpa, HpaSpec, MetricIdentifier, MetricSpec, MetricTarget,
    ObjectReference, ObjectSource, PodsSource, ResourceSource, ScaleTargetRef,
};
pub use label_selector::{LabelSelector, Selector};
pub use memory::{Memory, Recommendation, ScaleEvent};
pub use metric::{ContainerUsage, ExternalMetricValue, IndexedAnswer, MetricValue, PodMetrics};
pub use neighbors::{Neighbor, Neighbors, OtherHpa};
pub use observation::Observation;
#[doc(hidden)]
pub use pod::find_resource;
pub use pod::{
    ConditionStatus, Container, Owner, Pod, PodPhase, PodStart, Probe, ReadyCondition, ResourceList,
};
pub use provenance::{Input, Provenance};
pub use quantity::Quantity;
pub use reading::{ApiError, NotRead, Reading};
pub use scale::Scale;
pub use shared::{Labels, Shared};
pub use snapshot_field::SnapshotField;
pub use status::{Condition, HpaStatus, MetricStatus, MetricValueStatus};
pub use switches::{Switches, TextVersion};

// What reports show next to the decision. It does not affect decisions, so it is not part of the library's API.
#[doc(hidden)]
pub use context::{ApiRequest, Context, FieldManager, IntermediateOwner, KubeEvent, Target};
#[doc(hidden)]
pub use hpa_key::HpaKey;
#[doc(hidden)]
pub use inferred::{Evidence, InferredSetting};
#[doc(hidden)]
pub use known_kind::KnownKind;
#[doc(hidden)]
pub use refused_write::{expect_refusal, last_refusal};
#[doc(hidden)]
pub use replica_write::{ReplicaWrite, ReplicaWriter, SeenWrites};
#[doc(hidden)]
pub use setting::Setting;
#[doc(hidden)]
pub use source::Source;
#[doc(hidden)]
pub use surroundings::{
    ApiService, Autoscaler, ContainerPolicy, DisruptionBudget, Downstream, FailedCreate, Fallback,
    ImagePull, MetricList, NodeShape, Nodes, Origin, PodShare, QuotaResource, QuotaScope, Relation,
    ResourceQuota, Rollout, ScaledObject, Surroundings, Trigger, VerticalAutoscaler,
    evictable_pods, rolling_update,
};
#[doc(hidden)]
pub use sync_input::SyncInput;
