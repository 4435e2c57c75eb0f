//! Metrics in the format of `autoscaling/v2beta1` and of the annotations of `autoscaling/v1`.

use serde::Deserialize;

use crate::recording::wire::{
    ContainerResourceSource, ContainerResourceStatus, LabelSelector, MetricIdentifier,
    MetricSource, MetricSourceStatus, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus,
    ObjectReference, ObjectSource, ObjectStatus, Quantity, ResourceSource, ResourceStatus,
};

/// One metric of the spec, or its state in the status. Both have the same source names; number fields start with
/// `target` or `current`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OldMetric {
    #[serde(rename = "type", default)]
    metric_type: String,
    container_resource: Option<OldResource>,
    external: Option<OldExternal>,
    object: Option<OldObject>,
    pods: Option<OldPods>,
    resource: Option<OldResource>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OldResource {
    name: String,
    #[serde(default)]
    container: String,
    #[serde(alias = "currentAverageUtilization")]
    target_average_utilization: Option<i32>,
    #[serde(alias = "currentAverageValue")]
    target_average_value: Option<Quantity>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OldPods {
    metric_name: String,
    selector: Option<LabelSelector>,
    #[serde(alias = "currentAverageValue")]
    target_average_value: Quantity,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OldObject {
    target: ObjectReference,
    metric_name: String,
    selector: Option<LabelSelector>,
    #[serde(alias = "currentValue")]
    target_value: Option<Quantity>,
    average_value: Option<Quantity>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OldExternal {
    metric_name: String,
    metric_selector: Option<LabelSelector>,
    #[serde(alias = "currentValue")]
    target_value: Option<Quantity>,
    #[serde(alias = "currentAverageValue")]
    target_average_value: Option<Quantity>,
}

impl OldMetric {
    /// Converts to `autoscaling/v2`. Upstream: the conversions in `pkg/apis/autoscaling/v2beta1`.
    pub(super) fn into_spec(self) -> MetricSpec {
        MetricSpec {
            metric_type: self.metric_type,
            container_resource: self.container_resource.map(|old| {
                Box::new(ContainerResourceSource {
                    target: old.target(),
                    name: old.name,
                    container: old.container,
                })
            }),
            external: self.external.map(|old| {
                Box::new(MetricSource {
                    metric: metric(old.metric_name, old.metric_selector),
                    target: value_target(old.target_value, old.target_average_value),
                })
            }),
            object: self.object.map(|old| {
                Box::new(ObjectSource {
                    described_object: old.target,
                    metric: metric(old.metric_name, old.selector),
                    // Not a pointer in the old version, so it is always present.
                    target: value_target(
                        Some(old.target_value.unwrap_or_else(|| Quantity("0".to_owned()))),
                        old.average_value,
                    ),
                })
            }),
            pods: self.pods.map(|old| {
                Box::new(MetricSource {
                    metric: metric(old.metric_name, old.selector),
                    target: value_target(None, Some(old.target_average_value)),
                })
            }),
            resource: self.resource.map(|old| {
                Box::new(ResourceSource {
                    target: old.target(),
                    name: old.name,
                })
            }),
        }
    }

    /// Converts the state of a metric to `autoscaling/v2`.
    pub(super) fn into_status(self) -> MetricStatus {
        let current = |value, average_value, average_utilization| MetricValueStatus {
            value,
            average_value,
            average_utilization,
        };
        MetricStatus {
            metric_type: self.metric_type,
            container_resource: self.container_resource.map(|old| ContainerResourceStatus {
                name: old.name,
                container: old.container,
                current: current(
                    None,
                    old.target_average_value,
                    old.target_average_utilization,
                ),
            }),
            external: self.external.map(|old| MetricSourceStatus {
                metric: metric(old.metric_name, old.metric_selector),
                current: current(old.target_value, old.target_average_value, None),
            }),
            object: self.object.map(|old| ObjectStatus {
                described_object: Some(old.target),
                metric: metric(old.metric_name, old.selector),
                current: current(old.target_value, old.average_value, None),
            }),
            pods: self.pods.map(|old| MetricSourceStatus {
                metric: metric(old.metric_name, old.selector),
                current: current(None, Some(old.target_average_value), None),
            }),
            resource: self.resource.map(|old| ResourceStatus {
                name: old.name,
                current: current(
                    None,
                    old.target_average_value,
                    old.target_average_utilization,
                ),
            }),
        }
    }
}

impl OldResource {
    fn target(&self) -> MetricTarget {
        let target_type = match self.target_average_utilization {
            Some(_) => "Utilization",
            None => "AverageValue",
        };
        MetricTarget {
            target_type: target_type.to_owned(),
            value: None,
            average_value: self.target_average_value.clone(),
            average_utilization: self.target_average_utilization,
        }
    }
}

fn metric(name: String, selector: Option<LabelSelector>) -> MetricIdentifier {
    MetricIdentifier { name, selector }
}

fn value_target(value: Option<Quantity>, average_value: Option<Quantity>) -> MetricTarget {
    let target_type = match average_value {
        Some(_) => "AverageValue",
        None => "Value",
    };
    MetricTarget {
        target_type: target_type.to_owned(),
        value,
        average_value,
        average_utilization: None,
    }
}
