//! The HPA's status, in both directions.

use hpa_engine::model::{HpaStatus, MetricStatus, MetricValueStatus};

use super::{InvalidField, Within as _, each, optional_quantity, wire};

impl wire::HpaStatus {
    /// Converts to the model.
    pub fn to_model(&self) -> Result<HpaStatus, InvalidField> {
        Ok(HpaStatus {
            observed_generation: self.observed_generation,
            last_scale_time: self.last_scale_time,
            current_replicas: self.current_replicas,
            desired_replicas: self.desired_replicas,
            current_metrics: each(
                &self.current_metrics,
                "currentMetrics",
                wire::MetricStatus::to_model,
            )?,
            conditions: self.conditions.clone(),
        })
    }
}

impl wire::MetricStatus {
    /// A type without its source counts as a failed metric.
    fn to_model(&self) -> Result<MetricStatus, InvalidField> {
        let status = match self.metric_type.as_str() {
            "ContainerResource" => self
                .container_resource
                .as_ref()
                .map(|status| {
                    Ok(MetricStatus::ContainerResource {
                        name: status.name.clone(),
                        container: status.container.clone(),
                        current: status.current.to_model()?,
                    })
                })
                .transpose()
                .within("containerResource")?,
            "External" => self
                .external
                .as_ref()
                .map(|status| {
                    Ok(MetricStatus::External {
                        metric: status.metric.clone(),
                        current: status.current.to_model()?,
                    })
                })
                .transpose()
                .within("external")?,
            "Object" => self
                .object
                .as_ref()
                .map(|status| {
                    Ok(MetricStatus::Object {
                        described_object: status
                            .described_object
                            .as_ref()
                            .filter(|object| !(object.kind.is_empty() && object.name.is_empty()))
                            .cloned(),
                        metric: status.metric.clone(),
                        current: status.current.to_model()?,
                    })
                })
                .transpose()
                .within("object")?,
            "Pods" => self
                .pods
                .as_ref()
                .map(|status| {
                    Ok(MetricStatus::Pods {
                        metric: status.metric.clone(),
                        current: status.current.to_model()?,
                    })
                })
                .transpose()
                .within("pods")?,
            "Resource" => self
                .resource
                .as_ref()
                .map(|status| {
                    Ok(MetricStatus::Resource {
                        name: status.name.clone(),
                        current: status.current.to_model()?,
                    })
                })
                .transpose()
                .within("resource")?,
            _ => None,
        };
        Ok(status.unwrap_or(MetricStatus::Failed))
    }
}

impl wire::MetricValueStatus {
    fn to_model(&self) -> Result<MetricValueStatus, InvalidField> {
        let convert = || {
            Ok(MetricValueStatus {
                value: optional_quantity(self.value.as_ref(), "value")?,
                average_value: optional_quantity(self.average_value.as_ref(), "averageValue")?,
                average_utilization: self.average_utilization,
            })
        };
        convert().within("current")
    }
}

impl From<&HpaStatus> for wire::HpaStatus {
    fn from(status: &HpaStatus) -> Self {
        Self {
            observed_generation: status.observed_generation,
            last_scale_time: status.last_scale_time,
            current_replicas: status.current_replicas,
            desired_replicas: status.desired_replicas,
            current_metrics: status.current_metrics.iter().map(Into::into).collect(),
            conditions: status.conditions.clone(),
        }
    }
}

impl From<&MetricStatus> for wire::MetricStatus {
    fn from(status: &MetricStatus) -> Self {
        let of_type = |metric_type: &str| Self {
            metric_type: metric_type.to_owned(),
            ..Self::default()
        };
        match status {
            MetricStatus::ContainerResource {
                name,
                container,
                current,
            } => Self {
                container_resource: Some(wire::ContainerResourceStatus {
                    name: name.clone(),
                    container: container.clone(),
                    current: current.into(),
                }),
                ..of_type("ContainerResource")
            },
            MetricStatus::External { metric, current } => Self {
                external: Some(wire::MetricSourceStatus {
                    metric: metric.clone(),
                    current: current.into(),
                }),
                ..of_type("External")
            },
            MetricStatus::Failed => Self::default(),
            MetricStatus::Object {
                described_object,
                metric,
                current,
            } => Self {
                object: Some(wire::ObjectStatus {
                    described_object: Some(described_object.clone().unwrap_or_default()),
                    metric: metric.clone(),
                    current: current.into(),
                }),
                ..of_type("Object")
            },
            MetricStatus::Pods { metric, current } => Self {
                pods: Some(wire::MetricSourceStatus {
                    metric: metric.clone(),
                    current: current.into(),
                }),
                ..of_type("Pods")
            },
            MetricStatus::Resource { name, current } => Self {
                resource: Some(wire::ResourceStatus {
                    name: name.clone(),
                    current: current.into(),
                }),
                ..of_type("Resource")
            },
        }
    }
}

impl From<&MetricValueStatus> for wire::MetricValueStatus {
    fn from(status: &MetricValueStatus) -> Self {
        Self {
            value: status.value.as_ref().map(Into::into),
            average_value: status.average_value.as_ref().map(Into::into),
            average_utilization: status.average_utilization,
        }
    }
}
