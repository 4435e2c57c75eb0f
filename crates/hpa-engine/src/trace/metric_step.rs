//! The steps of one metric, from the read to the proposal.

use jiff::{SignedDuration, Timestamp};

use crate::{
    model::{ApiError, Input, MetricStatus, NotRead},
    trace::Upstream,
};

/// Thousandths of a unit: of a core, a byte, or whatever the metric measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Milli(pub i64);

/// Whole percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(pub i32);

/// How the proposal of one metric was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricEvaluation {
    /// Index in `spec.metrics`.
    pub index: usize,
    /// The calculations, in order.
    pub steps: Vec<MetricStep>,
    /// The proposal or the failure.
    pub outcome: MetricOutcome,
    /// What goes into `status.currentMetrics`.
    pub status: MetricStatus,
}

impl MetricEvaluation {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::horizontal("computeReplicasForMetric");
}

/// The result of one metric.
#[derive(Clone, Debug, PartialEq)]
pub enum MetricOutcome {
    /// The metric is invalid.
    Invalid(MetricFailure),
    /// The recommended replicas.
    Proposal {
        /// The replicas.
        replicas: i32,
        /// The metric's name in conditions and events.
        name: String,
    },
    /// We could not read what the metric needs.
    Unknown(NotRead),
}

/// Why a metric is invalid, in the controller's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricFailure {
    /// Reason of the condition and the event, such as `FailedGetResourceMetric`. None in two cases: there is no event
    /// and the condition has no type (1.27 to 1.29 with the gate `HPAContainerMetrics` off), or the controller crashes
    /// (up to 1.28.2 with an Object metric whose type names a field that is not set).
    pub reason: Option<&'static str>,
    /// Text of the metric's own event.
    pub inner: String,
    /// Text in the combined error.
    pub outer: String,
}

/// One calculation for one metric.
#[derive(Clone, Debug, PartialEq)]
pub enum MetricStep {
    /// The metrics API is read.
    ReadMetric(ReadMetric),
    /// Pods are sorted into ready, unready, missing and ignored.
    GroupPods(GroupPods),
    /// Requests are added up per pod.
    SumRequests(SumRequests),
    /// The usage is divided by its target.
    UsageRatio(UsageRatio),
    /// The ratio is compared with the tolerance.
    ToleranceCheck(ToleranceCheck),
    /// Missing and unready pods are added back with a cautious usage.
    AddBackPods(AddBackPods),
    /// The adjusted ratio is accepted or rejected.
    Adjustment(Adjustment),
    /// Running and ready pods are counted (Object and External metrics of type Value).
    CountReadyPods(CountReadyPods),
    /// The proposal.
    Proposal(Proposal),
}

/// The metrics API is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadMetric {
    /// Items of the answer: pods, or series.
    pub items: usize,
    /// Sum of the items of an Object or External metric.
    pub total: Option<Milli>,
    /// The API's error, if it answered with one.
    pub error: Option<ApiError>,
    /// The function that reads this kind of metric.
    pub upstream: Upstream,
}

/// Pods are sorted into ready, unready, missing and ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupPods {
    /// The pods that the selector matches, in the order of the observation.
    pub pods: Vec<ClassifiedPod>,
    /// Number of samples of pods that the selector does not match or that no longer exist.
    pub unknown_pods: usize,
    /// Number of ready pods. Upstream: `readyPodCount`.
    pub ready: usize,
    /// Number of unready pods.
    pub unready: usize,
    /// Number of missing pods.
    pub missing: usize,
    /// Number of ignored pods.
    pub ignored: usize,
}

impl GroupPods {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::replica_calculator("groupPods");
}

/// One pod and its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassifiedPod {
    /// Index in the observation's pods.
    pub pod: usize,
    /// The class.
    pub class: PodClass,
    /// Why.
    pub reason: PodReason,
    /// Its sample, if it has one.
    pub usage: Option<Milli>,
    /// When the sample ended.
    pub sampled: Option<Timestamp>,
    /// Over how long it was measured.
    pub window: SignedDuration,
}

/// The classes of pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PodClass {
    /// Counted.
    Ready,
    /// Pending, or its CPU sample is not trusted.
    Unready,
    /// No sample.
    Missing,
    /// Being deleted, or failed.
    Ignored,
}

impl PodClass {
    /// The class in one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Unready => "unready",
            Self::Missing => "missing",
            Self::Ignored => "ignored",
        }
    }
}

/// Why a pod is in its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodReason {
    /// Ignored: it has a deletion timestamp.
    Deleted,
    /// Ignored: its phase is Failed.
    Failed,
    /// Ignored: its phase is Succeeded (from 1.38 on).
    Succeeded,
    /// Unready: its phase is Pending.
    Pending,
    /// Missing: no sample in the answer.
    NoSample,
    /// Unready: no condition Ready, or no start time.
    NoReadyConditionOrStart,
    /// Unready: within the CPU initialization period and not Ready.
    NotReadyInInitialization,
    /// Unready: within the CPU initialization period, and its sample started before it became ready.
    SampleBeforeReady,
    /// Unready: it has never been ready since its start, judging by the last transition.
    NeverReady,
    /// Ready: its condition is Ready, or the metric is not CPU.
    Counted,
    /// Ready although its condition Ready is False: it has been ready before.
    CountedThoughNotReady,
}

/// Requests are added up per pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumRequests {
    /// Name of the resource.
    pub resource: String,
    /// The container, for a ContainerResource metric.
    pub container: Option<String>,
    /// Requests of the pods that the selector matches, up to the first gap.
    pub requests: Vec<PodRequest>,
    /// The error that fails the metric.
    pub error: Option<String>,
    /// What the first failing pod lacks.
    pub gap: Option<RequestGap>,
}

/// Why the requests of a pod cannot be added up, which fails the metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestGap {
    /// The first counted container without a request for the resource.
    Container(String),
    /// The named container is not in the pod (an error from 1.35 on).
    Absent(String),
    /// The pod has pod-level requests, but none for the resource, and neither have its containers.
    Pod,
}

impl SumRequests {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::replica_calculator("calculateRequests");
}

/// Request of one pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodRequest {
    /// Index in the observation's pods.
    pub pod: usize,
    /// The request.
    pub request: Milli,
    /// Whether it comes from the pod-level requests (1.34 and later).
    pub is_pod_level: bool,
}

/// The first calculation, or the adjusted one with missing and unready pods added back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// The first calculation: its numbers go into the status.
    First,
    /// With missing and unready pods added back.
    Adjusted,
}

/// The usage is divided by its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsageRatio {
    /// First or adjusted calculation.
    pub pass: Pass,
    /// The inputs.
    pub formula: RatioFormula,
    /// Current ÷ target. Upstream: `usageRatio`, adjusted `newUsageRatio`.
    pub usage_ratio: f64,
    /// The function that divides.
    pub upstream: Upstream,
}

/// The inputs of a usage ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RatioFormula {
    /// usage ÷ (target × status replicas).
    AveragePerReplica {
        /// Sum over all series.
        usage: Milli,
        /// Target per replica.
        target: Milli,
        /// `status.replicas` of the scale.
        status_replicas: i32,
        /// Written to the status: usage ÷ status replicas, rounded up.
        average: Milli,
    },
    /// Mean over pods ÷ target.
    PodAverage {
        /// Sum over pods; from 1.38 on the nearest int64 of it.
        usage: Milli,
        /// Number of samples.
        pods: usize,
        /// usage ÷ pods, truncated.
        average: Milli,
        /// Target per pod.
        target: Milli,
    },
    /// Percent of requests ÷ target percent.
    Utilization {
        /// Sum over pods; from 1.38 on the nearest int64 of it.
        usage: Milli,
        /// Sum of the requests of these pods, likewise.
        requests: Milli,
        /// Number of samples of known pods.
        pods: usize,
        /// usage × 100 ÷ requests, truncated.
        utilization: Percent,
        /// usage ÷ pods, truncated.
        average: Milli,
        /// Target percent.
        target: Percent,
    },
    /// Value ÷ target.
    Value {
        /// The value.
        usage: Milli,
        /// The target.
        target: Milli,
    },
}

/// How the tolerance is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToleranceForm {
    /// abs(1 − ratio) ≤ tolerance (1.32 and before).
    Distance,
    /// 1 − down ≤ ratio ≤ 1 + up (1.33 and later).
    Interval,
}

/// Whether the ratio is within tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToleranceCheck {
    /// First or adjusted calculation.
    pub pass: Pass,
    /// Current ÷ target.
    pub usage_ratio: f64,
    /// How it is compared.
    pub form: ToleranceForm,
    /// Scale-down tolerance.
    pub scale_down: Input<f64>,
    /// Scale-up tolerance.
    pub scale_up: Input<f64>,
    /// Whether the ratio is within tolerance, both ends included.
    pub is_within: bool,
}

impl ToleranceCheck {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::replica_calculator("isWithin");

    /// The range of ratios within tolerance, both ends included. The distance form differs from it at the very edge.
    pub fn band(&self) -> (f64, f64) {
        (1.0 - self.scale_down.value, 1.0 + self.scale_up.value)
    }
}

/// Missing and unready pods are added back with a conservative usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddBackPods {
    /// How missing pods are filled.
    pub missing_fill: MissingFill,
    /// The pods added, with the usage assumed for them.
    pub added: Vec<AddedPod>,
    /// Whether unready pods are added, with 0.
    pub adds_unready: bool,
    /// The function that does this for this kind of target.
    pub upstream: Upstream,
}

/// How missing pods are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingFill {
    /// No pod is missing.
    NoneMissing,
    /// Not added: the ratio is exactly 1.
    NotAdded,
    /// With this percentage of their request: the ratio is below 1.
    PercentOfRequest(Percent),
    /// With the target: the ratio is below 1.
    Target(Milli),
    /// With 0: the ratio is above 1, or exactly 1 in a plain metric up to 1.27.
    Zero,
}

/// A pod that was added back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddedPod {
    /// Index in the observation's pods.
    pub pod: usize,
    /// Its class.
    pub class: PodClass,
    /// The usage assumed.
    pub usage: Milli,
}

/// The adjusted ratio is accepted or rejected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjustment {
    /// First ratio.
    pub usage_ratio: f64,
    /// Ratio with the pods added back. Upstream: `newUsageRatio`.
    pub adjusted_usage_ratio: f64,
    /// Number of samples in the adjusted ratio, including those of unknown pods.
    pub pods: usize,
    /// ceil(adjusted ratio × pods), if computed.
    pub replicas: Option<i32>,
    /// The verdict.
    pub verdict: AdjustedVerdict,
    /// The function that compares.
    pub upstream: Upstream,
}

/// What the controller does with the adjusted ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdjustedVerdict {
    /// The new number applies.
    Applied,
    /// The new number would move against its own ratio: the replicas stay.
    CountWouldMoveOtherWay,
    /// The ratio fell to the other side of 1: the replicas stay.
    DirectionFlipped,
    /// The ratio is within tolerance: the replicas stay.
    WithinTolerance,
}

/// Running and ready pods are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountReadyPods {
    /// Pods that the selector matches.
    pub selected: usize,
    /// Running and Ready.
    pub ready: usize,
}

impl CountReadyPods {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::replica_calculator("getReadyPodsCount");
}

/// The proposal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proposal {
    /// The formula.
    pub rule: ProposalRule,
    /// The replicas.
    pub replicas: i32,
    /// The function that proposes.
    pub upstream: Upstream,
}

/// The formula of a proposal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProposalRule {
    /// ceil(adjusted ratio × pods with a sample).
    CeilAdjustedRatioTimesPods {
        /// Ratio with the pods added back.
        adjusted_usage_ratio: f64,
        /// Number of samples, including those of unknown pods and of pods added back.
        pods: usize,
    },
    /// ceil(ratio), from zero replicas.
    CeilRatioFromZero {
        /// The ratio.
        usage_ratio: f64,
    },
    /// ceil(ratio × ready pods).
    CeilRatioTimesReady {
        /// The ratio.
        usage_ratio: f64,
        /// Number of ready pods.
        ready: usize,
    },
    /// ceil(usage ÷ target per replica).
    CeilUsageOverTarget {
        /// Sum over all series.
        usage: Milli,
        /// Target per replica.
        target: Milli,
    },
    /// The current replicas: within tolerance, or held by the adjusted average.
    KeepCurrent,
    /// `status.replicas`: an average of an Object or External metric is within tolerance.
    KeepStatusReplicas,
}
