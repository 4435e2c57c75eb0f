//! The series that history reads, and the purpose of each.

use hpa_engine::model::KnownKind;

/// How much to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// The HPA and the replicas of its target.
    Hpa,
    /// Also its pods: start, readiness, requests.
    Pods,
    /// Also what the pods use.
    #[default]
    Usage,
}

/// Who exports a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exporter {
    /// kube-state-metrics.
    KubeStateMetrics,
    /// The kubelet's `/metrics/cadvisor`.
    Cadvisor,
    /// KEDA's operator.
    Keda,
}

/// What a series is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Bounds of the HPA.
    Bounds,
    /// What the controller decided.
    Decisions,
    /// The controller's own values of the metrics.
    Values,
    /// The targets of the metrics.
    Targets,
    /// What the HPA scales.
    ScaleTarget,
    /// The conditions of the HPA.
    Conditions,
    /// Edits of the HPA.
    Edits,
    /// Tolerances in `behavior`.
    Tolerances,
    /// Replicas of the scale target.
    Replicas,
    /// Owners of the pods.
    Pods,
    /// Owners of the ReplicaSets that own pods.
    ReplicaSets,
    /// When pods start and become ready.
    Readiness,
    /// What containers request.
    Requests,
    /// Init containers that keep running (sidecars), and what they request. Most pods have none.
    Sidecars,
    /// Limits of containers.
    Limits,
    /// What containers use.
    Usage,
    /// When containers start.
    Starts,
    /// How often the kernel throttled containers.
    Throttling,
    /// The values that KEDA gives to the controller.
    Triggers,
}

/// The name of a series that history reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: &'static str,
    /// What it is about.
    pub about: About,
    /// The lowest depth at which it is read.
    pub depth: Depth,
    /// Which exporter has it.
    pub exporter: Exporter,
}

const fn state(name: &'static str, about: About, depth: Depth) -> Name {
    Name {
        name,
        about,
        depth,
        exporter: Exporter::KubeStateMetrics,
    }
}

const fn usage(name: &'static str, about: About) -> Name {
    Name {
        exporter: Exporter::Cadvisor,
        ..state(name, about, Depth::Usage)
    }
}

/// `status.desiredReplicas`. Each of its samples is a scrape of the HPA.
pub const DESIRED: &str = "kube_horizontalpodautoscaler_status_desired_replicas";
/// `status.currentReplicas`: the replicas that the sync read.
pub const CURRENT: &str = "kube_horizontalpodautoscaler_status_current_replicas";
pub(crate) const VALUES: &str = "kube_horizontalpodautoscaler_status_target_metric";
/// Whether a condition has a status.
pub const CONDITION: &str = "kube_horizontalpodautoscaler_status_condition";
pub(crate) const MIN: &str = "kube_horizontalpodautoscaler_spec_min_replicas";
/// `maxReplicas`.
pub const MAX: &str = "kube_horizontalpodautoscaler_spec_max_replicas";
/// Kind and name of the scale target, in labels.
pub(crate) const INFO: &str = "kube_horizontalpodautoscaler_info";
pub(crate) const TARGETS: &str = "kube_horizontalpodautoscaler_spec_target_metric";
pub(crate) const GENERATION: &str = "kube_horizontalpodautoscaler_metadata_generation";
pub(crate) const UP_TOLERANCE: &str =
    "kube_horizontalpodautoscaler_spec_behavior_scale_up_tolerance";
pub(crate) const DOWN_TOLERANCE: &str =
    "kube_horizontalpodautoscaler_spec_behavior_scale_down_tolerance";
pub(crate) const POD_OWNER: &str = "kube_pod_owner";
pub(crate) const REPLICA_SET_OWNER: &str = "kube_replicaset_owner";
pub(crate) const POD_CREATED: &str = "kube_pod_created";
pub(crate) const POD_START: &str = "kube_pod_start_time";
pub(crate) const POD_PHASE: &str = "kube_pod_status_phase";
pub(crate) const POD_READY: &str = "kube_pod_status_ready";
pub(crate) const POD_READY_TIME: &str = "kube_pod_status_ready_time";
/// When a pod's deletion is due. Only terminating pods have it.
pub const POD_DELETED: &str = "kube_pod_deletion_timestamp";
pub(crate) const CONTAINER: &str = "kube_pod_container_info";
pub(crate) const REQUESTS: &str = "kube_pod_container_resource_requests";
pub(crate) const INIT_CONTAINER: &str = "kube_pod_init_container_info";
pub(crate) const INIT_REQUESTS: &str = "kube_pod_init_container_resource_requests";
pub(crate) const LIMITS: &str = "kube_pod_container_resource_limits";
pub(crate) const CPU: &str = "container_cpu_usage_seconds_total";
pub(crate) const MEMORY: &str = "container_memory_working_set_bytes";
pub(crate) const STARTED: &str = "container_start_time_seconds";
pub(crate) const THROTTLED: &str = "container_cpu_cfs_throttled_periods_total";
pub(crate) const PERIODS: &str = "container_cpu_cfs_periods_total";
/// The value of each metric that KEDA serves.
pub const KEDA_VALUE: &str = "keda_scaler_metrics_value";

/// All names, those of the HPA first.
pub const NAMES: &[Name] = &[
    state(DESIRED, About::Decisions, Depth::Hpa),
    state(CURRENT, About::Decisions, Depth::Hpa),
    state(VALUES, About::Values, Depth::Hpa),
    state(CONDITION, About::Conditions, Depth::Hpa),
    state(MIN, About::Bounds, Depth::Hpa),
    state(MAX, About::Bounds, Depth::Hpa),
    state(TARGETS, About::Targets, Depth::Hpa),
    state(INFO, About::ScaleTarget, Depth::Hpa),
    state(GENERATION, About::Edits, Depth::Hpa),
    state(UP_TOLERANCE, About::Tolerances, Depth::Hpa),
    state(DOWN_TOLERANCE, About::Tolerances, Depth::Hpa),
    state("kube_deployment_spec_replicas", About::Replicas, Depth::Hpa),
    state(
        "kube_deployment_status_replicas",
        About::Replicas,
        Depth::Hpa,
    ),
    state("kube_statefulset_replicas", About::Replicas, Depth::Hpa),
    state(
        "kube_statefulset_status_replicas",
        About::Replicas,
        Depth::Hpa,
    ),
    state("kube_replicaset_spec_replicas", About::Replicas, Depth::Hpa),
    state(
        "kube_replicaset_status_replicas",
        About::Replicas,
        Depth::Hpa,
    ),
    state(POD_OWNER, About::Pods, Depth::Pods),
    state(REPLICA_SET_OWNER, About::ReplicaSets, Depth::Pods),
    state(POD_CREATED, About::Readiness, Depth::Pods),
    state(POD_START, About::Readiness, Depth::Pods),
    state(POD_PHASE, About::Readiness, Depth::Pods),
    state(POD_READY, About::Readiness, Depth::Pods),
    state(POD_READY_TIME, About::Readiness, Depth::Pods),
    state(POD_DELETED, About::Readiness, Depth::Pods),
    state(CONTAINER, About::Requests, Depth::Pods),
    state(REQUESTS, About::Requests, Depth::Pods),
    state(INIT_CONTAINER, About::Sidecars, Depth::Pods),
    state(INIT_REQUESTS, About::Sidecars, Depth::Pods),
    state(LIMITS, About::Limits, Depth::Usage),
    usage(CPU, About::Usage),
    usage(MEMORY, About::Usage),
    usage(STARTED, About::Starts),
    usage(THROTTLED, About::Throttling),
    usage(PERIODS, About::Throttling),
    Name {
        exporter: Exporter::Keda,
        ..state(KEDA_VALUE, About::Triggers, Depth::Usage)
    },
];

/// The first version of kube-state-metrics that exports a series. None: 2.0 has it, or another exporter does.
pub fn first_version(name: &str) -> Option<&'static str> {
    Some(match name {
        INFO => "2.3",
        VALUES => "2.6",
        POD_READY_TIME => "2.8",
        UP_TOLERANCE | DOWN_TOLERANCE => "2.20",
        _ => return None,
    })
}

/// The names up to a depth that are about one of `about`.
pub fn names_of(depth: Depth, about: &[About]) -> Vec<&'static str> {
    NAMES
        .iter()
        .filter(|one| one.depth <= depth && about.contains(&one.about))
        .map(|one| one.name)
        .collect()
}

/// Whether pods can belong to a scale target of this kind through a ReplicaSet. Those of an unknown kind can belong to it
/// directly as well.
pub fn can_own_replica_sets(kind: &str) -> bool {
    !KnownKind::of(kind).owns_pods()
}

/// The names of `spec.replicas` and `status.replicas` for a scale target of this kind. None: no exporter has them.
pub fn replicas(kind: &str) -> Option<(&'static str, &'static str)> {
    let prefix = format!("kube_{}_", KnownKind::of(kind).name.to_lowercase());
    let mut names = names_of(Depth::Hpa, &[About::Replicas]).into_iter();
    names
        .find(|name| name.starts_with(&prefix))
        .zip(names.next())
}
