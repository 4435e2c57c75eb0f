//! The HorizontalPodAutoscaler in the shape of `autoscaling/v2`.

use std::fmt;

use jiff::{SignedDuration, Timestamp};

use crate::model::{
    Behavior, ControllerConfig, Direction, HpaKey, HpaStatus, Input, KnownKind, LabelSelector,
    Quantity, ScalingRules,
};

/// A HorizontalPodAutoscaler as the controller reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Hpa {
    /// `metadata.namespace`.
    pub namespace: String,
    /// `metadata.name`.
    pub name: String,
    /// `metadata.generation`; counted from Kubernetes 1.37 on.
    pub generation: Option<i64>,
    /// `metadata.creationTimestamp`.
    pub created: Option<Timestamp>,
    /// `spec`.
    pub spec: HpaSpec,
    /// `status` before this sync.
    pub status: HpaStatus,
}

impl Hpa {
    /// An HPA that the controller has not synced yet: its status is empty.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>, spec: HpaSpec) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
            generation: None,
            created: None,
            spec,
            status: HpaStatus::default(),
        }
    }
}

/// `spec` of an HPA.
#[derive(Clone, Debug, PartialEq)]
pub struct HpaSpec {
    /// `scaleTargetRef`.
    pub scale_target: ScaleTargetRef,
    /// `minReplicas`. Absent means 1.
    pub min_replicas: Option<i32>,
    /// `maxReplicas`.
    pub max_replicas: i32,
    /// `metrics`, in order.
    pub metrics: Vec<MetricSpec>,
    /// `behavior`. If absent, the controller takes the path without behavior.
    pub behavior: Option<Behavior>,
    /// `syncPeriodSeconds` (KEP-6003). If absent, as in every released API, the controller's flag applies.
    pub sync_period: Option<SignedDuration>,
}

impl Hpa {
    /// Its name in its cluster.
    pub fn key(&self) -> HpaKey {
        HpaKey {
            namespace: self.namespace.clone(),
            name: self.name.clone(),
        }
    }

    /// Whether the status is for the current spec, by `observedGeneration`. None if the field is absent, as up to
    /// Kubernetes 1.36.
    pub fn is_observed(&self) -> Option<bool> {
        let (observed, generation) = (self.status.observed_generation?, self.generation?);
        Some(generation <= observed)
    }

    /// Whether the controller syncs the HPA as soon as it is created or edited instead of waiting for the next period:
    /// from Kubernetes 1.37 on, with the gate `HPAGeneration`. The status shows whether the gate is on.
    ///
    /// Upstream: `updateHPA` and `enqueueHPA` in `horizontal.go` of 1.37.
    pub fn is_synced_at_once(&self, controller: &ControllerConfig) -> bool {
        if self.status.conditions.is_empty() {
            37 <= controller.version.value.minor && controller.feature_gates.hpa_generation.value
        } else {
            self.status.observed_generation.is_some()
        }
    }
}

impl HpaSpec {
    /// A minimal spec: `minReplicas` 1 and no behavior.
    pub fn new(scale_target: ScaleTargetRef, max_replicas: i32, metrics: Vec<MetricSpec>) -> Self {
        Self {
            scale_target,
            min_replicas: None,
            max_replicas,
            metrics,
            behavior: None,
            sync_period: None,
        }
    }

    /// `minReplicas`, or 1 if absent.
    pub fn min_replicas(&self) -> i32 {
        self.min_replicas.unwrap_or(1)
    }

    /// The rules of a direction, if set.
    pub fn rules(&self, direction: Direction) -> Option<&ScalingRules> {
        self.behavior.as_ref()?.rules(direction)
    }

    /// The rules of a direction, for writing. Creates them if absent, as the API server does.
    pub fn rules_mut(&mut self, direction: Direction) -> &mut ScalingRules {
        let behavior = self.behavior.get_or_insert_default();
        match direction {
            Direction::Up => behavior.scale_up.get_or_insert_default(),
            Direction::Down => behavior.scale_down.get_or_insert_default(),
        }
    }

    /// The stabilization window of a direction: the HPA's own, or else 0 for scaling up and the flag for scaling down.
    /// With `behavior`, the flag is truncated to whole seconds. Upstream: `maybeInitScaleDownStabilizationWindow`.
    pub fn window(
        &self,
        direction: Direction,
        controller: &ControllerConfig,
    ) -> Input<SignedDuration> {
        let own = self.rules(direction).and_then(ScalingRules::window);
        let flag = controller.downscale_stabilization;
        match (own, direction) {
            (Some(own), _) => Input::observed(own),
            (None, Direction::Up) => Input::observed(SignedDuration::ZERO),
            (None, Direction::Down) if self.behavior.is_some() => Input {
                value: SignedDuration::from_secs(flag.value.as_secs()),
                ..flag
            },
            (None, Direction::Down) => flag,
        }
    }

    /// The sync period of this HPA: its own, or the controller's.
    pub fn sync_period(&self, controller: &ControllerConfig) -> Input<SignedDuration> {
        self.sync_period
            .map_or(controller.sync_period, Input::observed)
    }
}

/// `scaleTargetRef`: the workload whose scale subresource is read and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaleTargetRef {
    /// `apiVersion`. The controller uses only its group.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
}

impl ScaleTargetRef {
    /// A Deployment of the group `apps`.
    pub fn deployment(name: impl Into<String>) -> Self {
        Self {
            api_version: Some("apps/v1".to_owned()),
            kind: KnownKind::DEPLOYMENT.to_owned(),
            name: name.into(),
        }
    }
}

impl fmt::Display for ScaleTargetRef {
    /// `kind/name`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.kind, self.name)
    }
}

/// One entry of `spec.metrics`.
#[derive(Clone, Debug, PartialEq)]
pub enum MetricSpec {
    /// Type `ContainerResource`.
    ContainerResource(ContainerResourceSource),
    /// Type `External`.
    External(PodsSource),
    /// Type `Object`.
    Object(ObjectSource),
    /// Type `Pods`.
    Pods(PodsSource),
    /// Type `Resource`.
    Resource(ResourceSource),
    /// Any other type, or a type whose source is absent.
    Unknown {
        /// `type`.
        metric_type: String,
    },
}

impl MetricSpec {
    /// A Resource metric of type Utilization: percent of the pods' requests.
    pub fn utilization(resource: impl Into<String>, percent: i32) -> Self {
        Self::Resource(ResourceSource {
            name: resource.into(),
            metric_target: MetricTarget {
                target_type: "Utilization".to_owned(),
                average_utilization: Some(percent),
                ..MetricTarget::default()
            },
        })
    }

    /// An External metric of type AverageValue over all its series: `average_value` for each replica.
    pub fn external(name: impl Into<String>, average_value: Quantity) -> Self {
        Self::External(PodsSource {
            metric: MetricIdentifier {
                name: name.into(),
                selector: None,
            },
            metric_target: MetricTarget {
                target_type: "AverageValue".to_owned(),
                average_value: Some(average_value),
                ..MetricTarget::default()
            },
        })
    }

    /// `type`.
    pub fn metric_type(&self) -> &str {
        match self {
            Self::ContainerResource(_) => "ContainerResource",
            Self::External(_) => "External",
            Self::Object(_) => "Object",
            Self::Pods(_) => "Pods",
            Self::Resource(_) => "Resource",
            Self::Unknown { metric_type } => metric_type,
        }
    }

    /// Group of the API that serves the metric. None for an unknown type.
    pub fn api_group(&self) -> Option<&'static str> {
        match self {
            Self::ContainerResource(_) | Self::Resource(_) => Some("metrics.k8s.io"),
            Self::Object(_) | Self::Pods(_) => Some("custom.metrics.k8s.io"),
            Self::External(_) => Some("external.metrics.k8s.io"),
            Self::Unknown { .. } => None,
        }
    }

    /// The metric's target. None for an unknown type.
    #[doc(hidden)]
    pub fn target(&self) -> Option<&MetricTarget> {
        match self {
            Self::ContainerResource(source) => Some(&source.metric_target),
            Self::External(source) | Self::Pods(source) => Some(&source.metric_target),
            Self::Object(source) => Some(&source.metric_target),
            Self::Resource(source) => Some(&source.metric_target),
            Self::Unknown { .. } => None,
        }
    }

    /// The metric's target, for writing. None for an unknown type.
    #[doc(hidden)]
    pub fn target_mut(&mut self) -> Option<&mut MetricTarget> {
        match self {
            Self::ContainerResource(source) => Some(&mut source.metric_target),
            Self::External(source) | Self::Pods(source) => Some(&mut source.metric_target),
            Self::Object(source) => Some(&mut source.metric_target),
            Self::Resource(source) => Some(&mut source.metric_target),
            Self::Unknown { .. } => None,
        }
    }

    /// Whether it is a `Resource` or `ContainerResource` metric of this resource.
    pub fn is_resource(&self, resource: &str) -> bool {
        self.resource() == Some(resource)
    }

    /// The resource of a `Resource` or `ContainerResource` metric.
    #[doc(hidden)]
    pub fn resource(&self) -> Option<&str> {
        match self {
            Self::ContainerResource(source) => Some(&source.name),
            Self::External(_)
            | Self::Object(_)
            | Self::Pods(_)
            | Self::Resource(_)
            | Self::Unknown { .. } => self.pod_resource(),
        }
    }

    /// The resource of a `Resource` metric, which measures whole pods.
    #[doc(hidden)]
    pub fn pod_resource(&self) -> Option<&str> {
        match self {
            Self::Resource(source) => Some(&source.name),
            Self::ContainerResource(_)
            | Self::External(_)
            | Self::Object(_)
            | Self::Pods(_)
            | Self::Unknown { .. } => None,
        }
    }

    /// The container of a `ContainerResource` metric.
    #[doc(hidden)]
    pub fn container(&self) -> Option<&str> {
        match self {
            Self::ContainerResource(source) => Some(&source.container),
            Self::External(_)
            | Self::Object(_)
            | Self::Pods(_)
            | Self::Resource(_)
            | Self::Unknown { .. } => None,
        }
    }

    /// The target of a `Resource` or `ContainerResource` metric in percent of requests.
    #[doc(hidden)]
    pub fn percent(&self) -> Option<i32> {
        self.resource().and(self.target())?.average_utilization
    }

    /// Name and selector of a custom or external metric.
    #[doc(hidden)]
    pub fn identifier(&self) -> Option<&MetricIdentifier> {
        match self {
            Self::Pods(source) => Some(&source.metric),
            Self::Object(source) => Some(&source.metric),
            Self::ContainerResource(_)
            | Self::External(_)
            | Self::Resource(_)
            | Self::Unknown { .. } => self.external_identifier(),
        }
    }

    /// Name and selector of an `External` metric.
    #[doc(hidden)]
    pub fn external_identifier(&self) -> Option<&MetricIdentifier> {
        match self {
            Self::External(source) => Some(&source.metric),
            Self::ContainerResource(_)
            | Self::Object(_)
            | Self::Pods(_)
            | Self::Resource(_)
            | Self::Unknown { .. } => None,
        }
    }

    /// The source of an `Object` metric.
    #[doc(hidden)]
    pub fn object(&self) -> Option<&ObjectSource> {
        match self {
            Self::Object(source) => Some(source),
            Self::ContainerResource(_)
            | Self::External(_)
            | Self::Pods(_)
            | Self::Resource(_)
            | Self::Unknown { .. } => None,
        }
    }

    /// Whether it is an `External` metric.
    #[doc(hidden)]
    pub fn is_external(&self) -> bool {
        self.external_identifier().is_some()
    }

    /// Whether it is a `Pods` metric.
    #[doc(hidden)]
    pub fn is_pods(&self) -> bool {
        match self {
            Self::Pods(_) => true,
            Self::ContainerResource(_)
            | Self::External(_)
            | Self::Object(_)
            | Self::Resource(_)
            | Self::Unknown { .. } => false,
        }
    }

    /// Whether each pod has a value.
    #[doc(hidden)]
    pub fn is_of_each_pod(&self) -> bool {
        self.resource().is_some() || self.is_pods()
    }

    /// Whether one value is for all pods: an `External` or `Object` metric.
    #[doc(hidden)]
    pub fn is_total(&self) -> bool {
        self.is_external() || self.object().is_some()
    }

    /// The field of `spec.metrics` that has its source. None for an unknown type.
    #[doc(hidden)]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::ContainerResource(_) => Some("containerResource"),
            Self::External(_) => Some("external"),
            Self::Object(_) => Some("object"),
            Self::Pods(_) => Some("pods"),
            Self::Resource(_) => Some("resource"),
            Self::Unknown { .. } => None,
        }
    }

    /// Name of the resource or metric.
    pub fn short_name(&self) -> &str {
        match self {
            Self::ContainerResource(source) => &source.name,
            Self::External(source) | Self::Pods(source) => &source.metric.name,
            Self::Object(source) => &source.metric.name,
            Self::Resource(source) => &source.name,
            Self::Unknown { metric_type } => metric_type,
        }
    }
}

/// Source of a `Resource` metric.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceSource {
    /// Name of the resource, such as `cpu`.
    pub name: String,
    /// The metric target.
    pub metric_target: MetricTarget,
}

/// Source of a `ContainerResource` metric.
#[derive(Clone, Debug, PartialEq)]
pub struct ContainerResourceSource {
    /// Name of the resource, such as `cpu`.
    pub name: String,
    /// Name of the container.
    pub container: String,
    /// The metric target.
    pub metric_target: MetricTarget,
}

/// Source of a `Pods` or an `External` metric.
#[derive(Clone, Debug, PartialEq)]
pub struct PodsSource {
    /// Name and selector.
    pub metric: MetricIdentifier,
    /// The metric target.
    pub metric_target: MetricTarget,
}

/// Source of an `Object` metric.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectSource {
    /// The object that the metric describes.
    pub described_object: ObjectReference,
    /// Name and selector.
    pub metric: MetricIdentifier,
    /// The metric target.
    pub metric_target: MetricTarget,
}

/// Name of a custom or external metric and the selector of its series.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize)
)]
pub struct MetricIdentifier {
    /// `name`.
    pub name: String,
    /// Selector of the series. Absent and empty both select all.
    #[cfg_attr(feature = "serde", schemars(description = "`selector`."))]
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub selector: Option<LabelSelector>,
}

/// `CrossVersionObjectReference`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct ObjectReference {
    /// `apiVersion`.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
}

/// `MetricTarget`. The controller goes by which field is set. It reads `target_type` only for Object metrics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricTarget {
    /// `type`: `Utilization`, `Value` or `AverageValue`, as written.
    pub target_type: String,
    /// `value`.
    pub value: Option<Quantity>,
    /// `averageValue`.
    pub average_value: Option<Quantity>,
    /// `averageUtilization`, percent of requests.
    pub average_utilization: Option<i32>,
}

impl MetricTarget {
    /// The target value for display; percent for a utilization.
    pub fn approximate_f64(&self) -> Option<f64> {
        let value = self.average_value.as_ref().or(self.value.as_ref());
        let percent = self.average_utilization.map(f64::from);
        percent.or_else(|| value.map(Quantity::approximate_f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::KubeVersion;

    #[test]
    fn an_hpa_with_a_sync_period_of_its_own_is_not_synced_at_that_of_the_controller() {
        let controller = ControllerConfig::defaults(Input::observed(KubeVersion::NEWEST));
        let target = ScaleTargetRef {
            api_version: None,
            kind: "Deployment".to_owned(),
            name: "web".to_owned(),
        };
        let mut spec = HpaSpec::new(target, 3, Vec::new());
        assert_eq!(
            spec.sync_period(&controller),
            Input::assumed(SignedDuration::from_secs(15))
        );
        spec.sync_period = Some(SignedDuration::from_secs(5));
        assert_eq!(
            spec.sync_period(&controller),
            Input::observed(SignedDuration::from_secs(5))
        );
    }
}
