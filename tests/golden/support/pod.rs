//! Pods with their samples.

use std::collections::BTreeMap;

use hpa_engine::model::{
    ConditionStatus, Container, ContainerUsage, Pod, PodMetrics, PodPhase, Quantity, ReadyCondition,
};
use jiff::SignedDuration;

use super::{at, duration, quantity};

/// A pod, or only the samples of a deleted one.
#[derive(Clone)]
pub(crate) struct PodFixture {
    name: String,
    pub(super) pod: Option<Pod>,
    usage: Vec<ContainerUsage>,
    sampled: &'static str,
    window: SignedDuration,
    /// Value of the Pods metric.
    pub(super) value: Option<Quantity>,
}

/// A pod that has been running and ready for an hour, with one container `app` that requests 1 core and 1Gi.
pub(crate) fn pod(name: &str) -> PodFixture {
    PodFixture {
        pod: Some(Pod {
            name: name.to_owned(),
            labels: labels().into(),
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
        ..deleted(name)
    }
}

/// A pod that only the answers of the metrics APIs have.
pub(crate) fn deleted(name: &str) -> PodFixture {
    PodFixture {
        name: name.to_owned(),
        pod: None,
        usage: Vec::new(),
        sampled: "-10s",
        window: duration("15s"),
        value: None,
    }
}

/// A container of a pod.
#[derive(Clone)]
pub(crate) struct ContainerFixture(Container);

/// A container without requests.
pub(crate) fn container(name: &str) -> ContainerFixture {
    ContainerFixture(Container {
        name: name.to_owned(),
        ..Container::default()
    })
}

impl ContainerFixture {
    pub(crate) fn requesting(mut self, resource: &str, request: &str) -> Self {
        let request = (resource.to_owned(), quantity(request));
        self.0.requests.push(request);
        self
    }

    /// Always restarted, which makes an init container a sidecar.
    pub(crate) fn restartable(mut self) -> Self {
        self.0.is_restartable = true;
        self
    }
}

impl PodFixture {
    /// Usage of cpu by the container `app`.
    pub(crate) fn cpu(self, usage: &str) -> Self {
        self.container_usage("app", "cpu", usage)
    }

    /// Usage of memory by the container `app`.
    pub(crate) fn memory(self, usage: &str) -> Self {
        self.container_usage("app", "memory", usage)
    }

    pub(crate) fn container_usage(mut self, container: &str, resource: &str, usage: &str) -> Self {
        self.usage.push(ContainerUsage {
            name: container.to_owned(),
            usage: vec![(resource.to_owned(), quantity(usage))],
        });
        self
    }

    /// Value of the Pods metric.
    pub(crate) fn value(mut self, value: &str) -> Self {
        self.value = Some(quantity(value));
        self
    }

    /// The end of the sample and the window of its measurement.
    pub(crate) fn sampled(mut self, offset: &'static str, window: &str) -> Self {
        (self.sampled, self.window) = (offset, duration(window));
        self
    }

    pub(crate) fn phase(self, phase: PodPhase) -> Self {
        self.change(|pod| pod.phase = phase)
    }

    /// Neither started nor ready.
    pub(crate) fn pending(self) -> Self {
        self.phase(PodPhase::Pending).change(|pod| {
            (pod.started, pod.ready) = (None, None);
        })
    }

    /// Started a minute ago and not ready yet: not ready for cpu, in every version.
    pub(crate) fn unready(self) -> Self {
        self.started("-1m").ready(ConditionStatus::False, "-1m")
    }

    pub(crate) fn started(self, offset: &str) -> Self {
        self.change(|pod| pod.started = Some(at(offset)))
    }

    pub(crate) fn ready(self, status: ConditionStatus, transition: &str) -> Self {
        self.change(|pod| {
            pod.ready = Some(ReadyCondition {
                status,
                last_transition: Some(at(transition)),
            });
        })
    }

    pub(crate) fn without_ready_condition(self) -> Self {
        self.change(|pod| pod.ready = None)
    }

    pub(crate) fn deleted(self) -> Self {
        self.change(|pod| pod.deleted = Some(at("-5s")))
    }

    /// CPU request of the only container.
    pub(crate) fn requesting(self, cpu: &str) -> Self {
        self.containers([container("app").requesting("cpu", cpu)])
    }

    pub(crate) fn containers<const N: usize>(self, containers: [ContainerFixture; N]) -> Self {
        self.change(|pod| pod.containers = Vec::from(containers.map(|one| one.0)).into())
    }

    pub(crate) fn init_containers<const N: usize>(self, containers: [ContainerFixture; N]) -> Self {
        self.change(|pod| pod.init_containers = Vec::from(containers.map(|one| one.0)).into())
    }

    /// CPU request of the pod as a whole.
    pub(crate) fn pod_level(self, cpu: &str) -> Self {
        self.change(|pod| pod.requests = vec![("cpu".to_owned(), quantity(cpu))])
    }

    pub(crate) fn overhead(self, cpu: &str) -> Self {
        self.change(|pod| pod.overhead = vec![("cpu".to_owned(), quantity(cpu))])
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The sample, if any.
    pub(super) fn metrics(&self) -> Option<PodMetrics> {
        (!self.usage.is_empty()).then(|| PodMetrics {
            name: self.name.clone(),
            labels: Some(labels().into()),
            timestamp: Some(at(self.sampled)),
            window: self.window,
            containers: self.usage.clone(),
        })
    }

    fn change(mut self, change: impl FnOnce(&mut Pod)) -> Self {
        change(self.pod.as_mut().expect("the pod is not gone"));
        self
    }
}

/// The labels that the selector of the scale matches.
fn labels() -> BTreeMap<String, String> {
    BTreeMap::from([("app".to_owned(), "web".to_owned())])
}
