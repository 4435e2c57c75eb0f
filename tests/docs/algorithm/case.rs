//! Small situations for which the pages run the engine, written as method chains.

use std::sync::Arc;

use hpa_engine::{
    engine::decide,
    model::{
        ApiError, Behavior, Condition, ContainerResourceSource, ControllerConfig,
        ExternalMetricValue, Hpa, HpaSpec, IndexedAnswer, Input, KubeVersion, Memory,
        MetricIdentifier, MetricSpec, MetricTarget, MetricValue, ObjectReference, ObjectSource,
        Observation, OtherHpa, Pod, PodMetrics, PodsSource, PolicyType, Provenance, Quantity,
        Reading, Recommendation, ResourceSource, Scale, ScaleEvent, ScaleTargetRef, ScalingPolicy,
        ScalingRules, SelectPolicy, Shared,
    },
    trace::{Decision, Trace},
};
use jiff::{SignedDuration, Timestamp};

pub(super) use super::pod_case::{PodCase, container, pod, sidecar};

/// 10:00:00 UTC: the time of every page.
pub(super) const NOW: Timestamp = Timestamp::constant(1_772_445_600, 0);

/// The input of one sync, and the recommendation history.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) observation: Observation,
    pub(super) memory: Memory,
    pub(super) now: Timestamp,
}

/// An HPA `shop/web` of 1 to 20 replicas without metrics, at this many replicas and with an empty history.
pub(super) fn case(replicas: i32) -> Case {
    let mut spec = HpaSpec::new(ScaleTargetRef::deployment("web"), 20, Vec::new());
    spec.min_replicas = Some(1);
    let mut hpa = Hpa::new("shop", "web", spec);
    hpa.generation = Some(1);
    hpa.status.current_replicas = replicas;
    hpa.status.desired_replicas = replicas;
    let controller = ControllerConfig::defaults(Input::given(version(36)));
    let mut observation = Observation::new(controller, hpa);
    observation.scale = Reading::Read(Scale::new(replicas, "app=web"));
    observation.pods = Reading::Read(Shared::default());
    observation.pod_metrics = Reading::Read(Shared::default());
    Case {
        observation,
        memory: Memory {
            recommendations: Some(Vec::new()),
            ..Memory::default()
        },
        now: NOW,
    }
}

impl Case {
    /// What the controller decides.
    pub(super) fn decide(&self) -> Trace {
        decide(&self.observation, &mut self.memory.clone(), self.now)
    }

    /// The controller's decision; afterwards it is recorded and written, and this many seconds have passed.
    pub(super) fn pass(&mut self, seconds: i64) -> Trace {
        let trace = decide(&self.observation, &mut self.memory, self.now);
        if let Decision::Rescale { to, .. } = trace.decision {
            self.set_replicas(to);
        }
        self.now += SignedDuration::from_secs(seconds);
        trace
    }

    pub(super) fn under(mut self, minor: u32) -> Self {
        self.observation.controller = ControllerConfig::defaults(Input::given(version(minor)));
        self
    }

    pub(super) fn gate(mut self, name: &str, is_on: bool) -> Self {
        let gates = &mut self.observation.controller.feature_gates;
        *gates.by_name_mut(name).expect("a gate that is known") = Input::given(is_on);
        self
    }

    pub(super) fn min(mut self, replicas: i32) -> Self {
        self.observation.hpa.spec.min_replicas = Some(replicas);
        self
    }

    pub(super) fn max(mut self, replicas: i32) -> Self {
        self.observation.hpa.spec.max_replicas = replicas;
        self
    }

    /// `status.replicas` of the scale, if it differs from `spec.replicas`.
    pub(super) fn status_replicas(mut self, replicas: i32) -> Self {
        if let Reading::Read(scale) = &mut self.observation.scale {
            scale.status_replicas = replicas;
        }
        self
    }

    pub(super) fn set_replicas(&mut self, replicas: i32) {
        if let Reading::Read(scale) = &mut self.observation.scale {
            scale.spec_replicas = replicas;
            scale.status_replicas = replicas;
        }
    }

    pub(super) fn selector(mut self, selector: &str) -> Self {
        if let Reading::Read(scale) = &mut self.observation.scale {
            selector.clone_into(&mut scale.selector);
        }
        self
    }

    pub(super) fn without_scale(mut self, message: &str) -> Self {
        self.observation.scale = Reading::Failed(error(message));
        self
    }

    pub(super) fn refused_write(mut self, message: &str) -> Self {
        self.observation.scale_write_error = Some(error(message));
        self
    }

    pub(super) fn other_hpa(mut self, name: &str, selector: &str) -> Self {
        self.observation.other_hpas.push(Arc::new(OtherHpa {
            name: name.to_owned(),
            selector: selector.to_owned(),
        }));
        self
    }

    pub(super) fn condition(mut self, condition_type: &str, status: &str) -> Self {
        self.observation.hpa.status.conditions.push(Condition {
            condition_type: condition_type.to_owned(),
            status: status.to_owned(),
            last_transition_time: Some(NOW),
            reason: condition_type.to_owned(),
            message: String::new(),
        });
        self
    }

    pub(super) fn cpu(self, percent: i32) -> Self {
        self.resource("cpu", utilization(percent))
    }

    pub(super) fn average(self, resource: &str, target: &str) -> Self {
        self.resource(resource, average(target))
    }

    pub(super) fn resource(self, name: &str, metric_target: MetricTarget) -> Self {
        self.metric(MetricSpec::Resource(ResourceSource {
            name: name.to_owned(),
            metric_target,
        }))
    }

    pub(super) fn container_cpu(self, container: &str, percent: i32) -> Self {
        self.metric(MetricSpec::ContainerResource(ContainerResourceSource {
            name: "cpu".to_owned(),
            container: container.to_owned(),
            metric_target: utilization(percent),
        }))
    }

    /// The Pods metric `requests`; call it before [`pods`](Self::pods).
    pub(super) fn requests(self, target: &str) -> Self {
        self.metric(MetricSpec::Pods(source("requests", average(target))))
    }

    /// The Object metric `hits` of Ingress `front` with its value.
    pub(super) fn object(mut self, metric_target: MetricTarget, reads: &str) -> Self {
        let index = self.observation.hpa.spec.metrics.len();
        self.observation.custom_metrics.push(IndexedAnswer {
            index,
            answer: Reading::Read(
                vec![MetricValue {
                    object: "front".to_owned(),
                    timestamp: Some(ago(10)),
                    window_seconds: None,
                    value: quantity(reads),
                }]
                .into(),
            ),
        });
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

    /// The External metric `queue` with its series.
    pub(super) fn external(mut self, metric_target: MetricTarget, series: &[&str]) -> Self {
        let index = self.observation.hpa.spec.metrics.len();
        let items = series.iter().map(|value| ExternalMetricValue {
            labels: Vec::new(),
            timestamp: Some(ago(10)),
            value: quantity(value),
        });
        self.observation.external_metrics.push(IndexedAnswer {
            index,
            answer: Reading::Read(items.collect()),
        });
        self.metric(MetricSpec::External(source("queue", metric_target)))
    }

    /// An External metric `lag` that cannot be read.
    pub(super) fn broken_external(mut self) -> Self {
        let index = self.observation.hpa.spec.metrics.len();
        self.observation.external_metrics.push(IndexedAnswer {
            index,
            answer: Reading::Failed(error(
                "the server is currently unable to handle the request",
            )),
        });
        self.metric(MetricSpec::External(source("lag", average("10"))))
    }

    /// An External metric that asks for exactly this many replicas.
    pub(super) fn proposing(self, replicas: i32) -> Self {
        self.external(average("1"), &[&replicas.to_string()])
    }

    /// Changes what the External metric of [`proposing`](Self::proposing) asks for.
    pub(super) fn set_proposal(&mut self, replicas: i32) {
        if let Some(IndexedAnswer {
            answer: Reading::Read(items),
            ..
        }) = self.observation.external_metrics.first_mut()
            && let Some(item) = items.first_mut()
        {
            item.value = quantity(&replicas.to_string());
        }
    }

    /// This many ready pods that request 100m each and use `cpu` each.
    pub(super) fn ready(self, number: usize, cpu: &str) -> Self {
        self.pods(vec![pod().uses(cpu); number])
    }

    /// Adds pods with their data in the metrics APIs.
    pub(super) fn pods(mut self, added: impl IntoIterator<Item = PodCase>) -> Self {
        let index = (self.observation.hpa.spec.metrics.iter())
            .position(|spec| matches!(spec, MetricSpec::Pods(_)));
        for one in added {
            let Reading::Read(pods) = &mut self.observation.pods else {
                continue;
            };
            let name = format!("web-{}", pods.len() + 1);
            if let Some(value) = &one.value
                && let Some(index) = index
            {
                let value = MetricValue {
                    object: name.clone(),
                    timestamp: Some(one.sampled),
                    window_seconds: None,
                    value: value.clone(),
                };
                add_item(&mut self.observation.custom_metrics, index, value);
            }
            if let Reading::Read(samples) = &mut self.observation.pod_metrics
                && !one.usage.is_empty()
            {
                samples.push(PodMetrics {
                    name: name.clone(),
                    labels: Some(one.pod.labels.clone()),
                    timestamp: Some(one.sampled),
                    window: one.window,
                    containers: one.usage,
                });
            }
            pods.push(Pod { name, ..one.pod });
        }
        self
    }

    pub(super) fn behavior(mut self) -> Self {
        self.observation.hpa.spec.behavior.get_or_insert_default();
        self
    }

    pub(super) fn up(mut self, rules: ScalingRules) -> Self {
        let behavior: &mut Behavior = self.observation.hpa.spec.behavior.get_or_insert_default();
        behavior.scale_up = Some(rules);
        self
    }

    pub(super) fn down(mut self, rules: ScalingRules) -> Self {
        let behavior: &mut Behavior = self.observation.hpa.spec.behavior.get_or_insert_default();
        behavior.scale_down = Some(rules);
        self
    }

    /// The recommendations in the history: number and age in seconds.
    pub(super) fn remembers(mut self, recommendations: &[(i32, i64)]) -> Self {
        let made = |&(replicas, age): &(i32, i64)| Recommendation {
            replicas,
            at: ago(age),
            provenance: Provenance::Observed,
        };
        self.memory.recommendations = Some(recommendations.iter().map(made).collect());
        self
    }

    /// The scale events in the history: signed change and age in seconds.
    pub(super) fn changed(mut self, changes: &[(i32, i64)]) -> Self {
        for &(change, age) in changes {
            let event = ScaleEvent {
                replica_change: change.abs(),
                at: ago(age),
                is_outdated: false,
                provenance: Provenance::Observed,
            };
            if 0 < change {
                self.memory.scale_up_events.push(event);
            } else {
                self.memory.scale_down_events.push(event);
            }
        }
        self
    }

    /// A controller with an empty history of this HPA.
    pub(super) fn forgotten(mut self) -> Self {
        self.memory = Memory::default();
        self
    }

    fn metric(mut self, metric: MetricSpec) -> Self {
        self.observation.hpa.spec.metrics.push(metric);
        self
    }
}

/// Rules of one direction with these policies; the window is left to its default.
pub(super) fn rules(policies: &[(PolicyType, i32, i32)]) -> ScalingRules {
    let policy = |&(policy_type, value, period_seconds): &(PolicyType, i32, i32)| ScalingPolicy {
        policy_type,
        value,
        period_seconds,
    };
    ScalingRules {
        policies: (!policies.is_empty()).then(|| policies.iter().map(policy).collect()),
        ..ScalingRules::default()
    }
}

/// Rules that select policies this way.
pub(super) fn selecting(select: SelectPolicy, policies: &[(PolicyType, i32, i32)]) -> ScalingRules {
    ScalingRules {
        select_policy: Some(select),
        ..rules(policies)
    }
}

/// Rules with only a window.
pub(super) fn window(seconds: i32) -> ScalingRules {
    ScalingRules {
        stabilization_window_seconds: Some(seconds),
        ..ScalingRules::default()
    }
}

/// Rules with only a tolerance.
pub(super) fn tolerance(text: &str) -> ScalingRules {
    ScalingRules {
        tolerance: Some(quantity(text)),
        ..ScalingRules::default()
    }
}

/// The target `averageUtilization`.
pub(super) fn utilization(percent: i32) -> MetricTarget {
    MetricTarget {
        target_type: "Utilization".to_owned(),
        average_utilization: Some(percent),
        ..MetricTarget::default()
    }
}

/// The target `averageValue`.
pub(super) fn average(target: &str) -> MetricTarget {
    MetricTarget {
        target_type: "AverageValue".to_owned(),
        average_value: Some(quantity(target)),
        ..MetricTarget::default()
    }
}

/// The target `value`.
pub(super) fn value(target: &str) -> MetricTarget {
    MetricTarget {
        target_type: "Value".to_owned(),
        value: Some(quantity(target)),
        ..MetricTarget::default()
    }
}

/// A quantity from the text of a page.
pub(super) fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).expect("a page's own quantity")
}

/// This many seconds before the time of the page.
pub(super) fn ago(seconds: i64) -> Timestamp {
    NOW - SignedDuration::from_secs(seconds)
}

/// A minor version without a patch.
pub(super) fn version(minor: u32) -> KubeVersion {
    KubeVersion { minor, patch: None }
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

fn error(message: &str) -> ApiError {
    ApiError {
        message: message.to_owned(),
        reason: "ServiceUnavailable".to_owned(),
        code: 503,
    }
}

fn add_item(answers: &mut Vec<IndexedAnswer<MetricValue>>, index: usize, item: MetricValue) {
    let known = answers.iter_mut().find(|answer| answer.index == index);
    if let Some(IndexedAnswer {
        answer: Reading::Read(items),
        ..
    }) = known
    {
        items.push(item);
    } else {
        answers.push(IndexedAnswer {
            index,
            answer: Reading::Read(vec![item].into()),
        });
    }
}
