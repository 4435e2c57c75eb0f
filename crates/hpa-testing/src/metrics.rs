//! The HPA's metrics, and what the metrics APIs answer for them.

use hpa_engine::model::{
    ContainerResourceSource, ExternalMetricValue, IndexedAnswer, MetricIdentifier, MetricSpec,
    MetricTarget, MetricValue, ObjectReference, ObjectSource, PodsSource, Reading, ResourceSource,
};
use jiff::SignedDuration;

use crate::{World, quantity, world::unavailable};

/// The target `averageUtilization`.
pub fn utilization(percent: i32) -> MetricTarget {
    MetricTarget {
        target_type: "Utilization".to_owned(),
        average_utilization: Some(percent),
        ..MetricTarget::default()
    }
}

/// The target `averageValue`.
pub fn average(target: &str) -> MetricTarget {
    MetricTarget {
        target_type: "AverageValue".to_owned(),
        average_value: Some(quantity(target)),
        ..MetricTarget::default()
    }
}

/// The target `value`.
pub fn value(target: &str) -> MetricTarget {
    MetricTarget {
        target_type: "Value".to_owned(),
        value: Some(quantity(target)),
        ..MetricTarget::default()
    }
}

impl World {
    /// Percent of the cpu requests.
    pub fn cpu(self, percent: i32) -> Self {
        self.utilization("cpu", percent)
    }

    /// Percent of the requests of a resource.
    pub fn utilization(self, resource: &str, percent: i32) -> Self {
        self.resource(resource, utilization(percent))
    }

    /// Usage of a resource per pod.
    pub fn average(self, resource: &str, target: &str) -> Self {
        self.resource(resource, average(target))
    }

    /// A resource with any target.
    pub fn resource(self, name: &str, metric_target: MetricTarget) -> Self {
        self.metric(MetricSpec::Resource(ResourceSource {
            name: name.to_owned(),
            metric_target,
        }))
    }

    /// Percent of the cpu request of one container.
    pub fn container_cpu(self, container: &str, percent: i32) -> Self {
        self.metric(MetricSpec::ContainerResource(ContainerResourceSource {
            name: "cpu".to_owned(),
            container: container.to_owned(),
            metric_target: utilization(percent),
        }))
    }

    /// The Pods metric `requests`; the values are those of the pods that are added after it.
    pub fn requests(self, target: &str) -> Self {
        self.metric(MetricSpec::Pods(source("requests", average(target))))
    }

    /// The Object metric `hits` of the Ingress `front`.
    pub fn object(self, metric_target: MetricTarget) -> Self {
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

    /// The answer for the metric that was added last, an Object metric.
    pub fn hits(mut self, hits: &str) -> Self {
        let answer = MetricValue {
            object: "front".to_owned(),
            timestamp: Some(self.now - AGE),
            window_seconds: None,
            value: quantity(hits),
        };
        let index = self.last_metric(|metric| matches!(metric, MetricSpec::Object(_)));
        let answer = IndexedAnswer {
            index,
            answer: Reading::Read(vec![answer].into()),
        };
        self.observation.custom_metrics.push(answer);
        self
    }

    /// The External metric `queue`.
    pub fn external(self, metric_target: MetricTarget) -> Self {
        self.named_external("queue", metric_target)
    }

    /// An External metric with any name.
    fn named_external(self, name: &str, metric_target: MetricTarget) -> Self {
        self.metric(MetricSpec::External(source(name, metric_target)))
    }

    /// The series of the metric that was added last, an External metric.
    pub fn series(mut self, values: &[&str]) -> Self {
        let series = values.iter().map(|value| ExternalMetricValue {
            labels: Vec::new(),
            timestamp: Some(self.now - AGE),
            value: quantity(value),
        });
        let answer = Reading::Read(series.collect());
        let index = self.last_metric(is_external);
        self.observation
            .external_metrics
            .push(IndexedAnswer { index, answer });
        self
    }

    /// An External metric with one series: an amount for each replica.
    pub fn queue(self, name: &str, value: &str, per_replica: &str) -> Self {
        let added = self.named_external(name, average(per_replica));
        added.series(&[value])
    }

    /// An External metric that asks for exactly this many replicas.
    pub fn proposing(self, replicas: i32) -> Self {
        self.external(average("1")).series(&[&replicas.to_string()])
    }

    /// Changes what the External metric of [`proposing`](Self::proposing) asks for.
    pub fn set_proposal(&mut self, replicas: i32) {
        let answer = self.observation.external_metrics.first_mut();
        let answer = answer.expect("there is an External metric");
        let Reading::Read(series) = &mut answer.answer else {
            panic!("it was read");
        };
        series[0].value = quantity(&replicas.to_string());
    }

    /// The External metric `lag`, which cannot be read.
    pub fn broken_external(mut self) -> Self {
        self = self.named_external("lag", average("10"));
        let answer = IndexedAnswer {
            index: self.last_metric(is_external),
            answer: Reading::Failed(unavailable(
                "the server is currently unable to handle the request",
            )),
        };
        self.observation.external_metrics.push(answer);
        self
    }

    /// The place of the metric that was added last, which is of this kind.
    fn last_metric(&self, is_of_kind: impl Fn(&MetricSpec) -> bool) -> usize {
        let metrics = &self.observation.hpa.spec.metrics;
        assert!(metrics.last().is_some_and(is_of_kind), "{metrics:?}");
        metrics.len() - 1
    }

    fn metric(mut self, metric: MetricSpec) -> Self {
        self.observation.hpa.spec.metrics.push(metric);
        self
    }
}

fn is_external(metric: &MetricSpec) -> bool {
    matches!(metric, MetricSpec::External(_))
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

/// The age of each answer.
const AGE: SignedDuration = SignedDuration::from_secs(10);
