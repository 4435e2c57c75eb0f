//! The binding rule: which step of a reconcile decides.

use crate::{
    explain::facts::{Facts, MetricFacts},
    model::{Direction, ScalingRules, SelectPolicy},
    trace::{
        AdjustedVerdict, BoundsBranch, Choice, Decision, LimitPath, LimitRate, LimitReason,
        ProposalRule, ScaleWrite, SelectorVerdict, Stabilize, StabilizePath, StabilizeReason,
    },
};

/// The rule that decides. Its name in kebab case is part of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Something that decides could not be read here.
    InputsNotReadable,
    /// The controller cannot read the scale of the target.
    ScaleNotReadable,
    /// Zero replicas and no leave to start any.
    ScalingDisabledAtZero,
    /// More replicas than the maximum: down to it at once.
    AboveMax,
    /// Fewer replicas than the minimum: up to it at once.
    BelowMin,
    /// The scale has no selector.
    SelectorMissing,
    /// The selector cannot be parsed.
    SelectorInvalid,
    /// Several HPAs select the same pods.
    SelectorAmbiguous,
    /// All metrics failed.
    AllMetricsInvalid,
    /// A failed metric forbids scaling down.
    InvalidMetricBlocksScaleDown,
    /// The metric is within its tolerance.
    WithinTolerance,
    /// Missing and unready pods pull the metric into its tolerance.
    SecondPass,
    /// Missing and unready pods turn the direction: no change.
    DirectionGuard,
    /// Outside the tolerance, but the replicas round up to what they are.
    Rounding,
    /// A metric's proposal counts, and nothing limits it.
    Metric,
    /// A recent recommendation holds the replicas back.
    StabilizationWindow,
    /// An old recommendation raises the replicas (without behavior).
    OldRecommendation,
    /// A scale-up policy limits the step.
    ScaleUpPolicy,
    /// A scale-down policy limits the step.
    ScaleDownPolicy,
    /// `selectPolicy: Disabled` in that direction.
    DisabledDirection,
    /// Without behavior a step at most doubles the replicas, or reaches 4.
    NoBehaviorLimit,
    /// The maximum.
    MaxReplicas,
    /// The minimum.
    MinReplicas,
    /// A workload that the HPA scaled to zero is raised to the minimum.
    RaisedFromZero,
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

    /// Finds the rule that decides a reconcile: the last step that changed the number, looked at from the end.
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

/// Whether the write of the new number is refused.
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

/// Whether an upper limit only cuts what an old recommendation asks for: what is asked for now is below it.
fn is_limit_of_the_past(facts: &Facts<'_>, limit: &LimitRate) -> bool {
    matches!(
        limit.reason,
        LimitReason::ScaleUpLimit | LimitReason::TooManyReplicas
    ) && facts
        .stabilize
        .is_some_and(|stabilize| stabilize.recommendation <= limit.desired)
}

fn at_limit(limit: &LimitRate) -> Option<Rule> {
    let is_disabled = matches!(
        limit.path,
        LimitPath::Behavior {
            select_policy: SelectPolicy::Disabled,
            ..
        }
    );
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

/// What decides where the window changed the recommendation. A window that only holds what a bound or a disabled
/// direction holds, too, is not the one to name: the replicas would not move after it expires.
fn at_window(facts: &Facts<'_>, step: &Stabilize) -> Option<Rule> {
    if step.reason == StabilizeReason::ReadyForNewScale {
        return None;
    }
    let desired = facts.limit.map_or(step.stabilized, |limit| limit.desired);
    if desired == step.recommendation {
        // What the window adds is cut off again by a limit.
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
    let rules = facts.observation.hpa.spec.rules(direction);
    if is_held && rules.is_some_and(ScalingRules::is_disabled) {
        return Some(Rule::DisabledDirection);
    }
    let is_raised = step.current < desired && step.recommendation <= step.current;
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
        Some(AdjustedVerdict::WithinTolerance) => return within(winner),
        Some(AdjustedVerdict::CountWouldMoveOtherWay | AdjustedVerdict::DirectionFlipped) => {
            return Rule::DirectionGuard;
        }
        Some(AdjustedVerdict::Applied) | None => {}
    }
    match winner.proposal.map(|proposal| proposal.rule) {
        Some(ProposalRule::KeepCurrent | ProposalRule::KeepStatusReplicas) => Rule::WithinTolerance,
        _ if winner.replicas() == facts.current() => Rule::Rounding,
        _ => Rule::Metric,
    }
}

/// A first look that was within the tolerance already is not held by the second. With pods to add back, the
/// controller compares the second ratio only, so the first is compared here.
fn within(winner: &MetricFacts<'_>) -> Rule {
    let (Some(first), Some(tolerance)) = (winner.ratio, winner.adjusted_tolerance) else {
        return Rule::SecondPass;
    };
    let (low, high) = tolerance.band();
    if (low..=high).contains(&first.usage_ratio) {
        Rule::WithinTolerance
    } else {
        Rule::SecondPass
    }
}
