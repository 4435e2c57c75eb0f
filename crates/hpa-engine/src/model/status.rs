//! The status that the controller writes to an HPA.

use jiff::Timestamp;

use crate::model::{MetricIdentifier, MetricSpec, ObjectReference, Quantity};

/// `status` of an HPA.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HpaStatus {
    /// `observedGeneration`; written from Kubernetes 1.37 on.
    pub observed_generation: Option<i64>,
    /// `lastScaleTime`, whole seconds.
    pub last_scale_time: Option<Timestamp>,
    /// `currentReplicas`: `spec.replicas` of the scale before the sync. Absent reads as 0.
    pub current_replicas: i32,
    /// `desiredReplicas`.
    pub desired_replicas: i32,
    /// `currentMetrics`, one for each entry of `spec.metrics`, or none at all.
    pub current_metrics: Vec<MetricStatus>,
    /// `conditions`, in the order in which they were first set.
    pub conditions: Vec<Condition>,
}

impl HpaStatus {
    /// The condition of a type. If another writer has added a duplicate, the first counts.
    pub fn condition(&self, condition_type: &str) -> Option<&Condition> {
        let mut conditions = self.conditions.iter();
        conditions.find(|condition| condition.condition_type == condition_type)
    }

    /// The condition of a type, if it is `False`.
    pub fn false_condition(&self, condition_type: &str) -> Option<&Condition> {
        self.condition(condition_type)
            .filter(|condition| condition.status == "False")
    }
}

/// One entry of `status.currentMetrics`.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MetricStatus {
    /// Type `ContainerResource`.
    ContainerResource {
        /// Name of the resource.
        name: String,
        /// Name of the container.
        container: String,
        /// `current`.
        current: MetricValueStatus,
    },
    /// Type `External`.
    External {
        /// Name and selector.
        metric: MetricIdentifier,
        /// `current`.
        current: MetricValueStatus,
    },
    /// A metric that failed: only `type: ""`.
    #[default]
    Failed,
    /// Type `Object`.
    Object {
        /// The described object. Absent in averages up to Kubernetes 1.32.
        described_object: Option<ObjectReference>,
        /// Name and selector.
        metric: MetricIdentifier,
        /// `current`.
        current: MetricValueStatus,
    },
    /// Type `Pods`.
    Pods {
        /// Name and selector.
        metric: MetricIdentifier,
        /// `current`.
        current: MetricValueStatus,
    },
    /// Type `Resource`.
    Resource {
        /// Name of the resource.
        name: String,
        /// `current`.
        current: MetricValueStatus,
    },
}

impl MetricStatus {
    /// The status of a metric with these values. That of an unknown type failed.
    #[doc(hidden)]
    pub fn of_spec(spec: &MetricSpec, current: MetricValueStatus) -> Self {
        match spec {
            MetricSpec::ContainerResource(source) => Self::ContainerResource {
                name: source.name.clone(),
                container: source.container.clone(),
                current,
            },
            MetricSpec::External(source) => Self::External {
                metric: source.metric.clone(),
                current,
            },
            MetricSpec::Object(source) => Self::Object {
                described_object: Some(source.described_object.clone()),
                metric: source.metric.clone(),
                current,
            },
            MetricSpec::Pods(source) => Self::Pods {
                metric: source.metric.clone(),
                current,
            },
            MetricSpec::Resource(source) => Self::Resource {
                name: source.name.clone(),
                current,
            },
            MetricSpec::Unknown { .. } => Self::Failed,
        }
    }

    /// Whether it can be the status of this metric, by type and names. A metric that failed has neither.
    #[doc(hidden)]
    pub fn can_be_of(&self, spec: &MetricSpec) -> bool {
        match self {
            Self::ContainerResource {
                name, container, ..
            } => spec.is_resource(name) && spec.container() == Some(container),
            Self::External { metric, .. } => {
                let own = spec.external_identifier();
                own.is_some_and(|own| own.name == metric.name)
            }
            Self::Failed => true,
            Self::Object { metric, .. } => {
                let own = spec.object();
                own.is_some_and(|own| own.metric.name == metric.name)
            }
            Self::Pods { metric, .. } => spec.is_pods() && spec.short_name() == metric.name,
            Self::Resource { name, .. } => spec.pod_resource() == Some(name),
        }
    }

    /// Its values. None if it failed.
    #[doc(hidden)]
    pub fn current(&self) -> Option<&MetricValueStatus> {
        match self {
            Self::ContainerResource { current, .. }
            | Self::External { current, .. }
            | Self::Object { current, .. }
            | Self::Pods { current, .. }
            | Self::Resource { current, .. } => Some(current),
            Self::Failed => None,
        }
    }
}

/// `MetricValueStatus`: the numbers of the first calculation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricValueStatus {
    /// `value`.
    pub value: Option<Quantity>,
    /// `averageValue`.
    pub average_value: Option<Quantity>,
    /// `averageUtilization`, percent of requests.
    pub average_utilization: Option<i32>,
}

/// One entry of `status.conditions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct Condition {
    /// `type`, such as `AbleToScale`.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub condition_type: String,
    /// `status`: `True`, `False` or `Unknown`.
    pub status: String,
    /// `lastTransitionTime`: when `status` last changed, whole seconds.
    #[cfg_attr(feature = "serde", schemars(description = "`lastTransitionTime`."))]
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub last_transition_time: Option<Timestamp>,
    /// `reason`.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "String::is_empty")
    )]
    pub reason: String,
    /// `message`.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "String::is_empty")
    )]
    pub message: String,
}
