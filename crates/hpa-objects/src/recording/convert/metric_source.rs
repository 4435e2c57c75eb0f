//! The metrics of an HPA: those of its spec, and those of its status in both directions.

use hpa_engine::model::{
    ContainerResourceSource, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus,
    ObjectSource, PodsSource, ResourceSource,
};

use super::{InvalidField, Within as _, optional_quantity, wire};

impl wire::MetricSpec {
    pub(super) fn to_model(&self) -> Result<MetricSpec, InvalidField> {
        let source = match self.metric_type.as_str() {
            "ContainerResource" => self
                .container_resource
                .as_deref()
                .map(container_resource)
                .transpose()
                .within("containerResource")?,
            "External" => self
                .external
                .as_deref()
                .map(|source| series(source).map(MetricSpec::External))
                .transpose()
                .within("external")?,
            "Object" => self
                .object
                .as_deref()
                .map(object)
                .transpose()
                .within("object")?,
            "Pods" => self
                .pods
                .as_deref()
                .map(|source| series(source).map(MetricSpec::Pods))
                .transpose()
                .within("pods")?,
            "Resource" => self
                .resource
                .as_deref()
                .map(resource)
                .transpose()
                .within("resource")?,
            _ => None,
        };
        Ok(source.unwrap_or_else(|| MetricSpec::Unknown {
            metric_type: self.metric_type.clone(),
        }))
    }
}

fn container_resource(source: &wire::ContainerResourceSource) -> Result<MetricSpec, InvalidField> {
    Ok(MetricSpec::ContainerResource(ContainerResourceSource {
        name: source.name.clone(),
        container: source.container.clone(),
        metric_target: metric_target(&source.target)?,
    }))
}

fn resource(source: &wire::ResourceSource) -> Result<MetricSpec, InvalidField> {
    Ok(MetricSpec::Resource(ResourceSource {
        name: source.name.clone(),
        metric_target: metric_target(&source.target)?,
    }))
}

fn series(source: &wire::MetricSource) -> Result<PodsSource, InvalidField> {
    Ok(PodsSource {
        metric: source.metric.clone(),
        metric_target: metric_target(&source.target)?,
    })
}

fn object(source: &wire::ObjectSource) -> Result<MetricSpec, InvalidField> {
    Ok(MetricSpec::Object(ObjectSource {
        described_object: source.described_object.clone(),
        metric: source.metric.clone(),
        metric_target: metric_target(&source.target)?,
    }))
}

fn metric_target(target: &wire::MetricTarget) -> Result<MetricTarget, InvalidField> {
    let convert = || {
        Ok(MetricTarget {
            target_type: target.target_type.clone(),
            value: optional_quantity(target.value.as_ref(), "value")?,
            average_value: optional_quantity(target.average_value.as_ref(), "averageValue")?,
            average_utilization: target.average_utilization,
        })
    };
    convert().within("target")
}

impl wire::MetricStatus {
    /// A type without its source counts as a failed metric.
    pub(super) fn to_model(&self) -> Result<MetricStatus, InvalidField> {
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
