//! The metrics of an HPA: those of its spec, and those of its status in both directions.

use hpa_engine::model::{
    ContainerResourceSource, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus,
    ObjectSource, PodsSource, ResourceSource,
};

use super::{
    InvalidField, Within as _, optional_quantity,
    wire::{self, MetricType, TypedSource},
};

impl wire::MetricSpec {
    pub(super) fn to_model(&self) -> Result<MetricSpec, InvalidField> {
        let known = MetricType::named(&self.metric_type);
        let Some((known, source)) = known.and_then(|one| Some((one, self.source_of(one)?))) else {
            return Ok(MetricSpec::Unknown {
                metric_type: self.metric_type.clone(),
            });
        };
        let target = |target| metric_target(target).within(known.field());
        Ok(match source {
            TypedSource::ContainerResource(source) => {
                MetricSpec::ContainerResource(ContainerResourceSource {
                    name: source.name.clone(),
                    container: source.container.clone(),
                    metric_target: target(&source.target)?,
                })
            }
            TypedSource::External(source) => MetricSpec::External(PodsSource {
                metric: source.metric.clone(),
                metric_target: target(&source.target)?,
            }),
            TypedSource::Object(source) => MetricSpec::Object(ObjectSource {
                described_object: source.described_object.clone(),
                metric: source.metric.clone(),
                metric_target: target(&source.target)?,
            }),
            TypedSource::Pods(source) => MetricSpec::Pods(PodsSource {
                metric: source.metric.clone(),
                metric_target: target(&source.target)?,
            }),
            TypedSource::Resource(source) => MetricSpec::Resource(ResourceSource {
                name: source.name.clone(),
                metric_target: target(&source.target)?,
            }),
        })
    }
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
        let Some(metric_type) = MetricType::named(&self.metric_type) else {
            return Ok(MetricStatus::Failed);
        };
        let status = match metric_type {
            MetricType::ContainerResource => self.container_resource.as_ref().map(|status| {
                Ok(MetricStatus::ContainerResource {
                    name: status.name.clone(),
                    container: status.container.clone(),
                    current: status.current.to_model()?,
                })
            }),
            MetricType::External => self.external.as_ref().map(|status| {
                Ok(MetricStatus::External {
                    metric: status.metric.clone(),
                    current: status.current.to_model()?,
                })
            }),
            MetricType::Object => self.object.as_ref().map(|status| {
                let described_object = status.described_object.as_ref();
                Ok(MetricStatus::Object {
                    described_object: described_object
                        .filter(|object| !(object.kind.is_empty() && object.name.is_empty()))
                        .cloned(),
                    metric: status.metric.clone(),
                    current: status.current.to_model()?,
                })
            }),
            MetricType::Pods => self.pods.as_ref().map(|status| {
                Ok(MetricStatus::Pods {
                    metric: status.metric.clone(),
                    current: status.current.to_model()?,
                })
            }),
            MetricType::Resource => self.resource.as_ref().map(|status| {
                Ok(MetricStatus::Resource {
                    name: status.name.clone(),
                    current: status.current.to_model()?,
                })
            }),
        };
        let status = status.transpose().within(metric_type.field())?;
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
        let of_type = |metric_type: MetricType| Self {
            metric_type: metric_type.name().to_owned(),
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
                ..of_type(MetricType::ContainerResource)
            },
            MetricStatus::External { metric, current } => Self {
                external: Some(wire::MetricSourceStatus {
                    metric: metric.clone(),
                    current: current.into(),
                }),
                ..of_type(MetricType::External)
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
                ..of_type(MetricType::Object)
            },
            MetricStatus::Pods { metric, current } => Self {
                pods: Some(wire::MetricSourceStatus {
                    metric: metric.clone(),
                    current: current.into(),
                }),
                ..of_type(MetricType::Pods)
            },
            MetricStatus::Resource { name, current } => Self {
                resource: Some(wire::ResourceStatus {
                    name: name.clone(),
                    current: current.into(),
                }),
                ..of_type(MetricType::Resource)
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

#[cfg(test)]
mod tests {
    use hpa_engine::model::Quantity;
    use jiff::Timestamp;
    use serde_json::{Value, json};

    use super::*;
    use crate::recording::{
        Snapshot,
        wire::{Controller, Hpa, MetricRead},
    };

    /// The source of a metric of this type in the API, without target and values.
    fn source(metric_type: MetricType) -> Value {
        let metric = json!({"name": "hits", "selector": {"matchLabels": {"a": "b"}}});
        match metric_type {
            MetricType::ContainerResource => json!({"name": "cpu", "container": "app"}),
            MetricType::External | MetricType::Pods => json!({"metric": metric}),
            MetricType::Object => json!({"metric": metric, "describedObject": {
                "apiVersion": "v1", "kind": "Service", "name": "web"}}),
            MetricType::Resource => json!({"name": "cpu"}),
        }
    }

    /// An entry of the spec or of the status, with these numbers.
    fn entry(metric_type: MetricType, field: &str, numbers: &Value) -> Value {
        let mut source = source(metric_type);
        source[field] = numbers.clone();
        json!({"type": metric_type.name(), metric_type.field(): source})
    }

    fn snapshot() -> (Value, Snapshot) {
        let all = |field: &str, numbers: &Value| -> Vec<Value> {
            let all = MetricType::ALL.iter();
            all.map(|one| entry(*one, field, numbers)).collect()
        };
        let hpa = json!({
            "metadata": {"namespace": "shop", "name": "web"},
            "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "maxReplicas": 9,
                "metrics": all("target", &json!({"type": "AverageValue", "averageValue": "3"})),
            },
            "status": {
                "desiredReplicas": 1,
                "currentMetrics": all("current", &json!({"averageValue": "2"})),
            },
        });
        let decoded: Hpa = serde_json::from_value(hpa.clone()).unwrap();
        let snapshot = Snapshot::new(
            "1".to_owned(),
            Timestamp::UNIX_EPOCH,
            Controller::default(),
            decoded,
        );
        (hpa, snapshot)
    }

    #[test]
    fn every_type_is_the_same_after_model_status_and_recording() {
        let (written, snapshot) = snapshot();
        let hpa = &snapshot.hpa;
        assert_eq!(serde_json::to_value(hpa).unwrap(), written);
        let model = hpa.to_model().unwrap();
        for (index, metric_type) in MetricType::ALL.iter().enumerate() {
            let (spec, status) = (
                &model.spec.metrics[index],
                &model.status.current_metrics[index],
            );
            assert_eq!(spec.metric_type(), metric_type.name());
            assert_eq!(spec.field(), Some(metric_type.field()));
            let target = spec
                .target()
                .and_then(|target| target.average_value.clone());
            assert_eq!(target, Quantity::parse("3").ok(), "{spec:?}");
            assert_eq!(
                hpa.spec.metrics[index].target().cloned(),
                hpa.spec.metrics[index].clone().target_mut().cloned()
            );
            let current = status.current().cloned().unwrap();
            assert!(status.can_be_of(spec), "{status:?}");
            assert_eq!(*status, MetricStatus::of_spec(spec, current));
            let fitting = model
                .spec
                .metrics
                .iter()
                .filter(|spec| status.can_be_of(spec));
            assert_eq!(fitting.count(), 1, "{status:?}");
        }
        assert_eq!(wire::HpaStatus::from(&model.status), hpa.status);
        let recorded = Snapshot::from_json(&snapshot.to_json().unwrap()).unwrap();
        assert_eq!(recorded, snapshot);
    }

    #[test]
    fn every_type_is_read_by_the_api_that_serves_it() {
        let (_, snapshot) = snapshot();
        let model = snapshot.hpa.to_model().unwrap();
        for (written, metric) in snapshot.hpa.spec.metrics.iter().zip(&model.spec.metrics) {
            let (group, identifier) = match written.read().unwrap() {
                MetricRead::Usages => ("metrics.k8s.io", None),
                MetricRead::OfPods(metric) | MetricRead::OfObject(_, metric) => {
                    ("custom.metrics.k8s.io", Some(metric))
                }
                MetricRead::External(metric) => ("external.metrics.k8s.io", Some(metric)),
            };
            assert_eq!(metric.api_group(), Some(group), "{metric:?}");
            assert_eq!(metric.identifier(), identifier, "{metric:?}");
            let questions = [
                metric.resource().is_some(),
                metric.is_pods(),
                metric.object().is_some(),
                metric.is_external(),
            ];
            let answers = questions.iter().filter(|answer| **answer);
            assert_eq!(answers.count(), 1, "{metric:?}");
        }
    }

    #[test]
    fn a_type_without_its_source_and_an_unknown_type_are_unknown() {
        for (written, name) in [
            (json!({"type": "Foo"}), "Foo"),
            (
                json!({"type": "Pods", "resource": {"name": "cpu", "target": {"type": "Value"}}}),
                "Pods",
            ),
        ] {
            let metric: wire::MetricSpec = serde_json::from_value(written).unwrap();
            let metric_type = name.to_owned();
            assert_eq!(metric.read(), None);
            assert_eq!(
                metric.to_model().unwrap(),
                MetricSpec::Unknown { metric_type }
            );
            let status: wire::MetricStatus = serde_json::from_value(json!({"type": name})).unwrap();
            assert_eq!(status.to_model().unwrap(), MetricStatus::Failed);
        }
    }
}
