//! Pods of the situations for which the pages run the engine.

use std::collections::BTreeMap;

use hpa_engine::model::{
    ConditionStatus, Container, ContainerUsage, Pod, PodPhase, Quantity, ReadyCondition,
};
use jiff::{SignedDuration, Timestamp};

use super::case::{ago, quantity};

/// A pod with its data in the metrics APIs.
#[derive(Clone, Debug)]
pub(super) struct PodCase {
    pub(super) pod: Pod,
    pub(super) usage: Vec<ContainerUsage>,
    pub(super) value: Option<Quantity>,
    pub(super) sampled: Timestamp,
    pub(super) window: SignedDuration,
}

/// A pod that has been ready for an hour, without a sample; its container `app` requests 100m.
pub(super) fn pod() -> PodCase {
    PodCase {
        pod: Pod {
            labels: BTreeMap::from([("app".to_owned(), "web".to_owned())]).into(),
            phase: PodPhase::Running,
            started: Some(ago(3600)),
            ready: Some(ReadyCondition {
                status: ConditionStatus::True,
                last_transition: Some(ago(3600)),
            }),
            containers: vec![container("app", Some("100m"))].into(),
            ..Pod::default()
        },
        usage: Vec::new(),
        value: None,
        sampled: ago(10),
        window: SignedDuration::from_secs(15),
    }
}

impl PodCase {
    pub(super) fn uses(self, cpu: &str) -> Self {
        self.container_uses("app", "cpu", cpu)
    }

    pub(super) fn container_uses(mut self, container: &str, resource: &str, usage: &str) -> Self {
        self.usage.push(ContainerUsage {
            name: container.to_owned(),
            usage: vec![(resource.to_owned(), quantity(usage))],
        });
        self
    }

    /// Value of the Pods metric.
    pub(super) fn reads(mut self, value: &str) -> Self {
        self.value = Some(quantity(value));
        self
    }

    pub(super) fn requesting(self, cpu: &str) -> Self {
        self.containers(vec![container("app", Some(cpu))])
    }

    pub(super) fn containers(mut self, containers: Vec<Container>) -> Self {
        self.pod.containers = containers.into();
        self
    }

    pub(super) fn init_containers(mut self, containers: Vec<Container>) -> Self {
        self.pod.init_containers = containers.into();
        self
    }

    pub(super) fn pod_level(mut self, cpu: &str) -> Self {
        self.pod.requests = vec![("cpu".to_owned(), quantity(cpu))];
        self
    }

    pub(super) fn overhead(mut self, cpu: &str) -> Self {
        self.pod.overhead = vec![("cpu".to_owned(), quantity(cpu))];
        self
    }

    pub(super) fn phase(mut self, phase: PodPhase) -> Self {
        self.pod.phase = phase;
        self
    }

    /// Neither started nor ready.
    pub(super) fn pending(mut self) -> Self {
        (self.pod.started, self.pod.ready) = (None, None);
        self.phase(PodPhase::Pending)
    }

    pub(super) fn deleted(mut self) -> Self {
        self.pod.deleted = Some(ago(5));
        self
    }

    /// Started, and changed its condition Ready this many seconds ago.
    pub(super) fn started(mut self, age: i64, is_ready: bool, since: i64) -> Self {
        self.pod.started = Some(ago(age));
        self.pod.ready = Some(ReadyCondition {
            status: if is_ready {
                ConditionStatus::True
            } else {
                ConditionStatus::False
            },
            last_transition: Some(ago(since)),
        });
        self
    }

    /// Not ready for a CPU metric in every version: started a minute ago, not ready yet.
    pub(super) fn unready(self) -> Self {
        self.started(60, false, 60)
    }

    /// When the sample ended, and over how long it was measured, in seconds.
    pub(super) fn sampled(mut self, age: i64, window: i64) -> Self {
        self.sampled = ago(age);
        self.window = SignedDuration::from_secs(window);
        self
    }
}

/// A container with its CPU request.
pub(super) fn container(name: &str, cpu: Option<&str>) -> Container {
    Container {
        name: name.to_owned(),
        requests: cpu
            .map(|cpu| ("cpu".to_owned(), quantity(cpu)))
            .into_iter()
            .collect(),
        ..Container::default()
    }
}

/// An init container that keeps running.
pub(super) fn sidecar(name: &str, cpu: &str) -> Container {
    Container {
        is_restartable: true,
        ..container(name, Some(cpu))
    }
}
