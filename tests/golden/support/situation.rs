//! The input of one reconcile, and the controller's memory.

use std::sync::Arc;

use hpa_engine::{
    engine::{decide, decide_with},
    model::{
        ApiError, Architecture, ControllerConfig, ExternalMetricValue, Hpa, IndexedAnswer, Input,
        KubeVersion, Memory, MetricSpec, MetricValue, Observation, OtherHpa, Provenance, Reading,
        Recommendation, Scale, ScaleEvent, Switches,
    },
    trace::Trace,
};
use jiff::{SignedDuration, Timestamp};

use super::{NOW, PodFixture, at, duration, quantity};

/// An observation with the memory and the clock of the controller.
#[derive(Clone)]
pub(crate) struct Situation {
    pub(crate) observation: Observation,
    pub(crate) memory: Memory,
    pub(crate) now: Timestamp,
}

impl Situation {
    pub(super) fn new(hpa: Hpa, replicas: i32) -> Self {
        Self {
            observation: Observation {
                controller: controller(36),
                hpa,
                scale: Reading::Read(Scale {
                    spec_replicas: replicas,
                    status_replicas: replicas,
                    selector: "app=web".to_owned(),
                }),
                scale_write_error: None,
                status_write_error: None,
                pods: Reading::Read(Vec::new().into()),
                pod_metrics: Reading::Read(Vec::new().into()),
                custom_metrics: Vec::new(),
                external_metrics: Vec::new(),
                other_hpas: hpa_engine::model::Neighbors::default(),
            },
            memory: Memory::default(),
            now: NOW,
        }
    }

    /// The controller of Kubernetes 1.`minor` with its default flags and gates.
    pub(crate) fn kube(mut self, minor: u32) -> Self {
        let flags = self.observation.controller;
        self.observation.controller = ControllerConfig {
            version: Input::given(version(minor)),
            feature_gates: controller(minor).feature_gates,
            ..flags
        };
        self
    }

    /// The patch version, after [`Self::kube`].
    pub(crate) fn patch(mut self, patch: u32) -> Self {
        self.observation.controller.version.value.patch = Some(patch);
        self
    }

    /// A feature gate; call it after [`Self::kube`], which sets all gates to their defaults.
    pub(crate) fn gate(mut self, name: &str, is_on: bool) -> Self {
        let gates = &mut self.observation.controller.feature_gates;
        *gates.by_name_mut(name).expect("a gate of the controller") = Input::given(is_on);
        self
    }

    pub(crate) fn architecture(mut self, architecture: Architecture) -> Self {
        self.observation.controller.architecture = Input::given(architecture);
        self
    }

    /// `--horizontal-pod-autoscaler-tolerance`.
    pub(crate) fn tolerance(mut self, tolerance: f64) -> Self {
        self.observation.controller.tolerance = Input::given(tolerance);
        self
    }

    /// `--horizontal-pod-autoscaler-cpu-initialization-period` and `--horizontal-pod-autoscaler-initial-readiness-delay`.
    pub(crate) fn cpu_readiness(mut self, initialization: &str, delay: &str) -> Self {
        let controller = &mut self.observation.controller;
        controller.cpu_initialization_period = Input::given(duration(initialization));
        controller.initial_readiness_delay = Input::given(duration(delay));
        self
    }

    /// Another HPA of the namespace, and the selector of its target.
    pub(crate) fn other_hpa(mut self, name: &str, selector: &str) -> Self {
        self.observation.other_hpas.push(Arc::new(OtherHpa {
            name: name.to_owned(),
            selector: selector.to_owned(),
        }));
        self
    }

    /// The pods with their samples.
    pub(crate) fn pods(mut self, pods: impl IntoIterator<Item = PodFixture>) -> Self {
        let pods: Vec<PodFixture> = pods.into_iter().collect();
        let values: Vec<MetricValue> = pods.iter().filter_map(metric_value).collect();
        let observation = &mut self.observation;
        observation.pod_metrics =
            Reading::Read(pods.iter().filter_map(PodFixture::metrics).collect());
        observation.pods = Reading::Read(pods.into_iter().filter_map(|pod| pod.pod).collect());
        if let Some(index) = index_of(&observation.hpa, |metric| {
            matches!(metric, MetricSpec::Pods(_))
        }) {
            observation.custom_metrics.push(answer(index, values));
        }
        self
    }

    /// The value of the Object metric.
    pub(crate) fn object(mut self, value: &str) -> Self {
        let index = index_of(&self.observation.hpa, |metric| {
            matches!(metric, MetricSpec::Object(_))
        });
        let value = MetricValue {
            object: "front".to_owned(),
            timestamp: Some(at("-10s")),
            window_seconds: None,
            value: quantity(value),
        };
        let index = index.expect("the HPA has an Object metric");
        self.observation
            .custom_metrics
            .push(answer(index, vec![value]));
        self
    }

    /// The series of the External metric.
    pub(crate) fn external<const N: usize>(mut self, values: [&str; N]) -> Self {
        let index = index_of(&self.observation.hpa, |metric| {
            matches!(metric, MetricSpec::External(_))
        });
        let items = values
            .iter()
            .map(|value| ExternalMetricValue {
                labels: Vec::new(),
                timestamp: Some(at("-10s")),
                value: quantity(value),
            })
            .collect();
        let index = index.expect("the HPA has an External metric");
        self.observation.external_metrics.push(answer(index, items));
        self
    }

    /// The error with which the API server refuses the write of the scale.
    pub(crate) fn refused_write(mut self, reason: &str, message: &str) -> Self {
        self.observation.scale_write_error = Some(ApiError {
            message: message.to_owned(),
            reason: reason.to_owned(),
            code: 409,
        });
        self
    }

    /// The error with which the API server refuses the write of the HPA's status.
    pub(crate) fn refused_status(mut self, reason: &str, message: &str) -> Self {
        self.observation.status_write_error = Some(ApiError {
            message: message.to_owned(),
            reason: reason.to_owned(),
            code: 409,
        });
        self
    }

    /// Recommendations that the controller remembers, with their age; it remembers nothing else.
    pub(crate) fn remembering(mut self, recommendations: &[(i32, &str)]) -> Self {
        let recommendation = |&(replicas, age): &(i32, &str)| Recommendation {
            replicas,
            at: self.now - duration(age),
            provenance: Provenance::Observed,
        };
        let recommendations = recommendations.iter().map(recommendation);
        self.memory.recommendations = Some(recommendations.collect());
        self
    }

    /// Scale-ups that the controller remembers, evenly over the last two minutes.
    pub(crate) fn scaled_up(mut self, changes: &[i32]) -> Self {
        self.memory.scale_up_events = spread(changes);
        self
    }

    /// Scale-downs that the controller remembers, evenly over the last two minutes.
    pub(crate) fn scaled_down(mut self, changes: &[i32]) -> Self {
        self.memory.scale_down_events = spread(changes);
        self
    }

    pub(crate) fn now(mut self, now: Timestamp) -> Self {
        self.now = now;
        self
    }

    /// The controller's decision. Updates the memory.
    pub(crate) fn decide(&mut self) -> Trace {
        decide(&self.observation, &mut self.memory, self.now)
    }

    /// Like [`Self::decide`], with the given switches and without updating the memory.
    pub(crate) fn decide_with(&self, switches: &Switches) -> Trace {
        decide_with(
            &self.observation,
            switches,
            &mut self.memory.clone(),
            self.now,
        )
    }

    /// The switches of the controller's version and gates.
    pub(crate) fn switches(&self) -> Switches {
        let controller = &self.observation.controller;
        Switches::of(controller.version.value, &controller.feature_gates)
    }
}

fn controller(minor: u32) -> ControllerConfig {
    ControllerConfig::defaults(Input::given(version(minor)))
}

fn version(minor: u32) -> KubeVersion {
    KubeVersion { minor, patch: None }
}

fn metric_value(pod: &PodFixture) -> Option<MetricValue> {
    Some(MetricValue {
        object: pod.name().to_owned(),
        timestamp: Some(at("-10s")),
        window_seconds: None,
        value: pod.value.clone()?,
    })
}

fn index_of(hpa: &Hpa, is_selected: impl Fn(&MetricSpec) -> bool) -> Option<usize> {
    hpa.spec.metrics.iter().position(is_selected)
}

fn answer<T>(index: usize, items: Vec<T>) -> IndexedAnswer<T> {
    IndexedAnswer {
        index,
        answer: Reading::Read(items.into()),
    }
}

/// Each event in the middle of its share of the last two minutes, in whole seconds.
/// Upstream: `generateEventsUniformDistribution` in `horizontal_test.go`.
fn spread(changes: &[i32]) -> Vec<ScaleEvent> {
    let count = i64::try_from(changes.len()).expect("a few events");
    changes
        .iter()
        .zip(1..)
        .map(|(&replica_change, number)| ScaleEvent {
            replica_change,
            at: NOW - SignedDuration::from_secs((240 * (count - number) + 120) / (2 * count)),
            is_outdated: false,
            provenance: Provenance::Observed,
        })
        .collect()
}
