//! Pods.

use std::sync::Arc;

use hpa_engine::model::{
    ConditionStatus, Container, Owner, Pod, PodPhase, PodStart, Probe, ReadyCondition,
    ResourceList, Shared,
};

use super::{InvalidField, Within as _, each, resources, wire};

/// Converts pods. Neighboring pods that share their spec also share the conversion.
pub(super) fn all(pods: &[Arc<wire::Pod>]) -> Result<Vec<Pod>, InvalidField> {
    let mut converted = Vec::with_capacity(pods.len());
    let mut spec: Option<(&Arc<wire::PodSpec>, PodSpec)> = None;
    for (index, pod) in pods.iter().enumerate() {
        let known = spec.take_if(|(of, _)| Arc::ptr_eq(of, &pod.spec));
        let spec_fields = match known {
            Some((_, known)) => known,
            None => pod.spec.to_model().within_item("pods", index)?,
        };
        converted.push(pod.with_spec(spec_fields.clone()));
        spec = Some((&pod.spec, spec_fields));
    }
    Ok(converted)
}

/// The spec of a pod.
#[derive(Clone)]
struct PodSpec {
    containers: Shared<Container>,
    init_containers: Shared<Container>,
    requests: ResourceList,
    overhead: ResourceList,
}

impl wire::PodSpec {
    fn to_model(&self) -> Result<PodSpec, InvalidField> {
        let fields = || {
            Ok(PodSpec {
                containers: each(&self.containers, "containers", container)?.into(),
                init_containers: each(&self.init_containers, "initContainers", container)?.into(),
                requests: match &self.resources {
                    Some(list) => resources(&list.requests, "resources.requests")?,
                    None => Vec::new(),
                },
                overhead: resources(&self.overhead, "overhead")?,
            })
        };
        fields().within("spec")
    }
}

impl wire::Pod {
    /// Converts to the model.
    pub fn to_model(&self) -> Result<Pod, InvalidField> {
        Ok(self.with_spec(self.spec.to_model()?))
    }

    fn with_spec(&self, spec: PodSpec) -> Pod {
        let (metadata, status) = (&self.metadata, &self.status);
        let PodSpec {
            containers,
            init_containers,
            requests,
            overhead,
        } = spec;
        Pod {
            name: metadata.name.clone(),
            labels: metadata.labels.clone(),
            created: metadata.creation_timestamp,
            deleted: metadata.deletion_timestamp,
            owner: metadata
                .owner_references
                .iter()
                .find(|owner| owner.controller == Some(true))
                .map(|owner| Owner {
                    kind: owner.kind.clone(),
                    name: owner.name.clone(),
                }),
            phase: phase(&status.phase),
            started: status.start_time,
            scheduled: status
                .condition("PodScheduled")
                .map(|condition| condition.status == "True"),
            ready: status.condition("Ready").map(|condition| ReadyCondition {
                status: match condition.status.as_str() {
                    "False" => ConditionStatus::False,
                    "True" => ConditionStatus::True,
                    _ => ConditionStatus::Unknown,
                },
                last_transition: condition.last_transition_time,
            }),
            containers,
            init_containers,
            requests,
            overhead,
            start: start(status),
            waiting: waiting(status),
            resize: resize(status),
            helm_hook: metadata.annotations.get(wire::HELM_HOOK).cloned(),
        }
    }
}

/// The conditions of a pod that are converted.
const READ_CONDITIONS: [&str; 5] = [
    "Initialized",
    "PodResizeInProgress",
    "PodResizePending",
    "PodScheduled",
    "Ready",
];

impl wire::PodStatus {
    /// Drops the conditions that have no effect on [`Pod`], such as `ContainersReady`.
    pub fn drop_unread_conditions(&mut self) {
        self.conditions
            .retain(|one| READ_CONDITIONS.contains(&one.condition_type.as_str()));
        self.conditions.shrink_to_fit();
    }

    fn condition(&self, condition_type: &str) -> Option<&wire::PodCondition> {
        debug_assert!(
            READ_CONDITIONS.contains(&condition_type),
            "{condition_type} is dropped"
        );
        self.conditions
            .iter()
            .find(|condition| condition.condition_type == condition_type)
    }
}

fn container(container: &wire::Container) -> Result<Container, InvalidField> {
    let (requests, limits) = match &container.resources {
        Some(list) => (
            resources(&list.requests, "resources.requests")?,
            resources(&list.limits, "resources.limits")?,
        ),
        None => (Vec::new(), Vec::new()),
    };
    Ok(Container {
        name: container.name.clone(),
        requests,
        limits,
        is_restartable: container.restart_policy.as_deref() == Some("Always"),
        readiness_probe: container.readiness_probe.as_ref().map(|probe| Probe {
            initial_delay_seconds: probe.initial_delay_seconds.unwrap_or_default(),
            period_seconds: probe.period_seconds.unwrap_or(DEFAULT_PERIOD),
        }),
    })
}

/// Default of a probe's `periodSeconds`.
const DEFAULT_PERIOD: i32 = 10;

fn start(status: &wire::PodStatus) -> PodStart {
    let since = |condition_type| {
        status
            .condition(condition_type)
            .filter(|condition| condition.status == "True")
            .and_then(|condition| condition.last_transition_time)
    };
    let started: Option<Vec<_>> = status
        .container_statuses
        .iter()
        .map(|container| container.state.as_ref()?.running.as_ref()?.started_at)
        .collect();
    PodStart {
        scheduled: since("PodScheduled"),
        initialized: since("Initialized"),
        containers_started: started.and_then(|started| started.into_iter().max()),
        restarts: status
            .init_container_statuses
            .iter()
            .chain(&status.container_statuses)
            .filter_map(|container| container.restart_count)
            .fold(0, i32::saturating_add),
    }
}

fn phase(text: &str) -> PodPhase {
    match text {
        "Failed" => PodPhase::Failed,
        "Pending" => PodPhase::Pending,
        "Running" => PodPhase::Running,
        "Succeeded" => PodPhase::Succeeded,
        other => PodPhase::Other(other.to_owned()),
    }
}

/// Since 1.33, two conditions describe an in-place resize. One has a reason; the other has one only on an error.
fn resize(status: &wire::PodStatus) -> Option<String> {
    let is_true = |condition_type| {
        status
            .condition(condition_type)
            .filter(|condition| condition.status == "True")
    };
    if let Some(pending) = is_true("PodResizePending") {
        return Some(
            pending
                .reason
                .clone()
                .unwrap_or_else(|| "pending".to_owned()),
        );
    }
    is_true("PodResizeInProgress").map(|_| "in progress".to_owned())
}

/// Why the pod waits: it cannot be scheduled, or one of its containers cannot start.
fn waiting(status: &wire::PodStatus) -> Option<String> {
    let unscheduled = status
        .condition("PodScheduled")
        .filter(|condition| condition.status == "False")
        .and_then(|condition| condition.message.clone());
    unscheduled.or_else(|| {
        status
            .init_container_statuses
            .iter()
            .chain(&status.container_statuses)
            .find_map(|container| container.state.as_ref()?.waiting.as_ref()?.reason.clone())
    })
}
