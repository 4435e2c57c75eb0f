//! The steps of one metric, from the read to the proposal.

use jiff::{SignedDuration, Timestamp};

use crate::{
    model::{ApiError, Input, MetricStatus, NotRead},
    trace::Upstream,
};

/// Thousandths of a unit: of a core, a byte, or whatever the metric counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Milli(pub i64);

/// Whole percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(pub i32);

/// How one metric came to its proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricEvaluation {
    /// Index in `spec.metrics`.
    pub index: usize,
    /// What was worked out, in order.
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

/// What came of one metric.
#[derive(Clone, Debug, PartialEq)]
pub enum MetricOutcome {
    /// The metric is invalid.
    Invalid(MetricFailure),
    /// So many replicas.
    Proposal {
        /// The replicas.
        replicas: i32,
        /// The metric's name in conditions and events.
        name: String,
    },
    /// We could not read what it takes.
    Unknown(NotRead),
}

/// Why a metric is invalid, in the controller's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricFailure {
    /// Reason of the condition and the event, such as `FailedGetResourceMetric`. None: no event, and a condition
    /// without a type (1.27 to 1.29 with the gate `HPAContainerMetrics` off), or nothing at all, because the controller
    /// crashes (up to 1.28.2 with an Object metric whose type names a field that is not set).
    pub reason: Option<&'static str>,
    /// Text of the metric's own event.
    pub inner: String,
    /// Text in the combined error.
    pub outer: String,
}

/// One thing worked out for one metric.
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
    /// The second ratio is judged.
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
    /// Samples of pods that the selector does not match or that are gone: sum and number.
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
    /// Unready: its phase is Pending.
    Pending,
    /// Missing: no sample in the answer.
    NoSample,
    /// Unready: no condition Ready, or no start time.
    NoReadyConditionOrStart,
    /// Unready: within the CPU initialization period and not Ready.
    NotReadyInInitialization,
    /// Unready: within the CPU initialization period, and its sample began before it became ready.
    SampleBeforeReady,
    /// Unready: never been ready since its start, as far as the last transition tells.
    NeverReady,
    /// Ready: Ready, or no CPU.
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
    /// Request of each pod that the selector matches, as far as they could be added up.
    pub requests: Vec<PodRequest>,
    /// The error that fails the metric.
    pub error: Option<String>,
    /// What the first pod lacks for which there is that error.
    pub gap: Option<RequestGap>,
}

/// Why the requests of a pod can't be added up, which fails the metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestGap {
    /// A container that counts has no request for the resource; the first one.
    Container(String),
    /// The named container is not in the pod (an error from 1.35 on).
    Absent(String),
    /// The pod states requests as a whole, but not for the resource, and neither do its containers.
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

/// First look, or after missing and unready pods were added back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// First look: these numbers go into the status.
    First,
    /// After missing and unready pods were added back.
    Adjusted,
}

/// The usage is divided by its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsageRatio {
    /// First look or adjusted.
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
        /// What goes into the status: usage ÷ status replicas, rounded up.
        average: Milli,
    },
    /// Mean over pods ÷ target.
    PodAverage {
        /// Sum over pods.
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
        /// Sum over pods.
        usage: Milli,
        /// Sum of the requests of these pods.
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

/// Whether the change is too small to act on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToleranceCheck {
    /// First look or adjusted.
    pub pass: Pass,
    /// Current ÷ target.
    pub usage_ratio: f64,
    /// How it is compared.
    pub form: ToleranceForm,
    /// Tolerance on the way down.
    pub scale_down: Input<f64>,
    /// Tolerance on the way up.
    pub scale_up: Input<f64>,
    /// Whether the ratio is inside, both ends included.
    pub is_within: bool,
}

impl ToleranceCheck {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::replica_calculator("isWithin");

    /// The ratios round 1 that are too small a change: from and to, both inside. The older form differs from it at the very edge.
    pub fn band(&self) -> (f64, f64) {
        (1.0 - self.scale_down.value, 1.0 + self.scale_up.value)
    }
}

/// Missing and unready pods are added back with a cautious usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddBackPods {
    /// How missing pods are counted.
    pub missing_fill: MissingFill,
    /// The pods added, with the usage assumed for them.
    pub added: Vec<AddedPod>,
    /// Whether unready pods are added, with 0.
    pub adds_unready: bool,
    /// The function that does so for this kind of target.
    pub upstream: Upstream,
}

/// How missing pods are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingFill {
    /// There are none.
    NoneMissing,
    /// Not at all: the ratio is exactly 1.
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

/// The second ratio is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjustment {
    /// First ratio.
    pub usage_ratio: f64,
    /// Ratio with the pods added back. Upstream: `newUsageRatio`.
    pub adjusted_usage_ratio: f64,
    /// Samples that the second ratio is over, those of unknown pods included.
    pub pods: usize,
    /// ceil(adjusted ratio × pods), if it came to that.
    pub replicas: Option<i32>,
    /// The verdict.
    pub verdict: AdjustedVerdict,
    /// The function that judges.
    pub upstream: Upstream,
}

/// What is made of the second ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdjustedVerdict {
    /// The new number counts.
    Applied,
    /// The new number would move against its own ratio: the replicas stay.
    CountWouldMoveOtherWay,
    /// The ratio fell to the other side of 1: the replicas stay.
    DirectionFlipped,
    /// The ratio is within the tolerance: the replicas stay.
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
    /// How it comes about.
    pub rule: ProposalRule,
    /// The replicas.
    pub replicas: i32,
    /// The function that proposes.
    pub upstream: Upstream,
}

/// How a proposal comes about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProposalRule {
    /// ceil(adjusted ratio × pods with a sample).
    CeilAdjustedRatioTimesPods {
        /// Ratio with the pods added back.
        adjusted_usage_ratio: f64,
        /// Samples, those of unknown pods and of pods added back included.
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
    /// The current replicas: within the tolerance, or the second look held them.
    KeepCurrent,
    /// `status.replicas`: within the tolerance of an average of an Object or External metric.
    KeepStatusReplicas,
}
