//! Pods.

use std::{collections::BTreeMap, sync::Arc};

use hpa_objects::recording::wire;
use prost::Message;

use super::{
    FromProtobuf,
    metadata::{ObjectMetaMessage, TimeMessage, all, written},
};

impl FromProtobuf for Arc<wire::Pod> {
    type Message = PodMessage;

    fn parts(message: &PodMessage) -> usize {
        let metadata = message.metadata.iter().map(ObjectMetaMessage::parts);
        let spec = message.spec.iter().map(PodSpecMessage::parts);
        let status = message.status.iter().map(PodStatusMessage::parts);
        1 + metadata.chain(spec).chain(status).sum::<usize>()
    }

    fn from_message(message: PodMessage) -> Self {
        Self::new(wire::Pod {
            metadata: message.metadata.unwrap_or_default().into(),
            spec: Arc::new(message.spec.unwrap_or_default().into()),
            status: message.status.unwrap_or_default().into(),
        })
    }
}

/// Upstream: `v1.Pod`.
#[derive(Clone, PartialEq, Message)]
pub(in super::super) struct PodMessage {
    #[prost(message, optional, tag = "1")]
    metadata: Option<ObjectMetaMessage>,
    #[prost(message, optional, tag = "2")]
    spec: Option<PodSpecMessage>,
    #[prost(message, optional, tag = "3")]
    status: Option<PodStatusMessage>,
}

/// Upstream: `v1.PodSpec`.
#[derive(Clone, PartialEq, Message)]
struct PodSpecMessage {
    #[prost(message, repeated, tag = "2")]
    containers: Vec<ContainerMessage>,
    #[prost(message, repeated, tag = "20")]
    init_containers: Vec<ContainerMessage>,
    #[prost(btree_map = "string, message", tag = "32")]
    overhead: BTreeMap<String, QuantityMessage>,
    #[prost(message, optional, tag = "40")]
    resources: Option<ResourcesMessage>,
}

impl PodSpecMessage {
    fn parts(&self) -> usize {
        let containers = self.containers.iter().chain(&self.init_containers);
        let resources = self.resources.iter().map(ResourcesMessage::parts);
        let lists = containers.map(ContainerMessage::parts).chain(resources);
        self.overhead.len() + lists.sum::<usize>()
    }
}

impl From<PodSpecMessage> for wire::PodSpec {
    fn from(from: PodSpecMessage) -> Self {
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
struct ContainerMessage {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "8")]
    resources: Option<ResourcesMessage>,
    #[prost(message, optional, tag = "11")]
    readiness_probe: Option<ProbeMessage>,
    #[prost(string, optional, tag = "24")]
    restart_policy: Option<String>,
}

impl ContainerMessage {
    fn parts(&self) -> usize {
        1 + self
            .resources
            .iter()
            .map(ResourcesMessage::parts)
            .sum::<usize>()
    }
}

impl From<ContainerMessage> for wire::Container {
    fn from(from: ContainerMessage) -> Self {
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
struct ProbeMessage {
    #[prost(int32, tag = "2")]
    initial_delay_seconds: i32,
    #[prost(int32, tag = "4")]
    period_seconds: i32,
}

impl From<ProbeMessage> for wire::Probe {
    fn from(from: ProbeMessage) -> Self {
        let written = |number: i32| Some(number).filter(|number| *number != 0);
        Self {
            initial_delay_seconds: written(from.initial_delay_seconds),
            period_seconds: written(from.period_seconds),
        }
    }
}

/// Upstream: `v1.ResourceRequirements`.
#[derive(Clone, PartialEq, Message)]
struct ResourcesMessage {
    #[prost(btree_map = "string, message", tag = "1")]
    limits: BTreeMap<String, QuantityMessage>,
    #[prost(btree_map = "string, message", tag = "2")]
    requests: BTreeMap<String, QuantityMessage>,
}

impl ResourcesMessage {
    fn parts(&self) -> usize {
        1 + self.limits.len() + self.requests.len()
    }
}

impl From<ResourcesMessage> for wire::Resources {
    fn from(from: ResourcesMessage) -> Self {
        Self {
            requests: quantities(from.requests),
            limits: quantities(from.limits),
        }
    }
}

/// Upstream: `resource.Quantity`.
#[derive(Clone, PartialEq, Eq, Message)]
struct QuantityMessage {
    #[prost(string, tag = "1")]
    text: String,
}

fn quantities(from: BTreeMap<String, QuantityMessage>) -> wire::ResourceList {
    let entries = from.into_iter();
    entries
        .map(|(name, quantity)| (name, wire::Quantity(quantity.text)))
        .collect()
}

/// Upstream: `v1.PodStatus`.
#[derive(Clone, PartialEq, Message)]
struct PodStatusMessage {
    #[prost(string, tag = "1")]
    phase: String,
    #[prost(message, repeated, tag = "2")]
    conditions: Vec<PodConditionMessage>,
    #[prost(message, optional, tag = "7")]
    start_time: Option<TimeMessage>,
    #[prost(message, repeated, tag = "8")]
    container_statuses: Vec<ContainerStatusMessage>,
    #[prost(message, repeated, tag = "10")]
    init_container_statuses: Vec<ContainerStatusMessage>,
}

impl PodStatusMessage {
    fn parts(&self) -> usize {
        let statuses = self.container_statuses.len() + self.init_container_statuses.len();
        self.conditions.len() + statuses
    }
}

impl From<PodStatusMessage> for wire::PodStatus {
    fn from(from: PodStatusMessage) -> Self {
        Self {
            phase: from.phase,
            start_time: TimeMessage::known(from.start_time),
            conditions: all(from.conditions),
            init_container_statuses: all(from.init_container_statuses),
            container_statuses: all(from.container_statuses),
        }
    }
}

/// Upstream: `v1.PodCondition`.
#[derive(Clone, PartialEq, Message)]
struct PodConditionMessage {
    #[prost(string, tag = "1")]
    condition_type: String,
    #[prost(string, tag = "2")]
    status: String,
    #[prost(message, optional, tag = "4")]
    last_transition_time: Option<TimeMessage>,
    #[prost(string, tag = "5")]
    reason: String,
    #[prost(string, tag = "6")]
    message: String,
}

impl From<PodConditionMessage> for wire::PodCondition {
    fn from(from: PodConditionMessage) -> Self {
        Self {
            condition_type: from.condition_type,
            status: from.status,
            last_transition_time: TimeMessage::known(from.last_transition_time),
            reason: written(from.reason),
            message: written(from.message),
        }
    }
}

/// Upstream: `v1.ContainerStatus`.
#[derive(Clone, PartialEq, Message)]
struct ContainerStatusMessage {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "2")]
    state: Option<ContainerStateMessage>,
    #[prost(int32, optional, tag = "5")]
    restart_count: Option<i32>,
}

impl From<ContainerStatusMessage> for wire::ContainerStatus {
    fn from(from: ContainerStatusMessage) -> Self {
        Self {
            name: from.name,
            restart_count: from.restart_count,
            state: from.state.map(Into::into),
        }
    }
}

/// Upstream: `v1.ContainerState`.
#[derive(Clone, PartialEq, Message)]
struct ContainerStateMessage {
    #[prost(message, optional, tag = "1")]
    waiting: Option<ContainerStateWaitingMessage>,
    #[prost(message, optional, tag = "2")]
    running: Option<ContainerStateRunningMessage>,
}

impl From<ContainerStateMessage> for wire::ContainerState {
    fn from(from: ContainerStateMessage) -> Self {
        Self {
            running: from.running.map(|running| wire::ContainerStateRunning {
                started_at: TimeMessage::known(running.started_at),
            }),
            waiting: from.waiting.map(|waiting| wire::ContainerStateWaiting {
                reason: written(waiting.reason),
            }),
        }
    }
}

/// Upstream: `v1.ContainerStateWaiting`.
#[derive(Clone, PartialEq, Message)]
struct ContainerStateWaitingMessage {
    #[prost(string, tag = "1")]
    reason: String,
}

/// Upstream: `v1.ContainerStateRunning`.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
struct ContainerStateRunningMessage {
    #[prost(message, optional, tag = "1")]
    started_at: Option<TimeMessage>,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::protobuf::metadata::tests::{bare as bare_metadata, time, whole as whole_metadata};

    fn quantity(name: &str, text: &str) -> (String, QuantityMessage) {
        let text = text.to_owned();
        (name.to_owned(), QuantityMessage { text })
    }

    /// A pod with every field that is read.
    pub(in super::super) fn whole() -> PodMessage {
        let container =
            |name: &str, resources, [delay, period]: [i32; 2], policy: &str| ContainerMessage {
                name: name.to_owned(),
                resources: Some(resources),
                readiness_probe: Some(ProbeMessage {
                    initial_delay_seconds: delay,
                    period_seconds: period,
                }),
                restart_policy: Some(policy.to_owned()),
            };
        let resources = |limit, requests| ResourcesMessage {
            limits: [limit].into(),
            requests,
        };
        let main = resources(
            quantity("memory", "1Gi"),
            [quantity("cpu", "100m"), quantity("memory", "200Mi")].into(),
        );
        let mesh = resources(quantity("memory", "2Gi"), [quantity("cpu", "5m")].into());
        let status = |name: &str, restarts, started, reason: &str| ContainerStatusMessage {
            name: name.to_owned(),
            state: Some(ContainerStateMessage {
                waiting: Some(ContainerStateWaitingMessage {
                    reason: reason.to_owned(),
                }),
                running: Some(ContainerStateRunningMessage {
                    started_at: Some(time(started)),
                }),
            }),
            restart_count: Some(restarts),
        };
        let main_status = status("main", 4, "2027-01-15T08:00:04Z", "CrashLoopBackOff");
        let mesh_status = status("mesh", 0, "2027-01-15T08:00:03Z", "PodInitializing");
        PodMessage {
            metadata: Some(whole_metadata()),
            spec: Some(PodSpecMessage {
                containers: vec![container("main", main, [3, 5], "Never")],
                init_containers: vec![container("mesh", mesh, [1, 2], "Always")],
                overhead: [quantity("cpu", "10m")].into(),
                resources: Some(resources(
                    quantity("cpu", "2"),
                    [quantity("cpu", "1")].into(),
                )),
            }),
            status: Some(PodStatusMessage {
                phase: "Running".to_owned(),
                conditions: vec![PodConditionMessage {
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
    pub(in super::super) fn bare() -> PodMessage {
        let status = |name: &str, state| ContainerStatusMessage {
            name: name.to_owned(),
            state: Some(state),
            restart_count: Some(0),
        };
        let waiting = ContainerStateMessage {
            waiting: Some(ContainerStateWaitingMessage::default()),
            running: None,
        };
        let running = ContainerStateMessage {
            waiting: None,
            running: Some(ContainerStateRunningMessage {
                started_at: Some(TimeMessage::default()),
            }),
        };
        PodMessage {
            metadata: Some(bare_metadata()),
            spec: Some(PodSpecMessage {
                containers: vec![ContainerMessage {
                    name: "main".to_owned(),
                    resources: Some(ResourcesMessage::default()),
                    readiness_probe: Some(ProbeMessage::default()),
                    restart_policy: None,
                }],
                ..PodSpecMessage::default()
            }),
            status: Some(PodStatusMessage {
                conditions: vec![PodConditionMessage {
                    condition_type: "Ready".to_owned(),
                    status: "True".to_owned(),
                    last_transition_time: Some(TimeMessage::default()),
                    ..PodConditionMessage::default()
                }],
                container_statuses: vec![
                    status("main", ContainerStateMessage::default()),
                    status("side", waiting),
                    status("last", running),
                ],
                ..PodStatusMessage::default()
            }),
        }
    }
}
