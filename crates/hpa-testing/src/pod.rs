//! Pods with their samples.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

use hpa_engine::model::{
    ConditionStatus, Container, ContainerUsage, KnownKind, MetricValue, Owner, Pod, PodMetrics,
    PodPhase, Quantity, ReadyCondition,
};
use jiff::{SignedDuration, Timestamp};

use crate::{at, duration, quantity};

/// A pod, or only the samples of a deleted one.
#[derive(Clone, Debug)]
#[must_use]
pub struct PodFixture {
    pub(crate) name: String,
    pub(crate) pod: Option<Pod>,
    usage: Vec<ContainerUsage>,
    sampled: SignedDuration,
    window: SignedDuration,
    value: Option<Quantity>,
}

/// A pod that has been running and ready for an hour, with one container `app` that requests 1 core and 1Gi.
///
/// Without a name it becomes `web-N`, the Nth of its world.
pub fn pod(name: &str) -> PodFixture {
    PodFixture {
        pod: Some(Pod {
            labels: labels(),
            phase: PodPhase::Running,
            started: Some(at("-1h")),
            ready: Some(ReadyCondition {
                status: ConditionStatus::True,
                last_transition: Some(at("-1h")),
            }),
            containers: vec![
                container("app")
                    .requesting("cpu", "1")
                    .requesting("memory", "1Gi")
                    .0,
            ]
            .into(),
            ..Pod::default()
        }),
        ..gone(name)
    }
}

/// A pod that only the answers of the metrics APIs have.
pub fn gone(name: &str) -> PodFixture {
    PodFixture {
        name: name.to_owned(),
        pod: None,
        usage: Vec::new(),
        sampled: duration("-10s"),
        window: duration("15s"),
        value: None,
    }
}

/// A container of a pod.
#[derive(Clone, Debug)]
#[must_use]
pub struct ContainerFixture(Container);

/// A container without requests.
pub fn container(name: &str) -> ContainerFixture {
    ContainerFixture(Container {
        name: name.to_owned(),
        ..Container::default()
    })
}

impl ContainerFixture {
    /// Requests so much of a resource.
    pub fn requesting(mut self, resource: &str, request: &str) -> Self {
        let request = (resource.to_owned(), quantity(request));
        self.0.requests.push(request);
        self
    }

    /// Always restarted, which makes an init container a sidecar.
    pub fn restartable(mut self) -> Self {
        self.0.is_restartable = true;
        self
    }
}

impl PodFixture {
    /// Usage of cpu by the container `app`.
    pub fn cpu(self, usage: &str) -> Self {
        self.container_usage("app", "cpu", usage)
    }

    /// Usage of memory by the container `app`.
    pub fn memory(self, usage: &str) -> Self {
        self.container_usage("app", "memory", usage)
    }

    /// Usage of several resources by the container `app`.
    pub fn using(mut self, resources: &[(&str, &str)]) -> Self {
        let usage = |(resource, usage): &(&str, &str)| ((*resource).to_owned(), quantity(usage));
        self.usage.push(ContainerUsage {
            name: "app".to_owned(),
            usage: resources.iter().map(usage).collect(),
        });
        self
    }

    /// Usage of a resource by a container.
    pub fn container_usage(mut self, container: &str, resource: &str, usage: &str) -> Self {
        self.usage.push(ContainerUsage {
            name: container.to_owned(),
            usage: vec![(resource.to_owned(), quantity(usage))],
        });
        self
    }

    /// Value of the Pods metric.
    pub fn value(mut self, value: &str) -> Self {
        self.value = Some(quantity(value));
        self
    }

    /// The end of the sample, before the time of the world, and the window of its measurement.
    pub fn sampled(mut self, offset: &str, window: &str) -> Self {
        (self.sampled, self.window) = (duration(offset), duration(window));
        self
    }

    /// In this phase.
    pub fn phase(self, phase: PodPhase) -> Self {
        self.change(|pod| pod.phase = phase)
    }

    /// Neither started nor ready.
    pub fn pending(self) -> Self {
        self.phase(PodPhase::Pending).change(|pod| {
            (pod.started, pod.ready) = (None, None);
        })
    }

    /// Started a minute ago and not ready yet: not ready for cpu, in every version.
    pub fn unready(self) -> Self {
        self.started("-1m").ready(ConditionStatus::False, "-1m")
    }

    /// Created at this time.
    pub fn created(self, time: &str) -> Self {
        self.change(|pod| pod.created = Some(at(time)))
    }

    /// Started at this time.
    pub fn started(self, time: &str) -> Self {
        self.change(|pod| pod.started = Some(at(time)))
    }

    /// Its condition Ready, which became so at this time.
    pub fn ready(self, status: ConditionStatus, transition: &str) -> Self {
        let ready = ReadyCondition {
            status,
            last_transition: Some(at(transition)),
        };
        self.change(|pod| pod.ready = Some(ready))
    }

    /// Without the condition Ready.
    pub fn without_ready_condition(self) -> Self {
        self.change(|pod| pod.ready = None)
    }

    /// Why a container of it waits.
    pub fn waiting(self, why: &str) -> Self {
        self.change(|pod| pod.waiting = Some(why.to_owned()))
    }

    /// Owned by this ReplicaSet.
    pub fn of_replica_set(self, name: &str) -> Self {
        self.change(|pod| {
            pod.owner = Some(Owner {
                kind: KnownKind::REPLICA_SET.to_owned(),
                name: name.to_owned(),
            });
        })
    }

    /// Being deleted.
    pub fn terminating(self) -> Self {
        self.change(|pod| pod.deleted = Some(at("-5s")))
    }

    /// CPU request of the only container.
    pub fn requesting(self, cpu: &str) -> Self {
        self.containers([container("app").requesting("cpu", cpu)])
    }

    /// With these containers.
    pub fn containers<const N: usize>(self, containers: [ContainerFixture; N]) -> Self {
        self.change(|pod| pod.containers = Vec::from(containers.map(|one| one.0)).into())
    }

    /// With these init containers.
    pub fn init_containers<const N: usize>(self, containers: [ContainerFixture; N]) -> Self {
        self.change(|pod| pod.init_containers = Vec::from(containers.map(|one| one.0)).into())
    }

    /// CPU request of the pod as a whole.
    pub fn pod_level(self, cpu: &str) -> Self {
        self.change(|pod| pod.requests = vec![("cpu".to_owned(), quantity(cpu))])
    }

    /// CPU overhead of its RuntimeClass.
    pub fn overhead(self, cpu: &str) -> Self {
        self.change(|pod| pod.overhead = vec![("cpu".to_owned(), quantity(cpu))])
    }

    /// The pod.
    pub fn pod(&self) -> &Pod {
        self.pod.as_ref().expect("the pod is not gone")
    }

    /// Any other change.
    pub fn change(mut self, change: impl FnOnce(&mut Pod)) -> Self {
        change(self.pod.as_mut().expect("the pod is not gone"));
        self
    }

    /// The sample of its usage, if any.
    pub(crate) fn sample(&self, now: Timestamp) -> Option<PodMetrics> {
        (!self.usage.is_empty()).then(|| PodMetrics {
            name: self.name.clone(),
            labels: Some(labels()),
            timestamp: Some(now + self.sampled),
            window: self.window,
            containers: self.usage.clone(),
        })
    }

    /// The value of the Pods metric, if any.
    pub(crate) fn metric_value(&self, now: Timestamp) -> Option<MetricValue> {
        Some(MetricValue {
            object: self.name.clone(),
            timestamp: Some(now + self.sampled),
            window_seconds: None,
            value: self.value.clone()?,
        })
    }
}

/// The labels that the selector of the scale matches, one copy for all pods.
fn labels() -> Arc<BTreeMap<String, String>> {
    static LABELS: LazyLock<Arc<BTreeMap<String, String>>> =
        LazyLock::new(|| Arc::new([("app".to_owned(), "web".to_owned())].into()));
    Arc::clone(&LABELS)
}
