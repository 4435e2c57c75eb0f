//! The steps of a sync.

use jiff::{SignedDuration, Timestamp};

use crate::{
    model::{ApiError, Direction, Input, PolicyType, Recommendation, SelectPolicy, Shared},
    trace::{MetricEvaluation, Upstream},
};

/// One calculation of the controller, in its order.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The scale of the target is read.
    ReadScale(ReadScale),
    /// The first sync that the controller remembers: the current replicas become a recommendation.
    FirstRecommendation(FirstRecommendation),
    /// Current replicas against zero, `minReplicas` and `maxReplicas`.
    CompareBounds(CompareBounds),
    /// The selector of the scale is parsed and compared with other HPAs.
    SelectorCheck(SelectorCheck),
    /// One metric gives its proposal, or fails.
    Metric(Box<MetricEvaluation>),
    /// The largest proposal wins, unless a failed metric forbids it.
    ChooseProposal(ChooseProposal),
    /// Recent recommendations hold the replicas back.
    Stabilize(Stabilize),
    /// Policies, `minReplicas` and `maxReplicas` limit the change.
    LimitRate(LimitRate),
    /// A workload that the HPA itself scaled to zero is raised to `minReplicas` (1.36 and later).
    RaiseFromZero(RaiseFromZero),
    /// The new replicas are written.
    Rescale(Rescale),
}

/// The scale of the target is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadScale {
    /// `spec.replicas`, if the scale was read.
    pub spec_replicas: Option<i32>,
    /// `status.replicas`, if the scale was read.
    pub status_replicas: Option<i32>,
    /// The error that the controller gets.
    pub error: Option<ApiError>,
}

impl ReadScale {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::horizontal("scaleForResourceMappings");
}

/// The current replicas become the first recommendation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstRecommendation {
    /// Replicas in the first sync.
    pub replicas: i32,
}

impl FirstRecommendation {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::horizontal("recordInitialRecommendation");
}

/// Current replicas against zero, `minReplicas` and `maxReplicas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareBounds {
    /// `spec.replicas` of the scale.
    pub current: i32,
    /// `minReplicas`.
    pub min: i32,
    /// `maxReplicas`.
    pub max: i32,
    /// Which way the sync goes.
    pub branch: BoundsBranch,
}

impl CompareBounds {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::horizontal("reconcileAutoscaler");
}

/// Which way a sync goes after comparing the current replicas with the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundsBranch {
    /// Above `maxReplicas`: scale down to it without reading metrics.
    AboveMax,
    /// Below `minReplicas`: scale up to it without reading metrics.
    BelowMin,
    /// Zero replicas, and the HPA may not scale up from zero.
    Disabled(DisabledReason),
    /// The metrics decide.
    Metrics,
}

/// Why an HPA does nothing at zero replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisabledReason {
    /// The gate `HPAScaleToZero` is off in the controller (1.36 and later).
    GateOff,
    /// `minReplicas` is not 0 (1.35 and before).
    MinReplicasNotZero,
    /// No Object or External metric, so nothing can be measured without pods.
    NoMetricWithoutPods,
    /// The condition `ScaledToZero` is not True: another writer scaled to zero (1.36 and later).
    NotScaledToZeroByHpa,
}

/// The selector of the scale is parsed and compared with those of other HPAs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorCheck {
    /// The selector as the scale spells it.
    pub selector: String,
    /// The result of the check.
    pub verdict: SelectorVerdict,
}

impl SelectorCheck {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::horizontal("validateAndParseSelector");
}

/// The result of the selector check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorVerdict {
    /// More than one HPA selects the same pods; `namespace/name` of each, sorted.
    Ambiguous {
        /// `namespace/name` of the HPAs, this one included.
        hpas: Shared<String>,
    },
    /// The scale has no selector.
    Missing,
    /// It selects this many pods. None if the pods could not be read.
    Selects {
        /// Number of pods, in any phase.
        pods: Option<usize>,
    },
    /// It cannot be parsed, for this reason.
    Unparsable(String),
}

/// The largest proposal wins, unless a failed metric forbids it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChooseProposal {
    /// `spec.replicas` of the scale.
    pub current: i32,
    /// The proposal of each metric in order; none for a failed one.
    pub proposals: Vec<Option<i32>>,
    /// Index of the winning metric.
    pub winner: Option<usize>,
    /// Index of the first failed metric.
    pub first_invalid: Option<usize>,
    /// The largest valid proposal; 0 if there is none. Upstream: `replicas`.
    pub metric_desired_replicas: i32,
    /// What the controller does with it.
    pub choice: Choice,
    /// `invalid metrics (…)`, if any failed.
    pub error: Option<String>,
}

impl ChooseProposal {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::horizontal("computeReplicasForMetrics");
}

/// What the controller does with the proposals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All metrics failed.
    AllInvalid,
    /// Some failed and the largest valid proposal is below the current replicas: refused.
    RefusedScaleDown,
    /// The winner's proposal applies.
    Winner,
}

/// Recent recommendations hold the replicas back.
#[derive(Clone, Debug, PartialEq)]
pub struct Stabilize {
    /// `spec.replicas` of the scale.
    pub current: i32,
    /// What the metrics recommend now.
    pub recommendation: i32,
    /// With or without behavior, and the windows.
    pub path: StabilizePath,
    /// The earlier recommendations within at least one window, oldest first, without the new one.
    pub considered: Vec<Recommendation>,
    /// Upstream: `stabilizedRecommendation`.
    pub stabilized: i32,
    /// Why it was changed, if it was.
    pub reason: StabilizeReason,
}

impl Stabilize {
    /// The upstream function.
    pub fn upstream(&self) -> Upstream {
        Upstream::horizontal(match self.path {
            StabilizePath::NoBehavior { .. } => "stabilizeRecommendation",
            StabilizePath::Behavior { .. } => "stabilizeRecommendationWithBehaviors",
        })
    }
}

/// With or without behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StabilizePath {
    /// With behavior: the current replicas are kept between the lowest and the highest recommendation.
    Behavior {
        /// `scaleUp.stabilizationWindowSeconds`.
        up_window: Input<SignedDuration>,
        /// `scaleDown.stabilizationWindowSeconds`, or the flag.
        down_window: Input<SignedDuration>,
        /// Lowest recommendation in the up window.
        lowest: i32,
        /// Highest recommendation in the down window.
        highest: i32,
    },
    /// Without behavior: the highest recommendation within the window applies.
    NoBehavior {
        /// The flag.
        window: Input<SignedDuration>,
    },
}

/// Which way stabilization changed the recommendation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StabilizeReason {
    /// Unchanged: `ReadyForNewScale`.
    ReadyForNewScale,
    /// Raised: `ScaleDownStabilized`.
    ScaleDownStabilized,
    /// Lowered: `ScaleUpStabilized`.
    ScaleUpStabilized,
}

impl StabilizeReason {
    /// The reason of the condition `AbleToScale`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadyForNewScale => "ReadyForNewScale",
            Self::ScaleDownStabilized => "ScaleDownStabilized",
            Self::ScaleUpStabilized => "ScaleUpStabilized",
        }
    }
}

/// Policies, `minReplicas` and `maxReplicas` limit the change.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitRate {
    /// `spec.replicas` of the scale.
    pub current: i32,
    /// The stabilized recommendation.
    pub stabilized: i32,
    /// `minReplicas`.
    pub min: i32,
    /// `maxReplicas`.
    pub max: i32,
    /// With or without behavior, and the limit.
    pub path: LimitPath,
    /// The desired replicas.
    pub desired: i32,
    /// What limited them.
    pub reason: LimitReason,
}

impl LimitRate {
    /// The upstream function.
    pub fn upstream(&self) -> Upstream {
        Upstream::horizontal(match self.path {
            LimitPath::NoBehavior { .. } => "convertDesiredReplicasWithRules",
            LimitPath::Behavior { .. } => "convertDesiredReplicasWithBehaviorRate",
        })
    }
}

/// How the limit was computed.
#[derive(Clone, Debug, PartialEq)]
pub enum LimitPath {
    /// With behavior.
    Behavior {
        /// The direction of the stabilized recommendation. None: the replicas stay.
        direction: Option<Direction>,
        /// The policies of that direction, in order.
        policies: Vec<PolicyBound>,
        /// Which of them applies.
        select_policy: SelectPolicy,
        /// The limit from the policies. None if the replicas stay.
        limit: Option<i32>,
    },
    /// Without behavior: at most twice the current replicas, or 4.
    NoBehavior {
        /// max(2 × current, 4). Upstream: `calculateScaleUpLimit`.
        scale_up_limit: i32,
    },
}

/// What one scaling policy allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyBound {
    /// Whether `value` counts pods or percent.
    pub policy_type: PolicyType,
    /// `value`.
    pub value: i32,
    /// `periodSeconds`.
    pub period_seconds: i32,
    /// Replicas added within the period. 0 if this version does not count them.
    pub added: i32,
    /// Replicas removed within the period. 0 if this version does not count them.
    pub removed: i32,
    /// current − added + removed. Upstream: `periodStartReplicas`.
    pub period_start_replicas: i32,
    /// The replicas that it allows.
    pub bound: i32,
    /// When the first of the counted scale events leaves the period.
    pub expires: Option<Timestamp>,
}

/// What limited the desired replicas: the reason of the condition `ScalingLimited`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitReason {
    /// Nothing.
    DesiredWithinRange,
    /// The scale-down rate limit.
    ScaleDownLimit,
    /// The scale-up rate limit.
    ScaleUpLimit,
    /// `minReplicas`.
    TooFewReplicas,
    /// `maxReplicas`.
    TooManyReplicas,
}

impl LimitReason {
    /// The reason of the condition.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DesiredWithinRange => "DesiredWithinRange",
            Self::ScaleDownLimit => "ScaleDownLimit",
            Self::ScaleUpLimit => "ScaleUpLimit",
            Self::TooFewReplicas => "TooFewReplicas",
            Self::TooManyReplicas => "TooManyReplicas",
        }
    }
}

/// A workload that the HPA itself scaled to zero is raised to `minReplicas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaiseFromZero {
    /// The desired replicas before this.
    pub from: i32,
    /// `minReplicas`.
    pub to: i32,
}

impl RaiseFromZero {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::horizontal("reconcileAutoscaler");
}

/// The new replicas are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescale {
    /// `spec.replicas` before.
    pub from: i32,
    /// `spec.replicas` afterwards.
    pub to: i32,
    /// The reason in the event; may be empty.
    pub reason: String,
    /// The result of the write.
    pub write: ScaleWrite,
}

impl Rescale {
    /// The upstream function.
    pub const UPSTREAM: Upstream = Upstream::horizontal("reconcileAutoscaler");
}

/// The result of the write of the scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScaleWrite {
    /// It was accepted, or nothing suggests that it was refused.
    Accepted,
    /// It was refused.
    Refused(ApiError),
}
