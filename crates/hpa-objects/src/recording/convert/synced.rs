//! Converts the model back to a recording, for a sync that was simulated and not read from a cluster.

use std::{collections::BTreeMap, sync::Arc};

use hpa_engine::{
    model::{
        ConditionStatus, Container, ContainerUsage, ExternalMetricValue, MetricSpec, MetricValue,
        Observation, Pod, PodMetrics, Reading, Shared, go_duration,
    },
    trace,
};
use jiff::{SignedDuration, Timestamp};

use super::wire;
use crate::recording::{Outcome, Snapshot};

/// A sync that was not read from a cluster.
pub struct Synced<'a> {
    /// What the controller reads.
    pub observation: &'a Observation,
    /// What it does, if known.
    pub outcome: Option<&'a trace::Outcome>,
    /// The controller's clock.
    pub now: Timestamp,
    /// Whether it has just started and remembers nothing.
    pub controller_started: bool,
}

impl Snapshot {
    /// The sync as a line of the recording `name`. Everything that the observation lacks comes from this snapshot.
    #[must_use]
    pub fn with_sync(&self, name: &str, sync: &Synced<'_>) -> Self {
        let observation = sync.observation;
        let mut line = Self::new(
            name.to_owned(),
            sync.now,
            (&observation.controller).into(),
            self.hpa.clone(),
        );
        line.controller_started = sync.controller_started;
        line.hpa.status = (&observation.hpa.status).into();
        line.target.clone_from(&self.target);
        line.server_version.clone_from(&self.server_version);
        if let Some(target) = &mut line.target {
            target.ready_replicas = observation.ready_replicas();
            target.updated_replicas = None;
        }
        match &observation.scale {
            Reading::Read(scale) => {
                line.scale = Some(wire::Scale {
                    spec: wire::ScaleSpec {
                        replicas: scale.spec_replicas,
                    },
                    status: wire::ScaleStatus {
                        replicas: scale.status_replicas,
                        selector: scale.selector.clone(),
                    },
                });
            }
            Reading::Failed(error) => line.scale_error = Some(error.clone()),
            Reading::NotRead(_) => {}
        }
        if let Some(pods) = observation.pods.read() {
            line.pods = pods.iter().map(|pod| Arc::new(pod.into())).collect();
        }
        let named =
            |pod: &'_ Arc<wire::Pod>| (pod.metadata.name.clone(), pod.metadata.labels.clone());
        let labels: BTreeMap<_, _> = line.pods.iter().map(named).collect();
        line.pod_metrics = answer(&observation.pod_metrics, |item| {
            let mut item = wire::PodMetrics::from(item);
            // The list's selector is applied to labels.
            if let Some(labels) = labels.get(&item.metadata.name) {
                item.metadata.labels.clone_from(labels);
            }
            Arc::new(item)
        });
        let indexed = observation.custom_metrics.iter().filter_map(|one| {
            let metric = observation.hpa.spec.metrics.get(one.index);
            let object = metric.and_then(MetricSpec::object);
            let kind = object.map_or("Pod", |source| &source.described_object.kind);
            Some(answer(&one.answer, |item| custom(item, kind))?.at(one.index))
        });
        line.custom_metrics = indexed.collect();
        let indexed = observation.external_metrics.iter().filter_map(|one| {
            Some(answer(&one.answer, |item| wire::ExternalMetricValue::from(item))?.at(one.index))
        });
        line.external_metrics = indexed.collect();
        line.other_hpas.clone_from(&observation.other_hpas);
        line.outcome = sync.outcome.map(Outcome::from);
        line
    }
}

fn answer<T, U>(
    reading: &Reading<Shared<T>>,
    convert: impl Fn(&T) -> U,
) -> Option<wire::Answer<U>> {
    match reading {
        Reading::Read(items) => Some(wire::Answer::of(
            items.iter().map(convert).collect::<Vec<_>>(),
        )),
        Reading::Failed(error) => Some(wire::Answer::refused(error.clone())),
        Reading::NotRead(_) => None,
    }
}

impl From<&Pod> for wire::Pod {
    fn from(pod: &Pod) -> Self {
        let resources = |requests: &hpa_engine::model::ResourceList| {
            (!requests.is_empty()).then(|| wire::Resources {
                requests: list(requests),
                limits: wire::ResourceList::default(),
            })
        };
        Self {
            metadata: wire::ObjectMeta {
                name: pod.name.clone(),
                labels: pod.labels.clone(),
                creation_timestamp: pod.created,
                deletion_timestamp: pod.deleted,
                annotations: pod
                    .helm_hook
                    .iter()
                    .map(|hook| (wire::HELM_HOOK.to_owned(), hook.clone()))
                    .collect(),
                owner_references: pod
                    .owner
                    .iter()
                    .map(|owner| wire::OwnerReference {
                        kind: owner.kind.clone(),
                        name: owner.name.clone(),
                        controller: Some(true),
                    })
                    .collect(),
                ..wire::ObjectMeta::default()
            },
            spec: Arc::new(wire::PodSpec {
                init_containers: pod.init_containers.iter().map(container).collect(),
                containers: pod.containers.iter().map(container).collect(),
                resources: resources(&pod.requests),
                overhead: list(&pod.overhead),
            }),
            status: status(pod),
        }
    }
}

fn status(pod: &Pod) -> wire::PodStatus {
    let condition = |condition_type: &str, status: &str, at| wire::PodCondition {
        condition_type: condition_type.to_owned(),
        status: status.to_owned(),
        last_transition_time: at,
        ..wire::PodCondition::default()
    };
    let mut conditions = Vec::new();
    if let Some(scheduled) = pod.scheduled {
        let mut scheduled_condition = condition(
            "PodScheduled",
            if scheduled { "True" } else { "False" },
            pod.start.scheduled,
        );
        if !scheduled {
            scheduled_condition.message.clone_from(&pod.waiting);
        }
        conditions.push(scheduled_condition);
    }
    if let Some(at) = pod.start.initialized {
        conditions.push(condition("Initialized", "True", Some(at)));
    }
    if let Some(ready) = pod.ready {
        let status = match ready.status {
            ConditionStatus::False => "False",
            ConditionStatus::True => "True",
            ConditionStatus::Unknown => "Unknown",
        };
        conditions.push(condition("Ready", status, ready.last_transition));
    }
    match pod.resize.as_deref() {
        None => {}
        Some("in progress") => conditions.push(condition("PodResizeInProgress", "True", None)),
        Some(reason) => conditions.push(wire::PodCondition {
            reason: Some(reason.to_owned()),
            ..condition("PodResizePending", "True", None)
        }),
    }
    let waits = pod.waiting.as_ref().filter(|_| pod.has_node());
    let state = |name: &str, restarts| wire::ContainerStatus {
        name: name.to_owned(),
        restart_count: Some(restarts),
        state: Some(match waits {
            Some(reason) => wire::ContainerState {
                waiting: Some(wire::ContainerStateWaiting {
                    reason: Some(reason.clone()),
                }),
                ..wire::ContainerState::default()
            },
            None => wire::ContainerState {
                running: pod
                    .start
                    .containers_started
                    .map(|at| wire::ContainerStateRunning {
                        started_at: Some(at),
                    }),
                ..wire::ContainerState::default()
            },
        }),
    };
    let has_states =
        waits.is_some() || pod.start.containers_started.is_some() || pod.start.restarts > 0;
    wire::PodStatus {
        phase: pod.phase.as_str().to_owned(),
        start_time: pod.started,
        conditions,
        init_container_statuses: Vec::new(),
        container_statuses: pod
            .containers
            .iter()
            .enumerate()
            .filter(|_| has_states)
            .map(|(index, container)| {
                // Only the sum is known, so the first container gets it.
                let restarts = if index == 0 { pod.start.restarts } else { 0 };
                state(&container.name, restarts)
            })
            .collect(),
    }
}

fn container(container: &Container) -> wire::Container {
    let has_resources = !container.requests.is_empty() || !container.limits.is_empty();
    wire::Container {
        name: container.name.clone(),
        restart_policy: container.is_restartable.then(|| "Always".to_owned()),
        resources: has_resources.then(|| wire::Resources {
            requests: list(&container.requests),
            limits: list(&container.limits),
        }),
        readiness_probe: container.readiness_probe.map(|probe| wire::Probe {
            initial_delay_seconds: Some(probe.initial_delay_seconds),
            period_seconds: Some(probe.period_seconds),
        }),
    }
}

fn list(resources: &hpa_engine::model::ResourceList) -> wire::ResourceList {
    resources
        .iter()
        .map(|(name, quantity)| (name.clone(), wire::Quantity(quantity.to_string())))
        .collect()
}

impl From<&PodMetrics> for wire::PodMetrics {
    fn from(metrics: &PodMetrics) -> Self {
        Self {
            metadata: wire::ObjectMeta {
                name: metrics.name.clone(),
                labels: metrics.labels.clone().unwrap_or_default(),
                ..wire::ObjectMeta::default()
            },
            timestamp: metrics.timestamp,
            window: (metrics.window != SignedDuration::ZERO)
                .then(|| go_duration::to_string(metrics.window)),
            containers: metrics
                .containers
                .iter()
                .map(|ContainerUsage { name, usage }| wire::ContainerUsage {
                    name: name.clone(),
                    usage: list(usage),
                })
                .collect(),
        }
    }
}

fn custom(value: &MetricValue, kind: &str) -> wire::MetricValue {
    wire::MetricValue {
        described_object: wire::ObjectReference {
            kind: kind.to_owned(),
            name: value.object.clone(),
            api_version: None,
        },
        timestamp: value.timestamp,
        window_seconds: value.window_seconds,
        value: wire::Quantity(value.value.to_string()),
        ..wire::MetricValue::default()
    }
}

impl From<&ExternalMetricValue> for wire::ExternalMetricValue {
    fn from(value: &ExternalMetricValue) -> Self {
        Self {
            metric_labels: value.labels.iter().cloned().collect(),
            timestamp: value.timestamp,
            value: wire::Quantity(value.value.to_string()),
            ..Self::default()
        }
    }
}
