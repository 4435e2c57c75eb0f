//! The parts of a pod that the controller looks at, and those that a reader wants named.

use std::fmt;

use jiff::Timestamp;

use crate::model::{Labels, Quantity, Shared};

/// Requests or limits by name of the resource. Few entries, so a list in written order.
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
    /// Whether it has a node: condition `PodScheduled`; none: there is no such condition.
    pub scheduled: Option<bool>,
    /// Condition `Ready` of the status.
    pub ready: Option<ReadyCondition>,
    /// What is known of its start beside that, for those who read the page.
    pub start: PodStart,
    /// `spec.containers`.
    pub containers: Shared<Container>,
    /// `spec.initContainers`.
    pub init_containers: Shared<Container>,
    /// `spec.resources.requests`: pod-level requests.
    pub requests: ResourceList,
    /// `spec.overhead`.
    pub overhead: ResourceList,
    /// Why the pod waits, in the words of its status: message of a false `PodScheduled`, or the reason of a waiting
    /// container such as `CrashLoopBackOff`.
    pub waiting: Option<String>,
    /// A resize in place that has not come into effect: `Deferred`, `Infeasible`, or `in progress`.
    pub resize: Option<String>,
    /// Annotation `helm.sh/hook`: the pod is a hook or a test of a Helm release.
    pub helm_hook: Option<String>,
}

impl Pod {
    /// A pod that runs and has been ready `since` then. It has no container yet; [`Self::requesting`] adds one.
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

    /// The same with a request of its first container, which is named `main` if there was none.
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

    /// Whether the condition `Ready` is true.
    pub fn is_ready(&self) -> bool {
        self.ready
            .is_some_and(|ready| ready.status == ConditionStatus::True)
    }

    /// Whether it has a node. Without the condition, a pod that has started has one.
    pub fn has_node(&self) -> bool {
        self.scheduled
            .unwrap_or(self.phase != PodPhase::Pending || self.started.is_some())
    }

    /// Whether it states requests as a whole: limits alone do not count.
    pub fn has_pod_level_requests(&self) -> bool {
        self.requests
            .iter()
            .any(|(name, _)| name == "cpu" || name == "memory" || name.starts_with("hugepages-"))
    }
}

/// The steps of a pod's start: when they were over. Nothing of it enters the decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PodStart {
    /// Last transition of condition `PodScheduled`, if that is true.
    pub scheduled: Option<Timestamp>,
    /// Last transition of condition `Initialized`, if that is true: the init containers are done.
    pub initialized: Option<Timestamp>,
    /// When the last of its containers started to run; none if one does not run.
    pub containers_started: Option<Timestamp>,
    /// Restarts of its containers, all together.
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
    /// All containers ended, at least one of them badly.
    Failed,
    /// Any other text, also none.
    Other(String),
    /// Not all containers have started.
    #[default]
    Pending,
    /// At least one container runs or is about to.
    Running,
    /// All containers ended well.
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
    /// `lastTransitionTime`; absent counts as the zero time of Go.
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
    /// `readinessProbe`: without one a container is ready as soon as it runs.
    pub readiness_probe: Option<Probe>,
}

/// What of a probe delays a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// `initialDelaySeconds`.
    pub initial_delay_seconds: i32,
    /// `periodSeconds`.
    pub period_seconds: i32,
}

impl Container {
    /// The request for `resource`, if there is one.
    pub fn request(&self, resource: &str) -> Option<&Quantity> {
        find_resource(&self.requests, resource)
    }

    /// The limit of `resource`, if there is one.
    pub fn limit(&self, resource: &str) -> Option<&Quantity> {
        find_resource(&self.limits, resource)
    }
}

/// Finds the entry of `resource`.
pub fn find_resource<'a>(list: &'a ResourceList, resource: &str) -> Option<&'a Quantity> {
    list.iter()
        .find(|(name, _)| name == resource)
        .map(|(_, quantity)| quantity)
}
