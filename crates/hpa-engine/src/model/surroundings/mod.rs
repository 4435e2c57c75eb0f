//! The objects around an HPA: who serves its metrics, who else scales its target, and what limits its replicas.

mod api_service;
mod autoscaler;
mod downstream;
mod image_pull;
mod metric_list;
mod origin;
mod pod_share;
mod rollout;
mod scaled_object;
mod vertical;

pub use api_service::ApiService;
pub use autoscaler::{Autoscaler, Relation};
pub use downstream::{
    DisruptionBudget, Downstream, FailedCreate, NodeShape, Nodes, QuotaResource, QuotaScope,
    ResourceQuota,
};
pub use image_pull::ImagePull;
pub use metric_list::MetricList;
pub use origin::Origin;
pub use pod_share::{PodShare, evictable_pods, rolling_update};
pub use rollout::Rollout;
pub use scaled_object::{Fallback, ScaledObject, Trigger};
pub use vertical::{ContainerPolicy, VerticalAutoscaler};

use crate::model::Neighbors;

/// The objects around an HPA. None of them affects the decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// The APIs that serve metrics, by name. None if they were not read.
    pub api_services: Option<Vec<ApiService>>,
    /// The metrics that adapters list, for metrics without a value.
    pub metric_lists: Vec<MetricList>,
    /// Other autoscalers of the namespace that affect the HPA or its target.
    pub autoscalers: Neighbors<Autoscaler>,
    /// What limits the pods that the target can create.
    pub downstream: Downstream,
    /// How long the image pulls of young pods took, from Events.
    pub image_pulls: Vec<ImagePull>,
    /// Number of HPAs in the namespace, if listing them is permitted.
    pub hpas_of_namespace: Option<usize>,
}
