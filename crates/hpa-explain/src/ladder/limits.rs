//! Policies, `minReplicas` and `maxReplicas` in words.

use hpa_engine::{
    model::{Direction, PolicyType, SelectPolicy},
    trace::{LimitPath, LimitRate, LimitReason, PolicyBound},
};
use hpa_words::{
    amount::count,
    clock::{Clock, duration},
};
use jiff::SignedDuration;

use crate::{Facts, StepKind, StepValue, StepView};

/// Policies, `minReplicas` and `maxReplicas` in words.
pub(super) fn limit_rate(facts: &Facts<'_>, step: &LimitRate, clock: &Clock) -> StepView {
    let how = match &step.path {
        LimitPath::NoBehavior { scale_up_limit } => {
            let (current, min, max) = (step.current, step.min, step.max);
            let rule = if *scale_up_limit == current.saturating_mul(2) {
                format!("2 × {current}")
            } else {
                "or 4".to_owned()
            };
            if max <= *scale_up_limit {
                format!("{min}–{max} (min/max)")
            } else {
                format!("at most {scale_up_limit} this sync ({rule}), max {max}")
            }
        }
        LimitPath::Behavior {
            direction: None, ..
        } => "no change, so no policy applies".to_owned(),
        LimitPath::Behavior {
            direction: Some(direction),
            policies,
            select_policy,
            limit,
        } => behavior(step, *direction, policies, *select_policy, *limit),
    };
    let mut view = StepView::new(
        StepKind::Limits,
        "rate limit",
        step.desired.to_string(),
        how,
    )
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
            direction,
            policies,
            select_policy,
            limit,
        } => {
            let sync = facts.observation.sync_period().value;
            let taken = direction
                .and_then(|direction| deciding_policy(policies, *select_policy, direction));
            for policy in policies {
                let mut text = policy_text(policy, clock);
                if 1 < policies.len() && taken.is_some_and(|taken| std::ptr::eq(taken, policy)) {
                    text += " (used)";
                }
                if SignedDuration::from_secs(policy.period_seconds.into()) < sync {
                    text += &format!("; effectively once per sync, every {}", duration(sync));
                }
                view = view.note(text);
            }
            if step.reason == LimitReason::ScaleUpLimit && are_defaults(policies) {
                let without = step.current.saturating_mul(2).max(4);
                view = view.note(format!(
                    "these are the API's defaults, which come with any behavior; without behavior one sync could reach {without}"
                ));
            }
            view.value("selectPolicy", select_policy.as_str())
                .value("limit", *limit)
                .value(
                    "policyBounds",
                    StepValue::List(policies.iter().map(|policy| policy.bound.into()).collect()),
                )
        }
    }
}

fn behavior(
    step: &LimitRate,
    direction: Direction,
    policies: &[PolicyBound],
    select_policy: SelectPolicy,
    limit: Option<i32>,
) -> String {
    let side = direction.as_str();
    if select_policy == SelectPolicy::Disabled {
        return format!("{side}.selectPolicy is Disabled");
    }
    let bound = match direction {
        Direction::Up => format!("max {}", step.max),
        Direction::Down => format!("min {}", step.min),
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

/// The policy that limits the change, and the direction. `None`: there is no such policy.
pub(crate) fn deciding_policy_of<'a>(facts: &Facts<'a>) -> Option<(Direction, &'a PolicyBound)> {
    let LimitPath::Behavior {
        direction: Some(direction),
        policies,
        select_policy,
        ..
    } = &facts.limit?.path
    else {
        return None;
    };
    let policy = deciding_policy(policies, *select_policy, *direction)?;
    Some((*direction, policy))
}

/// The policy whose bound applies.
pub(crate) fn deciding_policy(
    policies: &[PolicyBound],
    select_policy: SelectPolicy,
    direction: Direction,
) -> Option<&PolicyBound> {
    let takes_largest = match (select_policy, direction) {
        (SelectPolicy::Disabled, _) => return None,
        (SelectPolicy::Max, Direction::Up) | (SelectPolicy::Min, Direction::Down) => true,
        _ => false,
    };
    if takes_largest {
        policies.iter().max_by_key(|policy| policy.bound)
    } else {
        policies.iter().min_by_key(|policy| policy.bound)
    }
}

/// Whether these are the scale-up policies that the API server defaults if only the other direction is set.
fn are_defaults(policies: &[PolicyBound]) -> bool {
    let is_default = |policy: &PolicyBound| {
        let PolicyBound {
            policy_type,
            value,
            period_seconds,
            ..
        } = *policy;
        period_seconds == 15
            && matches!(
                (policy_type, value),
                (PolicyType::Percent, 100) | (PolicyType::Pods, 4)
            )
    };
    policies.len() == 2
        && policies.iter().all(is_default)
        && policies[0].policy_type != policies[1].policy_type
}

/// `Percent 100 in 15 s: 4 at its start, so up to 8`.
pub(crate) fn policy_text(policy: &PolicyBound, clock: &Clock) -> String {
    let value = match policy.policy_type {
        PolicyType::Percent => format!("{}%", policy.value),
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
