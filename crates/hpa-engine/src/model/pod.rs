//! The parts of a pod that the controller reads, and those that reports name.

use std::fmt;

use jiff::Timestamp;

use crate::model::{Labels, Quantity, Shared};

/// Requests or limits by resource name. A list in written order, because it has few entries.
pub type ResourceList = Vec<(String, Quantity)>;

/// A pod of the HPA's namespace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pod {
    /// `metadata.name`.
    pub name: String,
    /// `metadata.labels`.
    pub labels: Labels,
    /// `metadata.creationTimestamp`.
    pub created: Option<Timestamp>,
    /// `metadata.deletionTimestamp`: set while the pod terminates.
    pub deleted: Option<Timestamp>,
    /// The controlling owner, if any.
    pub owner: Option<Owner>,
    /// `status.phase`.
    pub phase: PodPhase,
    /// `status.startTime`.
    pub started: Option<Timestamp>,
    /// Condition `PodScheduled`: whether the pod has a node. None if the condition is absent.
    pub scheduled: Option<bool>,
    /// Condition `Ready` of the status.
    pub ready: Option<ReadyCondition>,
    /// Further start times, for reports.
    pub start: PodStart,
    /// `spec.containers`.
    pub containers: Shared<Container>,
    /// `spec.initContainers`.
    pub init_containers: Shared<Container>,
    /// `spec.resources.requests`: pod-level requests.
    pub requests: ResourceList,
    /// `spec.overhead`.
    pub overhead: ResourceList,
    /// Why the pod waits, as its status says: the message of a false `PodScheduled`, or the reason of a waiting
    /// container such as `CrashLoopBackOff`.
    pub waiting: Option<String>,
    /// An in-place resize that has not taken effect: `Deferred`, `Infeasible` or `in progress`.
    pub resize: Option<String>,
    /// Annotation `helm.sh/hook`: the pod is a hook or a test of a Helm release.
    pub helm_hook: Option<String>,
}

impl Pod {
    /// A running pod that has been ready since `since`. It has no container yet; [`Self::requesting`] adds one.
    pub fn ready<'a>(
        name: impl Into<String>,
        labels: impl IntoIterator<Item = (&'a str, &'a str)>,
        since: Timestamp,
    ) -> Self {
        Self {
            name: name.into(),
            labels: Labels::new(
                labels
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value.to_owned()))
                    .collect(),
            ),
            created: Some(since),
            phase: PodPhase::Running,
            started: Some(since),
            ready: Some(ReadyCondition {
                status: ConditionStatus::True,
                last_transition: Some(since),
            }),
            ..Self::default()
        }
    }

    /// Adds a request to the first container, which is created as `main` if there is none.
    #[must_use]
    pub fn requesting(mut self, resource: impl Into<String>, request: Quantity) -> Self {
        if self.containers.is_empty() {
            self.containers.push(Container {
                name: "main".to_owned(),
                ..Container::default()
            });
        }
        self.containers[0].requests.push((resource.into(), request));
        self
    }

    /// Whether it has neither finished nor been deleted. Upstream: `IsPodActive`.
    pub fn is_active(&self) -> bool {
        let is_finished = matches!(self.phase, PodPhase::Failed | PodPhase::Succeeded);
        !is_finished && self.deleted.is_none()
    }

    /// Whether the condition `Ready` is true.
    pub fn is_ready(&self) -> bool {
        self.ready
            .is_some_and(|ready| ready.status == ConditionStatus::True)
    }

    /// Whether the pod has a node. If the condition is absent, a started pod counts as scheduled.
    pub fn has_node(&self) -> bool {
        self.scheduled
            .unwrap_or(self.phase != PodPhase::Pending || self.started.is_some())
    }

    /// Whether the pod has pod-level requests. Limits alone do not count.
    pub fn has_pod_level_requests(&self) -> bool {
        self.requests
            .iter()
            .any(|(name, _)| name == "cpu" || name == "memory" || name.starts_with("hugepages-"))
    }
}

/// The steps of a pod's start, each with the time when it completed. They do not affect the decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PodStart {
    /// Last transition of condition `PodScheduled`, if that is true.
    pub scheduled: Option<Timestamp>,
    /// Last transition of condition `Initialized`, if that is true: the init containers are done.
    pub initialized: Option<Timestamp>,
    /// When the last container started to run. None if one is not running.
    pub containers_started: Option<Timestamp>,
    /// Sum of the restarts of its containers.
    pub restarts: i32,
}

/// The controlling owner of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
}

impl fmt::Display for Owner {
    /// `kind/name`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.kind, self.name)
    }
}

/// `status.phase`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PodPhase {
    /// All containers ended, at least one of them with a failure.
    Failed,
    /// Any other text, including none.
    Other(String),
    /// Not all containers have started.
    #[default]
    Pending,
    /// At least one container runs or is about to.
    Running,
    /// All containers ended successfully.
    Succeeded,
}

impl PodPhase {
    /// The API's spelling.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Failed => "Failed",
            Self::Other(phase) => phase,
            Self::Pending => "Pending",
            Self::Running => "Running",
            Self::Succeeded => "Succeeded",
        }
    }
}

/// Condition `Ready` of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadyCondition {
    /// `status`.
    pub status: ConditionStatus,
    /// `lastTransitionTime`. Absent counts as Go's zero time.
    pub last_transition: Option<Timestamp>,
}

/// `status` of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionStatus {
    /// `False`.
    False,
    /// `True`.
    True,
    /// `Unknown`, or any other text.
    Unknown,
}

/// A container of a pod's spec.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Container {
    /// `name`.
    pub name: String,
    /// `resources.requests`.
    pub requests: ResourceList,
    /// `resources.limits`.
    pub limits: ResourceList,
    /// `restartPolicy: Always`: an init container that keeps running (a sidecar).
    pub is_restartable: bool,
    /// `readinessProbe`. Without one, a container is ready as soon as it runs.
    pub readiness_probe: Option<Probe>,
}

/// The fields of a probe that delay readiness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// `initialDelaySeconds`.
    pub initial_delay_seconds: i32,
    /// `periodSeconds`.
    pub period_seconds: i32,
}

impl Container {
    /// The request for `resource`, if set.
    pub fn request(&self, resource: &str) -> Option<&Quantity> {
        find_resource(&self.requests, resource)
    }

    /// The limit of `resource`, if set.
    pub fn limit(&self, resource: &str) -> Option<&Quantity> {
        find_resource(&self.limits, resource)
    }
}

/// The entry of `resource`.
pub fn find_resource<'a>(list: &'a ResourceList, resource: &str) -> Option<&'a Quantity> {
    list.iter()
        .find(|(name, _)| name == resource)
        .map(|(_, quantity)| quantity)
}
