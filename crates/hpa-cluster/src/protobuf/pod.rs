//! Pods.

use std::{collections::BTreeMap, sync::Arc};

use prost::Message;

use super::{
    FromProtobuf,
    metadata::{ObjectMeta, Time, all, written},
};
use crate::recording::wire;

impl FromProtobuf for Arc<wire::Pod> {
    type Message = Pod;

    fn parts(message: &Pod) -> usize {
        let metadata = message.metadata.iter().map(ObjectMeta::parts);
        let spec = message.spec.iter().map(PodSpec::parts);
        let status = message.status.iter().map(PodStatus::parts);
        1 + metadata.chain(spec).chain(status).sum::<usize>()
    }

    fn from_message(message: Pod) -> Self {
        Self::new(wire::Pod {
            metadata: message.metadata.unwrap_or_default().into(),
            spec: Arc::new(message.spec.unwrap_or_default().into()),
            status: message.status.unwrap_or_default().into(),
        })
    }
}

/// Upstream: `v1.Pod`.
#[derive(Clone, PartialEq, Message)]
pub(in super::super) struct Pod {
    #[prost(message, optional, tag = "1")]
    metadata: Option<ObjectMeta>,
    #[prost(message, optional, tag = "2")]
    spec: Option<PodSpec>,
    #[prost(message, optional, tag = "3")]
    status: Option<PodStatus>,
}

/// Upstream: `v1.PodSpec`.
#[derive(Clone, PartialEq, Message)]
struct PodSpec {
    #[prost(message, repeated, tag = "2")]
    containers: Vec<Container>,
    #[prost(message, repeated, tag = "20")]
    init_containers: Vec<Container>,
    #[prost(btree_map = "string, message", tag = "32")]
    overhead: BTreeMap<String, Quantity>,
    #[prost(message, optional, tag = "40")]
    resources: Option<Resources>,
}

impl PodSpec {
    fn parts(&self) -> usize {
        let containers = self.containers.iter().chain(&self.init_containers);
        let resources = self.resources.iter().map(Resources::parts);
        let lists = containers.map(Container::parts).chain(resources);
        self.overhead.len() + lists.sum::<usize>()
    }
}

impl From<PodSpec> for wire::PodSpec {
    fn from(from: PodSpec) -> Self {
        Self {
            init_containers: all(from.init_containers),
            containers: all(from.containers),
            resources: from.resources.map(Into::into),
            overhead: quantities(from.overhead),
        }
    }
}

/// Upstream: `v1.Container`.
#[derive(Clone, PartialEq, Message)]
struct Container {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "8")]
    resources: Option<Resources>,
    #[prost(message, optional, tag = "11")]
    readiness_probe: Option<Probe>,
    #[prost(string, optional, tag = "24")]
    restart_policy: Option<String>,
}

impl Container {
    fn parts(&self) -> usize {
        1 + self.resources.iter().map(Resources::parts).sum::<usize>()
    }
}

impl From<Container> for wire::Container {
    fn from(from: Container) -> Self {
        Self {
            name: from.name,
            restart_policy: from.restart_policy,
            resources: from.resources.map(Into::into),
            readiness_probe: from.readiness_probe.map(Into::into),
        }
    }
}

/// Upstream: `v1.Probe`. JSON omits a number that is 0.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
struct Probe {
    #[prost(int32, tag = "2")]
    initial_delay_seconds: i32,
    #[prost(int32, tag = "4")]
    period_seconds: i32,
}

impl From<Probe> for wire::Probe {
    fn from(from: Probe) -> Self {
        let written = |number: i32| Some(number).filter(|number| *number != 0);
        Self {
            initial_delay_seconds: written(from.initial_delay_seconds),
            period_seconds: written(from.period_seconds),
        }
    }
}

/// Upstream: `v1.ResourceRequirements`.
#[derive(Clone, PartialEq, Message)]
struct Resources {
    #[prost(btree_map = "string, message", tag = "1")]
    limits: BTreeMap<String, Quantity>,
    #[prost(btree_map = "string, message", tag = "2")]
    requests: BTreeMap<String, Quantity>,
}

impl Resources {
    fn parts(&self) -> usize {
        1 + self.limits.len() + self.requests.len()
    }
}

impl From<Resources> for wire::Resources {
    fn from(from: Resources) -> Self {
        Self {
            requests: quantities(from.requests),
            limits: quantities(from.limits),
        }
    }
}

/// Upstream: `resource.Quantity`.
#[derive(Clone, PartialEq, Eq, Message)]
struct Quantity {
    #[prost(string, tag = "1")]
    text: String,
}

fn quantities(from: BTreeMap<String, Quantity>) -> wire::ResourceList {
    let entries = from.into_iter();
    entries
        .map(|(name, quantity)| (name, wire::Quantity(quantity.text)))
        .collect()
}

/// Upstream: `v1.PodStatus`.
#[derive(Clone, PartialEq, Message)]
struct PodStatus {
    #[prost(string, tag = "1")]
    phase: String,
    #[prost(message, repeated, tag = "2")]
    conditions: Vec<PodCondition>,
    #[prost(message, optional, tag = "7")]
    start_time: Option<Time>,
    #[prost(message, repeated, tag = "8")]
    container_statuses: Vec<ContainerStatus>,
    #[prost(message, repeated, tag = "10")]
    init_container_statuses: Vec<ContainerStatus>,
}

impl PodStatus {
    fn parts(&self) -> usize {
        let statuses = self.container_statuses.len() + self.init_container_statuses.len();
        self.conditions.len() + statuses
    }
}

impl From<PodStatus> for wire::PodStatus {
    fn from(from: PodStatus) -> Self {
        Self {
            phase: from.phase,
            start_time: Time::known(from.start_time),
            conditions: all(from.conditions),
            init_container_statuses: all(from.init_container_statuses),
            container_statuses: all(from.container_statuses),
        }
    }
}

/// Upstream: `v1.PodCondition`.
#[derive(Clone, PartialEq, Message)]
struct PodCondition {
    #[prost(string, tag = "1")]
    condition_type: String,
    #[prost(string, tag = "2")]
    status: String,
    #[prost(message, optional, tag = "4")]
    last_transition_time: Option<Time>,
    #[prost(string, tag = "5")]
    reason: String,
    #[prost(string, tag = "6")]
    message: String,
}

impl From<PodCondition> for wire::PodCondition {
    fn from(from: PodCondition) -> Self {
        Self {
            condition_type: from.condition_type,
            status: from.status,
            last_transition_time: Time::known(from.last_transition_time),
            reason: written(from.reason),
            message: written(from.message),
        }
    }
}

/// Upstream: `v1.ContainerStatus`.
#[derive(Clone, PartialEq, Message)]
struct ContainerStatus {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "2")]
    state: Option<ContainerState>,
    #[prost(int32, optional, tag = "5")]
    restart_count: Option<i32>,
}

impl From<ContainerStatus> for wire::ContainerStatus {
    fn from(from: ContainerStatus) -> Self {
        Self {
            name: from.name,
            restart_count: from.restart_count,
            state: from.state.map(Into::into),
        }
    }
}

/// Upstream: `v1.ContainerState`.
#[derive(Clone, PartialEq, Message)]
struct ContainerState {
    #[prost(message, optional, tag = "1")]
    waiting: Option<ContainerStateWaiting>,
    #[prost(message, optional, tag = "2")]
    running: Option<ContainerStateRunning>,
}

impl From<ContainerState> for wire::ContainerState {
    fn from(from: ContainerState) -> Self {
        Self {
            running: from.running.map(|running| wire::ContainerStateRunning {
                started_at: Time::known(running.started_at),
            }),
            waiting: from.waiting.map(|waiting| wire::ContainerStateWaiting {
                reason: written(waiting.reason),
            }),
        }
    }
}

/// Upstream: `v1.ContainerStateWaiting`.
#[derive(Clone, PartialEq, Message)]
struct ContainerStateWaiting {
    #[prost(string, tag = "1")]
    reason: String,
}

/// Upstream: `v1.ContainerStateRunning`.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
struct ContainerStateRunning {
    #[prost(message, optional, tag = "1")]
    started_at: Option<Time>,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::protobuf::metadata::tests::{bare as bare_metadata, time, whole as whole_metadata};

    fn quantity(name: &str, text: &str) -> (String, Quantity) {
        let text = text.to_owned();
        (name.to_owned(), Quantity { text })
    }

    /// A pod with every field that is read.
    pub(in super::super) fn whole() -> Pod {
        let container =
            |name: &str, resources, [delay, period]: [i32; 2], policy: &str| Container {
                name: name.to_owned(),
                resources: Some(resources),
                readiness_probe: Some(Probe {
                    initial_delay_seconds: delay,
                    period_seconds: period,
                }),
                restart_policy: Some(policy.to_owned()),
            };
        let resources = |limit, requests| Resources {
            limits: [limit].into(),
            requests,
        };
        let main = resources(
            quantity("memory", "1Gi"),
            [quantity("cpu", "100m"), quantity("memory", "200Mi")].into(),
        );
        let mesh = resources(quantity("memory", "2Gi"), [quantity("cpu", "5m")].into());
        let status = |name: &str, restarts, started, reason: &str| ContainerStatus {
            name: name.to_owned(),
            state: Some(ContainerState {
                waiting: Some(ContainerStateWaiting {
                    reason: reason.to_owned(),
                }),
                running: Some(ContainerStateRunning {
                    started_at: Some(time(started)),
                }),
            }),
            restart_count: Some(restarts),
        };
        let main_status = status("main", 4, "2027-01-15T08:00:04Z", "CrashLoopBackOff");
        let mesh_status = status("mesh", 0, "2027-01-15T08:00:03Z", "PodInitializing");
        Pod {
            metadata: Some(whole_metadata()),
            spec: Some(PodSpec {
                containers: vec![container("main", main, [3, 5], "Never")],
                init_containers: vec![container("mesh", mesh, [1, 2], "Always")],
                overhead: [quantity("cpu", "10m")].into(),
                resources: Some(resources(
                    quantity("cpu", "2"),
                    [quantity("cpu", "1")].into(),
                )),
            }),
            status: Some(PodStatus {
                phase: "Running".to_owned(),
                conditions: vec![PodCondition {
                    condition_type: "Ready".to_owned(),
                    status: "False".to_owned(),
                    last_transition_time: Some(time("2027-01-15T08:00:02Z")),
                    reason: "ContainersNotReady".to_owned(),
                    message: "containers with unready status: [main]".to_owned(),
                }],
                start_time: Some(time("2027-01-15T08:00:01Z")),
                container_statuses: vec![main_status],
                init_container_statuses: vec![mesh_status],
            }),
        }
    }

    /// A pod as Go writes it that has hardly a field: texts are empty, numbers are 0, and messages of times are empty.
    pub(in super::super) fn bare() -> Pod {
        let status = |name: &str, state| ContainerStatus {
            name: name.to_owned(),
            state: Some(state),
            restart_count: Some(0),
        };
        let waiting = ContainerState {
            waiting: Some(ContainerStateWaiting::default()),
            running: None,
        };
        let running = ContainerState {
            waiting: None,
            running: Some(ContainerStateRunning {
                started_at: Some(Time::default()),
            }),
        };
        Pod {
            metadata: Some(bare_metadata()),
            spec: Some(PodSpec {
                containers: vec![Container {
                    name: "main".to_owned(),
                    resources: Some(Resources::default()),
                    readiness_probe: Some(Probe::default()),
                    restart_policy: None,
                }],
                ..PodSpec::default()
            }),
            status: Some(PodStatus {
                conditions: vec![PodCondition {
                    condition_type: "Ready".to_owned(),
                    status: "True".to_owned(),
                    last_transition_time: Some(Time::default()),
                    ..PodCondition::default()
                }],
                container_statuses: vec![
                    status("main", ContainerState::default()),
                    status("side", waiting),
                    status("last", running),
                ],
                ..PodStatus::default()
            }),
        }
    }
}
