//! Policies, minimum and maximum in words.

use jiff::SignedDuration;

use crate::{
    explain::{Clock, StepKind, StepView, Value, amount::count, clock::duration},
    model::{PolicyType, SelectPolicy},
    trace::{LimitPath, LimitRate, LimitReason, PolicyBound, ScalingDirection},
};

/// Policies, minimum and maximum in words.
pub(super) fn limit_rate(step: &LimitRate, clock: &Clock) -> StepView {
    let how = match &step.path {
        LimitPath::NoBehavior { scale_up_limit } => {
            let (current, min, max) = (step.current, step.min, step.max);
            let rule = if *scale_up_limit == current.saturating_mul(2) {
                format!("twice {current}")
            } else {
                "or 4".to_owned()
            };
            if max <= *scale_up_limit {
                format!("{min} … {max} (min, max)")
            } else {
                format!("{min} … {scale_up_limit} ({rule} in one step), max {max}")
            }
        }
        LimitPath::Behavior {
            direction: ScalingDirection::Stay,
            ..
        } => "no change, so no policy applies".to_owned(),
        LimitPath::Behavior {
            direction,
            policies,
            select_policy,
            limit,
        } => behavior(step, *direction, policies, *select_policy, *limit),
    };
    let mut view = StepView::new(StepKind::Limits, "limits", step.desired.to_string(), how)
        .formula(match &step.path {
            LimitPath::NoBehavior { .. } => {
                "min(stabilized, max(2 × current, 4), maxReplicas), at least minReplicas"
            }
            LimitPath::Behavior { .. } => {
                "stabilized, within the policies, minReplicas and maxReplicas"
            }
        })
        .upstream(step.upstream())
        .quiet_if(step.reason == LimitReason::DesiredWithinRange)
        .value("current", step.current)
        .value("stabilized", step.stabilized)
        .value("minReplicas", step.min)
        .value("maxReplicas", step.max)
        .value("desired", step.desired)
        .value("reason", step.reason.as_str());
    match &step.path {
        LimitPath::NoBehavior { scale_up_limit } => view.value("scaleUpLimit", *scale_up_limit),
        LimitPath::Behavior {
            policies,
            select_policy,
            limit,
            ..
        } => {
            for policy in policies {
                view = view.note(policy_text(policy, clock));
            }
            view.value("selectPolicy", select_policy.as_str())
                .value("limit", *limit)
                .value(
                    "policyBounds",
                    Value::List(policies.iter().map(|policy| policy.bound.into()).collect()),
                )
        }
    }
}

fn behavior(
    step: &LimitRate,
    direction: ScalingDirection,
    policies: &[PolicyBound],
    select_policy: SelectPolicy,
    limit: Option<i32>,
) -> String {
    let side = if direction == ScalingDirection::Up {
        "scaleUp"
    } else {
        "scaleDown"
    };
    if select_policy == SelectPolicy::Disabled {
        return format!("{side}.selectPolicy is Disabled");
    }
    let bound = if direction == ScalingDirection::Up {
        format!("max {}", step.max)
    } else {
        format!("min {}", step.min)
    };
    let limit = limit.unwrap_or(step.current);
    let by = if policies.len() == 1 {
        "the policy allows".to_owned()
    } else {
        format!(
            "{} of the {} policies allows",
            select_policy.as_str(),
            policies.len()
        )
    };
    format!("{by} {limit}, {bound}")
}

/// `Percent 100 in 15 s: 4 at its start, so up to 8`.
pub(in crate::explain) fn policy_text(policy: &PolicyBound, clock: &Clock) -> String {
    let value = match policy.policy_type {
        PolicyType::Percent => format!("{} %", policy.value),
        PolicyType::Pods => count(usize::try_from(policy.value).unwrap_or_default(), "pod"),
    };
    let mut text = format!(
        "{value} in {}: {} at its start",
        duration(SignedDuration::from_secs(policy.period_seconds.into())),
        policy.period_start_replicas
    );
    if policy.added != 0 || policy.removed != 0 {
        text += " (";
        let mut parts = Vec::new();
        if policy.added != 0 {
            parts.push(format!("{} added", policy.added));
        }
        if policy.removed != 0 {
            parts.push(format!("{} removed", policy.removed));
        }
        text += &parts.join(", ");
        text += " since)";
    }
    text += &format!(" → {}", policy.bound);
    if let Some(expires) = policy.expires {
        text += &format!(", until {}", clock.time(expires));
    }
    text
}
