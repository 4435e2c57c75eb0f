//! The HPA.

use hpa_engine::model::{
    Condition, ContainerResourceSource, Hpa, HpaSpec, HpaStatus, MetricIdentifier, MetricSpec,
    MetricTarget, ObjectReference, ObjectSource, PodsSource, ResourceSource, ScaleTargetRef,
};

use super::{Rules, Situation, quantity};

/// An HPA of a Deployment with the same name; it has no metrics until one is added.
#[derive(Clone)]
pub(crate) struct HpaFixture {
    hpa: Hpa,
}

/// An HPA with 1 to 1000 replicas.
pub(crate) fn hpa(name: &str) -> HpaFixture {
    HpaFixture {
        hpa: Hpa {
            namespace: "shop".to_owned(),
            name: name.to_owned(),
            generation: Some(1),
            created: None,
            spec: HpaSpec {
                scale_target: ScaleTargetRef {
                    api_version: Some("apps/v1".to_owned()),
                    kind: "Deployment".to_owned(),
                    name: name.to_owned(),
                },
                min_replicas: None,
                max_replicas: 1000,
                metrics: Vec::new(),
                behavior: None,
                sync_period: None,
            },
            status: HpaStatus::default(),
        },
    }
}

impl HpaFixture {
    pub(crate) fn min(mut self, replicas: i32) -> Self {
        self.hpa.spec.min_replicas = Some(replicas);
        self
    }

    pub(crate) fn max(mut self, replicas: i32) -> Self {
        self.hpa.spec.max_replicas = replicas;
        self
    }

    /// Percent of the cpu requests.
    pub(crate) fn cpu(self, percent: i32) -> Self {
        self.resource("cpu", utilization(percent))
    }

    /// Usage of a resource per pod.
    pub(crate) fn average(self, resource: &str, target: &str) -> Self {
        self.resource(resource, average(target))
    }

    /// Percent of the cpu request of one container.
    pub(crate) fn container_cpu(self, container: &str, percent: i32) -> Self {
        self.metric(MetricSpec::ContainerResource(ContainerResourceSource {
            name: "cpu".to_owned(),
            container: container.to_owned(),
            metric_target: utilization(percent),
        }))
    }

    /// The Pods metric `requests`.
    pub(crate) fn requests(self, target: &str) -> Self {
        self.metric(MetricSpec::Pods(source("requests", average(target))))
    }

    /// The Object metric `hits` of an Ingress, type Value.
    pub(crate) fn object_value(self, target: &str) -> Self {
        self.object(value(target))
    }

    /// The Object metric `hits` of an Ingress, type AverageValue.
    pub(crate) fn object_average(self, target: &str) -> Self {
        self.object(average(target))
    }

    /// The Object metric `hits` with any target.
    pub(crate) fn object(self, metric_target: MetricTarget) -> Self {
        self.metric(MetricSpec::Object(ObjectSource {
            described_object: ObjectReference {
                api_version: Some("networking.k8s.io/v1".to_owned()),
                kind: "Ingress".to_owned(),
                name: "front".to_owned(),
            },
            metric: identifier("hits"),
            metric_target,
        }))
    }

    /// The External metric `queue`, type Value.
    pub(crate) fn external_value(self, target: &str) -> Self {
        self.metric(MetricSpec::External(source("queue", value(target))))
    }

    /// The External metric `queue`, type AverageValue.
    pub(crate) fn external_average(self, target: &str) -> Self {
        self.metric(MetricSpec::External(source("queue", average(target))))
    }

    /// One direction of `behavior`; the other keeps the defaults.
    pub(crate) fn behavior(mut self, rules: Rules) -> Self {
        let behavior = self.hpa.spec.behavior.get_or_insert_default();
        if rules.is_up {
            behavior.scale_up = Some(rules.rules);
        } else {
            behavior.scale_down = Some(rules.rules);
        }
        self
    }

    /// A condition that the status has had for an hour.
    pub(crate) fn condition(mut self, condition_type: &str, status: &str, reason: &str) -> Self {
        self.hpa.status.conditions.push(Condition {
            condition_type: condition_type.to_owned(),
            status: status.to_owned(),
            last_transition_time: Some(super::at("-1h")),
            reason: reason.to_owned(),
            message: String::new(),
        });
        self
    }

    /// The situation of one reconcile with this many replicas in the scale's spec and status.
    pub(crate) fn with_replicas(self, replicas: i32) -> Situation {
        Situation::new(self.hpa, replicas)
    }

    fn resource(self, name: &str, metric_target: MetricTarget) -> Self {
        self.metric(MetricSpec::Resource(ResourceSource {
            name: name.to_owned(),
            metric_target,
        }))
    }

    fn metric(mut self, metric: MetricSpec) -> Self {
        self.hpa.spec.metrics.push(metric);
        self
    }
}

fn utilization(percent: i32) -> MetricTarget {
    MetricTarget {
        target_type: "Utilization".to_owned(),
        average_utilization: Some(percent),
        ..MetricTarget::default()
    }
}

fn average(target: &str) -> MetricTarget {
    MetricTarget {
        target_type: "AverageValue".to_owned(),
        average_value: Some(quantity(target)),
        ..MetricTarget::default()
    }
}

fn value(target: &str) -> MetricTarget {
    MetricTarget {
        target_type: "Value".to_owned(),
        value: Some(quantity(target)),
        ..MetricTarget::default()
    }
}

fn source(name: &str, metric_target: MetricTarget) -> PodsSource {
    PodsSource {
        metric: identifier(name),
        metric_target,
    }
}

fn identifier(name: &str) -> MetricIdentifier {
    MetricIdentifier {
        name: name.to_owned(),
        selector: None,
    }
}
