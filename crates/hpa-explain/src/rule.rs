//! The binding rule: which step of a sync decides.

use hpa_diagnosis::blocked_direction::is_direction_off;
use hpa_engine::{
    engine::AfterMetrics,
    model::Direction,
    trace::{
        AdjustedVerdict, BoundsBranch, Choice, Decision, LimitPath, LimitRate, LimitReason,
        ScaleWrite, SelectorVerdict, Stabilize, StabilizePath, StabilizeReason,
    },
};

use crate::facts::{Facts, MetricFacts};

/// The rule that decides. Its kebab-case name is part of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Something that decides could not be read by this program.
    InputsNotReadable,
    /// The controller cannot read the scale of the target.
    ScaleNotReadable,
    /// Zero replicas, and the HPA may not start any.
    ScalingDisabledAtZero,
    /// More replicas than `maxReplicas`: down to it in one step.
    AboveMax,
    /// Fewer replicas than `minReplicas`: up to it in one step.
    BelowMin,
    /// The scale has no selector.
    SelectorMissing,
    /// The selector cannot be parsed.
    SelectorInvalid,
    /// Several HPAs select the same pods.
    SelectorAmbiguous,
    /// All metrics failed.
    AllMetricsInvalid,
    /// A failed metric blocks scaling down.
    InvalidMetricBlocksScaleDown,
    /// The metric is within tolerance.
    WithinTolerance,
    /// With missing and unready pods added back, the metric is within tolerance.
    SecondPass,
    /// With missing and unready pods added back, the direction reverses: no change.
    DirectionGuard,
    /// Outside tolerance, but the result rounds up to the current replicas.
    Rounding,
    /// A metric's proposal decides, and nothing limits it.
    Metric,
    /// A recent recommendation holds the replicas back.
    StabilizationWindow,
    /// An old recommendation raises the replicas (without `behavior`).
    OldRecommendation,
    /// A scale-up policy limits the step.
    ScaleUpPolicy,
    /// A scale-down policy limits the step.
    ScaleDownPolicy,
    /// `selectPolicy: Disabled` in that direction.
    DisabledDirection,
    /// Without `behavior` a step at most doubles the replicas, or reaches 4.
    NoBehaviorLimit,
    /// `maxReplicas` limits the replicas.
    MaxReplicas,
    /// `minReplicas` limits the replicas.
    MinReplicas,
    /// A workload that the HPA scaled to zero is raised to `minReplicas`.
    RaisedFromZero,
}

/// What decides in a sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// No metric: something cannot be read, or the replicas are outside of the bounds.
    NoMetric,
    /// A metric that fails.
    FailedMetric,
    /// What a metric asks for, and nothing limits it.
    Metric,
    /// What a metric asks for rounds up to the current replicas.
    Rounding,
    /// The tolerance.
    Tolerance,
    /// Pods that are not ready or have no metrics.
    UncountedPods,
    /// A recent recommendation, which holds the replicas.
    Window,
    /// An old recommendation, which raises the replicas.
    OldRecommendation,
    /// A scaling policy.
    Policy(Direction),
    /// The limit of one step without `behavior`.
    StepLimit,
    /// A disabled direction.
    DisabledDirection,
    /// `maxReplicas`.
    Max,
    /// `minReplicas`.
    Min,
}

impl Rule {
    /// All rules, in the controller's order.
    pub const ALL: [Self; 24] = [
        Self::InputsNotReadable,
        Self::ScaleNotReadable,
        Self::ScalingDisabledAtZero,
        Self::AboveMax,
        Self::BelowMin,
        Self::SelectorMissing,
        Self::SelectorInvalid,
        Self::SelectorAmbiguous,
        Self::AllMetricsInvalid,
        Self::InvalidMetricBlocksScaleDown,
        Self::WithinTolerance,
        Self::SecondPass,
        Self::DirectionGuard,
        Self::Rounding,
        Self::Metric,
        Self::StabilizationWindow,
        Self::OldRecommendation,
        Self::ScaleUpPolicy,
        Self::ScaleDownPolicy,
        Self::DisabledDirection,
        Self::NoBehaviorLimit,
        Self::MaxReplicas,
        Self::MinReplicas,
        Self::RaisedFromZero,
    ];

    /// The name in kebab case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InputsNotReadable => "inputs-not-readable",
            Self::ScaleNotReadable => "scale-not-readable",
            Self::ScalingDisabledAtZero => "scaling-disabled-at-zero",
            Self::AboveMax => "above-max",
            Self::BelowMin => "below-min",
            Self::SelectorMissing => "selector-missing",
            Self::SelectorInvalid => "selector-invalid",
            Self::SelectorAmbiguous => "selector-ambiguous",
            Self::AllMetricsInvalid => "all-metrics-invalid",
            Self::InvalidMetricBlocksScaleDown => "invalid-metric-blocks-scale-down",
            Self::WithinTolerance => "within-tolerance",
            Self::SecondPass => "second-pass",
            Self::DirectionGuard => "direction-guard",
            Self::Rounding => "rounding",
            Self::Metric => "metric",
            Self::StabilizationWindow => "stabilization-window",
            Self::OldRecommendation => "old-recommendation",
            Self::ScaleUpPolicy => "scale-up-policy",
            Self::ScaleDownPolicy => "scale-down-policy",
            Self::DisabledDirection => "disabled-direction",
            Self::NoBehaviorLimit => "no-behavior-limit",
            Self::MaxReplicas => "max-replicas",
            Self::MinReplicas => "min-replicas",
            Self::RaisedFromZero => "raised-from-zero",
        }
    }

    /// What decides.
    pub fn decider(self) -> Decider {
        match self {
            Self::InputsNotReadable
            | Self::ScaleNotReadable
            | Self::ScalingDisabledAtZero
            | Self::AboveMax
            | Self::BelowMin
            | Self::SelectorMissing
            | Self::SelectorInvalid
            | Self::SelectorAmbiguous
            | Self::RaisedFromZero => Decider::NoMetric,
            Self::AllMetricsInvalid | Self::InvalidMetricBlocksScaleDown => Decider::FailedMetric,
            Self::WithinTolerance => Decider::Tolerance,
            Self::SecondPass | Self::DirectionGuard => Decider::UncountedPods,
            Self::Rounding => Decider::Rounding,
            Self::Metric => Decider::Metric,
            Self::StabilizationWindow => Decider::Window,
            Self::OldRecommendation => Decider::OldRecommendation,
            Self::ScaleUpPolicy => Decider::Policy(Direction::Up),
            Self::ScaleDownPolicy => Decider::Policy(Direction::Down),
            Self::DisabledDirection => Decider::DisabledDirection,
            Self::NoBehaviorLimit => Decider::StepLimit,
            Self::MaxReplicas => Decider::Max,
            Self::MinReplicas => Decider::Min,
        }
    }

    /// The rule as far as a change of it matters to a reader: a metric that holds the replicas by rounding, or moves
    /// within its tolerance, is one.
    #[must_use]
    pub fn while_held(self) -> Self {
        match self.decider() {
            Decider::Metric | Decider::Rounding => Self::WithinTolerance,
            _ => self,
        }
    }

    /// Finds the rule that decides: the last step of the sync that changed the number.
    pub fn binding(facts: &Facts<'_>) -> Self {
        if let Decision::Unknown { .. } = facts.trace.decision {
            return Self::InputsNotReadable;
        }
        if facts.current().is_none() {
            return Self::ScaleNotReadable;
        }
        if let Some(rule) = facts.bounds.and_then(|bounds| at_bounds(bounds.branch)) {
            return rule;
        }
        if let Some(rule) = facts
            .selector
            .and_then(|selector| at_selector(&selector.verdict))
        {
            return rule;
        }
        match facts.choice.map(|choice| choice.choice) {
            Some(Choice::AllInvalid) => return Self::AllMetricsInvalid,
            Some(Choice::RefusedScaleDown) => return Self::InvalidMetricBlocksScaleDown,
            Some(Choice::Winner) | None => {}
        }
        if facts.raise.is_some() {
            return Self::RaisedFromZero;
        }
        facts
            .limit
            .filter(|limit| !is_limit_of_the_past(facts, limit))
            .and_then(at_limit)
            .or_else(|| facts.stabilize.and_then(|step| at_window(facts, step)))
            .unwrap_or_else(|| at_metric(facts))
    }
}

/// Whether the write of the new number is rejected.
pub(super) fn is_write_refused(facts: &Facts<'_>) -> bool {
    facts
        .rescale
        .is_some_and(|rescale| matches!(rescale.write, ScaleWrite::Refused(_)))
}

fn at_bounds(branch: BoundsBranch) -> Option<Rule> {
    match branch {
        BoundsBranch::AboveMax => Some(Rule::AboveMax),
        BoundsBranch::BelowMin => Some(Rule::BelowMin),
        BoundsBranch::Disabled(_) => Some(Rule::ScalingDisabledAtZero),
        BoundsBranch::Metrics => None,
    }
}

fn at_selector(verdict: &SelectorVerdict) -> Option<Rule> {
    match verdict {
        SelectorVerdict::Ambiguous { .. } => Some(Rule::SelectorAmbiguous),
        SelectorVerdict::Missing => Some(Rule::SelectorMissing),
        SelectorVerdict::Selects { .. } => None,
        SelectorVerdict::Unparsable(_) => Some(Rule::SelectorInvalid),
    }
}

/// Whether an upper limit only cuts an old recommendation: the current one is below the limit.
fn is_limit_of_the_past(facts: &Facts<'_>, limit: &LimitRate) -> bool {
    matches!(
        limit.reason,
        LimitReason::ScaleUpLimit | LimitReason::TooManyReplicas
    ) && facts
        .stabilize
        .is_some_and(|stabilize| stabilize.recommendation <= limit.desired)
}

fn at_limit(limit: &LimitRate) -> Option<Rule> {
    let is_disabled = is_direction_off(limit);
    match (&limit.path, limit.reason) {
        (_, LimitReason::DesiredWithinRange) => None,
        (_, LimitReason::TooFewReplicas) => Some(Rule::MinReplicas),
        (_, LimitReason::TooManyReplicas) => Some(Rule::MaxReplicas),
        (LimitPath::Behavior { .. }, _) if is_disabled => Some(Rule::DisabledDirection),
        (LimitPath::Behavior { .. }, LimitReason::ScaleUpLimit) => Some(Rule::ScaleUpPolicy),
        (_, LimitReason::ScaleDownLimit) => Some(Rule::ScaleDownPolicy),
        (LimitPath::NoBehavior { .. }, LimitReason::ScaleUpLimit) => Some(Rule::NoBehaviorLimit),
    }
}

/// The rule if the window changed the recommendation. A window is not the rule if a bound or a disabled direction
/// holds the same number: the replicas would not move after the window expires.
fn at_window(facts: &Facts<'_>, step: &Stabilize) -> Option<Rule> {
    if step.reason == StabilizeReason::ReadyForNewScale {
        return None;
    }
    let desired = facts.limit.map_or(step.stabilized, |limit| limit.desired);
    if desired == step.recommendation {
        // A limit removes what the window adds.
        return None;
    }
    let is_held = desired == step.current;
    let wants_less = step.recommendation < step.current;
    if is_held && wants_less && step.current <= facts.min() {
        return Some(Rule::MinReplicas);
    }
    if is_held && !wants_less && facts.max() <= step.current {
        return Some(Rule::MaxReplicas);
    }
    let direction = if wants_less {
        Direction::Down
    } else {
        Direction::Up
    };
    if is_held && facts.is_off(direction) {
        return Some(Rule::DisabledDirection);
    }
    let is_raised = step.current < desired && step.recommendation < desired;
    let has_behavior = matches!(step.path, StabilizePath::Behavior { .. });
    if is_raised && !has_behavior {
        return Some(Rule::OldRecommendation);
    }
    Some(Rule::StabilizationWindow)
}

fn at_metric(facts: &Facts<'_>) -> Rule {
    let Some(winner) = facts.winner() else {
        return Rule::Metric;
    };
    match winner.adjustment.map(|adjustment| adjustment.verdict) {
        // With pods to add back, the controller compares only the adjusted ratio. Where the other one is within tolerance
        // too, these pods change nothing.
        Some(AdjustedVerdict::Applied) | None => {}
        Some(_) if is_within(facts, winner) => return Rule::WithinTolerance,
        Some(AdjustedVerdict::WithinTolerance) => return Rule::SecondPass,
        Some(AdjustedVerdict::CountWouldMoveOtherWay | AdjustedVerdict::DirectionFlipped) => {
            return Rule::DirectionGuard;
        }
    }
    if winner.is_kept() {
        Rule::WithinTolerance
    } else if winner.replicas() == facts.current() {
        Rule::Rounding
    } else {
        Rule::Metric
    }
}

/// Whether the ratio of the counted pods alone is within tolerance.
fn is_within(facts: &Facts<'_>, winner: &MetricFacts<'_>) -> bool {
    let engine = AfterMetrics::of(facts.observation);
    let first = winner.ratio.map(|first| first.usage_ratio);
    first.is_some_and(|ratio| engine.is_within_tolerance(ratio))
}
